//! Whether a request of `gh api` approves a pull request.
//!
//! REST: each POST, PUT or PATCH to a path with `pulls/N/reviews` in it, whatever else is in the path: GitHub may read an odd spelling in
//! another way than we do.

use super::document::{self, Variables};
use super::event::{Approval, of_event, surest};
use super::fields::{Field, fields};
use crate::gh::judge::api::{self, MOST_DOCUMENTS};
use crate::gh::judge::graphql::{self, Document};
use crate::gh::parse::Parsed;
use crate::text::escapes::percent_decoded;

/// Rounds of percent-decoding: a proxy may decode a path once more than GitHub does, and nobody decodes four times.
const ROUNDS: usize = 4;

/// Whether `call`, a call of `gh api`, approves.
pub(super) fn approval(call: &Parsed) -> Option<Approval> {
    let fields = fields(call);
    let endpoints = call.positionals.iter().map(|one| one.text.as_str());
    surest(endpoints.flat_map(|endpoint| {
        let graphql = api::is_graphql(endpoint);
        let graphql = graphql.then(|| of_graphql(call, endpoint, &fields));
        let found = [graphql.flatten(), of_rest(call, endpoint, &fields)];
        found.into_iter().flatten()
    }))
}

/// What makes it unknown how GitHub reads the request of `call`, whatever its fields say.
fn unread(call: &Parsed) -> Option<Approval> {
    let headers = || {
        call.all("header")
            .filter_map(|given| given.value.as_deref())
    };
    let lower = |text: &str| text.trim().to_ascii_lowercase();
    let other_form = headers().any(|header| {
        let (name, value) = header.split_once(':').unwrap_or((header, ""));
        let form = value.split(';').next().unwrap_or_default();
        lower(name) == "content-type" && !lower(form).ends_with("json")
    });
    if other_form {
        return Some(Approval::Possible(
            "a header says that its body is in another form than JSON",
        ));
    }
    let input = call.flag("input").is_some();
    input.then_some(Approval::Possible("its body stands in a file"))
}

/// Whether a header of `call` may make GitHub take the request for another method.
fn overrides_method(call: &Parsed) -> bool {
    let mut headers = call
        .all("header")
        .filter_map(|given| given.value.as_deref());
    headers.any(|header| header.to_ascii_lowercase().contains("method"))
}

/// Whether a request to the REST endpoint `endpoint` approves.
fn of_rest(call: &Parsed, endpoint: &str, fields: &[Field<'_>]) -> Option<Approval> {
    let reads = matches!(api::method(call).as_str(), "GET" | "HEAD" | "DELETE");
    if (reads && !overrides_method(call)) || !is_of_reviews(endpoint) {
        return None;
    }
    let queried = percent_decoded(endpoint).contains('?');
    let queried = queried.then_some(Approval::Possible("its path holds parameters"));
    let events = fields.iter().filter(|field| field.names("event"));
    let events = events.filter_map(|field| of_event(field.value));
    surest(events.chain(queried).chain(unread(call)))
}

/// Whether a path leads to the reviews of a pull request, in any spelling that GitHub could take for one.
fn is_of_reviews(endpoint: &str) -> bool {
    let mut path = endpoint.to_owned();
    for _ in 0..ROUNDS {
        path = percent_decoded(&path);
    }
    let path = path.to_ascii_lowercase();
    let mut plain: Vec<&str> = Vec::new();
    let mut resolved: Vec<&str> = Vec::new();
    for segment in path.split(['/', '\\', '?', '#', ';']) {
        let segment = segment.trim();
        match segment {
            "" | "." => continue,
            ".." => {
                resolved.pop();
            }
            segment => resolved.push(segment),
        }
        plain.push(segment);
    }
    names_reviews(&plain) || names_reviews(&resolved)
}

/// Whether `segments` hold `pulls`, anything, `reviews`.  gh puts names of the caller's choosing in the place of `{owner}` and `{repo}`, and
/// a branch's name, which may hold slashes, in the place of `{branch}`.
fn names_reviews(segments: &[&str]) -> bool {
    let filled = |segment: &str, names: &[&str]| names.iter().any(|name| segment.contains(name));
    let name = |segment: &str| filled(segment, &["{owner}", ":owner", "{repo}", ":repo"]);
    let pulls = |segment: &str| segment.starts_with("pulls") || name(segment);
    let reviews = |segment: &str| segment.starts_with("reviews") || name(segment);
    let mut threes = segments.windows(3);
    let branch = |segment: &&str| filled(segment, &["{branch}", ":branch"]);
    let branch = segments.iter().position(branch);
    // Behind `repos/OWNER/REPO`, a branch can stand for `pulls/1/reviews`; behind `pulls`, for the rest of it.
    let by_branch = |at: usize| at <= 3 || segments[..at].iter().any(|one| pulls(one));
    threes.any(|three| pulls(three[0]) && reviews(three[2])) || branch.is_some_and(by_branch)
}

/// Whether a request to the GraphQL endpoint, written as `endpoint`, approves.
fn of_graphql(call: &Parsed, endpoint: &str, fields: &[Field<'_>]) -> Option<Approval> {
    // Under another spelling than `graphql', gh sends the fields as they are, and a field `variables[event]' is a variable.
    let variables = Variables {
        fields,
        known: endpoint == "graphql",
    };
    // A field `query' in any form; others are variables.
    let documents = fields
        .iter()
        .filter(|field| field.text.starts_with("query") || field.names("query"));
    let found = documents.take(MOST_DOCUMENTS).filter_map(|field| {
        let filled_in = field.typed && api::has_placeholder(field.value);
        if filled_in && !asks_only(field.value) {
            return Some(Approval::Possible(
                "gh itself fills in its GraphQL document",
            ));
        }
        document::approval(field.value, &variables)
    });
    surest(found.chain(unread(call)))
}

/// Whether the document `text` is a query, whatever names gh fills in.
fn asks_only(text: &str) -> bool {
    // The name of a branch can hold braces and quotes, which end a string or a selection.
    let branch = text.contains("{branch}") || text.contains(":branch");
    let names = ["{owner}", "{repo}", ":owner", ":repo"];
    let filled = names
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(name, "o"));
    !branch && graphql::judge(&filled) == Document::Query
}
