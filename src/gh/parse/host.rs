//! Which host a `-R` value, a repository or a URL in argv names: every text that gh reads as a host counts.
//!
//! The answer is compared with the known hosts: an oddly written host gives an odd name, which no list holds.

use crate::text::escapes::percent_decoded;

/// The host in a URL or an ssh form; `None` when `text` is neither.
///
/// `github.com@evil.example` and `evil.example#` keep their odd characters, so that they match no known host.
pub fn of_url(text: &str) -> Option<String> {
    if let Some((_, rest)) = text.split_once("://") {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        return Some(canonical(strip_git_user(authority)));
    }
    // `git@HOST:OWNER/REPO.git`
    let (user_host, path) = text.split_once(':')?;
    let (user, host) = user_host.split_once('@')?;
    (!user.contains('/') && !host.contains('/') && path.contains('/')).then(|| canonical(host))
}

/// Whether `text` is a URL as a whole: it begins with a scheme and `://`, or with `git@` as in `git@HOST:OWNER/REPO`.
///
/// `http: client`, `deps-https://registry` and `see https://HOST` are names and texts.
pub fn is_url(text: &str) -> bool {
    let text = text.trim_start();
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.'))
    };
    scheme.is_some_and(is_scheme) || (text.starts_with("git@") && of_url(text).is_some())
}

/// A URL without its query and fragment, which name no repository; any other text as it is.
pub fn without_query(text: &str) -> &str {
    if text.contains("://") {
        text.split(['?', '#']).next().unwrap_or_default()
    } else {
        text
    }
}

/// Whether gh, or git, could take `text` for a URL: it has a scheme, or the form `user@host:path/more`.
pub fn looks_like_url(text: &str) -> bool {
    let scheme = text.split(':').next().unwrap_or_default().trim_start();
    let web = ["http", "https"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web));
    of_url(text).is_some() || (web && text.contains(':'))
}

/// The host in `HOST/OWNER/REPO`, a URL or an ssh form; `None` for `OWNER/REPO` and `REPO`.
pub fn of_repository(text: &str) -> Option<String> {
    if let Some(host) = of_url(text) {
        return Some(host);
    }
    let parts: Vec<&str> = text.split('/').collect();
    (parts.len() >= 3).then(|| canonical(parts[0]))
}

/// `ssh://git@HOST/...`: the user `git` is not part of the host; any other user makes the host unknown.
fn strip_git_user(authority: &str) -> &str {
    authority.strip_prefix("git@").unwrap_or(authority)
}

/// A host as it is compared with others: in lower case, without `www.`, and `github.com` for its API and gists (`api.github.com`,
/// `gist.github.com`).  gh drops `www.` in small letters alone: it asks `WWW.ghe.example.com` by that name (2.92.0 and 2.103.3).
pub fn canonical(host: &str) -> String {
    let lower = host
        .strip_prefix("www.")
        .unwrap_or(host)
        .to_ascii_lowercase();
    match lower.as_str() {
        "api.github.com" | "gist.github.com" => "github.com".to_owned(),
        _ => lower,
    }
}

/// Whether `host` is written in a way that can hide another one: anything but letters, digits, dots, dashes and a port.
pub fn is_odd(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    name.is_empty()
        || name.starts_with(['-', '.'])
        || !name.bytes().all(plain)
        || port.is_empty()
        || !port.bytes().all(|b| b.is_ascii_digit())
}

/// Whether `text` holds a path segment that climbs: `..`, plain or percent-encoded, before a query (`..?`) too.
pub fn climbs(text: &str) -> bool {
    let decoded;
    let text = if text.contains('%') {
        decoded = percent_decoded(text);
        &decoded
    } else {
        text
    };
    text.split(['/', '\\', '?', '#'])
        .any(|segment| segment == "..")
}
