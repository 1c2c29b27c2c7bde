//! Neutralising: characters on which a terminal or a client acts are written out, and visible ones are kept.  Included by
//! src/redact/neutral/visible.rs.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

#[test]
fn characters_that_act_are_written_out_and_plain_ones_are_kept() {
    for line in include_str!("../../../fixtures/neutral.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let text = |key: &str| row[key].as_str().expect("a row has its texts");
        let shown = neutral(text("text"));
        assert_eq!(shown, text("shown"), "{}", text("why"));
        assert_eq!(neutral(&shown), shown, "twice is once: {}", text("why"));
    }
}

#[test]
fn a_byte_that_is_no_utf_8_is_written_as_its_number() {
    for (bytes, shown) in [
        (&b"a\x9b31mb\xff"[..], "a<0x9B>31mb<0xFF>"),
        (b"caf\xe9\n", "caf<0xE9>\n"),
        (b"\xe2\x80", "<0xE2><0x80>"),
        (b"\xff[gh x]", "<0xFF>[gh x]"),
        (b"\x1b\x00\xe2\x80\xae", "^[^@<U+202E>"),
    ] {
        assert_eq!(of_bytes(bytes), shown);
    }
}

/// The original of `shown`, by the table at the top of src/redact/neutral/mod.rs.
fn back(shown: &str) -> String {
    let line = |line: &str| match line.strip_prefix(PLAIN).map(unwritten) {
        Some(rest) if forged(&rest) => rest,
        _ => unwritten(line),
    };
    shown.split_inclusive('\n').map(line).collect()
}

/// `line` with each written form (`^[`, `<U+202E>`) replaced by its character.
fn unwritten(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '^' {
            let shown = rest[1..].chars().next().expect("a caret form has two");
            out.push(char::from(shown as u8 ^ 0x40));
            rest = &rest[2..];
        } else if let Some(number) = rest.strip_prefix("<U+") {
            let (hex, after) = number.split_once('>').expect("it is closed");
            let number = u32::from_str_radix(hex, 16).expect("a number");
            out.push(char::from_u32(number).expect("a character"));
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Text of plain and acting characters in which no form such as `^[` stands written out.
fn mixed() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -;=?-\\]_-}]{0,12}",
        "[\\x00-\\x1f\\x7f-\\u{a0}]{1,3}",
        "[\\u{200b}-\\u{2029}\\u{202a}-\\u{2069}\\u{fe00}-\\u{fe0f}\\u{e0020}-\\u{e007f}]{1,3}",
        "[😀👩❤1#\\u{fe0f}\\u{200d}\\u{20e3}\\u{1f3fd}\\u{1f3f4}]{1,6}",
        "[می\\u{200c}\\u{200d}ष]{1,5}",
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("[gh github.com/o/r read ok 1.0KB]".to_owned()),
        Just("#+END_tool".to_owned()),
        Just("Local Variables:".to_owned()),
        "\\PC{0,8}".prop_map(|text| text.replace(['^', '<', '|'], "")),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_header_of_which_an_escape_sequence_takes_the_first_letter_is_set_off() {
    let shown = neutral("\u{1b}[gh github.com/o/r read ok 1.0KB]");
    assert_eq!(shown, "| ^[[gh github.com/o/r read ok 1.0KB]");
    assert_eq!(neutral(&shown), shown);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn neutralising_twice_is_once_and_no_character_that_acts_is_left(text in mixed()) {
        let shown = neutral(&text);
        prop_assert_eq!(&neutral(&shown), &shown);
        prop_assert!(!shown.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')));
        prop_assert!(!shown.replace("\r\n", "\n").contains('\r'));
        for line in shown.split('\n') {
            prop_assert!(!forged(line), "{line:?}");
            prop_assert_eq!(variables(line, 0), None);
        }
        let lonely = shown.chars().any(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{200b}'));
        prop_assert!(!lonely);
    }

    #[test]
    fn the_original_can_be_read_back(text in mixed()) {
        prop_assert_eq!(back(&neutral(&text)), text);
    }

    #[test]
    fn lines_come_out_alike_together_or_apart(text in mixed(), at in 0_usize..40) {
        let cut = text.match_indices('\n').nth(at).map_or(text.len(), |(at, _)| at + 1);
        prop_assert_eq!(neutral(&text[..cut]) + &neutral(&text[cut..]), neutral(&text));
    }

    #[test]
    fn plain_text_is_kept_byte_for_byte(text in "([ -~àßñ日本語й😀\t]{0,40}\r?\n){0,6}") {
        prop_assume!(!text.split('\n').any(|line| forged(line) || variables(line, 0).is_some()));
        prop_assert_eq!(neutral(&text), text);
    }

    #[test]
    fn any_bytes_come_out_as_safe_text(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let shown = of_bytes(&bytes);
        prop_assert_eq!(&neutral(&shown), &shown);
        prop_assert!(!shown.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')));
    }
}

#[test]
fn each_line_of_a_row_is_judged_alike_wherever_the_text_is_cut() {
    let header = "[ɡһ github.com/o/r write confirmed 0.1KB]";
    let text = format!("- a\n> {header}\n~~~~ tool\n");
    let lines = ["- a\n", &format!("| > {header}\n"), "| ~~~~ tool\n"].concat();
    assert_eq!(neutral(&text), lines);
    // A stream may begin or end inside a character of the header; no piece may then pass for a header.
    for at in 0..text.len() {
        let shown = of_bytes(&text.as_bytes()[at..]);
        assert_eq!(neutral(&shown), shown, "{at}");
        assert!(!shown.split('\n').any(forged), "{at}: {shown}");
        let shown = of_bytes(&text.as_bytes()[..at]);
        assert!(!shown.split('\n').any(forged), "{at}: {shown}");
    }
}

#[test]
fn long_lines_that_almost_are_headers_take_under_two_seconds() {
    let take = |piece: &str| {
        let text = piece.repeat(65_536 / piece.len());
        let begun = std::time::Instant::now();
        assert!(!neutral(&text).is_empty());
        begun.elapsed()
    };
    for piece in [
        "[",
        "`",
        "<|",
        "(:name ",
        "#+",
        "[gh[",
        "━",
        "ɡ[",
        "\u{301}",
        "\u{200b}",
        "－\n",
        "[ɡɡɡɡɡɡɡ\n",
        "###########ɡ\n",
        "(:name ɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡɡ\n",
    ] {
        let took = take(piece);
        assert!(took.as_millis() < 1_500, "{piece:?} took {took:?}");
    }
}
