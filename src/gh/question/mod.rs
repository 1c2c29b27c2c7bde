//! What a person is asked about a call of gh: the texts in it, what they replace, and what cannot be undone.
//!
//! Facts: the flags and fields of gh 2.92.0 and 2.103.3; what GitHub keeps, by its documentation ("Tracking changes in a comment",
//! "About notifications").

mod public;
pub mod sentence;
pub mod subject;

use std::sync::Arc;

use self::public::public;
use self::sentence::Sentence;
use self::subject::{Brief, Concern};
use super::catalog::{Arity, Catalog};
use super::judge::api::method;
use super::judge::effects::Names;
use super::parse::{Given, Named, Parsed, ValueAt, parse};
use super::place::pin::Reach;
use crate::gate::call::question::Fact;
use crate::gate::{Class, Cleaner, Look, Outgoing, Question, Target};
use crate::redact::neutral::neutral;

/// Flags whose value others will read, and what it is called.
const TEXTS: &[(&str, &str)] = &[
    ("title", "Title"),
    ("subject", "Subject"),
    ("body", "Body"),
    ("notes", "Notes"),
    ("comment", "Comment"),
    ("description", "Description"),
    ("readme", "Readme"),
];

/// Fields of `gh api` that others will read; one of several lines is shown too, whatever its name.
const FIELDS: &[&str] = &[
    "body",
    "title",
    "name",
    "description",
    "message",
    "commit_title",
    "commit_message",
    "content",
    "query",
];

/// Commands that put a text in the place of another: flags, and the names that [`Seen::texts`](crate::gate::Seen) has for what they replace.
const EDITS: &[(&str, &[(&str, &str)])] = &[
    ("pr edit", &[("title", "title"), ("body", "body")]),
    ("issue edit", &[("title", "title"), ("body", "body")]),
    ("release edit", &[("title", "name"), ("notes", "body")]),
    ("repo edit", &[("description", "description")]),
];

/// A flag with which a command replaces the last comment of the account, and the name that [`Seen::texts`](crate::gate::Seen) has for that.
const EDITS_LAST: (&str, &str) = ("edit-last", "comment");

/// What cannot be undone, by command and what lies below it; the first row that fits counts.
const UNDO: &[(&str, &str)] = &[
    (
        "pr merge",
        "The merge stays in the branch's history; a further commit can only take back its effect.",
    ),
    ("pr edit", EDITED),
    ("issue edit", EDITED),
    (
        "issue transfer",
        "It can be moved back, but it gets another number, and loses labels that the other repository lacks.",
    ),
    ("issue create", TOLD),
    ("issue comment", TOLD),
    ("pr create", TOLD),
    ("pr comment", TOLD),
    ("pr review", TOLD),
    ("pr revert", TOLD),
    ("issue", OPPOSITE),
    ("pr", OPPOSITE),
    (
        "release create",
        "Watchers are notified, and a tag is made; deleting the release takes back neither.",
    ),
    ("release edit", REPLACED),
    ("repo edit", REPLACED),
    (
        "repo rename",
        "The old name leads here only until somebody else takes it.",
    ),
    ("label edit", REPLACED),
    ("project item-edit", REPLACED),
    ("project edit", REPLACED),
    ("secret set", "The value that was there before is gone."),
    ("variable set", "The value that was there before is gone."),
    (
        "workflow run",
        "What the run does, a deployment for example, stays done; only the run can be cancelled.",
    ),
    (
        "run rerun",
        "What the run does, a deployment for example, stays done; only the run can be cancelled.",
    ),
    (
        "run cancel",
        "The work of the run so far is lost; it can be run again.",
    ),
    ("workflow", "It can be taken back by the opposite command."),
    (
        "api",
        "Whether this endpoint's change can be undone is not known here; assume that it is final.",
    ),
];

const TOLD: &str = "Watchers are notified at once; deleting it later does not take that back.";
const EDITED: &str =
    "The former text stays in the edit history; people newly mentioned are notified at once.";
const OPPOSITE: &str = "The opposite command takes it back, but watchers will have been notified.";
const REPLACED: &str = "What was there before is not kept anywhere.";
const UNKNOWN: &str = "What it does is not known; assume that it is final.";
const UNDECIDED: &str = "Whether it can be undone is not known here; assume that it is final.";

/// What cannot be undone of a call with a flag, where that is something else than without it; the first row that fits counts.
///
/// Facts: GitHub's documentation ("Managing releases in a repository": a draft has no tag, and nobody is told; "Dismissing a pull request
/// review"; "Deleting and restoring branches in a pull request").
const UNDO_BY_FLAG: &[(&str, &str, &str)] = &[
    (
        "release create",
        "draft",
        "Only people who may write here see a draft; it can be deleted, and no tag is made before it is published.",
    ),
    (
        "pr merge",
        "delete-branch",
        "The merge stays in the branch's history; a further commit can only take back its effect. The deleted branch can be restored from the pull request.",
    ),
    (
        "pr review",
        "approve",
        "An approval can be dismissed, but watchers are notified at once.",
    ),
    (
        "pr review",
        "request-changes",
        "The review can be dismissed, but watchers are notified at once.",
    ),
];

/// What cannot be undone of `call` because of a flag that it has.
fn undo_by_flag(command: &str, call: &Parsed) -> Option<&'static str> {
    UNDO_BY_FLAG
        .iter()
        .find(|(of, flag, _)| *of == command && call.is_on(flag))
        .map(|(_, _, sentence)| *sentence)
}

/// What a person is asked about `argv`, which was judged to be of `class`, goes to `target` and concerns `reach` of it. `clean` cleans what is shown of it.
pub fn question(
    class: Class,
    command: &str,
    argv: &[String],
    target: &Target,
    reach: Reach,
    clean: &Cleaner,
) -> Question {
    let undo = UNDO.iter().find(|(row, _)| {
        command
            .strip_prefix(row)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    let mut question = Question {
        undo: match (class, undo) {
            (Class::Read, _) => "Nothing is changed.".into(),
            (Class::Unknown, _) => UNKNOWN.into(),
            (_, Some((_, sentence))) => (*sentence).into(),
            (_, None) => UNDECIDED.into(),
        },
        ..Question::default()
    };
    if matches!(class, Class::Read) {
        return question;
    }
    question
        .rows
        .extend(concerns(reach, target).map(|text| Fact::plain("Reach", text)));
    if let Named::Command(call) = parse(Catalog::get(), argv) {
        if let Some(undo) = undo_by_flag(command, &call).filter(|_| class == Class::Write) {
            question.undo = undo.into();
        }
        (question.rows).extend(also(&call).map(|text| Fact::plain("Also", text)));
        question.no_lease = no_lease(&call);
        question.rows.extend(public(&call).map(|(text, tone)| Fact {
            label: "Audience",
            text: text.to_owned(),
            tone,
        }));
        question.texts = if command == "api" {
            fields(&call)
        } else {
            texts(&call)
        };
        let concern = Concern::of(&call, target);
        let sentence = Sentence::new(&call, class, &concern.subject, target, clean);
        question.sentence = sentence.with(None, None, None);
        let replaced = question.texts.iter().filter_map(|text| text.field);
        let replaced = replaced.collect();
        let look = Brief::new(&call, class, target, &concern, &sentence, replaced, clean);
        question.look = look.map(|look| Arc::new(look) as Arc<dyn Look>);
    }
    question
}

/// What the call concerns where its target alone does not say so.
fn concerns(reach: Reach, target: &Target) -> Option<String> {
    let owner = target.owner.as_deref();
    match reach {
        Reach::Target => None,
        Reach::Organization => Some(format!(
            "The organization {} as a whole, and no one repository.",
            owner.unwrap_or("that the arguments name")
        )),
        Reach::Owner => Some(format!(
            "What belongs to {}, and no one repository.",
            owner.unwrap_or("the owner that the arguments name")
        )),
        Reach::User => Some(format!(
            "The account {} itself, and no one repository.",
            owner.unwrap_or("whose token is used")
        )),
        Reach::Untold => Some(
            "The arguments do not tell which repository or organization it touches; only the host knows.".to_owned(),
        ),
    }
}

/// Fields of `gh api` that name an owner besides that of the path (forks, `generate`, transfers).
const OTHER_OWNER: &[&str] = &["organization", "owner", "new_owner"];

/// What else the call names besides its target: second repositories, issues and owners, each with where it is said.
fn also(call: &Parsed) -> Option<String> {
    let mut named = Vec::new();
    for (place, names, value) in call.values() {
        let second = match place {
            ValueAt::Flag("repo" | "hostname") => false,
            ValueAt::Flag("head") => value.contains(':'),
            ValueAt::Flag("target-owner" | "source-owner") => true,
            ValueAt::Flag("org") => call.leaf.path == "repo fork",
            ValueAt::Flag("field" | "raw-field") if call.leaf.path == "api" => {
                let key = value.split('=').next().unwrap_or_default();
                OTHER_OWNER.contains(&key)
            }
            ValueAt::Flag(_) => matches!(names, Names::Repository | Names::Item),
            ValueAt::Positional => names == Names::Repository && call.leaf.takes_repo(),
        };
        if second {
            let at = match place {
                ValueAt::Flag(name) => format!(" (--{name})"),
                ValueAt::Positional => String::new(),
            };
            named.push(format!("{}{at}", neutral(&value.replace('\n', "^J"))));
        }
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// Commands that one lease would let do too much, and why.
const NO_LEASE: &[(&str, &str)] = &[
    (
        "agent-task create",
        "it starts an agent, which goes on by itself",
    ),
    ("api", "“gh api” can do anything there"),
    ("gist edit", "it publishes to everyone"),
    ("gist rename", "it publishes to everyone"),
    (
        "issue develop",
        "it makes a branch, which others may then fill",
    ),
    ("issue transfer", "it reaches into another repository"),
    ("label clone", "it reads a second repository"),
    ("release create", "it publishes to everyone"),
    ("release edit", "it publishes to everyone"),
    ("repo archive", "it concerns the repository as a whole"),
    ("repo create", "it makes a repository"),
    ("repo edit", "it concerns the repository as a whole"),
    ("repo fork", "it makes a repository"),
    ("repo rename", "it concerns the repository as a whole"),
    ("repo unarchive", "it concerns the repository as a whole"),
];

/// Why no lease may cover the call: its command, or a flag that is given and not off.
fn no_lease(call: &Parsed) -> Option<&'static str> {
    let command = NO_LEASE.iter().find(|(path, _)| *path == call.leaf.path);
    let given = |given: &&Given| given.flag.arity != Arity::Nothing || given.on() != Some(false);
    let mut flags = call.flags.iter().filter(given);
    let flag = || flags.find_map(|given| given.flag.row?.no_lease);
    let fork = call.value("head").is_some_and(|head| head.contains(':'));
    command
        .map(|(_, why)| *why)
        .or_else(flag)
        .or(fork.then_some("it takes a branch of another repository"))
}

fn texts(call: &Parsed) -> Vec<Outgoing> {
    let edit = EDITS.iter().find(|(command, _)| *command == call.leaf.path);
    let last = call.is_on(EDITS_LAST.0).then_some(EDITS_LAST.1);
    let mut out = Vec::new();
    for (flag, label) in TEXTS {
        let Some(text) = call.value(flag) else {
            continue;
        };
        let row = edit.and_then(|(_, replaces)| replaces.iter().find(|(name, _)| name == flag));
        out.push(Outgoing {
            label: (*label).to_owned(),
            text: neutral(text),
            replaces: row.is_some() || last.is_some(),
            field: row.map(|(_, field)| *field).or(last),
        });
    }
    out
}

fn fields(call: &Parsed) -> Vec<Outgoing> {
    let patches = matches!(method(call).as_str(), "PATCH" | "PUT");
    let mut out = Vec::new();
    for given in &call.flags {
        if !matches!(given.flag.name.as_str(), "field" | "raw-field") {
            continue;
        }
        let Some((key, text)) = given.value.as_deref().and_then(|v| v.split_once('=')) else {
            continue;
        };
        let known = FIELDS.iter().find(|name| **name == key);
        if known.is_none() && !text.contains('\n') {
            continue;
        }
        out.push(Outgoing {
            label: neutral(&format!("Field {}", key.replace('\n', "^J"))),
            text: neutral(text),
            replaces: patches,
            field: known.copied().filter(|_| patches),
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Source;
    use crate::gh::judge::classify::classify;

    fn asked(words: &[&str]) -> Question {
        let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let verdict = classify(&argv);
        let target = Target {
            host: "ghe.example.com".into(),
            owner: Some("o".into()),
            repo: Some("r".into()),
            account: None,
            source: Source::ExplicitRepo,
        };
        question(
            verdict.class,
            &verdict.command,
            &argv,
            &target,
            Reach::Target,
            &Cleaner::holding(&[]),
        )
    }

    fn check(words: &[&str], texts: &[(&str, &str, bool)], fields: &[&str]) {
        let got = asked(words);
        let shown: Vec<(&str, &str, bool)> = got
            .texts
            .iter()
            .map(|t| (t.label.as_str(), t.text.as_str(), t.replaces))
            .collect();
        assert_eq!(shown, texts, "{words:?}");
        let known: Vec<&str> = got.texts.iter().filter_map(|text| text.field).collect();
        assert_eq!(known, fields, "{words:?}");
    }

    #[test]
    fn what_cannot_be_undone_is_that_of_the_flags() {
        for (words, undo) in [
            (
                &["release", "create", "v1"][..],
                "Watchers are notified, and a tag is made",
            ),
            (
                &["release", "create", "v1", "--draft"],
                "Only people who may write here see a draft",
            ),
            (
                &["release", "create", "v1", "--draft=false"],
                "Watchers are notified",
            ),
            (
                &["pr", "merge", "1", "-sd"],
                "The deleted branch can be restored",
            ),
            (&["pr", "review", "1", "-a"], "An approval can be dismissed"),
            (&["pr", "review", "1", "-c", "-b", "x"], "deleting it later"),
        ] {
            let got = asked(words).undo;
            assert!(got.contains(undo), "{words:?}: {got}");
        }
    }

    #[test]
    fn each_text_is_shown_whole_and_its_invisible_characters_are_seen() {
        let body = "one\n\u{202e}two\u{1b}[m\n\nend";
        let seen = "one\n<U+202E>two^[[m\n\nend";
        for flag in [vec!["--body", body], vec!["-b", body]] {
            let mut words = vec!["issue", "comment", "1"];
            words.extend(flag);
            check(&words, &[("Body", seen, false)], &[]);
        }
        check(
            &["pr", "create", "--title=a b", "-bc"],
            &[("Title", "a b", false), ("Body", "c", false)],
            &[],
        );
        check(&["pr", "merge", "1", "--squash"], &[], &[]);
        check(
            &[
                "api",
                "repos/o/r/issues",
                "-f",
                "title=t",
                "-f",
                "labels[]=x",
                "-F",
                "extra=a\nb",
            ],
            &[("Field title", "t", false), ("Field extra", "a\nb", false)],
            &[],
        );
    }

    #[test]
    fn an_edit_says_which_text_it_replaces_where_a_read_finds_that() {
        check(
            &["pr", "edit", "7", "--body", "new", "-R", "o/r"],
            &[("Body", "new", true)],
            &["body"],
        );
        check(
            &["release", "edit", "v1", "-n", "new"],
            &[("Notes", "new", true)],
            &["body"],
        );
        check(
            &["repo", "edit", "o/r", "--description", "d"],
            &[("Description", "d", true)],
            &["description"],
        );
        check(
            &["api", "-X", "PATCH", "repos/o/r/issues/1", "-f", "body=new"],
            &[("Field body", "new", true)],
            &["body"],
        );
        check(
            &["issue", "comment", "1", "--edit-last", "--body", "new"],
            &[("Body", "new", true)],
            &["comment"],
        );
    }

    #[test]
    fn what_is_read_before_a_question_is_judged_a_read() {
        for words in [
            &["pr", "edit", "7", "--body", "x"][..],
            &["pr", "merge", "7"],
            &["pr", "merge", "zoe:topic"],
            &[
                "pr", "create", "--head", "a", "--base", "b", "-t", "x", "-b", "y",
            ],
            &["issue", "edit", "7", "8", "--title", "x"],
            &["issue", "comment", "7", "-b", "x"],
            &["issue", "transfer", "7", "o/other"],
            &["release", "create", "v1", "--target", "dev", "--notes", "x"],
            &["repo", "edit", "o/r", "--description", "x"],
            &["run", "cancel", "1"],
            &["workflow", "run", "Deploy it", "--ref", "x"],
            &["secret", "set", "A", "-b", "x", "--env", "prod"],
            &["variable", "set", "A", "-b", "x", "--org", "acme"],
            &["gist", "rename", "abc", "a", "b"],
            &["project", "close", "1", "--owner", "acme"],
            &["codespace", "stop", "-c", "fluffy"],
            &["discussion", "comment", "3", "-b", "x"],
            &["api", "-XPATCH", "repos/o/r/issues/1", "-fbody=x"],
            &["api", "-XPUT", "repos/o/r/contents/a", "-fmessage=x"],
            &[
                "api",
                "graphql",
                "-f",
                "query=mutation($i:ID!){closeIssue(input:{issueId:$i}){clientMutationId}}",
                "-f",
                "i=I_x",
            ],
        ] {
            let reads = asked(words).look.expect("it can be looked at").reads();
            assert!((1..=2).contains(&reads.len()), "{words:?}: {reads:?}");
            for read in reads {
                assert_eq!(classify(&read).class, Class::Read, "{read:?}");
            }
        }
    }

    #[test]
    fn no_command_that_may_be_asked_about_lacks_a_word_on_undoing_it() {
        for words in [
            &["pr", "merge", "1"][..],
            &["gist", "rename", "1", "a", "b"],
            &["frobnicate"],
        ] {
            let undo = asked(words).undo;
            assert!(undo.ends_with('.') && undo.len() < 100, "{undo}");
        }
        assert_eq!(asked(&["frobnicate"]).undo, UNKNOWN);
        assert_eq!(asked(&["pr", "comment", "1", "-b", "x"]).undo, TOLD);
        assert_eq!(asked(&["pr", "close", "1"]).undo, OPPOSITE);
        assert!(asked(&["api", "-XPOST", "x"]).no_lease.is_some());
    }
}
