//! Checks length and depth of a document before it is parsed, so that no document can overflow the stack or the memory.

use super::Unreadable;

/// The longest document, in bytes: far more than a step's output (64 KiB) or a file (1 MiB) that is read.
const LONGEST: usize = 8 << 20;

/// The deepest nesting of a document; 100,000 open brackets would overflow a parser's stack.
const DEEPEST: usize = 64;

/// Checks the length of any text.
pub fn length(text: &str) -> Result<(), Unreadable> {
    if text.len() > LONGEST {
        return Err(Unreadable::Long);
    }
    Ok(())
}

/// Checks length and depth of JSON text.
pub fn json(text: &str) -> Result<(), Unreadable> {
    length(text)?;
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(Unreadable::Deep);
        }
    }
    Ok(())
}

/// Checks length and depth of XML text, and that the text declares no entities: a DOCTYPE may have its name and the address of a
/// DTD, which nobody fetches, and nothing else.
pub fn xml(text: &str) -> Result<(), Unreadable> {
    length(text)?;
    let (mut depth, mut rest) = (0_usize, text);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|end| end + 3)
        } else {
            rest.find('>').map(|end| end + 1)
        };
        let tag = &rest[..end.ok_or(Unreadable::Form)?];
        if tag.starts_with("<!--") || tag.starts_with("<?") {
        } else if tag.starts_with("<!") {
            if !tag.starts_with("<!DOCTYPE ") || tag.contains('[') {
                return Err(Unreadable::Form);
            }
        } else if tag.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !tag.ends_with("/>") || ends_in_quotes(tag) {
            // A `/>` in the value of an attribute closes no element.
            depth += 1;
            if depth > DEEPEST {
                return Err(Unreadable::Deep);
            }
        }
        rest = &rest[tag.len()..];
    }
    Ok(())
}

/// Whether the end of `tag` stands in the value of an attribute, whose quotes are still open.
fn ends_in_quotes(tag: &str) -> bool {
    let mut open = None;
    for c in tag.chars().filter(|c| matches!(c, '"' | '\'')) {
        match open {
            None => open = Some(c),
            Some(quote) if quote == c => open = None,
            Some(_) => {}
        }
    }
    open.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_documents_and_those_that_declare_entities_are_refused() {
        assert_eq!(json(&"[".repeat(100_000)), Err(Unreadable::Deep));
        assert_eq!(json(&format!("\"{}\"", "[".repeat(1000))), Ok(()));
        assert_eq!(xml(&"<a>".repeat(100_000)), Err(Unreadable::Deep));
        assert_eq!(xml(&"<a b=\"'/>\">".repeat(100_000)), Err(Unreadable::Deep));
        assert_eq!(xml(&"<a b=\"'\"/>".repeat(1000)), Ok(()));
        assert_eq!(xml("<!DOCTYPE nmaprun><a><b/></a>"), Ok(()));
        assert_eq!(
            xml("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"),
            Err(Unreadable::Form)
        );
        assert_eq!(xml("<!ENTITY b \"c\"><a/>"), Err(Unreadable::Form));
        assert_eq!(
            xml("<!DOCTYPE a PUBLIC \"-//A//B\" \"https://a.test/a.dtd\"><a/>"),
            Ok(())
        );
    }
}
