//! Patterns of file names, as a shell has them: `*.tar.gz`, `app-?.[ch]`.

/// Whether the whole of `name` fits `pattern`: `*` stands for any characters, `?` for one, `[a-z]` for one of those and `[!a-z]` for one
/// of the others; `\` takes the next character as it is.  A `[` without its `]` stands for itself.
///
/// The time is at most the product of both lengths: only the last `*` is tried anew.
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut here) = (0, 0);
    // Where the last `*` stands, and the first character of `name` that it does not cover yet.
    let mut star = None;
    while here < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, here));
            at += 1;
        } else if let Some(next) = one(&pattern, at, name[here]) {
            at = next;
            here += 1;
        } else if let Some((stood, covers)) = star {
            star = Some((stood, covers + 1));
            at = stood + 1;
            here = covers + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// The index behind the piece of `pattern` at `at`, where that piece stands for the character `c`.
fn one(pattern: &[char], at: usize, c: char) -> Option<usize> {
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' if at + 1 < pattern.len() => (pattern[at + 1] == c).then_some(at + 2),
        '[' => match set(pattern, at, c) {
            Some((holds, next)) => holds.then_some(next),
            None => (c == '[').then_some(at + 1),
        },
        plain => (*plain == c).then_some(at + 1),
    }
}

/// Whether the set that begins at `at` holds `c`, and the index behind the set; `None` where no `]` ends it.
fn set(pattern: &[char], at: usize, c: char) -> Option<(bool, usize)> {
    let mut next = at + 1;
    let others = matches!(pattern.get(next), Some('!' | '^'));
    next += usize::from(others);
    let first = next;
    let mut holds = false;
    loop {
        match *pattern.get(next)? {
            ']' if next > first => return Some((holds != others, next + 1)),
            low if pattern.get(next + 1) == Some(&'-')
                && pattern.get(next + 2).is_some_and(|high| *high != ']') =>
            {
                holds |= (low..=pattern[next + 2]).contains(&c);
                next += 3;
            }
            plain => {
                holds |= plain == c;
                next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_as_in_a_shell() {
        for (pattern, name, expect) in [
            ("*.tar.gz", "app-1.0.tar.gz", true),
            ("*.tar.gz", "app-1.0.tar.gz.sig", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("?.txt", "é.txt", true),
            ("?.txt", ".txt", false),
            ("app.[ch]", "app.h", true),
            ("app.[!ch]", "app.h", false),
            ("app.[^ch]", "app.o", true),
            ("v[0-9].*", "v7.zip", true),
            ("v[0-9-]", "v-", true),
            ("[]x]", "]", true),
            ("a[b", "a[b", true),
            ("a\\*b", "a*b", true),
            ("a\\*b", "axb", false),
            ("App", "app", false),
        ] {
            assert_eq!(fits(pattern, name), expect, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_long_time() {
        let begun = std::time::Instant::now();
        assert!(!fits(&"*a".repeat(500), &"a".repeat(499)));
        assert!(!fits(&("*a".repeat(200) + "b"), &"a".repeat(5_000)));
        assert!(begun.elapsed() < std::time::Duration::from_secs(10));
    }
}
