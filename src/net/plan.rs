//! A Plan for a call of a network tool: read, judged, pinned, decided.  Everything about it is settled here, and nothing runs.
//!
//! A call is made of the command lines that its approval shows; each becomes a Plan of its own when it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::ask::{Ask, refused};
use super::facts::{Facts, LookUp};
use super::session;
use super::step::PROGRAMS;
use super::tools::{self, Job, Place};
use super::validate::{Answer as Judged, Verdict};
use crate::foreign::Foreign;
use crate::gate::decide::policy;
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{
    Answer, Class, Cleaner, Draft, ErrorKind, Plan, Question, Refusal, Source, Target,
};
use crate::run::Limits;

/// The user's options, as the Lisp layer passes them.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The programs that were found: name and absolute file name.
    pub programs: Vec<(String, PathBuf)>,
    /// Emacs's global `process-environment`.
    pub environment: Foreign<Vec<String>>,
    /// Policies, all of which hold: the strictest answer counts.
    pub policies: Vec<policy::Layer>,
    /// `cj/gate-result-budget`, in tokens; none: the default.
    pub result_budget: Option<usize>,
    /// `cj/net-trusted-networks`: networks that are discovered without a question.
    pub trusted: Vec<String>,
}

impl Settings {
    /// Where a program is.
    ///
    /// # Errors
    /// `no-executable`, with what to install.
    pub fn program(&self, name: &str) -> Result<&Path, Refusal> {
        if let Some((_, path)) = self.programs.iter().find(|(known, _)| known == name) {
            return Ok(path);
        }
        let packages = PROGRAMS.iter().find(|(known, ..)| *known == name).map_or_else(
            String::new,
            |(_, _, [debian, fedora, arch])| {
                format!("Install it (Debian: {debian}; Fedora: {fedora}; Arch: {arch}), or name it in `cj/net-executables'.")
            },
        );
        Err(Refusal::new(
            ErrorKind::NoExecutable,
            format!("{name} is not installed.\n{packages}"),
        ))
    }
}

/// Makes the Plan of a call that was read by [`Ask::read`], with what was found out for it.  `edited` says that a person changed
/// the call.
///
/// # Errors
/// What is wrong with the call, with what to do; `bad-argument` where `facts` are those of another name.
pub fn plan(
    argv: &[String],
    facts: &Facts,
    edited: bool,
    settings: &Settings,
) -> Result<Plan, Refusal> {
    let ask = Ask::read(argv)?;
    let clean = Cleaner::holding(&secrets_held(&settings.environment));
    let settled = settle(&ask, facts, settings)?;
    let host = settled.host.clone();
    let target = Target {
        host: settled.host,
        owner: None,
        repo: None,
        account: None,
        source: settled.source,
    };
    let policy = policy::for_host(&settings.policies, &target.host);
    let asks = if settled.doubt.is_some() {
        Answer::Confirm
    } else {
        Answer::Auto
    };
    let job = Job {
        place: settled.place,
        asked: settled.doubt.is_some(),
        target: target.clone(),
        settings: settings.clone(),
        clean: clean.clone(),
        ask,
    };
    let (steps, later) = job.steps();
    let mut words = argv.to_vec();
    if let Place::Host {
        name: Some(_),
        address,
        ..
    } = &job.place
    {
        words.push(format!("address={address}"));
    }
    let parts = steps
        .iter()
        .map(super::step::Step::line)
        .chain(later)
        .collect();
    let packets = job.packets();
    let reason = match settled.doubt {
        Some(doubt) => format!("{doubt} {packets}"),
        None => packets.to_owned(),
    };
    Plan::new(Draft {
        program: "net",
        class: Class::Read,
        command: job.ask.tool().to_owned(),
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
            sentence: job.ask.sentence(&host),
            undo: "Nothing is changed, but whoever has the address may see it, and may log it."
                .into(),
            ..Question::default()
        },
        edited,
        leases: false,
        shown_environment: String::new(),
        limits: Limits {
            timeout: job.timeout(),
            ..Limits::default()
        },
        finish: Arc::new(job),
        guard: None,
        clean,
    })
}

/// Where a call goes, and what a person must be asked about.
struct Settled {
    place: Place,
    host: String,
    source: Source,
    doubt: Option<String>,
}

fn settle(ask: &Ask, facts: &Facts, settings: &Settings) -> Result<Settled, Refusal> {
    match ask {
        Ask::Diagnose { target, .. } | Ask::Services { target, .. } => {
            let named = target.to_look_up();
            if named != facts.name.as_deref() {
                return Err(Refusal::new(
                    ErrorKind::BadArgument,
                    "The look-up was not of this name.\nSend the call anew.",
                ));
            }
            if let Some(name) = named
                && facts.look_up != LookUp::Found
            {
                return nowhere(ask, name, facts);
            }
            let key = if matches!(ask, Ask::Diagnose { .. }) {
                "target"
            } else {
                "host"
            };
            let judged = target.judge(&facts.addresses);
            let (doubt, address) = pinned(key, judged)?;
            let others = facts
                .addresses
                .iter()
                .filter(|other| **other != address)
                .cloned()
                .collect();
            Ok(Settled {
                host: address.clone(),
                place: Place::Host {
                    name: named.map(str::to_owned),
                    address,
                    others,
                },
                source: Source::ExplicitHost,
                doubt,
            })
        }
        Ask::Discover { subnet } => {
            let (net, source) = match (subnet, facts.lan) {
                (Some(text), _) => (text.parse::<IpNet>().ok(), Source::ExplicitHost),
                (None, lan) => (lan, Source::Local),
            };
            let net = net.ok_or_else(|| {
                Refusal::new(
                    ErrorKind::Network,
                    "This machine is on no private IPv4 network.\nGive `subnet', for example 192.168.1.0/24.",
                )
            })?;
            let judged = super::validate::validate(
                super::validate::Check::Subnet,
                super::validate::Input::Text(&net.to_string()),
                &[],
            );
            let (doubt, _) = pinned("subnet", judged)?;
            let trusted = settings
                .trusted
                .iter()
                .filter_map(|text| text.parse::<IpNet>().ok())
                .any(|known| known.contains(&net));
            let first = (!trusted && !session::discovered(net)).then(|| {
                format!("{net} was not discovered in this session, and may be somebody else's network (`cj/net-trusted-networks').")
            });
            Ok(Settled {
                host: net.to_string(),
                place: Place::Net(net),
                source,
                doubt: doubt.or(first),
            })
        }
        Ask::Status => Ok(Settled {
            place: Place::Here,
            host: "localhost".to_owned(),
            source: Source::Local,
            doubt: None,
        }),
        Ask::Lookup { name, doubt, .. } => {
            let spent = session::spend(name);
            Ok(Settled {
                place: Place::Name,
                host: name.trim_end_matches('.').to_ascii_lowercase(),
                source: Source::ExplicitHost,
                doubt: doubt
                    .clone()
                    .or((spent.verdict != Verdict::Allow).then_some(spent.reason)),
            })
        }
    }
}

/// A name without an address: nothing can be sent to it, and `net_diagnose` says why.
fn nowhere(ask: &Ask, name: &str, facts: &Facts) -> Result<Settled, Refusal> {
    if matches!(ask, Ask::Services { .. }) {
        let why = tools::no_address(facts.look_up);
        return Err(Refusal::new(
            ErrorKind::Network,
            format!("{name} has no address: {why}.\nAsk net_diagnose why, or give an address."),
        ));
    }
    Ok(Settled {
        place: Place::Nowhere {
            name: name.to_owned(),
            look_up: facts.look_up,
        },
        host: name.to_ascii_lowercase(),
        source: Source::ExplicitHost,
        doubt: None,
    })
}

/// What a person must be asked about, and what is passed on.
fn pinned(key: &str, judged: Judged) -> Result<(Option<String>, String), Refusal> {
    match (judged.verdict, judged.pinned) {
        (Verdict::Allow, Some(pinned)) => Ok((None, pinned)),
        (Verdict::Confirm, Some(pinned)) => Ok((Some(judged.reason), pinned)),
        _ => Err(refused(key, &judged.reason)),
    }
}

/// The least time that a call has for its programs.
pub(super) const LEAST: Duration = Duration::from_secs(10);
