//! The environment that a child gets: variables of Emacs's own that are on a list, fixed settings, and the one token of the pinned host.
//!
//! Every other variable is absent, so that `GH_DEBUG`, `GH_REPO` and secrets that this call does not need never reach gh
//! (`gh … --jq '$ENV'` prints every variable). Source: gh 2.92.0 and 2.103.3, `gh help environment` and strace.

use crate::foreign::Foreign;
use crate::gate::call::given::Given;
use crate::gh::place::credential::{Credential, token, token_names, token_variables};
use crate::gh::place::hosts::HostsFile;
use crate::git::environment::{FIXED_FOR_EVERY_GIT, SETTINGS_FOR_EVERY_GIT, numbered};

/// Variables that gh gets with Emacs's value where Emacs has one: name and reason.
const PASSED: &[(&str, &str)] = &[
    ("HOME", "where gh, git and the keyring keep their files"),
    ("USER", "the keyring's account name"),
    ("LOGNAME", "the keyring's account name on other systems"),
    ("PATH", "gh starts git"),
    ("LANG", "character set of messages"),
    ("TZ", "local times"),
    ("TMPDIR", "temporary files"),
    ("XDG_CONFIG_HOME", "gh's config.yml and hosts.yml"),
    (
        "XDG_DATA_HOME",
        "gh's extensions, which are refused but listed",
    ),
    ("XDG_STATE_HOME", "gh's state.yml"),
    ("XDG_CACHE_HOME", "gh's cache of features and answers"),
    ("XDG_RUNTIME_DIR", "the session bus, for the keyring"),
    (
        "DBUS_SESSION_BUS_ADDRESS",
        "the session bus, for the keyring",
    ),
    ("GH_CONFIG_DIR", "gh's configuration, if moved"),
    ("HTTP_PROXY", "the proxy to use"),
    ("HTTPS_PROXY", "the proxy to use"),
    ("NO_PROXY", "the hosts to reach without a proxy"),
    ("ALL_PROXY", "the proxy to use"),
    ("http_proxy", "the proxy to use"),
    ("https_proxy", "the proxy to use"),
    ("no_proxy", "the hosts to reach without a proxy"),
    ("all_proxy", "the proxy to use"),
    ("SSL_CERT_FILE", "a company's own certificate authority"),
    ("SSL_CERT_DIR", "a company's own certificate authorities"),
];

/// Variables that gh gets with this value, whatever Emacs's environment has: name, value and reason.
const FIXED: &[(&str, &str, &str)] = &[
    ("GH_PROMPT_DISABLED", "1", "nobody can answer"),
    ("GH_PAGER", "cat", "no pager"),
    ("PAGER", "cat", "no pager"),
    ("NO_COLOR", "1", "no escapes in the result"),
    (
        "GH_NO_UPDATE_NOTIFIER",
        "1",
        "gh asks nobody for a newer gh",
    ),
    (
        "GH_NO_EXTENSION_UPDATE_NOTIFIER",
        "1",
        "gh asks nobody for newer extensions",
    ),
    ("GH_SPINNER_DISABLED", "1", "no escapes in the result"),
    (
        "GH_TELEMETRY",
        "false",
        "telemetry is on by default and writes a device id",
    ),
    ("DO_NOT_TRACK", "1", "extensions send no telemetry"),
    ("GH_BROWSER", "/bin/false", "opens nothing"),
    ("BROWSER", "/bin/false", "opens nothing"),
    ("GH_EDITOR", "/bin/false", "opens nothing"),
    ("EDITOR", "/bin/false", "opens nothing"),
    ("VISUAL", "/bin/false", "opens nothing"),
    (
        "GIT_DIR",
        NO_CHECKOUT,
        "gh reads no checkout: the argv holds all that gh needs of one, and a person sees the argv",
    ),
];

/// The value of `GIT_DIR` with which git finds no repository: a device is none, and once `GIT_DIR` is set git looks nowhere else.
///
/// So git reads no checkout's configuration, and nothing in one can name a program to run.  Settings of ours could not overrule a checkout's
/// programs one by one: filters, drivers and remotes have names that the checkout chooses.
pub(in crate::gh) const NO_CHECKOUT: &str = "/dev/null";

/// Variables that git gets with Emacs's value when it is asked for the facts of a checkout.
const PASSED_TO_GIT: &[(&str, &str)] = &[
    ("HOME", "where git finds ~/.gitconfig"),
    ("USER", "git falls back on it for an identity"),
    ("LOGNAME", "git falls back on it for an identity"),
    ("PATH", "git starts its own parts"),
    ("TMPDIR", "temporary files"),
    ("XDG_CONFIG_HOME", "where git finds git/config"),
];

/// Variables that git gets with this value when it is asked for the facts of a checkout: name, value and reason.
const FIXED_FOR_GIT: &[(&str, &str, &str)] = &[(
    "LC_ALL",
    "C",
    "messages in English, which a program can read",
)];

const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";
/// A bus address at which no bus listens: without any address gh runs `dbus-launch` from PATH, with this one gh reaches no bus.
const NO_BUS: &str = "unix:path=/nonexistent";

/// A child's whole environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    pairs: Vec<(String, Foreign<String>)>,
}

impl Environment {
    /// Names and values, for starting the child and nothing else.
    pub fn pairs(&self) -> &[(String, Foreign<String>)] {
        &self.pairs
    }

    /// The names in order.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_str())
    }

    /// The variable whose token the call carries in place of gh's own login, if there is one.
    pub fn token_variable(&self) -> Option<&'static str> {
        token_variables().find(|token| self.names().any(|name| name == *token))
    }

    fn set(&mut self, name: &str, value: &str) {
        // A NUL would end the entry early in the child; such a value cannot come from a real environment.
        if value.contains('\0') || name.contains('\0') {
            return;
        }
        self.pairs.retain(|(n, _)| n != name);
        self.pairs.push((name.to_owned(), value.into()));
    }

    /// Sets what every git gets, whether gh or the gate starts it.
    fn set_for_every_git(&mut self) {
        for (name, value, _reason) in FIXED_FOR_EVERY_GIT {
            self.set(name, value);
        }
        let settings = SETTINGS_FOR_EVERY_GIT.iter();
        for (name, value) in numbered(settings.map(|(key, value, _reason)| (*key, *value))) {
            self.set(&name, &value);
        }
    }
}

/// What a call gets by variables: the target, for commands that have no flag for it, and the credential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByEnvironment<'a> {
    /// Value for `GH_HOST`.
    pub gh_host: Option<&'a str>,
    /// Value for `GH_REPO`, `[HOST/]OWNER/REPO`.
    pub gh_repo: Option<&'a str>,
    /// Whose token the call carries.
    pub credential: Credential<'a>,
}

/// Builds gh's environment for a call to `host` (lower case).
///
/// `given` is Emacs's global `process-environment`.  `logins` is gh's own file; it decides whether a `*.ghe.com` host needs a token from
/// the environment.  `by` has the credential, and the host or the repository where argv cannot name them.
pub fn for_gh(
    given: &Foreign<Vec<String>>,
    host: &str,
    logins: &HostsFile,
    by: ByEnvironment<'_>,
) -> Environment {
    let mut env = for_gh_alone(given);
    let given = Given::new(given);
    let usual = token(&given, host, logins);
    match by.credential {
        Credential::Usual => {
            if let Some((name, value)) = usual {
                env.set(name, value);
            }
        }
        Credential::ActiveLogin => {}
        Credential::Token(value) => env.set(token_names(host)[0], value.reveal()),
    }
    if let Some(value) = by.gh_host {
        env.set("GH_HOST", value);
    }
    if let Some(value) = by.gh_repo {
        env.set("GH_REPO", value);
    }
    env
}

/// Builds gh's environment for a call that talks to no host, such as `gh help`: no token is in it.
pub fn for_gh_alone(given: &Foreign<Vec<String>>) -> Environment {
    let given = Given::new(given);
    let mut env = Environment::default();
    for (name, _reason) in PASSED {
        if let Some(value) = given.get(name) {
            env.set(name, value);
        }
    }
    for (name, value) in given.with_prefix("LC_") {
        env.set(name, value);
    }
    for (name, value, _reason) in FIXED {
        env.set(name, value);
    }
    env.set_for_every_git();
    if given.non_empty(BUS).is_none() {
        env.set(BUS, &bus_address(&given));
    }
    env
}

/// Builds git's environment for reading facts: no `GIT_*` of Emacs's own, no token.
pub fn for_git(given: &Foreign<Vec<String>>) -> Environment {
    let given = Given::new(given);
    let mut env = Environment::default();
    for (name, _reason) in PASSED_TO_GIT {
        if let Some(value) = given.get(name) {
            env.set(name, value);
        }
    }
    for (name, value, _reason) in FIXED_FOR_GIT {
        env.set(name, value);
    }
    env.set_for_every_git();
    env
}

/// The address of the session bus at its usual place, where systemd puts it; [`NO_BUS`] where `XDG_RUNTIME_DIR` names no plain directory.
fn bus_address(given: &Given<'_>) -> String {
    let plain = |dir: &&str| {
        dir.starts_with('/')
            && dir
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'.'))
    };
    match given.get("XDG_RUNTIME_DIR").filter(plain) {
        Some(dir) => format!("unix:path={dir}/bus"),
        None => NO_BUS.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Environment {
        /// The value of `name`.
        fn get(&self, name: &str) -> Option<&str> {
            let pair = self.pairs.iter().find(|(n, _)| n == name);
            pair.map(|(_, value)| value.reveal().as_str())
        }
    }

    fn strings(list: &[&str]) -> Foreign<Vec<String>> {
        Foreign::new(list.iter().map(|&s| s.to_owned()).collect())
    }

    fn gh(given: &[&str], host: &str) -> Environment {
        for_gh(
            &strings(given),
            host,
            &HostsFile::default(),
            ByEnvironment::default(),
        )
    }

    const TOKENS: &[&str] = &[
        "GH_TOKEN=t1",
        "GITHUB_TOKEN=t2",
        "GH_ENTERPRISE_TOKEN=t3",
        "GITHUB_ENTERPRISE_TOKEN=t4",
    ];

    /// The names of the token variables that a call to `host` gets out of `given`.
    fn tokens_for(given: &[&str], host: &str, logins: &str) -> Vec<String> {
        let logins = HostsFile::parse(logins).expect("test data");
        let env = for_gh(&strings(given), host, &logins, ByEnvironment::default());
        let names = env.names().filter(|n| n.contains("TOKEN"));
        names.map(str::to_owned).collect()
    }

    #[test]
    fn the_token_of_a_named_account_takes_the_place_of_every_other() {
        let given = strings(TOKENS);
        let logins = HostsFile::default();
        for (host, name) in [
            ("github.com", "GH_TOKEN"),
            ("x.ghe.com", "GH_TOKEN"),
            ("ghe.example.com", "GH_ENTERPRISE_TOKEN"),
        ] {
            let own = Foreign::from("own");
            let by = |credential| ByEnvironment {
                credential,
                ..ByEnvironment::default()
            };
            let own = for_gh(&given, host, &logins, by(Credential::Token(&own)));
            let tokens: Vec<_> = own
                .pairs()
                .iter()
                .filter(|(n, _)| n.contains("TOKEN"))
                .cloned()
                .collect();
            assert_eq!(tokens, [(name.to_owned(), "own".into())], "{host}");
            let active = for_gh(&given, host, &logins, by(Credential::ActiveLogin));
            assert_eq!(active.token_variable(), None, "{host}");
        }
    }

    #[test]
    fn gh_gets_only_the_variables_on_the_list() {
        let env = gh(
            &[
                "HOME=/h",
                "GH_DEBUG=api",
                "DEBUG=1",
                "GH_REPO=evil.example/o/r",
                "GH_HOST=evil.example",
                "GH_FORCE_TTY=1",
                "CLICOLOR_FORCE=1",
                "GH_PATH=/x",
                "AWS_SECRET_ACCESS_KEY=s",
                "LD_PRELOAD=/x.so",
                "GIT_DIR=/x",
                "GH_PAGER=less",
                "PAGER=less",
            ],
            "github.com",
        );
        let every_git = of_every_git();
        let mut expect: Vec<&str> = FIXED.iter().map(|(name, ..)| *name).collect();
        expect.extend(["HOME", BUS]);
        expect.extend(every_git.names());
        let mut got: Vec<&str> = env.names().collect();
        expect.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, expect);
        assert_eq!(env.get("PAGER"), Some("cat"));
        assert_eq!(env.get("GH_PAGER"), Some("cat"));
    }

    #[test]
    fn every_variable_on_the_list_is_passed_and_every_lc_variable() {
        let mut given: Vec<String> = PASSED.iter().map(|(n, _)| format!("{n}=v-{n}")).collect();
        given.extend_from_slice(
            strings(&[
                "LC_ALL=C",
                "LC_TIME=de",
                "LC_TIME=hidden",
                "LC_UNSET",
                "LC_UNSET=x",
            ])
            .reveal(),
        );
        let env = for_gh(
            &given.into(),
            "github.com",
            &HostsFile::default(),
            ByEnvironment::default(),
        );
        for (name, _) in PASSED {
            assert_eq!(env.get(name), Some(format!("v-{name}").as_str()));
        }
        assert_eq!(env.get("LC_ALL"), Some("C"));
        assert_eq!(env.get("LC_TIME"), Some("de"));
        assert_eq!(env.get("LC_UNSET"), None);
    }

    #[test]
    fn the_first_entry_of_a_variable_wins_and_a_name_without_a_value_unsets_it() {
        let env = gh(
            &["HOME=/a", "HOME=/b", "USER", "USER=x", "TZ="],
            "github.com",
        );
        assert_eq!(env.get("HOME"), Some("/a"));
        assert_eq!(env.get("USER"), None);
        assert_eq!(env.get("TZ"), Some(""));
        assert_eq!(env.names().filter(|n| *n == "HOME").count(), 1);
    }

    #[test]
    fn each_host_gets_its_own_token_and_no_other() {
        for (host, expect) in [
            ("github.com", "GH_TOKEN"),
            ("api.github.com", "GH_TOKEN"),
            ("corp.ghe.com", "GH_TOKEN"),
            ("ghe.example.com", "GH_ENTERPRISE_TOKEN"),
            ("notgithub.com", "GH_ENTERPRISE_TOKEN"),
            ("github.com.evil.example", "GH_ENTERPRISE_TOKEN"),
            ("notghe.com", "GH_ENTERPRISE_TOKEN"),
        ] {
            assert_eq!(tokens_for(TOKENS, host, ""), [expect], "{host}");
        }
        assert_eq!(tokens_for(&TOKENS[1..], "github.com", ""), ["GITHUB_TOKEN"]);
        assert_eq!(
            tokens_for(&["GH_TOKEN=", "GITHUB_TOKEN=t"], "github.com", ""),
            ["GITHUB_TOKEN"]
        );
        assert_eq!(
            tokens_for(&TOKENS[3..], "ghe.example.com", ""),
            ["GITHUB_ENTERPRISE_TOKEN"]
        );
        assert!(tokens_for(&TOKENS[2..], "github.com", "").is_empty());
        assert!(tokens_for(&TOKENS[..2], "ghe.example.com", "").is_empty());
    }

    #[test]
    fn a_ghe_com_host_with_its_own_login_gets_no_token_of_github() {
        let login = "corp.ghe.com:\n    users:\n        a:\n    user: a\n";
        assert!(tokens_for(TOKENS, "corp.ghe.com", login).is_empty());
        assert_eq!(tokens_for(TOKENS, "other.ghe.com", login), ["GH_TOKEN"]);
        let empty = "corp.ghe.com:\n    git_protocol: ssh\n";
        assert_eq!(tokens_for(TOKENS, "corp.ghe.com", empty), ["GH_TOKEN"]);
    }

    #[test]
    fn gh_never_starts_a_bus_of_its_own() {
        assert_eq!(gh(&[], "github.com").get(BUS), Some(NO_BUS));
        assert_eq!(
            gh(&["DBUS_SESSION_BUS_ADDRESS="], "github.com").get(BUS),
            Some(NO_BUS)
        );
        assert_eq!(
            gh(&["DBUS_SESSION_BUS_ADDRESS=unix:x"], "github.com").get(BUS),
            Some("unix:x")
        );
        assert_eq!(
            gh(&["XDG_RUNTIME_DIR=/run/user/1000"], "github.com").get(BUS),
            Some("unix:path=/run/user/1000/bus")
        );
        assert_eq!(
            gh(&["XDG_RUNTIME_DIR=/a;b,c"], "github.com").get(BUS),
            Some(NO_BUS)
        );
    }

    #[test]
    fn only_the_calls_own_host_and_repository_are_in_the_environment() {
        let given = strings(&["GH_HOST=evil.example", "GH_REPO=evil.example/o/r"]);
        let meant = ByEnvironment {
            gh_host: Some("ghe.example.com"),
            gh_repo: None,
            credential: Credential::Usual,
        };
        let env = for_gh(&given, "ghe.example.com", &HostsFile::default(), meant);
        assert_eq!(env.get("GH_HOST"), Some("ghe.example.com"));
        assert_eq!(env.get("GH_REPO"), None);
    }

    #[test]
    fn git_gets_no_git_variable_of_emacs_and_no_token() {
        let given = strings(&[
            "HOME=/h",
            "GIT_DIR=/x",
            "GIT_CONFIG_COUNT=1",
            "GIT_SSH_COMMAND=x",
            "GH_TOKEN=t",
            "LC_ALL=de_DE.UTF-8",
            "SSH_AUTH_SOCK=/s",
        ]);
        let env = for_git(&given);
        let every_git = of_every_git();
        let own = env
            .pairs()
            .iter()
            .filter(|pair| !every_git.pairs().contains(pair));
        let own: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
        assert_eq!(own, ["HOME", "LC_ALL"]);
        assert_eq!(env.get("LC_ALL"), Some("C"));
        assert_eq!(env.get("GIT_SSH_COMMAND"), Some("/bin/false"));
        assert_eq!(env.get("GIT_CONFIG_KEY_0"), Some("safe.bareRepository"));
    }

    #[test]
    fn gh_finds_no_checkout_and_its_git_gets_the_same_settings_as_ours() {
        let env = gh(
            &["HOME=/h", "GIT_DIR=/w/.git", "GIT_CONFIG_COUNT=0"],
            "github.com",
        );
        assert_eq!(env.get("GIT_DIR"), Some(NO_CHECKOUT));
        for pair in of_every_git().pairs() {
            assert!(env.pairs().contains(pair), "{}", pair.0);
        }
        let count = SETTINGS_FOR_EVERY_GIT.len().to_string();
        assert_eq!(env.get("GIT_CONFIG_COUNT"), Some(count.as_str()));
        assert_eq!(env.get("GIT_CONFIG_VALUE_1"), Some("false"));
    }

    /// The environment that every git gets.
    fn of_every_git() -> Environment {
        let mut env = Environment::default();
        env.set_for_every_git();
        env
    }

    #[test]
    fn debug_shows_names_alone_and_a_nul_never_gets_through() {
        let env = gh(
            &["GH_TOKEN=ghp_secret", "HOME=/h\0GH_DEBUG=1"],
            "github.com",
        );
        let shown = format!("{env:?}");
        assert!(shown.contains("GH_TOKEN") && !shown.contains("ghp_secret"));
        assert_eq!(env.get("HOME"), None);
    }
}
