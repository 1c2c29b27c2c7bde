//! The emergency stop: after a stop no call starts and no call can be approved, until a person resumes the gate.
//!
//! An approval given before a stop does not hold after it: each approval keeps the number of stops so far, and holds only while the
//! number stays the same.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::run;

static STOPPED: AtomicBool = AtomicBool::new(false);
static STOPS: AtomicU64 = AtomicU64::new(0);

/// The message for a call while the gate is stopped.
const WORDS: &str = "A person stopped the gate; no call runs until they resume it with `M-x cj/gate-resume'.\nDo not retry; tell the person what is still to be done.";

/// Stops the gate: ends every run, and refuses calls from now on.  Returns the number of runs that were queued or under way.
pub fn stop() -> usize {
    // The gate closes before the runs end: a call that still saw the gate open has started, so `cancel_all` ends it.
    STOPS.fetch_add(1, Ordering::SeqCst);
    STOPPED.store(true, Ordering::SeqCst);
    let live = run::live();
    run::cancel_all();
    live
}

/// Opens the gate again.  The caller must make sure that a person wants this.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
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

/// Checks that the gate is not stopped.
///
/// # Errors
/// `policy-blocked` while the gate is stopped.
pub fn check() -> Result<(), Refusal> {
    if stopped() {
        return Err(Refusal::new(ErrorKind::PolicyBlocked, WORDS));
    }
    Ok(())
}
