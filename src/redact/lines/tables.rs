//! Tables whose header names a secret: Markdown, `AsciiDoc`, drawn boxes, CSV, TSV, columns separated by blanks. `pairs::html`
//! reads those of HTML.
//!
//! Tried where a telling word such as `password` stands in a line. The line is a header if one separator parts it into short
//! names only. Then the cells in the secret's column are judged, down to the first line that is no row of the table.

use crate::redact::layout::columns::{line, margin, next};
use crate::redact::section::Section;
use crate::redact::span::Span;
use crate::redact::words::names::{Kind, kind};
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{dated, mixed_case, placeholder, random, words_only};

/// A longer line is no row.
const LINE: usize = 4096;
/// A line with more columns is no header.
const COLUMNS: usize = 64;
/// A longer cell, in bytes, is no name of a column.
const HEADER: usize = 40;

/// The signs of code, as a table: it is read for each byte of a line.
const CODE: [bool; 256] = {
    let signs = *b"={}<>$!&";
    let mut table = [false; 256];
    let mut nth = 0;
    while nth < signs.len() {
        table[signs[nth] as usize] = true;
        nth += 1;
    }
    table
};

/// What separates the cells of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parted {
    /// `|`, and the upright strokes of drawn boxes.
    Bars,
    By(u8),
    /// Two blanks or more.
    Blanks,
}

/// The offset up to which lines have been tried as a header: each line is tried once.
#[derive(Default)]
pub(in crate::redact) struct Memory {
    settled: usize,
}

/// A column that holds secrets.
struct Column {
    nth: usize,
    /// Where its name begins in the line.
    offset: usize,
    kind: Kind,
    /// `true`: another column says whose secret it is, as `user` beside `password` does.
    owned: bool,
}

/// Reads the line of `hit` as a header, once, and masks the secrets in the rows below it.
pub(in crate::redact) fn find(
    text: &[u8],
    hit: usize,
    memory: &mut Memory,
    sections: &mut Vec<Section>,
    out: &mut Vec<Span>,
) {
    if hit < memory.settled {
        return;
    }
    let Some((start, end)) = line(text, hit, LINE) else {
        memory.settled = hit + 1;
        return;
    };
    memory.settled = end.max(hit + 1);
    // A line with one of these signs is code, as most lines with a telling word are.
    if text[start..end].iter().any(|byte| CODE[usize::from(*byte)]) {
        return;
    }
    let from = start + margin(&text[start..end]);
    if from > hit {
        return;
    }
    for parted in [
        Parted::Bars,
        Parted::By(b'\t'),
        Parted::By(b','),
        Parted::By(b';'),
        Parted::By(b':'),
        Parted::Blanks,
    ] {
        let line = &text[from..end];
        let possible = match parted {
            Parted::Bars => line.contains(&b'|') || line.contains(&0xe2),
            Parted::By(sign) => line.contains(&sign),
            Parted::Blanks => memchr::memmem::find(line, b"  ").is_some(),
        };
        if !possible {
            continue;
        }
        let Some((count, columns)) = header(text, from, end, parted) else {
            continue;
        };
        let rule = next(text, end + usize::from(text.get(end) == Some(&b'\r')), LINE)
            .is_some_and(|(start, stop)| ruled(&text[start + margin(&text[start..stop])..stop]))
            || parted == Parted::Bars && asciidoc(text, start);
        if !rule && !bare(text, from, end, parted) {
            continue;
        }
        let below = rows(text, end, parted, count, &columns, out);
        if below > end {
            memory.settled = below;
            sections.push(Section {
                // Where a rule below the header made it a header, the rule belongs to the head.
                head: [&text[start..end], if rule { b"\n---\n" } else { b"\n" }].concat(),
                from: end + 1,
                end: below,
            });
        }
        return;
    }
}

/// The number of cells and the columns that hold secrets, if the line is a header.
fn header(text: &[u8], from: usize, end: usize, parted: Parted) -> Option<(usize, Vec<Column>)> {
    let cells = cells(text, from, end, parted);
    if cells.len() < 2 || cells.len() > COLUMNS {
        return None;
    }
    let strict = matches!(parted, Parted::By(b',' | b';' | b':'));
    for &(start, end) in &cells {
        let cell = &text[start..end];
        let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'');
        let named = cell.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || b" _-./()#*".contains(byte) || *byte >= 0x80
        });
        let spaced = strict && !quoted && text[..start].last() == Some(&b' ') && start > from;
        if !named || cell.len() > HEADER || cell.first() == Some(&b'-') || spaced {
            return None;
        }
        let single = cell
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
        let letter = cell
            .iter()
            .any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
        if !cell.is_empty() && (!letter || cell[0].is_ascii_digit()) {
            return None;
        }
        if cell.is_empty() && parted != Parted::Bars || parted == Parted::By(b':') && !single {
            return None;
        }
    }
    if cells.iter().all(|(start, end)| start == end) {
        return None;
    }
    let owner = cells.iter().any(|&(start, end)| owner(&text[start..end]));
    let columns: Vec<Column> = cells
        .iter()
        .enumerate()
        .filter_map(|(nth, &(start, end))| {
            let kind = kind(&text[start..end])?;
            let bare = text[start..end].eq_ignore_ascii_case(b"pass");
            (!bare || owner).then_some(Column {
                nth,
                offset: start - from,
                kind,
                owned: owner && !words_of_fields(text, &cells),
            })
        })
        .collect();
    (!columns.is_empty()).then_some((cells.len(), columns))
}

/// True where the line above opens a table of `AsciiDoc`.
fn asciidoc(text: &[u8], start: usize) -> bool {
    let above = &text[start.saturating_sub(96)..start];
    let above = above.trim_ascii_end();
    let line = memchr::memrchr(b'\n', above).map_or(above, |at| &above[at + 1..]);
    line.trim_ascii() == b"|==="
}

/// True for a header that needs no rule such as `|---|` below it.
fn bare(text: &[u8], from: usize, end: usize, parted: Parted) -> bool {
    match parted {
        Parted::Bars => {
            // `user|password`
            let line = &text[from..end];
            line.iter()
                .all(|byte| byte.is_ascii_lowercase() || b"|_".contains(byte))
                && !line.starts_with(b"|")
        }
        Parted::Blanks => !text[from..end].iter().any(u8::is_ascii_lowercase),
        Parted::By(_) => true,
    }
}

/// True for a header that describes fields, as `Name | Type | Required` does.
fn words_of_fields(text: &[u8], cells: &[(usize, usize)]) -> bool {
    cells.iter().any(|&(start, end)| {
        [
            "type",
            "required",
            "default",
            "description",
            "null",
            "meaning",
        ]
        .iter()
        .any(|word| text[start..end].eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// True for the name of a column that says whose secret it is.
fn owner(cell: &[u8]) -> bool {
    let word = cell
        .rsplit(|byte| !byte.is_ascii_alphanumeric())
        .next()
        .unwrap_or(cell);
    [
        "user",
        "username",
        "login",
        "account",
        "email",
        "mail",
        "name",
        "host",
        "hostname",
        "service",
        "system",
        "server",
        "benutzer",
        "benutzername",
        "konto",
        "usuario",
        "client",
        "url",
        "site",
        "env",
        "environment",
        "device",
        "domain",
    ]
    .iter()
    .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Masks the secrets in the rows below a header that ends at `end`; returns where the table ends.
fn rows(
    text: &[u8],
    end: usize,
    parted: Parted,
    count: usize,
    columns: &[Column],
    out: &mut Vec<Span>,
) -> usize {
    let mut at = end;
    let mut past = end;
    // The header's own line end may be two bytes.
    if text.get(at) == Some(&b'\r') {
        at += 1;
    }
    while let Some((start, stop)) = next(text, at, LINE) {
        at = stop + usize::from(text.get(stop) == Some(&b'\r'));
        let from = (start + margin(&text[start..stop])).min(stop);
        let row = &text[from..stop];
        if row.trim_ascii().is_empty() {
            if parted == Parted::Bars
                && past == end
                && text[from.min(stop)..].trim_ascii_start().starts_with(b"|")
            {
                continue; // AsciiDoc parts the header from the rows by an empty line
            }
            break;
        }
        past = at;
        if ruled(row) {
            continue;
        }
        let cells = cells(text, from, stop, parted);
        let same = cells.len() == count
            || parted == Parted::By(b'\t') && cells.len() > 1
            || parted == Parted::Blanks && cells.len() > 1;
        if !same {
            break;
        }
        for column in columns {
            let cell = match parted {
                Parted::Blanks if cells.len() != count => cells
                    .iter()
                    .find(|(start, _)| (start - from).abs_diff(column.offset) < 2),
                _ => cells.get(column.nth),
            };
            if let Some(&(start, end)) = cell
                && secret(&text[start..end], column, parted)
            {
                out.push(Span {
                    start,
                    end,
                    name: match column.kind {
                        Kind::Password => "password",
                        Kind::Token => "secret",
                    },
                });
            }
        }
    }
    past
}

/// True for a line of a table that holds nothing but lines: `|---|:-:|`, `├───┼───┤`, `===  ===`.
fn ruled(row: &[u8]) -> bool {
    let mut rest = row;
    while let Some((first, tail)) = rest.split_first() {
        let box_drawing = *first == 0xe2 && matches!(tail.first(), Some(0x94..=0x96));
        if box_drawing && tail.len() >= 2 {
            rest = &tail[2..];
        } else if b"-=+|: \t~".contains(first) {
            rest = tail;
        } else {
            return false;
        }
    }
    true
}

/// The cells of the line `from..end`, trimmed.
fn cells(text: &[u8], from: usize, end: usize, parted: Parted) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    match parted {
        Parted::Bars => {
            let mut at = from;
            let mut cell = from;
            while at < end {
                let len = bar(&text[at..end]);
                if len > 0 {
                    out.push(trimmed(text, cell, at));
                    cell = at + len;
                }
                at += len.max(1);
                if out.len() > COLUMNS + 2 {
                    return Vec::new();
                }
            }
            out.push(trimmed(text, cell, end));
            // An empty first or last cell is the outer border; psql draws tables without one.
            if out.len() > 2 {
                let edge = |cell: &(usize, usize)| cell.0 == cell.1;
                if out.first().is_some_and(edge) {
                    out.remove(0);
                }
                if out.last().is_some_and(edge) && bar_at_end(&text[from..end]) {
                    out.pop();
                }
            }
        }
        Parted::By(sign) => {
            let mut at = from;
            while at <= end {
                let (cell, after) = quoted(text, at, end, sign).unwrap_or_else(|| {
                    let stop = memchr::memchr(sign, &text[at..end]).map_or(end, |found| at + found);
                    (trimmed(text, at, stop), stop)
                });
                out.push(cell);
                at = after + 1;
                if out.len() > COLUMNS + 2 {
                    return Vec::new();
                }
            }
        }
        Parted::Blanks => {
            let mut at = from;
            while at < end {
                while at < end && text[at] == b' ' {
                    at += 1;
                }
                let start = at;
                while at < end && !text[at..end].starts_with(b"  ") {
                    at += 1;
                }
                if at > start {
                    out.push(trimmed(text, start, at));
                }
                if out.len() > COLUMNS + 2 {
                    return Vec::new();
                }
            }
        }
    }
    out
}

/// The length of the upright stroke at the start of `rest`, 0 for none.
fn bar(rest: &[u8]) -> usize {
    match rest {
        [b'|', ..] => 1,
        [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => 3,
        _ => 0,
    }
}

fn bar_at_end(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b"|") || (line.len() >= 3 && bar(&line[line.len() - 3..]) == 3)
}

/// The cell in quotes that begins at `at`, in which `""` stands for a quote; and the place of the next separator.
fn quoted(text: &[u8], at: usize, end: usize, sign: u8) -> Option<((usize, usize), usize)> {
    let open = text.get(at).copied().filter(|byte| b"\"'".contains(byte))?;
    let mut from = at + 1;
    loop {
        let close = from + memchr::memchr(open, &text[from.min(end)..end])?;
        if text.get(close + 1) == Some(&open) && close + 1 < end {
            from = close + 2;
            continue;
        }
        let after = close + 1;
        return (after >= end || text[after] == sign).then_some(((at + 1, close), after));
    }
}

/// `from..to` without blanks, quotes, backticks and `**` at both ends.
fn trimmed(text: &[u8], mut from: usize, mut to: usize) -> (usize, usize) {
    let loose = |byte: u8| byte.is_ascii_whitespace() || b"\"'`".contains(&byte);
    while from < to && (loose(text[from]) || text[from..to].starts_with(b"**")) {
        from += if text[from] == b'*' { 2 } else { 1 };
    }
    while to > from && (loose(text[to - 1]) || (to > from + 2 && text[from..to].ends_with(b"**"))) {
        to -= if text[to - 1] == b'*' { 2 } else { 1 };
    }
    (from, to)
}

/// Whether the cell `found` in `column` holds a secret.
fn secret(found: &[u8], column: &Column, parted: Parted) -> bool {
    if found.len() < 4
        || placeholder(found)
        || found.iter().any(u8::is_ascii_whitespace)
        || found.iter().any(|byte| *byte >= 0x80)
        || found.windows(3).any(|three| three == b"://")
        || (found.ends_with(b")") && found.contains(&b'('))
    {
        return false;
    }
    let letter = found.iter().any(u8::is_ascii_alphabetic);
    let digit = found.iter().any(u8::is_ascii_digit);
    let words = words_only(found);
    match column.kind {
        _ if dated(found) => false,
        Kind::Token => (random(found, 8) && (digit || found.len() >= 14)) || strong_password(found),
        Kind::Password if !words => found.len() >= 6 || column.owned,
        Kind::Password if parted == Parted::Blanks => digit && letter && mixed_case(found),
        Kind::Password => {
            (letter && digit && found.len() >= 6) || (column.owned && found.len() >= 6 && letter)
        }
    }
}
