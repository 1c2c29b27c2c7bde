//! `net_diagnose`: why a host cannot be reached.
//!
//! [`gather`] runs the checks and collects [`findings`]; [`causes`] is the table that says what they mean, and [`nowhere`] the one for
//! names without an address.  [`report`] writes the result.

mod after;
mod answers;
mod asked;
mod causes;
mod evidence;
mod findings;
mod gather;
mod greeting;
mod last;
mod nameless;
mod nowhere;
mod open;
mod proxies;
mod report;
mod resolving;
#[cfg(test)]
pub(super) mod tests;
mod tls;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use self::asked::Asked;
use super::pinned;
use super::way;
use super::words::{and, name as plain};
use crate::gate::{Reads, Refusal, Source};
use crate::net::arguments::{Arguments, bad};
use crate::net::commands;
use crate::net::facts::{Facts, LookUp, Needs, Resolver};
use crate::net::host::Host;
use crate::net::parse::Outside;
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
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
    /// The TCP port that is checked; `None`: 80 and 443.
    port: Option<u16>,
}

fn port(given: &Arguments<'_>) -> Result<Option<u16>, Refusal> {
    let one = given.pinned("port", Check::Ports)?;
    one.map(|one| one.parse())
        .transpose()
        .map_err(|_| bad("`port' is one number.\nCall again with one."))
}

impl Diagnose {
    /// What is asked about the host of `to`; `None` where that is no host.
    fn asked<'a>(&self, to: &'a Destination) -> Option<Asked<'a>> {
        match to {
            Destination::Host {
                name,
                address,
                others,
                resolver,
            } => Some(Asked {
                name: name.as_deref(),
                address,
                others,
                port: self.port,
                resolver,
            }),
            _ => None,
        }
    }
}

impl Tool for Diagnose {
    fn needs(&self) -> Needs<'_> {
        pinned::needs(&self.target)
    }

    fn settle(&self, facts: &Facts, _: &NetSettings) -> Result<Settled, Refusal> {
        let nowhere = |name: &str| {
            Ok(Settled {
                destination: Destination::Nowhere {
                    name: name.to_owned(),
                    look_up: facts.look_up,
                    resolver: facts.resolver.clone(),
                },
                host: name.to_ascii_lowercase(),
                source: Source::ExplicitHost,
                doubt: None,
            })
        };
        // A filter answers with 0.0.0.0, which is no host.
        let no_host = |text: &String| text.parse().is_ok_and(|ip: IpAddr| ip.is_unspecified());
        match &facts.name {
            Some(name)
                if self.target.to_look_up() == Some(name)
                    && facts.look_up == LookUp::Found
                    && facts.addresses.iter().all(no_host) =>
            {
                nowhere(name)
            }
            _ => pinned::settle(&self.target, "target", facts, nowhere),
        }
    }

    fn sentence(&self, host: &str) -> String {
        format!("Find out whether {host} can be reached, and if not, why")
    }

    fn packets(&self, to: &Destination) -> &'static str {
        match to {
            Destination::Nowhere { .. } => {
                "It asks each configured DNS server why the name has no address, and pings the first one."
            }
            _ => {
                "It sends five echo requests, one probe to each hop on the route, and opens connections to one or two TCP ports of each address; to an open port it makes up to three requests.  Where packets are lost it sends ten more echo requests and opens ten more connections.  Each configured DNS server is asked for the name, and a proxy of the environment on this machine's own networks is tried."
            }
        }
    }

    /// The most time for all checks.  The look-up before them takes eleven seconds at most.
    fn timeout(&self) -> Duration {
        Duration::from_secs(15)
    }

    /// First the steps that ask this machine about the way; then lines about all that may run after them.
    fn steps(&self, to: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        match to {
            Destination::Host { address, .. } => {
                let lines = self.asked(to).map_or_else(Vec::new, |asked| later(&asked));
                (way::steps(address), lines)
            }
            Destination::Nowhere { name, resolver, .. } => {
                let mut later: Vec<String> = asks(name, resolver).into_iter().collect();
                let first = resolver.servers.iter().flatten().next();
                later.extend(first.map(|server| commands::ping(server).line()));
                (vec![commands::neighbours()], later)
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn finish(
        &self,
        runner: &StepRunner,
        to: &Destination,
        _: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        Ok(match to {
            Destination::Nowhere {
                name,
                look_up,
                resolver,
            } => nowhere::told(&nameless::nameless(name, *look_up, resolver, runner, reads)),
            to => match self.asked(to) {
                Some(asked) => match gather::gather(&asked, runner, reads) {
                    Ok(found) => report::told(&found),
                    Err(fault) => stuck(asked.name, asked.address, &fault),
                },
                None => String::new(),
            },
        })
    }
}

/// Lines about the checks that may run once there is a way.
fn later(asked: &Asked<'_>) -> Vec<String> {
    let mut lines = vec![
        commands::ping(asked.address).line(),
        commands::traceroute(asked.address).line(),
    ];
    lines.extend(asked.name.and_then(|name| asks(name, asked.resolver)));
    let all = std::iter::once(asked.address).chain(asked.others.iter().map(String::as_str));
    let all: Vec<String> = all.map(str::to_owned).collect();
    let ports: Vec<String> = asked.ports().iter().map(u16::to_string).collect();
    lines.push(format!(
        "TCP connections to {}, port {}",
        and(&all),
        and(&ports)
    ));
    let name = asked.name.unwrap_or(asked.address);
    let web = asked.port.unwrap_or(443);
    let https = matches!(open::speech(web), open::Speech::Https | open::Speech::Tls);
    let (scheme, other) = if https {
        ("https", "-k -I for the certificate, or http")
    } else {
        ("http", "or https")
    };
    let curl = commands::curl(name, asked.address, scheme, web).line();
    let whole = commands::whole(asked.address, 1500).line();
    lines.extend([
        format!("{curl} (then {other}, or only listening)"),
        format!(
            "{} (if some are lost)",
            commands::pings(asked.address).line()
        ),
        format!("{whole} (and smaller ones, if data stalls)"),
        format!(
            "{}; {}; ss -H -tulpn (this machine alone)",
            commands::neighbours().line(),
            commands::firewall().line()
        ),
        "as root: ARP requests about this machine's own address and the next hop".to_owned(),
        "a proxy that the environment names, if it is on a private network".to_owned(),
    ]);
    lines
}

/// A line about the questions to the configured DNS servers; `None` without any.
fn asks(name: &str, resolver: &Resolver) -> Option<String> {
    let servers: Vec<String> = resolver.servers.clone().unwrap_or_default();
    let asked = plain(&Outside::new(&resolving::asked(name, resolver)));
    (!servers.is_empty()).then(|| format!("dig {asked}, A and AAAA, at {}", and(&servers)))
}

/// The result where this machine itself cannot send to `address`, for the reason `fault`.
pub(super) fn stuck(name: Option<&str>, address: &str, fault: &str) -> String {
    let host = name.map_or_else(|| address.to_owned(), |name| format!("{name} ({address})"));
    format!(
        "{host} cannot be reached from here: {fault}.\nNothing was sent to it, so nothing is known about it.\nNext: network_status shows the interfaces and routes of this machine."
    )
}
