//! Makes visible every character of a text on which a terminal, a reader or a client would act.

use std::fmt::Write;

use super::acts::acts;
use super::forged::forged;

/// Put before a forged line.
const PLAIN: &str = "| ";

/// The words that Emacs looks for near the end of a file, in lower case, with the colon on which it acts.
const VARIABLES: &[u8] = b"local variables:";
const COLON: &str = "<U+003A>";

/// The flags of England, Scotland and Wales: the tags after U+1F3F4, with their end.
const FLAGS: &[&str] = &[
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// `text` with acting characters made visible and forged lines set off by `| `. Doing this twice equals doing it once.
pub fn neutral(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let start = out.len();
        visible(line, &mut out);
        // An escape sequence may end with the sign that opens a header: the sign is seen where the sequence is made visible.
        let shown = &out[start..];
        if forged(line) || shown != line && forged(shown) {
            out.insert_str(start, PLAIN);
        }
    }
    out
}

/// [`neutral`] for bytes of any kind: a byte that is not UTF-8 becomes `<0x9B>`.
pub fn of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, "<0x{byte:02X}>").expect("a string takes all that is written");
        }
    }
    neutral(&text)
}

/// Whether `text` ends in `Local Variables:`, in any case.
pub fn ends_in_variables(text: &str) -> bool {
    let start = text.len().checked_sub(VARIABLES.len());
    start.is_some_and(|start| text.as_bytes()[start..].eq_ignore_ascii_case(VARIABLES))
}

/// Writes `line` with acting characters made visible.
fn visible(line: &str, out: &mut String) {
    let mut colon = variables(line, 0);
    let mut before = ' ';
    let mut at = 0;
    while at < line.len() {
        // Plain characters, most of a text, are copied in runs.
        let end = colon.unwrap_or(line.len());
        let run = line.as_bytes()[at..end]
            .iter()
            .take_while(|b| matches!(b, b' '..=b'~'))
            .count();
        if run > 0 {
            out.push_str(&line[at..at + run]);
            at += run;
            before = char::from(line.as_bytes()[at - 1]);
            continue;
        }
        let Some(c) = line[at..].chars().next() else {
            break;
        };
        let rest = &line[at + c.len_utf8()..];
        let next = rest.chars().next();
        at += c.len_utf8();
        if colon == Some(at - 1) {
            out.push_str(COLON);
            colon = variables(line, at);
            before = ' ';
            continue;
        }
        let kept = match c {
            '\n' | '\t' => true,
            '\r' => next == Some('\n'),
            c if acts(c) => shapes(before, c, next),
            _ => true,
        };
        if kept {
            out.push(c);
            before = c;
            if c == '\u{1f3f4}'
                && let Some(flag) = FLAGS.iter().find(|flag| rest.starts_with(**flag))
            {
                out.push_str(flag);
                at += flag.len();
                before = ' ';
            }
        } else {
            show(c, out);
            before = ' ';
        }
    }
}

/// Where the colon of the next `Local Variables:` stands in `line` from `from` on.
fn variables(line: &str, from: usize) -> Option<usize> {
    memchr::memchr_iter(b':', &line.as_bytes()[from..])
        .map(|found| from + found)
        .find(|&at| ends_in_variables(&line[..=at]))
}

fn show(c: char, out: &mut String) {
    if let '\0'..='\u{1f}' | '\u{7f}' = c {
        out.push('^');
        out.push(char::from(c as u8 ^ 0x40));
    } else {
        write!(out, "<U+{:04X}>", u32::from(c)).expect("a string takes all that is written");
    }
}

/// Whether the invisible character `c` shapes its visible neighbours. `before` is the last character that was kept.
fn shapes(before: char, c: char, next: Option<char>) -> bool {
    match c {
        '\u{fe0e}' | '\u{fe0f}' => {
            symbol(before) || (matches!(before, '0'..='9' | '#' | '*') && next == Some('\u{20e3}'))
        }
        '\u{200c}' | '\u{200d}' => {
            let emoji = c == '\u{200d}'
                && (symbol(before) || before == '\u{fe0f}')
                && next.is_some_and(symbol);
            emoji || (joining(before) && next.is_some_and(|n| joining(n) && !acts(n)))
        }
        _ => false,
    }
}

/// True for symbols that a presentation selector may follow: the blocks with Unicode's emoji.
fn symbol(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// True for letters of scripts in which a joiner between two letters changes their form: Arabic and its neighbours, the Indic
/// scripts, Mongolian.
fn joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}')
}

#[cfg(test)]
#[path = "../../../test/rust/redact/neutral.rs"]
mod tests;
