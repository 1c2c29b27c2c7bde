//! What holds now for a place where an earlier call went: for its result, which is kept and asked for again.

use super::request::{Settings, hosts, logins};
use crate::gate::decide::policy;
use crate::gate::{Policy, Refusal, Target};
use crate::gh::place::context::check_known;

/// The policy of `target` by the options as they are now; the general rows where a call had no target.
///
/// # Errors
/// `policy-blocked` where its host is known no more, `auth` where gh's file of logins cannot be read.
pub fn policy_of(target: Option<&Target>, settings: &Settings) -> Result<Policy, Refusal> {
    let Some(target) = target else {
        return Ok(policy::for_host(&settings.policies, ""));
    };
    check_known(
        &target.host,
        &hosts(settings, &logins(&settings.environment)?),
    )?;
    Ok(policy::for_host(&settings.policies, &target.host))
}
