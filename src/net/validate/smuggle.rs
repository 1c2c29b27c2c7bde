//! Estimates whether a name carries data: the keeper of a domain reads every name that is looked up in it.
//!
//! Words carry about one bit a character; hexadecimal text carries four, base32 five, base64 six.  The sum over the name decides.
//! Opaque parts with a known form and use (a mail key's selector, a cloud's host name) are left out of the sum; [`super::Ledger`]
//! limits how many names with such parts a session may ask about.

use std::collections::HashSet;

use super::labels::labels;
use super::punycode;
use crate::gate::Cleaner;

/// A name with this many bits or more is taken for data: 16 hexadecimal digits at 4 bits each have 64, 13 letters and digits at 5
/// have 65; 16 decimal digits at 3.3 have 53, which is less.
const DATA: f32 = 64.0;

/// Bits for each character of a part of digits: `20260101`.
const DIGIT: f32 = 3.3;
/// Bits for each hexadecimal digit: `68656c6c6f`.
const HEX: f32 = 4.0;
/// Bits for each character of letters and digits in no order: `nbswy3dpeb3w64`.
const MIXED: f32 = 5.0;
/// Bits for each character of letters in no order: `mzxwxzkrvbtqpdnw`.
const LETTERS: f32 = 4.7;
/// Bits for each character of a part in which a capital follows a small letter three times or more: `aGVsbG8gd29ybGQh`.
const CASES: f32 = 6.0;
/// Bits for each character of a word: `configuration`.
const WORD: f32 = 1.2;
/// Bits for each character of letters that are too few to judge, under 8: `bucket`.
const SHORT: f32 = 1.5;
/// Bits for each character behind `xn--` of a word of another script: `xn--80akhbyknj4f`.
const PUNYCODE: f32 = 2.0;

/// A part with this many characters or more that are all hexadecimal digits is no word: `deadbeefcafe`.
const NO_WORD: usize = 12;

/// This many labels or more in a row, of one to three characters each, are read as one text that was cut up.
const CUT_UP: usize = 8;

/// The data that a name carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carried {
    /// The type of a secret in the name.
    pub secret: Option<&'static str>,
    /// An estimate of the name's information, in bits, without the labels of known forms.
    pub bits: f32,
    /// True where labels of a known form were left out of `bits`.
    pub known_form: bool,
}

impl Carried {
    /// True where the name looks like data.
    pub fn is_data(&self) -> bool {
        self.bits >= DATA
    }
}

/// Where the opaque labels of a known form stand.
enum FormPlace {
    /// Left of this label, at most this many labels.
    Before(&'static str, usize),
    /// Anywhere left of these last labels, for which one provider answers.
    Under(&'static str),
    /// Left of these last labels, in names with at most this many other labels: a reverse name has one for each part of an address.
    Reverse(&'static str, usize),
    /// The first label of the name.
    First,
}

/// A known form of opaque labels.
struct Form {
    place: FormPlace,
    /// True for a label of this form.
    label: fn(&str) -> bool,
    #[expect(dead_code, reason = "the reason of the row, for its reader")]
    why: &'static str,
}

const fn under(suffix: &'static str, why: &'static str) -> Form {
    Form {
        place: FormPlace::Under(suffix),
        label: |l| l.len() <= 63,
        why,
    }
}

/// The known forms.
#[rustfmt::skip]
const FORMS: &[Form] = &[
    Form { place: FormPlace::Before("_domainkey", 1), label: |l| l.len() <= 40, why: "DKIM selectors, RFC 6376; Amazon's are 32 characters of base32" },
    Form { place: FormPlace::Before("_openpgpkey", 1), label: |l| l.len() == 56 && hex(l), why: "RFC 7929: 28 bytes of SHA-256" },
    Form { place: FormPlace::Before("_smimecert", 1), label: |l| l.len() == 56 && hex(l), why: "RFC 8162: 28 bytes of SHA-256" },
    Form { place: FormPlace::Before("_msdcs", 1), label: uuid, why: "the records of a domain controller, named by UUID (MS-ADTS, section 6.3.2.3)" },
    Form { place: FormPlace::Before("domains", 1), label: uuid, why: "the records of an Active Directory domain, named by UUID (MS-ADTS, section 6.3.2.3)" },
    Form { place: FormPlace::Before("_sites", 1), label: |l| l.len() <= 40, why: "a site of Active Directory, named as its keeper likes (MS-ADTS, section 6.3.2.3)" },
    Form { place: FormPlace::First, label: instance, why: "a host named by its instance id, as Amazon does" },
    Form { place: FormPlace::First, label: |l| l.len() == 33 && l.starts_with('_') && hex(&l[1..]), why: "domain validation of ACM and Sectigo: `_' and 32 hexadecimal digits" },
    Form { place: FormPlace::Reverse("ip6.arpa", 32), label: |l| l.len() == 1 && hex(l), why: "RFC 3596: one digit a label" },
    Form { place: FormPlace::Reverse("in-addr.arpa", 4), label: |l| l.parse::<u8>().is_ok(), why: "RFC 1035: one number a label" },
    Form { place: FormPlace::Reverse("e164.arpa", 15), label: |l| l.len() == 1 && l.bytes().all(|b| b.is_ascii_digit()), why: "RFC 6116: one digit a label" },
    under("local", "multicast DNS: it stays on the link, and devices are named by UUID"),
    under("internal", "kept for private use (ICANN, 2024): nobody can register a domain there"),
    under("home.arpa", "home networks, RFC 8375: never delegated"),
    under("acm-validations.aws", "Amazon's domain validation"),
    under("amazonaws.com", "Amazon's hosts, load balancers and buckets"),
    under("amazonses.com", "Amazon's mail keys"),
    under("cloudfront.net", "Amazon's CDN"),
    under("awsglobalaccelerator.com", "Amazon's accelerator"),
    under("akamai.net", "Akamai's CDN"),
    under("akamaiedge.net", "Akamai's CDN"),
    under("edgekey.net", "Akamai's CDN"),
    under("edgesuite.net", "Akamai's CDN"),
    under("fastly.net", "Fastly's CDN"),
    under("fastlylb.net", "Fastly's CDN"),
    under("azureedge.net", "Microsoft's CDN"),
    under("azurefd.net", "Microsoft's CDN"),
    under("trafficmanager.net", "Microsoft's load balancer"),
    under("azurewebsites.net", "Microsoft's hosting"),
    under("cloudapp.azure.com", "Microsoft's hosts"),
    under("windows.net", "Microsoft's storage"),
    under("azmk8s.io", "Microsoft's Kubernetes"),
    under("azurecr.io", "Microsoft's container registries"),
    under("vault.azure.net", "Microsoft's key vaults"),
    under("protection.outlook.com", "Microsoft's mail"),
    under("googlehosted.com", "Google's hosting, and its domain validation"),
    under("googleusercontent.com", "Google's hosts"),
    under("1e100.net", "Google's hosts"),
    under("googlevideo.com", "Google's CDN"),
    under("run.app", "Google's hosting"),
    under("fbcdn.net", "Meta's CDN"),
    under("nflxvideo.net", "Netflix's CDN"),
    under("github.io", "GitHub's hosting"),
    under("pages.dev", "Cloudflare's hosting: a hash for each deployment"),
    under("workers.dev", "Cloudflare's hosting"),
    under("trycloudflare.com", "Cloudflare's tunnels: a random word list"),
    under("netlify.app", "Netlify's hosting: a hash for each deployment"),
    under("vercel.app", "Vercel's hosting: a hash for each deployment"),
    under("herokuapp.com", "Heroku's hosting"),
    under("cloudflare.net", "Cloudflare's CDN"),
    under("cfargotunnel.com", "Cloudflare's tunnels, named by UUID"),
    under("vercel-dns.com", "Vercel's hosting"),
    under("herokudns.com", "Heroku's hosting: a random word list"),
    under("b-cdn.net", "Bunny's CDN"),
    under("llnwd.net", "Edgio's CDN"),
    under("sendgrid.net", "SendGrid's mail keys"),
    under("domains.proton.ch", "Proton's mail keys: 52 characters of base32"),
    under("comodoca.com", "Sectigo's domain validation: a hash in two labels"),
    under("sectigo.com", "Sectigo's domain validation: a hash in two labels"),
    under("dcv.digicert.com", "DigiCert's domain validation"),
    under("acme-dns.io", "acme-dns, named by UUID"),
];

/// Estimates what `name`, which is well formed, carries.
pub(super) fn look(name: &str) -> Carried {
    let labels: Vec<&str> = labels(name).collect();
    let left_out = known(&labels);
    let sum: f32 = labels
        .iter()
        .enumerate()
        // The last label is a public suffix and carries nothing.
        .filter(|(at, _)| !left_out.contains(at) && at + 1 < labels.len().max(2))
        .map(|(at, label)| match label_bits(label) {
            // The domain's own name carries nothing, since all names of the domain have it; an opaque one counts.
            bits if at + 2 == labels.len() && bits <= amount(label) * SHORT => 0.0,
            bits => bits,
        })
        .sum();
    let cut_up = runs_of_short(&labels, &left_out)
        .iter()
        .map(|text| label_bits(text))
        .fold(0.0, f32::max);
    let bits = sum.max(cut_up);
    Carried {
        secret: secret(name, &labels),
        bits,
        known_form: labels
            .iter()
            .enumerate()
            .any(|(at, label)| left_out.contains(&at) && label_bits(label) > 0.0),
    }
}

/// The texts that [`CUT_UP`] or more short labels in a row make together.
fn runs_of_short(labels: &[&str], left_out: &HashSet<usize>) -> Vec<String> {
    let short = |at: usize| labels[at].len() <= 3 && !left_out.contains(&at);
    let places: Vec<usize> = (0..labels.len()).collect();
    places
        .chunk_by(|a, b| short(*a) == short(*b))
        .filter(|run| short(run[0]) && run.len() >= CUT_UP)
        .map(|run| run.iter().map(|at| labels[*at]).collect())
        .collect()
}

/// The indices of the labels that have a known form.
fn known(labels: &[&str]) -> HashSet<usize> {
    let mut out = HashSet::new();
    for form in FORMS {
        let places = match form.place {
            FormPlace::First => 0..1,
            FormPlace::Before(anchor, most) => {
                let Some(at) = labels.iter().position(|l| l.eq_ignore_ascii_case(anchor)) else {
                    continue;
                };
                at.saturating_sub(most)..at
            }
            FormPlace::Under(suffix) => match under_suffix(labels, suffix) {
                Some(from) => 0..from,
                None => continue,
            },
            FormPlace::Reverse(suffix, most) => match under_suffix(labels, suffix) {
                Some(from) if from <= most => 0..from,
                _ => continue,
            },
        };
        out.extend(places.filter(|&at| (form.label)(labels[at])));
    }
    out
}

/// The index of the label at which `suffix` begins, if the name ends in `suffix`.
fn under_suffix(labels: &[&str], suffix: &str) -> Option<usize> {
    let tail: Vec<&str> = suffix.split('.').collect();
    let from = labels.len().checked_sub(tail.len())?;
    let last = labels[from..].iter().zip(&tail);
    last.into_iter()
        .all(|(l, t)| l.eq_ignore_ascii_case(t))
        .then_some(from)
}

fn uuid(label: &str) -> bool {
    let parts: Vec<&str> = label.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) && parts.iter().all(|part| hex(part))
}

/// True for `i-` and 8 or 17 hexadecimal digits.
fn instance(label: &str) -> bool {
    let id = label.strip_prefix("i-").unwrap_or_default();
    matches!(id.len(), 8 | 17) && hex(id)
}

/// The type of a secret in the name: in the name as it is, in capitals, without its dots, without its last two labels, or decoded.
fn secret(name: &str, labels: &[&str]) -> Option<&'static str> {
    let clean = Cleaner::latest();
    let joined = labels.concat();
    let below = labels[..labels.len().saturating_sub(2)].concat();
    let plain = [name, &joined, &below, &name.to_ascii_uppercase()]
        .iter()
        .find_map(|text| clean.secret_in(text));
    plain.or_else(|| {
        let mut encoded: Vec<&str> = labels.iter().copied().filter(|l| l.len() >= 16).collect();
        encoded.push(&below);
        encoded
            .iter()
            .flat_map(|text| decoded(text))
            .find_map(|text| clean.secret_in(&text))
    })
}

/// The value of a character in an alphabet.
type Digit = fn(u8) -> Option<u32>;

/// `text` decoded as hexadecimal, base32 and base64; results that are not UTF-8 are dropped.
fn decoded(text: &str) -> Vec<String> {
    let alphabets: [(u32, Digit); 3] = [
        (4, |b| char::from(b).to_digit(16)),
        (5, |b| match b {
            b'a'..=b'z' => Some(u32::from(b - b'a')),
            b'A'..=b'Z' => Some(u32::from(b - b'A')),
            b'2'..=b'7' => Some(u32::from(b - b'2') + 26),
            _ => None,
        }),
        (6, |b| match b {
            b'A'..=b'Z' => Some(u32::from(b - b'A')),
            b'a'..=b'z' => Some(u32::from(b - b'a') + 26),
            b'0'..=b'9' => Some(u32::from(b - b'0') + 52),
            b'-' => Some(62),
            b'_' => Some(63),
            _ => None,
        }),
    ];
    alphabets
        .iter()
        .filter_map(|(width, value)| {
            let (mut held, mut bits, mut out) = (0_u32, 0, Vec::new());
            for byte in text.bytes() {
                held = (held << width) | value(byte)?;
                bits += width;
                if bits >= 8 {
                    bits -= 8;
                    out.push(u8::try_from((held >> bits) & 0xff).expect("one byte"));
                    held &= (1 << bits) - 1;
                }
            }
            String::from_utf8(out).ok()
        })
        .collect()
}

/// The information of a label, in bits.
fn label_bits(label: &str) -> f32 {
    if let Some(code) = label
        .get(..4)
        .filter(|head| head.eq_ignore_ascii_case("xn--"))
        .map(|_| &label[4..])
    {
        let bits = if punycode::is_word(code) {
            PUNYCODE
        } else {
            MIXED
        };
        return amount(code) * bits;
    }
    label
        .split(['-', '_'])
        .filter(|part| !part.is_empty())
        .map(part_bits)
        .sum()
}

/// The information of a part without hyphens, in bits.
fn part_bits(part: &str) -> f32 {
    let digits = amount_of(part, |b| b.is_ascii_digit());
    let letters = part.len() - digits;
    let bits = if letters == 0 {
        DIGIT
    } else if changes_of_case(part) >= 3 {
        CASES
    } else if part.len() >= NO_WORD && hex(part) {
        HEX
    } else if digits == 0 {
        if part.len() >= 8 && !wordlike(part) {
            LETTERS
        } else if part.len() < 8 {
            SHORT
        } else {
            WORD
        }
    } else if digits <= 4 && numbered_word(part, digits) {
        // `web01`: a word and a number.
        return part_bits(&part[..letters]) + amount(&part[letters..]) * DIGIT;
    } else if hex(part) || part.len() <= 5 {
        HEX
    } else {
        MIXED
    };
    amount(part) * bits
}

/// True for `web01`: `part` is letters and then `digits` digits, and the letters are a word or under 8.
fn numbered_word(part: &str, digits: usize) -> bool {
    let letters = part.len() - digits;
    let word = &part[..letters];
    word.bytes().all(|b| b.is_ascii_alphabetic()) && (letters < 8 || wordlike(word))
}

/// How many characters of `text` carry something new: the number of its different runs of three, plus two.  `aaaaaaaa` has 3.
#[expect(clippy::cast_precision_loss, reason = "a label has 63 bytes")]
fn amount(text: &str) -> f32 {
    let runs: HashSet<&[u8]> = text.as_bytes().windows(3).collect();
    text.len().min(runs.len() + 2) as f32
}

fn amount_of(text: &str, is: fn(u8) -> bool) -> usize {
    text.bytes().filter(|b| is(*b)).count()
}

fn hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// How often a capital follows a small letter: 2 in `aBcD`.
fn changes_of_case(text: &str) -> usize {
    text.as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count()
}

/// For each letter, the letters that often follow it in words of European languages.
const FOLLOWERS: [&str; 26] = [
    "bcdgiklmnprstuvwy",
    "aeilorsuy",
    "aehikloortuy",
    "aeiorsuy",
    "acdefglmnoprstvwxy",
    "aefilortu",
    "aeghilnorsu",
    "aeiortuy",
    "abcdefgklmnoprstvz",
    "aeou",
    "aeinosu",
    "adefiklopstuvy",
    "abeimopsu",
    "acdegiknostuvy",
    "abcdfgiklmnoprstuvwx",
    "aehiloprstu",
    "u",
    "acdegiklmnorstuvy",
    "acehiklmnopqstuwy",
    "aceehilorstuwy",
    "abcdegilmnprst",
    "aeio",
    "aehinors",
    "aceipt",
    "eostm",
    "aeiouz",
];

/// True where at least 68 % of the pairs of neighbouring letters are in [`FOLLOWERS`].
fn wordlike(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let pairs = lower.as_bytes().windows(2);
    let all = pairs.len();
    let usual = pairs
        .filter(|pair| {
            pair[0].is_ascii_lowercase()
                && FOLLOWERS[usize::from(pair[0] - b'a')].contains(char::from(pair[1]))
        })
        .count();
    usual * 100 >= all * 68
}

#[cfg(test)]
mod tests {
    use super::look;

    #[test]
    fn names_of_words_say_little_and_encoded_text_says_much() {
        for name in [
            "www.example.com",
            "ec2-203-0-113-25.compute-1.example.com",
            "my-bucket-name-for-production-logs.example.com",
            "ingress-nginx-controller-admission.ingress-nginx.svc.cluster.local",
            "autodiscover.internationalization.example.com",
            "web01.rack12.dc3.example.com",
            "3f2a9c1b7d4e.example.com",
            "xn--80akhbyknj4f.example.com",
            "configuration-management-database.example.com",
        ] {
            assert!(!look(name).is_data(), "{name}: {}", look(name).bits);
        }
        for name in [
            "68656c6c6f20776f726c64.example.com",
            "nbswy3dpeb3w64tmmq.example.com",
            "aGVsbG8gd29ybGQh.example.com",
            "nbswy.3dpeb3.w64tmmq.example.com",
            "123e4567-e89b-12d3-a456-426614174000.example.com",
            "gezdgnbvgy3tqojq.example",
            "mzxwxzkrvbtqpdnw.example.com",
        ] {
            assert!(look(name).is_data(), "{name}: {}", look(name).bits);
        }
    }
}
