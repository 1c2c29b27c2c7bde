//! The command line of `lab`: long options only, each either with a value or without.

use std::path::PathBuf;

/// Options of a command; a name that ends in `=` takes a value.
pub const GITHUB: &[&str] = &[
    "socket=",
    "log=",
    "fixtures=",
    "ghe=",
    "token=",
    "ready=",
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
    "log-queries",
    "until-eof",
];
pub const ENV: &[&str] = &["dir=", "socket=", "account="];
pub const QUERY: &[&str] = &["fixtures=", "host=", "variables="];

/// What was given, in order.
#[derive(Debug, Default)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// Reads WORDS by the table KNOWN; both `--name value` and `--name=value` will do.
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

    /// The last value of NAME.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Every value of NAME.
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

    /// The path in NAME, which must be there.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.get(name)
            .map(PathBuf::from)
            .ok_or_else(|| format!("--{name} is missing"))
    }
}
