//! What a tool's argument names: a pull request, an issue, a run, a branch or a commit, by number, address or name.
//!
//! People and models write `171`, `#171`, `acme/site#171`, `https://github.com/acme/site/pull/171/files` and `fix/menu` for the same thing.
//! A text is read here into the thing and, where it names one, the repository; whether that repository's host is known is decided
//! where the call is pinned.

use crate::gate::{ErrorKind, Refusal};
use crate::gh::judge::api::is_name;
use crate::gh::parse::host::{canonical, is_odd};
use crate::gh::place::context::is_branch;

/// A thing in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A bare number: `171`.
    Number(u64),
    /// A pull request or an issue: `#171`, or the address of one.
    Item(u64),
    /// A workflow run, and one of its jobs where its address names one.
    Run {
        /// The run's id.
        id: u64,
        /// The job's id.
        job: Option<u64>,
    },
    /// A branch, `OWNER:BRANCH` for one of a fork.
    Branch(String),
    /// A commit, by its whole object name.
    Commit(String),
    /// The repository itself, or the host.  No text names it.
    Place,
}

/// A thing, and the repository that the text names it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The thing.
    pub thing: Thing,
    /// `[HOST/]OWNER/REPO`; `None` where the text names no repository.
    pub repo: Option<String>,
}

impl Reference {
    /// Reads `text`.
    ///
    /// # Errors
    /// `bad-argument` where `text` names nothing that is known here.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let thing = |thing| Ok(Self { thing, repo: None });
        if let Some(number) = digits(text) {
            return thing(Thing::Number(number));
        }
        if let Some(number) = text.strip_prefix('#').and_then(digits) {
            return thing(Thing::Item(number));
        }
        if text
            .trim_start_matches('#')
            .bytes()
            .all(|b| b.is_ascii_digit())
        {
            return Err(unread());
        }
        if is_object_name(text) {
            return thing(Thing::Commit(text.to_ascii_lowercase()));
        }
        if let Some((repo, number)) = text.split_once('#')
            && !text.contains("://")
            && let Some(number) = digits(number)
            && let Some(repo) = repository(repo)
        {
            return Ok(Self {
                thing: Thing::Item(number),
                repo: Some(repo),
            });
        }
        if let Some(reference) = address(text) {
            return Ok(reference);
        }
        if !text.contains("://") && is_head(text) {
            return thing(Thing::Branch(text.to_owned()));
        }
        Err(unread())
    }
}

fn unread() -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        "The argument names no pull request, issue, run or branch.\nGive a number, #NUMBER, OWNER/REPO#NUMBER, the address (https://HOST/OWNER/REPO/pull/NUMBER, or /actions/runs/ID for a run) or a branch.",
    )
}

/// A number from 1, written in at most 15 digits.
fn digits(text: &str) -> Option<u64> {
    let plain = (1..=15).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| plain && *number > 0)
}

/// Whether `text` is the whole name of a commit, in SHA-1 or SHA-256.
fn is_object_name(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether `text` is a branch, or `OWNER:BRANCH`.
fn is_head(text: &str) -> bool {
    match text.split_once(':') {
        Some((owner, branch)) => is_name(owner) && is_branch(branch),
        None => is_branch(text),
    }
}

/// `[HOST/]OWNER/REPO` where `text` is that.
fn repository(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let (host, owner, repo) = match parts.as_slice() {
        [owner, repo] => (None, *owner, *repo),
        [host, owner, repo] => (Some(*host), *owner, *repo),
        _ => return None,
    };
    if !is_name(owner) || !is_name(repo) || host.is_some_and(is_odd) {
        return None;
    }
    Some(match host {
        Some(host) => format!("{}/{owner}/{repo}", canonical(host)),
        None => format!("{owner}/{repo}"),
    })
}

/// The reference of an address on a host's web pages, with or without its scheme.
fn address(text: &str) -> Option<Reference> {
    let rest = match text.split_once("://") {
        Some((scheme, rest)) => ["https", "http"]
            .iter()
            .any(|web| scheme.eq_ignore_ascii_case(web))
            .then_some(rest)?,
        None => text,
    };
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let [host, owner, name, rest @ ..] = parts.as_slice() else {
        return None;
    };
    if !host.contains('.') && !text.contains("://") {
        return None;
    }
    let repo = repository(&format!("{host}/{owner}/{name}"))?;
    let thing = match rest {
        ["pull" | "issues", number, ..] => Thing::Item(digits(number)?),
        ["actions", "runs", id, "job", job, ..] => Thing::Run {
            id: digits(id)?,
            job: Some(digits(job)?),
        },
        ["actions", "runs", id, ..] => Thing::Run {
            id: digits(id)?,
            job: None,
        },
        ["commit", sha] if is_object_name(sha) => Thing::Commit(sha.to_ascii_lowercase()),
        ["tree", branch @ ..] if is_branch(&branch.join("/")) => Thing::Branch(branch.join("/")),
        _ => return None,
    };
    Some(Reference {
        thing,
        repo: Some(repo),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, thing: Thing, repo: Option<&str>) {
        let expected = Reference {
            thing,
            repo: repo.map(str::to_owned),
        };
        assert_eq!(Reference::read(text), Ok(expected), "{text}");
    }

    #[test]
    fn a_number_an_item_a_run_a_branch_and_a_commit_are_told_apart() {
        check(" 171 ", Thing::Number(171), None);
        check("#171", Thing::Item(171), None);
        check("acme/site#171", Thing::Item(171), Some("acme/site"));
        check(
            "GHE.example.com/acme/site#171",
            Thing::Item(171),
            Some("ghe.example.com/acme/site"),
        );
        check("fix/#171", Thing::Branch("fix/#171".into()), None);
        check("mona:fix/menu", Thing::Branch("mona:fix/menu".into()), None);
        check(
            "0123456789abcdef0123456789ABCDEF01234567",
            Thing::Commit("0123456789abcdef0123456789abcdef01234567".into()),
            None,
        );
    }

    #[test]
    fn an_address_names_its_repository() {
        let site = Some("github.com/acme/site");
        check(
            "https://github.com/acme/site/pull/171/files#diff-1",
            Thing::Item(171),
            site,
        );
        check(
            "https://www.github.com/acme/site/issues/9?x=1",
            Thing::Item(9),
            site,
        );
        check("github.com/acme/site/pull/171/", Thing::Item(171), site);
        check(
            "https://github.com/acme/site/actions/runs/1001/attempts/2",
            Thing::Run {
                id: 1001,
                job: None,
            },
            site,
        );
        check(
            "https://github.com/acme/site/actions/runs/1001/job/77?pr=4#step:3:1",
            Thing::Run {
                id: 1001,
                job: Some(77),
            },
            site,
        );
        check(
            "https://github.com/acme/site/tree/fix/menu",
            Thing::Branch("fix/menu".into()),
            site,
        );
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for text in [
            "",
            "0",
            "#0",
            "-R",
            "two words",
            "a..b",
            "https://github.com/acme/site",
            "https://github.com/acme/site/pull/x",
            "https://mona:pw@github.com/acme/site/pull/1",
            "https://github.com/acme/../site/pull/1",
            "ssh://git@github.com/acme/site/pull/1",
            "ftp://github.com/acme/site/pull/1",
            "9999999999999999",
        ] {
            assert!(Reference::read(text).is_err(), "{text}");
        }
    }
}
