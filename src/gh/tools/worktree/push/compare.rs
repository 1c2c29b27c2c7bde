//! What a push would do: the commits that it adds, and those that it drops.

use serde_json::Value;

use crate::gate::{ErrorKind, Reads, Refusal};
use crate::gh::tools::view::Around;
use crate::gh::tools::worktree::pulls::Pull;
use crate::gh::tools::worktree::site::Site;
use crate::gh::tools::worktree::state::Local;
use crate::git::command::Command;
use crate::git::commits::{self, Changed, Commit, changed, commit_lines, is_sha, numstat, short};
use crate::run::Ended;

/// What the look-up found.
#[derive(Clone, Debug)]
pub struct Found {
    pub pull: Pull,
    pub local: Local,
    /// The commit that is pushed.
    pub tip: String,
    /// Whether commits on GitHub are dropped: those in `dropped`.
    pub forced: bool,
    pub new: Vec<Commit>,
    pub new_total: u64,
    pub dropped: Vec<Commit>,
    pub dropped_total: u64,
    /// Files that change on the branch; `None` where the branch's present commit is not on this machine.
    pub files: Option<Vec<Changed>>,
    pub told: Vec<String>,
}

/// The comparison of the worktree's commits with the branch on GitHub.
pub struct Looking<'a> {
    pub site: &'a Site,
    pub pull: &'a Pull,
    /// The end of the worktree's branch.
    pub tip: &'a str,
}

impl Looking<'_> {
    fn on(&self, words: &[String]) -> Result<Command, Refusal> {
        Command::on(&self.site.place.store(), words)
    }

    fn read(&self, words: &[String], reads: &mut dyn Reads) -> Result<String, Refusal> {
        self.site.git.read_all(&self.on(words)?, reads)
    }

    /// What a push would do; `object` is GitHub's answer about the pull request.
    ///
    /// # Errors
    /// `bad-argument` where nothing is to be pushed, or commits would be dropped without `force`.
    pub fn compare(
        &self,
        object: &Value,
        local: Local,
        told: Vec<String>,
        force: bool,
        around: &mut Around<'_>,
    ) -> Result<Found, Refusal> {
        let (tip, sha) = (self.tip, self.pull.sha.as_str());
        if tip == sha {
            let changed = local.changed.as_ref().map_or(0, Vec::len);
            let more = match changed {
                0 => String::new(),
                1 => " One file has changes that were not committed.".to_owned(),
                n => format!(" {n} files have changes that were not committed."),
            };
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "Nothing is to be pushed: the worktree of #{} is at {}, as is its branch on GitHub.{more}\nCommit in the worktree first.",
                    self.pull.number,
                    short(tip)
                ),
            ));
        }
        let ancestor = self
            .on(&["merge-base", "--is-ancestor", sha, tip].map(str::to_owned))?
            .answering(&[1, 128]);
        let ancestor = self.site.git.read(&ancestor, around.reads)?.ended;
        let known = ancestor != Ended::Exited(128);
        let forward = ancestor == Ended::Exited(0);
        let (dropped, dropped_total) = if forward {
            (Vec::new(), 0)
        } else if known {
            self.between(tip, sha, around.reads)?
        } else {
            self.dropped(object, around.reads)?
        };
        if !forward && !force {
            let lines = commit_lines(&dropped, dropped_total, around.clean);
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch of #{} has commits on GitHub that the worktree lacks:\n{}\nTake them in first, or give `force_with_lease': true, which drops them.",
                    self.pull.number,
                    lines.join("\n")
                ),
            ));
        }
        let (new, new_total) = if known {
            self.between(sha, tip, around.reads)?
        } else {
            // What the host had when it was last asked is not new.
            (local.own.clone(), local.own_total)
        };
        let files = if known {
            Some(changed(&self.read(&numstat(sha, tip), around.reads)?))
        } else {
            None
        };
        Ok(Found {
            pull: self.pull.clone(),
            tip: tip.to_owned(),
            forced: !forward,
            new,
            new_total,
            dropped,
            dropped_total,
            files,
            local,
            told,
        })
    }

    /// The commits of `to` that `from` lacks, the newest first, at most [`commits::SHOWN`], and their number.  Both are in the store.
    fn between(
        &self,
        from: &str,
        to: &str,
        reads: &mut dyn Reads,
    ) -> Result<(Vec<Commit>, u64), Refusal> {
        let range = [to.to_owned(), format!("^{from}")];
        let shown = commits::parse(&self.read(&commits::log(&range, commits::SHOWN), reads)?);
        let mut words = vec!["rev-list".to_owned(), "--count".into()];
        words.extend(range);
        words.push("--".into());
        let counted = self.read(&words, reads)?;
        Ok((shown, counted.trim().parse().unwrap_or(0)))
    }

    /// The commits of the pull request that `tip` lacks, the newest first, and their number, where its head is not in the store.
    fn dropped(
        &self,
        object: &Value,
        reads: &mut dyn Reads,
    ) -> Result<(Vec<Commit>, u64), Refusal> {
        let nodes = object["commits"]["nodes"].as_array();
        let all: Vec<Commit> = nodes
            .into_iter()
            .flatten()
            .rev()
            .filter_map(|node| {
                let commit = &node["commit"];
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                Some(Commit {
                    sha: commit["oid"].as_str().filter(|sha| is_sha(sha))?.to_owned(),
                    author: text(&commit["author"]["name"]),
                    subject: text(&commit["messageHeadline"]),
                })
            })
            .collect();
        let shas = all.iter().map(|commit| commit.sha.clone());
        let mut words: Vec<String> = [
            "log",
            "--no-walk=unsorted",
            "--ignore-missing",
            "--format=%H",
        ]
        .map(str::to_owned)
        .into();
        words.extend(shas.clone());
        words.push("--".into());
        // Without a commit that is here, git would list HEAD.
        let here = if all.is_empty() {
            String::new()
        } else {
            self.read(&words, reads)?
        };
        let here: Vec<String> = here.lines().map(str::to_owned).collect();
        let mut kept: Vec<String> = Vec::new();
        if !here.is_empty() {
            let mut words: Vec<String> = vec!["rev-list".into()];
            words.extend(here.iter().cloned());
            words.push(format!("^{}", self.tip));
            let lacking = self.read(&words, reads)?;
            let lacking: Vec<&str> = lacking.lines().collect();
            kept = here
                .into_iter()
                .filter(|sha| !lacking.contains(&sha.as_str()))
                .collect();
        }
        let total = object["commits"]["totalCount"].as_u64().unwrap_or(0);
        let unseen = total.saturating_sub(u64::try_from(all.len()).unwrap_or(u64::MAX));
        let dropped: Vec<Commit> = all
            .into_iter()
            .filter(|commit| !kept.contains(&commit.sha))
            .collect();
        let count = u64::try_from(dropped.len()).unwrap_or(u64::MAX);
        // Earlier commits that were not read are dropped only where all that were read are.
        let count = if kept.is_empty() {
            count.saturating_add(unseen)
        } else {
            count
        };
        Ok((dropped, count))
    }
}
