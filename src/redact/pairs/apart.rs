//! A name and its value in members of their own: `{"value": "x", "name": "DB_PASSWORD"}`, Kubernetes' `env`, GitHub's
//! variables, `<add key="ApiToken" value="x"/>`; and values that another member makes secret, as `"kty"` does in a JSON Web Key.

use super::judge::bounded_secret;
use super::separator::skip_space;
use crate::redact::layout::columns::{line, next};
use crate::redact::layout::members::{self, Member};
use crate::redact::span::Span;
use crate::redact::words::names::{Kind, kind};
use crate::redact::words::value::{placeholder, random, words_only};

/// Keys of the member that holds the name.
const NAMES: &[&str] = &[
    "name",
    "key",
    "parametername",
    "parameterkey",
    "variable",
    "var",
    "env",
    "envvar",
    "field",
    "label",
    "title",
    "keyname",
    "id",
    "option_name",
    "setting",
    "optionname",
    "property",
    "secretname",
    "variable_name",
    "env_name",
];

/// Keys of the member that holds the value: `{"name": "TOKEN", "value": "x"}`.
const VALUES: &[&str] = &[
    "value",
    "val",
    "parametervalue",
    "content",
    "text",
    "string",
    "data",
    "values",
    "option_value",
    "optionvalue",
    "secretvalue",
    "secret_value",
    "plaintext",
    "current_value",
    "settingvalue",
    "env_value",
    "defaultvalue",
    "default",
    "default_value",
];

fn is(word: &[u8], list: &[&str]) -> bool {
    list.iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Tried at a telling word: the value of the pair whose name the word is.
pub(in crate::redact) fn find(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let mut start = hit;
    while start > 0 && hit - start < 64 && byte(text[start - 1]) {
        start -= 1;
    }
    let mut end = hit_end;
    while end < text.len() && end - hit_end < 48 && byte(text[end]) {
        end += 1;
    }
    let name = &text[start..end];
    // Most words fail this cheap test: the name must be the value of a member, or an object must follow the name.
    let before = text[..start].last().copied().unwrap_or(b' ');
    let after = text.get(end).copied().unwrap_or(b' ');
    if !b"\"'>: =".contains(&before) || !b"\"'<\n\r,} ".contains(&after) {
        return None;
    }
    if before == b' ' && !matches!(text[..start].trim_ascii_end().last(), Some(b':' | b'=')) {
        return None;
    }
    let kind = kind(name.rsplit(|byte| *byte == b'/').next().unwrap_or(name))?;
    let (from, to) = beside(text, start, end)
        .or_else(|| attribute(text, start, end))
        .or_else(|| element(text, start, end))
        .or_else(|| part(text, start, end))
        .or_else(|| redis_reply(text, start, end))?;
    let found = &text[from..to];
    bounded_secret(found, kind).then_some(Span {
        start: from,
        end: to,
        name: match kind {
            Kind::Password => "password",
            Kind::Token => "secret",
        },
    })
}

/// The value in the object whose member has the name `start..end` as its value, or in the object that follows the name.
fn beside(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let before = text[..start].trim_ascii_end();
    let before = before
        .strip_suffix(b"\"")
        .or(before.strip_suffix(b"'"))
        .unwrap_or(before)
        .trim_ascii_end();
    let sign = before.last().copied();
    if sign == Some(b':') || sign == Some(b'=') {
        let key = before[..before.len() - 1].trim_ascii_end();
        let key = key
            .strip_suffix(b"\"")
            .or(key.strip_suffix(b"'"))
            .unwrap_or(key);
        let word = key
            .iter()
            .rev()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        if !is(&key[key.len() - word..], NAMES) {
            return None;
        }
        let (members, _) = members::around(text, start)?;
        let own = members
            .iter()
            .any(|member| member.value.0 <= start && end <= member.value.1);
        return own.then(|| valued(text, &members)).flatten();
    }
    // "db_password": {"value": "x", "sensitive": true}
    let after = text.get(end).copied();
    let colon = skip_space(text, end + usize::from(after == Some(b'"')));
    let open = skip_space(text, colon + 1);
    // variable "db_password" { default = "x" }
    let (open, object) = if text.get(colon) == Some(&b'{') {
        (colon, true)
    } else {
        let object = text.get(colon) == Some(&b':') && text.get(open) == Some(&b'{');
        (open, object)
    };
    let block = after == Some(b'"') && object;
    if !block {
        return None;
    }
    let (members, _) = members::inside(text, open + 1, 2048);
    valued(text, &members)
}

fn valued(text: &[u8], members: &[Member]) -> Option<(usize, usize)> {
    members
        .iter()
        .filter(|member| member.open.is_none())
        .find(|member| is(&text[member.key.0..member.key.1], VALUES))
        .map(|member| member.value)
}

/// `<add value="x" key="ApiToken"/>`: the value is another attribute of the name's element.
fn attribute(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let quote = text[..start].last().copied()?;
    if !b"\"'".contains(&quote) || text.get(end) != Some(&quote) {
        return None;
    }
    let from = start.saturating_sub(512);
    let open = from + memchr::memrchr(b'<', &text[from..start])?;
    if memchr::memchr(b'>', &text[open..start]).is_some() {
        return None;
    }
    let to = end + memchr::memchr(b'>', &text[end..text.len().min(end + 1024)])?;
    let tag = &text[open..to];
    for word in [
        &b" value="[..],
        b" Value=",
        b" VALUE=",
        b" content=",
        b" val=",
    ] {
        if let Some(at) = memchr::memmem::find(tag, word) {
            let from = open + at + word.len();
            let quote = text[from];
            let to = from + 1 + memchr::memchr(quote, &text[from + 1..to])?;
            return b"\"'".contains(&quote).then_some((from + 1, to));
        }
    }
    // <entry key="db.password">x</entry>
    let stop = to + 1 + memchr::memchr(b'<', &text[to + 1..text.len().min(to + 1024)])?;
    (!tag.ends_with(b"/") && text[stop..].starts_with(b"</")).then_some((to + 1, stop))
}

/// `1) "requirepass"` and on the next line `2) "x"`: a reply of Redis, as redis-cli numbers it.
fn redis_reply(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let number = |line: &[u8]| {
        let open = memchr::memchr(b'"', line)?;
        let head = line[..open].trim_ascii();
        let head = head.strip_suffix(b")")?;
        let digits = head
            .iter()
            .all(|byte| byte.is_ascii_digit() || b" )".contains(byte));
        (!head.is_empty() && digits).then_some(open + 1)
    };
    let (from, to) = line(text, start, 512)?;
    let open = from + number(&text[from..to])?;
    if open != start || text[end..to].trim_ascii_end() != b"\"" {
        return None;
    }
    let (from, to) = next(text, to + usize::from(text.get(to) == Some(&b'\r')), 4096)?;
    let open = from + number(&text[from..to])?;
    let close = from + memchr::memrchr(b'"', &text[from..to])?;
    (close > open).then_some((open, close))
}

/// Names of objects whose member `key` signs or encrypts.
const HOLDERS: &[&str] = &[
    "jwt",
    "jwtsettings",
    "jwtoptions",
    "jwtconfig",
    "jwtconfiguration",
    "jwtbearer",
    "jwtauth",
    "jwttoken",
    "token",
    "tokens",
    "tokensettings",
    "tokenoptions",
    "tokenconfig",
    "auth",
    "authentication",
    "authsettings",
    "authoptions",
    "signing",
    "signingsettings",
    "encryption",
    "encryptionsettings",
    "encryptionoptions",
];

/// `"Jwt": {"Key": "x"}`, in JSON and in YAML, where the value looks drawn at random (docs of ASP.NET Core, configuration of JWT
/// bearers).
pub(in crate::redact) fn holder(text: &[u8], hit: usize) -> Option<Span> {
    let part = |byte: &u8| byte.is_ascii_alphabetic() || b"_-".contains(byte);
    if text[..hit]
        .last()
        .is_some_and(|byte| part(byte) || byte.is_ascii_digit())
    {
        return None;
    }
    let len = text[hit..]
        .iter()
        .take(24)
        .take_while(|byte| part(byte))
        .count();
    let quoted = matches!(text.get(hit + len), Some(b'"' | b'\''));
    let colon = hit + len + usize::from(quoted);
    if text.get(colon) != Some(&b':') {
        return None;
    }
    let open = skip_space(text, colon + 1);
    let flow = text.get(open) == Some(&b'{');
    if !flow
        && text
            .get(colon + 1..open)
            .is_none_or(|gap| !gap.contains(&b'\n'))
    {
        return None;
    }
    let name: Vec<u8> = text[hit..hit + len]
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .copied()
        .collect();
    if !is(&name, HOLDERS) {
        return None;
    }
    let (from, to) = if flow {
        let (members, _) = members::inside(text, open + 1, 2048);
        let key = |member: &&Member| is(&text[member.key.0..member.key.1], &["key"]);
        members
            .iter()
            .filter(|member| member.quoted)
            .find(key)?
            .value
    } else {
        below(text, hit)?
    };
    let found = &text[from..to];
    let hex = found.iter().all(u8::is_ascii_hexdigit);
    let digits = found.iter().filter(|byte| byte.is_ascii_digit()).count();
    let cases =
        found.iter().any(u8::is_ascii_uppercase) && found.iter().any(u8::is_ascii_lowercase);
    let sign = found.iter().any(|byte| b"!@#$%^&*?~".contains(byte));
    // 16 or 40 hexadecimal digits are the number of a PGP key.
    let drawn = if hex {
        [32, 48, 64, 96, 128].contains(&found.len())
    } else {
        found.len() >= 16 && !words_only(found) && (cases && digits >= 2 || sign && digits >= 1)
    };
    let plain = !found
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || b":{}()".contains(byte));
    let file =
        found.iter().filter(|byte| b"/.".contains(byte)).count() > 3 || found.starts_with(b"/");
    (drawn && plain && !file && !placeholder(found)).then_some(Span {
        start: from,
        end: to,
        name: "secret",
    })
}

/// The value of `key:` in the lines below the line of `hit` that are indented deeper.
fn below(text: &[u8], hit: usize) -> Option<(usize, usize)> {
    let (start, mut end) = line(text, hit, 128)?;
    let indent = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
    let outer = indent(&text[start..end]);
    if start + outer != hit {
        return None;
    }
    for _ in 0..8 {
        let (from, to) = next(text, end + usize::from(text.get(end) == Some(&b'\r')), 1024)?;
        end = to;
        let row = &text[from..to];
        if indent(row) <= outer {
            return None;
        }
        let bare = row.trim_ascii();
        let head = bare.get(..4).unwrap_or_default();
        if head.eq_ignore_ascii_case(b"key:") {
            let found = bare[4..].trim_ascii();
            let inner = [b'"', b'\'']
                .iter()
                .find_map(|quote| found.strip_prefix(&[*quote])?.strip_suffix(&[*quote]));
            let found = inner.unwrap_or(found);
            let at = found.as_ptr() as usize - text.as_ptr() as usize;
            return Some((at, at + found.len()));
        }
    }
    None
}

/// `name="password"`, an empty line and the value: a part of a form (RFC 7578).
fn part(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    if !text[..start].ends_with(b"name=\"") {
        return None;
    }
    let rest = text[end..].strip_prefix(b"\"")?;
    let breaks = [&b"\r\n\r\n"[..], b"\n\n", b"\\r\\n\\r\\n"];
    let skip = breaks.iter().find(|head| rest.starts_with(head))?.len();
    let from = end + 1 + skip;
    let window = &text[from..text.len().min(from + 512)];
    let to = from
        + window
            .iter()
            .position(|byte| b"\r\n\\".contains(byte))
            .unwrap_or(window.len());
    Some((from, to))
}

/// `<key>password</key><string>x</string>`: the value is the element behind the name's element.
fn element(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    if text[..start].last() != Some(&b'>') || !text[end..].starts_with(b"</") {
        return None;
    }
    let close = end + memchr::memchr(b'>', &text[end..text.len().min(end + 48)])?;
    if !is(&text[end + 2..close], NAMES) {
        return None;
    }
    let open = skip_space(text, close + 1);
    if text.get(open) != Some(&b'<') {
        return None;
    }
    let past = open + 1 + memchr::memchr(b'>', &text[open..text.len().min(open + 48)])?;
    let stop = past + memchr::memchr(b'<', &text[past..text.len().min(past + 1024)])?;
    Some((past, stop))
}

/// Names of the private parts of a JSON Web Key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4; RFC 8037 section 2).
const PRIVATE: &[&[u8]] = &[b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k", b"t"];

/// Tried at `kty`: masks the private parts of the JSON Web Key; returns where the key ends.
pub(in crate::redact) fn jwk(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    out: &mut Vec<Span>,
) -> usize {
    let named = text[..hit]
        .last()
        .is_none_or(|byte| !byte.is_ascii_alphanumeric())
        && text
            .get(hit_end)
            .is_some_and(|byte| b"\"': =\\".contains(byte));
    if !named {
        return hit_end;
    }
    let Some((members, end)) = members::around(text, hit) else {
        return hit_end;
    };
    for member in &members {
        let found = &text[member.value.0..member.value.1];
        let private = PRIVATE.contains(&&text[member.key.0..member.key.1]);
        if private && found.len() >= 8 && !placeholder(found) && random(found, 8) {
            out.push(Span {
                start: member.value.0,
                end: member.value.1,
                name: "private-key",
            });
        }
    }
    end.max(hit_end)
}

/// Tried at the opening tag of an XML key of .NET: masks its private parts.
pub(in crate::redact) fn xml_key(text: &[u8], hit: usize, out: &mut Vec<Span>) {
    let window = &text[hit..text.len().min(hit + 8192)];
    for tag in ["<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>", "<X>"] {
        let Some(at) = memchr::memmem::find(window, tag.as_bytes()) else {
            continue;
        };
        let from = hit + at + tag.len();
        let len = memchr::memchr(b'<', &text[from..text.len().min(from + 4096)]).unwrap_or(0);
        if len >= 16 && !placeholder(&text[from..from + len]) {
            out.push(Span {
                start: from,
                end: from + len,
                name: "private-key",
            });
        }
    }
}

/// Tools that keep a secret in a member with an innocent name: the word that tells the kind of object, and the names of the
/// members that hold its secret.
pub(in crate::redact) const KINDS: &[(&str, &[&str])] = &[
    // Terraform's state.
    ("random_password", &["result", "bcrypt_hash"]),
    ("random_string", &["result"]),
    ("random_bytes", &["base64", "hex"]),
    (
        "tls_private_key",
        &["private_key_pem", "private_key_openssh"],
    ),
    // az storage account keys list
    ("\"permissions\"", &["value"]),
];

/// Tried at the first words of [`KINDS`]: the object's secret.
pub(in crate::redact) fn kept(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let word = &text[hit..hit_end];
    let (_, names) = KINDS
        .iter()
        .find(|(kind, _)| word.eq_ignore_ascii_case(kind.as_bytes()))?;
    let beside = members::flow(text, hit + 1, 1024, 1024).map(|(members, _)| members);
    let within = || {
        let window = &text[hit_end..text.len().min(hit_end + 1024)];
        let at = memchr::memmem::find(window, b"\"attributes\"")?;
        let open = hit_end + at + memchr::memchr(b'{', &window[at..])?;
        Some(members::inside(text, open + 1, 4096).0)
    };
    let pick = |members: Vec<Member>| {
        members
            .into_iter()
            .find(|member| member.quoted && is(&text[member.key.0..member.key.1], names))
    };
    // resource "random_password" "db" {
    let block = || {
        let rest = text[hit_end..].strip_prefix(b"\"")?;
        let end = memchr::memchr(b'\n', &rest[..rest.len().min(160)])?;
        let said = rest[..end].trim_ascii_end();
        let open = hit_end + 1 + said.strip_suffix(b"{")?.len();
        Some(members::inside(text, open + 1, 4096).0)
    };
    let member = beside
        .and_then(pick)
        .or_else(|| within().and_then(pick))
        .or_else(|| block().and_then(pick))?;
    let found = &text[member.value.0..member.value.1];
    (random(found, 8) && !placeholder(found)).then_some(Span {
        start: member.value.0,
        end: member.value.1,
        name: "secret",
    })
}
