//! `dns_lookup`: the records of a name, each with its time to live and its fields.

use super::{complaint, count, name, out};
use crate::gate::{ErrorKind, Refusal};
use crate::net::parse::dig::{self, Data, Record, Trouble};
use crate::net::parse::{Outside, Unreadable};
use crate::run::{Captured, Ended};

/// The result for `asked`, or why no server answered.
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
                0 => format!("{asked} leads to another name, which has no {kind} records here."),
                _ => format!("{asked} has {}.", count(own, &format!("{kind} record"))),
            }
        }
        "NXDOMAIN" => format!("There is no name {asked} (NXDOMAIN)."),
        "REFUSED" => "The DNS server does not answer this question (REFUSED).".to_owned(),
        "SERVFAIL" => {
            format!(
                "The DNS server could not find out about {asked} (SERVFAIL): its own servers fail, or DNSSEC does not hold."
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

/// What went wrong on the way to the servers.
pub fn trouble(all: &[Trouble]) -> &'static str {
    match all.first() {
        Some(Trouble::Refused) => "nothing listens on the server's DNS port",
        Some(Trouble::Unreachable) => "there is no way to the server",
        Some(Trouble::TimedOut) | None => "no answer in time",
        Some(Trouble::Other) => "the way there fails",
    }
}

/// `OWNER TTL TYPE FIELDS`, as in a zone file; what is not a plain name is quoted.
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
