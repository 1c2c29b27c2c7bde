//! Whose token a call carries: which variables hold a token for a host, and when gh's own login is used instead.
//!
//! Source: gh 2.92.0 and 2.103.3, `gh help environment`.

use super::hosts::{HostEntry, HostsFile};
use crate::foreign::Foreign;
use crate::gate::call::given::Given;

/// Variables whose token gh sends to github.com and its subdomains; the first one that is set wins.
const GITHUB_TOKENS: &[&str] = &["GH_TOKEN", "GITHUB_TOKEN"];
/// Variables whose token gh sends to any other host; the first one that is set wins.
const ENTERPRISE_TOKENS: &[&str] = &["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/// Whose token a call carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Credential<'a> {
    /// The token that the user's environment has for this host, else gh's own active login.
    #[default]
    Usual,
    /// gh's own active login, whatever the environment holds.
    ActiveLogin,
    /// This token: its account is logged in and is not the active one.
    Token(&'a Foreign<String>),
}

/// The one token that a call to `host` carries, with the name of its variable; `None` when gh uses its own login.
///
/// gh sends `GH_TOKEN` to any `*.ghe.com` host in place of its login there.  So such a host gets the token only where gh has no login there.
pub(in crate::gh) fn token<'a>(
    given: &Given<'a>,
    host: &str,
    logins: &HostsFile,
) -> Option<(&'static str, &'a str)> {
    let logged_in = || logins.get(host).is_some_and(HostEntry::logged_in);
    if host.ends_with(".ghe.com") && logged_in() {
        return None;
    }
    token_names(host)
        .iter()
        .find_map(|&name| given.non_empty(name).map(|value| (name, value)))
}

/// The variables in which gh looks for the token of `host`, in gh's order (`gh help environment`).
pub(in crate::gh) fn token_names(host: &str) -> &'static [&'static str] {
    let github =
        host == "github.com" || host.ends_with(".github.com") || host.ends_with(".ghe.com");
    if github {
        GITHUB_TOKENS
    } else {
        ENTERPRISE_TOKENS
    }
}

/// Every variable in which gh looks for a token.
pub(in crate::gh) fn token_variables() -> impl Iterator<Item = &'static str> {
    GITHUB_TOKENS.iter().chain(ENTERPRISE_TOKENS).copied()
}
