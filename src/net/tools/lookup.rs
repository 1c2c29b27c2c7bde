//! `dns_lookup`: the records of a name, each with its time to live and its fields.

use std::sync::Arc;
use std::time::Duration;

use super::words::{complaint, count, name, out};
use crate::address::literal::Literal;
use crate::gate::{ErrorKind, Reads, Refusal, Source};
use crate::net::arguments::{Arguments, bad, pinned, refused};
use crate::net::facts::Facts;
use crate::net::host::reverse;
use crate::net::parse::dig::{self, Data, Record, ServerTrouble};
use crate::net::parse::{Outside, Unreadable};
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
use crate::net::tool::{Destination, Settled, Tool, ToolRow};
use crate::net::validate::{self, Check, Input, Verdict};
use crate::net::{commands, session};
use crate::run::{Captured, Ended};

pub const TOOL: ToolRow = ToolRow {
    name: "dns_lookup",
    keys: &["name", "type", "server"],
    read: |given| Ok(Arc::new(Lookup::read(given)?)),
};

/// A call that looks up the records of a name.
#[derive(Debug)]
struct Lookup {
    name: String,
    /// The record type, in capitals.
    kind: String,
    /// The address of the DNS server; `None`: the system's own.
    server: Option<String>,
    /// The reason to ask a person, if there is one.
    doubt: Option<String>,
}

impl Lookup {
    fn read(given: &Arguments<'_>) -> Result<Self, Refusal> {
        let name = given.need("name")?.trim_matches(' ');
        let kind = pinned("type", Check::DnsType, given.get("type").unwrap_or("A"))?;
        let server = given.pinned("server", Check::DnsServer)?;
        let name = match Literal::read(name) {
            Some(literal) if kind == "PTR" => reverse(literal.address),
            Some(_) => {
                return Err(bad(
                    "`name' is an address.\nGive a name, or ask for type PTR.",
                ));
            }
            None => name.to_owned(),
        };
        let judged = validate::validate(Check::DnsName, Input::Text(&name), &[]);
        if judged.verdict == Verdict::Reject {
            return Err(refused("name", &judged.reason));
        }
        Ok(Self {
            name,
            kind,
            server,
            doubt: (judged.verdict == Verdict::Confirm).then_some(judged.reason),
        })
    }
}

impl Tool for Lookup {
    fn settle(&self, _: &Facts, _: &NetSettings) -> Result<Settled, Refusal> {
        let spent = session::spend(&self.name);
        Ok(Settled {
            destination: Destination::Name,
            host: self.name.trim_end_matches('.').to_ascii_lowercase(),
            source: Source::ExplicitHost,
            doubt: self
                .doubt
                .clone()
                .or((spent.verdict != Verdict::Allow).then_some(spent.reason)),
        })
    }

    fn sentence(&self, host: &str) -> String {
        format!("Ask the DNS about {host}")
    }

    fn packets(&self, _: &Destination) -> &'static str {
        "It asks a DNS server about one name."
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(15)
    }

    fn steps(&self, _: &Destination, _: &NetSettings) -> (Vec<Step>, Vec<String>) {
        let step = commands::dig(&self.name, &self.kind, self.server.as_deref());
        (vec![step], Vec::new())
    }

    fn finish(
        &self,
        runner: &StepRunner,
        _: &Destination,
        steps: &[Step],
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        if runner.asked {
            session::allow(&self.name);
        }
        let answer = runner.run_one(&steps[0], reads)?;
        render(&self.name, &self.kind, &answer)
    }
}

/// The text for the model about `asked`, or the refusal that says why no server answered.
pub fn render(asked: &str, kind: &str, captured: &Captured) -> Result<String, Refusal> {
    let answer = dig::read(&out(captured)).map_err(|error| unreadable(error, captured))?;
    let Some(status) = &answer.status else {
        return Err(Refusal::new(
            ErrorKind::Network,
            format!(
                "No DNS server answers: {}.\nTry another `server', or look at network_status.",
                trouble(&answer.trouble)
            ),
        ));
    };
    let found = answer.records.len();
    let conclusion = match status.as_str() {
        "NOERROR" if found == 0 => format!("{asked} has no {kind} records."),
        "NOERROR" => {
            let own = answer.records.iter().filter(|r| r.kind == kind).count();
            match own {
                0 => format!(
                    "{asked} is an alias of another name, for which the answer has no {kind} records."
                ),
                _ => format!("{asked} has {}.", count(own, &format!("{kind} record"))),
            }
        }
        "NXDOMAIN" => format!("There is no name {asked} (NXDOMAIN)."),
        "REFUSED" => "The DNS server does not answer this question (REFUSED).".to_owned(),
        "SERVFAIL" => {
            format!(
                "The DNS server could not find out about {asked} (SERVFAIL): the servers of its domain fail, or its DNSSEC signatures are wrong."
            )
        }
        other => format!("The DNS server says {other}."),
    };
    let mut lines = vec![conclusion];
    lines.extend(answer.records.iter().map(row));
    if answer.more || answer.cut || captured.stdout.truncated {
        lines.push("There are more records; these are the first.".to_owned());
    }
    if answer.authenticated {
        lines.push("DNSSEC: the resolver says that it checked the signatures.".to_owned());
    }
    Ok(lines.join("\n"))
}

fn unreadable(error: Unreadable, captured: &Captured) -> Refusal {
    let said = match captured.ended {
        Ended::Exited(0) => error.to_string(),
        _ => format!("dig gave no answer and says {}.", complaint(captured)),
    };
    Refusal::new(
        ErrorKind::Network,
        format!("{said}\nTry again once; then look at network_status."),
    )
}

/// In words: why no DNS server answers.
pub fn trouble(all: &[ServerTrouble]) -> &'static str {
    match all.first() {
        Some(ServerTrouble::Refused) => "nothing listens on the server's DNS port",
        Some(ServerTrouble::Unreachable) => "there is no route to the server",
        Some(ServerTrouble::TimedOut) | None => "no answer in time",
        Some(ServerTrouble::Forbidden) => "a firewall of this machine itself forbids it",
        Some(ServerTrouble::OtherSource) => "the answer comes from another address",
        Some(ServerTrouble::Other) => "the connection to the server fails",
    }
}

/// A record as `OWNER TTL TYPE FIELDS`, as in a zone file; text other than a plain name is quoted.
fn row(record: &Record) -> String {
    let fields = match &record.data {
        Data::Address(address) => address.to_string(),
        Data::Name(to) => name(to),
        Data::Mail(preference, host) => format!("preference {preference} {}", name(host)),
        Data::Service(priority, weight, port, host) => format!(
            "priority {priority} weight {weight} port {port} {}",
            name(host)
        ),
        Data::Text(segments) => {
            let segments: Vec<String> = segments.iter().map(Outside::to_string).collect();
            segments.join(" ")
        }
        Data::Authority(flags, tag, value) => format!("flags {flags} {} {value}", name(tag)),
        Data::Zone(primary, mailbox, [serial, refresh, retry, expire, minimum]) => format!(
            "{} {} serial {serial} refresh {refresh} retry {retry} expire {expire} minimum {minimum}",
            name(primary),
            name(mailbox)
        ),
        Data::Other(text) => text.to_string(),
    };
    format!(
        "{} {} {} {fields}",
        name(&record.owner),
        record.ttl,
        record.kind
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_looked_up_by_its_reverse_name() {
        for (address, name) in [
            ("10.77.0.80", "80.0.77.10.in-addr.arpa"),
            (
                "fd77::80",
                "0.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.7.d.f.ip6.arpa",
            ),
        ] {
            let word = format!("name={address}");
            let words = [word, "type=ptr".to_owned()];
            let given = Arguments::read(TOOL.name, TOOL.keys, &words).expect("its arguments");
            let read = Lookup::read(&given).expect("an address has a name");
            assert_eq!((read.name.as_str(), read.doubt), (name, None));
        }
    }
}
