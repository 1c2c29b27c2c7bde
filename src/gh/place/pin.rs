//! Pinning: the resolved target is written into the call itself, so that gh has no target left to choose.
//!
//! Each command takes its target in one of these ways: `-R HOST/OWNER/REPO`, `--hostname HOST`, a positional, or `GH_HOST` and `GH_REPO`.
//! With `-R`, gh does not look up the pull request of the current branch: `gh pr view -R o/r` without a positional is an error
//! (gh 2.92.0 and 2.103.3).  So the branch is supplied from the git facts, or the call is refused with the reason.

use super::context::{GitFacts, branch_ref, is_branch, resolve};
use super::hosts::Hosts;
use super::in_argv::{InArgv, conflict, same_repository};
use super::remote::parse_repo_arg;
use crate::gate::{Class, ErrorKind, Refusal, Source, Target};
use crate::gh::catalog::HostBy;
use crate::gh::judge::api;
use crate::gh::parse::{Beside, Parsed};
use crate::gh::rows::{Current, Names};

crate::foreign::debug_by_name!(AsArguments<'_>, Pinned);

/// What names the target besides argv: the arguments of a tool, and the checkout.
#[derive(Clone, Copy, Default)]
pub struct AsArguments<'a> {
    /// The argument `hostname`.
    pub hostname: Option<&'a str>,
    /// The argument `repo`.
    pub repo: Option<&'a str>,
    /// What git says about the checkout.
    pub facts: Option<&'a GitFacts>,
    /// The working directory, where it is on another machine, so that git cannot be asked about the checkout.
    pub remote_cwd: Option<&'a str>,
}

/// A call that leaves gh no choice of target.
#[derive(Clone, PartialEq, Eq)]
pub struct Pinned {
    /// The exact argv.
    pub argv: Vec<String>,
    /// The place that the call goes to; owner and repository only where the call is about a repository.
    pub target: Target,
    /// Value for `GH_HOST`.
    pub gh_host: Option<String>,
    /// Value for `GH_REPO`.
    pub gh_repo: Option<String>,
    /// How much of its host the call concerns.
    pub reach: Reach,
}

/// How much of its host a call concerns.  A person is told the reach where the target alone does not show it: an organization has no repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// What the target shows: a repository, or something that belongs to the host or to the account.
    Target,
    /// A whole organization: the target's owner.
    Organization,
    /// A user, or something that belongs to a user: the target's owner.
    Owner,
    /// The account itself.
    User,
    /// Only the host can tell which repository the arguments mean: `api graphql`, `api repositories/1`.
    Untold,
}

/// Pins `argv`, which parses as `parsed` (`None`: the catalog does not know a word of the command).
///
/// # Errors
/// `policy-blocked` for a host that is not known, `bad-argument` for arguments that contradict each other or lack something that the command
/// needs, `remote-cwd` where the repository would have to come from a checkout on another machine.
pub fn pin(
    parsed: Option<&Parsed>,
    argv: &[String],
    wanted: AsArguments<'_>,
    hosts: &Hosts,
) -> Result<Pinned, Refusal> {
    let said = InArgv::read(parsed, hosts)?;
    let hostname = agreed("hostname", said.host.as_deref(), wanted.hostname, |a, b| {
        a.eq_ignore_ascii_case(b)
    })?;
    let repo = agreed("repo", said.repo.as_deref(), wanted.repo, same_repository)?;
    // A host in argv is the target's host.  A `repo' argument that names another host contradicts it.
    let mut target = resolve(wanted.facts, hostname.as_deref(), repo.as_deref(), hosts)?;
    if let Some(host) = hostname.as_deref()
        && !target.host.eq_ignore_ascii_case(host)
    {
        return Err(conflict("the host", host, &target.host));
    }
    let Some(parsed) = parsed else {
        let gh_repo = full_name(&target);
        return Ok(Pinned {
            argv: argv.to_vec(),
            gh_host: Some(target.host.clone()),
            gh_repo,
            target,
            reach: Reach::Untold,
        });
    };
    let way = TargetBy::of(parsed, &said);
    if way.needs_repository() && repo.is_none() {
        check_repository(parsed, &target, wanted.remote_cwd)?;
    }
    let mut out = Pinned {
        argv: argv.to_vec(),
        gh_host: Some(target.host.clone()),
        gh_repo: None,
        target: target.clone(),
        reach: Reach::Target,
    };
    match way {
        TargetBy::RepoFlag => {
            let repository =
                full_name(&target).expect("a target without repository was refused above");
            out.argv = parsed.with_flag(argv, "repo", &repository);
            supply_head(parsed, &mut out, wanted.facts, &target)?;
            supply_branch(parsed, &mut out, wanted.facts)?;
        }
        TargetBy::Positional => {
            let repository =
                full_name(&target).expect("a target without repository was refused above");
            if said.repo.is_none() {
                out.argv.insert(after_words(parsed), repository);
            } else {
                spell_out_positional(parsed, &mut out);
            }
        }
        TargetBy::Hostname | TargetBy::Environment => {
            if way == TargetBy::Hostname {
                out.argv = parsed.with_flag(argv, "hostname", &target.host);
            }
            if uses_placeholders(parsed) {
                if let (None, Some(directory)) = (&repo, wanted.remote_cwd) {
                    return Err(Refusal::new(
                        ErrorKind::RemoteCwd,
                        format!(
                            "The directory {directory} is on another machine, so {{owner}} and {{repo}} cannot be filled in.\nName the repository with `repo'."
                        ),
                    ));
                }
                // gh reads no checkout, so it would have nothing to fill in.
                if target.repo.is_none() {
                    return Err(Refusal::new(
                        ErrorKind::BadArgument,
                        "The call holds {owner}, {repo} or {branch}, and there is no repository of a known host here to fill them in from.\nName it with `repo' as [HOST/]OWNER/REPO, or write the names out.",
                    ));
                }
                out.gh_repo = full_name(&target);
            } else if said.repo.is_none() {
                drop_repository(&mut target);
                out.target = target;
            } else {
                spell_out_positional(parsed, &mut out);
            }
            (out.target, out.reach) = reached(parsed, out.target, repo.as_deref())?;
        }
        TargetBy::Beside(beside) => {
            drop_repository(&mut target);
            out.reach = match beside {
                Beside::Organization(org) if !api::is_name(org) => {
                    return Err(Refusal::new(
                        ErrorKind::BadArgument,
                        "The value of --org is no name that an organization can have.\nGive the name alone, as in `--org acme'.",
                    ));
                }
                Beside::Organization(org) => {
                    target.owner = Some(org.to_owned());
                    Reach::Organization
                }
                Beside::User => Reach::User,
            };
            out.target = target;
        }
    }
    Ok(out)
}

/// Checks that `target`, which comes from the checkout, has the repository that the command needs.
///
/// # Errors
/// `remote-cwd` where the checkout is on another machine, `bad-argument` where `target` has no repository.
fn check_repository(
    parsed: &Parsed,
    target: &Target,
    remote_cwd: Option<&str>,
) -> Result<(), Refusal> {
    if let Some(directory) = remote_cwd {
        return Err(Refusal::new(
            ErrorKind::RemoteCwd,
            format!(
                "The directory {directory} is on another machine, so its repository cannot be asked for.\nName the repository with `repo' as OWNER/REPO."
            ),
        ));
    }
    if target.repo.is_none() {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "`{}' needs a repository, and there is none of a known host here.\nName it with `repo' as [HOST/]OWNER/REPO.",
                parsed.leaf.path
            ),
        ));
    }
    Ok(())
}

/// What gh takes from the checkout when the call does not name it: for `pr view`, the pull request of the current branch.
fn taken_from_checkout(parsed: &Parsed) -> Option<Current> {
    parsed.leaf.row?.current
}

/// How the target is written into a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TargetBy<'a> {
    /// `-R HOST/OWNER/REPO`.
    RepoFlag,
    /// `HOST/OWNER/REPO` as the first positional.
    Positional,
    /// `--hostname HOST`.
    Hostname,
    /// `GH_HOST`, which every call gets: no flag and no positional is added.
    Environment,
    /// The call works on something other than a repository, such as an organization's secrets, whatever `-R` says.
    Beside(Beside<'a>),
}

impl<'a> TargetBy<'a> {
    fn of(parsed: &'a Parsed, said: &InArgv) -> Self {
        let leaf = parsed.leaf;
        if parsed.help || !leaf.runs {
            return Self::Environment;
        }
        if let Some(beside) = parsed.beside_repository() {
            return Self::Beside(beside);
        }
        match leaf.host {
            // gh ignores `-R` beside a URL; `InArgv::read` has made sure that the URL names the target.
            HostBy::InheritedRepo | HostBy::OwnRepo => Self::RepoFlag,
            HostBy::Hostname if said.endpoint_is_url => Self::Environment,
            HostBy::Hostname => Self::Hostname,
            // `gh repo view NAME' is the user's own repository of that name.
            HostBy::Env
                if taken_from_checkout(parsed) == Some(Current::OwnRepository)
                    && (parsed.positionals.is_empty() || said.repo.is_some()) =>
            {
                Self::Positional
            }
            _ => Self::Environment,
        }
    }

    fn needs_repository(self) -> bool {
        matches!(self, Self::RepoFlag | Self::Positional)
    }
}

/// The value on which argv (`in_argv`) and the tool's argument called `argument` (`given`) agree; where both name one, the longer:
/// `HOST/OWNER/REPO` says more than `OWNER/REPO`.
///
/// # Errors
/// `bad-argument` where they contradict each other.
fn agreed(
    argument: &str,
    in_argv: Option<&str>,
    given: Option<&str>,
    same: impl Fn(&str, &str) -> bool,
) -> Result<Option<String>, Refusal> {
    let given = given.filter(|g| !g.is_empty());
    match (in_argv, given) {
        (Some(a), Some(b)) if !same(a, b) => Err(conflict(&format!("`{argument}'"), a, b)),
        (Some(a), Some(b)) => Ok(Some(if b.len() > a.len() { b } else { a }.to_owned())),
        (a, b) => Ok(a.or(b).map(str::to_owned)),
    }
}

/// `HOST/OWNER/REPO`; `None` where the target has no repository.
fn full_name(target: &Target) -> Option<String> {
    target.repo.as_ref().map(|_| target.to_string())
}

fn drop_repository(target: &mut Target) {
    target.owner = None;
    target.repo = None;
}

/// The index in argv after the words of the command: a positional that is inserted there is the first.
fn after_words(parsed: &Parsed) -> usize {
    parsed.words.iter().max().map_or(0, |last| last + 1)
}

/// Whether `gh api` fills in `{owner}`, `{repo}` or `{branch}` (`:owner` in the old form), in the endpoint or a field.
fn uses_placeholders(parsed: &Parsed) -> bool {
    let holds = |text: &str| {
        [
            "{owner}", "{repo}", "{branch}", ":owner", ":repo", ":branch",
        ]
        .iter()
        .any(|p| text.contains(p))
    };
    parsed.leaf.path == "api"
        && (parsed.positionals.iter().any(|p| holds(&p.text))
            || parsed
                .all("field")
                .filter_map(|f| f.value.as_deref())
                .any(holds))
}

/// Rewrites a repository in the first positional to `HOST/OWNER/REPO`, unless it already stands there as `OWNER/REPO` or `HOST/OWNER/REPO`:
/// some leaves of gh drop the `.git` of `o/r.git` and others keep it.
fn spell_out_positional(parsed: &Parsed, out: &mut Pinned) {
    let Some(first) = parsed.positionals.first() else {
        return;
    };
    if parsed.leaf.positional(0) != Names::Repository {
        return;
    }
    let (
        Some(repository),
        Target {
            owner: Some(owner),
            repo: Some(repo),
            ..
        },
    ) = (full_name(&out.target), &out.target)
    else {
        return;
    };
    let short = format!("{owner}/{repo}");
    let plain = [&short, &repository]
        .iter()
        .any(|plain| first.text.eq_ignore_ascii_case(plain));
    if !plain {
        out.argv[first.index] = repository;
    }
}

/// The target and the reach of a call without `-R`: `target`, with the owner and the repository that the endpoint of `gh api` names, or with
/// the owner that an argument names.
///
/// # Errors
/// `bad-argument` where the endpoint names another repository than `repo`, or an argument that names an owner holds no name.
fn reached(
    parsed: &Parsed,
    mut target: Target,
    repo: Option<&str>,
) -> Result<(Target, Reach), Refusal> {
    let path = parsed.leaf.path.as_str();
    let first = parsed.positionals.first().map(|p| p.text.as_str());
    if path == "api" {
        return reached_by_api(parsed, target, repo);
    }
    if parsed.help {
        return Ok((target, Reach::Target));
    }
    // A bare name is a repository of the account's own; `call::plan' fills in the account where it is known.
    if path.starts_with("repo ")
        && target.repo.is_none()
        && parsed.leaf.positional(0) == Names::Repository
        && let Some(name) = first.filter(|name| api::is_name(name))
    {
        target.repo = Some(name.to_owned());
        return Ok((target, Reach::Target));
    }
    // In `gh attestation', `--repo' does not choose the repository that gh works in; it says whose attestations gh asks for.
    let attested = path.starts_with("attestation ");
    if attested
        && let Some(repo) = parsed
            .value("repo")
            .and_then(|text| parse_repo_arg(text).ok())
    {
        (target.owner, target.repo) = (Some(repo.owner), Some(repo.repo));
        return Ok((target, Reach::Target));
    }
    let owner = if attested {
        parsed.value("owner")
    } else if path.starts_with("project ") {
        parsed.value("target-owner").or(parsed.value("owner"))
    } else if target.repo.is_none() && parsed.leaf.positional(0) == Names::Account {
        first
    } else if target.repo.is_none() {
        parsed.value("org")
    } else {
        None
    };
    match owner {
        Some("@me") => return Ok((target, Reach::User)),
        Some("") | None => {}
        Some(owner) if api::is_name(owner) => target.owner = Some(owner.to_owned()),
        Some(_) => {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "An argument that names an owner holds what no name of an owner can have.\nGive the name alone, as in `--owner acme'.",
            ));
        }
    }
    Ok((target, Reach::Target))
}

/// The target and the reach of a call of `gh api`, by its endpoint, in which `{owner}` and `{repo}` stand for those of `target`.  Where the
/// endpoint names neither a repository nor an owner, a call that only reads keeps the repository of `target`, and any other call loses it.
///
/// # Errors
/// As [`reached`].
fn reached_by_api(
    parsed: &Parsed,
    mut target: Target,
    repo: Option<&str>,
) -> Result<(Target, Reach), Refusal> {
    let endpoint = parsed.positionals.first().map(|p| p.text.as_str());
    let filled = target.owner.clone().zip(target.repo.clone());
    let filled = filled
        .as_ref()
        .map(|(owner, repo)| (owner.as_str(), repo.as_str()));
    let about = endpoint.map_or(api::About::Unknown, |endpoint| api::about(endpoint, filled));
    let (owner, name, reach) = match about {
        api::About::Repository(owner, name) => {
            let named = format!("{owner}/{name}");
            if let Some(repo) = repo
                && !same_repository(&named, repo)
            {
                return Err(conflict("the repository", &named, repo));
            }
            target.source = Source::ExplicitRepo;
            (Some(owner), Some(name), Reach::Target)
        }
        api::About::Organization(owner) => (Some(owner), None, Reach::Organization),
        api::About::Owner(owner) => (Some(owner), None, Reach::Owner),
        about => {
            let reach = match about {
                api::About::User => Reach::User,
                api::About::Host => Reach::Target,
                _ => Reach::Untold,
            };
            if !api::judge(parsed)
                .iter()
                .all(|finding| finding.class == Class::Read)
            {
                drop_repository(&mut target);
            }
            return Ok((target, reach));
        }
    };
    (target.owner, target.repo) = (owner, name);
    Ok((target, reach))
}

/// Writes into `out` the positional or the `--head` that gh would have read from the checkout: the pull request, or the head of a new one.
fn supply_head(
    parsed: &Parsed,
    out: &mut Pinned,
    facts: Option<&GitFacts>,
    target: &Target,
) -> Result<(), Refusal> {
    let path = parsed.leaf.path.as_str();
    let missing = match taken_from_checkout(parsed) {
        Some(Current::PullRequest) if parsed.positionals.is_empty() => "the pull request",
        Some(Current::Head) if parsed.flag("head").is_none() => "the branch",
        _ => return Ok(()),
    };
    let selector = facts
        .and_then(branch_ref)
        .and_then(|branch| branch.pr_selector(target));
    let Some(selector) = selector else {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "`{path}' needs {missing}, and the checkout is on no branch that names one.\nGive the number of the pull request, or --head for a new one."
            ),
        ));
    };
    if taken_from_checkout(parsed) == Some(Current::Head) {
        let at = parsed.insert_at();
        out.argv.splice(at..at, ["--head".to_owned(), selector]);
    } else {
        out.argv.insert(after_words(parsed), selector);
    }
    Ok(())
}

/// Writes into `out` the branch that gh would have asked git for: `ruleset check` without a positional is about the current branch.
fn supply_branch(
    parsed: &Parsed,
    out: &mut Pinned,
    facts: Option<&GitFacts>,
) -> Result<(), Refusal> {
    let of_current = taken_from_checkout(parsed) == Some(Current::Branch)
        && parsed.positionals.is_empty()
        && !parsed.is_on("default")
        && !parsed.help;
    if !of_current {
        return Ok(());
    }
    let branch = facts
        .and_then(|facts| facts.branch.as_deref())
        .filter(|branch| is_branch(branch));
    let Some(branch) = branch else {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "`ruleset check' needs a branch, and the checkout is on none.\nName the branch, or give --default for the repository's default branch.",
        ));
    };
    out.argv.insert(after_words(parsed), branch.to_owned());
    Ok(())
}
