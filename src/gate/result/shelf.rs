//! The shelf: results that did not fit into what a model was shown, kept in memory under a handle.
//!
//! All of it is clean text. At most [`RESULTS`] and [`BYTES`] are kept; the oldest goes first. Nothing is written anywhere.
//!
//! A handle is `m` and twenty random digits, 66 bits of the system's source, which cost a model eight tokens (`m7` cost two). It is
//! good only in the chat that made it: to any other chat it is a handle that never was. Whether a result may be read is judged anew
//! each time ([`Kept::may_be_read`]), by the policy that holds then.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;

use crate::gate::call::call::Call;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::policy::{Answer, Policy};
use crate::gate::decide::stop;
use crate::gate::decide::target::Target;

/// The most results that are kept.
pub const RESULTS: usize = 32;
/// The most bytes of them all.
pub const BYTES: usize = 8 << 20;

/// Digits of a handle.
const DIGITS: usize = 20;

/// A result that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The program that it came from.
    pub program: &'static str,
    /// The number of the chat that it was made for.
    chat: u64,
    /// The class of the call that made it.
    class: Class,
    /// Who let that call run, and how often the gate had been stopped by then.
    approved: (ApprovedBy, u64),
    /// Where the call went.
    pub target: Option<Target>,
    /// All of it, clean.
    pub text: String,
    /// When it came.
    at: Instant,
}

impl Kept {
    /// A result of `call` that came just now.
    pub(in crate::gate) fn new(call: &Call, text: String) -> Self {
        Self {
            program: call.info.program,
            chat: call.chat,
            class: call.info.class,
            approved: (call.approved, call.stops),
            target: call.info.target.clone(),
            text,
            at: Instant::now(),
        }
    }

    /// How long ago it came.
    pub fn age(&self) -> Duration {
        self.at.elapsed()
    }

    /// What `policy`, that of its target, says of reading it now: the stricter of what it says of reads and of the call's class.
    pub fn answer(&self, policy: &Policy) -> Answer {
        policy.answer(Class::Read).max(policy.answer(self.class))
    }

    /// Whether it may be read now, where `answer` is what the policy says.
    ///
    /// Where a person has to be asked, the yes to the call itself counts: it was for the whole result, and that it came in parts is
    /// no new call. A yes from before an emergency stop counts no more, and one that nobody gave is asked for by the call itself.
    ///
    /// # Errors
    /// `policy-blocked`.
    pub fn may_be_read(&self, answer: Answer) -> Result<(), Refusal> {
        let refused = |message: String| Err(Refusal::new(ErrorKind::PolicyBlocked, message));
        let host = self.target.as_ref().map_or("here", |t| t.host.as_str());
        let (by, stops) = self.approved;
        match answer {
            Answer::Auto => Ok(()),
            Answer::Confirm if by != ApprovedBy::Rule && stops == stop::stops() => Ok(()),
            Answer::Confirm => refused(format!(
                "The policy asks a person about such calls to {host} now, and this result has no yes that still counts.\nRun the call again: the person is asked about it then."
            )),
            Answer::Block => refused(format!(
                "The policy refuses such calls to {host} now, and with them what an earlier one brought.\nDo not retry; tell the person what it is needed for."
            )),
        }
    }
}

#[derive(Default)]
struct Shelf {
    kept: VecDeque<(String, Arc<Kept>)>,
    bytes: usize,
}

static SHELF: Lazy<Mutex<Shelf>> = Lazy::new(Mutex::default);

fn shelf() -> MutexGuard<'static, Shelf> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shelf {
    fn put(&mut self, kept: Kept) -> String {
        let handle = fresh_handle();
        self.bytes += kept.text.len();
        self.kept.push_back((handle.clone(), Arc::new(kept)));
        while self.kept.len() > RESULTS || (self.bytes > BYTES && self.kept.len() > 1) {
            let (_, oldest) = self.kept.pop_front().expect("there is one at least");
            self.bytes -= oldest.text.len();
        }
        handle
    }

    fn get(&self, program: &str, chat: u64, handle: &str) -> Option<Arc<Kept>> {
        let handle = handle.trim();
        let mut own = self
            .kept
            .iter()
            .filter(|(_, kept)| kept.program == program && kept.chat == chat);
        own.find(|(known, _)| known == handle)
            .map(|(_, kept)| Arc::clone(kept))
    }

    fn forget(&mut self, gone: impl Fn(&Kept) -> bool) {
        self.kept.retain(|(_, kept)| !gone(kept));
        self.bytes = self.kept.iter().map(|(_, kept)| kept.text.len()).sum();
    }
}

/// A handle that nobody can guess.
fn fresh_handle() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("Linux and macOS have random bytes for every process");
    let number = u128::from_le_bytes(bytes) % 10_u128.pow(20);
    format!("m{number:0DIGITS$}")
}

/// Keeps a result; gives its handle, `m` and twenty digits. The oldest go when there are too many.
pub fn put(kept: Kept) -> String {
    shelf().put(kept)
}

/// The result of `program` under `handle`, in the chat of that number.
///
/// # Errors
/// `not-found` where it is gone, was never there, is another program's or another chat's: nothing tells these apart.
pub fn get(program: &str, chat: u64, handle: &str) -> Result<Arc<Kept>, Refusal> {
    shelf().get(program, chat, handle).ok_or_else(|| {
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
    shelf().forget(|_| true);
}

/// Forgets the results of the chat of that number, which is over.
pub fn forget_chat(chat: u64) {
    shelf().forget(|kept| kept.chat == chat);
}

#[cfg(test)]
#[path = "../../../test/rust/gate/shelf.rs"]
mod tests;
