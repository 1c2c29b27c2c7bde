//! The shelf: results that did not fit into what a model was shown, kept in memory under a handle.
//!
//! All of it is clean text. At most [`RESULTS`] and [`BYTES`] are kept; the oldest goes first. Nothing is written anywhere.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;

use super::{ErrorKind, Refusal, Target};

/// The most results that are kept.
pub const RESULTS: usize = 32;
/// The most bytes of them all.
pub const BYTES: usize = 8 << 20;

/// A result that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The program that it came from.
    pub program: &'static str,
    /// Where the call went.
    pub target: Option<Target>,
    /// All of it, clean.
    pub text: String,
    /// When it came.
    at: Instant,
}

impl Kept {
    /// A result that came just now.
    pub fn new(program: &'static str, target: Option<Target>, text: String) -> Self {
        Self {
            program,
            target,
            text,
            at: Instant::now(),
        }
    }

    /// How long ago it came.
    pub fn age(&self) -> Duration {
        self.at.elapsed()
    }
}

#[derive(Default)]
struct Shelf {
    kept: VecDeque<(u64, Arc<Kept>)>,
    bytes: usize,
    next: u64,
}

static SHELF: Lazy<Mutex<Shelf>> = Lazy::new(Mutex::default);

fn shelf() -> MutexGuard<'static, Shelf> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shelf {
    fn put(&mut self, kept: Kept) -> String {
        self.next += 1;
        self.bytes += kept.text.len();
        self.kept.push_back((self.next, Arc::new(kept)));
        while self.kept.len() > RESULTS || (self.bytes > BYTES && self.kept.len() > 1) {
            let (_, oldest) = self.kept.pop_front().expect("there is one at least");
            self.bytes -= oldest.text.len();
        }
        format!("m{}", self.next)
    }

    fn get(&self, handle: &str) -> Option<Arc<Kept>> {
        let number: u64 = handle.trim().strip_prefix('m')?.parse().ok()?;
        let found = self.kept.iter().find(|(n, _)| *n == number);
        found.map(|(_, kept)| Arc::clone(kept))
    }
}

/// Keeps a result; gives its handle, `m7`. The oldest go when there are too many.
pub fn put(kept: Kept) -> String {
    shelf().put(kept)
}

/// The result of `program` under `handle`.
///
/// # Errors
/// `not-found` where it is gone, was never there or is another program's.
pub fn get(program: &str, handle: &str) -> Result<Arc<Kept>, Refusal> {
    let kept = shelf().get(handle).filter(|kept| kept.program == program);
    kept.ok_or_else(|| {
        Refusal::new(
            ErrorKind::NotFound,
            "No result is kept under this handle (any more).\nRun the call again.",
        )
    })
}

/// How many results are kept, and how many bytes they have.
pub fn holds() -> (usize, usize) {
    let shelf = shelf();
    (shelf.kept.len(), shelf.bytes)
}

/// Forgets every result; handles that were given stay gone.
pub fn clear() {
    let mut shelf = shelf();
    shelf.kept.clear();
    shelf.bytes = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: usize) -> Kept {
        Kept::new("gh", None, "x".repeat(bytes))
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many_or_too_much() {
        let mut shelf = Shelf::default();
        for _ in 0..RESULTS + 3 {
            shelf.put(kept(10));
        }
        assert_eq!((shelf.kept.len(), shelf.bytes), (RESULTS, RESULTS * 10));
        assert!(shelf.get("m3").is_none() && shelf.get("m4").is_some());
        let last = shelf.put(kept(BYTES - 5));
        assert_eq!(shelf.kept.len(), 1);
        assert!(shelf.get(&last).is_some() && shelf.bytes <= BYTES);
        for handle in ["", "m", "7", "m-1", "m99999999999999999999", "x1"] {
            assert!(shelf.get(handle).is_none(), "{handle}");
        }
    }
}
