//! The hosts that gh is logged in to, read from gh's own `hosts.yml`, and the hosts that a call may go to.
//!
//! Source of the format: gh 2.92.0, `~/.config/gh/hosts.yml`; a keyring login leaves the entry without `oauth_token`.
//! The file is read event by event and never as a whole YAML document: aliases and deep nesting are refused,
//! so no file can fill the memory or the stack.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;
use yaml_rust2::parser::{Event, Parser};

use super::remote::check_host_name;
use crate::foreign::Foreign;
use crate::gate::call::given::Given;

/// Bytes of `hosts.yml` that are read at most.  A real file has some hundred bytes for each host.
pub const MAX_FILE: usize = 256 * 1024;

/// Most levels of nesting that are read.  gh's own files have four: host, `users`, account, `oauth_token`.
const MAX_DEPTH: usize = 8;

/// The host that gh uses when nothing names another.
pub const GITHUB: &str = "github.com";

/// Why `hosts.yml` could not be read.
#[derive(Debug, Error)]
pub enum HostsError {
    /// The file exists and cannot be read.
    #[error("gh's hosts.yml cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// Larger than [`MAX_FILE`].
    #[error("gh's hosts.yml is larger than {MAX_FILE} bytes")]
    TooLarge,
    /// Not UTF-8.
    #[error("gh's hosts.yml is not UTF-8")]
    NotText,
    /// The text is not YAML, or not a mapping from host names.
    #[error("gh's hosts.yml is broken near line {line}")]
    Broken {
        /// Line in the file, from 1; 0 where the line is not known.
        line: usize,
    },
    /// Nested more deeply than gh writes it, or with YAML aliases.
    #[error("gh's hosts.yml is nested in a way that gh does not write")]
    Nested,
}

/// The entry of one host in `hosts.yml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostEntry {
    /// Host name, lower case.
    pub host: String,
    /// Accounts that are logged in, in the file's order.
    pub users: Vec<String>,
    /// The active account: the one that gh uses.
    pub active: Option<String>,
    /// The stored tokens, each with its account where the file names the account.
    tokens: Vec<(Option<String>, Foreign<String>)>,
}

impl HostEntry {
    /// Whether the file itself holds a token.  Where it holds none, the token is in the keyring or there is none.
    pub fn token_stored(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// The stored token of the account `user`.  It goes into the environment of a child that acts as that account, and nowhere else.
    pub fn token_of(&self, user: &str) -> Option<&Foreign<String>> {
        let own = self
            .tokens
            .iter()
            .find(|(of, _)| of.as_deref() == Some(user));
        own.map(|(_, token)| token)
    }

    /// Whether anybody is logged in on this host, with a token in the file or in the keyring.
    pub fn logged_in(&self) -> bool {
        self.token_stored() || self.active.is_some() || !self.users.is_empty()
    }
}

/// The contents of `hosts.yml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostsFile {
    entries: Vec<HostEntry>,
}

impl HostsFile {
    /// Reads the text of a `hosts.yml`.  An empty text gives a file without hosts.
    ///
    /// Top-level keys that are not host names are left out; unknown keys below a host are ignored.
    ///
    /// # Errors
    /// [`HostsError`], where gh would not have written the text.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        if text.len() > MAX_FILE {
            return Err(HostsError::TooLarge);
        }
        let mut entries = Vec::new();
        for (name, node) in Reader::document(text)? {
            let Ok(host) = check_host_name(&name) else {
                continue;
            };
            entries.push(host_entry(host, node));
        }
        Ok(Self { entries })
    }

    /// Reads `hosts.yml` in gh's configuration directory `dir`.  A missing file or directory gives a file without hosts.
    ///
    /// # Errors
    /// As [`Self::parse`], and `Unreadable`.
    #[expect(
        clippy::disallowed_methods,
        reason = "gh's hosts.yml is opened for reading"
    )]
    pub fn read(dir: &Path) -> Result<Self, HostsError> {
        // Opening a fifo would block the reader, which may be Emacs's main thread.
        let mut options = File::options();
        options.read(true).custom_flags(libc::O_NONBLOCK);
        let file = match options.open(dir.join("hosts.yml")) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(e) => return Err(HostsError::Unreadable(e)),
        };
        if !file.metadata().map_err(HostsError::Unreadable)?.is_file() {
            return Err(HostsError::Unreadable(io::Error::other(
                "not a regular file",
            )));
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(HostsError::Unreadable)?;
        if bytes.len() > MAX_FILE {
            return Err(HostsError::TooLarge);
        }
        Self::parse(std::str::from_utf8(&bytes).map_err(|_| HostsError::NotText)?)
    }

    /// The hosts in the file's order.
    pub fn entries(&self) -> &[HostEntry] {
        &self.entries
    }

    /// The entry of `host` (lower case).
    pub fn get(&self, host: &str) -> Option<&HostEntry> {
        self.entries.iter().find(|e| e.host == host)
    }

    /// The account that gh uses on `host`, where the file names one.
    pub fn account(&self, host: &str) -> Option<&str> {
        self.get(host)?.active.as_deref()
    }

    /// Every stored token, for the redactor's list of known secrets and nothing else.
    pub fn tokens_to_redact(&self) -> Vec<Foreign<String>> {
        let mut all: Vec<Foreign<String>> = Vec::new();
        for (_, token) in self.entries.iter().flat_map(|e| &e.tokens) {
            if !all.contains(token) {
                all.push(token.clone());
            }
        }
        all
    }
}

/// gh's configuration directory: `GH_CONFIG_DIR`, else `XDG_CONFIG_HOME`/gh, else `HOME`/.config/gh.
///
/// `env` has entries `NAME=VALUE` as in Emacs's `process-environment`.  An empty value counts as unset, as in gh.
/// `None` where none of the three is set, or where the directory is relative: gh would resolve a relative one from its own working directory.
pub fn config_dir(env: &Foreign<Vec<String>>) -> Option<PathBuf> {
    let given = Given::new(env);
    let dir = if let Some(dir) = given.non_empty("GH_CONFIG_DIR") {
        PathBuf::from(dir)
    } else if let Some(dir) = given.non_empty("XDG_CONFIG_HOME") {
        Path::new(dir).join("gh")
    } else {
        Path::new(given.non_empty("HOME")?)
            .join(".config")
            .join("gh")
    };
    dir.is_absolute().then_some(dir)
}

/// The hosts that a call may go to, and the host of a call that names none.  All lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// Known hosts.
    pub known: Vec<String>,
    /// The default host.
    pub default: String,
}

impl Hosts {
    /// Whether `host` (lower case) is known.  The names must be equal: a subdomain of a known host is another host.
    pub fn knows(&self, host: &str) -> bool {
        self.known.iter().any(|k| k == host)
    }
}

/// Builds [`Hosts`] from the options `cj/gh-known-hosts` (`setting`) and `cj/gh-default-host` (`default`) and from gh's own file.
///
/// Where `setting` is `None` (the option is nil), the known hosts are github.com, `default` and the hosts of `hosts_file`.
/// Else the known hosts are exactly those of `setting`, even if `default` is not among them: a person who lists hosts means that list.
/// Entries that are not host names are left out.
pub fn known_hosts(setting: Option<&[String]>, default: &str, hosts_file: &HostsFile) -> Hosts {
    let default = check_host_name(default).unwrap_or_else(|_| GITHUB.to_owned());
    let named: Vec<String> = match setting {
        Some(hosts) => hosts
            .iter()
            .filter_map(|h| check_host_name(h).ok())
            .collect(),
        None => [GITHUB.to_owned(), default.clone()]
            .into_iter()
            .chain(hosts_file.entries.iter().map(|e| e.host.clone()))
            .collect(),
    };
    let mut known: Vec<String> = Vec::new();
    for host in named {
        if !known.contains(&host) {
            known.push(host);
        }
    }
    Hosts { known, default }
}

fn host_entry(host: String, node: Node) -> HostEntry {
    let mut entry = HostEntry {
        host,
        users: Vec::new(),
        active: None,
        tokens: Vec::new(),
    };
    let Node::Map(fields) = node else {
        return entry;
    };
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("user", Node::Scalar(name)) if !name.is_empty() => entry.active = Some(name),
            ("oauth_token", Node::Scalar(token)) => entry.add_token(None, token),
            ("users", Node::Map(users)) => {
                for (name, fields) in users {
                    entry.users.push(name.clone());
                    if let Node::Map(fields) = fields {
                        for (key, value) in fields {
                            if let ("oauth_token", Node::Scalar(token)) = (key.as_str(), value) {
                                entry.add_token(Some(name.clone()), token);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    // gh before 2.40 wrote the active account and no list of accounts.
    if let Some(active) = &entry.active
        && !entry.users.contains(active)
    {
        entry.users.push(active.clone());
    }
    entry
}

impl HostEntry {
    fn add_token(&mut self, of: Option<String>, token: String) {
        if token.is_empty() {
            return;
        }
        let held = (of, Foreign::new(token));
        if !self.tokens.contains(&held) {
            self.tokens.push(held);
        }
    }
}

/// The parts of YAML that `hosts.yml` uses.
enum Node {
    Scalar(String),
    Map(Vec<(String, Node)>),
    /// A list.  gh writes none, so its elements are dropped.
    List,
}

/// Pulls events and builds nodes, never deeper than [`MAX_DEPTH`].
struct Reader<'a> {
    parser: Parser<std::str::Chars<'a>>,
}

impl<'a> Reader<'a> {
    /// The top mapping of the first document.
    fn document(text: &'a str) -> Result<Vec<(String, Node)>, HostsError> {
        let mut reader = Self {
            parser: Parser::new_from_str(text),
        };
        loop {
            match reader.next()? {
                Event::Nothing | Event::StreamStart | Event::DocumentStart => {}
                Event::StreamEnd => return Ok(Vec::new()),
                event => {
                    return match reader.node(event, 0)? {
                        Node::Map(hosts) => Ok(hosts),
                        // A file that holds only comments or `null`.
                        Node::Scalar(s) if s.is_empty() || s == "~" || s == "null" => {
                            Ok(Vec::new())
                        }
                        _ => Err(HostsError::Broken { line: 1 }),
                    };
                }
            }
        }
    }

    fn next(&mut self) -> Result<Event, HostsError> {
        match self.parser.next_token() {
            Ok((event, _)) => Ok(event),
            Err(e) => Err(HostsError::Broken {
                line: e.marker().line(),
            }),
        }
    }

    fn node(&mut self, event: Event, depth: usize) -> Result<Node, HostsError> {
        if depth > MAX_DEPTH {
            return Err(HostsError::Nested);
        }
        match event {
            Event::Scalar(text, ..) => Ok(Node::Scalar(text)),
            Event::MappingStart(..) => {
                let mut fields = Vec::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => return Ok(Node::Map(fields)),
                        event => self.node(event, depth + 1)?,
                    };
                    let event = self.next()?;
                    let value = self.node(event, depth + 1)?;
                    if let Node::Scalar(key) = key {
                        fields.push((key, value));
                    }
                }
            }
            Event::SequenceStart(..) => loop {
                match self.next()? {
                    Event::SequenceEnd => return Ok(Node::List),
                    event => drop(self.node(event, depth + 1)?),
                }
            },
            // An alias repeats another part of the document; gh writes no aliases.
            Event::Alias(_) => Err(HostsError::Nested),
            _ => Err(HostsError::Broken { line: 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_HOSTS: &str = "\
github.com:
    git_protocol: https
    users:
        alice:
            oauth_token: gho_AAAAAAAAAAAAAAAA
        bot-b:
            oauth_token: gho_BBBBBBBBBBBBBBBB
    user: alice
    oauth_token: gho_AAAAAAAAAAAAAAAA
GHE.example.com:
    git_protocol: ssh
    users:
        alice-corp:
    user: alice-corp
";

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn hosts_users_and_the_active_account_are_read() {
        let file = HostsFile::parse(TWO_HOSTS).expect("gh's own form");
        assert_eq!(file.entries().len(), 2);
        let github = file.get("github.com").expect("first host");
        assert_eq!(github.users, ["alice", "bot-b"]);
        assert_eq!(file.account("github.com"), Some("alice"));
        assert!(github.token_stored());
        let ghe = file.get("ghe.example.com").expect("lower-cased");
        assert_eq!(ghe.users, ["alice-corp"]);
        assert!(!ghe.token_stored() && ghe.logged_in());
    }

    #[test]
    fn stored_tokens_are_listed_for_the_redactor_and_debug_shows_none() {
        let file = HostsFile::parse(TWO_HOSTS).expect("gh's own form");
        assert_eq!(
            file.tokens_to_redact(),
            ["gho_AAAAAAAAAAAAAAAA", "gho_BBBBBBBBBBBBBBBB"].map(Foreign::from)
        );
        let shown = format!("{file:?}");
        assert!(
            shown.contains("[hidden]") && !shown.contains("gho_"),
            "{shown}"
        );
    }

    #[test]
    fn a_file_without_a_list_of_users_names_its_active_account() {
        let old =
            "github.com:\n    user: alice\n    oauth_token: x1234567\n    git_protocol: https\n";
        let file = HostsFile::parse(old).expect("old form");
        assert_eq!(file.get("github.com").expect("there").users, ["alice"]);
    }

    #[test]
    fn empty_files_hold_no_host() {
        for text in ["", "\n", "# nothing\n", "---\n", "{}\n", "null\n"] {
            let file = HostsFile::parse(text).expect("empty");
            assert!(file.entries().is_empty(), "{text:?}");
        }
    }

    #[test]
    fn each_form_that_gh_does_not_write_is_a_typed_error() {
        let kind = |text: &str| match HostsFile::parse(text) {
            Ok(_) => "ok",
            Err(HostsError::Broken { .. }) => "broken",
            Err(HostsError::Nested) => "nested",
            Err(HostsError::TooLarge) => "large",
            Err(_) => "other",
        };
        assert_eq!(kind("github.com: [unclosed\n"), "broken");
        assert_eq!(kind("- a\n- b\n"), "broken");
        assert_eq!(kind("just words\n"), "broken");
        assert_eq!(kind("a: &x {b: c}\nd: *x\n"), "nested");
        assert_eq!(kind(&format!("a: {}", "[".repeat(200))), "nested");
        // The YAML scanner has a limit for nesting too, and reaches it first.
        assert_eq!(kind(&"[".repeat(100_000)), "broken");
        assert_eq!(kind(&"a: b\n".repeat(80_000)), "large");
    }

    #[test]
    fn a_key_that_is_no_host_name_is_left_out() {
        let file = HostsFile::parse(
            "'-X':\n  user: a\n\"g\u{0456}thub.com\":\n  user: a\n'a:1':\n  user: b\n",
        )
        .expect("yaml");
        assert!(file.entries().is_empty());
    }

    #[test]
    fn the_configuration_directory_follows_ghs_order() {
        let dir = |env: &[&str]| config_dir(&strings(env).into()).map(|p| p.display().to_string());
        let all = ["GH_CONFIG_DIR=/c", "XDG_CONFIG_HOME=/x", "HOME=/h"];
        assert_eq!(dir(&all).as_deref(), Some("/c"));
        assert_eq!(dir(&all[1..]).as_deref(), Some("/x/gh"));
        assert_eq!(dir(&all[2..]).as_deref(), Some("/h/.config/gh"));
        assert_eq!(
            dir(&["GH_CONFIG_DIR=", "HOME=/h"]).as_deref(),
            Some("/h/.config/gh")
        );
        assert_eq!(
            dir(&["GH_CONFIG_DIR", "GH_CONFIG_DIR=/late", "HOME=/h"]).as_deref(),
            Some("/h/.config/gh")
        );
        assert_eq!(dir(&["GH_CONFIG_DIR=relative", "HOME=/h"]), None);
        assert_eq!(dir(&[]), None);
    }

    #[test]
    fn without_a_setting_github_the_default_and_the_logins_are_known() {
        let file = HostsFile::parse(TWO_HOSTS).expect("gh's own form");
        let hosts = known_hosts(None, "Corp.ghe.com", &file);
        assert_eq!(
            hosts.known,
            ["github.com", "corp.ghe.com", "ghe.example.com"]
        );
        assert_eq!(hosts.default, "corp.ghe.com");
        assert!(!hosts.knows("x.corp.ghe.com") && !hosts.knows("com"));
    }

    #[test]
    fn a_setting_is_the_whole_list() {
        let file = HostsFile::parse(TWO_HOSTS).expect("gh's own form");
        let setting = strings(&["GHE.example.com", "-bad", "a:1"]);
        let hosts = known_hosts(Some(&setting), "github.com", &file);
        assert_eq!(hosts.known, ["ghe.example.com"]);
        assert!(!hosts.knows("github.com"));
    }
}
