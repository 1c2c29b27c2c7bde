//! Whether each value of a call is of the kind that its flag or positional takes ([`Names`]): a value of another kind could lead gh to
//! another host or another path than the call seems to name.
//!
//! A URL where a branch belongs is refused: for `gh pr create --head URL`, gh asks the URL's host and sends it the token of an enterprise
//! host (gh 2.92.0 and 2.103.3).

use super::finding::Finding;
use crate::gate::Class;
use crate::gh::parse::{Parsed, ValueAt, host};
use crate::gh::rows::{FlagEffect, Names};

/// Adds to `found` a finding for each value of `call` that can mislead.
pub(in crate::gh) fn judge(call: &Parsed, found: &mut Vec<Finding>) {
    if call.hosts_named().iter().any(|h| host::is_odd(h)) {
        found.push(Finding::new(
            Class::Blocked,
            "names a host in a form that can hide another",
        ));
    }
    for (place, names, value) in call.values() {
        if let Some(belongs) = names.but_no_url()
            && value.split(',').any(host::is_url)
        {
            let reason = format!(
                "is given a URL {}, where {belongs} belongs: gh could ask its host, with a token",
                place_words(place)
            );
            found.push(Finding::new(Class::Blocked, reason));
        }
        // Pinning rewrites `--repo' alone; the values of other flags go to gh as they are.
        let kept = matches!(place, ValueAt::Flag(name) if name != "repo");
        let odd = |one: &str| {
            is_odd_repository(one.trim()) || (kept && one.to_ascii_lowercase().ends_with(".git"))
        };
        if names == Names::Repository && value.split(',').any(odd) {
            let reason = format!(
                "names a repository in a form that can hide another, {}",
                place_words(place)
            );
            found.push(Finding::new(Class::Blocked, reason));
        }
    }
    for given in &call.flags {
        let (name, Some(value)) = (given.flag.name.as_str(), given.value.as_deref()) else {
            continue;
        };
        // gh 2.92.0 puts the value of such a flag into the path of its request as it is.
        let is_part = given
            .flag
            .row
            .is_some_and(|row| row.effect == FlagEffect::PathPart);
        let breaks_out = is_part && value.contains(['/', '\\', '?', '#', '%']);
        let free = matches!(
            given.flag.value(),
            Names::Text | Names::File | Names::Repository | Names::Ref
        );
        if breaks_out || (!free && host::climbs(value)) {
            found.push(Finding::new(
                Class::Unknown,
                format!("would ask for another path than it seems to, with --{name}"),
            ));
        }
    }
    if call.leaf.path != "api" && call.positionals.iter().any(|p| host::climbs(&p.text)) {
        found.push(Finding::new(
            Class::Unknown,
            "would ask for another path than it seems to: an argument holds `..`",
        ));
    }
}

/// Where a value stands: `with --head`, the end of a reason.
fn place_words(place: ValueAt<'_>) -> String {
    match place {
        ValueAt::Flag(name) => format!("with --{name}"),
        ValueAt::Positional => "as an argument".to_owned(),
    }
}

/// Whether a value holds a character that no owner, repository or plain URL has.
///
/// A URL's query does not count.  A colon belongs only into a URL: gh reads `github.com:o/r` as the repository `r` of an owner `github.com:o`.
fn is_odd_repository(value: &str) -> bool {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | ':' | '@');
    let value = host::without_query(value);
    value.starts_with('-')
        || host::climbs(value)
        || !value.chars().all(plain)
        || (value.contains(':') && !value.contains("://") && !value.starts_with("git@"))
}
