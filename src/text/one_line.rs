//! Text on one line, so that no part of a text from outside begins a line of its own.

/// The words of `text` with one space between them: `a\r\n  b\tc` becomes `a b c`.
///
/// White space and control characters end a word and are dropped.  A caller that must show them makes them visible first.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if !word.is_empty() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_white_space_and_control_character_ends_a_word() {
        for (text, line) in [
            ("", ""),
            (" \n ", ""),
            ("a\r\n\u{2028}b\tc", "a b c"),
            ("\u{1b}[31mred", "[31mred"),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
    }
}
