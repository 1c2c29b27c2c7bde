//! The log of what a stand-in saw: one JSON object a line, written whole before the answer goes out.

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
    /// Creates (or empties) PATH.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            inner: Mutex::new((File::create(path)?, 0)),
            start: Instant::now(),
        })
    }

    /// Adds LINE with `n` (counted from 1) and `at_ms` (since the start).
    pub fn write(&self, mut line: Value) {
        let mut inner = self
            .inner
            .lock()
            .expect("no thread panics while it holds the log");
        inner.1 += 1;
        line["n"] = json!(inner.1);
        line["at_ms"] = json!(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX));
        // One write a line, so that a reader never sees half of one.
        let text = format!("{line}\n");
        if inner.0.write_all(text.as_bytes()).is_err() {
            // A log that can't be written would let a test pass for the wrong reason.
            std::process::abort();
        }
    }
}

/// Writes TEXT to PATH by rename, so that a waiting reader sees the whole of it or nothing.
pub fn write_by_rename(path: &Path, text: &str) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, text)?;
    std::fs::rename(&partial, path)
}
