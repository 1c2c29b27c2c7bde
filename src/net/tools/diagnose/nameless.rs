//! Collects what can be found out about a name without an address.

use std::net::IpAddr;

use nix::unistd::geteuid;

use super::answers::{neighbour, verdicts};
use super::nowhere::Nameless;
use super::resolving;
use crate::gate::Reads;
use crate::net::commands;
use crate::net::facts::{LookUp, Resolver};
use crate::net::parse::ping;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
use crate::net::tools::words::out;
use crate::net::tools::{kernel_way, way};

/// The findings about a name without an address.
pub fn nameless(
    name: &str,
    look_up: LookUp,
    resolver: &Resolver,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) -> Nameless {
    let server = resolver.servers.iter().flatten().next().cloned();
    // A resolver on this machine asks others: what is wrong with the way out is then what matters.
    let stub = server.as_ref().is_some_and(|at| resolving::here(at));
    let outward = match &server {
        Some(_) if stub => Some(OUTSIDE.to_owned()),
        other => other.clone(),
    };
    let mut steps = resolving::steps(name, resolver);
    let asked = steps.len();
    if let Some(at) = &outward {
        steps.extend(way::steps(at));
    }
    if let Some(at) = server.as_ref().filter(|_| !stub) {
        steps.push(commands::ping(at));
    }
    let answers = runner.run(&steps, reads);
    let (servers, rest) = answers.split_at(asked.min(answers.len()));
    let mut found = Nameless {
        name: name.to_owned(),
        look_up,
        resolving: resolving::read(resolver, servers),
        way: None,
        stub,
        stuck: None,
        ping: None,
        firewall: (None, None),
    };
    let known = found
        .resolving
        .servers
        .iter()
        .flat_map(resolving::Server::addresses);
    let known: Vec<IpAddr> = known.collect();
    // A name with addresses of one family alone has none on a machine without this family (getaddrinfo(3), `AI_ADDRCONFIG`).
    if let Some(address) = known.first().map(IpAddr::to_string)
        && known.iter().all(|one| one.is_ipv6() == known[0].is_ipv6())
    {
        let way = kernel_way::find(&address, &runner.run(&way::steps(&address), reads));
        found.stuck = way.and_then(|way| way.fault).map(|fault| (address, fault));
    }
    let (Some(server), Some(outward)) = (server, outward) else {
        return found;
    };
    let (way, ping) = rest.split_at(rest.len().min(4));
    found.way = kernel_way::find(&outward, way);
    if let Some(Ok(captured)) = ping.first() {
        found.ping = ping::read(&out(captured)).ok();
    }
    if found.resolving.servers.iter().any(resolving::Server::dead) {
        dead_servers(&mut found, &server, runner, reads);
    }
    found
}

/// An address outside, by which this machine's way out is found; nothing is sent to it.
const OUTSIDE: &str = "1.1.1.1";

/// Finds out why servers are dead: whether the machine that the questions to them go to first is there, and what this machine's own
/// firewall does with them.
fn dead_servers(found: &mut Nameless, first: &str, runner: &StepRunner, reads: &mut dyn Reads) {
    let dead: Vec<String> = found
        .resolving
        .servers
        .iter()
        .filter(|one| one.dead() && !resolving::here(&one.at))
        .map(|one| one.at.clone())
        .collect();
    let mut steps: Vec<Step> = dead.iter().flat_map(|at| way::steps(at)).collect();
    steps.push(commands::neighbours());
    if geteuid().is_root() {
        steps.push(commands::firewall());
    }
    let answers = runner.run(&steps, reads);
    let (ways, rest) = answers.split_at((4 * dead.len()).min(answers.len()));
    let [neighbours, rest @ ..] = rest else {
        return;
    };
    for (at, answers) in dead.iter().zip(ways.chunks(4)) {
        let Some(way) = kernel_way::find(at, answers) else {
            continue;
        };
        let known = neighbour(neighbours, way.next(at), way.device.as_ref());
        let server = found.resolving.servers.iter_mut().find(|one| one.at == *at);
        if let Some(server) = server {
            server.neighbour = known.map(|one| one.state);
            server.via = way.via;
        }
    }
    if let (Some(answer), Ok(peer)) = (rest.first(), first.parse()) {
        found.firewall = verdicts(answer, ("udp", 53), peer, found.stub);
    }
}
