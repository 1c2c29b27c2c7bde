//! Asks the gh binary: the help pages give the tree of commands and the flags; parse errors give the kind of each flag.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::{AtomicUsize, Ordering};

use cj_gate::gh::catalog::Arity;
use cj_gate::gh::catalog::help::{Page, ShownFlag};

/// Commands that no help page lists: hidden built-ins of gh 2.92.0 and 2.103.3. No output of gh names them, so this list does.
/// Each version of gh is asked whether it has each of them.
const HIDDEN_COMMANDS: &[&str] = &[
    "accessibility",
    "actions",
    "attestation inspect",
    "auth git-credential",
    "codespace select",
    "credits",
    "environment",
    "exit-codes",
    "formatting",
    "help",
    "mintty",
    "reference",
    "repo credits",
    "repo garden",
    "send-telemetry",
    "telemetry",
    "version",
];

/// Words whose help page is not asked for, since gh prints another command's page: two stubs that offer to install an official
/// extension (`aw`, `stack`), and gh's default user alias `co`.
const STUBS: &[&str] = &["aw", "co", "stack"];

/// Commands that pass their arguments on unparsed (gh sets `DisableFlagParsing`): their flags cannot be probed.
const UNPARSED: &[&str] = &["copilot", "extension exec"];

/// Flags that no help page shows (`MarkHidden` and `MarkDeprecated` in gh's source). Each flag is probed on every leaf.
const HIDDEN_FLAGS: &[&str] = &[
    "confirm",
    "displayName",
    "enable-issues",
    "enable-wiki",
    "issue-repo",
    "private",
    "public",
    "repo-deprecated",
    "secure-storage",
    "stdio",
];

/// Letters of hidden flags, probed on every leaf that has a hidden flag: `issue develop -i`, `codespace list -r`, `repo create -y`.
const HIDDEN_SHORTS: &str = "iry";

/// The catalog of one gh binary, made from the binary's answers.
pub struct Asked {
    pub version: String,
    pub commands: Vec<Command>,
}

/// A group or a leaf.
pub struct Command {
    pub path: String,
    pub runs: bool,
    pub hidden: bool,
    pub parses_flags: bool,
    pub positionals: &'static str,
    pub aliases: Vec<String>,
    pub json: Vec<String>,
    pub flags: Vec<Flag>,
}

/// One flag of one command.
pub struct Flag {
    pub name: String,
    pub short: Option<char>,
    pub takes: &'static str,
    pub inherited: bool,
    pub hidden: bool,
    /// The word for the flag's value on the help page: `[HOST/]OWNER/REPO`.
    word: String,
}

/// Groups that only print help, although their usage line has no `<command>`.
const HELP_ONLY: &[&str] = &["codespace", "extension"];

/// Commands whose positional names a repository, although the usage line calls the positional something else.
const REPOSITORY_BY_ANOTHER_NAME: &[&str] = &["repo create"];

impl Command {
    /// How a call of the command selects its host, by its flags; `env` means that only `GH_HOST` does.
    pub fn host(&self) -> &'static str {
        let repo = self
            .flags
            .iter()
            .find(|f| f.name == "repo" && f.word.contains("[HOST/]"));
        match repo {
            Some(flag) if flag.inherited => "inherited-repo",
            Some(_) => "own-repo",
            None if self.flags.iter().any(|f| f.name == "hostname") => "hostname",
            None if self.path.starts_with("config ")
                && self.flags.iter().any(|f| f.name == "host") =>
            {
                "host"
            }
            None => "env",
        }
    }
}

impl From<ShownFlag> for Flag {
    fn from(shown: ShownFlag) -> Self {
        Self {
            name: shown.name,
            short: shown.short,
            takes: match shown.arity {
                Some(Arity::Nothing) => "nothing",
                Some(Arity::Optional) => "optional",
                // `prove_kinds` asks the parser whether this is right.
                Some(Arity::Value) | None => "value",
            },
            inherited: shown.inherited,
            hidden: false,
            word: shown.word,
        }
    }
}

/// A gh binary with a scratch home.
pub struct Gh {
    binary: PathBuf,
    home: PathBuf,
}

impl Gh {
    /// Makes an empty home for `binary` in the system's folder for temporary files.
    pub fn new(binary: &Path) -> Result<Self, String> {
        static HOMES: AtomicUsize = AtomicUsize::new(0);
        let nth = HOMES.fetch_add(1, Ordering::Relaxed);
        let home = std::env::temp_dir().join(format!("gh-catalog-{}-{nth}", std::process::id()));
        std::fs::create_dir_all(&home).map_err(|e| e.to_string())?;
        let binary = std::fs::canonicalize(binary).map_err(|e| e.to_string())?;
        Ok(Self { binary, home })
    }

    pub fn run(&self, path: &str, rest: &[&str]) -> Result<String, String> {
        let argv: Vec<String> = path
            .split_whitespace()
            .chain(rest.iter().copied())
            .map(str::to_owned)
            .collect();
        self.say(&argv)
    }

    /// Runs gh with `argv` and returns its standard output followed by its standard error. gh has no token, an empty home, no
    /// other programs and no network.
    pub fn say(&self, argv: &[String]) -> Result<String, String> {
        let output = Process::new(&self.binary)
            .args(argv)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/nonexistent")
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("GH_TELEMETRY", "false")
            .env("HTTPS_PROXY", "http://127.0.0.1:9")
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .current_dir(&self.home)
            .stdin(std::process::Stdio::null())
            .output()
            .map_err(|e| e.to_string())?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(text)
    }

    /// The whole catalog, from a walk over the help pages.
    pub fn catalog(&self) -> Result<Asked, String> {
        let banner = self.run("", &["--version"])?;
        let version = banner
            .split_whitespace()
            .nth(2)
            .ok_or("`gh --version` does not say a version")?
            .to_owned();
        let mut commands = Vec::new();
        self.visit("", false, &mut commands)?;
        for path in HIDDEN_COMMANDS {
            let known = commands.iter().any(|c: &Command| c.path == *path);
            if !known && self.exists(path)? {
                self.visit(path, true, &mut commands)?;
            }
        }
        for path in STUBS {
            commands.push(Command {
                path: (*path).to_owned(),
                runs: true,
                hidden: *path != "co",
                parses_flags: false,
                positionals: "text",
                aliases: Vec::new(),
                json: Vec::new(),
                flags: Vec::new(),
            });
        }
        commands.sort_by(|a, b| a.path.split(' ').cmp(b.path.split(' ')));
        Ok(Asked { version, commands })
    }

    /// Whether gh has the hidden command `path`: a missing command prints an error or its parent's page.
    pub fn exists(&self, path: &str) -> Result<bool, String> {
        let parent = path.rsplit_once(' ').map_or("", |(parent, _)| parent);
        let text = self.run(path, &["--help"])?;
        Ok(!text.contains("unknown command") && text != self.run(parent, &["--help"])?)
    }

    fn visit(&self, path: &str, hidden: bool, out: &mut Vec<Command>) -> Result<(), String> {
        let page = Page::new(&self.run(path, &["--help"])?);
        let children = page.commands();
        let usage = page.usage().unwrap_or_default().to_owned();
        let runs = children.is_empty()
            || !(path.is_empty()
                || usage.contains("<command>")
                || usage.contains("[subcommand]")
                || HELP_ONLY.contains(&path));
        let parses_flags = !UNPARSED.contains(&path);
        let mut flags: Vec<Flag> = page.flags().into_iter().map(Flag::from).collect();
        // Every command inherits --help; only the pages of help topics do not show it.
        if parses_flags && !flags.iter().any(|f| f.name == "help") {
            flags.push(Flag {
                name: "help".into(),
                short: None,
                takes: "nothing",
                inherited: true,
                hidden: false,
                word: String::new(),
            });
        }
        if parses_flags {
            self.prove_kinds(path, &mut flags)?;
            if runs {
                self.probe_hidden(path, &mut flags)?;
            }
        }
        flags.sort_by(|a, b| a.name.cmp(&b.name));
        let mut json: Vec<String> = page
            .lines(|h| h == "JSON FIELDS")
            .flat_map(|line| line.split(','))
            .map(|field| field.trim().to_owned())
            .filter(|field| !field.is_empty())
            .collect();
        json.sort();
        let aliases: BTreeSet<String> = page
            .aliases()
            .filter(|word| Some(*word) != path.rsplit(' ').next())
            .map(str::to_owned)
            .collect();
        out.push(Command {
            path: path.to_owned(),
            runs,
            hidden,
            parses_flags,
            positionals: positionals(path, &usage),
            aliases: aliases.into_iter().collect(),
            json,
            flags,
        });
        for (child, _) in children.iter().filter(|(c, _)| !STUBS.contains(c)) {
            self.visit(format!("{path} {child}").trim(), hidden, out)?;
        }
        Ok(())
    }

    /// Asks gh's parser whether each flag takes a value, since the word for a value on the help page can mislead.
    /// A flag is given last, behind `--help`: a flag that takes a value then complains that the value is missing. All flags
    /// without a value are then given at once.
    fn prove_kinds(&self, path: &str, flags: &mut [Flag]) -> Result<(), String> {
        for flag in flags.iter_mut().filter(|f| f.takes == "value") {
            let text = self.run(path, &["--help", &format!("--{}", flag.name)])?;
            if !(text.contains("flag needs an argument")
                || text.contains("Specify one or more comma-separated fields"))
            {
                flag.takes = "nothing";
            }
        }
        let bare: Vec<String> = flags
            .iter()
            .filter(|f| f.takes == "nothing" && f.name != "help")
            .map(|f| format!("--{}=true", f.name))
            .collect();
        let mut args = vec!["--help"];
        args.extend(bare.iter().map(String::as_str));
        let text = self.run(path, &args)?;
        if text.contains("unknown flag") || text.contains("invalid argument") {
            return Err(format!("gh {path} does not parse {bare:?}: {text}"));
        }
        Ok(())
    }

    fn probe_hidden(&self, path: &str, flags: &mut Vec<Flag>) -> Result<(), String> {
        for name in HIDDEN_FLAGS {
            if flags.iter().any(|f| f.name == *name) {
                continue;
            }
            let text = self.run(path, &["--help", &format!("--{name}")])?;
            if !text.contains("unknown flag") {
                let takes = if text.contains("flag needs an argument") {
                    "value"
                } else {
                    "nothing"
                };
                flags.push(Flag {
                    name: (*name).to_owned(),
                    short: None,
                    takes,
                    inherited: false,
                    hidden: true,
                    word: String::new(),
                });
            }
        }
        if !flags.iter().any(|f| f.hidden) {
            return Ok(());
        }
        for letter in HIDDEN_SHORTS.chars() {
            if flags.iter().any(|f| f.short == Some(letter)) {
                continue;
            }
            let text = self.run(path, &["--help", &format!("-{letter}")])?;
            if !text.contains("unknown shorthand flag") {
                // The letter belongs to the one hidden flag without a letter that parses the same way.
                let takes = if text.contains("flag needs an argument") {
                    "value"
                } else {
                    "nothing"
                };
                match flags.iter_mut().find(|f| {
                    f.hidden && f.short.is_none() && f.takes == takes
                        || f.name == "yes" && f.short.is_none()
                }) {
                    Some(flag) => flag.short = Some(letter),
                    None => {
                        return Err(format!(
                            "gh {path} knows -{letter}, but no hidden flag that it could belong to"
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Drop for Gh {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// What the positionals of `path` may name, by its usage line: a URL, a repository with an optional host, other text, or
/// nothing.
fn positionals(path: &str, usage: &str) -> &'static str {
    // A flag with its value, like `[--tuf-url <url>]`, is no positional.
    let usage = usage.split("[--").next().unwrap_or(usage);
    let words = usage.strip_prefix("gh ").unwrap_or(usage);
    let rest = words
        .get(path.len()..)
        .unwrap_or_default()
        .replace("[flags]", "");
    if REPOSITORY_BY_ANOTHER_NAME.contains(&path)
        || ["repository>", "-repo>"].iter().any(|w| rest.contains(w)) && !rest.contains("url>")
    {
        "repository"
    } else if ["url>", "urls>", "oci:"].iter().any(|w| rest.contains(w)) {
        if path == "issue transfer" {
            "url-then-repository"
        } else {
            "url"
        }
    } else if rest.trim().is_empty() {
        "none"
    } else {
        "text"
    }
}
