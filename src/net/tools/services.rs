//! `net_services`: which ports of a host are open, and then what listens on those alone.
//!
//! The scan of the ports takes a second, the probing of an odd service a minute; a host that runs into nmap's time limit has no ports
//! at all in nmap's answer, which must not read as none being open.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Job, Place, and, complaint, count, name, out};
use crate::gate::{ErrorKind, Reads, Refusal};
use crate::net::parse::nmap::{self, Host, Port, Run};
use crate::net::step::{self, PORTS_TIME, SERVICES_TIME, Step, Which};
use crate::run::Captured;

/// Both scans.
pub const TIMEOUT: Duration = Duration::from_secs(PORTS_TIME + SERVICES_TIME + 15);

/// The most usual ports that are scanned unless others are named, and the few of a fast scan.
const USUAL: u8 = 100;
const FEW: u8 = 20;

/// The scan of the ports, and words about the second one.
pub fn steps(place: &Place, ports: Option<&str>, fast: bool) -> (Vec<Step>, Vec<String>) {
    let Place::Host { address, .. } = place else {
        return (Vec::new(), Vec::new());
    };
    let which = match ports {
        Some(list) => Which::Listed(list),
        None => Which::Top(if fast { FEW } else { USUAL }),
    };
    let later = step::services(address, "OPEN_PORTS").line();
    (vec![step::ports(address, which, PORTS_TIME)], vec![later])
}

/// Runs both scans.
pub fn finish(
    job: &Job,
    host: Option<&str>,
    address: &str,
    scan: &Step,
    reads: &mut Reads<'_>,
) -> Result<String, Refusal> {
    let scanned = read(&job.run_one(scan, reads)?)?;
    let found = only(&scanned)?;
    let open: Vec<String> = open(found).map(|port| port.number.to_string()).collect();
    let probed = if open.is_empty() {
        Ok(None)
    } else {
        job.run_one(&step::services(address, &open.join(",")), reads)
            .and_then(|captured| read(&captured))
            .map(Some)
    };
    Ok(render(host, address, found, probed.as_ref()))
}

fn open(host: &Host) -> impl Iterator<Item = &Port> {
    host.ports.rows.iter().filter(|port| port.state == "open")
}

/// nmap's document, also one that was cut: what came before the cut counts.
pub(super) fn read(captured: &Captured) -> Result<Run, Refusal> {
    let text = out(captured);
    let run = if captured.stdout.truncated {
        nmap::read_beginning(&text)
    } else {
        nmap::read(&text)
    };
    run.map_err(|error| {
        Refusal::new(
            ErrorKind::Network,
            format!(
                "{error} nmap says {}.\nRun `M-x cj/net-doctor'.",
                complaint(captured)
            ),
        )
    })
}

/// The one host, whose ports are known.
pub(super) fn only(run: &Run) -> Result<&Host, Refusal> {
    let host = run.hosts.rows.first().ok_or_else(|| match run.totals {
        Some((0, 1)) => Refusal::new(
            ErrorKind::Network,
            "No machine on the link has this address, or it is off.\nAsk net_discover which addresses answer.",
        ),
        _ => Refusal::new(
            ErrorKind::Network,
            "nmap could not send to the host: there is no way there.\nAsk net_diagnose why.",
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

/// The result of both scans.
pub fn render(
    host: Option<&str>,
    address: &str,
    scanned: &Host,
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
    let odd = scanned
        .ports
        .rows
        .iter()
        .filter(|port| port.state != "open");
    lines.extend(odd.take(20).map(row));
    match probed {
        Ok(Some(_)) if known.is_none() => lines.push(format!(
            "What listens there is not known: the services did not answer within {SERVICES_TIME} seconds; the names are those that are usual for the ports."
        )),
        Err(refusal) => lines.push(format!("What listens there is not known: {}.", super::missing(refusal))),
        Ok(_) => {}
    }
    lines.join("\n")
}

/// How many ports are in which state, in words.
fn conclusion(who: &str, host: &Host) -> String {
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
        // The name would be a guess by the number alone.
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
