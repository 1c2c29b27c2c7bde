//! The way from this machine to an address, as the kernel of this machine sees it: nothing is sent to find it out.

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;

use super::words::{and, err, name, out};
use crate::address::literal::Literal;
use crate::net::commands::QUICK;
use crate::net::parse::{Outside, ip};
use crate::net::step::Step;
use crate::net::step_runner::StepResult;
use crate::run::Captured;

/// The way to one address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The interface that packets leave by.
    pub device: Option<Outside>,
    /// The router that they go to; `None` on this machine's own link.
    pub via: Option<String>,
    /// Whether the address is this machine's own.
    pub own: bool,
    /// The address that packets come from.
    pub source: Option<String>,
    /// Whether the interface has an address in a network with the router or, without one, with the target; and this network.
    pub net: Option<IpNet>,
    /// The routing table that a policy rule chose.
    pub table: Option<String>,
    /// Whether the interface is a tunnel.
    pub tunnel: bool,
    /// The largest packet that the interface sends, in bytes.
    pub mtu: Option<u32>,
    /// In words: why nothing can be sent, or why nobody can answer.
    pub fault: Option<String>,
}

/// The steps whose answers [`Way::of`] reads.
pub fn steps(address: &str) -> Vec<Step> {
    // A zone is no part of an address for ip(8); its interface is known then.
    let (bare, zone) = address.split_once('%').unwrap_or((address, ""));
    let mut route = vec!["-j", "route", "get", bare];
    if !zone.is_empty() {
        route.extend(["dev", zone]);
    }
    let family = if address.contains(':') { "-6" } else { "-4" };
    [
        &route[..],
        &["-j", "addr"],
        &["-j", family, "rule"],
        &["-j", family, "route"],
    ]
    .iter()
    .map(|argv| Step::new("ip", argv, QUICK.min(Duration::from_secs(2))))
    .collect()
}

/// What ip(8) says where it gets no route, the errors of the kernel (`fib_props` in `net/ipv4/fib_semantics.c`); the type of the
/// route or rule that causes it; and what that does.
const NO_ROUTE: &[(&str, &str, &str)] = &[
    ("Invalid argument", "blackhole", "throws packets to it away"),
    (
        "No route to host",
        "unreachable",
        "says that it is unreachable",
    ),
    ("Permission denied", "prohibit", "prohibits packets to it"),
];

impl Way {
    /// The way to `address`, from the answers to [`steps`]; `None` where ip(8) is missing or says nothing that is known.
    pub fn of(address: &str, answers: &[StepResult]) -> Option<Self> {
        let [route, interfaces, rules, routes] = answers else {
            return None;
        };
        let text = |answer: &StepResult| answer.as_ref().ok().map(out).unwrap_or_default();
        let interfaces = ip::interfaces(&text(interfaces)).ok().map(|all| all.rows);
        let interfaces = interfaces.unwrap_or_default();
        let route = route.as_ref().ok()?;
        let Some(found) = ip::routes(&out(route))
            .ok()
            .and_then(|all| all.rows.into_iter().next())
        else {
            let rules = ip::rules(&text(rules)).map(|all| all.rows);
            let routes = ip::routes(&text(routes)).map(|all| all.rows);
            return Some(Self {
                fault: Some(fault(
                    address,
                    route,
                    &interfaces,
                    &rules.unwrap_or_default(),
                    &routes.unwrap_or_default(),
                )?),
                ..Self::default()
            });
        };
        let link = interfaces
            .iter()
            .find(|one| Some(&one.name) == found.device.as_ref());
        let first = found.via.as_deref().unwrap_or(&found.to);
        let first = Literal::read(first.split('/').next().unwrap_or(first));
        let net = link.zip(first).and_then(|(link, first)| {
            let mut nets = link.addresses.iter().filter_map(|text| text.parse().ok());
            nets.find(|net: &IpNet| net.contains(&first.address))
                .map(|net| net.trunc())
        });
        let own = found.kind.as_deref() == Some("local");
        let fault = link.and_then(unusable);
        Some(Self {
            own,
            net,
            source: found.source,
            table: found.table.filter(|table| table != "local"),
            tunnel: link.is_some_and(|link| link.tunnel == Some(true)),
            mtu: link.and_then(|link| link.mtu),
            device: found.device,
            via: found.via,
            fault,
        })
    }

    /// The name of the interface.
    pub fn interface(&self) -> String {
        self.device.as_ref().map_or_else(String::new, name)
    }

    /// The machine that packets go to first: the router, or `target` itself.
    pub fn next<'a>(&'a self, target: &'a str) -> &'a str {
        self.via.as_deref().unwrap_or(target)
    }
}

/// Why nothing can go by the interface.
fn unusable(link: &ip::Interface) -> Option<String> {
    let device = name(&link.name);
    match (link.on, link.carrier, link.tunnel) {
        (Some(false), ..) if link.loopback => Some(format!(
            "{device}, the loopback interface of this machine, is down"
        )),
        (Some(false), ..) => Some(format!("this machine's interface {device} is down")),
        (_, Some(false), Some(true)) => Some(format!(
            "this machine's interface {device} has no carrier: the program of this tunnel does not run"
        )),
        (_, Some(false), _) => Some(format!(
            "this machine's interface {device} has no carrier: its cable or radio is not connected"
        )),
        _ => None,
    }
}

/// The reason why there is no route to `address`.
fn fault(
    address: &str,
    route: &Captured,
    interfaces: &[ip::Interface],
    rules: &[ip::Rule],
    routes: &[ip::Route],
) -> Option<String> {
    let said = err(route);
    let target = Literal::read(address)?.address;
    let holds = |text: &str| match text.parse::<IpNet>() {
        Ok(net) => net.contains(&target),
        Err(_) => text.parse() == Ok(target),
    };
    if let Some((_, kind, does)) = NO_ROUTE.iter().find(|(error, ..)| said.contains(error)) {
        let acts = |one: &&ip::Rule| {
            one.action.as_deref() == Some(kind) && one.to.as_deref().is_none_or(holds)
        };
        if let Some(rule) = rules.iter().find(acts) {
            let to = rule.to.as_deref().unwrap_or("all addresses");
            return Some(format!(
                "a policy rule of this machine (ip rule {}: {kind} to {to}) {does}",
                rule.priority
            ));
        }
        let found = routes
            .iter()
            .find(|one| one.kind.as_deref() == Some(kind) && holds(&one.to));
        return Some(found.map_or_else(
            || format!("a {kind} route or policy rule of this machine {does}"),
            |one| {
                format!(
                    "this machine's own routing table has a {kind} route for {}, which {does}",
                    one.to
                )
            },
        ));
    }
    if !said.contains("Network is unreachable") {
        return None;
    }
    let others = || interfaces.iter().filter(|one| !one.loopback);
    // The interface that would lead there is off, or the only ones with addresses are.
    let named = |one: &&ip::Interface| one.addresses.iter().any(|text| holds(text));
    let off = || others().filter(|one| one.on == Some(false));
    let any = |one: &&ip::Interface| !one.addresses.is_empty();
    let all_off = others().all(|one| one.on == Some(false));
    let idle = others().all(|one| one.on == Some(false) || !any(&one));
    if let Some(off) = off()
        .find(named)
        .or_else(|| off().find(|one| idle && any(one)))
        .or_else(|| off().find(|_| all_off))
    {
        return Some(format!(
            "this machine's interface {} is down",
            name(&off.name)
        ));
    }
    let six = target.is_ipv6();
    let family = if six { "IPv6" } else { "IPv4" };
    let usable = |text: &String| {
        let address = text.split('/').next().and_then(|text| text.parse().ok());
        match address {
            Some(IpAddr::V4(_)) => !six,
            Some(IpAddr::V6(own)) => six && !own.is_unicast_link_local(),
            None => false,
        }
    };
    if !others().any(|one| one.addresses.iter().any(usable)) {
        /// The least MTU of a link with IPv6 (RFC 8200, section 5).
        const LEAST: u32 = 1280;
        let small = others().find(|one| six && one.mtu.is_some_and(|mtu| mtu < LEAST));
        if let Some((link, mtu)) = small.and_then(|one| Some((one, one.mtu?))) {
            return Some(format!(
                "the MTU of {} ({mtu}) is too small for IPv6, which needs {LEAST}, so this machine has no IPv6 address",
                name(&link.name)
            ));
        }
        let up: Vec<String> = others().map(|one| name(&one.name)).take(4).collect();
        let up = match up.len() {
            0 => "it has no interface but lo".to_owned(),
            1 => format!("{} is up and has none", up[0]),
            _ => format!("{} are up and have none", and(&up)),
        };
        return Some(format!("this machine has no {family} address: {up}"));
    }
    let default = routes.iter().any(|one| one.to == "default");
    Some(if default {
        format!("this machine has no route to {address}")
    } else {
        format!("this machine has no route to {address}, and no default route for {family}")
    })
}
