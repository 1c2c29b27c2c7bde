//! The record of each call of this Emacs, also of refused and declined calls; the newest records are kept in memory.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Local};
use once_cell::sync::Lazy;

use crate::gate::call::info::Info;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::bounds::MAX_CAP;
use crate::gate::result::cleaner::cut;
use crate::gate::result::outcome::Outcome;
use crate::redact::neutral;

/// How many records are kept by default.
pub const KEPT: usize = 200;

/// How many records are kept now.
static MOST: AtomicUsize = AtomicUsize::new(KEPT);

/// The most bytes kept of one argument.  A comment's whole text can be an argument.
const WORD: usize = 2_048;
/// The most bytes kept of a whole argv, or of the shell line that repeats the call.
const WORDS: usize = 16_384;

/// One call: the request, the decision, who approved, the outcome.  Each text in a record is clean and of bounded length; the output
/// streams themselves are not kept.
#[derive(Clone, Debug)]
pub struct Record {
    /// When the call ended.
    pub time: DateTime<Local>,
    /// The request and the decision; `info.argv` is empty.
    pub info: Info,
    /// The argv, redacted and neutral, with long arguments cut.
    pub argv: Vec<String>,
    /// Who approved; none where nothing ran.
    pub approved: Option<ApprovedBy>,
    /// The outcome.
    pub outcome: Outcome,
}

static RECORDS: Lazy<Mutex<VecDeque<Record>>> =
    Lazy::new(|| Mutex::new(VecDeque::with_capacity(KEPT)));

/// Makes the argv of a record from `redacted`: neutral, cut to [`WORD`] and [`WORDS`] bytes.
pub(in crate::gate) fn argv(redacted: &[String]) -> Vec<String> {
    let mut left = WORDS;
    let mut out = Vec::new();
    for (nth, word) in redacted.iter().enumerate() {
        let word = cut(&neutral::neutral(word), WORD);
        if word.len() > left {
            out.push(format!("[{} more arguments]", redacted.len() - nth));
            break;
        }
        left -= word.len();
        out.push(word);
    }
    out
}

/// Makes the shell line of a record from `redacted`: neutral, cut to [`WORDS`] bytes.
pub(in crate::gate) fn line(redacted: &str) -> String {
    cut(&neutral::neutral(redacted), WORDS)
}

/// Makes the outcome of a record from `whole`: its text cut to [`MAX_CAP`] bytes, without streams and argv.
pub(in crate::gate) fn outcome(whole: &Outcome) -> Outcome {
    Outcome {
        text: cut(&whole.text, MAX_CAP),
        stdout: String::new(),
        stderr: String::new(),
        argv: Vec::new(),
        header: whole.header.clone(),
        target: whole.target.clone(),
        ..*whole
    }
}

/// Keeps `record`; the oldest records beyond the limit are dropped.
pub(in crate::gate) fn keep(record: Record) {
    let mut records = lock();
    records.push_back(record);
    trim(&mut records);
}

/// Keeps at most `most` records from now on.
pub fn keep_at_most(most: usize) {
    MOST.store(most, Ordering::Relaxed);
    trim(&mut lock());
}

/// Drops all records; returns how many there were.
pub fn forget() -> usize {
    let mut records = lock();
    let count = records.len();
    records.clear();
    count
}

fn trim(records: &mut VecDeque<Record>) {
    while records.len() > MOST.load(Ordering::Relaxed) {
        records.pop_front();
    }
}

/// The newest `most` records, newest first.
pub fn newest_first(most: usize) -> Vec<Record> {
    lock().iter().rev().take(most).cloned().collect()
}

/// The newest `most` records without the text of their results, newest first: the texts of 200 records can take 13 MB.
pub fn heads_newest_first(most: usize) -> Vec<Record> {
    let records = lock();
    let head = |record: &Record| Record {
        time: record.time,
        info: record.info.clone(),
        argv: record.argv.clone(),
        approved: record.approved,
        outcome: Outcome {
            header: record.outcome.header.clone(),
            text: String::new(),
            stdout: String::new(),
            stderr: String::new(),
            argv: Vec::new(),
            target: None,
            ..record.outcome
        },
    };
    records.iter().rev().take(most).map(head).collect()
}

/// The record of the call with the number `call`, if it is kept.
pub fn of_call(call: u64) -> Option<Record> {
    lock()
        .iter()
        .find(|record| record.info.call == call)
        .cloned()
}

/// How many records are kept now.
pub fn count() -> usize {
    lock().len()
}

fn lock() -> std::sync::MutexGuard<'static, VecDeque<Record>> {
    RECORDS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
