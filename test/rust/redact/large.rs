//! Large texts: a diff, a lock file and a bundle come out byte for byte; the time for hostile texts grows only with their length.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cj_gate::redact::Redactor;
use proptest::prelude::*;

/// Adds the source files below `folder` to `out`, sorted; the folder src/redact, which holds secrets on purpose, is left out.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && !path.ends_with("src/redact") {
            sources(&path, out);
        } else if [".rs", ".el", ".toml", ".md", ".lock"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            out.push(path);
        }
    }
}

/// A file of this repository that holds one of these texts has secrets on purpose and is left out.
const PLANTED: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "glpat-",
    "sk-ant-",
    "PRIVATE KEY",
    "TOKEN=",
    "oauth_token",
    "secret123",
    "hunter2",
    "Bearer ",
    "password=",
    "lab-token",
];

/// The next pseudo-random number of `state`.
fn number(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A pseudo-random number below `count`.
fn below(state: &mut u64, count: usize) -> usize {
    usize::try_from(number(state) % count as u64).expect("less than a usize")
}

/// A word of `length` letters that no dictionary holds, as a bundler names things.
fn name(state: &mut u64, length: usize) -> String {
    const LETTERS: &[u8; 54] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$";
    (0..length)
        .map(|_| LETTERS[below(state, LETTERS.len())] as char)
        .collect()
}

/// Asserts that `out` is `text`; the message shows the first line that differs.
fn assert_same(text: &str, out: &str) {
    if let Some((before, after)) = text
        .lines()
        .zip(out.lines())
        .find(|(before, after)| before != after)
    {
        let at = before
            .bytes()
            .zip(after.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let from = at.saturating_sub(120);
        panic!(
            "{}\n{}",
            String::from_utf8_lossy(&before.as_bytes()[from..before.len().min(at + 200)]),
            String::from_utf8_lossy(&after.as_bytes()[from..after.len().min(at + 200)])
        );
    }
    assert!(text == out, "the lines are equal, but not their ends");
}

#[test]
fn a_diff_of_a_megabyte_comes_out_byte_for_byte() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "lisp", "test", "tools"] {
        sources(&root.join(folder), &mut files);
    }
    let mut state = 7;
    let mut diff = String::new();
    let mut round = 0;
    while diff.len() < 1_000_000 {
        for file in &files {
            let Ok(text) = std::fs::read_to_string(file) else {
                continue;
            };
            if PLANTED.iter().any(|mark| text.contains(mark)) {
                continue;
            }
            let shown = file.strip_prefix(root).unwrap_or(file).display();
            let lines = text.lines().count();
            let (old, new) = (number(&mut state), number(&mut state));
            write!(
                diff,
                "commit {old:08x}{new:08x}{old:08x}{new:08x}{old:08x}\nAuthor: Octo Cat <octo@example.test>\n\n    Step {round}\n\ndiff --git a/{shown} b/{shown}\nindex {old:07x}..{new:07x} 100644\n--- a/{shown}\n+++ b/{shown}\n@@ -1,{lines} +1,{lines} @@\n",
            )
            .expect("writing to a string cannot fail");
            for (nth, line) in text.lines().enumerate() {
                let mark = [' ', '+', '-', ' '][(nth + round) % 4];
                writeln!(diff, "{mark}{line}").expect("writing to a string cannot fail");
            }
        }
        round += 1;
        assert!(round < 40, "the sources are there");
    }
    assert_same(&diff, &Redactor::new(&[]).text(&diff));
}

#[test]
fn a_lock_file_comes_out_byte_for_byte() {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"))
        .expect("the lock file is committed");
    assert!(lock.contains("checksum = "));
    assert_same(&lock, &Redactor::new(&[]).text(&lock));
}

#[test]
fn a_minified_bundle_comes_out_byte_for_byte() {
    // One line, as a bundler writes it: short names, hashes of chunks, and words like `token`.
    let words = [
        "token",
        "password",
        "secret",
        "apiKey",
        "auth",
        "key",
        "accessToken",
        "csrfToken",
        "credentials",
        "cookie",
    ];
    let mut state = 3;
    let mut bundle = String::from(
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.app=t()}(this,(function(){",
    );
    while bundle.len() < 400_000 {
        let (a, b, c) = (
            name(&mut state, 1),
            name(&mut state, 2),
            name(&mut state, 3),
        );
        let word = words[below(&mut state, words.len())];
        let chunk = number(&mut state);
        match number(&mut state) % 10 {
            0 => write!(bundle, "var {b}=n({chunk}),{a}={b}.{word}||null;"),
            1 => write!(bundle, "{a}.{word}={c}.{word};"),
            2 => write!(
                bundle,
                "function {c}(e,t){{return e.{word}===t.{word}?!0:void 0}}"
            ),
            3 => write!(bundle, "{a}.p+\"static/js/{chunk:08x}.chunk.js\";"),
            4 => write!(bundle, "{{{word}:function(){{return {c}}},{b}:()=>{a}}};"),
            5 => write!(bundle, "const{{{word}:{a},{b}:{c}}}=this.props;"),
            6 => write!(bundle, "\"{word}\"in {b}&&({a}={b}.{word}());"),
            7 => write!(bundle, "{a}=e=>e.{word}?`${{e.{word}}}/{b}`:\"\";"),
            8 => write!(
                bundle,
                ".css-{:06x}{{color:#{:06x}}}",
                chunk & 0xff_ffff,
                number(&mut state) & 0xff_ffff
            ),
            _ => write!(
                bundle,
                "{a}[\"{b}{c}\"]={chunk},{c}(!{a}.{word},\"Enter your {word}\");"
            ),
        }
        .expect("writing to a string cannot fail");
    }
    assert_same(&bundle, &Redactor::new(&[]).text(&bundle));
}

#[test]
fn ten_times_the_hostile_text_takes_about_ten_times_as_long() {
    // Texts that take time with the square of their length by a rule that looks back or ahead without bound.
    let redactor = Redactor::new(&["abcabcabcabcabcabcab".to_owned()]);
    for seed in [
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN ",
        "-----END RSA PRIVATE KEY-----",
        "ghp_",
        "ghp_a",
        "a=a=a=",
        "token=",
        "password: ",
        "\"token\":\"",
        "eyJ.",
        "eyJhbGciOi.eyJ",
        "Authorization: ",
        "://a:",
        "://user@",
        "?sig=",
        "xoxb-",
        "aws_secret_access_key=",
        "key=\\\"",
        "\u{1b}[",
        "^[[",
        "%41",
        "\\u0041",
        "&#65;",
        "[REDACTED:",
        "[REDACTED:secret]",
        "abc",
        "curl -u a:b ",
        "echo a | docker login --password-stdin ",
        "oracle:thin:a/",
        "M.M.",
        "arn:aws:secret:",
        "config set token ",
        "/1/0/2/",
        "A",
        "\0",
        "=",
        "\"",
        "\\",
    ] {
        let small = seed.repeat(20_000 / seed.len());
        let large = seed.repeat(200_000 / seed.len());
        let time = |text: &str| {
            let start = Instant::now();
            std::hint::black_box(redactor.bytes(text.as_bytes()));
            start.elapsed()
        };
        let first = time(&small).min(time(&small));
        let second = time(&large).min(time(&large));
        // Ten times the text would take 100 times as long by a square; 25 times and 1.5 s leave room for a busy machine.
        let limit = first * 25 + Duration::from_millis(1500);
        assert!(
            second < limit,
            "{seed:?}: {first:?}, ten times as much {second:?}"
        );
    }
}

#[test]
fn an_endless_line_is_settled_after_once_and_streams_alike() {
    // A second redaction cuts its blocks at other places, since marks are longer or shorter than the secrets.
    let redactor = Redactor::new(&["VkiYZ3l0SwI0Kq17Fj3zCtS0BWIyIo".to_owned()]);
    for seed in 1..=4_u64 {
        let mut state = seed;
        let mut text = String::new();
        while text.len() < 330_000 {
            let word = name(&mut state, 30);
            let (a, b) = (number(&mut state), number(&mut state));
            match number(&mut state) % 8 {
                0 => write!(text, "\"password\":\"{word}{a}!\","),
                1 => write!(text, "ghp_{a:018x}{b:018x},"),
                2 => write!(text, "https://bot:{word}@h.example.test/x "),
                3 => write!(text, "{{\"token\":\"\\u0067hp_{a:018x}{b:018x}\"}}"),
                4 => write!(text, "\u{1b}[3{}mVkiYZ3l0SwI0Kq17\u{1b}[0mFj3zCtS0BWIyIo", a % 8),
                5 => write!(text, "Authorization: Bearer {word}{a} "),
                6 => write!(text, "-----BEGIN PRIVATE KEY-----\\nMIIE{word}{word}\\n{word}{word}\\n-----END PRIVATE KEY-----"),
                _ => write!(text, "{{\"id\":{a},\"key\":\"value\",\"n\":[{b},{a}]}}"),
            }
            .expect("writing to a string cannot fail");
        }
        let once = redactor.text(&text);
        let twice = redactor.text(&once);
        assert_same(&once, &twice);
        let pieces: Vec<String> = text
            .as_bytes()
            .chunks(4093)
            .map(|piece| String::from_utf8_lossy(piece).into_owned())
            .collect();
        assert_same(&once, &redactor.chunks(&pieces).concat());
    }
}

/// Whether `out` without its marks is `text` with pieces left out, in the same order.
fn only_left_out(text: &[u8], out: &[u8]) -> bool {
    let mut rest = out;
    let mut at = 0;
    while let Some(first) = rest.first() {
        if rest.starts_with(b"[REDACTED:") && !text[at..].starts_with(b"[REDACTED:") {
            let close = memchr::memchr(b']', rest).map_or(rest.len(), |close| close + 1);
            rest = &rest[close..];
            continue;
        }
        match memchr::memchr(*first, &text[at..]) {
            Some(found) => at += found + 1,
            None => return false,
        }
        rest = &rest[1..];
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn marks_are_the_only_change(
        pieces in proptest::collection::vec(prop_oneof![
            "[ -~]{0,20}", "\\PC{0,8}", "(password|token|api_key)[=: ]{1,2}[A-Za-z0-9!#]{6,30}\n",
            "gh[pous]_[A-Za-z0-9]{36}", "https://a:[a-z0-9]{12}@h/", "\u{1b}\\[3[0-7]m", "Authorization: Bearer [A-Za-z0-9]{30}\n",
        ], 0..12),
        cuts in proptest::collection::vec(0_usize..300, 0..4),
    ) {
        let text = pieces.concat();
        let redactor = Redactor::new(&[]);
        let out = redactor.text(&text);
        prop_assert!(only_left_out(text.as_bytes(), out.as_bytes()), "{:?}\n{:?}", text, out);
        // A cut may fall anywhere, inside a character too.
        let mut stream = redactor.stream();
        let mut streamed = Vec::new();
        let mut from = 0;
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|at| *at <= text.len()).collect();
        cuts.sort_unstable();
        for cut in cuts {
            streamed.extend(stream.push(&text.as_bytes()[from..cut]));
            from = cut;
        }
        streamed.extend(stream.push(&text.as_bytes()[from..]));
        streamed.extend(stream.finish());
        prop_assert_eq!(streamed, out.as_bytes());
    }
}
