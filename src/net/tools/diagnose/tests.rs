//! What the table of causes makes of findings: recorded output of the real programs for the rows of fixtures/net/rendered.jsonl, and
//! for each cause the least findings that lead to it.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use nix::errno::Errno;
use serde_json::Value;

use super::causes;
use super::findings::{Findings, Proxy};
use super::nowhere::{self, Nameless};
use super::resolving::{self, Resolving, Said, Server};
use super::{answers, open, proxies, report};
use crate::net::connect::{Answer, Attempt, Greeting, Icmp};
use crate::net::facts::{LookUp, Resolver};
use crate::net::parse::curl::{self, Request};
use crate::net::parse::dig::ServerTrouble;
use crate::net::parse::ip::Neighbour;
use crate::net::parse::nft::Verdict;
use crate::net::parse::ping::Ping;
use crate::net::parse::traceroute::Hop;
use crate::net::step_runner::StepResult;
use crate::net::tools::way::Way;

/// The text for a row of the fixture; `answer` gives a recording.
pub fn told(row: &Value, answer: &dyn Fn(&str) -> StepResult) -> String {
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let list = |key: &str| -> Vec<String> {
        let all = row.get(key).and_then(Value::as_array).into_iter().flatten();
        all.map(|one| one.as_str().expect("a string").to_owned())
            .collect()
    };
    if let Some(name) = text("nowhere") {
        let servers = list("servers");
        let resolver = Resolver {
            servers: Some(servers),
            ..Resolver::default()
        };
        let answers: Vec<StepResult> = list("dig").iter().map(|name| answer(name)).collect();
        return nowhere::told(&Nameless {
            resolving: resolving::read(&resolver, &answers),
            ..nameless(name)
        });
    }
    let address = text("address").expect("an address");
    let port = row.get("port").and_then(Value::as_u64);
    let port = port.map(|port| u16::try_from(port).expect("a port"));
    let mut f = Findings::about(text("name"), address, port);
    f.ports = list("tcp")
        .iter()
        .map(|one| attempt(address, one))
        .collect();
    f.others = list("others");
    f.own = list("own")
        .iter()
        .filter_map(|one| one.parse().ok())
        .collect();
    f.beside = list("beside")
        .iter()
        .map(|one| attempt(&f.others[0], one))
        .collect();
    if let Some(ping) = text("ping") {
        (f.ping, f.no_ping) = answers::pinged(&answer(ping));
    }
    if let Some(route) = text("route") {
        f.hops = answers::hopped(&answer(route));
    }
    if let Some(web) = text("web") {
        f.heard.scheme = Some(if text("scheme") == Some("HTTP") {
            "HTTP"
        } else {
            "HTTPS"
        });
        f.heard.request = answers::request(&answer(web));
    }
    f.heard.unchecked = text("certificate").and_then(|name| answers::request(&answer(name)));
    report::told(&f)
}

/// `80 open 3`: port, answer, milliseconds.
fn attempt(address: &str, text: &str) -> Attempt {
    let mut words = text.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let port: u16 = word().parse().expect("a port");
    let answer = match word() {
        "open" => Answer::Open,
        "reset" => Answer::Reset,
        "silence" => Answer::Silence,
        "prohibited" => Answer::Icmp(Icmp::Prohibited, address.parse().expect("an address")),
        "unsent" => Answer::NotSent(Errno::ENETUNREACH),
        other => panic!("no answer {other}"),
    };
    Attempt {
        to: SocketAddr::new(address.parse().expect("an address"), port),
        answer,
        after: Duration::from_millis(word().parse().expect("milliseconds")),
    }
}

const TARGET: &str = "10.2.0.80";
const OWN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 1, 0, 20));
const ROUTER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 1, 0, 1));

fn ping(received: u32, sent: u32, ms: f64) -> Ping {
    Ping {
        sent,
        received,
        times: (received > 0).then_some((ms, ms, ms)),
        jitter: None,
        errors: Vec::new(),
    }
}

fn neighbour(state: &str) -> Neighbour {
    Neighbour {
        address: "10.1.0.1".to_owned(),
        device: crate::net::parse::Outside::new("eth0"),
        mac: None,
        state: state.to_owned(),
        confirmed: None,
    }
}

fn way() -> Way {
    Way {
        device: Some(crate::net::parse::Outside::new("eth0")),
        via: Some("10.1.0.1".to_owned()),
        source: Some("10.1.0.20".to_owned()),
        net: "10.1.0.0/24".parse().ok(),
        mtu: Some(1500),
        ..Way::default()
    }
}

/// Findings about a port with this answer, where nothing else is known.
fn with(answer: Answer) -> Findings {
    let mut f = Findings::about(Some("app.corp.test"), TARGET, Some(80));
    f.own = vec![OWN];
    f.way = Some(way());
    f.ports = vec![Attempt {
        to: SocketAddr::new(f.ip, 80),
        answer,
        after: Duration::from_millis(3),
    }];
    f.ping = Some(ping(0, 5, 0.0));
    f
}

fn alive(answer: Answer) -> Findings {
    let mut f = with(answer);
    f.ping = Some(ping(5, 5, 0.4));
    f
}

/// A connection that needed a second SYN.
fn late(to: SocketAddr) -> Attempt {
    Attempt {
        to,
        answer: Answer::Open,
        after: Duration::from_millis(1_030),
    }
}

/// The router answers ping with this error.
fn forbidden_ping(f: &mut Findings, error: &'static str) {
    let ping = f.ping.as_mut().expect("a ping");
    ping.errors = vec![(ROUTER.to_string(), error)];
}

fn hop(number: u8, address: IpAddr) -> Hop {
    Hop {
        number,
        address: Some(address),
        time: Some(0.1),
        note: None,
    }
}

fn web(change: impl Fn(&mut Request)) -> Findings {
    let mut f = alive(Answer::Open);
    let mut request = curl::read(r#"{"exitcode":0,"http_code":200}"#).expect("a request");
    change(&mut request);
    f.heard.scheme = Some("HTTP");
    f.heard.request = Some(request);
    f
}

fn changed(mut f: Findings, change: impl Fn(&mut Findings)) -> Findings {
    change(&mut f);
    f
}

fn server(at: &str, a: Said, took: u32) -> Server {
    Server {
        at: at.to_owned(),
        answers: [a, Said::NoData],
        took: Some(took),
        neighbour: None,
        via: None,
    }
}

fn dead(at: &str) -> Server {
    let nothing = || Said::Nothing(ServerTrouble::TimedOut, false);
    Server {
        answers: [nothing(), nothing()],
        ..server(at, nothing(), 0)
    }
}

/// A cause, the least findings that lead to it, and words of the first line.
type Row = (&'static str, Findings, &'static str);

/// For each cause the least findings that lead to it.
fn rows() -> Vec<Row> {
    let mut all = on_this_machine();
    all.extend(by_own_rules());
    all.extend(on_the_way());
    all.extend(without_an_answer());
    all.extend(at_the_host());
    all
}

fn on_this_machine() -> Vec<Row> {
    let here = |f: &mut Findings| f.way.as_mut().expect("a way").own = true;
    let known = |f: &mut Findings| {
        f.resolving.servers = vec![server("10.1.0.53", Said::Addresses(vec![ROUTER]), 2)];
        f.resolving.resolver.hosts = vec![TARGET.to_owned()];
    };
    vec![
        (
            "hosts-file",
            changed(with(Answer::Reset), known),
            "/etc/hosts says 10.2.0.80 for it, DNS says 10.1.0.1",
        ),
        (
            "listens-elsewhere",
            changed(alive(Answer::Reset), |f| {
                here(f);
                f.listeners = vec!["127.0.0.1 (loopback)".to_owned()];
            }),
            "listens on 127.0.0.1 (loopback) alone",
        ),
        (
            "own-nothing-listens",
            changed(alive(Answer::Reset), here),
            "nothing listens on it",
        ),
        (
            "address-in-use-twice",
            changed(with(Answer::Silence), |f| {
                f.twin = Some("02:00:00:00:00:66".to_owned());
            }),
            "10.1.0.20 is in use twice",
        ),
        (
            "rule-to-silent-router",
            changed(with(Answer::Silence), |f| {
                f.neighbour = Some(neighbour("FAILED"));
                f.way.as_mut().expect("a way").table = Some("100".to_owned());
            }),
            "(ip rule, table 100) sends the packets to 10.1.0.1, which does not answer ARP",
        ),
        (
            "gateway-silent",
            changed(with(Answer::Silence), |f| {
                f.neighbour = Some(neighbour("INCOMPLETE"));
            }),
            "the gateway 10.1.0.1 does not answer ARP on eth0",
        ),
        (
            "host-silent-on-link",
            changed(with(Answer::Silence), |f| {
                f.neighbour = Some(neighbour("FAILED"));
                f.way.as_mut().expect("a way").via = None;
            }),
            "does not answer ARP on eth0",
        ),
        (
            "silent-by-arp",
            changed(with(Answer::NotSent(Errno::EHOSTUNREACH)), |f| f.way = None),
            "does not answer for its hardware address",
        ),
        (
            "tunnel",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").tunnel = true;
            }),
            "goes into the tunnel eth0",
        ),
        (
            "rule-elsewhere",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").table = Some("100".to_owned());
            }),
            "from where nothing comes back",
        ),
    ]
}

fn by_own_rules() -> Vec<Row> {
    vec![
        (
            "own-firewall",
            changed(with(Answer::Silence), |f| {
                f.firewall.0 = Some(Verdict::Drop);
            }),
            "a firewall of this machine itself drops outgoing",
        ),
        (
            "own-firewall",
            with(Answer::NotSent(Errno::EPERM)),
            "a firewall of this machine itself",
        ),
        (
            "own-firewall",
            alive(Answer::Icmp(Icmp::PortUnreachable, OWN)),
            "a firewall of this machine itself rejects outgoing packets to it (TCP 80)",
        ),
        (
            "own-rule",
            with(Answer::NotSent(Errno::EACCES)),
            "a route or policy rule of this machine itself (ip rule) prohibits such packets",
        ),
        (
            "own-redirect",
            changed(alive(Answer::Reset), |f| {
                f.firewall.0 = Some(Verdict::Redirect(Some(8118)));
            }),
            "redirects such connections to port 8118",
        ),
        (
            "own-firewall-in",
            changed(with(Answer::Silence), |f| {
                f.firewall.1 = Some(Verdict::Drop);
            }),
            "drops incoming packets",
        ),
    ]
}

fn on_the_way() -> Vec<Row> {
    let icmp = |icmp| Answer::Icmp(icmp, ROUTER);
    vec![
        ("loop", with(icmp(Icmp::TimeExceeded)), "routing loop"),
        (
            "loop",
            changed(with(Answer::Silence), |f| {
                let other = IpAddr::from([10, 9, 0, 2]);
                let by = |n: u8| if n.is_multiple_of(2) { ROUTER } else { other };
                f.hops = Some((1..9).map(|n| hop(n, by(n))).collect());
            }),
            "10.9.0.2 and 10.1.0.1 send its packets to each other",
        ),
        (
            "prohibited",
            alive(icmp(Icmp::Prohibited)),
            "a firewall (10.1.0.1) prohibits it",
        ),
        (
            "port-rejected",
            alive(icmp(Icmp::HostUnreachable)),
            "though the host answers ping: a firewall (10.1.0.1) rejects it",
        ),
        (
            "host-unreachable",
            with(icmp(Icmp::HostUnreachable)),
            "the router 10.1.0.1 says that the host is unreachable",
        ),
        (
            "net-unreachable",
            with(icmp(Icmp::NetUnreachable)),
            "the router 10.1.0.1 says that its network is unreachable",
        ),
        (
            "icmp-rejected",
            with(icmp(Icmp::PortUnreachable)),
            "rejects it with ICMP port unreachable",
        ),
    ]
}

fn without_an_answer() -> Vec<Row> {
    vec![
        (
            "up-without-web",
            changed(alive(Answer::Silence), |f| f.asked = None),
            "no web server answers on TCP 80",
        ),
        ("refused", alive(Answer::Reset), "TCP 80 is refused"),
        (
            "port-dropped",
            alive(Answer::Silence),
            "gives no answer on TCP 80, though the host answers ping",
        ),
        (
            "prohibited-beside",
            changed(with(Answer::Silence), |f| {
                forbidden_ping(f, "Packet filtered");
            }),
            "gives no answer on TCP 80; 10.1.0.1 answers ping by ICMP administratively prohibited",
        ),
        // What is said to ping is no answer to a connection that was refused.
        (
            "refused",
            changed(with(Answer::Reset), |f| {
                forbidden_ping(f, "Packet filtered");
            }),
            "TCP 80 is refused",
        ),
        (
            "foreign-source",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").source = Some("10.99.0.1".to_owned());
            }),
            "with the source address 10.99.0.1",
        ),
        (
            "silence-on-link",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").via = None;
                f.arp = Some(true);
            }),
            "a firewall there drops all",
        ),
        // An old entry is no sign of life.
        (
            "silence-on-link",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").via = None;
                f.neighbour = Some(neighbour("DELAY"));
            }),
            "so it may be off",
        ),
        // What was not tried did not fail.
        (
            "silence-on-link",
            changed(with(Answer::Silence), |f| {
                f.way.as_mut().expect("a way").via = None;
                f.arp = Some(true);
                f.ping = None;
            }),
            "gives no answer on TCP 80 (ping was not tried), though it is on the link of eth0 and answers ARP: a firewall there drops it",
        ),
        (
            "silence",
            with(Answer::Silence),
            "traceroute did not run, so it is not known where",
        ),
        (
            "silence",
            changed(with(Answer::Silence), |f| f.hops = Some(Vec::new())),
            "no router on the way does, the gateway 10.1.0.1 neither: a firewall drops it, the gateway is off,",
        ),
        (
            "silence",
            changed(with(Answer::Silence), |f| {
                f.hops = Some(vec![hop(1, ROUTER)]);
            }),
            "nothing behind the gateway 10.1.0.1 (hop 1) does",
        ),
        (
            "not-sent",
            with(Answer::NotSent(Errno::ENETUNREACH)),
            "this machine cannot send to it",
        ),
    ]
}

fn at_the_host() -> Vec<Row> {
    vec![
        (
            "mtu",
            changed(
                web(|one| {
                    one.exit = 28;
                    one.status = None;
                }),
                |f| f.sizes = vec![(1500, false), (1400, true)],
            ),
            "packets of 1500 bytes are lost",
        ),
        (
            "loss",
            changed(alive(Answer::Open), |f| {
                f.pings = Some(ping(7, 10, 0.4));
                f.again = vec![late(f.ports[0].to)];
            }),
            "30 % of the packets are lost (3 of 10 pings)",
        ),
        (
            "loss",
            changed(alive(Answer::Open), |f| f.again = vec![late(f.ports[0].to)]),
            "packets are lost (1 of 1 connections had to be tried again)",
        ),
        // Pings alone that are lost may meet a limit.
        (
            "reachable",
            changed(alive(Answer::Open), |f| {
                f.pings = Some(ping(7, 10, 0.4));
                f.again = vec![f.ports[0]];
            }),
            "is reachable: TCP 80 is open (3 ms), ping 0.4 ms; but 3 of 10 pings were lost, though all 1 connections came at once",
        ),
        (
            "open-port",
            web(|one| one.status = Some(503)),
            "answers HTTP 503",
        ),
        (
            "slow",
            changed(alive(Answer::Open), |f| f.ping = Some(ping(5, 5, 420.0))),
            "a round trip takes 420 ms",
        ),
        (
            "reachable",
            alive(Answer::Open),
            "is reachable: TCP 80 is open (3 ms), ping 0.4 ms",
        ),
        (
            "answers-ping",
            changed(alive(Answer::Open), |f| f.ports.clear()),
            "answers ping",
        ),
        (
            "unknown",
            changed(with(Answer::Open), |f| f.ports.clear()),
            "was not checked",
        ),
    ]
}

#[test]
fn each_cause_is_told_by_the_least_findings_that_show_it() {
    let mut met = BTreeSet::new();
    for (name, f, words) in rows() {
        let found = causes::all().find(|cause| (cause.found)(&f) && !(cause.unless)(&f));
        assert_eq!(
            found.map(|cause| cause.name),
            Some(name),
            "{}",
            report::told(&f)
        );
        let text = report::told(&f);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains(words), "{name}: {text}");
        assert!(text.lines().count() <= 4, "{text}");
        met.insert(name);
    }
    let all: BTreeSet<&str> = causes::all().map(|cause| cause.name).collect();
    assert_eq!(met, all, "each cause has a row here");
}

#[test]
fn an_open_port_is_never_said_to_be_out_of_reach() {
    for (name, f, _) in rows() {
        let text = report::told(&f);
        if f.open() {
            assert!(!text.contains("cannot be reached"), "{name}: {text}");
        }
        if !f.alive() {
            assert!(
                !text.contains("is reachable") && !text.contains("is up"),
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn what_an_open_port_says_is_judged_by_what_is_spoken_there() {
    let message = |text: &str, exit: u64| {
        web(|one| {
            one.exit = exit;
            one.status = None;
            one.message = Some(crate::net::parse::Outside::new(text));
        })
    };
    let greets = |port: u16, greeting: Greeting| {
        changed(alive(Answer::Open), |f| {
            f.asked = Some(port);
            f.ports[0].to.set_port(port);
            f.heard.greeting = Some(greeting.clone());
        })
    };
    let ssh = || Greeting::Bytes(b"SSH-2.0-x\r\n".to_vec());
    for (f, words) in vec![
        (
            message("certificate has expired", 60),
            Some("its certificate has expired"),
        ),
        (
            message(
                "no alternative certificate subject name matches target host name 'a.test'",
                60,
            ),
            Some("for another name"),
        ),
        (message("self-signed certificate", 60), Some("self-signed")),
        (message("tlsv13 alert certificate required", 56), None),
        (
            message("ssl/tls alert handshake failure", 35),
            Some("handshake failure"),
        ),
        (
            message("Connection reset by peer", 56),
            Some("reset when the request comes"),
        ),
        (
            message("Empty reply from server", 52),
            Some("closed without an answer"),
        ),
        (
            message("Operation timed out", 28),
            Some("gives no answer to the HTTP request"),
        ),
        (greets(22, ssh()), None),
        (greets(22, Greeting::Silent), Some("no banner comes")),
        (
            greets(25, ssh()),
            Some("a server of SSH answers in place of SMTP"),
        ),
        (greets(5000, Greeting::Closed), Some("closes it at once")),
        (
            web(|one| {
                one.status = Some(301);
                one.redirect = Some(crate::net::parse::Outside::new("https://app.corp.test/"));
            }),
            None,
        ),
        (
            web(|one| {
                one.status = Some(302);
                one.redirect = Some(crate::net::parse::Outside::new("http://app.corp.test/"));
            }),
            Some("a redirect loop"),
        ),
        (
            web(|one| {
                one.status = Some(302);
                one.redirect = Some(crate::net::parse::Outside::new("http://login.lan/x"));
            }),
            Some("captive portal"),
        ),
        (web(|one| one.first_byte = 3.0), Some("slowly")),
    ] {
        let told = open::fault(&f);
        match words {
            Some(words) => assert!(
                told.as_ref().is_some_and(|told| told.contains(words)),
                "{words}: {told:?}"
            ),
            // What the table does not know stays in general words.
            None => assert!(
                told.as_ref().is_none_or(|told| told.contains("fails")
                    || told.contains("closed")
                    || told.contains("wants")),
                "{told:?}"
            ),
        }
    }
}

#[test]
fn a_proxy_is_told_by_what_it_does() {
    let at = |answer| Proxy {
        variable: "https_proxy".to_owned(),
        at: "10.1.0.9:3128".to_owned(),
        attempt: Some(Attempt {
            to: ([10, 1, 0, 9], 3128).into(),
            answer,
            after: Duration::ZERO,
        }),
        foreign: false,
        request: None,
    };
    let asked = |status: u16, connect: u16| Proxy {
        request: curl::read(&format!(
            r#"{{"exitcode":0,"http_code":{status},"http_connect":{connect}}}"#
        ))
        .ok(),
        ..at(Answer::Open)
    };
    for (proxy, words) in [
        (
            at(Answer::Reset),
            "nothing listens there, while the direct way works",
        ),
        (at(Answer::Silence), "gives no answer"),
        (asked(0, 502), "answers 502 (it cannot reach the host)"),
        (asked(407, 0), "answers 407 (it wants a login)"),
        (
            asked(200, 200),
            "is set, which was not used; by way of it the server answers 200 too",
        ),
        (
            Proxy {
                foreign: true,
                ..at(Answer::Open)
            },
            "it is public, and was neither tried nor used",
        ),
        (
            Proxy {
                attempt: None,
                ..at(Answer::Open)
            },
            "does not resolve",
        ),
    ] {
        let told = proxies::told(&proxy, true);
        assert!(told.contains(words), "{told}");
    }
}

fn nameless(name: &str) -> Nameless {
    Nameless {
        name: name.to_owned(),
        look_up: LookUp::Nothing,
        resolving: Resolving::default(),
        way: None,
        stub: false,
        stuck: None,
        ping: None,
        firewall: (None, None),
    }
}

#[test]
fn a_name_without_an_address_is_told_by_what_each_server_says() {
    let with = |servers: Vec<Server>| {
        let mut f = nameless("app.corp.test");
        f.resolving.resolver.servers = Some(servers.iter().map(|one| one.at.clone()).collect());
        f.resolving.servers = servers;
        f
    };
    let one = |said: Said| with(vec![server("10.1.0.53", said, 2)]);
    let gone = || crate::net::parse::Outside::new("gone.corp.test.");
    let addresses = || Said::Addresses(vec![ROUTER]);
    let mut off = with(vec![dead("10.1.0.53")]);
    off.way = Some(Way {
        fault: Some("this machine's interface eth0 is down".to_owned()),
        ..Way::default()
    });
    let mut files = one(addresses());
    files.resolving.resolver.without_dns = Some("files".to_owned());
    let mut firewall = with(vec![dead("10.1.0.53")]);
    firewall.firewall.0 = Some(Verdict::Drop);
    let mut six = one(addresses());
    six.stuck = Some((
        "fd00:2::80".to_owned(),
        "this machine has no IPv6 address: eth0 is up and has none".to_owned(),
    ));
    for (f, words) in [
        (
            off,
            "interface eth0 is down; so the DNS server 10.1.0.53 cannot be asked",
        ),
        (
            files,
            "without dns, so DNS is not asked (DNS says 10.1.0.1)",
        ),
        (with(Vec::new()), "no DNS server is configured"),
        (nameless("a.test"), "/etc/resolv.conf cannot be read"),
        (
            firewall,
            "a firewall of this machine itself drops outgoing DNS",
        ),
        (
            with(vec![dead("10.1.0.53")]),
            "the DNS server 10.1.0.53 does not answer",
        ),
        (
            with(vec![dead("10.1.0.53"), dead("10.1.0.54")]),
            "no DNS server answers",
        ),
        (six, "this machine has no IPv6 address"),
        (
            with(vec![dead("10.1.0.53"), server("10.1.0.54", addresses(), 2)]),
            "the DNS server 10.1.0.53 does not answer; DNS says 10.1.0.1 all the same",
        ),
        (one(Said::NoName), "it does not exist (NXDOMAIN)"),
        (one(Said::NoData), "has no address, neither A nor AAAA"),
        (
            one(Said::Dangling(gone(), "does not exist (NXDOMAIN)")),
            "an alias (CNAME) of gone.corp.test, which does not exist",
        ),
        (one(Said::Circle(gone())), "and that one of it again"),
        (one(Said::Status("SERVFAIL".to_owned())), "answers SERVFAIL"),
    ] {
        let text = nowhere::told(&f);
        assert!(
            text.lines()
                .next()
                .is_some_and(|first| first.contains(words)),
            "{words}: {text}"
        );
        assert!(text.contains("so nothing was sent to it"), "{text}");
    }
}
