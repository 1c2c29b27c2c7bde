//! The stand-in GitHub remembers a pull request that `gh pr create` made, and reads branches from bare repositories.

use super::writes::Worldly;
use crate::lab;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const CREATE: &[&str] = &[
    "pr",
    "create",
    "-R",
    "o/r",
    "--head",
    "octo:branch",
    "--base",
    "main",
    "--title",
    "T",
    "--body",
    "B",
    "--draft",
    "--reviewer",
    "kim",
    "--assignee",
    "@me",
    "--label",
    "bug",
    "--milestone",
    "1.2",
];
const FIELDS: &str = "number,title,body,baseRefName,headRefName,headRepositoryOwner,headRepository,isCrossRepository,isDraft,labels,assignees,reviewRequests,milestone,author,state,url";

#[test]
fn a_created_pull_request_is_found_with_all_that_gh_gave_it() {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&json!({}));
        let ran = lab.lab.gh(&gh, CREATE);
        assert_eq!(
            (ran.code, ran.stdout.trim()),
            (Some(0), "https://github.com/o/r/pull/6"),
            "{}",
            ran.stderr
        );
        // 5 is the largest number of a fixture, an issue's.
        let seen = lab.json(&gh, &["pr", "view", "6", "-R", "o/r", "--json", FIELDS]);
        let plain = [
            "number",
            "title",
            "body",
            "baseRefName",
            "headRefName",
            "isCrossRepository",
            "isDraft",
            "state",
            "url",
        ]
        .map(|name| seen[name].clone());
        assert_eq!(
            json!(plain),
            json!([
                6,
                "T",
                "B",
                "main",
                "branch",
                true,
                true,
                "OPEN",
                "https://github.com/o/r/pull/6"
            ])
        );
        assert_eq!(seen["headRepositoryOwner"]["login"], "octo");
        assert_eq!(seen["author"]["login"], "octo");
        assert_eq!(seen["labels"][0]["name"], "bug");
        assert_eq!(seen["assignees"][0]["login"], "octo");
        assert_eq!(seen["milestone"]["title"], "1.2");
        assert_eq!(seen["reviewRequests"][0]["login"], "kim");
        let of_branch = lab.json(
            &gh,
            &["pr", "view", "octo:branch", "-R", "o/r", "--json", "number"],
        );
        assert_eq!(of_branch["number"], 6);
        let listed = lab.json(
            &gh,
            &[
                "pr", "list", "-R", "o/r", "--json", "number", "--limit", "1",
            ],
        );
        assert_eq!(listed, json!([{ "number": 6 }]));
        let rest = lab.json(&gh, &["api", "repos/o/r/pulls/6"]);
        let names = json!([
            rest["title"],
            rest["draft"],
            rest["head"]["label"],
            rest["base"]["ref"],
            rest["labels"][0]["name"],
            rest["requested_reviewers"][0]["login"]
        ]);
        assert_eq!(
            names,
            json!(["T", true, "octo:branch", "main", "bug", "kim"])
        );
        let edited = lab.lab.gh(
            &gh,
            &[
                "pr",
                "edit",
                "6",
                "-R",
                "o/r",
                "--title",
                "U",
                "--remove-label",
                "bug",
                "--base",
                "stable",
            ],
        );
        assert_eq!(edited.code, Some(0), "{}", edited.stderr);
        lab.data(&gh, "mutation { requestReviewsByLogin(input: {pullRequestId: \"PR_o/r#6\", userLogins: [\"kim\", \"lee\"], teamSlugs: [\"acme/team\"], union: true}) { clientMutationId } }");
        let seen = lab.json(&gh, &["pr", "view", "6", "-R", "o/r", "--json", FIELDS]);
        assert_eq!(
            json!([seen["title"], seen["labels"], seen["baseRefName"]]),
            json!(["U", [], "stable"])
        );
        let asked = seen["reviewRequests"].as_array().expect("a list").iter();
        let asked: Vec<&Value> = asked
            .map(|one| one.get("login").unwrap_or(&one["slug"]))
            .collect();
        assert_eq!(asked, ["kim", "lee", "acme/team"]);
        // Another host and another repository know nothing of it.
        assert_eq!(
            lab.json(&gh, &["api", "repos/o/s/pulls?head=octo%3Abranch"])[0]["number"],
            1
        );
    }
}

#[test]
fn a_second_pull_request_for_the_same_branches_is_refused() {
    let graphql = "mutation { createPullRequest(input: {repositoryId: \"R_o/r\", baseRefName: \"main\", headRefName: \"octo:branch\", title: \"T\"}) { pullRequest { number } } }";
    let rest = [
        "api",
        "repos/o/r/pulls",
        "-f",
        "title=T",
        "-f",
        "head=octo:branch",
        "-f",
        "base=main",
    ];
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&json!({}));
        let made = lab.json(&gh, &rest);
        assert_eq!(
            (&made["number"], &made["state"]),
            (&json!(6), &json!("open"))
        );
        let ran = lab.lab.gh(&gh, CREATE);
        assert!(
            ran.code == Some(1)
                && ran
                    .stderr
                    .contains("already exists:\nhttps://github.com/o/r/pull/6"),
            "{}",
            ran.stderr
        );
        let (code, answer) = lab.graphql(&gh, graphql);
        assert_eq!(code, Some(1));
        let told = json!([
            answer["data"],
            answer["errors"][0]["type"],
            answer["errors"][0]["message"]
        ]);
        assert_eq!(
            told,
            json!([{ "createPullRequest": null }, "UNPROCESSABLE", "A pull request already exists for octo:branch."])
        );
        let ran = lab.lab.gh(&gh, &rest);
        assert!(
            ran.stderr.contains("HTTP 422")
                && ran
                    .stdout
                    .contains("A pull request already exists for octo:branch."),
            "{}",
            ran.stderr
        );
        // Into another branch it is another one.
        let made = lab.data(&gh, &graphql.replace("main", "stable"));
        assert_eq!(made["createPullRequest"]["pullRequest"]["number"], 7);
        let all: Vec<Value> = lab
            .json(
                &gh,
                &[
                    "pr", "list", "-R", "o/r", "--state", "all", "--json", "number",
                ],
            )
            .as_array()
            .expect("a list")
            .clone();
        assert_eq!(
            all.iter()
                .filter_map(|one| one["number"].as_i64())
                .collect::<Vec<_>>()[..2],
            [7, 6]
        );
    }
}

#[test]
fn each_of_eight_creations_at_once_gets_a_number_of_its_own() {
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = Worldly::start(&json!({}));
    let mut numbers = std::thread::scope(|scope| {
        let make = |nth: usize| {
            let head = format!("head=branch-{nth}");
            lab.json(
                &gh,
                &[
                    "api",
                    "repos/o/r/pulls",
                    "-f",
                    "title=T",
                    "-f",
                    &head,
                    "-f",
                    "base=main",
                ],
            )["number"]
                .as_i64()
        };
        let all: Vec<_> = (0..8).map(|nth| scope.spawn(move || make(nth))).collect();
        all.into_iter()
            .filter_map(|one| one.join().expect("gh ends"))
            .collect::<Vec<i64>>()
    });
    numbers.sort_unstable();
    assert_eq!(numbers, (6..14).collect::<Vec<i64>>());
}

#[test]
fn a_host_has_pull_requests_and_repositories_of_its_own() {
    for gh in lab::gh_binaries() {
        let bares = Bares::make();
        let head = bares.commit("a.txt", "1\n", "Add a");
        bares.push("../o/r.git", "topic");
        let lab =
            Worldly::start(&json!({ "hosts": { "ghe.example.com": { "gitRoot": bares.root } } }));
        let post = [
            "api",
            "--hostname",
            "ghe.example.com",
            "repos/o/r/pulls",
            "-f",
            "title=T",
            "-f",
            "head=topic",
            "-f",
            "base=main",
        ];
        let made = lab.json(&gh, &post);
        assert_eq!(
            json!([made["number"], made["head"]["sha"], made["user"]["login"]]),
            json!([6, head, "octo-work"])
        );
        let view = |repo: &str| {
            lab.json(
                &gh,
                &[
                    "pr",
                    "view",
                    "6",
                    "-R",
                    repo,
                    "--json",
                    "title,headRefOid,commits",
                ],
            )
        };
        let there = view("ghe.example.com/o/r");
        assert_eq!(
            json!([
                there["title"],
                there["headRefOid"],
                there["commits"][0]["messageHeadline"]
            ]),
            json!(["T", head, "Add a"])
        );
        // On an enterprise host gh finds users, teams and labels by other requests.
        bares.push("../o/r.git", "branch");
        let ran = lab.lab.gh(
            &gh,
            &CREATE
                .iter()
                .map(|word| match *word {
                    "o/r" => "ghe.example.com/o/r",
                    "octo:branch" => "branch",
                    word => word,
                })
                .collect::<Vec<_>>(),
        );
        assert_eq!(
            (ran.code, ran.stdout.trim()),
            (Some(0), "https://ghe.example.com/o/r/pull/7"),
            "{}",
            ran.stderr
        );
        let seen = lab.json(
            &gh,
            &[
                "pr",
                "view",
                "7",
                "-R",
                "ghe.example.com/o/r",
                "--json",
                FIELDS,
            ],
        );
        let people = json!([
            seen["reviewRequests"][0]["login"],
            seen["assignees"][0]["login"],
            seen["labels"][0]["name"]
        ]);
        assert_eq!(people, json!(["kim", "octo-work", "bug"]));
        // Number 6 of the other host is made up, as ever.
        assert_ne!(view("o/r")["headRefOid"], head);
    }
}

#[test]
fn a_lab_that_forgets_answers_a_creation_and_keeps_nothing() {
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = lab::Lab::start(&["--forget"]);
    for _ in 0..2 {
        let ran = lab.gh(&gh, CREATE);
        assert_eq!(
            (ran.code, ran.stdout.trim()),
            (Some(0), "https://github.com/o/r/pull/6"),
            "{}",
            ran.stderr
        );
    }
}

/// Two bare repositories below `root`: `o/r` with a commit on main and a branch, and its fork `octo/fork`.
struct Bares {
    root: PathBuf,
}

impl Bares {
    fn make() -> Self {
        let bares = Self {
            root: lab::fresh_dir(),
        };
        bares.git(&["init", "-q", "--bare", "-b", "main", "o/r.git"]);
        bares.git(&["init", "-q", "--bare", "-b", "main", "octo/fork.git"]);
        bares.git(&["init", "-q", "-b", "main", "work"]);
        bares.commit("README", "one\n", "Begin");
        bares.git(&["-C", "work", "push", "-q", "../o/r.git", "main"]);
        bares.git(&[
            "-C",
            "work",
            "push",
            "-q",
            "../octo/fork.git",
            "main",
            "main:branch",
        ]);
        bares
    }

    fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command
            .current_dir(&self.root)
            .args(args)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        for name in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{name}_NAME"), "Kim")
                .env(format!("GIT_{name}_EMAIL"), "kim@example.com");
        }
        let output = command.output().expect("git runs");
        assert!(
            output.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Commits `file` in the work tree and returns the commit.
    fn commit(&self, file: &str, text: &str, message: &str) -> String {
        std::fs::write(self.root.join("work").join(file), text).expect("a file can be written");
        self.git(&["-C", "work", "add", "."]);
        self.git(&["-C", "work", "commit", "-q", "-m", message]);
        self.git(&["-C", "work", "rev-parse", "HEAD"])
    }

    fn push(&self, to: &str, branch: &str) {
        self.git(&[
            "-C",
            "work",
            "push",
            "-q",
            "-f",
            to,
            &format!("HEAD:refs/heads/{branch}"),
        ]);
    }

    fn world(&self) -> Value {
        json!({ "gitRoot": self.root, "repos": {
            "o/r": { "viewerPermission": "READ" },
            "octo/fork": { "isFork": true, "parent": "o/r" },
        } })
    }
}

impl Drop for Bares {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

const OIDS: &str = "{ repository(owner: \"o\", name: \"r\") { ref(qualifiedName: \"refs/heads/main\") { name target { oid } } none: ref(qualifiedName: \"refs/heads/none\") { name } defaultBranchRef { name target { oid } } pullRequest(number: 6) { headRefOid baseRefOid headRef { target { oid ... on Commit { messageHeadline } } } baseRef { compare(headRef: \"octo:branch\") { aheadBy behindBy commits(first: 9) { totalCount } } } additions changedFiles commits(first: 9) { totalCount nodes { commit { oid messageHeadline } } } headRepository { nameWithOwner isFork parent { nameWithOwner viewerPermission } } } } }";

#[test]
fn branches_are_read_from_bare_repositories_at_each_request() {
    for gh in lab::gh_binaries() {
        let bares = Bares::make();
        let lab = Worldly::start(&bares.world());
        let args: Vec<&str> = CREATE.to_vec();
        let ran = lab.lab.gh(&gh, &args);
        assert!(
            ran.code == Some(1)
                && ran
                    .stderr
                    .contains("No commits between o:main and octo:branch"),
            "{}",
            ran.stderr
        );
        let base = bares.git(&["-C", "work", "rev-parse", "HEAD"]);
        let first = bares.commit("a.txt", "1\n2\n", "Add a\n\nWith a body.");
        bares.push("../octo/fork.git", "branch");
        let ran = lab.lab.gh(&gh, &args);
        assert_eq!(
            (ran.code, ran.stdout.trim()),
            (Some(0), "https://github.com/o/r/pull/6"),
            "{}",
            ran.stderr
        );
        assert_eq!(
            bares.git(&["--git-dir", "o/r.git", "rev-parse", "refs/pull/6/head"]),
            first
        );
        let check = |head: &str, count: usize, additions: usize| {
            let seen = lab.data(&gh, OIDS)["repository"].clone();
            let pull = &seen["pullRequest"];
            let reference = json!({ "name": "main", "target": { "oid": base } });
            assert_eq!(
                json!([seen["ref"], seen["none"], seen["defaultBranchRef"]]),
                json!([reference, null, reference])
            );
            let oids = json!([
                pull["headRefOid"],
                pull["headRef"]["target"]["oid"],
                pull["baseRefOid"]
            ]);
            assert_eq!(oids, json!([head, head, base]));
            let compared = json!({ "compare": { "aheadBy": count, "behindBy": 0, "commits": { "totalCount": count } } });
            assert_eq!(pull["baseRef"], compared);
            let counts = json!([
                pull["commits"]["totalCount"],
                pull["additions"],
                pull["changedFiles"]
            ]);
            assert_eq!(counts, json!([count, additions, count]));
            assert_eq!(
                pull["headRepository"],
                json!({ "nameWithOwner": "octo/fork", "isFork": true, "parent": { "nameWithOwner": "o/r", "viewerPermission": "READ" } })
            );
        };
        check(&first, 1, 2);
        let second = bares.commit("b.txt", "3\n", "Add b");
        bares.push("../octo/fork.git", "branch");
        check(&second, 2, 3);
        rest_shows(&lab, &gh, &base, &second);
        // The head branch is gone, then its repository.
        bares.git(&["--git-dir", "octo/fork.git", "branch", "-q", "-D", "branch"]);
        let gone = lab.data(&gh, OIDS)["repository"]["pullRequest"].clone();
        assert_eq!(
            json!([gone["headRef"], gone["headRefOid"]]),
            json!([null, first])
        );
    }
}

fn rest_shows(lab: &Worldly, gh: &Path, base: &str, head: &str) {
    let get = |path: &str| lab.json(gh, &["api", path]);
    assert_eq!(get("repos/o/r/git/ref/heads/main")["object"]["sha"], base);
    assert_eq!(
        get("repos/octo/fork/branches/branch")["commit"]["sha"],
        head
    );
    assert_eq!(get("repos/o/r/pulls/6")["head"]["sha"], head);
    assert_eq!(get("repos/o/r/pulls?head=octo%3Abranch")[0]["number"], 6);
    assert_eq!(get("repos/o/r")["permissions"]["push"], false);
    assert_eq!(get("repos/octo/fork")["parent"]["full_name"], "o/r");
    let compared = get("repos/o/r/compare/main...octo%3Afork%3Abranch");
    let counts =
        ["ahead_by", "behind_by", "total_commits", "status"].map(|name| compared[name].clone());
    assert_eq!(json!(counts), json!([2, 0, 2, "ahead"]));
    assert_eq!(
        compared["commits"][0]["commit"]["message"],
        "Add a\n\nWith a body."
    );
    assert_eq!(compared["commits"][1]["sha"], head);
    let files: Vec<Value> = compared["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| {
            json!([
                file["filename"],
                file["status"],
                file["additions"],
                file["deletions"]
            ])
        })
        .collect();
    assert_eq!(
        files,
        [
            json!(["a.txt", "added", 2, 0]),
            json!(["b.txt", "added", 1, 0])
        ]
    );
    for missing in [
        "repos/o/r/branches/none",
        "repos/o/r/git/ref/heads/none",
        "repos/o/r/compare/main...none",
    ] {
        let ran = lab.lab.gh(gh, &["api", missing]);
        assert!(ran.stderr.contains("HTTP 404"), "{missing}: {}", ran.stderr);
    }
    let known = format!(
        "{{ repository(owner: \"octo\", name: \"fork\") {{ a: object(oid: \"{head}\") {{ oid ... on Commit {{ messageHeadline }} }} b: object(expression: \"branch:a.txt\") {{ __typename }} c: object(oid: \"{}\") {{ oid }} }} }}",
        "0".repeat(40)
    );
    let found = lab.data(gh, &known)["repository"].clone();
    assert_eq!(
        found,
        json!({ "a": { "oid": head, "messageHeadline": "Add b" }, "b": { "__typename": "Blob" }, "c": null })
    );
}
