//! Runs the checks and collects what they find.
//!
//! First this machine is asked about the way: where nothing can be sent, nothing is.  Then ping, the route, the DNS servers and all
//! TCP ports are checked side by side, and last what the findings make worth a look.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::ifaddrs::getifaddrs;

use super::after::after;
use super::answers::{hopped, pinged};
use super::asked::{Asked, socket};
use super::findings::Findings;
use super::last::last;
use super::resolving;
use crate::gate::Reads;
use crate::net::connect::{self, Answer, Attempt};
use crate::net::step_runner::StepRunner;
use crate::net::tools::kernel_way;
use crate::net::tools::way::{self, Way};

/// How long a connection may take: long enough for a second SYN, which the kernel sends after one second, and for a router to find
/// out that a host is gone, which takes it three seconds (three questions by ARP).
const CONNECT: Duration = Duration::from_millis(3_300);

/// How long a connection to one of the usual ports may take, which nobody asked for: little more than until the second SYN.
const USUAL: Duration = Duration::from_millis(1_200);

/// How long a connection may take where another port is open.
const ENOUGH: Duration = USUAL;

/// After this time nothing further is looked at, so that a call ends within twenty seconds.
const LATE: Duration = Duration::from_secs(11);

/// The other addresses that are tried.
const OTHERS: usize = 6;

/// The findings about the address, or the sentence that says why nothing can be sent to any.
pub fn gather(
    asked: &Asked<'_>,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) -> Result<Box<Findings>, String> {
    let mut stuck = Vec::new();
    let mut address = asked.address.to_owned();
    let mut way = kernel_way::find(&address, &runner.run(&way::steps(&address), reads));
    if let Some(fault) = way.as_ref().and_then(|way| way.fault.clone()) {
        // The other family may have a way.
        let six = address.contains(':');
        let other = asked.others.iter().find(|one| one.contains(':') != six);
        let found = other.and_then(|other| {
            let way = kernel_way::find(other, &runner.run(&way::steps(other), reads))?;
            way.fault.is_none().then(|| (other.clone(), way))
        });
        let Some((other, found)) = found else {
            return Err(fault);
        };
        stuck.push((address, fault));
        (address, way) = (other, Some(found));
    }
    let others: Vec<String> = asked
        .others
        .iter()
        .filter(|one| **one != address && !stuck.iter().any(|(known, _)| known == *one))
        .cloned()
        .collect();
    let asked = &Asked {
        address: &address,
        others: &others,
        ..*asked
    };
    let begun = Instant::now();
    let early = || asked.resolver.took + begun.elapsed() < LATE;
    let mut found = together(asked, way, stuck, runner, reads);
    after(asked, &mut found, runner, reads);
    if early() {
        last(asked, &mut found, runner, reads);
    }
    Ok(Box::new(found))
}

/// The checks that run side by side.
#[expect(
    clippy::disallowed_methods,
    reason = "a thread that ends before this returns; it has the worker's signal mask and needs little stack"
)]
fn together(
    asked: &Asked<'_>,
    way: Option<Way>,
    stuck: Vec<(String, String)>,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) -> Findings {
    let ports = asked.ports();
    let own: Vec<SocketAddr> = ports
        .iter()
        .filter_map(|port| socket(asked.address, *port))
        .collect();
    let beside = asked.others.iter().take(OTHERS).flat_map(|address| {
        let tried = if asked.port.is_some() {
            &ports[..1]
        } else {
            &ports
        };
        tried.iter().filter_map(|port| socket(address, *port))
    });
    let all: Vec<SocketAddr> = own.iter().copied().chain(beside).collect();
    let stop = AtomicBool::new(false);
    // Of the two usual ports one is enough: the other one may be dropped by a firewall, which is no news.
    let time = |tried: &[Attempt]| {
        let mut own = tried.iter().take(own.len());
        let enough = asked.port.is_none() && own.any(|one| one.answer == Answer::Open);
        match asked.port {
            _ if enough => ENOUGH,
            Some(_) => CONNECT,
            None => USUAL,
        }
    };
    let (mut attempts, answers) = std::thread::scope(|scope| {
        let tried =
            scope.spawn(|| connect::attempts(&all, &time, &|| !stop.load(Ordering::Relaxed)));
        let answers = runner.run(&asked.steps(), reads);
        stop.store(reads.go_on().is_err(), Ordering::Relaxed);
        (tried.join().unwrap_or_default(), answers)
    });
    let rest = attempts.split_off(own.len().min(attempts.len()));
    let (first, servers) = answers.split_at(answers.len().min(2));
    let mut found = Findings::about(asked.name, asked.address, asked.port);
    found.others = asked.others.to_vec();
    found.own = own_addresses();
    found.way = way;
    found.stuck = stuck;
    found.ports = attempts;
    found.beside = rest;
    found.resolving = resolving::read(asked.resolver, servers);
    if let [ping, hops] = first {
        (found.ping, found.no_ping) = pinged(ping);
        found.hops = hopped(hops);
    }
    found
}

/// This machine's own addresses (getifaddrs(3)).
fn own_addresses() -> Vec<IpAddr> {
    let all = getifaddrs().into_iter().flatten();
    all.filter_map(|one| connect::ip(&one.address?)).collect()
}
