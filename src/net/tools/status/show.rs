//! The rows of the sections as text.

use std::fmt::Write as _;

use crate::net::parse::{Bounded, Outside, ip, nmcli, resolv_conf, resolvectl, ss};
use crate::net::tools::words::{count, name};

/// The most rows of a section that are shown.
const ROWS: usize = 60;

/// The rows of a section.
pub enum Rows {
    Interfaces(Bounded<ip::Interface>),
    Routes(Bounded<ip::Route>),
    Routes6(Bounded<ip::Route>),
    Listeners(Bounded<ss::Listener>),
    Connections(Bounded<nmcli::Connection>),
    Servers(Bounded<resolvectl::Servers>),
    Conf(resolv_conf::Resolver),
}

impl Rows {
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Interfaces(all) => rows(all, interface),
            Self::Routes(all) | Self::Routes6(all) => rows(all, route),
            Self::Listeners(all) => rows(all, listener),
            Self::Connections(all) => rows(all, connection),
            Self::Servers(all) => servers(all),
            Self::Conf(found) => conf(found),
        }
    }
}

/// The first rows of `all` as text, and a row that counts the others.
pub fn rows<T>(all: &Bounded<T>, row: impl Fn(&T) -> String) -> Vec<String> {
    let mut shown: Vec<String> = all.rows.iter().take(ROWS).map(row).collect();
    let left = all.rows.len() - shown.len();
    if left > 0 || all.more {
        let more = if all.more { " or more" } else { "" };
        shown.push(format!("{}{more} are not shown", count(left, "row")));
    }
    shown
}

fn interface(one: &ip::Interface) -> String {
    let mut line = format!("{} {}", name(&one.name), one.state);
    for address in &one.addresses {
        let _ = write!(line, " {address}");
    }
    if let Some(mac) = &one.mac {
        let _ = write!(line, " {mac}");
    }
    line
}

/// A route on one line.
pub fn route(one: &ip::Route) -> String {
    let mut line = one.to.clone();
    if let Some(kind) = &one.kind {
        let _ = write!(line, " {kind}");
    }
    if let Some(via) = &one.via {
        let _ = write!(line, " via {via}");
    }
    // The kernel writes `lo` for an IPv6 route that leads nowhere.
    if let Some(device) = one.device.as_ref().filter(|_| !one.nowhere()) {
        let _ = write!(line, " on {}", name(device));
    }
    if let Some(metric) = one.metric {
        let _ = write!(line, " metric {metric}");
    }
    line
}

fn listener(one: &ss::Listener) -> String {
    let address = if one.address.contains(':') {
        format!("[{}]", one.address)
    } else {
        one.address.clone()
    };
    let mut line = format!("{} {address}:{}", one.protocol, one.port);
    if let Some(zone) = &one.zone {
        let _ = write!(line, " on {}", name(zone));
    }
    for program in &one.programs {
        let _ = write!(line, " {}", name(program));
    }
    line
}

fn connection(one: &nmcli::Connection) -> String {
    format!(
        "{} {} on {}: {}",
        one.name,
        name(&one.kind),
        name(&one.device),
        name(&one.state)
    )
}

/// `text` without quotes where it has only the characters of addresses, names and states.
pub fn word(text: &Outside) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:%#~[]/".contains(&b);
    let bare = text.as_str();
    if !bare.is_empty() && !bare.starts_with('[') && bare.bytes().all(plain) {
        bare.to_owned()
    } else {
        text.to_string()
    }
}

/// A row for each link that has servers or domains, and one row that counts the other links.
fn servers(all: &Bounded<resolvectl::Servers>) -> Vec<String> {
    let words = |list: &[Outside]| list.iter().map(word).collect::<Vec<_>>().join(" ");
    let (mut shown, mut without) = (Vec::new(), 0);
    for one in &all.rows {
        let mut parts = Vec::new();
        for (label, list) in [
            ("DNS", &one.servers),
            ("fallback", &one.fallback),
            ("domains", &one.domains),
        ] {
            if !list.is_empty() {
                parts.push(format!("{label} {}", words(list)));
            }
        }
        if parts.is_empty() {
            without += 1;
            continue;
        }
        if let Some(dnssec) = &one.dnssec {
            parts.push(format!("DNSSEC {}", word(dnssec)));
        }
        let of = one.of.as_str();
        let title = if of
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b" ()#-_.".contains(&b))
        {
            of.to_owned()
        } else {
            one.of.to_string()
        };
        shown.push(format!("{title}: {}", parts.join(", ")));
    }
    shown.truncate(ROWS);
    if without > 0 {
        let links = count(without, "other link");
        let have = if without == 1 { "has" } else { "have" };
        shown.push(format!("{links} {have} no DNS server"));
    }
    shown
}

fn conf(found: &resolv_conf::Resolver) -> Vec<String> {
    let mut rows: Vec<String> = found
        .servers
        .iter()
        .map(|server| format!("nameserver {server}"))
        .collect();
    let words = |words: &[Outside]| words.iter().map(word).collect::<Vec<_>>().join(" ");
    if !found.search.is_empty() {
        rows.push(format!("search {}", words(&found.search)));
    }
    if !found.options.is_empty() {
        rows.push(format!("options {}", words(&found.options)));
    }
    rows
}
