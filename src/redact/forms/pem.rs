//! Private key blocks (PEM, OpenSSH, PGP), on lines of their own or inside a JSON string.
//!
//! A block is masked from BEGIN to END. Without END, as in a cut log, it is masked to the first line that cannot be key material.
//! Forms: RFC 7468, RFC 4880 section 6.2.

use crate::redact::span::Span;

const NAME: &str = "private-key";
/// The columns that a log puts before a line have at most this many bytes.
const COLUMN: usize = 200;
/// A line above END with more bytes is no key material.
const LINE: usize = 1024;

/// The key block that begins at `hit`, the place of `-----BEGIN `; `None` where the label names no private key.
pub(in crate::redact) fn block(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let label = label(text, hit_end)?;
    let label_end = hit_end + label.len() + 5;
    if !private(label) {
        return None;
    }
    let column = column(text, hit);
    let mut line = label_end;
    let mut end = label_end;
    let mut dashes = label_end;
    loop {
        // Reads the rest of this line, then line by line, never past the next BEGIN or END, so that a line full of BEGINs takes
        // linear time.
        if dashes <= line {
            dashes =
                memchr::memmem::find(&text[line..], b"-----").map_or(text.len(), |at| line + at);
        }
        let bound = [&b"-----BEGIN "[..], b"-----END "]
            .iter()
            .any(|mark| text[dashes..].starts_with(mark));
        let limit = if bound {
            text.len().min(dashes + 128)
        } else {
            text.len()
        };
        let eol = memchr::memchr(b'\n', &text[line..limit]).map_or(limit, |at| line + at);
        let piece = &text[line..eol];
        if let Some(at) = memchr::memmem::find(piece, b"-----END ") {
            let past = line + at + 9;
            let close =
                memchr::memmem::find(&text[past..eol], b"-----").map_or(eol, |at| past + at + 5);
            let inside = &text[label_end..line + at];
            if inside
                .iter()
                .filter(|byte| byte.is_ascii_alphanumeric())
                .count()
                < 16
            {
                return None; // code or prose about keys
            }
            return Some(Span {
                start: hit,
                end: close,
                name: NAME,
            });
        }
        if memchr::memmem::find(piece, b"-----BEGIN ").is_some() {
            break;
        }
        let first = line == label_end;
        let mut material = body_len(piece, first);
        if material == 0 && !first {
            material = beside(piece, column);
        }
        if material == 0 && !piece.trim_ascii().is_empty() && line != label_end {
            break;
        }
        if material > 0 {
            end = line + material;
        }
        let partial = material < piece.trim_ascii_end().len();
        if (partial && material > 0) || eol == text.len() {
            break;
        }
        if line == label_end && partial && !decoration(piece) {
            break;
        }
        line = eol + 1;
    }
    (end > label_end).then_some(Span {
        start: hit,
        end,
        name: NAME,
    })
}

/// How many bytes stand before BEGIN on its line: the columns of a log or a listing.
fn column(text: &[u8], hit: usize) -> usize {
    let from = hit.saturating_sub(COLUMN);
    memchr::memrchr(b'\n', &text[from..hit])
        .map_or(if from == 0 { hit } else { 0 }, |at| hit - (from + at + 1))
}

/// How many bytes of the line are columns and key material, where `decor_len` does not know the columns: these columns are as
/// wide as those before BEGIN, or the line ends in one long word of base64. 0 where neither holds.
fn beside(piece: &[u8], column: usize) -> usize {
    let trimmed = piece.trim_ascii_end();
    let base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let run = trimmed.iter().rev().take_while(|byte| base64(byte)).count();
    let word = &trimmed[trimmed.len() - run..];
    let same = column > 0 && trimmed.len() == column + run;
    let close = column > 0 && run > 0 && trimmed.len() - run <= column + 2;
    let long = run >= 40
        && trimmed.len() - run <= COLUMN
        && !crate::redact::words::value::words_only(word);
    let short = same
        && (run >= 16 || word.ends_with(b"="))
        && !crate::redact::words::value::words_only(word);
    let listed = close && run >= 24 && !crate::redact::words::value::words_only(word);
    if long || short || listed {
        trimmed.len()
    } else {
        0
    }
}

/// The key material above `hit`, the place of `-----END ` of a private key whose BEGIN was cut off.
pub(in crate::redact) fn tail(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let label = label(text, hit_end)?;
    if !private(label) {
        return None;
    }
    let column = column(text, hit);
    let mut start = hit;
    let from = hit.saturating_sub(LINE);
    let mut eol = from + memchr::memrchr(b'\n', &text[from..hit])?;
    while hit - start < 16 * 1024 {
        let from = eol.saturating_sub(LINE);
        let line = match memchr::memrchr(b'\n', &text[from..eol]) {
            Some(at) => from + at + 1,
            None if from == 0 => 0,
            None => break,
        };
        let piece = &text[line..eol];
        if memchr::memmem::find(piece, b"-----BEGIN ").is_some()
            || body_len(piece, false).max(beside(piece, column)) != piece.trim_ascii_end().len()
            || piece.trim_ascii().len() < 16
        {
            break;
        }
        start = line;
        if line == 0 {
            break;
        }
        eol = line - 1;
    }
    let end = hit_end + label.len() + 5;
    (start < hit).then_some(Span {
        start,
        end,
        name: NAME,
    })
}

fn label(text: &[u8], from: usize) -> Option<&[u8]> {
    let window = &text[from..text.len().min(from + 64)];
    let end = memchr::memmem::find(window, b"-----")?;
    let label = &window[..end];
    label
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b" _-+".contains(byte))
        .then_some(label)
}

fn private(label: &[u8]) -> bool {
    // The encoding of HTML forms writes a blank as a plus sign.
    memchr::memmem::find(label, b"PRIVATE KEY").is_some()
        || memchr::memmem::find(label, b"PRIVATE+KEY").is_some()
        || memchr::memmem::find(label, b"SECRET KEY").is_some()
        || label.eq_ignore_ascii_case(b"OPENVPN STATIC KEY V1")
}

/// True where `piece` has only quotes, plus signs, commas, blanks and escapes, as a language puts around a line of a string.
fn decoration(piece: &[u8]) -> bool {
    piece
        .iter()
        .all(|byte| b"\"' +,\\nrt.()`\t\r".contains(byte))
}

/// How many bytes of the line, decoration included, are key material or a header of the block.
fn body_len(piece: &[u8], first: bool) -> usize {
    let trimmed = piece.trim_ascii_end();
    let at = decor_len(trimmed);
    let rest = &trimmed[at..];
    for header in [
        "Proc-Type:",
        "DEK-Info:",
        "Version:",
        "Comment:",
        "Hash:",
        "Charset:",
        "MessageID:",
    ] {
        if rest.starts_with(header.as_bytes()) {
            return trimmed.len();
        }
    }
    let mut len = 0;
    let mut material = 0;
    while len < rest.len() {
        let byte = rest[len];
        if first && byte == b' ' && material >= 16 && long_word(&rest[len + 1..]) {
            len += 1; // a block whose line breaks became blanks
        } else if byte.is_ascii_alphanumeric() || b"+/=".contains(&byte) {
            len += 1;
            material += 1;
        } else if byte == b'\\'
            && matches!(rest.get(len + 1), Some(b'n' | b'r' | b't' | b'\\' | b'/'))
        {
            len += 2;
        } else if byte == b'%' || byte == b'-' || byte == b'_' {
            len += 1;
        } else {
            break;
        }
    }
    let tail = &rest[len..];
    // A word of prose has base64's characters too. A line of key material has no blank inside, and only the last is short.
    let whole = tail.is_empty() || decoration(tail);
    if material == 0 || (!whole && !first && material < 40) {
        return 0;
    }
    if whole
        && !first
        && crate::redact::words::value::words_only(&rest[..len])
        && material < 24
        && !rest[..len].ends_with(b"=")
    {
        return 0;
    }
    if !whole && first {
        return if material >= 16 { at + len } else { 0 };
    }
    if whole { trimmed.len() } else { at + len }
}

/// True where `rest` begins with 40 characters of base64 or more, as a line of a key does.
fn long_word(rest: &[u8]) -> bool {
    let run = rest
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte))
        .count();
    run >= 40
}

/// The length of the decoration before a line: indentation, quote and diff marks, comment signs, a log's columns and time stamp.
fn decor_len(line: &[u8]) -> usize {
    let mut at = 0;
    if let Some(tab) = memchr::memrchr(b'\t', line)
        && tab < 200
    {
        at = tab + 1; // gh run view --log: job, step, text
    }
    if let Some(bom) = line[at..].strip_prefix("\u{feff}".as_bytes()) {
        at = line.len() - bom.len();
    }
    let stamp = line[at..]
        .iter()
        .position(|byte| *byte == b' ')
        .unwrap_or(0);
    if (16..=40).contains(&stamp)
        && line[at..].starts_with(b"2")
        && line[at..at + stamp].ends_with(b"Z")
    {
        at += stamp + 1;
    }
    while at < line.len() {
        if line[at..].starts_with("\u{200b}".as_bytes()) {
            at += 3;
        } else if b" \t>|\"'#*;".contains(&line[at]) || line[at..].starts_with(b"//") {
            at += if line[at] == b'/' { 2 } else { 1 };
        } else {
            break;
        }
    }
    if at < line.len() && (line[at] == b'+' || line[at] == b'-') && at == 0 {
        at += 1;
        while at < line.len() && b" \t\"'".contains(&line[at]) {
            at += 1;
        }
    }
    at
}
