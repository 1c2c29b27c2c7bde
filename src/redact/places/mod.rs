//! Where secrets stand: addresses, headers, parameters.

pub(super) mod headers;
pub(super) mod known_places;
