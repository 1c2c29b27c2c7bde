//! The commits of a branch that another one lacks: how git is asked for them, and what it said.

use crate::foreign::Foreign;

crate::foreign::debug_by_name!(Range, Commits, Commit);

/// The commits that a call is about: those of one branch that another one lacks.
#[derive(Clone, PartialEq, Eq)]
pub struct Range {
    /// The branch of the checkout.
    pub local: String,
    /// The remote of the repository that the pull request is for; none: the base is a branch of the checkout.
    pub remote: Option<String>,
    /// The branch that the pull request goes into, where the call or the configuration names one.
    pub base: Option<String>,
}

/// What git said about a [`Range`].
#[derive(Clone, PartialEq, Eq)]
pub struct Commits {
    /// Which commits they are.
    pub range: Range,
    /// The branch that lacks them.
    pub base: Option<String>,
    log: Result<Foreign<Vec<u8>>, Lack>,
}

/// Why there is nothing to make the texts of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Nothing names the branch that the pull request goes into.
    Base,
    /// git could not list the commits.
    List,
    /// They are longer than the text of a pull request may be.
    Long,
}

/// A commit's message.
#[derive(Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its first paragraph, on one line.
    pub title: String,
    /// What follows it.
    pub body: String,
}

impl Range {
    /// The arguments with which git names the base, where nothing else does: the remote's default branch as the last clone or
    /// `git remote set-head` wrote it down.
    pub fn ask_base(&self) -> Option<Vec<String>> {
        let remote = self.remote.as_ref().filter(|_| self.base.is_none())?;
        let name = format!("refs/remotes/{remote}/HEAD");
        Some(["symbolic-ref", "-q", &name].map(str::to_owned).into())
    }

    /// The base: the one that is named, else what git said to [`Range::ask_base`].
    pub fn base(&self, said: Option<&str>) -> Option<String> {
        if let Some(base) = &self.base {
            return Some(base.clone());
        }
        let prefix = format!("refs/remotes/{}/", self.remote.as_ref()?);
        let base = said?.strip_prefix(&prefix)?;
        is_branch(base).then(|| base.to_owned())
    }

    /// The arguments with which git lists the commits that `base` lacks, newest first, as gh asks for them
    /// (`log --cherry BASE...HEAD`: without merges; the marks of `--cherry` are not in gh's format).
    pub fn ask_log(&self, base: &str) -> Vec<String> {
        let base = match &self.remote {
            Some(remote) => format!("refs/remotes/{remote}/{base}"),
            None => format!("refs/heads/{base}"),
        };
        [
            "log",
            "--no-color",
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-patch",
            "--encoding=UTF-8",
            "--format=tformat:%H%x00%s%x00%b%x00",
            "--right-only",
            "--no-merges",
            &format!("{base}...refs/heads/{}", self.local),
            "--",
        ]
        .map(str::to_owned)
        .into()
    }

    /// The answer to them all.
    pub fn answered(self, base: Option<String>, log: Result<Vec<u8>, Lack>) -> Commits {
        Commits {
            range: self,
            base,
            log: log.map(Foreign::new),
        }
    }
}

impl Commits {
    /// The messages, newest first; empty where there is no commit.
    ///
    /// # Errors
    /// Why there are none to be had.
    pub fn list(&self) -> Result<Vec<Commit>, Lack> {
        let bytes = self.log.as_ref().map_err(|lack| *lack)?;
        let text = String::from_utf8_lossy(bytes.reveal());
        let parts: Vec<&str> = text.split('\0').collect();
        // Hash, title, body; behind the last one there is the end of its line.
        let commits = parts.chunks_exact(3).map(|commit| Commit {
            title: commit[1].to_owned(),
            body: commit[2].to_owned(),
        });
        Ok(commits.collect())
    }
}

/// Whether git reads `name` as a part of a reference and as nothing else (git-check-ref-format(1)).
pub fn is_branch(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && !name.contains("..")
        && !name.contains("@{")
        && !name
            .chars()
            .any(|c| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\'))
}
