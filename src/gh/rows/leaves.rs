//! The table of leaves: one row for each, with all that is decided about it.

use super::effect::Effect::{
    Asks, Browser, Configures, Deletes, Editor, Elsewhere, Interactive, PrintsSecret, Reads,
    RunsCode, SendsFile, Unbounded, Writes, WritesFile,
};
use super::leaf::Current::{Branch, Head, OwnRepository, PullRequest};
use super::leaf::Shape::{NoPositional, PositionalsBeyond, UrlPositional, Without};
use super::leaf::{LeafRow, row};
use super::names::Names::{self, Account, Endpoint, File, Item, Ref, Repository, Text, Word};

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

// Sentences of several rows on what cannot be undone.
const NOTIFIED: &str = "Watchers are notified at once; deleting it later does not take that back.";
const EDITED: &str =
    "The former text stays in the edit history; people newly mentioned are notified at once.";
const OPPOSITE: &str = "The opposite command takes it back, but watchers will have been notified.";
const BACK: &str = "It can be taken back by the opposite command.";
const REPLACED: &str = "What was there before is not kept anywhere.";
const VALUE: &str = "The value that was there before is gone.";
const GONE: &str = "What it deletes is gone for good.";
const RUNS: &str =
    "What the run does, a deployment for example, stays done; only the run can be cancelled.";

/// Every leaf of the catalogued versions, sorted by path.
///
/// Source of what GitHub keeps and whom it notifies: its documentation ("Tracking changes in a comment", "About notifications", "Managing
/// releases in a repository": a draft has no tag, and nobody is told; "Dismissing a pull request review"; "Deleting and restoring branches in
/// a pull request").
#[rustfmt::skip]
pub const LEAVES: &[LeafRow] = &[
    row("accessibility", Reads, NONE, "prints a help topic"),
    row("actions", Reads, NONE, "prints a help topic"),
    row("agent-task create", Writes, TEXT, "starts a coding agent that opens a pull request")
        .no_lease("it starts an agent, which goes on by itself"),
    row("agent-task list", Reads, NONE, "lists agent tasks, which the host keeps at its Copilot address"),
    row("agent-task view", Reads, ITEM, "shows an agent task, which the host keeps at its Copilot address"),
    row("alias delete", Configures, WORD, "changes your aliases"),
    row("alias import", Configures, FILE, "changes your aliases"),
    row("alias list", Reads, NONE, "lists your aliases"),
    row("alias set", Configures, WORD_TEXT, "changes your aliases, which can run shell commands"),
    row("api", Reads, ENDPOINT, "asks the API").no_lease("“gh api” can do anything that the account may"), // `judge/api.rs` judges method, fields and path
    row("attestation download", WritesFile, ITEM, "writes attestations into the working directory"),
    row("attestation inspect", Asks, FILE, "reads a local file and asks hosts other than GitHub"),
    row("attestation trusted-root", Asks, NONE, "asks hosts other than GitHub"),
    row("attestation verify", Asks, ITEM, "reads a local file and asks hosts other than GitHub").also(UrlPositional, Elsewhere, "asks any container registry, with the local credentials for it"),
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
    row("co", WritesFile, ITEM, "is an alias that you may have changed; as gh ships it, it changes the working tree"),
    row("codespace code", Interactive, NONE, "opens an editor outside Emacs"),
    row("codespace cp", WritesFile, FILE, "copies files between this machine and a codespace"),
    row("codespace create", Writes, NONE, "creates a codespace, which costs money while it runs"),
    row("codespace delete", Deletes, NONE, "deletes codespaces, with all work in them that was not pushed"),
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
    row("gist edit", Editor, ITEM_WORD, "opens an editor or uploads a local file").no_lease("it publishes to everyone"),
    row("gist list", Reads, NONE, "lists gists"),
    row("gist rename", Writes, ITEM_WORD, "renames a file in a gist").no_lease("it publishes to everyone"),
    row("gist view", Reads, ITEM, "shows a gist"),
    row("gpg-key add", SendsFile, FILE, "uploads a local file as a key of the account"),
    row("gpg-key delete", Deletes, WORD, "deletes a key of the account"),
    row("gpg-key list", Reads, NONE, "lists keys"),
    row("help", Reads, WORD, "prints help"),
    row("issue artifact create", SendsFile, ITEM_TEXT, "uploads local files"),
    row("issue artifact delete", Deletes, ITEM_WORD, "deletes artifacts of an issue").undo(GONE),
    row("issue artifact download", WritesFile, ITEM_WORD, "writes local files"),
    row("issue artifact edit", Writes, ITEM_WORD, "edits an artifact of an issue"),
    row("issue artifact list", Reads, ITEM_WORD, "lists artifacts of an issue"),
    row("issue artifact view", Reads, ITEM_WORD, "shows an artifact of an issue"),
    row("issue close", Writes, ITEM, "closes an issue").undo(OPPOSITE),
    row("issue comment", Writes, ITEM, "comments on an issue").undo(NOTIFIED),
    row("issue create", Writes, NONE, "creates an issue").undo(NOTIFIED),
    row("issue delete", Deletes, ITEM, "deletes an issue").undo(GONE),
    row("issue develop", Writes, ITEM, "creates a branch on GitHub; the checkout stays as it is")
        .undo(OPPOSITE)
        .no_lease("it makes a branch, which others may then fill"),
    row("issue edit", Writes, ITEM, "edits issues").edits(&[("title", "title"), ("body", "body")]).undo(EDITED),
    row("issue list", Reads, NONE, "lists issues"),
    row("issue lock", Writes, ITEM, "locks a conversation").undo(OPPOSITE),
    row("issue pin", Writes, ITEM, "pins an issue").undo(OPPOSITE),
    row("issue reopen", Writes, ITEM, "reopens an issue").undo(OPPOSITE),
    row("issue status", Reads, NONE, "shows the issues that concern you"),
    row("issue transfer", Writes, ITEM_REPOSITORY, "moves an issue to another repository")
        .undo("It can be moved back, but it gets another number, and loses labels that the other repository lacks.")
        .no_lease("it reaches into another repository"),
    row("issue unlock", Writes, ITEM, "unlocks a conversation").undo(OPPOSITE),
    row("issue unpin", Writes, ITEM, "unpins an issue").undo(OPPOSITE),
    row("issue view", Reads, ITEM, "shows an issue"),
    row("label clone", Writes, REPOSITORY, "copies labels into the repository").no_lease("it reads a second repository"),
    row("label create", Writes, WORD, "creates a label"),
    row("label delete", Deletes, WORD, "deletes a label and takes it off every issue"),
    row("label edit", Writes, WORD, "edits a label").undo(REPLACED),
    row("label list", Reads, NONE, "lists labels"),
    row("licenses", Reads, NONE, "prints the licenses of gh's parts"),
    row("mintty", Reads, NONE, "prints a help topic"),
    row("org list", Reads, NONE, "lists organizations"),
    row("pr checkout", WritesFile, ITEM, "changes the working tree; the tool gh_pr_checkout makes a worktree of its own"),
    row("pr checks", Reads, ITEM, "shows the checks of a pull request").current(PullRequest).data_exits(&[1, 8]),
    row("pr close", Writes, ITEM, "closes a pull request").undo(OPPOSITE),
    row("pr comment", Writes, ITEM, "comments on a pull request").current(PullRequest).undo(NOTIFIED),
    row("pr create", Writes, NONE, "creates a pull request").current(Head).undo(NOTIFIED),
    row("pr diff", Reads, ITEM, "shows the diff of a pull request").current(PullRequest).slow().both_ends(),
    row("pr edit", Writes, ITEM, "edits a pull request")
        .current(PullRequest)
        .edits(&[("title", "title"), ("body", "body")])
        .undo(EDITED),
    row("pr list", Reads, NONE, "lists pull requests"),
    row("pr lock", Writes, ITEM, "locks a conversation").undo(OPPOSITE),
    row("pr merge", Writes, ITEM, "merges a pull request")
        .current(PullRequest)
        .undo("The merge stays in the branch's history; a further commit can only take back its effect.")
        .undo_with(&[("delete-branch", "The merge stays in the branch's history; a further commit can only take back its effect. The deleted branch can be restored from the pull request.")]),
    row("pr ready", Writes, ITEM, "changes whether a pull request is a draft").current(PullRequest).undo(OPPOSITE),
    row("pr reopen", Writes, ITEM, "reopens a pull request").undo(OPPOSITE),
    row("pr revert", Writes, ITEM, "opens a pull request that reverts another").undo(NOTIFIED),
    row("pr review", Writes, ITEM, "reviews a pull request")
        .current(PullRequest)
        .undo(NOTIFIED)
        .undo_with(&[
            ("approve", "An approval can be dismissed, but watchers are notified at once."),
            ("request-changes", "The review can be dismissed, but watchers are notified at once."),
        ]),
    row("pr status", Reads, NONE, "shows the pull requests that concern you"),
    row("pr unlock", Writes, ITEM, "unlocks a conversation").undo(OPPOSITE),
    row("pr update-branch", Writes, ITEM, "updates the branch of a pull request").current(PullRequest).undo("The new commits of the branch stay; only a forced push takes them back."),
    row("pr view", Reads, ITEM, "shows a pull request").current(PullRequest),
    row("preview prompter", Interactive, WORD, "waits for a person"),
    row("project close", Writes, WORD, "closes or reopens a project"),
    row("project copy", Writes, WORD, "copies a project"),
    row("project create", Writes, NONE, "creates a project"),
    row("project delete", Deletes, WORD, "deletes a project"),
    row("project edit", Writes, WORD, "edits a project").undo(REPLACED),
    row("project field-create", Writes, WORD, "adds a field to a project"),
    row("project field-delete", Deletes, NONE, "deletes a field with its values"),
    row("project field-list", Reads, WORD, "lists the fields of a project"),
    row("project item-add", Writes, WORD, "adds an item to a project"),
    row("project item-archive", Writes, WORD, "archives an item of a project"),
    row("project item-create", Writes, WORD, "adds a draft to a project"),
    row("project item-delete", Deletes, WORD, "removes an item from a project"),
    row("project item-edit", Writes, WORD, "edits an item of a project").undo(REPLACED),
    row("project item-list", Reads, WORD, "lists the items of a project"),
    row("project link", Writes, WORD, "links a project to a repository or team"),
    row("project list", Reads, NONE, "lists projects"),
    row("project mark-template", Writes, WORD, "makes a project a template"),
    row("project unlink", Writes, WORD, "unlinks a project from a repository or team"),
    row("project view", Reads, WORD, "shows a project"),
    row("reference", Reads, NONE, "prints the reference of all commands"),
    row("release create", Writes, REF_FILE, "creates a release")
        .also(PositionalsBeyond(1), SendsFile, "uploads the local files named after the tag")
        .undo("Watchers are notified, and a tag is made; deleting the release takes back neither.")
        .undo_with(&[("draft", "Only people who may write here see a draft; it can be deleted, and no tag is made before it is published.")])
        .no_lease("it publishes to everyone"),
    row("release delete", Deletes, REF, "deletes a release"),
    row("release delete-asset", Deletes, REF_WORD, "deletes a file of a release"),
    row("release download", WritesFile, REF, "writes local files; the tool gh_release_download does it in a directory of its own"),
    row("release edit", Writes, REF, "edits a release")
        .edits(&[("title", "name"), ("notes", "body")])
        .undo(REPLACED)
        .no_lease("it publishes to everyone"),
    row("release list", Reads, NONE, "lists releases"),
    row("release upload", SendsFile, REF_FILE, "uploads local files"),
    row("release verify", Asks, REF, "asks hosts other than GitHub"),
    row("release verify-asset", Asks, FILE, "reads a local file and asks hosts other than GitHub"),
    row("release view", Reads, REF, "shows a release"),
    row("repo archive", Writes, REPOSITORY, "archives a repository")
        .current(OwnRepository)
        .no_lease("it concerns the repository as a whole"),
    row("repo autolink create", Writes, WORD_TEXT, "creates an autolink"),
    row("repo autolink delete", Deletes, WORD, "deletes an autolink"),
    row("repo autolink list", Reads, NONE, "lists autolinks"),
    row("repo autolink view", Reads, WORD, "shows an autolink"),
    row("repo clone", WritesFile, REPOSITORY_WORD, "clones into a local directory; the tool gh_repo_clone does it in a directory of its own"),
    row("repo create", Writes, REPOSITORY, "creates a repository").no_lease("it makes a repository"),
    row("repo credits", Reads, REPOSITORY, "prints who wrote a repository").current(OwnRepository),
    row("repo delete", Deletes, REPOSITORY, "deletes a repository"),
    row("repo deploy-key add", SendsFile, FILE, "uploads a local file as a key that opens the repository"),
    row("repo deploy-key delete", Deletes, WORD, "deletes a deploy key"),
    row("repo deploy-key list", Reads, NONE, "lists deploy keys"),
    row("repo edit", Writes, REPOSITORY, "changes the settings of a repository")
        .current(OwnRepository)
        .edits(&[("description", "description")])
        .undo(REPLACED)
        .no_lease("it concerns the repository as a whole"),
    row("repo fork", Writes, REPOSITORY, "forks a repository").current(OwnRepository).no_lease("it makes a repository"),
    row("repo garden", Interactive, REPOSITORY, "draws a picture on a terminal and waits for keys"),
    row("repo gitignore list", Reads, NONE, "lists templates"),
    row("repo gitignore view", Reads, WORD, "shows a template"),
    row("repo license list", Reads, NONE, "lists licenses"),
    row("repo license view", Reads, WORD, "shows a license"),
    row("repo list", Reads, ACCOUNT, "lists repositories"),
    row("repo read-dir", Reads, FILE, "lists a directory of a repository"),
    row("repo read-file", Reads, FILE, "shows a file of a repository"),
    row("repo rename", Writes, WORD, "renames a repository")
        .undo("The old name leads here only until somebody else takes it.")
        .no_lease("it concerns the repository as a whole"),
    row("repo set-default", Configures, REPOSITORY, "changes the git configuration of the checkout"),
    row("repo sync", Writes, REPOSITORY, "updates a branch of a repository").also(NoPositional, WritesFile, "changes the local checkout when no repository is named"),
    row("repo unarchive", Writes, REPOSITORY, "unarchives a repository")
        .current(OwnRepository)
        .no_lease("it concerns the repository as a whole"),
    row("repo view", Reads, REPOSITORY, "shows a repository").current(OwnRepository),
    row("ruleset check", Reads, REF, "shows which rules apply to a branch").current(Branch).beside(),
    row("ruleset list", Reads, NONE, "lists rulesets").beside(),
    row("ruleset view", Reads, WORD, "shows a ruleset").beside(),
    row("run cancel", Writes, WORD, "cancels a workflow run").undo("The work of the run so far is lost; it can be run again."),
    row("run delete", Deletes, WORD, "deletes a workflow run with its logs"),
    row("run download", WritesFile, WORD, "writes local files; the tool gh_run_download does it in a directory of its own"),
    row("run list", Reads, NONE, "lists workflow runs"),
    row("run rerun", Writes, WORD, "reruns a workflow run")
        .undo(RUNS),
    row("run view", Reads, WORD, "shows a workflow run").slow().both_ends().shows_ends().data_exits(&[1]),
    row("run watch", Unbounded, WORD, "waits until the run has ended"),
    row("search code", Reads, TEXT, "searches code").slow(),
    row("search commits", Reads, TEXT, "searches commits").slow(),
    row("search issues", Reads, TEXT, "searches issues").slow(),
    row("search prs", Reads, TEXT, "searches pull requests").slow(),
    row("search repos", Reads, TEXT, "searches repositories").slow(),
    row("secret delete", Deletes, WORD, "deletes a secret").beside(),
    row("secret list", Reads, NONE, "lists the names of secrets").beside(),
    row("secret set", Writes, WORD, "sets a secret").also(Without("body"), SendsFile, "reads the value from standard input when there is no --body").beside().undo(VALUE),
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
    row("variable delete", Deletes, WORD, "deletes a variable").beside(),
    row("variable get", Reads, WORD, "shows a variable").beside(),
    row("variable list", Reads, NONE, "lists variables").beside(),
    row("variable set", Writes, WORD, "sets a variable").also(Without("body"), SendsFile, "reads the value from standard input when there is no --body").beside().undo(VALUE),
    row("version", Reads, NONE, "prints the version"),
    row("workflow disable", Writes, WORD, "disables a workflow").undo(BACK),
    row("workflow enable", Writes, WORD, "enables a workflow").undo(BACK),
    row("workflow list", Reads, NONE, "lists workflows"),
    row("workflow run", Writes, WORD, "starts a workflow")
        .undo(RUNS),
    row("workflow view", Reads, WORD, "shows a workflow"),
];
