//! A shell's transcript: a command asks for a secret by its name, and the next line is the secret.
//!
//! `$ terraform output -raw db_password`, `$ cat config/master.key`, `$ gh variable get API_TOKEN`.

use crate::redact::layout::columns::{line, margin, next};
use crate::redact::span::Span;
use crate::redact::words::names::{Kind, kind};
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{placeholder, random, words_only};

/// Commands that print a secret and nothing else: the program and the words that must all occur behind it. Source: the
/// manual of each program.
#[rustfmt::skip]
const PRINTS: &[&[&[u8]]] = &[
    &[b"argocd", b"initial-password"],
    &[b"gcloud", b"auth", b"print-access-token"],
    &[b"gcloud", b"auth", b"print-identity-token"],
    &[b"az", b"get-access-token"],
    &[b"aws", b"get-login-password"],
    &[b"oc", b"whoami", b"-t"],
    &[b"oc", b"whoami", b"--show-token"],
    &[b"gh", b"auth", b"token"],
    &[b"heroku", b"auth:token"],
    &[b"fly", b"auth", b"token"],
    &[b"flyctl", b"auth", b"token"],
    &[b"pass", b"show"],
    &[b"gopass", b"show"],
    &[b"op", b"read"],
    &[b"op", b"get", b"--fields"],
    &[b"vault", b"kv", b"get", b"-field"],
    &[b"vault", b"read", b"-field"],
    &[b"vault", b"print", b"token"],
    &[b"security", b"find-generic-password", b"-w"],
    &[b"security", b"find-internet-password", b"-w"],
    &[b"openssl", b"rand"],
    &[b"pwgen"],
    &[b"lpass", b"show", b"--password"],
    &[b"secret-tool", b"lookup"],
    &[b"keyring", b"get"],
    &[b"bw", b"get", b"password"],
    &[b"chamber", b"read", b"-q"],
    &[b"kubectl", b"create", b"token"],
    &[b"kubeadm", b"token", b"create"],
    &[b"docker", b"swarm", b"join-token", b"-q"],
    &[b"rails", b"secret"],
    &[b"rake", b"secret"],
    &[b"wg", b"genkey"],
    &[b"wg", b"genpsk"],
    &[b"terraform", b"output", b"-raw"],
    &[b"sops", b"-d", b"--extract"],
    &[b"bitcoin-cli", b"dumpprivkey"],
    &[b"litecoin-cli", b"dumpprivkey"],
    &[b"dogecoin-cli", b"dumpprivkey"],
    &[b"dash-cli", b"dumpprivkey"],
    &[b"zcash-cli", b"z_exportkey"],
    &[b"zcash-cli", b"dumpprivkey"],
    &[b"cast", b"wallet", b"private-key"],
    &[b"cast", b"wallet", b"decrypt-keystore"],
    &[b"wg", b"show", b"private-key"],
    &[b"consul", b"keygen"],
    &[b"nomad", b"gossip", b"keyring", b"generate"],
    &[b"mix", b"phx.gen.secret"],
    &[b"vault", b"token", b"create", b"-field"],
    &[b"docker", b"swarm", b"unlock-key", b"-q"],
    &[b"cloudflared", b"tunnel", b"token"],
    &[b"doppler", b"secrets", b"get", b"--plain"],
    &[b"infisical", b"secrets", b"get", b"--plain"],
    &[b"aws", b"generate-db-auth-token"],
    &[b"aws", b"get-authorization-token", b"--query"],
    &[b"step", b"ca", b"token"],
    &[b"slappasswd"],
    &[b"mkpasswd"],
    &[b"doctl", b"auth", b"token"],
    &[b"snowsql", b"--generate-jwt"],
    &[b"jf", b"access-token-create"],
];

/// True where `command` is one of [`PRINTS`]. The last word of a row may begin a longer word: `-field=` is in `-field=password`.
fn prints(command: &[u8]) -> bool {
    let words = || {
        command
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
    };
    let program = words()
        .find(|word| ![&b"sudo"[..], b"time", b"bin/rails", b"bundle", b"exec"].contains(word))
        .unwrap_or_default();
    let program = program
        .rsplit(|byte| *byte == b'/')
        .next()
        .unwrap_or(program);
    // pass web/db
    if program == b"pass" && words().count() == 2 && words().any(|word| word.contains(&b'/')) {
        return true;
    }
    PRINTS.iter().any(|row| {
        let (first, rest) = row.split_first().expect("a row has a program");
        *first == program
            && rest
                .iter()
                .all(|part| words().any(|word| word.starts_with(part)))
    })
}

/// Words of commands that print the thing they are asked for: `cat`, `get`.
const ASKS: &[&[u8]] = &[
    b"output",
    b"get",
    b"show",
    b"read",
    b"echo",
    b"printenv",
    b"cat",
    b"access",
    b"print",
    b"reveal",
    b"decrypt",
    b"view",
    b"head",
    b"bat",
    b"get-secret-value",
    b"get-parameter",
    b"get-value",
    b"config:get",
    b"base64",
    b"find-generic-password",
    b"token",
    b"dump",
    b"more",
    b"less",
    b"tail",
    b"type",
    b"generate",
    b"create",
];

/// Tried at a telling word or at a command of [`PRINTS`]; `settled` is the end of the last line that was tried as a command.
pub(in crate::redact) fn find(text: &[u8], hit: usize, settled: &mut usize) -> Option<Span> {
    if hit < *settled {
        return None;
    }
    let Some((start, end)) = line(text, hit, 1024) else {
        *settled = hit + 1;
        return None;
    };
    *settled = end.max(hit + 1);
    let from = start + margin(&text[start..end]);
    let line = &text[from.min(end)..end];
    let behind = prompted(line);
    let command = behind.unwrap_or(line.trim_ascii());
    let sure = prints(command);
    if !sure && behind.is_none() {
        return None;
    }
    let redis = session(line).is_some();
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"'\"|;{}()[]$,".contains(byte);
    let words = || command.split(stop).filter(|word| !word.is_empty());
    let promise = if sure {
        Kind::Password
    } else {
        let mut kinds = words().filter_map(|word| promised(word.trim_ascii()));
        let first = kinds.next()?;
        if kinds.any(|kind| kind == Kind::Password) {
            Kind::Password
        } else {
            first
        }
    };
    // `# config/master.key`: the name of a file above its contents.
    let titled = words().count() == 1 && command.contains(&b'/');
    let shown = words()
        .any(|word| [&b"cat"[..], b"head", b"bat", b"more", b"less", b"type"].contains(&word));
    if !sure
        && !titled
        && !words().any(|word| {
            let lower = word.to_ascii_lowercase();
            ASKS.contains(&word)
                || redis && [&b"get"[..], b"hget", b"getex", b"getdel"].contains(&&lower[..])
        })
    {
        return None;
    }
    let mut end = end;
    for _ in 0..=usize::from(shown && promise == Kind::Password) {
        let (start, stop) = next(text, end + usize::from(text.get(end) == Some(&b'\r')), 1024)?;
        end = stop;
        if let Some(span) = answer(text, start, stop, promise, titled) {
            return Some(span);
        }
    }
    None
}

/// What kind of secret the name of a file or of a requested item promises: `db_password` a password.
fn promised(word: &[u8]) -> Option<Kind> {
    if word.ends_with(b".pgpass") {
        return None; // a file whose lines have a rule of their own
    }
    let name = word
        .rsplit(|byte| b"/=".contains(byte))
        .next()
        .unwrap_or(word);
    let bare = [&b".txt"[..], b".dat", b".conf", b".cfg", b".out", b".pass"]
        .iter()
        .find_map(|tail| name.strip_suffix(*tail));
    kind(bare.unwrap_or(name))
}

/// The secret on the line `start..end`, which must hold nothing else.
fn answer(text: &[u8], start: usize, end: usize, promise: Kind, titled: bool) -> Option<Span> {
    let from = start + margin(&text[start..end]);
    let found = text[from..end].trim_ascii();
    let quoted = found
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    let found = quoted.unwrap_or(found);
    let url = memchr::memmem::find(found, b"://").is_some();
    if url
        || found.iter().any(u8::is_ascii_whitespace)
        || placeholder(found)
        || found.contains(&b'/') && words_only(found)
    {
        return None;
    }
    let secret = match promise {
        _ if titled => {
            random(found, 20)
                && found
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte))
        }
        Kind::Password => strong_password(found) || random(found, 8),
        Kind::Token => random(found, 12) && found.iter().any(u8::is_ascii_digit),
    };
    let begin = from
        + text[from..end]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
        + usize::from(quoted.is_some());
    secret.then_some(Span {
        start: begin,
        end: begin + found.len(),
        name: "secret",
    })
}

/// The command behind the prompt of a shell.
fn prompted(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    for prompt in [
        &b"$ "[..],
        b"% ",
        b"> ",
        b"# ",
        b"PS> ",
        b"+ ",
        "❯ ".as_bytes(),
        "➜ ".as_bytes(),
    ] {
        if let Some(command) = line.strip_prefix(prompt) {
            return Some(command);
        }
    }
    if let Some(command) = session(line) {
        return Some(command);
    }
    // user@host:~$ command, [user@host ~]$ command, root@pod:/app# command, PS C:\\> command
    let near = &line[..line.len().min(64)];
    if near.starts_with(b"PS ") {
        return memchr::memmem::find(near, b"> ").map(|at| &line[at + 2..]);
    }
    let at = memchr::memmem::find(near, b"$ ").or(memchr::memmem::find(near, b"# "))?;
    let host = &line[..at];
    let blanks = memchr::memchr_iter(b' ', host).count();
    let user = host.contains(&b'@') && (blanks == 0 || (blanks == 1 && host.starts_with(b"[")));
    user.then_some(&line[at + 2..])
}

/// `127.0.0.1:6379> GET x`, `redis.internal:6380[2]> GET x`: the command behind redis-cli's prompt.
fn session(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let at = memchr::memmem::find(&line[..line.len().min(80)], b"> ")?;
    let host = &line[..at];
    let colon = memchr::memchr(b':', host)?;
    let port = host[colon + 1..]
        .iter()
        .all(|byte| byte.is_ascii_digit() || b"[]".contains(byte));
    let named = host[..colon]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(byte));
    (colon > 0 && named && port && at > colon + 1).then_some(&line[at + 2..])
}
