//! How calls of `gh api` are judged, with their GraphQL documents and jq programs.

use cj_gate::gate::Class;
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::judge::graphql::{self, Document};
use cj_gate::gh::judge::jq::{self, Program};

use super::classify::check;

fn graphql(document: &str) -> Class {
    let argv = ["api", "graphql", "-f", &format!("query={document}")].map(str::to_owned);
    classify(&argv).class
}

#[test]
fn the_last_method_wins_in_any_spelling_and_case() {
    check(
        Class::Destructive,
        &[
            "api repos/o/r -XDELETE",
            "api repos/o/r --method=DELETE",
            "api repos/o/r -X GET -X DELETE",
            "api repos/o/r -iX delete",
            "-X DELETE api repos/o/r",
        ],
    );
    check(
        Class::Write,
        &[
            "api x -X HEAD --method PATCH",
            "api x -f a=b -X get -X post",
            "api x -X Put",
        ],
    );
    check(
        Class::Read,
        &[
            "api x -X get",
            "api x -X POST -X GET -f a=b",
            "api x -X head",
            "api x --method=",
        ],
    );
    check(
        Class::Unknown,
        &[
            "api x -X PURGE",
            "api x -X FOO",
            "api",
            "api a b",
            "api x -f a",
        ],
    );
}

#[test]
fn a_file_is_never_sent_whatever_the_method() {
    check(
        Class::Blocked,
        &[
            "api x -F k=@f",
            "api x -X GET -F k=@f",
            "api x -F k[]=@f",
            "api x -F k[a]=@f",
            "api x -Fk=@-",
            "api x --input -",
            "api x -X GET --input=f",
            "workflow run w -F k=@f",
        ],
    );
    check(
        Class::Write,
        &[
            "api x -f k=@f",
            "api x -F k=b=@f",
            "workflow run w -f k=@f",
            "api x -F a[]",
        ],
    );
    check(
        Class::Read,
        &["api repos/o/r/contents/@f", "api x -X GET -F k=b=@f"],
    );
}

#[test]
fn headers_that_do_more_than_shape_the_answer_are_not_reads() {
    check(
        Class::Read,
        &[
            "api x -H Accept:y",
            "api x -H X-GitHub-Api-Version:2022-11-28",
            "api x --header=If-None-Match:z",
        ],
    );
    check(
        Class::Blocked,
        &[
            "api x -H Authorization:y",
            "api x -H cookie:y",
            "api x --header=AUTHORIZATION:y",
        ],
    );
    check(
        Class::Unknown,
        &[
            "api x -H X-HTTP-Method-Override:DELETE",
            "api x -H Host:y",
            "api x -H nocolon",
        ],
    );
    let two = ["api", "x", "-H", "Accept: a\r\nAuthorization: b"].map(str::to_owned);
    assert_eq!(classify(&two).class, Class::Blocked);
}

#[test]
fn a_full_url_stays_on_github_or_is_refused() {
    check(
        Class::Read,
        &[
            "api https://api.github.com/user",
            "api //evil.example/x",
            "api /user",
        ],
    );
    check(
        Class::Blocked,
        &[
            "api https://evil.example/?d=x",
            "api https://api.github.com.evil.example/",
            "api https://api.github.com@evil.example/",
            "api http://api.github.com/user",
            "api http://127.0.0.1:8080/",
            "api HTTPS://evil.example/",
            "api ftp://x/y",
        ],
    );
    check(Class::Unknown, &["api x?u=https://y"]);
}

#[test]
fn only_one_plain_query_is_a_graphql_read() {
    assert_eq!(graphql("{viewer{login}}"), Class::Read);
    assert_eq!(
        graphql("query A($n:Int!){viewer{...F}} fragment F on User{login}"),
        Class::Read
    );
    assert_eq!(
        graphql("query($x:String=\"mutation{deleteRef}\"){viewer{login}}"),
        Class::Read
    );
    assert_eq!(
        graphql("mutation{addStar(input:{starrableId:\"R\"}){clientMutationId}}"),
        Class::Write
    );
    assert_eq!(
        graphql("mutation query{addStar(input:{}){id}}"),
        Class::Write
    );
    assert_eq!(
        graphql("# query\nmutation{addStar(input:{}){id}}"),
        Class::Write
    );
    assert_eq!(
        graphql("#query{a}\rmutation{addStar(input:{}){id}}"),
        Class::Write
    );
    assert_eq!(
        graphql("mutation{x:deleteRef(input:{refId:\"R\"}){clientMutationId}}"),
        Class::Destructive
    );
    assert_eq!(
        graphql("mutation{...on Mutation{deleteRef(input:{}){id}}}"),
        Class::Destructive
    );
    assert_eq!(
        graphql("mutation{...F} fragment F on Mutation{deleteRef(input:{}){id}}"),
        Class::Destructive
    );
    for odd in [
        "",
        "{",
        "}",
        "subscription{x}",
        "query A{a} query B{b}",
        "fragment F on User{login}",
        "\"\"\"",
        "mutation",
    ] {
        assert_eq!(graphql(odd), Class::Unknown, "{odd}");
    }
}

#[test]
fn a_graphql_document_from_elsewhere_is_not_a_read() {
    check(
        Class::Unknown,
        &[
            "api graphql",
            "api graphql -X GET -f query={a}",
            "api graphql -f query={a} -f query={b}",
            "api graphql -f query[]={a}",
            "api graphql -F query={a{branch}}",
            "api /graphql -f query={a}",
            "api graphql/ -f query={a}",
            "api graphql?x -f query={a}",
            "api %67raphql -f query={a}",
            "api a/../graphql -f query={a}",
            "api api/graphql -f query={a}",
        ],
    );
    check(
        Class::Blocked,
        &[
            "api graphql -F query=@f",
            "api graphql -f query={a} -F x=@f",
            "api graphql --input f",
        ],
    );
    check(
        Class::Destructive,
        &["api //GraphQL -f query=mutation{deleteRef}"],
    );
    // A repository may have the name `graphql`.
    check(
        Class::Read,
        &["api repos/graphql/graphql-js", "api repos/o/graphql"],
    );
    check(
        Class::Read,
        &["api graphql -f query={a} -F n=5 -f variables=x"],
    );
}

#[test]
fn jq_programs_that_reach_the_environment_are_refused() {
    for program in [
        "env",
        "$ENV",
        ".a|env.GH_TOKEN",
        "\"\\(env.HOME)\"",
        "\"a\\(\"b\\($ENV)\")\"",
        "{\"a\":env}",
        "{a:env}",
        "-env",
        "env#x",
        "try error(env) catch .",
        "..|env",
        "..env",
        "1.env",
        "def f: env; f",
        "@base64 \"\\(env)\"",
        "[$ENV.PATH]",
        "# \" \nenv",
        "\"unclosed env",
        "(env",
        "$__loc__|env",
        "reduce env as $x (0;1)",
        ". env",
        "$ ENV",
        "{env: env}",
        "{(env | tojson): 1}",
        "{a: if . then 1, env else 2 end}",
        "{a: if . then 1, env, 2 else 3 end}",
        "[1, env]",
        "{a: (1, env)}",
        "{env} + env",
        ". as {env: $x} | env",
    ] {
        assert_eq!(jq::judge(program), Program::ReadsEnvironment, "{program}");
    }
}

#[test]
fn jq_programs_that_only_mention_env_as_a_field_or_text_are_clean() {
    for program in [
        ".env",
        ".environment",
        ".a.env",
        ".a1.env",
        ".[0].env",
        ".[\"env\"]",
        "\"env\"",
        ".name | test(\"ENV\")",
        "$environment",
        "$ENVIRON",
        ". as $env | $env",
        "environments",
        "my_env",
        "{env}",
        "{env: .name}",
        "{ env : .name }",
        ".[] | {name, env: .environment}",
        "{env, name}",
        ".[] | select(.a == \"x\") | {title, url}",
        "\"\\(.title) (\\(.n))\"",
        "",
    ] {
        assert_eq!(jq::judge(program), Program::Clean, "{program}");
    }
    for program in ["(", ".a)", "\"x", "[}"] {
        assert!(
            matches!(jq::judge(program), Program::Unclear(_)),
            "{program}"
        );
    }
}

#[test]
fn nothing_overflows_a_small_stack() {
    let brackets = [
        "(",
        "[",
        "{",
        "\"\\(",
        "(a:[",
        "{a(b:{c:",
        "query{a",
        "...on X{",
        "\"\"\"",
        "#",
        "{a(b:\"}\")",
    ];
    let depths = [1, 10, 31, 63, 64, 65, 100, 100_000];
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || {
            for bracket in brackets {
                for depth in depths {
                    let text = bracket.repeat(depth);
                    let document = graphql::judge(&text);
                    assert!(
                        depth == 1 || matches!(document, Document::Unclear(_)),
                        "{bracket} {depth}: {document:?}"
                    );
                    let _ = jq::judge(&text);
                    let mut fits = format!("query={text}");
                    fits.truncate(131_071);
                    let argv = [
                        "api".into(),
                        "graphql".into(),
                        "-f".into(),
                        fits.clone(),
                        "--jq".into(),
                        fits,
                    ];
                    assert_ne!(classify(&argv).class, Class::Read, "{bracket} {depth}");
                }
            }
            // With its brackets closed, so that the parser goes as deep as its own limit lets it.
            for (open, middle, close) in [
                ("{a", "", "}"),
                ("{a(b:[", "1", "]){c}}"),
                ("{a(b:{c:", "1", "}){d}}"),
                ("{...on X", "{a}", "}"),
            ] {
                for depth in depths {
                    let text = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
                    let _ = graphql::judge(&text);
                }
            }
            let nested = |open: &str, close: &str, levels: usize| {
                format!(
                    "{{a(b:{}1{}){{c}}}}",
                    open.repeat(levels),
                    close.repeat(levels)
                )
            };
            assert_eq!(graphql::judge(&nested("[", "]", 40)), Document::Query);
            assert_eq!(graphql::judge(&nested("{c:", "}", 40)), Document::Query);
            assert_eq!(
                graphql::judge(&format!("{}{}", "{a".repeat(40), "}".repeat(40))),
                Document::Query
            );
        })
        .expect("a thread can be started")
        .join()
        .expect("no panic, and no overflow, which would have killed the process");
}

#[test]
fn a_graphql_comment_with_a_character_that_may_end_it_is_no_query() {
    for end in ['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}', '\u{0}'] {
        let document = format!("query A{{viewer{{login}}}} #{end}mutation B{{deleteIssue{{id}}}}");
        assert!(
            matches!(graphql::judge(&document), Document::Unclear(_)),
            "{end:?}"
        );
    }
    assert_eq!(
        graphql::judge("# a plain\tcomment, é\n{viewer{login}}"),
        Document::Query
    );
}

#[test]
fn an_endpoint_that_gh_fills_in_may_be_the_one_of_graphql() {
    let deletes = "query=mutation{deleteProjectV2(input:{projectId:\"x\"}){clientMutationId}}";
    for endpoint in [
        "{owner}",
        "graph{repo}",
        ":owner",
        "api/{repo}",
        "/{owner}/",
    ] {
        let argv = ["api", endpoint, "-f", deletes].map(str::to_owned);
        assert_eq!(classify(&argv).class, Class::Destructive, "{endpoint}");
    }
    check(
        Class::Write,
        &[
            "api repos/{owner}/{repo}/issues -f title=x",
            "api users/{owner}/x -f a=b",
        ],
    );
}
