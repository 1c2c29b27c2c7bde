//! What gh's output becomes: a rendered view, the plain text, or an error with its kind.

use chrono::Utc;

use super::diff_part as changes;
use super::diff_part::Part;
use super::failed_logs::failed_logs;
use super::list_total as total;
use super::list_total::Asked;
use crate::gate::result::budget::Shows;
use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal};
use crate::gh::call::followup::Again;
use crate::gh::errors;
use crate::gh::parse::host::percent_encoded;
use crate::gh::render::{self, Item, List, RenderError};
use crate::run::{Captured, Ended};
use crate::text::tokens;

/// How a result is rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// As gh printed it.
    #[default]
    Plain,
    /// The JSON of one thing, as a few lines.
    Item {
        /// What it is.
        item: Item,
        /// Up to 2 KB of the description instead of an excerpt.
        whole_body: bool,
        /// With a repository: the branch whose head is shown too.
        branch: Option<String>,
    },
    /// The JSON of a list, a row each, with how many there are in all.
    List {
        /// What is listed.
        list: List,
        /// What was asked for.
        asked: Asked,
    },
    /// The JSON of `pr checks`.
    Checks,
    /// The JSON of `pr view --json files,changedFiles,additions,deletions`.
    Files,
    /// The text of `pr diff`: the whole, or an index of it.
    Diff {
        /// The pull request, for the index of a diff that is longer than the cap.
        number: u64,
    },
    /// The JSON of `pr view --json files,changedFiles,additions,deletions`, for one file or hunk.
    Part(Part),
    /// The review threads of a pull request, as the tool's own filter leaves them.
    ReviewThreads {
        /// The file that they stand on, where one was named.
        file: Option<String>,
    },
    /// The artifacts of a run, as the tool's own filter leaves them.
    Artifacts {
        /// The run.
        run: u64,
    },
    /// The JSON of a run with its jobs, and what the logs of the failed ones say.
    FailedLogs {
        /// The one job that is wanted.
        job: Option<u64>,
    },
}

/// Tokens up to which a diff is shown whole.
const WHOLE_DIFF: usize = 700;

/// Finishes one call of gh.
pub struct Finisher {
    /// How its result is rendered.
    pub view: View,
    /// The leaf, `pr view`.
    pub command: String,
    /// The pinned host.
    pub host: String,
    /// The environment's variable with the token that went along, if any.
    pub token_variable: Option<&'static str>,
    /// How further calls to the same place are planned.
    pub again: Again,
    /// Tokens that the result may take.
    pub budget: usize,
}

impl Finish for Finisher {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let with_escapes;
        let captured = match &self.view {
            View::Diff { number } if refuses_escapes(captured) => {
                with_escapes = self.diff_with_escapes(*number, reads)?;
                &with_escapes
            }
            _ => captured,
        };
        if let Ended::Exited(code) = captured.ended {
            let run = errors::Run {
                command: &self.command,
                host: &self.host,
                token_variable: self.token_variable,
                exit: code,
                has_output: captured.stdout.read > 0,
                stderr: &String::from_utf8_lossy(captured.stderr.head().reveal()),
            };
            if let Some(refusal) = errors::diagnose(&run, &|text| clean.text(text)) {
                return Err(refusal);
            }
        }
        let head = captured.stdout.head();
        let json = head.reveal();
        let clean_text: render::Clean<'_> = &|text| clean.text(text);
        let rendered = match &self.view {
            View::Plain => return plain(captured, clean),
            View::Item {
                item,
                whole_body,
                branch,
            } => render::item(*item, json, *whole_body, clean_text).map(|text| match branch {
                Some(branch) => text + &self.head_of(branch, reads, clean_text),
                None => text,
            }),
            View::Checks => render::checks(json, clean_text),
            View::Files => render::files(json, clean_text),
            View::ReviewThreads { file } => render::threads(json, file.as_deref(), clean_text),
            View::Artifacts { run } => render::artifacts(json, *run, clean_text),
            View::Diff { number } if captured.stdout.truncated => {
                return changes::index(*number, &self.again, reads, clean_text);
            }
            View::Diff { .. } => {
                let text = String::from_utf8_lossy(json);
                Ok(render::diff(&text, WHOLE_DIFF, &tokens::count, clean_text))
            }
            View::FailedLogs { job } => {
                return failed_logs(json, *job, &self.again, reads, clean);
            }
            View::Part(part) => {
                return changes::part(json, part, &self.again, reads, clean_text);
            }
            View::List { list, asked } => render::entries(json).map(|entries| {
                let total = total::total(*list, asked, entries.len(), &self.again, reads);
                let state = asked.state.as_deref();
                render::list(*list, &entries, total, state, Utc::now(), clean_text)
            }),
        };
        rendered.map_err(|error| unreadable(&error, captured))
    }

    fn budget(&self) -> usize {
        self.budget
    }

    fn shows(&self) -> Shows {
        // A log fails at its end.
        if self.command == "run view" && self.view == View::Plain {
            Shows::Ends
        } else {
            Shows::Head
        }
    }

    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        // An index stands for the diff itself.
        let diff = matches!(self.view, View::Diff { .. }) && !captured.stdout.truncated;
        let whole = diff.then(|| clean.stream(&captured.stdout))?;
        (tokens::count(&whole) > WHOLE_DIFF).then_some(whole)
    }
}

/// Whether gh gave nothing, since what it has holds escapes: a newer gh shows them only where it is told to.
fn refuses_escapes(captured: &Captured) -> bool {
    !matches!(captured.ended, Ended::Exited(0))
        && String::from_utf8_lossy(captured.stderr.head().reveal())
            .contains("--allow-escape-sequences")
}

impl Finisher {
    /// The diff once more, with the escapes that are in it: they are made visible here, and do nothing.
    fn diff_with_escapes(&self, number: u64, reads: &mut dyn Reads) -> Result<Captured, Refusal> {
        let number = number.to_string();
        let flag = "--allow-escape-sequences";
        let argv = ["pr", "diff", &number, "--color", "never", flag].map(Into::into);
        reads.run(self.again.plan_there(argv.into())?)
    }

    /// A line about the head of BRANCH, which takes a further read; it says so where that fails.
    fn head_of(&self, branch: &str, reads: &mut dyn Reads, clean: render::Clean<'_>) -> String {
        let Some((owner, repo)) = self.again.owner_and_repo() else {
            return String::new();
        };
        // A name may hold what means something in a path: `fix/#12 50%`.
        let name = percent_encoded(branch);
        let endpoint = format!("repos/{owner}/{repo}/branches/{name}");
        let fields = "[.commit.sha[0:7], .commit.commit.committer.date, (if .protected then \"protected\" else empty end)] | join(\" \")";
        let argv = ["api", "--method", "GET", &endpoint, "--jq", fields].map(Into::into);
        let said = self
            .again
            .plan(argv.into())
            .and_then(|plan| reads.run(plan))
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
            render::one_line(&format!("branch {branch}: {said}"), clean)
        )
    }
}

fn plain(captured: &Captured, clean: &Cleaner) -> Result<String, Refusal> {
    let text = clean.stream(&captured.stdout);
    // With both ends kept, a gap is part of the result; with the head alone, the rest is lost.
    if captured.stdout.truncated && captured.stdout.tail().is_empty() {
        return Err(cut(captured.stdout.shown_head));
    }
    if captured.ended == Ended::ReadLimit {
        return Ok(format!(
            "{}\n[the command was ended after {} bytes of output]",
            text.trim_end_matches('\n'),
            captured.stdout.read
        ));
    }
    // What gh says on standard error belongs to the result of a command that prints nothing else (`pr merge').
    let said = clean.stream(&captured.stderr);
    Ok(match (text.trim().is_empty(), said.trim().is_empty()) {
        (false, _) => text,
        (true, false) => said,
        (true, true) => "Done; gh printed nothing.".to_owned(),
    })
}

fn cut(at: usize) -> Refusal {
    Refusal::new(
        ErrorKind::Truncated,
        format!(
            "The output was cut at {at} bytes and the command was ended.\nUse --limit, fewer fields or a more specific tool."
        ),
    )
}

fn unreadable(error: &RenderError, captured: &Captured) -> Refusal {
    match error {
        RenderError::Truncated => cut(captured.stdout.shown_head),
        other => Refusal::new(
            ErrorKind::GhExit,
            format!(
                "{other}.\nRun `M-x cj/gh-doctor', or call the tool `gh' with the same command to see the text as it is."
            ),
        ),
    }
}
