//! Redaction of a stream with a bounded hold-back.
//!
//! Bytes are gathered into blocks whose size does not depend on how they arrive; a block is
//! scanned whole, and all but its last part is written. So any division of the input gives the
//! same output, by construction, and a secret at the border of two blocks is seen whole.

use super::forms::known::Known;
use super::mark::{MARK_OPEN, mark_len};
use super::span::Span;
use super::spans;

/// How many bytes are gathered before they are scanned.
const BLOCK: usize = 96 * 1024;
/// How much of a block waits for the next one: the longest token, its name, and room.
const HOLD: usize = 16 * 1024;
/// How far a name may stand before its value, and a value may reach.
const REACH: usize = 4096;
/// A key block that is longer is written as a mark and the rest of it swallowed.
const LONGEST: usize = 4 * BLOCK;
/// How often a block is looked at again; one round settles all but texts made to prevent it.
const ROUNDS: usize = 16;
/// What stands before the rest of such a block.
const GLUE: &[u8] = b"-----BEGIN PRIVATE KEY-----\n";

/// See the module. Made by [`Redactor::stream`](super::Redactor::stream).
pub struct Stream<'a> {
    known: &'a Known,
    held: Vec<u8>,
    /// Scan when this many bytes are held.
    due: usize,
    /// `held` begins with so many bytes that are not to be written: what makes the rest readable.
    head: usize,
    /// They are [`GLUE`], and the mark of the key has been written already.
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

    /// Takes the next bytes; returns what can be shown by now.
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

    /// The rest. After it the stream is as new.
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
        // The lines of a table that is cut go on under its header, each of them whole.
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
            // One span from the start to the end: only a key block grows so long.
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

    /// Writes `text` with its spans masked, until nothing in the result is left to mask.
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
        // A mark may bring to light what its secret had hidden from a rule.
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

/// Up to where the block can be written now.
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
    // Not through a span, nor between a name and its value.
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
