//! The current branch and the branch that it tracks: a call with `-R` names a pull request by them.
//!
//! `gh pr view -R o/r` without a positional is an error (gh 2.92.0, 2.103.3), so the branch must be supplied.

use super::config::GitConfig;
use super::facts::GitFacts;
use crate::gate::Target;
use crate::gh::place::remote::{parse_remote, same_name};

/// The current branch, with all that gh uses to find its pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRef {
    /// Local name.
    pub branch: String,
    /// `branch.NAME.remote`: a remote's name, a URL, or `.`.
    pub remote: Option<String>,
    /// `branch.NAME.merge`: `refs/heads/…`, or `refs/pull/N/head` after `gh pr checkout` of another's branch.
    pub merge: Option<String>,
    /// Owner of the repository that the branch is pushed to.
    pub push_owner: Option<String>,
    /// The branch's name in that repository.
    pub push_branch: String,
}

/// Reads the current branch out of `facts`; `None` on a detached HEAD or when git's configuration was cut.
///
/// The remote to push to follows git-config(1): `branch.NAME.pushRemote`, `remote.pushDefault`, `branch.NAME.remote`.
/// The branch's name at that remote is the tracked branch's when `push.default` is `upstream` or `tracking`, else the local name.
pub fn branch_ref(facts: &GitFacts) -> Option<BranchRef> {
    let branch = facts.branch.clone().filter(|b| !b.is_empty())?;
    let config = GitConfig::parse(facts.config.reveal());
    if config.cut() {
        return None;
    }
    let remote = config.branch_value(&branch, "remote").map(str::to_owned);
    let merge = config.branch_value(&branch, "merge").map(str::to_owned);
    let push_remote = config
        .branch_value(&branch, "pushremote")
        .or_else(|| config.plain_value("remote", "pushdefault"))
        .or(remote.as_deref());
    let push_owner = push_remote.and_then(|name| push_owner(&config, name));
    let by_tracking = matches!(
        config.plain_value("push", "default"),
        Some("upstream" | "tracking")
    );
    let tracked = merge.as_deref().and_then(|m| m.strip_prefix("refs/heads/"));
    let push_branch = tracked
        .filter(|_| by_tracking)
        .unwrap_or(&branch)
        .to_owned();
    Some(BranchRef {
        branch,
        remote,
        merge,
        push_owner,
        push_branch,
    })
}

impl BranchRef {
    /// The pull request's number where the branch tracks `refs/pull/N/head`.
    pub fn pull_number(&self) -> Option<u64> {
        let rest = self.merge.as_deref()?.strip_prefix("refs/pull/")?;
        rest.strip_suffix("/head")?.parse().ok()
    }

    /// The positional that names this branch's pull request in `gh pr view|checks|diff|merge|ready|comment -R TARGET`:
    /// a number, `BRANCH`, or `OWNER:BRANCH` when the branch is pushed to another owner's repository.
    ///
    /// `None` for a branch whose name gh would read as something else: a flag, a number, a URL, an `OWNER:BRANCH`.
    pub fn pr_selector(&self, target: &Target) -> Option<String> {
        if let Some(number) = self.pull_number() {
            return Some(number.to_string());
        }
        let name = &self.push_branch;
        let digits = name
            .trim_start_matches('#')
            .bytes()
            .all(|b| b.is_ascii_digit());
        let plain = !name.starts_with('-')
            && !digits
            && !name.contains(':')
            && !name.chars().any(char::is_control);
        if !plain {
            return None;
        }
        let elsewhere = self.push_owner.as_deref().filter(|owner| {
            target
                .owner
                .as_deref()
                .is_some_and(|t| !same_name(owner, t))
        });
        Some(match elsewhere {
            Some(owner) => format!("{owner}:{name}"),
            None => name.clone(),
        })
    }
}

/// Owner of the repository that `remote` pushes to; `remote` is a remote's name, or a URL in its place.
fn push_owner(config: &GitConfig, remote: &str) -> Option<String> {
    let named = config.remotes().into_iter().find(|r| r.name == remote);
    let url = match named {
        Some(r) => r.push_url.or(r.url)?,
        None => config.rewrite(remote),
    };
    parse_remote(&url).ok().map(|r| r.owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Source;

    fn facts(branch: &str, config: &[(&str, &str)]) -> GitFacts {
        let entries = config.iter().map(|(k, v)| format!("{k}\n{v}\0"));
        GitFacts {
            config: entries.collect::<String>().into_bytes().into(),
            branch: Some(branch.to_owned()),
            commits: None,
        }
    }

    fn selector(branch: &str, config: &[(&str, &str)]) -> Option<String> {
        let target = Target {
            host: "github.com".to_owned(),
            owner: Some("up".to_owned()),
            repo: Some("r".to_owned()),
            account: None,
            source: Source::Upstream,
        };
        branch_ref(&facts(branch, config))?.pr_selector(&target)
    }

    #[test]
    fn a_branch_of_the_target_itself_goes_by_its_name() {
        let config = [
            ("remote.origin.url", "git@github.com:Up/r.git"),
            ("branch.fix.remote", "origin"),
            ("branch.fix.merge", "refs/heads/fix"),
        ];
        assert_eq!(selector("fix", &config).as_deref(), Some("fix"));
        assert_eq!(selector("untracked", &config).as_deref(), Some("untracked"));
    }

    #[test]
    fn a_branch_of_a_fork_names_the_forks_owner() {
        let config = [
            ("remote.origin.url", "git@github.com:me/r.git"),
            ("branch.fix.remote", "origin"),
        ];
        assert_eq!(selector("fix", &config).as_deref(), Some("me:fix"));
        let push = [
            ("remote.origin.url", "git@github.com:up/r.git"),
            ("remote.fork.url", "git@github.com:me/r.git"),
            ("branch.fix.remote", "origin"),
            ("remote.pushdefault", "fork"),
        ];
        assert_eq!(selector("fix", &push).as_deref(), Some("me:fix"));
        let url = [("branch.fix.remote", "https://github.com/they/r.git")];
        assert_eq!(selector("fix", &url).as_deref(), Some("they:fix"));
    }

    #[test]
    fn the_tracked_name_counts_only_when_git_pushes_to_it() {
        let tracked = ("branch.mine.merge", "refs/heads/theirs");
        assert_eq!(selector("mine", &[tracked]).as_deref(), Some("mine"));
        let pushed = [tracked, ("push.default", "upstream")];
        assert_eq!(selector("mine", &pushed).as_deref(), Some("theirs"));
    }

    #[test]
    fn a_checked_out_pull_request_goes_by_its_number() {
        let config = [("branch.x.merge", "refs/pull/171/head")];
        assert_eq!(selector("x", &config).as_deref(), Some("171"));
        assert_eq!(
            selector("x", &[("branch.x.merge", "refs/pull/-1/head")]).as_deref(),
            Some("x")
        );
    }

    #[test]
    fn a_name_that_gh_would_read_as_something_else_is_no_selector() {
        for name in [
            "--web",
            "171",
            "#171",
            "a:b",
            "https://evil.example/o/r/pull/1",
            "a\nb",
        ] {
            assert_eq!(selector(name, &[]), None, "{name}");
        }
        assert_eq!(branch_ref(&GitFacts::default()), None);
    }
}
