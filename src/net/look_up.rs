//! Finds the facts that a call needs before it can be judged: the addresses of a name, or the network that this machine is on.
//!
//! A name is looked up once, by `getent ahosts`, which runs the system's getaddrinfo in a process that can be ended: while a
//! resolver hangs, Emacs and its threads go on.  This machine's network is found by `ip route get`, which sends nothing.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ipnet::{IpNet, Ipv4Net};

use super::ask::Ask;
use super::commands::QUICK;
use super::facts::{Facts, LookUp, Needs, Resolver};
use super::parse::{ip, names, resolv_conf};
use super::session;
use super::settings::NetSettings;
use super::step::Step;
use super::validate::Verdict;
use crate::address::literal::Literal;
use crate::address::ranges::{self, Kind};
use crate::gate::{ErrorKind, Refusal};
use crate::run::{self, Captured, Ended};

/// getent is ended after this time: two dead servers before one that answers take ten seconds (resolv.conf(5), `timeout`).
const LOOK_UP: Duration = Duration::from_secs(11);

/// Starts to collect the facts for `ask`.  `done` is called with the facts exactly once, on a worker thread.
///
/// # Errors
/// `policy-blocked` for a name that the session may not look up without a person, `no-executable` where getent or ip is missing.
pub fn collect(
    ask: &Ask,
    settings: &NetSettings,
    done: impl FnOnce(Facts) + Send + 'static,
) -> Result<run::Handle, Refusal> {
    let needs = ask.tool().needs();
    let mut questions = Vec::new();
    if let Needs::Addresses(name) = needs {
        let answer = session::spend(name);
        if answer.verdict != Verdict::Allow {
            return Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "{}\nLook the name up with dns_lookup, then give the address.",
                    answer.reason
                ),
            ));
        }
        questions.push(Step::new("getent", &["ahosts", name], LOOK_UP).command(settings)?);
    } else if needs == Needs::OwnNetwork || needs == Needs::Router && settings.program("ip").is_ok()
    {
        for argv in [
            &["-j", "route", "get", "1.1.1.1"][..],
            &["-j", "addr"],
            &["-j", "neigh"],
        ] {
            questions.push(Step::new("ip", argv, QUICK).command(settings)?);
        }
    }
    let name = match needs {
        Needs::Addresses(name) => Some(name.to_owned()),
        Needs::Nothing | Needs::OwnNetwork | Needs::Router => None,
    };
    Ok(run::start_look_up(Box::new(move |cancel| {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let begun = Instant::now();
            let answers: Vec<Captured> = questions
                .iter()
                .map(|question| run::run_here(question, cancel))
                .collect();
            match answers.as_slice() {
                [answer] if name.is_some() => Facts {
                    resolver: resolver(name.as_deref().unwrap_or_default(), begun.elapsed()),
                    ..addresses(answer)
                },
                [route, interfaces, neighbours] => Facts {
                    lan: lan(&text(route), &text(interfaces)),
                    router: router(&text(route), &text(neighbours)),
                    ..Facts::default()
                },
                _ => Facts::default(),
            }
        }));
        // `done` is called after a panic too, since the caller waits for it.
        let found = asked.unwrap_or(Facts {
            look_up: LookUp::Failed,
            ..Facts::default()
        });
        done(Facts { name, ..found });
    })))
}

/// How this machine resolves `name`, which took so long.
fn resolver(name: &str, took: Duration) -> Resolver {
    let read = |path: &str| {
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        file.take(CONFIG).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let conf = read("/etc/resolv.conf").and_then(|text| resolv_conf::read(&text).ok());
    let hosts = read("/etc/hosts").unwrap_or_default();
    let sources = read("/etc/nsswitch.conf").unwrap_or_default();
    Resolver {
        took,
        servers: conf.as_ref().map(|conf| {
            // resolv.conf(5): MAXNS is 3.
            let servers = conf.servers.iter().take(3);
            servers.map(Literal::to_string).collect()
        }),
        ndots: conf.as_ref().map_or(1, ndots),
        search: conf.map_or_else(Vec::new, |conf| {
            let domains = conf.search.iter();
            domains.map(|domain| domain.as_str().to_owned()).collect()
        }),
        hosts: names::hosts(&hosts, name),
        without_dns: names::sources(&sources).filter(|sources| {
            let mut known = sources.split_ascii_whitespace();
            !known.any(|source| matches!(source, "dns" | "resolve"))
        }),
    }
}

/// The option `ndots`, at most 15 (resolv.conf(5)).
fn ndots(conf: &resolv_conf::Resolver) -> usize {
    let options = conf.options.iter();
    let mut found = options.filter_map(|one| one.as_str().strip_prefix("ndots:")?.parse().ok());
    found.next_back().unwrap_or(1).min(15)
}

/// The most bytes of a configuration file that are read.
const CONFIG: u64 = 1 << 20;

fn text(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stdout.head().reveal()).into_owned()
}

/// The addresses that getent printed: the first word of each line, each address once.
fn addresses(captured: &Captured) -> Facts {
    let mut addresses: Vec<String> = Vec::new();
    for line in text(captured).lines() {
        if let Some(word) = line.split_ascii_whitespace().next()
            && !addresses.iter().any(|known| known == word)
        {
            addresses.push(word.to_owned());
        }
    }
    let look_up = match captured.ended {
        Ended::Exited(0) if !addresses.is_empty() => LookUp::Found,
        // getent(1): 2 is "one or more supplied key could not be found".
        Ended::Exited(0 | 2) => LookUp::Nothing,
        Ended::Deadline => LookUp::TimedOut,
        _ => LookUp::Failed,
    };
    if look_up != LookUp::Found {
        // A look-up that did not end well may lack an address of another kind, so its addresses are not used.
        addresses.clear();
    }
    Facts {
        addresses,
        look_up,
        ..Facts::default()
    }
}

/// The shortest prefix of a network that is discovered without being named: 24, for 256 addresses.
const WIDEST: u8 = 24;

/// The hardware address of the router that leads outside, if this machine knows it.  A tunnel has none, and then a person's yes to a
/// network holds for one call.
fn router(route: &str, neighbours: &str) -> Option<String> {
    let mut routes = ip::routes(route).ok()?.rows.into_iter();
    let via = routes.find_map(|row| row.via)?;
    let neighbours = ip::neighbours(neighbours).ok()?;
    let mut at = neighbours.rows.into_iter().filter(|one| one.address == via);
    at.find_map(|one| one.mac)
}

/// The network of the interface that leads outside, else of the first interface with a private address; cut to the /24 around the
/// interface's address.  A tunnel, which has no hardware address, is no network to discover.
fn lan(route: &str, interfaces: &str) -> Option<IpNet> {
    let source = ip::routes(route)
        .ok()
        .and_then(|routes| routes.rows.into_iter().find_map(|row| row.source));
    let interfaces = ip::interfaces(interfaces).ok()?;
    let own = interfaces
        .rows
        .iter()
        .filter(|one| !one.loopback && one.mac.is_some())
        .flat_map(|one| &one.addresses)
        .filter_map(|text| {
            let (address, length) = text.split_once('/')?;
            let IpAddr::V4(address) = Literal::read(address)?.address else {
                return None;
            };
            let length: u8 = length.parse().ok()?;
            let net = Ipv4Net::new(address, length.max(WIDEST)).ok()?.trunc();
            let private = ranges::of(address.into()).kind == Kind::Private;
            private.then_some((address.to_string(), IpNet::V4(net)))
        });
    let outside = |(address, _): &(String, IpNet)| source.as_ref() == Some(address);
    let own: Vec<(String, IpNet)> = own.collect();
    let leads = own.iter().find(|one| outside(one));
    leads.or_else(|| own.first()).map(|(_, net)| *net)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::{collect, lan};
    use crate::gate::ErrorKind;
    use crate::net::ask::Ask;
    use crate::net::settings::NetSettings;

    #[test]
    fn a_network_that_is_named_is_discovered_without_ip_too() {
        let ask = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Ask::read(&words).expect("a call")
        };
        let none = NetSettings::default();
        let (sender, facts) = mpsc::channel();
        let named = ask(&["net_discover", "subnet=10.77.0.0/24"]);
        collect(&named, &none, move |found| {
            let _ = sender.send(found);
        })
        .expect("nothing is needed");
        let facts = facts.recv_timeout(Duration::from_secs(60));
        assert_eq!(facts.expect("facts").router, None);
        let refusal = collect(&ask(&["net_discover"]), &none, |_| ()).expect_err("no ip");
        assert_eq!(refusal.kind, ErrorKind::NoExecutable);
    }

    #[test]
    fn the_network_that_this_machine_is_on_is_cut_to_256_addresses() {
        let interfaces = |address: &str, length: u8| {
            format!(
                r#"[{{"ifname":"lo","flags":["LOOPBACK"],"addr_info":[{{"local":"127.0.0.1","prefixlen":8}}]}},
                {{"ifname":"tun0","link_type":"none","flags":["UP"],"addr_info":[{{"local":"10.8.0.2","prefixlen":24}}]}},
                {{"ifname":"eth0","link_type":"ether","address":"02:00:00:00:00:01","flags":["UP"],"addr_info":[{{"local":"{address}","prefixlen":{length}}}]}}]"#
            )
        };
        let route = |source: &str| format!(r#"[{{"dst":"1.1.1.1","prefsrc":"{source}"}}]"#);
        for (address, length, net) in [
            ("10.77.0.10", 24, Some("10.77.0.0/24")),
            ("10.77.3.10", 16, Some("10.77.3.0/24")),
            ("192.168.1.130", 26, Some("192.168.1.128/26")),
            ("93.184.216.34", 24, None),
        ] {
            let found =
                |route: &str| lan(route, &interfaces(address, length)).map(|net| net.to_string());
            assert_eq!(found(&route(address)).as_deref(), net, "{address}");
            assert_eq!(found("").as_deref(), net, "{address}, no route");
            let tunnel = found(&route("10.8.0.2"));
            assert_eq!(tunnel.as_deref(), net, "{address}, and a tunnel outside");
        }
    }
}
