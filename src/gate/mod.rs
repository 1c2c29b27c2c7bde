//! The path of every program's call: decided, planned, run once, turned into a result, recorded.
//!
//! Nothing in this folder knows a program: no `gh` command, flag or host is named here.

pub mod archive;
pub mod call;
pub mod decide;
pub(crate) mod kept_files;
pub mod plan;
pub mod record;
pub mod result;

pub use call::info::Info as PlanInfo;
pub use call::question::{Answered, Look, Outgoing, Question, Seen};
pub use decide::approved::ApprovedBy;
pub use decide::bounds::{MAX_CAP, MAX_TIMEOUT_S};
pub use decide::class::Class;
pub use decide::cwd::Cwd;
pub use decide::kind::{ErrorKind, Refusal};
pub use decide::policy::{Answer, Policy};
pub use decide::target::{Source, Target};
pub(crate) use plan::draft::Draft;
pub use plan::guard::Guard;
pub(crate) use plan::panic_report::broken;
#[cfg(feature = "module")]
pub(crate) use plan::panic_report::panicked_at;
pub use plan::plan::{Finish, MAX_READS, MAX_WHOLE, Plan, PlanError, Reads};
pub use plan::progress::{Live, Progress};
pub use plan::settle::out_of_memory;
#[cfg(feature = "module")]
pub(crate) use plan::without_child::{Asker, Judge, start_more, unplanned};
pub use record::record::{
    KEPT as RECORDS_KEPT, Record, count as record_count, forget as forget_records,
    heads_newest_first as record_heads_newest_first, keep_at_most as keep_records,
    newest_first as records_newest_first, of_call as record_of_call,
};
pub use result::cleaner::Cleaner;
pub use result::header::Status;
pub use result::outcome::Outcome;
pub use result::secrets_held::secrets_held;
