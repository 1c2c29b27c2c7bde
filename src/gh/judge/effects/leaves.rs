//! One row a leaf: its effect in the plain form, and the reason in words that a user is shown.

use super::Effect::{
    self, Asks, Browser, Configures, Deletes, Editor, Elsewhere, Interactive, PrintsSecret, Reads,
    RunsCode, SendsFile, Unbounded, Writes, WritesFile,
};
use super::Names::{self, Account, Endpoint, File, Item, Ref, Repository, Text, Word};
use crate::gh::parse::Parsed;

const NONE: &[Names] = &[];
const ACCOUNT: &[Names] = &[Account];
const ENDPOINT: &[Names] = &[Endpoint];
const FILE: &[Names] = &[File];
const ITEM: &[Names] = &[Item];
const ITEM_REPOSITORY: &[Names] = &[Item, Repository];
const ITEM_TEXT: &[Names] = &[Item, Text];
const ITEM_WORD: &[Names] = &[Item, Word];
const REF: &[Names] = &[Ref];
const REF_FILE: &[Names] = &[Ref, File];
const REF_WORD: &[Names] = &[Ref, Word];
const REPOSITORY: &[Names] = &[Repository];
const REPOSITORY_WORD: &[Names] = &[Repository, Word];
const TEXT: &[Names] = &[Text];
const WORD: &[Names] = &[Word];
const WORD_TEXT: &[Names] = &[Word, Text];

/// What is decided about a leaf.
#[derive(Debug)]
pub struct LeafRow {
    /// The command, without `gh`.
    pub path: &'static str,
    /// What it does in its plain form.
    pub does: Effect,
    /// What each positional names; the last one stands for all that follow.
    pub positionals: &'static [Names],
    /// Why it has its class: follows "gh PATH".
    pub reason: &'static str,
    /// What its positionals, or the lack of a flag, add.
    pub also: Option<Also>,
}

/// An effect that depends on the call's shape, with its reason.
pub type Also = fn(&Parsed) -> Option<(Effect, &'static str)>;

const fn row(
    path: &'static str,
    does: Effect,
    positionals: &'static [Names],
    reason: &'static str,
) -> LeafRow {
    LeafRow {
        path,
        does,
        positionals,
        reason,
        also: None,
    }
}

const fn shaped(
    path: &'static str,
    does: Effect,
    positionals: &'static [Names],
    reason: &'static str,
    also: Also,
) -> LeafRow {
    LeafRow {
        path,
        does,
        positionals,
        reason,
        also: Some(also),
    }
}

/// Every leaf of the catalogued versions, by path.
#[rustfmt::skip]
pub const LEAVES: &[LeafRow] = &[
    row("accessibility", Reads, NONE, "prints a help topic"),
    row("actions", Reads, NONE, "prints a help topic"),
    row("agent-task create", Writes, TEXT, "starts a coding agent that opens a pull request"),
    row("agent-task list", Reads, NONE, "lists agent tasks, which the host keeps at its Copilot address"),
    row("agent-task view", Reads, ITEM, "shows an agent task, which the host keeps at its Copilot address"),
    row("alias delete", Configures, WORD, "changes your aliases"),
    row("alias import", Configures, FILE, "changes your aliases"),
    row("alias list", Reads, NONE, "lists your aliases"),
    row("alias set", Configures, WORD_TEXT, "changes your aliases, which can run shell commands"),
    row("api", Reads, ENDPOINT, "asks the API"), // method, fields and path: see `api`
    row("attestation download", WritesFile, ITEM, "writes attestations into the working directory"),
    row("attestation inspect", Asks, FILE, "reads a local file and asks hosts other than GitHub"),
    row("attestation trusted-root", Asks, NONE, "asks hosts other than GitHub"),
    shaped("attestation verify", Asks, ITEM, "reads a local file and asks hosts other than GitHub", oci_image),
    row("auth git-credential", PrintsSecret, NONE, "prints the token"),
    row("auth login", Configures, NONE, "logs in and waits for a person"),
    row("auth logout", Configures, NONE, "removes a login"),
    row("auth refresh", Configures, NONE, "changes the scopes of the token and waits for a person"),
    row("auth setup-git", Configures, NONE, "changes the git configuration"),
    row("auth status", Reads, NONE, "shows who is logged in, the token masked"),
    row("auth switch", Configures, NONE, "changes the active account"),
    row("auth token", PrintsSecret, NONE, "prints the token"),
    row("aw", Asks, TEXT, "installs or runs an official extension"),
    row("browse", Browser, WORD, "opens a browser"),
    row("cache delete", Deletes, WORD, "deletes Actions caches"),
    row("cache list", Reads, NONE, "lists Actions caches"),
    row("co", WritesFile, ITEM, "is an alias that you may have changed; as it comes, it changes the working tree"),
    row("codespace code", Interactive, NONE, "opens an editor outside Emacs"),
    row("codespace cp", WritesFile, FILE, "copies files between this machine and a codespace"),
    row("codespace create", Writes, NONE, "creates a codespace, which costs money while it runs"),
    row("codespace delete", Deletes, NONE, "deletes codespaces with what is not pushed"),
    row("codespace edit", Writes, NONE, "changes a codespace"),
    row("codespace jupyter", Browser, NONE, "opens Jupyter in a browser and goes on without end"),
    row("codespace list", Reads, NONE, "lists codespaces"),
    row("codespace logs", RunsCode, NONE, "starts the codespace and connects to it by ssh"),
    row("codespace ports", Writes, NONE, "starts a stopped codespace to list its ports"),
    row("codespace ports forward", Unbounded, WORD, "opens local ports and goes on without end"),
    row("codespace ports visibility", Writes, WORD, "changes who can reach a port"),
    row("codespace rebuild", Writes, NONE, "rebuilds the codespace's container"),
    row("codespace select", Interactive, NONE, "waits for a person to choose"),
    row("codespace ssh", RunsCode, TEXT, "opens a shell or runs a command in a codespace"),
    row("codespace stop", Writes, NONE, "stops a codespace"),
    row("codespace view", Reads, NONE, "shows a codespace"),
    row("completion", Reads, WORD, "prints a completion script"),
    row("config clear-cache", Configures, NONE, "deletes gh's local cache"),
    row("config get", PrintsSecret, WORD, "can print a stored token"),
    row("config list", Reads, NONE, "lists the settings, no token among them"),
    row("config set", Configures, WORD_TEXT, "changes gh's settings"),
    row("copilot", RunsCode, TEXT, "downloads and runs another agent"),
    row("credits", Reads, NONE, "prints who wrote gh"),
    row("discussion comment", Writes, ITEM, "comments on a discussion"),
    row("discussion create", Writes, NONE, "creates a discussion"),
    row("discussion edit", Writes, ITEM, "edits a discussion"),
    row("discussion list", Reads, NONE, "lists discussions"),
    row("discussion view", Reads, ITEM, "shows a discussion"),
    row("environment", Reads, NONE, "prints a help topic"),
    row("exit-codes", Reads, NONE, "prints a help topic"),
    row("extension browse", Interactive, NONE, "opens a full-screen picker that installs code"),
    row("extension create", WritesFile, WORD, "creates a local directory"),
    row("extension exec", RunsCode, TEXT, "runs an extension"),
    row("extension install", RunsCode, REPOSITORY, "installs code"),
    row("extension list", Reads, NONE, "lists the installed extensions"),
    row("extension remove", Configures, WORD, "removes local code"),
    row("extension search", Reads, TEXT, "searches for extensions"),
    row("extension upgrade", RunsCode, WORD, "installs code"),
    row("formatting", Reads, NONE, "prints a help topic"),
    row("gist clone", WritesFile, ITEM, "clones into a local directory, from any URL"),
    row("gist create", SendsFile, FILE, "uploads local files or standard input"),
    row("gist delete", Deletes, ITEM, "deletes a gist"),
    row("gist edit", Editor, ITEM_WORD, "opens an editor or uploads a local file"),
    row("gist list", Reads, NONE, "lists gists"),
    row("gist rename", Writes, ITEM_WORD, "renames a file in a gist"),
    row("gist view", Reads, ITEM, "shows a gist"),
    row("gpg-key add", SendsFile, FILE, "uploads a local file as a key of the account"),
    row("gpg-key delete", Deletes, WORD, "deletes a key of the account"),
    row("gpg-key list", Reads, NONE, "lists keys"),
    row("help", Reads, WORD, "prints help"),
    row("issue artifact create", SendsFile, ITEM_TEXT, "uploads local files"),
    row("issue artifact delete", Deletes, ITEM_WORD, "deletes artifacts of an issue"),
    row("issue artifact download", WritesFile, ITEM_WORD, "writes local files"),
    row("issue artifact edit", Writes, ITEM_WORD, "edits an artifact of an issue"),
    row("issue artifact list", Reads, ITEM_WORD, "lists artifacts of an issue"),
    row("issue artifact view", Reads, ITEM_WORD, "shows an artifact of an issue"),
    row("issue close", Writes, ITEM, "closes an issue"),
    row("issue comment", Writes, ITEM, "comments on an issue"),
    row("issue create", Writes, NONE, "creates an issue"),
    row("issue delete", Deletes, ITEM, "deletes an issue"),
    row("issue develop", Writes, ITEM, "creates a branch on GitHub; the checkout stays as it is"),
    row("issue edit", Writes, ITEM, "edits issues"),
    row("issue list", Reads, NONE, "lists issues"),
    row("issue lock", Writes, ITEM, "locks a conversation"),
    row("issue pin", Writes, ITEM, "pins an issue"),
    row("issue reopen", Writes, ITEM, "reopens an issue"),
    row("issue status", Reads, NONE, "shows the issues that concern you"),
    row("issue transfer", Writes, ITEM_REPOSITORY, "moves an issue to another repository"),
    row("issue unlock", Writes, ITEM, "unlocks a conversation"),
    row("issue unpin", Writes, ITEM, "unpins an issue"),
    row("issue view", Reads, ITEM, "shows an issue"),
    row("label clone", Writes, REPOSITORY, "copies labels into the repository"),
    row("label create", Writes, WORD, "creates a label"),
    row("label delete", Deletes, WORD, "deletes a label and takes it off every issue"),
    row("label edit", Writes, WORD, "edits a label"),
    row("label list", Reads, NONE, "lists labels"),
    row("licenses", Reads, NONE, "prints the licenses of gh's parts"),
    row("mintty", Reads, NONE, "prints a help topic"),
    row("org list", Reads, NONE, "lists organizations"),
    row("pr checkout", WritesFile, ITEM, "changes the working tree"),
    row("pr checks", Reads, ITEM, "shows the checks of a pull request"),
    row("pr close", Writes, ITEM, "closes a pull request"),
    row("pr comment", Writes, ITEM, "comments on a pull request"),
    row("pr create", Writes, NONE, "creates a pull request"),
    row("pr diff", Reads, ITEM, "shows the diff of a pull request"),
    row("pr edit", Writes, ITEM, "edits a pull request"),
    row("pr list", Reads, NONE, "lists pull requests"),
    row("pr lock", Writes, ITEM, "locks a conversation"),
    row("pr merge", Writes, ITEM, "merges a pull request"),
    row("pr ready", Writes, ITEM, "changes whether a pull request is a draft"),
    row("pr reopen", Writes, ITEM, "reopens a pull request"),
    row("pr revert", Writes, ITEM, "opens a pull request that reverts another"),
    row("pr review", Writes, ITEM, "reviews a pull request"),
    row("pr status", Reads, NONE, "shows the pull requests that concern you"),
    row("pr unlock", Writes, ITEM, "unlocks a conversation"),
    row("pr update-branch", Writes, ITEM, "updates the branch of a pull request"),
    row("pr view", Reads, ITEM, "shows a pull request"),
    row("preview prompter", Interactive, WORD, "waits for a person"),
    row("project close", Writes, WORD, "closes or reopens a project"),
    row("project copy", Writes, WORD, "copies a project"),
    row("project create", Writes, NONE, "creates a project"),
    row("project delete", Deletes, WORD, "deletes a project"),
    row("project edit", Writes, WORD, "edits a project"),
    row("project field-create", Writes, WORD, "adds a field to a project"),
    row("project field-delete", Deletes, NONE, "deletes a field with its values"),
    row("project field-list", Reads, WORD, "lists the fields of a project"),
    row("project item-add", Writes, WORD, "adds an item to a project"),
    row("project item-archive", Writes, WORD, "archives an item of a project"),
    row("project item-create", Writes, WORD, "adds a draft to a project"),
    row("project item-delete", Deletes, WORD, "removes an item from a project"),
    row("project item-edit", Writes, WORD, "edits an item of a project"),
    row("project item-list", Reads, WORD, "lists the items of a project"),
    row("project link", Writes, WORD, "links a project to a repository or team"),
    row("project list", Reads, NONE, "lists projects"),
    row("project mark-template", Writes, WORD, "makes a project a template"),
    row("project unlink", Writes, WORD, "unlinks a project from a repository or team"),
    row("project view", Reads, WORD, "shows a project"),
    row("reference", Reads, NONE, "prints the reference of all commands"),
    shaped("release create", Writes, REF_FILE, "creates a release", assets_after_tag),
    row("release delete", Deletes, REF, "deletes a release"),
    row("release delete-asset", Deletes, REF_WORD, "deletes a file of a release"),
    row("release download", WritesFile, REF, "writes local files"),
    row("release edit", Writes, REF, "edits a release"),
    row("release list", Reads, NONE, "lists releases"),
    row("release upload", SendsFile, REF_FILE, "uploads local files"),
    row("release verify", Asks, REF, "asks hosts other than GitHub"),
    row("release verify-asset", Asks, FILE, "reads a local file and asks hosts other than GitHub"),
    row("release view", Reads, REF, "shows a release"),
    row("repo archive", Writes, REPOSITORY, "archives a repository"),
    row("repo autolink create", Writes, WORD_TEXT, "creates an autolink"),
    row("repo autolink delete", Deletes, WORD, "deletes an autolink"),
    row("repo autolink list", Reads, NONE, "lists autolinks"),
    row("repo autolink view", Reads, WORD, "shows an autolink"),
    row("repo clone", WritesFile, REPOSITORY_WORD, "clones into a local directory"),
    row("repo create", Writes, REPOSITORY, "creates a repository"),
    row("repo credits", Reads, REPOSITORY, "prints who wrote a repository"),
    row("repo delete", Deletes, REPOSITORY, "deletes a repository"),
    row("repo deploy-key add", SendsFile, FILE, "uploads a local file as a key that opens the repository"),
    row("repo deploy-key delete", Deletes, WORD, "deletes a deploy key"),
    row("repo deploy-key list", Reads, NONE, "lists deploy keys"),
    row("repo edit", Writes, REPOSITORY, "changes the settings of a repository"),
    row("repo fork", Writes, REPOSITORY, "forks a repository"),
    row("repo garden", Interactive, REPOSITORY, "draws a picture on a terminal and waits for keys"),
    row("repo gitignore list", Reads, NONE, "lists templates"),
    row("repo gitignore view", Reads, WORD, "shows a template"),
    row("repo license list", Reads, NONE, "lists licenses"),
    row("repo license view", Reads, WORD, "shows a license"),
    row("repo list", Reads, ACCOUNT, "lists repositories"),
    row("repo read-dir", Reads, FILE, "lists a directory of a repository"),
    row("repo read-file", Reads, FILE, "shows a file of a repository"),
    row("repo rename", Writes, WORD, "renames a repository"),
    row("repo set-default", Configures, REPOSITORY, "changes the git configuration of the checkout"),
    shaped("repo sync", Writes, REPOSITORY, "updates a branch of a repository", local_without_name),
    row("repo unarchive", Writes, REPOSITORY, "unarchives a repository"),
    row("repo view", Reads, REPOSITORY, "shows a repository"),
    row("ruleset check", Reads, REF, "shows which rules apply to a branch"),
    row("ruleset list", Reads, NONE, "lists rulesets"),
    row("ruleset view", Reads, WORD, "shows a ruleset"),
    row("run cancel", Writes, WORD, "cancels a workflow run"),
    row("run delete", Deletes, WORD, "deletes a workflow run with its logs"),
    row("run download", WritesFile, WORD, "writes local files; the tool gh_run_download does it in a directory of its own"),
    row("run list", Reads, NONE, "lists workflow runs"),
    row("run rerun", Writes, WORD, "reruns a workflow run"),
    row("run view", Reads, WORD, "shows a workflow run"),
    row("run watch", Unbounded, WORD, "waits until the run has ended"),
    row("search code", Reads, TEXT, "searches code"),
    row("search commits", Reads, TEXT, "searches commits"),
    row("search issues", Reads, TEXT, "searches issues"),
    row("search prs", Reads, TEXT, "searches pull requests"),
    row("search repos", Reads, TEXT, "searches repositories"),
    row("secret delete", Deletes, WORD, "deletes a secret"),
    row("secret list", Reads, NONE, "lists the names of secrets"),
    shaped("secret set", Writes, WORD, "sets a secret", body_from_stdin),
    row("send-telemetry", SendsFile, NONE, "sends standard input to a telemetry service"),
    row("skill install", WritesFile, REPOSITORY_WORD, "writes instructions for local agents"),
    row("skill list", Reads, NONE, "lists the installed skills"),
    row("skill preview", Reads, REPOSITORY_WORD, "shows a skill of a repository"),
    row("skill publish", SendsFile, FILE, "publishes a local directory"),
    row("skill search", Reads, TEXT, "searches for skills"),
    row("skill update", WritesFile, WORD, "writes instructions for local agents"),
    row("ssh-key add", SendsFile, FILE, "uploads a local file as a key of the account"),
    row("ssh-key delete", Deletes, WORD, "deletes a key of the account"),
    row("ssh-key list", Reads, NONE, "lists keys"),
    row("stack", Asks, TEXT, "installs or runs an official extension"),
    row("status", Reads, NONE, "shows what concerns you"),
    row("telemetry", Reads, NONE, "prints a help topic"),
    row("variable delete", Deletes, WORD, "deletes a variable"),
    row("variable get", Reads, WORD, "shows a variable"),
    row("variable list", Reads, NONE, "lists variables"),
    shaped("variable set", Writes, WORD, "sets a variable", body_from_stdin),
    row("version", Reads, NONE, "prints the version"),
    row("workflow disable", Writes, WORD, "disables a workflow"),
    row("workflow enable", Writes, WORD, "enables a workflow"),
    row("workflow list", Reads, NONE, "lists workflows"),
    row("workflow run", Writes, WORD, "starts a workflow"),
    row("workflow view", Reads, WORD, "shows a workflow"),
];

fn oci_image(call: &Parsed) -> Option<(Effect, &'static str)> {
    call.positionals
        .iter()
        .any(|p| p.text.contains("://"))
        .then_some((
            Elsewhere,
            "asks any container registry, with the local credentials for it",
        ))
}

fn assets_after_tag(call: &Parsed) -> Option<(Effect, &'static str)> {
    (call.positionals.len() > 1)
        .then_some((SendsFile, "uploads the local files named after the tag"))
}

fn local_without_name(call: &Parsed) -> Option<(Effect, &'static str)> {
    call.positionals.is_empty().then_some((
        WritesFile,
        "changes the local checkout when no repository is named",
    ))
}

fn body_from_stdin(call: &Parsed) -> Option<(Effect, &'static str)> {
    call.value("body").is_none_or(str::is_empty).then_some((
        SendsFile,
        "reads the value from standard input when there is no --body",
    ))
}
