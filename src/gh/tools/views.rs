//! The table of views: the name of each in Lisp, and how it is made from its options.

use std::sync::Arc;

use Asks::{Chosen, Exactly};

use super::api_get::ApiGetView;
use super::brief::BriefView;
use super::checks::ChecksView;
use super::diff_part::{self, DiffPartView, DiffView};
use super::item::ItemView;
use super::list_total::{ListAsked, ListView};
use super::search::SearchView;
use super::subject::Names;
use super::threads::ThreadsView;
use super::view::{Around, View, ViewOptions, json};
use super::why::WhyView;
use crate::gate::Refusal;
use crate::gh::render::{self, BriefParts, FieldsError, Found, Item, List};
use crate::run::Captured;

/// One view.
pub struct ViewRow {
    /// Its name in Lisp.
    pub name: &'static str,
    /// The fields that gh is asked for by `--json`.
    asks: Asks,
    /// Makes the view from its options.
    make: fn(&ViewOptions) -> Arc<dyn View>,
}

/// The `--json` fields that a view needs.
#[derive(Clone, Copy)]
enum Asks {
    /// None: the view renders no JSON that `--json` prints.
    Nothing,
    /// Fields of this command, chosen by the caller.
    Chosen(&'static str),
    /// These and no others.
    Exactly(&'static [&'static str]),
}

const fn view(name: &'static str, asks: Asks, make: fn(&ViewOptions) -> Arc<dyn View>) -> ViewRow {
    ViewRow { name, asks, make }
}

/// Every view.  `plain` has no row, since gh's own text needs no view.
pub const VIEWS: &[ViewRow] = &[
    view("repo-view", Chosen("repo view"), |options| {
        item(Item::Repository, options)
    }),
    view("pr-view", Chosen("pr view"), |options| {
        item(Item::PullRequest, options)
    }),
    view("pr-brief", Asks::Nothing, |options| {
        Arc::new(BriefView {
            parts: BriefParts {
                body: options.include_body,
                comments: options.include_comments,
                reviews: options.include_reviews,
            },
        })
    }),
    view("issue-view", Chosen("issue view"), |options| {
        item(Item::Issue, options)
    }),
    view("run-view", Chosen("run view"), |options| {
        item(Item::Run, options)
    }),
    view("pr-list", Chosen("pr list"), |options| {
        list(List::PullRequests, options)
    }),
    view("issue-list", Chosen("issue list"), |options| {
        list(List::Issues, options)
    }),
    view("run-list", Chosen("run list"), |options| {
        list(List::Runs, options)
    }),
    view("search-prs", Asks::Nothing, |options| {
        search(Found::PullRequests, options)
    }),
    view("search-issues", Asks::Nothing, |options| {
        search(Found::Issues, options)
    }),
    view("search-code", Asks::Nothing, |options| {
        search(Found::Code, options)
    }),
    view("search-commits", Asks::Nothing, |options| {
        search(Found::Commits, options)
    }),
    view("search-repos", Asks::Nothing, |options| {
        search(Found::Repositories, options)
    }),
    view("pr-checks", Chosen("pr checks"), |_| Arc::new(ChecksView)),
    view("pr-files", Exactly(diff_part::FIELDS), |_| {
        Arc::new(FilesView)
    }),
    view("pr-threads", Asks::Nothing, |options| {
        let file = options.file.clone();
        let long = options.include_body;
        Arc::new(ThreadsView { file, long })
    }),
    view("api-get", Asks::Nothing, |_| Arc::new(ApiGetView)),
    view("run-artifacts", Asks::Nothing, |options| {
        let run = options.run.unwrap_or(0);
        Arc::new(ArtifactsView { run })
    }),
    view("run-logs-failed", Asks::Nothing, |options| {
        Arc::new(WhyView { job: options.job })
    }),
    view(
        "pr-diff",
        Exactly(diff_part::FIELDS),
        |options| match options.file.clone() {
            None => Arc::new(DiffView),
            Some(file) => Arc::new(DiffPartView {
                file,
                hunk: options.hunk,
            }),
        },
    ),
];

/// The view called `name` in Lisp, made from `options`; `None` where there is no such view.
pub fn named(name: &str, options: &ViewOptions) -> Option<Arc<dyn View>> {
    let row = VIEWS.iter().find(|row| row.name == name)?;
    Some((row.make)(options))
}

/// The `--json` fields that the view called `name` asks for: its default ones, or those in `given`, a list with commas.
///
/// # Errors
/// Where the view asks for no fields, and each error of [`render::fields`].
pub fn fields(name: &str, given: Option<&str>) -> Result<Vec<&'static str>, FieldsError> {
    let row = VIEWS.iter().find(|row| row.name == name);
    match row.map(|row| row.asks) {
        Some(Chosen(leaf)) => render::fields(leaf, given),
        Some(Exactly(fields)) => Ok(fields.to_vec()),
        Some(Asks::Nothing) | None => Err(FieldsError::View),
    }
}

fn item(item: Item, options: &ViewOptions) -> Arc<dyn View> {
    Arc::new(ItemView {
        item,
        whole_body: options.include_body,
        branch: options.branch.clone(),
    })
}

/// The limit of a list where the caller gives none.
const LIMIT: u64 = 30;

fn list(list: List, options: &ViewOptions) -> Arc<dyn View> {
    Arc::new(ListView {
        list,
        asked: ListAsked {
            state: options.state.clone(),
            search: options.search.clone(),
            branch: options.branch.clone(),
            author: options.arguments.author.clone(),
            label: options.arguments.label.clone(),
            limit: options.limit.unwrap_or(LIMIT),
        },
    })
}

fn search(kind: Found, options: &ViewOptions) -> Arc<dyn View> {
    Arc::new(SearchView::new(kind, options.arguments.clone()))
}

/// Renders the JSON of `pr view --json files,changedFiles,additions,deletions`.
#[derive(Debug)]
struct FilesView;

impl View for FilesView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn needs_subject(&self) -> bool {
        false
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        json(captured, around, render::files)
    }
}

/// Renders the artifacts of a run, as the `--jq` filter of the tool `gh_run_artifacts` prints them.
#[derive(Debug)]
struct ArtifactsView {
    /// The id of the run.
    run: u64,
}

impl View for ArtifactsView {
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        json(captured, around, |json, clean| {
            render::artifacts(json, self.run, clean)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_asks_for_fields_that_its_command_has() {
        for row in VIEWS {
            match row.asks {
                Asks::Nothing => assert_eq!(fields(row.name, None), Err(FieldsError::View)),
                Chosen(_) | Exactly(_) => {
                    let asked = fields(row.name, None).expect(row.name);
                    assert!(!asked.is_empty(), "{}", row.name);
                }
            }
        }
        assert_eq!(fields("no-such-view", None), Err(FieldsError::View));
        assert_eq!(
            fields("issue-view", Some("labels,number")),
            Ok(vec!["labels", "number"])
        );
        assert_eq!(
            fields("pr-files", None).map(|names| names.join(",")),
            Ok("number,files,changedFiles,additions,deletions".to_owned())
        );
    }
}
