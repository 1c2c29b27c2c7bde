//! The account: which of several logins on one host a call acts as, and whose token therefore goes along.
//!
//! gh itself uses the account that is active on a host, or whatever token stands in the environment.  The option
//! `cj/gh-accounts` names the one that is meant; then no token of the environment goes along, since whose it is cannot be told.

use super::credential::Credential;
use super::hosts::HostsFile;
use crate::gate::{ErrorKind, Refusal};

/// The account meant on a host: its name where it is known, and its token's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// The login, shown to the person; none where nothing names it.
    pub login: Option<String>,
    /// Whose token goes along.
    pub credential: Credential<'a>,
}

/// Finds the account for a call to `host` (lower case).
///
/// `meant` are the rows of `cj/gh-accounts`, host and login.
///
/// # Errors
/// `auth` where the account that is meant has no login there, or one that only gh could make the active one.
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
    fn the_token_of_the_account_that_is_meant_goes_along_and_no_other() {
        check(None, Ok((Some("mona"), Credential::Usual)));
        check(Some("mona"), Ok((Some("mona"), Credential::ActiveLogin)));
        check(
            Some("kim"),
            Ok((Some("kim"), Credential::Token(&"token-of-kim".into()))),
        );
    }

    #[test]
    fn an_account_whose_token_cannot_be_had_is_refused_and_no_other_takes_its_place() {
        check(
            Some("hubot"),
            Err("gh auth switch --hostname github.com --user hubot"),
        );
        check(Some("stranger"), Err("gh auth login --hostname github.com"));
    }
}
