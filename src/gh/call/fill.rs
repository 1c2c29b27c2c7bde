//! The texts of a new pull request that gh would take from commits: `pr create --fill`, `--fill-first` and `--fill-verbose`.
//!
//! gh would publish the messages of the branch's commits, which no person has seen.  So the messages are read with the git facts, made into
//! a title and a body as gh makes them, and written into the call as `--title`, `--body` and `--base`: a person sees the texts whole, the
//! redactor reads them, and gh publishes these texts and no others.  Where the texts cannot be known beforehand, the call is refused.
//! Facts: gh 2.92.0 and 2.103.3; test/rust/gh/fill.rs holds each form against what the real gh sends.

use super::request::{Request, Settings, hosts, logins, normalize};
use crate::gate::{ErrorKind, Refusal, Target};
use crate::gh::catalog::Catalog;
use crate::gh::child::facts::CommitRange;
use crate::gh::parse::{Named, Parsed, parse};
use crate::gh::place::context::{
    Commit, GitConfig, GitFacts, Hosts, Lack, Range, is_branch, remote_of,
};
use crate::gh::place::pin::{AsArguments, pin};

crate::foreign::debug_by_name!(Filled);

/// The command that takes its texts from commits.
const COMMAND: &str = "pr create";

/// The flags that make gh take the texts from commits, and how each makes a body out of several commits.
const FILLS: &[(&str, Form)] = &[
    ("fill", Form::Titles),
    ("fill-first", Form::First),
    ("fill-verbose", Form::Whole),
];

/// How the title and the body are made from several commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The branch's name as title, and a list of the commits' titles as body.
    Titles,
    /// The oldest commit's title and body.
    First,
    /// As `Titles`, with each commit's body below its title.
    Whole,
}

/// The longest title or body that is sent, in bytes: GitHub takes no longer body of a pull request.
const MAX_TEXT: usize = 65_536;

/// Tells which commits the call of `request` takes its texts from, for [`collect`](crate::gh::child::facts::collect); `None` where it takes none.
pub fn commit_range(request: Request, settings: Settings) -> Option<CommitRange> {
    let argv = normalize(request.argv.reveal()).ok()?;
    let given = parse_create(&argv)?;
    let _form = form(&given)?;
    Some(Box::new(move |facts| {
        let hosts = hosts(&settings, &logins(&settings.environment).ok()?);
        let wanted = AsArguments {
            hostname: request.hostname.as_deref(),
            repo: request.repo.as_deref(),
            facts: Some(facts),
            remote_cwd: None,
        };
        // A call that pinning refuses does not run, so no commits are read for it.
        let pinned = pin(Some(&given), &argv, wanted, &hosts).ok()?;
        let call = parse_create(&pinned.argv)?;
        range(&given, &call, facts, &pinned.target, &hosts).ok()
    }))
}

/// A call with its title and body written into it.
pub(in crate::gh) struct Filled {
    /// The argv.
    pub argv: Vec<String>,
    /// The row of the question that says where the texts come from: its label and its text.
    pub row: Option<(&'static str, String)>,
}

/// Writes the texts that gh would take from commits into `argv`, which is pinned to `target`; `given` is the call before it was pinned.
///
/// # Errors
/// `bad-argument` where the texts cannot be known beforehand.
pub(in crate::gh) fn fill(
    given: Option<&Parsed>,
    argv: Vec<String>,
    facts: Option<&GitFacts>,
    target: &Target,
    hosts: &Hosts,
) -> Result<Filled, Refusal> {
    let (Some(given), Some(call)) = (given, parse_create(&argv)) else {
        return Ok(Filled { argv, row: None });
    };
    let form = form(&call).transpose()?;
    let has_texts = call.flag("title").is_some() && call.flag("body").is_some();
    let mut argv = match form {
        Some(_) => without_fill(&argv, &call)?,
        None => argv,
    };
    let Some(form) = form.filter(|_| !has_texts) else {
        if let Some(base) = facts.and_then(|facts| noted_base(&call, facts)) {
            argv = set_flag(argv, "base", &base);
        }
        return Ok(Filled { argv, row: None });
    };
    let facts = facts.ok_or_else(|| unseen("the checkout was not asked"))?;
    let range = range(given, &call, facts, target, hosts)?;
    let commits = facts.commits.as_ref().filter(|read| read.range == range);
    let commits = commits.ok_or_else(|| unseen("the commits were not read for this call"))?;
    let list = commits.list().map_err(|lack| lack_refusal(lack, &range))?;
    let base = commits.base.as_deref().unwrap_or_default();
    if list.is_empty() {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "The branch {} has no commit that {base} lacks, so there is nothing to take title and body from.\nCommit first, name another --base, or give --title and --body.",
                range.local
            ),
        ));
    }
    let head = head_branch(&call).unwrap_or_default();
    let (title, body) = texts(&list, head, form);
    if title.len().max(body.len()) > MAX_TEXT {
        return Err(lack_refusal(Lack::Long, &range));
    }
    for (name, value) in [("base", base), ("title", &title), ("body", &body)] {
        if call.flag(name).is_none() || name == "base" {
            argv = set_flag(argv, name, value);
        }
    }
    let count = if list.len() == 1 {
        "1 commit".to_owned()
    } else {
        format!("{} commits", list.len())
    };
    let remote = range.remote.as_ref();
    let row = format!(
        "from {count} of {} that {}{base} lacks",
        range.local,
        remote.map_or_else(String::new, |remote| format!("{remote}/")),
    );
    Ok(Filled {
        argv,
        row: Some(("Texts", crate::redact::neutral::neutral(&row))),
    })
}

/// The refusal of a call whose texts cannot be made because of `lack`.
fn lack_refusal(lack: Lack, range: &Range) -> Refusal {
    match lack {
        Lack::Base => Refusal::new(
            ErrorKind::BadArgument,
            "The branch that the pull request is to go into is not known here, so the commits whose messages would be published cannot be told.\nGive --base BRANCH, or --title and --body.",
        ),
        Lack::List => unseen(&format!(
            "git cannot list the commits of the checkout's branch {} that the base lacks",
            range.local
        )),
        Lack::Long => unseen("they are longer than the text of a pull request may be"),
    }
}

/// The refusal of a call whose texts no person could see before gh publishes them.
fn unseen(why: &str) -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        format!(
            "With --fill the messages of commits would be published unseen: {why}.\nGive --title and --body."
        ),
    )
}

/// `argv` parsed, if it is a call of `pr create`.
fn parse_create(argv: &[String]) -> Option<Parsed> {
    match parse(Catalog::get(), argv) {
        Named::Command(call) if call.leaf.path == COMMAND && !call.help => Some(*call),
        _ => None,
    }
}

/// How gh makes the texts of `call`; `None` where no flag asks for it, an error where two do, which gh would refuse.
fn form(call: &Parsed) -> Option<Result<Form, Refusal>> {
    let on: Vec<&(&str, Form)> = FILLS.iter().filter(|(name, _)| call.is_on(name)).collect();
    match on[..] {
        [] => None,
        [(_, form)] => Some(Ok(*form)),
        [(one, _), (other, _), ..] => Some(Err(Refusal::new(
            ErrorKind::BadArgument,
            format!("gh does not take --{one} and --{other} in one call.\nGive one of them only."),
        ))),
    }
}

/// `argv`, a call of `pr create`, with the flag `name` set to `value`.
fn set_flag(argv: Vec<String>, name: &str, value: &str) -> Vec<String> {
    match parse_create(&argv) {
        Some(call) => call.with_flag(&argv, name, value),
        None => argv,
    }
}

/// `argv` without the flags in [`FILLS`], and without `--template`, which gh ignores beside them.
fn without_fill(argv: &[String], call: &Parsed) -> Result<Vec<String>, Refusal> {
    let gone = |name: &str| name == "template" || FILLS.iter().any(|(fill, _)| *fill == name);
    let mut keep = vec![true; argv.len()];
    for given in call.flags.iter().filter(|given| gone(&given.flag.name)) {
        if given.clustered {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The flag --{} stands in one word with others.\nWrite it as a word of its own.",
                    given.flag.name
                ),
            ));
        }
        for at in given.at.clone() {
            keep[at] = false;
        }
    }
    let mut keep = keep.into_iter();
    let kept = argv.iter().filter(|_| keep.next().unwrap_or(true));
    Ok(kept.cloned().collect())
}

/// The commits that the texts of `call`, which is pinned to `target`, are taken from.
fn range(
    given: &Parsed,
    call: &Parsed,
    facts: &GitFacts,
    target: &Target,
    hosts: &Hosts,
) -> Result<Range, Refusal> {
    // Where the caller named no head, pinning added one: the branch's name at its remote, which can differ from the local name that git needs.
    let local = match given.flag("head") {
        Some(_) => head_branch(call),
        None => facts.branch.as_deref(),
    };
    let named = call.value("base").filter(|base| !base.is_empty());
    let base = named.map(str::to_owned).or_else(|| noted_base(call, facts));
    let remote = remote_of(facts, target, hosts);
    let parts = [local, base.as_deref(), remote.as_deref()];
    if parts.into_iter().flatten().any(|name| !is_branch(name)) {
        return Err(unseen(
            "a branch or remote has a name that git could misread",
        ));
    }
    let local = local.ok_or_else(|| unseen("the checkout is on no branch"))?;
    Ok(Range {
        local: local.to_owned(),
        remote,
        base,
    })
}

/// The branch in `--head`, without the owner before it: `fix` in `--head octocat:fix`.
fn head_branch(call: &Parsed) -> Option<&str> {
    let head = call.value("head")?;
    Some(head.split_once(':').map_or(head, |(_, branch)| branch))
}

/// The base branch that the checkout's configuration notes (`branch.NAME.gh-merge-base`); `None` where the call itself names one.
fn noted_base(call: &Parsed, facts: &GitFacts) -> Option<String> {
    if call.value("base").is_some_and(|base| !base.is_empty()) {
        return None;
    }
    let config = GitConfig::parse(facts.config.reveal());
    let base = config.branch_value(head_branch(call)?, "gh-merge-base")?;
    is_branch(base).then(|| base.to_owned())
}

/// Title and body as `gh pr create --fill` makes them from `commits`, newest first and not empty, for the branch `head`.
///
/// # Errors
/// `bad-argument` where they are longer than GitHub takes.
pub(in crate::gh) fn filled_texts(
    commits: &[Commit],
    head: &str,
) -> Result<(String, String), Refusal> {
    let (title, body) = texts(commits, head, Form::Titles);
    if title.len().max(body.len()) > MAX_TEXT {
        return Err(unseen(
            "they are longer than the text of a pull request may be",
        ));
    }
    Ok((title, body))
}

/// Title and body as gh makes them from `commits`, newest first, for the branch `head`.
fn texts(commits: &[Commit], head: &str, form: Form) -> (String, String) {
    let oldest = commits.last().expect("an empty list was refused");
    if commits.len() == 1 || form == Form::First {
        return (oldest.title.clone(), oldest.body.clone());
    }
    let mut body = String::new();
    for (left, commit) in commits.iter().enumerate().rev() {
        body.push_str("- **");
        body.push_str(&commit.title);
        body.push_str("**\n");
        if form == Form::Whole {
            let lines: Vec<String> = commit
                .body
                .split('\n')
                .map(|line| format!("  {line}"))
                .collect();
            body.push_str(&lines.join("\n"));
            if left > 0 {
                body.push_str("\n\n");
            }
        }
    }
    (head.replace(['_', '-'], " "), body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(commits: &[(&str, &str)], form: Form, expect: (&str, &str)) {
        let commits: Vec<Commit> = commits
            .iter()
            .map(|(title, body)| Commit {
                title: (*title).to_owned(),
                body: (*body).to_owned(),
            })
            .collect();
        let got = texts(&commits, "fix_the-table", form);
        assert_eq!((got.0.as_str(), got.1.as_str()), expect);
    }

    /// The texts are those that gh 2.92.0 and 2.103.3 sent; test/rust/gh/fill.rs asks both programs.
    #[test]
    fn texts_are_made_of_commits_as_gh_makes_them() {
        let one = [("Keep rows", "They were cut.\n")];
        for form in [Form::Titles, Form::First, Form::Whole] {
            check(&one, form, ("Keep rows", "They were cut.\n"));
        }
        let two = [("Second", "a\n\n  b\n"), ("First", "")];
        check(&two, Form::First, ("First", ""));
        check(
            &two,
            Form::Titles,
            ("fix the table", "- **First**\n- **Second**\n"),
        );
        check(
            &two,
            Form::Whole,
            (
                "fix the table",
                "- **First**\n  \n\n- **Second**\n  a\n  \n    b\n  ",
            ),
        );
    }

    #[test]
    fn a_name_that_git_could_misread_is_no_branch() {
        for name in [
            "", "-x", "a..b", "a...b", "a b", "a^", "a~1", "a:b", "@{u}", "a\nb", "a*", "a\\b",
        ] {
            assert!(!is_branch(name), "{name:?}");
        }
        assert!(is_branch("feature/x_y-1.2"));
    }
}
