//! The repositories that a checkout's remotes point to.

use super::config::{GitConfig, Remote};
use super::facts::GitFacts;
use crate::gate::{ErrorKind, Refusal, Source, Target};
use crate::gh::place::hosts::Hosts;
use crate::gh::place::remote::{RepoRef, parse_remote, parse_repo_arg, same_name};

/// The unknown hosts that the checkout's remotes point to, each once.  [`super::resolve`] skips these remotes.
///
/// Where git's configuration was cut, only the remotes before the cut count; [`super::resolve`] refuses such a checkout and says why.
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

/// The name of the checkout's first remote, in gh's order, that points to the repository of `target`; `None` where no remote does.
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

/// A checkout's remotes on known hosts.
pub(super) struct Checkout<'a> {
    config: GitConfig,
    remotes: Vec<Remote>,
    branch: Option<&'a str>,
    hosts: &'a Hosts,
}

impl<'a> Checkout<'a> {
    /// Reads the remotes out of `facts`, in gh's order.
    ///
    /// # Errors
    /// `truncated` where git's configuration was cut.
    pub(super) fn read(facts: &'a GitFacts, hosts: &'a Hosts) -> Result<Self, Refusal> {
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

    /// The repositories that the checkout can stand for, in the order of precedence of [`Source`]: `gh repo set-default`, the tracked
    /// remote, `origin`.
    pub(super) fn by_precedence(&self) -> Vec<(Source, RepoRef)> {
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

    /// The repositories of [`Self::by_precedence`], and then the repository of each remote.
    pub(super) fn every_repo(self) -> impl Iterator<Item = RepoRef> {
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
            // gh uses the remote's host whatever the value says.  Where the two hosts differ, nobody can tell which was meant.
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

    /// The repository of the remote that the branch tracks, by the remote's name or (as `gh pr checkout` writes it) by URL.
    fn upstream(&self) -> Option<RepoRef> {
        let name = self.config.branch_value(self.branch?, "remote")?;
        match self.named(name) {
            Some(remote) => self.repo_of(remote),
            None => self.known(parse_remote(&self.config.rewrite(name)).ok()?),
        }
    }

    /// The repository of a remote: that of its fetch URL, or of its push URL where the fetch URL names no GitHub repository (as gh does).
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

/// gh's own order of remotes (2.92.0): upstream, github, origin, then the others in the order of their names.
fn rank(remote: &str) -> u8 {
    match remote {
        "upstream" => 0,
        "github" => 1,
        "origin" => 2,
        _ => 3,
    }
}
