//! `net_diagnose`: why a host cannot be reached.  This machine's own way to the host is looked at first; where nothing can be sent, that
//! is the result.  Ping, the hops on the route, one or two TCP ports, and HTTP or TLS are checked
//! side by side, each with a time limit of its own.  A check that fails, or whose program is missing, does not stop the others.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use super::pinned;
use super::way::{self, Way};
use super::words::{and, complaint, missing, name, no_address, out};
use crate::address::literal::Literal;
use crate::gate::{Reads, Refusal, Source};
use crate::net::arguments::{Arguments, bad};
use crate::net::commands::{self, Which};
use crate::net::connect::{self, Answer, Attempt};
use crate::net::facts::{Facts, LookUp, Needs};
use crate::net::host::Host;
use crate::net::parse::{Outside, curl, dig, nmap, ping, traceroute};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::{StepResult, StepRunner};
use crate::net::tool::{Destination, Settled, Tool, ToolRow};
use crate::net::validate::Check;

pub const TOOL: ToolRow = ToolRow {
    name: "net_diagnose",
    keys: &["target", "port", "external"],
    read: |given| {
        Ok(Arc::new(Diagnose {
            port: port(given)?,
            target: given.host("target")?,
        }))
    },
};

/// A call that finds out why a host cannot be reached.
#[derive(Debug)]
struct Diagnose {
    target: Host,
    /// The TCP port that is checked; `None`: the ports [`USUAL`].
    port: Option<u16>,
}

fn port(given: &Arguments<'_>) -> Result<Option<u16>, Refusal> {
    let one = given.pinned("port", Check::Ports)?;
    one.map(|one| one.parse())
        .transpose()
        .map_err(|_| bad("`port' is one number.\nCall again with one."))
}

impl Tool for Diagnose {
    fn needs(&self) -> Needs<'_> {
        pinned::needs(&self.target)
    }

    fn settle(&self, facts: &Facts, _: &NetSettings) -> Result<Settled, Refusal> {
        pinned::settle(&self.target, "target", facts, |name| {
            Ok(Settled {
                destination: Destination::Nowhere {
                    name: name.to_owned(),
                    look_up: facts.look_up,
                },
                host: name.to_ascii_lowercase(),
                source: Source::ExplicitHost,
                doubt: None,
            })
        })
    }

    fn sentence(&self, host: &str) -> String {
        format!("Find out whether {host} can be reached, and if not, why")
    }

    fn packets(&self, to: &Destination) -> &'static str {
        match to {
            Destination::Nowhere { .. } => "It asks the DNS servers why the name has no address.",
            _ => {
                "It sends three echo requests, one probe to each hop on the route, and opens connections to one or two TCP ports of each address."
            }
        }
    }

    /// The most time for all checks.  The look-up before them takes six seconds at most.
    fn timeout(&self) -> Duration {
        Duration::from_secs(22)
    }

    fn steps(&self, to: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        steps(to, self.port)
    }

    fn finish(
        &self,
        runner: &StepRunner,
        to: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        Ok(finish(runner, to, self.port, steps, reads))
    }
}

/// Seconds that nmap may take for one or two ports.
const PORTS_TIME: u64 = 7;

/// The ports that are checked where the call names none.
const USUAL: &str = "80,443";

/// The usual ports of HTTP and HTTPS.
const WEB: &[(u16, &str)] = &[
    (80, "http"),
    (8000, "http"),
    (8008, "http"),
    (8080, "http"),
    (443, "https"),
    (8443, "https"),
];

/// The checks of the pinned address, and the lines of the checks that may run after them.
fn steps(to: &Destination, port: Option<u16>) -> (Vec<Step>, Vec<String>) {
    match to {
        Destination::Host {
            name,
            address,
            others,
        } => {
            let mut steps = way::steps(address);
            steps.extend([
                commands::ping(address),
                commands::ports(address, Which::Listed(&ports(port)), PORTS_TIME),
                commands::traceroute(address),
            ]);
            let web = port.unwrap_or(443);
            if let Some((_, scheme)) = WEB.iter().find(|(known, _)| *known == web) {
                let name = name.as_deref().unwrap_or(address);
                steps.push(commands::curl(name, address, scheme, web));
            }
            let mut later = other_family(address, others)
                .map(|other| second(other, port))
                .unwrap_or_default();
            later.extend(certificate(to, port));
            (steps, later.iter().map(Step::line).collect())
        }
        Destination::Nowhere { name, .. } => (vec![commands::dig(name, "A", None)], Vec::new()),
        _ => (Vec::new(), Vec::new()),
    }
}

/// Runs the checks; there is always a result.
fn finish(
    runner: &StepRunner,
    to: &Destination,
    port: Option<u16>,
    steps: &[Step],
    reads: &mut dyn Reads,
) -> String {
    match to {
        Destination::Nowhere { name, look_up } => {
            nowhere(name, *look_up, runner.run(steps, reads).into_iter().next())
        }
        Destination::Host {
            name,
            address,
            others,
        } => {
            let (local, steps) = steps.split_at(steps.len().min(2));
            if let [route, interfaces] = runner.run(local, reads).as_slice()
                && let Some(fault) = Way::of(address, route, interfaces).and_then(|way| way.fault)
                && other_family(address, others).is_none()
            {
                return stuck(name.as_deref(), address, &fault);
            }
            let mut answers = runner.run(steps, reads).into_iter();
            let mut next = || answers.next();
            let first = Checks::of(next(), next());
            let route = next().map(|answer| traced(&answer, address));
            let web_answer = next();
            // The second checks, for an address of the other family and for a certificate, run side by side too.
            let other = other_family(address, others).filter(|_| !first.fine());
            let mut more = other.map(|other| second(other, port)).unwrap_or_default();
            let unknown = web_answer.as_ref().is_some_and(untrusted);
            more.extend(certificate(to, port).filter(|_| unknown));
            let mut answers = runner.run(&more, reads).into_iter();
            let compared = other.map(|other| (other, Checks::of(answers.next(), answers.next())));
            let shown = answers.next();
            let web = web_answer.map(|answer| {
                let https = certificate(to, port).is_some();
                web(
                    &answer,
                    if https { "HTTPS" } else { "HTTP" },
                    shown.as_ref(),
                )
            });
            let compared = compared.as_ref().map(|(other, checks)| (*other, checks));
            // Every address is tried, even where the first one is well: a program may take any of them.
            let beside = if first.fine() {
                connect::attempts(&beside(others, port), BESIDE, &|| reads.go_on().is_ok())
            } else {
                Vec::new()
            };
            render(
                name.as_deref(),
                address,
                (others, &beside),
                &first,
                route.as_ref(),
                web.as_ref(),
                compared,
            )
        }
        _ => String::new(),
    }
}

/// The result where this machine itself cannot send to `address`, for the reason `fault`.
pub(super) fn stuck(name: Option<&str>, address: &str, fault: &str) -> String {
    let host = name.map_or_else(
        || address.to_owned(),
        |name| format!("{name} resolves to {address}, which"),
    );
    format!(
        "{host} cannot be reached from here: {fault}.\nNothing was sent to it, so nothing is known about it.\nNext: network_status shows the interfaces and routes of this machine."
    )
}

/// The step that asks an HTTPS server for its certificate, trusted or not; `None` where the port is not one of HTTPS.
fn certificate(to: &Destination, port: Option<u16>) -> Option<Step> {
    let Destination::Host { name, address, .. } = to else {
        return None;
    };
    let port = port.unwrap_or(443);
    WEB.contains(&(port, "https"))
        .then(|| commands::certificate(name.as_deref().unwrap_or(address), address, port))
}

/// The other addresses that are tried, and how long.
const BESIDES: usize = 6;
const BESIDE: Duration = Duration::from_secs(2);

/// The ports of the other addresses; an address with a zone is left out.
fn beside(others: &[String], port: Option<u16>) -> Vec<SocketAddr> {
    let ports = port.map_or_else(|| vec![80, 443], |port| vec![port]);
    let addresses = others.iter().filter_map(|text| text.parse::<IpAddr>().ok());
    addresses
        .take(BESIDES)
        .flat_map(|at| ports.iter().map(move |port| SocketAddr::new(at, *port)))
        .collect()
}

/// The answer of a port in words.
fn answered(port: u16, answer: Answer) -> String {
    match answer {
        Answer::Open => format!("TCP {port} is open"),
        Answer::Reset => format!("TCP {port} is refused"),
        Answer::Silence => format!("TCP {port} gives no answer"),
        Answer::NotSent(error) => {
            format!("TCP {port} cannot be tried from here ({})", error.desc())
        }
        Answer::Icmp(icmp, by) => format!("TCP {port} fails, since {by} says {icmp}"),
    }
}

fn ports(port: Option<u16>) -> String {
    port.map_or_else(|| USUAL.to_owned(), |port| port.to_string())
}

/// The first of `others` that is IPv6 where `address` is IPv4, or the reverse.
fn other_family<'a>(address: &str, others: &'a [String]) -> Option<&'a str> {
    let six = |text: &str| text.contains(':');
    others
        .iter()
        .find(|other| six(other) != six(address) && Literal::read(other).is_some())
        .map(String::as_str)
}

/// The checks of an address of the other family; they run when ping or a TCP port of the first address fails.
fn second(other: &str, port: Option<u16>) -> Vec<Step> {
    vec![
        commands::ping(other),
        commands::ports(other, Which::Listed(&ports(port)), PORTS_TIME),
    ]
}

/// The result for an address on this machine's own link for which no machine answers.
const NOBODY: &str = "no machine on the link has this address";

/// The results of ping and nmap for one address.
pub(super) struct Checks {
    ping: CheckOutcome,
    ports: Vec<CheckOutcome>,
}

/// The result of one check: a few words for the conclusion, and the details below it.
pub(super) struct CheckOutcome {
    words: String,
    detail: String,
    good: bool,
}

impl CheckOutcome {
    fn none(what: &str, why: &str) -> Self {
        Self {
            words: format!("{what} was not checked"),
            detail: format!("not checked: {why}"),
            good: false,
        }
    }
}

impl Checks {
    pub(super) fn of(ping: Option<StepResult>, ports: Option<StepResult>) -> Self {
        Self {
            ping: ping.map_or_else(
                || CheckOutcome::none("ping", "it was left out"),
                |a| pinged(&a),
            ),
            ports: ports.map_or_else(Vec::new, |a| scanned(&a)),
        }
    }

    fn fine(&self) -> bool {
        self.ping.good && self.ports.iter().all(|port| port.good)
    }

    /// Whether the address may lie behind a router.  For an address on this machine's own link, traceroute's `unreachable` comes
    /// from this machine and not from a router.
    fn routed(&self) -> bool {
        self.ports.iter().all(|port| port.words != NOBODY)
    }

    fn words(&self) -> Vec<String> {
        let ports = self.ports.iter().map(|port| port.words.clone());
        std::iter::once(self.ping.words.clone())
            .chain(ports)
            .collect()
    }
}

fn pinged(answer: &StepResult) -> CheckOutcome {
    let captured = match answer {
        Ok(captured) => captured,
        Err(refusal) => return CheckOutcome::none("ping", &missing(refusal)),
    };
    let Ok(ping) = ping::read(&out(captured)) else {
        return CheckOutcome {
            words: "ping cannot be sent".to_owned(),
            detail: format!("ping could not begin and says {}", complaint(captured)),
            good: false,
        };
    };
    let mut detail = format!("{} of {} answered", ping.received, ping.sent);
    if let Some((low, mean, high)) = ping.times {
        let _ = write!(detail, ", {low:.1}/{mean:.1}/{high:.1} ms");
    }
    for (by, error) in &ping.errors {
        let _ = write!(detail, "; {by} says {error}");
    }
    let words = match (ping.received, ping.errors.first()) {
        (0, Some((_, error))) if error.contains("Net") || error.contains("No route") => {
            "cannot be reached (there is no route to its network)"
        }
        (0, _) => "does not answer ping",
        (received, _) if received < ping.sent => "answers some pings and not others",
        _ => "answers ping",
    };
    CheckOutcome {
        words: words.to_owned(),
        detail,
        good: ping.received == ping.sent,
    }
}

fn scanned(answer: &StepResult) -> Vec<CheckOutcome> {
    let captured = match answer {
        Ok(captured) => captured,
        Err(refusal) => return vec![CheckOutcome::none("TCP", &missing(refusal))],
    };
    let nothing = |words: &str, detail: String| {
        vec![CheckOutcome {
            words: words.to_owned(),
            detail,
            good: false,
        }]
    };
    let Ok(run) = nmap::read(&out(captured)) else {
        return nothing(
            "TCP was not checked",
            format!("nmap says {}", complaint(captured)),
        );
    };
    let Some(host) = run.hosts.rows.first() else {
        return match run.totals {
            Some((0, 1)) => nothing(
                NOBODY,
                "nobody answers for the address on this link (ARP)".to_owned(),
            ),
            _ => nothing(
                "nothing can be sent to it by TCP",
                format!("nmap could not send and says {}", complaint(captured)),
            ),
        };
    };
    if host.timed_out {
        return nothing(
            "TCP gives no answer in time",
            format!("the scan was not done after {PORTS_TIME} seconds"),
        );
    }
    let ports = host.ports.rows.iter();
    ports
        .map(|port| CheckOutcome {
            words: state(port),
            detail: format!("{}/tcp {} ({})", port.number, port.state, port.reason),
            good: port.state == "open",
        })
        .collect()
}

/// The state of a port in words.
fn state(port: &nmap::Port) -> String {
    let number = port.number;
    match (port.state.as_str(), port.reason.as_str()) {
        ("open", _) => format!("TCP {number} is open"),
        ("closed", _) => format!("TCP {number} is refused by the host"),
        ("filtered", "admin-prohibited" | "host-prohibited" | "net-prohibited") => {
            format!("TCP {number} is refused by a firewall")
        }
        ("filtered", "host-unreach" | "net-unreach" | "no-route") => {
            format!("TCP {number} cannot be reached: there is no route to the host")
        }
        ("filtered", _) => format!("TCP {number} gives no answer"),
        (other, _) => format!("TCP {number} is {other}"),
    }
}

/// The result of traceroute: the hops on the route; good where the last hop is the host itself.
pub(super) fn traced(answer: &StepResult, address: &str) -> CheckOutcome {
    let said = |words: &str, detail: String, good: bool| CheckOutcome {
        words: words.to_owned(),
        detail,
        good,
    };
    let captured = match answer {
        Ok(captured) => captured,
        Err(refusal) => return CheckOutcome::none("the route", &missing(refusal)),
    };
    let Ok(hops) = traceroute::read(&out(captured)) else {
        let detail = format!(
            "traceroute could not begin and says {}",
            complaint(captured)
        );
        return said("", detail, false);
    };
    let bare = address.split('%').next().unwrap_or(address);
    let answered: Vec<(String, &traceroute::Hop)> = hops
        .iter()
        .filter_map(|hop| Some((hop.address?.to_string(), hop)))
        .collect();
    let Some((at, last)) = answered.last() else {
        return said("", "no hop answers".to_owned(), false);
    };
    let (words, end) = match (at == bare, last.note) {
        (true, None) => (String::new(), format!("reached at hop {}", last.number)),
        (_, Some(note)) => (
            format!("{at} on the route says {note}"),
            format!("hop {} ({at}) says {note}", last.number),
        ),
        (false, None) => (
            String::new(),
            format!("nothing answers after hop {} ({at})", last.number),
        ),
    };
    let seen: Vec<String> = answered
        .iter()
        .take(20)
        .map(|(at, hop)| {
            let time = hop
                .time
                .map_or_else(String::new, |ms| format!(" {ms:.1} ms"));
            format!("{} {at}{time}", hop.number)
        })
        .collect();
    let good = at == bare && last.note.is_none();
    said(&words, format!("{end}: {}", seen.join(", ")), good)
}

fn request(answer: &StepResult) -> Option<curl::Request> {
    curl::read(&out(answer.as_ref().ok()?)).ok()
}

/// Whether curl refused the certificate without showing it.
fn untrusted(answer: &StepResult) -> bool {
    /// curl(1): "Peer certificate cannot be authenticated with known CA certificates".
    const NOT_TRUSTED: u64 = 60;
    request(answer).is_some_and(|r| r.exit == NOT_TRUSTED && r.certificate.is_none())
}

/// The result of the request; `again` is the answer to the second request, which accepts an untrusted certificate in order to show
/// it.
pub(super) fn web(answer: &StepResult, scheme: &str, again: Option<&StepResult>) -> CheckOutcome {
    let captured = match answer {
        Ok(captured) => captured,
        Err(refusal) => return CheckOutcome::none(scheme, &missing(refusal)),
    };
    let Ok(request) = curl::read(&out(captured)) else {
        return CheckOutcome {
            words: format!("{scheme} was not checked"),
            detail: format!("curl says {}", complaint(captured)),
            good: false,
        };
    };
    let good = request.status.is_some();
    let words = match request.status {
        Some(status) => format!("{scheme} answers {status}"),
        None => format!("{scheme} fails: {}", request.outcome),
    };
    let (connected, secured, total) = request.seconds;
    let mut detail = words.clone();
    if connected > 0.0 {
        let _ = write!(detail, " (connected after {:.0} ms", connected * 1e3);
        if secured > 0.0 {
            let _ = write!(detail, ", TLS {:.0} ms", secured * 1e3);
        }
        let _ = write!(detail, ", all {:.0} ms)", total * 1e3);
    }
    if let Some(message) = request.message.as_ref().filter(|_| !good) {
        let _ = write!(detail, "; curl says {message}");
    }
    let again = again.and_then(self::request).and_then(|r| r.certificate);
    if let Some(shown) = request.certificate.as_ref().or(again.as_ref()) {
        let _ = write!(
            detail,
            "; certificate for {}, names {}, by {}, from {} until {}",
            shown.subject, shown.names, shown.issuer, shown.from, shown.until
        );
    }
    CheckOutcome {
        words,
        detail,
        good,
    }
}

pub(super) fn render(
    name: Option<&str>,
    address: &str,
    (others, beside): (&[String], &[Attempt]),
    first: &Checks,
    route: Option<&CheckOutcome>,
    web: Option<&CheckOutcome>,
    compared: Option<(&str, &Checks)>,
) -> String {
    let mut words = vec![match name {
        Some(name) => format!("{name} resolves to {address}"),
        None => address.to_owned(),
    }];
    words.extend(first.words());
    // The hops are part of the conclusion only where the host was not reached.
    if let Some(route) = route
        .as_ref()
        .filter(|route| !route.words.is_empty() && !first.fine() && first.routed())
    {
        words.push(route.words.clone());
    }
    // Where no port is open, the failure of the request adds nothing.
    if let Some(web) = web.filter(|web| web.good || first.ports.iter().any(|port| port.good)) {
        words.push(web.words.clone());
    }
    if let Some((other, checks)) = compared {
        words.push(format!("while {other} {}", and(&checks.words())));
    }
    // A machine without a way to one family uses the other one: that is no trouble.
    let well = |one: &&Attempt| matches!(one.answer, Answer::Open | Answer::NotSent(_));
    for one in beside.iter().filter(|one| !well(one)) {
        let port = one.to.port();
        words.push(format!(
            "but not at {}: {}",
            one.to.ip(),
            answered(port, one.answer)
        ));
    }
    let conclusion = match (name, words.split_first()) {
        (None, Some((address, rest))) => format!("{address}: {}.", rest.join(", ")),
        _ => format!("{}.", words.join(", ")),
    };
    let mut lines = vec![conclusion];
    let row = |label: &str, text: &str| format!("{label}: {text}");
    if !others.is_empty() {
        let shown: Vec<&str> = others.iter().take(8).map(String::as_str).collect();
        lines.push(row("other addresses", &shown.join(" ")));
    }
    for one in beside {
        let (to, ms) = (one.to.ip(), one.after.as_millis());
        let words = answered(one.to.port(), one.answer);
        lines.push(row(&format!("port at {to}"), &format!("{words} ({ms} ms)")));
    }
    lines.push(row("ping", &first.ping.detail));
    lines.extend(first.ports.iter().map(|port| row("port", &port.detail)));
    lines.extend(web.iter().map(|web| row("web", &web.detail)));
    lines.extend(route.iter().map(|route| row("route", &route.detail)));
    if let Some((other, checks)) = compared {
        lines.push(row(&format!("ping {other}"), &checks.ping.detail));
        let ports = checks.ports.iter();
        lines.extend(ports.map(|port| row(&format!("port {other}"), &port.detail)));
    }
    lines.join("\n")
}

/// The result for a name without an address: what the DNS servers say about the name.
fn nowhere(asked: &str, look_up: LookUp, answer: Option<StepResult>) -> String {
    let why = match answer {
        Some(Ok(captured)) => match dig::read(&out(&captured)) {
            Ok(dig::Reply {
                status: Some(status),
                records,
                ..
            }) => match (status.as_str(), records.len()) {
                ("NXDOMAIN", _) => "the DNS servers know no such name (NXDOMAIN)".to_owned(),
                ("NOERROR", 0) => "the name exists in DNS and has no address".to_owned(),
                ("NOERROR", _) => format!(
                    "DNS has records for it, {}, and yet the system's look-up fails",
                    records
                        .first()
                        .map_or_else(String::new, |record| name(&record.owner))
                ),
                (other, _) => format!("the DNS servers say {}", Outside::new(other)),
            },
            Ok(answer) => format!(
                "no DNS server answers: {}",
                super::lookup::trouble(&answer.trouble)
            ),
            Err(_) => format!("dig says {}", complaint(&captured)),
        },
        Some(Err(refusal)) => format!("the DNS servers were not asked: {}", missing(&refusal)),
        None => "the DNS servers were not asked".to_owned(),
    };
    format!(
        "{asked} does not resolve, so nothing was sent to it: {why}.\nlook-up: {}",
        no_address(look_up)
    )
}
