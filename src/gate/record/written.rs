//! Which repositories this process has written to, so that the first write to one can be marked.
//!
//! A repository counts as written to from the moment that a write to it starts, by a person's yes or under a lease: whether the far end then
//! took it is not asked. What is noted lives in this process's memory alone and ends with it; a new Emacs marks each first write again.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::gate::call::info::Info;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::target::Target;

/// Host, owner and repository, in lower case: GitHub tells none of them apart by case.
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
/// False for a read, for one that writes to this machine alone, and where no one repository is named.
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

/// Notes that the call starts, let through by `by`.
pub(in crate::gate) fn note(info: &Info, by: ApprovedBy) {
    if !info.question.local {
        note_for(info.class, info.target.as_ref(), by);
    }
}

fn note_for(class: Class, target: Option<&Target>, by: ApprovedBy) {
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
    fn the_first_write_to_a_repository_is_told_once_whatever_the_case() {
        let here = target("written.example", Some("Acme"), Some("Tables"));
        let same = target("Written.Example", Some("acme"), Some("TABLES"));
        assert!(may_be_first(Class::Write, Some(&here)));
        assert!(may_be_first(Class::Unknown, Some(&here)));
        assert!(!may_be_first(Class::Read, Some(&here)));
        // Neither a read nor what runs by a rule is a write that a person let through.
        note_for(Class::Read, Some(&here), ApprovedBy::Person);
        note_for(Class::Write, Some(&here), ApprovedBy::Rule);
        assert!(may_be_first(Class::Write, Some(&here)));
        note_for(Class::Write, Some(&here), ApprovedBy::Lease);
        assert!(
            !may_be_first(Class::Write, Some(&here)) && !may_be_first(Class::Write, Some(&same))
        );
        // Another host, owner or repository is another one; none is none.
        for other in [
            target("other.example", Some("acme"), Some("tables")),
            target("written.example", Some("acme2"), Some("tables")),
            target("written.example", Some("acme"), Some("tables2")),
        ] {
            assert!(may_be_first(Class::Write, Some(&other)), "{other}");
        }
        let whole = target("written.example", Some("acme"), None);
        note_for(Class::Write, Some(&whole), ApprovedBy::Person);
        assert!(!may_be_first(Class::Write, Some(&whole)) && !may_be_first(Class::Write, None));
    }
}
