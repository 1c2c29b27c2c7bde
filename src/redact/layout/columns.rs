//! The columns that a log, a diff or a quotation puts before a line. The rules skip these columns, so that they recognise a
//! table inside a log.

/// How many bytes at the start of `line` are such columns: the job, step and time of `gh run view --log`, a time stamp, `> `,
/// a diff's sign. Indentation is not counted.
pub(in crate::redact) fn margin(line: &[u8]) -> usize {
    let mut at = 0;
    // Job and step, each followed by a tab, stand before the time.
    let mut tabs = memchr::memchr_iter(b'\t', &line[..line.len().min(200)]);
    loop {
        let rest = line[at..].strip_prefix("\u{feff}".as_bytes());
        let from = at + if rest.is_some() { 3 } else { 0 };
        if let Some(len) = stamp(&line[from..]) {
            at = from + len;
            break;
        }
        let Some(tab) = tabs.next() else {
            at = 0;
            break;
        };
        at = tab + 1;
    }
    while line[at..].starts_with(b"> ") {
        at += 2;
    }
    match line.get(at..at + 2) {
        // A border of a table begins with the same sign as an added line.
        Some([b'+', next]) if !b"-=+".contains(next) => at + 1,
        Some([b'-', next]) if !b"-=| ".contains(next) => at + 1,
        _ => at,
    }
}

/// `2026-11-21T20:14:08.1234567Z ` at the start of `line`: its length with the blank behind it.
fn stamp(line: &[u8]) -> Option<usize> {
    let form = b"0000-00-00T00:00:00";
    let fits = line.len() > form.len()
        && line.iter().zip(form).all(|(byte, sign)| match sign {
            b'0' => byte.is_ascii_digit(),
            sign => byte == sign,
        });
    if !fits {
        return None;
    }
    let end = line.iter().take(40).position(|byte| *byte == b' ')?;
    line[..end].ends_with(b"Z").then_some(end + 1)
}

/// The borders of the line around `at`, without its line break; `None` where the line reaches further than `most` bytes to
/// either side.
pub(in crate::redact) fn line(text: &[u8], at: usize, most: usize) -> Option<(usize, usize)> {
    let from = at.saturating_sub(most);
    let start = match memchr::memrchr(b'\n', &text[from..at]) {
        Some(found) => from + found + 1,
        None if from == 0 => 0,
        None => return None,
    };
    let window = &text[at..text.len().min(at + most)];
    let end = match memchr::memchr(b'\n', window) {
        Some(found) => at + found,
        None if at + window.len() == text.len() => text.len(),
        None => return None,
    };
    let end = if text[start..end].ends_with(b"\r") {
        end - 1
    } else {
        end
    };
    Some((start, end))
}

/// The borders of the line after the one that ends at `end`; `None` at the end of the text, or where the line is longer than
/// `most` bytes.
pub(in crate::redact) fn next(text: &[u8], end: usize, most: usize) -> Option<(usize, usize)> {
    let start = end + memchr::memchr(b'\n', &text[end..text.len().min(end + 2)])? + 1;
    if start >= text.len() {
        return None;
    }
    let (_, stop) = line(text, start, most)?;
    Some((start, stop.max(start)))
}
