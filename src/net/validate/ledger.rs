//! Counts the names that a session has asked about, by domain: many look-ups can carry data out, a short label in each.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::net::IpAddr;

use super::judgement::{Judgement, Verdict};
use super::labels::labels;
use super::smuggle;
use crate::address::ranges::{self, Kind};

/// Different names of one domain that a session may ask about before a person is asked.
pub const MAX_NAMES: usize = 40;

/// Different names of one domain with an opaque part of a known form, such as a mail key's selector, that a session may ask about
/// before a person is asked.
pub const MAX_OPAQUE: usize = 6;

/// Different names in the reverse zones of private networks that a session may ask about before a person is asked: the addresses of a
/// network are looked up one by one, and nobody outside answers for these zones.
const MAX_REVERSE: usize = 1024;

/// Domains that are counted; beyond this number, a person is asked about every new domain.
const MAX_DOMAINS: usize = 512;

/// Suffixes of two labels under which domains are registered.  Where a suffix is missing here, its domains share one count.
const SUFFIXES: &[&str] = &[
    "ac.at", "ac.jp", "ac.nz", "ac.uk", "co.at", "co.il", "co.in", "co.jp", "co.kr", "co.nz",
    "co.uk", "co.za", "com.ar", "com.au", "com.br", "com.cn", "com.mx", "com.pl", "com.sg",
    "com.tr", "com.tw", "com.ua", "edu.au", "gov.au", "gov.uk", "gv.at", "ltd.uk", "me.uk",
    "ne.jp", "net.au", "net.br", "net.uk", "nhs.uk", "or.at", "or.jp", "org.au", "org.br",
    "org.nz", "org.uk", "plc.uk", "sch.uk",
];

/// Zones of the reverse names of all addresses.
const REVERSE: &[&str] = &["in-addr.arpa", "ip6.arpa"];

/// The key under which the reverse names of all private addresses are counted together.
const OWN: &str = "private networks";

/// The names of one session.
#[derive(Debug, Default)]
pub struct Ledger {
    domains: HashMap<String, Domain>,
}

#[derive(Debug, Default)]
struct Domain {
    /// Hashes of the names, enough for counting them.
    names: HashSet<u64>,
    /// How many of the names could hold data.
    opaque: usize,
}

impl Ledger {
    /// A session that has asked about nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a name that is to be looked up: `allow` for a name that was counted before or is within the limits, else `confirm`.
    /// A name with `confirm` is not counted; after a person's yes, count it with [`Ledger::allow`].
    pub fn spend(&mut self, name: &str) -> Judgement {
        let (domain, hash, opaque) = keys(name);
        let limit = if domain == OWN {
            MAX_REVERSE
        } else {
            MAX_NAMES
        };
        // A reverse name is opaque by its nature: the limit for opaque names is not meant for it.
        let opaque = opaque && domain != OWN && !REVERSE.contains(&domain.as_str());
        if !self.domains.contains_key(&domain) && self.domains.len() >= MAX_DOMAINS {
            return ask(format!(
                "This session has asked about names of {MAX_DOMAINS} domains, so a person is asked about another."
            ));
        }
        let known = self.domains.entry(domain.clone()).or_default();
        if known.names.contains(&hash) {
            return Judgement::new(Verdict::Allow, "It was asked about before.", None);
        }
        if known.names.len() >= limit {
            return ask(format!(
                "This session has asked about {} names of {domain}, so a person is asked about another.",
                known.names.len()
            ));
        }
        if opaque && known.opaque >= MAX_OPAQUE {
            return ask(format!(
                "This session has asked about {} names of {domain} that could hold data, so a person is asked about another.",
                known.opaque
            ));
        }
        known.names.insert(hash);
        known.opaque += usize::from(opaque);
        Judgement::new(
            Verdict::Allow,
            "It is within the limits of a session.",
            None,
        )
    }

    /// Notes a name that a person has allowed: later look-ups of this name pass.  A name is not noted where its domain is not
    /// counted (beyond [`MAX_DOMAINS`]) or has [`MAX_REVERSE`] names already.
    pub fn allow(&mut self, name: &str) {
        let (domain, hash, _) = keys(name);
        if let Some(known) = self.domains.get_mut(&domain)
            && known.names.len() < MAX_REVERSE
        {
            known.names.insert(hash);
        }
    }
}

fn ask(reason: String) -> Judgement {
    Judgement::new(Verdict::Confirm, reason, None)
}

/// The domain under which `name` is counted, the hash of `name`, and whether a part of it could hold data.
fn keys(name: &str) -> (String, u64, bool) {
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = labels(&lower).collect();
    let last = |count: usize| parts[parts.len().saturating_sub(count)..].join(".");
    let two = last(2);
    let domain = if address(&parts).is_some_and(|address| ranges::of(address).kind == Kind::Private)
    {
        OWN.to_owned()
    } else if SUFFIXES.contains(&two.as_str()) {
        last(3)
    } else {
        two
    };
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    let found = smuggle::look(&lower);
    (domain, hasher.finish(), found.known_form || found.is_data())
}

/// The address that a whole reverse name stands for (RFC 1035, section 3.5; RFC 3596, section 2.5).
fn address(parts: &[&str]) -> Option<IpAddr> {
    match parts {
        [d, c, b, a, "in-addr", "arpa"] => format!("{a}.{b}.{c}.{d}").parse().ok(),
        [digits @ .., "ip6", "arpa"] if digits.len() == 32 => {
            let digit = |part: &&str| part.parse::<char>().ok()?.to_digit(16);
            let bits = digits.iter().rev().try_fold(0, |bits: u128, part| {
                Some(bits << 4 | u128::from(digit(part)?))
            })?;
            Some(IpAddr::V6(bits.into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_limit_of_a_domain_new_names_ask_and_known_names_pass() {
        let mut ledger = Ledger::new();
        let name = |n: usize| format!("h{n}.shop.example.co.uk");
        for n in 0..MAX_NAMES {
            assert_eq!(ledger.spend(&name(n)).verdict, Verdict::Allow);
        }
        assert_eq!(ledger.spend(&name(MAX_NAMES)).verdict, Verdict::Confirm);
        assert_eq!(
            ledger.spend("H0.shop.example.co.uk.").verdict,
            Verdict::Allow
        );
        assert_eq!(ledger.spend("h0.other.co.uk").verdict, Verdict::Allow);
        ledger.allow(&name(MAX_NAMES));
        assert_eq!(ledger.spend(&name(MAX_NAMES)).verdict, Verdict::Allow);
        assert_eq!(ledger.spend(&name(MAX_NAMES + 1)).verdict, Verdict::Confirm);
    }

    #[test]
    fn opaque_selectors_ask_sooner_and_private_reverse_names_later() {
        let mut ledger = Ledger::new();
        for n in 0..MAX_OPAQUE {
            let name = format!("gezdgnbvgy3tqojq{n}._domainkey.example.com");
            assert_eq!(ledger.spend(&name).verdict, Verdict::Allow, "{name}");
        }
        let more = "gezdgnbvgy3tqojqz._domainkey.example.com";
        assert_eq!(ledger.spend(more).verdict, Verdict::Confirm);
        for n in 0..=255 {
            for name in [
                format!("{n}.0.0.10.in-addr.arpa"),
                format!("{:x}.{:x}.{}d.f.ip6.arpa", n % 16, n / 16, "0.".repeat(28)),
            ] {
                assert_eq!(ledger.spend(&name).verdict, Verdict::Allow, "{name}");
            }
        }
        // The owner of a public network keeps its reverse zone, and reads the names that are asked for there.
        for n in 0..=MAX_NAMES {
            let name = format!("{n}.{}8.b.d.0.1.0.0.2.ip6.arpa", "a.".repeat(23));
            let wanted = if n < MAX_NAMES {
                Verdict::Allow
            } else {
                Verdict::Confirm
            };
            assert_eq!(ledger.spend(&name).verdict, wanted, "{name}");
        }
    }
}
