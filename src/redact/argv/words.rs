//! Argument lists: secret values by flag, private text by subcommand, and everything by form.
//!
//! One letter means different things in different subcommands of gh (`-t` title, template,
//! token; `-f` raw field, fill, file; `-H` header, head), and pflag lets shorts stack and take
//! their value attached (`-dbTEXT`). So each leaf that takes such a value has a row with its
//! letters, from `gh help reference` of gh 2.92.0 (`discussion` and `issue artifact` from 2.103.3). In any other
//! command line only long flags whose name says "secret" are read, and each word by its form.

use super::document;
use crate::redact::redactor::Redactor;
use crate::redact::words::names::{self, kind};
use crate::redact::words::value::{placeholder, words_only};

/// What a flag's value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// A secret.
    Secret,
    /// Text that people wrote for other people.
    Private,
    /// `name: value`.
    Header,
    /// `key=value`.
    Field,
}

/// A leaf of gh with its short flags.
struct Leaf {
    path: &'static str,
    /// Shorts that take no value.
    switches: &'static str,
    /// Shorts that take a value; `R` (repository) is added everywhere.
    valued: &'static str,
    /// The flags that matter: short (`0` for none), long, what the value is.
    flags: &'static [(u8, &'static str, What)],
}

const BODY: (u8, &str, What) = (b'b', "body", What::Private);
const TITLE: (u8, &str, What) = (b't', "title", What::Private);
const LONG_TITLE: (u8, &str, What) = (0, "title", What::Private);
const LONG_BODY: (u8, &str, What) = (0, "body", What::Private);
const COMMENT: (u8, &str, What) = (b'c', "comment", What::Private);
const DESCRIPTION: (u8, &str, What) = (b'd', "description", What::Private);
const NOTES: (u8, &str, What) = (b'n', "notes", What::Private);
const FIELDS: [(u8, &str, What); 2] = [
    (b'f', "raw-field", What::Field),
    (b'F', "field", What::Field),
];
const VALUE: (u8, &str, What) = (b'b', "body", What::Secret);

const LEAVES: &[Leaf] = &[
    Leaf {
        path: "api",
        switches: "i",
        valued: "FHqXpft",
        flags: &[FIELDS[0], FIELDS[1], (b'H', "header", What::Header)],
    },
    Leaf {
        path: "discussion create",
        switches: "w",
        valued: "bFtcl",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "discussion comment",
        switches: "ew",
        valued: "bF",
        flags: &[BODY],
    },
    Leaf {
        path: "discussion edit",
        switches: "",
        valued: "bFtc",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "gist create",
        switches: "pw",
        valued: "df",
        flags: &[(b'd', "desc", What::Private)],
    },
    Leaf {
        path: "gist edit",
        switches: "",
        valued: "adfr",
        flags: &[(b'd', "desc", What::Private)],
    },
    Leaf {
        path: "issue artifact create",
        switches: "",
        valued: "Fb",
        flags: &[BODY],
    },
    Leaf {
        path: "issue artifact edit",
        switches: "",
        valued: "Fb",
        flags: &[BODY],
    },
    Leaf {
        path: "issue close",
        switches: "",
        valued: "cr",
        flags: &[COMMENT],
    },
    Leaf {
        path: "issue reopen",
        switches: "",
        valued: "c",
        flags: &[COMMENT],
    },
    Leaf {
        path: "issue comment",
        switches: "ew",
        valued: "bF",
        flags: &[BODY],
    },
    Leaf {
        path: "issue create",
        switches: "ew",
        valued: "abFlmpTt",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "issue edit",
        switches: "",
        valued: "bFmt",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "label create",
        switches: "f",
        valued: "cd",
        flags: &[DESCRIPTION],
    },
    Leaf {
        path: "label edit",
        switches: "",
        valued: "cdn",
        flags: &[DESCRIPTION],
    },
    Leaf {
        path: "pr close",
        switches: "d",
        valued: "c",
        flags: &[COMMENT],
    },
    Leaf {
        path: "pr reopen",
        switches: "",
        valued: "c",
        flags: &[COMMENT],
    },
    Leaf {
        path: "pr comment",
        switches: "ew",
        valued: "bF",
        flags: &[BODY],
    },
    Leaf {
        path: "pr create",
        switches: "defw",
        valued: "aBbFHlmprTt",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "pr edit",
        switches: "",
        valued: "BbFmt",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "pr merge",
        switches: "dmrs",
        valued: "AbFt",
        flags: &[BODY, (b't', "subject", What::Private)],
    },
    Leaf {
        path: "pr revert",
        switches: "d",
        valued: "bFt",
        flags: &[BODY, TITLE],
    },
    Leaf {
        path: "pr review",
        switches: "acr",
        valued: "bF",
        flags: &[BODY],
    },
    Leaf {
        path: "project copy",
        switches: "",
        valued: "qt",
        flags: &[LONG_TITLE],
    },
    Leaf {
        path: "project create",
        switches: "",
        valued: "qt",
        flags: &[LONG_TITLE],
    },
    Leaf {
        path: "project edit",
        switches: "",
        valued: "dqt",
        flags: &[LONG_TITLE, DESCRIPTION, (0, "readme", What::Private)],
    },
    Leaf {
        path: "project item-create",
        switches: "",
        valued: "qt",
        flags: &[LONG_TITLE, LONG_BODY],
    },
    Leaf {
        path: "project item-edit",
        switches: "",
        valued: "qt",
        flags: &[LONG_TITLE, LONG_BODY, (0, "text", What::Private)],
    },
    Leaf {
        path: "release create",
        switches: "dp",
        valued: "nFt",
        flags: &[NOTES, TITLE],
    },
    Leaf {
        path: "release edit",
        switches: "",
        valued: "nFt",
        flags: &[NOTES, TITLE],
    },
    Leaf {
        path: "repo create",
        switches: "c",
        valued: "dghlrstp",
        flags: &[DESCRIPTION],
    },
    Leaf {
        path: "repo edit",
        switches: "",
        valued: "dh",
        flags: &[DESCRIPTION],
    },
    Leaf {
        path: "secret set",
        switches: "u",
        valued: "abeforv",
        flags: &[VALUE],
    },
    Leaf {
        path: "variable set",
        switches: "",
        valued: "beforv",
        flags: &[VALUE],
    },
    Leaf {
        path: "workflow run",
        switches: "",
        valued: "Ffr",
        flags: &FIELDS,
    },
];

/// Other names of the same leaves.
const ALIASES: &[(&str, &str)] = &[
    ("pr new", "pr create"),
    ("issue new", "issue create"),
    ("repo new", "repo create"),
    ("release new", "release create"),
    ("gist new", "gist create"),
    ("discussion new", "discussion create"),
];

/// The last part of a field's key that holds text written for people.
const PRIVATE_KEYS: &[&str] = &[
    "body",
    "text",
    "description",
    "title",
    "message",
    "content",
    "comment",
    "note",
    "notes",
    "summary",
    "subject",
    "bodytext",
    "bodyhtml",
    "commit_message",
    "commit_title",
    "headline",
];

/// Long flags that hold such text where the command is misspelt, or newer than the rows above.
const PRIVATE_FLAGS: &[&str] = &[
    "body",
    "title",
    "notes",
    "description",
    "desc",
    "subject",
    "message",
    "readme",
];

/// Long flags that look like secrets and take no value.
const SWITCHES: &[&str] = &[
    "with-token",
    "show-token",
    "password-stdin",
    "no-token",
    "secret-scanning",
];

/// A leaf's flag that is given in a word, and where its value begins.
struct Given {
    what: What,
    /// The byte of the word at which the value begins; `None`: the next word is the value.
    at: Option<usize>,
}

impl Redactor {
    /// An argument list, with or without the leading `gh`, with secret values, credentials in
    /// headers and private text (bodies, titles, descriptions, notes) masked; flags stay.
    /// Flags are read as gh 2.92.0 reads them (pflag rules: stacked and attached shorts).
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        redact(self, argv)
    }
}

/// See [`Redactor::argv`].
fn redact(redactor: &Redactor, argv: &[String]) -> Vec<String> {
    let skip = usize::from(
        argv.first()
            .is_some_and(|word| word == "gh" || word.ends_with("/gh")),
    );
    let leaf = leaf(&argv[skip..]);
    let meant_for_gh = skip == 1
        || argv
            .iter()
            .find(|word| !word.starts_with('-'))
            .is_some_and(|word| {
                LEAVES
                    .iter()
                    .any(|leaf| leaf.path.split(' ').next() == Some(word))
            });
    let mut out: Vec<String> = Vec::with_capacity(argv.len());
    let mut expected: Option<What> = None;
    let mut over = false; // past "--"
    for (nth, word) in argv.iter().enumerate() {
        if let Some(what) = expected.take() {
            out.push(value(redactor, word, what));
            continue;
        }
        if over || !word.starts_with('-') || word.len() < 2 {
            out.push(redactor.text(word));
            continue;
        }
        if word == "--" {
            over = true;
            out.push(word.clone());
            continue;
        }
        match given(leaf, meant_for_gh, word, argv.get(nth + 1)) {
            Some(Given { what, at: Some(at) }) => {
                let (flag, rest) = word.split_at(at);
                out.push(format!("{flag}{}", value(redactor, rest, what)));
            }
            Some(Given { what, at: None }) => {
                expected = Some(what);
                out.push(word.clone());
            }
            None => out.push(redactor.text(word)),
        }
    }
    command_line(redactor, argv, out)
}

/// The leaf that the words name. While gh looks for the command, a flag without `=` takes the next
/// word with it, but for the help flag; so it is done here.
fn leaf(argv: &[String]) -> Option<&'static Leaf> {
    let mut path: Vec<&str> = Vec::new();
    let mut passed = false;
    for word in argv {
        if std::mem::take(&mut passed) || word.is_empty() || word == "-" {
            continue;
        }
        if word.starts_with('-') {
            let long = word.starts_with("--") && !word.contains('=');
            let short = word.len() == 2 && word != "--";
            passed = (long || short) && !matches!(word.as_str(), "--help" | "-h" | "--version");
            continue;
        }
        if path.is_empty() && word == "help" {
            continue;
        }
        path.push(word);
        let name = path.join(" ");
        let name = ALIASES
            .iter()
            .find(|(alias, _)| *alias == name)
            .map_or(name.as_str(), |(_, real)| real);
        if let Some(leaf) = LEAVES.iter().find(|leaf| leaf.path == name) {
            return Some(leaf);
        }
        if path.len() == 3 {
            return None;
        }
    }
    None
}

fn given(
    leaf: Option<&Leaf>,
    meant_for_gh: bool,
    word: &str,
    next: Option<&String>,
) -> Option<Given> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, attached) = long
            .split_once('=')
            .map_or((long, false), |(name, _)| (name, true));
        let at = attached.then_some(word.len() - long.len() + name.len() + 1);
        let listed = leaf.and_then(|leaf| leaf.flags.iter().find(|(_, long, _)| *long == name));
        if let Some((_, _, what)) = listed {
            return Some(Given { what: *what, at });
        }
        if matches!(name, "header" | "proxy-header") {
            return Some(Given {
                what: What::Header,
                at,
            });
        }
        if meant_for_gh && leaf.is_none() && PRIVATE_FLAGS.contains(&name) {
            return Some(Given {
                what: What::Private,
                at,
            });
        }
        // `--secret-id prod/db/password` of AWS says which secret.
        let path = |word: &str| {
            word.contains('/') && crate::redact::words::value::words_only(word.as_bytes())
        };
        let which = name == "secret-id"
            && (long.split_once('=').is_some_and(|(_, word)| path(word))
                || (!attached && next.is_some_and(|next| path(next))));
        let secret = names::kind(name.as_bytes()).is_some() && !SWITCHES.contains(&name) && !which;
        let taken = attached || next.is_some_and(|next| !next.starts_with('-'));
        return (secret && taken).then_some(Given {
            what: What::Secret,
            at,
        });
    }
    let leaf = leaf?;
    for (at, letter) in word.bytes().enumerate().skip(1) {
        let known = leaf.flags.iter().find(|(short, _, _)| *short == letter);
        if leaf.switches.as_bytes().contains(&letter) {
            continue;
        }
        if known.is_none() && letter != b'R' && !leaf.valued.as_bytes().contains(&letter) {
            return None; // a letter that gh does not know here
        }
        let (_, _, what) = known?;
        let mut at = at + 1;
        if word.as_bytes().get(at) == Some(&b'=') {
            at += 1; // pflag: -b=TEXT is -b TEXT
        }
        return Some(Given {
            what: *what,
            at: (at < word.len()).then_some(at),
        });
    }
    None
}

fn mark(name: &str) -> String {
    format!("[REDACTED:{name}]")
}

fn value(redactor: &Redactor, word: &str, what: What) -> String {
    if word.is_empty() || crate::redact::mark::mark_len(word.as_bytes()) == Some(word.len()) {
        return word.to_owned();
    }
    match what {
        What::Secret => mark("secret"),
        What::Private => mark("private-text"),
        What::Header => header(redactor, word),
        What::Field => field(redactor, word),
    }
}

/// `Name: value`: the value of a header that carries credentials is masked whole.
fn header(redactor: &Redactor, word: &str) -> String {
    let Some((name, rest)) = word.split_once(':') else {
        return redactor.text(word);
    };
    let lower = name.trim().to_ascii_lowercase();
    let secret = names::kind(lower.as_bytes()).is_some()
        || lower.ends_with("authorization")
        || lower.ends_with("cookie")
        || lower.ends_with("-auth");
    let bare = rest.trim_start();
    if !secret || bare.is_empty() {
        return redactor.text(word);
    }
    let blanks = &rest[..rest.len() - bare.len()];
    let name_of = if lower.ends_with("cookie") {
        "cookie"
    } else {
        "authorization-header"
    };
    if crate::redact::mark::mark_len(bare.as_bytes()) == Some(bare.len()) {
        return word.to_owned();
    }
    format!("{name}:{blanks}{}", mark(name_of))
}

/// `key=value`: judged by the last part of the key.
fn field(redactor: &Redactor, word: &str) -> String {
    let Some((key, rest)) = word.split_once('=') else {
        return redactor.text(word);
    };
    if rest.is_empty() || crate::redact::mark::mark_len(rest.as_bytes()) == Some(rest.len()) {
        return word.to_owned();
    }
    let last = key
        .split(['[', ']', '.'])
        .rfind(|part| !part.is_empty())
        .unwrap_or(key);
    let lower = last.to_ascii_lowercase();
    if PRIVATE_KEYS.contains(&lower.as_str()) {
        return format!("{key}={}", mark("private-text"));
    }
    if names::kind(last.as_bytes()).is_some() {
        return format!("{key}={}", mark("secret"));
    }
    if lower == "query" && rest.contains("mutation") {
        return redactor.text(&format!("{key}={}", document::without_sentences(rest)));
    }
    redactor.text(word)
}

/// Another program's command line, read as one: `sshpass -p X`, `curl -u user:X`.
fn command_line(redactor: &Redactor, argv: &[String], out: Vec<String>) -> Vec<String> {
    let Some(program) = argv.first() else {
        return out;
    };
    if program.rsplit('/').next() == Some("gh")
        || argv.iter().any(|word| word.contains(['\'', '\n']))
    {
        return out;
    }
    let mut line = program.clone();
    let mut at: Vec<std::ops::Range<usize>> = Vec::with_capacity(argv.len());
    at.push(0..line.len());
    for word in &argv[1..] {
        line.push(' ');
        let quoted = word.contains([' ', '"']) || word.is_empty();
        line.push_str(if quoted { "'" } else { "" });
        at.push(line.len()..line.len() + word.len());
        line.push_str(word);
        line.push_str(if quoted { "'" } else { "" });
    }
    let found = crate::redact::scan::command(line.as_bytes());
    let mut out = out;
    // rclone config create box s3 secret_access_key X: an option's name is an argument, its value the next one.
    for (nth, pair) in argv.windows(2).enumerate() {
        let (name, found) = (pair[0].as_bytes(), pair[1].as_bytes());
        let option = name
            .iter()
            .any(|byte| b"_.:".contains(byte) || byte.is_ascii_uppercase())
            && !name.starts_with(b"-")
            && !name.contains(&b'=')
            && kind(name).is_some();
        let drawn = found.len() >= 16
            && found.iter().any(u8::is_ascii_uppercase)
            && found.iter().any(u8::is_ascii_lowercase)
            && found.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            && !found.iter().any(|byte| b":@$ ".contains(byte));
        if option && drawn && !placeholder(found) && !words_only(found) && out[nth + 1] == pair[1] {
            out[nth + 1] = mark("secret");
        }
    }
    for span in found {
        for (nth, word) in at.iter().enumerate() {
            if span.start >= word.start && span.end <= word.end && out[nth] == argv[nth] {
                let (from, to) = (span.start - word.start, span.end - word.start);
                let bytes = &argv[nth];
                if bytes.is_char_boundary(from) && bytes.is_char_boundary(to) {
                    let masked = format!("{}{}{}", &bytes[..from], mark(span.name), &bytes[to..]);
                    out[nth] = redactor.text(&masked);
                }
            }
        }
    }
    out
}
