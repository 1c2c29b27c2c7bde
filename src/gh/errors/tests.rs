use super::*;

fn run(stderr: &str) -> Run<'_> {
    Run {
        command: "pr view",
        host: "github.com",
        token_variable: None,
        exit: 1,
        has_output: false,
        stderr,
    }
}

fn told(run: &Run<'_>) -> Option<(&'static str, String)> {
    diagnose(run, &|s| s.to_owned()).map(|f| (f.kind.as_str(), f.message))
}

fn kind(run: &Run<'_>) -> &'static str {
    told(run).map_or("ok", |(kind, _)| kind)
}

#[test]
fn checks_that_fail_or_pend_are_data_not_an_error() {
    let checks = Run {
        command: "pr checks",
        has_output: true,
        ..run("")
    };
    assert_eq!(kind(&Run { exit: 8, ..checks }), "ok");
    assert_eq!(kind(&Run { exit: 1, ..checks }), "ok");
    assert_eq!(
        kind(&Run {
            exit: 1,
            has_output: false,
            ..checks
        }),
        "gh-exit"
    );
    assert_eq!(
        kind(&Run {
            command: "pr view",
            exit: 8,
            ..checks
        }),
        "gh-exit"
    );
    let failed = Run {
        stderr: "HTTP 401: Bad credentials (https://api.github.com/graphql)",
        ..checks
    };
    assert_eq!(kind(&failed), "auth");
}

#[test]
fn exit_two_is_cancelled_unless_gh_crashed() {
    let two = Run { exit: 2, ..run("") };
    assert_eq!(kind(&two), "cancelled");
    let panic = "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.main()\n";
    assert_eq!(
        kind(&Run {
            stderr: panic,
            ..two
        }),
        "gh-exit"
    );
}

#[test]
fn exit_four_is_a_missing_login_whatever_gh_says() {
    let four = Run {
        exit: 4,
        ..run("new words")
    };
    let (kind, message) = told(&four).expect("failed");
    assert_eq!(kind, "auth");
    assert!(message.contains("\nRun `gh auth login --hostname github.com` in a terminal."));
}

#[test]
fn the_kind_stays_the_same_for_a_name_that_holds_phrases_of_gh() {
    for (stderr, expect) in [
        (
            "no pull requests found for branch \"HTTP 401: x\"",
            "not-found",
        ),
        (
            "no pull requests found for branch \"x (HTTP 401)\"",
            "not-found",
        ),
        (
            "unknown command \"API rate limit exceeded\" for \"gh\"",
            "usage",
        ),
        (
            "invalid argument \"error connecting to x\" for \"-L, --limit\" flag: x",
            "usage",
        ),
        (
            "gh: title says Authorize in your web browser:  https://github.com/x (HTTP 404)",
            "not-found",
        ),
        ("could not do it for \"HTTP 401: x\"", "gh-exit"),
    ] {
        assert_eq!(kind(&run(stderr)), expect, "{stderr}");
    }
}

#[test]
fn what_gh_wrote_is_cleaned_kept_on_one_line_and_cut() {
    let long = format!("odd {}\nsecond", "x".repeat(1_000));
    let (_, message) = told(&run(&long)).expect("failed");
    assert!(message.lines().next().expect("a line").chars().count() < 420);
    assert!(!message.contains("second"));
    let masked =
        diagnose(&run("odd secret\r\u{1b}[2J"), &|s| s.replace("secret", "*")).expect("failed");
    assert_eq!(masked.message.lines().next(), Some("odd * [2J."));
    let (_, message) = told(&run("")).expect("failed");
    assert!(message.starts_with("gh exited with 1 and gave no reason.\n"));
}

#[test]
fn an_unknown_command_brings_only_the_help_of_its_group_as_it_may_be_an_extension() {
    let (_, message) = told(&run(
        "unknown command \"frob\" for \"gh pr\"\n\nUsage:  gh pr\n",
    ))
    .expect("failed");
    assert!(
        message.ends_with("\n`gh pr --help` lists the commands that there are."),
        "{message}"
    );
    let (kind, message) =
        told(&run("unknown command \"frob\" for \"gh; rm x\"\n")).expect("failed");
    assert!(kind == "usage" && !message.contains("`gh; rm"), "{message}");
}

#[test]
fn a_token_from_the_environment_is_named_because_a_login_alone_does_not_help() {
    let run = Run {
        token_variable: Some("GH_TOKEN"),
        ..run("HTTP 401: Bad credentials (https://api.github.com/graphql)")
    };
    let (_, message) = told(&run).expect("failed");
    assert!(message.contains("renew the token in GH_TOKEN"), "{message}");
    assert!(
        message.contains("`gh auth login --hostname github.com`"),
        "{message}"
    );
}
