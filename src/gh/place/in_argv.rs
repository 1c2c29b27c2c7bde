//! What the argv itself says of the target: a host, a repository, and whether two places in it contradict each other.

use super::hosts::Hosts;
use super::remote::parse_repo_arg;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::parse::host::{looks_like_url, without_query};
use crate::gh::parse::{Parsed, ValueAt};
use crate::gh::rows::Names;

crate::foreign::debug_by_name!(InArgv);

/// The target as argv itself names it; `endpoint_is_url`: `gh api` gets a URL, which names its host.
#[derive(Default)]
pub(super) struct InArgv {
    pub host: Option<String>,
    pub repo: Option<String>,
    pub endpoint_is_url: bool,
}

impl InArgv {
    /// Reads the target out of a call; nothing is named where the catalog does not know the command (`None`).
    ///
    /// # Errors
    /// `policy-blocked` for a host that is not known, `bad-argument` where two places name different targets or a URL names no repository.
    pub fn read(parsed: Option<&Parsed>, hosts: &Hosts) -> Result<Self, Refusal> {
        let Some(parsed) = parsed else {
            return Ok(Self::default());
        };
        let named = parsed.hosts_named();
        if let Some(foreign) = named.iter().find(|host| !hosts.knows(host)) {
            // The user and password of a URL are no part of the host, and must not be repeated in a message.
            let foreign = foreign
                .rsplit_once('@')
                .map_or(foreign.as_str(), |(_, host)| host);
            return Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The arguments name the host {foreign}, which is not known; known: {}.\nLog in with `gh auth login --hostname HOST' or add it to `cj/gh-known-hosts'.",
                    hosts.known.join(", ")
                ),
            ));
        }
        if let [first, second, ..] = named.as_slice()
            && first != second
        {
            return Err(conflict("the host", first, second));
        }
        let host = named.into_iter().next();
        let mut repos = Vec::new();
        let takes_repo = parsed.leaf.takes_repo();
        if takes_repo {
            // gh treats an empty value as no value.
            let value = parsed.value("repo").filter(|v| !v.is_empty());
            repos.extend(value.map(str::to_owned));
        }
        let first = parsed.positionals.first().map(|p| p.text.as_str());
        for (nth, positional) in parsed.positionals.iter().enumerate() {
            match parsed.leaf.positional(nth) {
                // `gh issue edit 1 URL' works on the URL's repository, whatever `-R' says.
                Names::Item if takes_repo => {
                    repos.extend(repository_of_selector(&positional.text)?);
                }
                // Where `-R' names the target, a repository in a positional is something else: the source in `label clone SOURCE'.
                Names::Repository if !takes_repo && nth == 0 => {
                    let text = without_query(&positional.text);
                    repos.extend(parse_repo_arg(text).is_ok().then(|| text.to_owned()));
                }
                _ => {}
            }
        }
        for (place, names, value) in parsed.values() {
            if names == Names::Item && matches!(place, ValueAt::Flag(_)) {
                for one in value.split(',') {
                    // The value of a flag names no target, but its URL must be plain too.
                    repository_of_selector(one)?;
                }
            }
        }
        if let Some((first, rest)) = repos.split_first()
            && let Some(other) = rest.iter().find(|other| !same_repository(first, other))
        {
            return Err(conflict("the repository", first, other));
        }
        Ok(Self {
            host,
            repo: repos.pop(),
            endpoint_is_url: parsed.leaf.path == "api" && first.is_some_and(|f| f.contains("://")),
        })
    }
}

/// `HOST/OWNER/REPO` of a positional that gh may take for a URL; `None` for a number, a branch or a name.
///
/// The URL beats `-R`, and gh reads a scheme in capitals, a user part and percent signs as any URL parser does (2.92.0 and 2.103.3).
///
/// # Errors
/// `bad-argument` for a URL that does not plainly name a repository: the person could be shown one repository and gh work on another.
fn repository_of_selector(text: &str) -> Result<Option<String>, Refusal> {
    if !looks_like_url(text) {
        return Ok(None);
    }
    repository_of_url(text).map(Some).ok_or_else(|| {
        Refusal::new(
            ErrorKind::BadArgument,
            "An argument is a URL that does not plainly name a repository.\nGive the number and `repo' as OWNER/REPO, or the URL as https://HOST/OWNER/REPO/...",
        )
    })
}

/// `HOST/OWNER/REPO` of a URL to something in a repository, such as `https://github.com/o/r/pull/1`.
fn repository_of_url(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let mut parts = rest.split('/');
    let (host, owner, repo) = (parts.next()?, parts.next()?, parts.next()?);
    // In such a URL, gh takes `.git` as a part of the repository's name.
    if repo.to_ascii_lowercase().ends_with(".git") {
        return None;
    }
    let text = format!("{host}/{owner}/{repo}");
    parse_repo_arg(&text).is_ok().then_some(text)
}

/// Whether `a` and `b` can mean one repository.  A text without a host agrees with any host: `o/r` with `ghe.example.com/o/r`.
pub(super) fn same_repository(a: &str, b: &str) -> bool {
    match (parse_repo_arg(a), parse_repo_arg(b)) {
        (Ok(a), Ok(b)) => {
            let hosts = a.host.as_deref().zip(b.host.as_deref());
            hosts.is_none_or(|(x, y)| x.eq_ignore_ascii_case(y))
                && a.owner.eq_ignore_ascii_case(&b.owner)
                && a.repo.eq_ignore_ascii_case(&b.repo)
        }
        _ => a == b,
    }
}

/// The refusal of a call that names `what`, such as the repository, once as `a` and once as `b`.
pub(super) fn conflict(what: &str, a: &str, b: &str) -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        format!("The call names {what} twice, as {a} and as {b}.\nName one of them only."),
    )
}
