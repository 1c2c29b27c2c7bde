//! The secret values in the environment, for the redactor.
//!
//! A child gets few of these values, but each can appear in output (a log, a paste, a file), and is then masked by its value.
//! Masking a harmless value is a nuisance, missing a secret is a leak: a value in doubt counts as a secret.

use crate::foreign::Foreign;
use crate::gate::call::given::Given;

/// Words that mark a variable as secret wherever they stand in its name, each with an example or a meaning. Compared in upper case.
const SECRET_WORDS: &[(&str, &str)] = &[
    ("TOKEN", "NPM_TOKEN, VAULT_TOKEN"),
    ("SECRET", "AWS_SECRET_ACCESS_KEY, CLIENT_SECRET"),
    ("PASSWORD", "PGPASSWORD"),
    ("PASSWD", "MYSQL_PASSWD"),
    ("PASSPHRASE", "GPG_PASSPHRASE"),
    ("APIKEY", "an API key in one word"),
    ("CREDENTIAL", "any kind of credential"),
    ("AUTHORIZATION", "a header's value"),
    ("BEARER", "a header's value"),
    ("COOKIE", "a session"),
    ("WEBHOOK", "an address that is itself the key"),
];

/// Words that mark a variable as secret only between underscores: inside AUTHOR, PATH or KEYBOARD they mean nothing.
const SECRET_PARTS: &[(&str, &str)] = &[
    ("KEY", "OPENAI_API_KEY, AWS_ACCESS_KEY_ID, SIGNING_KEY"),
    ("PAT", "a personal access token"),
    ("AUTH", "NPM_AUTH, DOCKER_AUTH_CONFIG"),
    ("PASS", "RESTIC_PASS"),
    ("PWD", "MYSQL_PWD; the shell's own PWD is excepted below"),
    ("DSN", "an address with a key"),
];

/// Endings of names whose value is not the secret itself, but its place, its lifetime or a program that asks for it.
const PLAIN_ENDINGS: &[(&str, &str)] = &[
    ("_SOCK", "SSH_AUTH_SOCK"),
    ("_FILE", "a path"),
    ("_PATH", "a path"),
    ("_DIR", "a path"),
    ("_HELPER", "a program"),
    ("_TTL", "a time"),
    ("_TIMEOUT", "a time"),
    ("_EXPIRES", "a time"),
    ("_EXPIRY", "a time"),
];

/// The fewest bytes of a value that is masked: masking `MY_TOKEN=short` would mask the word `short` in every text.
pub const MIN_LEN: usize = 8;

/// The secret values in `env`, entries `NAME=VALUE` as in Emacs's `process-environment`, each value once, in order.
///
/// An entry that another entry of the same name overrides counts, too. A password in a URL (`scheme://user:password@host`) counts
/// under any variable name.
pub fn secrets_held(env: &Foreign<Vec<String>>) -> Vec<Foreign<String>> {
    let mut held: Vec<Foreign<String>> = Vec::new();
    let mut add = |value: &str| {
        if value.len() >= MIN_LEN && !held.iter().any(|h| h.reveal() == value) {
            held.push(value.into());
        }
    };
    for (name, value) in Given::new(env).entries() {
        if let Some(password) = url_password(value) {
            add(password);
        }
        if names_a_secret(name) && !is_plain(value) {
            add(value);
        }
    }
    held
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let mut parts = name.split('_');
    let secret = holds_a_secret_word(name.as_bytes())
        || (name != "PWD" && parts.any(|p| SECRET_PARTS.iter().any(|(part, _)| *part == p)));
    secret && !PLAIN_ENDINGS.iter().any(|(end, _)| name.ends_with(end))
}

/// Whether one of [`SECRET_WORDS`] stands in `name`.  This runs for every variable at each call, and preparing eleven substring
/// searches for such a short name would take ten times as long.
fn holds_a_secret_word(name: &[u8]) -> bool {
    (0..name.len()).any(|at| {
        let rest = &name[at..];
        let mut words = SECRET_WORDS.iter().map(|(word, _)| word.as_bytes());
        words.any(|word| rest[0] == word[0] && rest.starts_with(word))
    })
}

/// Whether `value` is a switch such as `enabled`, or a path with ordinary names.  A key in base64 may also begin with a slash, but its
/// parts between slashes are longer.
fn is_plain(value: &str) -> bool {
    const LONGEST_NAME: usize = 20;
    let word = value.to_ascii_lowercase();
    if matches!(
        word.as_str(),
        "enabled" | "disabled" | "required" | "optional"
    ) {
        return true;
    }
    let path = value.starts_with('/') || value.starts_with("~/") || value.starts_with("./");
    path && !value.contains(['+', '='])
        && value.matches('/').count() >= 2
        && value.split('/').all(|part| part.len() < LONGEST_NAME)
}

fn url_password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    // A token may stand alone before the `@`, without a colon.  A user name there is mostly shorter than MIN_LEN.
    Some(user.split_once(':').map_or(user, |(_, password)| password)).filter(|p| !p.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entry: &str, expect: &[&str]) {
        let held = secrets_held(&vec![entry.to_owned()].into());
        let held: Vec<&str> = held.iter().map(|h| h.reveal().as_str()).collect();
        assert_eq!(held, expect, "{entry}");
    }

    #[test]
    fn a_value_under_a_secret_name_is_listed() {
        check("MY_TOKEN=ghp_0123456789", &["ghp_0123456789"]);
        check("npm_token=0123456789", &["0123456789"]);
        check(
            "AWS_SECRET_ACCESS_KEY=/abcdefghijklmnopqrstuvwxyz/ABCDEFGH",
            &["/abcdefghijklmnopqrstuvwxyz/ABCDEFGH"],
        );
        check("MY_PASSWORD=a=b=c=d=e", &["a=b=c=d=e"]);
        check("MYSQL_PWD=correct horse", &["correct horse"]);
        check("MAPS_API_KEY=AIza0123456789", &["AIza0123456789"]);
        check(
            "SLACK_WEBHOOK_URL=https://hooks.example/T0/B0/xyz",
            &["https://hooks.example/T0/B0/xyz"],
        );
    }

    #[test]
    fn paths_switches_and_short_values_are_left_out() {
        check("SSH_AUTH_SOCK=/run/user/1000/keyring/ssh", &[]);
        check("TOKEN_STORE=/home/alice/tokens", &[]);
        check("USE_TOKEN=required", &[]);
        check("MY_TOKEN=short", &[]);
        check("MY_TOKEN", &[]);
        check("PATH=/usr/bin:/bin", &[]);
        check("PWD=/workspace-of-alice", &[]);
        check("GIT_AUTHOR_NAME=Alice Anderson", &[]);
        check("KEYBOARD_LAYOUT=us-international", &[]);
        check(
            "DEPLOY_TOKEN_FILE=/run/secrets/the_token_of_the_deployment",
            &[],
        );
    }

    #[test]
    fn a_password_in_a_url_counts_whatever_the_name() {
        check(
            "DATABASE_URL=postgres://alice:hunter2hunter2@db/x",
            &["hunter2hunter2"],
        );
        check("HTTPS_PROXY=http://proxy.example:3128", &[]);
        check(
            "FETCH_URL=https://ghp_0123456789@forge.example/o/r",
            &["ghp_0123456789"],
        );
        check("URL=https://forge.example/o/r@v1", &[]);
    }

    #[test]
    fn overridden_entries_count_and_each_value_is_listed_once() {
        let env: Vec<String> = [
            "MY_TOKEN=first-value",
            "MY_TOKEN=second-value",
            "A_TOKEN=first-value",
            "MY_TOKEN",
        ]
        .iter()
        .map(|&s| s.to_owned())
        .collect();
        let expect = ["first-value", "second-value"].map(Foreign::from);
        assert_eq!(secrets_held(&env.into()), expect);
    }
}
