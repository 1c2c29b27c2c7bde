//! The searches: pull requests, issues, code, commits and repositories, each by one request to GitHub's REST search.

pub mod arguments;
mod dates;
mod filter;
pub mod query;

use std::sync::OnceLock;

use chrono::Utc;
use serde_json::Value;

use super::subject::{Names, Subject};
use super::view::{Around, View, json};
use crate::gate::{ErrorKind, Refusal, Target};
use crate::gh::render::{self, one_line};
use crate::run::{Captured, Ended};

pub use self::arguments::Arguments;
use crate::gh::render::Found as Kind;

impl Kind {
    /// The endpoint of the REST API.
    const fn endpoint(self) -> &'static str {
        match self {
            Self::PullRequests | Self::Issues => "search/issues",
            Self::Code => "search/code",
            Self::Commits => "search/commits",
            Self::Repositories => "search/repositories",
        }
    }

    /// The qualifier that tells pull requests and issues apart, which have one endpoint.
    const fn qualifier(self) -> Option<&'static str> {
        match self {
            Self::PullRequests => Some("is:pr"),
            Self::Issues => Some("is:issue"),
            _ => None,
        }
    }

    /// The qualifier for dates; `by_update`: those of the last change.  `None`: GitHub's search knows no dates.
    const fn date_qualifier(self, by_update: bool) -> Option<&'static str> {
        match (self, by_update) {
            (Self::Code, _) => None,
            (Self::Commits, _) => Some("committer-date"),
            (Self::Repositories, true) => Some("pushed"),
            (_, true) => Some("updated"),
            (_, false) => Some("created"),
        }
    }

    const fn has_labels(self) -> bool {
        matches!(self, Self::PullRequests | Self::Issues)
    }
}

/// Makes the request of a search, and renders its answer.
#[derive(Debug)]
pub(super) struct SearchView {
    kind: Kind,
    arguments: Arguments,
    /// The text of the search, once it was made: dates before now are reckoned once.
    text: OnceLock<String>,
}

impl SearchView {
    pub fn new(kind: Kind, arguments: Arguments) -> Self {
        Self {
            kind,
            arguments,
            text: OnceLock::new(),
        }
    }
}

impl View for SearchView {
    fn names(&self) -> Names {
        let given = self.arguments.repo.is_some();
        if self.kind == Kind::Repositories || (!given && query::is_scoped(self.arguments.query())) {
            Names::Host
        } else {
            Names::Repository
        }
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        let repo = repository(&subject.target);
        let text = query::text(self.kind, &self.arguments, repo.as_deref(), Utc::now())?;
        let text = self.text.get_or_init(|| text);
        let limit = query::limit(self.arguments.limit.as_deref())?;
        let mut argv: Vec<String> = ["api", "--method", "GET", self.kind.endpoint()]
            .map(Into::into)
            .into();
        if self.kind == Kind::Code {
            // With this media type GitHub says where in a file the words are.
            let header = "Accept: application/vnd.github.text-match+json";
            argv.extend(["--header", header].map(Into::into));
        }
        for field in [format!("q={text}"), format!("per_page={limit}")] {
            argv.extend(["--raw-field".to_owned(), field]);
        }
        let filter = filter::of(self.kind, repo.is_some(), self.arguments.by_update());
        argv.extend(["--jq".to_owned(), filter]);
        Ok(Some(argv))
    }

    fn serves(&self, captured: &Captured) -> bool {
        !invalid(captured).is_empty()
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        if let [first, ..] = invalid(captured).as_slice() {
            let clean: render::Clean<'_> = &|text| around.clean.text(text);
            let words: String = one_line(first, clean).chars().take(MAX_QUOTE).collect();
            return Err(Refusal::new(
                ErrorKind::Failed,
                format!(
                    "Validation Failed (HTTP 422): {words}\nThe host understood the search and does not accept it: change what it names."
                ),
            ));
        }
        let text = json(captured, around, |json, clean| {
            render::found(self.kind, json, Utc::now(), clean)
        })?;
        Ok(match self.text.get() {
            // The model has not seen the repository and the dates that were added to its words.
            Some(searched) if text.starts_with("0/0 ") => {
                let clean: render::Clean<'_> = &|text| around.clean.text(text);
                format!("{text}\nsearched: {}", one_line(searched, clean))
            }
            _ => text,
        })
    }
}

/// The longest quotation of GitHub's own words, in characters.
const MAX_QUOTE: usize = 400;

/// Why GitHub does not accept the search: a user or a repository in it does not exist, or its text is too long.  gh prints these words with
/// the rest of the answer and not among its own, which say `Validation Failed` alone (2.92.0 and 2.103.3).
fn invalid(captured: &Captured) -> Vec<String> {
    if captured.ended == Ended::Exited(0) {
        return Vec::new();
    }
    let head = captured.stdout.head();
    let Ok(answer) = render::parse_bounded(head.reveal()) else {
        return Vec::new();
    };
    let errors = answer["errors"].as_array().map(Vec::as_slice);
    let says = |error: &Value| error["message"].as_str().map(str::to_owned);
    match answer["message"].as_str() {
        Some("Validation Failed") => errors.unwrap_or_default().iter().filter_map(says).collect(),
        _ => Vec::new(),
    }
}

/// `OWNER/REPO`; `None` where `target` has no repository.
fn repository(target: &Target) -> Option<String> {
    let (owner, repo) = target.owner.as_deref().zip(target.repo.as_deref())?;
    Some(format!("{owner}/{repo}"))
}
