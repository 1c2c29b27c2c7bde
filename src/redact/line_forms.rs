//! Passwords and codes in lines that have a form of their own and no name that tells: `.pgpass`, Postfix's `sasl_passwd`,
//! rules of Redis, roots of CVS, Oracle's URLs, the code of an OAuth grant.

use super::places::{line_end, skip_blanks, word_end};
use super::prose::phrase;
use super::separator::skip_space;
use super::span::Span;
use super::value::{placeholder, words_only};

/// A line of Postfix's `sasl_passwd` (postconf, `smtp_sasl_password_maps`).
pub(super) fn relay(text: &[u8], hit_end: usize) -> Option<Span> {
    let at = skip_blanks(text, hit_end);
    let end = line_end(text, at);
    let colon = at + memchr::memchr(b':', &text[at..end])?;
    let found = text[colon + 1..end].trim_ascii_end();
    let one = !text[at..end].trim_ascii_end().contains(&b' ');
    (one && found.len() >= 4 && !placeholder(found)).then_some(Span {
        start: colon + 1,
        end: colon + 1 + found.len(),
        name: "password",
    })
}

/// Words beside a code that say that it is the one of an OAuth grant (RFC 6749 section 4.1).
const GRANTS: &[&[u8]] = &[
    b"grant_type",
    b"redirect_uri",
    b"state=",
    b"\"state\"",
    b"client_id",
    b"oauth",
    b"callback",
    b"authorization_code",
    b"code_verifier",
    b"granttype",
    b"redirecturi",
    b"'state'",
];

/// `code=x&grant_type=authorization_code`, `{"code": "x", "state": "y"}`.
pub(super) fn grant(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let before = text[..hit].last().copied().unwrap_or(b' ');
    if before.is_ascii_alphanumeric() || b"_-.".contains(&before) {
        return None;
    }
    let mut from = hit_end;
    if text[hit_end - 1] != b'=' {
        from = skip_space(text, from);
        if text.get(from) != Some(&b':') {
            return None;
        }
        from = skip_space(text, from + 1);
    }
    from += usize::from(matches!(text.get(from), Some(b'"' | b'\'')));
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>&?#)]},;\\|".contains(byte);
    let window = &text[from..text.len().min(from + 1024)];
    let to = from + window.iter().position(stop).unwrap_or(window.len());
    let found = &text[from..to];
    if found.len() < 8 || placeholder(found) || words_only(found) {
        return None;
    }
    let near = text[hit.saturating_sub(200)..text.len().min(to + 200)].to_ascii_lowercase();
    GRANTS
        .iter()
        .any(|word| memchr::memmem::find(&near, word).is_some())
        .then_some(Span {
            start: from,
            end: to,
            name: "oauth-code",
        })
}

/// `:pserver:user:password@host:/path` (the CVS manual, "Password authenticated").
pub(super) fn pserver(text: &[u8], hit_end: usize) -> Option<Span> {
    let window = &text[hit_end..line_end(text, hit_end)];
    let at = memchr::memchr(b'@', window)?;
    let colon = memchr::memchr(b':', &window[..at])?;
    let found = &window[colon + 1..at];
    (!placeholder(found) && !found.contains(&b' ')).then_some(Span {
        start: hit_end + colon + 1,
        end: hit_end + at,
        name: "password",
    })
}

/// `user worker on >password ~keys:* +@all` (redis.io, ACL).
pub(super) fn acl(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let near = &text[hit.saturating_sub(96)..hit];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at + 1..]);
    let line = line.to_ascii_lowercase();
    let user = memchr::memmem::find(&line, b"user ").is_some()
        || memchr::memmem::find(&line, b"setuser ").is_some();
    let to = word_end(text, hit_end, text.len().min(hit_end + 256));
    let found = &text[hit_end..to];
    (user && found.len() >= 4 && !placeholder(found)).then_some(Span {
        start: hit_end,
        end: to,
        name: "password",
    })
}

/// `jdbc:oracle:thin:user/password@host` (the manual of Oracle's JDBC driver).
pub(super) fn thin(text: &[u8], hit_end: usize) -> Option<Span> {
    let window = &text[hit_end..line_end(text, hit_end)];
    let at = memchr::memchr(b'@', window)?;
    let slash = memchr::memchr(b'/', &window[..at])?;
    let found = &window[slash + 1..at];
    let whole = !found.is_empty() && !found.iter().any(u8::is_ascii_whitespace);
    (whole && !placeholder(found)).then_some(Span {
        start: hit_end + slash + 1,
        end: hit_end + at,
        name: "password",
    })
}

/// `host:port:database:user:password` (the manual of `PostgreSQL`, "The Password File").
pub(super) fn pgpass(text: &[u8], hit: usize) -> Option<Span> {
    let from = hit.saturating_sub(256);
    let start = memchr::memrchr(b'\n', &text[from..hit]).map_or(from, |at| from + at + 1);
    let end = line_end(text, hit);
    let line = &text[start..end];
    let mut fields = line.splitn(5, |byte| *byte == b':');
    let host = fields.next()?;
    let port = fields.next()?;
    let database = fields.next()?;
    let user = fields.next()?;
    let password = fields.next()?.trim_ascii_end();
    let plain = |field: &[u8]| {
        !field.is_empty()
            && field
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-*+".contains(byte))
    };
    if !(plain(host) && plain(port) && plain(database) && plain(user))
        || password.len() < 4
        || placeholder(password)
    {
        return None;
    }
    if !(port == b"*" || port.iter().all(u8::is_ascii_digit)) || password.contains(&b' ') {
        return None;
    }
    let at = start + (password.as_ptr() as usize - line.as_ptr() as usize);
    Some(Span {
        start: at,
        end: at + password.len(),
        name: "password",
    })
}

/// `program -u user -p password`, whatever the program is.
pub(super) fn flag(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let near = &text[hit.saturating_sub(128)..hit];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at + 1..]);
    let blank = memchr::memrchr(b' ', line)?;
    let user = line.len() - blank > 1
        && [&b" -u"[..], b" -U", b" --user", b" --username"]
            .iter()
            .any(|flag| line[..blank].ends_with(flag));
    let from = hit_end + usize::from(matches!(text.get(hit_end), Some(b'"' | b'\'')));
    let to = word_end(text, from, text.len().min(from + 256));
    let found = &text[from..to];
    (user && phrase(found) && !placeholder(found)).then_some(Span {
        start: from,
        end: to,
        name: "password",
    })
}

/// `send "password\r"` (the manual of Expect).
pub(super) fn send(text: &[u8], hit_end: usize) -> Option<Span> {
    let window = &text[hit_end..text.len().min(hit_end + 128)];
    let close = memchr::memchr(b'"', window)?;
    let line = &window[..close];
    let found = line.strip_suffix(b"\\r").or(line.strip_suffix(b"\\n"))?;
    (phrase(found) && !found.contains(&b' ')).then_some(Span {
        start: hit_end,
        end: hit_end + found.len(),
        name: "password",
    })
}
