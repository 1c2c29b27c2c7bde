//! The second look: what the first checks made worth a look.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use nix::unistd::geteuid;

use super::answers::{listeners, neighbour, request, verdicts};
use super::asked::Asked;
use super::findings::Findings;
use super::greeting::greeting;
use super::open::{self, Speech};
use super::resolving;
use crate::gate::Reads;
use crate::net::connect::{self, Answer, Attempt, Greeting};
use crate::net::parse::nft::Verdict;
use crate::net::parse::{ip, ping};
use crate::net::step::Step;
use crate::net::step_runner::{StepResult, StepRunner};
use crate::net::tools::kernel_way;
use crate::net::tools::words::{missing, out};
use crate::net::{arp, commands};

/// What is worth a look after the first checks; all that runs, runs side by side.
pub fn after(asked: &Asked<'_>, f: &mut Findings, runner: &StepRunner, reads: &mut dyn Reads) {
    enum Kinds {
        Neighbours,
        Pings,
        Request,
        Firewall,
        Listeners,
    }
    let mut steps: Vec<(Kinds, Step)> = Vec::new();
    let open = f.open();
    if !open || f.resolving.servers.iter().any(resolving::Server::dead) {
        steps.push((Kinds::Neighbours, commands::neighbours()));
    }
    // A connection that took a second needed a second SYN: the first one was lost.
    let again = open && f.port().is_some_and(Attempt::resent);
    let pings = f.ping.as_ref().filter(|ping| ping.received > 0);
    let some_lost = again || pings.is_some_and(|ping| ping.received < ping.sent);
    if pings.is_some() && some_lost {
        steps.push((Kinds::Pings, commands::pings(asked.address)));
    }
    if open && some_lost {
        let to = f.port().map(|one| one.to);
        let all: Vec<SocketAddr> = to.into_iter().cycle().take(AGAIN).collect();
        f.again = connect::attempts(&all, &|_| RESENT, &|| reads.go_on().is_ok());
    }
    if !open && geteuid().is_root() {
        steps.push((Kinds::Firewall, commands::firewall()));
    }
    let number = f.port().map_or(0, |one| one.to.port());
    let own = f.way.as_ref().is_some_and(|way| way.own);
    if own && !open {
        let step = Step::new("ss", &["-H", "-tulpn"], Duration::from_secs(2));
        steps.push((Kinds::Listeners, step));
    }
    let name = asked.name.unwrap_or(asked.address);
    if open {
        let scheme = match open::speech(number) {
            Speech::Http | Speech::MaybeHttp => Some("HTTP"),
            Speech::Https | Speech::Tls => Some("HTTPS"),
            Speech::Greets(_) | Speech::Unknown => {
                f.heard.greeting = greeting(asked, number, reads);
                let unknown = open::speech(number) == Speech::Unknown;
                (unknown && f.heard.greeting == Some(Greeting::Silent)).then_some("HTTP")
            }
            Speech::Quiet => None,
        };
        if let Some(scheme) = scheme {
            let lower = scheme.to_ascii_lowercase();
            f.heard.scheme = Some(scheme);
            let step = commands::curl(name, asked.address, &lower, number);
            steps.push((Kinds::Request, step));
        }
    }
    let (kinds, steps): (Vec<Kinds>, Vec<Step>) = steps.into_iter().unzip();
    if !f.alive() && f.answering_hops().next().is_none() {
        f.twin = twin(f, reads);
        f.arp = by_arp(asked, f, reads);
    }
    let mut answers = runner.run(&steps, reads);
    if let Some(at) = kinds
        .iter()
        .position(|kind| matches!(kind, Kinds::Neighbours))
    {
        settled(asked, f, &mut answers[at], runner, reads);
    }
    for (kind, answer) in kinds.iter().zip(&answers) {
        match kind {
            Kinds::Neighbours => {
                f.neighbour = next_neighbour(asked, f, answer);
                for one in f.resolving.servers.iter_mut().filter(|one| one.dead()) {
                    one.neighbour = neighbour(answer, &one.at, None).map(|one| one.state);
                }
            }
            Kinds::Pings => {
                let text = answer.as_ref().ok().map(out).unwrap_or_default();
                f.pings = ping::read(&text).ok();
            }
            Kinds::Request => {
                f.heard.request = request(answer);
                if let Err(refusal) = answer {
                    f.heard.missing = Some(format!("the web was not asked: {}", missing(refusal)));
                    f.heard.scheme = None;
                }
            }
            Kinds::Firewall => {
                let protocol = if number == 0 { "icmp" } else { "tcp" };
                f.firewall = verdicts(answer, (protocol, number), f.ip, own);
                // An answer from outside shows that the packet went out and its answer came in: the rules were read wrong.
                let passed = f.port().is_some_and(|one| match one.answer {
                    Answer::Icmp(_, by) => !f.here(&by),
                    Answer::Reset => true,
                    _ => false,
                });
                let redirect = |one: &Verdict| matches!(one, Verdict::Redirect(_) | Verdict::Reset);
                if passed {
                    f.firewall = (f.firewall.0.filter(redirect), None);
                }
            }
            Kinds::Listeners => f.listeners = listeners(answer, number),
        }
    }
}

/// How many further connections show whether packets are lost.
const AGAIN: usize = 10;

/// How long such a connection may take: little more than until the second SYN.
const RESENT: Duration = Duration::from_millis(1_200);

/// The machine that packets go to first.
fn next_neighbour(asked: &Asked<'_>, f: &Findings, answer: &StepResult) -> Option<ip::Neighbour> {
    let way = f.way.as_ref()?;
    let next = way.next(asked.address);
    let known = neighbour(answer, next, way.device.as_ref());
    known.or_else(|| kernel_way::neighbour(next).filter(|_| answer.is_err()))
}

/// For so long the kernel is given to find out that a neighbour is gone: five seconds of delay, and three questions.
const SETTLE: Duration = Duration::from_millis(8_500);

/// Waits where the kernel is just finding out whether the neighbour is still there (ip-neighbour(8), `DELAY` and `PROBE`), and then
/// asks it again.
fn settled(
    asked: &Asked<'_>,
    f: &Findings,
    answer: &mut StepResult,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) {
    let quiet = !f.alive() && f.arp.is_none() && f.answering_hops().next().is_none();
    let begun = Instant::now();
    while quiet
        && begun.elapsed() < SETTLE
        && reads.go_on().is_ok()
        && next_neighbour(asked, f, answer)
            .is_some_and(|one| matches!(one.state.as_str(), "DELAY" | "PROBE"))
    {
        std::thread::sleep(Duration::from_millis(500));
        *answer = runner.run_one(&commands::neighbours(), reads);
    }
}

/// How long a machine on the link may take to answer by ARP.
const ARP: Duration = Duration::from_millis(1_100);

/// Whether the machine that packets go to first answers by ARP; `None` where this machine may not ask.
fn by_arp(asked: &Asked<'_>, f: &Findings, reads: &dyn Reads) -> Option<bool> {
    let way = f.way.as_ref().filter(|way| !way.own && !way.tunnel)?;
    let source = way.source.as_ref()?.parse().ok()?;
    let next = way.next(asked.address).parse().ok()?;
    let device = way.device.as_ref()?.as_str();
    arp::answers(device, source, next, ARP, &|| reads.go_on().is_ok()).ok()
}

/// How long another owner of this machine's address may take to answer.
const TWIN: Duration = Duration::from_millis(400);

/// The hardware address of another machine with this machine's own address, on the link that the packets leave by.
fn twin(f: &Findings, reads: &dyn Reads) -> Option<String> {
    let way = f.way.as_ref().filter(|way| !way.own && !way.tunnel)?;
    let own = way.source.as_ref()?.parse().ok()?;
    let device = way.device.as_ref()?;
    arp::other_owner(device.as_str(), own, TWIN, &|| reads.go_on().is_ok())
}
