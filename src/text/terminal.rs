//! Text without the sequences by which programs colour and move what a terminal shows.

use std::borrow::Cow;

/// `text` without terminal sequences, as ESC bytes or in the caret form in which gh prints them (`^[[31m`). Any other `^` is kept.
/// Sources: ECMA-48, section 5.4 (CSI), 8.3.89 (OSC); ECMA-35, section 13.2 (short escapes).
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') && !text.contains("^[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '^']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let length = sequence(here);
        if length.is_none() && here.starts_with('^') {
            out.push('^');
        }
        rest = &here[length.unwrap_or(1)..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length in bytes of the terminal sequence at the start of `text`, which begins with ESC or `^`.
fn sequence(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.starts_with(b"^[") {
        return caret_sequence(&bytes[2..]).map(|length| length + 2);
    }
    if bytes[0] != 0x1b {
        return None;
    }
    let parameters = |from: usize, range: std::ops::RangeInclusive<u8>| {
        let fits = bytes[from..].iter().take_while(|byte| range.contains(byte));
        from + fits.count()
    };
    match bytes.get(1)? {
        b'[' => {
            let last = parameters(2, 0x20..=0x3f);
            (0x40..=0x7e).contains(bytes.get(last)?).then_some(last + 1)
        }
        b']' => {
            let end = memchr::memchr2(0x07, 0x1b, bytes.get(2..)?)? + 2;
            let length = match bytes[end] {
                0x07 => 1,
                _ => 2.min(bytes.len() - end),
            };
            Some(end + length).filter(|end| text.is_char_boundary(*end))
        }
        // A short escape: `ESC =`, `ESC >`, `ESC 7`, `ESC ( B`.
        _ => {
            let last = parameters(1, 0x20..=0x2f);
            (0x30..=0x7e).contains(bytes.get(last)?).then_some(last + 1)
        }
    }
}

/// The length of the sequence whose `^[` stands before `bytes`. `^[[a-z]` may be a pattern of grep, so only these count: what
/// sets colours, what clears a line, `^[(B`, and a keypad's `^[=` or `^[>` with no `]` behind it.
fn caret_sequence(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'[' => {
            let digits = bytes[1..]
                .iter()
                .take_while(|byte| (0x20..=0x3f).contains(*byte))
                .count();
            let ends = digits <= 20 && matches!(bytes.get(digits + 1), Some(b'm' | b'K'));
            ends.then_some(digits + 2)
        }
        b'(' => (bytes.get(1) == Some(&b'B')).then_some(2),
        b'=' | b'>' => (!bytes.contains(&b']')).then_some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn terminal_sequences_are_dropped_and_all_other_text_is_kept() {
        for (text, left) in [
            ("grep '^[[a-z]' x^y", "grep '^[[a-z]' x^y"),
            ("sed 's/^[=-]//' ^[(a|b)]", "sed 's/^[=-]//' ^[(a|b)]"),
            (
                "\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{7} \u{1b}[1mb\u{1b}(B",
                "link b",
            ),
            ("\u{1b}=\u{1b}[?1h ok\u{1b}>\u{1b}7\u{1b}M.", " ok."),
            ("^[[31mred^[(B^[[m ^[=^[>", "red "),
            ("\u{1b}[", "["),
            ("a\u{1b}", "a"),
            ("\u{1b}é", "é"),
        ] {
            assert_eq!(plain(text), left, "{text:?}");
        }
    }
}
