//! What each tool runs, and what comes of it: a plain conclusion on the first line, what it rests on below.

mod diagnose;
mod discover;
mod lookup;
mod services;
mod status;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ipnet::IpNet;

use super::ask::Ask;
use super::facts::LookUp;
use super::parse::Outside;
use super::plan::Settings;
use super::session;
use super::step::Step;
use crate::gate::result::budget;
use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal, Target};
use crate::run::Captured;

/// Where a call goes.
#[derive(Clone, Debug)]
pub(super) enum Place {
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

/// One call on its way.
pub(super) struct Job {
    pub ask: Ask,
    pub place: Place,
    /// Whether a person had to be asked, besides what the policy says.
    pub asked: bool,
    pub target: Target,
    pub settings: Settings,
    pub clean: Cleaner,
}

/// What came of a step.
type Answer = Result<Captured, Refusal>;

impl Job {
    /// What it runs first, and words about what it may run after that.
    pub fn steps(&self) -> (Vec<Step>, Vec<String>) {
        match &self.ask {
            Ask::Diagnose { port, .. } => diagnose::steps(&self.place, *port),
            Ask::Discover { .. } => discover::steps(&self.place),
            Ask::Services { ports, fast, .. } => {
                services::steps(&self.place, ports.as_deref(), *fast)
            }
            // The file is read in any case, also where none of the programs is there.
            Ask::Status => (
                status::steps(&self.settings),
                vec!["cat /etc/resolv.conf".to_owned()],
            ),
            Ask::Lookup {
                name, kind, server, ..
            } => (
                vec![super::step::dig(name, kind, server.as_deref())],
                Vec::new(),
            ),
        }
    }

    /// Which packets are sent, in a sentence.
    pub const fn packets(&self) -> &'static str {
        match (&self.ask, &self.place) {
            (Ask::Diagnose { .. }, Place::Nowhere { .. }) => {
                "It asks the DNS servers why the name has no address."
            }
            (Ask::Diagnose { .. }, _) => {
                "It sends three echo requests, one probe to each hop on the way, and opens connections to one or two TCP ports."
            }
            (Ask::Discover { .. }, _) => {
                "It sends one or two packets to each address of the network."
            }
            (Ask::Services { .. }, _) => {
                "It tries to connect to each of the ports, and asks the open ones what they are."
            }
            (Ask::Status, _) => "It asks this machine alone and sends nothing.",
            (Ask::Lookup { .. }, _) => "It asks a DNS server about one name.",
        }
    }

    /// The most that all of it may take.
    pub const fn timeout(&self) -> Duration {
        match &self.ask {
            Ask::Diagnose { .. } => diagnose::TIMEOUT,
            Ask::Services { .. } => services::TIMEOUT,
            Ask::Discover { .. } => Duration::from_secs(55),
            Ask::Status => super::plan::LEAST,
            Ask::Lookup { .. } => Duration::from_secs(15),
        }
    }

    /// Runs STEPS side by side.  One that cannot be run has its refusal in place of an answer.
    fn run(&self, steps: &[Step], reads: &mut Reads<'_>) -> Vec<Answer> {
        let mut refusals = Vec::new();
        let mut plans = Vec::new();
        for step in steps {
            match step.plan(&self.target, &self.settings, &self.clean) {
                Ok(plan) => {
                    plans.push(plan);
                    refusals.push(None);
                }
                Err(refusal) => refusals.push(Some(refusal)),
            }
        }
        let mut answers = reads.run_all(plans).into_iter();
        refusals
            .into_iter()
            .map(|refusal| match refusal {
                Some(refusal) => Err(refusal),
                None => answers.next().expect("each Plan has an answer"),
            })
            .collect()
    }

    /// Runs one step.
    fn run_one(&self, step: &Step, reads: &mut Reads<'_>) -> Answer {
        self.run(std::slice::from_ref(step), reads)
            .pop()
            .expect("one step has one answer")
    }
}

impl Finish for Job {
    fn finish(&self, _: &Captured, _: &Cleaner, reads: &mut Reads<'_>) -> Result<String, Refusal> {
        let (steps, _) = self.steps();
        match (&self.ask, &self.place) {
            (Ask::Discover { .. }, Place::Net(net)) => {
                session::note_discovery(*net);
                discover::finish(self, *net, &steps[0], reads)
            }
            (Ask::Lookup { name, kind, .. }, _) => {
                if self.asked {
                    session::allow(name);
                }
                let answer = self.run_one(&steps[0], reads)?;
                lookup::render(name, kind, &answer)
            }
            (Ask::Services { .. }, Place::Host { name, address, .. }) => {
                services::finish(self, name.as_deref(), address, &steps[0], reads)
            }
            (Ask::Diagnose { port, .. }, _) => Ok(diagnose::finish(self, *port, &steps, reads)),
            (Ask::Status, _) => Ok(status::finish(self, &steps, reads)),
            _ => Err(Refusal::new(
                ErrorKind::Module,
                "The call has no place to go to.\nReport it.",
            )),
        }
    }

    fn budget(&self) -> usize {
        self.settings.result_budget.unwrap_or(budget::DEFAULT)
    }
}

/// Why a look-up gave no address, in words.
pub(super) const fn no_address(look_up: LookUp) -> &'static str {
    match look_up {
        LookUp::TimedOut => "the look-up took longer than 6 seconds",
        LookUp::Failed => "the look-up could not be made",
        LookUp::None | LookUp::Found | LookUp::Nothing => "the look-up gave none",
    }
}

/// Standard output as text.
fn out(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stdout.head().reveal()).into_owned()
}

/// The first line of standard error, quoted, or "nothing": what the program says.
fn complaint(captured: &Captured) -> String {
    let text = String::from_utf8_lossy(captured.stderr.head().reveal()).into_owned();
    match text.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => Outside::new(line).to_string(),
        None => "nothing".to_owned(),
    }
}

/// Why a step gave nothing, in a few words.
fn missing(refusal: &Refusal) -> String {
    match refusal.kind {
        ErrorKind::Timeout => "it took too long".to_owned(),
        _ => refusal
            .message
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches('.')
            .to_owned(),
    }
}

/// A name without its quotes where nothing in it needs them.
fn name(text: &Outside) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.*".contains(&b);
    if !text.as_str().is_empty() && text.as_str().bytes().all(plain) {
        text.as_str().to_owned()
    } else {
        text.to_string()
    }
}

/// COUNT and WHAT, a noun whose plural ends in s.
fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The words in a row, with a word between the last two.
fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
