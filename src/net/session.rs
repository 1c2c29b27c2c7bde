//! The memory of this Emacs session: the names that were looked up, and the networks that were discovered.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use ipnet::IpNet;
use once_cell::sync::Lazy;

use super::validate::{Judgement, Ledger};

static NAMES: Lazy<Mutex<Ledger>> = Lazy::new(Mutex::default);
static NETWORKS: Mutex<BTreeSet<IpNet>> = Mutex::new(BTreeSet::new());

/// Counts a name that is to be looked up: `allow`, or `confirm` where the session has asked about too many names.
pub fn spend(name: &str) -> Judgement {
    NAMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .spend(name)
}

/// Notes a name that a person has allowed ([`Ledger::allow`]).
pub fn allow(name: &str) {
    NAMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .allow(name);
}

/// Whether `net`, or a network that holds it, was discovered in this session.
pub fn discovered(net: IpNet) -> bool {
    NETWORKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .any(|known| known.contains(&net))
}

/// Notes that `net` has been discovered, after a person's yes or because it is trusted.
pub fn note_discovery(net: IpNet) {
    NETWORKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(net);
}
