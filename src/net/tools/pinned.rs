//! Settles a call to a host: all addresses of its name are judged, and one is pinned.

use crate::gate::{ErrorKind, Refusal, Source};
use crate::net::arguments::refused;
use crate::net::facts::{Facts, LookUp, Needs};
use crate::net::host::Host;
use crate::net::tool::{Destination, Settled};
use crate::net::validate::{Judgement, Verdict};

/// The facts that a call to `host` needs: the addresses of its name, or nothing where the host is named by its address.
pub fn needs(host: &Host) -> Needs<'_> {
    host.to_look_up().map_or(Needs::Nothing, Needs::Addresses)
}

/// The destination of a call to `host`, the value of the argument `key`.  `nowhere` settles a call to a name without an address.
pub fn settle(
    host: &Host,
    key: &str,
    facts: &Facts,
    nowhere: impl FnOnce(&str) -> Result<Settled, Refusal>,
) -> Result<Settled, Refusal> {
    let named = host.to_look_up();
    if named != facts.name.as_deref() {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "The look-up was for another name.\nSend the call again.",
        ));
    }
    if let Some(name) = named
        && facts.look_up != LookUp::Found
    {
        return nowhere(name);
    }
    let (doubt, address) = pinned(key, host.judge(&facts.addresses))?;
    let others = facts
        .addresses
        .iter()
        .filter(|other| **other != address)
        .cloned()
        .collect();
    Ok(Settled {
        host: address.clone(),
        destination: Destination::Host {
            name: named.map(str::to_owned),
            address,
            others,
            resolver: facts.resolver.clone(),
        },
        source: Source::ExplicitHost,
        doubt,
    })
}

/// The reason to ask a person, if there is one, and the pinned value of the argument `key`.
pub fn pinned(key: &str, judged: Judgement) -> Result<(Option<String>, String), Refusal> {
    match (judged.verdict, judged.pinned) {
        (Verdict::Allow, Some(pinned)) => Ok((None, pinned)),
        (Verdict::Confirm, Some(pinned)) => Ok((Some(judged.reason), pinned)),
        _ => Err(refused(key, &judged.reason)),
    }
}
