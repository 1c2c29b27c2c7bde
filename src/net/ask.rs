//! What an agent asks: the name of a tool, and its arguments as `KEY=VALUE` words.
//!
//! An argument is judged here as far as that takes no look-up: ports, types, servers, networks and the form of names.

use std::net::IpAddr;

use super::validate::{self, Answer, Check, Input, Verdict};
use crate::address::literal::Literal;
use crate::gate::{self, ErrorKind, Refusal};

/// A call of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `net_diagnose`: why a host cannot be reached.
    Diagnose {
        /// The host.
        target: Host,
        /// The TCP port that matters.
        port: Option<u16>,
    },
    /// `net_discover`: which addresses of a network answer.
    Discover {
        /// The network; none: the one this machine is on.
        subnet: Option<String>,
    },
    /// `net_services`: what listens on a host.
    Services {
        /// The host.
        target: Host,
        /// Which ports, as nmap takes them; none: the most usual ones.
        ports: Option<String>,
        /// Only the twenty most usual ones.
        fast: bool,
    },
    /// `network_status`: this machine's own network.
    Status,
    /// `dns_lookup`: records of a name.
    Lookup {
        /// The name.
        name: String,
        /// The type, in capitals.
        kind: String,
        /// The server's address.
        server: Option<String>,
        /// What a person must be asked about, if anything.
        doubt: Option<String>,
    },
}

/// A host as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// By name or address.
    pub name: String,
    /// Whether the caller said that it lies outside the user's own networks.
    pub external: bool,
}

impl Host {
    /// The name, where it is one and no address: what must be looked up.
    pub fn to_look_up(&self) -> Option<&str> {
        Literal::read(&self.name).is_none().then_some(&*self.name)
    }

    /// How it is judged with the addresses that a look-up gave.
    pub fn judge(&self, addresses: &[String]) -> Answer {
        let input = Input::Host(&self.name, self.external);
        validate::validate(Check::Target, input, addresses)
    }
}

/// The tools and the arguments that each takes.
const TOOLS: &[(&str, &[&str])] = &[
    ("net_diagnose", &["target", "port", "external"]),
    ("net_discover", &["subnet"]),
    ("net_services", &["host", "ports", "fast", "external"]),
    ("network_status", &[]),
    ("dns_lookup", &["name", "type", "server"]),
];

impl Ask {
    /// Reads `argv`: the tool, then `KEY=VALUE` words.
    ///
    /// # Errors
    /// `bad-argument` for what is misspelt or missing, `policy-blocked` for what may not be asked.
    pub fn read(argv: &[String]) -> Result<Self, Refusal> {
        gate::decide::argv::check(argv)?;
        let (tool, words) = argv.split_first().expect("it was checked not to be empty");
        let Some((tool, keys)) = TOOLS.iter().find(|(known, _)| known == tool) else {
            let known: Vec<&str> = TOOLS.iter().map(|(known, _)| *known).collect();
            return Err(bad(format!(
                "There is no network tool of this name.\nUse one of {}.",
                known.join(", ")
            )));
        };
        let mut given: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if !keys.contains(&key) || given.iter().any(|(known, _)| *known == key) {
                return Err(bad(format!(
                    "{tool} does not take this argument, or not twice.\nIt takes {}.",
                    if keys.is_empty() {
                        "none".to_owned()
                    } else {
                        keys.join(", ")
                    }
                )));
            }
            given.push((key, value));
        }
        let get = |key: &str| {
            given
                .iter()
                .find(|(k, _)| *k == key)
                .map(|(_, value)| *value)
        };
        let need = |key: &str| {
            get(key).ok_or_else(|| bad(format!("{tool} needs `{key}'.\nCall again with it.")))
        };
        let flag = |key: &str| match get(key) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(bad(format!(
                "`{key}' is true or false.\nCall again with it."
            ))),
        };
        let host = |key: &str| -> Result<Host, Refusal> {
            let host = Host {
                // Models like to leave a blank; it means nothing.
                name: need(key)?.trim_matches(' ').to_owned(),
                external: flag("external")?,
            };
            if host.to_look_up().is_some() {
                let answer = validate::host_name(&host.name);
                match answer.verdict {
                    Verdict::Allow => {}
                    Verdict::Reject => return Err(refused(key, &answer.reason)),
                    Verdict::Confirm => {
                        return Err(Refusal::new(
                            ErrorKind::PolicyBlocked,
                            format!(
                                "`{key}' is refused: {}\nLook it up with dns_lookup, then give the address.",
                                answer.reason
                            ),
                        ));
                    }
                }
            } else {
                let answer = host.judge(&[]);
                if answer.verdict == Verdict::Reject {
                    return Err(refused(key, &answer.reason));
                }
            }
            Ok(host)
        };
        Ok(match *tool {
            "net_diagnose" => Self::Diagnose {
                port: get("port").map(port).transpose()?,
                target: host("target")?,
            },
            "net_discover" => Self::Discover {
                subnet: get("subnet")
                    .map(|text| pinned("subnet", Check::Subnet, text))
                    .transpose()?,
            },
            "net_services" => {
                let (ports, fast) = (get("ports"), flag("fast")?);
                if fast && ports.is_some() {
                    return Err(bad(
                        "`fast' and `ports' exclude each other.\nGive one of them.",
                    ));
                }
                Self::Services {
                    ports: ports
                        .map(|text| pinned("ports", Check::Ports, text))
                        .transpose()?,
                    fast,
                    target: host("host")?,
                }
            }
            "network_status" => Self::Status,
            _ => lookup(
                need("name")?.trim_matches(' '),
                get("type").unwrap_or("A"),
                get("server"),
            )?,
        })
    }

    /// The name of the tool.
    pub const fn tool(&self) -> &'static str {
        match self {
            Self::Diagnose { .. } => "net_diagnose",
            Self::Discover { .. } => "net_discover",
            Self::Services { .. } => "net_services",
            Self::Status => "network_status",
            Self::Lookup { .. } => "dns_lookup",
        }
    }

    /// What a call of the tool does, in a sentence for a person; `host` is where it goes, as it was settled.
    pub fn sentence(&self, host: &str) -> String {
        match self {
            Self::Diagnose { .. } => {
                format!("Find out whether {host} can be reached, and if not, why")
            }
            Self::Discover { .. } => format!("Look for machines in {host}"),
            Self::Services { .. } => format!("Look at which ports of {host} are open"),
            Self::Status => "Look at this machine's own network".to_owned(),
            Self::Lookup { .. } => format!("Ask the DNS about {host}"),
        }
    }

    /// The host that packets go to, where there is one.
    pub const fn host(&self) -> Option<&Host> {
        match self {
            Self::Diagnose { target, .. } | Self::Services { target, .. } => Some(target),
            _ => None,
        }
    }
}

fn lookup(name: &str, kind: &str, server: Option<&str>) -> Result<Ask, Refusal> {
    let kind = pinned("type", Check::DnsType, kind)?;
    let server = server
        .map(|text| pinned("server", Check::DnsServer, text))
        .transpose()?;
    let name = match Literal::read(name) {
        Some(literal) if kind == "PTR" => reverse(literal.address),
        Some(_) => {
            return Err(bad(
                "`name' is an address.\nGive a name, or ask for type PTR.",
            ));
        }
        None => name.to_owned(),
    };
    let answer = validate::validate(Check::DnsName, Input::Text(&name), &[]);
    if answer.verdict == Verdict::Reject {
        return Err(refused("name", &answer.reason));
    }
    Ok(Ask::Lookup {
        name,
        kind,
        server,
        doubt: (answer.verdict == Verdict::Confirm).then_some(answer.reason),
    })
}

/// The name under which the name of an address is kept (RFC 1035, section 3.5; RFC 3596, section 2.5).
pub(super) fn reverse(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let digits = (0..32).map(|nth| format!("{:x}.", bits >> (4 * nth) & 15));
            digits.collect::<String>() + "ip6.arpa"
        }
    }
}

fn port(text: &str) -> Result<u16, Refusal> {
    let one = pinned("port", Check::Ports, text)?;
    one.parse()
        .map_err(|_| bad("`port' is one number.\nCall again with one."))
}

/// What an argument stands for in its one spelling.
fn pinned(key: &str, check: Check, text: &str) -> Result<String, Refusal> {
    let answer = validate::validate(check, Input::Text(text), &[]);
    match answer.pinned {
        Some(pinned) if answer.verdict != Verdict::Reject => Ok(pinned),
        _ => Err(refused(key, &answer.reason)),
    }
}

/// What was wrong with an argument, and on the next line what to do.
pub(super) fn refused(key: &str, reason: &str) -> Refusal {
    let (what, then) = reason
        .split_once(". ")
        .unwrap_or((reason.trim_end_matches('.'), "Give another."));
    Refusal::new(
        ErrorKind::PolicyBlocked,
        format!("`{key}' is refused: {what}.\n{then}"),
    )
}

fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorKind::BadArgument, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Ask, Refusal> {
        Ask::read(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn an_argument_that_a_tool_does_not_take_never_gets_through() {
        for words in [
            &["nmap", "host=10.0.0.1"][..],
            &["net_services", "host=10.0.0.1", "args=-A"],
            &["net_services", "host=10.0.0.1", "host=10.0.0.2"],
            &["net_services", "host=10.0.0.1", "-A"],
            &["net_services"],
            &["net_services", "host=10.0.0.1", "fast=yes"],
            &["net_services", "host=10.0.0.1", "fast=true", "ports=80"],
            &["net_services", "host=--script=vuln"],
            &["net_services", "host=10.0.0.1;id"],
            &["net_services", "host=0x0a.1"],
            &["net_services", "host=8.8.8.8"],
            &["net_services", "host=10.0.0.1", "ports=80;id"],
            &["net_diagnose", "target=10.0.0.1", "port=1-5"],
            &["net_discover", "subnet=8.8.8.0/24"],
            &["net_discover", "subnet=10.0.0.0/8"],
            &["network_status", "x=1"],
            &["dns_lookup", "name=a.test", "type=AXFR"],
            &["dns_lookup", "name=a.test", "server=8.8.4.4"],
            &["dns_lookup", "name=@1.1.1.1"],
            &["dns_lookup", "name=10.0.0.1"],
        ] {
            let refusal = read(words).expect_err(&words.join(" "));
            assert!(refusal.message.contains('\n'), "{}", refusal.message);
        }
    }

    #[test]
    fn an_address_is_looked_up_by_its_reverse_name() {
        for (address, name) in [
            ("10.77.0.80", "80.0.77.10.in-addr.arpa"),
            (
                "fd77::80",
                "0.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.7.d.f.ip6.arpa",
            ),
        ] {
            let word = format!("name={address}");
            match read(&["dns_lookup", &word, "type=ptr"]) {
                Ok(Ask::Lookup {
                    name: got, doubt, ..
                }) => {
                    assert_eq!((got.as_str(), doubt), (name, None));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
