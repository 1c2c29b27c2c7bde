//! One future line of the log: about a call, before it runs or after its end, or about a lease.

use chrono::{DateTime, Local, NaiveDate};

use super::line;
use crate::gate::call::info::Info;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::ErrorKind;
use crate::gate::record::record::Record;
use crate::gate::result::cleaner::cut;

/// The most bytes of one argument in a line.  The whole argument stands in the record; the line only has to identify the call.
const WORD: usize = 256;
/// The most bytes of all arguments of a line together.
const WORDS: usize = 1_024;
/// The most bytes of the name of a host, owner or repository in a line.
const NAME: usize = 140;

/// One future line, without its place in a chain.  Its text has no secrets and no control characters.
#[derive(Clone, Debug)]
pub struct Entry {
    time: DateTime<Local>,
    text: String,
}

impl Entry {
    /// The line for a call that has ended.
    pub(in crate::gate) fn end(record: &Record) -> Self {
        let Record { info, outcome, .. } = record;
        let exit = outcome.exit_code.map(|code| code.to_string());
        let mut line = Text::new(record.time);
        line.place(info);
        line.put("exit", exit.as_deref());
        line.put("duration", Some(&format!("{}ms", outcome.duration_ms)));
        line.put("bytes", Some(&outcome.bytes_captured.to_string()));
        line.put("error", outcome.kind.map(ErrorKind::as_str));
        line.call(info, record.approved, &record.argv);
        line.put("dropped", Some(&outcome.bytes_dropped.to_string()));
        if outcome.truncated {
            line.put("truncated", Some("yes"));
        }
        line.done()
    }

    /// The line for a call that is about to run, its intent.  `argv` is the redacted argv as `record::argv` shortened it.
    pub(in crate::gate) fn start(info: &Info, approved: ApprovedBy, argv: &[String]) -> Self {
        let mut line = Text::new(Local::now());
        line.place(info);
        line.put("exit", None);
        line.put("duration", Some("0ms"));
        line.put("bytes", Some("0"));
        line.put("error", None);
        line.call(info, Some(approved), argv);
        line.put("event", Some("start"));
        line.done()
    }

    /// The line for an event that is no call, such as the end of a lease.  `pairs` are keys with values; one key is `event`.
    pub(in crate::gate) fn event(pairs: &[(&str, Option<&str>)]) -> Self {
        let mut line = Text::new(Local::now());
        for (key, value) in pairs {
            line.put(key, value.map(|value| cut(value, WORD)).as_deref());
        }
        line.done()
    }

    /// A line of `time` with `pairs` of keys and values, for tests.
    pub fn of(time: DateTime<Local>, pairs: &[(&str, &str)]) -> Self {
        let mut line = Text::new(time);
        for (key, value) in pairs {
            line.put(key, Some(value));
        }
        line.done()
    }

    /// The local day whose log file gets this line.
    pub fn day(&self) -> NaiveDate {
        self.time.date_naive()
    }

    /// The line without its place in a chain.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The text of a line while keys are added to it.
struct Text {
    time: DateTime<Local>,
    text: String,
}

impl Text {
    fn new(time: DateTime<Local>) -> Self {
        Self {
            time,
            text: time.format("%Y-%m-%dT%H:%M:%S%z").to_string(),
        }
    }

    fn put(&mut self, key: &str, value: Option<&str>) {
        self.key(key);
        match value {
            Some(value) => line::encode(value.as_bytes(), &mut self.text),
            None => self.text.push_str(line::NONE),
        }
    }

    fn key(&mut self, key: &str) {
        self.text.push(' ');
        self.text.push_str(key);
        self.text.push('=');
    }

    /// Adds host, repository, class and policy: the first keys of each line about a call.
    fn place(&mut self, info: &Info) {
        let target = info.target.as_ref();
        let name = |name: &String| cut(name, NAME);
        // An owner alone: the call is about an organization or an account as a whole.
        let repo = target.and_then(|t| {
            let owner = name(t.owner.as_ref()?);
            Some(match &t.repo {
                Some(repo) => format!("{owner}/{}", name(repo)),
                None => owner,
            })
        });
        self.put("host", target.map(|t| cut(&t.host, NAME)).as_deref());
        self.put("repo", repo.as_deref());
        self.put("class", Some(info.class.as_str()));
        self.put("policy", Some(info.answer.as_str()));
    }

    /// Adds the keys that identify the call, and who approved it.
    fn call(&mut self, info: &Info, approved: Option<ApprovedBy>, argv: &[String]) {
        self.put("approved-by", approved.map(ApprovedBy::as_str));
        let account = info.target.as_ref().and_then(|t| t.account.as_ref());
        self.put("account", account.map(|name| cut(name, NAME)).as_deref());
        let command = Some(info.command.as_str()).filter(|command| !command.is_empty());
        self.put("program", Some(info.program));
        self.put(
            "command",
            command.map(|command| cut(command, WORD)).as_deref(),
        );
        self.key("argv");
        line::encode_words(&within(argv), &mut self.text);
        self.put("argv-sha256", Some(&info.argv_sha256));
        self.put("call", Some(&info.call.to_string()));
        self.put("pid", Some(&std::process::id().to_string()));
    }

    fn done(self) -> Entry {
        Entry {
            time: self.time,
            text: self.text,
        }
    }
}

/// The first words of `argv` that fit into [`WORDS`] bytes, each cut to [`WORD`]; a last word such as `[3 more arguments]` tells
/// of the rest.
fn within(argv: &[String]) -> Vec<String> {
    let mut left = WORDS;
    let mut out = Vec::new();
    for (nth, word) in argv.iter().enumerate() {
        let word = cut(word, WORD);
        if word.len() > left {
            out.push(format!("[{} more arguments]", argv.len() - nth));
            break;
        }
        left -= word.len().max(1);
        out.push(word);
    }
    out
}

/// Whether a call of this class gets an intent, a line before it runs: every class but `read` does.
pub(in crate::gate) const fn wants_intent(class: Class) -> bool {
    !matches!(class, Class::Read)
}
