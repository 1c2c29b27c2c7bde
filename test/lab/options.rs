//! The command line of `lab`: long options, each with a value or without.

use std::path::PathBuf;

/// Names of a command's options; an option whose name ends in `=` takes a value.
pub const GITHUB: &[&str] = &[
    "socket=",
    "log=",
    "fixtures=",
    "ghe=",
    "token=",
    "ready=",
    "forget",
    "log-queries",
    "until-eof",
];
pub const MODEL: &[&str] = &["script=", "log=", "port-file=", "token=", "until-eof"];
pub const SERVE: &[&str] = &[
    "dir=",
    "script=",
    "fixtures=",
    "ghe=",
    "token=",
    "account=",
    "forget",
    "log-queries",
    "until-eof",
];
pub const ENV: &[&str] = &["dir=", "socket=", "account="];
pub const QUERY: &[&str] = &["fixtures=", "host=", "variables="];

/// The options on the command line, in order.
#[derive(Debug, Default)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// Parses `words` as options of the table `known`, written `--name value` or `--name=value`.
    pub fn read(mut words: impl Iterator<Item = String>, known: &[&str]) -> Result<Self, String> {
        let mut out = Self::default();
        while let Some(word) = words.next() {
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            let name = name
                .strip_prefix("--")
                .ok_or_else(|| format!("`{word}' is no option"))?;
            let value = if known.contains(&name) {
                match inline {
                    Some(_) => return Err(format!("--{name} takes no value")),
                    None => String::new(),
                }
            } else if known.contains(&format!("{name}=").as_str()) {
                inline
                    .or_else(|| words.next())
                    .ok_or_else(|| format!("--{name} wants a value"))?
            } else {
                return Err(format!("there is no option --{name} here"));
            };
            out.0.push((name.to_owned(), value));
        }
        Ok(out)
    }

    /// Returns the last value of the option `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns every value of the option `name`.
    pub fn all(&self, name: &str) -> Vec<&str> {
        self.0
            .iter()
            .filter(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the value of the option `name` as a path; an error if the option is missing.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.get(name)
            .map(PathBuf::from)
            .ok_or_else(|| format!("--{name} is missing"))
    }
}
