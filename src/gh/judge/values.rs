//! Whether each value of a call is of the kind that its column names, so that none leads gh elsewhere than it seems to.
//!
//! A URL where a branch belongs is refused: for `gh pr create --head URL`, gh asks the URL's host and sends it the token of an enterprise
//! host (gh 2.92.0 and 2.103.3).

use super::finding::Finding;
use crate::gate::Class;
use crate::gh::parse::{Parsed, ValueAt, host};
use crate::gh::rows::{Names, Says};

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
                told(place)
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
                told(place)
            );
            found.push(Finding::new(Class::Blocked, reason));
        }
    }
    for given in &call.flags {
        let (name, Some(value)) = (given.flag.name.as_str(), given.value.as_deref()) else {
            continue;
        };
        // gh 2.92.0 puts such names into the path of its request as they are.
        let is_part = given.flag.row.is_some_and(|row| row.says == Says::PathPart);
        let ends_it = is_part && value.contains(['/', '\\', '?', '#', '%']);
        let free = matches!(
            given.flag.value(),
            Names::Text | Names::File | Names::Repository | Names::Ref
        );
        if ends_it || (!free && host::climbs(value)) {
            found.push(Finding::new(
                Class::Unknown,
                format!("climbs out of the path that it asks for, with --{name}"),
            ));
        }
    }
    if call.leaf.path != "api" && call.positionals.iter().any(|p| host::climbs(&p.text)) {
        found.push(Finding::new(
            Class::Unknown,
            "climbs out of the path that it asks for: a name holds `..`",
        ));
    }
}

/// Where a value stands, in words that follow what is wrong with the value.
fn told(place: ValueAt<'_>) -> String {
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
