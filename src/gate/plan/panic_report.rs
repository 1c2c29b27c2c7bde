//! A panic on the way of a call: where it was, and what whoever waits for the call is told.

use std::sync::{Mutex, PoisonError};

use crate::gate::decide::kind::{ErrorKind, Refusal};

/// Where the last panic was, `src/gate/result/outcome.rs:12`.  Its words are not kept: they can hold what a child printed.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Notes the place of a panic, for the report of the call that it ends.
#[cfg(feature = "module")]
pub(crate) fn panicked_at(place: &std::panic::Location<'_>) {
    let mut last = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
    *last = format!(" (at {}:{})", place.file(), place.line());
}

/// What a panic on the way of a call comes to.
pub(crate) fn broken() -> Refusal {
    let place = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Refusal::new(
        ErrorKind::Module,
        format!(
            "The module failed while it handled the call, which may have run{place}.\nLook at what is there before trying again, and report it with the output of `M-x cj/gh-doctor'."
        ),
    )
}
