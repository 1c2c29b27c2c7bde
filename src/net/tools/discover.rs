//! `net_discover`: which addresses of a network answer, with hardware addresses and makers where nmap runs as root.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::pinned::pinned;
use super::services::read;
use super::words::{count, name, no_destination, out};
use crate::gate::{ErrorKind, Reads, Refusal, Source};
use crate::net::facts::{Facts, Needs};
use crate::net::host::reverse;
use crate::net::parse::dig::{self, Data, Record};
use crate::net::parse::{Outside, nmap};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
use crate::net::tool::{Destination, Settled, Tool, ToolRow};
use crate::net::validate::{self, Check, Input};
use crate::net::{commands, session};

pub const TOOL: ToolRow = ToolRow {
    name: "net_discover",
    keys: &["subnet"],
    read: |given| {
        Ok(Arc::new(Discover {
            subnet: given.pinned("subnet", Check::Subnet)?,
        }))
    },
};

/// A call that finds out which addresses of a network answer.
#[derive(Debug)]
struct Discover {
    /// The network; `None`: the network that this machine is on.
    subnet: Option<String>,
}

impl Tool for Discover {
    fn needs(&self) -> Needs<'_> {
        if self.subnet.is_none() {
            Needs::OwnNetwork
        } else {
            Needs::Nothing
        }
    }

    fn settle(&self, facts: &Facts, settings: &NetSettings) -> Result<Settled, Refusal> {
        let (net, source) = match (&self.subnet, facts.lan) {
            (Some(text), _) => (text.parse::<IpNet>().ok(), Source::ExplicitHost),
            (None, lan) => (lan, Source::Local),
        };
        let net = net.ok_or_else(|| {
            Refusal::new(
                ErrorKind::Network,
                "This machine is on no private IPv4 network.\nGive `subnet', for example 192.168.1.0/24.",
            )
        })?;
        let judged = validate::validate(Check::Subnet, Input::Text(&net.to_string()), &[]);
        let (doubt, _) = pinned("subnet", judged)?;
        let trusted = settings
            .trusted
            .iter()
            .filter_map(|text| text.parse::<IpNet>().ok())
            .any(|known| known.contains(&net));
        let first = (!trusted && !session::discovered(net)).then(|| {
            format!("{net} was not discovered in this session, and may be somebody else's network (`cj/net-trusted-networks').")
        });
        Ok(Settled {
            host: net.to_string(),
            destination: Destination::Net(net),
            source,
            doubt: doubt.or(first),
        })
    }

    fn sentence(&self, host: &str) -> String {
        format!("Look for machines in {host}")
    }

    fn packets(&self, _: &Destination) -> &'static str {
        "It sends one or two packets to each address of the network."
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(55)
    }

    /// One run of nmap, then one of dig for the names of the addresses found.
    fn steps(&self, to: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        match to {
            Destination::Net(net) => (
                vec![commands::discover(&net.to_string())],
                vec![commands::names(&["REVERSE_NAME".to_owned()]).line()],
            ),
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn finish(
        &self,
        runner: &StepRunner,
        to: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let Destination::Net(net) = to else {
            return Err(no_destination());
        };
        session::note_discovery(*net);
        finish(runner, *net, &steps[0], reads)
    }
}

/// The names of at most this many addresses are looked up.
const NAMED: usize = 128;

/// Runs nmap, then asks for the names.
fn finish(
    runner: &StepRunner,
    net: IpNet,
    scan: &Step,
    reads: &mut dyn Reads,
) -> Result<String, Refusal> {
    let run = read(&runner.run_one(scan, reads)?)?;
    let reverse: Vec<String> = up(&run)
        .filter_map(|host| host.address.parse().ok())
        .map(reverse)
        .take(NAMED)
        .collect();
    let mut names = Vec::new();
    if !reverse.is_empty()
        && let Ok(captured) = runner.run_one(&commands::names(&reverse), reads)
        && let Ok(answer) = dig::read(&out(&captured))
    {
        names = answer.records;
    }
    Ok(render(net, &run, &names))
}

fn up(run: &nmap::Run) -> impl Iterator<Item = &nmap::Host> {
    run.hosts.rows.iter().filter(|host| host.up)
}

/// The name of `address` in `records`, the answers to its reverse name.
fn named<'a>(address: &str, records: &'a [Record]) -> Option<&'a Outside> {
    let owner = reverse(address.parse().ok()?);
    records.iter().find_map(|record| match &record.data {
        Data::Name(to) if record.owner.as_str().trim_end_matches('.') == owner => Some(to),
        _ => None,
    })
}

/// The text for the model: the hosts that are up.
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
