//! One repository, pull request, issue or run.

use super::subject::Names;
use super::view::{Around, View, json};
use crate::gate::{ErrorKind, Refusal};

use crate::gh::render::{self, Item};
use crate::run::Captured;
use crate::text::escapes::percent_encoded;

/// Renders the JSON of one repository, pull request, issue or run as a few lines.
#[derive(Debug)]
pub(super) struct ItemView {
    /// What kind of thing the JSON describes.
    pub item: Item,
    /// `true`: show up to 2 KB of the description; `false`: an excerpt.
    pub whole_body: bool,
    /// For a repository: the branch whose head is shown too.
    pub branch: Option<String>,
}

impl View for ItemView {
    fn names(&self) -> Names {
        match self.item {
            Item::Repository => Names::AsGiven,
            Item::PullRequest => Names::PullRequest,
            Item::Issue => Names::Issue,
            Item::Run => Names::Run,
        }
    }

    fn needs_subject(&self) -> bool {
        false
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let text = json(captured, around, |json, clean| {
            render::item(self.item, json, self.whole_body, clean)
        })?;
        Ok(match &self.branch {
            Some(branch) => text + &head_of(branch, around),
            None => text,
        })
    }
}

/// A line about the head of `branch`, from a further read; where that fails, the line says so.
fn head_of(branch: &str, around: &mut Around<'_>) -> String {
    let Some((owner, repo)) = around.followup.owner_and_repo() else {
        return String::new();
    };
    // A branch's name may hold characters that mean something in a path: `fix/#12 50%`.
    let name = percent_encoded(branch.as_bytes());
    let endpoint = format!("repos/{owner}/{repo}/branches/{name}");
    let filter = "[.commit.sha[0:7], .commit.commit.committer.date, (if .protected then \"protected\" else empty end)] | join(\" \")";
    let argv = ["api", "--method", "GET", &endpoint, "--jq", filter].map(Into::into);
    let said = around
        .followup
        .plan(argv.into())
        .and_then(|plan| around.reads.run(plan))
        .map_or_else(
            |refusal| match refusal.kind {
                ErrorKind::NotFound => "there is none of that name".to_owned(),
                kind => format!("could not be read ({kind})"),
            },
            |captured| {
                String::from_utf8_lossy(captured.stdout.head().reveal())
                    .trim()
                    .to_owned()
            },
        );
    format!(
        "\n{}",
        render::one_line(&format!("branch {branch}: {said}"), &|text| around
            .clean
            .text(text))
    )
}
