//! `network_status`: this machine's interfaces, routes, policy rules, listeners, connections and resolver.  A missing section says
//! why it is missing, except that of the policy rules, which most machines have not.
//!
//! Each section has its sources in order: first the program that says most, then the sources for machines without that program or
//! without Linux.  The first source that can be read is shown.

mod full;
mod policy;
mod readings;
mod show;
mod stub;
mod summary;

use std::sync::Arc;
use std::time::Duration;

use policy::Policy;
pub(super) use readings::Readings;
use show::Rows;
use summary::Summary;

use crate::gate::{Reads, Refusal, Source};
use crate::net::facts::Facts;
use crate::net::parse::{
    Bounded, Unreadable, ifconfig, ip, netstat, nmcli, proc_net, resolv_conf, resolvectl, scutil,
    ss,
};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::{StepResult, StepRunner};
use crate::net::tool::{Destination, Settled, Tool, ToolRow};

pub const TOOL: ToolRow = ToolRow {
    name: "network_status",
    keys: &[],
    read: |_| Ok(Arc::new(Status)),
};

/// A call that reads the state of this machine's network.
#[derive(Debug)]
struct Status;

impl Tool for Status {
    fn settle(&self, _: &Facts, _: &NetSettings) -> Result<Settled, Refusal> {
        Ok(Settled {
            destination: Destination::Here,
            host: "localhost".to_owned(),
            source: Source::Local,
            doubt: None,
        })
    }

    fn sentence(&self, _: &str) -> String {
        "Look at this machine's own network".to_owned()
    }

    fn packets(&self, _: &Destination) -> &'static str {
        "It asks this machine alone and sends nothing."
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// The first program of each section, and the line of the file that is read on every machine.
    fn steps(&self, _: &Destination, settings: &NetSettings) -> (Vec<Step>, Vec<String>) {
        (steps(settings), vec!["cat /etc/resolv.conf".to_owned()])
    }

    fn finish(
        &self,
        runner: &StepRunner,
        _: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        Ok(finish(runner, steps, reads))
    }
}

/// The most time for one program; each normally answers at once.
const TIME: Duration = Duration::from_secs(6);

/// A source of a section.
enum SectionSource {
    /// A program, its arguments, and the reader of its output.
    Program(&'static str, &'static [&'static str], fn(&str) -> Readout),
    /// A name, files, and the reader of their texts, in the order of the files.  Where the first file is missing, the source has
    /// nothing; any other missing file counts as empty.
    Files(
        &'static str,
        &'static [&'static str],
        fn(&[String]) -> Readout,
    ),
}

/// The rows that a source gives, or why it cannot be read.
type Readout = Result<Rows, Unreadable>;

/// A section: its title and its sources, the best one first.
struct Section {
    title: &'static str,
    /// `true`: where no source can be read, the section is left out without a word, since the machine is of another system.
    optional: bool,
    sources: &'static [SectionSource],
}

use SectionSource::{Files, Program};

/// The sections before the policy rules, in the order in which they are shown.
#[rustfmt::skip]
const WAYS: &[Section] = &[
    Section { title: "interfaces", optional: false, sources: &[
        Program("ip", &["-j", "addr"], |text| ip::interfaces(text).map(Rows::Interfaces)),
        Program("ifconfig", &["-a"], |text| ifconfig::read(text).map(Rows::Interfaces)),
        Files("/proc/net", &["/proc/net/dev", "/proc/net/if_inet6", "/proc/net/fib_trie", "/proc/net/route"], |texts| {
            proc_net::interfaces(&texts[0], &texts[1], &texts[2], &texts[3]).map(Rows::Interfaces)
        }),
    ] },
    Section { title: "routes", optional: false, sources: &[
        Program("ip", &["-j", "route"], |text| ip::routes(text).map(Rows::Routes)),
        Files("/proc/net/route", &["/proc/net/route"], |texts| proc_net::routes(&texts[0]).map(Rows::Routes)),
        // For the BSDs, which have no /proc.
        Program("netstat", &["-rn", "-f", "inet"], |text| netstat::routes(text).map(Rows::Routes)),
    ] },
    Section { title: "IPv6 routes", optional: false, sources: &[
        Program("ip", &["-j", "-6", "route"], |text| ip::routes(text).map(Rows::Routes6)),
        Files("/proc/net/ipv6_route", &["/proc/net/ipv6_route"], |texts| proc_net::routes6(&texts[0]).map(Rows::Routes6)),
        Program("netstat", &["-rn", "-f", "inet6"], |text| netstat::routes(text).map(Rows::Routes6)),
    ] },
];

/// The sections behind the policy rules, in the order in which they are shown.
#[rustfmt::skip]
const OTHERS: &[Section] = &[
    Section { title: "listeners", optional: false, sources: &[
        Program("ss", &["-H", "-tulpn"], |text| ss::read(text).map(Rows::Listeners)),
        // `-W` keeps long addresses whole: a cut IPv6 address would be another address.
        Program("netstat", &["-tulpnW"], |text| netstat::listeners(text).map(Rows::Listeners)),
        Files("/proc/net", &["/proc/net/tcp", "/proc/net/tcp6", "/proc/net/udp", "/proc/net/udp6"], |texts| {
            sockets(texts).map(Rows::Listeners)
        }),
        Program("netstat", &["-an"], |text| netstat::listeners(text).map(Rows::Listeners)),
    ] },
    Section { title: "connections of NetworkManager", optional: false, sources: &[
        Program("nmcli", &["-t", "-f", "NAME,TYPE,DEVICE,STATE", "connection", "show", "--active"], |text| {
            nmcli::read(text).map(Rows::Connections)
        }),
    ] },
    Section { title: "systemd-resolved", optional: false, sources: &[
        Program("resolvectl", &["--no-pager", "status"], |text| resolvectl::read(text).map(Rows::Servers)),
    ] },
    Section { title: "resolvers of macOS", optional: true, sources: &[
        Program("scutil", &["--dns"], |text| scutil::read(text).map(Rows::Servers)),
    ] },
    Section { title: "/etc/resolv.conf", optional: false, sources: &[
        Files("/etc/resolv.conf", &["/etc/resolv.conf"], |texts| resolv_conf::read(&texts[0]).map(Rows::Conf)),
    ] },
];

/// The listening sockets in /proc/net/tcp, tcp6, udp and udp6, in this order.
fn sockets(texts: &[String]) -> Result<Bounded<ss::Listener>, Unreadable> {
    let mut all = proc_net::listeners("tcp", &texts[0])?;
    for (protocol, text) in [("tcp", &texts[1]), ("udp", &texts[2]), ("udp", &texts[3])] {
        if !text.is_empty() {
            let more = proc_net::listeners(protocol, text)?;
            all.rows.extend(more.rows);
            all.more |= more.more;
        }
    }
    Ok(all)
}

impl SectionSource {
    fn step(&self) -> Option<Step> {
        match self {
            Program(program, argv, _) => Some(Step::new(program, argv, TIME)),
            Files(..) => None,
        }
    }

    /// The source's name, which is shown where it stands in for a better source.
    const fn name(&self) -> &'static str {
        match self {
            Program(name, ..) | Files(name, ..) => name,
        }
    }
}

/// The first installed program of each section, unless a file stands before it in the section's sources; and what prints the policy
/// rules.
pub fn steps(settings: &NetSettings) -> Vec<Step> {
    let there = |step: &Step| settings.program(step.program).is_ok();
    WAYS.iter()
        .chain(OTHERS)
        .filter_map(|section| {
            let mut best = section.sources.iter().map_while(SectionSource::step);
            best.find(there)
        })
        .chain(policy::steps().into_iter().filter(there))
        .collect()
}

/// Runs the programs, and then the programs that stand in for those that failed; returns the text for the model.
fn finish(runner: &StepRunner, steps: &[Step], reads: &mut dyn Reads) -> String {
    let mut asked: Vec<(Step, StepResult)> = steps
        .iter()
        .cloned()
        .zip(runner.run(steps, reads))
        .collect();
    let settings = &runner.settings;
    let later = Readings::of_this_machine(&asked, settings).still_to_ask();
    if !later.is_empty() {
        let answers = runner.run(&later, reads);
        asked.extend(later.into_iter().zip(answers));
    }
    render(&Readings::of_this_machine(&asked, settings))
}

impl Readings<'_> {
    /// The rows of `source`, or why it has none; `None` where `source` is a program that was not run.
    fn of(&self, source: &SectionSource) -> Option<Result<Rows, String>> {
        match source {
            Files(name, paths, read) => Some(self.written(name, paths, read)),
            Program(.., read) => self.printed(&source.step()?, read),
        }
    }

    /// For each section without rows, the next program that is installed; and what prints the tables that policy rules name.
    pub fn still_to_ask(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for section in WAYS.iter().chain(OTHERS) {
            for source in section.sources {
                match self.of(source) {
                    Some(Ok(_)) => break,
                    Some(Err(_)) => {}
                    None => {
                        steps.extend(source.step().filter(|step| !steps.contains(step)));
                        break;
                    }
                }
            }
        }
        steps.extend(policy::tables_to_ask(self));
        steps
    }
}

/// The text for the model: one line that sums up, then the sections.
pub(super) fn render(found: &Readings<'_>) -> String {
    let policy = Policy::of(found);
    let mut summary = Summary::default();
    let mut lines = told(WAYS, found, &mut summary);
    lines.extend(policy.lines());
    lines.extend(told(OTHERS, found, &mut summary));
    lines.insert(0, summary.line(&policy, found));
    lines.join("\n")
}

/// The lines of `sections`.
fn told(sections: &[Section], found: &Readings<'_>, summary: &mut Summary) -> Vec<String> {
    let mut lines = Vec::new();
    for section in sections {
        let mut whys: Vec<String> = Vec::new();
        let mut shown = None;
        for source in section.sources {
            match found.of(source) {
                Some(Ok(rows)) => {
                    shown = Some((source, rows));
                    break;
                }
                Some(Err(why)) if !whys.contains(&why) => whys.push(why),
                Some(Err(_)) | None => {}
            }
        }
        match shown {
            Some((source, rows)) => {
                let instead = whys.first().map_or_else(String::new, |why| {
                    format!(" ({why}; from {})", source.name())
                });
                let title = format!("{}{instead}:", section.title);
                let told = rows.lines();
                summary.note(rows);
                if told.is_empty() {
                    lines.push(format!("{title} none"));
                } else {
                    lines.push(title);
                    lines.extend(told.into_iter().map(|row| format!("  {row}")));
                }
            }
            None if section.optional => {}
            None => lines.push(format!("{}: missing, {}", section.title, whys.join("; "))),
        }
    }
    lines
}
