//! Why something could not be read, in words.
//!
//! gh prints GitHub's answer also when it fails, so an answer can hold data, errors or both. Sources: the error types of GitHub's
//! GraphQL (`NOT_FOUND`, `FORBIDDEN`, `INSUFFICIENT_SCOPES`, `RATE_LIMITED`), the bodies of its REST errors, gh 2.92.0 and
//! 2.103.3.

use serde_json::Value;

use crate::gate::{Answered, ErrorKind};

/// The words for `kind`, the name of an error kind.
pub(super) fn words(kind: &str) -> String {
    const WORDS: &[(ErrorKind, &str)] = &[
        (ErrorKind::NotFound, NOT_FOUND),
        (ErrorKind::NoAccess, NO_ACCESS),
        (ErrorKind::RateLimit, RATE_LIMITED),
        (ErrorKind::Auth, LOGIN),
        (ErrorKind::Timeout, "it took too long"),
        (ErrorKind::Network, "no network: the host did not answer"),
        (ErrorKind::Cancelled, "the read was stopped"),
        (ErrorKind::Truncated, CUT),
        (ErrorKind::Module, NOT_STARTED),
        (ErrorKind::SpawnFailed, NOT_STARTED),
        (
            ErrorKind::PolicyBlocked,
            "your policy lets no read there run unasked",
        ),
    ];
    let row = WORDS.iter().find(|(row, _)| row.as_str() == kind);
    match (row, kind) {
        (Some((_, words)), _) => (*words).to_owned(),
        (None, "cut" | "") => CUT.to_owned(),
        (None, kind) => format!("gh failed: {kind}"),
    }
}

const NOT_FOUND: &str = "not found: it is not there, or this account may not see it";
const NO_ACCESS: &str = "no access: this account may not see it";
const RATE_LIMITED: &str = "rate limited: GitHub asks to slow down";
const LOGIN: &str = "the login was not accepted";
const SCOPE: &str = "no access: the login lacks a scope for it";
const CUT: &str = "the answer was empty, or too long";
const NOT_STARTED: &str = "the read could not be started";
const NO_JSON: &str = "the answer is cut, or not GitHub's: it is no JSON";
/// The host lacks the field that has the answer.
pub(super) const TOO_OLD: &str = "this GitHub is too old to tell";

/// The JSON of an answer, or why there is none.
pub(super) fn json(answer: Option<&Answered>) -> Result<Value, String> {
    match answer {
        Some(Answered::Output(text)) => serde_json::from_str(text).map_err(|_| NO_JSON.to_owned()),
        Some(Answered::Nothing(kind)) => Err(words(kind)),
        None => Err(CUT.to_owned()),
    }
}

/// Why GitHub refused a call of its REST API, by the body of its error; `None` if `answer` is no error.
pub(super) fn refused(answer: &Value) -> Option<String> {
    let message = answer["message"].as_str()?;
    let status = &answer["status"];
    let status = status
        .as_str()
        .and_then(|text| text.parse().ok())
        .or(status.as_u64());
    if status.is_none() && !answer["documentation_url"].is_string() {
        return None;
    }
    let lower = message.to_ascii_lowercase();
    let why = match status {
        _ if lower.contains("rate limit") || lower.contains("too many requests") => RATE_LIMITED,
        Some(404 | 410) => NOT_FOUND,
        Some(401) => LOGIN,
        Some(429) => RATE_LIMITED,
        Some(403 | 451) => NO_ACCESS,
        None if lower == "not found" => NOT_FOUND,
        None if lower == "bad credentials" => LOGIN,
        Some(500..) => "GitHub is in trouble",
        _ => "GitHub refused it",
    };
    Some(why.to_owned())
}

/// The errors in an answer of GraphQL.
#[derive(Default)]
pub(super) struct Errors {
    /// The path of each error and its reason in words; the path is empty for an error about the whole query.
    all: Vec<(Vec<String>, &'static str)>,
}

impl Errors {
    /// The errors in `answer`.
    pub fn of(answer: &Value) -> Self {
        let errors = answer["errors"].as_array().into_iter().flatten();
        let all = errors.map(|error| {
            let path = error["path"].as_array().into_iter().flatten();
            let path = path.filter_map(|part| part.as_str().map(str::to_owned));
            (path.collect(), why(error))
        });
        // Fifty errors are enough for the reasons; an answer may hold any number.
        Self {
            all: all.take(50).collect(),
        }
    }

    /// Why the member `name` has no value; `None` if no error is about it.
    pub fn at(&self, name: &str) -> Option<&'static str> {
        let about = |path: &Vec<String>| path.iter().any(|part| part == name);
        let found = self.all.iter().find(|(path, _)| about(path));
        found.map(|(_, why)| *why)
    }

    /// Why there is no data at all: the reason of the first error.
    pub fn whole(&self) -> Option<&'static str> {
        self.all.first().map(|(_, why)| *why)
    }
}

/// The reason of an error of GraphQL, in words.
fn why(error: &Value) -> &'static str {
    let kind = error["type"].as_str().unwrap_or_default();
    let code = error["extensions"]["code"].as_str().unwrap_or_default();
    let message = error["message"].as_str().unwrap_or_default();
    let lower = message.to_ascii_lowercase();
    match (kind, code) {
        ("NOT_FOUND", _) => NOT_FOUND,
        ("INSUFFICIENT_SCOPES", _) => SCOPE,
        ("RATE_LIMITED" | "RATE_LIMIT" | "MAX_NODE_LIMIT_EXCEEDED", _) => RATE_LIMITED,
        ("FORBIDDEN" | "UNAUTHORIZED", _) => NO_ACCESS,
        (_, "undefinedField" | "argumentNotAccepted" | "undefinedType") => TOO_OLD,
        _ if lower.contains("rate limit") => RATE_LIMITED,
        _ if lower.contains("doesn't exist on type")
            || lower.contains("doesn't accept argument") =>
        {
            TOO_OLD
        }
        _ if lower.contains("timeout") || lower.contains("timed out") => "it took GitHub too long",
        _ => "GitHub refused it",
    }
}
