//! Judging what an agent names: a target, a subnet, ports, a DNS type, a DNS server, a DNS name.
//!
//! Every rule is a row of data with its reason in words.  Nothing here looks a name up: a target's addresses are an argument.
//! Where a rule and a spelling leave room for doubt, the answer is `reject`: the reason says which plain spelling to use instead.

mod dns;
mod ledger;
pub mod name;
mod ports;
mod punycode;
mod smuggle;
mod subnet;
mod target;

pub use ledger::{Ledger, MAX_NAMES, MAX_OPAQUE};
pub use ports::{MAX_PORTS, Ports};

/// What happens with an input.  The order is that of strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It may be used without a question.
    Allow,
    /// A person is asked first.
    Confirm,
    /// It is refused.
    Reject,
}

impl Verdict {
    /// The word that Lisp and records use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Reject => "reject",
        }
    }
}

/// A verdict with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What happens.
    pub verdict: Verdict,
    /// Why, in a sentence; where another spelling would do, a second sentence says which.
    pub reason: String,
    /// What is to be passed on in place of the input, in canonical spelling: the one address of a target or server,
    /// the network of a subnet, the list of ports, the type in capitals.  None for what is rejected, and for names.
    pub pinned: Option<String>,
}

impl Answer {
    pub(crate) fn new(verdict: Verdict, reason: impl Into<String>, pinned: Option<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            pinned: pinned.filter(|_| verdict != Verdict::Reject),
        }
    }

    fn reject(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Reject, reason, None)
    }

    /// The stricter of two answers; of two alike, this one.
    fn or_stricter(self, other: Self) -> Self {
        if other.verdict > self.verdict {
            other
        } else {
            self
        }
    }
}

/// What kind of input is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A host, by name or address.
    Target,
    /// A network, as ADDRESS/LENGTH.
    Subnet,
    /// A list of TCP ports.
    Ports,
    /// A DNS record type.
    DnsType,
    /// A DNS server, by address.
    DnsServer,
    /// A name to look up.
    DnsName,
}

impl Check {
    /// Every kind with the name that Lisp uses.
    pub const ALL: &[(&'static str, Self)] = &[
        ("target", Self::Target),
        ("subnet", Self::Subnet),
        ("ports", Self::Ports),
        ("dns-type", Self::DnsType),
        ("dns-server", Self::DnsServer),
        ("dns-name", Self::DnsName),
    ];

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, check)| *check)
    }
}

/// What is judged, as loosely as it comes from Lisp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A string.
    Text(&'a str),
    /// A whole number, which only ports can be.
    Number(i64),
    /// A host, and whether the caller said that it lies outside.
    Host(&'a str, bool),
    /// Anything else, which is always rejected.
    Other,
}

/// Judges the name of a host before its addresses are looked up.
pub fn host_name(text: &str) -> Answer {
    name::judge_host(text)
}

/// Judges `input` as what `check` says.  `resolved` are the addresses that a look-up of a target's name gave, all of them.
///
/// # Errors
/// Never fails and never panics: what is not understood is rejected.
pub fn validate(check: Check, input: Input<'_>, resolved: &[String]) -> Answer {
    match (check, input) {
        (Check::Target, Input::Host(host, external)) => target::judge(host, external, resolved),
        (Check::Target, Input::Text(host)) => target::judge(host, false, resolved),
        (Check::Subnet, Input::Text(text)) => subnet::judge(text),
        (Check::Ports, Input::Text(text)) => ports::judge(text),
        (Check::Ports, Input::Number(number)) => ports::judge(&number.to_string()),
        (Check::DnsType, Input::Text(text)) => dns::judge_type(text),
        (Check::DnsServer, Input::Text(text)) => dns::judge_server(text),
        (Check::DnsName, Input::Text(text)) => name::judge(text),
        _ => Answer::reject("A string is wanted here, and this is none. Give it as a string."),
    }
}
