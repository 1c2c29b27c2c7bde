//! Makes the Plan of a call of a network tool: reads, judges, pins and decides the call.  Nothing runs here.
//!
//! A call consists of the command lines that its approval shows; each becomes a Plan of its own when it runs.

use std::path::PathBuf;
use std::sync::Arc;

use super::ask::Ask;
use super::facts::Facts;
use super::settings::NetSettings;
use super::step::Step;
use super::step_runner::StepRunner;
use super::tool::Destination;
use crate::gate::decide::policy;
use crate::gate::result::budget;
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{Answer, Class, Cleaner, Draft, Finish, Plan, Question, Reads, Refusal, Target};
use crate::run::{Captured, Limits};

/// Makes the Plan of the call `argv` with the `facts` found for it.  `edited`: a person changed the call in the approval buffer.
///
/// # Errors
/// What is wrong with the call, and what to do; `bad-argument` where `facts` belong to another name.
pub fn plan(
    argv: &[String],
    facts: &Facts,
    edited: bool,
    settings: &NetSettings,
) -> Result<Plan, Refusal> {
    let ask = Ask::read(argv)?;
    let clean = Cleaner::holding(&secrets_held(&settings.environment));
    let settled = ask.tool().settle(facts, settings)?;
    let host = settled.host.clone();
    let target = Target {
        host: settled.host,
        owner: None,
        repo: None,
        account: None,
        source: settled.source,
    };
    let policy = policy::for_host(&settings.policies, &target.host, &[]);
    let asks = if settled.doubt.is_some() {
        Answer::Confirm
    } else {
        Answer::Auto
    };
    let job = Job {
        destination: settled.destination,
        runner: StepRunner {
            target: target.clone(),
            settings: settings.clone(),
            clean: clean.clone(),
            asked: settled.doubt.is_some(),
        },
        ask,
    };
    let (steps, later) = job.steps();
    let mut words = argv.to_vec();
    if let Destination::Host {
        name: Some(_),
        address,
        ..
    } = &job.destination
    {
        words.push(format!("address={address}"));
    }
    let parts = steps.iter().map(Step::line).chain(later).collect();
    let packets = job.ask.tool().packets(&job.destination);
    let reason = match settled.doubt {
        Some(doubt) => format!("{doubt} {packets}"),
        None => packets.to_owned(),
    };
    Plan::new(Draft {
        program: "net",
        class: Class::Read,
        act: None,
        command: job.ask.name().to_owned(),
        reason,
        argv: words.into(),
        parts,
        executable: PathBuf::new(),
        cwd: PathBuf::from("/"),
        environment: Vec::new(),
        target: Some(target),
        answer: policy.answer(Class::Read).max(asks),
        complaints: policy.complaints,
        refusal: None,
        question: Question {
            sentence: job.ask.tool().sentence(&host),
            undo: "Nothing is changed, but whoever has the address may see the packets, and may log them."
                .into(),
            ..Question::default()
        },
        edited,
        leases: false,
        shown_environment: String::new(),
        limits: Limits {
            timeout: job.ask.tool().timeout(),
            ..Limits::default()
        },
        finish: Arc::new(job),
        guard: None,
        clean,
    })
}

/// A call that was judged, with all that its run needs.
struct Job {
    ask: Ask,
    destination: Destination,
    runner: StepRunner,
}

impl Job {
    fn steps(&self) -> (Vec<Step>, Vec<String>) {
        let tool = self.ask.tool();
        tool.steps(&self.destination, &self.runner.settings)
    }
}

impl Finish for Job {
    fn finish(&self, _: &Captured, _: &Cleaner, reads: &mut dyn Reads) -> Result<String, Refusal> {
        let (steps, _) = self.steps();
        let tool = self.ask.tool();
        tool.finish(&self.runner, &self.destination, &steps, reads)
    }

    fn budget(&self) -> usize {
        self.runner
            .settings
            .result_budget
            .unwrap_or(budget::DEFAULT)
    }
}
