//! Texts longer than a block, in which a line far above decides: the header of a table, the kind of a Kubernetes Secret, the
//! beginning of a file in base64.

use std::fmt::Write as _;

use cj_gate::redact::Redactor;

use super::{STANDARD, base64};

/// Far more than one block of a stream.
const LONG: usize = 200 * 1024;

/// A pseudo-random password, drawn from `state`.
fn password(state: &mut u64) -> String {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut out: String = (0..16)
        .map(|_| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(*state >> 33).expect("31 bits fit") % LETTERS.len();
            LETTERS[at] as char
        })
        .collect();
    out.push_str("x7Q");
    out
}

/// `text` redacted. Asserts that redaction in pieces and a second redaction give the same.
fn redacted(text: &str) -> String {
    let redactor = Redactor::new(&[]);
    let out = redactor.text(text);
    let mut stream = redactor.stream();
    let mut streamed = Vec::new();
    for piece in text.as_bytes().chunks(7001) {
        streamed.extend(stream.push(piece));
    }
    streamed.extend(stream.finish());
    assert!(streamed == out.as_bytes(), "another text in pieces");
    assert_eq!(redactor.text(&out), out);
    out
}

fn none_left(out: &str, secrets: &[String]) {
    let left: Vec<_> = secrets
        .iter()
        .filter(|secret| out.contains(secret.as_str()))
        .collect();
    assert!(
        left.is_empty(),
        "{} of {} are left, the first {}",
        left.len(),
        secrets.len(),
        left[0]
    );
}

#[test]
fn every_row_of_a_long_table_is_read_by_its_header() {
    for (header, row, after) in [
        (
            "id,login,password,role\n",
            "7,user§,¤,viewer\n",
            "\nthe end\n",
        ),
        (
            "login\tpassword\trole\n",
            "user§\t¤\tviewer\n",
            "\nthe end\n",
        ),
        (
            "| login | password |\n|---|---|\n",
            "| user§ | ¤ |\n",
            "\nthe end\n",
        ),
        (
            "│ login │ password │\n├───────┼──────┤\n",
            "│ user§ │ ¤ │\n",
            "\nthe end\n",
        ),
    ] {
        let mut state = 5;
        let mut secrets = Vec::new();
        let mut text = format!("before\n\n{header}");
        while text.len() < LONG {
            let secret = password(&mut state);
            text.push_str(
                &row.replace('§', &secrets.len().to_string())
                    .replace('¤', &secret),
            );
            secrets.push(secret);
        }
        text.push_str(after);
        let out = redacted(&text);
        none_left(&out, &secrets);
        assert!(out.starts_with(&format!("before\n\n{header}")));
        assert_eq!(out.lines().count(), text.lines().count());
        assert!(out.contains("user0") && out.ends_with("the end\n"));
    }
}

#[test]
fn every_value_of_a_long_kubernetes_secret_is_read_by_its_kind() {
    let mut state = 9;
    let mut secrets = Vec::new();
    let mut text =
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: many\nstringData:\n".to_owned();
    while text.len() < LONG {
        let secret = password(&mut state);
        writeln!(text, "  entry-{}: {secret}", secrets.len())
            .expect("writing to a string cannot fail");
        secrets.push(secret);
    }
    text.push_str("---\nkind: ConfigMap\ndata:\n  colour: green\n");
    let out = redacted(&text);
    none_left(&out, &secrets);
    assert!(out.contains("  entry-0: [REDACTED:kubernetes-secret]\n"));
    assert!(out.ends_with("data:\n  colour: green\n"));
}

#[test]
fn a_large_file_in_base64_loses_its_secrets_and_keeps_the_rest() {
    let mut state = 3;
    let mut secrets = Vec::new();
    let mut file = String::new();
    while file.len() < LONG {
        file.push_str(&"# A line of a settings file that says nothing of interest.\n".repeat(200));
        let secret = password(&mut state);
        writeln!(file, "DB_PASSWORD={secret}").expect("writing to a string cannot fail");
        secrets.push(secret);
    }
    let whole = base64(file.as_bytes(), STANDARD, true);
    // The base64 of 12 bytes of each secret, at each of the three alignments: these characters depend on no neighbour.
    let pieces: Vec<String> = secrets
        .iter()
        .flat_map(|secret| {
            (0..3).map(|from| base64(&secret.as_bytes()[from..from + 12], STANDARD, true))
        })
        .collect();
    let wrapped = whole
        .as_bytes()
        .chunks(60)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect::<Vec<_>>();
    for (text, written) in [
        (format!("{{\"content\":\"{whole}\"}}\n"), ""),
        (
            format!("{{\"content\":\"{}\\n\"}}\n", wrapped.join("\\n")),
            "\\n",
        ),
        (wrapped.join("\n"), "\n"),
    ] {
        let out = redacted(&text);
        none_left(&out.replace(written, ""), &pieces);
        assert!(out.len() * 10 > text.len() * 9, "{}", out.len());
    }
}

#[test]
fn a_small_file_in_base64_goes_whole() {
    let mut state = 4;
    let file = format!(
        "HOST=db.example.test\nDB_PASSWORD={}\nPORT=5432\n",
        password(&mut state)
    );
    let out = redacted(&format!(
        "{{\"content\":\"{}\"}}\n",
        base64(file.as_bytes(), STANDARD, true)
    ));
    assert_eq!(out, "{\"content\":\"[REDACTED:password]\"}\n");
}
