//! The trait of a network tool: how its call is read, which facts it needs, what it runs, and what the model gets.
//!
//! A new tool is a file in `tools/` and a row of its table.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::arguments::Arguments;
use super::facts::{Facts, LookUp, Needs, Resolver};
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
    /// Reads a call's arguments, and judges them as far as possible without a look-up.
    pub read: fn(&Arguments<'_>) -> Result<Arc<dyn Tool>, Refusal>,
}

/// A call of one tool, with its arguments read.
pub(super) trait Tool: Debug + Send + Sync {
    /// The facts that the call needs before it can be judged.
    fn needs(&self) -> Needs<'_> {
        Needs::Nothing
    }

    /// Judges the call by `facts`: where the call goes, and why a person must be asked, if so.
    fn settle(&self, facts: &Facts, settings: &NetSettings) -> Result<Settled, Refusal>;

    /// What the call does, in a sentence for a person; `host` is [`Settled::host`].
    fn sentence(&self, host: &str) -> String;

    /// Which packets are sent, in a sentence.
    fn packets(&self, to: &Destination) -> &'static str;

    /// The most time for the whole call.
    fn timeout(&self) -> Duration;

    /// The steps that run first, and lines about the steps that may run after them.
    fn steps(&self, to: &Destination, settings: &NetSettings) -> (Vec<Step>, Vec<String>);

    /// Runs `steps` and the steps that their results make necessary; returns the text for the model.
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
    /// To one `address`, which was found by `name`; `others` are the name's other addresses, all of the same kind.
    Host {
        name: Option<String>,
        address: String,
        others: Vec<String>,
        /// How this machine resolved the name.
        resolver: Resolver,
    },
    /// To no address: the look-up of `name` gave none.
    Nowhere {
        name: String,
        look_up: LookUp,
        resolver: Resolver,
    },
    /// To each address of a network; `router` is the hardware address of the router that leads outside.
    Net { net: IpNet, router: Option<String> },
    /// To a DNS server, about a name.
    Name,
    /// To this machine.
    Here,
}

/// Where a call goes, and why a person must be asked, if so.
pub(super) struct Settled {
    pub destination: Destination,
    /// The destination in words for a person.
    pub host: String,
    pub source: Source,
    /// Why a person must be asked; `None` where only the policy decides.
    pub doubt: Option<String>,
}
