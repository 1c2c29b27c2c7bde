//! Judges what a name promises about its value: `DB_PASSWORD` a password, `next_token` nothing.
//!
//! The name is split into words, and its last telling word decides.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::redact) enum Kind {
    /// A secret that people choose: short, with punctuation, perhaps made of words.
    Password,
    /// A secret that a machine draws at random.
    Token,
}

/// Last words of a name that make its value a password.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "wachtwoord",
    "motdepasse",
    "masterauth",
    "authtok",
    "authenticationstring",
    "bindpw",
    "rootpw",
    "contrase",
    "passwordconfirmation",
    "passphrase",
    "passcode",
    "pwd",
    "passwordhashseed",
    "sshpass",
    "requirepass",
    "storepass",
    "keypass",
    "dbpass",
    "userpass",
    "smtppass",
    "smbpass",
    "ftppass",
    "adminpass",
    "mailpass",
    "ldappass",
    "sqlpass",
    "newpass",
    "rootpass",
    "pgpass",
    "pgsqlpass",
    "mongopass",
    "redispass",
    "rabbitpass",
    "amqppass",
    "mqttpass",
    "wifipass",
    "vncpass",
    "proxypass",
    "imappass",
    "rconpass",
    "authident",
    "presharedkey",
    "senha",
    "parola",
    "salasana",
    "adgangskode",
    "losenord",
];

/// Last words of a name that make its value a token. `key` alone is not among them: caches, objects and columns have keys
/// too.
const TOKENS: &[&str] = &[
    "token",
    "tokens",
    "secret",
    "secrets",
    "apikey",
    "apikeys",
    "accesskey",
    "secretkey",
    "privatekey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "authkey",
    "accountkey",
    "sharedkey",
    "sharedaccesskey",
    "subscriptionkey",
    "storagekey",
    "licensekey",
    "licencekey",
    "deploykey",
    "sshkey",
    "servicekey",
    "clientkey",
    "clientkeydata",
    "hmackey",
    "jwtkey",
    "aeskey",
    "cryptkey",
    "sessionkey",
    "appkey",
    "applicationkey",
    "writekey",
    "ingestkey",
    "webhookkey",
    "userkey",
    "rootkey",
    "functionkey",
    "adminkey",
    "serverkey",
    "cipherkey",
    "integrationkey",
    "instrumentationkey",
    "consumerkey",
    "validationkey",
    "decryptionkey",
    "orgkey",
    "projectkey",
    "readkey",
    "searchkey",
    "wpkey",
    "authenticationkey",
    "hashkey",
    "secretid",
    "credential",
    "credentials",
    "creds",
    "bearer",
    "jwt",
    "cookie",
    "encryptedvalue",
    "sessionid",
    "authtoken",
    "authorization",
    "securestring",
    "keybase",
    "secretstring",
    "authcode",
    "otpseed",
    "dockerconfigjson",
    "dockercfg",
    "totpsecret",
    "codeverifier",
    "devicecode",
    "oobcode",
    "routingkey",
    "sonarlogin",
    "authorizationcode",
    "fernetkey",
    "bwsession",
    "totp",
    "totpseed",
    "otpsecret",
    "setupkey",
    "gossipkey",
    "encryptkey",
    "vaultkey",
    "unsealkey",
    "saltkey",
    "cookiesecret",
    "ingestionkey",
    "nextauthsecret",
    "extpat",
];

/// Words that may follow the telling word: `SECRET_KEY_BASE`, `TOKEN_PROD`, `client_secret_v2`.
const TAILS: &[&str] = &[
    "base",
    "value",
    "string",
    "prod",
    "production",
    "dev",
    "staging",
    "live",
    "test",
    "b64",
    "base64",
    "plain",
    "plaintext",
    "raw",
    "current",
    "old",
    "new",
    "backup",
    "primary",
    "secondary",
    "default",
    "main",
    "v",
    "hex",
    "override",
    "rw",
    "ro",
    "ci",
];

/// Ends of names that promise no secret although their last word does: cursors (`next_token`), special tokens of a language model
/// (`pad_token`), counts of tokens (`max_tokens`), public keys, a lexer's tokens (`end_token`).
const INNOCENT: &[&str] = &[
    "nexttoken",
    "nextpagetoken",
    "pagetoken",
    "pagetokens",
    "paginationtoken",
    "continuationtoken",
    "synctoken",
    "eostoken",
    "bostoken",
    "padtoken",
    "unktoken",
    "septoken",
    "clstoken",
    "masktoken",
    "stoptoken",
    "maxtokens",
    "prompttokens",
    "completiontokens",
    "totaltokens",
    "inputtokens",
    "outputtokens",
    "publickey",
    "publictoken",
    "publickeytoken",
    "passtoken",
    "cancellationtoken",
    "publishablekey",
    "nextkey",
    "oldpwd",
    "foreignkey",
    "idempotencytoken",
    "starttoken",
    "endtoken",
    "lasttoken",
    "currenttoken",
    "prevtoken",
    "changetoken",
];

/// What a name promises about its value; `None` for an innocent name.
pub(in crate::redact) fn kind(name: &[u8]) -> Option<Kind> {
    let words = words(name);
    let mut end = words.len();
    while end > 1
        && (TAILS.contains(&words[end - 1].as_str())
            || words[end - 1].bytes().all(|byte| byte.is_ascii_digit()))
    {
        end -= 1;
    }
    let joined: String = words[..end].concat();
    let whole: String = words.concat();
    let joined = joined.trim_end_matches(|c: char| c.is_ascii_digit());
    // `existingSecret: NAME` names a Secret and holds none.
    if words.iter().any(|word| word == "existing") {
        return None;
    }
    if joined.is_empty() || ends(joined, INNOCENT) {
        return None;
    }
    let last = words[..end].last().map_or("", String::as_str);
    if ends(joined, PASSWORDS) || ["pass", "pw", "psk"].contains(&last) {
        return Some(Kind::Password);
    }
    // The header `X-Purge-Key`, and nginx's variable `$http_x_purge_key`.
    let header = words.first().is_some_and(|word| word == "x")
        || (words.len() > 2 && words[0] == "http" && words[1] == "x");
    let shared = [
        "cache",
        "idempotency",
        "request",
        "public",
        "surrogate",
        "object",
        "partition",
    ];
    if header && last == "key" && !words.iter().any(|word| shared.contains(&word.as_str())) {
        return Some(Kind::Token);
    }
    if last == "pat" && words.len() > 1 && !name.iter().any(u8::is_ascii_lowercase) {
        return Some(Kind::Token);
    }
    // `BUNDLE_GEM__FURY__IO` holds the credentials that Bundler sends to gem.fury.io.
    if words[0] == "bundle"
        && memchr::memmem::find(name, b"__").is_some()
        && !["build", "local", "mirror", "disable", "without", "plugins"]
            .contains(&words[1].as_str())
    {
        return Some(Kind::Password);
    }
    if ambiguous(&words, name) {
        return Some(Kind::Token);
    }
    if words[0] == "op" && words.len() > 1 && words[1] == "session" {
        return Some(Kind::Token);
    }
    let token = ends(joined, TOKENS) || ends(&whole, TOKENS);
    (token || last == "auth" || last == "otp").then_some(Kind::Token)
}

/// True where `name` ends with one of `words`. Most words differ in their last byte already.
fn ends(name: &str, words: &[&str]) -> bool {
    let last = name.as_bytes().last();
    let mut alike = words.iter().filter(|word| word.as_bytes().last() == last);
    alike.any(|word| name.ends_with(word))
}

/// True for a name that stands before innocent values too, so that only a value that looks drawn at random counts.
pub(in crate::redact) fn weak(name: &[u8]) -> bool {
    let begins = |word: &[u8]| name.starts_with(word);
    name.ends_with(b"_PAT")
        || begins(b"BUNDLE_")
        || begins(b"OP_SESSION")
        || ambiguous(&words(name), name)
}

/// Words before `KEY` that make it no secret: a public key (`GPG_KEY`), or a key that finds something (`CACHE_KEY`).
const OPEN_KEYS: &[&str] = &[
    "public",
    "pub",
    "publishable",
    "cache",
    "sort",
    "primary",
    "foreign",
    "partition",
    "object",
    "host",
    "peer",
    "site",
    "verify",
    "verification",
    "trusted",
    "minisign",
    "gpg",
    "pgp",
    "idempotency",
    "lookup",
    "index",
    "row",
    "group",
    "unique",
    "hash",
    "routing",
    "dedup",
    "registry",
    "config",
    "translation",
    "i18n",
    "next",
    "sparkle",
    "ed",
    "checksum",
    "artifact",
];

/// True for `SECURE_AUTH_SALT`, `TUYA_KEY`: names in capitals that end in `SALT`, `PEPPER` or `KEY`, without the words of
/// [`OPEN_KEYS`]. Such names stand before innocent values too, so only a value that looks drawn at random counts.
fn ambiguous(words: &[String], name: &[u8]) -> bool {
    let last = words.last().map_or("", String::as_str);
    ["salt", "pepper", "key"].contains(&last)
        && words.len() > 1
        && !name.iter().any(u8::is_ascii_lowercase)
        && !TOKENS
            .iter()
            .any(|word| word.ends_with("key") && words.concat().ends_with(word))
        && !(last == "key" && words.iter().any(|word| OPEN_KEYS.contains(&word.as_str())))
}

/// False where `name` is [`ambiguous`] and `found` does not look drawn at random: 20 bytes or more, both cases, two digits, no path.
pub(in crate::redact) fn plausible(name: &[u8], found: &[u8]) -> bool {
    !ambiguous(&words(name), name)
        || (found.len() >= 20
            && found.iter().any(u8::is_ascii_uppercase)
            && found.iter().any(u8::is_ascii_lowercase)
            && found.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            && found.iter().filter(|byte| b"/.:".contains(byte)).count() <= 2)
}

/// True for a name whose value may be the name of a Kubernetes Secret: `tlsSecret`, `pullSecret`, `credentials`.
pub(in crate::redact) fn refers(name: &[u8]) -> bool {
    let words = words(name);
    words.last().is_some_and(|last| {
        ["secret", "secrets", "credential", "credentials", "creds"].contains(&last.as_str())
    })
}

/// The words of a name in lower case: split at punctuation, at case and at digits.
fn words(name: &[u8]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = 0_u8;
    for (at, &byte) in name.iter().enumerate() {
        if byte.is_ascii_alphanumeric() {
            let next = name.get(at + 1).copied().unwrap_or(0);
            let border = !last.is_ascii_alphanumeric()
                || (byte.is_ascii_uppercase()
                    && (last.is_ascii_lowercase()
                        || (last.is_ascii_uppercase() && next.is_ascii_lowercase())))
                || (byte.is_ascii_digit() != last.is_ascii_digit());
            if border || out.is_empty() {
                out.push(String::new());
            }
            if let Some(word) = out.last_mut() {
                word.push(byte.to_ascii_lowercase() as char);
            }
        }
        last = byte;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_judged_by_its_last_telling_word() {
        for name in [
            "DB_PASSWORD",
            "clientSecret",
            "SECRET_KEY_BASE",
            "x-api-key",
            "authToken",
            "aws_secret_access_key",
            "TOKEN_2",
            "ClearTextPassword",
            "MYSQL_PASS",
            "_authToken",
        ] {
            assert!(kind(name.as_bytes()).is_some(), "{name}");
        }
        for name in [
            "next_token",
            "token_type",
            "passwordless",
            "password_hash",
            "public_key",
            "sort_key",
            "key",
            "bypass",
            "author",
            "max_tokens",
            "api_key_header_name",
            "key_id",
        ] {
            assert!(kind(name.as_bytes()).is_none(), "{name}");
        }
    }
}
