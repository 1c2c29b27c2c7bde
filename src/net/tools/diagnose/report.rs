//! The result as text: the cause, what else is not well (DNS servers, other addresses, a proxy), the evidence and the next step.

use super::causes::{self, Cause};
use super::findings::Findings;
use super::{evidence, proxies};
use crate::net::connect::{Answer, Attempt};

/// What is not well beside the address itself, in words.
fn beside(f: &Findings) -> Vec<String> {
    let mut out = Vec::new();
    if f.open() {
        out.extend(f.resolving.overridden(&f.own));
    }
    out.extend(f.resolving.troubles());
    if f.open()
        && !f.again.iter().any(Attempt::resent)
        && let Some((_, lost, sent)) = causes::lost(f)
    {
        out.push(format!(
            "{lost} of {sent} pings were lost, though all {} connections came at once: packet loss, or a limit for pings",
            f.again.len()
        ));
    }
    out.extend(evidence::other_addresses(f));
    out
}

/// The head of the first line where another address of the name is open and this one is not.
fn elsewhere(f: &Findings) -> Option<String> {
    let name = f.name.as_ref().filter(|_| !f.open())?;
    let port = f.port()?.to.port();
    let well =
        |one: &&Attempt| one.answer == Answer::Open && (f.asked.is_none() || one.to.port() == port);
    let other = f.beside.iter().find(well)?.to.ip();
    Some(match (other.is_ipv6(), f.ip.is_ipv6()) {
        (true, false) => format!("{name} is reachable over IPv6 ({other}), but not over IPv4"),
        (false, true) => format!("{name} is reachable over IPv4 ({other}), but not over IPv6"),
        _ => format!("{name} is reachable at {other}, but not at its other address"),
    })
}

/// The result: the cause, what else is not well, the evidence and the next step.
pub fn told(f: &Findings) -> String {
    let holds = |cause: &&Cause| (cause.found)(f) && !(cause.unless)(f);
    let cause = causes::all()
        .find(holds)
        .expect("the last row always holds");
    let sentence = (cause.says)(f);
    let beside = beside(f);
    let mut first = match elsewhere(f) {
        Some(reachable) => format!("{reachable}: {} {sentence}", f.address),
        None => format!("{} {sentence}", f.who()),
    };
    // Where the address is well, what is not well beside it is the news.
    let well = f.open() && cause.evidence.is_empty();
    // Other programs take the way by the proxy: what it does is as much the answer as what was found without it.
    let proxy = f.proxy.as_ref().map(|proxy| proxies::told(proxy, well));
    let mut news: Vec<String> = proxy.into_iter().collect();
    if well {
        news.extend(beside.iter().cloned());
    }
    if !news.is_empty() {
        first.push_str(if well { "; but " } else { "; and " });
        first.push_str(&news.join("; "));
    }
    first.push('.');
    let mut lines = vec![first];
    if !well && !beside.is_empty() {
        lines.push(format!("Also: {}.", beside.join("; ")));
    }
    let shown = evidence::of(f, cause.evidence);
    if !shown.is_empty() {
        lines.push(format!("Evidence: {}.", shown.join("; ")));
    }
    if !cause.next.is_empty() {
        lines.push(format!("Next: {}", cause.next));
    }
    lines.join("\n")
}
