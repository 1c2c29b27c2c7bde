//! Page after page of a REST list, in place of `gh api --paginate`, which fetches without bound.
//!
//! A call with `--paginate` is taken apart before it is judged: the call that is planned reads the first page, and each further page is a read
//! of its own.  At most [`MAX_PAGES`] pages are read, and no more than fits into the cap; the result's first line says what is left.
//! A call that is no plain GET, or whose output gh would not join page by page, is left as it is, and so is judged as one without bound.

mod joined;
mod link;

use self::joined::Joined;
use self::link::Next;
use super::view::{Around, View};
use crate::gate::{Cleaner, Refusal};
use crate::gh::call::plain::cut;
use crate::gh::catalog::Catalog;
use crate::gh::judge::api::method;
use crate::gh::parse::{Named, Parsed, parse};
use crate::run::{Captured, Stream};

/// The most pages of one call, and the number where the call names none: a thousand entries are more than anybody reads.
pub const MAX_PAGES: u64 = 10;

/// Flags with which a call's pages can be read one by one.
const TAKEN: &[&str] = &[
    "paginate",
    "method",
    "header",
    "hostname",
    "jq",
    "template",
    "preview",
    "cache",
    "allow-escape-sequences",
];

/// Renders the pages of a list.
#[derive(Clone, Debug)]
pub(super) struct PagesView {
    /// The argv of the first page.
    argv: Vec<String>,
    /// The place of the endpoint in it.
    at: usize,
    /// The most pages to read.
    pages: u64,
    /// Whether gh itself makes text of each page (`--jq`, `--template`).
    filtered: bool,
}

/// The argv of the first page of `argv`, a call of `gh api --paginate`, and the view that reads the others, at most `pages` in all;
/// `None` where `argv` is no such call, or one that cannot be read page by page.
pub(super) fn of(argv: &[String], pages: Option<u64>) -> Option<(Vec<String>, PagesView)> {
    let Named::Command(call) = parse(Catalog::get(), argv) else {
        return None;
    };
    let at = taken(&call)?;
    let mut first = argv.to_vec();
    let endpoint = &call.positionals[0].text;
    if !has_page_size(endpoint) {
        // As gh itself does with `--paginate'.
        let size = [("per_page".to_owned(), "100".to_owned())];
        first[at] = link::with(endpoint, &size);
    }
    // From the back, so that the places in front of each flag stay.
    let mut before = 0;
    for given in call.all("paginate").collect::<Vec<_>>().into_iter().rev() {
        before += usize::from(given.at.start < at);
        first.drain(given.at.clone());
    }
    first.push("--include".to_owned());
    let view = PagesView {
        argv: first.clone(),
        at: at - before,
        pages: pages.unwrap_or(MAX_PAGES).clamp(1, MAX_PAGES),
        filtered: call.flag("jq").is_some() || call.flag("template").is_some(),
    };
    Some((first, view))
}

/// The place of the endpoint of `call`, where its pages can be read one by one.
fn taken(call: &Parsed) -> Option<usize> {
    let known = call
        .flags
        .iter()
        .all(|given| TAKEN.contains(&given.flag.name.as_str()) && !given.clustered);
    let plain = call.leaf.path == "api"
        && call.is_on("paginate")
        && known
        && call.problems.is_empty()
        && !call.help
        && call.dashes.is_none()
        && method(call) == "GET";
    let [endpoint] = call.positionals.as_slice() else {
        return None;
    };
    let path = endpoint.text.trim_matches('/');
    let graphql = path.split('?').next() == Some("graphql");
    (plain && !graphql && !path.contains("://") && !path.contains('#')).then_some(endpoint.index)
}

fn has_page_size(endpoint: &str) -> bool {
    let query = endpoint.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair.starts_with("per_page="))
}

/// One page as gh printed it: the headers, and the body.
struct Page {
    head: String,
    body: String,
}

impl View for PagesView {
    fn heavy(&self) -> bool {
        true
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let host = around.followup.target().host.clone();
        let first = page(&captured.stdout, around.clean)?;
        let (mut joined, mut last) = (Joined::default(), None);
        joined.add(&first.body, self.filtered);
        let mut head = first.head;
        let left = loop {
            last = link::last(&head, &host).or(last);
            match link::next(&head, &host) {
                Next::None => {
                    last = Some(joined.pages);
                    break String::new();
                }
                Next::Elsewhere => {
                    break "; the answer names its next page elsewhere, which is not followed"
                        .into();
                }
                Next::Page(_) if joined.full() || joined.pages >= self.pages => {
                    break String::new();
                }
                Next::Page(parameters) => {
                    let endpoint = link::with(&self.argv[self.at], &parameters);
                    match self.read(&endpoint, around) {
                        Ok(page) => {
                            joined.add(&page.body, self.filtered);
                            head = page.head;
                        }
                        Err(refusal) => {
                            break format!(
                                "; page {} could not be read ({}): {}",
                                joined.pages + 1,
                                refusal.kind,
                                refusal.message.lines().next().unwrap_or_default()
                            );
                        }
                    }
                }
            }
        };
        if joined.single() && last == Some(1) {
            return Ok(joined.text());
        }
        let read = match (last, joined.pages) {
            (Some(last), 1) if last > 0 => format!("page 1 of {last}"),
            (Some(last), read) if last >= read => format!("page 1 to {read} of {last}"),
            (_, 1) => "1 page read, more follow".to_owned(),
            (_, read) => format!("{read} pages read, more follow"),
        };
        let text = around.clean.text(&joined.text());
        let left = around.clean.line(&left);
        // The beginning of a result is what a model sees first, and what is left where the result is cut.
        Ok(format!("[{read}{}{left}]\n{text}", joined.tally()))
    }
}

impl PagesView {
    /// Reads the page of `endpoint`, which has the path of the call's own.
    fn read(&self, endpoint: &str, around: &mut Around<'_>) -> Result<Page, Refusal> {
        let mut argv = self.argv.clone();
        endpoint.clone_into(&mut argv[self.at]);
        // `{owner}` and `{repo}` stand for the repository of the call.
        let plan = if endpoint.contains('{') {
            around.followup.plan_there(argv)?
        } else {
            around.followup.plan(argv)?
        };
        let (_, whole) = around.reads.run_whole(plan)?;
        page(&whole, around.clean)
    }
}

/// The page in `stream`, redacted.
///
/// # Errors
/// `truncated` where the page is not whole.
fn page(stream: &Stream, clean: &Cleaner) -> Result<Page, Refusal> {
    if stream.truncated {
        return Err(cut(stream.shown_head));
    }
    let redactor = clean.redactor();
    let (printed, _) = stream.shown(|bytes| redactor.bytes(bytes));
    let printed = String::from_utf8_lossy(&printed);
    let (head, body) = link::split(&printed).unwrap_or(("", &printed));
    Ok(Page {
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(line: &str, pages: Option<u64>) -> Option<(String, PagesView)> {
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (first, view) = of(&argv, pages)?;
        assert!(first[view.at].starts_with("repos"), "{first:?}");
        Some((first.join(" "), view))
    }

    #[test]
    fn a_plain_get_is_read_page_by_page() {
        for (line, expect) in [
            (
                "api --paginate repos/o/r/labels",
                "api repos/o/r/labels?per_page=100 --include",
            ),
            (
                "api repos/o/r/labels --paginate",
                "api repos/o/r/labels?per_page=100 --include",
            ),
            (
                "--paginate=true api -X GET repos/o/r/x?per_page=5 --jq .[].name --paginate",
                "api -X GET repos/o/r/x?per_page=5 --jq .[].name --include",
            ),
        ] {
            let got = made(line, None).map(|(first, view)| (first, view.filtered, view.pages));
            let expect = Some((expect.to_owned(), line.contains("jq"), 10));
            assert_eq!(got, expect, "{line}");
        }
        let pages = |n| made("api --paginate repos/o/r", Some(n)).map(|(_, view)| view.pages);
        assert_eq!(
            [pages(0), pages(3), pages(99)],
            [Some(1), Some(3), Some(10)]
        );
    }

    #[test]
    fn any_other_call_stays_as_it_is() {
        for line in [
            "api repos/o/r/labels",
            "api --paginate=false repos/o/r/labels",
            "api --paginate repos/o/r/labels --slurp",
            "api --paginate repos/o/r/labels --include",
            "api --paginate repos/o/r/labels -f a=b",
            "api --paginate repos/o/r/labels --input x",
            "api --paginate -X POST repos/o/r/labels",
            "api --paginate graphql",
            "api --paginate /graphql?x",
            "api --paginate https://api.github.com/repos/o/r",
            "api --paginate",
            "api --paginate a b",
            "api --paginate -- repos/o/r",
            "api --paginate repos/o/r --nosuch",
            "pr list",
            "nosuch --paginate",
        ] {
            assert!(made(line, None).is_none(), "{line}");
        }
    }
}
