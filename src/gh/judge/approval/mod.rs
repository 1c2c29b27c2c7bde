//! Whether a call approves a pull request: `gh pr review --approve`, a POST to a pull request's reviews, a GraphQL mutation with the event
//! `APPROVE`.
//!
//! An event that cannot be read counts as `APPROVE`.  So the events that do not approve are listed, and any other text
//! counts; and what cannot be taken apart by gh's rules counts, too.

mod document;
mod event;
mod fields;
mod request;

pub use event::Approval;

use crate::gate::decide::policy::Act;
use crate::gh::parse::Parsed;
use crate::gh::rows::FlagRow;

/// The name of the act in `cj/gh-policy`.
pub const APPROVE: Act = "approve";

/// The acts of gh that have a row of their own in `cj/gh-policy`.
pub const ACTS: &[Act] = &[APPROVE];

/// Whether `call` approves a pull request, or could; `None` where it does not.
pub(in crate::gh) fn approval(call: &Parsed) -> Option<Approval> {
    if call.help && call.leaf.parses_flags {
        return None;
    }
    let approves = |row: &FlagRow| row.approves;
    let flag = call
        .flags
        .iter()
        .filter(|given| given.flag.row.is_some_and(approves))
        .any(|given| call.is_on(&given.flag.name));
    if flag {
        return Some(Approval::Certain);
    }
    if call.leaf.path == "api" {
        return request::approval(call);
    }
    None
}
