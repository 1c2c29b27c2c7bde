//! The target that is read from git's configuration, against the real git's answers; and hostile bytes and URLs in place of git's output.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cj_gate::gate::ErrorKind;
use cj_gate::gh::place::context::{CONFIG_PATTERN, GitConfig, GitFacts, branch_ref, resolve};
use cj_gate::gh::place::hosts::{Hosts, HostsError, HostsFile};
use cj_gate::gh::place::remote::{check_host_name, parse_remote, parse_repo_arg};
use proptest::prelude::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/git")
        .join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).expect("a fixture")
}

fn facts(name: &str, branch: &str) -> GitFacts {
    GitFacts {
        config: bytes(name).into(),
        branch: Some(branch.to_owned()),
        commits: None,
    }
}

fn hosts() -> Hosts {
    Hosts {
        known: vec!["github.com".to_owned(), "ghe.example.com".to_owned()],
        default: "github.com".to_owned(),
    }
}

fn answer(name: &str, branch: &str, hostname: Option<&str>, repo: Option<&str>) -> String {
    match resolve(Some(&facts(name, branch)), hostname, repo, &hosts()) {
        Ok(t) => format!("{} {t}", t.source.as_str()),
        Err(r) => r.kind.as_str().to_owned(),
    }
}

/// `REMOTE<tab>FETCH<tab>PUSH` for each remote, in the order of their names, as git lists them.
fn our_urls(name: &str) -> String {
    let mut remotes = GitConfig::parse(&bytes(name)).remotes();
    remotes.sort_by(|a, b| a.name.cmp(&b.name));
    let line = |r: &cj_gate::gh::place::context::Remote| {
        let fetch = r.url.clone().unwrap_or_default();
        let push = r.push_url.clone().unwrap_or_else(|| fetch.clone());
        format!("{}\t{fetch}\t{push}\n", r.name)
    };
    remotes.iter().map(line).collect()
}

/// Runs the real git without the configuration of the person who runs the tests; returns what git prints.
#[allow(clippy::disallowed_methods)] // this git is the tests' own and no child of a tool
fn git(dir: &Path, args: &[&str]) -> Vec<u8> {
    let out = Command::new("git")
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .env_remove("GIT_CONFIG_COUNT")
        .env_remove("GIT_CONFIG_PARAMETERS")
        .env("HOME", dir)
        .output()
        .expect("git is installed");
    assert!(
        out.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    out.stdout
}

fn line(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .expect("text")
        .trim_end()
        .to_owned()
}

/// A directory for one test, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("the target directory is ours");
        Self(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_recorded_bytes_match_those_of_the_installed_git() {
    let scratch = Scratch::new("git-config");
    for name in ["plain", "rewrite", "odd"] {
        let file = fixture(&format!("{name}.gitconfig"));
        let file = file.to_str().expect("a plain path");
        let now = git(
            &scratch.0,
            &["config", "-f", file, "-z", "--get-regexp", CONFIG_PATTERN],
        );
        assert_eq!(
            now,
            bytes(&format!("{name}.z")),
            "{name}.z is stale; see fixtures/git/README.org"
        );
    }
}

#[test]
fn urls_are_rewritten_as_git_rewrites_them() {
    for name in ["plain", "rewrite"] {
        let recorded = String::from_utf8(bytes(&format!("{name}.urls"))).expect("text");
        assert_eq!(our_urls(&format!("{name}.z")), recorded, "{name}");
    }
}

#[test]
fn a_real_checkout_resolves_to_its_remotes() {
    let scratch = Scratch::new("git-checkout");
    let dir = &scratch.0;
    git(dir, &["init", "-q", "-b", "main", "."]);
    git(dir, &["remote", "add", "origin", "gh:alice/widget.git"]);
    git(
        dir,
        &[
            "remote",
            "add",
            "up",
            "ssh://git@ghe.example.com:2222/Team/widget.git/",
        ],
    );
    git(dir, &["config", "url.git@github.com:.insteadOf", "gh:"]);
    git(dir, &["config", "branch.main.remote", "up"]);
    git(dir, &["config", "branch.main.merge", "refs/heads/main"]);
    let read = || GitFacts {
        config: git(dir, &["config", "-z", "--get-regexp", CONFIG_PATTERN]).into(),
        branch: Some(line(git(dir, &["symbolic-ref", "--short", "HEAD"]))),
        commits: None,
    };
    let target = || resolve(Some(&read()), None, None, &hosts()).expect("known hosts");
    assert_eq!(target().to_string(), "ghe.example.com/Team/widget");
    assert_eq!(target().source.as_str(), "upstream");
    git(dir, &["checkout", "-q", "-b", "side"]);
    assert_eq!(target().to_string(), "github.com/alice/widget");
    assert_eq!(target().source.as_str(), "origin");
    git(
        dir,
        &["config", "remote.origin.gh-resolved", "project/widget"],
    );
    assert_eq!(target().to_string(), "github.com/project/widget");
    assert_eq!(target().source.as_str(), "set-default");
    let origin = GitConfig::parse(read().config.reveal()).remotes().remove(0);
    assert_eq!(
        origin.url,
        Some(line(git(dir, &["remote", "get-url", "origin"])))
    );
}

#[test]
fn a_hosts_file_that_is_missing_is_empty_and_an_odd_one_is_an_error_at_once() {
    let scratch = Scratch::new("hosts-file");
    let dir = &scratch.0;
    let file = dir.join("hosts.yml");
    assert_eq!(HostsFile::read(dir).expect("missing"), HostsFile::default());
    assert_eq!(
        HostsFile::read(&dir.join("no/such")).expect("missing"),
        HostsFile::default()
    );
    fs::write(&file, "github.com:\n    user: alice\n").expect("the file is written");
    assert_eq!(
        HostsFile::read(dir).expect("there").account("github.com"),
        Some("alice")
    );
    fs::write(&file, [0xff, 0xfe]).expect("the file is written");
    assert!(matches!(HostsFile::read(dir), Err(HostsError::NotText)));
    fs::write(&file, " ".repeat(300 * 1024)).expect("the file is written");
    assert!(matches!(HostsFile::read(dir), Err(HostsError::TooLarge)));
    fs::remove_file(&file).expect("the file is removed");
    // A plain open of a fifo would wait for a writer for ever.
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).expect("a fifo");
    assert!(matches!(
        HostsFile::read(dir),
        Err(HostsError::Unreadable(_))
    ));
    fs::remove_file(&file).expect("the file is removed");
    fs::create_dir(&file).expect("a directory");
    assert!(matches!(
        HostsFile::read(dir),
        Err(HostsError::Unreadable(_))
    ));
}

#[test]
fn recorded_checkouts_resolve_in_the_order_of_precedence() {
    assert_eq!(
        answer("plain.z", "main", None, None),
        "set-default ghe.example.com/Team/widget"
    );
    assert_eq!(
        answer("plain.z", "main", Some("github.com"), None),
        "explicit-host github.com/alice/widget"
    );
    assert_eq!(
        answer("plain.z", "main", None, Some("alice/widget")),
        "explicit-repo github.com/alice/widget"
    );
    assert_eq!(
        answer("plain.z", "main", None, Some("team/widget")),
        "explicit-repo ghe.example.com/team/widget"
    );
    assert_eq!(answer("odd.z", "Case", None, None), "default github.com");
    assert_eq!(
        answer("odd.z", "case", Some("ghe.example.com"), None),
        "explicit-host ghe.example.com"
    );
}

#[test]
fn hostile_values_of_a_recorded_configuration_name_no_repository() {
    let config = GitConfig::parse(&bytes("odd.z"));
    let url = |name: &str| {
        let found = config
            .remotes()
            .into_iter()
            .find(|r| r.name == name)
            .expect("the remote is recorded");
        found
            .url
            .map(|u| parse_remote(&u).map(|r| format!("{}/{}/{}", r.host, r.owner, r.repo)))
    };
    assert!(matches!(url("lines"), Some(Err(_))));
    assert!(matches!(url("tab"), Some(Err(_))));
    assert!(matches!(url("My.Fork"), Some(Err(_))));
    assert!(matches!(url("ünïcode"), Some(Err(_))));
    assert_eq!(url("empty"), None);
    assert_eq!(
        url("quoted \"name\" \\ back"),
        Some(Ok("github.com/o/r".to_owned()))
    );
    assert_eq!(url("continued"), Some(Ok("github.com/o/r".to_owned())));
}

#[test]
fn a_recorded_branch_selects_the_pull_request_by_the_branch_it_tracks() {
    let selector = |branch: &str| {
        let facts = facts("plain.z", branch);
        let target = resolve(Some(&facts), None, None, &hosts()).expect("known hosts");
        branch_ref(&facts)?.pr_selector(&target)
    };
    assert_eq!(selector("main").as_deref(), Some("main"));
    assert_eq!(selector("fix/1.2").as_deref(), Some("alice:fix/1.2"));
    assert_eq!(selector("pr-7").as_deref(), Some("7"));
}

/// A URL made of parts with which hosts are faked: `@`, ports, capitals, paths.
fn hostile_url() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("github.com"),
        Just("evil.example"),
        Just("https://"),
        Just("ssh://"),
        Just("git@"),
        Just("@"),
        Just(":"),
        Just("/"),
        Just("//"),
        Just("#"),
        Just("?"),
        Just("\\"),
        Just("%2f"),
        Just("%40"),
        Just("."),
        Just(".."),
        Just("o"),
        Just("r"),
        Just(".git"),
        Just("-"),
        Just("\u{0}"),
        Just("\n"),
        Just("\u{ff0f}"),
        Just("\u{202e}"),
        Just("443"),
        Just("www."),
        Just(" "),
        Just("g\u{456}thub.com"),
        Just("ssh.github.com"),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && !name.starts_with('-') && !name.contains("..") && name.chars().all(plain)
}

/// The host by a second, simpler reading: the text before the path, from its last `@` on.
fn plain_host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = if url.contains("://") { "/" } else { ":" };
    let authority = rest.split(end).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host
        .split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    host.strip_prefix("www.")
        .filter(|h| h.contains('.'))
        .unwrap_or(&host)
        .to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_accepted_url_has_one_host_and_two_plain_names(url in hostile_url()) {
        if let Ok(r) = parse_remote(&url) {
            prop_assert_eq!(check_host_name(&r.host), Ok(r.host.clone()));
            prop_assert!(is_name(&r.owner) && is_name(&r.repo), "{:?}", r);
            let host = plain_host(&url);
            prop_assert!(r.host == host || (host == "ssh.github.com" && r.host == "github.com"), "{} {:?}", url, r);
            prop_assert!(url.is_ascii() && !url.contains(['\\', '#', '?', '\n', '\0', ' ']));
        }
        if let Ok(r) = parse_repo_arg(&url) {
            prop_assert!(is_name(&r.owner) && is_name(&r.repo), "{:?}", r);
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in "(?s).{0,200}") {
        let _ = parse_remote(&text);
        let _ = parse_repo_arg(&text);
        let _ = check_host_name(&text);
        let _ = HostsFile::parse(&text);
    }

    #[test]
    fn any_bytes_resolve_to_a_known_host_or_are_refused(
        config in prop::collection::vec(any::<u8>(), 0..300),
        branch in "(?s).{0,20}",
    ) {
        let facts = GitFacts { config: config.into(), branch: Some(branch), commits: None };
        match resolve(Some(&facts), None, None, &hosts()) {
            Ok(t) => prop_assert!(hosts().knows(&t.host)),
            Err(r) => prop_assert_eq!(r.kind, ErrorKind::Truncated),
        }
    }

    #[test]
    fn any_configuration_resolves_to_a_known_host(
        urls in prop::collection::vec(hostile_url(), 1..4),
        base in hostile_url(),
        prefix in hostile_url(),
        resolved in hostile_url(),
        hostname in prop::option::of(hostile_url()),
        repo in prop::option::of(hostile_url()),
    ) {
        let clean = |s: &str| s.replace('\0', "");
        let mut config = format!("url.{}.insteadof\n{}\0", clean(&base).replace('\n', ""), clean(&prefix));
        for (n, url) in urls.iter().enumerate() {
            let name = ["origin", "up", "x"][n];
            for (variable, value) in [("url", url), ("gh-resolved", &resolved)] {
                write!(config, "remote.{name}.{variable}\n{}\0", clean(value)).expect("writing to a string cannot fail");
            }
        }
        config.push_str("branch.main.remote\nup\0");
        let facts = GitFacts { config: config.into_bytes().into(), branch: Some("main".to_owned()), commits: None };
        match resolve(Some(&facts), hostname.as_deref(), repo.as_deref(), &hosts()) {
            Ok(t) => {
                prop_assert!(hosts().knows(&t.host));
                prop_assert_eq!(t.owner.is_some(), t.repo.is_some());
                prop_assert!(t.owner.iter().chain(&t.repo).all(|n| is_name(n)));
            }
            Err(r) => {
                prop_assert!(matches!(r.kind, ErrorKind::PolicyBlocked | ErrorKind::BadArgument));
                prop_assert!(r.message.lines().count() == 2 && r.message.is_ascii(), "{}", r.message);
            }
        }
    }

    #[test]
    fn a_cut_configuration_never_names_half_a_repository(at in 0_usize..600) {
        let whole = bytes("plain.z");
        let at = at.min(whole.len());
        let config = GitConfig::parse(&whole[..at]);
        let all = GitConfig::parse(&whole).remotes();
        for remote in config.remotes() {
            let full = all.iter().find(|r| r.name == remote.name).expect("the same names");
            prop_assert!(remote.url.is_none() || remote.url == full.url);
        }
    }
}
