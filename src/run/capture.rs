//! Keeps a bounded part of a stream that may never end: its head, or its head and its tail; or writes the stream into a file.
//!
//! Besides the cap, up to [`SLACK`] bytes beyond each cut are kept and never shown: with them a redactor recognises a token that
//! the cut divides.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::foreign::Foreign;

/// Bytes held beyond the cap, which only the redactor sees: a token of 40 bytes that the cap cuts in two is still recognised.
pub const SLACK: usize = 1024;

/// Which part of a stream is kept when it is longer than the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first `cap` bytes.
    Head,
    /// The first half of the cap and the last half.
    HeadTail,
}

/// The kept part of one stream: raw bytes, not yet redacted.
///
/// Not truncated: [`head`](Self::head) is the whole stream, [`tail`](Self::tail) is empty.
/// Truncated: only the first [`shown_head`](Self::shown_head) bytes of the head and the last
/// [`shown_tail`](Self::shown_tail) bytes of the tail may be shown; the head's later bytes and the tail's earlier bytes are
/// [`SLACK`].  [`shown`](Self::shown) cuts them off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// All kept bytes, in the memory that they were read into: a copy would take more memory than the bound allows.
    bytes: Foreign<Vec<u8>>,
    /// Where the head ends.
    front: usize,
    /// Where the tail begins.  Where the stream is longer than the cap by less than [`SLACK`], the tail begins before the head's
    /// end.
    back: usize,
    /// Bytes that were read, kept or not.
    pub read: u64,
    /// `true`: the stream was longer than the cap.
    pub truncated: bool,
    /// How many bytes of `head`, counted from its start, may be shown.
    pub shown_head: usize,
    /// How many bytes of `tail`, counted from its end, may be shown.
    pub shown_tail: usize,
    /// How many bytes were written into a file instead of memory.
    pub filed: u64,
}

impl Stream {
    /// The kept bytes from the start of the stream.
    pub fn head(&self) -> Foreign<&[u8]> {
        Foreign::new(&self.bytes.reveal()[..self.front])
    }

    /// The kept bytes from the end of the stream; empty without [`Keep::HeadTail`] and without a cut.
    pub fn tail(&self) -> Foreign<&[u8]> {
        Foreign::new(&self.bytes.reveal()[self.back..])
    }

    /// How many bytes of memory the stream takes.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.bytes.reveal().capacity()
    }

    /// How many bytes were read and are not shown.  After [`Ended::Capped`](super::Ended::Capped) the program may have written more
    /// that was never read.
    pub fn dropped(&self) -> u64 {
        self.read - (self.shown_head + self.shown_tail) as u64 - self.filed
    }

    /// The stream as it were with a cap of only `cap` bytes and [`Keep::HeadTail`].
    pub(crate) fn ends(&self, cap: usize) -> Self {
        let (head, tail) = (self.head(), self.tail());
        let (mut head, mut tail) = (*head.reveal(), *tail.reveal());
        // Where head and tail overlap, the tail's bytes come once.
        tail = &tail[self.front.saturating_sub(self.back).min(tail.len())..];
        let mut capture = Capture::new(Keep::HeadTail, cap);
        for part in [&mut head, &mut tail] {
            while !part.is_empty() {
                let read = capture.read_from(part);
                read.expect("reading from memory cannot fail");
            }
        }
        Self {
            read: self.read,
            ..capture.finish()
        }
    }

    /// The front and the back of the stream, redacted by `clean`.  A secret that a cut divides is not shown, not even half of it.
    ///
    /// `clean` gets each side twice, with and without the slack.  Only the part on which both answers agree is shown, counted from the
    /// start for the front and from the end for the back: that part does not depend on the cut.
    pub fn shown(&self, clean: impl Fn(&[u8]) -> Vec<u8>) -> (Vec<u8>, Vec<u8>) {
        let (head, tail) = (self.head(), self.tail());
        let (head, tail) = (*head.reveal(), *tail.reveal());
        if !self.truncated {
            return (clean(head), Vec::new());
        }
        let mut front = clean(&head[..self.shown_head]);
        if self.shown_head < head.len() {
            let wide = clean(head);
            front.truncate(alike(front.iter(), wide.iter()));
        }
        front.truncate(front.len() - broken_end(&front));
        let hidden = tail.len() - self.shown_tail;
        let mut back = clean(&tail[hidden..]);
        if hidden > 0 {
            let wide = clean(tail);
            let cut = back.len() - alike(back.iter().rev(), wide.iter().rev());
            back.drain(..cut);
        }
        let broken = back.iter().take(3).take_while(|b| **b & 0xC0 == 0x80);
        let broken = broken.count();
        back.drain(..broken);
        (front, back)
    }
}

/// How many bytes at the end of `bytes` are an unfinished UTF-8 character.
fn broken_end(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(3).enumerate() {
        let length = match byte {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            0x80..=0xBF => continue,
            _ => return 0,
        };
        return if back + 1 < length { back + 1 } else { 0 };
    }
    0
}

/// How many bytes `a` and `b` have in common at their start.
fn alike<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>) -> usize {
    a.zip(b).take_while(|(x, y)| x == y).count()
}

/// A capture with a limit of at most this many bytes takes all its memory at the first byte.  A larger capture doubles its memory as
/// it grows, and while it does, old and new memory exist side by side.
const WHOLE: usize = 256 << 10;

/// How many bytes are read at once where they are dropped, and how much memory a large capture takes at first.
const CHUNK: usize = 4 << 10;

/// How many bytes a pipe holds on Linux by default (pipe(7)).
const PIPE: usize = 64 << 10;

/// A file that takes a stream instead of memory, and the most bytes that are written into it.
#[derive(Clone, Debug)]
pub(super) struct OutputFile {
    pub(super) file: Arc<File>,
    pub(super) most: u64,
}

/// A file into which a stream is being written.
struct Filed {
    into: OutputFile,
    /// The bytes of the last read; as large as a pipe.
    buffer: Vec<u8>,
    written: u64,
    /// Why nothing more can be written, in the system's words.
    failed: Option<String>,
}

impl Filed {
    /// Reads once from `source` and writes the bytes, up to the limit; returns how many bytes came.
    fn read_from(&mut self, source: &mut impl Read) -> io::Result<usize> {
        let count = source.read(&mut self.buffer)?;
        let left = self.into.most.saturating_sub(self.written);
        let part = count.min(usize::try_from(left).unwrap_or(usize::MAX));
        if self.failed.is_none() {
            match (&*self.into.file).write_all(&self.buffer[..part]) {
                Ok(()) => self.written += part as u64,
                Err(error) => self.failed = Some(error.to_string()),
            }
        }
        Ok(count)
    }
}

/// A stream while it is read, straight into the memory that keeps it.
pub(super) struct Capture {
    keep: Keep,
    cap: usize,
    /// The kept bytes up to `len`, then zeros: the front, then with [`Keep::HeadTail`] a ring of the last bytes, whose oldest byte is at
    /// `next` once the ring is full.
    bytes: Vec<u8>,
    len: usize,
    /// The most bytes that are kept.
    limit: usize,
    /// Where the ring begins; the limit where there is no ring.
    front_limit: usize,
    /// Where the next byte goes once the ring is full, counted from the ring's beginning.
    next: usize,
    read: u64,
    filed: Option<Filed>,
}

impl std::fmt::Debug for Capture {
    /// Shows numbers only, since the bytes are not redacted.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Capture")
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

impl Capture {
    pub(super) fn new(keep: Keep, cap: usize) -> Self {
        let limit = cap.saturating_add(SLACK);
        Self {
            keep,
            cap,
            bytes: Vec::new(),
            len: 0,
            limit,
            front_limit: match keep {
                Keep::Head => limit,
                Keep::HeadTail => cap / 2 + SLACK / 2,
            },
            next: 0,
            read: 0,
            filed: None,
        }
    }

    /// A capture that writes the stream into a file and keeps nothing in memory.
    pub(super) fn into_file(into: OutputFile) -> Self {
        let most = usize::try_from(into.most).unwrap_or(usize::MAX);
        Self {
            limit: 0,
            front_limit: 0,
            filed: Some(Filed {
                into,
                buffer: vec![0; PIPE],
                written: 0,
                failed: None,
            }),
            ..Self::new(Keep::Head, most)
        }
    }

    /// Why the file cannot be written any more; `None` while it can.
    pub(super) fn failed(&self) -> Option<&str> {
        self.filed.as_ref()?.failed.as_deref()
    }

    /// How many bytes were read so far.
    pub(super) fn read(&self) -> u64 {
        self.read
    }

    /// Whether more bytes came than the cap allows.
    pub(super) fn over(&self) -> bool {
        self.read > self.cap as u64
    }

    /// The last bytes so far, at most `most`, and whether these are all bytes so far.
    /// Empty past the cap of [`Keep::Head`]: the last bytes are not kept then, and the run is about to end.
    pub(super) fn latest(&self, most: usize) -> (Vec<u8>, bool) {
        if self.keep == Keep::Head && self.over() {
            return (Vec::new(), false);
        }
        let kept = &self.bytes[..self.len];
        let (front, ring) = kept.split_at(self.len.min(self.front_limit));
        let (newer, older) = ring.split_at(self.next);
        // Once the ring is overwritten, bytes between front and ring are lost, and the front is no part of the last bytes.
        let front = if self.read > self.len as u64 {
            &[]
        } else {
            front
        };
        let mut spare = (front.len() + ring.len()).saturating_sub(most);
        let mut bytes = Vec::new();
        for part in [front, older, newer] {
            let skip = spare.min(part.len());
            spare -= skip;
            bytes.extend_from_slice(&part[skip..]);
        }
        let whole = bytes.len() as u64 == self.read;
        (bytes, whole)
    }

    /// Whether no further byte can be kept.
    pub(super) fn full(&self) -> bool {
        if self.filed.is_some() {
            return self.over();
        }
        self.keep == Keep::Head && self.len == self.limit
    }

    /// How many bytes of memory the capture takes.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.bytes.capacity()
    }

    /// Reads once from `source`; returns how many bytes came, 0 at the end of the stream.
    pub(super) fn read_from(&mut self, source: &mut impl Read) -> io::Result<usize> {
        let count = if let Some(filed) = &mut self.filed {
            filed.read_from(source)?
        } else if self.len < self.limit {
            self.grow();
            let count = source.read(&mut self.bytes[self.len..])?;
            self.len += count;
            count
        } else if self.keep == Keep::HeadTail {
            let count = source.read(&mut self.bytes[self.front_limit + self.next..])?;
            self.next = (self.next + count) % (self.limit - self.front_limit);
            count
        } else {
            source.read(&mut [0; CHUNK])?
        };
        self.read += count as u64;
        #[cfg(test)]
        super::tests::holds(self.held());
        Ok(count)
    }

    /// Takes more memory where none is left, never more than the limit.
    fn grow(&mut self) {
        if self.len < self.bytes.len() {
            return;
        }
        let wanted = if self.limit <= WHOLE {
            self.limit
        } else {
            (self.len * 2).clamp(CHUNK, self.limit)
        };
        self.bytes.reserve_exact(wanted - self.len);
        self.bytes.resize(wanted, 0);
    }

    /// The kept part of the stream.
    pub(super) fn finish(mut self) -> Stream {
        let len = self.len;
        self.bytes.truncate(len);
        if self.next > 0 {
            self.bytes[self.front_limit..].rotate_left(self.next);
        }
        let truncated = self.over();
        let both = truncated && self.keep == Keep::HeadTail;
        let ring_limit = self.limit - self.front_limit;
        let (shown_head, shown_tail) = match (truncated, self.keep) {
            (false, _) => (len, 0),
            (true, Keep::Head) => (self.cap.min(len), 0),
            (true, Keep::HeadTail) => (self.cap / 2, self.cap - self.cap / 2),
        };
        Stream {
            bytes: self.bytes.into(),
            front: if both { len.min(self.front_limit) } else { len },
            back: if both {
                len.saturating_sub(ring_limit)
            } else {
                len
            },
            read: self.read,
            truncated,
            shown_head,
            shown_tail,
            filed: self.filed.map_or(0, |filed| filed.written),
        }
    }
}
