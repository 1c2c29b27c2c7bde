//! Every command that may change something has a sentence of its own, which names the arguments of the call.

use super::*;
use crate::gate::Source;
use crate::gh::catalog::Catalog;
use crate::gh::parse::{Named, parse};
use crate::gh::question::concern::Concern;
use crate::gh::rows::{LEAVES, Names};

fn sentence(words: &[&str], repo: bool) -> String {
    let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let Named::Command(call) = parse(Catalog::get(), &argv) else {
        panic!("{words:?} is no command");
    };
    let target = Target {
        host: "github.com".into(),
        owner: Some("acme".into()).filter(|_| repo),
        repo: Some("tables".into()).filter(|_| repo),
        account: Some("octo".into()),
        source: Source::ExplicitRepo,
    };
    let clean = Cleaner::holding(&[]);
    let subject = Concern::of(&call, &target).subject;
    Sentence::new(&call, Class::Write, &subject, &target, &clean).with(None, None, None)
}

/// Commands whose sentence leaves out the first positional.
const OPERAND_LEFT_OUT: &[&str] = &[
    "agent-task create",
    "aw",
    "stack",
    "gist create",
    "issue artifact create",
    "release verify-asset",
    "repo archive",
    "repo create",
    "repo delete",
    "repo deploy-key add",
    "repo edit",
    "repo fork",
    "repo sync",
    "repo unarchive",
    "project field-delete",
    "project item-edit",
];

#[test]
fn each_command_that_changes_something_has_a_sentence_of_its_own_with_its_operand() {
    let changes = |effect| {
        matches!(
            effect,
            Effect::Writes | Effect::Deletes | Effect::Asks | Effect::SendsFile
        )
    };
    let mut without = Vec::new();
    let mut seen = 0;
    for row in LEAVES.iter().filter(|row| changes(row.does)) {
        seen += 1;
        let operands = ["4711", "second", "third"];
        let mut words: Vec<&str> = row.path.split(' ').collect();
        let none = row.positionals.is_empty();
        if !none {
            words.extend(operands);
        }
        let got = sentence(&words, true);
        let first = got.chars().next().expect("it is not empty");
        let fine = !got.contains("gh ")
            && !got.contains(['{', '}', '[', ']'])
            && !got.contains("  ")
            && !got.contains(" ,")
            && first.is_ascii_uppercase()
            && got.ends_with(", as octo")
            && (none || got.contains("4711") || OPERAND_LEFT_OUT.contains(&row.path));
        if !fine {
            without.push(got);
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
    assert!(seen > 90, "{seen}");
    // A row for a command that does not exist is a typing error.
    for row in says::all() {
        assert!(
            LEAVES.iter().any(|leaf| leaf.path == row),
            "{row} is no command"
        );
    }
    assert!(LEAVES.iter().any(|leaf| leaf.positionals == [Names::Word]));
}

#[test]
fn a_sentence_says_what_happens_to_the_thing_that_the_arguments_name() {
    for (words, expected) in [
        (
            "pr merge 1",
            "Merge pull request #1 in acme/tables, as octo",
        ),
        (
            "pr merge 1 --squash --delete-branch --admin",
            "Squash and merge pull request #1 in acme/tables without waiting for what the branch requires, then delete its branch, as octo",
        ),
        (
            "pr merge 1 --auto --rebase",
            "Merge pull request #1 in acme/tables as soon as its checks and reviews allow, rebased, as octo",
        ),
        (
            "pr edit 1 --base dev --add-reviewer kim --title x",
            "Edit pull request #1 in acme/tables, as octo: base dev, a review asked of kim, a new title",
        ),
        (
            "api -XPATCH repos/acme/tables/issues/2 -fstate=closed -fstate=open",
            "Reopen issue #2 in acme/tables, as octo",
        ),
        (
            "pr ready 1 --undo=false",
            "Mark pull request #1 in acme/tables as ready for review, as octo",
        ),
        (
            "issue close 2 --duplicate-of 1",
            "Close issue #2 in acme/tables as a duplicate of #1, as octo",
        ),
        (
            "issue develop 2 --name x --base dev",
            "Create the branch x for issue #2 in acme/tables, from dev, as octo",
        ),
        (
            "issue edit 2 3 --add-label bug",
            "Edit issues #2, #3 in acme/tables, as octo: label bug added",
        ),
        (
            "release edit v1 --draft=false",
            "Publish release v1 in acme/tables, as octo",
        ),
        (
            "label edit bug --name defect",
            "Edit the label bug in acme/tables, as octo: name defect",
        ),
        (
            "workflow run ci.yml --ref dev",
            "Start workflow ci.yml in acme/tables on dev, as octo",
        ),
        (
            "secret set A --env prod --body x",
            "Set the secret A of the environment prod in acme/tables, as octo",
        ),
        (
            "repo edit acme/tables --visibility public --enable-wiki=false",
            "Make the repository acme/tables public, as octo: not enable-wiki",
        ),
        (
            "repo sync acme/tables --branch dev",
            "Update the branch dev of the repository acme/tables from its source, as octo",
        ),
        (
            "gist rename abc a b",
            "Rename the file a of gist abc in acme/tables to b, as octo",
        ),
        (
            "api -X PUT repos/acme/tables/pulls/7/merge",
            "Merge pull request #7 in acme/tables, as octo",
        ),
        (
            "api -X PUT repos/acme/tables/contents/a/b.txt -f message=x",
            "Commit the file a/b.txt in acme/tables, as octo",
        ),
        (
            "api repos/acme/tables/odd/{x} -f a=b",
            "Send POST to repos/acme/tables/odd/{x} in acme/tables, as octo",
        ),
        // An argument cannot become a place to fill.
        (
            "label create {it}",
            "Create the label {it} in acme/tables, as octo",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(sentence(&words, true), expected);
    }
    let mutation = "query=mutation{closeIssue(input:{issueId:\"I_1\"}){clientMutationId}}";
    assert_eq!(
        sentence(&["api", "graphql", "-f", mutation], false),
        "Send the GraphQL mutation closeIssue, as octo"
    );
}

#[test]
fn a_sentence_names_the_fields_that_change_and_the_place_behind_the_thing() {
    for (words, expected) in [
        (
            "api -XPATCH repos/acme/tables -f description=x -f homepage=y",
            "Change description and homepage of the repository acme/tables, as octo",
        ),
        (
            "api -XPATCH repos/acme/tables --input settings.json",
            "Change settings of the repository acme/tables, as octo",
        ),
        (
            "api -XPATCH repos/acme/tables/issues/2 -f title=x -f milestone=1",
            "Edit issue #2 in acme/tables, as octo: a new title, milestone",
        ),
        (
            "repo edit acme/tables --description x",
            "Edit the repository acme/tables, as octo: a new description",
        ),
        (
            "pr merge --squash",
            "Squash and merge the pull request of the current branch in acme/tables, as octo",
        ),
        (
            "release create v1 --title One --target dev",
            "Publish release v1 “One” in acme/tables at dev, as octo",
        ),
        ("run cancel 42", "Cancel run 42 in acme/tables, as octo"),
        (
            "issue transfer 2 acme/other",
            "Move issue #2 of acme/tables to acme/other, as octo",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(sentence(&words, true), expected);
    }
    assert_eq!(
        sentence(
            &["release", "create", "v1", "--draft", "--title", "Two words"],
            true
        ),
        "Draft release v1 “Two words” in acme/tables, as octo"
    );
}

/// For each group of commands, the word that stands before the number, name or address of a thing in every sentence about one.
const KINDS: &[(&str, &str)] = &[
    ("pr", "pull request"),
    ("issue", "issue"),
    ("discussion", "discussion"),
    ("run", "run"),
    ("workflow", "workflow"),
    ("release", "release"),
    ("label", "label"),
    ("gist", "gist"),
    ("repo", "repository"),
    ("secret", "secret"),
    ("variable", "variable"),
    ("project", "project"),
];

#[test]
fn each_sentence_says_the_kind_of_the_thing_and_quotes_in_one_way() {
    let mut without = Vec::new();
    for row in LEAVES.iter().filter(|row| {
        matches!(
            row.does,
            Effect::Writes | Effect::Deletes | Effect::Asks | Effect::SendsFile
        )
    }) {
        let mut words: Vec<&str> = row.path.split(' ').collect();
        let group = words[0];
        words.extend((!row.positionals.is_empty()).then_some("4711"));
        let got = sentence(&words, true);
        let kind = KINDS.iter().find(|(name, _)| *name == group);
        let says = kind.is_none_or(|(_, kind)| got.contains(kind));
        // `repo autolink` and `repo deploy-key` are about autolinks and deploy keys, not about a repository.
        let own =
            words.len() > 2 && group == "repo" && ["autolink", "deploy-key"].contains(&words[1]);
        if !(says || own) || got.contains(['`', '\'']) {
            without.push(got);
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn a_sentence_has_the_kind_and_title_of_a_number_that_were_read() {
    let argv: Vec<String> = ["issue", "comment", "1"].map(str::to_owned).to_vec();
    let Named::Command(call) = parse(Catalog::get(), &argv) else {
        panic!("a command");
    };
    let target = Target {
        host: "github.com".into(),
        owner: Some("o".into()),
        repo: Some("r".into()),
        account: Some("octo".into()),
        source: Source::ExplicitRepo,
    };
    let clean = Cleaner::holding(&[]);
    let subject = Concern::of(&call, &target).subject;
    let sentence = Sentence::new(&call, Class::Write, &subject, &target, &clean);
    assert_eq!(
        sentence.with(Some("pull request"), Some("T"), None),
        "Comment on pull request #1 “T” in o/r, as octo"
    );
}

#[test]
fn a_call_that_is_not_wholly_understood_says_so() {
    let argv: Vec<String> = ["pr", "close", "1"].map(str::to_owned).to_vec();
    let Named::Command(call) = parse(Catalog::get(), &argv) else {
        panic!("a command");
    };
    let target = Target {
        host: "ghe.example.com".into(),
        owner: Some("o".into()),
        repo: Some("r".into()),
        account: None,
        source: Source::ExplicitRepo,
    };
    let clean = Cleaner::holding(&[]);
    let subject = Concern::of(&call, &target).subject;
    let sentence = Sentence::new(&call, Class::Unknown, &subject, &target, &clean);
    assert_eq!(
        sentence.with(None, Some("T"), Some("bot")),
        "Close pull request #1 “T” in o/r on ghe.example.com, as bot; what else it does is not known"
    );
    assert!(
        sentence
            .with(None, None, None)
            .contains("as whoever the token belongs to")
    );
}
