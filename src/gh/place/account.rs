//! The account: which of several logins on one host a call acts as, and whose token therefore goes along.
//!
//! gh itself uses a token from the environment, else the account that is active on the host.  Where the option `cj/gh-accounts` names an
//! account, no token from the environment goes along, since nobody can tell which account such a token belongs to.

use super::credential::Credential;
use super::hosts::HostsFile;
use crate::gate::{ErrorKind, Refusal};

/// The account that a call acts as on a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// The login, shown to the person; `None` when nothing names the account.
    pub login: Option<String>,
    /// Whose token goes along.
    pub credential: Credential<'a>,
}

/// Finds the account for a call to `host` (lower case).
///
/// `meant` holds the rows of `cj/gh-accounts`: host and login.
///
/// # Errors
/// `auth` when the named account has no login on `host`, or is not the active one and its token lies where only gh can read the token.
pub fn account<'a>(
    host: &str,
    meant: &[(String, String)],
    logins: &'a HostsFile,
) -> Result<Account<'a>, Refusal> {
    let Some((_, login)) = meant
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(host))
    else {
        return Ok(Account {
            login: logins.account(host).map(str::to_owned),
            credential: Credential::Usual,
        });
    };
    let named = |credential| {
        Ok(Account {
            login: Some(login.clone()),
            credential,
        })
    };
    let entry = logins.get(host);
    if entry.and_then(|e| e.active.as_deref()) == Some(login) {
        return named(Credential::ActiveLogin);
    }
    if let Some(token) = entry.and_then(|e| e.token_of(login)) {
        return named(Credential::Token(token));
    }
    let known = entry.is_some_and(|e| e.users.contains(login));
    Err(Refusal::new(
        ErrorKind::Auth,
        if known {
            format!(
                "The account {login} on {host} (`cj/gh-accounts') is not the active one, and its token lies where only gh can read it.\nRun `gh auth switch --hostname {host} --user {login}' in a terminal."
            )
        } else {
            format!(
                "There is no login of {login} on {host} (`cj/gh-accounts').\nRun `gh auth login --hostname {host}' in a terminal, or mend the option."
            )
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGINS: &str = "github.com:\n    users:\n        mona:\n            oauth_token: token-of-mona\n        hubot:\n        kim:\n            oauth_token: token-of-kim\n    user: mona\n    oauth_token: token-of-mona\n";

    fn check(meant: Option<&str>, expect: Result<(Option<&str>, Credential<'_>), &str>) {
        let logins = HostsFile::parse(LOGINS).expect("test data");
        let meant: Vec<_> = meant
            .map(|m| ("GitHub.com".to_owned(), m.to_owned()))
            .into_iter()
            .collect();
        match (account("github.com", &meant, &logins), expect) {
            (Ok(got), Ok((login, credential))) => {
                assert_eq!((got.login.as_deref(), got.credential), (login, credential));
            }
            (Err(refusal), Err(words)) => {
                assert_eq!(refusal.kind, ErrorKind::Auth);
                assert!(refusal.message.contains(words), "{}", refusal.message);
                assert!(!refusal.message.contains("token-of"), "{}", refusal.message);
            }
            (got, expect) => panic!("{meant:?}: {got:?}, not {expect:?}"),
        }
    }

    #[test]
    fn the_token_of_the_named_account_goes_along_and_no_other() {
        check(None, Ok((Some("mona"), Credential::Usual)));
        check(Some("mona"), Ok((Some("mona"), Credential::ActiveLogin)));
        check(
            Some("kim"),
            Ok((Some("kim"), Credential::Token(&"token-of-kim".into()))),
        );
    }

    #[test]
    fn an_account_without_a_readable_token_is_refused_and_no_other_takes_its_place() {
        check(
            Some("hubot"),
            Err("gh auth switch --hostname github.com --user hubot"),
        );
        check(Some("stranger"), Err("gh auth login --hostname github.com"));
    }
}
