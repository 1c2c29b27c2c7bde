//! Which host and repository a call goes to: a pure function of the arguments, the checkout's git facts and the known hosts.
//!
//! The order of precedence is that of [`Source`]: a `repo` argument, a `hostname` argument, gh's own choice for the checkout
//! (`gh repo set-default`), the remote that the branch tracks, `origin`, the default host.
//! A host that is not known is refused where a person or a model names it, and skipped where a remote does.

mod branch;
mod commits;
mod config;

pub use branch::{BranchRef, branch_ref};
pub use commits::{Commit, Commits, Lack, Range, is_branch};
pub use config::{CONFIG_PATTERN, GitConfig, Remote};

pub use super::hosts::Hosts;
use super::remote::{RepoRef, check_host_name, parse_remote, parse_repo_arg, same_name};
use crate::foreign::Foreign;
use crate::gate::{ErrorKind, Refusal, Source, Target};

/// What git says about a checkout, gathered beforehand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitFacts {
    /// Output of `git config -z --get-regexp` with [`CONFIG_PATTERN`].
    pub config: Foreign<Vec<u8>>,
    /// Current branch, `None` on a detached HEAD.
    pub branch: Option<String>,
    /// Object name of HEAD.
    pub head: Option<String>,
    /// The commits whose messages the call would publish, where it is one that would.
    pub commits: Option<Commits>,
}

/// Finds the target of a call.
///
/// `facts` is `None` outside of a checkout; an empty `hostname` or `repo` counts as not given, as models send them.
/// In `repo`, a host beats `hostname`. Without one, the host is that of `hostname`, else that of the checkout's remote
/// with exactly this owner and repository, else the default host.
/// With a `hostname` alone, owner and repository come from the checkout if it lies on that host.
///
/// Refusals: `bad-argument` for a malformed argument, `policy-blocked` for a host that is not known,
/// `truncated` when git's configuration was cut and the checkout would have decided.
pub fn resolve(
    facts: Option<&GitFacts>,
    hostname: Option<&str>,
    repo: Option<&str>,
    hosts: &Hosts,
) -> Result<Target, Refusal> {
    let hostname = hostname
        .filter(|h| !h.is_empty())
        .map(|h| known_host_argument(h, hosts))
        .transpose()?;
    if let Some(repo) = repo.filter(|r| !r.is_empty()) {
        return explicit_repo(facts, hostname, repo, hosts);
    }
    let found = match facts {
        Some(facts) => Checkout::read(facts, hosts)?.by_precedence(),
        None => Vec::new(),
    };
    if let Some(host) = hostname {
        let here = found.into_iter().find(|(_, r)| r.host == host);
        let (owner, repo) = here.map(|(_, r)| (r.owner, r.repo)).unzip();
        return Ok(Target {
            host,
            owner,
            repo,
            account: None,
            source: Source::ExplicitHost,
        });
    }
    if let Some((source, repo)) = found.into_iter().next() {
        return Ok(target(repo, source));
    }
    Ok(Target {
        host: default_host(hosts)?,
        owner: None,
        repo: None,
        account: None,
        source: Source::Default,
    })
}

/// The hosts that are not known and that a remote of the checkout points to, each once.  [`resolve`] passes these remotes over.
///
/// Empty where git's configuration was cut; then [`resolve`] says so.
pub fn unknown_hosts(facts: &GitFacts, hosts: &Hosts) -> Vec<String> {
    let config = GitConfig::parse(facts.config.reveal());
    let mut unknown: Vec<String> = Vec::new();
    for remote in config.remotes() {
        for url in [remote.url, remote.push_url].into_iter().flatten() {
            if let Ok(repo) = parse_remote(&url)
                && !hosts.knows(&repo.host)
                && !unknown.contains(&repo.host)
            {
                unknown.push(repo.host);
            }
        }
    }
    unknown
}

/// The name of the checkout's first remote, in gh's order, that is the repository of `target`; none where there is none.
pub fn remote_of(facts: &GitFacts, target: &Target, hosts: &Hosts) -> Option<String> {
    let (owner, repo) = (target.owner.as_deref()?, target.repo.as_deref()?);
    let checkout = Checkout::read(facts, hosts).ok()?;
    let is_target = |remote: &&Remote| {
        checkout.repo_of(remote).is_some_and(|found| {
            found.host == target.host
                && same_name(&found.owner, owner)
                && same_name(&found.repo, repo)
        })
    };
    checkout
        .remotes
        .iter()
        .find(is_target)
        .map(|remote| remote.name.clone())
}

fn explicit_repo(
    facts: Option<&GitFacts>,
    hostname: Option<String>,
    repo: &str,
    hosts: &Hosts,
) -> Result<Target, Refusal> {
    let arg = parse_repo_arg(repo).map_err(|why| {
        Refusal::new(
            ErrorKind::BadArgument,
            format!("The repo argument does not name a repository: {why}.\nGive it as OWNER/REPO or HOST/OWNER/REPO."),
        )
    })?;
    let host = if let Some(host) = arg.host {
        check_known(&host, hosts)?;
        host
    } else if let Some(host) = hostname {
        host
    } else {
        let named = |r: &RepoRef| same_name(&r.owner, &arg.owner) && same_name(&r.repo, &arg.repo);
        let remote = match facts {
            Some(facts) => Checkout::read(facts, hosts)?.every_repo().find(named),
            None => None,
        };
        match remote {
            Some(remote) => remote.host,
            None => default_host(hosts)?,
        }
    };
    let repo = RepoRef {
        host,
        owner: arg.owner,
        repo: arg.repo,
    };
    Ok(target(repo, Source::ExplicitRepo))
}

fn target(repo: RepoRef, source: Source) -> Target {
    Target {
        host: repo.host,
        owner: Some(repo.owner),
        repo: Some(repo.repo),
        account: None,
        source,
    }
}

fn known_host_argument(name: &str, hosts: &Hosts) -> Result<String, Refusal> {
    let host = check_host_name(name).map_err(|why| {
        Refusal::new(
            ErrorKind::BadArgument,
            format!("The hostname argument is malformed: {why}.\nGive a plain host name such as github.com."),
        )
    })?;
    check_known(&host, hosts)?;
    Ok(host)
}

/// # Errors
/// `policy-blocked` for a host that calls may not go to.
pub(in crate::gh) fn check_known(host: &str, hosts: &Hosts) -> Result<(), Refusal> {
    if hosts.knows(host) {
        return Ok(());
    }
    Err(Refusal::new(
        ErrorKind::PolicyBlocked,
        format!(
            "{host} is not a known host; known: {}.\n\
             Log in with `gh auth login --hostname {host}` or add it to `cj/gh-known-hosts'.",
            known_list(hosts)
        ),
    ))
}

fn default_host(hosts: &Hosts) -> Result<String, Refusal> {
    if hosts.knows(&hosts.default) {
        return Ok(hosts.default.clone());
    }
    Err(Refusal::new(
        ErrorKind::PolicyBlocked,
        format!(
            "The default host {} is not a known host; known: {}.\n\
             Name a repository as HOST/OWNER/REPO, or set `cj/gh-default-host' to a known host.",
            hosts.default,
            known_list(hosts)
        ),
    ))
}

fn known_list(hosts: &Hosts) -> String {
    if hosts.known.is_empty() {
        "none".to_owned()
    } else {
        hosts.known.join(", ")
    }
}

/// A checkout's remotes on known hosts.
struct Checkout<'a> {
    config: GitConfig,
    remotes: Vec<Remote>,
    branch: Option<&'a str>,
    hosts: &'a Hosts,
}

impl<'a> Checkout<'a> {
    fn read(facts: &'a GitFacts, hosts: &'a Hosts) -> Result<Self, Refusal> {
        let config = GitConfig::parse(facts.config.reveal());
        if config.cut() {
            return Err(Refusal::new(
                ErrorKind::Truncated,
                "git did not give its whole configuration here (too long, or too slow), so the repository cannot be told from it.\n\
                 Name it with repo as HOST/OWNER/REPO.",
            ));
        }
        let mut remotes = config.remotes();
        remotes.sort_by(|a, b| {
            rank(&a.name)
                .cmp(&rank(&b.name))
                .then_with(|| a.name.cmp(&b.name))
        });
        Ok(Self {
            config,
            remotes,
            branch: facts.branch.as_deref(),
            hosts,
        })
    }

    /// The repositories that the checkout stands for, best first.
    fn by_precedence(&self) -> Vec<(Source, RepoRef)> {
        let rows = [
            (Source::SetDefault, self.set_default()),
            (Source::Upstream, self.upstream()),
            (
                Source::Origin,
                self.named("origin").and_then(|r| self.repo_of(r)),
            ),
        ];
        rows.into_iter()
            .filter_map(|(source, repo)| Some((source, repo?)))
            .collect()
    }

    /// The same, and then those of all other remotes.
    fn every_repo(self) -> impl Iterator<Item = RepoRef> {
        let first = self.by_precedence().into_iter().map(|(_, repo)| repo);
        let all: Vec<RepoRef> = self
            .remotes
            .iter()
            .filter_map(|r| self.repo_of(r))
            .collect();
        first.chain(all)
    }

    fn named(&self, name: &str) -> Option<&Remote> {
        self.remotes.iter().find(|r| r.name == name)
    }

    /// `gh repo set-default` writes `remote.NAME.gh-resolved`: `base` for the remote itself, or another OWNER/REPO on its host.
    fn set_default(&self) -> Option<RepoRef> {
        self.remotes.iter().find_map(|remote| {
            let resolved = remote.resolved.as_deref()?;
            let own = self.repo_of(remote)?;
            if resolved == "base" {
                return Some(own);
            }
            let arg = parse_repo_arg(resolved).ok()?;
            // gh takes the remote's host whatever the value says; where they differ, nobody can tell what was meant.
            if arg.host.is_some_and(|h| h != own.host) {
                return None;
            }
            Some(RepoRef {
                host: own.host,
                owner: arg.owner,
                repo: arg.repo,
            })
        })
    }

    /// The remote that the branch tracks, by name or (as `gh pr checkout` writes it) by URL.
    fn upstream(&self) -> Option<RepoRef> {
        let name = self.config.branch_value(self.branch?, "remote")?;
        match self.named(name) {
            Some(remote) => self.repo_of(remote),
            None => self.known(parse_remote(&self.config.rewrite(name)).ok()?),
        }
    }

    /// The repository of a remote: by its first URL, or by its push URL where the first is no GitHub repository (as gh does).
    fn repo_of(&self, remote: &Remote) -> Option<RepoRef> {
        let fetch = remote.url.as_deref().and_then(|u| parse_remote(u).ok());
        let repo = match fetch {
            Some(repo) => repo,
            None => parse_remote(remote.push_url.as_deref()?).ok()?,
        };
        self.known(repo)
    }

    fn known(&self, repo: RepoRef) -> Option<RepoRef> {
        self.hosts.knows(&repo.host).then_some(repo)
    }
}

/// gh's own order of remotes (2.92.0): upstream, github, origin, then the others by name.
fn rank(remote: &str) -> u8 {
    match remote {
        "upstream" => 0,
        "github" => 1,
        "origin" => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests;
