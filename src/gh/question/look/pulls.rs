//! The facts about a pull request: branches, checks, reviews, conflicts, size.

use serde_json::Value;

use super::report::{Report, Reporter, TITLE, counted};
use super::unread::TOO_OLD;
use crate::gate::call::question::Tone;
use crate::gh::graphql::lacks::lacks;
use crate::gh::question::concern::{Act, Aspect, Wants};
use crate::text::numbers::grouped;

/// At most this many failing checks are named; the others are counted.
const NAMED: usize = 6;

impl Reporter<'_> {
    /// Of `pulls`, which come from branches of one name, the pull request from `owner`'s fork, or, without an owner, from the
    /// repository itself. An open one is preferred, as in gh.
    pub(super) fn of_owner<'a>(&self, pulls: &'a Value, owner: Option<&str>) -> &'a Value {
        let owner = owner.or(self.target.owner.as_deref()).unwrap_or_default();
        let of_owner = |pull: &&Value| {
            let head = pull["headRepositoryOwner"]["login"].as_str();
            head.is_some_and(|head| head.eq_ignore_ascii_case(owner))
        };
        let is_open = |pull: &&Value| pull["state"].as_str() == Some("OPEN");
        let all = || pulls.as_array().into_iter().flatten().filter(of_owner);
        all()
            .find(is_open)
            .or_else(|| all().next())
            .unwrap_or(&Value::Null)
    }

    pub(super) fn pull_request(&self, pull: &Value, report: &mut Report) {
        self.item(pull, report);
        report.head = pull["headRefOid"]
            .as_str()
            .filter(|oid| is_oid(oid))
            .map(str::to_owned);
        let base = self.branches(pull, report);
        if self.wants != Wants::Merge {
            return;
        }
        self.checks(pull, report);
        self.review(pull, report);
        self.conflicts(pull, &base, report);
        self.behind(pull, &base, report);
        let count = |name: &str| pull[name].as_u64().unwrap_or_default();
        report.fact(
            "Size",
            Tone::Plain,
            format!(
                "+{} −{} in {}",
                grouped(count("additions")),
                grouped(count("deletions")),
                counted(count("changedFiles"), "file")
            ),
        );
    }

    /// Reports from which branch `pull` comes and into which it goes; returns the name of its base.
    fn branches(&self, pull: &Value, report: &mut Report) -> String {
        let name = |name: &str| self.member(pull, name).unwrap_or_else(|| "?".into());
        let (base, head) = (name("baseRefName"), name("headRefName"));
        let owner = self.member(&pull["headRepositoryOwner"], "login");
        let fork = pull["isCrossRepository"].as_bool() == Some(true);
        let from = match (fork, owner) {
            (true, Some(owner)) => format!("{owner}:{head}, a fork,"),
            (true, None) => format!("{head} of a fork that is gone"),
            (false, _) => head,
        };
        let at = commit(pull, "headRefOid");
        let at = at.unwrap_or_else(|| "a commit that is not known".into());
        report.fact("Branches", Tone::Plain, format!("{from} → {base}, at {at}"));
        base
    }

    fn checks(&self, pull: &Value, report: &mut Report) {
        let rollup = &pull["commits"]["nodes"][0]["commit"]["statusCheckRollup"];
        let contexts = &rollup["contexts"];
        let Some(nodes) = contexts["nodes"].as_array() else {
            let why = self.unknown(&["statusCheckRollup", "contexts", "commits"]);
            return match why {
                Some(why) => report.fact(
                    "Checks",
                    self.act.tone(Aspect::Checks, Tone::Warning),
                    format!("could not be read ({why})"),
                ),
                None => report.fact("Checks", Tone::Plain, "there are none"),
            };
        };
        let (mut passed, mut skipped, mut pending) = (0_u64, 0_u64, 0_u64);
        let mut failed = Vec::new();
        for node in nodes {
            let outcome = match node["state"].as_str() {
                Some(state) => state,
                None if node["status"].as_str() != Some("COMPLETED") => "PENDING",
                None => node["conclusion"].as_str().unwrap_or("PENDING"),
            };
            match outcome {
                "SUCCESS" | "NEUTRAL" => passed += 1,
                "SKIPPED" => skipped += 1,
                "PENDING" | "EXPECTED" => pending += 1,
                _ => {
                    let name = self.member(node, "name").or(self.member(node, "context"));
                    failed.push(name.unwrap_or_else(|| "one without a name".into()));
                }
            }
        }
        let seen = u64::try_from(nodes.len()).unwrap_or(u64::MAX);
        let all = contexts["totalCount"].as_u64().unwrap_or_default();
        let more = all.saturating_sub(seen);
        let mut parts = Vec::new();
        if !failed.is_empty() {
            let named = failed.iter().take(NAMED).cloned().collect::<Vec<_>>();
            let rest = match failed.len().saturating_sub(NAMED) {
                0 => String::new(),
                rest => format!(" and {rest} more"),
            };
            parts.push(format!(
                "{} failed: {}{rest}",
                failed.len(),
                named.join(", ")
            ));
        }
        for (count, word) in [
            (pending, "still running"),
            (passed, "passed"),
            (skipped, "skipped"),
            (more, "not read"),
        ] {
            if count > 0 {
                parts.push(format!("{} {word}", grouped(count)));
            }
        }
        let tone = if !failed.is_empty() {
            self.act.tone(Aspect::Checks, Tone::Bad)
        } else if pending + more > 0 {
            self.act.tone(Aspect::Unfinished, Tone::Warning)
        } else {
            self.act.tone(Aspect::Checks, Tone::Good)
        };
        if parts.is_empty() {
            report.fact("Checks", Tone::Plain, "there are none");
        } else {
            report.fact("Checks", tone, parts.join("; "));
        }
    }

    /// Why the members `names` have no value, by the first of them that an error is about or that the host lacks; `None` if neither
    /// holds for any.
    fn unknown(&self, names: &[&str]) -> Option<&'static str> {
        names.iter().find_map(|name| {
            let lacking = lacks(&self.target.host, name).then_some(TOO_OLD);
            self.errors.at(name).or(lacking)
        })
    }

    fn review(&self, pull: &Value, report: &mut Report) {
        let (review, tone) = match pull["reviewDecision"].as_str() {
            Some("APPROVED") => ("approved".to_owned(), Tone::Good),
            Some("CHANGES_REQUESTED") => ("changes are requested".to_owned(), Tone::Bad),
            Some("REVIEW_REQUIRED") => {
                ("a review is required and missing".to_owned(), Tone::Warning)
            }
            _ => match self.unknown(&["reviewDecision"]) {
                Some(why) => (format!("could not be read ({why})"), Tone::Warning),
                None => ("none is required".to_owned(), Tone::Plain),
            },
        };
        let aspect = match tone {
            Tone::Warning => Aspect::Unfinished,
            _ => Aspect::Review,
        };
        report.fact("Review", self.act.tone(aspect, tone), review);
    }

    fn behind(&self, pull: &Value, base: &str, report: &mut Report) {
        match pull["baseRef"]["compare"]["behindBy"].as_u64() {
            Some(0) => {
                if self.act == Act::Update && pull["state"].as_str() == Some("OPEN") {
                    report.no_effect("up to date with its base: nothing will change");
                }
                let tone = self.act.tone(Aspect::Behind, Tone::Good);
                report.fact("Base", tone, format!("up to date with {base}"));
            }
            Some(n) => {
                let commits = counted(n, "commit");
                report.fact(
                    "Base",
                    self.act.tone(Aspect::Behind, Tone::Warning),
                    format!("{commits} behind {base}"),
                );
            }
            None => {
                let why = self.unknown(&["compare", "baseRef"]);
                let why = why.map_or_else(String::new, |why| format!(" ({why})"));
                report.fact("Base", Tone::Plain, format!("could not be read{why}"));
            }
        }
    }

    /// Reports whether `pull` can be merged into `base`, if it is open.
    fn conflicts(&self, pull: &Value, base: &str, report: &mut Report) {
        if !matches!(pull["state"].as_str(), Some("OPEN") | None) {
            // GitHub works out conflicts of open pull requests alone.
            return;
        }
        let blocked = pull["mergeStateStatus"].as_str() == Some("BLOCKED");
        let (merge, tone): (String, Tone) = match pull["mergeable"].as_str() {
            Some("CONFLICTING") => {
                let text = format!("conflicts with {base}");
                return report.fact(
                    "Conflicts",
                    self.act.tone(Aspect::Conflicts, Tone::Bad),
                    text,
                );
            }
            Some("MERGEABLE") if blocked => (
                "no conflicts; blocked by the rules of the branch".into(),
                Tone::Bad,
            ),
            Some("MERGEABLE") => ("no conflicts".into(), Tone::Good),
            _ => (
                "GitHub has not worked out yet whether there are conflicts".into(),
                Tone::Warning,
            ),
        };
        let aspect = if blocked && tone == Tone::Bad {
            Aspect::Blocked
        } else {
            Aspect::Conflicts
        };
        report.fact("Conflicts", self.act.tone(aspect, tone), merge);
    }

    /// Reports the branches of a pull request that is to be opened, and whether one from that branch is open already.
    pub(super) fn new_pull_request(
        &self,
        base: Option<&str>,
        head: Option<&str>,
        repository: &Value,
        report: &mut Report,
    ) {
        let into = &repository["base"];
        let compare = &into["compare"];
        let name = self
            .member(into, "name")
            .or_else(|| self.member(&repository["defaultBranchRef"], "name"))
            .or_else(|| base.map(|base| self.line(base, TITLE)))
            .unwrap_or_else(|| "the default branch".into());
        let Some(head) = head else {
            return report.fact("Branches", Tone::Plain, format!("into {name}"));
        };
        let shown = self.line(head, TITLE);
        let ahead = compare["aheadBy"].as_u64();
        if base.is_some() && into.is_null() && self.errors.at("base").is_none() {
            report.fact(
                "Missing",
                Tone::Bad,
                format!("there is no branch {name} to merge into"),
            );
        }
        let (text, tone) = match (ahead, compare["behindBy"].as_u64()) {
            (Some(0), _) => (
                format!("{shown} → {name}: nothing to merge, so it cannot be opened"),
                Tone::Bad,
            ),
            (Some(ahead), Some(0)) => (
                format!("{shown} → {name}: {}", counted(ahead, "commit")),
                Tone::Plain,
            ),
            (Some(ahead), behind) => (
                format!(
                    "{shown} → {name}: {}, {} behind",
                    counted(ahead, "commit"),
                    grouped(behind.unwrap_or_default())
                ),
                Tone::Plain,
            ),
            (None, _) => (
                format!("{shown} → {name}; how they differ could not be read"),
                Tone::Warning,
            ),
        };
        report.fact("Branches", tone, text);
        let (owner, _) = head.split_once(':').unzip();
        let open = self.of_owner(&repository["pullRequests"]["nodes"], owner);
        if let Some(number) = open["number"].as_u64() {
            let title = self.member(open, "title").unwrap_or_default();
            report.fact(
                "Open",
                Tone::Warning,
                format!("#{number} “{title}” is open from that branch already"),
            );
        }
    }
}

/// The first ten digits of the commit's name in the member `name`.
pub(super) fn commit(value: &Value, name: &str) -> Option<String> {
    let oid = value[name].as_str().filter(|oid| is_oid(oid))?;
    Some(oid[..10].to_owned())
}

/// The first ten digits of the name of the commit that `object` is, or that it names as an annotated tag; `None` if the commit
/// was not read.
pub(super) fn tagged(object: &Value) -> Option<String> {
    match object["__typename"].as_str() {
        Some("Tag") => {
            let of = &object["target"];
            let is_commit = matches!(of["__typename"].as_str(), None | Some("Commit"));
            commit(of, "oid").filter(|_| is_commit)
        }
        _ => commit(object, "oid"),
    }
}

/// Whether `text` can be the name of a commit; only such a text goes into an argument.
fn is_oid(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}
