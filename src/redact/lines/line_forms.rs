//! Passwords and codes in lines that have a form of their own and no telling name: `.pgpass`, Postfix's `sasl_passwd`,
//! rules of Redis, roots of CVS, Oracle's URLs, the code of an OAuth grant, logins to FTP and to a chat's services.
//!
//! Sources: the manuals of the programs that each function names.

use crate::redact::layout::columns::{line, margin, next};
use crate::redact::pairs::separator::skip_space;
use crate::redact::places::known_places::{line_end, skip_blanks, word_end};
use crate::redact::span::Span;
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{placeholder, random, words_only};

fn password(text: &[u8], start: usize, end: usize) -> Option<Span> {
    let found = &text[start..end];
    (found.len() >= 4 && !placeholder(found)).then_some(Span {
        start,
        end,
        name: "password",
    })
}

/// True for a word that is more than a plain word or a path.
pub(in crate::redact) fn likely_password(found: &[u8]) -> bool {
    let digit = found.iter().any(u8::is_ascii_digit);
    strong_password(found)
        || (found.len() >= 6 && !found.contains(&b'/') && (digit || !words_only(found)))
}

/// A line of Postfix's `sasl_passwd` (postconf, `smtp_sasl_password_maps`).
pub(in crate::redact) fn relay(text: &[u8], hit_end: usize) -> Option<Span> {
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

/// Words beside `code` that make it the code of an OAuth grant (RFC 6749 section 4.1).
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
pub(in crate::redact) fn grant(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
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
pub(in crate::redact) fn pserver(text: &[u8], hit_end: usize) -> Option<Span> {
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
pub(in crate::redact) fn acl(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
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
pub(in crate::redact) fn thin(text: &[u8], hit_end: usize) -> Option<Span> {
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
pub(in crate::redact) fn pgpass(text: &[u8], hit: usize) -> Option<Span> {
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
    // daemon:*:19800:0:99999:7:::, a line of /etc/shadow
    if database.iter().chain(user).all(u8::is_ascii_digit) || password.ends_with(b"::") {
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
pub(in crate::redact) fn flag(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
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
    (user && strong_password(found) && !placeholder(found)).then_some(Span {
        start: from,
        end: to,
        name: "password",
    })
}

/// `send "password\r"` (the manual of Expect).
pub(in crate::redact) fn send(text: &[u8], hit_end: usize) -> Option<Span> {
    let window = &text[hit_end..text.len().min(hit_end + 128)];
    let close = memchr::memchr(b'"', window)?;
    let line = &window[..close];
    let found = line.strip_suffix(b"\\r").or(line.strip_suffix(b"\\n"))?;
    (strong_password(found) && !found.contains(&b' ')).then_some(Span {
        start: hit_end,
        end: hit_end + found.len(),
        name: "password",
    })
}

/// `/msg NickServ IDENTIFY [account] X`, `NickServ REGISTER X mail` (the help of Atheme and Anope).
pub(in crate::redact) fn services(text: &[u8], hit_end: usize) -> Option<Span> {
    let mut at = hit_end;
    let end = line_end(text, at);
    let mut asked = false;
    let mut best = None;
    for _ in 0..5 {
        while at < end && b" :\t\"'".contains(&text[at]) {
            at += 1;
        }
        let to = word_end(text, at, end);
        let word = &text[at..to];
        if asked && likely_password(word) && !word.contains(&b'@') {
            best = Some((at, to));
        }
        asked |= [
            "identify", "id", "register", "ghost", "regain", "release", "recover",
        ]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
        if to == at {
            break;
        }
        at = to;
    }
    let (from, to) = best?;
    password(text, from, to)
}

/// `user NAME PASSWORD` in the input of an FTP client (the man page of ftp): a line of three words near the word `ftp`.
pub(in crate::redact) fn ftp_user(text: &[u8], hit: usize) -> Option<Span> {
    let (start, end) = line(text, hit, 256)?;
    let from = start + margin(&text[start..end]);
    if !text.get(from..hit)?.trim_ascii().is_empty() {
        return None;
    }
    let mut words = text[hit..end]
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let (_, _, last) = (words.next()?, words.next()?, words.next()?);
    let near = text[start.saturating_sub(256)..start].to_ascii_lowercase();
    let ftp = memchr::memmem::find(&near, b"ftp").is_some()
        || memchr::memmem::find(&near, b"open ").is_some();
    let plain =
        words_only(last) && last.iter().all(u8::is_ascii_alphanumeric) && !strong_password(last);
    if words.next().is_some() || !ftp || !likely_password(last) || plain {
        return None;
    }
    let at = last.as_ptr() as usize - text.as_ptr() as usize;
    password(text, at, at + last.len())
}

/// Lines of pgbouncer's `auth_file`: `"user" "password"` and nothing else.
pub(in crate::redact) fn userlist(text: &[u8], hit: usize, out: &mut Vec<Span>) -> usize {
    let Some((_, mut end)) = line(text, hit, 512) else {
        return hit + 1;
    };
    for _ in 0..64 {
        let past = end + usize::from(text.get(end) == Some(&b'\r'));
        let Some((start, stop)) = next(text, past, 512) else {
            break;
        };
        end = stop;
        let row = &text[start..stop];
        let quotes: Vec<usize> = memchr::memchr_iter(b'"', row).collect();
        let comment = row.starts_with(b";") || row.starts_with(b"#") || row.is_empty();
        if comment {
            continue;
        }
        let [0, b, c, d] = quotes[..] else { break };
        if !row[b + 1..c].iter().all(|byte| *byte == b' ') {
            break;
        }
        let hash =
            row[c + 1..d].starts_with(b"md5") && d - c > 32 || row[c + 1..d].starts_with(b"SCRAM-");
        if !hash {
            out.extend(password(text, start + c + 1, start + d));
        }
    }
    end.max(hit + 1)
}

/// `SET PASSWORD FOR 'u'@'%' = 'x'`, also as `PASSWORD('x')` (the manual of `MySQL`).
pub(in crate::redact) fn set_password(text: &[u8], hit_end: usize) -> Option<Span> {
    let end = line_end(text, hit_end).min(hit_end + 256);
    let sign = hit_end + memchr::memchr(b'=', &text[hit_end..end])?;
    let quote = sign + memchr::memchr2(b'\'', b'"', &text[sign..end])?;
    let whose = text[hit_end..sign].trim_ascii();
    if !(whose.is_empty() || whose.len() > 4 && whose[..4].eq_ignore_ascii_case(b"for ")) {
        return None; // set password expiry = 'never'
    }
    let between = text[sign + 1..quote].trim_ascii();
    let plain = between.is_empty()
        || between.eq_ignore_ascii_case(b"password(")
        || between.eq_ignore_ascii_case(b"old_password(");
    let close = quote + 1 + memchr::memchr(text[quote], &text[quote + 1..end])?;
    if !plain {
        return None;
    }
    password(text, quote + 1, close)
}

/// `$USER5$=x`, a macro of Nagios' `resource.cfg`.
pub(in crate::redact) fn nagios(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let sign = text[hit_end..]
        .iter()
        .take(4)
        .position(|byte| !byte.is_ascii_digit())?
        + hit_end;
    if !text[sign..].starts_with(b"$=") || text[..hit].last().is_some_and(|byte| *byte != b'\n') {
        return None;
    }
    let end = line_end(text, sign);
    let found = text[sign + 2..end].trim_ascii();
    (strong_password(found) && !found.contains(&b' '))
        .then(|| password(text, sign + 2, sign + 2 + found.len()))?
}

/// `*.host:user@domain:password`, a line of Exim's `passwd.client`.
pub(in crate::redact) fn exim(text: &[u8], hit: usize) -> Option<Span> {
    if text[..hit].last().is_some_and(|byte| *byte != b'\n') {
        return None;
    }
    let end = line_end(text, hit).min(hit + 256);
    let mut fields = text[hit..end].splitn(3, |byte| *byte == b':');
    let (host, user, found) = (fields.next()?, fields.next()?, fields.next()?);
    let name = |field: &[u8]| {
        field
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-*@+".contains(byte))
    };
    let fits = name(host) && name(user) && !user.is_empty() && likely_password(found);
    let spaced = found.iter().any(u8::is_ascii_whitespace);
    (fits && !spaced).then(|| password(text, end - found.len(), end))?
}

/// `https://conda.host/t/TOKEN/channel` (docs.anaconda.com, tokens).
pub(in crate::redact) fn conda(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let near = &text[hit.saturating_sub(128)..hit];
    let host = &near[memchr::memmem::rfind(near, b"://")? + 3..];
    let plain = host
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(byte));
    let window = &text[hit_end..text.len().min(hit_end + 96)];
    let len = window
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
        .count();
    let found = &window[..len];
    (plain && window.get(len) == Some(&b'/') && random(found, 24)).then_some(Span {
        start: hit_end,
        end: hit_end + len,
        name: "url-token",
    })
}

/// `accounts: ["0x…"]`, the private keys of a wallet in the configuration of Hardhat.
pub(in crate::redact) fn wallet(text: &[u8], hit_end: usize, out: &mut Vec<Span>) {
    let window = &text[hit_end..text.len().min(hit_end + 1024)];
    let Some(open) = window.iter().position(|byte| *byte == b'[') else {
        return;
    };
    if open > 8 || !window[..open].iter().all(|byte| b" \"':=".contains(byte)) {
        return;
    }
    let close = memchr::memchr(b']', window).unwrap_or(window.len());
    let mut at = open;
    while at < close {
        let hex = window[at..close]
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        if hex == 64 {
            let start = hit_end + at;
            let whole = usize::from(text[..start].ends_with(b"0x")) * 2;
            out.push(Span {
                start: start - whole,
                end: start + hex,
                name: "private-key",
            });
        }
        at += hex.max(1);
    }
}

/// `child.sendline("x")` behind a prompt for a password (the manuals of Pexpect and Expect).
pub(in crate::redact) fn sendline(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let at = skip_blanks(text, hit_end);
    let at = at + usize::from(matches!(text.get(at), Some(b'b' | b'r')));
    let quote = text.get(at).copied().filter(|byte| b"\"'".contains(byte))?;
    let end = line_end(text, at).min(at + 128);
    let close = at + 1 + memchr::memchr(quote, &text[at + 1..end])?;
    let mut found = &text[at + 1..close];
    while let Some(rest) = found.strip_suffix(b"\\n").or(found.strip_suffix(b"\\r")) {
        found = rest;
    }
    let near = text[hit.saturating_sub(160)..hit].to_ascii_lowercase();
    let asked = [&b"assword"[..], b"assphrase", b"asswd", b"ennwort"]
        .iter()
        .any(|word| memchr::memmem::find(&near, word).is_some());
    let secret =
        asked && likely_password(found) && !found.contains(&b' ') && !found.contains(&b'$');
    secret.then(|| password(text, at + 1, at + 1 + found.len()))?
}
