//! What every program's call has in common: class, policy, plan, outcome, record.
//!
//! Nothing in here knows a program: no name of a `gh` command, flag or host stands in this folder.

pub mod archive;
pub mod argv;
pub mod audit;
mod broken;
pub mod budget;
pub mod class;
pub mod cwd;
mod draft;
mod info;
pub mod kind;
pub mod lease;
pub mod outcome;
mod plan;
pub mod policy;
mod progress;
pub mod promise;
pub mod question;
mod reads;
mod record;
mod secrets_held;
pub mod shelf;
pub mod shell;
pub mod slices;
pub mod stop;
pub mod target;
pub mod tokens;
mod trail;
pub mod unified;
mod unrun;
pub mod written;

pub(crate) use broken::broken;
#[cfg(feature = "module")]
pub(crate) use broken::panicked_at;
pub use class::Class;
pub use cwd::Cwd;
pub(crate) use draft::Draft;
pub use info::Info as PlanInfo;
pub use kind::{ErrorKind, Refusal};
pub use outcome::{Cleaner, Finish, Outcome, Status, out_of_memory};
pub use plan::{ApprovedBy, Guard, MAX_CAP, MAX_TIMEOUT_S, Plan, PlanError};
pub use policy::{Answer, Policy};
pub use progress::{Live, Progress};
pub use question::{Answered, Look, Outgoing, Question, Seen};
pub use reads::{MAX_READS, Reads};
pub use record::{
    KEPT as RECORDS_KEPT, Record, count as record_count, forget as forget_records,
    heads_newest_first as record_heads_newest_first, keep_at_most as keep_records,
    newest_first as records_newest_first, of_call as record_of_call,
};
pub use secrets_held::secrets_held;
pub use target::{Source, Target};
pub use tokens::count as count_tokens;
#[cfg(feature = "module")]
pub(crate) use unrun::{Asker, Judge, start_more, unplanned};
