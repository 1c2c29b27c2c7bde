//! Reads iproute2's JSON: `ip -j addr`, `ip -j link`, `ip -j route`, `ip -j rule`, `ip -j neigh`.

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
    /// Whether it is a tunnel: it has no hardware address and is no loopback; `None` where the source does not say.
    pub tunnel: Option<bool>,
    /// The largest packet that it sends, in bytes.
    pub mtu: Option<u32>,
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
    /// The table that has it, if that is not the main one.
    pub table: Option<String>,
    /// Its type if that is not `unicast`: `blackhole`, `prohibit`, `unreachable` and `throw` lead nowhere, `local` to this machine.
    pub kind: Option<String>,
    /// The metric: of several routes to one destination, the lowest is used.
    pub metric: Option<u64>,
}

impl Route {
    /// Whether no packet leaves by this route.
    pub fn nowhere(&self) -> bool {
        let kind = self.kind.as_deref();
        kind.is_some_and(|kind| matches!(kind, "blackhole" | "unreachable" | "prohibit" | "throw"))
    }
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
    /// How many seconds ago the neighbour was last known to be there; `None` without `ip -s`.
    pub confirmed: Option<u64>,
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
            tunnel: row["link_type"]
                .as_str()
                .map(|kind| !matches!(kind, "ether" | "loopback" | "infiniband")),
            mtu: row["mtu"].as_u64().and_then(|mtu| u32::try_from(mtu).ok()),
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
            table: word(row, "table").filter(|table| table != "main"),
            kind: word(row, "type").filter(|kind| kind != "unicast"),
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
            confirmed: row["confirmed"].as_u64(),
        })
    })
}

/// A policy rule: which table decides about which packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Its number; the lowest counts first.
    pub priority: u64,
    /// Whether the rule is for the packets that do not meet its conditions.
    pub not: bool,
    /// Where the packets come from, `10.2.0.0/24`; `None`: anywhere.
    pub from: Option<String>,
    /// Where the packets go, `10.2.0.0/24`; `None`: anywhere.
    pub to: Option<String>,
    /// The mark of the packets, with its mask if it has one: `0xca6c`, `0x1/0xff`.
    pub mark: Option<String>,
    /// The interface that packets come in by; `lo`: this machine sends them itself.
    pub iif: Option<Outside>,
    /// The interface that a program chose for its packets.
    pub oif: Option<Outside>,
    /// Whether an interface of the rule is not there, so that no packet meets the conditions.
    pub detached: bool,
    /// The first and the last id of the users whose packets are meant.
    pub users: Option<(u64, u64)>,
    /// The other conditions, as ip(8) writes them: `dport 80`.
    pub others: Vec<String>,
    /// The table that is asked.
    pub table: Option<String>,
    /// The table's routes whose prefix is this long or shorter do not count; 0: its default route does not count.
    pub suppressed: Option<u64>,
    /// The number of the rule that is next, in place of a table.
    pub goto: Option<u64>,
    /// Whether there is no rule of that number, so that the next one decides.
    pub unresolved: bool,
    /// What is done in place of asking a table: `blackhole`, `prohibit`, `unreachable`; `nop`: nothing; `l3mdev`: the table of the
    /// packet's VRF is asked.
    pub action: Option<String>,
}

impl Rule {
    /// Whether it is one of the three rules that each machine has.
    pub fn usual(&self) -> bool {
        let table = self.table.as_deref();
        let plain = Self {
            priority: self.priority,
            table: self.table.clone(),
            ..Self::default()
        };
        matches!(
            (self.priority, table),
            (0, Some("local")) | (32_766, Some("main")) | (32_767, Some("default"))
        ) && *self == plain
    }
}

/// The keys of a rule's JSON that are no conditions, or conditions with fields of their own in [`Rule`].
const RULE_KEYS: &[&str] = &[
    "action",
    "dst",
    "dstlen",
    "flow_from",
    "flow_to",
    "fwmark",
    "fwmask",
    "goto",
    "iif",
    "iif_detached",
    "l3mdev",
    "masquerade",
    "nop",
    "not",
    "oif",
    "oif_detached",
    "priority",
    "protocol",
    "src",
    "srclen",
    "suppress_prefixlen",
    "table",
    "uid_end",
    "uid_start",
    "unresolved",
];

/// The most other conditions of a rule that are kept.
const MOST_OTHERS: usize = 8;

/// Reads `ip -j rule`.
///
/// # Errors
/// As for [`interfaces`].
pub fn rules(text: &str) -> Result<Bounded<Rule>, Unreadable> {
    rows(text, |row| {
        let network = |address: &str, length: &str| {
            let net = word(row, address).filter(|net| net != "all")?;
            Some(match row[length].as_u64() {
                Some(length) => format!("{net}/{length}"),
                None => net,
            })
        };
        // These keys come without a value.
        let flag = |key: &str| row.get(key).is_some();
        let deed = ["nop", "l3mdev"].into_iter().find(|key| flag(key));
        Some(Rule {
            priority: row["priority"].as_u64()?,
            not: flag("not"),
            from: network("src", "srclen"),
            to: network("dst", "dstlen"),
            mark: scalar(row, "fwmark").map(|mark| match scalar(row, "fwmask") {
                Some(mask) => format!("{mark}/{mask}"),
                None => mark,
            }),
            iif: outside(row, "iif"),
            oif: outside(row, "oif"),
            detached: flag("iif_detached") || flag("oif_detached"),
            users: row["uid_start"].as_u64().zip(row["uid_end"].as_u64()),
            others: other_conditions(row),
            table: word(row, "table"),
            suppressed: row["suppress_prefixlen"].as_u64(),
            goto: row["goto"].as_u64(),
            unresolved: flag("unresolved"),
            action: word(row, "action").or_else(|| deed.map(str::to_owned)),
        })
    })
}

/// The conditions of a rule that have no field of their own.  Of a range, which has two keys, both ends are one condition.
fn other_conditions(row: &Value) -> Vec<String> {
    let keys = row.as_object().into_iter().flatten().map(|(key, _)| key);
    let plain = |key: &&String| {
        key.len() <= 32 && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    keys.filter(|key| !RULE_KEYS.contains(&key.as_str()) && !key.ends_with("_end"))
        .filter(plain)
        .map(|key| {
            let what = key.strip_suffix("_start").unwrap_or(key);
            match (scalar(row, key), scalar(row, &format!("{what}_end"))) {
                (Some(first), Some(last)) => format!("{what} {first}-{last}"),
                (Some(value), None) => format!("{what} {value}"),
                (None, _) => what.to_owned(),
            }
        })
        .take(MOST_OTHERS)
        .collect()
}

/// A word that the kernel chooses, or a number.
fn scalar(value: &Value, key: &str) -> Option<String> {
    let number = || Some(value.get(key)?.as_u64()?.to_string());
    word(value, key).or_else(number)
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
