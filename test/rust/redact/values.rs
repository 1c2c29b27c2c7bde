//! A value that the process holds (a token, a password) is masked in every form that common tools write it in.
//!
//! The forms: unchanged, reversed, base64 in both alphabets at each of the three alignments, padded
//! or not, wrapped; hex in both cases, percent, the escapes of JSON; cut to twelve characters; with
//! colours in between. Each also comes piece by piece.

use std::fmt::Write as _;

use cj_gate::redact::Redactor;

use super::{STANDARD, URL_SAFE, base64};

/// Random-looking values that open nothing, as (public part, secret part): the prefix that all tokens of the type share, and the rest.
const VALUES: &[(&str, &str)] = &[
    ("ghp_", "WHNSHIEJvZtQvG1CVJGQPZLJZuGMLeC2D0pK"),
    ("glpat-", "Dfeymr5ZdpJOAR8AJcpI"),
    (
        "sk-ant-api03-",
        "cqyMIx4HlKoSm5W1UUj1bQ0YjAPqlmhdCeF11CDHV_BYeNstW9nzJ1T25ZiapIkk9Ul_AA",
    ),
    ("", "VkiYZ3l0SwI0Kq17Fj3zCtS0BWIyIo"),
    ("", "A+jgSpj7Bl9dkFcsb91D5k/ruwZvZOitH="),
    ("", "46f23e73-98df-4032-a72b-5e57f2319eaa"),
    ("", "d084caa1267fca426a86a4abcce7a96f1ca91e6e"),
    ("", "oGYcdXfg6K!4Lf#9zQ"),
    ("", "hunting-Otters-with-7-Lanterns"),
];

fn each(value: &str, write: impl Fn(&mut String, u8)) -> String {
    value.bytes().fold(String::new(), |mut out, byte| {
        write(&mut out, byte);
        out
    })
}

fn hex(value: &str, upper: bool, before: &str, between: &str) -> String {
    let bytes: Vec<String> = value
        .bytes()
        .map(|byte| {
            if upper {
                format!("{before}{byte:02X}")
            } else {
                format!("{before}{byte:02x}")
            }
        })
        .collect();
    bytes.join(between)
}

fn wrapped(text: &str, width: usize, end: &str) -> String {
    text.as_bytes()
        .chunks(width)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect::<Vec<_>>()
        .join(end)
}

/// One way to write a value: the name of the form, the written text, and the part that must not be left of it.
struct Form {
    name: String,
    written: String,
    bare: String,
}

#[expect(clippy::too_many_lines, reason = "one list of forms")]
fn forms(public: &str, secret: &str) -> Vec<Form> {
    let value = format!("{public}{secret}");
    let mut all = Vec::new();
    let mut add = |name: &str, written: String, bare: &str| {
        all.push(Form {
            name: name.to_owned(),
            written,
            bare: bare.to_owned(),
        });
    };
    add("as it is", value.clone(), secret);
    add("without its public part", secret.to_owned(), secret);
    let reversed: String = value.chars().rev().collect();
    let bare: String = secret.chars().rev().collect();
    add("reversed", reversed, &bare);
    for (alphabet, name) in [(STANDARD, "base64"), (URL_SAFE, "base64url")] {
        for padded in [true, false] {
            for (before, after) in [
                ("", ""),
                ("x", "y"),
                ("xx", "yy"),
                ("x-access-token:", "\n"),
                ("ab", ""),
            ] {
                let bytes = format!("{before}{value}{after}");
                let whole = base64(bytes.as_bytes(), alphabet, padded);
                // A base64 character at either end mixes in bits of the neighbouring bytes.
                let from = (before.len() * 8).div_ceil(6) + 1;
                let to = ((before.len() + value.len()) * 8) / 6 - 1;
                let core = &whole[from..to];
                add(&format!("{name} {padded} {before:?}"), whole.clone(), core);
                for width in [20, 64, 76] {
                    for end in ["\n", "\r\n", "\\n", "\n  "] {
                        let name = format!("{name} wrapped at {width} by {end:?}");
                        add(&name, wrapped(&whole, width, end), core);
                    }
                }
            }
        }
    }
    for upper in [false, true] {
        let bare = hex(secret, upper, "", "");
        let name = if upper { "HEX" } else { "hex" };
        add(name, hex(&value, upper, "", ""), &bare);
        add(
            &format!("{name} with colons"),
            hex(&value, upper, "", ":"),
            &bare,
        );
        add(
            &format!("{name} with blanks"),
            hex(&value, upper, "", " "),
            &bare,
        );
        add(
            &format!("{name} as C writes it"),
            hex(&value, upper, "\\x", ""),
            &bare,
        );
        add(
            &format!("{name} as a list"),
            hex(&value, upper, "0x", ", "),
            &bare,
        );
        add(
            &format!("{name} percent, all"),
            hex(&value, upper, "%", ""),
            &bare,
        );
        add(
            &format!("{name} wrapped"),
            wrapped(&hex(&value, upper, "", ""), 32, "\n"),
            &bare,
        );
    }
    let reserved = each(&value, |out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            write!(out, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    });
    add("percent", reserved.clone(), secret);
    add(
        "percent, lower case",
        reserved.to_lowercase(),
        &secret.to_lowercase(),
    );
    add(
        "escapes of JSON",
        each(&value, |out, byte| {
            write!(out, "\\u{byte:04x}").expect("writing to a string cannot fail");
        }),
        secret,
    );
    add("wrapped", wrapped(&value, 10, "\n"), secret);
    add("wrapped in JSON", wrapped(&value, 10, "\\n"), secret);
    add("with blanks", wrapped(&value, 1, " "), secret);
    add(
        "with colours",
        wrapped(&value, 5, "\u{1b}[0m\u{1b}[1m"),
        secret,
    );
    add(
        "with colours in caret form",
        wrapped(&value, 5, "^[[0m"),
        secret,
    );
    add(
        "with invisible characters",
        wrapped(&value, 3, "\u{200b}"),
        secret,
    );
    add(
        "in upper case",
        value.to_uppercase(),
        &secret.to_uppercase(),
    );
    let size = 12;
    for from in 0..=secret.len() - size {
        let cut = &secret[from..from + size];
        add("cut to 12", cut.to_owned(), cut);
    }
    for from in (0..secret.len() - size).step_by(3) {
        let tail = &secret[from..];
        add("tail", tail.to_owned(), tail);
        let head = &secret[..secret.len() - from];
        add("head", head.to_owned(), head);
    }
    all
}

/// The length of the longest piece of `bare` in `out`, when all characters that `bare` lacks are taken out of `out`.
fn left(out: &str, bare: &str) -> usize {
    let plain: String = out
        .replace("\\n", "")
        .replace("\\x", "")
        .replace("0x", "")
        .chars()
        .filter(|letter| bare.contains(*letter))
        .collect();
    let mut longest = 0;
    for size in 1..=bare.len() {
        if bare
            .as_bytes()
            .windows(size)
            .any(|part| memchr::memmem::find(plain.as_bytes(), part).is_some())
        {
            longest = size;
        } else {
            break;
        }
    }
    longest
}

#[test]
fn a_held_value_is_masked_in_every_common_form() {
    let mut failures = Vec::new();
    let (mut rows, mut caught) = (0, 0);
    for (public, secret) in VALUES {
        let redactor = Redactor::new(&[format!("{public}{secret}")]);
        for form in forms(public, secret) {
            let text = format!("# 0 {}\n# 9\n", form.written);
            let out = redactor.text(&text);
            rows += 1;
            let remains = left(&out, &form.bare);
            let least = 12.min(form.bare.len());
            if remains < least
                && out.contains("[REDACTED:")
                && out.starts_with("# ")
                && out.ends_with("# 9\n")
            {
                caught += 1;
            } else {
                failures.push(format!(
                    "{}: {remains} of {} left\n  {text:?}\n  {out:?}",
                    form.name,
                    form.bare.len()
                ));
            }
            if rows % 5 == 0 {
                let pieces: Vec<String> = text.chars().map(String::from).collect();
                assert_eq!(redactor.chunks(&pieces).concat(), out, "{}", form.name);
                assert_eq!(redactor.text(&out), out, "{}", form.name);
            }
        }
    }
    let shown = failures
        .iter()
        .take(30)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(failures.is_empty(), "by value {caught}/{rows}\n{shown}");
    #[expect(clippy::print_stdout, reason = "shown with --nocapture")]
    {
        println!("by value: {caught}/{rows}");
    }
}

#[test]
fn text_that_only_looks_like_a_held_value_is_kept() {
    let known: Vec<String> = VALUES
        .iter()
        .map(|(public, secret)| format!("{public}{secret}"))
        .collect();
    let redactor = Redactor::new(&known);
    for text in [
        "ghp_ glpat- sk-ant-api03- are prefixes",
        "hunting for an otter with lanterns",
        "46f23e73 is the first part of an identifier",
        "commit 0f5b2c7d9e1a3b5c7d9e0f1a2b3c4d5e6f708192",
        "oGYcdXfg and VkiYZ3l0",
        "4032-a72b, 98df, 5e57",
    ] {
        assert_eq!(redactor.text(text), text);
    }
}
