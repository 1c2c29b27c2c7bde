//! What a tool of the network is: how it is read, what it must know, what it runs, and what comes of that.
//!
//! A new tool is a file in `tools/` and a row of its table.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::arguments::Arguments;
use super::facts::{Facts, LookUp, Needs};
use super::settings::NetSettings;
use super::step::Step;
use super::step_runner::StepRunner;
use crate::gate::{Reads, Refusal, Source};

/// A row of the table of tools.
pub(super) struct ToolRow {
    /// The name that a model calls.
    pub name: &'static str,
    /// The arguments that it takes.
    pub keys: &'static [&'static str],
    /// Reads a call's arguments, and judges them as far as that takes no look-up.
    pub read: fn(&Arguments<'_>) -> Result<Arc<dyn Tool>, Refusal>,
}

/// A call of one tool, read.
pub(super) trait Tool: Debug + Send + Sync {
    /// What must be known before the call can be judged.
    fn needs(&self) -> Needs<'_> {
        Needs::Nothing
    }

    /// Where the call goes, and what a person must be asked about.
    fn settle(&self, facts: &Facts, settings: &NetSettings) -> Result<Settled, Refusal>;

    /// What the call does, in a sentence for a person; `host` is where it goes, as it was settled.
    fn sentence(&self, host: &str) -> String;

    /// Which packets are sent, in a sentence.
    fn packets(&self, to: &Destination) -> &'static str;

    /// The most that all of it may take.
    fn timeout(&self) -> Duration;

    /// What is run first, and words about what may be run after that.
    fn steps(&self, to: &Destination, settings: &NetSettings) -> (Vec<Step>, Vec<String>);

    /// Runs `steps`, and what they make necessary; the result for the model.
    fn finish(
        &self,
        runner: &StepRunner,
        to: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal>;
}

/// Where a call goes.
#[derive(Clone, Debug)]
pub(super) enum Destination {
    /// To one address; the name that it was found by, and its other addresses, which are of the same kind.
    Host {
        name: Option<String>,
        address: String,
        others: Vec<String>,
    },
    /// To no address at all.
    Nowhere { name: String, look_up: LookUp },
    /// To each address of a network.
    Net(IpNet),
    /// To a DNS server, about a name.
    Name,
    /// Nowhere: this machine is asked.
    Here,
}

/// Where a call goes, and what a person must be asked about.
pub(super) struct Settled {
    pub destination: Destination,
    /// The same for a person.
    pub host: String,
    pub source: Source,
    pub doubt: Option<String>,
}
