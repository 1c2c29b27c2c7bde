//! Reads a call of an agent: the name of a tool, and its arguments as `KEY=VALUE` words.
//!
//! Arguments are judged here as far as possible without a look-up: ports, types, servers, networks and the form of names.

use std::sync::Arc;

use super::arguments::{Arguments, bad};
use super::tool::Tool;
use super::tools::TOOLS;
use crate::gate::{self, Refusal};

/// A call of one tool.
#[derive(Clone, Debug)]
pub struct Ask {
    name: &'static str,
    tool: Arc<dyn Tool>,
}

impl Ask {
    /// Reads `argv`: the tool, then `KEY=VALUE` words.
    ///
    /// # Errors
    /// `bad-argument` for a misspelt or missing tool or argument, `policy-blocked` for a value that a validator rejects.
    pub fn read(argv: &[String]) -> Result<Self, Refusal> {
        gate::decide::argv::check(argv)?;
        let (tool, words) = argv.split_first().expect("it was checked not to be empty");
        let Some(row) = TOOLS.iter().find(|row| row.name == tool) else {
            let known: Vec<&str> = TOOLS.iter().map(|row| row.name).collect();
            return Err(bad(format!(
                "There is no network tool of this name.\nUse one of {}.",
                known.join(", ")
            )));
        };
        Ok(Self {
            name: row.name,
            tool: (row.read)(&Arguments::read(row.name, row.keys, words)?)?,
        })
    }

    /// The name of the tool.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn tool(&self) -> &dyn Tool {
        &*self.tool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Ask, Refusal> {
        Ask::read(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_bad_call_is_refused_with_advice_on_a_second_line() {
        for words in [
            &["nmap", "host=10.0.0.1"][..],
            &["net_services", "host=10.0.0.1", "args=-A"],
            &["net_services", "host=10.0.0.1", "host=10.0.0.2"],
            &["net_services", "host=10.0.0.1", "-A"],
            &["net_services"],
            &["net_services", "host=10.0.0.1", "fast=yes"],
            &["net_services", "host=10.0.0.1", "fast=true", "ports=80"],
            &["net_services", "host=--script=vuln"],
            &["net_services", "host=10.0.0.1;id"],
            &["net_services", "host=0x0a.1"],
            &["net_services", "host=8.8.8.8"],
            &["net_services", "host=10.0.0.1", "ports=80;id"],
            &["net_diagnose", "target=10.0.0.1", "port=1-5"],
            &["net_discover", "subnet=8.8.8.0/24"],
            &["net_discover", "subnet=10.0.0.0/8"],
            &["network_status", "x=1"],
            &["dns_lookup", "name=a.test", "type=AXFR"],
            &["dns_lookup", "name=a.test", "server=8.8.4.4"],
            &["dns_lookup", "name=@1.1.1.1"],
            &["dns_lookup", "name=10.0.0.1"],
        ] {
            let refusal = read(words).expect_err(&words.join(" "));
            assert!(refusal.message.contains('\n'), "{}", refusal.message);
        }
    }
}
