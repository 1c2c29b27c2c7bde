//! Judges a network to discover: private, at most 1,024 addresses, written as ADDRESS/LENGTH.

use std::net::IpAddr;

use ipnet::IpNet;

use super::judgement::{Judgement, Verdict};
use crate::address::ranges::{self, Kind};

/// The shortest prefix length of IPv4 and of IPv6; either leaves 1,024 addresses.
const SHORTEST: (u8, u8) = (22, 118);

pub(super) fn judge(text: &str) -> Judgement {
    let Some(net) = read(text) else {
        return Judgement::reject(
            "This is no network. Write it as ADDRESS/LENGTH with plain decimal numbers, for example 192.168.1.0/24.",
        );
    };
    let shortest = match net {
        IpNet::V4(_) => SHORTEST.0,
        IpNet::V6(_) => SHORTEST.1,
    };
    if net.prefix_len() < shortest {
        return Judgement::reject(format!(
            "{net} is wider than 1,024 addresses. Give a private network of /{shortest} or narrower."
        ));
    }
    let range = ranges::of_net(net);
    if !matches!(range.kind, Kind::Private | Kind::Metadata) {
        return Judgement::reject(format!(
            "{net} is no private network: {} is {}.",
            net.addr(),
            range.what
        ));
    }
    if range.kind == Kind::Metadata {
        return Judgement::new(
            Verdict::Confirm,
            format!(
                "{net} holds {}, {}, so a person is asked.",
                range.net.addr(),
                range.what
            ),
            Some(net.to_string()),
        );
    }
    Judgement::new(
        Verdict::Allow,
        format!("{net} is private and small enough."),
        Some(net.to_string()),
    )
}

/// The network with its host bits cleared.
fn read(text: &str) -> Option<IpNet> {
    let (address, length) = text.split_once('/')?;
    let plain = (1..=3).contains(&length.len())
        && length.bytes().all(|b| b.is_ascii_digit())
        && (length == "0" || !length.starts_with('0'));
    let address: IpAddr = address.parse().ok()?;
    let length: u8 = length.parse().ok().filter(|_| plain)?;
    Some(IpNet::new(address, length).ok()?.trunc())
}
