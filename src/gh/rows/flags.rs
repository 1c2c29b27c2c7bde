//! The table of flags: one row for a flag that means the same on every command, and a further row for each command where it differs.
//!
//! A flag that the catalog does not have is unknown, even where a row here has its name.

use std::collections::HashMap;

use once_cell::sync::OnceCell;

use FlagEffect::{Adds, Fields, Jq, OfApi, PathPart, Plain, Replaces};

use super::effect::Effect::{
    self, Browser, Configures, Deletes, Editor, Elsewhere, PrintsSecret, Reads, SendsFile,
    Unbounded, WritesFile,
};
use super::names::Names::{self, Account, File, Host, Item, Nothing, Ref, Repository, Text, Word};
use crate::redact::Role::{self, Field, Header, Private, Secret};

/// How a flag changes the effect of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagEffect {
    /// Not at all: the flag only says what is asked for, sent or shown.
    Plain,
    /// The flag, on or given with a value, adds this effect.
    Adds(Effect),
    /// The command has this effect instead of its own when the flag is on.
    Replaces(Effect),
    /// The value is a name that gh puts into the path of its request as it is.
    PathPart,
    /// The value is a jq program, which can read the environment.
    Jq,
    /// The value is `KEY=VALUE`, where a VALUE that begins with `@` names a file to send.
    Fields,
    /// [`crate::gh::judge::api`] judges the flag, together with the rest of a `gh api` call.
    OfApi,
}

/// One decision about one or several flags.
#[derive(Debug)]
pub struct FlagRow {
    /// The commands that the row covers; empty: all that have such a flag.
    pub on: &'static [&'static str],
    /// The long names of the flags.
    pub names: &'static [&'static str],
    /// What their values name.
    pub value: Names,
    /// How the flags change the effect of the command.
    pub effect: FlagEffect,
    /// What the flags are for, or why they change the class: follows "--NAME".
    pub reason: &'static str,
    /// As what redaction treats the values of the flags; `None` where it leaves them as they are.
    pub role: Option<Role>,
    /// Why no lease may cover a call with one of these flags; `None` where a lease may.
    pub no_lease: Option<&'static str>,
    /// Whether the flags, when on, make the call approve a pull request.
    pub approves: bool,
}

impl FlagRow {
    /// This row, whose values redaction treats as `role` when a call is shown or recorded.
    const fn holding(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// This row, whose flags no lease covers because of `why`, which follows "no lease can be given here:".
    const fn without_lease(mut self, why: &'static str) -> Self {
        self.no_lease = Some(why);
        self
    }

    /// This row, whose flags approve a pull request.
    const fn approving(mut self) -> Self {
        self.approves = true;
        self
    }
}

/// Flags whose value others will read as it is, in the order in which a person is shown them.
pub const TEXTS: &[&str] = &[
    "title",
    "subject",
    "body",
    "notes",
    "comment",
    "description",
    "readme",
];

/// The decided row of the flag `name` on the leaf `path`: the row that names the leaf, else the one for all leaves.
pub fn find(path: &str, name: &str) -> Option<&'static FlagRow> {
    static BY_NAME: OnceCell<HashMap<&str, Vec<&FlagRow>>> = OnceCell::new();
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

/// A row for every command that has the flags `names`.
const fn any(
    names: &'static [&'static str],
    value: Names,
    effect: FlagEffect,
    reason: &'static str,
) -> FlagRow {
    at(&[], names, value, effect, reason)
}

/// A row for the flags `names` of the commands `on`.
const fn at(
    on: &'static [&'static str],
    names: &'static [&'static str],
    value: Names,
    effect: FlagEffect,
    reason: &'static str,
) -> FlagRow {
    FlagRow {
        on,
        names,
        value,
        effect,
        reason,
        role: None,
        no_lease: None,
        approves: false,
    }
}

/// Every decided flag.
#[rustfmt::skip]
pub const FLAGS: &[FlagRow] = &[
    // Flags that change the class.
    any(&["web"], Nothing, Adds(Browser), "opens a browser"),
    any(&["editor"], Nothing, Adds(Editor), "opens an editor"),
    any(&["body-file", "notes-file", "env-file", "from-file"], File, Adds(SendsFile), "reads a local file or standard input and sends it"),
    any(&["attach"], File, Adds(SendsFile), "uploads a local file"),
    any(&["recover"], File, Adds(SendsFile), "reads a local file and sends it"),
    any(&["input"], File, Adds(SendsFile), "reads a local file or standard input and sends it"),
    any(&["push"], Nothing, Adds(SendsFile), "uploads the local repository"),
    any(&["paginate"], Nothing, Adds(Unbounded), "fetches page after page without bound"),
    any(&["watch"], Nothing, Adds(Unbounded), "waits until the checks have ended"),
    any(&["follow"], Nothing, Adds(Unbounded), "follows a log without end"),
    any(&["show-token"], Nothing, Adds(PrintsSecret), "prints the token"),
    any(&["delete", "delete-last"], Nothing, Adds(Deletes), "deletes a comment"),
    any(&["worktree"], File, Adds(WritesFile), "creates a local working tree"),
    any(&["tuf-url"], Text, Adds(Elsewhere), "asks a server of the caller's choosing"),
    any(&["jq"], Text, Jq, "reads the environment, where gh's tokens can be"),
    at(&["workflow run"], &["json"], Nothing, Adds(SendsFile), "reads the inputs from standard input"),
    at(&["workflow run"], &["field"], Text, Fields, "names a file to send").holding(Field),
    at(&["issue develop"], &["base"], Ref, Adds(Configures), "writes the base into the configuration of a checkout, which gh may not change; without the flag the branch begins at the default branch"),
    at(&["issue develop"], &["checkout"], Nothing, Adds(WritesFile), "changes the working tree"),
    at(&["issue develop"], &["list"], Nothing, Replaces(Reads), "lists the branches of an issue instead of creating one"),
    at(&["release create"], &["notes-from-tag"], Nothing, Adds(SendsFile), "publishes the text of a tag of the checkout, which nobody has seen; give --notes"),
    at(&["pr create"], &["fill", "fill-first", "fill-verbose"], Nothing, Plain, "takes title and body from commits; the call is given them as --title and --body, and shows them"),
    at(&["repo create"], &["source"], File, Adds(SendsFile), "uses a local repository and adds a remote to it"),
    at(&["repo create"], &["remote"], Word, Adds(Configures), "adds a remote to the local repository"),
    at(&["repo create", "repo fork"], &["clone"], Nothing, Adds(WritesFile), "clones into a local directory"),
    at(&["repo fork"], &["remote"], Nothing, Adds(Configures), "changes the remotes of the checkout"),
    at(&["repo read-file"], &["output"], File, Adds(WritesFile), "writes a local file"),

    // Flags that select the host or the repository.
    any(&["repo"], Repository, Plain, "the repository"),
    any(&["branch-repo", "issue-repo"], Repository, Plain, "another repository").without_lease(SECOND),
    any(&["hostname", "host"], Host, Plain, "the host"),
    at(&["repo create"], &["template"], Repository, Plain, "a template repository").without_lease(SECOND),
    at(&["repo sync"], &["source"], Repository, Plain, "the repository to take the branch from").without_lease(SECOND),
    any(&["repos"], Repository, Plain, "the repositories that get a secret or variable").without_lease(SECOND),
    any(&["repo-deprecated", "signer-repo"], Repository, Plain, "selects what the command works on"),

    // Flags of `gh api`.
    at(&["api"], &["method"], Word, OfApi, "decides what is sent"),
    at(&["api"], &["field", "raw-field"], Text, OfApi, "decides what is sent").holding(Field),
    at(&["api"], &["header"], Text, OfApi, "decides what is sent").holding(Header),
    at(&["api"], &["cache", "preview"], Word, Plain, "shapes the answer"),
    at(&["api"], &["include", "silent", "slurp", "verbose"], Nothing, Plain, "shapes the answer; a token is masked"),

    // Flags that shape the output.
    any(&["help"], Nothing, Plain, "prints help"),
    any(&["json", "format"], Word, Plain, "the form of the output"),
    any(&["template"], Text, Plain, "a template"),
    at(&["issue create", "pr create"], &["template"], File, Plain, "the file that the text begins with"),
    any(&["limit", "page", "after", "order", "sort"], Word, Plain, "how much is listed, and in which order"),
    any(&["color"], Word, Plain, "a color"),
    any(&["comments"], Word, Plain, "comments too, or how many"),
    any(&["name-only", "patch", "raw", "files", "yaml", "verbose", "log", "log-failed", "exit-status", "compact", "static", "include-content"],
        Nothing, Plain, "how something is shown"),
    any(&["allow-escape-sequences"], Nothing, Plain, "control characters are not refused; they are made visible later"),
    any(&["conflict-status", "required", "fail-fast", "parents", "default", "active"], Nothing, Plain, "what is shown"),
    any(&["interval"], Word, Plain, "what is shown"),
    at(&["completion"], &["shell"], Word, Plain, "the shell to print for"),

    // Flags that say what is asked for.
    any(&["org"], Account, PathPart, "selects what the command works on").without_lease(BESIDE),
    any(&["user"], Account, PathPart, "selects what the command works on"),
    any(&["owner"], Account, PathPart, "selects what the command works on"),
    at(&SECRETS_AND_VARIABLES, &["user"], Nothing, Plain, "works on the user's own, not the repository's").without_lease(BESIDE),
    any(&["env", "job", "attempt", "codespace"], Word, PathPart, "selects what the command works on"),
    any(&["assignee", "author", "commenter", "committer", "involves", "mention", "mentions", "repo-owner", "review-requested", "reviewed-by",
          "team-mentions"],
        Account, Plain, "selects what the command works on"),
    any(&["base", "head", "branch", "commit", "ref"], Ref, Plain, "selects what the command works on"),
    any(&["author-name", "committer-name", "filter", "query", "search"], Text, Plain, "selects what the command works on"),
    any(&["answered", "archived", "draft", "exclude-drafts", "exclude-pre-releases", "fork", "include-prs", "locked", "merge", "merged",
          "no-archived", "source", "no-assignee", "no-label", "no-milestone", "no-project", "secret", "all"],
        Nothing, Plain, "selects what the command works on"),
    any(&["private", "public"], Nothing, Plain, "selects what the command works on, or who sees it").without_lease(VISIBILITY),
    any(&["visibility"], Word, Plain, "selects what the command works on, or who sees it").without_lease(VISIBILITY),
    any(&["app", "author-date", "author-email", "checks", "closed", "committer-date", "committer-email", "created", "event", "exclude",
          "extension", "filename", "followers", "forks", "good-first-issues", "hash", "help-wanted-issues", "include-forks", "interactions",
          "key", "label", "language", "license", "match", "merged-at", "milestone", "number-topics", "parent", "project", "reactions",
          "review", "scope", "search-type", "size", "stars", "state", "status", "topic", "tree", "type", "updated", "workflow", "agent"],
        Word, Plain, "selects what the command works on"),
    any(&["dir"], File, Plain, "selects what the command works on"),

    // Flags that say what is sent or set.
    any(TEXTS, Text, Plain, "text or a value that is sent; the prompt shows it").holding(Private),
    any(&["desc", "text"], Text, Plain, "text or a value that is sent; the prompt shows it").holding(Private),
    at(&["gpg-key add", "repo deploy-key add", "ssh-key add"], &["title"], Text, Plain, "the name of a key; the prompt shows it"),
    at(&["secret set", "variable set"], &["body"], Text, Plain, "the value that is set; the prompt shows it").holding(Secret),
    any(&["reason", "value", "display-name", "displayName", "homepage"], Text, Plain, "text or a value that is sent; the prompt shows it"),
    any(&["name", "number", "date"], Word, Plain, "text or a value that is sent; the prompt shows it"),
    any(&["add-assignee", "remove-assignee", "reviewer", "add-reviewer", "remove-reviewer"], Account, Plain, "people"),
    at(&["issue create", "pr create"], &["project"], Word, Plain, "a project of the owner or of the user").without_lease(PROJECT),
    any(&["add-project", "remove-project"], Word, Plain, "a project of the owner or of the user").without_lease(PROJECT),
    any(&["edit-last"], Nothing, Plain, "replaces the last comment").without_lease(UNSEEN),
    any(&["approve"], Nothing, Plain, "a verdict on the change").without_lease("it is a verdict").approving(),
    any(&["request-changes"], Nothing, Plain, "a verdict on the change").without_lease("it is a verdict"),
    any(&["add-label", "remove-label", "add-topic", "remove-topic", "category", "discussion-category"],
        Word, Plain, "what it is sorted under"),
    any(&["remove-milestone", "remove-type"], Nothing, Plain, "what it is sorted under"),
    any(&["duplicate-of", "add-blocked-by", "add-blocking", "add-sub-issue", "blocked-by", "blocking", "remove-blocked-by", "remove-blocking",
          "remove-sub-issue"],
        Item, Plain, "another issue, perhaps of another repository").without_lease(SECOND),
    at(&["issue create", "issue edit"], &["parent"], Item, Plain, "another issue, perhaps of another repository").without_lease(SECOND),
    any(&["remove-parent"], Nothing, Plain, "another issue, perhaps of another repository").without_lease(SECOND),
    any(&["admin"], Nothing, Plain, "how the change is made").without_lease(FORCED),
    any(&["auto", "disable-auto", "rebase", "squash", "no-maintainer-edit", "dry-run", "undo", "edit",
          "create-if-none"],
        Nothing, Plain, "how the change is made"),
    any(&["match-head-commit"], Ref, Plain, "how the change is made"),
    any(&["delete-branch"], Nothing, Plain, "deletes the branch too, which can be restored"),
    any(&["confirm", "yes", "force"], Nothing, Plain, "goes on without asking").without_lease(FORCED),
    any(&["data-type", "single-select-options", "single-select-option-id", "iteration-id", "field", "field-id", "id", "project-id"],
        Word, Plain, "a part of a project"),
    any(&["url"], Item, Plain, "the issue or pull request of a project's item"),
    any(&["source-owner", "target-owner", "team"], Account, Plain, "a part of a project"),
    any(&["clear", "drafts"], Nothing, Plain, "a part of a project"),
    any(&["prerelease", "latest", "generate-notes", "fail-on-no-commits", "verify-tag", "cleanup-tag"],
        Nothing, Plain, "how a release is made or removed"),
    any(&["notes-start-tag", "tag", "target"], Ref, Plain, "how a release is made or removed"),
    any(&["accept-visibility-change-consequences", "internal"], Nothing, Plain, "a setting of a repository").without_lease(VISIBILITY),
    any(&["add-readme", "allow-forking", "allow-update-branch", "delete-branch-on-merge", "disable-issues", "disable-wiki",
          "enable-advanced-security", "enable-auto-merge", "enable-discussions", "enable-issues", "enable-merge-commit", "enable-projects",
          "enable-rebase-merge", "enable-secret-scanning", "enable-secret-scanning-push-protection", "enable-squash-merge", "enable-wiki",
          "include-all-branches", "default-branch-only", "numeric"],
        Nothing, Plain, "a setting of a repository"),
    any(&["default-branch"], Ref, Plain, "a setting of a repository"),
    any(&["gitignore", "squash-merge-commit-message", "fork-name", "remote-name"], Word, Plain, "a setting of a repository"),
    any(&["no-repos-selected", "no-store"], Nothing, Plain, "who gets a secret or variable"),
    any(&["raw-field"], Text, Plain, "an input of the workflow").holding(Field),
    any(&["debug", "failed"], Nothing, Plain, "what is run again, and with which logs"),
    any(&["succeed-on-no-caches"], Nothing, Plain, "what is deleted"),
    any(&["days"], Word, Plain, "what is deleted"),
    any(&["custom-agent"], Word, Plain, "which agent"),
    any(&["default-permissions", "full"], Nothing, Plain, "a setting of a codespace"),
    any(&["devcontainer-path"], File, Plain, "a setting of a codespace"),
    any(&["idle-timeout", "location", "machine", "retention-period"], Word, Plain, "a setting of a codespace"),
    any(&["restore-version", "version"], Word, Plain, "a version"),

    // Flags of commands that are refused, or that ask, whatever their flags.
    any(&["actions", "blame", "no-browser", "projects", "releases", "settings", "wiki"], Nothing, Plain, "where the browser goes"),
    any(&["add", "remove"], File, Plain, "a file of a gist, or a program to remove"),
    any(&["clipboard", "expiring", "insecure-storage", "no-refresh", "reset-scopes", "secure-storage", "skip-ssh-key", "with-token"],
        Nothing, Plain, "how to log in"),
    any(&["git-protocol", "remove-scopes", "scopes"], Word, Plain, "how to log in"),
    any(&["clobber", "skip-existing"], Nothing, Plain, "which local files are written"),
    any(&["output"], File, Plain, "which local files are written"),
    any(&["archive", "pattern"], Word, Plain, "which local files are written"),
    any(&["detach", "recurse-submodules", "checkout"], Nothing, Plain, "how the checkout is changed"),
    any(&["allow-write"], Nothing, Plain, "what a key opens"),
    any(&["all-interfaces"], Nothing, Plain, "who can reach a local port"),
    any(&["allow-hidden-dirs", "fix", "from-local", "unpin", "upstream"], Nothing, Plain, "how a skill is found"),
    any(&["single-column"], Nothing, Plain, "which extension, and how"),
    any(&["pin"], Ref, Plain, "which extension, and how"),
    any(&["precompiled"], Word, Plain, "which extension, and how"),
    any(&["config", "expand", "insiders", "recursive", "stdio"], Nothing, Plain, "how to connect to a codespace"),
    any(&["debug-file", "file"], File, Plain, "how to connect to a codespace"),
    any(&["profile", "server-port"], Word, Plain, "how to connect to a codespace"),
    any(&["no-upstream"], Nothing, Plain, "the remotes of a clone"),
    any(&["upstream-remote-name"], Word, Plain, "the remotes of a clone"),
    any(&["unset", "view"], Nothing, Plain, "what is set"),
    any(&["shell"], Nothing, Plain, "what is set"),
    any(&["bundle", "custom-trusted-root", "tuf-root"], File, Plain, "how an attestation is checked"),
    any(&["bundle-from-oci", "deny-self-hosted-runners", "no-public-good", "verify-only"], Nothing, Plain, "how an attestation is checked"),
    // A certificate names its holder and its issuer by URLs; gh compares these URLs and asks none of them.
    any(&["cert-identity", "cert-identity-regex", "cert-oidc-issuer", "predicate-type"], Text, Plain, "how an attestation is checked"),
    any(&["digest-alg", "signer-digest", "signer-workflow", "source-digest"], Word, Plain, "how an attestation is checked"),
    any(&["source-ref"], Ref, Plain, "how an attestation is checked"),
];

// Reasons of several rows why no lease covers a call: each follows "no lease can be given here:".
const SECOND: &str = "it names a second repository or issue";
const PROJECT: &str = "it reaches into a project";
const UNSEEN: &str = "it replaces a text that is not shown";
const BESIDE: &str = "it works on an organization or the account, not on the repository";
const VISIBILITY: &str = "it decides who can see something";
const FORCED: &str = "it overrides what would stop it";

/// The leaves whose `--user` is a boolean that turns the call from the repository to the account.
const SECRETS_AND_VARIABLES: [&str; 3] = ["secret delete", "secret list", "secret set"];
