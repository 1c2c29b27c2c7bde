//! Reads what gh printed for a request of a watch, headers and JSON, as an answer or as the reason why there is none.

use chrono::DateTime;
use serde_json::Value;

use super::runs::{Answer, Ask, Failure, Job, Run, State};
use crate::gate::ErrorKind;
use crate::gh::render::parse_bounded;
use crate::text::one_line::one_line;

/// How one request ended.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a> {
    /// What gh printed, with the headers of the answer above the body (`--include`).
    pub stdout: &'a str,
    /// Whether part of it is missing.
    pub cut: bool,
    /// The kind of error, if any.
    pub kind: Option<ErrorKind>,
}

/// The answer to `ask`, and GitHub's time of it in seconds since the epoch; `wall` is this machine's.
///
/// # Errors
/// Why there is no answer.
pub fn read(ask: &Ask, printed: &Printed<'_>, wall: i64) -> (Result<Answer, Failure>, i64) {
    let (headers, body) = parts(printed.stdout);
    let now = header(&headers, "date")
        .and_then(|date| DateTime::parse_from_rfc2822(date).ok())
        .map_or(wall, |date| date.timestamp());
    if let Some(kind) = printed.kind {
        return (Err(failure(ask, kind, &headers, body, now)), now);
    }
    let answer = match parse_bounded(body.as_bytes()) {
        Ok(json) if !printed.cut => answer(ask, &json),
        _ => Err(Failure::Passing(ErrorKind::Truncated)),
    };
    (answer, now)
}

/// The headers above the body, names in small letters, and the body.
fn parts(stdout: &str) -> (Vec<(String, &str)>, &str) {
    let mut headers = Vec::new();
    let mut rest = stdout;
    if !rest.starts_with("HTTP/") {
        return (headers, rest);
    }
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim()));
        }
    }
    (headers, rest)
}

fn header<'a>(headers: &[(String, &'a str)], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| *value)
}

/// Why a request that ended with an error of `kind` has no answer.
fn failure(
    ask: &Ask,
    kind: ErrorKind,
    headers: &[(String, &str)],
    body: &str,
    now: i64,
) -> Failure {
    let number = |name| header(headers, name)?.parse::<i64>().ok();
    match kind {
        ErrorKind::RateLimit => {
            let spent = number("x-ratelimit-remaining") == Some(0);
            let reset = number("x-ratelimit-reset").filter(|_| spent);
            let wait = number("retry-after").or(reset.map(|at| at - now));
            // A second more, since the reset is told in whole seconds.
            let wait = wait.and_then(|seconds| u64::try_from(seconds.max(0) + 1).ok());
            Failure::RateLimit(wait.map(|seconds| seconds * 1_000))
        }
        // `Resource not accessible' for a fine-grained token, or a field that an older server does not know.
        ErrorKind::NoAccess | ErrorKind::Failed | ErrorKind::Auth
            if matches!(ask, Ask::Commit { .. }) && refuses(body) =>
        {
            Failure::Refused
        }
        ErrorKind::Network | ErrorKind::Timeout | ErrorKind::Truncated | ErrorKind::Failed => {
            Failure::Passing(kind)
        }
        kind => Failure::Lasting(kind),
    }
}

/// Whether the errors in GraphQL's answer `body` say that check suites cannot be read, though the repository can.
fn refuses(body: &str) -> bool {
    let Ok(json) = parse_bounded(body.as_bytes()) else {
        return false;
    };
    let errors = json["errors"].as_array().map_or(&[][..], Vec::as_slice);
    errors.iter().any(|error| {
        let message = error["message"].as_str().unwrap_or_default();
        error["type"].as_str() == Some("FORBIDDEN")
            || message.contains("not accessible")
            || message.contains("doesn't exist on type")
            || message.contains("doesn't accept argument")
    })
}

fn answer(ask: &Ask, json: &Value) -> Result<Answer, Failure> {
    let none = Failure::Lasting(ErrorKind::NotFound);
    let odd = Failure::Passing(ErrorKind::Failed);
    let sha = || json["sha"].as_str().map(one_line);
    Ok(match ask {
        Ask::Commit { .. } | Ask::Runs(_) => Answer::Commit {
            sha: sha().ok_or(none)?,
            runs: list(&json["runs"]).iter().filter_map(run).collect(),
        },
        Ask::Sha => Answer::Sha(sha().ok_or(none)?),
        Ask::Run => Answer::Run(run(&json["run"]).ok_or(odd)?),
        Ask::Jobs => Answer::Jobs {
            attempt: json["attempt"].as_u64().unwrap_or(0),
            total: json["total"].as_u64().ok_or(odd)?,
            jobs: list(&json["jobs"]).iter().map(job).collect(),
        },
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A run; its id is a number in REST's answer, and the end of an address in GraphQL's.
fn run(value: &Value) -> Option<Run> {
    let text = |name: &str| one_line(value[name].as_str().unwrap_or_default());
    let id = number(&value["id"])?;
    Some(Run {
        id,
        workflow: text("workflow"),
        number: value["number"].as_u64().unwrap_or(0),
        event: text("event"),
        attempt: value["attempt"].as_u64().unwrap_or(0),
        state: State::new(&text("status"), value["conclusion"].as_str()),
        jobs: list(&value["jobs"]).iter().map(job).collect(),
        total: value["total"].as_u64(),
    })
}

/// A job, from the list of its name, status, conclusion, beginning, end, id and failed step.
fn job(value: &Value) -> Job {
    let text = |at: usize| value[at].as_str();
    let time = |at: usize| {
        let stamp = DateTime::parse_from_rfc3339(text(at)?).ok()?;
        // GitHub gives the year 1 to a job that has not begun.
        Some(stamp.timestamp()).filter(|seconds| *seconds > 0)
    };
    Job {
        id: number(&value[5]),
        name: one_line(text(0).unwrap_or("unnamed")),
        state: State::new(&one_line(text(1).unwrap_or("queued")), text(2)),
        started: time(3),
        completed: time(4),
        failed_step: text(6).map(one_line),
    }
}

/// The number that `value` is, or that it begins with: `77` of `77?pr=4`.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let text = value.as_str()?;
        let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stdout: &str, kind: Option<ErrorKind>) -> Printed<'_> {
        Printed {
            stdout,
            cut: false,
            kind,
        }
    }

    const ASK: Ask = Ask::Commit {
        sha: None,
        steps: false,
    };

    #[test]
    fn a_commit_has_runs_with_jobs_whose_ids_come_from_addresses() {
        let text = "HTTP/2.0 200 OK\r\nDate: Thu, 01 Jan 1970 00:01:40 GMT\r\n\r\n\
            {\"sha\":\"abc\",\"runs\":[{\"id\":\"30433642\",\"number\":3,\"event\":\"push\",\"workflow\":\"CI\",\"status\":\"IN_PROGRESS\",\
            \"conclusion\":null,\"total\":2,\"jobs\":[[\"test\\n(1)\",\"COMPLETED\",\"FAILURE\",\"1970-01-01T00:00:10Z\",\"1970-01-01T00:01:00Z\",\
            \"39123456789?pr=1\"],[\"lint\",\"QUEUED\",null,null,null,null]]}]}\n";
        let (answer, now) = read(&ASK, &printed(text, None), 7);
        assert_eq!(now, 100);
        let Ok(Answer::Commit { sha, runs }) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(sha, "abc");
        assert_eq!(
            (runs[0].id, runs[0].state.word()),
            (30_433_642, "in_progress")
        );
        let job = &runs[0].jobs[0];
        assert_eq!(
            (job.id, job.name.as_str()),
            (Some(39_123_456_789), "test (1)")
        );
        assert_eq!((job.started, job.completed), (Some(10), Some(60)));
        assert_eq!(runs[0].jobs[1].state.word(), "queued");
        assert!(runs[0].failed());
    }

    #[test]
    fn a_commit_that_is_not_there_lasts_and_a_cut_answer_passes() {
        let (answer, now) = read(&ASK, &printed("{\"sha\":null,\"runs\":[]}", None), 7);
        assert_eq!(answer, Err(Failure::Lasting(ErrorKind::NotFound)));
        assert_eq!(now, 7);
        let cut = Printed {
            cut: true,
            ..printed("{\"sha\":\"a", None)
        };
        assert_eq!(
            read(&ASK, &cut, 7).0,
            Err(Failure::Passing(ErrorKind::Truncated))
        );
    }

    #[test]
    fn a_rate_limit_says_how_long_to_wait() {
        let limit = |text| read(&ASK, &printed(text, Some(ErrorKind::RateLimit)), 1_000).0;
        let wait = |ms| Err(Failure::RateLimit(ms));
        assert_eq!(
            limit("HTTP/2.0 403 Forbidden\r\nRetry-After: 60\r\n\r\n{}"),
            wait(Some(61_000))
        );
        assert_eq!(
            limit("HTTP/2.0 200 OK\nX-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 1900\n\n{}"),
            wait(Some(901_000))
        );
        // The secondary limit leaves the hourly one as it is.
        assert_eq!(
            limit(
                "HTTP/2.0 403 Forbidden\nX-Ratelimit-Remaining: 4999\nX-Ratelimit-Reset: 1900\n\n{}"
            ),
            wait(None)
        );
    }

    #[test]
    fn a_token_without_checks_is_refused_and_a_broken_server_passes() {
        let read = |ask: &Ask, text, kind| read(ask, &printed(text, Some(kind)), 0).0;
        let refused = "{\"data\":{},\"errors\":[{\"type\":\"FORBIDDEN\",\"message\":\"Resource not accessible by personal access token\"}]}";
        assert_eq!(
            read(&ASK, refused, ErrorKind::NoAccess),
            Err(Failure::Refused)
        );
        assert_eq!(
            read(&Ask::Run, refused, ErrorKind::NoAccess),
            Err(Failure::Lasting(ErrorKind::NoAccess))
        );
        assert_eq!(
            read(&ASK, "<html>", ErrorKind::Failed),
            Err(Failure::Passing(ErrorKind::Failed))
        );
        assert_eq!(
            read(&ASK, "", ErrorKind::NotFound),
            Err(Failure::Lasting(ErrorKind::NotFound))
        );
    }
}
