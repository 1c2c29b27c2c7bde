//! The way from this machine to an address, as the kernel of this machine sees it: nothing is sent to find it out.

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;

use super::words::{name, out};
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
    let quick = |argv: &[&str]| Step::new("ip", argv, QUICK.min(Duration::from_secs(2)));
    vec![quick(&route), quick(&["-j", "addr"])]
}

/// What ip(8) says where it gets no route: the errors of the kernel (`fib_props` in `net/ipv4/fib_semantics.c`), and the faults.
const NO_ROUTE: &[(&str, &str)] = &[
    ("Network is unreachable", "this machine has no route to it"),
    (
        "Invalid argument",
        "a blackhole route or policy rule of this machine swallows all packets to it",
    ),
    (
        "No route to host",
        "a route or policy rule of this machine says that it is unreachable",
    ),
    (
        "Permission denied",
        "a route or policy rule of this machine prohibits packets to it",
    ),
];

impl Way {
    /// The way to `address`, from the answers to [`steps`]; `None` where ip(8) is missing or says nothing that is known.
    pub fn of(address: &str, route: &StepResult, interfaces: &StepResult) -> Option<Self> {
        let interfaces = interfaces.as_ref().ok().map(out).unwrap_or_default();
        let interfaces = ip::interfaces(&interfaces).ok().map(|all| all.rows);
        let interfaces = interfaces.unwrap_or_default();
        let route = route.as_ref().ok()?;
        let Some(found) = ip::routes(&out(route))
            .ok()
            .and_then(|all| all.rows.into_iter().next())
        else {
            let fault = no_route(route)?;
            let own = off(address, &interfaces).unwrap_or_else(|| fault.to_owned());
            return Some(Self {
                fault: Some(own),
                ..Self::default()
            });
        };
        let own = interfaces.iter().flat_map(|one| &one.addresses);
        let own = own.filter_map(|text| text.split('/').next());
        let own = own
            .clone()
            .any(|known| Some(known) == address.split('%').next());
        let link = interfaces
            .iter()
            .find(|one| Some(&one.name) == found.device.as_ref());
        let fault = link.filter(|_| !own).and_then(|link| {
            let device = name(&link.name);
            match (link.on, link.carrier) {
                (Some(false), _) => Some(format!("{device} of this machine is down")),
                (_, Some(false)) => Some(format!(
                    "{device} of this machine has no carrier: its cable or radio is not connected"
                )),
                _ => None,
            }
        });
        Some(Self {
            device: found.device,
            via: found.via,
            own,
            fault,
        })
    }
}

/// The fault that ip(8) names.
fn no_route(captured: &Captured) -> Option<&'static str> {
    let said = String::from_utf8_lossy(captured.stderr.head().reveal()).into_owned();
    let row = NO_ROUTE.iter().find(|(error, _)| said.contains(error))?;
    Some(row.1)
}

/// The interface that has an address in the network of `address` and is switched off: the reason why there is no route.
fn off(address: &str, interfaces: &[ip::Interface]) -> Option<String> {
    let IpAddr::V4(wanted) = Literal::read(address)?.address else {
        return None; // an interface that is off has no IPv6 address either
    };
    let holds = |text: &String| {
        let net = text.parse::<IpNet>();
        net.is_ok_and(|net| net.contains(&IpAddr::V4(wanted)))
    };
    let off = interfaces
        .iter()
        .find(|one| one.on == Some(false) && one.addresses.iter().any(holds))?;
    Some(format!("{} of this machine is down", name(&off.name)))
}
