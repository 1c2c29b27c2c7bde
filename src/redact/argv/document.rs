//! The text that people wrote inside of a GraphQL document, as `gh api graphql -f query=…` carries it.

/// A GraphQL document with its string values that hold a blank masked: text that people wrote.
pub(in crate::redact) fn without_sentences(document: &str) -> String {
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    while let Some(open) = rest.find('"') {
        let quote = if rest[open..].starts_with("\"\"\"") {
            "\"\"\""
        } else {
            "\""
        };
        let from = open + quote.len();
        let inner = &rest[from..];
        let mut close = inner.find(quote);
        while let Some(at) = close
            && quote.len() == 1
            && inner[..at]
                .bytes()
                .rev()
                .take_while(|byte| *byte == b'\\')
                .count()
                % 2
                == 1
        {
            close = inner[at + 1..].find(quote).map(|next| at + 1 + next);
        }
        let end = close.unwrap_or(inner.len());
        out.push_str(&rest[..from]);
        if inner[..end].contains(char::is_whitespace) {
            out.push_str("[REDACTED:private-text]");
        } else {
            out.push_str(&inner[..end]);
        }
        rest = &inner[end..];
        if rest.starts_with(quote) {
            out.push_str(quote);
            rest = &rest[quote.len()..];
        }
    }
    out.push_str(rest);
    out
}
