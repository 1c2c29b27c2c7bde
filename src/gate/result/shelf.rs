//! The shelf: results that were too long for a model, kept whole under a handle.
//!
//! Kept text is clean. The shelf keeps at most [`RESULTS`] results and [`BYTES`] bytes in memory, and drops the oldest first. The shelf
//! writes nothing to disk; a long log that stands in a file ([`Away`]) is dropped with its file.
//!
//! A handle is `m` and twenty random digits: 66 bits from the system's random source, which take eight tokens (`m7` takes two). A
//! handle works only in the chat that got the cut result; any other chat gets the answer for a handle that never existed. Each read of
//! a result is judged by the policy that holds at that time ([`Kept::may_be_read`]).

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;

use crate::gate::call::call::Call;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::policy::{Act, Answer, Policy};
use crate::gate::decide::stop;
use crate::gate::decide::target::Target;

/// The most results that are kept.
pub const RESULTS: usize = 32;
/// The most bytes of memory for all kept results together; the newest result stays even if it alone is larger.
pub const BYTES: usize = 8 << 20;

/// Number of digits in a handle.
const DIGITS: usize = 20;

/// A text that is kept elsewhere than in memory.
pub(in crate::gate) trait Away: fmt::Debug + Send + Sync {
    /// The text, as it was kept.
    ///
    /// # Errors
    /// The text is gone, or was changed.
    fn read(&self) -> Result<String, Refusal>;
}

/// Where the text of a result is.
#[derive(Clone, Debug)]
pub(in crate::gate) enum Place {
    /// In memory.
    Memory(Arc<str>),
    /// In a file.
    Away(Arc<dyn Away>),
}

/// A result that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The program that made the result.
    pub program: &'static str,
    /// The number of the chat that the result was made for.
    chat: u64,
    /// The class of the call that made the result.
    class: Class,
    /// The act of that call which has a row of its own in the policy.
    act: Option<Act>,
    /// Who approved the call that made the result, and how often the gate had been stopped when the call started.
    approved: (ApprovedBy, u64),
    /// The target of the call.
    pub target: Option<Target>,
    /// The whole result, clean.
    place: Place,
    /// When the result was kept.
    at: Instant,
}

impl Kept {
    /// The result of `call`, made just now, whose text is at `place`.
    pub(in crate::gate) fn new(call: &Call, place: Place) -> Self {
        Self {
            program: call.info.program,
            chat: call.chat,
            class: call.info.class,
            act: call.info.act,
            approved: (call.approved, call.stops),
            target: call.info.target.clone(),
            place,
            at: Instant::now(),
        }
    }

    /// The whole result.
    ///
    /// # Errors
    /// The file that the text is in is gone, or was changed.
    pub fn text(&self) -> Result<Arc<str>, Refusal> {
        match &self.place {
            Place::Memory(text) => Ok(Arc::clone(text)),
            Place::Away(away) => away.read().map(Into::into),
        }
    }

    /// How many bytes of memory the text takes.
    fn bytes(&self) -> usize {
        match &self.place {
            Place::Memory(text) => text.len(),
            Place::Away(_) => 0,
        }
    }

    /// How long ago the result was kept.
    pub fn age(&self) -> Duration {
        self.at.elapsed()
    }

    /// The answer of `policy`, the target's policy, for reading the result now: the strictest of its answers for reads, for the class of
    /// the call and for its act.
    pub fn answer(&self, policy: &Policy) -> Answer {
        let call = policy.answer_to(self.class, self.act);
        policy.answer(Class::Read).max(call)
    }

    /// Checks that the result may be read now; `answer` is the policy's answer.
    ///
    /// Under `confirm`, a person's yes or a lease for the call itself counts: it was for the whole result, and reading the result in parts
    /// is no new call. A yes from before an emergency stop no longer counts. Where no person said yes, the model has to run the call
    /// again, and the person is asked then.
    ///
    /// # Errors
    /// `policy-blocked` where the policy forbids the read, or needs a yes that is missing.
    pub fn may_be_read(&self, answer: Answer) -> Result<(), Refusal> {
        let refused = |message: String| Err(Refusal::new(ErrorKind::PolicyBlocked, message));
        let target = self.target.as_ref();
        let to = target.map_or_else(String::new, |t| format!(" to {}", t.host));
        let (by, stops) = self.approved;
        match answer {
            Answer::Auto => Ok(()),
            Answer::Confirm if by != ApprovedBy::Rule && stops == stop::stops() => Ok(()),
            Answer::Confirm => refused(format!(
                "The policy asks a person about such calls{to} now, and no person's yes for this result still counts.\nRun the call again: the person is asked about it then."
            )),
            Answer::Block => refused(format!(
                "The policy refuses such calls{to} now, and so also the results of earlier ones.\nDo not retry; tell the person what you need the result for."
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
        self.bytes += kept.bytes();
        self.kept.push_back((handle.clone(), Arc::new(kept)));
        while self.kept.len() > RESULTS || (self.bytes > BYTES && self.kept.len() > 1) {
            let (_, oldest) = self.kept.pop_front().expect("there is one at least");
            self.bytes -= oldest.bytes();
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
        self.bytes = self.kept.iter().map(|(_, kept)| kept.bytes()).sum();
    }
}

/// A random handle, which nobody can guess.
fn fresh_handle() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("Linux and macOS have random bytes for every process");
    let number = u128::from_le_bytes(bytes) % 10_u128.pow(20);
    format!("m{number:0DIGITS$}")
}

/// Keeps a result and returns its handle, `m` and twenty digits. The oldest results beyond the limits are dropped.
pub fn put(kept: Kept) -> String {
    shelf().put(kept)
}

/// The result of `program` under `handle`, in the chat with the number `chat`.
///
/// # Errors
/// `not-found` where the result was dropped, never existed, or belongs to another program or chat; the message is the same in each
/// case.
pub fn get(program: &str, chat: u64, handle: &str) -> Result<Arc<Kept>, Refusal> {
    shelf().get(program, chat, handle).ok_or_else(|| {
        Refusal::new(
            ErrorKind::NotFound,
            "No result is kept under this handle (any more).\nRun the call again.",
        )
    })
}

/// How many results are kept in memory, and how many bytes they have.
pub fn holds() -> (usize, usize) {
    let shelf = shelf();
    let here = |(_, kept): &&(String, Arc<Kept>)| matches!(kept.place, Place::Memory(_));
    (shelf.kept.iter().filter(here).count(), shelf.bytes)
}

/// Drops every result; their handles are never given again.
pub fn clear() {
    shelf().forget(|_| true);
}

/// Drops the results of the chat with the number `chat`, which is over.
pub fn forget_chat(chat: u64) {
    shelf().forget(|kept| kept.chat == chat);
}

#[cfg(test)]
#[path = "../../../test/rust/gate/shelf.rs"]
mod tests;
