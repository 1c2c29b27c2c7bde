//! Full tunnels: whether all traffic of this machine to other networks goes into one tunnel.
//!
//! A VPN leads it there in one of three ways: by the default route, by two routes that are each half of all addresses and so count
//! before the default route (`OpenVPN` with its option `def1`), or by a policy rule to a table with such routes (wg-quick).

use ipnet::IpNet;

use super::policy::Family;
use crate::net::parse::Outside;
use crate::net::parse::ip::{Interface, Route, Rule};
use crate::net::tools::words::{and, name};

/// Where traffic goes for which no narrow route is there.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The routes or a table that a rule names are not known.
    Unknown,
    /// Nowhere.
    Nowhere,
    /// Not, or not as a whole, into a tunnel.
    Elsewhere,
    /// Into a tunnel.
    Tunnel(Full),
}

/// A tunnel that takes all traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    pub device: Outside,
    /// What leads there if it is not the default route of the table `main`.
    pub why: Option<String>,
    /// Whether policy rules take some packets before that.
    pub shared: bool,
}

/// What the kernel decides by, for one version of IP.
pub struct Ways<'a> {
    pub policy: &'a Family,
    /// The routes of the table `main`, where they are known.
    pub main: Option<&'a [Route]>,
    pub links: &'a [Interface],
}

/// Where a table leads.
enum Lead<'a> {
    /// It has no default route, so that the next rule decides.
    On,
    Nowhere,
    Elsewhere,
    /// To one interface, by these routes if not by the default route.
    Device(&'a Outside, Option<String>),
}

/// The longest prefix of a route that counts as a part of all addresses, and not as one network.
const WIDE: u8 = 7;

impl Ways<'_> {
    /// Where this machine's own traffic goes: the rules decide in the order of their numbers.
    pub fn outcome(&self) -> Outcome {
        let usual = [Rule {
            priority: 32_766,
            table: Some("main".to_owned()),
            ..Rule::default()
        }];
        let rules = &self.policy.rules;
        let rules = if rules.rows.is_empty() {
            &usual[..]
        } else {
            &rules.rows
        };
        let (mut next, mut shared) = (0, false);
        for rule in rules {
            if rule.priority < next || is_idle(rule) {
                continue;
            }
            if !takes_all(rule) {
                shared |= self.takes_some(rule);
                continue;
            }
            if let Some(to) = rule.goto {
                next = to;
                continue;
            }
            if rule.action.is_some() {
                return Outcome::Nowhere;
            }
            let Some(routes) = self.table(rule) else {
                return Outcome::Unknown;
            };
            match lead(&routes) {
                Lead::On => {}
                Lead::Nowhere => return Outcome::Nowhere,
                Lead::Elsewhere => return Outcome::Elsewhere,
                Lead::Device(device, halves) => {
                    let why = match rule.table.as_deref() {
                        Some("main") | None => halves,
                        Some(table) => {
                            Some(format!("policy rule {}, table {table}", rule.priority))
                        }
                    };
                    if !self.is_tunnel(device) || (why.is_none() && self.is_provider(device)) {
                        return Outcome::Elsewhere;
                    }
                    return Outcome::Tunnel(Full {
                        device: device.clone(),
                        why,
                        shared,
                    });
                }
            }
        }
        Outcome::Nowhere
    }

    /// The routes that the rule's table has and the rule does not suppress; `None` where they are not known.
    fn table(&self, rule: &Rule) -> Option<Vec<&Route>> {
        let name = rule.table.as_deref().unwrap_or("main");
        let routes: Vec<&Route> = match name {
            "main" => self.main?.iter().collect(),
            // Its routes lead to this machine's own addresses.
            "local" => Vec::new(),
            // Nothing is in it unless somebody uses it, and then a rule besides the usual ones names it.
            "default" if self.policy.tables.is_none() => Vec::new(),
            _ => {
                let tables = self.policy.tables.as_ref()?.as_ref().ok()?;
                let of_it = |one: &&Route| one.table.as_deref() == Some(name);
                tables.rows.iter().filter(of_it).collect()
            }
        };
        let counts = |route: &Route| {
            let least = rule.suppressed;
            least.is_none_or(|least| u64::from(length(&route.to)) > least)
        };
        Some(routes.into_iter().filter(|one| counts(one)).collect())
    }

    /// Whether a rule with conditions may lead packets of this machine to many networks.
    fn takes_some(&self, rule: &Rule) -> bool {
        // A mark alone is how the program of a tunnel tells its own packets apart, and a network is like a narrow route.
        let bare = rule.from.is_none()
            && rule.iif.is_none()
            && rule.oif.is_none()
            && rule.users.is_none()
            && rule.others.is_empty();
        let to = rule.to.as_deref();
        let narrow = to.is_none_or(|to| length(to) > WIDE);
        if !rule.not && bare && narrow {
            return false;
        }
        // Packets that come in by another interface are not this machine's.
        if !rule.not
            && let Some(iif) = &rule.iif
            && iif.as_str() != "lo"
        {
            return false;
        }
        if rule.goto.is_some() || rule.action.is_some() {
            return true;
        }
        self.table(rule)
            .is_none_or(|routes| !matches!(lead(&routes), Lead::On))
    }

    fn is_tunnel(&self, device: &Outside) -> bool {
        let mut links = self.links.iter();
        links.any(|link| link.name == *device && link.tunnel == Some(true))
    }

    /// Whether `device` is more likely the line to a provider than a tunnel: a modem has no hardware address either.  A tunnel
    /// needs a way outside it, by a router.
    fn is_provider(&self, device: &Outside) -> bool {
        let modem = ["ppp", "ww", "rmnet"]
            .iter()
            .any(|start| device.as_str().starts_with(start));
        let outside = |route: &Route| route.via.is_some() && route.device.as_ref() != Some(device);
        modem && !self.main.unwrap_or_default().iter().any(outside)
    }
}

/// Whether no packet that this machine sends of itself meets the rule.
fn is_idle(rule: &Rule) -> bool {
    let nothing = rule.not && !has_conditions(rule);
    nothing
        || (rule.detached && !rule.not)
        || (rule.goto.is_some() && rule.unresolved)
        || matches!(rule.action.as_deref(), Some("nop" | "l3mdev"))
}

fn has_conditions(rule: &Rule) -> bool {
    rule.mark.is_some() || has_more_than_a_mark(rule)
}

fn has_more_than_a_mark(rule: &Rule) -> bool {
    // All packets of this machine itself come in by `lo`.
    let iif = rule.iif.as_ref();
    rule.from.is_some()
        || rule.to.is_some()
        || iif.is_some_and(|iif| rule.not || iif.as_str() != "lo")
        || rule.oif.is_some()
        || rule.users.is_some()
        || !rule.others.is_empty()
}

/// Whether the rule is for all packets, or for all that a tunnel's own program did not mark.
fn takes_all(rule: &Rule) -> bool {
    if rule.not {
        rule.mark.is_some() && !has_more_than_a_mark(rule)
    } else {
        !has_conditions(rule)
    }
}

/// The default route that counts: the one with the lowest metric.
pub fn default<'a>(routes: impl IntoIterator<Item = &'a Route>) -> Option<&'a Route> {
    let counts = |one: &&Route| one.to == "default" && one.kind.as_deref() != Some("throw");
    let defaults = routes.into_iter().filter(counts);
    defaults.min_by_key(|one| one.metric.unwrap_or(0))
}

fn lead<'a>(routes: &[&'a Route]) -> Lead<'a> {
    let default = default(routes.iter().copied());
    let wide: Vec<(&Route, IpNet)> = routes
        .iter()
        .filter_map(|one| Some((*one, wide(one)?)))
        .collect();
    let Some((first, _)) = wide.first() else {
        return match default {
            None => Lead::On,
            Some(one) if one.nowhere() => Lead::Nowhere,
            Some(one) => to(one, None),
        };
    };
    let same = |one: &Route| !one.nowhere() && one.device == first.device;
    if !wide.iter().all(|(one, _)| same(one)) {
        return Lead::Elsewhere;
    }
    let nets: Vec<IpNet> = wide.iter().map(|(_, net)| *net).collect();
    if covers_all(&nets) {
        let names: Vec<String> = wide.iter().map(|(one, _)| one.to.clone()).collect();
        return to(first, Some(and(&names)));
    }
    match default {
        Some(one) if same(one) => to(first, None),
        _ => Lead::Elsewhere,
    }
}

fn to(route: &Route, by: Option<String>) -> Lead<'_> {
    let device = route.device.as_ref();
    device.map_or(Lead::Elsewhere, |device| Lead::Device(device, by))
}

/// The length of the prefix of a route's destination.
fn length(to: &str) -> u8 {
    if to == "default" {
        return 0;
    }
    match to.parse::<IpNet>() {
        Ok(net) => net.prefix_len(),
        Err(_) if to.contains(':') => 128,
        Err(_) => 32,
    }
}

/// The destination of a route that is a part of all addresses.
fn wide(route: &Route) -> Option<IpNet> {
    let net: IpNet = route.to.parse().ok()?;
    // The private networks of IPv6 are a /7.
    let private = matches!(net, IpNet::V6(six) if six.addr().is_unique_local());
    let part = (1..=WIDE).contains(&net.prefix_len());
    let counts = route.kind.as_deref() != Some("throw");
    (part && counts && !private && !net.addr().is_multicast()).then_some(net)
}

/// Whether the networks together are all addresses of IPv4, or all of IPv6 that are given to anybody (`2000::/3`).
fn covers_all(nets: &[IpNet]) -> bool {
    let all: [IpNet; 2] = ["0.0.0.0/0", "2000::/3"].map(|net| net.parse().expect("a network"));
    let joined = IpNet::aggregate(&nets.to_vec());
    joined
        .iter()
        .any(|net| all.iter().any(|whole| net.contains(whole)))
}

/// What the summary says about full tunnels: empty, or a text that follows the default route.  `six_default`: this default route is
/// one of IPv6.
pub fn told(four: &Outcome, six: &Outcome, six_default: bool) -> String {
    let phrases: Vec<(bool, String)> = match (four, six) {
        (Outcome::Tunnel(one), Outcome::Tunnel(other)) if one.device == other.device => {
            let shared = one.shared || other.shared;
            let one = Full {
                shared,
                ..one.clone()
            };
            vec![(!six_default && one.why.is_none(), one.told("all traffic"))]
        }
        (Outcome::Tunnel(one), Outcome::Nowhere) => {
            vec![(!six_default && one.why.is_none(), one.told("all traffic"))]
        }
        _ => [
            (four, "all IPv4 traffic", !six_default),
            (six, "all IPv6 traffic", six_default),
        ]
        .into_iter()
        .filter_map(|(outcome, what, shown)| match outcome {
            Outcome::Tunnel(one) => Some((shown && one.why.is_none(), one.told(what))),
            _ => None,
        })
        .collect(),
    };
    let itself = phrases.first().is_some_and(|(itself, _)| *itself);
    let phrases: Vec<String> = phrases.into_iter().map(|(_, phrase)| phrase).collect();
    match (phrases.is_empty(), itself) {
        (true, _) => String::new(),
        (false, true) => format!(": {}", and(&phrases)),
        (false, false) => format!(", but {}", and(&phrases)),
    }
}

impl Full {
    fn told(&self, what: &str) -> String {
        let but = if self.shared {
            " that no other policy rule takes"
        } else {
            ""
        };
        let why = self.why.as_ref();
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        format!(
            "{what}{but} goes into the tunnel {}{why}",
            name(&self.device)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::Family;
    use super::*;
    use crate::net::parse::{Bounded, ip};

    const LINKS: &str = r#"[{"ifname":"eth0","link_type":"ether","address":"02:77:00:00:00:10"},
        {"ifname":"tun0","link_type":"none"},{"ifname":"wg0","link_type":"none"},{"ifname":"ppp0","link_type":"ppp"}]"#;

    /// Routes, each as `DESTINATION INTERFACE`, or with a router, a metric and a table behind it: `default eth0 10.0.0.1 100 7`;
    /// `-` leaves one out.
    fn routes(rows: &[&str]) -> Vec<Route> {
        let rows: Vec<serde_json::Value> = rows
            .iter()
            .map(|row| {
                let mut words = row.split(' ');
                let keys = ["dst", "dev", "gateway", "metric", "table", "type"];
                let mut one = serde_json::Map::new();
                for (key, word) in keys.iter().zip(&mut words) {
                    if word != "-" {
                        let number = word.parse().ok().filter(|_: &u64| *key == "metric");
                        one.insert((*key).to_owned(), number.map_or(word.into(), u64::into));
                    }
                }
                one.into()
            })
            .collect();
        let text = serde_json::Value::from(rows).to_string();
        ip::routes(&text).expect("routes").rows
    }

    fn outcome(main: &[&str], rules: &str, tables: &[&str]) -> Outcome {
        let rules = ip::rules(&format!("[{rules}]")).expect("rules");
        let tables = (!tables.is_empty()).then(|| {
            Ok(Bounded {
                rows: routes(tables),
                more: false,
            })
        });
        Ways {
            policy: &Family { rules, tables },
            main: Some(&routes(main)),
            links: &ip::interfaces(LINKS).expect("links").rows,
        }
        .outcome()
    }

    const MAIN: &str = r#"{"priority":32766,"src":"all","table":"main"}"#;
    const QUICK: &str = r#"{"priority":32764,"src":"all","table":"main","suppress_prefixlen":0},
        {"priority":32765,"not":null,"src":"all","fwmark":"0xca6c","table":"51820"},
        {"priority":32766,"src":"all","table":"main"}"#;

    #[test]
    fn a_full_tunnel_is_told_in_each_of_its_forms() {
        let lan = "default eth0 10.0.0.1 100";
        let full = |outcome| match outcome {
            Outcome::Tunnel(full) => (name(&full.device), full.why, full.shared),
            other => panic!("{other:?}"),
        };
        let table = "policy rule 32765, table 51820";
        for (main, rules, tables, device, why) in [
            (
                &["default tun0 10.8.0.1 50", lan][..],
                "",
                &[][..],
                "tun0",
                None,
            ),
            (&["default wg0"], MAIN, &[], "wg0", None),
            (
                &[
                    "0.0.0.0/1 tun0",
                    "128.0.0.0/1 tun0",
                    lan,
                    "224.0.0.0/4 eth0",
                ],
                MAIN,
                &[],
                "tun0",
                Some("0.0.0.0/1 and 128.0.0.0/1"),
            ),
            (
                &[
                    "::/3 tun0",
                    "2000::/4 tun0",
                    "3000::/4 tun0",
                    "fc00::/7 eth0",
                    "default eth0",
                ],
                MAIN,
                &[],
                "tun0",
                Some("::/3, 2000::/4 and 3000::/4"),
            ),
            (
                &[lan],
                QUICK,
                &["default wg0 - - 51820"],
                "wg0",
                Some(table),
            ),
            // A VPN over PPP needs a way to its server outside it.
            (
                &["default ppp0", "10.9.9.9 eth0 10.0.0.1"],
                "",
                &[],
                "ppp0",
                None,
            ),
        ] {
            let told = full(outcome(main, rules, tables));
            assert_eq!(
                told,
                (device.to_owned(), why.map(str::to_owned), false),
                "{main:?}"
            );
        }
        let some = format!(r#"{{"priority":9,"src":"10.0.0.5","table":"main"}},{QUICK}"#);
        let told = full(outcome(&[lan], &some, &["default wg0 - - 51820"]));
        assert!(told.2, "a rule takes some packets before");
    }

    #[test]
    fn no_full_tunnel_is_told_where_only_some_networks_or_packets_go_there() {
        let lan = "default eth0 10.0.0.1 100";
        let halves = "0.0.0.0/1 tun0";
        for (main, rules, tables) in [
            (&[lan, "10.0.0.0/8 tun0"][..], MAIN, &[][..]),
            (&[lan, "default tun0 - 500"], MAIN, &[]),
            (&[lan, halves], MAIN, &[]),
            (&[lan, halves, "128.0.0.0/1 wg0"], MAIN, &[]),
            (
                &[lan, halves, "128.0.0.0/1 tun0", "64.0.0.0/2 eth0"],
                MAIN,
                &[],
            ),
            (&[lan, halves, "128.0.0.0/1 eth0"], MAIN, &[]),
            // All but the private networks, as in WireGuard's AllowedIPs.
            (
                &[lan, "0.0.0.0/5 wg0", "8.0.0.0/7 wg0", "128.0.0.0/1 wg0"],
                MAIN,
                &[],
            ),
            // The line of a provider, without anything behind it.
            (&["default ppp0"], MAIN, &[]),
            (&["default wwan0"], MAIN, &[]),
            (&[lan], QUICK, &["10.0.0.0/8 wg0 - - 51820"]),
            (&[lan], QUICK, &["default eth0 10.0.0.2 - 51820"]),
            (&[lan], QUICK, &["default wg0 - - 7"]),
            (&[lan], QUICK, &["default - - - 51820 blackhole"]),
            (
                &[lan],
                QUICK,
                &["default - - - 51820 throw", "10.0.0.0/8 wg0 - - 51820"],
            ),
        ] {
            let told = outcome(main, rules, tables);
            assert!(
                !matches!(told, Outcome::Tunnel(_)),
                "{main:?} {tables:?} {told:?}"
            );
        }
        // Where nobody could read the tables, nothing is claimed.
        assert_eq!(outcome(&[lan], QUICK, &[]), Outcome::Unknown);
        for condition in [
            r#""src":"10.0.0.5""#,
            r#""src":"all","dst":"10.0.0.0","dstlen":8"#,
            r#""src":"all","fwmark":"0x7""#,
            r#""src":"all","uid_start":1000,"uid_end":1000"#,
            r#""src":"all","iif":"eth0""#,
            r#""src":"all","dport":443"#,
            r#""src":"all","not":null"#,
            r#""src":"all","not":null,"dst":"10.0.0.0","dstlen":8"#,
            r#""src":"all","a_later_condition":1"#,
            r#""src":"all","oif":"gone","oif_detached":null"#,
        ] {
            let rules = format!(r#"{{"priority":9,{condition},"table":"51820"}},{MAIN}"#);
            let told = outcome(&[lan], &rules, &["default wg0 - - 51820"]);
            assert_eq!(told, Outcome::Elsewhere, "{condition}");
        }
        // A rule after the one for `main` decides only where `main` has no default route.
        let late = format!(r#"{MAIN},{{"priority":40000,"src":"all","table":"7"}}"#);
        assert_eq!(
            outcome(&[lan], &late, &["default wg0 - - 7"]),
            Outcome::Elsewhere
        );
        let told = outcome(&[], &late, &["default wg0 - - 7"]);
        assert!(matches!(told, Outcome::Tunnel(_)), "{told:?}");
        // A rule that jumps over it.
        let over = format!(r#"{{"priority":1,"src":"all","goto":32766}},{QUICK}"#);
        assert_eq!(
            outcome(&[lan], &over, &["default wg0 - - 51820"]),
            Outcome::Elsewhere
        );
    }

    #[test]
    fn the_version_of_ip_is_told_where_the_other_one_goes_another_way() {
        let tunnel = |device: &str, why: Option<&str>| {
            Outcome::Tunnel(Full {
                device: Outside::new(device),
                why: why.map(str::to_owned),
                shared: false,
            })
        };
        for (four, six, six_default, wanted) in [
            (Outcome::Elsewhere, Outcome::Nowhere, false, ""),
            (
                tunnel("wg0", None),
                Outcome::Nowhere,
                false,
                ": all traffic goes into the tunnel wg0",
            ),
            (
                tunnel("wg0", None),
                tunnel("wg0", None),
                false,
                ": all traffic goes into the tunnel wg0",
            ),
            (
                tunnel("tun0", Some("halves")),
                Outcome::Elsewhere,
                false,
                ", but all IPv4 traffic goes into the tunnel tun0 (halves)",
            ),
            (
                tunnel("tun0", Some("halves")),
                Outcome::Unknown,
                false,
                ", but all IPv4 traffic goes into the tunnel tun0 (halves)",
            ),
            (
                Outcome::Elsewhere,
                tunnel("he", None),
                false,
                ", but all IPv6 traffic goes into the tunnel he",
            ),
            (
                Outcome::Nowhere,
                tunnel("he", None),
                true,
                ": all IPv6 traffic goes into the tunnel he",
            ),
        ] {
            assert_eq!(told(&four, &six, six_default), wanted);
        }
    }
}
