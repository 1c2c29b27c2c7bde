//! What a call will do, in one sentence: `Comment on issue #2 “Rows are lost” in acme/tables, as octo`.
//!
//! `says.rs` has the words of each command, `endpoints.rs` those of the REST API's endpoints, `changes.rs` what an edit changes.

mod changes;
mod endpoints;
mod says;

use super::concern::{Subject, Which};
use crate::gate::{Class, Cleaner, Target};
use crate::gh::catalog::Arity;
use crate::gh::judge::approval::{Approval, approval};
use crate::gh::judge::graphql;
use crate::gh::parse::Parsed;
use crate::gh::rows::Effect;

/// The host that a sentence does not name.
const DEFAULT_HOST: &str = "github.com";
/// How many characters of an argument stand in a sentence; the whole arguments are shown below it.
const MOST: usize = 80;

/// A sentence before the reads about the call: [`Sentence::with`] adds what they find.
#[derive(Clone, Debug)]
pub struct Sentence {
    what: Vec<Piece>,
    /// The kind of thing: `pull request`; empty where its name tells the kind.
    kind: String,
    /// The thing without its title: `#2`, `42`.
    it: String,
    /// ` in acme/tables`.
    place: String,
    /// The account, where it is known without a read.
    account: Option<String>,
    /// Whether the words say in which repository.
    names_repository: bool,
    /// What an edit changes, `: base dev`.
    tail: String,
    /// Whether the call may do more than the words say.
    more: bool,
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// Stands for the thing, with its title once that was read.
    It,
    /// Stands for the place of the call, which otherwise follows the thing.
    Place,
}

impl Sentence {
    /// The sentence for `call`, which is of `class`, is about `subject` and goes to `target`.
    pub fn new(
        call: &Parsed,
        class: Class,
        subject: &Subject,
        target: &Target,
        clean: &Cleaner,
    ) -> Self {
        let words = Words {
            call,
            target,
            clean,
        };
        let template = words.template();
        let (what, tail) = match template.strip_suffix("[: {changes}]") {
            Some(what) => (what, words.value("changes")),
            None => (template.as_str(), None),
        };
        let what = words.fill(what);
        let names_repository = template.contains("{repo}");
        let mut place = match (&target.owner, &target.repo) {
            (Some(_), Some(_)) if names_repository => String::new(),
            (Some(owner), Some(repo)) => format!(" in {owner}/{repo}"),
            (Some(owner), None) => format!(" for {owner}"),
            _ => String::new(),
        };
        if target.host != DEFAULT_HOST {
            place.extend([" on ", target.host.as_str()]);
        }
        let asks = call.leaf.row.is_some_and(|row| row.does == Effect::Asks);
        let (kind, it) = words.thing(subject);
        Self {
            what,
            kind,
            it,
            place: clean.line(&place),
            account: target.account.as_deref().map(|login| clean.line(login)),
            names_repository,
            tail: tail.map_or_else(String::new, |changes| format!(": {changes}")),
            more: class == Class::Unknown && !asks,
        }
    }

    /// The sentence in words. `kind` is the kind of the thing, `title` its title and `account` the login behind the token; each is
    /// `None` if it was not read.
    ///
    /// The place stands behind the thing: `Mark pull request #2 “Sort rows” in acme/tables as ready for review, as octo`.
    pub fn with(&self, kind: Option<&str>, title: Option<&str>, account: Option<&str>) -> String {
        // Only a number can be of another kind than the command says: `issue comment 1` may be about a pull request.
        let kind = kind.filter(|_| self.it.starts_with('#') && !self.it.contains(','));
        let kind = kind.unwrap_or(&self.kind);
        let mut it = [kind, &self.it].join(" ").trim().to_owned();
        if let Some(title) = title {
            it.extend([" “", title, "”"]);
        }
        let has = |piece| self.what.contains(&piece);
        let at_it = has(Piece::It) && !has(Piece::Place) && !self.names_repository;
        if at_it {
            it.push_str(&self.place);
        }
        let place = if at_it || has(Piece::Place) {
            ""
        } else {
            &self.place
        };
        let account = account.or(self.account.as_deref());
        let who = account.map_or_else(
            || "as whoever the token belongs to".to_owned(),
            |login| format!("as {login}"),
        );
        let what: String = (self.what.iter())
            .map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                Piece::It => it.as_str(),
                Piece::Place => self.place.as_str(),
            })
            .collect();
        let more = if self.more {
            "; what else it does is not known"
        } else {
            ""
        };
        format!("{what}{place}, {who}{}{more}", self.tail)
    }
}

/// `text` as a part of a sentence: `bug`, `“good first issue”`. A text of several words is quoted, so that it cannot pass for words of
/// the sentence.
pub fn shown(text: &str, clean: &Cleaner) -> String {
    let line = clean.line(text);
    let mut shown: String = line.chars().take(MOST).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    if shown.contains(char::is_whitespace) || shown.contains(['“', '”']) {
        shown = format!("“{}”", shown.replace(['“', '”'], "\""));
    }
    shown
}

/// Where a call goes, ` in acme/tables on ghe.example.com`, and as whom, `, as octo`.
pub fn place_and_account(target: &Target, clean: &Cleaner) -> (String, String) {
    let mut place = match (&target.owner, &target.repo) {
        (Some(owner), Some(repo)) => format!(" in {owner}/{repo}"),
        _ => String::new(),
    };
    if target.host != DEFAULT_HOST {
        place.extend([" on ", target.host.as_str()]);
    }
    let who = target.account.as_deref().map_or_else(
        || ", as whoever the token belongs to".to_owned(),
        |login| format!(", as {}", clean.line(login)),
    );
    (clean.line(&place), who)
}

/// The sources of the words of a sentence.
struct Words<'a> {
    call: &'a Parsed,
    target: &'a Target,
    clean: &'a Cleaner,
}

impl Words<'_> {
    fn shown(&self, text: &str) -> String {
        shown(text, self.clean)
    }

    /// The words for the command, with places to fill.
    fn template(&self) -> String {
        let path = self.call.leaf.path.as_str();
        if path == "api" {
            return self.of_api();
        }
        match says::find(path) {
            Some(row) => {
                let given = row.flags.iter().find(|(flag, _)| is_given(self.call, flag));
                given.map_or(row.plain, |(_, words)| words).to_owned()
            }
            // The words of a command, which the catalog knows, need no quotes of their own.
            None => format!("Run “gh {path}”"),
        }
    }

    /// The words for a call of `gh api`, with places to fill.
    fn of_api(&self) -> String {
        let method = crate::gh::judge::api::method(self.call);
        let endpoint = self.call.positionals.first().map(|p| p.text.as_str());
        let endpoint = endpoint.unwrap_or_default();
        let approval = approval(self.call);
        if endpoint == "graphql" {
            let document = crate::gh::judge::api::document(self.call).unwrap_or_default();
            let sent = match graphql::mutation(document) {
                Some(mutation) => {
                    let fields = mutation.fields.join(", ");
                    format!("the GraphQL mutation {}", self.literal(&fields))
                }
                None => "a GraphQL document".to_owned(),
            };
            return match approval {
                Some(Approval::Certain) => format!("Approve a pull request with {sent}"),
                Some(Approval::Possible(_)) => {
                    format!("Send {sent}, which could approve a pull request")
                }
                None => format!("Send {sent}"),
            };
        }
        let fields: Vec<(&str, &str)> = crate::gh::judge::api::fields(self.call).collect();
        let words: String = match endpoints::find(&method, endpoint, &fields) {
            Some(words) => words
                .iter()
                .map(|piece| match piece {
                    endpoints::Piece::Words(text) => (*text).to_owned(),
                    endpoints::Piece::Segment(text) | endpoints::Piece::Field(text) => {
                        self.literal(text)
                    }
                })
                .collect(),
            None => format!("Send {} to {{1}}", self.literal(&method)),
        };
        match approval {
            Some(Approval::Certain) if words.ends_with("{it}") => {
                "Approve {it} in a review".to_owned()
            }
            Some(Approval::Certain) => format!("Approve a pull request: {words}"),
            Some(Approval::Possible(_)) => format!("{words}, which could approve it,"),
            None => words,
        }
    }

    /// `text` of the call without braces and brackets, so that it cannot pass for a place to fill.
    fn literal(&self, text: &str) -> String {
        self.shown(text).replace(['{', '}', '[', ']'], "?")
    }

    /// `template`, of the form that `says.rs` describes, with its places filled.
    fn fill(&self, template: &str) -> Vec<Piece> {
        let mut out = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find('[') {
            let (before, after) = rest.split_at(at);
            let (inside, after) = after[1..].split_once(']').expect("a table's own brackets");
            self.plain(before, &mut out);
            let (condition, words) = match inside.split_once('?') {
                Some((flag, words)) => (is_given(self.call, flag), words),
                None => (true, inside),
            };
            let mut part = Vec::new();
            if condition && self.plain(words, &mut part) {
                out.append(&mut part);
            }
            rest = after;
        }
        self.plain(rest, &mut out);
        out
    }

    /// Adds `template`, a part without brackets, to `out` with its places filled. Result: whether each place had a value.
    fn plain(&self, template: &str, out: &mut Vec<Piece>) -> bool {
        let mut whole = true;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').expect("a table's own braces");
            out.push(Piece::Text(before.to_owned()));
            if name == "it" {
                out.push(Piece::It);
            } else if name == "place" {
                out.push(Piece::Place);
            } else {
                let value = self.value(name);
                // A value that the template puts in quotes needs no second pair.
                let bare = |text: String| match text.strip_prefix('“') {
                    Some(rest) if before.ends_with('“') => rest.trim_end_matches('”').to_owned(),
                    _ => text,
                };
                let value = value.map(bare);
                whole &= value.is_some();
                out.push(Piece::Text(value.unwrap_or_default()));
            }
            rest = after;
        }
        out.push(Piece::Text(rest.to_owned()));
        whole
    }

    /// The value for the place `name`.
    fn value(&self, name: &str) -> Option<String> {
        let nth = |n: usize| self.call.positionals.get(n).map(|p| self.shown(&p.text));
        match name {
            "1" => nth(0),
            "2" => nth(1),
            "3" => nth(2),
            "repo" => Some(match (&self.target.owner, &self.target.repo) {
                (Some(owner), Some(repo)) => self.shown(&format!("{owner}/{repo}")),
                _ => nth(0).unwrap_or_else(|| "the repository".to_owned()),
            }),
            "changes" if self.call.leaf.path == "api" => {
                let fields = crate::gh::judge::api::fields(self.call).map(|(key, _)| key);
                changes::of_fields(fields, &|text| self.shown(text))
            }
            "changes" => changes::of(self.call, &|text| self.shown(text)),
            "duplicate-of" => {
                let other = self.call.value(name)?;
                let number = other.bytes().all(|b| b.is_ascii_digit());
                Some(if number {
                    format!("#{other}")
                } else {
                    self.shown(other)
                })
            }
            flag => {
                let value = self.call.value(flag).filter(|value| !value.is_empty());
                value.map(|value| self.shown(value))
            }
        }
    }

    /// The kind and the name of the thing that the call is about: `pull request` and `#2`.
    fn thing(&self, subject: &Subject) -> (String, String) {
        let positionals = &self.call.positionals;
        let of = |kind: &str, name: String| (kind.to_owned(), name);
        match subject {
            Subject::PullRequest(Which::Number(n)) => of("pull request", format!("#{n}")),
            Subject::Item(n) => of("issue", format!("#{n}")),
            Subject::Items(numbers) => {
                let all: Vec<String> = numbers.iter().map(|n| format!("#{n}")).collect();
                of("issues", all.join(", "))
            }
            Subject::Discussion(n) => of("discussion", format!("#{n}")),
            Subject::Project { number, .. } => of("project", number.to_string()),
            Subject::Run(id) => of("run", id.to_string()),
            Subject::Job(id) => of("job", id.to_string()),
            Subject::Workflow { name, .. } => of("workflow", self.shown(name)),
            Subject::Release { tag, .. } => of("release", self.shown(tag)),
            Subject::Gist(id) => of("gist", self.shown(id)),
            Subject::Codespace(name) => of("codespace", self.shown(name)),
            Subject::Endpoint(_) => of("", "it".to_owned()),
            _ => {
                let all: Vec<String> = positionals.iter().map(|p| self.shown(&p.text)).collect();
                let group = self.call.leaf.path.split(' ').next().unwrap_or_default();
                match (group, all.as_slice()) {
                    ("pr", []) => of("", "the pull request of the current branch".to_owned()),
                    ("pr", _) => of("the pull request of", all.join(", ")),
                    ("run" | "workflow" | "release", []) => of("", format!("a {group}")),
                    (
                        "issue" | "discussion" | "project" | "run" | "workflow" | "release"
                        | "gist" | "codespace",
                        [_],
                    ) => of(group, all.join(", ")),
                    ("issue", _) => of("issues", all.join(", ")),
                    _ => of("", all.join(", ")),
                }
            }
        }
    }
}

/// Whether `flag` is given, and not off; for `FLAG=false`, whether it is given and off.
fn is_given(call: &Parsed, flag: &str) -> bool {
    let (flag, wanted) = match flag.strip_suffix("=false") {
        Some(flag) => (flag, false),
        None => (flag, true),
    };
    call.flag(flag).is_some_and(|given| {
        let on = given.flag.arity != Arity::Nothing || given.on() != Some(false);
        on == wanted
    })
}

#[cfg(test)]
mod tests;
