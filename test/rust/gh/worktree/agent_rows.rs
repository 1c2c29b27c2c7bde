//! What an agent changes between two calls: the rows of the tests in agent.rs.

use std::fs;

use super::agent::Places;
use super::ground::git;

/// A change, what it does, and a word that the calls say after it.
pub type Row = (&'static str, fn(&Places<'_>), &'static str);

pub const CONFIGURATION: &[Row] = &[
    (
        "fsmonitor",
        |p| p.configure("[core]\n\tfsmonitor = CANARY\n"),
        "[core] fsmonitor",
    ),
    (
        "hooksPath",
        |p| {
            p.program(&p.store.join("hooks/post-checkout"));
            p.configure("[core]\n\thooksPath = hooks\n");
        },
        "[core] hooksPath",
    ),
    (
        "sshCommand and gitProxy",
        |p| p.configure("[core]\n\tsshCommand = CANARY\n\tgitProxy = CANARY\n"),
        "gitProxy",
    ),
    (
        "uploadpack and receivepack",
        |p| {
            p.configure(
                "[remote \"origin\"]\n\tuploadpack = CANARY\n\treceivepack = CANARY\n\tvcs = ext\n",
            );
        },
        "uploadpack",
    ),
    (
        "include",
        |p| {
            let path = p.store.join("more");
            p.write(&path, &format!("[core]\n\tfsmonitor = {}\n", p.canary));
            p.configure("[include]\n\tpath = more\n[includeIf \"gitdir:/\"]\n\tpath = more\n");
        },
        "[include] path",
    ),
    (
        "insteadOf",
        |p| {
            p.configure(
                "[url \"ext::CANARY \"]\n\tinsteadOf = file://\n\tpushInsteadOf = file://\n",
            );
        },
        "insteadOf",
    ),
    (
        "filters",
        |p| {
            p.configure("[filter \"evil\"]\n\tsmudge = CANARY\n\tclean = CANARY\n\tprocess = CANARY\n\trequired = true\n");
        },
        "smudge",
    ),
    (
        "diff and merge drivers",
        |p| {
            p.configure("[diff \"evil\"]\n\ttextconv = CANARY\n\tcommand = CANARY\n[diff]\n\texternal = CANARY\n[merge \"evil\"]\n\tdriver = CANARY\n");
        },
        "textconv",
    ),
    (
        "core.worktree",
        |p| p.configure(&format!("[core]\n\tworktree = {}\n", p.evil.display())),
        "[core] worktree",
    ),
    (
        "aliases and pagers",
        |p| {
            p.configure("[alias]\n\tstatus = !CANARY\n\tfetch = !CANARY\n[core]\n\tpager = CANARY\n\teditor = CANARY\n[pager]\n\tstatus = CANARY\n");
        },
        "[alias] status",
    ),
    (
        "credential and askpass",
        |p| p.configure("[credential]\n\thelper = !CANARY\n[core]\n\taskPass = CANARY\n"),
        "[credential] helper",
    ),
    (
        "signatures",
        |p| {
            p.configure("[gpg]\n\tprogram = CANARY\n[log]\n\tshowSignature = true\n[commit]\n\tgpgSign = true\n");
        },
        "[gpg] program",
    ),
    (
        "extensions",
        |p| {
            p.configure("[extensions]\n\tworktreeConfig = true\n");
            p.write(
                &p.own.join("config.worktree"),
                &format!("[core]\n\tfsmonitor = {}\n", p.canary),
            );
            p.write(
                &p.store.join("config.worktree"),
                &format!("[core]\n\tfsmonitor = {}\n", p.canary),
            );
        },
        "config.worktree was removed",
    ),
    (
        "promisor",
        |p| {
            p.configure(
                "[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n",
            );
        },
        "partialClone",
    ),
    (
        "symbolic links and attributes file",
        |p| {
            p.write(&p.store.join("attributes"), "* filter=evil\n");
            p.configure("[core]\n\tsymlinks = true\n\tattributesFile = attributes\n\talternateRefsCommand = CANARY\n");
        },
        "[core] attributesFile",
    ),
    (
        "a configuration that is not UTF-8",
        |p| {
            p.open();
            let text = format!("[core]\n\tbare = true\n\tfsmonitor = {}\n# ", p.canary);
            fs::write(
                p.store.join("config"),
                [text.as_bytes(), b"\xff\xfe\n"].concat(),
            )
            .expect("a file");
        },
        "[core] fsmonitor",
    ),
    (
        "a configuration of ten megabytes",
        |p| {
            p.configure(&format!(
                "[core]\n\tfsmonitor = CANARY\n{}",
                "# more\n".repeat(1_500_000)
            ));
        },
        "[core] fsmonitor",
    ),
];

pub const FILES: &[Row] = &[
    (
        "hooks",
        |p| {
            for name in [
                "post-checkout",
                "reference-transaction",
                "post-index-change",
                "pre-commit",
            ] {
                p.program(&p.store.join("hooks").join(name));
            }
        },
        "hooks was removed",
    ),
    (
        "info/attributes",
        |p| {
            p.write(
                &p.store.join("info/attributes"),
                "* filter=evil diff=evil\n",
            );
            p.configure("[filter \"evil\"]\n\tsmudge = CANARY\n\tclean = CANARY\n");
        },
        "info was removed",
    ),
    (
        "commondir of the store",
        |p| p.write(&p.store.join("commondir"), "../../../../evil/bare.git\n"),
        "commondir was removed",
    ),
    (
        "alternates",
        |p| {
            p.write(
                &p.store.join("objects/info/alternates"),
                "/nonexistent\n../../evil/bare.git/objects\n",
            );
        },
        "alternates was removed",
    ),
    (
        "HEAD of the store",
        |p| p.write(&p.store.join("HEAD"), "ref: refs/heads/pr-11\n"),
        "",
    ),
    (
        "commondir of the worktree",
        |p| {
            p.write(
                &p.own.join("commondir"),
                &format!("{}\n", p.evil.join("bare.git").display()),
            );
        },
        "commondir had been changed",
    ),
    (
        "gitdir of the worktree",
        |p| {
            p.write(
                &p.own.join("gitdir"),
                &format!("{}\n", p.evil.join("x").display()),
            );
        },
        "gitdir had been changed",
    ),
    (
        ".git of the worktree",
        |p| {
            p.write(
                &p.worktree.join(".git"),
                &format!("gitdir: {}\n", p.evil.join("bare.git").display()),
            );
        },
        ".git had been changed",
    ),
    (
        ".git as a repository",
        |p| {
            p.open();
            fs::remove_file(p.worktree.join(".git")).expect("a file");
            git(&p.worktree, &["init", "-q"]);
            git(&p.worktree, &["config", "core.fsmonitor", &p.canary]);
        },
        ".git had been changed",
    ),
    (
        ".git as a link",
        |p| p.link(&p.worktree.join(".git"), &p.evil.join("bare.git")),
        ".git had been changed",
    ),
    (
        "an unfinished name that leads away",
        |p| {
            fs::create_dir_all(p.store.join("refs/heads/a")).expect("a directory");
            let up = "..+".repeat(8);
            let target = p.evil.join("file").display().to_string().replace('/', "+");
            p.write(
                &p.store
                    .join("cj-unfinished")
                    .join(format!("a+{up}{}", target.trim_start_matches('+'))),
                "new",
            );
            p.write(&p.store.join("cj-unfinished/%2E."), "new");
        },
        "",
    ),
    (
        "a worktree's name with a line break",
        |p| {
            p.open();
            fs::create_dir_all(p.store.join("worktrees/x%0A[core]")).expect("a directory");
            fs::create_dir_all(p.store.join("worktrees/%22%0A%09fsmonitor=x"))
                .expect("a directory");
        },
        "",
    ),
    (
        "locks",
        |p| {
            for name in ["index.lock", "HEAD.lock"] {
                p.write(&p.own.join(name), "");
            }
            p.write(&p.store.join("packed-refs.lock"), "");
        },
        "",
    ),
    (
        "replaced objects",
        |p| {
            let sha = git(&p.worktree, &["rev-parse", "HEAD"]);
            p.write(
                &p.store.join("refs/replace").join(sha.trim()),
                "0123456789012345678901234567890123456789\n",
            );
        },
        "refs/replace was removed",
    ),
];

pub const LINKS: &[Row] = &[
    (
        "index",
        |p| p.link(&p.own.join("index"), &p.evil.join("file")),
        "index was removed",
    ),
    (
        "log of HEAD",
        |p| p.link(&p.own.join("logs/HEAD"), &p.evil.join("file")),
        "logs/HEAD was removed",
    ),
    (
        "log of the branch",
        |p| p.link(&p.store.join("logs/refs/heads/pr-11"), &p.evil.join("file")),
        "pr-11 was removed",
    ),
    (
        "log of a new branch",
        |p| p.link(&p.store.join("logs/refs/heads/pr-12"), &p.evil.join("file")),
        "pr-12 was removed",
    ),
    (
        "logs",
        |p| p.link(&p.store.join("logs"), &p.evil.join("empty")),
        "logs was removed",
    ),
    (
        "branch",
        |p| p.link(&p.store.join("refs/heads/pr-11"), &p.evil.join("file")),
        "pr-11 was removed",
    ),
    (
        "refs",
        |p| p.link(&p.store.join("refs/heads"), &p.evil.join("empty")),
        "refs/heads was removed",
    ),
    (
        "refs of ours",
        |p| p.link(&p.store.join("refs/cj"), &p.evil.join("empty")),
        "refs/cj was removed",
    ),
    (
        "packed-refs",
        |p| p.link(&p.store.join("packed-refs"), &p.evil.join("file")),
        "packed-refs was removed",
    ),
    (
        "packs",
        |p| p.link(&p.store.join("objects/pack"), &p.evil.join("empty")),
        "pack was removed",
    ),
    (
        "objects",
        |p| p.link(&p.store.join("objects"), &p.evil.join("empty")),
        "objects was removed",
    ),
    (
        "notes of ours",
        |p| p.link(&p.store.join("cj-unfinished"), &p.evil.join("empty")),
        "cj-unfinished was removed",
    ),
    (
        "worktrees",
        |p| p.link(&p.store.join("worktrees"), &p.evil.join("empty")),
        "",
    ),
    (
        "git's directory of the worktree",
        |p| p.link(&p.own, &p.evil.join("empty")),
        "",
    ),
    (
        "configuration",
        |p| p.link(&p.store.join("config"), &p.evil.join("bare.git/config")),
        "config was removed",
    ),
    (
        "FETCH_HEAD",
        |p| p.link(&p.store.join("FETCH_HEAD"), &p.evil.join("file")),
        "FETCH_HEAD was removed",
    ),
    (
        "a second name",
        |p| {
            p.open();
            let log = p.own.join("logs/HEAD");
            fs::remove_file(&log).expect("a log");
            fs::hard_link(p.evil.join("file"), log).expect("a second name");
        },
        "second name",
    ),
    (
        "a pipe for a configuration",
        |p| p.pipe(&p.store.join("config")),
        "config was removed",
    ),
    ("a pipe for a HEAD", |p| p.pipe(&p.own.join("HEAD")), ""),
    (
        "a pipe for packed-refs",
        |p| p.pipe(&p.store.join("packed-refs")),
        "packed-refs was removed",
    ),
    (
        "store",
        |p| {
            p.open();
            fs::rename(&p.store, p.evil.join("empty/r.git")).expect("it moves");
            p.link(&p.store, &p.evil.join("empty/r.git"));
        },
        "it is no directory",
    ),
    (
        "directory of the repository",
        |p| {
            p.open();
            let path = p.worktree.parent().expect("a place");
            fs::rename(path, p.evil.join("empty/r")).expect("it moves");
            p.link(path, &p.evil.join("empty/r"));
        },
        "no directory",
    ),
    (
        "worktree",
        |p| {
            p.open();
            fs::rename(&p.worktree, p.evil.join("empty/pr-11")).expect("it moves");
            p.link(&p.worktree, &p.evil.join("empty/pr-11"));
        },
        "is there already and is no worktree of this gate",
    ),
    (
        "a worktree to be",
        |p| p.link(&p.ground.worktree("pr-12"), &p.evil.join("empty")),
        "is there already and is no worktree of this gate",
    ),
    (
        "lock",
        |p| {
            p.link(
                &p.ground.worktrees().join("github.com/o/.r.lock"),
                &p.evil.join("file"),
            );
        },
        "cannot be used",
    ),
    (
        "owner",
        |p| {
            p.open();
            let path = p.ground.worktrees().join("github.com/o");
            fs::rename(&path, p.evil.join("empty/o")).expect("it moves");
            p.link(&path, &p.evil.join("empty/o"));
        },
        "no directory",
    ),
    (
        "host",
        |p| {
            p.link(
                &p.ground.worktrees().join("github.com"),
                &p.evil.join("empty"),
            );
        },
        "no directory",
    ),
];
