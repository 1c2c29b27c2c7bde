//! The part of a GraphQL query that finds one pull request: by its number, or by its head branch.

use serde_json::Value;

use super::subject::Subject;
use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;

/// Pull requests of one head branch that are read, the newest first: forks of many people have a branch `patch-1' or `main', and one of
/// them is meant.  gh itself reads 30 (2.92.0).
pub(super) const OF_BRANCH: u32 = 20;

/// The jq function `shorter($n)` cuts a text to `$n` of the bytes that gh prints for it, where `<`, `>` and `&` take six each.  What is cut
/// ends in `[…]`, without the word that the cut halves, which may be half a secret.
pub(super) const SHORTER: &str = r#"def bytes: tojson | gsub("[<>&]"; "------") | utf8bytelength; def cut($n): .[0:$n] | until(bytes <= $n; .[0:($n * length / bytes | floor)]); def shorter($n): . // "" | . as $all | cut($n) | if length == ($all | length) then . else sub("[!-~]*$"; "") + "[…]" end;"#;

/// The argv of the request called `name` for `fields` of the pull request that `subject` names; `filter` is the jq filter that gets the
/// pull request, or an empty object where the branch has none.
pub(super) fn argv(
    query: Query<'_>,
    subject: &Subject,
    name: &str,
    fields: &str,
    filter: &str,
) -> Vec<String> {
    argv_beside(query, subject, name, fields, "", filter)
}

/// As [`argv`], with `beside`, further fields of the root.  In `filter`, `$answer` is GitHub's whole answer.
pub(super) fn argv_beside(
    mut query: Query<'_>,
    subject: &Subject,
    name: &str,
    fields: &str,
    beside: &str,
    filter: &str,
) -> Vec<String> {
    query.repository();
    let (place, pick) = if let Thing::Branch(branch) = &subject.thing {
        let (owner, branch) = subject.head(branch);
        query.text("branch", "String!", branch);
        // A JSON string is the same string in jq: JSON escapes each backslash, so no `\(' starts an interpolation (jq manual).
        let owner = Value::from(owner);
        (
            format!(
                "pullRequests(headRefName:$branch,first:{OF_BRANCH},orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{headRepositoryOwner{{login}} state {fields}}}}}"
            ),
            format!(
                ".data.repository.pullRequests.nodes | map(select((.headRepositoryOwner.login // \"\" | ascii_downcase) == {owner})) | (map(select(.state == \"OPEN\")) + .)[0]"
            ),
        )
    } else {
        query.number(subject.number());
        (
            format!("pullRequest(number:$number){{{fields}}}"),
            ".data.repository.pullRequest".to_owned(),
        )
    };
    let root = format!("repository(owner:$owner,name:$repo){{{place}}}{beside}");
    let whole = if beside.is_empty() {
        ""
    } else {
        ". as $answer | "
    };
    let filter = format!("{whole}{pick} | if . == null then {{}} else ({filter}) end");
    query.argv(name, &root, Some(&filter))
}

/// The pull request in GitHub's whole `answer`, which gh prints unfiltered where a part of the request failed; `Null` where there is none.
pub(super) fn in_whole_answer<'a>(answer: &'a Value, subject: &Subject) -> &'a Value {
    let repository = &answer["data"]["repository"];
    let Thing::Branch(branch) = &subject.thing else {
        return &repository["pullRequest"];
    };
    let (owner, _) = subject.head(branch);
    meant(&repository["pullRequests"], &owner).unwrap_or(&Value::Null)
}

/// Of the pull requests in `connection`, all of one branch's name, the one whose head belongs to `owner`: an open one, else the first.
pub(super) fn meant<'a>(connection: &'a Value, owner: &str) -> Option<&'a Value> {
    let all = || {
        let nodes = connection["nodes"].as_array();
        nodes.into_iter().flatten().filter(|pull| {
            let login = pull["headRepositoryOwner"]["login"].as_str();
            login.is_some_and(|login| login.eq_ignore_ascii_case(owner))
        })
    };
    all()
        .find(|pull| pull["state"] == "OPEN")
        .or_else(|| all().next())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::gate::{Source, Target};
    use serde_json::json;

    /// `thing` of acme/site on github.com.
    pub(in crate::gh::tools) fn subject(thing: Thing) -> Subject {
        let target = Target {
            host: "github.com".into(),
            owner: Some("acme".into()),
            repo: Some("site".into()),
            account: None,
            source: Source::ExplicitRepo,
        };
        Subject { thing, target }
    }

    #[test]
    fn of_several_with_one_branch_the_open_one_of_the_owner_is_meant() {
        let pull = |number: u64, owner: &str, state: &str| json!({"number": number, "state": state, "headRepositoryOwner": {"login": owner}});
        let answer = json!({"data": {"repository": {"pullRequests": {"nodes": [
            pull(5, "mona", "OPEN"), pull(4, "Acme", "CLOSED"), pull(3, "acme", "OPEN"), pull(2, "acme", "OPEN"),
        ]}}}});
        let number = |branch: &str| {
            in_whole_answer(&answer, &subject(Thing::Branch(branch.into())))["number"].as_u64()
        };
        assert_eq!(number("fix"), Some(3));
        assert_eq!(number("MONA:fix"), Some(5));
        assert_eq!(number("kim:fix"), None);
    }

    #[test]
    fn no_text_from_outside_stands_in_the_query() {
        let branch = "x\"){evil}";
        let argv = argv(
            Query::new("github.com"),
            &subject(Thing::Branch(branch.into())),
            "Q",
            "number",
            ".",
        );
        let query = argv.iter().find(|word| word.starts_with("query="));
        assert!(!query.expect("a query").contains("evil"));
        assert!(argv.contains(&format!("branch={branch}")));
    }
}
