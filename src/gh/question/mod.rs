//! What a person is asked about a call of gh: a sentence on what the call will do, the texts that it sends and replaces, and what
//! cannot be undone.
//!
//! The facts about a command stand in its row ([`rows`]); this folder adds what follows from the arguments.

mod concern;
mod look;
mod public;
pub mod sentence;

use std::sync::Arc;

use self::concern::Concern;
use self::look::SubjectLook;
use self::public::public;
use self::sentence::Sentence;
use super::catalog::{Arity, Catalog};
use super::judge::api::method;
use super::judge::approval::{Approval, approval};
use super::parse::{GivenFlag, Named, Parsed, ValueAt, parse};
use super::place::pin::Reach;
use super::rows::{self, Names, TEXTS};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Class, Cleaner, Look, Outgoing, Question, Target};
use crate::redact::neutral::neutral;

/// Fields of `gh api` whose values a person is shown, since other people will read them. A value of several lines is shown whatever
/// its field.
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

/// The flag with which a command replaces the account's last comment, and the name of that comment in
/// [`Seen::texts`](crate::gate::Seen).
const EDITS_LAST: (&str, &str) = ("edit-last", "comment");

const UNKNOWN: &str = "What it does is not known; assume that it is final.";
const UNDECIDED: &str = "Whether it can be undone is not known here; assume that it is final.";

/// What a person is asked about the call `argv` of `command`, which is of `class`, goes to `target` and concerns `reach`; `clean`
/// cleans the parts of the call that are shown.
pub fn question(
    class: Class,
    command: &str,
    argv: &[String],
    target: &Target,
    reach: Reach,
    clean: &Cleaner,
) -> Question {
    let call = match parse(Catalog::get(), argv) {
        Named::Command(call) => Some(call),
        Named::Unknown { .. } => None,
    };
    let approval = call.as_deref().and_then(approval);
    // A read that could approve, because nobody can tell how GitHub reads it, is asked about as a call of which little is known.
    let class = match (class, approval) {
        (Class::Read, Some(_)) => Class::Unknown,
        (class, _) => class,
    };
    let row = rows::leaf(command);
    let mut question = Question {
        undo: match (class, row.and_then(|row| row.undo)) {
            (Class::Read, _) => "Nothing is changed.".into(),
            (Class::Unknown, _) => UNKNOWN.into(),
            (_, Some(sentence)) => sentence.into(),
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
    if let Some(call) = call {
        if let Some(undo) = undo_with(&call).filter(|_| class == Class::Write) {
            question.undo = undo.into();
        }
        (question.rows).extend(also(&call).map(|text| Fact::plain("Also", text)));
        question.no_lease = no_lease(&call).or(approval.map(|_| "it approves a pull request"));
        question.rows.extend(approval.map(verdict));
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
        let look = SubjectLook::new(&call, class, target, &concern, &sentence, replaced, clean);
        question.look = look.map(|look| Arc::new(look) as Arc<dyn Look>);
    }
    question
}

/// The sentence on what cannot be undone, where a flag of `call` that is on changes it.
fn undo_with(call: &Parsed) -> Option<&'static str> {
    let rows = call.leaf.row?.undo_with;
    let row = rows.iter().find(|(flag, _)| call.is_on(flag))?;
    Some(row.1)
}

/// The row on a call that approves a pull request, or could.
fn verdict(approval: Approval) -> Fact {
    Fact {
        label: "Verdict",
        text: format!("It {}.", approval.does()),
        tone: Tone::Warning,
    }
}

/// What the call concerns, in words; `None` if its target alone says so.
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

/// Fields of `gh api` that name another owner than the path does: in a fork, a `generate`, a transfer.
const OTHER_OWNER: &[&str] = &["organization", "owner", "new_owner"];

/// The second repositories, issues and owners that the call names besides its target, each with the flag that names it.
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

/// Why no lease may cover the call: because of its command, or of a flag that is given and not off.
fn no_lease(call: &Parsed) -> Option<&'static str> {
    let given =
        |given: &&GivenFlag| given.flag.arity != Arity::Nothing || given.on() != Some(false);
    let mut flags = call.flags.iter().filter(given);
    let flag = || flags.find_map(|given| given.flag.row?.no_lease);
    let fork = call.value("head").is_some_and(|head| head.contains(':'));
    (call.leaf.row)
        .and_then(|row| row.no_lease)
        .or_else(flag)
        .or(fork.then_some("it takes a branch of another repository"))
}

/// The label of the text that `flag` sends: `Body` for `body`.
fn label(flag: &str) -> String {
    let (first, rest) = flag.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// The texts that the flags of `call` send.
fn texts(call: &Parsed) -> Vec<Outgoing> {
    let edits = call.leaf.row.map_or(&[][..], |row| row.edits);
    let last = call.is_on(EDITS_LAST.0).then_some(EDITS_LAST.1);
    let mut out = Vec::new();
    for flag in TEXTS {
        let Some(text) = call.value(flag) else {
            continue;
        };
        let row = edits.iter().find(|(name, _)| name == flag);
        out.push(Outgoing {
            label: label(flag),
            text: neutral(text),
            replaces: row.is_some() || last.is_some(),
            field: row.map(|(_, field)| *field).or(last),
            ..Outgoing::default()
        });
    }
    out
}

/// The texts that the fields of `call`, a call of `gh api`, send.
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
            ..Outgoing::default()
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
    fn the_flags_decide_what_cannot_be_undone() {
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
    fn a_question_says_plainly_that_the_call_approves_or_could() {
        const REVIEWS: &str = "repos/o/r/pulls/1/reviews";
        let mutation = |event: &str| {
            format!(
                "query=mutation($e:X){{addPullRequestReview(input:{{event:{event}}}){{clientMutationId}}}}"
            )
        };
        let (inline, unknown) = (mutation("APPROVE"), mutation("$e"));
        for (words, sentence, verdict) in [
            (
                &["pr", "review", "1", "-a"][..],
                "Approve pull request #1 in o/r",
                Some("It approves a pull request."),
            ),
            (
                &["api", REVIEWS, "-f", "event=APPROVE"],
                "Approve pull request #1 in o/r on ghe.example.com in a review",
                Some("It approves a pull request."),
            ),
            (
                &["api", REVIEWS, "-f", "event=YES"],
                "Review pull request #1 in o/r on ghe.example.com, which could approve it,",
                Some("It could approve a pull request: its event is none of GitHub's."),
            ),
            (
                &["api", "graphql", "-f", &inline],
                "Approve a pull request with the GraphQL mutation addPullRequestReview",
                Some("It approves a pull request."),
            ),
            (
                &["api", "graphql", "-f", &unknown],
                "Send the GraphQL mutation addPullRequestReview, which could approve a pull request",
                Some("It could approve a pull request: the value of its variable is not known."),
            ),
            (
                &["pr", "review", "1", "-c", "-b", "x"],
                "Review pull request #1",
                None,
            ),
            (
                &["api", REVIEWS, "-f", "event=COMMENT"],
                "Review pull request #1",
                None,
            ),
        ] {
            let got = asked(words);
            assert!(
                got.sentence.starts_with(sentence),
                "{words:?}: {}",
                got.sentence
            );
            let row = got.rows.iter().find(|fact| fact.label == "Verdict");
            assert_eq!(row.map(|fact| fact.text.as_str()), verdict, "{words:?}");
            assert!(verdict.is_none() || got.no_lease.is_some(), "{words:?}");
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
    fn an_edit_says_that_it_replaces_a_text_and_which_one_a_read_finds() {
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
    fn every_call_made_before_a_question_is_judged_a_read() {
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
            let reads = asked(words).look.expect("the call has a look").reads();
            assert!((1..=2).contains(&reads.len()), "{words:?}: {reads:?}");
            for read in reads {
                assert_eq!(classify(&read).class, Class::Read, "{read:?}");
            }
        }
    }

    #[test]
    fn every_command_that_may_be_asked_about_says_whether_it_can_be_undone() {
        for words in [
            &["pr", "merge", "1"][..],
            &["gist", "rename", "1", "a", "b"],
            &["frobnicate"],
        ] {
            let undo = asked(words).undo;
            assert!(undo.ends_with('.') && undo.len() < 100, "{undo}");
        }
        assert_eq!(asked(&["frobnicate"]).undo, UNKNOWN);
        assert!(
            asked(&["pr", "comment", "1", "-b", "x"])
                .undo
                .starts_with("Watchers are notified at once")
        );
        assert!(
            asked(&["pr", "close", "1"])
                .undo
                .starts_with("The opposite command takes it back")
        );
        assert!(asked(&["api", "-XPOST", "x"]).no_lease.is_some());
    }
}
