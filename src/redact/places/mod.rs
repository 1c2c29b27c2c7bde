//! Secrets known by their place: in URLs, HTTP headers and query parameters.

pub(super) mod headers;
pub(super) mod known_places;
