//! One run of gh: gh starts under strace where there is one, ends at its time limit, and its effects are collected.

use crate::place::{FILES, Place, SECRETS};
use crate::trace;
use cj_gate::foreign::Foreign;
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How gh is started.
#[derive(Clone, Debug)]
pub struct Start {
    pub gh: PathBuf,
    pub strace: Option<PathBuf>,
}

/// One request, as the report shows it.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET /repos/o/r`, `query PullRequestByNumber repository`, `mutation IssueClose closeIssue`.
    pub summary: String,
    pub host: String,
    pub mutates: bool,
}

/// The effects of a run.
#[derive(Debug, Default)]
pub struct Seen {
    pub code: Option<i32>,
    /// Whether the run was ended at its time limit.
    pub late: bool,
    pub stdout: String,
    pub stderr: String,
    pub requests: Vec<Request>,
    /// Paths changed outside gh's cache.
    pub changed: Vec<PathBuf>,
    /// The caller's files that gh opened.
    pub opened: Vec<PathBuf>,
    /// Programs other than git that were started.
    pub programs: Vec<String>,
    /// Addresses that gh connected to, other than the stand-in's socket.
    pub connected: Vec<String>,
    /// The names of the secrets that gh printed.
    pub printed: Vec<&'static str>,
}

impl Seen {
    /// The effects that no read may have, in words (`sent mutation IssueClose closeIssue`); empty for a harmless run.
    pub fn harms(&self) -> Vec<String> {
        let mut out = Vec::new();
        for request in self.requests.iter().filter(|request| request.mutates) {
            out.push(format!("sent {}", request.summary));
        }
        out.extend(
            self.changed
                .iter()
                .map(|path| format!("changed {}", path.display())),
        );
        out.extend(
            self.opened
                .iter()
                .map(|path| format!("opened {}", path.display())),
        );
        out.extend(
            self.programs
                .iter()
                .map(|program| format!("started {program}")),
        );
        out.extend(
            self.connected
                .iter()
                .map(|address| format!("connected to {address}")),
        );
        out.extend(self.printed.iter().map(|what| format!("printed {what}")));
        if self.late {
            out.push("did not end".to_owned());
        }
        out
    }
}

/// Runs gh with `argv` and `environment` at `place`, for `limit` at most.
pub fn run(
    start: &Start,
    place: &mut Place,
    argv: &[String],
    environment: &[(String, Foreign<String>)],
    limit: Duration,
) -> Result<Seen, String> {
    run_in(start, place, &place.cwd(), argv, environment, limit)
}

/// As [`run`], in the directory `cwd`.
pub fn run_in(
    start: &Start,
    place: &mut Place,
    cwd: &Path,
    argv: &[String],
    environment: &[(String, Foreign<String>)],
    limit: Duration,
) -> Result<Seen, String> {
    place.requests()?; // drops late requests of the run before
    let trace_file = place.dir.join("trace");
    let mut command = match &start.strace {
        Some(strace) => {
            let mut command = Command::new(strace);
            command.args(["-f", "-y", "-qq", "--seccomp-bpf", "-s", "4096", "-e"]);
            command.arg(format!("trace={}", trace::CALLS));
            command.args(["-e", "signal=none", "-o"]).arg(&trace_file);
            command.arg("--").arg(&start.gh);
            command
        }
        None => Command::new(&start.gh),
    };
    let open =
        |name: &str| File::create(place.dir.join(name)).map_err(|error| format!("{name}: {error}"));
    command
        .args(argv)
        .env_clear()
        .envs(
            environment
                .iter()
                .map(|(name, value)| (name, value.reveal())),
        )
        .current_dir(cwd)
        .stdin(Stdio::null())
        // Files instead of pipes: a process that outlives gh would keep the reader of a pipe waiting.
        .stdout(open("stdout")?)
        .stderr(open("stderr")?)
        .process_group(0);
    let mut child = command.spawn().map_err(|error| format!("gh: {error}"))?;
    let end = Instant::now() + limit;
    let (code, late) = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break (status.code(), false);
        }
        if Instant::now() > end {
            let group = i32::try_from(child.id()).expect("a process id is a pid_t");
            let group = nix::unistd::Pid::from_raw(group);
            // The group was made above; it holds gh, git and strace alone.
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
            let status = child.wait().map_err(|error| error.to_string())?;
            break (status.code(), true);
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let read = |name: &str| {
        String::from_utf8_lossy(&fs::read(place.dir.join(name)).unwrap_or_default()).into_owned()
    };
    let mut seen = Seen {
        code,
        late,
        stdout: read("stdout"),
        stderr: read("stderr"),
        ..Seen::default()
    };
    if start.strace.is_some() {
        traced(&mut seen, place, &read("trace"));
    }
    for program in place.started() {
        if !seen.programs.iter().any(|known| known.ends_with(&program)) {
            seen.programs.push(program);
        }
    }
    for (what, secret) in SECRETS {
        if (seen.stdout.contains(secret) || seen.stderr.contains(secret))
            && !seen.printed.contains(what)
        {
            seen.printed.push(what);
        }
    }
    seen.requests = place.requests()?.iter().map(request).collect();
    Ok(seen)
}

fn traced(seen: &mut Seen, place: &Place, text: &str) {
    let traced = trace::read(text, &place.cwd());
    let cache = place.cache();
    let harmless = |path: &Path| {
        path.starts_with(&cache)
            || path.starts_with("/dev")
            || path.starts_with("/proc")
            || path.as_os_str().is_empty()
    };
    seen.changed = traced
        .changed
        .into_iter()
        .filter(|path| !harmless(path))
        .collect();
    let cwd = place.cwd();
    let planted = |path: &PathBuf| {
        path.strip_prefix(&cwd)
            .is_ok_and(|below| FILES.iter().any(|(name, _)| Path::new(name) == below))
            || path.ends_with("self/environ")
            || path == Path::new("/etc/passwd")
    };
    seen.opened = traced.opened.into_iter().filter(planted).collect();
    seen.programs = traced
        .programs
        .into_iter()
        .filter(|program| {
            let name = Path::new(program).file_name().unwrap_or_default();
            let name = name.to_string_lossy();
            name != "git" && !name.starts_with("git-")
        })
        .collect();
    seen.connected = traced.connected.into_iter().collect();
}

fn request(line: &Value) -> Request {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let graphql = &line["graphql"];
    let method = text(&line["method"]);
    let kind = text(&graphql["kind"]);
    let (summary, mutates) = if kind.is_empty() {
        let unread = !graphql.is_null() || !matches!(method.as_str(), "GET" | "HEAD");
        (format!("{method} {}", text(&line["path"])), unread)
    } else {
        let fields = graphql["fields"].as_array().cloned().unwrap_or_default();
        let fields: Vec<String> = fields.iter().map(text).collect();
        let operation = text(&graphql["operation"]);
        (
            format!("{kind} {operation} {}", fields.join(",")),
            kind != "query",
        )
    };
    Request {
        summary,
        host: text(&line["host"]),
        mutates,
    }
}
