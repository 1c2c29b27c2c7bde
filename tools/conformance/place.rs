//! The place in which a worker runs gh: a scratch home, a checkout of `o/r`, sham programs on PATH, and a stand-in GitHub of its own.
//!
//! Each place is restored after each run, so that no run sees the effects of another.

use cj_gate::foreign::Foreign;
use cj_gate::gh::place::context::{CONFIG_PATTERN, GitFacts};
use cj_gate::gh::place::hosts::{Hosts, HostsFile, known_hosts};
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Every secret that gh could print, with its name for the report: plain, and as the beginning of the base64 that a jq program makes of it.
pub const SECRETS: &[(&str, &str)] = &[
    (
        "the token of github.com",
        "gho_0123456789abcdef0123456789abcdef0123",
    ),
    (
        "the token of github.com",
        "Z2hvXzAxMjM0NTY3ODlhYmNkZWYwMTIz",
    ),
    (
        "the token of the other account",
        "gho_abcdefghijklmnopqrstuvwxyz0123456789",
    ),
    (
        "the token of ghe.example.com",
        "ghp_fedcba9876543210fedcba9876543210fedc",
    ),
    (
        "the token of ghe.example.com",
        "Z2hwX2ZlZGNiYTk4NzY1NDMyMTBmZWRj",
    ),
];

/// The host of coding agents. GitHub's own answer names it (`copilotEndpoints`), and `gh agent-task` sends it the token of github.com.
pub const COPILOT: &str = "api.githubcopilot.com";

/// Programs that gh may look for; the sham program in the place of each writes its name down and does nothing else.
const SHAM: &[&str] = &[
    "ssh",
    "scp",
    "ssh-keygen",
    "code",
    "code-insiders",
    "sham-browser",
    "sham-editor",
    "sham-pager",
    "xdg-open",
    "x-www-browser",
    "www-browser",
    "wslview",
    "dbus-launch",
    "docker",
    "gpg",
    "copilot",
    "nano",
    "vi",
    "vim",
    "less",
    "npx",
    "npm",
    "jupyter",
];

/// Where gh finds the tokens of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Login {
    /// Tokens in hosts.yml.
    Stored,
    /// Tokens in hosts.yml and in the environment.
    Both,
    /// A user in hosts.yml, and a token in the keyring, which gh cannot reach here: gh has no token.
    Keyring,
}

/// The directory that all workers share; removed when dropped.
pub struct Scratch {
    pub dir: PathBuf,
    pub facts: GitFacts,
    git: PathBuf,
}

/// One worker's place.
pub struct Place {
    pub dir: PathBuf,
    lab: Child,
    read: u64,
    template: PathBuf,
}

impl Scratch {
    /// Makes the checkout that every place gets a copy of, and the repositories from which `git fetch` and `git clone` read
    /// instead of GitHub's.
    pub fn new() -> Result<Self, String> {
        let dir = std::env::temp_dir().join(format!("cj-conf-{}", std::process::id()));
        make(&dir)?;
        let path = std::env::var("PATH").unwrap_or_default();
        let git = std::env::split_paths(&path)
            .map(|dir| dir.join("git"))
            .find(|git| git.is_file())
            .ok_or("git was not found on PATH")?;
        let mut scratch = Self {
            dir,
            facts: GitFacts::default(),
            git,
        };
        scratch.checkout()?;
        Ok(scratch)
    }

    fn git(&self, cwd: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
        let output = Command::new(&self.git)
            .args(words)
            .current_dir(cwd)
            .env_clear()
            .env("HOME", &self.dir)
            .env("PATH", "/usr/bin:/bin")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
            .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("git: {error}"))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(format!(
                "git {words:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            ))
        }
    }

    fn checkout(&mut self) -> Result<(), String> {
        put(&self.dir.join(".gitconfig"), GITCONFIG)?;
        let tree = self.dir.join("checkout");
        for (name, text) in FILES {
            put(&tree.join(name), text)?;
        }
        for words in [
            &["init", "-q", "-b", "main"][..],
            &["add", "-A"],
            &["commit", "-q", "-m", "Start"],
            &["tag", "v1.1"],
            &["checkout", "-q", "-b", "quoted-fields"],
            &["commit", "-q", "--allow-empty", "-m", "Keep reading"],
            &["remote", "add", "origin", "https://github.com/o/r.git"],
            &["config", "branch.quoted-fields.remote", "origin"],
            &[
                "config",
                "branch.quoted-fields.merge",
                "refs/heads/quoted-fields",
            ],
            &["config", "branch.main.remote", "origin"],
            &["config", "branch.main.merge", "refs/heads/main"],
        ] {
            self.git(&tree, words)?;
        }
        let _ = fs::remove_dir_all(tree.join(".git/hooks")); // git's sample hooks never run, and copying them takes time
        for bare in [
            "github.com/o/r.git",
            "github.com/o/r.wiki.git",
            "github.com/octo/r.git",
            "github.com/octo/fresh.git",
            "gist.github.com/0123456789abcdef0123.git",
        ] {
            let bare = self.dir.join("remotes").join(bare);
            make(&bare)?;
            let from = tree.to_string_lossy().into_owned();
            self.git(&bare, &["clone", "-q", "--bare", &from, "."])?;
            self.git(&bare, &["update-ref", "refs/pull/1/head", "quoted-fields"])?;
            self.git(&bare, &["branch", "2-rows", "main"])?;
        }
        self.facts = GitFacts {
            config: self
                .git(&tree, &["config", "-z", "--get-regexp", CONFIG_PATTERN])?
                .into(),
            branch: Some("quoted-fields".to_owned()),
            commits: None,
        };
        Ok(())
    }

    /// The place of the worker `name`, with its own `lab github`.
    pub fn place(&self, name: &str, lab: &Path) -> Result<Place, String> {
        let dir = self.dir.join(name);
        let bin = dir.join("bin");
        make(&bin)?;
        let sham = bin.join(".sham");
        let started = dir.join("started");
        put(
            &sham,
            &format!("#!/bin/sh\necho \"${{0##*/}}\" >>'{}'\n", started.display()),
        )?;
        executable(&sham)?;
        for name in SHAM {
            symlink(&sham, bin.join(name)).map_err(|error| error.to_string())?;
        }
        let wrapper = bin.join("git");
        put(&wrapper, &git_wrapper(&self.git, &self.dir.join("remotes")))?;
        executable(&wrapper)?;
        let child = Command::new(lab)
            .args(["github", "--until-eof", "--forget", "--log-queries"])
            .args(["--ghe", "ghe.example.com", "--ghe", COPILOT])
            .arg("--fixtures")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conformance"))
            .arg("--socket")
            .arg(dir.join("s"))
            .arg("--log")
            .arg(dir.join("requests"))
            .arg("--ready")
            .arg(dir.join("ready"))
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", lab.display()))?;
        let mut place = Place {
            dir,
            lab: child,
            read: 0,
            template: self.dir.join("checkout"),
        };
        let end = Instant::now() + Duration::from_secs(20);
        while !place.dir.join("ready").exists() {
            if Instant::now() > end {
                return Err("the stand-in GitHub did not start within 20 s".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        place.reset(Login::Stored, true)?;
        Ok(place)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

impl Place {
    pub fn cwd(&self) -> PathBuf {
        self.dir.join("checkout")
    }

    /// Restores home and configuration with the login `login`, and the checkout when a run `changed` it.
    pub fn reset(&mut self, login: Login, changed: bool) -> Result<(), String> {
        for name in ["home", "tmp"] {
            let _ = fs::remove_dir_all(self.dir.join(name));
        }
        let _ = fs::remove_file(self.dir.join("started"));
        let home = self.dir.join("home");
        put(&home.join(".gitconfig"), GITCONFIG)?;
        let config = format!(
            "{CONFIG}http_unix_socket: {}\n",
            self.dir.join("s").display()
        );
        put(&home.join("config/gh/config.yml"), &config)?;
        put(&home.join("config/gh/hosts.yml"), hosts_yml(login))?;
        let extension = home.join("data/gh/extensions/gh-mine/gh-mine");
        put(&extension, "#!/bin/sh\necho the extension ran\n")?;
        executable(&extension)?;
        for name in ["home/cache", "home/state", "tmp"] {
            make(&self.dir.join(name))?;
        }
        if changed {
            self.renew()?;
        }
        Ok(())
    }

    /// Restores the checkout.
    pub fn renew(&self) -> Result<(), String> {
        let _ = fs::remove_dir_all(self.cwd()); // missing before the first run
        copy(&self.template, &self.cwd())
    }

    /// Writes the hosts.yml of `login`, before the first run of a case.
    pub fn reset_login(&self, login: Login) -> Result<(), String> {
        put(&self.dir.join("home/config/gh/hosts.yml"), hosts_yml(login))
    }

    /// The environment (`NAME=value`) that Emacs would have.
    pub fn given(&self, login: Login) -> Foreign<Vec<String>> {
        let home = self.dir.join("home");
        let home = home.display();
        let mut given = vec![
            format!("HOME={home}"),
            format!("PATH={}:/usr/bin:/bin", self.dir.join("bin").display()),
            format!("XDG_CONFIG_HOME={home}/config"),
            format!("XDG_CACHE_HOME={home}/cache"),
            format!("XDG_DATA_HOME={home}/data"),
            format!("XDG_STATE_HOME={home}/state"),
            format!("GH_CONFIG_DIR={home}/config/gh"),
            format!("TMPDIR={}", self.dir.join("tmp").display()),
            "LANG=C.UTF-8".to_owned(),
            // Nothing listens at this address: a request that does not use the stand-in's socket fails.
            "HTTPS_PROXY=http://127.0.0.1:9".to_owned(),
            "HTTP_PROXY=http://127.0.0.1:9".to_owned(),
        ];
        if login == Login::Both {
            given.push(format!("GH_TOKEN={}", SECRETS[0].1));
            given.push(format!("GH_ENTERPRISE_TOKEN={}", SECRETS[3].1));
        }
        given.into()
    }

    /// gh's cache, the only directory in which a read may write.
    pub fn cache(&self) -> PathBuf {
        self.dir.join("home/cache/gh")
    }

    /// The requests that the stand-in got since the last call of this function.
    pub fn requests(&mut self) -> Result<Vec<serde_json::Value>, String> {
        let mut text = String::new();
        let say = |error: std::io::Error| format!("the log of requests: {error}");
        let mut file = fs::File::open(self.dir.join("requests")).map_err(say)?;
        file.seek(SeekFrom::Start(self.read)).map_err(say)?;
        file.read_to_string(&mut text).map_err(say)?;
        // The stand-in writes whole lines. A request of a killed gh may still arrive later, and is read then.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        self.read += whole as u64;
        text[..whole]
            .lines()
            .map(|line| serde_json::from_str(line).map_err(|error| error.to_string()))
            .collect()
    }

    /// The names of the sham programs that were started since the last reset.
    pub fn started(&self) -> Vec<String> {
        let text = fs::read_to_string(self.dir.join("started")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(self.lab.stdin.take());
        let _ = self.lab.wait(); // the stand-in ends when its standard input is closed
    }
}

/// gh's hosts.yml for `login`, and the hosts in it, as the core reads them.
pub fn logins(login: Login) -> (HostsFile, Hosts) {
    let file = HostsFile::parse(hosts_yml(login)).expect("the text below is a hosts file");
    let hosts = known_hosts(None, "github.com", &file);
    (file, hosts)
}

fn hosts_yml(login: Login) -> &'static str {
    match login {
        Login::Stored | Login::Both => {
            "github.com:
    git_protocol: https
    users:
        octo:
            oauth_token: gho_0123456789abcdef0123456789abcdef0123
        mona:
            oauth_token: gho_abcdefghijklmnopqrstuvwxyz0123456789
    oauth_token: gho_0123456789abcdef0123456789abcdef0123
    user: octo
ghe.example.com:
    git_protocol: https
    users:
        work:
            oauth_token: ghp_fedcba9876543210fedcba9876543210fedc
    oauth_token: ghp_fedcba9876543210fedcba9876543210fedc
    user: work
"
        }
        Login::Keyring => {
            "github.com:
    git_protocol: https
    users:
        octo:
    user: octo
"
        }
    }
}

/// gh's configuration of the user, with three aliases: gh's own default `co`, a plain one, and one below a built-in group that
/// runs a shell.
const CONFIG: &str = "version: \"1\"
git_protocol: https
prompt: disabled
aliases:
    co: pr checkout
    mine: pr list
    pr describe: '!echo the alias ran'
";

const GITCONFIG: &str = "[user]\n\tname = Octo\n\temail = octo@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n";

/// The files of the checkout, which some leaves want to read. A call judged `read` may open none of them.
pub const FILES: &[(&str, &str)] = &[
    ("notes.txt", "some notes\n"),
    ("body.md", "a body\n"),
    (
        "body.json",
        "{\"query\":\"mutation{addStar(input:{starrableId:\\\"R_1\\\"}){clientMutationId}}\"}\n",
    ),
    ("env.txt", "REGION=eu\n"),
    (
        "key.pub",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA octo@example.com\n",
    ),
    ("aliases.yml", "fresh: pr list\n"),
    ("bundle.json", "{}\n"),
    (
        "skills/tables/SKILL.md",
        "---\nname: tables\ndescription: Reads tables of text\nlicense: GPL-3.0\n---\n\n# Tables\n",
    ),
    ("delete", "a file whose name is a verb\n"),
    (
        ".github/workflows/ci.yml",
        "name: CI\non: [push, workflow_dispatch]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: \"true\"\n",
    ),
];

/// A shell script in git's place: it runs `git`, with the repositories below `remotes` in place of https hosts. A fetch of a
/// repository that is not there fails.
fn git_wrapper(git: &Path, remotes: &Path) -> String {
    format!(
        "#!/bin/sh
export GIT_CONFIG_NOSYSTEM=1 GIT_ALLOW_PROTOCOL=file GIT_TERMINAL_PROMPT=0
for word; do
  case $word in
    fetch | push | pull | clone | ls-remote)
      export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0='url.file://{}/.insteadOf' GIT_CONFIG_VALUE_0=https://
      break ;;
  esac
done
exec '{}' \"$@\"
",
        remotes.display(),
        git.display()
    )
}

pub fn make(dir: &Path) -> Result<(), String> {
    fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))
}

pub fn put(file: &Path, text: &str) -> Result<(), String> {
    if let Some(dir) = file.parent() {
        make(dir)?;
    }
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

pub fn executable(file: &Path) -> Result<(), String> {
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", file.display()))
}

pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make(to)?;
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries.flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    Ok(())
}
