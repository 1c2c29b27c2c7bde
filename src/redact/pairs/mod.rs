//! Pairs of a name and a value: finds the value of a name that promises a secret.

pub(super) mod apart;
pub(super) mod assign;
pub(super) mod calls;
pub(super) mod html;
pub(super) mod judge;
pub(super) mod separator;
