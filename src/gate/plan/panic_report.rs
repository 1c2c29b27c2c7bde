//! A panic while the module handles a call: its place, and the message for the caller that waits.

use std::sync::{Mutex, PoisonError};

use crate::gate::decide::kind::{ErrorKind, Refusal};

/// The place of the last panic: ` (at src/gate/result/outcome.rs:12)`.  Its message is not kept, because that can contain a child's
/// output.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Notes the place of a panic, for the report of the call that it ends.
#[cfg(feature = "module")]
pub(crate) fn panicked_at(place: &std::panic::Location<'_>) {
    let mut last = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
    *last = format!(" (at {}:{})", place.file(), place.line());
}

/// The refusal that ends a call after a panic.
pub(crate) fn broken() -> Refusal {
    let place = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Refusal::new(
        ErrorKind::Module,
        format!(
            "The module failed while it handled the call, which may have run{place}.\nLook at what is there before trying again, and report it with the output of `M-x cj/gh-doctor'."
        ),
    )
}
