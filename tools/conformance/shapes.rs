//! Repositories as a hostile stranger would shape them: every setting, hook and attribute that can name a program names a canary, a
//! program that writes its name down.

use crate::place::{Place, executable, make, put};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Settings that name a program; `{}` is the canary that goes by the setting's name.
pub const KEYS: &[(&str, &str)] = &[
    ("core.fsmonitor", "{}"),
    ("core.sshCommand", "{}"),
    ("core.gitProxy", "{}"),
    ("core.askPass", "{}"),
    ("core.editor", "{}"),
    ("core.pager", "{}"),
    ("core.alternateRefsCommand", "{}"),
    ("sequence.editor", "{}"),
    ("pager.log", "{}"),
    ("pager.config", "{}"),
    ("pager.remote", "{}"),
    ("pager.branch", "{}"),
    ("pager.diff", "{}"),
    ("credential.helper", "!{}"),
    ("credential.https://github.com.helper", "{}"),
    ("filter.evil.clean", "{}"),
    ("filter.evil.smudge", "{}"),
    ("filter.long.process", "{}"),
    ("diff.external", "{}"),
    ("diff.evil.textconv", "{}"),
    ("diff.other.command", "{}"),
    ("merge.evil.driver", "{}"),
    ("mergetool.evil.cmd", "{}"),
    ("difftool.evil.cmd", "{}"),
    ("gpg.program", "{}"),
    ("gpg.openpgp.program", "{}"),
    ("gpg.ssh.program", "{}"),
    ("gpg.x509.program", "{}"),
    ("gpg.ssh.defaultKeyCommand", "{}"),
    ("alias.log", "!{}"),
    ("alias.remote", "!{}"),
    ("alias.config", "!{}"),
    ("alias.fetch", "!{}"),
    ("alias.evil", "!{}"),
    ("submodule.sub.update", "!{}"),
    ("interactive.diffFilter", "{}"),
    ("trailer.evil.command", "{}"),
    ("trailer.evil.cmd", "{}"),
    ("uploadpack.packObjectsHook", "{}"),
    ("browser.evil.cmd", "{}"),
    ("man.evil.cmd", "{}"),
    ("tar.evil.command", "{}"),
    ("sendemail.evil.smtpserver", "{}"),
    ("remote.origin.uploadpack", "{}"),
    ("remote.origin.receivepack", "{}"),
];

/// Settings by which git starts the programs that the settings of [`KEYS`] name.
const BAITS: &[(&str, &str)] = &[
    ("protocol.ext.allow", "always"),
    ("protocol.allow", "always"),
    ("log.showSignature", "true"),
    ("commit.gpgSign", "true"),
    ("push.gpgSign", "true"),
    ("submodule.recurse", "true"),
    ("fetch.recurseSubmodules", "true"),
    ("core.fsmonitorHookVersion", "2"),
    ("color.ui", "always"),
    ("web.browser", "evil"),
    ("diff.tool", "evil"),
    ("merge.tool", "evil"),
    ("safe.bareRepository", "all"),
    ("safe.directory", "*"),
    ("branch.quoted-fields.remote", "origin"),
    ("branch.quoted-fields.merge", "refs/heads/quoted-fields"),
];

/// The hooks: each is a canary below `core.hooksPath` and in the repository's own folder.
pub const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
];

/// Kinds of remotes: a name, and settings.  The push URL tells gh which repository this is, while the fetch URL may be another.
pub const REMOTES: &[(&str, &[(&str, &str)])] = &[
    (
        "https",
        &[("remote.origin.url", "https://github.com/o/r.git")],
    ),
    (
        "ssh",
        &[
            ("remote.origin.url", "git@github.com:o/r.git"),
            ("url.ssh://git@github.com/.insteadOf", "https://github.com/"),
        ],
    ),
    (
        "ext",
        &[
            ("remote.origin.url", "ext::{} %S"),
            ("remote.origin.pushurl", "https://github.com/o/r.git"),
        ],
    ),
    (
        "insteadOf",
        &[
            ("remote.origin.url", "short:o/r.git"),
            ("remote.origin.pushurl", "https://github.com/o/r.git"),
            ("url.ext::{} %S .insteadOf", "short:"),
        ],
    ),
    (
        "git",
        &[
            ("remote.origin.url", "git://github.com/o/r.git"),
            ("remote.origin.proxy", "http://127.0.0.1:9"),
        ],
    ),
    (
        "local",
        &[
            ("remote.origin.url", "{remotes}/github.com/o/r.git"),
            ("remote.origin.pushurl", "https://github.com/o/r.git"),
        ],
    ),
    (
        "helper",
        &[
            ("remote.origin.url", "https://github.com/o/r.git"),
            ("remote.origin.vcs", "canary"),
        ],
    ),
    (
        "promisor",
        &[
            ("remote.origin.url", "{remotes}/github.com/o/r.git"),
            ("remote.origin.pushurl", "https://github.com/o/r.git"),
            ("remote.origin.promisor", "true"),
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
        ],
    ),
];

/// The shapes of the directories in which a call runs: a checkout, a bare repository, and a checkout whose `.git` is a file that
/// names the repository.
pub const SHAPES: &[&str] = &["checkout", "bare", "gitfile"];

/// The commands of git that are run unprotected, to find out which canaries can fire at all.
pub const GIT_COMMANDS: &[&[&str]] = &[
    &["status"],
    &["log", "-p"],
    &["log", "-p", "--no-ext-diff"],
    &["log", "--show-signature"],
    &["diff", "main"],
    &["diff", "--no-ext-diff", "main"],
    &["add", "-A"],
    &["commit", "--allow-empty", "-m", "x"],
    &["commit", "--no-gpg-sign", "--allow-empty", "-e", "-m", "x"],
    &[
        "commit",
        "--no-gpg-sign",
        "--allow-empty",
        "-m",
        "x",
        "--trailer",
        "evil=1",
    ],
    &["checkout", "-q", "-f", "main"],
    &["merge", "--no-gpg-sign", "-m", "x", "both"],
    &["merge", "--no-gpg-sign", "--no-ff", "-m", "x", "main"],
    &["rebase", "--no-gpg-sign", "--autostash", "-i", "--root"],
    &["am", "../patch"],
    &["fetch", "origin"],
    &["push", "--no-signed", "origin", "HEAD:refs/heads/x"],
    &["difftool", "-y", "main"],
    &["evil"],
    &["included"],
    &["archive", "--format=evil", "HEAD"],
    &["submodule", "update", "--init"],
    &["credential", "fill"],
    &["tag", "-s", "x", "-m", "x"],
    &["-c", "gpg.format=ssh", "tag", "-s", "y", "-m", "y"],
    &["-c", "gpg.format=x509", "tag", "-s", "z", "-m", "z"],
    &["web--browse", "https://github.com/"],
    &["remote", "-v"],
    &["config", "--list"],
    &["stash"],
];

/// Makes the canaries of `place`, and a script in git's place that logs its arguments and then runs `git` with the
/// environment unchanged.
pub fn install(place: &Place, git: &Path) -> Result<(), String> {
    let names = KEYS.iter().map(|(key, _)| (*key).to_owned());
    let hooks = HOOKS.iter().map(|hook| format!("hook {hook}"));
    let others = ["ext", "insteadOf", "included"].map(str::to_owned);
    for name in names.chain(hooks).chain(others) {
        canary(place, &canary_path(place, &name), &name)?;
    }
    canary(
        place,
        &place.dir.join("bin/git-remote-canary"),
        "remote.origin.vcs",
    )?;
    for hook in HOOKS {
        let name = format!("hook {hook}");
        canary(place, &place.dir.join("hooks").join(hook), &name)?;
    }
    put(
        &place.dir.join("included"),
        &format!(
            "[alias]\n\tincluded = !{}\n",
            canary_path(place, "included").display()
        ),
    )?;
    let wrapper = place.dir.join("bin/git");
    let text = format!(
        "#!/bin/sh\necho \"$PWD: $*\" >>'{}'\nexec '{}' \"$@\"\n",
        place.dir.join("starts").display(),
        git.display()
    );
    put(&wrapper, &text)?;
    executable(&wrapper)
}

/// How many canaries there are.
pub fn canaries() -> usize {
    KEYS.len() + HOOKS.len() + 4
}

fn canary_path(place: &Place, name: &str) -> PathBuf {
    let file = name.replace(['/', ' ', ':'], "_");
    place.dir.join("canaries").join(file)
}

fn canary(place: &Place, path: &Path, name: &str) -> Result<(), String> {
    let log = place.dir.join("fired");
    let text = format!("#!/bin/sh\necho '{name}' >>'{}'\nexit 0\n", log.display());
    put(path, &text)?;
    executable(path)
}

/// Shapes the working directory of `place`; returns where a call is to run.
pub fn shape(place: &Place, shape: &str, remote: &str) -> Result<PathBuf, String> {
    let tree = place.cwd();
    place.renew()?;
    let git = tree.join(".git");
    let mut config = fs::read_to_string(git.join("config")).map_err(|error| error.to_string())?;
    // The remote of the copied checkout gives way to the remote of this shape.
    if let Some(at) = config.find("[remote \"origin\"]") {
        config.truncate(at);
    }
    let (_, of_remote) = REMOTES
        .iter()
        .find(|(name, _)| *name == remote)
        .ok_or("there is no such kind of remote")?;
    let scratch = place.dir.parent().unwrap_or(Path::new("/"));
    for (key, value) in KEYS.iter().chain(BAITS).chain(*of_remote) {
        let own = match *key {
            key if key.ends_with(".insteadOf") => "insteadOf",
            "remote.origin.url" => "ext",
            key => key,
        };
        let own = canary_path(place, own).display().to_string();
        let fill = |text: &str| {
            let remotes = scratch.join("remotes").display().to_string();
            text.replace("{remotes}", &remotes).replace("{}", &own)
        };
        entry(&mut config, &fill(key), &fill(value));
    }
    entry(
        &mut config,
        "core.hooksPath",
        &place.dir.join("hooks").display().to_string(),
    );
    entry(
        &mut config,
        "include.path",
        &place.dir.join("included").display().to_string(),
    );
    entry(
        &mut config,
        "remote.origin.fetch",
        "+refs/heads/*:refs/remotes/origin/*",
    );
    for hook in HOOKS {
        canary(
            place,
            &git.join("hooks").join(hook),
            &format!("hook {hook}"),
        )?;
    }
    let mut attributes =
        "* filter=evil diff=evil merge=evil\n*.md filter=evil diff=other\n".to_owned();
    if shape == "gitfile" {
        // Git ends where it runs the filter `long`, so other canaries cannot fire in this shape.
        attributes.push_str("*.json filter=long\n");
    }
    put(&git.join("info/attributes"), &attributes)?;
    put(&tree.join(".gitattributes"), &attributes)?;
    put(
        &tree.join(".gitmodules"),
        "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tupdate = none\n",
    )?;
    put(&tree.join("notes.txt"), "other notes\n")?;
    put(&tree.join("body.md"), "another body\n")?;
    if remote == "promisor" {
        forget_a_commit(&git)?;
    }
    match shape {
        "checkout" => {
            put(&git.join("config"), &config)?;
            Ok(tree)
        }
        // A bare repository among the plain files of a clone: git takes it for a repository without a `.git'.
        "bare" => {
            put(
                &git.join("config"),
                &config.replace("bare = false", "bare = true"),
            )?;
            let bare = tree.join("vendor/evil");
            make(&tree.join("vendor"))?;
            fs::rename(&git, &bare).map_err(|error| error.to_string())?;
            Ok(bare)
        }
        "gitfile" => {
            put(&git.join("config"), &config)?;
            let away = tree.join("vendor/evil");
            make(&tree.join("vendor"))?;
            fs::rename(&git, &away).map_err(|error| error.to_string())?;
            put(&git, "gitdir: vendor/evil\n")?;
            Ok(tree)
        }
        other => Err(format!("there is no shape {other}")),
    }
}

/// Adds `key` with `value` to `config`, in git's own form.
fn entry(config: &mut String, key: &str, value: &str) {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let head = match rest.rsplit_once('.') {
        Some((subsection, _)) => format!("{section} \"{}\"", quoted(subsection)),
        None => section.to_owned(),
    };
    let variable = rest.rsplit_once('.').map_or(rest, |(_, variable)| variable);
    writeln!(config, "[{head}]\n\t{variable} = \"{}\"", quoted(value))
        .expect("writing to a string can't fail");
}

/// Takes the parent of HEAD out of the object store, so that a partial clone would ask its promisor for it.
fn forget_a_commit(git: &Path) -> Result<(), String> {
    let main =
        fs::read_to_string(git.join("refs/heads/main")).map_err(|error| error.to_string())?;
    let (dir, file) = main.trim().split_at(2);
    fs::remove_file(git.join("objects").join(dir).join(file)).map_err(|error| error.to_string())
}

/// The canaries that fired at `place` since the last call of this function, each once.
pub fn fired(place: &Place) -> Vec<String> {
    let log = place.dir.join("fired");
    let text = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log); // missing where no canary fired
    let mut out: Vec<String> = text.lines().map(str::to_owned).collect();
    out.sort();
    out.dedup();
    out
}

/// The starts of git at `place` since the last call of this function, without those in an extension's folder: every command of gh
/// looks into each extension.
pub fn starts(place: &Place) -> Vec<String> {
    let log = place.dir.join("starts");
    let text = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log); // missing where git was not started
    let lines = text
        .lines()
        .filter(|line| !line.contains("/gh/extensions/"));
    lines.map(str::to_owned).collect()
}

/// The canaries that fire when `git` runs each command of [`GIT_COMMANDS`] at `place`, with `environment` alone, in every shape and
/// with every remote.
pub fn fired_by_git(
    place: &Place,
    git: &Path,
    environment: &[(&str, String)],
) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for (remote, _) in REMOTES {
        for one in SHAPES {
            if *one != SHAPES[0] && *remote != REMOTES[0].0 {
                continue; // the shape of the directory does not change how git fetches
            }
            for words in GIT_COMMANDS {
                let asks_host = matches!(words[0], "fetch" | "push" | "submodule" | "log");
                if *remote != REMOTES[0].0 && !asks_host {
                    continue;
                }
                let cwd = shape(place, one, remote)?;
                let mut child = Command::new(git)
                    .args(*words)
                    .current_dir(&cwd)
                    .env_clear()
                    .envs(environment.iter().map(|(name, value)| (name, value)))
                    .stdin(Stdio::piped())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .map_err(|error| format!("{}: {error}", git.display()))?;
                if let Some(mut input) = child.stdin.take() {
                    // Many commands read no input and have ended by now, so the write may fail.
                    let _ = input.write_all(b"protocol=https\nhost=github.com\n\n");
                }
                let _ = child.wait(); // most commands fail, since their programs are canaries
                all.extend(fired(place));
            }
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}
