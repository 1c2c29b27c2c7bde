//! One row a flag that means the same wherever it stands, and one more where it means something else.
//!
//! A name covers the commands of the catalogued versions, no others: a flag that is not in the catalog is unknown
//! before anyone looks here.

use std::collections::HashMap;
use std::sync::OnceLock;

use Says::{Adds, Fields, Jq, NamesHost, NamesRepo, Narrows, OfApi, PathPart, Plain};

use super::Effect::{
    self, Browser, Configures, Deletes, Editor, Elsewhere, PrintsSecret, Reads, SendsFile,
    Unbounded, WritesFile,
};

/// What a flag adds to its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Nothing but what is asked for, sent or shown.
    Plain,
    /// This effect, when it is on or given.
    Adds(Effect),
    /// When it is on, the command has this effect instead of its own.
    Narrows(Effect),
    /// A name that gh puts into the path of its request as it is.
    PathPart,
    /// A repository, with a host perhaps.
    NamesRepo,
    /// A host.
    NamesHost,
    /// A jq program: it can read the environment.
    Jq,
    /// `KEY=VALUE` where a VALUE beginning with `@` names a file to send.
    Fields,
    /// Judged together with the rest of a `gh api` call.
    OfApi,
}

/// What is decided about flags.
#[derive(Debug)]
pub struct FlagRow {
    /// The commands; empty for all that have such a flag.
    pub on: &'static [&'static str],
    /// Long names.
    pub names: &'static [&'static str],
    /// What they add.
    pub says: Says,
    /// What they are for, or why they change the class: follows "--NAME".
    pub reason: &'static str,
}

/// The decided row of the flag `name` on the leaf `path`: the row that names the leaf, else the one for every leaf.
pub fn find(path: &str, name: &str) -> Option<&'static FlagRow> {
    static BY_NAME: OnceLock<HashMap<&str, Vec<&FlagRow>>> = OnceLock::new();
    let rows = BY_NAME
        .get_or_init(|| {
            let mut by_name: HashMap<&str, Vec<&FlagRow>> = HashMap::new();
            for row in FLAGS {
                for name in row.names {
                    by_name.entry(name).or_default().push(row);
                }
            }
            by_name
        })
        .get(name)?;
    rows.iter()
        .find(|row| row.on.contains(&path))
        .or_else(|| rows.iter().find(|row| row.on.is_empty()))
        .copied()
}

const fn any(names: &'static [&'static str], says: Says, reason: &'static str) -> FlagRow {
    FlagRow {
        on: &[],
        names,
        says,
        reason,
    }
}

const fn at(
    on: &'static [&'static str],
    names: &'static [&'static str],
    says: Says,
    reason: &'static str,
) -> FlagRow {
    FlagRow {
        on,
        names,
        says,
        reason,
    }
}

/// Every decided flag.
#[rustfmt::skip]
pub const FLAGS: &[FlagRow] = &[
    // What changes the class.
    any(&["web"], Adds(Browser), "opens a browser"),
    any(&["editor"], Adds(Editor), "opens an editor"),
    any(&["body-file", "notes-file", "env-file", "from-file"], Adds(SendsFile), "reads a local file or standard input and sends it"),
    any(&["attach"], Adds(SendsFile), "uploads a local file"),
    any(&["recover"], Adds(SendsFile), "reads a local file and sends it"),
    any(&["input"], Adds(SendsFile), "reads a local file or standard input and sends it"),
    any(&["push"], Adds(SendsFile), "uploads the local repository"),
    any(&["paginate"], Adds(Unbounded), "fetches page after page without bound"),
    any(&["watch"], Adds(Unbounded), "waits until the checks have ended"),
    any(&["follow"], Adds(Unbounded), "follows a log without end"),
    any(&["show-token"], Adds(PrintsSecret), "prints the token"),
    any(&["delete", "delete-last"], Adds(Deletes), "deletes a comment"),
    any(&["worktree"], Adds(WritesFile), "creates a local working tree"),
    any(&["tuf-url"], Adds(Elsewhere), "asks a server of the caller's choosing"),
    any(&["jq"], Jq, "reads the environment, where gh's tokens can be"),
    at(&["workflow run"], &["json"], Adds(SendsFile), "reads the inputs from standard input"),
    at(&["workflow run"], &["field"], Fields, "names a file to send"),
    at(&["issue develop"], &["checkout"], Adds(WritesFile), "changes the working tree"),
    at(&["issue develop"], &["list"], Narrows(Reads), "lists the branches of an issue instead of creating one"),
    at(&["repo create"], &["source"], Adds(SendsFile), "uses a local repository and adds a remote to it"),
    at(&["repo create"], &["remote"], Adds(Configures), "adds a remote to the local repository"),
    at(&["repo create", "repo fork"], &["clone"], Adds(WritesFile), "clones into a local directory"),
    at(&["repo fork"], &["remote"], Adds(Configures), "changes the remotes of the checkout"),
    at(&["repo read-file"], &["output"], Adds(WritesFile), "writes a local file"),

    // What selects the host or the repository.
    any(&["repo"], NamesRepo, "the repository"),
    any(&["branch-repo", "issue-repo"], NamesRepo, "another repository"),
    any(&["hostname", "host"], NamesHost, "the host"),
    at(&["repo create"], &["template"], NamesRepo, "a template repository"),
    at(&["repo sync"], &["source"], NamesRepo, "the repository to take the branch from"),

    // `gh api`.
    at(&["api"], &["method", "field", "raw-field", "header"], OfApi, "decides what is sent"),
    at(&["api"], &["cache", "include", "preview", "silent", "slurp", "verbose"], Plain, "shapes the answer; a token is masked"),

    // What shapes the output.
    any(&["help"], Plain, "prints help"),
    any(&["json", "format"], Plain, "the form of the output"),
    any(&["template"], Plain, "a template"),
    any(&["limit", "page", "after", "order", "sort"], Plain, "how much is listed, and in which order"),
    any(&["color"], Plain, "a color"),
    any(&["comments"], Plain, "comments too, or how many"),
    any(&["name-only", "patch", "raw", "files", "yaml", "verbose", "log", "log-failed", "exit-status", "compact", "static", "include-content"],
        Plain, "how something is shown"),
    any(&["allow-escape-sequences"], Plain, "control characters are not refused; they are made visible later"),
    any(&["conflict-status", "required", "fail-fast", "interval", "parents", "default", "active"],
        Plain, "what is shown"),
    at(&["completion"], &["shell"], Plain, "the shell to print for"),

    // What is asked for.
    any(&["org", "env", "job", "attempt", "owner", "user"], PathPart, "selects what is meant"),
    any(&["answered", "app", "archived", "author", "author-date", "author-email", "author-name", "base", "checks", "closed", "commenter",
          "commit", "committer", "committer-date", "committer-email", "committer-name", "created", "draft", "event", "exclude",
          "exclude-drafts", "exclude-pre-releases", "extension", "filename", "filter", "followers", "fork", "forks", "good-first-issues",
          "hash", "head", "help-wanted-issues", "include-forks", "include-prs", "interactions", "involves", "key", "label", "language",
          "license", "locked", "match", "mention", "mentions", "merge", "merged", "merged-at", "milestone", "no-archived", "no-assignee",
          "no-label", "no-milestone", "no-project", "number-topics", "parent", "private", "project", "public", "query",
          "reactions", "ref", "repo-deprecated", "repo-owner", "review", "review-requested", "reviewed-by", "scope", "search", "search-type",
          "secret", "size", "source", "stars", "state", "status", "team-mentions", "topic", "tree", "type", "updated",
          "visibility", "workflow", "branch", "codespace", "agent", "dir", "all"],
        Plain, "selects what is meant"),

    // What is sent or set.
    any(&["title", "body", "notes", "subject", "comment", "description", "desc", "readme", "reason", "text", "value", "name",
          "number", "date", "display-name", "displayName", "homepage"],
        Plain, "text or a value that is sent; the prompt shows it"),
    any(&["assignee", "add-assignee", "remove-assignee", "reviewer", "add-reviewer", "remove-reviewer"], Plain, "people"),
    any(&["add-label", "remove-label", "add-project", "remove-project", "remove-milestone", "add-topic", "remove-topic", "category",
          "discussion-category", "duplicate-of", "remove-type", "add-blocked-by", "add-blocking", "add-sub-issue", "blocked-by", "blocking",
          "remove-blocked-by", "remove-blocking", "remove-parent", "remove-sub-issue"],
        Plain, "what it is sorted under or related to"),
    any(&["admin", "auto", "disable-auto", "match-head-commit", "rebase", "squash", "fill", "fill-first", "fill-verbose",
          "no-maintainer-edit", "dry-run", "approve", "request-changes", "undo", "edit", "edit-last", "create-if-none"],
        Plain, "how the change is made"),
    any(&["delete-branch"], Plain, "deletes the branch too, which can be restored"),
    any(&["confirm", "yes", "force"], Plain, "does not ask"),
    any(&["data-type", "single-select-options", "single-select-option-id", "iteration-id", "field", "field-id", "id", "project-id", "clear",
          "url", "source-owner", "target-owner", "drafts", "team"],
        Plain, "a part of a project"),
    any(&["prerelease", "latest", "generate-notes", "notes-from-tag", "notes-start-tag", "fail-on-no-commits", "verify-tag", "tag", "target",
          "cleanup-tag"],
        Plain, "how a release is made or removed"),
    any(&["accept-visibility-change-consequences", "add-readme", "allow-forking", "allow-update-branch", "default-branch",
          "delete-branch-on-merge", "disable-issues", "disable-wiki", "enable-advanced-security", "enable-auto-merge", "enable-discussions",
          "enable-issues", "enable-merge-commit", "enable-projects", "enable-rebase-merge", "enable-secret-scanning",
          "enable-secret-scanning-push-protection", "enable-squash-merge", "enable-wiki", "gitignore", "include-all-branches", "internal",
          "squash-merge-commit-message", "default-branch-only", "fork-name", "remote-name", "numeric"],
        Plain, "a setting of a repository"),
    any(&["no-repos-selected", "no-store", "repos"], Plain, "who gets a secret or variable"),
    any(&["raw-field"], Plain, "an input of the workflow"),
    any(&["debug", "failed"], Plain, "what is run again, and with which logs"),
    any(&["succeed-on-no-caches", "days"], Plain, "what is deleted"),
    any(&["custom-agent"], Plain, "which agent"),
    any(&["default-permissions", "devcontainer-path", "full", "idle-timeout", "location", "machine", "retention-period"],
        Plain, "a setting of a codespace"),
    any(&["restore-version", "version"], Plain, "a version"),

    // Flags of commands that are refused, or that ask, whatever their flags.
    any(&["actions", "blame", "no-browser", "projects", "releases", "settings", "wiki"], Plain, "where the browser goes"),
    any(&["add", "remove"], Plain, "a file of a gist, or a program to remove"),
    any(&["clipboard", "expiring", "git-protocol", "insecure-storage", "no-refresh", "remove-scopes", "reset-scopes", "scopes",
          "secure-storage", "skip-ssh-key", "with-token"],
        Plain, "how to log in"),
    any(&["clobber", "archive", "output", "pattern", "skip-existing"], Plain, "which local files are written"),
    any(&["detach", "recurse-submodules", "checkout"], Plain, "how the checkout is changed"),
    any(&["allow-write"], Plain, "what a key opens"),
    any(&["all-interfaces"], Plain, "who can reach a local port"),
    any(&["allow-hidden-dirs", "fix", "from-local", "unpin", "upstream"], Plain, "how a skill is found"),
    any(&["pin", "precompiled", "single-column"], Plain, "which extension, and how"),
    any(&["config", "debug-file", "expand", "insiders", "profile", "recursive", "server-port", "stdio", "file"],
        Plain, "how to connect to a codespace"),
    any(&["no-upstream", "upstream-remote-name"], Plain, "the remotes of a clone"),
    any(&["unset", "view", "shell"], Plain, "what is set"),
    any(&["bundle", "bundle-from-oci", "cert-identity", "cert-identity-regex", "cert-oidc-issuer", "custom-trusted-root",
          "deny-self-hosted-runners", "digest-alg", "no-public-good", "predicate-type", "signer-digest", "signer-repo", "signer-workflow",
          "source-digest", "source-ref", "tuf-root", "verify-only"],
        Plain, "how an attestation is checked"),
];
