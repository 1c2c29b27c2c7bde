//! Whether the values of a call name what their columns say, so that none leads elsewhere than it seems to.
//!
//! A URL where a branch belongs is refused: `gh pr create --head URL` asks the URL's host and sends it the token of an enterprise host
//! (gh 2.92.0 and 2.103.3).

use crate::gate::Class;
use crate::gh::classify::Finding;
use crate::gh::effects::{Names, Says};
use crate::gh::parse::{Parsed, ValueAt, host};

/// Adds to `found` what is odd about the values of `call`.
pub(super) fn judge(call: &Parsed, found: &mut Vec<Finding>) {
    if call.hosts_named().iter().any(|h| host::is_odd(h)) {
        found.push(Finding::new(
            Class::Blocked,
            "names a host in a form that can hide another",
        ));
    }
    for (place, names, value) in call.values() {
        if let Some(belongs) = names.but_no_url()
            && host::looks_like_url(value)
        {
            let reason = format!(
                "is given a URL {}, where {belongs} belongs: gh could ask its host, with a token",
                told(place)
            );
            found.push(Finding::new(Class::Blocked, reason));
        }
        if names == Names::Repository && value.split(',').any(is_odd_repository) {
            let reason = format!(
                "names a repository in a form that can hide another, {}",
                told(place)
            );
            found.push(Finding::new(Class::Blocked, reason));
        }
    }
    for given in &call.flags {
        let path_part = given.flag.row.is_some_and(|row| row.says == Says::PathPart);
        if path_part && given.value.as_deref().is_some_and(host::climbs) {
            found.push(Finding::new(
                Class::Unknown,
                format!(
                    "climbs out of the path that it asks for, with --{}",
                    given.flag.name
                ),
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

/// Where a value stands: follows what is wrong with it.
fn told(place: ValueAt<'_>) -> String {
    match place {
        ValueAt::Flag(name) => format!("with --{name}"),
        ValueAt::Positional => "as an argument".to_owned(),
    }
}

/// Whether `[HOST/]OWNER/REPO` or a URL holds what no owner, repository or plain URL has.
///
/// A colon belongs to a URL alone: gh reads `github.com:o/r` as the repository `r` of an owner `github.com:o`.
fn is_odd_repository(value: &str) -> bool {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | ':' | '@');
    value.starts_with('-')
        || host::climbs(value)
        || !value.chars().all(plain)
        || (value.contains(':') && !value.contains("://") && !value.starts_with("git@"))
}
