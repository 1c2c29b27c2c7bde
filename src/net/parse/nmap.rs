//! Reads nmap's XML (`-oX -`), as nmap.dtd of version 1.05 describes it.
//!
//! For a host that ran into `--host-timeout`, nmap lists no ports and exits with 0.  [`Host::timed_out`] tells such a host from one
//! without open ports.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Bounded, Outside, Unreadable, bounds};
use crate::address::literal::Literal;

/// One run of nmap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The hosts in the document; after a discovery, those that are up.
    pub hosts: Bounded<Host>,
    /// How many hosts were up, and how many there were in all; `None` where the run did not end.
    pub totals: Option<(u32, u32)>,
    /// How many targets nmap left out, mostly since this machine has no way to them; they are not in the totals.
    pub skipped: u32,
    /// nmap's own words for why the run failed (`exit="error"`).
    pub failed: Option<Outside>,
}

/// One host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its IPv4 or IPv6 address.
    pub address: String,
    /// Its hardware address, which nmap sees only as root and on the same link.
    pub mac: Option<String>,
    /// Who made the hardware, by nmap's table.
    pub vendor: Option<Outside>,
    /// Its name by reverse look-up.
    pub name: Option<Outside>,
    /// Whether the host is up; with `-Pn` nmap says so without a test.
    pub up: bool,
    /// Why nmap takes the host to be up: `arp-response`, `user-set`, …
    pub reason: String,
    /// `true`: the time for this host ended before its ports were known.
    pub timed_out: bool,
    /// The ports that nmap lists one by one.
    pub ports: Bounded<Port>,
    /// How many of the other ports are in which state: `("closed", 97)`.
    pub others: Vec<(String, u32)>,
}

/// One port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its number.
    pub number: u16,
    /// `tcp` or `udp`.
    pub protocol: String,
    /// `open`, `closed`, `filtered`, …
    pub state: String,
    /// Why nmap reports this state: `syn-ack`, `reset`, `no-response`, …
    pub reason: String,
    /// The service on the port.
    pub service: Option<Service>,
}

/// A service on a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: Outside,
    /// `true`: the name is a guess by the port's number alone.
    pub by_number: bool,
    /// `true`: the service speaks TLS.
    pub tls: bool,
    /// Product, version and more, in the service's own words.
    pub product: Option<Outside>,
    /// The first answer of an unknown service, from nmap's fingerprint.
    pub banner: Option<Outside>,
}

/// Reads a whole document.  Text before it, such as a warning, is left out.
///
/// # Errors
/// The text is too long, too deep, cut short, or no document of nmap.
pub fn read(text: &str) -> Result<Run, Unreadable> {
    bounds::length(text)?;
    let begin = ["<?xml", "<!DOCTYPE", "<nmaprun"];
    let begin = begin.iter().filter_map(|tag| text.find(tag)).min();
    let text = &text[begin.unwrap_or(0)..];
    bounds::xml(text)?;
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 1 << 18,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|_| Unreadable::Form)?;
    let root = document.root_element();
    if !root.has_tag_name("nmaprun") {
        return Err(Unreadable::Form);
    }
    let finished = child(root, "runstats").and_then(|stats| child(stats, "finished"));
    let failed = finished.filter(|f| f.attribute("exit") == Some("error"));
    let totals = child(root, "runstats").and_then(|stats| {
        finished.filter(|f| f.attribute("exit") == Some("success"))?;
        let hosts = child(stats, "hosts")?;
        Some((number(hosts, "up")?, number(hosts, "total")?))
    });
    Ok(Run {
        hosts: Bounded::of(children(root, "host").filter_map(host)),
        totals,
        skipped: u32::try_from(
            children(root, "target")
                .filter(|target| target.attribute("status") == Some("skipped"))
                .count(),
        )
        .unwrap_or(u32::MAX),
        failed: failed.map(|f| Outside::new(f.attribute("errormsg").unwrap_or("nothing"))),
    })
}

/// Reads a document that was cut short: the hosts, or the ports of the last host, that are whole before the cut.  The totals are
/// unknown.
///
/// # Errors
/// As for [`read`]; or there is neither a whole host nor a whole port before the cut.
pub fn read_beginning(text: &str) -> Result<Run, Unreadable> {
    let after = |tag: &str| text.rfind(tag).map(|at| at + tag.len());
    let (host, port) = (after("</host>"), after("</port>"));
    match (host, port) {
        (host, Some(port)) if host.is_none_or(|host| port > host) => {
            read(&format!("{}</ports></host></nmaprun>", &text[..port]))
        }
        (Some(host), _) => read(&format!("{}</nmaprun>", &text[..host])),
        _ => Err(Unreadable::Form),
    }
}

fn host(node: Node<'_, '_>) -> Option<Host> {
    let address = |kind: fn(&str) -> bool| {
        children(node, "address").find(|a| a.attribute("addrtype").is_some_and(kind))
    };
    let mac = address(|kind| kind == "mac");
    let status = child(node, "status")?;
    let ports = child(node, "ports");
    Some(Host {
        address: plain(address(|kind| kind.starts_with("ipv"))?, "addr")
            .filter(|text| Literal::read(text).is_some())?,
        mac: mac.and_then(|m| plain(m, "addr")),
        vendor: mac.and_then(|m| outside(m, "vendor")),
        name: child(node, "hostnames")
            .and_then(|names| child(names, "hostname"))
            .and_then(|name| outside(name, "name")),
        up: status.attribute("state") == Some("up"),
        reason: plain(status, "reason").unwrap_or_default(),
        timed_out: node.attribute("timedout") == Some("true"),
        ports: Bounded::of(
            ports
                .into_iter()
                .flat_map(|p| children(p, "port"))
                .filter_map(port),
        ),
        others: ports
            .into_iter()
            .flat_map(|p| children(p, "extraports"))
            .filter_map(|extra| Some((plain(extra, "state")?, number(extra, "count")?)))
            .take(16)
            .collect(),
    })
}

fn port(node: Node<'_, '_>) -> Option<Port> {
    let state = child(node, "state")?;
    Some(Port {
        number: node.attribute("portid")?.parse().ok()?,
        protocol: plain(node, "protocol")?,
        state: plain(state, "state")?,
        reason: plain(state, "reason").unwrap_or_default(),
        service: child(node, "service").and_then(service),
    })
}

fn service(node: Node<'_, '_>) -> Option<Service> {
    let said: Vec<&str> = ["product", "version", "extrainfo"]
        .iter()
        .filter_map(|key| node.attribute(*key))
        .collect();
    Some(Service {
        name: outside(node, "name")?,
        by_number: node.attribute("method") == Some("table"),
        tls: node.attribute("tunnel") == Some("ssl"),
        product: (!said.is_empty()).then(|| Outside::new(&said.join(" "))),
        banner: node.attribute("servicefp").and_then(banner),
    })
}

/// The first answer in a fingerprint, `…%r(PROBE,LENGTH,"TEXT")…`, with its escapes decoded.
fn banner(fingerprint: &str) -> Option<Outside> {
    let (_, answer) = fingerprint.split_once("%r(")?;
    let (_, quoted) = answer.split_once('"')?;
    let (mut bytes, mut rest) = (Vec::new(), quoted.bytes());
    while let Some(byte) = rest.next() {
        if bytes.len() > 4 * Outside::LONGEST {
            break;
        }
        match byte {
            b'"' => break,
            b'\\' => match rest.next()? {
                b'r' => bytes.push(b'\r'),
                b'n' => bytes.push(b'\n'),
                b't' => bytes.push(b'\t'),
                b'0' => bytes.push(0),
                b'x' => {
                    let digit = |b: u8| char::from(b).to_digit(16);
                    let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                    bytes.push(u8::try_from(high * 16 + low).ok()?);
                }
                other => bytes.push(other),
            },
            other => bytes.push(other),
        }
    }
    Some(Outside::new(&String::from_utf8_lossy(&bytes)))
}

fn children<'a, 'd>(node: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(move |n| n.has_tag_name(name))
}

fn child<'a, 'd>(node: Node<'a, 'd>, name: &'static str) -> Option<Node<'a, 'd>> {
    children(node, name).next()
}

fn number(node: Node<'_, '_>, key: &str) -> Option<u32> {
    node.attribute(key)?.parse().ok()
}

/// The attribute `key` if it is a word of nmap's own: letters, digits and a few signs.
fn plain(node: Node<'_, '_>, key: &str) -> Option<String> {
    node.attribute(key)
        .filter(|w| {
            w.len() <= 64
                && w.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.:|%/".contains(&b))
        })
        .map(str::to_owned)
}

fn outside(node: Node<'_, '_>, key: &str) -> Option<Outside> {
    node.attribute(key)
        .filter(|t| !t.is_empty())
        .map(Outside::new)
}
