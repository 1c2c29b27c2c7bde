//! The text of a search, made of a tool's arguments in the syntax of GitHub's search: words, `repo:o/r`, `created:>=2026-01-01`, `is:pr`.
//!
//! No argument but `query` can hold a qualifier of its own, and `query` itself cannot swallow or widen the qualifiers that follow it.

use chrono::{DateTime, Utc};

use super::arguments::Arguments;
use super::dates::{Bound, range};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::render::Found as Kind;

/// Qualifiers that say where a search looks.
const PLACES: &[&str] = &["repo", "org", "user", "owner"];

/// How many entries a search gives without `limit`.
pub const LIMIT: u64 = 10;

/// The most entries that a search gives, whatever `limit` says.
pub const MOST: u64 = 50;

/// The text of the search for `kind` by `arguments` at the time `now`; `repo` is the repository (`o/r`) that it looks in.
///
/// # Errors
/// `bad-argument` where an argument is malformed, is none of this kind of search, or is missing.
pub fn text(
    kind: Kind,
    arguments: &Arguments,
    repo: Option<&str>,
    now: DateTime<Utc>,
) -> Result<String, Refusal> {
    let query = query(arguments.query())?;
    if kind == Kind::Code && query.is_empty() {
        return Err(refused(
            "A search for code needs `query'.\nGive the words to find in files.",
        ));
    }
    let dates = dates(kind, arguments, now)?;
    if kind == Kind::Repositories && query.is_empty() && dates.is_none() {
        return Err(refused(
            "A search for repositories needs `query', `since' or `until', and none is given.\nGive words or a qualifier as `query' (org:acme, language:rust), or a date.",
        ));
    }
    let mut parts: Vec<String> = Vec::new();
    if !query.is_empty() {
        parts.push(bracketed(kind, &query)?);
    }
    parts.extend(dates);
    if kind != Kind::Repositories
        && let Some(repo) = repo
    {
        check_places(arguments, &query, repo)?;
        parts.push(format!("repo:{repo}"));
    }
    if let Some(login) = &arguments.author {
        parts.push(author(kind, login)?);
    }
    if let Some(names) = &arguments.label {
        if !kind.has_labels() {
            return Err(refused(&format!(
                "Only issues and pull requests have labels, and this search is for {}.\nLeave `label' out.",
                kind.noun()
            )));
        }
        parts.extend(labels(names)?);
    }
    parts.extend(kind.qualifier().map(str::to_owned));
    if parts.is_empty() {
        return Err(refused(&format!(
            "This search for {} has nothing to search for.\nGive `query', `repo', `since' or `author'.",
            kind.noun()
        )));
    }
    Ok(parts.join(" "))
}

/// The number of entries that `limit` asks for: rounded down, and at most [`MOST`].
///
/// # Errors
/// `bad-argument` where `limit` is no number or not greater than zero.
pub fn limit(limit: Option<&str>) -> Result<u64, Refusal> {
    let Some(text) = limit else { return Ok(LIMIT) };
    let number = text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let Some(number) = number.map(f64::floor).filter(|n| *n > 0.0) else {
        return Err(refused(&format!(
            "The argument `limit' must be greater than zero.\nGive a whole number from 1 to {MOST}; without it, {LIMIT} are shown."
        )));
    };
    // A comparison with each number needs no proof that a float fits into an integer.
    Ok((1..=MOST).rfind(|n| *n as f64 <= number).unwrap_or(1))
}

/// Whether `query` says itself where to look: `repo:`, `org:`, `user:` or `owner:` is one of its words.
///
/// `-repo:o/r` counts too: whoever leaves a repository out looks further than one repository.
pub fn is_scoped(query: &str) -> bool {
    !places(query).is_empty()
}

/// A word of a query that says where to look.
struct Place<'a> {
    /// `-repo:o/r`: everywhere else.
    negated: bool,
    /// `repo`, `org`, `user` or `owner`, as it was written.
    name: &'a str,
    value: &'a str,
}

fn places(query: &str) -> Vec<Place<'_>> {
    let mut after_not = false;
    let mut places = Vec::new();
    for word in words(query) {
        let bare = word.trim_start_matches(['(', '-']);
        let negated = after_not || word[..word.len() - bare.len()].contains('-');
        after_not = bare == "NOT";
        if let Some((name, value)) = bare.split_once(':')
            && PLACES.iter().any(|known| name.eq_ignore_ascii_case(known))
            && !value.trim_end_matches(')').is_empty()
        {
            places.push(Place {
                negated,
                name,
                value: value.trim_end_matches(')'),
            });
        }
    }
    places
}

/// The words of `query`: what stands between blanks, where a blank between quotes does not count.
fn words(query: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    query
        .split(move |c: char| {
            if escaped {
                escaped = false;
                return false;
            }
            match c {
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ => {}
            }
            c.is_whitespace() && !quoted
        })
        .filter(|word| !word.is_empty())
}

/// `query` on one line.
///
/// # Errors
/// `bad-argument` where a quote is open: it would swallow the qualifiers that follow.
fn query(query: &str) -> Result<String, Refusal> {
    let query: String = query
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let (mut quoted, mut escaped) = (false, false);
    for c in query.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
    }
    // GitHub's several searches differ on whether a backslash before a quote makes the quote a part of the phrase.
    let quoted_without_escapes = !query.matches('"').count().is_multiple_of(2);
    if quoted || quoted_without_escapes {
        return Err(refused(
            "A quote in `query' is open.\nClose it, or leave it out.",
        ));
    }
    Ok(query)
}

/// `query` in brackets where GitHub would otherwise let an OR in it pass over the qualifiers that follow: `a OR b repo:o/r` finds every `a`.
/// Only the search for issues and pull requests reads brackets; in the others an OR joins words alone.
///
/// # Errors
/// `bad-argument` where the query's own brackets are not in pairs.
fn bracketed(kind: Kind, query: &str) -> Result<String, Refusal> {
    let joins = words(query).any(|word| word.trim_matches(['(', ')']) == "OR");
    if !kind.has_labels() || !joins {
        return Ok(query.to_owned());
    }
    let mut depth = 0i64;
    let mut quoted = false;
    for c in query.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    if depth == 0 {
        Ok(format!("({query})"))
    } else {
        Err(refused(
            "The brackets in `query' are not in pairs.\nClose each one, or leave them out.",
        ))
    }
}

/// The qualifier for `since` and `until`.
fn dates(kind: Kind, arguments: &Arguments, now: DateTime<Utc>) -> Result<Option<String>, Refusal> {
    let by_update = match arguments.date_field.as_deref() {
        None | Some("created") => false,
        Some("updated") => true,
        Some(_) => {
            return Err(refused(
                "The argument `date_field' must be created or updated.\nGive one of them; without it, created is meant.",
            ));
        }
    };
    let read = |name: &str, text: &Option<String>| {
        let text = text.as_deref();
        text.map(|text| Bound::read(name, text, now)).transpose()
    };
    let Some(qualifier) = kind.date_qualifier(by_update) else {
        if arguments.since.is_some() || arguments.until.is_some() {
            return Err(refused(
                "GitHub's code search knows no dates, so `since' and `until' are not taken.\nLeave them out, or search commits, which have dates.",
            ));
        }
        return Ok(None);
    };
    let (since, until) = (
        read("since", &arguments.since)?,
        read("until", &arguments.until)?,
    );
    Ok(range(since, until)?.map(|range| format!("{qualifier}:{range}")))
}

/// Checks that the query looks nowhere but in `repo`, where an argument names that repository: GitHub would search both places.
///
/// # Errors
/// `bad-argument` where the query looks elsewhere.
fn check_places(arguments: &Arguments, query: &str, repo: &str) -> Result<(), Refusal> {
    let same = |place: &Place<'_>| {
        !place.negated
            && place.name.eq_ignore_ascii_case("repo")
            && place.value.trim_matches('"').eq_ignore_ascii_case(repo)
    };
    if arguments.repo.is_none() || places(query).iter().all(same) {
        return Ok(());
    }
    Err(refused(
        "Both `repo' and `query' say where to search, and not the same.\nLeave `repo' out, or repo:, org:, user: and owner: out of the query.",
    ))
}

/// The qualifier for the argument `author`.
fn author(kind: Kind, login: &str) -> Result<String, Refusal> {
    match kind {
        Kind::Code => {
            return Err(refused(
                "GitHub's code search knows no authors.\nLeave `author' out, or search commits; user:LOGIN in `query' looks in the repositories of LOGIN.",
            ));
        }
        Kind::Repositories => {
            return Err(refused(
                "A repository has an owner and no author.\nLeave `author' out; user:LOGIN in `query' finds the repositories of LOGIN.",
            ));
        }
        Kind::PullRequests | Kind::Issues | Kind::Commits => {}
    }
    author_word(login).ok_or_else(|| {
        refused(
            "The argument `author' is no login.\nGive the login alone, such as mona, or @me for the account in use.",
        )
    })
}

/// `author:LOGIN`; `None` where `login` is none: letters, digits, `-` and `_`, with `app/` before or `[bot]` after it for an app's.
pub fn author_word(login: &str) -> Option<String> {
    let login = login.trim();
    if login.eq_ignore_ascii_case("@me") {
        return Some("author:@me".to_owned());
    }
    let login = login.strip_prefix('@').unwrap_or(login);
    let bare = login.strip_prefix("app/").unwrap_or(login);
    let bare = bare.strip_suffix("[bot]").unwrap_or(bare);
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let is_login = !bare.is_empty() && !bare.starts_with('-') && bare.bytes().all(plain);
    is_login.then(|| format!("author:{login}"))
}

/// The qualifiers for the argument `label`: one for each label in a list with commas, all of which an entry must have.
///
/// A quote within a label is escaped as gh itself does it.  Where GitHub did not honour the escape, the rest of the label would be words of
/// the search, so a label with a quote may hold nothing that separates words or makes a qualifier.
///
/// # Errors
/// `bad-argument` where no label is named, or one cannot be told from other words.
pub fn labels(names: &str) -> Result<Vec<String>, Refusal> {
    let mut out = Vec::new();
    for name in names.split(',').map(str::trim).filter(|n| !n.is_empty()) {
        let quotes = name.contains(['"', '\\']);
        let ends = |c: char| c.is_whitespace() || matches!(c, ':' | '(' | ')');
        if name.chars().any(char::is_control) || (quotes && name.contains(ends)) {
            return Err(refused(
                "The argument `label' holds a line break, or a quote beside blanks or colons.\nGive the label's name alone; commas separate several labels.",
            ));
        }
        let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
        out.push(format!("label:\"{escaped}\""));
    }
    if out.is_empty() {
        return Err(refused(
            "The argument `label' names no label.\nGive its name; commas separate several labels.",
        ));
    }
    Ok(out)
}

fn refused(message: &str) -> Refusal {
    Refusal::new(ErrorKind::BadArgument, message)
}

#[cfg(test)]
mod tests;
