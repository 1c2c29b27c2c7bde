use proptest::prelude::*;

use super::*;

const KINDS: [Kind; 5] = Kind::ALL;

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_780_000_000, 0).expect("a moment")
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "each argument of a search may be absent"
)]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn asks(query: &str) -> Arguments {
    Arguments {
        query: some(query),
        ..Arguments::default()
    }
}

fn made(kind: Kind, arguments: &Arguments, repo: Option<&str>) -> String {
    text(kind, arguments, repo, now()).unwrap_or_else(|refusal| panic!("{}", refusal.message))
}

/// Checks that the search is refused with two lines, of which one holds `part`.
fn refuses(kind: Kind, arguments: &Arguments, part: &str) {
    let refusal = text(kind, arguments, Some("o/r"), now()).expect_err(part);
    assert_eq!(refusal.kind, ErrorKind::BadArgument);
    assert!(refusal.message.contains(part), "{}", refusal.message);
    assert_eq!(refusal.message.lines().count(), 2, "{}", refusal.message);
}

#[test]
fn the_text_has_the_query_the_dates_the_repository_and_the_kind() {
    let arguments = Arguments {
        since: some("2026-01-01"),
        until: some("2026-02-01"),
        author: some("mona"),
        label: some("bug"),
        ..asks("rows cut")
    };
    assert_eq!(
        made(Kind::PullRequests, &arguments, Some("o/r")),
        "rows cut created:2026-01-01..2026-02-01 repo:o/r author:mona label:\"bug\" is:pr"
    );
    assert_eq!(
        made(Kind::Issues, &asks("x"), Some("o/r")),
        "x repo:o/r is:issue"
    );
    assert_eq!(made(Kind::Issues, &Arguments::default(), None), "is:issue");
    assert_eq!(made(Kind::Code, &asks("x"), Some("o/r")), "x repo:o/r");
    assert_eq!(
        made(Kind::Commits, &Arguments::default(), Some("o/r")),
        "repo:o/r"
    );
    // A repository is not looked for in a repository.
    assert_eq!(made(Kind::Repositories, &asks("x"), Some("o/r")), "x");
}

#[test]
fn each_kind_has_its_own_dates() {
    for (kind, field, expect) in [
        (Kind::PullRequests, None, "created:>=2026-01-01 is:pr"),
        (
            Kind::PullRequests,
            some("created"),
            "created:>=2026-01-01 is:pr",
        ),
        (
            Kind::Issues,
            some("updated"),
            "updated:>=2026-01-01 is:issue",
        ),
        (Kind::Commits, None, "committer-date:>=2026-01-01"),
        (
            Kind::Commits,
            some("created"),
            "committer-date:>=2026-01-01",
        ),
        (
            Kind::Commits,
            some("updated"),
            "committer-date:>=2026-01-01",
        ),
        (Kind::Repositories, None, "created:>=2026-01-01"),
        (Kind::Repositories, some("updated"), "pushed:>=2026-01-01"),
    ] {
        let arguments = Arguments {
            since: some("2026-01-01"),
            date_field: field,
            ..Arguments::default()
        };
        assert_eq!(made(kind, &arguments, None), expect);
    }
    let until = Arguments {
        until: some("2026-01-01"),
        ..Arguments::default()
    };
    assert_eq!(
        made(Kind::Issues, &until, None),
        "created:<=2026-01-01 is:issue"
    );
    refuses(
        Kind::Code,
        &Arguments {
            until: some("3d"),
            ..asks("x")
        },
        "code search knows no dates",
    );
    refuses(
        Kind::Issues,
        &Arguments {
            date_field: some("pushed"),
            ..asks("x")
        },
        "created or updated",
    );
}

#[test]
fn what_is_missing_is_said() {
    refuses(Kind::Code, &asks(" \n"), "A search for code needs `query'");
    refuses(
        Kind::Repositories,
        &Arguments::default(),
        "needs `query', `since' or `until'",
    );
    let commits = text(Kind::Commits, &Arguments::default(), None, now());
    assert!(commits.is_err_and(|refusal| refusal.message.contains("nothing to search for")));
}

#[test]
fn authors_and_labels_belong_to_some_kinds_alone() {
    let author = |login: &str| Arguments {
        author: some(login),
        ..asks("x")
    };
    for (login, expect) in [
        ("mona", "author:mona"),
        ("@mona", "author:mona"),
        ("@me", "author:@me"),
        ("app/dependabot", "author:app/dependabot"),
        ("dependabot[bot]", "author:dependabot[bot]"),
        ("mona_acme", "author:mona_acme"),
    ] {
        assert_eq!(
            made(Kind::Commits, &author(login), None),
            format!("x {expect}")
        );
    }
    refuses(Kind::Code, &author("mona"), "code search knows no authors");
    refuses(
        Kind::Repositories,
        &author("mona"),
        "has an owner and no author",
    );
    for login in [
        "",
        "a b",
        "a\nrepo:evil/r",
        "a repo:evil/r",
        "a\"",
        "-x",
        "a:b",
        "@",
        "app/",
        "[bot]",
        "mo/na",
        "*",
    ] {
        refuses(Kind::Issues, &author(login), "`author' is no login");
    }
    let label = |names: &str| Arguments {
        label: some(names),
        ..asks("x")
    };
    for (names, expect) in [
        ("bug", "label:\"bug\""),
        ("good first issue", "label:\"good first issue\""),
        ("area: parser", "label:\"area: parser\""),
        ("bug, ui,", "label:\"bug\" label:\"ui\""),
        ("5\"disk", "label:\"5\\\"disk\""),
        ("repo:evil/r", "label:\"repo:evil/r\""),
        ("a\\b", "label:\"a\\\\b\""),
    ] {
        assert_eq!(
            made(Kind::Issues, &label(names), None),
            format!("x {expect} is:issue")
        );
    }
    for names in [
        "a\" repo:evil/r",
        "a\"b:c",
        "a\nb",
        "a\\\" OR \"b",
        "a\u{1b}b",
    ] {
        refuses(Kind::Issues, &label(names), "`label' holds");
    }
    refuses(Kind::Issues, &label(" , "), "names no label");
    for kind in [Kind::Code, Kind::Commits, Kind::Repositories] {
        refuses(
            kind,
            &label("bug"),
            "Only issues and pull requests have labels",
        );
    }
}

#[test]
fn a_query_that_says_where_to_look_is_scoped() {
    for query in [
        "repo:o/r",
        "x org:acme",
        "user:mona y",
        "owner:mona",
        "REPO:o/r",
        "-repo:o/r x",
        "NOT repo:o/r",
        "(repo:a/b OR repo:c/d)",
        "repo:\"o/r\"",
        "a\nrepo:o/r",
        "\"a b\" repo:o/r",
        "-(org:acme x)",
    ] {
        assert!(is_scoped(query), "{query}");
    }
    for query in [
        "",
        "x",
        "repo",
        "repo:",
        "\"see repo:o/r here\"",
        "in:title",
        "https://x/repo:o/r",
        "myrepo:o/r",
        "label:\"repo:x y\"",
        "topic:org",
    ] {
        assert!(!is_scoped(query), "{query}");
    }
}

#[test]
fn a_repository_beside_a_query_that_looks_elsewhere_is_refused() {
    let given = |query: &str| Arguments {
        repo: some("ghe.example.com/o/r"),
        ..asks(query)
    };
    assert_eq!(
        made(Kind::Issues, &given("x repo:O/R"), Some("o/r")),
        "x repo:O/R repo:o/r is:issue"
    );
    for query in [
        "repo:o/other",
        "org:acme",
        "-repo:o/r",
        "NOT repo:o/r",
        "repo:o/r repo:a/b",
    ] {
        refuses(
            Kind::Issues,
            &given(query),
            "Both `repo' and `query' say where to search",
        );
    }
    assert_eq!(
        made(Kind::Repositories, &given("org:acme"), None),
        "org:acme"
    );
}

#[test]
fn no_query_passes_over_the_qualifiers_that_follow() {
    let text = |query: &str| made(Kind::Issues, &asks(query), Some("o/r"));
    assert_eq!(text("a OR b"), "(a OR b) repo:o/r is:issue");
    assert_eq!(text("(a OR b) c"), "((a OR b) c) repo:o/r is:issue");
    assert_eq!(
        text("\"a OR b\" f(x) or :)"),
        "\"a OR b\" f(x) or :) repo:o/r is:issue"
    );
    assert_eq!(text("a\nb\tc"), "a b c repo:o/r is:issue");
    assert_eq!(
        made(Kind::Code, &asks("a OR b"), Some("o/r")),
        "a OR b repo:o/r"
    );
    for query in ["a) OR (b", "(a OR b", "a OR b)"] {
        refuses(
            Kind::Issues,
            &asks(query),
            "brackets in `query' are not in pairs",
        );
    }
    for query in ["\"a", "a\" b", "\"a\\\"", "\"5\\\" disk\""] {
        refuses(Kind::Issues, &asks(query), "quote in `query' is open");
    }
}

#[test]
fn a_limit_is_rounded_down_and_held_within_its_bounds() {
    for (given, expect) in [
        (None, 10),
        (Some("1"), 1),
        (Some("10.7"), 10),
        (Some(" 10 "), 10),
        (Some("1.0"), 1),
        (Some("50"), 50),
        (Some("51"), 50),
        (Some("1e30"), 50),
    ] {
        assert_eq!(limit(given), Ok(expect), "{given:?}");
    }
    for given in [
        "0", "-1", "0.9", "-0.0", "NaN", "inf", "1.0e+INF", "ten", "", "10 20",
    ] {
        let refusal = limit(Some(given)).expect_err(given);
        assert!(
            refusal.message.contains("greater than zero"),
            "{}",
            refusal.message
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_argument_but_the_query_adds_a_word(
        since in "(?s)[ -~\\n\"\u{e9}]{0,12}|3d", author in "(?s)[ -~\\n\"\u{e9}]{0,12}|mona|mona repo:evil/r", label in "(?s)[ -~\\n\"\\\\:]{0,12}|x\" repo:evil/r", nth in 0usize..2,
    ) {
        let arguments = Arguments { since: Some(since), author: Some(author), label: Some(label.clone()), ..asks("x") };
        if let Ok(text) = text(KINDS[nth], &arguments, Some("o/r"), now()) {
            let labels = label.split(',').filter(|name| !name.trim().is_empty()).count();
            let words: Vec<&str> = words(&text).collect();
            // The query, the date, the repository, the author, the kind.
            prop_assert_eq!(words.len(), 5 + labels, "{}", text);
            prop_assert_eq!(places(&text).len(), 1, "{}", text);
            prop_assert!(!text.contains('\n'));
        }
    }

    #[test]
    fn any_query_gives_one_line_or_a_refusal(query in "(?s).{0,40}|[a-zO(R )\"\\\\:/-]{0,30}", nth in 0usize..5) {
        if let Ok(text) = text(KINDS[nth], &asks(&query), Some("o/r"), now()) {
            prop_assert!(!text.chars().any(char::is_control));
            // The words that follow the query stand outside of its quotes.
            if let Some(qualifier) = KINDS[nth].qualifier() {
                prop_assert_eq!(words(&text).last(), Some(qualifier));
            }
        }
    }
}
