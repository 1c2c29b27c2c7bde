//! Answers any GraphQL query: its selection set decides the shape of the answer; fixtures and the fields' names decide the values.
//!
//! There is no schema here.  A field with a selection becomes an object, a list or a connection; its type comes from a fixture, from the table in `types`, or from the fragments
//! that the query applies to it.  Fields that the query does not ask for are never sent: gh refuses extra keys.

mod bare;
mod mutation;
mod object;
mod selection;
mod types;

use crate::place::Place;
use crate::world::World;
use crate::writes::Refused;
use graphql_parser::query::{
    Definition, Field, FragmentDefinition, OperationDefinition, SelectionSet,
};
use serde_json::{Map, Value, json};

type Set = SelectionSet<'static, String>;
/// A response key, the first field with that key, and the selection sets of all fields with that key.
type Asked<'q> = (String, &'q Field<'static, String>, Vec<&'q Set>);

/// The members of the log's line that describe a query.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    pub operation: Option<String>,
    pub kind: &'static str,
    pub fields: Vec<String>,
}

/// Returns the summary of a document that was refused: its `kind` is `query` if all its operations are queries, else empty.
pub fn refused(query: &str) -> Summary {
    let Ok(document) = graphql_parser::parse_query::<String>(query) else {
        return Summary::default();
    };
    let mut operations = document.definitions.iter().filter_map(|one| match one {
        Definition::Operation(operation) => Some(operation),
        Definition::Fragment(_) => None,
    });
    let asks = |one: &OperationDefinition<'_, String>| {
        matches!(
            one,
            OperationDefinition::SelectionSet(_) | OperationDefinition::Query(_)
        )
    };
    let kind = if operations.all(asks) { "query" } else { "" };
    Summary {
        kind,
        ..Summary::default()
    }
}

/// The `data` and `errors` of an answer; `errors` is empty if there are none.
pub struct Answered {
    pub summary: Summary,
    pub data: Value,
    pub errors: Vec<Value>,
}

/// Answers `query` with `variables` at `place`.
///
/// # Errors
/// A sentence for the `message` of GitHub's error object.
pub fn answer(
    world: &World,
    place: &Place,
    query: &str,
    operation: Option<&str>,
    variables: &Value,
) -> Result<Answered, String> {
    let document = graphql_parser::parse_query::<String>(query)
        .map_err(|error| format!("Parse error: {error}"))?
        .into_static();
    let mut fragments = Vec::new();
    let mut operations = Vec::new();
    for definition in &document.definitions {
        match definition {
            Definition::Fragment(fragment) => fragments.push(fragment),
            Definition::Operation(one) => operations.push(one),
        }
    }
    let name_of = |one: &OperationDefinition<'_, String>| match one {
        OperationDefinition::SelectionSet(_) => None,
        OperationDefinition::Query(query) => query.name.clone(),
        OperationDefinition::Mutation(mutation) => mutation.name.clone(),
        OperationDefinition::Subscription(subscription) => subscription.name.clone(),
    };
    let chosen = match operation {
        Some(name) => operations
            .iter()
            .find(|one| name_of(one).as_deref() == Some(name)),
        None => operations.first(),
    };
    let Some(chosen) = chosen else {
        return Err("A query must have an operation.".to_owned());
    };
    let (kind, root, set, defined) = match chosen {
        OperationDefinition::SelectionSet(set) => ("query", "Query", set, &[][..]),
        OperationDefinition::Query(query) => (
            "query",
            "Query",
            &query.selection_set,
            &query.variable_definitions[..],
        ),
        OperationDefinition::Mutation(mutation) => (
            "mutation",
            "Mutation",
            &mutation.selection_set,
            &mutation.variable_definitions[..],
        ),
        OperationDefinition::Subscription(_) => {
            return Err("There are no subscriptions.".to_owned());
        }
    };
    let mut run = Run {
        world,
        fragments,
        variables: Map::new(),
        errors: Vec::new(),
    };
    for definition in defined {
        let given = variables.get(&definition.name).cloned();
        let value = given.or_else(|| {
            definition
                .default_value
                .as_ref()
                .map(|value| run.literal(value))
        });
        run.variables
            .insert(definition.name.clone(), value.unwrap_or(Value::Null));
    }
    let mut asked = Vec::new();
    run.collect(root, set, &mut asked, 0)?;
    let summary = Summary {
        operation: name_of(chosen),
        kind,
        fields: asked
            .iter()
            .map(|(_, field, _)| field.name.clone())
            .collect(),
    };
    let mut data = Map::new();
    for (key, field, sets) in asked {
        let value = run.root(root, &key, field, &sets, place)?;
        data.insert(key, value);
    }
    Ok(Answered {
        summary,
        data: Value::Object(data),
        errors: run.errors,
    })
}

struct Run<'w, 'q> {
    world: &'w World,
    fragments: Vec<&'q FragmentDefinition<'static, String>>,
    variables: Map<String, Value>,
    errors: Vec<Value>,
}

impl<'q> Run<'_, 'q> {
    /// Returns the value of a field of the query or mutation root; its arguments say which object it is.
    fn root(
        &mut self,
        root: &str,
        key: &str,
        field: &'q Field<'static, String>,
        sets: &[&'q Set],
        place: &Place,
    ) -> Result<Value, String> {
        let arguments = self.arguments(field);
        let text = |name: &str| arguments[name].as_str().unwrap_or("").to_owned();
        let mut place = place.clone();
        if root == "Mutation" {
            return self.mutation(key, field, sets, &arguments, &place);
        }
        let (kind, known) = match field.name.as_str() {
            "__typename" => return Ok(json!(root)),
            "__type" => {
                let schema = self.world.schema(&place.host, &text("name"));
                return self.object("__Type", Some(&schema), sets, &place, 0);
            }
            "repository" => {
                (place.owner, place.repo) = (text("owner"), text("name"));
                if !self.world.has_repository(&place) {
                    let message = format!(
                        "Could not resolve to a Repository with the name '{}/{}'.",
                        place.owner, place.repo
                    );
                    return Ok(self.not_found(&[key], &message));
                }
                self.world.memory().see(&place);
                ("Repository".to_owned(), self.world.repository(&place))
            }
            "viewer" => ("User".to_owned(), self.world.viewer(&place.host)),
            "user" | "organization" => {
                let kind = if field.name == "user" {
                    "User"
                } else {
                    "Organization"
                };
                place.owner = text("login");
                if self.world.owner_type(&place.host, &place.owner) != kind {
                    let message = format!(
                        "Could not resolve to a {kind} with the login of '{}'.",
                        place.owner
                    );
                    return Ok(self.not_found(&[key], &message));
                }
                let id = format!("U_{}", place.owner);
                (kind.to_owned(), json!({ "login": place.owner, "id": id }))
            }
            "repositoryOwner" => {
                place.owner = text("login");
                let kind = self.world.owner_type(&place.host, &place.owner);
                (kind, json!({ "login": place.owner }))
            }
            "node" => match self.node(&text("id"), &json!([key]), sets, &mut place) {
                Some(found) => found,
                None => return Ok(Value::Null),
            },
            "nodes" => {
                let mut list = Vec::new();
                for (index, id) in arguments["ids"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .enumerate()
                {
                    let mut place = Place {
                        index,
                        ..place.clone()
                    };
                    let id = id.as_str().unwrap_or("");
                    let found = self.node(id, &json!([key, index]), sets, &mut place);
                    list.push(match found {
                        Some((kind, known)) => self.object(&kind, Some(&known), sets, &place, 0)?,
                        None => Value::Null,
                    });
                }
                return Ok(Value::Array(list));
            }
            "search" => {
                return self.search(field, sets, &arguments, &place);
            }
            _ => return self.value(root, field, sets, None, &place, 0),
        };
        self.object(&kind, Some(&known), sets, &place, 0)
    }

    /// Returns type and fixture of the object with the node id `id`, a made-up one for an unknown id.  For an unknown review thread it returns
    /// `None` and adds GitHub's error with `path`; so it does where the query wants nothing but a review thread.
    fn node(
        &mut self,
        id: &str,
        path: &Value,
        sets: &[&'q Set],
        place: &mut Place,
    ) -> Option<(String, Value)> {
        if let Some(found) = self.world.node(id, place) {
            return Some(found);
        }
        let kind = self.kind("node", "Query", None, sets);
        if kind != "PullRequestReviewThread" && !id.starts_with("PRRT_") {
            return Some((kind, Value::Null));
        }
        let Refused { kind, message } = Refused::no_node(id);
        self.errors.push(json!({ "type": kind, "path": path, "locations": [{ "line": 1, "column": 1 }], "message": message }));
        None
    }

    /// Answers `search(type, query, first)` with the pull requests or issues of the repository that the query text names, by default `o/r`.
    fn search(
        &mut self,
        field: &'q Field<'static, String>,
        sets: &[&'q Set],
        arguments: &Value,
        place: &Place,
    ) -> Result<Value, String> {
        let mut place = place.clone();
        let text = arguments["query"].as_str().unwrap_or("").to_owned();
        let mut pulls = false;
        for word in text.split_whitespace() {
            if let Some((owner, repo)) = word
                .strip_prefix("repo:")
                .and_then(|name| name.trim_matches('"').split_once('/'))
            {
                (place.owner, place.repo) = (owner.to_owned(), repo.to_owned());
            }
            pulls |= matches!(word, "is:pr" | "type:pr");
        }
        let typed = arguments["type"].as_str().unwrap_or("").to_owned();
        if !typed.starts_with("ISSUE") {
            return self.value("Query", field, sets, None, &place, 0);
        }
        if place.owner.is_empty() {
            (place.owner, place.repo) = ("o".to_owned(), "r".to_owned());
        }
        let repo = self.world.repository(&place);
        let (kind, list) = if pulls {
            ("PullRequest", "pulls")
        } else {
            ("Issue", "issues")
        };
        let nodes = if repo[list].is_object() {
            &repo[list]["nodes"]
        } else {
            &repo[list]
        };
        let mut known = json!({ "nodes": nodes });
        if let Some(total) = repo["search"].get("totalCount") {
            known["totalCount"] = total.clone();
        }
        self.connection(kind, Some(&known), arguments, sets, &place, 0)
    }

    fn not_found(&mut self, path: &[&str], message: &str) -> Value {
        self.errors.push(json!({ "type": "NOT_FOUND", "path": path, "locations": [{ "line": 1, "column": 1 }], "message": message }));
        Value::Null
    }
}
