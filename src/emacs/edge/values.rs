//! The core's objects as opaque Lisp values: plans, git facts and network facts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use emacs::{Env, IntoLisp, Transfer, Value};

use super::fault::Fault;
use crate::gate::Plan;
use crate::gh::place::context::GitFacts;
use crate::net::facts::Facts as NetFacts;

/// A Plan owned by Lisp's garbage collector.
pub struct PlanValue(Mutex<Plan>);

impl Transfer for PlanValue {
    fn type_name() -> &'static str {
        "cj-gate plan"
    }
}

/// Git facts owned by Lisp's garbage collector.
pub struct FactsValue(GitFacts);

impl Transfer for FactsValue {
    fn type_name() -> &'static str {
        "cj-gate git facts"
    }
}

/// Gives a Plan to Lisp.
pub fn give_plan(env: &Env, plan: Plan) -> emacs::Result<Value<'_>> {
    Box::new(PlanValue(Mutex::new(plan))).into_lisp(env)
}

/// The Plan in `value`.
///
/// # Errors
/// `wrong-type-argument` for any other value.
pub fn plan(value: Value<'_>) -> Result<MutexGuard<'_, Plan>, Fault> {
    let plan: &PlanValue = value.into_rust()?;
    Ok(plan.0.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Gives git facts to Lisp.
pub fn give_facts(env: &Env, facts: GitFacts) -> emacs::Result<Value<'_>> {
    Box::new(FactsValue(facts)).into_lisp(env)
}

/// A copy of the git facts in `value`.
///
/// # Errors
/// `wrong-type-argument` for any other value.
pub fn facts(value: Value<'_>) -> Result<GitFacts, Fault> {
    let facts: &FactsValue = value.into_rust()?;
    Ok(facts.0.clone())
}

/// The facts for a network call, owned by Lisp's garbage collector.
pub struct NetFactsValue(NetFacts);

impl Transfer for NetFactsValue {
    fn type_name() -> &'static str {
        "cj-gate network facts"
    }
}

/// Gives network facts to Lisp.
pub fn give_net_facts(env: &Env, facts: NetFacts) -> emacs::Result<Value<'_>> {
    Box::new(NetFactsValue(facts)).into_lisp(env)
}

/// A copy of the network facts in `value`.
///
/// # Errors
/// `wrong-type-argument` for any other value.
pub fn net_facts(value: Value<'_>) -> Result<NetFacts, Fault> {
    let facts: &NetFactsValue = value.into_rust()?;
    Ok(facts.0.clone())
}
