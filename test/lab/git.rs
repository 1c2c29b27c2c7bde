//! Reads branches and commits from the bare repositories of a world's `gitRoot`, by the system's git: a push to one is seen at once.

use crate::place::Place;
use crate::world::World;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// What git prints of a commit, its parts parted by NUL: object, parents, tree, author, mail, date, committer, mail, date, subject, body.
const FORMAT: &str = "%H%x00%P%x00%T%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%s%x00%b";

/// A bare repository.
#[derive(Debug, Clone)]
pub struct Bare {
    dir: PathBuf,
    /// Another repository whose objects count as this one's: that of a fork.
    other: Option<PathBuf>,
}

/// Returns the full name of the branch `name`.
pub fn branch(name: &str) -> String {
    format!("refs/heads/{name}")
}

/// Returns GitHub's word for a comparison.
pub fn status(ahead: i64, behind: i64) -> &'static str {
    match (ahead, behind) {
        (0, 0) => "identical",
        (_, 0) => "ahead",
        (0, _) => "behind",
        _ => "diverged",
    }
}

/// Returns the place of the head repository of `pull`, a fixture at `place`, and its branch; `None` if the repository is gone.
pub fn head_branch(place: &Place, pull: &Value) -> Option<(Place, String)> {
    let branch = place.fill(pull["headRefName"].as_str().unwrap_or("topic"));
    let repo = &pull["headRepository"];
    if pull.get("headRepository") == Some(&Value::Null) {
        return None;
    }
    let mut at = place.clone();
    if let Some((owner, repo)) = repo
        .as_str()
        .or(repo["nameWithOwner"].as_str())
        .and_then(|name| name.split_once('/'))
    {
        (at.owner, at.repo) = (place.fill(owner), place.fill(repo));
    } else if pull["isCrossRepository"] == true {
        at.owner = place.fill(pull["headRepositoryOwner"]["login"].as_str()?);
    }
    Some((at, branch))
}

/// Returns the head commit of `pull`, an open pull request at `place`: that of its branch, or of `refs/pull/NUMBER/head` where the branch is
/// gone.  `None` where the bare repositories have neither, or the pull request is closed.
pub fn head_of(world: &World, place: &Place, pull: &Value) -> Option<String> {
    if pull["state"].as_str().unwrap_or("OPEN") != "OPEN" {
        return None;
    }
    let base = Bare::open(world, place)?;
    let head =
        head_branch(place, pull).and_then(|(at, name)| Bare::open(world, &at)?.oid(&branch(&name)));
    head.or_else(|| base.oid(&format!("refs/pull/{}/head", place.number)))
}

impl Bare {
    /// Returns the bare repository of `place`, if the world has a `gitRoot` and it is there.
    pub fn open(world: &World, place: &Place) -> Option<Self> {
        let plain = |name: &str| !name.is_empty() && !name.contains('/') && !name.starts_with('.');
        if !plain(&place.owner) || !plain(&place.repo) {
            return None;
        }
        let root = world.git_root(&place.host)?;
        let dir = root.join(&place.owner).join(format!("{}.git", place.repo));
        dir.is_dir().then_some(Self { dir, other: None })
    }

    /// Returns this repository with the objects of `other`, to compare branches of both.
    pub fn with(&self, other: &Self) -> Self {
        let other = (other.dir != self.dir).then(|| other.dir.join("objects"));
        Self {
            other,
            ..self.clone()
        }
    }

    /// Returns what git prints for `args`, or `None` if it fails.
    fn git(&self, args: &[&str]) -> Option<String> {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.dir).args(args);
        // The settings of a test must not count here.
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("LC_ALL", "C");
        if let Some(other) = &self.other {
            command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", other);
        }
        let output = command.stdin(std::process::Stdio::null()).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns the object that `revision` names, if there is one.
    pub fn oid(&self, revision: &str) -> Option<String> {
        let found = self.git(&[
            "rev-parse",
            "--quiet",
            "--verify",
            "--end-of-options",
            revision,
        ])?;
        let oid = found.trim().to_owned();
        // git takes 40 hex digits for an object without a look whether there is one.
        self.git(&["cat-file", "-e", &oid])?;
        Some(oid)
    }

    /// Returns `{"__typename", "oid"}` of the object that `revision` names, with the members of a commit if it is one.
    pub fn object(&self, revision: &str) -> Option<Value> {
        let oid = self.oid(revision)?;
        match self.git(&["cat-file", "-t", &oid])?.trim() {
            "commit" => self.commits(&["-1", &oid]).pop(),
            "tree" => Some(json!({ "__typename": "Tree", "oid": oid })),
            "tag" => Some(json!({ "__typename": "Tag", "oid": oid })),
            _ => Some(json!({ "__typename": "Blob", "oid": oid })),
        }
    }

    /// Returns the commits that `git log` lists for `args`, as objects of the GraphQL type.
    fn commits(&self, args: &[&str]) -> Vec<Value> {
        let format = format!("--format={FORMAT}%x00%x1e");
        let all = [&["log", "--no-show-signature", &format], args, &["--"]].concat();
        let text = self.git(&all).unwrap_or_default();
        let entries = text
            .split("\0\u{1e}\n")
            .filter(|entry| !entry.trim().is_empty());
        entries
            .filter_map(|entry| commit(entry.trim_end_matches("\0\u{1e}")))
            .collect()
    }

    /// Returns the commits of `head` that `base` lacks, oldest first.
    pub fn between(&self, base: &str, head: &str) -> Vec<Value> {
        self.commits(&["--reverse", &format!("{base}..{head}")])
    }

    /// Returns how many commits `head` is ahead of `base`, and how many behind.
    pub fn ahead_behind(&self, base: &str, head: &str) -> Option<(i64, i64)> {
        let counts = self.git(&[
            "rev-list",
            "--left-right",
            "--count",
            &format!("{head}...{base}"),
            "--",
        ])?;
        let mut counts = counts
            .split_whitespace()
            .map_while(|count| count.parse().ok());
        Some((counts.next()?, counts.next()?))
    }

    /// Returns the commit from which `base` and `head` part.
    pub fn merge_base(&self, base: &str, head: &str) -> Option<String> {
        Some(self.git(&["merge-base", base, head])?.trim().to_owned())
    }

    /// Returns path, added and deleted lines of each file that `head` changed since it parted from `base`; `status` as REST names it.
    pub fn files(&self, base: &str, head: &str) -> Vec<Value> {
        let range = format!("{base}...{head}");
        let run = |what: &str| {
            self.git(&["diff", "--no-renames", "-z", what, &range, "--"])
                .unwrap_or_default()
        };
        let (counts, kinds) = (run("--numstat"), run("--name-status"));
        let kinds: Vec<&str> = kinds.split('\0').collect();
        let counts = counts.split('\0').filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let mut next = || parts.next();
            Some((next()?, next()?, next()?))
        });
        let files = counts.map(|(added, deleted, path)| {
            let letter = kinds
                .chunks(2)
                .find(|pair| pair.get(1) == Some(&path))
                .map_or("M", |pair| pair[0]);
            let status = match letter {
                "A" => "added",
                "D" => "removed",
                _ => "modified",
            };
            // A binary file has a `-` in place of each count.
            let [added, deleted] = [added, deleted].map(|count| count.parse::<i64>().unwrap_or(0));
            json!({ "path": path, "additions": added, "deletions": deleted, "status": status })
        });
        files.collect()
    }

    /// Makes `refs/pull/NUMBER/head` the branch `name` of `from`, as GitHub does when a pull request is created.
    pub fn take_head(&self, from: &Self, name: &str, number: i64) {
        let spec = format!("+{}:refs/pull/{number}/head", branch(name));
        let dir = from.dir.to_string_lossy();
        // Without the branch there is nothing to take, and the pull request was refused before.
        let _ = self.git(&["fetch", "--quiet", "--no-tags", &dir, &spec]);
    }
}

/// Returns the commit of a line of `git log` in [`FORMAT`].
fn commit(entry: &str) -> Option<Value> {
    let parts: Vec<&str> = entry.splitn(11, '\0').collect();
    let [
        oid,
        parents,
        tree,
        author,
        mail,
        authored,
        committer,
        committer_mail,
        at,
        subject,
        body,
    ] = parts[..]
    else {
        return None;
    };
    let body = body.trim_end_matches('\n');
    let message = if body.is_empty() {
        subject.to_owned()
    } else {
        format!("{subject}\n\n{body}")
    };
    let parents: Vec<Value> = parents
        .split_whitespace()
        .map(|oid| json!({ "oid": oid }))
        .collect();
    Some(json!({
        "__typename": "Commit", "oid": oid, "abbreviatedOid": oid.get(..7), "parents": parents, "tree": { "oid": tree },
        "message": message, "messageHeadline": subject, "messageBody": body, "authoredDate": authored, "committedDate": at,
        "author": { "name": author, "email": mail, "date": authored, "user": null },
        "committer": { "name": committer, "email": committer_mail, "date": at, "user": null },
        "authors": [{ "name": author, "email": mail, "date": authored, "user": null }],
    }))
}
