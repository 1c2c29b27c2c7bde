//! gh's phrases for failures: a table of patterns, most telling first, each with the kind of error and the advice.

use once_cell::sync::Lazy;
use regex::Regex;

use crate::gate::ErrorKind;

/// What a person or a model can do about a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Log in: there is no login.
    NoLogin,
    /// Log in again: the host does not accept the token.
    Login,
    /// Authorize the token for an organization.
    Sso,
    /// Add this scope to the login.
    Scope(String),
    /// Wait for the hourly limit.
    RatePrimary,
    /// Make fewer calls, one after another.
    RateSecondary,
    /// Check the name that was asked for.
    CheckName,
    /// Get access.
    AskAccess,
    /// Check the network.
    Connection,
    /// Try again later.
    ServerTrouble,
    /// Check for a proxy or a login page that answers in the host's place.
    NotJson,
    /// Try again, since the answer broke off.
    CutAnswer,
    /// Change what the host calls invalid.
    Invalid,
    /// Let gh print a text that holds escape sequences.
    AllowEscapes,
    /// Choose from gh's list of JSON fields.
    ValidFields,
    /// Correct the arguments.
    Arguments,
    /// Choose from the commands below this one ("gh pr").
    Commands(String),
    /// Name the repository.
    NameRepo,
}

/// A row whose phrase was found: the kind of error, and the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub kind: ErrorKind,
    pub advice: Advice,
}

/// How a row finds its phrase.
enum When {
    /// A pattern of its own.
    Says(&'static str),
    /// One of these HTTP statuses (`403|404`), in each form in which gh writes a status.
    Status(&'static str),
}

impl When {
    fn pattern(&self) -> String {
        match self {
            Self::Says(pattern) => (*pattern).to_owned(),
            // In order: most commands, with or without a message, after some context; `gh api` with and without JSON;
            // GraphQL in the older client.
            Self::Status(code) => format!(
                r#"(?m)^(?:[^"`\n]*: )?HTTP (?:{code})(?:: [^\n]*)? \(https?://\S+\)$|^gh: [^\n]*\(HTTP (?:{code})\)$|^gh: HTTP (?:{code})$|^non-200 OK status code: (?:{code}) "#
            ),
        }
    }
}

struct Row {
    when: When,
    kind: ErrorKind,
    /// The advice; `Scope` and `Commands` get their text from the pattern's first group.
    advice: Advice,
    /// Which part of gh, or which failure, writes the phrase.
    #[allow(dead_code)] // for the reader
    reason: &'static str,
}

const fn says(pattern: &'static str, kind: ErrorKind, advice: Advice, reason: &'static str) -> Row {
    let when = When::Says(pattern);
    Row {
        when,
        kind,
        advice,
        reason,
    }
}

const fn status(code: &'static str, kind: ErrorKind, advice: Advice, reason: &'static str) -> Row {
    let when = When::Status(code);
    Row {
        when,
        kind,
        advice,
        reason,
    }
}

/// The table. `(?m)^` and `$` bind each phrase to the place where gh writes it.
static ROWS: &[Row] = &[
    // Usage first: these lines quote arguments, which may hold any of the later phrases.
    says(
        r#"(?m)\A(?:warning: .*\n)*Unknown JSON field: ""#,
        ErrorKind::Usage,
        Advice::ValidFields,
        "gh's check of the fields after --json",
    ),
    // The advice is not `--help` after the unknown word: the word may be an extension, which would run.
    says(
        r#"\Aunknown command "[^"\n]*" for "(gh(?: [a-z-]+)*)""#,
        ErrorKind::Usage,
        Advice::Commands(String::new()),
        "cobra, which finds gh's commands",
    ),
    says(
        r#"\A(?:unknown (?:command|flag|shorthand flag)\b|flag needs an argument: |invalid argument "|invalid value for --|bad flag syntax: )"#,
        ErrorKind::Usage,
        Advice::Arguments,
        "cobra and pflag, which parse gh's flags",
    ),
    says(
        r"\A(?:accepts (?:at most |at least |between )?\d+|requires at least \d+ arg|argument required when using the --repo flag|cannot use `--|expected the .\[HOST/\]OWNER/REPO. format|specify only one of |failed to parse jq expression|invalid (?:number|issue format|search query)|[a-zA-Z ]+ required when not running interactively|must provide |at least one )",
        ErrorKind::Usage,
        Advice::Arguments,
        "gh's own checks of arguments",
    ),
    says(
        r"(?m)^Usage:  gh ",
        ErrorKind::Usage,
        Advice::Arguments,
        "gh prints a command's usage for faults of arguments alone",
    ),
    says(
        r"(?m)^no (?:open )?pull requests? found|^no checks reported on the |^no default branch |^could not find any ",
        ErrorKind::NotFound,
        Advice::CheckName,
        "a branch without a pull request, quoted by name",
    ),
    says(
        r"(?m)^failed to run git: fatal: not a git repository|^none of the git remotes configured for this repository |^no git remotes found|^failed to determine base repo",
        ErrorKind::Usage,
        Advice::NameRepo,
        "without -R, outside of a checkout",
    ),
    // A missing scope comes with a 403, a 404 or words of GraphQL, so its rows stand above the rows for 403, 404 and GraphQL.
    says(
        r#"(?m)^(?:gh: )?This API operation needs the "([a-z_:]+)" scope\."#,
        ErrorKind::Auth,
        Advice::Scope(String::new()),
        "gh, from the header X-Accepted-OAuth-Scopes",
    ),
    says(
        r"(?m)^(?:gh: |GraphQL: )?Your token has not been granted the required scopes .* one of the following scopes: \['([a-z_:]+)'",
        ErrorKind::Auth,
        Advice::Scope(String::new()),
        "GraphQL's error INSUFFICIENT_SCOPES",
    ),
    says(
        r"(?m)^Authorize in your web browser:  https://",
        ErrorKind::Auth,
        Advice::Sso,
        "gh, from the header X-GitHub-SSO",
    ),
    says(
        r"(?m)^(?:[a-zA-Z ,':]*: )?(?:HTTP 403: )?Resource protected by organization SAML enforcement",
        ErrorKind::Auth,
        Advice::Sso,
        "gh api, which prints no URL for single sign-on",
    ),
    status(
        "401",
        ErrorKind::Auth,
        Advice::Login,
        "expired or revoked token",
    ),
    says(
        r"(?m)^To get started with GitHub CLI, please run:  gh auth login|^You are not logged into any |^authentication required|^To use GitHub CLI in ",
        ErrorKind::Auth,
        Advice::NoLogin,
        "no token at all",
    ),
    says(
        r"(?m)^  X Failed to log in to |^Try authenticating with:  gh auth login",
        ErrorKind::Auth,
        Advice::Login,
        "gh auth status, and gh wherever it takes a failure for one of the token",
    ),
    says(
        r"(?m)^(?:[a-zA-Z ,':]*: )?(?:HTTP (?:403|429): )?You have exceeded a secondary rate limit",
        ErrorKind::RateLimit,
        Advice::RateSecondary,
        "secondary limit",
    ),
    says(
        r"(?m)^(?:[a-zA-Z ,':]*: )?(?:HTTP (?:403|429): )?API rate limit (?:already )?exceeded",
        ErrorKind::RateLimit,
        Advice::RatePrimary,
        "the hourly limit, in REST and as GraphQL's error RATE_LIMITED",
    ),
    status(
        "429",
        ErrorKind::RateLimit,
        Advice::RateSecondary,
        "a 429 without a known phrase about a limit",
    ),
    says(
        r"(?m)^(?:gh: |GraphQL: )?was submitted too quickly",
        ErrorKind::RateLimit,
        Advice::RateSecondary,
        "too many writes",
    ),
    says(
        r"(?m)^(?:[a-zA-Z ,':]*: )?Resource not accessible by |^(?:gh: |GraphQL: )?\S+ does not have (?:the correct permissions|permission)|^(?:gh: |GraphQL: )?You do not have permission",
        ErrorKind::NoAccess,
        Advice::AskAccess,
        "GraphQL's error FORBIDDEN, fine-grained tokens, apps",
    ),
    status(
        "403|451",
        ErrorKind::NoAccess,
        Advice::AskAccess,
        "the account or the token lacks the right",
    ),
    status(
        "404|410",
        ErrorKind::NotFound,
        Advice::CheckName,
        "no such thing, or not for this account",
    ),
    says(
        r"(?m)^(?:[a-zA-Z ,':]*: )?Could not resolve to an? ",
        ErrorKind::NotFound,
        Advice::CheckName,
        "GraphQL's error NOT_FOUND",
    ),
    status(
        r"5\d\d",
        ErrorKind::Network,
        Advice::ServerTrouble,
        "the server itself",
    ),
    says(
        r"(?m)^(?:gh: |GraphQL: )?Something went wrong while executing your query",
        ErrorKind::Network,
        Advice::ServerTrouble,
        "GraphQL's own 5xx",
    ),
    says(
        r"(?m)^(?:[a-z ,']*: )?error connecting to ",
        ErrorKind::Network,
        Advice::Connection,
        "no route, no DNS",
    ),
    says(
        r#"(?m)^(?:[a-z ,']*: )?(?:Get|Post|Put|Patch|Delete|Head) "https?://[^"\n]*": "#,
        ErrorKind::Network,
        Advice::Connection,
        "Go's net/http: EOF, refused, proxy, TLS",
    ),
    says(
        r"(?m)^(?:[a-z ,']*: )?invalid character '.+' (?:looking for beginning of value|in literal |after )",
        ErrorKind::Network,
        Advice::NotJson,
        "an answer in HTML",
    ),
    says(
        r"(?m)^(?:[a-z ,']*: )?unexpected (?:EOF|end of JSON input)$",
        ErrorKind::Network,
        Advice::CutAnswer,
        "an answer shorter than its own length",
    ),
    status(
        "422",
        ErrorKind::Failed,
        Advice::Invalid,
        "the host understood the call and does not accept its values",
    ),
    says(
        r"(?m)^(?:the response|the diff|file|gist file) contains terminal escape sequences; ",
        ErrorKind::Usage,
        Advice::AllowEscapes,
        "gh 2.103.3, which refuses such an answer even where stdout is a pipe",
    ),
    says(
        r"(?m)^[a-z ]*\bnot found\b",
        ErrorKind::NotFound,
        Advice::CheckName,
        "release not found and the like",
    ),
];

static COMPILED: Lazy<Vec<Regex>> = Lazy::new(|| {
    ROWS.iter()
        .map(|row| Regex::new(&row.when.pattern()).expect("a test compiles every row"))
        .collect()
});

/// The first row whose phrase stands in `stderr`.
pub(super) fn find(stderr: &str) -> Option<Phrase> {
    ROWS.iter().zip(COMPILED.iter()).find_map(|(row, pattern)| {
        let found = pattern.captures(stderr)?;
        let advice = match &row.advice {
            Advice::Scope(_) => Advice::Scope(found.get(1)?.as_str().to_owned()),
            Advice::Commands(_) => Advice::Commands(found.get(1)?.as_str().to_owned()),
            advice => advice.clone(),
        };
        Some(Phrase {
            kind: row.kind,
            advice,
        })
    })
}

/// The address at which a person authorizes a token, where it lies on `host` itself.
pub(super) fn sso_url<'a>(stderr: &'a str, host: &str) -> Option<&'a str> {
    let line = stderr
        .lines()
        .find_map(|l| l.strip_prefix("Authorize in your web browser:"))?;
    let url = line.trim();
    let rest = url.strip_prefix("https://")?.strip_prefix(host)?;
    let plain = url.len() <= 2_048 && url.bytes().all(|b| b.is_ascii_graphic());
    (rest.starts_with('/') && plain).then_some(url)
}

/// gh's list of valid JSON fields as one line.
pub(super) fn valid_fields(stderr: &str) -> String {
    let fields: Vec<&str> = stderr
        .lines()
        .skip_while(|l| !l.starts_with("Available fields:"))
        .skip(1)
        .map_while(|l| l.strip_prefix("  "))
        .filter(|f| f.bytes().all(|b| b.is_ascii_alphanumeric()))
        .collect();
    if fields.is_empty() {
        "Ask for other fields.".to_owned()
    } else {
        format!("Valid: {}.", fields.join(", "))
    }
}

/// The words of Go's runtime when a program runs out of memory, from gh 2.92.0 (Go 1.26) and 2.103.3 (Go 1.27) and from its sources: the heap,
/// Go's own tables, a stack.  The words stand at the start of a line, and a trace of every goroutine follows.
static OUT_OF_MEMORY: Lazy<Regex> = Lazy::new(|| {
    Regex::new(
        r"(?m)^fatal error: (?:runtime: )?(?:out of memory\b|cannot allocate memory$|cannot map pages |failed to reserve |stack overflow$)|^runtime: goroutine stack exceeds |^runtime: (?:out of memory|cannot allocate memory)\b|^runtime/cgo: pthread_create failed: ",
    )
    .expect("a constant pattern")
});

/// The part of gh that ran out of memory, where `stderr` says so: the trace names the packages that were at work.
pub(super) fn out_of_memory(stderr: &str) -> Option<&'static str> {
    OUT_OF_MEMORY.find(stderr)?;
    Some(if stderr.contains("github.com/itchyny/gojq.") {
        "gh's jq"
    } else if stderr.contains("\ntext/template.") {
        "gh's template"
    } else {
        "gh"
    })
}

/// Whether `stderr` holds the traces of a Go program that panicked.
pub(super) fn is_panic(stderr: &str) -> bool {
    stderr.lines().any(|l| {
        l.starts_with("panic: ")
            || l.starts_with("fatal error: ")
            || (l.starts_with("goroutine ") && l.ends_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_compiles_and_has_a_reason() {
        assert_eq!(COMPILED.len(), ROWS.len());
        assert!(ROWS.iter().all(|row| !row.reason.is_empty()));
    }

    #[test]
    fn only_a_sign_on_address_on_the_host_itself_is_passed_on() {
        let at = |url: &str| {
            sso_url(
                &format!("x\nAuthorize in your web browser:  {url}\n"),
                "github.com",
            )
            .is_some()
        };
        assert!(at(
            "https://github.com/orgs/acme/sso?authorization_request=AAAA"
        ));
        assert!(!at("https://github.com.evil.example/orgs/acme/sso"));
        assert!(!at("https://github.com@evil.example/x"));
        assert!(!at("http://github.com/orgs/acme/sso"));
        assert!(!at("https://github.com/\u{202e}x"));
    }
}
