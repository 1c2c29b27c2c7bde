//! Judges a host: all its addresses are judged, and one is pinned and used in place of the name.

use super::judgement::{Judgement, Verdict};
use super::name;
use crate::address::literal::Literal;
use crate::address::ranges::{self, Kind};

/// A name with more addresses than this is rejected: no name of one service has so many.
const MAX_ANSWERS: usize = 64;

pub(super) fn judge(host: &str, external: bool, resolved: &[String]) -> Judgement {
    // Models often add a blank, which means nothing.
    let host = host.trim_matches(' ');
    if let Some(literal) = Literal::read(host) {
        return address(&literal, external);
    }
    if host.contains(':') {
        return Judgement::reject(
            "This is neither a name nor an address that can be read. Give a plain name or address: no port, no brackets, no URL; only a link-local IPv6 address takes a zone.",
        );
    }
    let asked = name::judge_host(host);
    if asked.verdict == Verdict::Reject {
        return asked;
    }
    let answered = answers(external, resolved);
    asked.or_pinned(answered)
}

/// Judges one address by itself.
fn address(literal: &Literal, external: bool) -> Judgement {
    let range = ranges::of(literal.address);
    let said = |rest: &str| format!("{literal} is {}{rest}.", range.what);
    let (verdict, reason) = match range.kind {
        Kind::Private => (Verdict::Allow, said("")),
        Kind::Metadata => (Verdict::Confirm, said(", so a person is asked")),
        Kind::Public if external => (
            Verdict::Confirm,
            said(": somebody else's network, so a person is asked"),
        ),
        Kind::Public => (
            Verdict::Reject,
            said(", somebody else's network")
                + " Set `external' if the user wants it probed; a person is then asked.",
        ),
        Kind::Never => (Verdict::Reject, said(", so it is no target")),
    };
    Judgement::new(verdict, reason, Some(literal.to_string()))
}

/// Judges all addresses of a name.  All must be of the same kind: else an address of one kind could stand in for one of another.
fn answers(external: bool, resolved: &[String]) -> Judgement {
    if resolved.is_empty() {
        return Judgement::reject("The name has no address: the look-up gave none.");
    }
    if resolved.len() > MAX_ANSWERS {
        return Judgement::reject(format!(
            "The name has {} addresses, more than {MAX_ANSWERS}. Give one address.",
            resolved.len()
        ));
    }
    let mut literals = Vec::with_capacity(resolved.len());
    for text in resolved {
        match Literal::read(text) {
            Some(literal) => literals.push(literal),
            None => return Judgement::reject("The look-up gave a word that is no address."),
        }
    }
    // An IPv4 address is preferred: a private network nearly always has IPv4, and need not route IPv6.
    let pinned = literals
        .iter()
        .find(|l| l.address.is_ipv4())
        .or_else(|| literals.iter().find(|l| !bare_link_local(l)))
        .or_else(|| literals.first())
        .expect("there is at least one answer");
    let kind = ranges::of(pinned.address).kind;
    if let Some(other) = literals.iter().find(|l| ranges::of(l.address).kind != kind) {
        return Judgement::reject(format!(
            "The name stands for addresses of different kinds: {pinned} is {}, and {other} is {}. Give the one address that is meant.",
            ranges::of(pinned.address).what,
            ranges::of(other.address).what,
        ));
    }
    address(pinned, external)
}

/// True for a link-local address without its interface (`fe80::1`), which cannot be reached.
fn bare_link_local(literal: &Literal) -> bool {
    literal.zone.is_none()
        && matches!(literal.address, std::net::IpAddr::V6(v6) if v6.is_unicast_link_local())
}
