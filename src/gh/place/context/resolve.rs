//! The target of a call: what the call names comes first, then the checkout's repositories ([`Checkout`] has their order), then the
//! default host.

use super::checkout::Checkout;
use super::facts::GitFacts;
use crate::gate::{ErrorKind, Refusal, Source, Target};
use crate::gh::place::hosts::Hosts;
use crate::gh::place::remote::{RepoRef, check_host_name, parse_repo_arg, same_name};

/// Finds the target of a call.
///
/// `facts` is `None` outside of a checkout.  An empty `hostname` or `repo` counts as not given, since models send empty strings.
/// A host in `repo` beats `hostname`.  Without one, the host is `hostname`, else the host of the checkout's remote that has
/// exactly this owner and repository, else the default host.
/// Where only `hostname` is given, owner and repository are those of the first of the checkout's repositories on that host.
///
/// # Errors
/// `bad-argument` for a malformed argument, `policy-blocked` for a host that is not known,
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

/// Checks that calls may go to `host`.
///
/// # Errors
/// `policy-blocked` for a host that is not known.
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
