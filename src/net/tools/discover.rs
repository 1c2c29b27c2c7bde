//! `net_discover`: which addresses of a network answer, with hardware addresses and makers where root asks.

use ipnet::IpNet;
use std::fmt::Write as _;

use super::{Job, Place, complaint, count, name, out};
use crate::gate::{ErrorKind, Reads, Refusal};
use crate::net::ask::reverse;
use crate::net::parse::dig::{self, Data, Record};
use crate::net::parse::{Outside, nmap};
use crate::net::step::{self, Step};
use crate::run::Captured;

/// One run of nmap, and then the names of what it found.
pub fn steps(place: &Place) -> (Vec<Step>, Vec<String>) {
    match place {
        Place::Net(net) => (
            vec![step::discover(&net.to_string())],
            vec![step::names(&["REVERSE_NAME".to_owned()]).line()],
        ),
        _ => (Vec::new(), Vec::new()),
    }
}

/// The most addresses whose names are looked up.
const NAMED: usize = 128;

/// Runs nmap, then asks for the names.
pub fn finish(
    job: &Job,
    net: IpNet,
    scan: &Step,
    reads: &mut Reads<'_>,
) -> Result<String, Refusal> {
    let run = read(&job.run_one(scan, reads)?)?;
    let reverse: Vec<String> = up(&run)
        .filter_map(|host| host.address.parse().ok())
        .map(reverse)
        .take(NAMED)
        .collect();
    let mut names = Vec::new();
    if !reverse.is_empty()
        && let Ok(captured) = job.run_one(&step::names(&reverse), reads)
        && let Ok(answer) = dig::read(&out(&captured))
    {
        names = answer.records;
    }
    Ok(render(net, &run, &names))
}

fn up(run: &nmap::Run) -> impl Iterator<Item = &nmap::Host> {
    run.hosts.rows.iter().filter(|host| host.up)
}

pub(super) fn read(captured: &Captured) -> Result<nmap::Run, Refusal> {
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

/// The name of `address` among `records`.
fn named<'a>(address: &str, records: &'a [Record]) -> Option<&'a Outside> {
    let owner = reverse(address.parse().ok()?);
    records.iter().find_map(|record| match &record.data {
        Data::Name(to) if record.owner.as_str().trim_end_matches('.') == owner => Some(to),
        _ => None,
    })
}

/// The hosts that are up.
pub fn render(net: IpNet, run: &nmap::Run, names: &[Record]) -> String {
    let up: Vec<_> = up(run).collect();
    let mut lines = vec![match run.totals {
        Some((_, total)) => format!(
            "{net}: {} of {} {}.",
            up.len(),
            if total == 1 {
                "1 address".to_owned()
            } else {
                format!("{total} addresses")
            },
            if up.len() == 1 { "answers" } else { "answer" }
        ),
        None => format!(
            "{net}: the list was cut; at least {} answer.\nAsk for a narrower `subnet'.",
            count(up.len(), "host")
        ),
    }];
    for host in &up {
        let mut line = host.address.clone();
        if let Some(named) = named(&host.address, names).or(host.name.as_ref()) {
            let _ = write!(line, " {}", name(named));
        }
        if let Some(mac) = &host.mac {
            let _ = write!(line, " {mac}");
        }
        if let Some(vendor) = &host.vendor {
            let _ = write!(line, " {vendor}");
        }
        lines.push(line);
    }
    if !up.is_empty() && up.iter().all(|host| host.mac.is_none()) {
        lines.push(
            "Hardware addresses are not known: only root sees them, and only on the same link."
                .to_owned(),
        );
    }
    lines.join("\n")
}
