//! The log of the requests that a stand-in got: one JSON object a line, written before the answer is sent.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// An open log file; safe to share between connection threads.
pub struct Log {
    inner: Mutex<(File, u64)>,
    start: Instant,
}

impl Log {
    /// Creates the file `path`, or empties it.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            inner: Mutex::new((File::create(path)?, 0)),
            start: Instant::now(),
        })
    }

    /// Writes the object `line` with two more members: `n`, counted from 1, and `at_ms`, milliseconds since the start.
    pub fn write(&self, mut line: Value) {
        let mut inner = self
            .inner
            .lock()
            .expect("no thread panics while it holds the log");
        inner.1 += 1;
        line["n"] = json!(inner.1);
        line["at_ms"] = json!(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX));
        // A single write for each line, so that a reader never sees half a line.
        let text = format!("{line}\n");
        if inner.0.write_all(text.as_bytes()).is_err() {
            // With a line missing, a test that counts requests could pass wrongly.
            std::process::abort();
        }
    }
}

/// Writes `text` to a new file and renames it to `path`, so that a waiting reader sees the whole text or no file.
pub fn write_by_rename(path: &Path, text: &str) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, text)?;
    std::fs::rename(&partial, path)
}
