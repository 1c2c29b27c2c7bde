//! Whether a GraphQL document approves a pull request.
//!
//! The document is judged token by token, wherever the tokens stand: several operations, aliases, fragments and defaults of variables make
//! no difference, and a document that no parser takes is judged all the same.

use super::event::{Approval, of_event, surest};
use super::fields::Field;
use crate::gh::judge::graphql::{self, Token};

/// The mutations that take an event of a review (GitHub's public schema, 2026).
const MUTATIONS: &[&str] = &["addPullRequestReview", "submitPullRequestReview"];

const UNKNOWN: Approval = Approval::Possible("the value of its variable is not known");

/// The values of a document's variables.
pub(super) struct Variables<'a> {
    /// The fields of the call.
    pub fields: &'a [Field<'a>],
    /// Whether the fields, besides the document, are the variables.
    pub known: bool,
}

/// Whether the document `text` with `variables` approves.
pub(super) fn approval(text: &str, variables: &Variables<'_>) -> Option<Approval> {
    // A name of GraphQL has no escapes, so a document without the word has no such mutation.
    if !MUTATIONS.iter().any(|name| text.contains(name)) {
        return None;
    }
    let Ok(tokens) = graphql::tokens(text) else {
        return Some(Approval::Possible("its GraphQL document cannot be read"));
    };
    let reviews =
        |token: &Token<'_>| matches!(token, Token::Name(name) if MUTATIONS.contains(name));
    if !tokens.iter().any(reviews) {
        return None;
    }
    let approve = |token: &Token<'_>| matches!(token, Token::Name(name) if name.eq_ignore_ascii_case("approve"));
    if tokens.iter().any(approve) {
        return Some(Approval::Certain);
    }
    let found = (0..tokens.len()).filter_map(|at| {
        let (name, value) = argument(&tokens, at)?;
        if name.eq_ignore_ascii_case("event") {
            of_value(value, &tokens, variables)
        } else if name == "input" {
            of_input(value, &tokens, variables)
        } else {
            None
        }
    });
    surest(found)
}

/// The name of the argument or member at `at`, and the tokens from its value on: `event: …`.  A variable's definition, `$event: …`, is none.
fn argument<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> Option<(&'a str, &'t [Token<'a>])> {
    let (Token::Name(name), Some(Token::Sign(':'))) = (&tokens[at], tokens.get(at + 1)) else {
        return None;
    };
    let defines = at > 0 && tokens[at - 1] == Token::Sign('$');
    (!defines).then(|| (*name, &tokens[at + 2..]))
}

/// Whether an event approves whose value begins `value`.
fn of_value(
    value: &[Token<'_>],
    tokens: &[Token<'_>],
    variables: &Variables<'_>,
) -> Option<Approval> {
    match value {
        [Token::Name("null"), ..] => None,
        [Token::Name(event), ..] => of_event(event),
        [Token::Sign('$'), Token::Name(name), ..] => {
            of_variable(name, tokens, variables, |field| of_event(field.value))
        }
        _ => Some(Approval::Possible("its event cannot be read")),
    }
}

/// Whether an input approves that begins with `value`: an object, whose members stand in the document, or a variable.
fn of_input(
    value: &[Token<'_>],
    tokens: &[Token<'_>],
    variables: &Variables<'_>,
) -> Option<Approval> {
    match value {
        [Token::Sign('{'), ..] => None,
        [Token::Sign('$'), Token::Name(name), ..] => {
            of_variable(name, tokens, variables, |field| {
                if field.names("event") {
                    of_event(field.value)
                } else {
                    (!field.is_nested()).then_some(UNKNOWN)
                }
            })
        }
        _ => Some(Approval::Possible("its input cannot be read")),
    }
}

/// What `judge` finds in the fields that fill the variable `name`; without one, its default counts.
fn of_variable(
    name: &str,
    tokens: &[Token<'_>],
    variables: &Variables<'_>,
    judge: impl Fn(&Field<'_>) -> Option<Approval>,
) -> Option<Approval> {
    if !variables.known {
        return Some(UNKNOWN);
    }
    let mut filling = variables
        .fields
        .iter()
        .filter(|field| field.top() == name)
        .peekable();
    if filling.peek().is_some() {
        return surest(filling.filter_map(judge));
    }
    let mut defaults = defaults(name, tokens).peekable();
    if defaults.peek().is_none() {
        return Some(UNKNOWN);
    }
    surest(defaults.filter_map(|value| match value {
        // The members of an object stand in the document, where `event:' is found.
        [Token::Sign('{') | Token::Name("null"), ..] => None,
        [Token::Name(event), ..] => of_event(event),
        _ => Some(UNKNOWN),
    }))
}

/// For each definition of the variable `name`, the tokens from its default on; none of them where it has no default.
fn defaults<'t, 'a>(name: &str, tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens
        .windows(3)
        .enumerate()
        .filter_map(move |(at, three)| {
            let [Token::Sign('$'), Token::Name(one), Token::Sign(':')] = three else {
                return None;
            };
            if *one != name {
                return None;
            }
            let of_type =
                |token: &&Token<'_>| matches!(token, Token::Name(_) | Token::Sign('[' | ']' | '!'));
            let rest = &tokens[at + 3..];
            let rest = &rest[rest.iter().take_while(of_type).count()..];
            Some(match rest {
                [Token::Sign('='), value @ ..] => value,
                _ => &[],
            })
        })
}
