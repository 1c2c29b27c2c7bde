//! The promises of redaction for every input: any division into pieces gives the same text, a second redaction changes
//! nothing, no piece of a secret survives anywhere, nothing panics, and the work grows with the length alone.

use std::fmt::Write;
use std::time::{Duration, Instant};

use cj_gate::gh::judge::roles::GhRoles;
use cj_gate::redact::Redactor;
use cj_gate::redact::neutral::neutral;
use proptest::prelude::*;

use super::rows::{Input, rows};

/// Secrets of several kinds: the text before, the secret, and the text behind it. Some are secrets only by that text.
const SECRETS: &[(&str, &str, &str)] = &[
    ("", "ghp_RmBNzl7jGoM7X5aheKlAxb6qlPRbe9DstwQ8", ""),
    ("", "glpat-OiNiYExuZuiLG8xA7cix", ""),
    (
        "",
        "sk-ant-api03-Rwh1flQ_ZG7bdOOh1QulctAslTU2StQDH9eN6JUJqGb8mUtDZldrphAxHUtwudSF",
        "",
    ),
    (
        "Authorization: Bearer ",
        "n1ezB8O4LKLvsmdSZd5PboBlcNoyTdwj9Ygy4XQN",
        "",
    ),
    (
        "https://deploy:",
        "gozMJzR6OoQrA9Xz",
        "@git.example.test/o/r.git",
    ),
    ("password=", "u2IBgdLpdo#5Qk", ""),
    (
        "{\"client_secret\": \"",
        "qKOp4iHHdEfd9oFlD3cWXVJ7uj0Fy4ukMOct",
        "\"}",
    ),
    (
        "-----BEGIN PRIVATE KEY-----\n",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4ypbHqGC0H0qQbVdR0JcWmTSs1xF5Cb2qkQeV0d8yHmUoTq0dLAz",
        "\n-----END PRIVATE KEY-----",
    ),
];

/// The fragments of which `fragments` makes hostile and ordinary texts.
const FRAGMENTS: &[&str] = &[
    "token",
    "=",
    ": ",
    "\"",
    "'",
    "\\",
    "\\n",
    "\n",
    " ",
    "[REDACTED:secret]",
    "[REDACTED:",
    "]",
    "ghp_",
    "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5",
    "password",
    "Authorization",
    "Bearer ",
    "Cookie: a=b; c=",
    "://",
    "user:",
    "@host/",
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "eyJ",
    ".eyJhbGciOi.",
    "\u{1b}[31m",
    "^[[0m",
    "%41",
    "&#45;",
    "\\u002d",
    "<password>",
    "</",
    ",",
    ";",
    "é",
    "密",
    "\u{202e}",
    "secret_key",
    "-p",
    "curl -u a:",
    "xoxb-",
    "?sig=",
    "&key=",
    "$",
    "{{",
    "\0",
    "1234567890",
    "deadbeef01",
    "  ",
    "{",
    "}",
    "is ",
    "login x password ",
    "|",
    "value",
];

fn joined(redactor: &Redactor, pieces: &[String]) -> String {
    redactor.chunks(pieces).concat()
}

#[test]
fn every_row_streams_to_the_same_text_at_every_cut() {
    for row in rows() {
        let Input::Text(text) = &row.input else {
            continue;
        };
        let redactor = Redactor::new(&row.known);
        let whole = redactor.text(text);
        let cuts: Vec<usize> = (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .collect();
        // Cutting everywhere would take a minute for each of the two rows of 64 KiB, and too long for the many rows of
        // redact-own.jsonl and redact-fresh.jsonl: these are cut at about eight places.
        let step = if cuts.len() > 4096 || !row.id.starts_with('r') {
            cuts.len() / 8 + 1
        } else {
            1
        };
        for at in cuts.iter().step_by(step) {
            let (head, tail) = text.split_at(*at);
            let pieces = [head.to_owned(), tail.to_owned()];
            assert_eq!(joined(&redactor, &pieces), whole, "{} at {at}", row.id);
        }
        let letters: Vec<String> = text.chars().take(4096).map(String::from).collect();
        if text.chars().count() <= 4096 {
            assert_eq!(
                joined(&redactor, &letters),
                whole,
                "{} letter by letter",
                row.id
            );
        }
    }
}

#[test]
fn every_row_redacted_twice_is_redacted_once() {
    for row in rows() {
        let redactor = Redactor::new(&row.known);
        match &row.input {
            Input::Text(text) => {
                let once = redactor.text(text);
                assert_eq!(redactor.text(&once), once, "{}", row.id);
            }
            Input::Argv(argv) => {
                let once = redactor.argv(argv, Some(&GhRoles));
                assert_eq!(redactor.argv(&once, Some(&GhRoles)), once, "{}", row.id);
            }
        }
    }
}

#[test]
fn a_secret_at_the_border_of_two_blocks_is_masked_and_streams_alike() {
    let redactor = Redactor::new(&[]);
    let block = 96 * 1024;
    let hold = 16 * 1024;
    for (before, secret, after) in SECRETS {
        for base in [block - hold, block] {
            for shift in [-70, -9, 0] {
                for filler in ["plain words of a log line\n", "no line break at all; "] {
                    let room = usize::try_from(base + shift).expect("the base is larger");
                    let mut text: String = filler.repeat(room / filler.len());
                    while text.len() < room {
                        text.push(' ');
                    }
                    text.push('\n');
                    text.push_str(before);
                    text.push_str(secret);
                    text.push_str(after);
                    text.push('\n');
                    text.push_str(&filler.repeat(2 * 16 * 1024 / filler.len()));
                    let out = redactor.text(&text);
                    no_piece(&out, secret);
                    assert!(
                        out.contains("[REDACTED:"),
                        "nothing was masked for {secret}"
                    );
                    let pieces: Vec<String> = text
                        .as_bytes()
                        .chunks(7001)
                        .map(|piece| String::from_utf8_lossy(piece).into_owned())
                        .collect();
                    assert_eq!(joined(&redactor, &pieces), out);
                }
            }
        }
    }
}

#[test]
fn a_key_block_longer_than_any_block_leaves_nothing_behind() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
    let mut text = String::from("before\n-----BEGIN RSA PRIVATE KEY-----\n");
    text.push_str(&line.repeat(16_000));
    text.push_str("-----END RSA PRIVATE KEY-----\nafter\n");
    let redactor = Redactor::new(&[]);
    let out = redactor.text(&text);
    assert_eq!(out, "before\n[REDACTED:private-key]\nafter\n");
    let pieces: Vec<String> = text
        .as_bytes()
        .chunks(9000)
        .map(|p| String::from_utf8_lossy(p).into_owned())
        .collect();
    assert_eq!(joined(&redactor, &pieces), out);
}

#[test]
fn large_innocent_texts_come_out_byte_for_byte() {
    let redactor = Redactor::new(&[]);
    let mut lock = String::new();
    let mut bundle = String::new();
    let mut state = 1_u64;
    for nth in 0..4000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        write!(lock, "[[package]]\nname = \"token-{nth}\"\nversion = \"1.{nth}.0\"\nsource = \"registry+https://example.test/index\"\nchecksum = \"{state:016x}{:016x}{state:016x}{:016x}\"\n\n", state.rotate_left(17), state.rotate_left(31)).expect("writing to a string cannot fail");
        write!(bundle, "function e{nth}(t,n){{var r=n(\"{:x}\");return t.token=r.getToken(n,{nth}),e{nth}.key=t.key||{{password:null}}}};", state & 0xffff).expect("writing to a string cannot fail");
    }
    assert_eq!(redactor.text(&lock), lock);
    assert_eq!(redactor.text(&bundle), bundle);
}

#[test]
fn no_repeated_key_makes_the_work_grow_faster_than_the_text() {
    // Each text has 64 KiB; a rule that reads to the end of the line at every key would take minutes.
    let redactor = Redactor::new(&["abcabcabcabcabcabcab".to_owned()]);
    for seed in [
        "token=",
        "token:\"",
        "://a:",
        "eyJ",
        "ghp_",
        "xoxb-",
        "authorization:",
        "Cookie: a=",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----\n",
        "curl -u a:",
        "?token=",
        ":*:",
        "JQQJ99",
        "abc",
        "\u{1b}]",
        "\\",
        "[REDACTED:",
        "token=\\\\\"",
        "openssl -passin pass:",
        "kind: Secret\ndata:\n",
        "{\"a\":{\"kind\":\"Secret\",\"a\":",
        "{\"kty\":",
        "name: token\n",
        "{\"name\":\"token\",\"a\":",
        "recovery codes\n",
        "chpasswd <<EOF\n",
        "user,password\n",
        "| password |\n|--|\n",
        "$ cat token\n",
        "API key is ",
        "creds a / ",
        "code=",
        ".login(",
        "cGFzc3dvcmQ9YWJjMTIzZGVm",
        "net user ",
        "curl \\\n",
    ] {
        let text = seed.repeat(64 * 1024 / seed.len());
        let start = Instant::now();
        let _ = redactor.text(&text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{seed:?} took {took:?}");
    }
}

/// Asserts that `text` holds no eight bytes in a row of `secret`.
fn no_piece(text: &str, secret: &str) {
    for piece in secret.as_bytes().windows(8) {
        let piece = std::str::from_utf8(piece).expect("the secrets are ASCII");
        assert!(
            !text.contains(piece),
            "{piece} of {secret} is left in {text:.300}"
        );
    }
}

fn fragments() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            4 => proptest::sample::select(FRAGMENTS).prop_map(str::to_owned),
            1 => "[ -~]{0,12}",
            1 => "\\PC{0,6}",
        ],
        0..24,
    )
    .prop_map(|list| list.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn redacting_twice_is_redacting_once(text in fragments(), known in proptest::option::of("[A-Za-z0-9+/]{12,40}")) {
        let redactor = Redactor::new(&known.into_iter().collect::<Vec<_>>());
        let once = redactor.text(&text);
        prop_assert_eq!(redactor.text(&once), once);
    }

    #[test]
    fn any_division_gives_the_same_text(text in fragments(), cuts in proptest::collection::vec(0_usize..400, 0..5)) {
        let redactor = Redactor::new(&[]);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|at| *at < text.len() && text.is_char_boundary(*at)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(text[from..cut].to_owned());
            from = cut;
        }
        pieces.push(text[from..].to_owned());
        prop_assert_eq!(joined(&redactor, &pieces), redactor.text(&text));
    }

    #[test]
    fn no_eight_bytes_of_a_secret_survive_in_any_surroundings(
        nth in 0..SECRETS.len(), before in "([ -~]{0,30}\n){0,4}", after in "(\n[ -~]{0,30}){0,4}",
    ) {
        let (head, secret, tail) = SECRETS[nth];
        let text = format!("{before}{head}{secret}{tail}\n{after}");
        let out = Redactor::new(&[]).text(&text);
        no_piece(&out, secret);
    }

    #[test]
    fn a_known_value_survives_in_no_form(value in "[A-Za-z0-9]{20,40}", nth in 0_usize..6, before in "[ -~]{0,20}") {
        let hex = value.bytes().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
            hex
        });
        let form = match nth {
            0 => value.clone(),
            1 => value.chars().rev().collect(),
            2 => hex,
            3 => value[4..].to_owned(),
            4 => value.as_bytes().chunks(7).map(|p| String::from_utf8_lossy(p).into_owned()).collect::<Vec<_>>().join("\n"),
            _ => value.chars().flat_map(|letter| [letter, ' ']).collect(),
        };
        let redactor = Redactor::new(&[value]);
        let out = redactor.text(&format!("{before} {form} end"));
        prop_assert!(out.contains("[REDACTED:"), "{}", out);
        if nth != 4 && nth != 5 {
            no_piece(&out, &form);
        }
    }

    #[test]
    fn arbitrary_bytes_and_arguments_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), argv in proptest::collection::vec("\\PC{0,12}", 0..8)) {
        let redactor = Redactor::new(&[]);
        let _ = redactor.bytes(&bytes);
        let once = redactor.argv(&argv, Some(&GhRoles));
        prop_assert_eq!(once.len(), argv.len());
        let text = String::from_utf8_lossy(&bytes);
        let shown = neutral(&text);
        prop_assert_eq!(neutral(&shown), shown);
    }
}
