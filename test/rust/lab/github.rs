//! The stand-in GitHub against the real gh: the stand-in must answer queries that no fixture names, and log each request.
#![allow(clippy::print_stderr)] // the tests print their counts

use crate::lab::{self, Lab, Ran};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Commands that take --json, and the rest of their argv, where REPO stands for a repository. `gh COMMAND --json` lists the fields.
const JSON_COMMANDS: &[(&str, &str)] = &[
    ("pr view", "1 -R REPO"),
    ("pr view", "7 -R REPO"), // no fixture has pull request 7
    ("pr list", "-R REPO"),
    ("pr list", "-R REPO --search quotes"),
    ("pr list", "-R many/r"),
    ("pr checks", "1 -R REPO"),
    ("pr status", "-R REPO"),
    ("issue view", "2 -R REPO"),
    ("issue list", "-R REPO"),
    ("issue list", "-R REPO --search rows"),
    ("issue status", "-R REPO"),
    ("repo view", "REPO"), // GH_HOST names the host
    ("repo list", "o"),
    ("search prs", "x --repo o/r"),
    ("search issues", "x --repo o/r"),
    ("search repos", "x"),
    ("search commits", "x"),
    ("search code", "x"),
    ("run list", "-R REPO"),
    ("run view", "1001 -R REPO"),
    ("release list", "-R REPO"),
    ("release view", "v1.1 -R REPO"),
    ("label list", "-R REPO"),
    ("workflow list", "-R REPO"),
    ("cache list", "-R REPO"),
    ("secret list", "-R REPO"),
    ("variable list", "-R REPO"),
    ("variable get", "REGION -R REPO"),
    ("discussion list", "-R REPO"), // gh 2.103 and later
    ("discussion view", "1 -R REPO"),
];

/// Calls without --json, which must exit with 0.
const PLAIN: &[&str] = &[
    "pr view 1 -R REPO --comments",
    "pr diff 1 -R REPO",
    "pr list -R REPO",
    "issue view 2 -R REPO",
    "run view 1001 -R REPO --log-failed",
    "run view 1001 -R REPO --job 5002",
    "workflow view 501 -R REPO --yaml",
    "ruleset view 41 -R REPO",
    "project list --owner o --format json",
    "project item-list 1 --owner o --format json",
    "project field-list 1 --owner o --format json",
    "project view 1 --owner o --format json",
    "gist list",
    "org list",
    "status",
    "auth status",
    "api user",
    "api graphql -f query={viewer{login}}",
];

const HOSTS: &[(&str, &str)] = &[("github.com", ""), ("ghe.example.com", "ghe.example.com/")];

#[test]
fn every_json_field_that_gh_offers_gets_an_answer_gh_can_read() {
    let binaries = lab::gh_binaries();
    let lab = Lab::start(&[]);
    std::thread::scope(|scope| {
        for (seed, gh) in (1_u64..).zip(&binaries) {
            let lab = &lab;
            scope.spawn(move || ask_all_fields(lab, gh, seed));
        }
    });
    if binaries.is_empty() {
        return;
    }
    let requests = lab.requests();
    let queries: BTreeSet<&str> = requests
        .iter()
        .filter_map(|line| line["graphql"]["query"].as_str())
        .collect();
    assert!(
        queries.len() >= 30,
        "gh sent only {} different queries",
        queries.len()
    );
    for name in requests
        .iter()
        .filter_map(|line| line["graphql"]["operation"].as_str())
    {
        assert!(
            !SOURCES.iter().any(|text| text.contains(name)),
            "the lab's code knows the query {name}"
        );
    }
    let refused: Vec<&Value> = requests
        .iter()
        .filter(|line| line["answer"] == "error" || line["answer"] == "unknown host")
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(
        requests
            .iter()
            .all(|line| line["graphql"]["kind"] != "mutation"),
        "a read was logged as a mutation"
    );
    eprintln!(
        "{} requests, {} different GraphQL queries",
        requests.len(),
        queries.len()
    );
}

/// The sources and fixtures of the stand-in GitHub.
const SOURCES: &[&str] = &[
    include_str!("../../lab/github.rs"),
    include_str!("../../lab/git.rs"),
    include_str!("../../lab/graphql/bare.rs"),
    include_str!("../../lab/graphql/mod.rs"),
    include_str!("../../lab/graphql/mutation.rs"),
    include_str!("../../lab/graphql/object.rs"),
    include_str!("../../lab/graphql/selection.rs"),
    include_str!("../../lab/graphql/types.rs"),
    include_str!("../../lab/memory.rs"),
    include_str!("../../lab/place.rs"),
    include_str!("../../lab/rest/bare.rs"),
    include_str!("../../lab/rest/mod.rs"),
    include_str!("../../lab/rest/pulls.rs"),
    include_str!("../../lab/scalar.rs"),
    include_str!("../../lab/trouble.rs"),
    include_str!("../../lab/world.rs"),
    include_str!("../../lab/writes/create.rs"),
    include_str!("../../lab/writes/metadata.rs"),
    include_str!("../../lab/writes/mod.rs"),
    include_str!("../../lab/writes/review.rs"),
    include_str!("../../lab/writes/thread.rs"),
    include_str!("../../../fixtures/github/rest.json"),
    include_str!("../../../fixtures/github/world.json"),
];

fn ask_all_fields(lab: &Lab, gh: &Path, seed: u64) {
    let mut random = Random(seed);
    for (turn, (command, more)) in JSON_COMMANDS.iter().enumerate() {
        let words: Vec<&str> = command.split(' ').collect();
        let offer = lab.gh(gh, &[&words[..], &["--json"]].concat());
        let lines = offer.stderr.lines();
        let fields: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("  "))
            .map(str::trim)
            .collect();
        if words[0] == "discussion" && offer.stderr.starts_with("unknown command") {
            continue; // gh 2.92.0 has no discussions
        }
        assert!(fields.len() > 2, "{command}: {}", offer.stderr);
        for (at, (host, prefix)) in HOSTS.iter().enumerate() {
            let more = more
                .replace("REPO", "o/r")
                .replace("-R ", &format!("-R {prefix}"));
            let mut wanted = vec![fields.join(",")];
            if turn % 2 == at {
                wanted.push(random.subset(&fields).join(","));
            }
            for fields in wanted {
                let mut args = words.clone();
                args.extend(more.split(' '));
                args.extend(["--json", &fields]);
                let ran = lab.gh_env(gh, &args, &environment(host));
                check(gh, host, &args, &ran);
                let value: Value = serde_json::from_str(&ran.stdout)
                    .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.stdout));
                let empty = value.as_array().is_some_and(Vec::is_empty)
                    || value.as_object().is_some_and(serde_json::Map::is_empty);
                assert!(!empty, "{args:?} on {host}: an empty answer proves nothing");
            }
        }
    }
    for (turn, line) in PLAIN.iter().enumerate() {
        // One host for each call suffices: the paths of requests differ by host, the answers do not.
        for (host, prefix) in HOSTS.iter().skip(turn % 2).take(1) {
            let line = line.replace("REPO", &format!("{prefix}o/r"));
            let args: Vec<&str> = line.split(' ').collect();
            check(gh, host, &args, &lab.gh_env(gh, &args, &environment(host)));
        }
    }
}

fn environment(host: &str) -> [(&str, &str); 3] {
    [
        ("GH_TOKEN", lab::DOTCOM),
        ("GH_ENTERPRISE_TOKEN", lab::WORK),
        ("GH_HOST", host),
    ]
}

fn check(gh: &Path, host: &str, args: &[&str], ran: &Ran) {
    assert_eq!(
        ran.code,
        Some(0),
        "{} {args:?} on {host}: {}",
        gh.display(),
        ran.stderr
    );
}

/// A linear congruential generator, so that every run takes the same subsets.
struct Random(u64);

impl Random {
    fn subset<'f>(&mut self, fields: &[&'f str]) -> Vec<&'f str> {
        let mut out: Vec<&str> = fields
            .iter()
            .copied()
            .filter(|_| self.next().is_multiple_of(3))
            .collect();
        if out.is_empty() {
            out.push(fields[0]);
        }
        out
    }

    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

#[test]
fn a_write_is_logged_once_on_its_host_with_its_token() {
    let writes = [
        ("pr merge 1 -s -R REPO", "mergePullRequest"),
        ("pr comment 1 -R REPO -b hello", "addComment"),
        ("issue close 2 -R REPO", "closeIssue"),
        ("issue comment 2 -R REPO -b hello", "addComment"),
        ("pr review 1 -R REPO --approve", "addPullRequestReview"),
        ("issue create -R REPO --title t --body b", "createIssue"),
        ("repo delete REPO --yes", "DELETE"),
        ("run rerun 1001 -R REPO", "POST"),
    ];
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&[]);
        for (host, prefix) in HOSTS {
            for (line, wanted) in writes {
                let before = lab.requests().len();
                let line = line.replace("REPO", &format!("{prefix}o/r"));
                let args: Vec<&str> = line.split(' ').collect();
                check(&gh, host, &args, &lab.gh(&gh, &args));
                let requests = lab.requests().split_off(before);
                let token = if prefix.is_empty() { "dotcom" } else { "work" };
                assert!(
                    requests
                        .iter()
                        .all(|one| one["host"] == *host && one["token"] == token),
                    "{line}: {requests:?}"
                );
                let is_write = |one: &&Value| match one["graphql"]["kind"].as_str() {
                    Some(kind) => kind == "mutation",
                    None => one["method"] != "GET",
                };
                let seen: Vec<&Value> = requests.iter().filter(is_write).collect();
                assert_eq!(seen.len(), 1, "{line}: {requests:?}");
                let name = seen[0]["graphql"]["fields"][0]
                    .as_str()
                    .or(seen[0]["method"].as_str());
                assert_eq!(name, Some(wanted), "{line}");
            }
        }
    }
}

#[test]
fn each_host_gets_its_own_paths_and_token() {
    let rows = [
        (
            "o/r",
            "github.com",
            "api.github.com",
            "/graphql",
            "/repos/o/r",
            "dotcom",
        ),
        (
            "ghe.example.com/o/r",
            "ghe.example.com",
            "ghe.example.com",
            "/api/graphql",
            "/api/v3/repos/o/r",
            "work",
        ),
        (
            "x.ghe.com/o/r",
            "x.ghe.com",
            "api.x.ghe.com",
            "/graphql",
            "/repos/o/r",
            "dotcom",
        ),
    ];
    for gh in lab::gh_binaries() {
        for (repo, host, http_host, graphql, rest, token) in rows {
            let lab = Lab::start(&[]);
            let view = lab.gh(
                &gh,
                &["pr", "view", "1", "-R", repo, "--json", "title,body"],
            );
            check(&gh, host, &["pr view"], &view);
            let view: Value = serde_json::from_str(&view.stdout).expect("gh prints JSON");
            assert!(
                view["body"].as_str().is_some_and(|body| body.len() > 2048),
                "the fixture's body is long enough to be cut"
            );
            check(
                &gh,
                host,
                &["api"],
                &lab.gh(&gh, &["api", "--hostname", host, "repos/o/r"]),
            );
            let requests = lab.requests();
            let seen: Vec<[&str; 5]> = requests
                .iter()
                .map(|one| {
                    ["host", "http_host", "method", "path", "token"]
                        .map(|name| one[name].as_str().unwrap_or(""))
                })
                .collect();
            assert_eq!(
                seen,
                [
                    [host, http_host, "POST", graphql, token],
                    [host, http_host, "GET", rest, token]
                ]
            );
            assert_eq!(requests[0]["graphql"]["operation"], "PullRequestByNumber");
            assert_eq!(
                requests[0]["graphql"]["variables"],
                json!({ "owner": "o", "repo": "r", "pr_number": 1 })
            );
        }
    }
}

#[test]
fn a_host_that_nobody_configured_is_logged_and_gets_nothing() {
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&[]);
        let ran = lab.gh(&gh, &["pr", "view", "1", "-R", "evil.example/o/r"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        let requests = lab.requests();
        assert!(
            !requests.is_empty()
                && requests
                    .iter()
                    .all(|one| one["known"] == false && one["status"] == 404),
            "{requests:?}"
        );
    }
}

#[test]
fn each_kind_of_trouble_reaches_gh_as_github_would_send_it() {
    let rows = [
        (
            "err401",
            "HTTP 401: Bad credentials",
            "Bad credentials (HTTP 401)",
        ),
        ("err403-sso", "Authorize in your web browser:", "HTTP 403"),
        (
            "err403-scope",
            "required scopes",
            "needs the \"repo\" scope",
        ),
        ("err403-limit", "rate limit exceeded", "rate limit exceeded"),
        (
            "err403-secondary",
            "secondary rate limit",
            "secondary rate limit",
        ),
        (
            "err403",
            "Resource not accessible",
            "Resource not accessible",
        ),
        (
            "err404",
            "Could not resolve to a Repository",
            "Not Found (HTTP 404)",
        ),
        ("err410", "HTTP 410", "HTTP 410"),
        ("err422", "HTTP 422", "HTTP 422"),
        ("err429", "HTTP 429", "HTTP 429"),
        ("err500", "HTTP 500", "HTTP 500"),
        ("err502", "HTTP 502", "HTTP 502"),
        ("err503", "HTTP 503", "HTTP 503"),
        ("cut", "unexpected EOF", "unexpected EOF"),
    ];
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&[]);
        for (owner, graphql, rest) in rows {
            let view = lab.gh(&gh, &["pr", "view", "1", "-R", &format!("{owner}/r")]);
            assert_eq!(view.code, Some(1), "{owner}");
            assert!(view.stderr.contains(graphql), "{owner}: {}", view.stderr);
            let api = lab.gh(&gh, &["api", &format!("repos/{owner}/r")]);
            assert_eq!(api.code, Some(1), "{owner}");
            assert!(api.stderr.contains(rest), "{owner}: {}", api.stderr);
        }
        let start = std::time::Instant::now();
        check(
            &gh,
            "slow",
            &["slow"],
            &lab.gh(&gh, &["api", "repos/slow-400/r"]),
        );
        assert!(start.elapsed().as_millis() >= 400, "slow-400 was not slow");
    }
}

#[test]
fn accounts_are_seen_by_gh_and_a_host_without_a_token_gets_none() {
    let account = format!("github.com=octo:{}", lab::DOTCOM);
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&[
            "--account",
            &account,
            "--account",
            "ghe.example.com=octo-work",
        ]);
        let ran = lab.gh_env(&gh, &["api", "user"], &[]);
        check(&gh, "github.com", &["api user"], &ran);
        assert!(ran.stdout.contains("\"octo\""), "{}", ran.stdout);
        let ran = lab.gh_env(&gh, &["api", "user", "--hostname", "ghe.example.com"], &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        let tokens: Vec<Value> = lab
            .requests()
            .iter()
            .map(|one| json!([one["host"], one["token"], one["status"]]))
            .collect();
        assert_eq!(
            tokens,
            [
                json!(["github.com", "dotcom", 200]),
                json!(["ghe.example.com", null, 401])
            ]
        );
    }
}
