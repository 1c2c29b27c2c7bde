//! Reads `nft -j list ruleset`, and finds what the rules of this machine's own firewall do with a packet.
//!
//! Only what is certain is said: a rule with a condition that is not known here is passed over, and so is every rule after which the
//! end of the packet depends on it (libnftables-json(5)).

use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::{Unreadable, bounds};

/// A packet that leaves this machine, or the answer to it.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// `true`: the packet leaves; `false`: it is the answer that comes in.
    pub out: bool,
    /// `tcp`, `udp`, `icmp` or `icmpv6`.
    pub protocol: &'static str,
    /// The other machine.
    pub peer: IpAddr,
    /// The other machine's port.
    pub port: Option<u16>,
    /// Whether the other machine is this one: then the packet goes by the loopback interface.
    pub own: bool,
}

/// What becomes of a packet that does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The packet is thrown away.
    Drop,
    /// The packet is answered with an error.
    Reject,
    /// The packet is answered with a TCP reset.
    Reset,
    /// The packet goes to another address or port, this machine's own port if one is named.
    Redirect(Option<u16>),
}

enum Fate {
    Accept,
    /// No rule of the chain decides, and its caller does not go on either (nft(8), `goto`).
    Policy,
    Stop(Verdict),
    /// The chain ended, and its caller goes on.
    Return,
    /// What happens depends on a condition that is not known here.
    Unknown,
}

/// How deep chains may call each other.
const DEEPEST: usize = 16;

/// What becomes of `packet`; `None`: it passes, or nothing certain is known.
///
/// # Errors
/// The text is no list of rules, too long or too deep.
pub fn verdict(text: &str, packet: &Packet) -> Result<Option<Verdict>, Unreadable> {
    bounds::json(text)?;
    let value: Value = serde_json::from_str(text).map_err(|_| Unreadable::Form)?;
    let all = value["nftables"].as_array().ok_or(Unreadable::Form)?;
    let hook = if packet.out { "output" } else { "input" };
    let families = if packet.peer.is_ipv4() {
        ["ip", "inet"]
    } else {
        ["ip6", "inet"]
    };
    let mut bases: Vec<&Value> = all
        .iter()
        .filter_map(|one| one.get("chain"))
        .filter(|chain| {
            chain["hook"] == hook && families.iter().any(|family| chain["family"] == *family)
        })
        .collect();
    bases.sort_by_key(|chain| chain["prio"].as_i64().unwrap_or(0));
    for base in bases {
        let policy = if base["policy"] == "drop" {
            Fate::Stop(Verdict::Drop)
        } else {
            Fate::Accept
        };
        let fate = match chain(all, base, packet, 0) {
            Fate::Return | Fate::Policy => policy,
            other => other,
        };
        match fate {
            Fate::Stop(verdict) => return Ok(Some(verdict)),
            Fate::Unknown => return Ok(None),
            Fate::Accept | Fate::Return | Fate::Policy => {}
        }
    }
    Ok(None)
}

fn chain(all: &[Value], chain: &Value, packet: &Packet, depth: usize) -> Fate {
    let here = |row: &Value, key: &str| row[key] == chain[key];
    let rules = all.iter().filter_map(|one| one.get("rule")).filter(|rule| {
        here(rule, "family") && here(rule, "table") && rule["chain"] == chain["name"]
    });
    for rule in rules {
        match self::rule(all, rule, packet, depth) {
            Fate::Return => {}
            fate => return fate,
        }
    }
    Fate::Return
}

/// What `rule` does with `packet`; [`Fate::Return`]: nothing.
fn rule(all: &[Value], rule: &Value, packet: &Packet, depth: usize) -> Fate {
    let mut certain = true;
    for part in rule["expr"].as_array().into_iter().flatten() {
        let Some((key, value)) = part.as_object().and_then(|part| part.iter().next()) else {
            return Fate::Unknown;
        };
        let fate = match key.as_str() {
            "match" => match matches(value, packet) {
                Some(true) => continue,
                Some(false) => return Fate::Return,
                None => {
                    certain = false;
                    continue;
                }
            },
            "counter" | "log" | "comment" | "notrack" | "mangle" => continue,
            // A limit, or a rule of iptables that nft has no words for (`xt`): it may hold or not.
            "limit" | "quota" | "xt" => {
                certain = false;
                continue;
            }
            "accept" => Fate::Accept,
            "drop" => Fate::Stop(Verdict::Drop),
            "reject" if value["type"] == "tcp reset" => Fate::Stop(Verdict::Reset),
            "reject" => Fate::Stop(Verdict::Reject),
            "redirect" | "dnat" => {
                let port = value["port"]
                    .as_u64()
                    .and_then(|port| u16::try_from(port).ok());
                Fate::Stop(Verdict::Redirect(port))
            }
            "return" => return Fate::Return,
            "jump" | "goto" if depth < DEEPEST => {
                let named = |one: &&Value| {
                    one["name"] == value["target"]
                        && one["table"] == rule["table"]
                        && one["family"] == rule["family"]
                };
                let target = all.iter().filter_map(|one| one.get("chain")).find(named);
                let fate = target.map_or(Fate::Unknown, |target| {
                    chain(all, target, packet, depth + 1)
                });
                match fate {
                    Fate::Return if key == "goto" => Fate::Policy,
                    fate => fate,
                }
            }
            _ => Fate::Unknown,
        };
        return match fate {
            Fate::Return => Fate::Return,
            fate if certain => fate,
            _ => Fate::Unknown,
        };
    }
    Fate::Return
}

/// Whether the condition holds; `None` for one that is not known here.
fn matches(condition: &Value, packet: &Packet) -> Option<bool> {
    let (left, right) = (&condition["left"], &condition["right"]);
    let payload = &left["payload"];
    let field = payload["field"].as_str();
    let of = payload["protocol"].as_str();
    let own = if packet.out { "daddr" } else { "saddr" };
    let port = if packet.out { "dport" } else { "sport" };
    let holds = match (of, field, left["meta"]["key"].as_str()) {
        (Some("ip" | "ip6"), Some(name), _) if name == own => {
            if (of == Some("ip")) != packet.peer.is_ipv4() {
                return Some(false);
            }
            any(right, &|one| address(one, packet.peer))?
        }
        (Some(protocol @ ("tcp" | "udp" | "th")), Some(name), _) if name == port => {
            if protocol != "th" && protocol != packet.protocol {
                return Some(false);
            }
            let wanted = u64::from(packet.port?);
            any(right, &|one| number(one, wanted))?
        }
        (Some(protocol @ ("tcp" | "udp" | "icmp" | "icmpv6")), _, _)
            if protocol != packet.protocol =>
        {
            return Some(false);
        }
        (_, _, Some("l4proto")) => any(right, &|one| {
            Some(one.as_str()?.replace("ipv6-icmp", "icmpv6") == packet.protocol)
        })?,
        (_, _, Some("iif" | "oif" | "iifname" | "oifname")) if right == "lo" => {
            packet.own || packet.peer.is_loopback()
        }
        _ if left["ct"]["key"] == "state" => {
            let state = if packet.out { "new" } else { "established" };
            any(right, &|one| Some(one == state))?
        }
        _ => return None,
    };
    match condition["op"].as_str() {
        Some("==" | "in") => Some(holds),
        Some("!=") => Some(!holds),
        _ => None,
    }
}

/// Whether `test` holds for `value`, or for one of them if `value` is a list or a set.
fn any(value: &Value, test: &dyn Fn(&Value) -> Option<bool>) -> Option<bool> {
    let list = value.as_array().or_else(|| value["set"].as_array());
    let Some(list) = list else {
        return test(value);
    };
    let mut known = true;
    for one in list {
        match test(one) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}

fn address(value: &Value, wanted: IpAddr) -> Option<bool> {
    if let Some(text) = value.as_str() {
        return Some(text.parse::<IpAddr>().ok()? == wanted);
    }
    let prefix = &value["prefix"];
    let length = u8::try_from(prefix["len"].as_u64()?).ok()?;
    let net = IpNet::new(prefix["addr"].as_str()?.parse().ok()?, length).ok()?;
    Some(net.contains(&wanted))
}

fn number(value: &Value, wanted: u64) -> Option<bool> {
    if let Some([low, high]) = value["range"].as_array().map(Vec::as_slice) {
        return Some((low.as_u64()?..=high.as_u64()?).contains(&wanted));
    }
    Some(value.as_u64()? == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: Packet = Packet {
        out: true,
        protocol: "tcp",
        peer: IpAddr::V4(std::net::Ipv4Addr::new(10, 2, 0, 80)),
        port: Some(80),
        own: false,
    };

    fn of(chains: &str, rules: &[&str], packet: &Packet) -> Option<Verdict> {
        let rows: Vec<String> = rules
            .iter()
            .map(|expr| {
                let (chain, expr) = expr.split_once(' ').expect("a chain and a rule");
                format!(
                    r#"{{"rule":{{"family":"inet","table":"t","chain":"{chain}","expr":[{expr}]}}}}"#
                )
            })
            .collect();
        let text = format!(r#"{{"nftables":[{chains},{}]}}"#, rows.join(","));
        verdict(&text, packet).expect("rules")
    }

    const ACCEPTS: &str = r#"{"chain":{"family":"inet","table":"t","name":"o","hook":"output","prio":0,"policy":"accept"}},{"chain":{"family":"inet","table":"t","name":"sub"}}"#;
    const DROPS: &str = r#"{"chain":{"family":"inet","table":"t","name":"i","hook":"input","prio":0,"policy":"drop"}}"#;

    #[test]
    fn the_first_rule_that_holds_decides() {
        let port = r#"{"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":{"set":[22,{"range":[80,90]}]}}}"#;
        let net = r#"{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"daddr"}},"right":{"prefix":{"addr":"10.2.0.0","len":24}}}}"#;
        for (rules, fate) in [
            (vec![format!("o {port},{{\"drop\":null}}")], Some(Verdict::Drop)),
            (
                vec![format!("o {net},{{\"reject\":{{\"type\":\"tcp reset\"}}}}")],
                Some(Verdict::Reset),
            ),
            (
                vec![
                    format!("o {net},{{\"accept\":null}}"),
                    "o {\"drop\":null}".to_owned(),
                ],
                None,
            ),
            (
                vec![
                    "o {\"jump\":{\"target\":\"sub\"}}".to_owned(),
                    format!("sub {port},{{\"drop\":null}}"),
                ],
                Some(Verdict::Drop),
            ),
            // A condition that is not known: nothing is claimed, about this rule and those below it.
            (
                vec![
                    r#"o {"match":{"op":"==","left":{"meta":{"key":"skuid"}},"right":7}},{"accept":null}"#.to_owned(),
                    "o {\"drop\":null}".to_owned(),
                ],
                None,
            ),
        ] {
            let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
            assert_eq!(of(ACCEPTS, &rules, &OUT), fate, "{rules:?}");
        }
    }

    #[test]
    fn answers_that_come_in_are_dropped_by_the_policy_unless_connections_are_known() {
        let answer = Packet { out: false, ..OUT };
        let known = r#"i {"match":{"op":"in","left":{"ct":{"key":"state"}},"right":["established","related"]}},{"accept":null}"#;
        let lo =
            r#"i {"match":{"op":"==","left":{"meta":{"key":"iif"}},"right":"lo"}},{"accept":null}"#;
        assert_eq!(of(DROPS, &[lo], &answer), Some(Verdict::Drop));
        assert_eq!(of(DROPS, &[lo, known], &answer), None);
        assert_eq!(of(DROPS, &[lo], &OUT), None);
    }

    #[test]
    fn rules_of_other_protocols_and_of_marks_decide_nothing() {
        let icmp = r#"o {"match":{"op":"==","left":{"payload":{"protocol":"icmp","field":"type"}},"right":"echo-request"}},{"drop":null}"#;
        let mark = r#"o {"mangle":{"key":{"meta":{"key":"mark"}},"value":7}}"#;
        let limited = r#"o {"limit":{"rate":5,"per":"second"}},{"accept":null}"#;
        let drop = r#"o {"drop":null}"#;
        assert_eq!(of(ACCEPTS, &[icmp], &OUT), None);
        assert_eq!(of(ACCEPTS, &[icmp, mark, drop], &OUT), Some(Verdict::Drop));
        // A limit may be reached or not.
        assert_eq!(of(ACCEPTS, &[limited, drop], &OUT), None);
    }

    #[test]
    fn after_a_goto_the_policy_decides_and_no_further_rule() {
        let goto = r#"o {"goto":{"target":"sub"}}"#;
        let port = r#"sub {"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":22}},{"drop":null}"#;
        let drop = r#"o {"drop":null}"#;
        assert_eq!(of(ACCEPTS, &[goto, port, drop], &OUT), None);
        let jump = goto.replace("goto", "jump");
        let all = [jump.as_str(), port, drop];
        assert_eq!(of(ACCEPTS, &all, &OUT), Some(Verdict::Drop));
    }

    #[test]
    fn packets_to_this_machine_itself_go_by_loopback() {
        let own = Packet { own: true, ..OUT };
        let lo =
            r#"o {"match":{"op":"==","left":{"meta":{"key":"oif"}},"right":"lo"}},{"accept":null}"#;
        let drop = r#"o {"drop":null}"#;
        assert_eq!(of(ACCEPTS, &[lo, drop], &own), None);
        assert_eq!(of(ACCEPTS, &[lo, drop], &OUT), Some(Verdict::Drop));
    }

    #[test]
    fn a_rule_of_nat_leads_elsewhere() {
        let port = r#"o {"redirect":{"port":8118}}"#;
        let fate = Some(Verdict::Redirect(Some(8118)));
        assert_eq!(of(ACCEPTS, &[port], &OUT), fate);
    }

    #[test]
    fn what_is_no_list_of_rules_is_refused() {
        assert!(verdict("{}", &OUT).is_err());
        assert!(verdict(&"[".repeat(10_000), &OUT).is_err());
        let endless = r#"{"nftables":[{"chain":{"family":"ip","table":"t","name":"o","hook":"output","prio":0}},
            {"rule":{"family":"ip","table":"t","chain":"o","expr":[{"jump":{"target":"o"}}]}}]}"#;
        assert_eq!(verdict(endless, &OUT), Ok(None));
    }
}
