//! The line for a POSIX shell that repeats a call: a single line, without control and invisible characters.
//!
//! Words stand in single quotes. The shell itself makes the characters that must not stand in the line: a line end is `"$nl"`, a
//! variable that the line sets first if needed, and `printf` makes control and invisible characters. So
//! [`neutral`](crate::redact::neutral) leaves the line unchanged, and the shell reads the exact words back.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::redact::neutral;

/// Sets `nl` to a line end.  A command substitution drops line ends at its end, so a dot stands behind this one and is then removed.
const SET_NL: &str = r#"nl="$(printf '\n.')"; nl="${nl%.}"; "#;
const NL: &str = r#""$nl""#;

/// `argv` quoted for a shell. `"$nl"` in the result stands for a line end.
pub fn words(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|a| word(a.as_bytes())).collect();
    words.join(" ")
}

/// The whole line, which goes to `cwd` and runs `program` with `argv`. `environment` stands before the program, already quoted for the
/// shell: `A=1`.
pub(in crate::gate) fn line(
    cwd: &Path,
    environment: &str,
    program: &Path,
    argv: &[String],
) -> String {
    let line = format!(
        "cd {} && {environment} {} {}",
        word(cwd.as_os_str().as_bytes()),
        word(program.as_os_str().as_bytes()),
        words(argv)
    );
    with_nl(line).trim_end().to_owned()
}

/// The line that runs `parts`, lines of [`words`], with `between` between two of them.
pub(in crate::gate) fn parts(parts: &[String], between: &str) -> String {
    with_nl(parts.join(between))
}

/// `line`, which sets `nl` first where it has it.
fn with_nl(mut line: String) -> String {
    if line.contains(NL) {
        line.insert_str(0, SET_NL);
    }
    line
}

/// One word, quoted for a shell.
fn word(bytes: &[u8]) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-./:=@,+%".contains(b);
    // zsh takes a word that begins with `=` for a command's name.
    if !bytes.is_empty() && bytes.iter().all(plain) && bytes[0] != b'=' {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = Quoted::default();
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        for (at, c) in text.char_indices() {
            match c {
                '\n' => out.raw(NL),
                '\'' => out.raw("\\'"),
                '\t' => out.printed(b"\t"),
                c if neutral::acts(c) => {
                    out.printed(&text.as_bytes()[at..at + c.len_utf8()]);
                }
                // Emacs acts on the words `Local Variables:`, so a new quote begins before this colon; see `neutral`.
                ':' if neutral::ends_in_variables(&text[..=at]) => {
                    out.close();
                    out.literal(':');
                }
                c => out.literal(c),
            }
        }
        out.printed(chunk.invalid());
    }
    out.close();
    if out.line.is_empty() {
        out.line.push_str("''");
    }
    out.line
}

/// A word while it is quoted, piece by piece.
#[derive(Default)]
struct Quoted {
    line: String,
    /// Whether a single quote is open.
    open: bool,
    /// Octal escapes of the bytes that a `printf` will make, not yet in the line.
    octal: String,
}

impl Quoted {
    fn literal(&mut self, c: char) {
        if !self.open {
            self.close();
            self.line.push('\'');
            self.open = true;
        }
        self.line.push(c);
    }

    fn raw(&mut self, piece: &str) {
        self.close();
        self.line.push_str(piece);
    }

    fn printed(&mut self, bytes: &[u8]) {
        if self.open {
            self.close();
        }
        for byte in bytes {
            write!(self.octal, "\\{byte:03o}").expect("a string takes all that is written");
        }
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.line.push('\'');
        }
        if !self.octal.is_empty() {
            let octal = std::mem::take(&mut self.octal);
            write!(self.line, "\"$(printf '{octal}')\"")
                .expect("a string takes all that is written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The words that `shell` reads back from `line`, a line of [`super::line`] whose program prints its arguments.
    #[allow(clippy::disallowed_methods, reason = "the test asks a real shell")]
    fn read_back(shell: &str, line: &str) -> Vec<Vec<u8>> {
        let out = std::process::Command::new(shell)
            .args(["-c", line])
            .env_clear()
            .output()
            .expect("a shell runs");
        assert!(out.status.success(), "{line}: {out:?}");
        let mut words: Vec<Vec<u8>> = out.stdout.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        assert_eq!(words.pop(), Some(Vec::new()));
        words
    }

    fn same(argv: &[String]) {
        let mut printing = vec!["%s\\0".to_owned()];
        printing.extend_from_slice(argv);
        let line = line(
            Path::new("/"),
            "A=1",
            Path::new("/usr/bin/printf"),
            &printing,
        );
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(neutral::neutral(&line), line, "it passes unchanged");
        let mut expected: Vec<Vec<u8>> = argv.iter().map(|a| a.clone().into_bytes()).collect();
        if expected.is_empty() {
            expected.push(Vec::new());
        }
        for shell in ["/bin/sh", "/bin/bash"] {
            if Path::new(shell).exists() {
                assert_eq!(read_back(shell, &line), expected, "{shell}: {line}");
            }
        }
    }

    #[test]
    fn a_shell_reads_hostile_words_back_as_they_were() {
        same(
            &[
                "pr",
                "it's",
                "a b",
                "",
                "$x`y`$(id)",
                "--x=\"q\"",
                "new\nline",
                "\n\nends in lines\n\n",
                "-n",
                "--",
                "=ls",
                "~",
                "*",
                "#c",
                "!h",
                "a\\nb\\",
                "tab\there",
                "\u{1b}[31mred\u{7}",
                "naïve 日本語 👩‍💻",
                "\u{202e}abc\u{200b}",
                "x\n[gh github.com read ok 1.0KB]",
                "x\r\n#+end_tool",
                ";; Local Variables: x",
                "%d %s",
                "'",
                "''",
                "\u{7f}7\u{1b}1",
                "[REDACTED:github-token]",
                "é\u{301}",
                "a;b|c&d>e<f",
                "{a,b}",
            ]
            .map(String::from),
        );
    }

    #[test]
    fn the_parts_of_a_call_are_read_back_and_stop_at_the_first_that_fails() {
        let part = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            super::words(&words)
        };
        let print = |text: &str| part(&["/usr/bin/printf", "%s\\0", text]);
        let line = parts(&[print("one\nline"), print("two\n")], " && ");
        assert_eq!(
            read_back("/bin/sh", &line),
            [b"one\nline".to_vec(), b"two\n".to_vec()]
        );
        let line = parts(&[print("one"), part(&["/bin/false"]), print("two")], " && ");
        let output = format!("{{ {line}; }} || :");
        assert_eq!(read_back("/bin/sh", &output), [b"one".to_vec()]);
    }

    #[test]
    fn a_directory_of_any_bytes_can_be_entered() {
        use std::ffi::OsStr;
        let dir = std::env::temp_dir().join(format!("cj-shell-{}", std::process::id()));
        let odd = dir.join(OsStr::from_bytes(b"it's \xff\n$(x)\xe2\x80\xae"));
        std::fs::create_dir_all(&odd).expect("a directory can be made");
        let line = line(&odd, "", Path::new("pwd"), &["-P".to_owned()]);
        let mut shown = line.clone();
        shown.push_str(" && printf '\\0'");
        let back = read_back("/bin/sh", &shown);
        std::fs::remove_dir_all(&dir).expect("it can be removed");
        assert!(!line.contains('\n') && neutral::neutral(&line) == line);
        let mut expected = odd.as_os_str().as_bytes().to_vec();
        expected.push(b'\n');
        assert_eq!(back, [expected]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_shell_reads_any_words_back_as_they_were(argv in proptest::collection::vec("(?s)[^\\x00]{0,12}|[ -~\\n\\t'\"$\\\\]{0,16}", 1..6)) {
            same(&argv);
        }
    }
}
