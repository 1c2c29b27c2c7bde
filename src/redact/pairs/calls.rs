//! Calls in code that take a password by its place among the arguments: `new mysqli(host, user, password)`.

use super::judge::bounded_secret;
use crate::redact::span::Span;
use crate::redact::words::names::kind;
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{placeholder, random};

/// The call, as it is written in `known_places`, and the number of the argument that is the password, counted from 0.
const CALLS: &[(&str, usize)] = &[
    ("getconnection(", 2),
    ("mysqli(", 2),
    ("mysqli_connect(", 2),
    ("mysql_connect(", 2),
    ("new pdo(", 2),
    ("pymysql.connect(", 2),
    (".login(", 1),
    ("basicauth(", 1),
    ("credentials(", 1),
    ("credential(", 1),
    ("passwordauthentication(", 1),
    ("auth=(", 1),
    ("mysqldb.connect(", 2),
    ("create_user(", 2),
    ("__construct(", 2),
    ("twilio(", 1),
    ("bot.run(", 1),
    (".auth(", 1),
    ("dbi->connect(", 2),
    ("dbi.connect(", 2),
    ("oci_connect(", 1),
    ("odbc_connect(", 2),
    ("mssql_connect(", 2),
    ("ftp_login(", 2),
    ("imap_open(", 2),
    ("ssh2_auth_password(", 2),
    ("ftp.open(", 2),
    ("ldap_bind(", 2),
    ("simple_bind_s(", 1),
    ("plainauth(", 2),
    ("cx_oracle.connect(", 1),
    ("oracledb.connect(", 1),
    ("basic_auth(", 1),
];

/// The password, if it is written out in quotes.
pub(in crate::redact) fn find(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let key = &text[hit..hit_end];
    let (_, nth) = CALLS
        .iter()
        .find(|(call, _)| call.as_bytes().eq_ignore_ascii_case(key))?;
    let arguments = strings(text, hit_end);
    // client.login("token"), wandb.login(key="token")
    let alone = key.ends_with(b"n(") && arguments.len() == 1;
    let nth = match arguments.len() {
        1 if alone => 0,
        // Credentials("realm", "host", "user", "password")
        4 if key.eq_ignore_ascii_case(b"credentials(") => 3,
        _ => *nth,
    };
    let (start, end) = (*arguments.get(nth)?)?;
    let found = &text[start..end];
    let secret = if alone {
        random(found, 24)
    } else {
        found.len() >= 6 && (strong_password(found) || random(found, 6))
    };
    (secret && !placeholder(found) && !found.iter().any(u8::is_ascii_whitespace)).then_some(Span {
        start,
        end,
        name: "password",
    })
}

/// `INSERT INTO users (name, password) VALUES ('al', 'x'), ('bo', 'y')`: masks the strings in columns with a telling name;
/// returns where the last row ends.
pub(in crate::redact) fn insert(text: &[u8], hit_end: usize, out: &mut Vec<Span>) -> usize {
    let window = &text[hit_end..text.len().min(hit_end + 2048)];
    let Some(open) = memchr::memchr(b'(', &window[..window.len().min(128)]) else {
        return hit_end;
    };
    let Some(close) = memchr::memchr(b')', &window[open..]) else {
        return hit_end;
    };
    let columns: Vec<_> = window[open + 1..open + close]
        .split(|byte| *byte == b',')
        .enumerate()
        .filter_map(|(nth, name)| Some((nth, kind(name)?)))
        .collect();
    let mut at = hit_end + open + close + 1;
    let rest = text[at..].trim_ascii_start();
    if columns.is_empty() || rest.len() < 6 || !rest[..6].eq_ignore_ascii_case(b"values") {
        return hit_end;
    }
    at += text[at..].len() - rest.len() + 6;
    for _ in 0..256 {
        let from = at;
        while at < text.len() && at - from < 64 && b" ,\r\n\t".contains(&text[at]) {
            at += 1;
        }
        if text.get(at) != Some(&b'(') {
            break;
        }
        let values = strings(text, at + 1);
        for (nth, kind) in &columns {
            if let Some(Some((start, end))) = values.get(*nth).copied()
                && bounded_secret(&text[start..end], *kind)
            {
                out.push(Span {
                    start,
                    end,
                    name: "password",
                });
            }
        }
        // A row counts as ended behind its last string.
        let last = values.iter().flatten().map(|(_, end)| *end).max();
        let past = last.unwrap_or(at);
        let near = &text[past..text.len().min(past + 256)];
        let Some(close) = memchr::memchr(b')', near) else {
            break;
        };
        at = past + close + 1;
    }
    at
}

/// The arguments of a call, up to its closing bracket or the end of the window: the borders of each string, `None` for an
/// argument that is no string. `key=` before a string is skipped.
fn strings(text: &[u8], at: usize) -> Vec<Option<(usize, usize)>> {
    let end = text.len().min(at + 512);
    let mut out = Vec::new();
    let mut own = None;
    let mut depth = 0;
    let mut nth = at;
    while nth < end {
        match text[nth] {
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(close) = memchr::memchr(quote, &text[nth + 1..end]) else {
                    break;
                };
                own = Some((nth + 1, nth + 1 + close));
                nth += 1 + close;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => {
                out.push(own);
                break;
            }
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => out.push(own.take()),
            b';' => break,
            _ => {}
        }
        nth += 1;
    }
    out
}
