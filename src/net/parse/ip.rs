//! Reads iproute2's JSON: `ip -j addr`, `ip -j link`, `ip -j route`, `ip -j neigh`.

use serde_json::Value;

use super::{Bounded, Outside, Unreadable, bounds};

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its name.
    pub name: Outside,
    /// `UP`, `DOWN`, `UNKNOWN`, …
    pub state: String,
    /// Whether the flag `LOOPBACK` is set.
    pub loopback: bool,
    /// Whether the interface is switched on; `None` where the source does not say.
    pub on: Option<bool>,
    /// Whether the other end of the link is there; `None` where the source does not say.
    pub carrier: Option<bool>,
    /// Its hardware address.
    pub mac: Option<String>,
    /// Its addresses with their prefix lengths, `10.77.0.10/24`; empty from `ip link`.
    pub addresses: Vec<String>,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The destination: `default`, a network or an address.
    pub to: String,
    /// The router, if the route has one.
    pub via: Option<String>,
    /// The interface.
    pub device: Option<Outside>,
    /// The address that packets come from.
    pub source: Option<String>,
    /// The metric: of several routes to one destination, the lowest is used.
    pub metric: Option<u64>,
}

/// A neighbour on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// Its address.
    pub address: String,
    /// The interface.
    pub device: Outside,
    /// Its hardware address, if it answered.
    pub mac: Option<String>,
    /// `REACHABLE`, `STALE`, `FAILED`, …
    pub state: String,
}

/// Reads `ip -j addr` or `ip -j link`.
///
/// # Errors
/// The text is no list of objects, too long or too deep.
pub fn interfaces(text: &str) -> Result<Bounded<Interface>, Unreadable> {
    rows(text, |row| {
        let flags = row["flags"].as_array();
        let has = |name: &str| flags.map(|flags| flags.iter().any(|flag| flag == name));
        Some(Interface {
            name: outside(row, "ifname")?,
            state: word(row, "operstate").unwrap_or_default(),
            loopback: has("LOOPBACK") == Some(true),
            on: has("UP"),
            carrier: has("NO-CARRIER").map(|none| !none),
            mac: (row["link_type"] == "ether")
                .then(|| word(row, "address"))
                .flatten(),
            addresses: row["addr_info"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|a| {
                    Some(format!(
                        "{}/{}",
                        word(a, "local")?,
                        a["prefixlen"].as_u64()?
                    ))
                })
                .take(64)
                .collect(),
        })
    })
}

/// Reads `ip -j route` or `ip -j route get`.
///
/// # Errors
/// As for [`interfaces`].
pub fn routes(text: &str) -> Result<Bounded<Route>, Unreadable> {
    rows(text, |row| {
        Some(Route {
            to: word(row, "dst")?,
            via: word(row, "gateway").or_else(|| word(&row["via"], "host")),
            device: outside(row, "dev"),
            source: word(row, "prefsrc"),
            metric: row["metric"].as_u64(),
        })
    })
}

/// Reads `ip -j neigh`.
///
/// # Errors
/// As for [`interfaces`].
pub fn neighbours(text: &str) -> Result<Bounded<Neighbour>, Unreadable> {
    rows(text, |row| {
        Some(Neighbour {
            address: word(row, "dst")?,
            device: outside(row, "dev")?,
            mac: word(row, "lladdr"),
            state: word(&row["state"], 0)?,
        })
    })
}

fn rows<T>(text: &str, row: fn(&Value) -> Option<T>) -> Result<Bounded<T>, Unreadable> {
    bounds::json(text)?;
    if text.trim().is_empty() {
        // Some versions print nothing for an empty list.
        return Ok(Bounded::of(std::iter::empty()));
    }
    let value: Value = serde_json::from_str(text).map_err(|_| Unreadable::Form)?;
    let list = value.as_array().ok_or(Unreadable::Form)?;
    // Old versions print an empty object for each row that a filter left out.
    Ok(Bounded::of(list.iter().filter_map(row)))
}

/// A word that the kernel chooses: an address, a state.
fn word(value: &Value, key: impl serde_json::value::Index) -> Option<String> {
    value
        .get(key)?
        .as_str()
        .filter(|w| {
            w.len() <= 64
                && w.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.:/%".contains(&b))
        })
        .map(str::to_owned)
}

/// The name of an interface, which the maker of the interface chooses.
fn outside(value: &Value, key: &str) -> Option<Outside> {
    value.get(key)?.as_str().map(Outside::new)
}
