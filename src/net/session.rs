//! The memory of this Emacs session: the names that were looked up, the networks that were discovered, and the hosts
//! whose ports were scanned.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ipnet::IpNet;
use once_cell::sync::Lazy;

use super::validate::{Judgement, Ledger};

static NAMES: Lazy<Mutex<Ledger>> = Lazy::new(Mutex::default);
static NETWORKS: Mutex<BTreeSet<Discovered>> = Mutex::new(BTreeSet::new());

/// A network, and the hardware address of the router that led outside: a hotel may have the addresses of the network at home.
type Discovered = (IpNet, Option<String>);

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

/// Whether `net`, or a network that holds it, was discovered in this session behind the same `router`; never where the router is not
/// known, since two unknown routers may be two places.
pub fn discovered(net: IpNet, router: Option<&str>) -> bool {
    NETWORKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .any(|(known, behind)| {
            known.contains(&net) && behind.is_some() && behind.as_deref() == router
        })
}

/// Notes that `net` has been discovered behind `router`, after a person's yes or because it is trusted.
pub fn note_discovery(net: IpNet, router: Option<String>) {
    NETWORKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert((net, router));
}

/// The hosts whose ports were scanned, each with the time of its last scan.
static SCANNED: Mutex<BTreeMap<IpAddr, Instant>> = Mutex::new(BTreeMap::new());

/// For so long a scanned host counts.
const IN_A_ROW: Duration = Duration::from_secs(600);

/// How many hosts besides `host` had their ports scanned in the last ten minutes.
pub fn scanned_besides(host: IpAddr) -> usize {
    let mut scanned = SCANNED.lock().unwrap_or_else(PoisonError::into_inner);
    scanned.retain(|_, at| at.elapsed() < IN_A_ROW);
    scanned.keys().filter(|known| **known != host).count()
}

/// Notes that the ports of `host` are scanned.
pub fn note_scan(host: IpAddr) {
    SCANNED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(host, Instant::now());
}
