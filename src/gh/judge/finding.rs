//! A finding: one thing about a call that speaks for a class, and which of two findings wins.

use std::borrow::Cow;

use crate::gate::Class;

crate::foreign::debug_by_name!(Finding);

/// One thing about a call that speaks for a class.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class.
    pub class: Class,
    /// Why, as the rest of a sentence that begins with the command: `closes an issue`.
    pub reason: Cow<'static, str>,
}

impl Finding {
    /// The finding that the call is of `class`, for `reason`.
    pub fn new(class: Class, reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            class,
            reason: reason.into(),
        }
    }
}

/// The rank of a class: of two findings, the one whose class has the higher rank wins.
pub(super) const fn rank(class: Class) -> u8 {
    match class {
        Class::Read => 0,
        Class::Write => 1,
        Class::Unknown => 2,
        Class::Destructive => 3,
        Class::Blocked => 4,
    }
}
