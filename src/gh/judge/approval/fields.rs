//! The keys of `gh api --field` and `--raw-field`, taken apart as gh does it.
//!
//! gh 2.92.0 and 2.103.3 read `event[x=APPROVE` and `event[]x=APPROVE` as the key `event`, so a key is more than the text before `=`.

use crate::gh::parse::Parsed;

/// A field of a call.
pub(super) struct Field<'a> {
    /// The names of the key, from the outside to the inside; an empty name stands for an element of an array.
    pub names: Vec<&'a str>,
    /// The value; empty where the field has none.
    pub value: &'a str,
    /// The text as given.
    pub text: &'a str,
    /// Whether gh fills in placeholders in the value, and reads numbers: `--field`, not `--raw-field`.
    pub typed: bool,
}

impl<'a> Field<'a> {
    /// Takes `text`, such as `input[event]=APPROVE`, apart.
    fn new(text: &'a str, typed: bool) -> Self {
        let mut names = Vec::new();
        let mut value = "";
        // The place behind the last opening bracket.
        let mut opened = None;
        for (at, c) in text.char_indices() {
            match c {
                '[' => {
                    if opened.is_none() {
                        names.push(&text[..at]);
                    }
                    opened = Some(at + 1);
                }
                ']' => names.push(&text[opened.unwrap_or(0)..at]),
                '=' => {
                    if opened.is_none() {
                        names.push(&text[..at]);
                    }
                    value = &text[at + 1..];
                    break;
                }
                _ => {}
            }
        }
        Self {
            names,
            value,
            text,
            typed,
        }
    }

    /// The outermost name of the key.
    pub fn top(&self) -> &'a str {
        let named = self.names.iter().find(|name| !name.is_empty());
        named.copied().unwrap_or_default()
    }

    /// Whether one of the key's names is `name`, in any letter case.
    pub fn names(&self, name: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|one| one.trim().eq_ignore_ascii_case(name))
    }

    /// Whether the key has a name below the outermost one: `input[body]`.
    pub fn is_nested(&self) -> bool {
        self.names.iter().filter(|name| !name.is_empty()).count() > 1
    }
}

/// The fields of `call`, in their order.
pub(super) fn fields(call: &Parsed) -> Vec<Field<'_>> {
    let given = call.flags.iter();
    let given = given.filter(|given| matches!(given.flag.name.as_str(), "field" | "raw-field"));
    given
        .filter_map(|given| {
            let text = given.value.as_deref()?;
            Some(Field::new(text, given.flag.name == "field"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_apart_as_gh_does_it() {
        for (text, top, names, value) in [
            ("event=APPROVE", "event", &["event"][..], "APPROVE"),
            ("event=", "event", &["event"], ""),
            ("event", "", &[], ""),
            ("event[]=a", "event", &["event", ""], "a"),
            ("event[]x=a", "event", &["event", ""], "a"),
            ("event[x=a=b", "event", &["event"], "a=b"),
            ("[event]=a", "event", &["", "event"], "a"),
            ("[][event]=a", "event", &["", "", "event"], "a"),
            ("input[event]=a", "input", &["input", "event"], "a"),
            ("input[event][x=a", "input", &["input", "event"], "a"),
            ("input[][event]=a", "input", &["input", "", "event"], "a"),
            ("event]=a", "event", &["event", "event]"], "a"),
            (
                "body=event[x]=APPROVE",
                "body",
                &["body"],
                "event[x]=APPROVE",
            ),
            ("é[ü]=a", "é", &["é", "ü"], "a"),
        ] {
            let field = Field::new(text, false);
            assert_eq!(
                (field.top(), field.names.as_slice(), field.value),
                (top, names, value),
                "{text}"
            );
        }
    }
}
