//! What went wrong with a run of gh, told from how it ended and from gh's own words.
//!
//! gh exits 1 for nearly everything (2.92.0 and 2.103.3), so the words decide: a table of anchored patterns, most telling
//! first. The patterns stand on gh's own phrases at the places where gh writes them; a branch that is named
//! `HTTP 401` makes no login expired. The texts that the table was made from are in fixtures/gh-errors.jsonl.

mod words;

use words::{Advice, Phrase, find};

use super::render::Clean;
use super::rows;
use crate::gate::{ErrorKind, Refusal, out_of_memory};
use crate::text::one_line::one_line;

crate::foreign::debug_by_name!(Run<'_>);

/// A run of gh as far as its errors are concerned.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The leaf, "pr view".
    pub command: &'a str,
    /// The pinned host.
    pub host: &'a str,
    /// The variable of the child's environment that holds its token, if any; gh takes it before any login.
    pub token_variable: Option<&'a str>,
    /// Its exit code.  How a run ends otherwise is not gh's own doing, and `gate::outcome` says so.
    pub exit: i32,
    /// Whether it wrote anything to stdout.
    pub has_output: bool,
    /// What it wrote to stderr.
    pub stderr: &'a str,
}

/// Longest quotation of gh's own words, in characters.
const MAX_QUOTE: usize = 400;

/// Tells why `run` failed; `None` when it did not.
///
/// `clean` is applied to what gh wrote before any of it is quoted.
pub fn diagnose(run: &Run<'_>, clean: Clean<'_>) -> Option<Refusal> {
    let code = run.exit;
    if code == 0 || exit_is_data(run, code) {
        return None;
    }
    if code == 2 {
        return Some(exit_two(run));
    }
    let stderr = clean(run.stderr);
    let found = find(&stderr);
    if code == 4
        && !matches!(
            found,
            Some(Phrase {
                kind: ErrorKind::Auth,
                ..
            })
        )
    {
        return Some(no_login(run));
    }
    Some(match found {
        Some(found) => explain(run, &stderr, &found),
        None => failure(
            ErrorKind::GhExit,
            first_words(&stderr)
                .unwrap_or_else(|| format!("gh exited with {code} and no word why")),
            "M-x cj/gh-tool-last-error shows the whole record.",
        ),
    })
}

/// Whether the exit code is an answer: the row of the command says so, and something was printed.
fn exit_is_data(run: &Run<'_>, code: i32) -> bool {
    let silent = run.stderr.trim().is_empty();
    let row = rows::leaf(run.command);
    run.has_output && silent && row.is_some_and(|row| row.data_exits.contains(&code))
}

/// Exit 2 is gh's own "cancelled", and that of any Go program that panics or gets no more memory.
fn exit_two(run: &Run<'_>) -> Refusal {
    if let Some(what) = words::out_of_memory(run.stderr) {
        out_of_memory(what)
    } else if words::is_panic(run.stderr) {
        failure(
            ErrorKind::GhExit,
            "gh crashed",
            "Try a newer gh; M-x cj/gh-tool-last-error shows the whole record.",
        )
    } else {
        failure(
            ErrorKind::Cancelled,
            "gh was cancelled",
            "Nothing more is to be done.",
        )
    }
}

fn explain(run: &Run<'_>, stderr: &str, found: &Phrase) -> Refusal {
    let host = run.host;
    let words = match first_words(stderr).unwrap_or_default() {
        terse if terse == "not found" => format!("{}: not found", run.command),
        words => words,
    };
    match &found.advice {
        Advice::NoLogin => no_login(run),
        Advice::Login => login(
            run,
            format!("{host} refused the login: the token is expired, revoked or wrong"),
        ),
        Advice::Sso => {
            let todo = match words::sso_url(stderr, host) {
                Some(url) => format!("Authorize the token in a browser: {url}"),
                None => format!(
                    "Run `gh auth refresh -h {host}` in a terminal and authorize the organization in the browser."
                ),
            };
            failure(
                found.kind,
                "The organization asks for single sign-on (SAML) with this token",
                &todo,
            )
        }
        Advice::Scope(scope) => failure(
            found.kind,
            format!("The login on {host} lacks the scope {scope}"),
            &format!("Run `gh auth refresh -h {host} -s {scope}` in a terminal."),
        ),
        Advice::RatePrimary => failure(
            found.kind,
            words,
            "Wait for the limit's reset, within the hour (`gh api rate_limit` tells when); then ask for less in one call.",
        ),
        Advice::RateSecondary => failure(
            found.kind,
            words,
            "Wait some minutes, then make fewer calls one after another.",
        ),
        Advice::CheckName => failure(
            found.kind,
            words,
            &format!(
                "Check name, number and repository; {host} shows a private repository only to accounts with access."
            ),
        ),
        Advice::AskAccess => failure(
            found.kind,
            words,
            &format!(
                "Use an account with access (`gh auth status --hostname {host}` shows the one in use), or ask its owner."
            ),
        ),
        Advice::Connection => failure(
            found.kind,
            words,
            &format!(
                "Check that {host} can be reached from here (network, VPN, proxy), then try again."
            ),
        ),
        Advice::ServerTrouble => failure(
            found.kind,
            words,
            &format!("The trouble is on {host}'s side: try again in a minute."),
        ),
        Advice::NotJson => failure(
            found.kind,
            format!("What answered for {host} is not its API"),
            "A proxy or a login page may stand in between: check the network, then try again.",
        ),
        Advice::ValidFields => failure(found.kind, words, &words::valid_fields(stderr)),
        Advice::Commands(parent) => failure(
            found.kind,
            words,
            &format!("`{parent} --help` lists the commands that there are."),
        ),
        Advice::Arguments => failure(
            found.kind,
            words,
            &format!(
                "Correct the arguments; `gh {} --help` lists them.",
                run.command
            ),
        ),
        Advice::CutAnswer | Advice::Invalid | Advice::AllowEscapes => {
            of_the_answer(run, stderr, found, words)
        }
        Advice::NameRepo => failure(
            found.kind,
            "gh could not tell the repository from the working directory",
            "Name it with repo as HOST/OWNER/REPO.",
        ),
    }
}

/// What the answer itself was like: broken off, a refusal of values, full of escapes.
fn of_the_answer(run: &Run<'_>, stderr: &str, found: &Phrase, words: String) -> Refusal {
    match found.advice {
        Advice::CutAnswer => failure(
            found.kind,
            format!("The answer of {} broke off", run.host),
            "Try again; if it breaks off again, ask for less in one call.",
        ),
        Advice::Invalid => failure(
            found.kind,
            match second_words(stderr) {
                Some(more) => format!("{words}; {more}"),
                None => words,
            },
            "The host understood the call and does not accept its values: change what it names.",
        ),
        _ => failure(
            found.kind,
            words,
            "Add --allow-escape-sequences to the same call: here they are shown as text and do nothing.",
        ),
    }
}

fn no_login(run: &Run<'_>) -> Refusal {
    login(run, format!("gh has no login for {}", run.host))
}

fn login(run: &Run<'_>, what: String) -> Refusal {
    let also = match run.token_variable {
        Some(name) => format!(", or renew the token in {name}, which gh takes before any login"),
        None => String::new(),
    };
    let todo = format!(
        "Run `gh auth login --hostname {}` in a terminal{also}.",
        run.host
    );
    failure(ErrorKind::Auth, what, &todo)
}

fn failure(kind: ErrorKind, what: impl AsRef<str>, todo: &str) -> Refusal {
    let what = what.as_ref().trim_end();
    let stop = if what.ends_with(['.', '!', '?', ':', '"']) {
        ""
    } else {
        "."
    };
    Refusal::new(kind, format!("{what}{stop}\n{todo}"))
}

/// gh's first line that says something, without gh's own prefixes, cut to a quotation.
fn first_words(stderr: &str) -> Option<String> {
    let line = stderr
        .lines()
        .map(one_line)
        .find(|l| !l.is_empty() && !l.starts_with("warning:"))?;
    let line = line.strip_prefix("gh: ").unwrap_or(&line);
    let line = line.strip_prefix("GraphQL: ").unwrap_or(line);
    if line.chars().count() <= MAX_QUOTE {
        return Some(line.to_owned());
    }
    let head: String = line.chars().take(MAX_QUOTE).collect();
    Some(format!("{head}…"))
}

/// gh's second line, on which it says what exactly was not valid.
fn second_words(stderr: &str) -> Option<String> {
    let line = stderr
        .lines()
        .map(one_line)
        .filter(|l| !l.is_empty())
        .nth(1)?;
    Some(line.chars().take(MAX_QUOTE).collect())
}

#[cfg(test)]
mod tests;
