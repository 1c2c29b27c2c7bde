//! Recognises code where a value is expected: a call, a path through names, a number, a fingerprint.
//!
//! Asked about values without quotes: in `pwd = os.getcwd()` the value is no password.

use super::value::words_only;

/// True for `os.getcwd()`, `$ftp->pwd;`, `CPAN::anycwd()`, `windows_sys::core::PCWSTR`: names joined as code joins them; names
/// joined by points must end in a call.
pub(in crate::redact) fn expression(found: &[u8]) -> bool {
    let mut rest = found;
    while let Some(inner) = rest
        .strip_prefix(b"$")
        .or(rest.strip_prefix(b"&"))
        .or(rest.strip_prefix(b"*"))
    {
        rest = inner;
    }
    let (mut joined, mut strong) = (0, false);
    loop {
        let name = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        if name == 0 || name > 48 || rest[0].is_ascii_digit() {
            return false;
        }
        rest = &rest[name..];
        let Some((separator, sure)) = [
            (&b"::"[..], true),
            (b"->", true),
            (b"^.", true),
            (b".", false),
        ]
        .into_iter()
        .find(|(separator, _)| rest.starts_with(separator)) else {
            break;
        };
        strong |= sure;
        joined += 1;
        rest = &rest[separator.len()..];
    }
    let called = rest.starts_with(b"(");
    joined > 0 && (called || (strong && rest.iter().all(|byte| b";,)".contains(byte))))
}

/// True for `next_token(x`, `quote!(..`: a name with a bracket right behind it.
pub(in crate::redact) fn call(found: &[u8]) -> bool {
    found
        .iter()
        .position(|byte| b"([".contains(byte))
        .is_some_and(|at| {
            let name = found[..at].strip_suffix(b"!").unwrap_or(&found[..at]);
            !name.is_empty()
                && words_only(name)
                && name.iter().all(|byte| {
                    (byte.is_ascii_alphanumeric() || b"_-.".contains(byte)) || b":&*".contains(byte)
                })
        })
}

/// True for `self.pwd`, `rsa.RSAPrivateKey`: names joined by points, without digits.
pub(in crate::redact) fn path(found: &[u8]) -> bool {
    found.contains(&b'.')
        && found
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || b"._&*".contains(byte))
        && found
            .split(|byte| *byte == b'.')
            .all(|piece| !piece.is_empty() && piece.len() <= 24)
}

/// True for a number in the form of C.
pub(in crate::redact) fn constant(found: &[u8]) -> bool {
    let typed = found
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .is_some_and(|at| {
            at > 0
                && [
                    &b"i8"[..],
                    b"i16",
                    b"i32",
                    b"i64",
                    b"u8",
                    b"u16",
                    b"u32",
                    b"u64",
                    b"usize",
                    b"isize",
                ]
                .contains(&found[at..].strip_suffix(b";").unwrap_or(&found[at..]))
        });
    typed
        || found.len() <= 18
            && found.strip_prefix(b"0x").is_some_and(|digits| {
                digits
                    .iter()
                    .all(|byte| byte.is_ascii_hexdigit() || b"_uUlL".contains(byte))
            })
}

/// True for a key's fingerprint as gpg prints it: 8, 16 or 40 hexadecimal digits.
pub(in crate::redact) fn fingerprint(found: &[u8]) -> bool {
    [8, 16, 40].contains(&found.len()) && found.iter().all(u8::is_ascii_hexdigit)
}

/// True for a form that only code has: names joined by points, a call, a type, the path of a file.
pub(in crate::redact) fn looks_like_code(found: &[u8]) -> bool {
    found.iter().any(|byte| b"()[]{}".contains(byte))
        || found.windows(2).any(|two| {
            two == b"::" || two == b"->" || (two[0] == b'.' && two[1].is_ascii_alphabetic())
        })
        || found.starts_with(b"/")
        || found.starts_with(b"./")
        || found.starts_with(b"../")
        || found.starts_with(b"~/")
}
