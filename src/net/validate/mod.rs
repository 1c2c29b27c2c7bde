//! Judges the inputs that an agent names: a target, a subnet, ports, a DNS type, a DNS server, a DNS name.
//!
//! Rules are rows of data with their reasons in words.  Nothing here looks a name up: a target's addresses are an argument.
//! A spelling that could be read in two ways is rejected: the reason says which plain spelling to use instead.

mod check;
mod dns;
mod judgement;
mod labels;
mod ledger;
mod name;
mod ports;
mod punycode;
mod smuggle;
mod subnet;
mod target;

pub use check::{Check, Input};
pub use judgement::{Judgement, Verdict};
pub use ledger::{Ledger, MAX_NAMES, MAX_OPAQUE};
pub use ports::{MAX_PORTS, Ports};

/// Judges the name of a host before its addresses are looked up.
pub fn host_name(text: &str) -> Judgement {
    name::judge_host(text)
}

/// Judges `input` as the kind `check`.  `resolved` has all addresses that a look-up of a target's name gave.
///
/// Never fails and never panics: an input that is not understood is rejected.
pub fn validate(check: Check, input: Input<'_>, resolved: &[String]) -> Judgement {
    match (check, input) {
        (Check::Target, Input::Host(host, external)) => target::judge(host, external, resolved),
        (Check::Target, Input::Text(host)) => target::judge(host, false, resolved),
        (Check::Subnet, Input::Text(text)) => subnet::judge(text),
        (Check::Ports, Input::Text(text)) => ports::judge(text),
        (Check::Ports, Input::Number(number)) => ports::judge(&number.to_string()),
        (Check::DnsType, Input::Text(text)) => dns::judge_type(text),
        (Check::DnsServer, Input::Text(text)) => dns::judge_server(text),
        (Check::DnsName, Input::Text(text)) => name::judge(text),
        _ => Judgement::reject("This input is not a string. Give it as a string."),
    }
}
