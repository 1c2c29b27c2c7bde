//! Records with secrets in a fixed field (cookie files, rows of `aws --output text`, net-snmp's configuration), and secrets with a
//! form but no prefix: codes told in a sentence, `BitLocker`'s recovery passwords, private keys of wallets.
//!
//! Sources: curl's HTTP-COOKIES.md (the Netscape format), the AWS CLI's text output, Microsoft's `BitLocker` recovery guide
//! (groups divisible by eleven), Bitcoin's wallet import format.

use crate::redact::layout::columns::line;
use crate::redact::span::Span;
use crate::redact::words::names::kind;
use crate::redact::words::value::{placeholder, words_only};

/// A line of a Netscape cookie file, tried at the flag in its second or fourth field: the secret is the seventh field.
pub(in crate::redact) fn jar(text: &[u8], hit: usize, out: &mut Vec<Span>) {
    let Some((start, end)) = line(text, hit, 4096) else {
        return;
    };
    let mut fields = text[start..end].splitn(7, |byte| *byte == b'\t');
    let mut field = || fields.next().unwrap_or_default();
    let (_, sub, path, secure, expiry, name, found) = (
        field(),
        field(),
        field(),
        field(),
        field(),
        field(),
        field().trim_ascii_end(),
    );
    let flag = |word: &[u8]| word == b"TRUE" || word == b"FALSE";
    // A line is read once, at its first flag.
    let first = hit < path.as_ptr() as usize - text.as_ptr() as usize;
    let formed = flag(sub)
        && flag(secure)
        && path.starts_with(b"/")
        && !expiry.is_empty()
        && expiry.iter().all(u8::is_ascii_digit);
    // As in a Cookie header, a value such as `dark` or `en` is no session.
    let digits = found.iter().filter(|byte| byte.is_ascii_digit()).count();
    let word = found.len() < 24 && words_only(found) && kind(name).is_none() && digits < 3;
    let analytics = name.starts_with(b"_g") || name.starts_with(b"_utm") || name == b"NID";
    if first && formed && found.len() >= 8 && !word && !analytics && !placeholder(found) {
        let at = found.as_ptr() as usize - text.as_ptr() as usize;
        out.push(Span {
            start: at,
            end: at + found.len(),
            name: "cookie",
        });
    }
}

/// `ACCESSKEY  AKIA…  2025-…  SECRET  Active  user`: a row of `aws --output text`, whose columns stand in the order of their names.
pub(in crate::redact) fn key_row(text: &[u8], hit: usize, out: &mut Vec<Span>) {
    let Some((start, end)) = line(text, hit, 4096) else {
        return;
    };
    let row = &text[start..end];
    let head = text[start..hit].trim_ascii();
    let capitals = text[hit..].starts_with(b"ACCESSKEY") || text[hit..].starts_with(b"CREDENTIALS");
    if !head.is_empty() || !capitals {
        return;
    }
    for word in row.split(u8::is_ascii_whitespace) {
        let base64 = word
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte));
        if word.len() == 40 && base64 && !words_only(word) && !placeholder(word) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            out.push(Span {
                start: at,
                end: at + 40,
                name: "aws-secret-key",
            });
        }
    }
}

/// Words that make the code behind them a secret: `login code 254789`.
const OPENS: &[&[u8]] = &[
    b"verification",
    b"security",
    b"one-time",
    b"one time",
    b"login",
    b"log-in",
    b"sign-in",
    b"signin",
    b"authentication",
    b"authorization",
    b"confirmation",
    b"access",
    b"2fa",
    b"mfa",
    b"two-factor",
    b"two-step",
    b"otp",
    b"passcode",
    b"sms",
    b"your",
];
/// Words that make the code behind them no secret: `error code 254789`.
const SAYS: &[&[u8]] = &[
    b"error",
    b"exit",
    b"status",
    b"zip",
    b"postal",
    b"post",
    b"country",
    b"area",
    b"version",
    b"response",
    b"return",
    b"http",
    b"colo",
    b"source",
    b"promo",
    b"coupon",
    b"discount",
    b"product",
    b"sort",
    b"dial",
    b"event",
    b"reason",
    b"result",
    b"bar",
    b"key",
    b"char",
    b"unit",
    b"dress",
    b"cost",
    b"tax",
    b"currency",
    b"language",
    b"team",
    b"branch",
    b"bank",
    b"issue",
    b"example",
    b"order",
    b"invoice",
];

fn has(text: &[u8], words: &[&[u8]]) -> bool {
    words
        .iter()
        .any(|word| memchr::memmem::find(text, word).is_some())
}

/// The sentence before `at`, in lower case.
fn said(text: &[u8], at: usize) -> Vec<u8> {
    let near = &text[at.saturating_sub(64)..at];
    let from = near
        .iter()
        .rposition(|byte| b".\n;!?\"{}".contains(byte))
        .map_or(0, |at| at + 1);
    near[from..].to_ascii_lowercase()
}

fn code(text: &[u8], start: usize, least: usize) -> Option<Span> {
    let run = |at: usize| {
        text[at.min(text.len())..]
            .iter()
            .take(9)
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut end = start + run(start);
    // `254 789`, `254-789`
    if end - start == 3 && matches!(text.get(end), Some(b' ' | b'-')) && run(end + 1) == 3 {
        end += 4;
    }
    let closed = match &text[end.min(text.len())..] {
        [b'.' | b',' | b':', next, ..] => !next.is_ascii_alphanumeric(),
        [next, ..] => !next.is_ascii_alphanumeric() && !b"_-/%+=".contains(next),
        [] => true,
    };
    let len = end - start;
    (len >= least && len <= 8 && closed && !placeholder(&text[start..end])).then_some(Span {
        start,
        end,
        name: "one-time-code",
    })
}

/// `Your Acme verification code is 254789.`, `254789 is your login code`.
pub(in crate::redact) fn told_code(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    if text[hit..hit_end].eq_ignore_ascii_case(b" is your ") {
        let digits = text[..hit]
            .iter()
            .rev()
            .take(9)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let start = hit - digits;
        let open = text[..start]
            .last()
            .is_none_or(|byte| byte.is_ascii_whitespace() || b"-\"'>:*".contains(byte));
        let rest = text[hit_end..text.len().min(hit_end + 64)].to_ascii_lowercase();
        let rest = &rest[..rest
            .iter()
            .position(|byte| b".\n;!?,".contains(byte))
            .unwrap_or(rest.len())];
        let spoken = has(rest, &[b"code", b"passcode", b"otp", b"pin"]) && !has(rest, SAYS);
        return (open && spoken).then(|| code(text, start, 4))?;
    }
    let mut words = said(text, hit);
    words.extend(text[hit..hit_end].to_ascii_lowercase());
    if !has(&words, OPENS) || has(&words, SAYS) {
        return None;
    }
    let mut start = hit_end;
    while text.get(start).is_some_and(|byte| b" *`'\"".contains(byte)) && start - hit_end < 6 {
        start += 1;
    }
    // `G-254789`
    if text
        .get(start..start + 2)
        .is_some_and(|two| two[0].is_ascii_uppercase() && two[1] == b'-')
    {
        start += 2;
    }
    code(text, start, 4)
}

/// `BitLocker`'s recovery passwords: eight groups of six digits, each divisible by eleven.
pub(in crate::redact) fn bitlocker(text: &[u8], out: &mut Vec<Span>) {
    let mut past = 0;
    for at in memchr::memchr_iter(b'-', text) {
        if at < past + 6 || text.get(at + 7) != Some(&b'-') || text.get(at + 14) != Some(&b'-') {
            continue;
        }
        let start = at - 6;
        let Some(run) = text.get(start..start + 55) else {
            break;
        };
        let groups = run.chunks(7).all(|group| {
            group[..6].iter().all(u8::is_ascii_digit)
                && group.get(6).is_none_or(|byte| *byte == b'-')
                && group[..6]
                    .iter()
                    .fold(0_u32, |sum, byte| sum * 10 + u32::from(byte - b'0'))
                    % 11
                    == 0
        });
        let border = |byte: Option<&u8>| {
            byte.is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'))
        };
        let free = border(text[..start].last()) && border(text.get(start + 55));
        if groups && free && !placeholder(run) {
            past = start + 55;
            out.push(Span {
                start,
                end: past,
                name: "recovery-code",
            });
        }
    }
}

/// True for a private key in the wallet import format: base58, 51 characters that begin with `5` or `9`, or 52 that begin with
/// `K`, `L` or `c`.
pub(in crate::redact) fn wif(run: &[u8]) -> bool {
    let begins = matches!(
        (run.len(), run.first()),
        (52, Some(b'K' | b'L' | b'c')) | (51, Some(b'5' | b'9'))
    );
    let base58 = |byte: &u8| byte.is_ascii_alphanumeric() && !b"0OIl".contains(byte);
    begins
        && run.iter().all(base58)
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && run.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 8
        && run.iter().filter(|byte| byte.is_ascii_lowercase()).count() >= 8
        && !placeholder(run)
}

/// Commands of snmpd.conf(5) and snmptrapd.conf(5), and which word of each is the community.
const COMMUNITIES: &[(&[u8], usize)] = &[
    (b"rocommunity", 1),
    (b"rwcommunity", 1),
    (b"rocommunity6", 1),
    (b"rwcommunity6", 1),
    (b"trapcommunity", 1),
    (b"com2sec", 3),
    (b"com2sec6", 3),
    (b"trapsink", 2),
    (b"trap2sink", 2),
    (b"informsink", 2),
];

/// The secrets in a line of net-snmp's configuration: a community, or the passphrases of `createUser NAME SHA "x" AES "y"`.
pub(in crate::redact) fn snmpd(text: &[u8], hit: usize, out: &mut Vec<Span>) {
    let Some((start, end)) = line(text, hit, 512) else {
        return;
    };
    let words: Vec<&[u8]> = text[start..end]
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .take(12)
        .collect();
    let Some(first) = words.first() else {
        return;
    };
    let at = |word: &[u8]| word.as_ptr() as usize - text.as_ptr() as usize;
    if at(first) != hit {
        return;
    }
    let mut take = |word: &[u8], least: usize| {
        let bare = word.strip_prefix(b"\"").unwrap_or(word);
        let from = at(bare);
        let bare = bare.strip_suffix(b"\"").unwrap_or(bare);
        let default = [&b"public"[..], b"private", b"default", b"community"].contains(&bare);
        let plain = words_only(bare) && !bare.iter().any(u8::is_ascii_digit);
        if bare.len() >= least && !default && !plain && !placeholder(bare) {
            out.push(Span {
                start: from,
                end: from + bare.len(),
                name: "password",
            });
        }
    };
    if first.eq_ignore_ascii_case(b"createuser") {
        for two in words.windows(2) {
            let kinds: [&[u8]; 4] = [b"MD5", b"SHA", b"DES", b"AES"];
            let named = kinds.iter().any(|kind| two[0].starts_with(kind));
            if named && !kinds.contains(&two[1]) {
                take(two[1], 8);
            }
        }
        return;
    }
    let Some(&(_, mut nth)) = COMMUNITIES
        .iter()
        .find(|(name, _)| first.eq_ignore_ascii_case(name))
    else {
        return;
    };
    // `com2sec -Cn context name source community`: the option and its value move the community by two words.
    if words.get(1) == Some(&&b"-Cn"[..]) {
        nth += 2;
    }
    if let Some(word) = words.get(nth) {
        take(word, 6);
    }
}
