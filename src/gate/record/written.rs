//! The repositories that this process has written to, so that a person sees which call is the first write to a repository.
//!
//! A repository counts as written to once a write to it starts that a person or a lease approved, even if GitHub then refuses the
//! write. The list is in the memory of this process only; a new Emacs marks each first write again.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::gate::call::info::Info;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::target::Target;

/// Host, owner and repository, in lower case: GitHub ignores the case of all three.
type Name = (String, String, String);

static WRITTEN: Mutex<BTreeSet<Name>> = Mutex::new(BTreeSet::new());

fn name(target: &Target) -> Option<Name> {
    let lower = str::to_ascii_lowercase;
    Some((
        lower(&target.host),
        lower(target.owner.as_deref()?),
        lower(target.repo.as_deref()?),
    ))
}

/// Whether the call would be the first of this process that may change something in its repository.
/// False for a read, for a call that changes only this machine, and for a call without exactly one repository.
pub fn is_first(info: &Info) -> bool {
    !info.question.local && may_be_first(info.class, info.target.as_ref())
}

fn may_be_first(class: Class, target: Option<&Target>) -> bool {
    let Some(name) = target.and_then(name).filter(|_| class != Class::Read) else {
        return false;
    };
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    !written.contains(&name)
}

/// Remembers the repository of a call that starts, approved by `by`, if the call counts as a write.
pub(in crate::gate) fn remember(info: &Info, by: ApprovedBy) {
    if !info.question.local {
        remember_for(info.class, info.target.as_ref(), by);
    }
}

fn remember_for(class: Class, target: Option<&Target>, by: ApprovedBy) {
    if class == Class::Read || by == ApprovedBy::Rule {
        return;
    }
    if let Some(name) = target.and_then(name) {
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::decide::target::Source;

    fn target(host: &str, owner: Option<&str>, repo: Option<&str>) -> Target {
        Target {
            host: host.into(),
            owner: owner.map(str::to_owned),
            repo: repo.map(str::to_owned),
            account: None,
            source: Source::ExplicitRepo,
        }
    }

    #[test]
    fn the_first_write_to_a_repository_is_marked_once_in_upper_or_lower_case() {
        let here = target("written.example", Some("Acme"), Some("Tables"));
        let same = target("Written.Example", Some("acme"), Some("TABLES"));
        assert!(may_be_first(Class::Write, Some(&here)));
        assert!(may_be_first(Class::Unknown, Some(&here)));
        assert!(!may_be_first(Class::Read, Some(&here)));
        // Neither a read nor a call that a rule approved counts as the first write.
        remember_for(Class::Read, Some(&here), ApprovedBy::Person);
        remember_for(Class::Write, Some(&here), ApprovedBy::Rule);
        assert!(may_be_first(Class::Write, Some(&here)));
        remember_for(Class::Write, Some(&here), ApprovedBy::Lease);
        assert!(
            !may_be_first(Class::Write, Some(&here)) && !may_be_first(Class::Write, Some(&same))
        );
        // A first write to one repository leaves the others unmarked.  An owner without a repository, or no target, is never marked.
        for other in [
            target("other.example", Some("acme"), Some("tables")),
            target("written.example", Some("acme2"), Some("tables")),
            target("written.example", Some("acme"), Some("tables2")),
        ] {
            assert!(may_be_first(Class::Write, Some(&other)), "{other}");
        }
        let whole = target("written.example", Some("acme"), None);
        remember_for(Class::Write, Some(&whole), ApprovedBy::Person);
        assert!(!may_be_first(Class::Write, Some(&whole)) && !may_be_first(Class::Write, None));
    }
}
