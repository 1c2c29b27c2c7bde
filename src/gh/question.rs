//! What a person is asked about a call of gh: the texts in it, what they replace, and what cannot be undone.
//!
//! Facts: the flags and fields of gh 2.92.0 and 2.103.3; what GitHub keeps, by its documentation ("Tracking changes in a comment",
//! "About notifications").

use super::api::method;
use super::catalog::{Arity, Catalog};
use super::effects::Names;
use super::parse::{Given, Named, Parsed, ValueAt, parse};
use super::pin::Reach;
use super::public::public;
use crate::gate::{Class, Outgoing, Question, Target};
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

/// A command that puts a text in the place of another.
struct Edit {
    command: &'static str,
    /// The read that gives what is there now.
    view: &'static [&'static str],
    /// Flags, and the fields that they replace.
    replaces: &'static [(&'static str, &'static str)],
    /// Whether the one positional is the repository itself.
    of_repository: bool,
}

const EDITS: &[Edit] = &[
    Edit {
        command: "pr edit",
        view: &["pr", "view"],
        replaces: &[("title", "title"), ("body", "body")],
        of_repository: false,
    },
    Edit {
        command: "issue edit",
        view: &["issue", "view"],
        replaces: &[("title", "title"), ("body", "body")],
        of_repository: false,
    },
    Edit {
        command: "release edit",
        view: &["release", "view"],
        replaces: &[("title", "name"), ("notes", "body")],
        of_repository: false,
    },
    Edit {
        command: "repo edit",
        view: &["repo", "view"],
        replaces: &[("description", "description")],
        of_repository: true,
    },
];

/// Flags with which a command replaces a text that no further read here finds.
const REPLACES_UNSEEN: &[&str] = &["edit-last"];

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
        "It can be moved back, but under another number and without labels that are not there.",
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
        "Those who watch are told, and a tag is made; deleting the release takes back neither.",
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
        "That is up to the endpoint; nothing is known here, so take it as final.",
    ),
];

const TOLD: &str = "Those who watch are told at once; deleting it later does not take that back.";
const EDITED: &str =
    "The former text stays in the edit history; whom it newly names is told at once.";
const OPPOSITE: &str = "The opposite command takes it back, but those who watch have been told.";
const REPLACED: &str = "What was there before is kept nowhere.";
const UNKNOWN: &str = "What it does is not known; take it as final.";
const UNDECIDED: &str = "Nothing is known here about undoing it; take it as final.";

/// What a person is asked about `argv`, which was judged to be of `class`, goes to `target` and concerns `reach` of it.
pub fn question(
    class: Class,
    command: &str,
    argv: &[String],
    target: &Target,
    reach: Reach,
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
        .extend(concerns(reach, target).map(|text| ("Reach", text)));
    if let Named::Command(call) = parse(Catalog::get(), argv) {
        question.rows.extend(also(&call).map(|text| ("Also", text)));
        question.no_lease = no_lease(&call);
        question
            .rows
            .extend(public(&call).map(|text| ("Public", text.to_owned())));
        question.texts = if command == "api" {
            fields(&call)
        } else {
            texts(&call)
        };
        if question.texts.iter().any(|text| text.field.is_some()) {
            question.before = before(&call, target);
        }
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
    ("api", "`gh api' can do anything there"),
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
    let edit = EDITS.iter().find(|edit| edit.command == call.leaf.path);
    let unseen = REPLACES_UNSEEN.iter().any(|flag| call.is_on(flag));
    let mut out = Vec::new();
    for (flag, label) in TEXTS {
        let Some(text) = call.value(flag) else {
            continue;
        };
        let row = edit.and_then(|edit| edit.replaces.iter().find(|(name, _)| name == flag));
        out.push(Outgoing {
            label: (*label).to_owned(),
            text: neutral(text),
            replaces: row.is_some() || unseen,
            field: row.map(|(_, field)| *field),
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

/// The read that gives what is there now; none where the call names several things, or none that could be asked for.
fn before(call: &Parsed, target: &Target) -> Option<Vec<String>> {
    let [only] = &call.positionals[..] else {
        return None;
    };
    if only.text.starts_with('-') || only.text.is_empty() {
        return None;
    }
    let mut argv: Vec<String> = Vec::new();
    if call.leaf.path == "api" {
        if only.text.contains(['{', '?']) {
            return None;
        }
        argv.extend(["api".into(), only.text.clone()]);
        return Some(argv);
    }
    let edit = EDITS.iter().find(|edit| edit.command == call.leaf.path)?;
    argv.extend(edit.view.iter().map(|word| (*word).to_owned()));
    argv.push(only.text.clone());
    if !edit.of_repository {
        argv.push("--repo".into());
        argv.push(format!(
            "{}/{}/{}",
            target.host,
            target.owner.as_ref()?,
            target.repo.as_ref()?
        ));
    }
    let fields: Vec<&str> = edit.replaces.iter().map(|(_, field)| *field).collect();
    argv.extend(["--json".into(), fields.join(",")]);
    Some(argv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Source;
    use crate::gh::classify::classify;

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
        )
    }

    fn check(words: &[&str], texts: &[(&str, &str, bool)], before: Option<&[&str]>) {
        let got = asked(words);
        let shown: Vec<(&str, &str, bool)> = got
            .texts
            .iter()
            .map(|t| (t.label.as_str(), t.text.as_str(), t.replaces))
            .collect();
        assert_eq!(shown, texts, "{words:?}");
        assert_eq!(
            got.before,
            before.map(|words| words.iter().map(|w| (*w).to_owned()).collect()),
            "{words:?}"
        );
    }

    #[test]
    fn each_text_is_shown_whole_and_its_invisible_characters_are_seen() {
        let body = "one\n\u{202e}two\u{1b}[m\n\nend";
        let seen = "one\n<U+202E>two^[[m\n\nend";
        for flag in [vec!["--body", body], vec!["-b", body]] {
            let mut words = vec!["issue", "comment", "1"];
            words.extend(flag);
            check(&words, &[("Body", seen, false)], None);
        }
        check(
            &["pr", "create", "--title=a b", "-bc"],
            &[("Title", "a b", false), ("Body", "c", false)],
            None,
        );
        check(&["pr", "merge", "1", "--squash"], &[], None);
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
            None,
        );
    }

    #[test]
    fn an_edit_is_held_against_what_is_there_by_a_read_of_the_same_thing() {
        check(
            &["pr", "edit", "7", "--body", "new", "-R", "o/r"],
            &[("Body", "new", true)],
            Some(&[
                "pr",
                "view",
                "7",
                "--repo",
                "ghe.example.com/o/r",
                "--json",
                "title,body",
            ]),
        );
        check(
            &["release", "edit", "v1", "-n", "new"],
            &[("Notes", "new", true)],
            Some(&[
                "release",
                "view",
                "v1",
                "--repo",
                "ghe.example.com/o/r",
                "--json",
                "name,body",
            ]),
        );
        check(
            &["repo", "edit", "o/r", "--description", "d"],
            &[("Description", "d", true)],
            Some(&["repo", "view", "o/r", "--json", "description"]),
        );
        check(
            &["api", "-X", "PATCH", "repos/o/r/issues/1", "-f", "body=new"],
            &[("Field body", "new", true)],
            Some(&["api", "repos/o/r/issues/1"]),
        );
        // Two at once, and one that no read here finds.
        check(
            &["issue", "edit", "1", "2", "--body", "new"],
            &[("Body", "new", true)],
            None,
        );
        check(
            &["issue", "comment", "1", "--edit-last", "--body", "new"],
            &[("Body", "new", true)],
            None,
        );
    }

    #[test]
    fn the_read_that_shows_what_is_there_is_judged_a_read() {
        for words in [
            &["pr", "edit", "7", "--body", "x"][..],
            &["issue", "edit", "7", "--title", "x"],
            &["release", "edit", "v1", "--notes", "x"],
            &["repo", "edit", "o/r", "--description", "x"],
            &["api", "-XPATCH", "repos/o/r/issues/1", "-fbody=x"],
        ] {
            let argv = asked(words).before.expect("it is an edit");
            assert_eq!(classify(&argv).class, Class::Read, "{argv:?}");
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
