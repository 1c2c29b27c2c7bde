//! Where the git of a call works: the store of its repository, and git with the login of its host.

use crate::foreign::Foreign;
use crate::gate::{Draft, ErrorKind, Refusal, Target};
use crate::gh::call::followup::Followup;
use crate::gh::call::plan::draft as draft_of;
use crate::gh::call::request::{Request, Settings};
use crate::gh::tools::errand::there;
use crate::git::command::{Credential, Git, utf8};
use crate::git::place::Place;

/// Where the git of a call works.
#[derive(Clone, Debug)]
pub struct Site {
    /// The store of the repository.
    pub place: Place,
    /// git, for this repository alone.
    pub git: Git,
    /// The most files of one checkout.
    pub most_files: u64,
    /// The most bytes of one checkout, and of one fetch.
    pub most_bytes: u64,
}

/// Names of variables of gh's environment that the credential helper gets under other names, since git itself must not see them.
const RENAMED: &[(&str, &str)] = &[
    ("HOME", "CJ_GATE_HOME"),
    ("XDG_CONFIG_HOME", "CJ_GATE_XDG_CONFIG_HOME"),
];

/// The helper: git adds the word `get` and reads the login from its output.  `gh auth git-credential` prints the login that gh has for the
/// host in `CJ_GATE_HOST`, and for no other: git itself may know that host by the address in `cj/gh-git-urls`.  Only name and token go back,
/// since git would take another host from there too.
const HELPER: &str = r#"!f() { test "$1" = get && printf 'protocol=https\nhost=%s\n\n' "$CJ_GATE_HOST" | HOME="$CJ_GATE_HOME" XDG_CONFIG_HOME="$CJ_GATE_XDG_CONFIG_HOME" "$CJ_GATE_GH" auth git-credential get | while IFS= read -r line; do case "$line" in username=*|password=*) printf '%s\n' "$line";; esac; done; }; f"#;

/// Variables that every command of git gets as Emacs has them.
pub(super) const PASSED: &[&str] = &["PATH", "TMPDIR", "USER", "LOGNAME"];

/// A plain read of the repository `target`: from its Draft come environment, limits and cleaner.
///
/// # Errors
/// Each error of planning a call.
pub fn plain_read(
    request: &Request,
    settings: &Settings,
    target: &Target,
) -> Result<Draft, Refusal> {
    let argv = ["api", "--method", "GET", "repos/{owner}/{repo}"].map(str::to_owned);
    let read = there(request, target, argv.into());
    draft_of(&read, settings, &|plain, _| std::sync::Arc::new(plain))
}

impl Site {
    /// The site for calls to the repository `target`, which a further read of the call behind `followup` serves.
    ///
    /// # Errors
    /// As [`Self::new`], and each error of planning a call.
    pub fn of(followup: &Followup, target: &Target) -> Result<Self, Refusal> {
        // The path names no repository: the environment is the same for all of a host.
        let argv = ["api", "--method", "GET", "meta"].map(str::to_owned);
        let read = followup.draft(argv.into())?;
        Self::new(followup.settings(), target, &read)
    }

    /// The site for calls to the repository `target`; `read` is the Draft of a plain read there.
    ///
    /// # Errors
    /// `no-executable` where there is no git, `bad-cwd` where the directory for worktrees cannot be used, `bad-argument` for a host whose
    /// address the user has set wrong.
    pub fn new(settings: &Settings, target: &Target, read: &Draft) -> Result<Self, Refusal> {
        let executable = settings.git.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::NoExecutable,
                "git was not found.\nAsk the person to install it (Debian: apt install git).",
            )
        })?;
        let root = settings.worktree_directory.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadCwd,
                "The directory for worktrees (`cj/gh-worktree-directory') is on another machine.\nTell the person, who can choose one of this machine.",
            )
        })?;
        utf8(&root)?;
        let (Some(owner), Some(repo)) = (&target.owner, &target.repo) else {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "No repository is known here.\nName it with `repo' as [HOST/]OWNER/REPO.",
            ));
        };
        let account = read.target.as_ref().and_then(|read| read.account.clone());
        let target = Target {
            account: account.or_else(|| target.account.clone()),
            ..target.clone()
        };
        let (base, protocol) = address(&target.host, settings)?;
        let place = Place::new(&root, [&target.host, owner, repo], &base)?;
        let pairs = &read.environment;
        let passed = pairs
            .iter()
            .filter(|(name, _)| PASSED.contains(&name.as_str()));
        let git = Git {
            executable,
            passed: passed.cloned().collect(),
            protocol,
            credential: (protocol == "https").then(|| Credential {
                base,
                helper: HELPER.to_owned(),
                environment: for_helper(read, &target.host),
            }),
            target: target.clone(),
            timeout: settings.git_timeout,
            most_bytes: settings.git_bytes,
            clean: read.clean.clone(),
        };
        Ok(Self {
            place,
            git,
            most_files: settings.git_files,
            most_bytes: settings.git_bytes,
        })
    }
}

/// The address of `host`, and its protocol.
///
/// # Errors
/// `bad-argument` where the user's row for the host has another form.
pub(super) fn address(host: &str, settings: &Settings) -> Result<(String, &'static str), Refusal> {
    let row = settings
        .git_urls
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(host));
    let Some((_, base)) = row else {
        return Ok((format!("https://{host}"), "https"));
    };
    let plain = !base.contains(['@', '?', '#', ' ', '\n', '\0']);
    match base.split_once("://") {
        Some(("https", rest)) if plain && !rest.is_empty() => Ok((base.clone(), "https")),
        Some(("file", rest)) if plain && rest.starts_with('/') => Ok((base.clone(), "file")),
        _ => Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "The row for {host} in `cj/gh-git-urls' is no address that git may use.\nTell the person; https://… and file:///… can stand there, without a login."
            ),
        )),
    }
}

/// gh's own environment, for the credential helper, which asks for the login of `host`.
fn for_helper(read: &Draft, host: &str) -> Vec<(String, Foreign<String>)> {
    let mut all = Vec::new();
    for (name, value) in &read.environment {
        if let Some((_, other)) = RENAMED.iter().find(|(known, _)| known == name) {
            all.push(((*other).to_owned(), value.clone()));
        } else if !name.starts_with("GIT_") && !PASSED.contains(&name.as_str()) {
            all.push((name.clone(), value.clone()));
        }
        if name == "SSL_CERT_FILE" {
            // The curl of Debian's git reads no SSL_CERT_FILE.
            all.push(("GIT_SSL_CAINFO".to_owned(), value.clone()));
        }
    }
    let gh = read.executable.to_string_lossy().into_owned();
    all.push(("CJ_GATE_GH".to_owned(), gh.into()));
    all.push(("CJ_GATE_HOST".to_owned(), host.into()));
    all
}
