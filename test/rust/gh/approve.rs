//! Which calls approve a pull request: fixtures/gh-approve.jsonl, row by row, and what the stand-in GitHub gets from the real gh for each.
//!
//! A row has `argv`, its `road` (`review`, `rest`, `graphql`), what the judge `says` (`approves`, `could` or `no`), and perhaps the `repo`
//! that gh fills in.

use cj_gate::gate::Class;
use cj_gate::gh::judge::approval::Approval;
use cj_gate::gh::judge::classify::{Verdict, classify};
use graphql_parser::query::{
    Definition, Field, OperationDefinition, Selection, SelectionSet, Value as Node,
};
use serde_json::Value;
use std::collections::BTreeMap;

use super::each_row;
use crate::lab::{self, Lab};

const ROWS: &str = include_str!("../../../fixtures/gh-approve.jsonl");

fn argv(row: &Value) -> Vec<String> {
    let words = row["argv"].as_array().expect("a list").iter();
    words
        .map(|word| word.as_str().expect("a string").to_owned())
        .collect()
}

fn says(verdict: &Verdict) -> &'static str {
    match verdict.approval {
        None => "no",
        Some(Approval::Certain) => "approves",
        Some(Approval::Possible(_)) => "could",
    }
}

#[test]
fn each_road_to_an_approval_is_seen_and_none_of_its_harmless_neighbours() {
    each_row(ROWS, |row| {
        let got = says(&classify(&argv(row)));
        (row["says"] != got).then(|| format!("{row}: {got}"))
    });
    for road in ["review", "rest", "graphql"] {
        for says in ["approves", "no"] {
            let wanted = [
                format!("\"says\": \"{says}\""),
                format!("\"road\": \"{road}\""),
            ];
            let rows = ROWS
                .lines()
                .filter(|row| wanted.iter().all(|part| row.contains(part)));
            assert!(rows.count() >= 10, "{road} {says}");
        }
    }
}

#[test]
fn an_approval_keeps_the_class_of_its_call() {
    for (line, class) in [
        ("pr review 1 -R o/r -a", Class::Write),
        (
            "api repos/o/r/pulls/1/reviews -f event=APPROVE",
            Class::Write,
        ),
        (
            "api repos/o/r/pulls/1/reviews --input body.json",
            Class::Blocked,
        ),
        (
            "api graphql -f query=mutation{addPullRequestReview(input:{event:APPROVE}){clientMutationId}}",
            Class::Write,
        ),
    ] {
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let verdict = classify(&argv);
        assert_eq!(verdict.class, class, "{line}");
        assert!(verdict.approval.is_some(), "{line}");
    }
}

/// Whether `request`, from the stand-in's log, approves a pull request by GitHub's own rules.
fn approved(request: &Value) -> bool {
    if let Some(query) = request["graphql"]["query"].as_str() {
        return document_approves(query, &request["graphql"]["variables"]);
    }
    let path = request["path"].as_str().unwrap_or_default();
    let path = path.replace("%2F", "/").replace("%72", "r");
    let segments = path.split('/').filter(|one| !matches!(*one, "" | "."));
    let segments: Vec<&str> = segments.collect();
    let mut threes = segments.windows(3);
    let of_reviews = threes.any(|three| three[0] == "pulls" && three[2] == "reviews");
    let event = request["body"]["event"].as_str().unwrap_or_default();
    request["method"] != "GET" && of_reviews && event.eq_ignore_ascii_case("approve")
}

type Arguments = BTreeMap<String, Node<'static, String>>;

fn document_approves(query: &str, variables: &Value) -> bool {
    let Ok(document) = graphql_parser::parse_query::<String>(query) else {
        return false;
    };
    let document = document.into_static();
    let mut defaults = Arguments::new();
    let mut fields = Vec::new();
    for definition in &document.definitions {
        match definition {
            Definition::Operation(OperationDefinition::Mutation(mutation)) => {
                collect(&mutation.selection_set, &mut fields);
                for variable in &mutation.variable_definitions {
                    let value = variable.default_value.clone();
                    defaults.extend(value.map(|value| (variable.name.clone(), value)));
                }
            }
            Definition::Fragment(fragment) => collect(&fragment.selection_set, &mut fields),
            Definition::Operation(_) => {}
        }
    }
    let reviews = ["addPullRequestReview", "submitPullRequestReview"];
    fields
        .iter()
        .filter(|field| reviews.contains(&field.name.as_str()))
        .flat_map(|field| &field.arguments)
        .any(|(_, input)| event_of(input, variables, &defaults).as_deref() == Some("APPROVE"))
}

/// Adds the fields of `set`, and of its inline fragments, to `fields`.
fn collect<'d>(
    set: &'d SelectionSet<'static, String>,
    fields: &mut Vec<&'d Field<'static, String>>,
) {
    for item in &set.items {
        match item {
            Selection::Field(field) => fields.push(field),
            Selection::InlineFragment(fragment) => collect(&fragment.selection_set, fields),
            Selection::FragmentSpread(_) => {}
        }
    }
}

/// The event in `input`, the argument of a mutation.
fn event_of(
    input: &Node<'static, String>,
    variables: &Value,
    defaults: &Arguments,
) -> Option<String> {
    match input {
        Node::Object(members) => match members.get("event")? {
            Node::Variable(name) => match variables[name].as_str() {
                Some(value) => Some(value.to_owned()),
                None => Some(defaults.get(name)?.to_string()),
            },
            value => Some(value.to_string()),
        },
        Node::Variable(name) => match variables[name].as_object() {
            Some(members) => Some(members.get("event")?.as_str()?.to_owned()),
            None => event_of(defaults.get(name)?, variables, defaults),
        },
        _ => None,
    }
}

#[test]
fn what_the_real_gh_sends_approves_only_where_the_judge_says_so() {
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&[]);
        let (mut approvals, mut missed) = (0, Vec::new());
        for row in ROWS.lines() {
            let row: Value = serde_json::from_str(row).expect("each line is JSON");
            let argv = argv(&row);
            let verdict = classify(&argv);
            // A blocked call never runs.
            if verdict.class == Class::Blocked {
                continue;
            }
            let before = lab.requests().len();
            let words: Vec<&str> = argv.iter().map(String::as_str).collect();
            let env = [
                ("GH_TOKEN", lab::DOTCOM),
                ("GH_ENTERPRISE_TOKEN", lab::WORK),
                // `{owner}' and `{repo}' become parts of a review's path.
                ("GH_REPO", row["repo"].as_str().unwrap_or("pulls/reviews")),
            ];
            lab.gh_env(&gh, &words, &env);
            if lab.requests()[before..].iter().any(approved) {
                approvals += 1;
                if verdict.approval.is_none() {
                    missed.push(row);
                }
            }
        }
        assert!(missed.is_empty(), "{gh:?}: {missed:#?}");
        // Most roads of the table are ones that this gh really takes.
        assert!(approvals >= 90, "{gh:?}: {approvals}");
    }
}
