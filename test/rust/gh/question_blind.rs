//! The facts that a person is told of 80 calls; each row was written from what a user wants to know, not from the code:
//! fixtures/gh-question-blind.jsonl.
//!
//! A row has `argv`, what GitHub has (`repo`, `pull`, `issue`, `issues`, `viewer`, members of GraphQL's types; `other`, further repositories;
//! `no_repo`, one that is not there; `rest`, what endpoints give), and what must be told: `says`, words of the sentence; `tells`, words of a
//! fact and its tone; `supply`. The stand-in GitHub answers the reads, whatever they ask.

use cj_gate::gate::{Answered, Class};
use serde_json::{Value, json};

use super::question::look;
use crate::lab;

const ROWS: &str = include_str!("../../../fixtures/gh-question-blind.jsonl");
const HEAD: &str = "1f2e3d4c5b6a79880123456789abcdef01234567";

/// The fixtures that the stand-in GitHub gets for `row`.
fn world(row: &Value) -> Value {
    let merged = |under: Value, over: &Value| -> Value {
        let mut under = under;
        for (name, value) in over.as_object().into_iter().flatten() {
            under[name] = value.clone();
        }
        under
    };
    let mut repo = merged(
        json!({"visibility": "PRIVATE", "isPrivate": true, "forks": []}),
        &row["repo"],
    );
    if repo["visibility"] == "PUBLIC" {
        repo["isPrivate"] = json!(false);
    }
    let pull = json!({
        "number": 7, "title": "A pull request", "state": "OPEN", "isDraft": false, "author": {"login": "mona"}, "headRefOid": HEAD,
        "headRefName": "topic", "baseRefName": "main", "isCrossRepository": false, "headRepositoryOwner": {"login": "acme"},
    });
    let issue =
        json!({"number": 2, "title": "An issue", "state": "OPEN", "author": {"login": "kim"}});
    repo["pulls"] = json!([merged(pull, &row["pull"])]);
    repo["issues"] = match row["issues"].as_array() {
        Some(issues) => issues
            .iter()
            .map(|one| merged(issue.clone(), one))
            .collect(),
        None => json!([merged(issue, &row["issue"])]),
    };
    let name = row["repo_name"].as_str().unwrap_or("acme/tables");
    let mut repos = json!({name: repo});
    for (name, other) in row["other"].as_object().into_iter().flatten() {
        repos[name] = other.clone();
    }
    if let Some(name) = row["no_repo"].as_str() {
        repos[name] = json!(false);
    }
    let viewer = merged(json!({"login": "octo"}), &row["viewer"]);
    let host = row["host"].as_str().unwrap_or("github.com");
    json!({"repos": repos, "viewer": viewer, "hosts": {host: {"viewer": viewer}}})
}

/// The answer to `read`, the argv of one of our reads, by the fixtures of `row`.
fn answer(read: &[String], row: &Value) -> Answered {
    if read[1] != "graphql" {
        let missing = json!({"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"});
        let body = row["rest"].get(&read[1]).unwrap_or(&missing);
        return Answered::Output(body.to_string());
    }
    let dir = lab::fresh_dir();
    std::fs::write(dir.join("world.json"), world(row).to_string())
        .expect("a fixture can be written");
    let mut variables = json!({});
    let mut query = "";
    for word in read {
        match word.split_once('=') {
            Some(("query", text)) => query = text,
            Some((name, text)) => {
                let number: Option<i64> = text.parse().ok().filter(|_| name == "number");
                variables[name] = number.map_or_else(|| json!(text), |n| json!(n));
            }
            None => {}
        }
    }
    let path = dir.to_str().expect("a plain path");
    let host = row["host"].as_str().unwrap_or("github.com");
    let ran = lab::lab(
        &[
            "query",
            "--fixtures",
            path,
            "--host",
            host,
            "--variables",
            &variables.to_string(),
        ],
        query,
    );
    let _ = std::fs::remove_dir_all(&dir);
    assert_eq!(ran.code, Some(0), "{read:?}: {}", ran.stderr);
    Answered::Output(ran.stdout)
}

/// The faults of the text that a person is told about the call of `row`; empty for a right text.
fn fails(row: &Value) -> Vec<String> {
    let texts = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.map(|text| text.as_str().expect("a string").to_owned())
            .collect()
    };
    let argv = texts(&row["argv"]);
    let (class, look) = look(&argv);
    let mut failed = Vec::new();
    if !matches!(class, Class::Write | Class::Unknown) {
        failed.push(format!("the class is {class}"));
    }
    let answers: Vec<Answered> = look.reads().iter().map(|read| answer(read, row)).collect();
    let seen = look.seen(&answers);
    let sentence = seen.sentence.unwrap_or_default();
    for word in texts(&row["says"]) {
        if !sentence.contains(&word) {
            failed.push(format!("the sentence lacks “{word}”"));
        }
    }
    for told in row["tells"].as_array().into_iter().flatten() {
        let (word, tone) = (told[0].as_str().expect("words"), told[1].as_str());
        let fits = seen
            .facts
            .iter()
            .any(|fact| fact.text.contains(word) && tone == Some(fact.tone.as_str()));
        if !fits {
            failed.push(format!("no fact tells {told}"));
        }
    }
    if row.get("supply").is_some() && json!(seen.supply) != row["supply"] {
        failed.push(format!("{:?} is supplied", seen.supply));
    }
    if !failed.is_empty() {
        failed.insert(
            0,
            format!("{}: {}\n  {sentence}", row["why"], argv.join(" ")),
        );
        failed.extend(
            seen.facts
                .iter()
                .map(|fact| format!("    {} {}: {}", fact.label, fact.tone.as_str(), fact.text)),
        );
    }
    failed
}

#[test]
fn a_person_is_told_the_facts_that_a_user_wants_of_each_call() {
    let rows: Vec<Value> = ROWS
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let failed: Vec<String> = rows
        .iter()
        .map(fails)
        .filter(|failed| !failed.is_empty())
        .map(|failed| failed.join("\n  "))
        .collect();
    let right = rows.len() - failed.len();
    assert!(
        failed.is_empty(),
        "{right} of {} are right\n{}",
        rows.len(),
        failed.join("\n")
    );
}
