//! Why a run of gh failed, told from how the run ended and from gh's own words.
//!
//! gh exits 1 for nearly every failure (2.92.0 and 2.103.3), so the words decide: a table of anchored patterns, most telling
//! first.  Each pattern matches a phrase of gh's own only where gh writes it, so a branch named `HTTP 401` does not look
//! like an expired login.  The texts that the table was made from are in fixtures/gh-errors.jsonl.

mod words;

use words::{Advice, Phrase, find};

use super::render::Clean;
use super::rows;
use crate::gate::{ErrorKind, Refusal, out_of_memory};
use crate::text::one_line::one_line;

crate::foreign::debug_by_name!(Run<'_>);

/// The facts of a run of gh that tell why it failed.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The leaf, such as "pr view".
    pub command: &'a str,
    /// The pinned host.
    pub host: &'a str,
    /// The variable of the child's environment that holds a token, if one does; gh uses that token before any login.
    pub token_variable: Option<&'a str>,
    /// gh's exit code.  `gate::plan::settle` explains a run that has none, such as one ended by a signal or at its deadline.
    pub exit: i32,
    /// Whether gh wrote anything to stdout.
    pub has_output: bool,
    /// What gh wrote to stderr.
    pub stderr: &'a str,
}

/// The longest quotation of gh's own words, in characters.
const MAX_QUOTE: usize = 400;

/// Tells why `run` failed; `None` where it did not.
///
/// `clean` redacts gh's words before any of them is quoted.
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
            ErrorKind::Failed,
            first_words(&stderr)
                .unwrap_or_else(|| format!("gh exited with {code} and gave no reason")),
            "M-x cj/gh-tool-last-error shows the whole record.",
        ),
    })
}

/// Whether the exit code is an answer: the row of the command lists the code, and gh printed to stdout and nothing to stderr.
fn exit_is_data(run: &Run<'_>, code: i32) -> bool {
    let silent = run.stderr.trim().is_empty();
    let row = rows::leaf(run.command);
    run.has_output && silent && row.is_some_and(|row| row.data_exits.contains(&code))
}

/// The refusal for exit code 2: gh's own "cancelled", and the code of any Go program that panics or runs out of memory.
fn exit_two(run: &Run<'_>) -> Refusal {
    if let Some(what) = words::out_of_memory(run.stderr) {
        out_of_memory(what)
    } else if words::is_panic(run.stderr) {
        failure(
            ErrorKind::Failed,
            "gh crashed",
            "Try a newer gh; M-x cj/gh-tool-last-error shows the whole record.",
        )
    } else {
        failure(
            ErrorKind::Cancelled,
            "gh was cancelled",
            "There is nothing more to do.",
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
            format!("Something other than the API of {host} answered"),
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

/// The refusal for an answer of the host that broke off, refuses values or holds escape sequences.
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

/// gh's first line that is neither empty nor a warning, without gh's own prefixes, cut to [`MAX_QUOTE`].
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

/// gh's second line; below `HTTP 422: Validation Failed` it says which value is not valid.
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
