//! Git remote URLs and `[HOST/]OWNER/REPO` arguments, read into host, owner and repository.
//!
//! Whether a host is known is no matter of this file, which only tells the host that a text names.
//! Every doubtful form is refused: a URL that two readers could read as two hosts must not decide where a token goes.
//!
//! Forms that git takes: git-clone(1), "GIT URLS". What gh 2.92.0 does with them: `www.` is dropped, the host's case is
//! ignored, one `.git` is dropped, `ssh.github.com` is github.com's SSH port 443.

use std::fmt;

use thiserror::Error;

/// Bytes of a URL or an argument that are read at most.  git's limit for a line of configuration is far higher; a real URL has some 50 bytes.
const MAX_LEN: usize = 2_048;

/// Characters of an owner's or a repository's name at most (GitHub gives 100 to repositories, fewer to owners).
const MAX_NAME: usize = 100;

/// The host name of GitHub's SSH service on port 443, and the host whose repositories it serves.
const SSH_OVER_HTTPS: (&str, &str) = ("ssh.github.com", "github.com");

/// Schemes that name a GitHub repository, and whether the scheme is a form of SSH.
const SCHEMES: &[(&str, bool)] = &[
    ("https", false),
    ("http", false), // a server that redirects; the host is what counts
    ("git", false),  // github.com ended it in 2022, old checkouts still hold it
    ("ssh", true),
    ("git+ssh", true),    // deprecated spelling that git still takes
    ("ssh+git", true),    // the same
    ("git+https", false), // gh takes it
];

/// Why a text is not a GitHub repository. `Display` is one line without the text's secrets.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RemoteError {
    /// Nothing there.
    #[error("it is empty")]
    Empty,
    /// Longer than any real URL.
    #[error("it is longer than {MAX_LEN} bytes")]
    TooLong,
    /// A character that no repository's URL holds.
    #[error("it holds the character U+{:04X}", *.0 as u32)]
    Character(char),
    /// A path on this machine, or some other text without a host.
    #[error("it names no host")]
    NoHost,
    /// A scheme that is not one of git's for GitHub (`file`, `ftp`, a remote helper).
    #[error("its scheme is not https, http, ssh or git")]
    Scheme,
    /// The part before `@` can be read in two ways.
    #[error("its user part holds another `@' or `:' form")]
    UserInfo,
    /// The port is not a number from 1 to 65535.
    #[error("its port is not a number from 1 to 65535")]
    Port,
    /// The host name is malformed.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The path does not have exactly two parts.
    #[error("its path is not OWNER/REPO")]
    Path,
    /// The owner or the repository is not a name that GitHub gives.
    #[error("its {0} is not a name that GitHub gives")]
    Name(NamePart),
}

/// The two names of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamePart {
    /// A user or an organization.
    Owner,
    /// The repository.
    Repo,
}

impl fmt::Display for NamePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Owner => "owner",
            Self::Repo => "repository",
        })
    }
}

/// Why a text is not a host name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// Nothing there.
    #[error("the host name is empty")]
    Empty,
    /// Longer than DNS allows (253, a label 63).
    #[error("the host name is longer than DNS allows")]
    TooLong,
    /// A character other than letters, digits, `-` and `.`.  This also catches ports, user parts and letters that only look like ASCII.
    #[error("the host name holds the character U+{:04X}", *.0 as u32)]
    Character(char),
    /// An empty label, or one that begins or ends with `-`.
    #[error("the host name has an empty part or one that begins or ends with `-'")]
    Label,
}

/// A repository on a host, as a remote names it. The host is lower case; owner and repository keep their case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoRef {
    /// Host name without port.
    pub host: String,
    /// Owner.
    pub owner: String,
    /// Repository without `.git`.
    pub repo: String,
}

/// A `repo` argument; `host` is `None` where the argument names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoArg {
    /// Host name, lower case, without port.
    pub host: Option<String>,
    /// Owner.
    pub owner: String,
    /// Repository without `.git`.
    pub repo: String,
}

/// Reads a git remote URL in any of the forms of git-clone(1) that can name a GitHub repository.
///
/// The port and the user part are dropped (gh does so too); the host comes back in lower case without `www.`.
///
/// # Errors
/// For a path on this machine, another scheme, a query, a fragment, a backslash, a percent sign outside the user part,
/// a second `@`, a control or non-ASCII character.
pub fn parse_remote(url: &str) -> Result<RepoRef, RemoteError> {
    check_text(url)?;
    let (ssh, authority, path) = if let Some((scheme, rest)) = url.split_once("://") {
        let ssh = scheme_is_ssh(scheme)?;
        let (authority, path) = rest.split_once('/').ok_or(RemoteError::Path)?;
        (ssh, Authority::of_url(authority)?, path)
    } else {
        let (authority, path) = split_scp(url)?;
        (true, authority, path)
    };
    let host = check_host_name(authority.host)?;
    let host = without_www(&host);
    let host = if ssh && host == SSH_OVER_HTTPS.0 {
        SSH_OVER_HTTPS.1
    } else {
        host
    };
    let (owner, repo) = owner_and_repo(path)?;
    Ok(RepoRef {
        host: host.to_owned(),
        owner,
        repo,
    })
}

/// Reads a `repo` argument: `OWNER/REPO`, `HOST/OWNER/REPO`, or a URL as in [`parse_remote`] (gh's `-R` takes all of these).
///
/// # Errors
/// As [`parse_remote`].  A host with a port is refused, as gh takes it for another host.  `HOST:OWNER/REPO` is refused too, since gh reads it as an owner with a
/// colon in the name: of the forms with a colon gh knows URLs and `git@HOST:OWNER/REPO` (2.92.0 and 2.103.3).
pub fn parse_repo_arg(arg: &str) -> Result<RepoArg, RemoteError> {
    check_text(arg)?;
    if arg.contains(':') {
        if !arg.contains("://") && !arg.starts_with("git@") {
            return Err(RemoteError::Character(':'));
        }
        let RepoRef { host, owner, repo } = parse_remote(arg)?;
        return Ok(RepoArg {
            host: Some(host),
            owner,
            repo,
        });
    }
    if let Some(c) = arg.chars().find(|c| matches!(c, '@' | '%')) {
        return Err(RemoteError::Character(c));
    }
    let (host, names) = match arg.split_once('/') {
        Some((host, names)) if names.contains('/') => {
            let host = check_host_name(host)?;
            (Some(without_www(&host).to_owned()), names)
        }
        _ => (None, arg),
    };
    // A slash at either end of a URL's path means nothing; at either end of `OWNER/REPO' it would hide a missing part.
    if names.starts_with('/') || names.ends_with('/') {
        return Err(RemoteError::Path);
    }
    let (owner, repo) = owner_and_repo(names)?;
    Ok(RepoArg { host, owner, repo })
}

/// Checks a host name and returns it in lower case: letters, digits, `-` and `.` only; no port, no trailing dot, no user part.
///
/// A name in punycode (`xn--…`) passes: it differs from the name that it looks like, so it is unknown unless a person lists it.
///
/// # Errors
/// One for each rule that `name` breaks: [`HostError`].
pub fn check_host_name(name: &str) -> Result<String, HostError> {
    if name.is_empty() {
        return Err(HostError::Empty);
    }
    if name.len() > 253 {
        return Err(HostError::TooLong);
    }
    if let Some(c) = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.')))
    {
        return Err(HostError::Character(c));
    }
    for label in name.split('.') {
        if label.is_empty() || label.starts_with('-') || label.ends_with('-') {
            return Err(HostError::Label);
        }
        if label.len() > 63 {
            return Err(HostError::TooLong);
        }
    }
    Ok(name.to_ascii_lowercase())
}

/// Whether two owner or repository names are the same to GitHub, which ignores case.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The part of a URL that names user, host and port.
struct Authority<'a> {
    host: &'a str,
}

impl<'a> Authority<'a> {
    /// Reads `[user[:password]@]host[:port]`; only the user part may hold percent signs.
    fn of_url(text: &'a str) -> Result<Self, RemoteError> {
        let host_port = match text.split_once('@') {
            None => text,
            // With a second `@', two readers could see two hosts.
            Some((_, rest)) if rest.contains('@') => return Err(RemoteError::UserInfo),
            Some((_, rest)) => rest,
        };
        let host = match host_port.split_once(':') {
            None => host_port,
            // git and gh read an empty port (`ssh://host:/…') as no port.
            Some((host, "")) => host,
            Some((host, port)) => {
                let digits = port.bytes().all(|b| b.is_ascii_digit());
                let valid = digits && port.parse::<u16>().is_ok_and(|p| p > 0);
                if !valid {
                    return Err(RemoteError::Port);
                }
                host
            }
        };
        Ok(Self { host })
    }
}

/// Splits `[user@]host:path`, which git reads as SSH when no slash comes before the first colon.
fn split_scp(url: &str) -> Result<(Authority<'_>, &str), RemoteError> {
    let (before, path) = url.split_once(':').ok_or(RemoteError::NoHost)?;
    if before.contains('/') {
        return Err(RemoteError::NoHost);
    }
    if path.starts_with(':') {
        // `ext::sh -c …': a remote helper, which runs a program.
        return Err(RemoteError::Scheme);
    }
    let host = match before.split_once('@') {
        None => before,
        Some((_, rest)) if rest.contains('@') => return Err(RemoteError::UserInfo),
        Some((user, host)) => {
            if user.is_empty() || user.contains('%') {
                return Err(RemoteError::UserInfo);
            }
            host
        }
    };
    Ok((Authority { host }, path))
}

fn scheme_is_ssh(scheme: &str) -> Result<bool, RemoteError> {
    SCHEMES
        .iter()
        .find(|(name, _)| *name == scheme)
        .map(|(_, ssh)| *ssh)
        .ok_or(RemoteError::Scheme)
}

/// Refuses characters that no form allows: controls, spaces, non-ASCII, backslash, quotes, query, fragment.
fn check_text(text: &str) -> Result<(), RemoteError> {
    if text.is_empty() {
        return Err(RemoteError::Empty);
    }
    if text.len() > MAX_LEN {
        return Err(RemoteError::TooLong);
    }
    let bad = |c: &char| {
        !c.is_ascii_graphic() || matches!(c, '\\' | '#' | '?' | '"' | '\'' | '<' | '>' | '|')
    };
    match text.chars().find(bad) {
        Some(c) => Err(RemoteError::Character(c)),
        None => Ok(()),
    }
}

/// Splits `OWNER/REPO[.git]`; slashes before and after it are allowed.
fn owner_and_repo(path: &str) -> Result<(String, String), RemoteError> {
    let mut parts = path.trim_matches('/').split('/');
    let (Some(owner), Some(repo), None) = (parts.next(), parts.next(), parts.next()) else {
        return Err(RemoteError::Path);
    };
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    check_name(owner, NamePart::Owner)?;
    check_name(repo, NamePart::Repo)?;
    // GitHub gives no repository a name that ends in `.git`; with a second `.git`, gh and git would read different names.
    if repo.to_ascii_lowercase().ends_with(".git") {
        return Err(RemoteError::Name(NamePart::Repo));
    }
    Ok((owner.to_owned(), repo.to_owned()))
}

/// Checks a name: letters, digits, `-`, `_`, `.`; not beginning with `-` (gh would read a flag), not `.`, without `..` (gh puts names
/// into URL paths).
fn check_name(name: &str, part: NamePart) -> Result<(), RemoteError> {
    let fits = !name.is_empty()
        && name.len() <= MAX_NAME
        && name != "."
        && !name.starts_with('-')
        && !name.contains("..")
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if fits {
        Ok(())
    } else {
        Err(RemoteError::Name(part))
    }
}

fn without_www(host: &str) -> &str {
    match host.strip_prefix("www.") {
        // `www.com' is a whole name: `com' alone is no host.
        Some(rest) if rest.contains('.') => rest,
        _ => host,
    }
}

#[cfg(test)]
mod tests;
