//! Emacs's regular expressions for the log: a person types what they type everywhere in Emacs, and the core searches in linear time.

use regex::bytes::{Regex, RegexBuilder};

/// Bytes of a pattern; what a person types is far shorter.
const LONGEST: usize = 1_000;

/// The character classes that both know.
const CLASSES: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// Why a pattern cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Emacs knows it, the search in the log does not.
    #[error("`{0}' in the regular expression is not known here")]
    Unknown(String),
    /// Malformed.
    #[error("the regular expression is malformed: {0}")]
    Malformed(String),
}

/// Compiles PATTERN, in Emacs's syntax; FOLD: upper and lower case of ASCII letters are the same.
pub fn compile(pattern: &str, fold: bool) -> Result<Regex, PatternError> {
    if pattern.len() > LONGEST {
        return Err(PatternError::Malformed(format!(
            "longer than {LONGEST} bytes"
        )));
    }
    RegexBuilder::new(&translate(pattern)?)
        .unicode(false)
        .case_insensitive(fold)
        .build()
        .map_err(|error| {
            let text = error.to_string();
            PatternError::Malformed(text.lines().last().unwrap_or("?").trim().to_owned())
        })
}

/// PATTERN in the syntax of the regex crate (Emacs Lisp manual, "Syntax of Regular Expressions").
fn translate(pattern: &str) -> Result<String, PatternError> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut at = 0;
    // Whether what stands here begins an alternative: there `*` is a star and `^` an anchor.
    let mut begins = true;
    while at < chars.len() {
        let here = chars[at];
        at += 1;
        let began = std::mem::replace(&mut begins, false);
        match here {
            '\\' => {
                let Some(&next) = chars.get(at) else {
                    return Err(PatternError::Malformed("it ends in a backslash".into()));
                };
                at += 1;
                begins = escape(&chars, next, &mut at, &mut out)?;
            }
            '[' => at = bracket(&chars, at, &mut out)?,
            '*' | '+' | '?' if began => literal(here, &mut out),
            '^' if began => {
                out.push('^');
                begins = true;
            }
            '$' if chars[at..].is_empty() || matches!(chars[at..], ['\\', ')' | '|', ..]) => {
                out.push('$');
            }
            '*' | '+' | '?' | '.' => out.push(here),
            _ => literal(here, &mut out),
        }
    }
    Ok(out)
}

/// What stands behind a backslash; whether an alternative begins after it.
fn escape(
    chars: &[char],
    next: char,
    at: &mut usize,
    out: &mut String,
) -> Result<bool, PatternError> {
    let unknown = |text: String| Err(PatternError::Unknown(text));
    match next {
        '(' => {
            // A shy or a numbered group; nobody asks for its text.
            let mut end = *at;
            if chars.get(end) == Some(&'?') {
                end += 1;
                while chars.get(end).is_some_and(char::is_ascii_digit) {
                    end += 1;
                }
                if chars.get(end) != Some(&':') {
                    return Err(PatternError::Malformed("a group begins with `?'".into()));
                }
                *at = end + 1;
            }
            out.push_str("(?:");
            return Ok(true);
        }
        '|' => {
            out.push('|');
            return Ok(true);
        }
        ')' => out.push(')'),
        '{' => {
            out.push('{');
            if chars.get(*at) == Some(&',') {
                out.push('0');
            }
            while let Some(&c) = chars.get(*at).filter(|c| c.is_ascii_digit() || **c == ',') {
                out.push(c);
                *at += 1;
            }
        }
        '}' => out.push('}'),
        '`' => out.push_str(r"\A"),
        '\'' => out.push_str(r"\z"),
        'b' | 'B' | 'w' | 'W' => {
            out.push('\\');
            out.push(next);
        }
        '<' => out.push_str(r"\b{start}"),
        '>' => out.push_str(r"\b{end}"),
        '_' => {
            let kind = chars.get(*at).copied().unwrap_or(' ');
            *at += 1;
            match kind {
                '<' => out.push_str(r"\b{start}"),
                '>' => out.push_str(r"\b{end}"),
                _ => return unknown(format!("\\_{kind}")),
            }
        }
        's' | 'S' => {
            let kind = chars.get(*at).copied().unwrap_or('?');
            *at += 1;
            let not = if next == 'S' { "^" } else { "" };
            match kind {
                '-' | ' ' => out.extend(["[", not, r"\s]"]),
                'w' => out.extend(["[", not, r"\w]"]),
                '_' => out.extend(["[", not, r"\w\-]"]),
                _ => return unknown(format!("\\{next}{kind}")),
            }
        }
        '1'..='9' | '=' | 'c' | 'C' => return unknown(format!("\\{next}")),
        _ => literal(next, out),
    }
    Ok(false)
}

/// A bracket expression, from behind its `[`; where it ends.
fn bracket(chars: &[char], mut at: usize, out: &mut String) -> Result<usize, PatternError> {
    let open = || PatternError::Malformed("a bracket is not closed".into());
    out.push('[');
    if chars.get(at) == Some(&'^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    loop {
        let here = *chars.get(at).ok_or_else(open)?;
        at += 1;
        match here {
            ']' if at - 1 > first => {
                out.push(']');
                return Ok(at);
            }
            '[' if chars.get(at) == Some(&':') => {
                let end = (at..chars.len())
                    .find(|n| chars[*n] == ']')
                    .ok_or_else(open)?;
                let name: String = chars[at - 1..=end].iter().collect();
                // One that the regex crate lacks would be read as a bracket in the bracket.
                if !CLASSES.contains(&name.trim_matches(['[', ':', ']'])) {
                    return Err(PatternError::Unknown(name));
                }
                out.push_str(&name);
                at = end + 1;
            }
            '-' if at - 1 > first && chars.get(at).is_some_and(|c| *c != ']') => out.push('-'),
            _ => literal(here, out),
        }
    }
}

/// A character that stands for itself.
fn literal(c: char, out: &mut String) {
    if c.is_ascii()
        && !c.is_ascii_alphanumeric()
        && !matches!(
            c,
            ' ' | '_'
                | '/'
                | '='
                | ':'
                | ','
                | '<'
                | '>'
                | '"'
                | '\''
                | '%'
                | '@'
                | '!'
                | ';'
                | '`'
                | '\0'..='\x1f' | '\x7f'
        )
    {
        out.push('\\');
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pattern_means_something_else_than_in_emacs() {
        for (pattern, text, found) in [
            ("merge", "gh pr merge 1", true),
            ("a|b", "a", false),
            ("a|b", "a|b", true),
            (r"a\|b", "b", true),
            (r"\(?:pr\|issue\) close", "issue close", true),
            (r"\(pr\) \(?2:list\)", "pr list", true),
            ("(x)", "(x)", true),
            ("x{2}", "xx", false),
            (r"x\{2\}y", "xxy", true),
            (r"x\{,2\}y", "y", true),
            ("*x", "*x", true),
            (r"\(+\)", "+", true),
            ("^a", "ba", false),
            ("b^a", "b^a", true),
            ("a$b", "a$b", true),
            (r"\(a$\)", "ba", true),
            (r"\`2026.*ok\'", "2026 ok", true),
            (r"\bmerge\b", "pr merge 1", true),
            (r"\<mer", "pr merge", true),
            (r"\_<erg", "pr merge", false),
            ("[]a]", "]", true),
            ("[^]a]", "]a", false),
            (r"[\n]", "\\", true),
            ("[[:digit:]]+", "17", true),
            ("[a-c-]", "-", true),
            ("[a&&b]", "&", true),
            ("[[]", "[", true),
            (r"\s-x", " x", true),
            (r"o/r\.el", "o/rxel", false),
            ("a.c", "abc", true),
            ("ü", "für", true),
        ] {
            let regex = compile(pattern, false).expect(pattern);
            assert_eq!(
                regex.is_match(text.as_bytes()),
                found,
                "{pattern} in {text}"
            );
        }
        assert!(compile("MERGE", true).expect("plain").is_match(b"merge"));
    }

    #[test]
    fn what_is_not_known_is_searched_for_as_something_else() {
        for pattern in [
            r"\(a\)\1",
            r"\ca",
            r"\s(",
            r"\(",
            "[a",
            "\\",
            r"\(?a\)",
            "[[:nonascii:]]",
        ] {
            assert!(compile(pattern, false).is_err(), "{pattern}");
        }
        assert!(compile(&"x".repeat(2_000), false).is_err());
    }

    proptest! {
        #[test]
        fn any_pattern_panics(pattern in ".{0,40}") {
            let _ = compile(&pattern, true);
        }

        #[test]
        fn a_literal_is_not_found(text in "[ -~]{1,20}") {
            // As `regexp-quote' quotes.
            let quoted: String = text.chars().flat_map(|c| {
                let special = "[*.\\?+^$".contains(c);
                special.then_some('\\').into_iter().chain([c])
            }).collect();
            prop_assert!(compile(&quoted, false).expect("quoted").is_match(text.as_bytes()), "{quoted}");
        }
    }
}
