//! The programs that a call runs: the command line of each, its time, and the Plan that it becomes.
//!
//! Every argument is written here or comes from a validator in its one spelling; a host is always an address.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::plan::Settings;
use crate::foreign::Foreign;
use crate::gate::call::shell;
use crate::gate::{
    Answer, Class, Cleaner, Draft, ErrorKind, Finish, MAX_CAP, Plan, Question, Reads, Refusal,
    Target,
};
use crate::run::{self, Captured, Limits};

/// The programs, what each is for, and the packages of Debian, Fedora and Arch that have it; none for one of another system.
pub const PROGRAMS: &[(&str, &str, [&str; 3])] = &[
    (
        "getent",
        "looks names up",
        ["libc-bin", "glibc-common", "glibc"],
    ),
    (
        "ip",
        "interfaces, routes",
        ["iproute2", "iproute", "iproute2"],
    ),
    (
        "ss",
        "what listens here",
        ["iproute2", "iproute", "iproute2"],
    ),
    (
        "dig",
        "DNS records",
        ["bind9-dnsutils", "bind-utils", "bind"],
    ),
    (
        "ping",
        "whether a host answers",
        ["iputils-ping", "iputils", "iputils"],
    ),
    (
        "traceroute",
        "the way to a host",
        ["traceroute", "traceroute", "traceroute"],
    ),
    ("curl", "HTTP and TLS", ["curl", "curl", "curl"]),
    (
        "nmap",
        "hosts, ports and services",
        ["nmap", "nmap", "nmap"],
    ),
    (
        "nmcli",
        "connections of NetworkManager",
        ["network-manager", "NetworkManager", "networkmanager"],
    ),
    (
        "resolvectl",
        "state of systemd-resolved",
        ["systemd-resolved", "systemd-resolved", "systemd"],
    ),
    (
        "ifconfig",
        "interfaces, where there is no ip",
        ["net-tools", "net-tools", "net-tools"],
    ),
    (
        "netstat",
        "what listens here, where there is no ss",
        ["net-tools", "net-tools", "net-tools"],
    ),
    ("scutil", "DNS servers of macOS", ["", "", ""]),
];

/// The time of a program that answers at once or not at all.
pub const TOP: Duration = Duration::from_secs(5);

/// One program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, one of [`PROGRAMS`].
    pub program: &'static str,
    /// Its arguments.
    pub argv: Vec<String>,
    /// How long it may take.
    pub timeout: Duration,
}

impl Step {
    /// A program with its arguments.
    pub fn new(program: &'static str, argv: &[&str], timeout: Duration) -> Self {
        Self {
            program,
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            timeout,
        }
    }

    /// The line that does the same in a shell.
    pub fn line(&self) -> String {
        format!("{} {}", self.program, shell::words(&self.argv))
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            cap: MAX_CAP,
            ..Limits::default()
        }
    }

    /// The command, for facts alone: what serves a call is a Plan.
    pub(super) fn command(&self, settings: &Settings) -> Result<run::Command, Refusal> {
        let executable = settings.program(self.program)?;
        run::Command::new(
            executable,
            &self.argv,
            &environment(settings),
            Path::new("/"),
            self.limits(),
        )
        .map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "{} cannot be executed: {error}.\nRun `M-x cj/net-doctor'.",
                    self.program
                ),
            )
        })
    }

    /// The Plan of this step of a call that goes to `target`, and that was let through as a whole.
    pub(super) fn plan(
        &self,
        target: &Target,
        settings: &Settings,
        clean: &Cleaner,
    ) -> Result<Plan, Refusal> {
        Plan::new(Draft {
            program: "net",
            class: Class::Read,
            command: self.program.to_owned(),
            reason: "It is part of a call that was let through.".to_owned(),
            argv: self.argv.clone().into(),
            parts: Vec::new(),
            executable: settings.program(self.program)?.to_owned(),
            cwd: PathBuf::from("/"),
            environment: environment(settings),
            target: Some(target.clone()),
            // Its line was shown with the call, whoever let that through.
            answer: Answer::Auto,
            complaints: Vec::new(),
            refusal: None,
            question: Question::default(),
            edited: false,
            leases: false,
            shown_environment: "LC_ALL=C.UTF-8".to_owned(),
            limits: self.limits(),
            finish: Arc::new(AsPrinted),
            guard: None,
            clean: clean.clone(),
        })
    }
}

/// Names of the given environment that go along: how to reach the system's bus, for nmcli and resolvectl.
const PASSED_ON: &[&str] = &["DBUS_SYSTEM_BUS_ADDRESS"];

/// Without HOME no program finds a file of options (`.curlrc', `.digrc'); without proxies none goes another way.
fn environment(settings: &Settings) -> Vec<(String, Foreign<String>)> {
    let fixed = [
        ("LC_ALL", "C.UTF-8"),
        ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
    ];
    let mut pairs: Vec<(String, Foreign<String>)> = fixed
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned().into()))
        .collect();
    for entry in settings.environment.reveal() {
        if let Some((name, value)) = entry.split_once('=')
            && PASSED_ON.contains(&name)
            && !pairs.iter().any(|(known, _)| known == name)
        {
            pairs.push((name.to_owned(), value.to_owned().into()));
        }
    }
    pairs
}

/// A program's output as it is: what it means is for the call that it is part of to say.  Exit codes are part of that.
struct AsPrinted;

impl Finish for AsPrinted {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut Reads<'_>,
    ) -> Result<String, Refusal> {
        let out = clean.stream(&captured.stdout);
        Ok(if out.trim().is_empty() {
            clean.stream(&captured.stderr)
        } else {
            out
        })
    }

    /// It is read by the call that it is part of, and shown to nobody.
    fn budget(&self) -> usize {
        usize::MAX
    }
}

/// How long nmap may take for one host: ports alone, and what listens on them.
pub const PORTS_TIME: u64 = 25;
/// See [`PORTS_TIME`].
pub const SERVICES_TIME: u64 = 60;

/// Three echo requests.
pub fn ping(address: &str) -> Step {
    let argv = ["-n", "-c", "3", "-i", "0.3", "-W", "2", address];
    Step::new("ping", &argv, Duration::from_secs(8))
}

/// One probe for each of at most twenty hops, sixteen at a time.
pub fn traceroute(address: &str) -> Step {
    let argv = ["-n", "-w", "2", "-q", "1", "-m", "20", address];
    Step::new("traceroute", &argv, Duration::from_secs(12))
}

/// Which ports nmap looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// A list from the validator.
    Listed(&'a str),
    /// So many of the most usual ones.
    Top(u8),
}

fn nmap(address: &str, seconds: u64, more: &[&str]) -> Step {
    let host_timeout = format!("{seconds}s");
    let mut argv = vec![
        "-n",
        "-Pn",
        "--max-retries",
        "1",
        "--host-timeout",
        &host_timeout,
    ];
    if address.contains(':') {
        argv.push("-6");
    }
    argv.extend(more);
    argv.extend(["-oX", "-", "--", address]);
    // nmap keeps its own time; this is for one that does not.
    Step::new("nmap", &argv, Duration::from_secs(seconds + 5))
}

/// Which of the ports are open; `seconds` is the most it may take.
pub fn ports(address: &str, which: Which<'_>, seconds: u64) -> Step {
    match which {
        Which::Listed(list) => nmap(address, seconds, &["-p", list]),
        Which::Top(count) => nmap(address, seconds, &["--top-ports", &count.to_string()]),
    }
}

/// What listens on open ports.
pub fn services(address: &str, open: &str) -> Step {
    nmap(
        address,
        SERVICES_TIME,
        &["-sV", "--version-light", "-p", open],
    )
}

/// Which addresses of a network answer.  nmap's own look-up of names waits long for servers that refuse; see [`names`].
pub fn discover(net: &str) -> Step {
    let mut argv = vec!["-sn", "-n", "--host-timeout", "30s", "--max-retries", "1"];
    if net.contains(':') {
        argv.push("-6");
    }
    argv.extend(["-oX", "-", "--", net]);
    Step::new("nmap", &argv, Duration::from_secs(50))
}

/// The names of addresses, as many as are answered in time.
pub fn names(reverse: &[String]) -> Step {
    let mut argv = vec![
        "-r",
        "+noall",
        "+comments",
        "+answer",
        "+time=1",
        "+tries=1",
    ];
    for name in reverse {
        argv.extend(["-q", name, "-t", "PTR"]);
    }
    Step::new("dig", &argv, TOP)
}

/// Records of a name.
pub fn dig(name: &str, kind: &str, server: Option<&str>) -> Step {
    let at = server.map(|server| format!("@{server}"));
    let mut argv = vec![
        "-r",
        "+noall",
        "+comments",
        "+answer",
        "+time=2",
        "+tries=2",
    ];
    argv.extend(at.as_deref());
    argv.extend(["-q", name, "-t", kind]);
    Step::new("dig", &argv, Duration::from_secs(14))
}

/// The front page of `name` by HTTP or HTTPS, from the pinned address and nowhere else; nothing of it is kept.
pub fn curl(name: &str, address: &str, scheme: &str, port: u16) -> Step {
    request(name, address, scheme, port, &[])
}

/// The certificate that is shown there, whoever signed it: for one that is not trusted, curl tells of it only so.
pub fn certificate(name: &str, address: &str, port: u16) -> Step {
    request(name, address, "https", port, &["-k", "-I"])
}

fn request(name: &str, address: &str, scheme: &str, port: u16, more: &[&str]) -> Step {
    let bare = |host: &str| {
        if host.contains(':') {
            // RFC 6874: in a URL the sign before a zone is written `%25'.
            format!("[{}]", host.replace('%', "%25"))
        } else {
            host.to_owned()
        }
    };
    let url = format!("{scheme}://{}:{port}/", bare(name));
    let pin = format!("{name}:{port}:{}", bare(address));
    let mut argv = vec![
        "-q",
        "-sS",
        "--max-time",
        "6",
        "--noproxy",
        "*",
        "--proto",
        "=http,https",
        "--max-redirs",
        "0",
        "-o",
        "/dev/null",
        "-w",
        // The last word makes curl keep the certificates, which the object then holds too.
        "%{json}%{stderr}%{certs}",
    ];
    if name != address {
        argv.extend(["--resolve", &pin]);
    }
    argv.extend(more);
    argv.extend(["--", &url]);
    Step::new("curl", &argv, Duration::from_secs(8))
}
