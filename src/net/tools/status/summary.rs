//! The first line of `network_status`: addresses, the default route, full tunnels and the DNS servers.

use super::full::{self, Outcome, Ways};
use super::policy::Policy;
use super::readings::Readings;
use super::show::Rows;
use super::stub;
use crate::address::literal::Literal;
use crate::net::parse::ip::{Interface, Route};
use crate::net::parse::resolvectl;
use crate::net::tools::words::name;

/// The facts of the first line.
#[derive(Default)]
pub struct Summary {
    links: Option<Vec<Interface>>,
    /// The routes of IPv4 and those of IPv6, each where they could be read.
    four: Option<Vec<Route>>,
    six: Option<Vec<Route>>,
    /// What resolvectl(1) said.
    resolved: Option<Vec<resolvectl::Servers>>,
    servers: Option<Vec<Literal>>,
}

impl Summary {
    pub fn note(&mut self, rows: Rows) {
        match rows {
            Rows::Interfaces(all) => self.links = Some(all.rows),
            Rows::Routes(all) => self.four = Some(all.rows),
            Rows::Routes6(all) => self.six = Some(all.rows),
            Rows::Servers(all) => self.resolved = Some(all.rows),
            Rows::Conf(conf) => self.servers = Some(conf.servers),
            Rows::Listeners(_) | Rows::Connections(_) => {}
        }
    }

    pub fn line(&self, policy: &Policy, found: &Readings<'_>) -> String {
        let servers = match self.servers.as_deref() {
            None => "DNS unknown".to_owned(),
            Some([]) => "no DNS server".to_owned(),
            Some(all) => {
                let list: Vec<String> = all.iter().map(ToString::to_string).collect();
                let behind = stub::told(all, self.resolved.as_deref(), found);
                format!("DNS {}{behind}", list.join(" "))
            }
        };
        format!(
            "{}; {}; {servers}.",
            self.addresses(),
            self.default_route(policy)
        )
    }

    fn addresses(&self) -> String {
        let Some(links) = &self.links else {
            return "interfaces unknown".to_owned();
        };
        let up: Vec<String> = links
            .iter()
            .filter(|one| !one.loopback && !one.addresses.is_empty())
            .map(|one| format!("{} {}", name(&one.name), one.addresses[0]))
            .collect();
        if up.is_empty() {
            return "no address but loopback".to_owned();
        }
        up.join(", ")
    }

    /// The router of the default route, of IPv4 rather than of IPv6, and the tunnel that all traffic goes into in place of it.
    fn default_route(&self, policy: &Policy) -> String {
        let four = self.four.as_deref().and_then(full::default);
        let six = self.six.as_deref().and_then(full::default);
        // The kernel has a default route of IPv6 that is unreachable where it has no other.
        let six = six.filter(|one| !one.nowhere());
        let default = match four.or(six) {
            Some(one) if one.nowhere() => {
                format!("default route {}", one.kind.as_deref().unwrap_or_default())
            }
            Some(one) => format!(
                "default route {}",
                one.via.as_deref().unwrap_or("on the link")
            ),
            None if self.four.is_some() || self.six.is_some() => "no default route".to_owned(),
            None => "routes unknown".to_owned(),
        };
        let links = self.links.as_deref().unwrap_or_default();
        let outcome = |family, main: &Option<Vec<Route>>| -> Outcome {
            Ways {
                policy: family,
                main: main.as_deref(),
                links,
            }
            .outcome()
        };
        let tunnel = full::told(
            &outcome(&policy.four, &self.four),
            &outcome(&policy.six, &self.six),
            four.is_none(),
        );
        format!("{default}{tunnel}")
    }
}
