//! No type that holds foreign text shows that text, and `reveal`, the one way to it, is called only where [`REVEALS`] says.
//! Included by src/foreign.rs.

use std::fmt::Debug;
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use super::Foreign;
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{Cleaner, Draft, Plan};
use crate::gh::call::request::{Request, Settings};
use crate::gh::child::environment::{ByEnvironment, for_gh, for_git};
use crate::gh::place::account::account;
use crate::gh::place::context::{GitConfig, GitFacts};
use crate::gh::place::credential::Credential;
use crate::gh::place::hosts::HostsFile;
use crate::redact::Redactor;
use crate::run::{self, Command, Limits, Stream};

/// Every call of `reveal` outside tests: the file, how many calls it has, and what it does with the plain values.
const REVEALS: &[(&str, usize, &str)] = &[
    (
        "src/gate/call/given.rs",
        1,
        "the variables that a child gets, and those that name the places of files, are picked out of the environment",
    ),
    (
        "src/gate/plan/draft.rs",
        8,
        "argv is searched for secrets, hashed, redacted, handed to the child, and shown where no secret was found; the child's PATH is searched for the program",
    ),
    (
        "src/gate/plan/progress.rs",
        1,
        "the end of the output so far is cut and cleaned",
    ),
    (
        "src/gate/result/cleaner.rs",
        3,
        "the patterns of the values that are masked are built; the shown part of a stream is compared with the stream, to count the rest",
    ),
    (
        "src/gate/result/secrets_held.rs",
        1,
        "the environment is searched for secrets",
    ),
    (
        "src/gh/call/fill.rs",
        2,
        "argv is parsed for the commits that the call would publish; the base is looked up in git's configuration",
    ),
    (
        "src/gh/call/plain.rs",
        1,
        "gh's errors are parsed; every piece that is quoted is cleaned",
    ),
    ("src/gh/call/plan.rs", 2, "argv is parsed"),
    ("src/gh/call/request.rs", 1, "argv is checked"),
    (
        "src/gh/child/environment.rs",
        1,
        "the token of the account goes into the child's environment",
    ),
    (
        "src/gh/child/facts.rs",
        3,
        "a mark is appended to a configuration that was cut; a branch's name is read; the messages of commits are kept",
    ),
    (
        "src/gh/installed/asked.rs",
        2,
        "gh's version and its help pages are parsed",
    ),
    ("src/gh/drift/sweep.rs", 1, "gh's help pages are parsed"),
    (
        "src/gh/place/context/branch.rs",
        1,
        "git's configuration is parsed",
    ),
    (
        "src/gh/place/context/commits.rs",
        1,
        "the messages of commits are taken apart",
    ),
    (
        "src/gh/place/context/checkout.rs",
        2,
        "git's configuration is parsed",
    ),
    (
        "src/gh/tools/diff_part.rs",
        5,
        "gh's diff, its list of files, its errors and the patch of one file are parsed; every piece that is shown is cleaned",
    ),
    (
        "src/gh/tools/download/planned.rs",
        2,
        "argv is compared with that of a download; the calls that fetch files are shown and run",
    ),
    (
        "src/gh/tools/errand.rs",
        1,
        "the argv that a person changed is compared with the planned one",
    ),
    (
        "src/gh/tools/item.rs",
        1,
        "the head of a branch is parsed, and cleaned",
    ),
    (
        "src/gh/tools/list_total.rs",
        2,
        "gh's JSON and a number are parsed; every piece that is shown is cleaned",
    ),
    (
        "src/gh/tools/mod.rs",
        2,
        "the argv of a call with --paginate is taken apart, and the command and the flags of a tool's argv are read",
    ),
    (
        "src/gh/tools/pr_review/look.rs",
        1,
        "the patches of changed files are parsed; every line that is shown is cleaned",
    ),
    (
        "src/gh/tools/pr_review/mod.rs",
        1,
        "the planned argv is compared with the one that a person changed",
    ),
    (
        "src/gh/tools/pr_thread/mod.rs",
        1,
        "the planned argv is compared with the one that a person changed",
    ),
    (
        "src/gh/tools/search/mod.rs",
        1,
        "GitHub's reason why it does not accept a search; it passes the cleaner",
    ),
    (
        "src/gh/tools/subject.rs",
        2,
        "the argv, in which the first argument is read",
    ),
    (
        "src/gh/tools/view.rs",
        2,
        "gh's JSON is parsed, and GitHub's errors in it; every piece that is shown is cleaned",
    ),
    (
        "src/gh/tools/worktree/create/mod.rs",
        1,
        "the texts that a person has changed are read from the argv, whose question is made anew",
    ),
    (
        "src/git/command.rs",
        3,
        "git's errors are parsed, and every piece that is quoted is cleaned; commits, files and refs that git lists are parsed",
    ),
    (
        "src/net/look_up.rs",
        1,
        "the addresses of a name, and this machine's own, are parsed",
    ),
    (
        "src/net/tools/diagnose/proxies.rs",
        1,
        "the variables of the environment that name a proxy are read; a password in them is dropped",
    ),
    (
        "src/net/step.rs",
        1,
        "a child's environment is picked out of Emacs's",
    ),
    (
        "src/net/tools/words.rs",
        2,
        "what the programs print is parsed; every piece that others chose is redacted and quoted",
    ),
    ("src/run/capture.rs", 7, "what was kept is cut and cleaned"),
    (
        "src/run/command.rs",
        1,
        "a child's environment is put together",
    ),
    (
        "src/run/child.rs",
        2,
        "argv and environment are handed to the child",
    ),
];

/// The text with which the unit tests of a file begin; calls of `reveal` below it do not count.
const TESTS: &str = "\nmod tests";

fn calls(dir: &Path, found: &mut Vec<(String, usize)>) {
    for entry in fs::read_dir(dir).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            calls(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let code = text.split(TESTS).next().unwrap_or_default();
            let count = code.matches(".reveal()").count() + code.matches("::reveal").count();
            if count > 0 && !path.ends_with("src/foreign.rs") {
                let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                let name = path.strip_prefix(root).expect("below the root");
                found.push((name.display().to_string(), count));
            }
        }
    }
}

#[test]
fn reveal_is_called_only_where_the_list_gives_a_reason() {
    let mut found = Vec::new();
    calls(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    found.sort();
    let mut listed: Vec<_> = REVEALS
        .iter()
        .map(|(f, n, _)| ((*f).to_owned(), *n))
        .collect();
    listed.sort();
    assert_eq!(
        found, listed,
        "left: the calls of `reveal' that were found; right: the rows of REVEALS. A new call needs a row with a reason, or a higher number"
    );
}

/// Whether a type has a trait, as a `bool`: a trait bound would not compile for a type that lacks the trait.
macro_rules! has {
    ($type:ty: $($bound:tt)+) => {{
        struct Probe<T: ?Sized>(PhantomData<T>);
        #[allow(dead_code, reason = "used only for a type that lacks the trait")]
        trait Lacks {
            const HAS: bool = false;
        }
        impl<T: ?Sized> Lacks for Probe<T> {}
        #[allow(dead_code, reason = "used only for a type that has the trait")]
        impl<T: ?Sized + $($bound)+> Probe<T> {
            const HAS: bool = true;
        }
        Probe::<$type>::HAS
    }};
}

#[test]
fn a_foreign_value_has_no_trait_that_gives_its_plain_value() {
    assert!(
        has!(String: AsRef<str>) && has!(Stream: Debug),
        "`has!` finds a trait that is there"
    );
    assert!(!has!(Foreign<String>: std::ops::Deref));
    assert!(!has!(Foreign<String>: AsRef<str>));
    assert!(!has!(Foreign<String>: AsRef<[u8]>));
    assert!(!has!(Foreign<String>: AsRef<std::ffi::OsStr>));
    assert!(!has!(Foreign<String>: std::borrow::Borrow<str>));
    assert!(!has!(Foreign<String>: Into<String>));
    assert!(!has!(Foreign<Vec<u8>>: IntoIterator));
    assert!(!has!(Foreign<Vec<u8>>: Into<Vec<u8>>));
    assert!(!has!(Foreign<&'static str>: Into<&'static str>));
    #[cfg(feature = "module")]
    assert!(!has!(Foreign<String>: ::emacs::IntoLisp<'static>));
}

#[test]
fn a_type_that_holds_an_argv_or_secret_values_has_no_debug() {
    assert!(!has!(Draft: Debug));
    assert!(!has!(Plan: Debug));
    assert!(!has!(Redactor: Debug));
    assert!(!has!(crate::gate::call::given::Given<'static>: Debug));
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one list of every type that can hold a secret"
)]
fn debug_and_display_hide_every_planted_secret() {
    const SECRET: &str = "kV3planted9Zq7Lx2Wm5";
    let plain = || SECRET.to_owned();
    let argv = [plain()];
    let echo =
        Command::new("/bin/echo", &argv, &[("A", SECRET)], "/", Limits::default()).expect("plain");
    let captured = run::run_here(&echo, &run::Cancel::default());
    let said = captured.stdout.head();
    assert_eq!(said.len(), SECRET.len() + 1, "{:?}", captured.ended);
    let given: Foreign<Vec<String>> = vec![
        format!("GH_TOKEN={SECRET}"),
        format!("HOME=/home/{SECRET}"),
        format!("HTTPS_PROXY=http://u:{SECRET}@proxy.example"),
    ]
    .into();
    let logins = HostsFile::parse(&format!(
        "github.com:\n  users:\n    mona:\n      oauth_token: {SECRET}\n  oauth_token: {SECRET}\n  user: hubot\n"
    ))
    .expect("yaml");
    let meant = [("github.com".to_owned(), "mona".to_owned())];
    let account = account("github.com", &meant, &logins).expect("a login");
    assert!(matches!(account.credential, Credential::Token(_)));
    let by = ByEnvironment {
        credential: account.credential,
        ..ByEnvironment::default()
    };
    let environment = for_gh(&given, "github.com", &logins, by);
    assert!(environment.token_variable().is_some());
    let command = Command::new(
        "/bin/true",
        &argv,
        environment.pairs(),
        "/",
        Limits::default(),
    )
    .expect("plain");
    let facts = GitFacts {
        config: format!("remote.o.url\nhttps://u:{SECRET}@forge.example/o/r\0")
            .into_bytes()
            .into(),
        ..GitFacts::default()
    };
    let request = Request {
        argv: vec![plain()].into(),
        facts: Some(facts.clone()),
        ..Request::default()
    };
    let settings = Settings {
        environment: given.clone(),
        ..Settings::default()
    };
    let held = secrets_held(&given);
    assert!(held.iter().any(|h| h.reveal() == SECRET));
    let clean = Cleaner::holding(&held);
    let tokens = logins.tokens_to_redact();
    let git = for_git(&given);
    let mut sent = ["api", "user", "--raw-field"].map(str::to_owned).to_vec();
    sent.push(format!("a={SECRET}"));
    let verdict = crate::gh::judge::classify::classify(&sent);
    let parsed = verdict.parsed.as_ref().expect("a known command");
    let refused = crate::gh::judge::classify::classify(&["api".to_owned(), format!("--{SECRET}")]);
    let config = GitConfig::parse(facts.config.reveal());
    let remotes = config.remotes();
    let run = crate::gh::errors::Run {
        command: "api",
        host: "github.com",
        token_variable: None,
        exit: 1,
        has_output: false,
        stderr: SECRET,
    };
    let explained = crate::gh::judge::explain::explain(&sent);
    let things: &[(&str, &dyn Debug)] = &[
        ("verdict", &verdict),
        ("parsed", parsed),
        ("flags", &parsed.flags),
        ("positionals", &parsed.positionals),
        ("an unknown flag", &refused.parsed),
        ("git's configuration parsed", &config),
        ("remotes", &remotes),
        ("errors", &run),
        ("explained", &explained),
        ("head", &said),
        ("stream", &captured.stdout),
        ("echo", &echo),
        ("captured", &captured),
        ("environment", &environment),
        ("git's environment", &git),
        ("pairs", &environment.pairs()),
        ("logins", &logins),
        ("account", &account),
        ("target by environment", &by),
        ("command", &command),
        ("facts", &facts),
        ("request", &request),
        ("settings", &settings),
        ("values held", &held),
        ("cleaner", &clean),
        ("tokens", &tokens),
    ];
    for (name, thing) in things {
        for shown in [format!("{thing:?}"), format!("{thing:#?}")] {
            assert!(!shown.contains("planted"), "{name}: {shown}");
            // `Debug` of a list of bytes would show the secret as numbers.
            assert!(!shown.contains("107, 86, 51"), "{name}: {shown}");
        }
    }
    assert_eq!(Foreign::new(SECRET).to_string(), "[hidden]");
    assert_eq!(remotes.len(), 1);
}
