//! Finds the fields of a selection set, with fragments, directives and variables resolved.

use super::types::fits;
use super::{Asked, Run, Set};
use graphql_parser::query::{
    Directive, Field, FragmentDefinition, Selection, TypeCondition, Value as Literal,
};
use serde_json::{Value, json};

/// Selections that are nested deeper are refused, so that a fragment that contains itself cannot recurse for ever.
pub(super) const DEPTH: usize = 48;

impl<'q> Run<'_, 'q> {
    pub(super) fn fragment(&self, name: &str) -> Option<&'q FragmentDefinition<'static, String>> {
        self.fragments
            .iter()
            .copied()
            .find(|fragment| fragment.name == name)
    }

    /// Adds to `out` the fields that `set` asks of an object of the type `kind`; fields with the same response key are merged.
    pub(super) fn collect(
        &self,
        kind: &str,
        set: &'q Set,
        out: &mut Vec<Asked<'q>>,
        depth: usize,
    ) -> Result<(), String> {
        if depth > DEPTH {
            return Err(format!("The query is deeper than {DEPTH}."));
        }
        for item in &set.items {
            match item {
                Selection::Field(field) if self.included(&field.directives) => {
                    let key = field.alias.as_ref().unwrap_or(&field.name);
                    let sub =
                        (!field.selection_set.items.is_empty()).then_some(&field.selection_set);
                    match out.iter_mut().find(|(known, _, _)| known == key) {
                        Some((_, first, sets)) if first.name == field.name => sets.extend(sub),
                        Some(_) => {
                            return Err(format!(
                                "Field '{key}' has conflicts: two fields under one key."
                            ));
                        }
                        None => out.push((key.clone(), field, sub.into_iter().collect())),
                    }
                }
                Selection::InlineFragment(inline) if self.included(&inline.directives) => {
                    let applies = match &inline.type_condition {
                        Some(TypeCondition::On(name)) => fits(kind, name),
                        None => true,
                    };
                    if applies {
                        self.collect(kind, &inline.selection_set, out, depth + 1)?;
                    }
                }
                Selection::FragmentSpread(spread) if self.included(&spread.directives) => {
                    let Some(fragment) = self.fragment(&spread.fragment_name) else {
                        return Err(format!(
                            "Fragment {} was used, but not defined.",
                            spread.fragment_name
                        ));
                    };
                    let TypeCondition::On(name) = &fragment.type_condition;
                    if fits(kind, name) {
                        self.collect(kind, &fragment.selection_set, out, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn included(&self, directives: &[Directive<'static, String>]) -> bool {
        directives.iter().all(|directive| {
            let argument = directive.arguments.iter().find(|(name, _)| name == "if");
            let holds = argument.is_some_and(|(_, value)| self.literal(value) == json!(true));
            match directive.name.as_str() {
                "include" => holds,
                "skip" => !holds,
                _ => true,
            }
        })
    }

    pub(super) fn arguments(&self, field: &Field<'static, String>) -> Value {
        let pairs = field
            .arguments
            .iter()
            .map(|(name, value)| (name.clone(), self.literal(value)));
        Value::Object(pairs.collect())
    }

    pub(super) fn literal(&self, literal: &Literal<'static, String>) -> Value {
        match literal {
            Literal::Variable(name) => self.variables.get(name).cloned().unwrap_or(Value::Null),
            Literal::Int(number) => json!(number.as_i64()),
            Literal::Float(number) => json!(number),
            Literal::String(text) => json!(text),
            Literal::Boolean(yes) => json!(yes),
            Literal::Null => Value::Null,
            Literal::Enum(name) => json!(name),
            Literal::List(list) => list.iter().map(|item| self.literal(item)).collect(),
            Literal::Object(map) => {
                let pairs = map
                    .iter()
                    .map(|(name, value)| (name.clone(), self.literal(value)));
                Value::Object(pairs.collect())
            }
        }
    }
}
