//! `network_status`: this machine's interfaces, routes, listeners, connections and resolver.  A missing section says why it is missing.
//!
//! Each section has its sources in order: first the program that says most, then the sources for machines without that program or
//! without Linux.  The first source that can be read is shown.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use super::words::{complaint, count, missing, name, out};
use crate::gate::{Reads, Refusal, Source};
use crate::net::facts::Facts;
use crate::net::parse::{
    Bounded, Outside, Unreadable, ifconfig, ip, netstat, nmcli, proc_net, resolv_conf, resolvectl,
    scutil, ss,
};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::{StepResult, StepRunner};
use crate::net::tool::{Destination, Settled, Tool, ToolRow};
use crate::run::Ended;

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

/// The most bytes that are read of one file.
const LONGEST: u64 = 1 << 20;

/// The most rows of a section that are shown.
const ROWS: usize = 60;

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

/// The rows of a section.
enum Rows {
    Interfaces(Bounded<ip::Interface>),
    Routes(Bounded<ip::Route>),
    Listeners(Bounded<ss::Listener>),
    Connections(Bounded<nmcli::Connection>),
    Servers(Bounded<resolvectl::Servers>),
    Conf(resolv_conf::Resolver),
}

/// A section: its title and its sources, the best one first.
struct Section {
    title: &'static str,
    /// `true`: where no source can be read, the section is left out without a word, since the machine is of another system.
    optional: bool,
    sources: &'static [SectionSource],
}

use SectionSource::{Files, Program};

/// The sections, in the order in which they are shown.
#[rustfmt::skip]
const SECTIONS: &[Section] = &[
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
        Program("ip", &["-j", "-6", "route"], |text| ip::routes(text).map(Rows::Routes)),
        Files("/proc/net/ipv6_route", &["/proc/net/ipv6_route"], |texts| proc_net::routes6(&texts[0]).map(Rows::Routes)),
        Program("netstat", &["-rn", "-f", "inet6"], |text| netstat::routes(text).map(Rows::Routes)),
    ] },
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

/// The first installed program of each section, unless a file stands before it in the section's sources.
pub fn steps(settings: &NetSettings) -> Vec<Step> {
    let there = |step: &Step| settings.program(step.program).is_ok();
    SECTIONS
        .iter()
        .filter_map(|section| {
            let mut best = section.sources.iter().map_while(SectionSource::step);
            best.find(there)
        })
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

/// What the sources can be read from: the results of the programs that were run, and the files.
///
/// `file` reads a file, or says why it cannot be read.
pub(super) struct Readings<'a> {
    pub asked: &'a [(Step, StepResult)],
    pub settings: &'a NetSettings,
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl<'a> Readings<'a> {
    fn of_this_machine(asked: &'a [(Step, StepResult)], settings: &'a NetSettings) -> Self {
        Self {
            asked,
            settings,
            file: &file,
        }
    }

    /// The rows of `source`, or why it has none; `None` where `source` is a program that was not run.
    fn of(&self, source: &SectionSource) -> Option<Result<Rows, String>> {
        Some(match source {
            Files(_, paths, read) => {
                let mut texts = Vec::new();
                for path in *paths {
                    match (self.file)(path) {
                        Ok(text) => texts.push(text),
                        Err(why) if texts.is_empty() => return Some(Err(why)),
                        Err(_) => texts.push(String::new()),
                    }
                }
                read(&texts).map_err(|error| unreadable(source.name(), error))
            }
            Program(program, _, read) => {
                let step = source.step()?;
                match self.asked.iter().find(|(known, _)| *known == step) {
                    Some((_, Ok(captured))) => match captured.ended {
                        Ended::Exited(0) => {
                            read(&out(captured)).map_err(|error| unreadable(program, error))
                        }
                        _ => Err(format!("{program} says {}", complaint(captured))),
                    },
                    Some((_, Err(refusal))) => Err(missing(refusal)),
                    None => match self.settings.program(program) {
                        Ok(_) => return None,
                        Err(refusal) => Err(missing(&refusal)),
                    },
                }
            }
        })
    }

    /// For each section without rows, the next program that is installed.
    pub fn still_to_ask(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for section in SECTIONS {
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
        steps
    }
}

/// In words: why the text of the program or file `name` cannot be read.
fn unreadable(name: &str, error: Unreadable) -> String {
    let said = match error {
        Unreadable::Long => "gives too much text to be read",
        Unreadable::Deep => "gives data that is nested too deeply",
        Unreadable::Form => "gives data of an unexpected form",
    };
    format!("{name} {said}")
}

/// The text for the model: one line that sums up, then the sections.
pub(super) fn render(found: &Readings<'_>) -> String {
    let mut summary = Summary::default();
    let mut lines = Vec::new();
    for section in SECTIONS {
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
                summary.note(&rows);
                let rows = rows.lines();
                let instead = whys.first().map_or_else(String::new, |why| {
                    format!(" ({why}; from {})", source.name())
                });
                let title = format!("{}{instead}:", section.title);
                if rows.is_empty() {
                    lines.push(format!("{title} none"));
                } else {
                    lines.push(title);
                    lines.extend(rows.into_iter().map(|row| format!("  {row}")));
                }
            }
            None if section.optional => {}
            None => lines.push(format!("{}: missing, {}", section.title, whys.join("; "))),
        }
    }
    lines.insert(0, summary.line());
    lines.join("\n")
}

/// The facts of the first line: addresses, the default route and the DNS servers.
#[derive(Default)]
struct Summary {
    addresses: Option<Vec<String>>,
    /// Whether routes could be read.
    routes: bool,
    /// The router of the default route, of IPv4 rather than of IPv6.
    default: Option<String>,
    servers: Option<Vec<String>>,
}

impl Summary {
    fn note(&mut self, rows: &Rows) {
        match rows {
            Rows::Interfaces(all) => {
                let up = all
                    .rows
                    .iter()
                    .filter(|i| !i.loopback && !i.addresses.is_empty());
                self.addresses = Some(
                    up.map(|i| format!("{} {}", name(&i.name), i.addresses[0]))
                        .collect(),
                );
            }
            Rows::Routes(all) => {
                let default = all.rows.iter().find(|route| route.to == "default");
                let via = default.map(|route| {
                    let via = route.via.as_deref().unwrap_or("on the link");
                    via.to_owned()
                });
                self.routes = true;
                self.default = self.default.take().or(via);
            }
            Rows::Conf(conf) => {
                self.servers = Some(conf.servers.iter().map(ToString::to_string).collect());
            }
            _ => {}
        }
    }

    fn line(&self) -> String {
        let up = match self.addresses.as_deref() {
            None => "interfaces unknown".to_owned(),
            Some([]) => "no address but loopback".to_owned(),
            Some(all) => all.join(", "),
        };
        let default = match &self.default {
            Some(via) => format!("default route {via}"),
            None if self.routes => "no default route".to_owned(),
            None => "routes unknown".to_owned(),
        };
        let servers = match self.servers.as_deref() {
            None => "DNS unknown".to_owned(),
            Some([]) => "no DNS server".to_owned(),
            Some(all) => format!("DNS {}", all.join(" ")),
        };
        format!("{up}; {default}; {servers}.")
    }
}

impl Rows {
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Interfaces(all) => rows(all, interface),
            Self::Routes(all) => rows(all, route),
            Self::Listeners(all) => rows(all, listener),
            Self::Connections(all) => rows(all, connection),
            Self::Servers(all) => servers(all),
            Self::Conf(found) => conf(found),
        }
    }
}

fn rows<T>(all: &Bounded<T>, row: impl Fn(&T) -> String) -> Vec<String> {
    let mut shown: Vec<String> = all.rows.iter().take(ROWS).map(row).collect();
    let left = all.rows.len() - shown.len();
    if left > 0 || all.more {
        let more = if all.more { " or more" } else { "" };
        shown.push(format!("{}{more} are not shown", count(left, "row")));
    }
    shown
}

fn interface(one: &ip::Interface) -> String {
    let mut line = format!("{} {}", name(&one.name), one.state);
    for address in &one.addresses {
        let _ = write!(line, " {address}");
    }
    if let Some(mac) = &one.mac {
        let _ = write!(line, " {mac}");
    }
    line
}

fn route(one: &ip::Route) -> String {
    let mut line = one.to.clone();
    if let Some(via) = &one.via {
        let _ = write!(line, " via {via}");
    }
    if let Some(device) = &one.device {
        let _ = write!(line, " on {}", name(device));
    }
    if let Some(metric) = one.metric {
        let _ = write!(line, " metric {metric}");
    }
    line
}

fn listener(one: &ss::Listener) -> String {
    let address = if one.address.contains(':') {
        format!("[{}]", one.address)
    } else {
        one.address.clone()
    };
    let mut line = format!("{} {address}:{}", one.protocol, one.port);
    if let Some(zone) = &one.zone {
        let _ = write!(line, " on {}", name(zone));
    }
    for program in &one.programs {
        let _ = write!(line, " {}", name(program));
    }
    line
}

fn connection(one: &nmcli::Connection) -> String {
    format!(
        "{} {} on {}: {}",
        one.name,
        name(&one.kind),
        name(&one.device),
        name(&one.state)
    )
}

/// `text` without quotes where it has only the characters of addresses, names and states.
fn word(text: &Outside) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:%#~[]/".contains(&b);
    let bare = text.as_str();
    if !bare.is_empty() && !bare.starts_with('[') && bare.bytes().all(plain) {
        bare.to_owned()
    } else {
        text.to_string()
    }
}

/// A row for each link that has servers or domains, and one row that counts the other links.
fn servers(all: &Bounded<resolvectl::Servers>) -> Vec<String> {
    let words = |list: &[Outside]| list.iter().map(word).collect::<Vec<_>>().join(" ");
    let (mut shown, mut without) = (Vec::new(), 0);
    for one in &all.rows {
        let mut parts = Vec::new();
        for (label, list) in [
            ("DNS", &one.servers),
            ("fallback", &one.fallback),
            ("domains", &one.domains),
        ] {
            if !list.is_empty() {
                parts.push(format!("{label} {}", words(list)));
            }
        }
        if parts.is_empty() {
            without += 1;
            continue;
        }
        if let Some(dnssec) = &one.dnssec {
            parts.push(format!("DNSSEC {}", word(dnssec)));
        }
        let of = one.of.as_str();
        let title = if of
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b" ()#-_.".contains(&b))
        {
            of.to_owned()
        } else {
            one.of.to_string()
        };
        shown.push(format!("{title}: {}", parts.join(", ")));
    }
    shown.truncate(ROWS);
    if without > 0 {
        let links = count(without, "other link");
        let have = if without == 1 { "has" } else { "have" };
        shown.push(format!("{links} {have} no DNS server"));
    }
    shown
}

fn conf(found: &resolv_conf::Resolver) -> Vec<String> {
    let mut rows: Vec<String> = found
        .servers
        .iter()
        .map(|server| format!("nameserver {server}"))
        .collect();
    let words = |words: &[Outside]| words.iter().map(word).collect::<Vec<_>>().join(" ");
    if !found.search.is_empty() {
        rows.push(format!("search {}", words(&found.search)));
    }
    if !found.options.is_empty() {
        rows.push(format!("options {}", words(&found.options)));
    }
    rows
}

fn file(path: &str) -> Result<String, String> {
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST).read_to_end(&mut text))
        .map_err(|error| format!("{path} cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
