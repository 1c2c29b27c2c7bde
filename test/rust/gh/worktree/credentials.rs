//! The login that git gives a host: a git server by HTTPS on this machine sees what comes.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::ground::Ground;
use super::scene::{assert_sound, ground, half_done, outside, said};
use crate::gate::ErrorKind;
use crate::gh::call::request::Settings;

/// The token of the stand-in's github.com.
const TOKEN: &str = "gho_0123456789abcdef0123456789abcdef0123";

/// A git server; it ends with this value.
struct Server {
    child: Child,
    port: String,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// What the server was given: path and login of each request.
    fn seen(&self) -> Vec<(String, String)> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        lines
            .map(|(path, login)| (path.to_owned(), login.to_owned()))
            .collect()
    }
}

/// A certificate for 127.0.0.1 and localhost; none, and a word, where a program for the test is missing.
fn certificate(ground: &Ground) -> Option<[String; 2]> {
    let [certificate, key] =
        ["cert.pem", "key.pem"].map(|name| ground.dir.join(name).display().to_string());
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
        ])
        .args([
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout",
            &key,
            "-out",
            &certificate,
        ])
        .stderr(Stdio::null())
        .status();
    let python = Command::new("python3").args(["-c", "import ssl"]).status();
    if !made.is_ok_and(|made| made.success()) || !python.is_ok_and(|found| found.success()) {
        println!("skipped: openssl or python3 is missing");
        return None;
    }
    Some([certificate, key])
}

/// A server called `name` of the bare repositories, for `token`.
fn server(
    ground: &Ground,
    name: &str,
    [certificate, key]: &[String; 2],
    token: &str,
    elsewhere: &str,
) -> Server {
    let script = ground.dir.join("server.py");
    std::fs::write(&script, include_str!("server.py")).expect("a file");
    let (ready, log) = (
        ground.dir.join(format!("{name}.port")),
        ground.dir.join(format!("{name}.log")),
    );
    let child = Command::new("python3")
        .arg(script)
        .args([&ready, &log])
        .args([certificate, key])
        .arg(ground.dir.join("remotes"))
        .args([token, elsewhere])
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 starts");
    let end = Instant::now() + Duration::from_secs(20);
    while !ready.exists() {
        assert!(Instant::now() < end, "the server did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    let port = std::fs::read_to_string(ready).expect("a port");
    Server { child, port, log }
}

/// The settings of `ground` with github.com at `address`.
fn settings(ground: &Ground, address: &str, [certificate, _]: &[String; 2]) -> Settings {
    let mut settings = ground.settings();
    settings.git_urls = vec![("github.com".into(), address.to_owned())];
    let mut environment = settings.environment.reveal().clone();
    environment.push(format!("SSL_CERT_FILE={certificate}"));
    settings.environment = environment.into();
    settings
}

/// `Basic …` for the token.
fn basic() -> String {
    let made = Command::new("sh")
        .args([
            "-c",
            &format!("printf %s x-access-token:{TOKEN} | base64 -w0"),
        ])
        .output()
        .expect("sh starts");
    format!("Basic {}", String::from_utf8_lossy(&made.stdout))
}

#[test]
fn a_host_gets_its_own_login_and_no_other_host_gets_any() {
    let Some(ground) = ground() else { return };
    let Some(files) = certificate(&ground) else {
        return;
    };
    let (host, other) = (
        server(&ground, "host", &files, TOKEN, ""),
        server(&ground, "other", &files, TOKEN, ""),
    );
    for name in ["localhost", "127.0.0.1"] {
        let settings = settings(&ground, &format!("https://{name}:{}", host.port), &files);
        let before = outside(&ground).len();
        let came = ground.call_with(
            "pr-checkout",
            json!({"numbers": ["1", "2"]}),
            &settings,
            |_| true,
        );
        let shown = format!("{}{:?}", came.text(), came.info);
        assert!(!shown.contains(TOKEN), "{shown}");
        assert!(
            outside(&ground).len() <= before + 1,
            "nothing but the server's log is new"
        );
        assert_sound(&ground);
        let found =
            std::fs::read_to_string(ground.store().join("config")).expect("a configuration");
        assert!(
            !found.contains("gho_") && !found.contains("credential"),
            "{found}"
        );
        super::scene::forget(&ground);
    }
    let seen = host.seen();
    println!("{seen:?}");
    let logins: std::collections::BTreeSet<&str> =
        seen.iter().map(|(_, login)| login.as_str()).collect();
    assert_eq!(
        logins,
        ["", basic().as_str()].into_iter().collect(),
        "nothing, or that token alone"
    );
    assert!(seen.iter().all(|(path, _)| path.starts_with("/o/r.git/")));
    assert_eq!(other.seen(), []);
}

#[test]
fn a_redirect_takes_no_login_elsewhere() {
    let Some(ground) = ground() else { return };
    let Some(files) = certificate(&ground) else {
        return;
    };
    let other = server(&ground, "other", &files, TOKEN, "");
    let address = format!("https://localhost:{}", other.port);
    let host = server(&ground, "host", &files, TOKEN, &address);
    let settings = settings(&ground, &format!("https://127.0.0.1:{}", host.port), &files);
    let came = ground.call_with("pr-checkout", json!({"numbers": ["1"]}), &settings, |_| {
        true
    });
    let (kind, text) = said(&came);
    println!("{text}");
    assert_eq!(kind, Some(ErrorKind::NotFound), "{text}");
    assert!(
        text.contains("has another name or place now") && text.contains("gh_repo_view"),
        "{text}"
    );
    assert_eq!(host.seen().len(), 1);
    assert_eq!(other.seen(), []);
    assert!(!ground.store().exists());
    assert_eq!(half_done(&ground), Vec::<String>::new());
}

#[test]
fn a_login_that_a_host_does_not_take_or_gh_does_not_have_is_said() {
    let Some(ground) = ground() else { return };
    let Some(files) = certificate(&ground) else {
        return;
    };
    let host = server(&ground, "host", &files, "another token", "");
    let address = format!("https://127.0.0.1:{}", host.port);
    let with = settings(&ground, &address, &files);
    let came = ground.call_with("pr-checkout", json!({"numbers": ["1"]}), &with, |_| true);
    let (kind, text) = said(&came);
    println!("{text}");
    assert_eq!(kind, Some(ErrorKind::Auth), "{text}");
    assert!(
        text.contains("gh auth login -h github.com") && !text.contains(TOKEN),
        "{text}"
    );
    let seen = host.seen().len();
    // A host for which gh has no login is refused before any git runs.
    let mut without = with;
    without.git_urls = vec![("ghe.example.com".into(), address)];
    without.known_hosts = Some(vec!["github.com".into(), "ghe.example.com".into()]);
    let came = ground.call_with(
        "pr-checkout",
        json!({"numbers": ["1"], "repo": "ghe.example.com/o/r"}),
        &without,
        |_| true,
    );
    let (kind, text) = said(&came);
    println!("{text}");
    assert_eq!(kind, Some(ErrorKind::Auth), "{text}");
    assert!(text.contains("gh auth login"), "{text}");
    assert_eq!(host.seen().len(), seen);
    assert!(!ground.store().exists());
}

#[test]
fn an_unknown_certificate_is_not_taken() {
    let Some(ground) = ground() else { return };
    let Some(files) = certificate(&ground) else {
        return;
    };
    let host = server(&ground, "host", &files, TOKEN, "");
    let mut settings = settings(&ground, &format!("https://127.0.0.1:{}", host.port), &files);
    settings.environment = ground.settings().environment;
    let came = ground.call_with("pr-checkout", json!({"numbers": ["1"]}), &settings, |_| {
        true
    });
    let (kind, text) = said(&came);
    println!("{text}");
    assert_eq!(kind, Some(ErrorKind::Network), "{text}");
    assert_eq!(host.seen(), []);
}
