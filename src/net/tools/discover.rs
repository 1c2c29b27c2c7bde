//! `net_discover`: which addresses of a network answer, with hardware addresses and makers where nmap runs as root.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ipnet::IpNet;

use super::kernel_way;
use super::pinned::pinned;
use super::services::read;
use super::way::{self, Way};
use super::words::{count, name, no_destination, out};
use crate::gate::{ErrorKind, Reads, Refusal, Source};
use crate::net::facts::{Facts, Needs};
use crate::net::host::reverse;
use crate::net::parse::dig::{self, Data, Record};
use crate::net::parse::{Outside, ip, nmap};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::{StepResult, StepRunner};
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
            Needs::Router
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
        let known = session::discovered(net, facts.router.as_deref());
        let first = (!trusted && !known).then(|| {
            format!("{net} was not discovered in this session behind the router of today, and may be somebody else's network (`cj/net-trusted-networks').")
        });
        Ok(Settled {
            host: net.to_string(),
            destination: Destination::Net {
                net,
                router: facts.router.clone(),
            },
            source,
            doubt: doubt.or(first),
        })
    }

    fn sentence(&self, host: &str) -> String {
        format!("Look for machines in {host}")
    }

    fn packets(&self, _: &Destination) -> &'static str {
        "It sends up to eight packets to each address of the network: ARP on this machine's own link, else echo and time requests and two probes by TCP, all of them twice where no answer comes."
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(55)
    }

    /// First this machine's own way to the network; then one run of nmap, and one of dig for the names of the addresses found.
    fn steps(&self, to: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        match to {
            Destination::Net { net, .. } => {
                let later = vec![
                    commands::discover(&net.to_string()).line(),
                    commands::names(&["REVERSE_NAME".to_owned()]).line(),
                    commands::neighbours().line(),
                ];
                (way::steps(&witness(*net).to_string()), later)
            }
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
        let Destination::Net { net, router } = to else {
            return Err(no_destination());
        };
        session::note_discovery(*net, router.clone());
        finish(runner, *net, steps, reads)
    }
}

/// The names of at most this many addresses are looked up.
const NAMED: usize = 128;

/// An address of `net` by which the way there is found: the last one that a machine can have.
fn witness(net: IpNet) -> IpAddr {
    match net {
        IpNet::V4(net) => net.hosts().last().unwrap_or(net.addr()).into(),
        IpNet::V6(net) => net.addr().into(),
    }
}

/// How many addresses of `net` a machine may be asked at; nmap asks the first and the last of a network too.
fn size(net: IpNet) -> u128 {
    1 << (net.max_prefix_len() - net.prefix_len()).min(127)
}

/// Looks at the way there, runs nmap, then asks for the names.
fn finish(
    runner: &StepRunner,
    net: IpNet,
    steps: &[Step],
    reads: &mut dyn Reads,
) -> Result<String, Refusal> {
    let local = runner.run(steps, reads);
    let mut seen = Seen {
        way: kernel_way::find(&witness(net).to_string(), &local),
        own: local.get(1).map_or_else(Vec::new, own),
        ..Seen::default()
    };
    if let Some(fault) = seen.way.as_ref().and_then(|way| way.fault.as_ref()) {
        return Ok(unsent(net, fault));
    }
    let begun = Instant::now();
    match runner.run_one(&commands::discover(&net.to_string()), reads) {
        Ok(captured) => seen.run = read(&captured)?,
        // What the kernel heard of meanwhile is known all the same.
        Err(refusal) if refusal.kind == ErrorKind::Timeout => seen.ended = true,
        Err(refusal) => return Err(refusal),
    }
    seen.took = begun.elapsed();
    let known = runner
        .run_one(&commands::neighbours(), reads)
        .map(|one| out(&one));
    if let Ok(known) = known.and_then(|text| ip::neighbours(&text).map_err(|_| no_destination())) {
        seen.neighbours = known.rows;
    }
    let reverse: Vec<String> = seen
        .machines(net)
        .filter_map(|(address, _)| address.parse().ok())
        .map(reverse)
        .take(NAMED)
        .collect();
    if !reverse.is_empty()
        && let Ok(captured) = runner.run_one(&commands::names(&reverse), reads)
        && let Ok(answer) = dig::read(&out(&captured))
    {
        seen.names = answer.records;
    }
    Ok(render(net, &seen))
}

/// This machine's own addresses, from the answer to `ip -j addr`.
pub fn own(interfaces: &StepResult) -> Vec<String> {
    let text = interfaces.as_ref().ok().map(out).unwrap_or_default();
    let rows = ip::interfaces(&text).map_or_else(|_| Vec::new(), |all| all.rows);
    let all = rows.iter().flat_map(|one| &one.addresses);
    all.filter_map(|text| Some(text.split_once('/')?.0.to_owned()))
        .collect()
}

/// What was seen of a network.
#[derive(Default)]
pub struct Seen {
    pub run: nmap::Run,
    /// The answers to the reverse names.
    pub names: Vec<Record>,
    /// The way from this machine to the network.
    pub way: Option<Way>,
    /// This machine's own addresses.
    pub own: Vec<String>,
    /// The machines on this machine's own links that it knows, after the scan.
    pub neighbours: Vec<ip::Neighbour>,
    /// Whether nmap was ended before it was done.
    pub ended: bool,
    /// How long the scan took.
    pub took: Duration,
}

/// Whether a neighbour answered during a scan that took so long: it is reachable (ip-neighbour(8)), and was so known since the scan
/// began, as far as ip(8) says.
fn answered(one: &ip::Neighbour, took: Duration) -> bool {
    one.state == "REACHABLE" && one.confirmed.is_none_or(|ago| ago <= took.as_secs() + 1)
}

impl Seen {
    /// The addresses of the machines that answer, each with nmap's row if it has one: without root nmap misses those that answer
    /// on the link and drop what comes by TCP.
    fn machines(&self, net: IpNet) -> impl Iterator<Item = (&str, Option<&nmap::Host>)> {
        let up = self.run.hosts.rows.iter().filter(|host| host.up);
        let known = |address: &str| {
            self.run
                .hosts
                .rows
                .iter()
                .any(|h| h.up && h.address == address)
        };
        let more = self.neighbours.iter().filter(move |one| {
            let inside = one
                .address
                .parse::<IpAddr>()
                .is_ok_and(|at| net.contains(&at));
            inside && answered(one, self.took) && one.mac.is_some() && !known(&one.address)
        });
        up.map(|host| (host.address.as_str(), Some(host)))
            .chain(more.map(|one| (one.address.as_str(), None)))
    }

    /// The hardware address of `address`.
    fn mac(&self, address: &str) -> Option<&str> {
        let known = self.neighbours.iter().find(|one| one.address == address);
        known.and_then(|one| one.mac.as_deref())
    }

    /// The name of `address`, by the answers to its reverse name.
    fn name(&self, address: &str) -> Option<&Outside> {
        let owner = reverse(address.parse().ok()?);
        self.names.iter().find_map(|record| match &record.data {
            Data::Name(to) if record.owner.as_str().trim_end_matches('.') == owner => Some(to),
            _ => None,
        })
    }
}

/// The text where nothing could be sent to `net`, for the reason `fault`.
fn unsent(net: IpNet, fault: &str) -> String {
    format!(
        "{net}: nothing was sent, so nothing is known about it: {fault}.\nAsk network_status for the interfaces and routes."
    )
}

/// The text for the model: the machines that answer.
pub fn render(net: IpNet, seen: &Seen) -> String {
    let machines: Vec<_> = seen.machines(net).collect();
    let all = match size(net) {
        1 => "1 address".to_owned(),
        size => format!("{size} addresses"),
    };
    let skipped = u128::from(seen.run.skipped);
    if skipped > 0 && skipped + 1 >= size(net) {
        return unsent(net, "nmap finds no way from this machine to its addresses");
    }
    let mut lines = vec![match seen.run.totals {
        _ if seen.ended => format!(
            "{net}: the scan was not done in time; at least {} {}.\nAsk for a narrower `subnet'.",
            count(machines.len(), "machine"),
            if machines.len() == 1 {
                "answers"
            } else {
                "answer"
            }
        ),
        // nmap counts the addresses that it asked.
        Some((_, asked)) if skipped == 0 && u128::from(asked) != size(net) => format!(
            "{net}: {} of the {asked} addresses that were asked {}; the network has {all}.",
            machines.len(),
            if machines.len() == 1 {
                "answers"
            } else {
                "answer"
            }
        ),
        Some(_) => format!(
            "{net}: {} of {all} {}.",
            machines.len(),
            if machines.len() == 1 {
                "answers"
            } else {
                "answer"
            }
        ),
        None => format!(
            "{net}: the list was cut; at least {} answer.\nAsk for a narrower `subnet'.",
            count(machines.len(), "host")
        ),
    }];
    if skipped > 0 {
        lines.push(format!(
            "To {skipped} of them nothing was sent: nmap finds no way there."
        ));
    }
    let (mut own, mut hardware) = (0, 0);
    for (address, host) in &machines {
        let mut line = (*address).to_owned();
        let named = seen
            .name(address)
            .or(host.and_then(|host| host.name.as_ref()));
        if let Some(named) = named {
            let _ = write!(line, " {}", name(named));
        }
        let mac = host.and_then(|host| host.mac.as_deref());
        if let Some(mac) = mac.or_else(|| seen.mac(address)) {
            hardware += 1;
            let _ = write!(line, " {mac}");
        }
        if let Some(vendor) = host.and_then(|host| host.vendor.as_ref()) {
            let _ = write!(line, " {vendor}");
        }
        if seen.own.iter().any(|own| own == address) {
            own += 1;
            line.push_str(" (this machine)");
        }
        lines.push(line);
    }
    if hardware == 0 && machines.len() > own {
        let routed = seen.way.as_ref().is_some_and(|way| way.via.is_some());
        lines.push(if routed {
            "Hardware addresses are not known: the network lies behind a router.".to_owned()
        } else {
            "Hardware addresses are not known.".to_owned()
        });
    }
    lines.join("\n")
}
