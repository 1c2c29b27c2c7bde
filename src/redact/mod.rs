//! Redaction: what must not be seen is replaced by a mark that says its type.
//!
//! The pipeline: `scan` finds spans (`rules`, `assign`, `places`, `tables`, `prose` and others, in the
//! text, in its decoded form from `view`, and in what `base64` finds), `known` finds what the process itself holds, `span` joins them, and
//! [`Stream`] writes the text with `[REDACTED:type]` in their place. `argv` knows gh's flags.
//! `neutral` is apart: it makes escapes and forged lines harmless and removes nothing.
//!
//! What holds, and is tested: the result is the same for every division of the input; redacting
//! twice is redacting once; the work grows with the length of the input and with nothing else.

mod argv;
mod assign;
mod base64;
mod calls;
mod code;
mod codes;
mod columns;
mod devices;
mod document;
mod dsn;
mod forged;
mod headers;
mod html;
mod known;
mod kubernetes;
mod line_forms;
mod lookalike;
mod members;
mod names;
pub mod neutral;
mod pairs;
mod pem;
mod places;
mod program_table;
mod programs;
mod prose;
mod records;
mod rules;
mod scan;
mod separator;
mod span;
mod stream;
mod tables;
mod transcript;
mod value;
mod view;

pub use stream::Stream;

use known::Known;
use span::Span;

/// How a mark begins; then the type, then `]`.
const MARK_OPEN: &[u8] = b"[REDACTED:";

/// The length of the mark at the start of `text`, if one stands there.
fn mark_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(MARK_OPEN)?;
    let name = rest
        .iter()
        .take(40)
        .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || **byte == b'-')
        .count();
    (name > 0 && rest.get(name) == Some(&b']')).then(|| MARK_OPEN.len() + name + 1)
}

/// A type of secret that shows itself by its own form.
pub struct Type {
    /// The name, as the mark says it.
    pub name: &'static str,
    /// The form, an expression of the `regex` crate over bytes.
    pub pattern: &'static str,
    /// Where the form is documented.
    pub source: &'static str,
}

/// Every type that shows itself by its own form; a name occurs as often as it has forms.
pub fn types() -> impl Iterator<Item = Type> {
    rules::RULES.iter().map(|rule| Type {
        name: rule.name,
        pattern: rule.pattern,
        source: rule.source,
    })
}

/// Masks secrets in text and in argument lists.
///
/// Building one lays out the forms of the known values; the rules themselves are built once for
/// the process, at the first use.
pub struct Redactor {
    known: Known,
}

impl Redactor {
    /// A redactor that masks by type, and by value what is in `known`: values the process holds.
    /// Values under six characters, and placeholders such as `true`, are left out.
    pub fn new(known: &[String]) -> Self {
        Self {
            known: Known::new(known),
        }
    }

    /// `text` with every secret replaced by `[REDACTED:type]`.
    pub fn text(&self, text: &str) -> String {
        into_string(self.bytes(text.as_bytes()))
    }

    /// The same for bytes of any kind; bytes outside of secrets come back as they are.
    pub fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.stream();
        let mut out = stream.push(bytes);
        out.extend(stream.finish());
        out
    }

    /// One output for each of `chunks`; joined, they equal [`Redactor::text`] of the joined input.
    pub fn chunks(&self, chunks: &[String]) -> Vec<String> {
        let mut stream = self.stream();
        let mut out: Vec<Vec<u8>> = chunks
            .iter()
            .map(|chunk| stream.push(chunk.as_bytes()))
            .collect();
        if let Some(last) = out.last_mut() {
            last.extend(stream.finish());
        }
        out.into_iter().map(into_string).collect()
    }

    /// A redactor of a stream, for input that comes piece by piece.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(self)
    }

    /// An argument list, with or without the leading `gh`, with secret values, credentials in
    /// headers and private text (bodies, titles, descriptions, notes) masked; flags stay.
    /// Flags are read as gh 2.92.0 reads them (pflag rules: stacked and attached shorts).
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        argv::redact(self, argv)
    }

    /// The type of the first secret in `text`, or `None`: for refusing outgoing text.
    pub fn find(&self, text: &str) -> Option<&'static str> {
        let spans = self.spans(text.as_bytes());
        spans.first().map(|span| span.name)
    }

    /// What is to be masked in `text`: sorted, apart from each other, on character borders, and
    /// never a mark by itself.
    fn spans(&self, text: &[u8]) -> Vec<Span> {
        settled(text, scan::spans(text, &self.known))
    }

    /// The same, with the stretches that are read by what stands above them.
    fn sections(&self, text: &[u8]) -> (Vec<Span>, Vec<scan::Section>) {
        let (spans, sections) = scan::sections(text, &self.known);
        (settled(text, spans), sections)
    }
}

/// See [`Redactor::spans`].
fn settled(text: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
    if !spans.is_empty() {
        for span in &mut spans {
            widen(text, span);
        }
        spans = span::union(spans);
        spans.retain(|span| mark_len(&text[span.start..span.end]) != Some(span.end - span.start));
    }
    spans
}

/// Moves the borders of `span` out of marks and out of characters.
fn widen(text: &[u8], span: &mut Span) {
    let continues = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut steps = 0;
    while continues(span.end) && steps < 3 {
        span.end += 1;
        steps += 1;
    }
    steps = 0;
    while span.start > 0 && continues(span.start) && steps < 3 {
        span.start -= 1;
        steps += 1;
    }
    let longest = MARK_OPEN.len() + 41;
    let near = span.start.saturating_sub(longest);
    if let Some(at) = memchr::memmem::rfind(&text[near..span.start.min(text.len())], b"[") {
        let open = near + at;
        if let Some(len) = mark_len(&text[open..])
            && open + len > span.start
        {
            span.start = open;
            span.end = span.end.max(open + len);
        }
    }
    let near = span.end.saturating_sub(longest).max(span.start);
    if let Some(at) = memchr::memmem::rfind(&text[near..span.end], b"[") {
        let open = near + at;
        if let Some(len) = mark_len(&text[open..]) {
            span.end = span.end.max(open + len);
        }
    }
}

fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
