//! The variables and settings with which git runs, so that no repository and no user's configuration names a program or a host for it.

/// Variables of every git that runs, ours and gh's.  With them, nothing that git reads makes it start a program or ask a host.
pub const FIXED_FOR_EVERY_GIT: &[(&str, &str, &str)] = &[
    (
        "GIT_OPTIONAL_LOCKS",
        "0",
        "a read must not get in the way of the user's own git",
    ),
    ("GIT_TERMINAL_PROMPT", "0", "nobody can answer"),
    ("GIT_PAGER", "cat", "no pager"),
    ("GIT_EDITOR", "/bin/false", "opens nothing"),
    ("GIT_SEQUENCE_EDITOR", "/bin/false", "opens nothing"),
    ("GIT_ASKPASS", "/bin/false", "nobody can answer"),
    ("SSH_ASKPASS", "/bin/false", "nobody can answer"),
    (
        "GIT_ALLOW_PROTOCOL",
        "none",
        "git fetches and pushes by no protocol",
    ),
    (
        "GIT_NO_LAZY_FETCH",
        "1",
        "git asks no remote for a missing object",
    ),
    (
        "GIT_SSH_COMMAND",
        "/bin/false",
        "overrules the program in core.sshCommand",
    ),
    (
        "GIT_PROXY_COMMAND",
        "/bin/false",
        "overrules the program in core.gitProxy",
    ),
    (
        "GIT_GRAFT_FILE",
        "/nonexistent",
        "a file of a repository could say that a commit has other parents",
    ),
];

/// Settings of every git that runs.  They come last, as those of a command line do, so they overrule a repository's own.
/// Source: git-config(1), `GIT_CONFIG_COUNT` (git 2.31 and later).
pub const SETTINGS_FOR_EVERY_GIT: &[(&str, &str, &str)] = &[
    (
        "safe.bareRepository",
        "explicit",
        "a directory in a checkout may look like a bare repository, with a configuration of its own",
    ),
    ("core.fsmonitor", "false", "it can name a program"),
    ("core.hooksPath", "/dev/null", "hooks are programs"),
    (
        "core.alternateRefsCommand",
        "/bin/false",
        "it names a program",
    ),
    (
        "credential.helper",
        "",
        "it names a program; an empty value clears the list of helpers",
    ),
    (
        "protocol.allow",
        "never",
        "git fetches and pushes by no protocol",
    ),
    (
        "log.showSignature",
        "false",
        "git would run the program in gpg.program to check a signature",
    ),
    (
        "submodule.recurse",
        "false",
        "git would go on into other repositories",
    ),
    (
        "core.commitGraph",
        "false",
        "a file of a repository could say that a commit has other parents",
    ),
];

/// The variables that pass `settings` to git, as those of a command line are passed (`GIT_CONFIG_COUNT`, git-config(1)).
pub fn numbered<'a>(settings: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut count = 0;
    for (key, value) in settings {
        variables.push((format!("GIT_CONFIG_KEY_{count}"), key.to_owned()));
        variables.push((format!("GIT_CONFIG_VALUE_{count}"), value.to_owned()));
        count += 1;
    }
    variables.push(("GIT_CONFIG_COUNT".to_owned(), count.to_string()));
    variables
}

/// Further variables of git on repositories of ours: name, value and reason.  Source: git(1), git 2.30 to 2.47.
pub const FIXED_FOR_OUR_REPOSITORIES: &[(&str, &str, &str)] = &[
    (
        "LC_ALL",
        "C",
        "messages in English, which a program can read",
    ),
    (
        "GIT_CONFIG_NOSYSTEM",
        "1",
        "no configuration of the system, in every version",
    ),
    (
        "GIT_CONFIG_SYSTEM",
        "/dev/null",
        "no configuration of the system (git 2.32)",
    ),
    (
        "GIT_CONFIG_GLOBAL",
        "/dev/null",
        "no configuration of the user (git 2.32)",
    ),
    (
        "HOME",
        "/nonexistent",
        "no configuration of the user, in every version",
    ),
    (
        "XDG_CONFIG_HOME",
        "/nonexistent",
        "no configuration of the user, in every version",
    ),
    ("GIT_ATTR_NOSYSTEM", "1", "no attributes of the system"),
    (
        "GIT_NO_REPLACE_OBJECTS",
        "1",
        "a commit is the one that its number names",
    ),
    ("GIT_LFS_SKIP_SMUDGE", "1", "files of Git LFS stay pointers"),
];

/// Further settings of git on repositories of ours: name, value and reason.  Source: git-config(1), git 2.30 to 2.47.
pub const SETTINGS_FOR_OUR_REPOSITORIES: &[(&str, &str, &str)] = &[
    (
        "core.symlinks",
        "false",
        "a symbolic link is written as a file, so nothing leads out of the worktree",
    ),
    (
        "core.protectNTFS",
        "true",
        "names that another file system reads as .git are refused",
    ),
    (
        "core.protectHFS",
        "true",
        "names that another file system reads as .git are refused",
    ),
    (
        "core.attributesFile",
        "/dev/null",
        "no attributes of the user",
    ),
    (
        "core.excludesFile",
        "/dev/null",
        "no list of ignored files of the user",
    ),
    (
        "core.bigFileThreshold",
        "16m",
        "a large file is copied piece by piece and not held in memory",
    ),
    ("core.precomposeUnicode", "false", "names stay as they are"),
    ("core.quotePath", "false", "names are escaped by the gate"),
    ("pack.threads", "1", "memory is bounded"),
    ("gc.auto", "0", "no program goes on in the background"),
    (
        "maintenance.auto",
        "false",
        "no program goes on in the background",
    ),
    (
        "fetch.unpackLimit",
        "1",
        "everything that comes is one file, whose size has a limit",
    ),
    (
        "fetch.writeCommitGraph",
        "false",
        "nothing but objects is written",
    ),
    (
        "fetch.recurseSubmodules",
        "false",
        "one repository is meant",
    ),
    ("push.recurseSubmodules", "no", "one repository is meant"),
    ("push.followTags", "false", "one branch is meant"),
    ("push.gpgSign", "false", "it runs a program"),
    (
        "http.followRedirects",
        "false",
        "a credential and the answer belong to the one host",
    ),
    ("http.lowSpeedLimit", "1", "a dead connection ends"),
    ("http.lowSpeedTime", "60", "a dead connection ends"),
    ("advice.detachedHead", "false", "no lessons in the result"),
];
