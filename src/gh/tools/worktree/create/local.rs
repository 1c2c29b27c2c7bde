//! What the checkout says about the branch of a new pull request: its commits and the files that they change.
//!
//! These commands of git read the user's checkout as the git facts of every call are read: nothing in it names a program that runs, and
//! nothing in it is written.

use std::fs;
use std::path::{Path, PathBuf};

use super::github::Where;
use crate::gate::{Cleaner, ErrorKind, Reads, Refusal};
use crate::gh::place::context::Commit as Message;
use crate::gh::tools::worktree::site::Site;
use crate::git::command::{Command, complaint, text, utf8};
use crate::git::commits::{self, Changed, Commit, changed, is_sha, numstat, short};
use crate::run::Ended;

/// What a pull request would contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Its commits, the newest first, at most [`commits::SHOWN`].
    pub commits: Vec<Commit>,
    /// How many there are.
    pub total: u64,
    /// The files that they change.
    pub files: Vec<Changed>,
    /// Their messages, the newest first, for a title and a body.
    pub messages: Vec<(String, String)>,
    /// What a person should know about how these were found.
    pub note: Option<String>,
}

impl Contents {
    /// The messages, as `fill` takes them.
    pub fn messages(&self) -> Vec<Message> {
        let messages = self.messages.iter();
        messages
            .map(|(title, body)| Message {
                title: title.clone(),
                body: body.clone(),
            })
            .collect()
    }
}

/// The checkout's branch, and where its objects are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tip {
    /// The commit at the branch's end.
    pub sha: String,
    /// The directory with the checkout's objects.
    pub objects: PathBuf,
    /// The commits at which the checkout's history is cut, as git keeps them; empty where it is whole.
    pub shallow: String,
}

/// A checkout of the user's.
pub struct Checkout<'a> {
    pub site: &'a Site,
    pub directory: &'a Path,
    pub clean: &'a Cleaner,
}

/// Most messages that become a title and a body; a longer text is refused anyway.
const MESSAGES: usize = 250;

impl Checkout<'_> {
    fn on<W: AsRef<str>>(&self, words: &[W]) -> Result<Command, Refusal> {
        let mut command = Command::new(words);
        let place = ["-C".to_owned(), utf8(self.directory)?.to_owned()];
        command.words.splice(0..0, place);
        Ok(command)
    }

    fn read<W: AsRef<str>>(&self, words: &[W], reads: &mut dyn Reads) -> Result<String, Refusal> {
        self.site.git.read_all(&self.on(words)?, reads)
    }

    /// The end of the branch `branch` of the checkout.
    ///
    /// # Errors
    /// `bad-argument` where there is none.
    pub fn tip(&self, branch: &str, reads: &mut dyn Reads) -> Result<Tip, Refusal> {
        let refname = format!("refs/heads/{branch}^{{commit}}");
        let words = [
            "rev-parse",
            "--show-object-format",
            "--git-path",
            "objects",
            "--git-path",
            "shallow",
            &refname,
        ];
        let command = self.on(&words)?.answering(&[128]);
        let read = self.site.git.read(&command, reads)?;
        let printed = text(&read);
        let lines: Vec<&str> = printed.lines().collect();
        if complaint(&read).contains("dubious ownership") {
            return Err(Refusal::new(
                ErrorKind::BadCwd,
                format!(
                    "{} belongs to another user, and git works in no such checkout.\nTell the person, who can use one of their own.",
                    self.clean.line(&self.directory.to_string_lossy())
                ),
            ));
        }
        let [format, objects, shallow, sha] = lines.as_slice() else {
            return Err(self.none(branch));
        };
        if read.ended != Ended::Exited(0) || !is_sha(sha) {
            return Err(self.none(branch));
        }
        if *format != "sha1" {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The checkout has the object format {format}, which GitHub does not take.\nTell the person."
                ),
            ));
        }
        Ok(Tip {
            sha: (*sha).to_owned(),
            objects: self.directory.join(objects),
            shallow: fs::read_to_string(self.directory.join(shallow)).unwrap_or_default(),
        })
    }

    fn none(&self, branch: &str) -> Refusal {
        Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "There is no branch {} with commits in {}.\nGive `cwd', the checkout that has it.",
                self.clean.line(branch),
                self.clean.line(&self.directory.to_string_lossy())
            ),
        )
    }

    /// Checks that the branch on GitHub, where it is there, has no commit that `tip` lacks.
    ///
    /// # Errors
    /// `bad-argument` where it has: nothing is pushed with force here.
    pub fn check_forward(
        &self,
        tip: &Tip,
        goal: &Where,
        reads: &mut dyn Reads,
    ) -> Result<(), Refusal> {
        let Some(there) = &goal.head_sha else {
            return Ok(());
        };
        let command = self.on(&["merge-base", "--is-ancestor", there, &tip.sha])?;
        let command = command.answering(&[1, 128]);
        if self.site.git.read(&command, reads)?.ended == Ended::Exited(0) {
            return Ok(());
        }
        Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "The branch is on GitHub already, at {}, with commits that the checkout lacks; a new pull request pushes without force.\nTake them in first, or use a branch of another name.",
                short(there)
            ),
        ))
    }

    /// What the branch `branch` of the checkout has that GitHub lacks, in a sentence; `None` where it has nothing, or cannot be told.
    pub fn behind(&self, branch: &str, goal: &Where, reads: &mut dyn Reads) -> Option<String> {
        let tip = self.tip(branch, reads).ok()?;
        let there = goal.head_sha.as_ref()?;
        (tip.sha != *there).then(|| {
            format!(
                "the checkout is at {}, GitHub at {}; `push' would push first",
                short(&tip.sha),
                short(there)
            )
        })
    }

    /// What the branch `tip` adds to the base of `goal`; `remote` is the name of the checkout's remote for the target, if it has one.
    ///
    /// # Errors
    /// `bad-argument` where it adds nothing, or where the checkout cannot tell.
    pub fn contents(
        &self,
        tip: &Tip,
        goal: &Where,
        remote: Option<&str>,
        reads: &mut dyn Reads,
    ) -> Result<Contents, Refusal> {
        let there = format!("{}^{{commit}}", goal.base_sha);
        let there = self.on(&["cat-file", "-e", &there])?.answering(&[1, 128]);
        let known = self.site.git.read(&there, reads)?.ended == Ended::Exited(0);
        let mut note = None;
        let from = if known {
            goal.base_sha.clone()
        } else {
            let sha = self.tracked(goal, remote, reads)?;
            note = Some(format!(
                "compared with {} as it was fetched last, at {}; GitHub has it at {}",
                self.clean.line(&goal.base),
                short(&sha),
                short(&goal.base_sha)
            ));
            sha
        };
        let base = self.on(&["merge-base", &from, &tip.sha])?.answering(&[1]);
        let base = text(&self.site.git.read(&base, reads)?);
        let base = base.trim();
        if !is_sha(base) {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch and {} have no commit in common.\nName another `base'.",
                    self.clean.line(&goal.base)
                ),
            ));
        }
        let range = [tip.sha.clone(), format!("^{from}")];
        let commits = commits::parse(&self.read(&commits::log(&range, commits::SHOWN), reads)?);
        if commits.is_empty() {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch has no commit that {} lacks.\nCommit first.",
                    self.clean.line(&goal.base)
                ),
            ));
        }
        let counted = self.read(&["rev-list", "--count", &range[0], &range[1], "--"], reads)?;
        let files = changed(&self.read(&numstat(base, &tip.sha), reads)?);
        let most = format!("--max-count={MESSAGES}");
        let log = [
            "log",
            "--no-show-signature",
            "--no-color",
            "--no-merges",
            "--encoding=UTF-8",
            "--format=tformat:%s%x00%b%x00",
            &most,
            &range[0],
            &range[1],
            "--",
        ];
        Ok(Contents {
            commits,
            total: counted.trim().parse().unwrap_or(0),
            files,
            messages: messages(&self.read(&log, reads)?),
            note,
        })
    }

    /// The commit of the base branch when it was fetched last.
    fn tracked(
        &self,
        goal: &Where,
        remote: Option<&str>,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let unknown = || {
            Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The commits of {} are not in this checkout, so what the pull request would contain cannot be told.\nAsk the person to run `git fetch' in it.",
                    self.clean.line(&goal.base)
                ),
            )
        };
        let refname = format!("refs/remotes/{}/{}", remote.ok_or_else(unknown)?, goal.base);
        let command = self
            .on(&["rev-parse", "--verify", "--quiet", &refname])?
            .answering(&[1, 128]);
        let sha = text(&self.site.git.read(&command, reads)?);
        let sha = sha.trim();
        if is_sha(sha) {
            Ok(sha.to_owned())
        } else {
            Err(unknown())
        }
    }
}

/// The messages in `printed`, each a title and a body that a NUL ends.
fn messages(printed: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = printed.split('\0').collect();
    parts
        .chunks_exact(2)
        .map(|pair| {
            (
                pair[0].trim_start_matches('\n').to_owned(),
                pair[1].to_owned(),
            )
        })
        .collect()
}
