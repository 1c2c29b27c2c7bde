//! What the programs' answers say, as findings.

use std::net::IpAddr;

use crate::net::parse::curl::{self, Request};
use crate::net::parse::nft::{self, Packet, Verdict};
use crate::net::parse::{Outside, ip, ping, ss, traceroute};
use crate::net::step_runner::StepResult;
use crate::net::tools::words::{complaint, missing, out};
use crate::run::Captured;

/// The neighbour `address` on the interface `device`, if that is known, in the answer to [`commands::neighbours`].
pub fn neighbour(
    answer: &StepResult,
    address: &str,
    device: Option<&Outside>,
) -> Option<ip::Neighbour> {
    let text = answer.as_ref().ok().map(out)?;
    let rows = ip::neighbours(&text).ok()?.rows;
    let mut found = rows.into_iter().filter(|one| one.address == address);
    found.find(|one| device.is_none_or(|device| one.device == *device))
}

/// The result of a request by curl.
pub fn request(answer: &StepResult) -> Option<Request> {
    curl::read(&out(answer.as_ref().ok()?)).ok()
}

/// The result of ping; or why there is none, or fewer than there could be.
pub fn pinged(answer: &StepResult) -> (Option<ping::Ping>, Option<String>) {
    match answer {
        Ok(captured) => match ping::read(&out(captured)) {
            Ok(ping) => (Some(ping), refusal(captured)),
            Err(_) => (None, Some(complaint(captured))),
        },
        Err(refusal) => (None, Some(missing(refusal))),
    }
}

/// The hops that traceroute found; `None` where it did not run, or is not the one whose output is read.
pub fn hopped(answer: &StepResult) -> Option<Vec<traceroute::Hop>> {
    let text = answer.as_ref().ok().map(out)?;
    traceroute::read(&text).ok()
}

/// What ping says besides its counts, where a firewall of this machine forbids it to send (`sendmsg`); a user who may not ping at all
/// is told so before anything is sent (`socket`), which is no firewall.
fn refusal(captured: &Captured) -> Option<String> {
    let said = complaint(captured);
    (said.contains("sendmsg:") && said.contains("not permitted")).then_some(said)
}

/// What the rules of the firewall do with packets to `peer`, and with the answers.
pub fn verdicts(
    answer: &StepResult,
    (protocol, port): (&'static str, u16),
    peer: IpAddr,
    own: bool,
) -> (Option<Verdict>, Option<Verdict>) {
    let text = answer.as_ref().ok().map(out).unwrap_or_default();
    let of = |out: bool| {
        let packet = Packet {
            out,
            protocol,
            peer,
            port: Some(port),
            own,
        };
        nft::verdict(&text, &packet).ok().flatten()
    };
    (of(true), of(false))
}

/// The addresses on which this machine listens on `port`, if none of them stands for all.
pub fn listeners(answer: &StepResult, port: u16) -> Vec<String> {
    let text = answer.as_ref().ok().map(out).unwrap_or_default();
    let rows = ss::read(&text).map_or_else(|_| Vec::new(), |all| all.rows);
    let mine = rows
        .into_iter()
        .filter(|one| one.protocol == "tcp" && one.port == port);
    let mut all: Vec<String> = mine
        .map(|one| one.address)
        .filter(|text| !matches!(text.as_str(), "0.0.0.0" | "::" | "*"))
        .collect();
    all.sort();
    all.dedup();
    let loopback = |text: &String| text.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    all.iter()
        .map(|text| {
            if loopback(text) {
                format!("{text} (loopback)")
            } else {
                text.clone()
            }
        })
        .take(4)
        .collect()
}
