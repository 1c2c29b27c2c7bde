//! The words of each command that changes something: one row a command.
//!
//! `{it}` is the thing that the command is about, `{1}`, `{2}` and `{3}` are its positionals, `{changes}` is what an edit changes, any
//! other name in braces the value of that flag. The repository follows the thing (`issue #2 in acme/tables`), unless the words have
//! `{repo}`, its name, or `{place}`, where it then stands. A part in brackets is left out where it lacks a value, or, if it begins with
//! `FLAG?`, where that flag is not given. A last part `[: {changes}]` comes after the account.

/// The words of one command. The first of its flags that is given and not off chooses the words; a flag written `FLAG=false`
/// chooses them if it is given and off. If no flag fits, the plain words stand.
pub(super) struct Says {
    command: &'static str,
    pub flags: &'static [(&'static str, &'static str)],
    pub plain: &'static str,
}

const fn says(command: &'static str, plain: &'static str) -> Says {
    Says {
        command,
        flags: &[],
        plain,
    }
}

const fn by_flag(
    command: &'static str,
    flags: &'static [(&'static str, &'static str)],
    plain: &'static str,
) -> Says {
    Says {
        command,
        flags,
        plain,
    }
}

/// The row of the command `path`.
pub(super) fn find(path: &str) -> Option<&'static Says> {
    SAYS.iter().find(|row| row.command == path)
}

#[rustfmt::skip]
const SAYS: &[Says] = &[
    says("agent-task create", "Start a coding agent, which goes on by itself[, from the branch {base}]"),
    says("attestation inspect", "Read the attestation in {1}, and ask hosts other than GitHub about it"),
    says("attestation trusted-root", "Fetch what attestations are verified by, from hosts other than GitHub"),
    says("attestation verify", "Verify {1}, and ask hosts other than GitHub about it"),
    says("aw", "Install or run the official extension “aw”"),
    by_flag("cache delete", &[("all", "Delete all caches")], "Delete the cache {1}"),
    says("codespace create", "Create a codespace, which costs money while it runs[, on the branch {branch}][, on {machine}]"),
    by_flag("codespace delete", &[("all", "Delete all codespaces")], "Delete the codespace[ {codespace}] with what is not pushed"),
    says("codespace edit", "Edit the codespace[ {codespace}][: {changes}]"),
    says("codespace ports", "Start the codespace[ {codespace}] and list its ports"),
    says("codespace ports visibility", "Change who can reach ports of the codespace[ {codespace}]: {1}"),
    says("codespace rebuild", "Rebuild the container of the codespace[ {codespace}]"),
    says("codespace stop", "Stop the codespace[ {codespace}]"),
    says("discussion comment", "Comment on {it}"),
    says("discussion create", "Open a discussion[ in the category {category}]"),
    says("discussion edit", "Edit {it}[: {changes}]"),
    by_flag("gist create", &[("public", "Publish a gist")], "Create a secret gist"),
    says("gist delete", "Delete {it}"),
    says("gist edit", "Edit {it}"),
    says("gist rename", "Rename the file {2} of {it} to {3}"),
    says("gpg-key add", "Add the GPG key in {1} to your account"),
    says("gpg-key delete", "Delete the GPG key {1} of your account"),
    says("issue artifact create", "Upload files as artifacts of {it}"),
    says("issue artifact delete", "Delete artifacts of {it}"),
    says("issue artifact edit", "Edit the artifact {2} of {it}"),
    by_flag(
        "issue close",
        &[
            ("duplicate-of", "Close {it} as a duplicate of {duplicate-of}[comment? with a comment]"),
            ("comment", "Close {it}[ as {reason}] with a comment"),
        ],
        "Close {it}[ as {reason}]",
    ),
    by_flag(
        "issue comment",
        &[
            ("delete-last", "Delete your last comment on {it}"),
            ("edit-last", "Replace your last comment on {it}"),
        ],
        "Comment on {it}",
    ),
    says("issue create", "Open an issue[ for {assignee}]"),
    says("issue delete", "Delete {it}"),
    says("issue develop", "Create the branch[ {name}] for {it}[, from {base}][, in {branch-repo}]"),
    says("issue edit", "Edit {it}[: {changes}]"),
    says("issue lock", "Lock the conversation of {it}[ as {reason}]"),
    says("issue pin", "Pin {it}"),
    by_flag("issue reopen", &[("comment", "Reopen {it} with a comment")], "Reopen {it}"),
    says("issue transfer", "Move {it} of {repo} to {2}"),
    says("issue unlock", "Unlock the conversation of {it}"),
    says("issue unpin", "Unpin {it}"),
    by_flag("label clone", &[("force", "Copy the labels of the repository {1} into {repo}, over those of the same name")], "Copy the labels of the repository {1} into {repo}"),
    by_flag("label create", &[("force", "Create or replace the label {1}")], "Create the label {1}"),
    says("label delete", "Delete the label {1}, on every issue too,"),
    says("label edit", "Edit the label {1}[: {changes}]"),
    by_flag(
        "pr close",
        &[("comment", "Close {it} with a comment[delete-branch? and delete its branch]")],
        "Close {it}[delete-branch? and delete its branch]",
    ),
    by_flag(
        "pr comment",
        &[
            ("delete-last", "Delete your last comment on {it}"),
            ("edit-last", "Replace your last comment on {it}"),
        ],
        "Comment on {it}",
    ),
    by_flag(
        "pr create",
        &[("draft", "Open a draft pull request[ from {head}][ into {base}]")],
        "Open a pull request[ from {head}][ into {base}]",
    ),
    says("pr edit", "Edit {it}[: {changes}]"),
    says("pr lock", "Lock the conversation of {it}[ as {reason}]"),
    by_flag(
        "pr merge",
        &[
            ("disable-auto", "Stop {it} from being merged by itself"),
            ("auto", "Merge {it} as soon as its checks and reviews allow[squash?, squashed][rebase?, rebased][delete-branch?, then delete its branch]"),
            ("squash", "Squash and merge {it}[admin? without waiting for what the branch requires][delete-branch?, then delete its branch]"),
            ("rebase", "Rebase and merge {it}[admin? without waiting for what the branch requires][delete-branch?, then delete its branch]"),
        ],
        "Merge {it}[admin? without waiting for what the branch requires][delete-branch?, then delete its branch]",
    ),
    by_flag("pr ready", &[("undo", "Turn {it} back into a draft")], "Mark {it} as ready for review"),
    by_flag("pr reopen", &[("comment", "Reopen {it} with a comment")], "Reopen {it}"),
    by_flag("pr revert", &[("draft", "Open a draft pull request that reverts {it}")], "Open a pull request that reverts {it}"),
    by_flag(
        "pr review",
        &[
            ("approve", "Approve {it}"),
            ("request-changes", "Request changes on {it}"),
        ],
        "Review {it} with a comment, without a verdict",
    ),
    says("pr unlock", "Unlock the conversation of {it}"),
    by_flag(
        "pr update-branch",
        &[("rebase", "Rebase the branch of {it} onto its base")],
        "Merge the base into the branch of {it}",
    ),
    by_flag("project close", &[("undo", "Reopen {it}")], "Close {it}"),
    says("project copy", "Copy {it}[drafts? with its drafts][ as “{title}”]"),
    says("project create", "Create the project[ “{title}”]"),
    says("project delete", "Delete {it}"),
    says("project edit", "Edit {it}[: {changes}]"),
    says("project field-create", "Add the field[ “{name}”][ ({data-type})] to {it}"),
    says("project field-delete", "Delete the field[ {id}] of a project with its values"),
    by_flag("project item-add", &[("url", "Add {url} to {it}")], "Add an item to {it}"),
    by_flag("project item-archive", &[("undo", "Bring the item[ {id}] of {it} back from the archive")], "Archive the item[ {id}] of {it}"),
    says("project item-create", "Add the draft[ “{title}”] to {it}"),
    says("project item-delete", "Remove the item[ {id}] from {it}"),
    by_flag("project item-edit", &[("clear", "Empty a field of the item[ {id}] of a project")], "Edit the item[ {id}] of a project[: {changes}]"),
    by_flag("project link", &[("team", "Link {it} to the team {team}")], "Link {it} to {repo}"),
    by_flag("project mark-template", &[("undo", "Make {it} no longer a template")], "Make {it} a template"),
    by_flag("project unlink", &[("team", "Unlink {it} from the team {team}")], "Unlink {it} from {repo}"),
    by_flag(
        "release create",
        &[("draft", "Draft {it}[ “{title}”]{place}[ at {target}]")],
        "Publish {it}[ “{title}”]{place}[prerelease?, a prerelease][ at {target}]",
    ),
    by_flag("release delete", &[("cleanup-tag", "Delete {it} and its tag")], "Delete {it}"),
    says("release delete-asset", "Delete the file {2} of {it}"),
    says("release download", "Download[ {pattern} of] {it} to this machine"),
    by_flag(
        "release edit",
        &[
            ("draft=false", "Publish {it}[: {changes}]"),
            ("draft", "Turn {it} back into a draft[: {changes}]"),
        ],
        "Edit {it}[: {changes}]",
    ),
    by_flag("release upload", &[("clobber", "Upload files to {it}, over those of the same name")], "Upload files to {it}"),
    says("release verify", "Verify {it}, and ask hosts other than GitHub about it"),
    says("release verify-asset", "Verify a file of a release, and ask hosts other than GitHub about it"),
    says("repo archive", "Archive the repository {repo}"),
    says("repo autolink create", "Create the autolink {1}"),
    says("repo autolink delete", "Delete the autolink {1}"),
    by_flag(
        "repo create",
        &[
            ("public", "Create the public repository {repo}[, from the template {template}]"),
            ("internal", "Create the internal repository {repo}[, from the template {template}]"),
            ("private", "Create the private repository {repo}[, from the template {template}]"),
        ],
        "Create the repository {repo}",
    ),
    says("repo delete", "Delete the repository {repo}"),
    by_flag("repo deploy-key add", &[("allow-write", "Add a key that may write to the repository {repo}")], "Add a key that may read the repository {repo}"),
    says("repo deploy-key delete", "Delete the deploy key {1}"),
    by_flag(
        "repo edit",
        &[("visibility", "Make the repository {repo} {visibility}[: {changes}]")],
        "Edit the repository {repo}[: {changes}]",
    ),
    says("repo fork", "Fork the repository {repo}[ into {org}][ as {fork-name}]"),
    says("repo rename", "Rename the repository {repo} to {1}"),
    by_flag(
        "repo sync",
        &[("force", "Reset[ the branch {branch} of] the repository {repo} to[ {source},] its source")],
        "Update[ the branch {branch} of] the repository {repo} from[ {source},] its source",
    ),
    says("repo unarchive", "Unarchive the repository {repo}"),
    by_flag("run cancel", &[("force", "Cancel {it} by force")], "Cancel {it}"),
    says("run delete", "Delete {it} with its logs"),
    says("run download", "Download the artifact {name} of {it} to this machine"),
    by_flag(
        "run rerun",
        &[("failed", "Rerun the failed jobs of {it}[debug? with debug logs]")],
        "Rerun {it}[debug? with debug logs]",
    ),
    says("secret delete", "Delete the secret {1}[ of the environment {env}][ of {app}]"),
    says("secret set", "Set the secret {1}[ of the environment {env}][ of {app}][user? of your codespaces][ of the organization {org}]"),
    says("send-telemetry", "Send standard input to a telemetry service"),
    says("skill publish", "Publish the skill in {1}"),
    says("ssh-key add", "Add the SSH key in {1} to your account[ as “{title}”]"),
    says("ssh-key delete", "Delete the SSH key {1} of your account"),
    says("stack", "Install or run the official extension “stack”"),
    says("variable delete", "Delete the variable {1}[ of the environment {env}]"),
    says("variable set", "Set the variable {1}[ to “{body}”][ of the environment {env}][ of the organization {org}]"),
    says("workflow disable", "Disable {it}"),
    says("workflow enable", "Enable {it}"),
    says("workflow run", "Start {it}[ on {ref}]"),
];

/// The commands that have a row.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    SAYS.iter().map(|row| row.command)
}
