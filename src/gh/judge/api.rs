//! `gh api`: what a call sends, from its method, fields, headers and endpoint, by gh's own rules.
//!
//! The last `--method` wins, in upper case.  Without one, any field makes gh send POST.  `-F KEY=@FILE` reads a file whatever the method is.

use super::finding::Finding;
use super::graphql::{self, Document};
use crate::gate::Class;
use crate::gh::parse::{Parsed, host};
use crate::text::escapes::percent_decoded;

/// Headers that only change the form of the answer.
const HARMLESS_HEADERS: &[&str] = &[
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "content-type",
    "if-modified-since",
    "if-none-match",
    "time-zone",
    "user-agent",
    "x-github-api-version",
    "x-github-next-global-id",
];

/// GraphQL documents of one call that are judged at most; gh itself sends one.
pub(super) const MOST_DOCUMENTS: usize = 16;

/// What gh puts the owner, the repository and the branch in place of.
pub(super) const PLACEHOLDERS: &[&str] = &[
    "{owner}", "{repo}", "{branch}", ":owner", ":repo", ":branch",
];

/// Headers that carry a credential.
const CREDENTIAL_HEADERS: &[&str] = &["authorization", "cookie", "proxy-authorization"];

/// Judges a whole call of `gh api`; an empty list means a plain read.
pub fn judge(call: &Parsed) -> Vec<Finding> {
    let mut found = Vec::new();
    judge_fields(call, &mut found);
    judge_headers(call, &mut found);
    if call.value("hostname").is_some_and(host::is_odd) {
        found.push(Finding::new(
            Class::Blocked,
            "is given a --hostname that is no host name",
        ));
    }
    let [endpoint] = call.positionals.as_slice() else {
        found.push(Finding::new(Class::Unknown, "takes one endpoint"));
        judge_method(call, &mut found);
        return found;
    };
    let endpoint = endpoint.text.as_str();
    judge_endpoint(endpoint, &mut found);
    if is_graphql(endpoint) {
        judge_graphql(call, endpoint, &mut found);
    } else {
        judge_method(call, &mut found);
    }
    found
}

/// The method that gh sends.
pub(in crate::gh) fn method(call: &Parsed) -> String {
    match call.value("method") {
        Some(method) => method.to_uppercase(),
        None if ["field", "raw-field", "input"]
            .iter()
            .any(|f| call.flag(f).is_some()) =>
        {
            "POST".into()
        }
        None => "GET".into(),
    }
}

/// The GraphQL document that `call` sends, if it sends one.
pub(in crate::gh) fn document(call: &Parsed) -> Option<&str> {
    fields(call).find_map(|(key, text)| (key == "query").then_some(text))
}

/// The fields that `call` sends, key and value, in their order.
pub(in crate::gh) fn fields(call: &Parsed) -> impl Iterator<Item = (&str, &str)> {
    let fields = call.flags.iter();
    let fields = fields.filter(|given| matches!(given.flag.name.as_str(), "field" | "raw-field"));
    fields.filter_map(|given| given.value.as_deref()?.split_once('='))
}

/// What an endpoint is about, by its path alone.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::gh) enum About {
    /// `repos/OWNER/REPO`, and each path below it.
    Repository(String, String),
    /// `orgs/ORG`, and each path below it.
    Organization(String),
    /// `users/NAME`, and each path below it.
    Owner(String),
    /// The account whose token the call carries: `user`, `gists`, `notifications`.
    User,
    /// The host: `search`, `rate_limit`.
    Host,
    /// Only the host knows: `graphql`, `repositories/ID`, `user/ID`, `gists/ID`, a path that is written oddly.
    Unknown,
}

crate::foreign::debug_by_name!(About);

/// First segments of endpoints about the account whose token the call carries.
const OF_THE_ACCOUNT: &[&str] = &["gists", "notifications", "user"];

/// First segments of endpoints about the host as a whole; none of them changes a repository.
const OF_THE_HOST: &[&str] = &[
    "advisories",
    "codes_of_conduct",
    "emojis",
    "events",
    "feeds",
    "gitignore",
    "licenses",
    "markdown",
    "meta",
    "octocat",
    "rate_limit",
    "search",
    "versions",
    "zen",
];

/// What `endpoint` is about.  `filled` holds the owner and the repository that gh puts in the place of `{owner}` and `{repo}`.
pub(in crate::gh) fn about(endpoint: &str, filled: Option<(&str, &str)>) -> About {
    let path = match endpoint.split_once("://") {
        // `judge_endpoint` blocks every full URL but those of github.com's own API.
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => endpoint.strip_prefix('/').unwrap_or(endpoint),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let odd = |segment: &str| segment.is_empty() || segment == "." || segment.contains(['%', '\\']);
    if host::climbs(path) {
        return About::Unknown;
    }
    let segments: Vec<&str> = path.split('/').collect();
    if segments.iter().take(3).any(|segment| odd(segment)) {
        return About::Unknown;
    }
    let fill = |segment: &str, by: Option<&str>, names: [&str; 2]| {
        let name = if names.contains(&segment) {
            by?
        } else {
            segment
        };
        is_name(name).then(|| name.to_owned())
    };
    let (owner, repo) = filled.unzip();
    match segments.as_slice() {
        ["repos", first, second, ..] => {
            let owner = fill(first, owner, ["{owner}", ":owner"]);
            let repo = fill(second, repo, ["{repo}", ":repo"]);
            match (owner, repo) {
                (Some(owner), Some(repo)) => About::Repository(owner, repo),
                _ => About::Unknown,
            }
        }
        ["orgs", first, ..] => {
            fill(first, owner, ["{owner}", ":owner"]).map_or(About::Unknown, About::Organization)
        }
        ["users", first, ..] => {
            fill(first, owner, ["{owner}", ":owner"]).map_or(About::Unknown, About::Owner)
        }
        // `user/ID` names an account by its number, and it may be anybody's.
        ["user", second, ..] if second.bytes().all(|b| b.is_ascii_digit()) => About::Unknown,
        ["gists", second, ..] if !matches!(*second, "public" | "starred") => About::Unknown,
        [first, ..] if OF_THE_ACCOUNT.contains(first) => About::User,
        [first, ..] if OF_THE_HOST.contains(first) => About::Host,
        _ => About::Unknown,
    }
}

/// Whether `text` can be the name of an owner or a repository: letters, digits, `-`, `_`, `.`; not beginning with `-`, not `.` or `..`.
pub(in crate::gh) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !matches!(text, "." | "..")
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

fn judge_method(call: &Parsed, found: &mut Vec<Finding>) {
    let method = method(call);
    let fields = call.flag("field").or(call.flag("raw-field")).is_some();
    match method.as_str() {
        "GET" | "HEAD" => {}
        "" if !fields => {}
        "DELETE" => found.push(Finding::new(
            Class::Destructive,
            "sends DELETE, which cannot be undone",
        )),
        "POST" if call.flag("method").is_none() => {
            found.push(Finding::new(
                Class::Write,
                "sends POST, because a field is given and no --method",
            ));
        }
        "POST" | "PUT" | "PATCH" => {
            found.push(Finding::new(Class::Write, format!("sends {method}")));
        }
        _ => found.push(Finding::new(
            Class::Unknown,
            "sends a method that is not among GitHub's",
        )),
    }
}

/// Judges the fields: `-F KEY=VALUE` and `-f KEY=VALUE`.
fn judge_fields(call: &Parsed, found: &mut Vec<Finding>) {
    for given in call.all("field").chain(call.all("raw-field")) {
        let value = given.value.as_deref().unwrap_or_default();
        match value.split_once('=') {
            None if value.ends_with("[]") => {}
            None => found.push(Finding::new(
                Class::Unknown,
                "is given a field without `=`, which gh refuses",
            )),
            Some((_, text)) if given.flag.name == "field" && text.starts_with('@') => {
                found.push(Finding::new(
                    Class::Blocked,
                    "reads a local file or standard input and sends it, because --field has a value with @",
                ));
            }
            Some(_) => {}
        }
    }
}

fn judge_headers(call: &Parsed, found: &mut Vec<Finding>) {
    for given in call.all("header") {
        let header = given.value.as_deref().unwrap_or_default();
        let name = header
            .split(':')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let odd = header.chars().any(char::is_control);
        if CREDENTIAL_HEADERS.contains(&name.as_str()) || odd {
            found.push(Finding::new(
                Class::Blocked,
                "is given a header that replaces the credential or hides another one",
            ));
        } else if !HARMLESS_HEADERS.contains(&name.as_str()) || !header.contains(':') {
            found.push(Finding::new(
                Class::Unknown,
                "is given a header that may do more than shape the answer",
            ));
        }
    }
}

/// The segments of the path of a REST endpoint: `repos`, `acme`, `tables` of `/repos/acme/tables?per_page=1`.
pub(in crate::gh) fn segments(endpoint: &str) -> Vec<&str> {
    let path = endpoint.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix("https://api.github.com").unwrap_or(path);
    path.trim_matches('/').split('/').collect()
}

/// Judges the endpoint.  Of full URLs only github.com's own API passes: any other one leaves the chosen host.
fn judge_endpoint(endpoint: &str, found: &mut Vec<Finding>) {
    if endpoint.is_empty() {
        found.push(Finding::new(Class::Unknown, "takes one endpoint"));
    }
    if endpoint.contains("://") && !endpoint.starts_with("https://api.github.com/") {
        let path = endpoint.split(['?', '#']).next().unwrap_or_default();
        if path.contains("://") {
            found.push(Finding::new(
                Class::Blocked,
                "is given a full URL, which can leave GitHub and take data along; give the path alone, and --hostname for another host",
            ));
        } else {
            found.push(Finding::new(
                Class::Unknown,
                "is given an endpoint that gh takes for a full URL",
            ));
        }
    }
    if endpoint
        .chars()
        .any(|c| c.is_control() || c.is_whitespace())
    {
        found.push(Finding::new(
            Class::Unknown,
            "is given an endpoint with a space or a control character",
        ));
    }
}

/// Whether the endpoint is, or can become, the GraphQL one in any spelling: `graphql`, `/graphql/`, `api/graphql?x`, a full URL, `{owner}`.
pub(super) fn is_graphql(endpoint: &str) -> bool {
    let path = endpoint.split_once("://").map_or(endpoint, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, path)| path)
    });
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decoded(path).to_ascii_lowercase();
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split(['/', '\\', '?', '#']) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    // An owner or a repository may be called `graphql'.
    let graphql = |segment: &str| {
        let filled = PLACEHOLDERS.iter().any(|name| segment.contains(name));
        segment == "graphql" || filled
    };
    match segments.as_slice() {
        ["api", second, ..] => graphql(second),
        [first, ..] => graphql(first),
        [] => false,
    }
}

fn judge_graphql(call: &Parsed, endpoint: &str, found: &mut Vec<Finding>) {
    if endpoint != "graphql" {
        found.push(Finding::new(
            Class::Unknown,
            "is given another spelling of the GraphQL endpoint",
        ));
    }
    let method = method(call);
    if method != "POST" {
        found.push(Finding::new(Class::Unknown, "sends no POST to GraphQL"));
        judge_method(call, found);
    }
    let mut documents = 0;
    for given in call.all("field").chain(call.all("raw-field")) {
        let Some((key, text)) = given.value.as_deref().and_then(|v| v.split_once('=')) else {
            continue;
        };
        if !(key == "query" || key.starts_with("query[")) {
            continue;
        }
        documents += 1;
        if documents > MOST_DOCUMENTS {
            found.push(Finding::new(
                Class::Blocked,
                "is given more GraphQL documents than anyone sends",
            ));
            return;
        }
        let replaced = given.flag.name == "field" && has_placeholder(text);
        if key != "query" || replaced {
            found.push(Finding::new(
                Class::Unknown,
                "is given a GraphQL document that gh itself fills in",
            ));
        }
        match graphql::judge(text) {
            Document::Query => {}
            Document::Mutation { deletes: None } => {
                found.push(Finding::new(Class::Write, "sends a GraphQL mutation"));
            }
            Document::Mutation {
                deletes: Some(name),
            } => {
                found.push(Finding::new(
                    Class::Destructive,
                    format!("sends the GraphQL mutation {name}, which cannot be undone"),
                ));
            }
            Document::Unclear(why) => found.push(Finding::new(
                Class::Unknown,
                format!("is given a GraphQL document that {why}"),
            )),
        }
    }
    if documents != 1 {
        found.push(Finding::new(
            Class::Unknown,
            "does not send exactly one GraphQL document, in a field named `query`",
        ));
    }
}

/// Whether gh would put the owner, the repository or the branch into `text`: `{owner}`, `:repo`.
pub(super) fn has_placeholder(text: &str) -> bool {
    ["owner", "repo", "branch"].iter().any(|name| {
        text.match_indices(name)
            .any(|(at, _)| text[..at].ends_with(['{', ':']))
    })
}
