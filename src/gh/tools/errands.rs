//! The table of errands: the name of each in Lisp, and how it is made from the arguments of its tool.

use std::sync::Arc;

use serde_json::Value;

use super::errand::Errand;
use super::pr_review::ReviewErrand;
use super::pr_thread::ThreadErrand;
use super::worktree;
use crate::gate::{ErrorKind, Refusal};

/// Makes an errand from the arguments of its tool, an object.
type Make = fn(&Value) -> Result<Arc<dyn Errand>, Refusal>;

/// Every errand.
const ERRANDS: &[(&str, Make)] = &[
    ("pr-create", worktree::Create::make),
    ("pr-checkout", worktree::Checkout::make),
    ("pr-push", worktree::Push::make),
    ("pr-review", |args| Ok(Arc::new(ReviewErrand::new(args)?))),
    ("pr-thread", |args| Ok(Arc::new(ThreadErrand::new(args)?))),
    ("repo-clone", worktree::Clone::make),
];

/// The errand called `name` with the arguments `args`, an object.
///
/// # Errors
/// `bad-argument` for an argument that is wrong or missing, and for an unknown name.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
)]
pub(crate) fn named(name: &str, args: &Value) -> Result<Arc<dyn Errand>, Refusal> {
    let row = ERRANDS.iter().find(|(known, _)| *known == name);
    let (_, make) = row.ok_or_else(|| {
        Refusal::new(
            ErrorKind::BadArgument,
            format!("There is no errand `{name}'.\nReport it."),
        )
    })?;
    make(args)
}
