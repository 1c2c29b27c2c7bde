//! What a failure of git means, and what to do about it.
//!
//! git says the reason on standard error, and of a push also on standard output (`--porcelain`).  The words are those of git 2.30 to 2.47 in
//! the language C, and of GitHub's own hooks (GH006, GH013).

use crate::gate::{Cleaner, ErrorKind, Refusal, Target};
use crate::text::numbers::size;

/// A command of git that failed.
pub struct Failed<'a> {
    /// The command: `fetch`, `push`, `worktree`.
    pub command: &'a str,
    /// Its exit code.
    pub code: i32,
    /// What it printed.
    pub said: &'a str,
    /// The host and repository.
    pub target: &'a Target,
    /// The most bytes of one file.
    pub most_bytes: u64,
}

/// A row of [`ROWS`]: words of which one is in the output, the kind of the error, what is wrong and what to do.  `{target}` stands for the
/// repository, `{host}` for the host and `{most}` for the most bytes.
type Row = (
    &'static [&'static str],
    ErrorKind,
    &'static str,
    &'static str,
);

/// The reasons, the most exact ones first.
const ROWS: &[Row] = &[
    (
        &["No space left on device", "Disk quota exceeded"],
        ErrorKind::Failed,
        "The disk is full",
        "Tell the person, who can make room there{left}.",
    ),
    (
        &[
            "unable to write file",
            "unable to write new index",
            "unable to write new_index",
            "could not write index",
        ],
        ErrorKind::Failed,
        "The disk is full or does not work: a file could not be written",
        "Tell the person, who can make room there{left}.",
    ),
    (
        &["died of signal 25", "File too large", "file size limit"],
        ErrorKind::PolicyBlocked,
        "{target} is larger than {most}, and no more is fetched (`cj/gh-git-max-bytes')",
        "Tell the person, who can raise the limit or clone it in a terminal.",
    ),
    (
        &["without `workflow` scope", "without `workflows` permission"],
        ErrorKind::NoAccess,
        "The token for {host} lacks the scope workflow, which a change of a workflow file needs",
        "Ask the person to run `gh auth refresh -h {host} -s workflow' in a terminal.",
    ),
    (
        &[
            "GH006",
            "GH013",
            "protected branch",
            "Cannot update this protected ref",
            "rule violations",
        ],
        ErrorKind::NoAccess,
        "The branch is protected on {host}",
        "Push to another branch and open a pull request from there.",
    ),
    (
        &[
            "(stale info)",
            "(fetch first)",
            "(non-fast-forward)",
            "[remote rejected] (cannot lock ref",
            "remote ref updated since checkout",
        ],
        ErrorKind::Failed,
        "The branch has moved on GitHub since it was read, so nothing was pushed",
        "Look at what came (gh_pr_view), then push again.",
    ),
    (
        &[
            "pre-receive hook declined",
            "update hook declined",
            "hook declined",
        ],
        ErrorKind::NoAccess,
        "A rule of {host} has declined the push",
        "Read its words below; tell the person.",
    ),
    (
        &[
            "deny updating a hidden ref",
            "refusing to update",
            "push declined due to",
        ],
        ErrorKind::NoAccess,
        "{host} has declined the push",
        "Read its words below; tell the person.",
    ),
    (
        &[
            "error: 403",
            "Permission to",
            "Write access to repository not granted",
            "insufficient scope",
            "SAML",
        ],
        ErrorKind::NoAccess,
        "The account may not do this in {target}, or its token lacks a scope (repo)",
        "Ask the person, who can run `gh auth status' and `gh auth refresh -h {host} -s repo' in a terminal.",
    ),
    (
        &[
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "terminal prompts disabled",
            "error: 401",
            "Invalid username or",
        ],
        ErrorKind::Auth,
        "{host} did not accept the login that gh has for it",
        "Ask the person to run `gh auth login -h {host}' in a terminal.",
    ),
    (
        &[
            "couldn't find remote ref",
            "no such ref",
            "unexpected object ID",
            "not our ref",
        ],
        ErrorKind::NotFound,
        "The branch or pull request has no commits any more in {target}",
        "Look at it again (gh_pr_view); its branch may have been deleted.",
    ),
    (
        &[
            "unable to update url base from redirection",
            "error: 301",
            "error: 302",
            "error: 307",
            "error: 308",
        ],
        ErrorKind::NotFound,
        "{target} has another name or place now",
        "Look it up (gh_repo_view) and use its present name.",
    ),
    (
        &[
            "Repository not found",
            "does not appear to be a git repository",
            "error: 404",
            "repository '",
            "does not exist",
        ],
        ErrorKind::NotFound,
        "{target} is not there, or the account may not see it",
        "Check its name (gh_repo_view).",
    ),
    (
        &["certificate"],
        ErrorKind::Network,
        "The certificate of {host} is not trusted on this machine",
        "Tell the person, who can look at SSL_CERT_FILE in Emacs's environment (`M-x cj/gh-doctor').",
    ),
    (
        &[
            "File name too long",
            "invalid path '",
            "malformed mode in tree",
            "empty filename in tree",
            "too-short tree",
            "exceeded maximum allowed tree depth",
        ],
        ErrorKind::PolicyBlocked,
        "The commit has a name that git or this file system does not write",
        "Read git's words below; such names are often meant to do harm, so tell the person.",
    ),
    (
        &[
            "Could not resolve host",
            "Failed to connect",
            "Couldn't connect",
            "Connection timed out",
            "Connection refused",
            "Operation too slow",
            "SSL",
            "gnutls",
            "TLS",
            "early EOF",
            "the remote end hung up",
            "Empty reply",
            "error: 50",
            "Could not read from remote",
        ],
        ErrorKind::Network,
        "The connection to {host} failed",
        "Try again once; then tell the person, who can look with `M-x cj/gh-doctor'.",
    ),
    (
        &["' not allowed"],
        ErrorKind::PolicyBlocked,
        "git may not use this protocol here",
        "Tell the person, who can look at `cj/gh-git-urls'.",
    ),
    (
        &[
            ".lock': File exists",
            "Another git process seems to be running",
        ],
        ErrorKind::Failed,
        "Another git is at work in this repository",
        "Try again in a moment.",
    ),
    (
        &["shallow update not allowed"],
        ErrorKind::Failed,
        "The checkout has no whole history, and {host} takes no push from it",
        "Ask the person to run `git fetch --unshallow' in it.",
    ),
    (
        &[
            "missing blob",
            "missing tree",
            "missing commit",
            "unable to read tree",
            "bad object",
            "Could not read",
        ],
        ErrorKind::Failed,
        "A part of the history is not on this machine (a partial or shallow checkout)",
        "Ask the person to push in a terminal.",
    ),
    (
        &["out of memory", "Cannot allocate memory", "malloc failed"],
        ErrorKind::Failed,
        "git ran out of the memory that a call may have",
        "Tell the person, who can run git in a terminal.",
    ),
];

/// git's exit code for a command line that it does not understand.
const USAGE: i32 = 129;

/// The most lines of git's own words that are shown.
const LINES: usize = 6;

/// The most characters of such a line: a name in it may have thousands.
const LINE: usize = 300;

/// The refusal for a command that failed.
pub fn refusal(failed: &Failed<'_>, clean: &Cleaner) -> Refusal {
    let row = ROWS
        .iter()
        .find(|(words, ..)| words.iter().any(|word| failed.said.contains(word)));
    if failed.code == USAGE && failed.said.contains("unknown option") {
        return Refusal::new(
            ErrorKind::TooOld,
            "The installed git lacks an option that git 2.30 has.\nAsk the person to install a newer git.",
        );
    }
    let (kind, wrong, todo) = row.map_or(
        (
            ErrorKind::Failed,
            format!(
                "git {} failed with exit code {}",
                failed.command, failed.code
            ),
            "Read its words below; tell the person if they do not help.".to_owned(),
        ),
        |(_, kind, wrong, todo)| (*kind, filled(wrong, failed), filled(todo, failed)),
    );
    let words = own_words(failed.said, clean);
    let words = if words.is_empty() {
        String::new()
    } else {
        format!("\n{words}")
    };
    Refusal::new(kind, format!("{wrong}.\n{todo}{words}"))
}

/// What is left of the command `name` of git that was ended or failed, as the end of a sentence.
pub fn left(name: &str) -> &'static str {
    match name {
        "push" => "; look with gh_pr_view whether the branch was set before that",
        // The caller knows what it was about.
        "reset" => "",
        _ => "; nothing half done was left",
    }
}

fn filled(text: &str, failed: &Failed<'_>) -> String {
    text.replace("{left}", left(failed.command))
        .replace("{target}", &failed.target.to_string())
        .replace("{host}", &failed.target.host)
        .replace("{most}", &size(failed.most_bytes))
}

/// The last lines of what git and the host said, without the lines that only frame them.
fn own_words(said: &str, clean: &Cleaner) -> String {
    let dull = |line: &str| {
        let line = line.trim().trim_start_matches("remote:").trim();
        line.is_empty()
            || line.starts_with("hint:")
            || line.starts_with("To ")
            || line == "Done"
            || line.starts_with("error: failed to push some refs")
    };
    let lines: Vec<String> = said
        .lines()
        .filter(|line| !dull(line))
        .map(|line| {
            let line = clean.line(line.trim_end());
            let more = if line.chars().count() > LINE {
                " …"
            } else {
                ""
            };
            format!("| {}{more}", line.chars().take(LINE).collect::<String>())
        })
        .collect();
    let first = lines.len().saturating_sub(LINES);
    lines[first..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Source;

    #[test]
    fn each_reason_of_git_has_its_kind_and_says_what_to_do() {
        let target = Target {
            host: "github.com".into(),
            owner: Some("o".into()),
            repo: Some("r".into()),
            account: None,
            source: Source::ExplicitRepo,
        };
        let clean = Cleaner::holding(&[]);
        for (said, kind, words) in [
            (
                "fatal: unable to access 'https://github.com/o/r.git/': Could not resolve host: github.com",
                ErrorKind::Network,
                "The connection to github.com failed",
            ),
            (
                "remote: Repository not found.\nfatal: repository 'https://github.com/o/r.git/' not found",
                ErrorKind::NotFound,
                "github.com/o/r is not there",
            ),
            (
                "remote: Permission to o/r.git denied to octo.\nfatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 403",
                ErrorKind::NoAccess,
                "may not do this",
            ),
            (
                "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
                ErrorKind::Auth,
                "gh auth login -h github.com",
            ),
            (
                "remote: error: GH006: Protected branch update failed for refs/heads/main.\n!\t:refs/heads/main\t[remote rejected] (protected branch hook declined)",
                ErrorKind::NoAccess,
                "The branch is protected",
            ),
            (
                "! [remote rejected] x -> x (refusing to allow an OAuth App to create or update workflow `.github/workflows/a.yml` without `workflow` scope)",
                ErrorKind::NoAccess,
                "-s workflow",
            ),
            (
                "!\tabc:refs/heads/f\t[rejected] (stale info)\nDone",
                ErrorKind::Failed,
                "has moved on GitHub",
            ),
            (
                "error: index-pack died of signal 25\nfatal: index-pack failed",
                ErrorKind::PolicyBlocked,
                "larger than 1.0 KB",
            ),
            (
                "fatal: write error: No space left on device",
                ErrorKind::Failed,
                "The disk is full",
            ),
            (
                "fatal: couldn't find remote ref refs/pull/9/head",
                ErrorKind::NotFound,
                "has no commits any more",
            ),
            (
                "fatal: what\x1b[31m now",
                ErrorKind::Failed,
                "exit code 128",
            ),
        ] {
            let failed = Failed {
                command: "fetch",
                code: 128,
                said,
                target: &target,
                most_bytes: 1000,
            };
            let refusal = refusal(&failed, &clean);
            assert_eq!(refusal.kind, kind, "{said}");
            assert!(refusal.message.contains(words), "{}", refusal.message);
            assert!(refusal.message.lines().count() >= 2, "{}", refusal.message);
            assert!(!refusal.message.contains('\x1b'));
        }
    }
}
