//! Whether a GraphQL document only reads, or changes something.
//!
//! The parser recurses, so a lexical scan first bounds length and nesting.  The scan reads strings and comments as the parser does, and a
//! document that the two could read differently is not judged.  The parser then runs on a stack of its own, whose size is known:
//! a debug build takes some 32 KiB a level, and nobody knows how much of the caller's stack is left.

use graphql_parser::query::{Definition, OperationDefinition, Selection, SelectionSet};

/// The longest document that is judged, in bytes.
pub const MAX_LENGTH: usize = 65_536;
/// The deepest nesting of brackets that the parser gets; the parser's own limit is 50 at present.
pub const MAX_DEPTH: usize = 64;

/// The stack that the parser gets, in bytes: four times the 2 MiB that [`MAX_DEPTH`] levels take.
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
    /// A document that cannot be judged; the words follow "a GraphQL document that".
    Unclear(&'static str),
}

/// The result of `work`, run on a thread with the stack that the parser needs; `None` where it panics or no thread can be started.
#[expect(
    clippy::disallowed_methods,
    reason = "the parser recurses; it gets a stack of its own, and ends before this returns"
)]
fn on_a_stack_of_its_own<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let parser = std::thread::Builder::new()
            .name("cj-gate graphql".into())
            .stack_size(PARSER_STACK)
            .spawn_scoped(scope, work);
        parser.ok()?.join().ok()
    })
}

/// Judges one document.
pub fn judge(text: &str) -> Document {
    match scan(text) {
        Err(why) => Document::Unclear(why),
        Ok(()) => on_a_stack_of_its_own(|| judge_bounded(text))
            .unwrap_or(Document::Unclear("cannot be judged")),
    }
}

/// The fields and ids that a mutation names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutation {
    /// The names of its fields, such as `closeIssue`, in their order.
    pub fields: Vec<String>,
    /// The ids that stand in the text of its arguments.
    pub ids: Vec<String>,
    /// The variables whose values are ids, without the dollar sign: `id` for `$id`.
    pub variables: Vec<String>,
}

/// The fields and ids of the one mutation in a document; `None` where [`judge`] finds no mutation.
pub fn mutation(text: &str) -> Option<Mutation> {
    scan(text).ok()?;
    on_a_stack_of_its_own(|| mutation_bounded(text))?
}

fn mutation_bounded(text: &str) -> Option<Mutation> {
    let document = graphql_parser::parse_query::<&str>(text).ok()?;
    let mut mutations = document.definitions.iter().filter_map(|one| match one {
        Definition::Operation(OperationDefinition::Mutation(mutation)) => Some(mutation),
        _ => None,
    });
    let mutation = mutations.next()?;
    let mut found = Mutation::default();
    for item in &mutation.selection_set.items {
        if let Selection::Field(field) = item {
            found.fields.push(field.name.to_owned());
            for (name, value) in &field.arguments {
                ids(name, value, &mut found);
            }
        }
    }
    // A variable of the type `ID!` holds an id, whatever the argument that it fills is called.
    let declared = mutation.variable_definitions.iter();
    found.variables.extend(declared.filter_map(|variable| {
        let is_id = matches!(
            &variable.var_type,
            graphql_parser::query::Type::NonNullType(inner) if inner.to_string() == "ID"
        );
        is_id.then(|| variable.name.to_owned())
    }));
    found.variables.sort_unstable();
    found.variables.dedup();
    (!found.fields.is_empty()).then_some(found)
}

/// Whether a member or an argument called `name` holds the id of something.
pub fn names_an_id(name: &str) -> bool {
    name == "id" || name.ends_with("Id") || name.ends_with("Ids") || name.ends_with("ID")
}

/// Adds the ids in `value`, an argument or member called `name`.
fn ids<'a>(name: &str, value: &graphql_parser::query::Value<'a, &'a str>, found: &mut Mutation) {
    use graphql_parser::query::Value;
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                ids(name, value, found);
            }
        }
        Value::List(values) => {
            for value in values {
                ids(name, value, found);
            }
        }
        // The caller chooses `clientMutationId'; it is the id of nothing on the host.
        _ if !names_an_id(name) || name == "clientMutationId" => {}
        Value::String(id) => found.ids.push(id.clone()),
        Value::Variable(variable) => found.variables.push((*variable).to_owned()),
        _ => {}
    }
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

/// The first field of a set, or of its inline fragments, whose name says that the field deletes something.
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

/// A token of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A name, a keyword, or a value of an enum.
    Name(&'a str),
    /// A string of either form, whatever it holds.
    Text,
    /// Another character; commas and blanks are left out, and a number is several characters.
    Sign(char),
}

/// The tokens of a document.
///
/// # Errors
/// Why [`judge`] would not judge the document, as the rest of a sentence that begins "a GraphQL document that".
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, &'static str> {
    scan(text)?;
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        match bytes[at] {
            b'"' => {
                let block = bytes[at..].starts_with(b"\"\"\"");
                at = if block {
                    block_string_end(bytes, at + 3)?
                } else {
                    string_end(bytes, at + 1)?
                } + 1;
                tokens.push(Token::Text);
            }
            b'#' => {
                while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r') {
                    at += 1;
                }
            }
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                tokens.push(Token::Name(&text[from..at]));
            }
            b',' => at += 1,
            _ => {
                let c = text[at..].chars().next().ok_or("cannot be parsed")?;
                at += c.len_utf8();
                if !c.is_whitespace() && c != '\u{feff}' {
                    tokens.push(Token::Sign(c));
                }
            }
        }
    }
    Ok(tokens)
}

/// Checks that length and nesting are within bounds.
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

/// Whether `c` ends a line for some readers, and not for GraphQL.
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
