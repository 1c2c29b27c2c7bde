//! Judges a value by itself: whether it looks drawn at random, or is made of words, a placeholder or a pointer to a secret.
//!
//! Nothing here knows where the value stands; `assign`, `headers`, `scan` and others ask and decide.

/// Words that stand in place of a value, in lower case.
const NO_VALUE: &[&str] = &[
    "null",
    "none",
    "nil",
    "undefined",
    "true",
    "false",
    "yes",
    "no",
    "string",
    "str",
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "required",
    "optional",
    "redacted",
    "masked",
    "hidden",
    "sensitive",
    "empty",
    "inherit",
    "basic",
    "bearer",
    "value",
    "apikey",
    "admin",
    "user",
    "username",
    "changeit",
    "void",
    "bytes",
    "any",
    "object",
    "number",
    "int",
];

/// Beginnings of an invented value, such as `your-token-here`; they count only where the whole value is made of words.
const INVENTED: &[&str] = &[
    "your",
    "my-",
    "my_",
    "change",
    "replace",
    "insert",
    "enter",
    "example",
    "dummy",
    "sample",
    "placeholder",
    "todo",
    "fake",
    "foo",
    "some-",
    "some_",
    "the-",
    "the_",
    "put-",
    "put_",
    "add-",
    "not-",
    "no-",
    "invalid",
    "mock",
    "hunter2",
];

/// Beginnings of a pointer to a secret, or of a digest or cipher text: not the secret itself.
const POINTER: &[&str] = &[
    "arn:",
    "op://",
    "vault:",
    "ssm:",
    "sm://",
    "projects/",
    "ref+",
    "env:",
    "env.",
    "secrets.",
    "vars.",
    "file:",
    "file(",
    "enc[",
    "sha1-",
    "sha1:",
    "sha256-",
    "sha256:",
    "sha384-",
    "sha384:",
    "sha512-",
    "sha512:",
    "data:",
    "process.env",
    "os.environ",
    "os.getenv",
    "system.getenv",
    "std::env",
    "env!",
    "getenv",
    "github.",
    "steps.",
    "inputs.",
    "needs.",
    "runner.",
    "local.",
    "var.",
    "module.",
    "self.",
    "this.",
    "@",
    "!ref",
    "!sub",
    "!getatt",
    "!secret",
    "!vault",
    "key_",
    "aes256:",
];

fn starts_with_ignore_case(text: &[u8], prefix: &str) -> bool {
    text.len() >= prefix.len() && text[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
}

/// How many different bytes `text` has, counted up to 16.
pub(in crate::redact) fn variety(text: &[u8]) -> usize {
    let mut seen = [false; 256];
    let mut count = 0;
    for &byte in text {
        if !seen[usize::from(byte)] {
            seen[usize::from(byte)] = true;
            count += 1;
            if count == 16 {
                break;
            }
        }
    }
    count
}

/// True where `text` stands in place of a secret: empty, a mark of redaction, stars, `<TOKEN>`, `$TOKEN`, `${{ secrets.X }}`,
/// `null`, `your-token-here`, a documented example.
pub(in crate::redact) fn placeholder(text: &[u8]) -> bool {
    let bare = text.strip_suffix(b"\\").unwrap_or(text);
    if bare.is_empty() || variety(bare) < 3 || only_marks(bare) {
        return true;
    }
    if NO_VALUE
        .iter()
        .any(|word| bare.eq_ignore_ascii_case(word.as_bytes()))
    {
        return true;
    }
    if POINTER
        .iter()
        .any(|start| starts_with_ignore_case(bare, start))
        && words_only(bare)
    {
        return true;
    }
    let stars = memchr::memmem::find(bare, b"***").is_some();
    if stars || !bare.iter().any(u8::is_ascii_alphanumeric) {
        return true; // the blocks and dots of a tool that masks for itself
    }
    if bare.starts_with(b"id=")
        || starts_with_ignore_case(bare, "arn:")
        || starts_with_ignore_case(bare, "enc[")
    {
        return true;
    }
    let tail = &bare[bare.len().saturating_sub(12)..];
    if bare.len() >= 16 && variety(tail) < 3 && !tail.contains(&b'=') {
        return true; // ghp_xxxxxxxxxxxx
    }
    if bare.len() >= 16 && sequential(bare) {
        return true; // ghp_1234567890abcdefghij
    }
    if bare.len() < 20 && (bare.ends_with(b"...") || bare.ends_with("\u{2026}".as_bytes())) {
        return true; // sk-ant-...
    }
    if bare.ends_with(b":latest") {
        return true; // a version of a secret in a store
    }
    if bare.ends_with(b"EXAMPLE") || bare.ends_with(b"EXAMPLEKEY") {
        return true; // the keys of the AWS manual
    }
    if let [first, second, ..] = *bare {
        let names_something = second.is_ascii_alphabetic() || b"_{(<[ ".contains(&second);
        match first {
            b'<' | b'{' | b'[' | b'(' | b'*'
                if (first != b'*' || variety(bare) < 6 || words_only(bare)) =>
            {
                return true;
            }
            b'$' | b'%' | b'#' if names_something => {
                let name = &bare[1..];
                let variable = first == b'$'
                    && name.contains(&b'_')
                    && name
                        .iter()
                        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
                if b"{(<[".contains(&second) || variable || words_only(name) {
                    return true;
                }
            }
            b'&' | b'~' | b'?' if words_only(bare) => return true,
            _ => {}
        }
    }
    let crosses = starts_with_ignore_case(bare, "xxx")
        && (bare.len() < 12 || starts_with_ignore_case(bare, "xxxx") || words_only(bare));
    if crosses || bare.starts_with(b"...") {
        return true;
    }
    if bare.starts_with("\u{2026}".as_bytes()) || bare.starts_with("\u{2022}".as_bytes()) {
        return true;
    }
    INVENTED
        .iter()
        .any(|start| starts_with_ignore_case(bare, start))
        && words_only(bare)
        || invented_inside(bare)
}

/// Beginnings of real tokens, up to their first dash or underscore: `ghp` of `ghp_…`.
const VENDORS: &[&str] = &[
    "ghp", "gho", "ghu", "ghs", "ghr", "github", "glpat", "gldt", "glrt", "sk", "pk", "rk", "xoxb",
    "xoxp", "xoxa", "xapp", "npm", "pypi", "hf", "dop", "gsk", "pat", "key", "api", "aio", "nvapi",
    "shpat", "figd", "lin", "whsec", "tskey", "glsa", "secret", "r8", "sbp", "dckr", "tvly", "fc",
    "ntn", "npg", "napi", "pplx", "xai", "rpa",
];

/// True for `xoxb-your-token-here`, `ghp_yourPersonalAccessToken`: a prefix, and words that ask the reader to fill in a token.
pub(in crate::redact) fn invented_inside(text: &[u8]) -> bool {
    if text.len() > 96 {
        return false;
    }
    let mut pieces = text.split(|byte| b"-_".contains(byte));
    let first = pieces.next().unwrap_or(text);
    let vendor = VENDORS
        .iter()
        .any(|known| first.eq_ignore_ascii_case(known.as_bytes()));
    let mut invented = false;
    for piece in pieces {
        if [&b"v1"[..], b"v2"].contains(&piece) {
            continue;
        }
        let plain = piece.iter().all(u8::is_ascii_alphabetic);
        if !plain || !words_only(piece) && variety(piece) > 2 {
            return false;
        }
        invented |= [
            "your",
            "here",
            "example",
            "placeholder",
            "changeme",
            "replace",
            "dummy",
            "sample",
            "redacted",
            "insert",
            "xxxx",
        ]
        .iter()
        .any(|word| piece.eq_ignore_ascii_case(word.as_bytes()))
            || (piece.len() >= if vendor { 3 } else { 4 } && variety(piece) == 1)
            || (vendor && asks_for_value(piece));
    }
    invented && first.len() <= 12 && first.iter().all(u8::is_ascii_alphanumeric)
}

/// True for words that ask the reader to fill in a token: `yourPersonalAccessToken`, `mySecretKey`, `TokenGoesHere`.
fn asks_for_value(piece: &[u8]) -> bool {
    let begins = |word: &&str| starts_with_ignore_case(piece, word);
    let ends = |word: &&str| {
        piece.len() >= word.len()
            && piece[piece.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    [
        "your", "my", "some", "the", "fake", "dummy", "example", "replace", "insert", "paste",
        "changeme", "redacted",
    ]
    .iter()
    .any(begins)
        || [
            "token",
            "key",
            "secret",
            "here",
            "example",
            "placeholder",
            "value",
            "string",
        ]
        .iter()
        .any(ends)
}

/// True for `ghp_1234567890abcdefghij`: at least 7 of 10 characters are the successor of the character before them.
pub(in crate::redact) fn sequential(text: &[u8]) -> bool {
    let tail = &text[text.len().saturating_sub(32)..];
    let follows = tail
        .windows(2)
        .filter(|two| {
            two[1] == two[0].wrapping_add(1)
                || (two[0] == b'9' && b"0aA".contains(&two[1]))
                || (two[0] | 0x20 == b'z' && two[1] == b'0')
        })
        .count();
    tail.len() >= 12 && follows * 10 >= (tail.len() - 1) * 7
}

/// True for `YOUR_TOKEN`, `GITHUB_TOKEN`, `API_KEY`: the name of a secret in place of the secret.
pub(in crate::redact) fn secret_name(text: &[u8]) -> bool {
    let name =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    text.iter().all(name)
        && words_only(text)
        && [
            &b"TOKEN"[..],
            b"KEY",
            b"PAT",
            b"CREDENTIALS",
            b"HERE",
            b"JWT",
        ]
        .iter()
        .any(|tail| text.ends_with(tail))
}

/// True where `text` is nothing but marks of redaction.
fn only_marks(text: &[u8]) -> bool {
    text.starts_with(crate::redact::mark::MARK_OPEN) && without_marks(text).is_empty()
}

/// `text` without marks of redaction, so that a mark alone is no value.
fn without_marks(text: &[u8]) -> Vec<u8> {
    let mut rest = text;
    let mut out = Vec::new();
    while let Some(at) = memchr::memmem::find(rest, crate::redact::mark::MARK_OPEN) {
        let Some(close) = crate::redact::mark::mark_len(&rest[at..]) else {
            out.extend_from_slice(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        };
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + close..];
    }
    out.extend_from_slice(rest);
    out
}

/// How many bytes at either end of a long text are judged.
const END: usize = 256;

/// True where `text` is made of words, small numbers and punctuation, as identifiers, paths, versions, dates and prose are;
/// false where a piece of it looks drawn at random.
///
/// Of a text over 512 bytes only the two ends are judged, so that the cost stays small.
pub(in crate::redact) fn words_only(text: &[u8]) -> bool {
    if text.len() > 2 * END {
        return words_only(&text[..END]) && words_only(&text[text.len() - END..]);
    }
    text.split(|byte| !byte.is_ascii_alphanumeric())
        .all(|piece| piece.len() <= 3 || word_like(piece))
        && !(text.len() >= 8 && strange(text))
}

/// Pairs of letters that are rare inside words: a row for each first letter, in it a bit for each second letter.
///
/// Counted over the distinct words of 110,000 identifiers of Rust and Go sources; a pair is rare if it makes up under 0.04 % of
/// all pairs. Of the pairs in random letters, one in two or three is rare.
const RARE: [u32; 26] = [
    0x001_4280, 0x2e9_a6c0, 0x2c1_0200, 0x281_0680, 0x000_0200, 0x2e1_0680, 0x3e9_862e, 0x2e1_a6e6,
    0x111_0780, 0x3ef_bfee, 0x3fb_b6e6, 0x2c3_02c2, 0x3e3_06c0, 0x281_0200, 0x301_0280, 0x2e1_3622,
    0x3ef_ffff, 0x281_0280, 0x281_0200, 0x201_0640, 0x3f1_4680, 0x1d3_aeca, 0x3f1_9e6a, 0x377_7eca,
    0x3f3_4eef, 0x3ff_feee,
];

/// True where at least two pairs of letters, and a fifth of all, are in [`RARE`].
fn strange(text: &[u8]) -> bool {
    let (mut pairs, mut rare) = (0_usize, 0_usize);
    for two in text.windows(2) {
        let [first, second] = [two[0], two[1]];
        let inside = first.is_ascii_alphabetic()
            && second.is_ascii_alphabetic()
            && !(first.is_ascii_lowercase() && second.is_ascii_uppercase());
        if inside {
            pairs += 1;
            let row = RARE[usize::from(first.to_ascii_lowercase() - b'a')];
            rare += (row >> (second.to_ascii_lowercase() - b'a') & 1) as usize;
        }
    }
    pairs >= 4 && rare >= 2 && rare * 5 >= pairs
}

/// True where `piece`, letters and digits only, looks like words: split where case changes and digits begin, as in `oauth2Token`.
fn word_like(piece: &[u8]) -> bool {
    if piece.iter().all(u8::is_ascii_digit) {
        return piece.len() <= 20;
    }
    if piece.len() >= 8
        && piece.iter().any(u8::is_ascii_digit)
        && piece.iter().all(u8::is_ascii_hexdigit)
    {
        return false;
    }
    let (mut words, mut letters, mut numbers, mut singles) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut at = 0;
    while at < piece.len() {
        let start = at;
        if piece[at].is_ascii_digit() {
            while at < piece.len() && piece[at].is_ascii_digit() {
                at += 1;
            }
            numbers += 1;
            if at - start > 6 {
                return false;
            }
            continue;
        }
        while at < piece.len() && piece[at].is_ascii_uppercase() {
            at += 1;
        }
        if at < piece.len() && piece[at].is_ascii_lowercase() {
            if at - start > 1 {
                at -= 1; // HTTPServer: the last capital opens the next word
            } else {
                while at < piece.len() && piece[at].is_ascii_lowercase() {
                    at += 1;
                }
            }
        }
        let word = &piece[start..at];
        words += 1;
        letters += word.len();
        if word.len() == 1 {
            singles += 1;
        } else if word.len() >= 6 && !pronounceable(word) {
            return false;
        }
    }
    numbers <= 2 && singles <= 1 && words > 0 && letters >= 3 * words
}

/// True for `web-tls-x7k2p`, the form of a Kubernetes resource's name: words joined by dashes, the last part perhaps random.
pub(in crate::redact) fn resource(found: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let mut pieces = found.split(|byte| *byte == b'-').rev();
    let last = pieces.next().unwrap_or(found);
    let mut before = pieces.peekable();
    found.iter().all(plain)
        && found.first().is_some_and(u8::is_ascii_lowercase)
        && last.len() <= 12
        && before.peek().is_some()
        && before.all(|piece| !piece.is_empty() && piece.len() <= 16 && words_only(piece))
}

/// True for a date, alone or before a time: `2026-11-21`.
pub(in crate::redact) fn dated(found: &[u8]) -> bool {
    found.len() >= 10
        && found
            .iter()
            .zip(b"0000-00-00")
            .all(|(byte, sign)| match sign {
                b'0' => byte.is_ascii_digit(),
                sign => byte == sign,
            })
}

/// True where both cases occur.
pub(in crate::redact) fn mixed_case(found: &[u8]) -> bool {
    found.iter().any(u8::is_ascii_lowercase) && found.iter().any(u8::is_ascii_uppercase)
}

/// True for a word that can be pronounced, roughly: one letter in seven is a vowel, at most 5 consonants in a row, at most 22
/// letters.
fn pronounceable(word: &[u8]) -> bool {
    let (mut vowels, mut run) = (0_usize, 0_usize);
    for byte in word {
        if b"aeiouy".contains(&byte.to_ascii_lowercase()) {
            vowels += 1;
            run = 0;
        } else {
            run += 1;
            if run > 5 {
                return false;
            }
        }
    }
    word.len() <= 22 && vowels > 0 && vowels * 7 >= word.len()
}

/// True for a value that only a generator makes: not made of words, and at least `least` bytes long.
pub(in crate::redact) fn random(text: &[u8], least: usize) -> bool {
    text.len() >= least && !words_only(text)
}

/// The offset of the quote that closes a value: on the same line, within `most` bytes, with as many backslashes before it as the
/// opening quote has (`slashes`).
pub(in crate::redact) fn closing(
    text: &[u8],
    from: usize,
    quote: u8,
    slashes: usize,
    most: usize,
) -> Option<usize> {
    let window = &text[from..text.len().min(from + most)];
    let mut at = 0;
    while at < window.len() {
        match window[at] {
            b'\n' => return None,
            b'\\' => {
                let run = window[at..]
                    .iter()
                    .take_while(|byte| **byte == b'\\')
                    .count();
                if window.get(at + run) == Some(&quote) && run == slashes {
                    return Some(from + at);
                }
                at += run + 1;
            }
            byte if byte == quote && slashes == 0 => return Some(from + at),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_expressions_are_words() {
        for name in [
            "getAccessTokenFromKeychain",
            "settings.SECRET_KEY",
            "process.env.GITHUB_TOKEN",
            "cargo-Linux-",
            "X-Api-Key",
            "Bearer",
            "2027-01-01",
            "sha256sum",
            "oauth2",
            "us-east-1",
            "https://login.example.test/oauth2/token",
            "REDACTED_TEST_SECRET",
            "tls-secret-name",
        ] {
            assert!(words_only(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn generated_values_are_not_words() {
        for value in [
            "oGYcdXfg6K!4Lf",
            "u2IBgdLpdo#5Qk",
            "46f23e73-98df-4032-a72b-5e57f2319eaa",
            "f545de40f1b7f8e81cf6afaa53536322",
            "kcIarkPohFG2lbXmgeu1bQ3pt5l2F5UmMxeY",
            "qDR6ymtei16KZBHx",
            "no_qKOp4iHHdEfd9oFlD3cWXV_J7uj0Fy4ukMOct",
            "gozMJzROoQrAXz",
        ] {
            assert!(!words_only(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_mark_alone_is_a_placeholder_and_leaves_the_text_around_it() {
        assert!(placeholder(b"[REDACTED:password]"));
        assert_eq!(without_marks(b"a[REDACTED:password]b"), b"ab");
        assert_eq!(
            without_marks(b"[REDACTED: no mark]"),
            b"[REDACTED: no mark]"
        );
    }
}
