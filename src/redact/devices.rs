//! Passwords in the configuration of network devices: `username netadmin privilege 15 password 0 X`, `snmp-server community X RO`.
//!
//! Sources: the command references of Cisco IOS, Arista EOS and Juniper Junos. A line is a command if the key opens it.

use super::columns::{line, margin};
use super::span::Span;
use super::value::{placeholder, words_only};

/// Words that the secret stands behind.
const BEFORE: &[&[u8]] = &[
    b"password",
    b"secret",
    b"key",
    b"community",
    b"key-string",
    b"authentication-key",
    b"pre-shared-key",
    b"passphrase",
    b"md5",
    b"sha",
    b"aes",
    b"ascii",
];
/// What may stand between: the type of the encoding, or whose key it is.
const TYPES: &[&[u8]] = &[
    b"0",
    b"5",
    b"6",
    b"7",
    b"8",
    b"9",
    b"ascii",
    b"ascii-text",
    b"md5",
    b"sha",
    b"aes",
    b"128",
    b"256",
    b"clear",
    b"local",
    b"remote",
    b"sha512",
    b"encrypted",
];
/// Commands that no sentence begins with.
const SURE: &[&[u8]] = &[
    b"tacacs",
    b"radius",
    b"snmp",
    b"crypto",
    b"key-string",
    b"set",
    b"ip",
    b"wpa",
];

/// Tried at the words that open such a command.
pub(super) fn find(text: &[u8], hit: usize) -> Option<Span> {
    let (start, end) = line(text, hit, 512)?;
    let from = start + margin(&text[start..end]);
    let head = text.get(from..hit)?.trim_ascii();
    if head.len() > 40 || head.iter().any(|byte| b".,:;\"'(<".contains(byte)) {
        return None;
    }
    let mut words: Vec<(usize, &[u8])> = Vec::new();
    for word in text[from..end].split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            words.push((word.as_ptr() as usize - text.as_ptr() as usize, word));
        }
        if words.len() > 24 {
            return None;
        }
    }
    let first = words.first()?.1;
    let sure = SURE.iter().any(|word| first.starts_with(word));
    for (nth, (_, word)) in words.iter().enumerate() {
        // `key` and `key 7 x`; not the line's first word unless it is the command.
        let named = BEFORE.contains(word);
        if !named {
            continue;
        }
        let mut at = nth + 1;
        let mut typed = false;
        while words.get(at).is_some_and(|(_, word)| TYPES.contains(word)) && words.len() > at + 1 {
            typed = true;
            at += 1;
        }
        let Some(&(begin, found)) = words.get(at) else {
            continue;
        };
        if BEFORE.contains(&found) {
            continue;
        }
        let bare = found.strip_suffix(b";").unwrap_or(found);
        let bare = bare.strip_suffix(b"\"").unwrap_or(bare);
        let quote = usize::from(bare.starts_with(b"\""));
        let found = &bare[quote..];
        let digit = found.iter().any(u8::is_ascii_digit);
        let told = digit || !words_only(found);
        let community = *word == b"community";
        let default = [&b"public"[..], b"private"].contains(&found);
        let plain = found
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
        let short = found.len() < if digit { 4 } else { 6 };
        // A number, an address: what else stands behind `key`.
        let number = found
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
        let fits = told || (sure && (typed || community || !plain));
        if short || default || number || placeholder(found) || !fits {
            continue;
        }
        return Some(Span {
            start: begin + quote,
            end: begin + quote + found.len(),
            name: if community { "secret" } else { "password" },
        });
    }
    None
}
