//! Names of gh's own commands that an extension or an alias of the user may own all the same.
//!
//! gh installs no extension under the name of a command that it has.  But an extension that was installed before gh had the command stays, and
//! old releases run it in place of the command (seen with gh 2.61.0; 2.92.0 and 2.103.3 run the command).  And `help` is a command of cobra's,
//! not of gh's: every release leaves the word to an alias or an extension.

use std::path::PathBuf;

use crate::foreign::Foreign;
use crate::gate::call::given::Given;
use crate::gh::place::hosts::config_dir;

/// Bytes of gh's configuration that are read at most; a larger file counts as one that has an alias `help`.
const CONFIG: u64 = 1 << 20;

/// The places of the user's extensions and aliases.
#[derive(Clone, Default)]
pub struct Owned {
    extensions: Option<PathBuf>,
    config: Option<PathBuf>,
}

impl Owned {
    /// The places where gh looks for extensions and aliases when it runs with Emacs's `environment`.
    pub fn new(environment: &Foreign<Vec<String>>) -> Self {
        let given = Given::new(environment);
        let data = match given.non_empty("XDG_DATA_HOME") {
            Some(dir) => Some(PathBuf::from(dir)),
            None => given
                .non_empty("HOME")
                .map(|home| PathBuf::from(home).join(".local").join("share")),
        };
        Self {
            extensions: data.map(|dir| dir.join("gh").join("extensions")),
            config: config_dir(environment).map(|dir| dir.join("config.yml")),
        }
    }

    /// Why an extension or an alias may own `word`, the first word of a call: the rest of a sentence that begins with the command.
    pub fn by_another(&self, word: &str) -> Option<String> {
        let extension = format!("gh-{word}");
        let installed = (self.extensions.as_ref())
            .is_some_and(|dir| dir.join(extension).symlink_metadata().is_ok());
        if installed {
            return Some(format!(
                "begins with `{word}', and an extension of that name is installed, which gh may run in its place"
            ));
        }
        (word == "help" && self.help_is_an_alias()).then(|| {
            "begins with `help', and gh's configuration has an alias that may be of that name"
                .to_owned()
        })
    }

    /// Whether gh's configuration names `help` after `aliases`, or cannot be read whole.
    fn help_is_an_alias(&self) -> bool {
        let Some(file) = &self.config else {
            return false;
        };
        match file.metadata() {
            Err(_) => return false,
            Ok(about) if about.len() > CONFIG => return true,
            Ok(_) => {}
        }
        let Ok(text) = std::fs::read_to_string(file) else {
            return true;
        };
        let Some((_, aliases)) = text.split_once("aliases") else {
            return false;
        };
        aliases.split(['\n', ',', '{']).any(|line| {
            let key = line.split(':').next().unwrap_or_default();
            key.trim_matches([' ', '\t', '\r', '"', '\'', '?']) == "help"
        })
    }
}
