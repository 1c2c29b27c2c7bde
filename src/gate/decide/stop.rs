//! The emergency stop: from it on nothing starts and nothing can be approved, until a person resumes.
//!
//! What was allowed before a stop is not allowed after it: an approval holds the number of stops that there had been when it was
//! given, and counts only as long as that is the number.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::run;

static STOPPED: AtomicBool = AtomicBool::new(false);
static STOPS: AtomicU64 = AtomicU64::new(0);

/// What is said to whoever wants to run something meanwhile.
const WORDS: &str = "A person stopped the gate; no call runs until they resume it with `M-x cj/gate-resume'.\nDo not retry; tell the person what is still to be done.";

/// Stops: ends every run, and refuses from now on.  Gives the number of runs that were queued or under way.
pub fn stop() -> usize {
    // In this order: whoever saw the gate open has started already, and is ended.
    STOPS.fetch_add(1, Ordering::SeqCst);
    STOPPED.store(true, Ordering::SeqCst);
    let live = run::live();
    run::cancel_all();
    live
}

/// Lets calls through again.  That a person wants it is the caller's to know.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "called through a door of the module alone")
)]
pub(crate) fn resume() {
    STOPPED.store(false, Ordering::SeqCst);
}

/// Whether the gate is stopped.
pub fn stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// How often the gate has been stopped.
pub fn stops() -> u64 {
    STOPS.load(Ordering::SeqCst)
}

/// # Errors
/// `policy-blocked` while the gate is stopped.
pub fn check() -> Result<(), Refusal> {
    if stopped() {
        return Err(Refusal::new(ErrorKind::PolicyBlocked, WORDS));
    }
    Ok(())
}
