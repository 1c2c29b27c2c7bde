//! The redactor: texts, bytes and streams with secrets masked.

use super::forms::known::Known;
use super::spans;
use super::stream::Stream;

/// Masks secrets in text and in argument lists.
///
/// Building a redactor prepares the forms of the known values. The rules are built once for the process, at their first
/// use.
pub struct Redactor {
    known: Known,
}

impl Redactor {
    /// A redactor that masks secrets by their form, and the values in `known` (secrets that the process holds) wherever they
    /// occur. Values under six characters, and placeholders such as `true`, are left out.
    pub fn new(known: &[String]) -> Self {
        Self {
            known: Known::new(known),
        }
    }

    /// `text` with every secret replaced by `[REDACTED:type]`.
    pub fn text(&self, text: &str) -> String {
        into_string(self.bytes(text.as_bytes()))
    }

    /// `bytes`, of any encoding, with every secret replaced; bytes outside of secrets come back unchanged.
    pub fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.stream();
        let mut out = stream.push(bytes);
        out.extend(stream.finish());
        out
    }

    /// One output for each of `chunks`. The outputs joined equal [`Redactor::text`] of the joined chunks.
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

    /// A redactor for input that comes piece by piece.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(&self.known)
    }

    /// The type of the first secret in `text`, such as `github-token`, or `None`. Callers refuse outgoing text by it.
    pub fn find(&self, text: &str) -> Option<&'static str> {
        let spans = spans::spans(text.as_bytes(), &self.known);
        spans.first().map(|span| span.name)
    }
}

fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
