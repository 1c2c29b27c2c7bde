//! Passwords on the command lines of well-known programs: `mysql -pSECRET`, `curl -u user:SECRET`.

use super::table::{PROGRAMS, Takes, WINDOWS};
use crate::redact::layout::columns::{line, next};
use crate::redact::lines::kubernetes;
use crate::redact::mark::MARK_OPEN;
use crate::redact::places::known_places::{line_end, skip_blanks};
use crate::redact::span::Span;
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{placeholder, random, words_only};

/// Switches of curl that may stand before `-u` in one word (curl 8, man page).
const CURL_SWITCHES: &[u8] = b"sSfLkvigGNIOJjlqR#46Z0";

/// The passwords on the command line of the program in row `nth`, whose name stands at `hit..hit_end`. `read` is set to the
/// end of the line's last word.
pub(in crate::redact) fn program(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    nth: usize,
    read: &mut usize,
) -> Vec<Span> {
    let (name, flags) = &PROGRAMS[nth];
    if !stands_alone(text, hit, hit_end, name) {
        return Vec::new();
    }
    let from = if memchr::memmem::find(&text[hit..hit_end], b" -").is_some() {
        hit
    } else {
        hit_end
    };
    let words = words(text, from, command_end(text, hit).min(hit_end + 1024));
    *read = words.last().map_or(*read, |(_, to)| *to);
    let mut line = Line {
        text,
        words: &words,
        out: Vec::new(),
    };
    if let Some((from, to)) = behind(text, &words, flags) {
        line.take(from, to, true);
    }
    for (from, to) in numbered(text, &words, flags) {
        line.take(from, to, false);
    }
    for (nth, &(start, end)) in words.iter().enumerate() {
        for (flag, takes) in *flags {
            let flag = flag.as_bytes();
            if !flag.is_empty()
                && let Some(rest) = given(&text[start..end], flag, *name == "curl")
            {
                line.flag(nth, flag.len(), rest, takes);
            }
        }
    }
    line.out
}

/// Whether the key at `hit` is the program's name and not part of a longer word.
fn stands_alone(text: &[u8], hit: usize, hit_end: usize, name: &'static str) -> bool {
    // Case as written: SSHPASS is a variable, not the program.
    let key = &text[hit..hit_end];
    if name.as_bytes() != key && !WINDOWS.contains(&name) {
        return false;
    }
    let before = text[..hit].last().copied();
    let after = text.get(hit_end).copied();
    !(before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        || (!key.ends_with(b" ")
            && after.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')))
}

/// A command line, and the spans found in it.
struct Line<'a> {
    text: &'a [u8],
    /// Where each word begins and ends, without its quotes.
    words: &'a [(usize, usize)],
    out: Vec<Span>,
}

impl Line<'_> {
    /// Notes `from..to` as a password if it looks like one; with `strict`, a plain word does not.
    fn take(&mut self, from: usize, to: usize, strict: bool) {
        let found = &self.text[from..to];
        let plain = strict
            && found
                .iter()
                .all(|b| b.is_ascii_lowercase() || b"-=".contains(b));
        let path = found.starts_with(b"/") || found.starts_with(b"./") || found.starts_with(b"~/");
        let file = path && words_only(found);
        let default = [&b"public"[..], b"private"].contains(&found);
        if found.len() >= 4 && !placeholder(found) && !plain && !file && !default {
            self.out.push(Span {
                start: from,
                end: to,
                name: "password",
            });
        }
    }

    /// Reads the flag at the start of word `nth`: the flag has `len` bytes, `rest` is what follows it in the word.
    fn flag(&mut self, nth: usize, len: usize, rest: &[u8], takes: &Takes) {
        let (start, end) = self.words[nth];
        let next = self.words.get(nth + 1).copied();
        let value = if rest.is_empty() {
            next
        } else if let Some(rest) = rest.strip_prefix(b"=") {
            Some((end - rest.len(), end))
        } else if len == 2 {
            Some((end - rest.len(), end))
        } else {
            None
        };
        match takes {
            Takes::Next if rest.is_empty() || rest[0] == b'=' => {
                if let Some((from, to)) = value.filter(|(from, _)| !is_switch(self.text, *from)) {
                    self.take(from, to, false);
                }
            }
            Takes::Attached if rest.len() >= 4 => self.take(start + len, end, true),
            Takes::Attached if rest.is_empty() => {
                // -p'x': the quote belongs to the shell.
                if let Some((from, to)) =
                    next.filter(|(from, _)| *from == end + 1 && self.text[end] != b' ')
                {
                    self.take(from, to, false);
                }
            }
            Takes::Pair(separator) => {
                if let Some((from, to)) = value {
                    self.pair(nth, from, to, *separator);
                }
            }
            Takes::Starts(prefix) => {
                if let Some((from, to)) = value
                    && self.text[from..to].starts_with(prefix.as_bytes())
                {
                    self.take(from + prefix.len(), to, false);
                }
            }
            Takes::Last if rest.is_empty() && nth + 2 < self.words.len() => {
                if let Some(&(from, to)) = self.words.last() {
                    self.take(from, to, false);
                }
            }
            _ => {}
        }
    }

    /// `user:password` in `from..to`, the value of the flag in the word of number `nth`.
    fn pair(&mut self, nth: usize, from: usize, to: usize, separator: u8) {
        let text = self.text;
        if text[from..to].starts_with(MARK_OPEN) {
            return;
        }
        let Some(len) = memchr::memchr(separator, &text[from..to]) else {
            return;
        };
        let at = from + len;
        if separator == b'=' && kubernetes::plain_key(&text[from..at]) {
            return;
        }
        // user,'x': the quote belongs to the shell.
        let quoted =
            self.words.get(nth + 2).copied().filter(|word| {
                at + 1 == to && word.0 == to + 1 && matches!(text[to], b'"' | b'\'')
            });
        match quoted {
            Some((from, to)) => self.take(from, to, false),
            // curl -u TOKEN:
            None if at + 1 == to && random(&text[from..at], 16) => self.take(from, at, false),
            None => self.take(at + 1, to, false),
        }
    }
}

/// The words that are secrets by their position behind the program ([`Takes::Nth`]).
fn numbered(text: &[u8], words: &[(usize, usize)], flags: &[(&str, Takes)]) -> Vec<(usize, usize)> {
    let value = |&&(from, _): &&(usize, usize)| {
        let first = text.get(from);
        first.is_none_or(|first| !b"-/".contains(first)) || text[from..].starts_with(b"/.")
    };
    flags
        .iter()
        .filter_map(|(_, takes)| match takes {
            Takes::Nth(nth) => words.iter().filter(value).nth(*nth).copied(),
            _ => None,
        })
        .filter(|(from, to)| no_plain_word(&text[*from..*to]))
        .collect()
}

/// The secret in or behind the program's operand, for `Only`, `Share`, `Domain`, `Colon` and `Logon`.
fn behind(
    text: &[u8],
    words: &[(usize, usize)],
    flags: &[(&str, Takes)],
) -> Option<(usize, usize)> {
    let &(from, to) = words.iter().find(|(from, _)| !is_switch(text, *from))?;
    let word = &text[from..to];
    flags.iter().find_map(|(_, takes)| match takes {
        Takes::Only => random(word, 10).then_some((from, to)),
        Takes::Share => {
            let share = word.starts_with(b"//") || word.starts_with(b"\\\\");
            let next = words.iter().skip_while(|(start, _)| *start != from).nth(1);
            next.copied().filter(|(from, to)| {
                share && !is_switch(text, *from) && no_plain_word(&text[*from..*to])
            })
        }
        Takes::Domain => {
            let at = memchr::memrchr(b'@', word)?;
            let colon = memchr::memchr(b':', &word[..at])?;
            Some((from + colon + 1, from + at))
        }
        Takes::Colon => {
            let colon = memchr::memchr(b':', word)?;
            Some((from + colon + 1, to))
        }
        Takes::Logon => {
            let slash = memchr::memchr(b'/', word).filter(|slash| *slash > 0)?;
            if slash + 1 == word.len() {
                // user/"x"@place: the quotes belong to the shell.
                let next = words.iter().skip_while(|(start, _)| *start != from).nth(1);
                return next.copied().filter(|(from, _)| *from == to + 1);
            }
            let at = memchr::memrchr(b'@', word).unwrap_or(word.len());
            (slash < at && no_plain_word(&word[slash + 1..at]))
                .then_some((from + slash + 1, from + at))
        }
        _ => None,
    })
}

/// Whether the word at `from` is a switch. `from` may be the end of the text: a quote that ends the text opens an empty word.
fn is_switch(text: &[u8], from: usize) -> bool {
    text.get(from) == Some(&b'-')
}

/// True for a word that prose does not have: where a password is known by its position alone, prose may stand instead.
fn no_plain_word(word: &[u8]) -> bool {
    let digit = word.iter().any(u8::is_ascii_digit);
    !words_only(word) || digit || word.iter().any(|byte| b"!@#^&?~+".contains(byte))
}

/// The end of a command line, over the lines that a backslash joins to it.
fn command_end(text: &[u8], at: usize) -> usize {
    let mut end = line_end(text, at);
    while text[..end].ends_with(b"\\") && end < text.len() && end - at < 2048 {
        end = line_end(text, end + 1);
    }
    end
}

/// The input of the program at `hit`: the last word of `echo` or `printf` before a pipe, the word of a here-string, the lines
/// of a here-document.
pub(in crate::redact) fn fed(text: &[u8], hit: usize, hit_end: usize) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let from = hit.saturating_sub(1024);
    let start = memchr::memrchr(b'\n', &text[from..hit]).map_or(from, |at| from + at + 1);
    if let Some(pipe) = memchr::memrchr(b'|', &text[start..hit]) {
        let pipe = start + pipe;
        for word in [&b"echo "[..], b"printf ", b"print "] {
            for at in memchr::memmem::find_iter(&text[start..pipe], word) {
                let words = words(text, start + at + word.len(), pipe);
                let trim = |&(from, to): &(usize, usize)| {
                    let len = text[from..to]
                        .iter()
                        .rev()
                        .take_while(|byte| **byte == b')')
                        .count();
                    (from, to - len)
                };
                out.extend(words.last().map(trim));
            }
        }
    }
    let end = line_end(text, hit_end);
    if let Some(at) = memchr::memmem::find(&text[hit_end..end], b"<<<") {
        out.extend(words(text, hit_end + at + 3, end).first());
    } else if let Some(at) = memchr::memmem::find(&text[hit_end..end], b"<<") {
        let close: Vec<u8> = text[hit_end + at + 2..end]
            .iter()
            .skip_while(|byte| b"-~ \\'\"".contains(byte))
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .copied()
            .collect();
        out.extend(lines(text, hit_end, |line| {
            !close.is_empty() && line == close
        }));
    }
    out
}

/// The lines below the line of `at`, without blanks around them, up to the first line for which `last` is true.
fn lines(text: &[u8], at: usize, last: impl Fn(&[u8]) -> bool) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let Some((_, mut end)) = line(text, at, 1024) else {
        return out;
    };
    while out.len() < 64 {
        let past = end + usize::from(text.get(end) == Some(&b'\r'));
        let Some((start, stop)) = next(text, past, 1024) else {
            break;
        };
        end = stop;
        let blanks = text[start..stop]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let trimmed = text[start..stop].trim_ascii();
        if last(&text[start..stop]) || last(trimmed) {
            break;
        }
        out.push((start + blanks, start + blanks + trimmed.len()));
    }
    out
}

/// Passwords that are piped into a program.
pub(in crate::redact) fn piped(text: &[u8], hit: usize, hit_end: usize, out: &mut Vec<Span>) {
    for (start, end) in fed(text, hit, hit_end) {
        let found = &text[start..end];
        let secret = strong_password(found) || (found.len() >= 6 && !words_only(found));
        if secret && !placeholder(found) && !found.iter().any(u8::is_ascii_whitespace) {
            out.push(Span {
                start,
                end,
                name: "password",
            });
        }
    }
}

/// The passwords in the lines `user:password` that are fed to `chpasswd`, and in cloud-init's list under `chpasswd:`.
pub(in crate::redact) fn chpasswd(text: &[u8], hit: usize, hit_end: usize, out: &mut Vec<Span>) {
    let mut all = fed(text, hit, hit_end);
    if text.get(hit_end) == Some(&b':') {
        let outer = |line: &[u8]| {
            line.first()
                .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'-')
                && memchr::memchr(b':', line).is_none_or(|at| at + 1 >= line.len())
        };
        all.extend(lines(text, hit_end, |line| {
            line.is_empty() || outer(line) && line.ends_with(b":") && !line.starts_with(b"users")
        }));
    }
    for (start, end) in all {
        // echo -e "a:x\nb:y"
        let mut from = start;
        while from < end {
            let stop = memchr::memmem::find(&text[from..end], b"\\n").map_or(end, |at| from + at);
            let found = &text[from..stop];
            let item = found.strip_prefix(b"- ").unwrap_or(found);
            let item = item
                .strip_prefix(b"\"")
                .or(item.strip_prefix(b"'"))
                .unwrap_or(item);
            let user = item
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || b"._-$".contains(byte))
                .count();
            if user > 0 && item.get(user) == Some(&b':') {
                let begin = from + (found.len() - item.len()) + user + 1;
                let len = text[begin..stop]
                    .iter()
                    .take_while(|byte| !byte.is_ascii_whitespace() && !b"\"'".contains(byte))
                    .count();
                let password = &text[begin..begin + len];
                let formed = password.starts_with(b"%s") || password.starts_with(b"$");
                if len >= 4 && !formed && !placeholder(password) {
                    out.push(Span {
                        start: begin,
                        end: begin + len,
                        name: "password",
                    });
                }
            } else if !found.is_empty() && strong_password(found) {
                out.push(Span {
                    start: from,
                    end: stop,
                    name: "password",
                });
            }
            from = stop + 2;
        }
    }
}

/// The part of `word` behind `flag`. curl's flags may stand behind switches: `-su user:x`.
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
        let rest = &text[at.min(end)..end];
        if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") {
            at += if rest[1] == b'\r' { 3 } else { 2 };
            continue;
        }
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
                    && (open == 2 || b"=,:/".contains(&text[at + open - 1]))
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

#[cfg(test)]
mod tests {
    use super::super::table::PROGRAMS;
    use crate::redact::Redactor;

    #[test]
    fn a_command_line_that_ends_in_an_open_quote_comes_back_unchanged() {
        let redactor = Redactor::new(&[]);
        for (name, flags) in PROGRAMS {
            for (flag, _) in *flags {
                for quote in ["'", "\"", " '", " \""] {
                    for text in [
                        format!("{name}{quote}"),
                        format!("{name} {flag}{quote}"),
                        format!("{name} box {flag}{quote}"),
                    ] {
                        assert_eq!(redactor.text(&text), text);
                    }
                }
            }
        }
    }
}
