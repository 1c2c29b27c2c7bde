//! The last line of a running call: a secret stays hidden while only a part of it was read, and after its beginning has moved out of
//! the window.  Included by src/gate/plan/progress.rs.

use super::*;

const HELD: &str = "correct horse battery staple 4711";

/// Tokens that belong to no account.
fn tokens() -> [String; 3] {
    [
        format!("ghp_{}", "x7Qm2LpV9sKd4RtY8wZb3NcF6hJg1TuE5aSo"),
        format!("glpat-{}", "Zq8Wn3Vt6Yb1Xc5Rm9Ks"),
        format!("AKIA{}", "Q7XW3ZP9LM2VT5YB"),
    ]
}

fn clean() -> Cleaner {
    Cleaner::holding(&[HELD.into()])
}

fn shown(bytes: impl AsRef<[u8]>) -> String {
    last_line(bytes.as_ref(), true, &clean())
}

#[test]
fn the_last_line_is_the_last_that_may_be_shown() {
    for (text, expect) in [
        ("", ""),
        ("\n\n", ""),
        ("one\ntwo\n", "two"),
        ("one\n\n  two\t2  \n\n", "two 2"),
        // An unfinished line, shown without its last words, which could begin a secret.
        (
            "one\nReceiving objects from the far end: 41% (41/100)",
            "Receiving objects from the far",
        ),
        ("one\ntw", "one"),
        // Carriage returns, with which programs draw over a line.
        ("one\nat 10%\rat 20%\r", "at 20%"),
        ("\u{1b}[31mred\u{202e}\u{0}\n", "^[[31mred<U+202E>^@"),
        (
            "[gh github.com/o/r read ok 0.1KB]\n",
            "| [gh github.com/o/r read ok 0.1KB]",
        ),
        ("#+end_tool\n", "| #+end_tool"),
    ] {
        assert_eq!(shown(text), expect, "{text:?}");
    }
    assert_eq!(shown(b"caf\xff\xc3\n"), "caf\u{fffd}\u{fffd}");
    let long = format!("{}\n", "word ".repeat(100));
    assert_eq!(
        shown(&long),
        format!("{} [299 more bytes]", "word ".repeat(40))
    );
}

#[test]
fn no_piece_of_a_secret_is_shown_while_it_comes() {
    let mut secrets = tokens().to_vec();
    secrets.push(HELD.to_owned());
    for secret in secrets {
        for text in [
            format!("begun\nthe token is {secret} and more text behind it\nend\n"),
            format!("begun\n{secret}\n"),
            format!("https://user:{secret}@host/path and more text behind it\n"),
            format!("{{\"a\":1,\"token\":\"{secret}\",\"b\":2, \"c\": [1, 2, 3]}}\n"),
            format!("Authorization: Bearer {secret}\r\nHost: github.com\r\n"),
        ] {
            let begun = text.find(&secret).expect("it is in there");
            for end in 0..=text.len() {
                let line = shown(&text[..end]);
                // The text before the secret may be shown, but no piece that only the secret has.
                for piece in pieces(&secret) {
                    assert!(!line.contains(piece), "{end} after {begun}: {line}");
                }
            }
        }
    }
}

/// The parts of `secret` that must stay hidden: any five characters in a row behind the prefix that all tokens of its
/// kind share (`ghp_`, `glpat-`, `AKIA`).
fn pieces(secret: &str) -> impl Iterator<Item = &str> {
    let public = secret.find(['_', '-']).map_or(4, |at| at + 1);
    let public = if secret == HELD { 0 } else { public };
    (public..secret.len() - 5).map(move |at| &secret[at..at + 5])
}

#[test]
fn a_line_that_begins_before_the_window_is_hidden() {
    for token in tokens() {
        let text = format!("{token}\n");
        for cut in 1..token.len() {
            assert_eq!(last_line(&text.as_bytes()[cut..], false, &clean()), "");
        }
        let next = format!("{}\nstep 3 of 4\n", &token[9..]);
        assert_eq!(last_line(next.as_bytes(), false, &clean()), "step 3 of 4");
    }
    // One line that fills the whole window.
    assert_eq!(last_line(&[b'x'; WINDOW], false, &clean()), "");
}

#[test]
fn a_line_of_a_key_whose_beginning_has_gone_by_is_hidden() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}q83vEjRW\n",
        format!("{line}\n").repeat(300)
    );
    // Every 305th byte, since the redactor is slow in a test's build: a line of the key has 65 bytes with its end, so the
    // ends fall on 13 different places of a line.
    for end in (0..key.len())
        .step_by(61 * 5)
        .chain(key.len() - 80..=key.len())
    {
        let from = end.saturating_sub(WINDOW);
        let got = last_line(&key.as_bytes()[from..end], from == 0, &clean());
        assert!(
            !got.contains("MIIE") && !got.contains("q83v") && !got.contains("9w0B"),
            "{end}: {got}"
        );
    }
    let log = format!("job\tstep\t2026-01-01T00:00:00Z {line}\n").repeat(2);
    let got = last_line(log.as_bytes(), false, &clean());
    assert!(!got.contains("MIIE"), "{got}");
}

#[test]
fn a_token_in_json_over_several_lines_is_hidden_while_it_comes() {
    let token = &tokens()[0];
    let text = format!("{{\n  \"password\":\n    \"hunter2hunter2\",\n  \"t\": \"{token}\"\n}}\n");
    for end in 0..=text.len() {
        let line = shown(&text[..end]);
        assert!(!line.contains(&token[8..14]), "{line}");
    }
}
