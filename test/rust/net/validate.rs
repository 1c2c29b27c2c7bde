//! The validators of the network tools against labelled cases, and the properties that hold for any input.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use cj_gate::address::literal::Literal;
use cj_gate::address::ranges::{self, Kind};
use cj_gate::net::validate::{Check, Input, Judgement, Verdict, validate};
use proptest::prelude::*;
use serde_json::Value;

/// Labelled cases, of which a few may be judged too strictly.  `OWN` has our own ones in the same format, which must all be judged
/// as they say.
const SAMPLE: &str = include_str!("../../../fixtures/net-validate.jsonl");
const OWN: &str = include_str!("../../../fixtures/net-validate-own.jsonl");

fn answer(case: &Value) -> Judgement {
    let name = case["fn"]
        .as_str()
        .expect("fn")
        .trim_start_matches("validate-");
    let check = Check::named(name).expect("a validator");
    let resolved: Vec<String> = case["resolves_to"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|a| a.as_str().expect("an address").to_owned())
        .collect();
    let input = match &case["input"] {
        Value::String(text) => Input::Text(text),
        Value::Number(number) => number.as_i64().map_or(Input::Other, Input::Number),
        Value::Object(host) => Input::Host(
            host["host"].as_str().expect("a host"),
            host.get("external") == Some(&Value::Bool(true)),
        ),
        _ => Input::Other,
    };
    validate(check, input, &resolved)
}

fn verdict(word: &Value) -> Verdict {
    match word.as_str() {
        Some("allow") => Verdict::Allow,
        Some("confirm") => Verdict::Confirm,
        Some("reject") => Verdict::Reject,
        other => panic!("no verdict: {other:?}"),
    }
}

/// Judges each row of `cases`: returns the number of rows, those judged too mildly, and those judged too strictly. Asserts
/// that the pinned address of each row is right.
fn judge(cases: &str) -> (usize, Vec<String>, Vec<String>) {
    let (mut count, mut mild, mut strict) = (0, Vec::new(), Vec::new());
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("each line is JSON");
        count += 1;
        let got = answer(&case);
        let mut right = vec![verdict(&case["expect"])];
        right.extend(
            case["also_ok"]
                .as_array()
                .into_iter()
                .flatten()
                .map(verdict),
        );
        let said = format!(
            "{} {} ({}): {got:?}",
            case["id"], case["input"], case["why"]
        );
        if got.verdict < *right.iter().min().expect("there is at least one") {
            mild.push(said.clone());
        } else if got.verdict > *right.iter().max().expect("there is at least one") {
            strict.push(said.clone());
        }
        if let (Some(pinned), true) = (case["pinned"].as_str(), got.verdict != Verdict::Reject) {
            assert_eq!(got.pinned.as_deref(), Some(pinned), "{said}");
        }
        assert!(
            got.reason.ends_with('.') && got.reason.len() < 400 && got.reason.is_ascii(),
            "a reason is a sentence: {said}"
        );
    }
    (count, mild, strict)
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever changes a rule reads the score"
)]
fn no_labelled_input_is_judged_too_mildly_and_few_too_strictly() {
    let (count, mild, strict) = judge(SAMPLE);
    println!(
        "{count} rows: unsafe {}, too strict {}",
        mild.len(),
        strict.len()
    );
    assert!(count >= 99, "the fixture is cut short: {count} rows");
    assert!(mild.is_empty(), "too mild: {mild:#?}");
    assert!(strict.len() * 50 <= count, "too strict: {strict:#?}");
}

#[test]
fn every_row_of_our_own_is_judged_as_it_says() {
    let (count, mild, strict) = judge(OWN);
    assert!(count >= 150, "the fixture is cut short: {count} rows");
    assert!(mild.is_empty(), "too mild: {mild:#?}");
    assert!(strict.is_empty(), "too strict: {strict:#?}");
}

#[test]
fn our_own_rows_allow_and_reject_some_input_of_every_check() {
    let seen: BTreeSet<(String, String)> = OWN
        .lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).expect("each line is JSON");
            let word = |key: &str| case[key].as_str().expect(key).to_owned();
            (
                word("fn").trim_start_matches("validate-").to_owned(),
                word("expect"),
            )
        })
        .collect();
    for (name, _) in Check::ALL {
        for word in ["allow", "reject"] {
            assert!(
                seen.contains(&((*name).to_owned(), word.to_owned())),
                "{name} {word}"
            );
        }
    }
}

/// Whether `address` is private, by ranges that are written out here once more, independently of the validator's table.
fn private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(a) => {
            let [first, second, ..] = a.octets();
            a.is_private()
                || a.is_loopback()
                || a.is_link_local()
                || (first == 100 && second & 0xc0 == 64)
        }
        IpAddr::V6(a) => a.is_loopback() || a.is_unique_local() || a.is_unicast_link_local(),
    }
}

/// `address` in every spelling that `inet_aton` or a reader of URLs and IPv6 addresses takes for an address.
#[expect(
    clippy::many_single_char_names,
    reason = "the four bytes of an address"
)]
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let (n, low, lower) = (
        u32::from(address),
        u32::from(address) & 0xff_ffff,
        u32::from(address) & 0xffff,
    );
    vec![
        address.to_string(),
        format!("{n}"),
        format!("0x{n:x}"),
        format!("0X{n:X}"),
        format!("0{n:o}"),
        format!("{a}.{low}"),
        format!("{a}.{b}.{lower}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("{a}.{b}.{c}.0x{d:x}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{a}.{b}.{c}.{d}%eth0"),
        format!("::ffff:{address}"),
        format!("::{address}"),
        format!("64:ff9b::{address}"),
        format!("64:ff9b:1::{address}"),
        format!("::ffff:0:{address}"),
        format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1"),
        format!("fe80::5efe:{address}"),
        format!("[{address}]"),
        format!("{address}:80"),
        format!("http://{address}/"),
    ]
}

fn target(host: &str, external: bool, resolved: &[String]) -> Judgement {
    validate(Check::Target, Input::Host(host, external), resolved)
}

proptest! {
    #[test]
    fn every_input_is_judged_without_a_panic_and_a_rejected_one_pins_nothing(
        text in prop_oneof![
            ".*",
            "[-+@0-9a-fx.:%/*_\\[\\] ]{0,40}",
            "[0-9a-fA-F:.%]{0,45}",
            "[a-zA-Z0-9_.-]{0,300}",
        ],
        resolved in prop::collection::vec("[0-9a-f.:%]{0,30}", 0..4),
        external: bool,
    ) {
        for (_, check) in Check::ALL {
            let input = if *check == Check::Target { Input::Host(&text, external) } else { Input::Text(&text) };
            let got = validate(*check, input, &resolved);
            prop_assert!(got.reason.ends_with('.'));
            prop_assert!(got.verdict != Verdict::Reject || got.pinned.is_none());
        }
    }

    #[test]
    fn no_spelling_of_a_public_address_is_allowed(bits: u32) {
        let address = Ipv4Addr::from(bits);
        prop_assume!(!private(address.into()));
        for text in spellings(address) {
            prop_assert_eq!(target(&text, false, &[]).verdict, Verdict::Reject, "{}", text);
            prop_assert_ne!(target(&text, true, &[]).verdict, Verdict::Allow, "{}", text);
            // A DNS answer with a private address changes nothing.
            let lied = target(&text, false, &["10.0.0.1".to_owned()]);
            prop_assert_eq!(lied.verdict, Verdict::Reject, "{}", text);
        }
    }

    #[test]
    fn no_ipv6_address_outside_the_private_ranges_is_allowed(bits: u128) {
        let address = Ipv6Addr::from(bits);
        prop_assume!(!private(address.into()));
        prop_assert_ne!(target(&address.to_string(), true, &[]).verdict, Verdict::Allow);
        prop_assert_eq!(target(&address.to_string(), false, &[]).verdict, Verdict::Reject);
    }

    #[test]
    fn a_private_address_is_allowed_in_its_plain_spellings_alone_and_pinned_as_itself(low in 0_u32..0x100_0000) {
        let address = Ipv4Addr::from(0x0a00_0000 | low);
        let allowed = spellings(address)
            .into_iter()
            .filter_map(|text| {
                let got = target(&text, false, &[]);
                (got.verdict == Verdict::Allow).then_some((text, got.pinned))
            })
            .collect::<Vec<_>>();
        let text = address.to_string();
        prop_assert_eq!(allowed, vec![
            (text.clone(), Some(text.clone())),
            (format!("::ffff:{text}"), Some(text)),
        ]);
    }

    #[test]
    fn a_name_is_allowed_only_when_every_address_is_private_and_one_of_them_is_pinned(
        addresses in prop::collection::vec(
            prop_oneof![
                any::<u32>().prop_map(|bits| IpAddr::V4(bits.into())),
                (0_u32..0x1_0000).prop_map(|low| IpAddr::V4((0xc0a8_0000 | low).into())),
                any::<u128>().prop_map(|bits| IpAddr::V6(bits.into())),
                any::<u64>().prop_map(|low| IpAddr::V6(((0xfd00_u128 << 112) | u128::from(low)).into())),
            ],
            1..5,
        ),
        external: bool,
    ) {
        let resolved: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        let got = target("host.lan", external, &resolved);
        if got.verdict == Verdict::Allow {
            prop_assert!(addresses.iter().all(|a| private(*a)));
        }
        if let Some(pinned) = &got.pinned {
            prop_assert!(addresses.iter().any(|a| a.to_canonical().to_string() == *pinned));
            prop_assert_eq!(Literal::read(pinned).map(|l| l.to_string()), Some(pinned.clone()));
        }
        prop_assert_eq!(got.verdict == Verdict::Reject, got.pinned.is_none());
    }

    #[test]
    fn an_allowed_network_holds_only_private_addresses_that_are_no_metadata_service(
        bits in prop_oneof![any::<u32>(), 0x0a00_0000_u32..0x0b00_0000, 0xa9fe_0000_u32..0xa9ff_0000, 0x6464_6000_u32..0x6464_6800],
        length in 0_u8..=32,
    ) {
        let text = format!("{}/{length}", Ipv4Addr::from(bits));
        let got = validate(Check::Subnet, Input::Text(&text), &[]);
        if got.verdict == Verdict::Allow {
            prop_assert!(length >= 22);
            let first = u64::from(bits) >> (32 - length) << (32 - length);
            for address in first..first + (1 << (32 - length)) {
                let address = Ipv4Addr::from(u32::try_from(address).expect("within IPv4"));
                prop_assert!(private(address.into()));
                prop_assert_eq!(ranges::of(address.into()).kind, Kind::Private);
            }
        }
    }

    #[test]
    fn allowed_ports_are_those_asked_for_and_at_most_1024(
        items in prop::collection::vec((1_u16.., 0_u16..600), 1..6),
    ) {
        let mut wanted = BTreeSet::new();
        let words: Vec<String> = items
            .iter()
            .map(|(low, more)| {
                let high = low.saturating_add(*more);
                wanted.extend(*low..=high);
                format!("{low}-{high}")
            })
            .collect();
        let got = validate(Check::Ports, Input::Text(&words.join(",")), &[]);
        prop_assert_eq!(got.verdict == Verdict::Allow, wanted.len() <= 1024);
        if let Some(pinned) = got.pinned {
            let mut said = BTreeSet::new();
            for item in pinned.split(',') {
                let (low, high) = item.split_once('-').unwrap_or((item, item));
                said.extend(low.parse::<u16>().expect("a port")..=high.parse::<u16>().expect("a port"));
            }
            prop_assert_eq!(said, wanted);
        }
    }

    // The data has no repeated bytes or letters: repeated ones carry little data, and may pass for a word.
    #[test]
    fn a_name_that_holds_hexadecimal_or_base32_data_is_not_allowed(
        bytes in prop::collection::hash_set(any::<u8>(), 20..30),
        letters in Just("abcdefghijklmnopqrstuvwxyz234567".chars().collect::<Vec<char>>()).prop_shuffle(),
        length in 16_usize..32,
    ) {
        let hex = bytes.iter().fold(String::new(), |hex, b| format!("{hex}{b:02x}"));
        let mut names = vec![
            format!("{hex}.evil.example"),
            format!("{}.{}.evil.example", &hex[..20], &hex[20..]),
        ];
        // Letters alone, or with digits at the end, can look like a word.
        if letters[..8].iter().any(char::is_ascii_digit) {
            names.push(format!("{}.evil.example", letters[..length].iter().collect::<String>()));
        }
        for name in names {
            let got = validate(Check::DnsName, Input::Text(&name), &[]);
            prop_assert_ne!(got.verdict, Verdict::Allow, "{}", name);
        }
    }
}
