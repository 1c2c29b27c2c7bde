//! What a write to an endpoint of the REST API will do, by method and path.
//!
//! Source: GitHub's REST API reference, 2026.

use crate::gh::judge::api::segments;

/// A part of a sentence.
pub(super) enum Piece {
    Words(&'static str),
    /// A segment of the endpoint.
    Segment(String),
    /// The value of a field.
    Field(String),
}

/// Method, path below `repos/OWNER/REPO/`, and words. In the path, `*` takes one segment, a last `**` all that are left, and
/// `?NAME=VALUE` asks for that field. In the words, `*` stands for the next segment that a star took, `<name>` for the field
/// `name` of the call, `<>` for the names of all its fields, `{it}` for the thing that the call is about.
const BELOW_REPOSITORY: &[(&str, &str, &str)] = &[
    ("PATCH", "", "Change <> of the repository {repo}"),
    ("POST", "forks", "Fork the repository {repo}"),
    ("POST", "issues", "Open an issue"),
    ("PATCH", "issues/*?state=closed", "Close {it}"),
    ("PATCH", "issues/*?state=open", "Reopen {it}"),
    ("PATCH", "issues/*", "Edit {it}[: {changes}]"),
    ("POST", "issues/*/comments", "Comment on {it}"),
    ("PATCH", "issues/comments/*", "Replace comment *"),
    ("POST", "issues/*/labels", "Add labels to {it}"),
    ("PUT", "issues/*/labels", "Replace all labels of {it}"),
    ("POST", "issues/*/assignees", "Assign people to {it}"),
    ("PUT", "issues/*/lock", "Lock the conversation of {it}"),
    ("POST", "issues/*/reactions", "React to {it}"),
    (
        "POST",
        "pulls",
        "Open a pull request from <head> into <base>",
    ),
    ("PATCH", "pulls/*?state=closed", "Close {it}"),
    ("PATCH", "pulls/*?state=open", "Reopen {it}"),
    ("PATCH", "pulls/*", "Edit {it}[: {changes}]"),
    ("PUT", "pulls/*/merge", "Merge {it}"),
    (
        "PUT",
        "pulls/*/update-branch",
        "Merge the base into the branch of {it}",
    ),
    ("POST", "pulls/*/reviews", "Review {it}"),
    (
        "POST",
        "pulls/*/reviews/*/events",
        "Submit a review of {it}",
    ),
    (
        "POST",
        "pulls/*/requested_reviewers",
        "Ask for reviews of {it}",
    ),
    ("POST", "pulls/*/comments", "Comment on the code of {it}"),
    (
        "POST",
        "pulls/*/comments/*/replies",
        "Answer a comment on the code of {it}",
    ),
    ("PATCH", "pulls/comments/*", "Replace comment * on code"),
    ("POST", "releases", "Create release <tag_name>"),
    ("PATCH", "releases/*", "Edit release *[: {changes}]"),
    ("POST", "git/refs", "Create the ref <ref>"),
    (
        "PATCH",
        "git/refs/heads/**",
        "Move the branch * to another commit",
    ),
    (
        "PATCH",
        "git/refs/tags/**",
        "Move the tag * to another commit",
    ),
    ("PATCH", "git/refs/**", "Move the ref * to another commit"),
    ("POST", "git/tags", "Create a tag object"),
    (
        "POST",
        "git/commits",
        "Create a commit that no branch has yet",
    ),
    ("POST", "git/trees", "Create a tree that no commit has yet"),
    ("POST", "git/blobs", "Create a blob that no tree has yet"),
    ("POST", "merges", "Merge <head> into <base>"),
    (
        "POST",
        "merge-upstream",
        "Update a branch from the repository that this is a fork of",
    ),
    ("PUT", "contents/**", "Commit the file *"),
    (
        "POST",
        "dispatches",
        "Start every workflow that waits for <event_type>",
    ),
    (
        "POST",
        "actions/workflows/*/dispatches",
        "Start {it} on <ref>",
    ),
    ("PUT", "actions/workflows/*/enable", "Enable {it}"),
    ("PUT", "actions/workflows/*/disable", "Disable {it}"),
    ("POST", "actions/runs/*/rerun", "Rerun {it}"),
    (
        "POST",
        "actions/runs/*/rerun-failed-jobs",
        "Rerun the failed jobs of {it}",
    ),
    ("POST", "actions/runs/*/cancel", "Cancel {it}"),
    (
        "POST",
        "actions/runs/*/force-cancel",
        "Cancel {it} by force",
    ),
    ("POST", "actions/runs/*/approve", "Let {it}, of a fork, run"),
    (
        "POST",
        "actions/runs/*/pending_deployments",
        "Approve or reject the deployments of {it}",
    ),
    ("POST", "actions/jobs/*/rerun", "Rerun {it}"),
    ("PUT", "actions/secrets/*", "Set the secret *"),
    ("PUT", "dependabot/secrets/*", "Set the Dependabot secret *"),
    (
        "PUT",
        "environments/*/secrets/*",
        "Set, for the environment *, the secret *",
    ),
    ("POST", "actions/variables", "Create the variable <name>"),
    ("PATCH", "actions/variables/*", "Set the variable *"),
    (
        "PUT",
        "actions/permissions/**",
        "Change what Actions may do (*) in the repository {repo}",
    ),
    (
        "PUT",
        "actions/permissions",
        "Change what Actions may do in the repository {repo}",
    ),
    (
        "PUT",
        "environments/*",
        "Create or change the environment *",
    ),
    (
        "PUT",
        "branches/*/protection",
        "Replace the protection of the branch *",
    ),
    (
        "POST",
        "branches/*/rename",
        "Rename the branch * to <new_name>",
    ),
    ("POST", "rulesets", "Create a ruleset"),
    ("PUT", "rulesets/*", "Replace ruleset *"),
    (
        "PUT",
        "collaborators/*",
        "Give * access to the repository {repo}",
    ),
    ("POST", "keys", "Add a key that opens the repository {repo}"),
    ("POST", "hooks", "Create a webhook"),
    ("PATCH", "hooks/*", "Change webhook *[: {changes}]"),
    ("POST", "labels", "Create the label <name>"),
    ("PATCH", "labels/*", "Edit the label *[: {changes}]"),
    ("POST", "milestones", "Create the milestone <title>"),
    ("PATCH", "milestones/*", "Edit milestone *[: {changes}]"),
    (
        "PUT",
        "topics",
        "Replace all topics of the repository {repo}",
    ),
    (
        "POST",
        "statuses/*",
        "Set the status of commit * to <state>",
    ),
    ("POST", "check-runs", "Create a check run"),
    ("PATCH", "check-runs/*", "Change check run *[: {changes}]"),
    ("POST", "commits/*/comments", "Comment on commit *"),
    ("POST", "deployments", "Create a deployment"),
    (
        "POST",
        "deployments/*/statuses",
        "Set the status of deployment * to <state>",
    ),
    ("POST", "pages", "Create the site of GitHub Pages"),
    (
        "PUT",
        "pages",
        "Change the site of GitHub Pages[: {changes}]",
    ),
    (
        "POST",
        "transfer",
        "Give the repository {repo} to <new_owner>",
    ),
    (
        "POST",
        "generate",
        "Create a repository from the template {repo}",
    ),
    (
        "PUT",
        "subscription",
        "Change which notifications you get from the repository {repo}",
    ),
];

/// Rows like those of [`BELOW_REPOSITORY`] for whole paths.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("POST", "user/repos", "Create your repository <name>"),
    (
        "POST",
        "orgs/*/repos",
        "Create, for the organization *, the repository <name>",
    ),
    ("PATCH", "user", "Change your profile[: {changes}]"),
    ("PUT", "user/starred/*/*", "Star the repository */*"),
    ("PUT", "user/following/*", "Follow the user *"),
    ("POST", "user/keys", "Add a key of your account"),
    ("POST", "gists", "Create a gist"),
    ("PATCH", "gists/*", "Edit {it}"),
    ("POST", "gists/*/comments", "Comment on gist *"),
    ("PUT", "notifications", "Mark all notifications as read"),
    (
        "PATCH",
        "notifications/threads/*",
        "Mark notification * as read",
    ),
    ("PATCH", "orgs/*", "Change <> of the organization *"),
    (
        "PUT",
        "orgs/*/memberships/*",
        "Make, in the organization *, * a member",
    ),
    (
        "PUT",
        "orgs/*/teams/*/memberships/*",
        "Put, in the organization *, into the team * the user *",
    ),
    (
        "PUT",
        "orgs/*/actions/secrets/*",
        "Set, for the organization *, the secret *",
    ),
    (
        "POST",
        "orgs/*/invitations",
        "Invite somebody into the organization *",
    ),
    (
        "POST",
        "orgs/*/teams",
        "Create, in the organization *, the team <name>",
    ),
    ("POST", "markdown", "Render Markdown"),
];

/// The words for a write of `method` and `fields` to `endpoint`; `None` if no row fits.
pub(super) fn find(method: &str, endpoint: &str, fields: &[(&str, &str)]) -> Option<Vec<Piece>> {
    let segments = segments(endpoint);
    let (rows, segments) = match segments.as_slice() {
        ["repos", _, _, rest @ ..] => (BELOW_REPOSITORY, rest),
        all => (ELSEWHERE, all),
    };
    rows.iter()
        .filter(|(wanted, _, _)| *wanted == method)
        .find_map(|(_, pattern, words)| {
            let mut parts = pattern.splitn(2, '?');
            let taken = matches(parts.next()?, segments)?;
            let holds = parts.next().is_none_or(|wanted| {
                let (name, value) = wanted.split_once('=').unwrap_or_default();
                last(fields, name) == Some(value)
            });
            holds.then(|| put(words, taken, fields))
        })
}

/// The value of the field `name`: the last of that name counts, as in gh.
fn last<'a>(fields: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    let found = fields.iter().rev().find(|(key, _)| *key == name);
    found.map(|(_, value)| *value)
}

/// The segments that the stars of `pattern` take; `None` if `segments` do not fit it.
fn matches(pattern: &str, segments: &[&str]) -> Option<Vec<String>> {
    let mut taken = Vec::new();
    let mut left = segments;
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let (first, rest) = left.split_first()?;
        match part {
            "**" => {
                taken.push(left.join("/"));
                return Some(taken);
            }
            "*" => taken.push((*first).to_owned()),
            part if part == *first => {}
            _ => return None,
        }
        left = rest;
    }
    left.is_empty().then_some(taken)
}

/// `words` with the segments `taken` and the values of `fields` put in.
fn put(words: &'static str, taken: Vec<String>, fields: &[(&str, &str)]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut taken = taken.into_iter();
    let mut rest = words;
    while let Some(at) = rest.find(['*', '<']) {
        out.push(Piece::Words(&rest[..at]));
        if rest[at..].starts_with('*') {
            out.extend(taken.next().map(Piece::Segment));
            rest = &rest[at + 1..];
            continue;
        }
        let (name, after) = rest[at + 1..].split_once('>').expect("a table's own words");
        if name.is_empty() {
            names(fields, &mut out);
        } else {
            let value = last(fields, name).unwrap_or("what no field names");
            out.push(Piece::Field(value.to_owned()));
        }
        rest = after;
    }
    out.push(Piece::Words(rest));
    out
}

/// Adds the names of all fields to `out`: `description and homepage`.
fn names(fields: &[(&str, &str)], out: &mut Vec<Piece>) {
    let mut names: Vec<&str> = Vec::new();
    for (key, _) in fields {
        let name = key.split('[').next().unwrap_or(key);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        out.push(Piece::Words("settings"));
    }
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            out.push(Piece::Words(" and "));
        }
        out.push(Piece::Field((*name).to_owned()));
    }
}
