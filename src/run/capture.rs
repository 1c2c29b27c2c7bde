//! What is kept of a stream that may never end: its head, or its head and its tail; or the file that it goes into instead.
//!
//! Besides the cap, up to [`SLACK`] bytes on the far side of each cut are kept and never shown:
//! with them a redactor recognises a token that straddles the cut.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::foreign::Foreign;

/// Bytes held beyond the cap, for the redactor's eyes only.
pub const SLACK: usize = 1024;

/// Which part of a stream is kept when it is longer than the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first `cap` bytes.
    Head,
    /// The first half of the cap and the last half.
    HeadTail,
}

/// What was kept of one stream: raw bytes, not yet redacted.
///
/// Not truncated: [`head`](Self::head) is the whole, [`tail`](Self::tail) is empty.
/// Truncated: only the first [`shown_head`](Self::shown_head) bytes of the head and the last
/// [`shown_tail`](Self::shown_tail) bytes of the tail are meant to be seen; what the head has after
/// that and the tail before it is [`SLACK`].  [`shown`](Self::shown) does the cutting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// All that is kept, in the very memory that it was read into: a copy would break the bound.
    bytes: Foreign<Vec<u8>>,
    /// Where the head ends.
    front: usize,
    /// Where the tail begins; with a narrow gap its slack is the end of the head.
    back: usize,
    /// Bytes that were read, kept or not.
    pub read: u64,
    /// More came than the cap allows.
    pub truncated: bool,
    /// How many bytes of `head` are meant to be seen.
    pub shown_head: usize,
    /// How many bytes of `tail`, counted from its end, are meant to be seen.
    pub shown_tail: usize,
    /// How many bytes went into a file, in place of memory.
    pub filed: u64,
}

impl Stream {
    /// Bytes from the start.
    pub fn head(&self) -> Foreign<&[u8]> {
        Foreign::new(&self.bytes.reveal()[..self.front])
    }

    /// Bytes from the end, with [`Keep::HeadTail`] and a cut only.
    pub fn tail(&self) -> Foreign<&[u8]> {
        Foreign::new(&self.bytes.reveal()[self.back..])
    }

    /// Bytes of memory taken.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.bytes.reveal().capacity()
    }

    /// Bytes that were read and are not shown.  After [`Ended::Capped`](super::Ended::Capped) the
    /// program may have had more to say that was never read.
    pub fn dropped(&self) -> u64 {
        self.read - (self.shown_head + self.shown_tail) as u64 - self.filed
    }

    /// Front and back of the stream as CLEAN makes them, cut so that nothing is shown that CLEAN
    /// would have masked had it seen the bytes beyond the cut.
    ///
    /// CLEAN sees each side twice, with and without the slack.  What both answers have in common,
    /// from the front for the front and from the end for the back, depends on no cut.
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

/// How many bytes at the end of BYTES begin a UTF-8 character and do not finish it.
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

/// How many items A and B have in common at their start.
fn alike<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>) -> usize {
    a.zip(b).take_while(|(x, y)| x == y).count()
}

/// Memory for a limit of up to this many bytes is taken whole, at the first byte; for more it grows
/// by doubling, and then old and new memory exist for a moment side by side.
const WHOLE: usize = 256 << 10;

/// Bytes that nobody keeps are read into a place of this size.
const DROPPED: usize = 4 << 10;

/// What a pipe holds on Linux unless somebody has changed it (pipe(7)).
const PIPE: usize = 64 << 10;

/// A file that a stream goes into instead of memory, and how many bytes of it at most.
#[derive(Clone, Debug)]
pub(super) struct Into {
    pub(super) file: Arc<File>,
    pub(super) most: u64,
}

/// The file while the stream is read.
struct Filed {
    into: Into,
    /// What was read last, as large as a pipe holds.
    buffer: Vec<u8>,
    written: u64,
    /// The system's words on why no more can be written.
    failed: Option<String>,
}

impl Filed {
    /// Reads once from SOURCE and writes what came, up to the limit.
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

/// A stream while it is read: straight into the memory that it is kept in.
pub(super) struct Capture {
    keep: Keep,
    cap: usize,
    /// What is kept, up to `len`: the front, then with [`Keep::HeadTail`] a ring of what came last,
    /// oldest at `next` once it is full.  Behind `len` are zeros.
    bytes: Vec<u8>,
    len: usize,
    /// The most that is kept.
    limit: usize,
    /// Where the ring begins; the limit where there is none.
    front_limit: usize,
    /// Where the ring's next byte goes once it is full, counted from its beginning.
    next: usize,
    read: u64,
    filed: Option<Filed>,
}

impl std::fmt::Debug for Capture {
    /// Numbers only: the bytes are not redacted.
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

    /// One that keeps nothing in memory: the stream goes into a file.
    pub(super) fn into_file(into: Into) -> Self {
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

    /// Why what came cannot be written to its file any more.
    pub(super) fn failed(&self) -> Option<&str> {
        self.filed.as_ref()?.failed.as_deref()
    }

    /// Bytes seen so far.
    pub(super) fn read(&self) -> u64 {
        self.read
    }

    /// More came than the cap allows.
    pub(super) fn over(&self) -> bool {
        self.read > self.cap as u64
    }

    /// The last bytes so far, at most MOST of them, and whether nothing stands before them.
    /// None past the cap of [`Keep::Head`]: what came last is not kept, and the run is about to end.
    pub(super) fn latest(&self, most: usize) -> (Vec<u8>, bool) {
        if self.keep == Keep::Head && self.over() {
            return (Vec::new(), false);
        }
        let kept = &self.bytes[..self.len];
        let (front, ring) = kept.split_at(self.len.min(self.front_limit));
        let (newer, older) = ring.split_at(self.next);
        // What stands between front and ring is lost once the ring has gone round.
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

    /// Nothing of what comes next can be kept.
    pub(super) fn full(&self) -> bool {
        if self.filed.is_some() {
            return self.over();
        }
        self.keep == Keep::Head && self.len == self.limit
    }

    /// Bytes of memory taken by what is kept.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.bytes.capacity()
    }

    /// Reads once from SOURCE; how many bytes came, none at its end.
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
            source.read(&mut [0; DROPPED])?
        };
        self.read += count as u64;
        #[cfg(test)]
        super::tests::holds(self.held());
        Ok(count)
    }

    /// Takes memory where there is none left, never for more than the limit.
    fn grow(&mut self) {
        if self.len < self.bytes.len() {
            return;
        }
        let wanted = if self.limit <= WHOLE {
            self.limit
        } else {
            (self.len * 2).clamp(DROPPED, self.limit)
        };
        self.bytes.reserve_exact(wanted - self.len);
        self.bytes.resize(wanted, 0);
    }

    /// What was kept.
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
