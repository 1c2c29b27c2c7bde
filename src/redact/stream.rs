//! Redaction of a stream with a bounded hold-back.
//!
//! Bytes are gathered into blocks whose size does not depend on how the bytes arrive. A block is scanned whole, and all but
//! its last part is written. So every division of the input gives the same output, and a secret at the border of two blocks
//! is scanned whole.

use super::forms::known::Known;
use super::mark::{MARK_OPEN, mark_len};
use super::span::Span;
use super::spans;

/// How many bytes are gathered before they are scanned.
const BLOCK: usize = 96 * 1024;
/// How many bytes at the end of a block wait for the next block: enough for the longest token (4 KiB) and the name before
/// it. Without them a token that two blocks share would show its halves.
const HOLD: usize = 16 * 1024;
/// How many bytes may stand between a name and its value, and how long a value may be.
const REACH: usize = 4096;
/// A private key block that is longer is written as one mark; the rest of the block is dropped as it comes.
const LONGEST: usize = 4 * BLOCK;
/// How often masked text is scanned again; one round is enough for all texts but those made to need more.
const ROUNDS: usize = 16;
/// Put before the rest of a key block longer than [`LONGEST`], so that the rest is read as key material.
const GLUE: &[u8] = b"-----BEGIN PRIVATE KEY-----\n";

/// A redactor of a stream, described at the top of this file. Made by [`Redactor::stream`](super::Redactor::stream).
pub struct Stream<'a> {
    known: &'a Known,
    held: Vec<u8>,
    /// Scan when this many bytes are held.
    due: usize,
    /// How many bytes at the start of `held` are never written: the header of an open section, or [`GLUE`].
    head: usize,
    /// `true`: these bytes are [`GLUE`], and the mark of the key has been written already.
    glued: bool,
}

impl<'a> Stream<'a> {
    pub(super) fn new(known: &'a Known) -> Self {
        Self {
            known,
            held: Vec::new(),
            due: BLOCK,
            head: 0,
            glued: false,
        }
    }

    /// Takes the next bytes; returns the redacted bytes that can be shown by now.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        while !bytes.is_empty() {
            let room = self.due.saturating_sub(self.held.len()).min(bytes.len());
            self.held.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
            if self.held.len() >= self.due {
                self.block(&mut out);
            }
        }
        out
    }

    /// The redacted rest. Afterwards the stream is as new.
    pub fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        let spans = spans::spans(&held, self.known);
        let mut out = Vec::new();
        self.write(&held, &spans, &mut out);
        self.due = BLOCK;
        self.head = 0;
        self.glued = false;
        out
    }

    fn block(&mut self, out: &mut Vec<u8>) {
        let (spans, sections) = spans::sections(&self.held, self.known);
        let mut cut = cut(&self.held, &spans);
        let open = sections
            .into_iter()
            .rev()
            .find(|section| section.from <= cut && cut < section.end);
        // A cut inside a table moves back to the start of a line: the rest is read again under the table's header.
        if open.is_some() {
            let line = memchr::memrchr(b'\n', &self.held[..cut]).map_or(0, |at| at + 1);
            let crossed = spans
                .iter()
                .any(|span| span.start < line && line < span.end);
            if line > self.head && !crossed {
                cut = line;
            }
        }
        let stuck = cut <= self.head;
        if stuck && self.held.len() < LONGEST {
            self.due = self.held.len() + BLOCK;
            return;
        }
        if stuck {
            // One span covers all held bytes: only a private key block grows so long.
            let whole = self.held.len();
            let held = std::mem::take(&mut self.held);
            let first = Span {
                start: if self.glued { 0 } else { self.head },
                end: whole,
                name: "private-key",
            };
            self.write(&held, &[first], out);
            self.held = GLUE.to_vec();
        } else {
            let rest = self.held.split_off(cut);
            let held = std::mem::take(&mut self.held);
            let before: Vec<Span> = spans.into_iter().filter(|span| span.end <= cut).collect();
            self.write(&held, &before, out);
            self.held = open.map_or_else(Vec::new, |section| section.head);
            self.head = self.held.len();
            self.held.extend(rest);
        }
        if stuck {
            self.head = self.held.len();
        }
        self.glued = stuck;
        self.due = self.held.len() + BLOCK;
    }

    /// Writes `text` with its spans masked, without the bytes of `head`.
    fn write(&self, text: &[u8], spans: &[Span], out: &mut Vec<u8>) {
        let mut text = text;
        let mut spans = spans;
        if self.head > 0 && !self.glued {
            let head = self.head.min(text.len());
            let moved: Vec<Span> = spans
                .iter()
                .filter(|span| span.end > head)
                .map(|span| Span {
                    start: span.start.max(head) - head,
                    end: span.end - head,
                    name: span.name,
                })
                .collect();
            out.extend(self.settled(&text[head..], &moved));
            return;
        }
        if self.glued {
            match spans.first() {
                Some(first) if first.start == 0 => {
                    text = &text[first.end.min(text.len())..];
                    let gone = first.end;
                    let moved: Vec<Span> = spans[1..]
                        .iter()
                        .map(|span| Span {
                            start: span.start - gone,
                            end: span.end - gone,
                            name: span.name,
                        })
                        .collect();
                    out.extend(self.settled(text, &moved));
                    return;
                }
                _ => {
                    text = &text[GLUE.len().min(text.len())..];
                    spans = &[];
                }
            }
        }
        out.extend(self.settled(text, spans));
    }

    fn settled(&self, text: &[u8], spans: &[Span]) -> Vec<u8> {
        let mut written = masked(text, spans);
        if spans.is_empty() {
            return written;
        }
        // A mark may uncover a second secret that the first one had hidden from a rule.
        for _ in 0..ROUNDS {
            let again = spans::spans(&written, self.known);
            if again.is_empty() {
                break;
            }
            written = masked(&written, &again);
        }
        written
    }
}

fn masked(text: &[u8], spans: &[Span]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        out.extend_from_slice(&text[at..span.start]);
        out.extend_from_slice(MARK_OPEN);
        out.extend_from_slice(span.name.as_bytes());
        out.push(b']');
        at = span.end;
    }
    out.extend_from_slice(&text[at..]);
    debug_assert!(
        spans
            .iter()
            .all(|span| mark_len(&text[span.start..span.end]) != Some(span.end - span.start))
    );
    out
}

/// The offset up to which the block can be written now.
fn cut(text: &[u8], spans: &[Span]) -> usize {
    let limit = text.len() - HOLD;
    let mut cut = memchr::memrchr(b'\n', &text[..limit]).map_or_else(
        || {
            let from = limit - REACH;
            let loose = |byte: &u8| byte.is_ascii_whitespace() || b",;{}()".contains(byte);
            text[from..limit]
                .iter()
                .rposition(loose)
                .map_or(limit, |at| from + at + 1)
        },
        |at| at + 1,
    );
    while cut > 0 && text[cut] & 0xc0 == 0x80 {
        cut -= 1;
    }
    // The cut goes through no span, and not between a name and its value.
    for span in spans {
        if span.end <= cut {
            continue;
        }
        if span.start >= cut + REACH {
            break;
        }
        if span.end + REACH <= text.len() {
            cut = span.end;
        } else {
            cut = cut.min(span.start);
            break;
        }
    }
    cut
}
