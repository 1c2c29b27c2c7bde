//! Masks an argument list: a flag's value by the flag, and every word by its form.
//!
//! One letter means different things in different commands (gh: `-t` title, template, token; `-f` raw field, fill, file), and shorts
//! stack and take their value attached (`-dbTEXT`).  So the code for the program says where the values are ([`ArgvRoles`]).  Only a
//! long flag that this reading does not know is judged by its name.

use super::document;
use super::roles::{ArgvReading, ArgvRoles, FlagValue, Role};
use crate::redact::redactor::Redactor;
use crate::redact::words::names::{self, kind};
use crate::redact::words::value::{placeholder, words_only};

/// Last parts of a field's key whose value is text written for people: `input[body]=TEXT`.
const PRIVATE_KEYS: &[&str] = &[
    "body",
    "text",
    "description",
    "title",
    "message",
    "content",
    "comment",
    "note",
    "notes",
    "summary",
    "subject",
    "bodytext",
    "bodyhtml",
    "commit_message",
    "commit_title",
    "headline",
];

/// Long flags that take such text although the command is not known to have them: the flag is misspelt, or newer than the
/// catalog.
const PRIVATE_FLAGS: &[&str] = &[
    "body",
    "title",
    "notes",
    "description",
    "desc",
    "subject",
    "message",
    "readme",
];

/// Long flags that look like secrets and take no value.
const SWITCHES: &[&str] = &[
    "with-token",
    "show-token",
    "password-stdin",
    "no-token",
    "secret-scanning",
];

impl Redactor {
    /// An argument list, with or without the name of its program, with secret values, credentials in headers and private text
    /// (bodies, titles, descriptions, notes) masked; flags stay.
    ///
    /// `roles` says what the values are in the command lines of a program.  Of any other command line only long flags are read
    /// whose name says "secret", and each word by its form.
    pub fn argv(&self, argv: &[String], roles: Option<&dyn ArgvRoles>) -> Vec<String> {
        redact(self, argv, roles.and_then(|roles| roles.read(argv)))
    }
}

/// See [`Redactor::argv`].
fn redact(redactor: &Redactor, argv: &[String], reading: Option<ArgvReading>) -> Vec<String> {
    let read = reading.is_some();
    let reading = reading.unwrap_or_default();
    let mut out: Vec<String> = Vec::with_capacity(argv.len());
    let mut expected: Option<Role> = None;
    let mut over = false; // past "--"
    for (nth, word) in argv.iter().enumerate() {
        let own = reading.values.iter().find(|value| value.word == nth);
        if let Some(FlagValue { from, role, .. }) = own {
            let (flag, rest) = word.split_at(*from);
            out.push(format!("{flag}{}", value(redactor, rest, *role)));
            expected = None;
            continue;
        }
        if let Some(role) = expected.take() {
            out.push(value(redactor, word, role));
            continue;
        }
        if over || !word.starts_with('-') || word.len() < 2 {
            out.push(redactor.text(word));
            continue;
        }
        if word == "--" {
            over = true;
            out.push(word.clone());
            continue;
        }
        // A flag of the command that the reading knows has its role already; another may be misspelt or newer.
        let private = read && !reading.known.contains(&nth);
        match by_name(word, argv.get(nth + 1), private) {
            Some((role, Some(at))) => {
                let (flag, rest) = word.split_at(at);
                out.push(format!("{flag}{}", value(redactor, rest, role)));
            }
            Some((role, None)) => {
                expected = Some(role);
                out.push(word.clone());
            }
            None => out.push(redactor.text(word)),
        }
    }
    if reading.named {
        return out;
    }
    command_line(redactor, argv, out)
}

/// What the value of the long flag in `word` is by the flag's name alone, and the byte at which the value begins; no byte where the
/// next word is the value.  With `private`, names such as `--body` count too.
fn by_name(word: &str, next: Option<&String>, private: bool) -> Option<(Role, Option<usize>)> {
    let long = word.strip_prefix("--")?;
    let (name, attached) = long
        .split_once('=')
        .map_or((long, false), |(name, _)| (name, true));
    let at = attached.then_some(word.len() - long.len() + name.len() + 1);
    if matches!(name, "header" | "proxy-header") {
        return Some((Role::Header, at));
    }
    if private && PRIVATE_FLAGS.contains(&name) {
        return Some((Role::Private, at));
    }
    // `--secret-id prod/db/password` of AWS names a secret and holds none.
    let path = |word: &str| word.contains('/') && words_only(word.as_bytes());
    let which = name == "secret-id"
        && (long.split_once('=').is_some_and(|(_, word)| path(word))
            || (!attached && next.is_some_and(|next| path(next))));
    let secret = kind(name.as_bytes()).is_some() && !SWITCHES.contains(&name) && !which;
    let taken = attached || next.is_some_and(|next| !next.starts_with('-'));
    (secret && taken).then_some((Role::Secret, at))
}

fn mark(name: &str) -> String {
    format!("[REDACTED:{name}]")
}

fn value(redactor: &Redactor, word: &str, role: Role) -> String {
    if word.is_empty() || crate::redact::mark::mark_len(word.as_bytes()) == Some(word.len()) {
        return word.to_owned();
    }
    match role {
        Role::Secret => mark("secret"),
        Role::Private => mark("private-text"),
        Role::Header => header(redactor, word),
        Role::Field => field(redactor, word),
    }
}

/// `Name: value`: the value of a header that carries credentials is masked whole.
fn header(redactor: &Redactor, word: &str) -> String {
    let Some((name, rest)) = word.split_once(':') else {
        return redactor.text(word);
    };
    let lower = name.trim().to_ascii_lowercase();
    let secret = names::kind(lower.as_bytes()).is_some()
        || lower.ends_with("authorization")
        || lower.ends_with("cookie")
        || lower.ends_with("-auth");
    let bare = rest.trim_start();
    if !secret || bare.is_empty() {
        return redactor.text(word);
    }
    let blanks = &rest[..rest.len() - bare.len()];
    let name_of = if lower.ends_with("cookie") {
        "cookie"
    } else {
        "authorization-header"
    };
    if crate::redact::mark::mark_len(bare.as_bytes()) == Some(bare.len()) {
        return word.to_owned();
    }
    format!("{name}:{blanks}{}", mark(name_of))
}

/// `key=value`: judged by the last part of the key.
fn field(redactor: &Redactor, word: &str) -> String {
    let Some((key, rest)) = word.split_once('=') else {
        return redactor.text(word);
    };
    if rest.is_empty() || crate::redact::mark::mark_len(rest.as_bytes()) == Some(rest.len()) {
        return word.to_owned();
    }
    let last = key
        .split(['[', ']', '.'])
        .rfind(|part| !part.is_empty())
        .unwrap_or(key);
    let lower = last.to_ascii_lowercase();
    if PRIVATE_KEYS.contains(&lower.as_str()) {
        return format!("{key}={}", mark("private-text"));
    }
    if names::kind(last.as_bytes()).is_some() {
        return format!("{key}={}", mark("secret"));
    }
    if lower == "query" && rest.contains("mutation") {
        return redactor.text(&format!("{key}={}", document::without_sentences(rest)));
    }
    redactor.text(word)
}

/// `out` with the secrets masked that show only when `argv` is read as one line: `sshpass -p X`, `curl -u user:X`.
fn command_line(redactor: &Redactor, argv: &[String], out: Vec<String>) -> Vec<String> {
    let Some(program) = argv.first() else {
        return out;
    };
    if argv.iter().any(|word| word.contains(['\'', '\n'])) {
        return out;
    }
    let mut line = program.clone();
    let mut at: Vec<std::ops::Range<usize>> = Vec::with_capacity(argv.len());
    at.push(0..line.len());
    for word in &argv[1..] {
        line.push(' ');
        let quoted = word.contains([' ', '"']) || word.is_empty();
        line.push_str(if quoted { "'" } else { "" });
        at.push(line.len()..line.len() + word.len());
        line.push_str(word);
        line.push_str(if quoted { "'" } else { "" });
    }
    let found = crate::redact::scan::command(line.as_bytes());
    let mut out = out;
    // rclone config create box s3 secret_access_key X: an option's name is an argument, its value the next one.
    for (nth, pair) in argv.windows(2).enumerate() {
        let (name, found) = (pair[0].as_bytes(), pair[1].as_bytes());
        let option = name
            .iter()
            .any(|byte| b"_.:".contains(byte) || byte.is_ascii_uppercase())
            && !name.starts_with(b"-")
            && !name.contains(&b'=')
            && kind(name).is_some();
        let drawn = found.len() >= 16
            && found.iter().any(u8::is_ascii_uppercase)
            && found.iter().any(u8::is_ascii_lowercase)
            && found.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            && !found.iter().any(|byte| b":@$ ".contains(byte));
        if option && drawn && !placeholder(found) && !words_only(found) && out[nth + 1] == pair[1] {
            out[nth + 1] = mark("secret");
        }
    }
    for span in found {
        for (nth, word) in at.iter().enumerate() {
            if span.start >= word.start && span.end <= word.end && out[nth] == argv[nth] {
                let (from, to) = (span.start - word.start, span.end - word.start);
                let bytes = &argv[nth];
                if bytes.is_char_boundary(from) && bytes.is_char_boundary(to) {
                    let masked = format!("{}{}{}", &bytes[..from], mark(span.name), &bytes[to..]);
                    out[nth] = redactor.text(&masked);
                }
            }
        }
    }
    out
}
