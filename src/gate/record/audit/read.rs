//! Reading log files line by line; a line may have any length and any bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// The most bytes of a line that are read.  The gate's own lines are far shorter.
pub const LONGEST: usize = 65_536;

/// One line as it stands in a file.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// The line's number, from 1.
    pub number: u64,
    /// The line's bytes without the line end, at most the first [`LONGEST`].
    pub bytes: &'a [u8],
    /// Whether the line is longer than [`LONGEST`] bytes.
    pub cut: bool,
    /// Whether the line has a line end; the last line of a file may lack one.
    pub ended: bool,
}

/// Calls `each` with every line of `file` in turn, until `each` returns false.
pub fn lines(file: File, mut each: impl FnMut(Raw<'_>) -> bool) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 17, file);
    let mut line = Vec::new();
    let (mut number, mut cut) = (0, false);
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            if !line.is_empty() {
                each(Raw {
                    number: number + 1,
                    bytes: &line,
                    cut,
                    ended: false,
                });
            }
            return Ok(());
        }
        let end = memchr::memchr(b'\n', buffer);
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        let room = (LONGEST - line.len()).min(piece.len());
        line.extend_from_slice(&piece[..room]);
        cut |= room < piece.len();
        let used = piece.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            number += 1;
            if !each(Raw {
                number,
                bytes: &line,
                cut,
                ended: true,
            }) {
                return Ok(());
            }
            line.clear();
            cut = false;
        }
    }
}
