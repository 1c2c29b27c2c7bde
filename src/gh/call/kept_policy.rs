//! The policy by which a kept result may be shown again: that of the moment, for the target of the call that made the result.

use super::request::{Settings, hosts, logins};
use crate::gate::decide::policy;
use crate::gate::{Policy, Refusal, Target};
use crate::gh::judge::approval::ACTS;
use crate::gh::place::context::check_known;

/// The policy for `target` by the current `settings`; the rows for all hosts where the call had no target.
///
/// # Errors
/// `policy-blocked` where the target's host is not known, `auth` where gh's file of logins cannot be read.
pub fn policy_of(target: Option<&Target>, settings: &Settings) -> Result<Policy, Refusal> {
    let Some(target) = target else {
        return Ok(policy::for_host(&settings.policies, "", ACTS));
    };
    check_known(
        &target.host,
        &hosts(settings, &logins(&settings.environment)?),
    )?;
    Ok(policy::for_host(&settings.policies, &target.host, ACTS))
}
