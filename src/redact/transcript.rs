//! A shell's transcript: the command asks for a secret by its name, and the next line is the answer.
//!
//! `$ terraform output -raw db_password`, `$ cat config/master.key`, `$ gh variable get API_TOKEN`.

use super::columns::{line, margin, next};
use super::names::{Kind, kind};
use super::prose::phrase;
use super::span::Span;
use super::value::{placeholder, random, words_only};

/// Words of commands that print what they are asked for.
const ASKS: &[&[u8]] = &[
    b"output",
    b"get",
    b"show",
    b"read",
    b"echo",
    b"printenv",
    b"cat",
    b"access",
    b"print",
    b"reveal",
    b"decrypt",
    b"view",
    b"head",
    b"bat",
    b"get-secret-value",
    b"get-parameter",
    b"get-value",
    b"config:get",
    b"base64",
    b"find-generic-password",
    b"token",
    b"dump",
    b"more",
    b"less",
    b"tail",
    b"type",
    b"generate",
    b"create",
];

/// Tried at a telling word `hit`; `settled` is the end of the last line that was looked at.
pub(super) fn find(text: &[u8], hit: usize, settled: &mut usize) -> Option<Span> {
    if hit < *settled {
        return None;
    }
    let Some((start, end)) = line(text, hit, 1024) else {
        *settled = hit + 1;
        return None;
    };
    *settled = end.max(hit + 1);
    let from = start + margin(&text[start..end]);
    let command = prompted(&text[from.min(end)..end])?;
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"'\"|;{}()[]$,".contains(byte);
    let mut words = command.split(stop).filter(|word| !word.is_empty());
    let asks = words.clone().any(|word| ASKS.contains(&word));
    let last = |word: &[u8]| {
        if word.ends_with(b".pgpass") {
            return None; // a file whose lines have a rule of their own
        }
        let name = word
            .rsplit(|byte| b"/=.".contains(byte) && *byte != b'.')
            .next();
        kind(name.unwrap_or(word))
    };
    let told = words.find_map(|word| last(word.trim_ascii()))?;
    if !asks {
        return None;
    }
    let (start, end) = next(text, end + usize::from(text.get(end) == Some(&b'\r')), 1024)?;
    let from = start + margin(&text[start..end]);
    let found = text[from..end].trim_ascii();
    if found.iter().any(u8::is_ascii_whitespace)
        || placeholder(found)
        || found.contains(&b'/') && words_only(found)
    {
        return None;
    }
    let secret = match told {
        Kind::Password => phrase(found) || random(found, 8),
        Kind::Token => random(found, 12) && found.iter().any(u8::is_ascii_digit),
    };
    let begin = from
        + text[from..end]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    secret.then_some(Span {
        start: begin,
        end: begin + found.len(),
        name: "secret",
    })
}

/// The command behind a prompt.
fn prompted(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    for prompt in [&b"$ "[..], b"% ", b"> ", b"# ", b"PS> "] {
        if let Some(command) = line.strip_prefix(prompt) {
            return Some(command);
        }
    }
    // user@host:~$ command
    let near = &line[..line.len().min(64)];
    let at = memchr::memmem::find(near, b"$ ").or(memchr::memmem::find(near, b"# "))?;
    let user = memchr::memchr(b'@', &line[..at]).is_some() && !line[..at].contains(&b' ');
    user.then_some(&line[at + 2..])
}
