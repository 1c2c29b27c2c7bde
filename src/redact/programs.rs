//! Passwords on the command lines of well-known programs: `mysql -pSECRET`, `curl -u user:SECRET`.

use super::places::{line_end, skip_blanks};
use super::span::Span;
use super::value::{placeholder, random};

/// How a program takes its password, by flag: `value` behind it, `attached` to it, or as the part
/// behind the colon or percent sign of `user:password`.
enum Takes {
    Next,
    Attached,
    Pair(u8),
    Starts(&'static str),
    /// The last word of the line.
    Last,
    /// The word behind the program, if it is none of its switches and is no plain word.
    Only,
    /// `user/password@place`, the word behind the program.
    Logon,
}

const PROGRAMS: &[(&str, &[(&str, Takes)])] = &[
    (
        "curl",
        &[
            ("-u", Takes::Pair(b':')),
            ("--user", Takes::Pair(b':')),
            ("-U", Takes::Pair(b':')),
            ("--proxy-user", Takes::Pair(b':')),
            ("--pass", Takes::Next),
            ("-b", Takes::Next),
            ("--cookie", Takes::Next),
        ],
    ),
    (
        "wget",
        &[
            ("--http-password", Takes::Next),
            ("--ftp-password", Takes::Next),
        ],
    ),
    ("sshpass", &[("-p", Takes::Next), ("-p", Takes::Attached)]),
    ("mysql", &[("-p", Takes::Attached)]),
    ("mysqldump", &[("-p", Takes::Attached)]),
    ("mariadb", &[("-p", Takes::Attached)]),
    ("docker login", &[("-p", Takes::Next)]),
    ("podman login", &[("-p", Takes::Next)]),
    ("helm registry login", &[("-p", Takes::Next)]),
    ("redis-cli", &[("-a", Takes::Next), ("--pass", Takes::Next)]),
    ("ldapsearch", &[("-w", Takes::Next)]),
    ("ldapmodify", &[("-w", Takes::Next)]),
    ("mongosh", &[("-p", Takes::Next)]),
    ("mongodump", &[("-p", Takes::Next)]),
    ("az login", &[("-p", Takes::Next)]),
    (
        "openssl",
        &[
            ("-passin", Takes::Starts("pass:")),
            ("-passout", Takes::Starts("pass:")),
            ("-pass", Takes::Starts("pass:")),
            ("-k", Takes::Next),
        ],
    ),
    ("smbclient", &[("-U", Takes::Pair(b'%'))]),
    (
        "htpasswd",
        &[
            ("-b", Takes::Last),
            ("-bc", Takes::Last),
            ("-cb", Takes::Last),
            ("-nb", Takes::Last),
            ("-bB", Takes::Last),
            ("-Bb", Takes::Last),
            ("-nbB", Takes::Last),
            ("-Bbn", Takes::Last),
            ("-bn", Takes::Last),
        ],
    ),
    ("http -a", &[("-a", Takes::Pair(b':'))]),
    ("https -a", &[("-a", Takes::Pair(b':'))]),
    ("7z ", &[("-p", Takes::Attached)]),
    ("zip ", &[("-P", Takes::Next)]),
    (
        "gh secret set",
        &[("-b", Takes::Next), ("--body", Takes::Next)],
    ),
    ("sqlcmd", &[("-P", Takes::Next)]),
    ("mongo ", &[("-p", Takes::Next)]),
    ("mongorestore", &[("-p", Takes::Next)]),
    ("mongoexport", &[("-p", Takes::Next)]),
    ("mongoimport", &[("-p", Takes::Next)]),
    ("twine upload", &[("-p", Takes::Next)]),
    ("vault login", &[("", Takes::Only)]),
    ("cargo login", &[("", Takes::Only)]),
    ("mosquitto_pub", &[("-P", Takes::Next)]),
    ("mosquitto_sub", &[("-P", Takes::Next)]),
    ("gem push", &[("--key", Takes::Next)]),
    (
        "nuget push",
        &[("-k", Takes::Next), ("-ApiKey", Takes::Next)],
    ),
    ("sqlplus", &[("", Takes::Logon)]),
    ("ssh-keygen", &[("-N", Takes::Next), ("-P", Takes::Next)]),
];

/// Switches of curl that may stand before `-u` in one word (curl 8, man page).
const CURL_SWITCHES: &[u8] = b"sSfLkvigGNIOJjlqR#46Z0";

/// A program's command line, up to the end of its line; `read` is set to where its words end.
pub(super) fn program(text: &[u8], hit: usize, hit_end: usize, read: &mut usize) -> Vec<Span> {
    // Case as written: SSHPASS is a variable, not the program.
    let key = &text[hit..hit_end];
    let Some((_, flags)) = PROGRAMS.iter().find(|(name, _)| name.as_bytes() == key) else {
        return Vec::new();
    };
    let before = text[..hit].last().copied();
    let after = text.get(hit_end).copied();
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        || (!key.ends_with(b" ")
            && after.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    {
        return Vec::new();
    }
    let from = if key.contains(&b' ') && key.contains(&b'-') {
        hit
    } else {
        hit_end
    };
    let words = words(text, from, line_end(text, hit).min(hit_end + 1024));
    *read = words.last().map_or(*read, |(_, to)| *to);
    let mut out = Vec::new();
    let mut take = |from: usize, to: usize, strict: bool| {
        let found = &text[from..to];
        let plain = strict
            && found
                .iter()
                .all(|b| b.is_ascii_lowercase() || b"-=".contains(b));
        if found.len() >= 4 && !placeholder(found) && !plain {
            out.push(Span {
                start: from,
                end: to,
                name: "password",
            });
        }
    };
    if let Some((from, to)) = behind(text, &words, flags) {
        take(from, to, true);
    }
    for (nth, &(start, end)) in words.iter().enumerate() {
        let word = &text[start..end];
        for (flag, takes) in *flags {
            let flag = flag.as_bytes();
            if flag.is_empty() {
                continue;
            }
            let Some(rest) = given(word, flag, key == b"curl") else {
                continue;
            };
            let next = words.get(nth + 1).copied();
            let value = if rest.is_empty() {
                next
            } else if let Some(rest) = rest.strip_prefix(b"=") {
                Some((end - rest.len(), end))
            } else if flag.len() == 2 {
                Some((end - rest.len(), end))
            } else {
                None
            };
            match takes {
                Takes::Next if rest.is_empty() || rest[0] == b'=' => {
                    if let Some((from, to)) = value.filter(|(from, _)| text[*from] != b'-') {
                        take(from, to, false);
                    }
                }
                Takes::Attached if rest.len() >= 4 => take(start + flag.len(), end, true),
                Takes::Attached if rest.is_empty() => {
                    // -p'x': the quote belongs to the shell.
                    if let Some((from, to)) =
                        next.filter(|(from, _)| *from == end + 1 && text[end] != b' ')
                    {
                        take(from, to, false);
                    }
                }
                Takes::Pair(separator) => {
                    if let Some((from, to)) = value
                        && let Some(colon) = memchr::memchr(*separator, &text[from..to])
                    {
                        take(from + colon + 1, to, false);
                    }
                }
                Takes::Starts(prefix) => {
                    if let Some((from, to)) =
                        value.filter(|(from, to)| text[*from..*to].starts_with(prefix.as_bytes()))
                    {
                        take(from + prefix.len(), to, false);
                    }
                }
                Takes::Last if rest.is_empty() && nth + 2 < words.len() => {
                    if let Some(&(from, to)) = words.last() {
                        take(from, to, false);
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// The secret in the word behind the program, for those that take one there.
fn behind(
    text: &[u8],
    words: &[(usize, usize)],
    flags: &[(&str, Takes)],
) -> Option<(usize, usize)> {
    let &(from, to) = words.iter().find(|(from, _)| text[*from] != b'-')?;
    let word = &text[from..to];
    flags.iter().find_map(|(_, takes)| match takes {
        Takes::Only => random(word, 12).then_some((from, to)),
        Takes::Logon => {
            let slash = memchr::memchr(b'/', word)?;
            let at = memchr::memrchr(b'@', word)?;
            (slash < at).then_some((from + slash + 1, from + at))
        }
        _ => None,
    })
}

/// What follows `flag` in `word`; of curl also behind switches, as in `-su user:x`.
fn given<'a>(word: &'a [u8], flag: &[u8], curl: bool) -> Option<&'a [u8]> {
    if let Some(rest) = word.strip_prefix(flag) {
        return Some(rest);
    }
    if !curl || flag.len() != 2 || word.len() < 3 || word[0] != b'-' {
        return None;
    }
    let at = 1 + word[1..].iter().position(|byte| *byte == flag[1])?;
    word[1..at]
        .iter()
        .all(|byte| CURL_SWITCHES.contains(byte))
        .then_some(&word[at + 1..])
}

/// A line break as JSON writes it.
fn written_break(rest: &[u8]) -> bool {
    rest.starts_with(b"\\n") || rest.starts_with(b"\\r")
}

/// The words of a shell line, without their quotes; stops at a pipe or a semicolon.
fn words(text: &[u8], mut at: usize, end: usize) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    loop {
        at = skip_blanks(text, at);
        if at >= end
            || b"|;&\n".contains(&text[at])
            || written_break(&text[at..end])
            || out.len() > 64
        {
            return out;
        }
        let quote = text[at];
        if quote == b'"' || quote == b'\'' {
            let close =
                memchr::memchr(quote, &text[at + 1..end]).map_or(end, |found| at + 1 + found);
            out.push((at + 1, close));
            at = close + 1;
        } else {
            let stop = text[at..end].iter().enumerate().position(|(nth, byte)| {
                byte.is_ascii_whitespace()
                    || b";|`".contains(byte)
                    || written_break(&text[at + nth..end])
            });
            let mut to = at + stop.unwrap_or(end - at);
            if to == at {
                return out;
            }
            let after = to;
            // --password='x y' and -p"x": the quotes belong to the shell.
            if let Some(open) = text[at..to]
                .iter()
                .position(|byte| *byte == b'"' || *byte == b'\'')
            {
                let quote = text[at + open];
                let close = memchr::memchr(quote, &text[at + open + 1..end])
                    .map(|found| at + open + 1 + found);
                if let Some(close) = close
                    && (open == 2 || text[at + open - 1] == b'=')
                {
                    out.push((at, at + open));
                    out.push((at + open + 1, close));
                    at = close + 1;
                    continue;
                }
                to = at + open;
            }
            out.push((at, to));
            at = after;
        }
    }
}
