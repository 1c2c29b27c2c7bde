//! Passwords in the configuration of network devices: `username netadmin privilege 15 password 0 X`, `snmp-server community X RO`.
//!
//! Sources: the command references of Cisco IOS, Arista EOS, Juniper Junos, `FortiOS`, PAN-OS, Huawei VRP,
//! `ArubaOS-Switch` and `VyOS`. A line is a command if only words without punctuation stand before the key, or `set`.

use crate::redact::layout::columns::{line, margin};
use crate::redact::span::Span;
use crate::redact::words::value::{placeholder, words_only};

/// Words that a secret follows.
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
    b"plaintext",
    b"cipher",
    b"simple",
    b"irreversible-cipher",
    b"plain-text-password-value",
    b"plaintext-password",
    b"pre-shared-secret",
    b"shared-secret",
    b"psksecret",
    b"passwd",
    b"wpa-passphrase",
    b"snmp-community-string",
    b"set-key",
    b"read",
    b"write",
];
/// Words that may stand between one of [`BEFORE`] and the secret: `password 7 X`, `password cipher X`.
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
    b"cipher",
    b"simple",
    b"irreversible-cipher",
    b"plaintext",
    b"ENC",
    b"key",
];
/// Beginnings of a line's first word that show that the line is a command: `snmp` of `snmp-server`.
const SURE: &[&[u8]] = &[
    b"tacacs",
    b"radius",
    b"snmp",
    b"crypto",
    b"key-string",
    b"set",
    b"ip",
    b"wpa",
    b"enable",
    b"super",
    b"local-user",
    b"password",
    b"ppp",
    b"aaa-server",
    b"ntp",
    b"pre-shared-key",
    b"authentication",
    b"security",
];
/// Words behind `key` that are no key: `crypto key generate`.
const NAMES_ONLY: &[&[u8]] = &[b"generate", b"zeroize", b"chain", b"pubkey-chain"];

/// Tried at a key of `KnownPlace::Device`; returns the end of the key's line, or `None` where the line is no command.
pub(in crate::redact) fn find(text: &[u8], hit: usize, out: &mut Vec<Span>) -> Option<usize> {
    let (start, end) = line(text, hit, 512)?;
    let from = start + margin(&text[start..end]);
    let head = text.get(from..hit)?.trim_ascii();
    if head.len() > 96
        || head.iter().any(|byte| b".,:;\"'(<".contains(byte)) && !head.starts_with(b"set ")
    {
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
    let mut past = 0;
    for nth in 0..words.len() {
        if nth < past || !BEFORE.contains(&words[nth].1) {
            continue;
        }
        if let Some((at, span)) = behind(&words, nth, sure) {
            past = at + 1;
            out.push(span);
        }
    }
    Some(end)
}

/// The secret behind word `nth`, with the number of the word that holds the secret.
fn behind(words: &[(usize, &[u8])], nth: usize, sure: bool) -> Option<(usize, Span)> {
    let word = words[nth].1;
    let mut at = nth + 1;
    let mut typed = false;
    while words.get(at).is_some_and(|(_, word)| TYPES.contains(word)) && words.len() > at + 1 {
        typed = true;
        at += 1;
    }
    let &(begin, found) = words.get(at)?;
    if BEFORE.contains(&found) || NAMES_ONLY.contains(&found) {
        return None;
    }
    let bare = found.strip_suffix(b";").unwrap_or(found);
    let bare = bare.strip_suffix(b"\"").unwrap_or(bare);
    let quote = usize::from(bare.starts_with(b"\""));
    let found = &bare[quote..];
    let digit = found.iter().any(u8::is_ascii_digit);
    let no_words = digit || !words_only(found);
    let community = [&b"community"[..], b"read", b"write"].contains(&word);
    let default = [&b"public"[..], b"private"].contains(&found);
    let plain = found
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    let short = found.len() < if digit { 4 } else { 6 };
    // A number or an address behind `key` is no secret.
    let number = found
        .iter()
        .all(|byte| byte.is_ascii_digit() || b"./:".contains(byte));
    let fits = no_words || (sure && (typed || community || !plain));
    if short || default || number || placeholder(found) || !fits {
        return None;
    }
    let span = Span {
        start: begin + quote,
        end: begin + quote + found.len(),
        name: if community { "secret" } else { "password" },
    };
    Some((at, span))
}
