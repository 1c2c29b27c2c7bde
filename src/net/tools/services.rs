//! `net_services`: which ports of a host are open, and then which services listen on the open ones.
//!
//! The scan of the ports takes about a second, the probe of an unusual service up to a minute.  nmap lists no ports for a host that
//! ran into nmap's time limit; the tool reports such a host as a timeout, not as a host without open ports.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::pinned;
use super::words::{and, complaint, count, missing, name, no_address, no_destination, out};
use crate::address::literal::Literal;
use crate::gate::{ErrorKind, Reads, Refusal};
use crate::net::arguments::bad;
use crate::net::commands::{self, PORTS_TIME, SERVICES_TIME, Which};
use crate::net::facts::{Facts, Needs};
use crate::net::host::Host;
use crate::net::parse::nmap::{self, Host as Scanned, Port, Run};
use crate::net::session;
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
use crate::net::tool::{Destination, Settled, Tool, ToolRow};
use crate::net::validate::Check;
use crate::run::Captured;

pub const TOOL: ToolRow = ToolRow {
    name: "net_services",
    keys: &["host", "ports", "fast", "external"],
    read: |given| {
        let fast = given.flag("fast")?;
        if fast && given.get("ports").is_some() {
            return Err(bad(
                "`fast' and `ports' exclude each other.\nGive one of them.",
            ));
        }
        Ok(Arc::new(Services {
            ports: given.pinned("ports", Check::Ports)?,
            fast,
            target: given.host("host")?,
        }))
    },
};

/// A call that finds out which services listen on a host.
#[derive(Debug)]
struct Services {
    target: Host,
    /// The ports in nmap's form; `None`: the most usual ones.
    ports: Option<String>,
    /// `true`: only the [`FEW`] most usual ports.
    fast: bool,
}

/// How many of the most usual ports are scanned where the call names none.
const USUAL: u8 = 100;
/// How many of the most usual ports a fast scan takes.
const FEW: u8 = 20;

/// After so many other hosts in ten minutes a person is asked.
const IN_A_ROW: usize = 4;

/// The address that a call goes to.
fn address(to: &Destination) -> Option<IpAddr> {
    match to {
        Destination::Host { address, .. } => Some(Literal::read(address)?.address),
        _ => None,
    }
}

impl Tool for Services {
    fn needs(&self) -> Needs<'_> {
        pinned::needs(&self.target)
    }

    fn settle(&self, facts: &Facts, settings: &NetSettings) -> Result<Settled, Refusal> {
        let settled = pinned::settle(&self.target, "host", facts, |name| {
            let why = no_address(facts.look_up);
            Err(Refusal::new(
                ErrorKind::Network,
                format!("{name} has no address: {why}.\nAsk net_diagnose why, or give an address."),
            ))
        })?;
        // One host after the other is a discovery of their network, which asks (net_discover).
        let in_a_row = address(&settled.destination).is_some_and(|address| {
            !settings.trusts(address) && session::scanned_besides(address) >= IN_A_ROW
        });
        let doubt = in_a_row.then(|| {
            format!("The ports of {IN_A_ROW} or more other hosts were scanned in the last ten minutes, so a person is asked.")
        });
        Ok(Settled {
            doubt: settled.doubt.or(doubt),
            ..settled
        })
    }

    fn sentence(&self, host: &str) -> String {
        format!("Look at which ports of {host} are open")
    }

    fn packets(&self, _: &Destination) -> &'static str {
        "It tries to connect to each of the ports, and asks the open ones what they are."
    }

    /// The most time for both scans.
    fn timeout(&self) -> Duration {
        Duration::from_secs(PORTS_TIME + SERVICES_TIME + 15)
    }

    /// The scan of the ports, and the line of the second scan.
    fn steps(&self, to: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        let Destination::Host { address, .. } = to else {
            return (Vec::new(), Vec::new());
        };
        let which = match &self.ports {
            Some(list) => Which::Listed(list),
            None => Which::Top(if self.fast { FEW } else { USUAL }),
        };
        let later = commands::services(address, "OPEN_PORTS").line();
        (
            vec![commands::ports(address, which, PORTS_TIME)],
            vec![later],
        )
    }

    fn finish(
        &self,
        runner: &StepRunner,
        to: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let Destination::Host { name, address, .. } = to else {
            return Err(no_destination());
        };
        if let Some(host) = self::address(to) {
            session::note_scan(host);
        }
        finish(runner, name.as_deref(), address, &steps[0], reads)
    }
}

/// Runs both scans; returns the text for the model.
fn finish(
    runner: &StepRunner,
    host: Option<&str>,
    address: &str,
    scan: &Step,
    reads: &mut dyn Reads,
) -> Result<String, Refusal> {
    let scanned = read(&runner.run_one(scan, reads)?)?;
    let found = only(&scanned)?;
    let open: Vec<String> = open(found).map(|port| port.number.to_string()).collect();
    let probed = if open.is_empty() {
        Ok(None)
    } else {
        runner
            .run_one(&commands::services(address, &open.join(",")), reads)
            .and_then(|captured| read(&captured))
            .map(Some)
    };
    Ok(render(host, address, found, probed.as_ref()))
}

fn open(host: &Scanned) -> impl Iterator<Item = &Port> {
    host.ports.rows.iter().filter(|port| port.state == "open")
}

/// Reads nmap's document; of a document that was cut short, the part before the cut.
pub(super) fn read(captured: &Captured) -> Result<Run, Refusal> {
    let text = out(captured);
    let run = if captured.stdout.truncated {
        nmap::read_beginning(&text)
    } else {
        nmap::read(&text)
    };
    let run = run.map_err(|error| {
        Refusal::new(
            ErrorKind::Network,
            format!(
                "{error} nmap says {}.\nRun `M-x cj/net-doctor'.",
                complaint(captured)
            ),
        )
    })?;
    match &run.failed {
        Some(why) => Err(Refusal::new(
            ErrorKind::Network,
            format!("nmap failed, so nothing is known: it says {why}.\nRun `M-x cj/net-doctor'."),
        )),
        None => Ok(run),
    }
}

/// The only host of a scan, if its ports are known.
pub(super) fn only(run: &Run) -> Result<&Scanned, Refusal> {
    let host = run.hosts.rows.first().ok_or_else(|| match run.totals {
        Some((0, 1)) => Refusal::new(
            ErrorKind::Network,
            "No machine on the link has this address, or it is off.\nAsk net_discover which addresses answer.",
        ),
        _ => Refusal::new(
            ErrorKind::Network,
            "nmap could not send to the host: there is no route to it.\nAsk net_diagnose why.",
        ),
    })?;
    if host.timed_out {
        return Err(Refusal::new(
            ErrorKind::Timeout,
            format!(
                "The scan of the ports was not done after {PORTS_TIME} seconds, so nothing is known about them; this does not mean that none is open.\nName fewer `ports', or set `fast'."
            ),
        ));
    }
    Ok(host)
}

/// The text for the model about both scans.
pub fn render(
    host: Option<&str>,
    address: &str,
    scanned: &Scanned,
    probed: Result<&Option<Run>, &Refusal>,
) -> String {
    let who = host.map_or_else(|| address.to_owned(), |host| format!("{host} ({address})"));
    let mut lines = vec![conclusion(&who, scanned)];
    let known = match probed {
        Ok(Some(run)) => run.hosts.rows.first().filter(|host| !host.timed_out),
        _ => None,
    };
    for port in open(scanned) {
        let better =
            known.and_then(|host| host.ports.rows.iter().find(|p| p.number == port.number));
        lines.push(row(better.unwrap_or(port)));
    }
    let not_open = scanned
        .ports
        .rows
        .iter()
        .filter(|port| port.state != "open");
    lines.extend(not_open.take(20).map(row));
    match probed {
        Ok(Some(_)) if known.is_none() => lines.push(format!(
            "What listens there is not known: the services did not answer within {SERVICES_TIME} seconds; the names are those that are usual for the ports."
        )),
        Err(refusal) => lines.push(format!("What listens there is not known: {}.", missing(refusal))),
        Ok(_) => {}
    }
    lines.join("\n")
}

/// In words: how many ports are in which state.
fn conclusion(who: &str, host: &Scanned) -> String {
    let mut states: Vec<(String, usize)> = Vec::new();
    let told = host.ports.rows.iter().map(|port| (port.state.clone(), 1));
    let others = host
        .others
        .iter()
        .map(|(state, count)| (state.clone(), *count as usize));
    for (state, count) in told.chain(others) {
        match states.iter_mut().find(|(known, _)| *known == state) {
            Some((_, sum)) => *sum += count,
            None => states.push((state, count)),
        }
    }
    let all: usize = states.iter().map(|(_, count)| count).sum();
    let number = |state: &str| {
        states
            .iter()
            .find(|(known, _)| known == state)
            .map_or(0, |(_, count)| *count)
    };
    let rest: Vec<String> = states
        .iter()
        .filter(|(state, _)| state != "open")
        .map(|(state, count)| {
            let means = match state.as_str() {
                "closed" => " (the host refuses)",
                "filtered" => " (no answer, or a firewall says no)",
                _ => "",
            };
            format!("{count} {state}{means}")
        })
        .collect();
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!(", {}", and(&rest))
    };
    let open = number("open");
    let what = if number("filtered") == all && all > 0 {
        " answers on none: it is off, or a firewall stands before it;"
    } else {
        ":"
    };
    format!(
        "{who}{what} {open} of {} open{rest}.",
        count(all, "TCP port")
    )
}

fn row(port: &Port) -> String {
    let mut line = format!("{}/{} {}", port.number, port.protocol, port.state);
    if port.state != "open" {
        // The service's name would be a guess by the port's number, so it is left out.
        let _ = write!(line, " ({})", port.reason);
    } else if let Some(service) = &port.service {
        let _ = write!(line, " {}", name(&service.name));
        if service.by_number {
            line.push('?');
        }
        if service.tls {
            line.push_str(" over TLS");
        }
        if let Some(product) = &service.product {
            let _ = write!(line, " {product}");
        }
        if let Some(banner) = &service.banner {
            let _ = write!(line, ", says {banner}");
        }
    }
    line
}
