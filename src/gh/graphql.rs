//! Whether a GraphQL document only asks, or changes something.
//!
//! A lexical scan bounds length and nesting first, because the parser recurses; it reads strings and comments as the parser does
//! and gives up on what the two could see differently. The parser then runs on a stack of its own, whose size is known:
//! unoptimized, it takes some 32 KiB a level, and nobody knows how much of the caller's stack is left.

use graphql_parser::query::{Definition, OperationDefinition, Selection, SelectionSet};

/// The longest document that is looked at, in bytes.
pub const MAX_LENGTH: usize = 65_536;
/// The deepest nesting of brackets that the parser is shown; its own limit is 50 at present.
pub const MAX_DEPTH: usize = 64;

/// The stack that the parser gets, in bytes: several times what [`MAX_DEPTH`] levels take.
const PARSER_STACK: usize = 8 * 1024 * 1024;

/// What a document does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// One query.
    Query,
    /// One mutation.
    Mutation {
        /// The first field that removes something, such as `deleteProjectV2`.
        deletes: Option<String>,
    },
    /// Something else; the words follow "the GraphQL document".
    Unclear(&'static str),
}

/// Judges one document.
#[expect(
    clippy::disallowed_methods,
    reason = "the parser recurses; it gets a stack of its own, and ends before this returns"
)]
pub fn judge(text: &str) -> Document {
    if let Err(why) = scan(text) {
        return Document::Unclear(why);
    }
    std::thread::scope(|scope| {
        let parser = std::thread::Builder::new()
            .name("cj-gate graphql".into())
            .stack_size(PARSER_STACK)
            .spawn_scoped(scope, || judge_bounded(text));
        match parser.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(document)) => document,
            Ok(Err(_)) | Err(_) => Document::Unclear("cannot be judged"),
        }
    })
}

/// Judges a document whose nesting is bounded.
fn judge_bounded(text: &str) -> Document {
    let Ok(document) = graphql_parser::parse_query::<&str>(text) else {
        return Document::Unclear("cannot be parsed");
    };
    let mut operation = None;
    let mut fragments = Vec::new();
    for definition in &document.definitions {
        match definition {
            Definition::Fragment(fragment) => fragments.push(&fragment.selection_set),
            Definition::Operation(found) => {
                if operation.replace(found).is_some() {
                    return Document::Unclear("has more than one operation");
                }
            }
        }
    }
    match operation {
        None => Document::Unclear("has no operation"),
        Some(OperationDefinition::SelectionSet(_) | OperationDefinition::Query(_)) => {
            Document::Query
        }
        Some(OperationDefinition::Subscription(_)) => Document::Unclear("is a subscription"),
        Some(OperationDefinition::Mutation(mutation)) => {
            fragments.push(&mutation.selection_set);
            Document::Mutation {
                deletes: fragments.into_iter().find_map(deleting_field),
            }
        }
    }
}

/// The first field of a set, inline fragments included, whose name says that it deletes.
fn deleting_field<'a>(set: &SelectionSet<'a, &'a str>) -> Option<String> {
    set.items.iter().find_map(|item| match item {
        Selection::Field(field) => field
            .name
            .starts_with("delete")
            .then(|| field.name.to_owned()),
        Selection::InlineFragment(fragment) => deleting_field(&fragment.selection_set),
        Selection::FragmentSpread(_) => None,
    })
}

/// Bounds length and nesting.
fn scan(text: &str) -> Result<(), &'static str> {
    if text.len() > MAX_LENGTH {
        return Err("is too long to be judged");
    }
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' if bytes[at..].starts_with(b"\"\"\"") => at = block_string_end(bytes, at + 3)?,
            b'"' => at = string_end(bytes, at + 1)?,
            b'#' => {
                let from = at;
                while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r') {
                    at += 1;
                }
                if text[from..at].chars().any(may_end_a_line) {
                    return Err("has a comment whose end could be read in two ways");
                }
                continue;
            }
            b'{' | b'(' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err("is nested too deeply to be judged");
                }
            }
            b'}' | b')' | b']' => depth = depth.checked_sub(1).ok_or("cannot be parsed")?,
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Characters that end a line for some readers, and not for GraphQL.
fn may_end_a_line(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The place of the closing quote.
fn string_end(bytes: &[u8], mut at: usize) -> Result<usize, &'static str> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => at += 2,
            Some(b'\n' | b'\r') | None => return Err("cannot be parsed"),
            Some(_) => at += 1,
        }
    }
}

/// The place of the last of the three closing quotes.
fn block_string_end(bytes: &[u8], mut at: usize) -> Result<usize, &'static str> {
    while at < bytes.len() {
        if bytes[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            return Ok(at + 2);
        } else {
            at += 1;
        }
    }
    Err("cannot be parsed")
}
