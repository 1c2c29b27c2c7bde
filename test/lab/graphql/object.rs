//! Makes the value of a selection: an object, a list or a connection. The value comes from a fixture, or is made up where there is none.

use super::types::{LISTS, is_connection};
use super::{Run, Set};
use crate::place::Place;
use crate::scalar;
use crate::world::Kind;
use graphql_parser::query::Field;
use serde_json::{Map, Value, json};

impl<'q> Run<'_, 'q> {
    /// Returns an object of the type `kind` with the fields that `sets` ask for; `known` is its fixture.
    pub(super) fn object(
        &mut self,
        kind: &str,
        known: Option<&Value>,
        sets: &[&'q Set],
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let mut asked = Vec::new();
        for set in sets {
            self.collect(kind, set, &mut asked, depth)?;
        }
        let mut out = Map::new();
        // A repository inside another object may be its name alone: the rest is that of the repository.
        let named = kind == "Repository"
            && known.is_some_and(|known| {
                known["nameWithOwner"].is_string() && known.get("pulls").is_none()
            });
        let mut whole = None;
        for (key, field, sets) in asked {
            let mut own = self.git_value(kind, known, field, place);
            own = own.or_else(|| known.and_then(|known| known.get(&field.name)).cloned());
            if own.is_none() && named {
                let whole = whole.get_or_insert_with(|| self.world.repository(place));
                own = whole.get(&field.name).cloned();
            }
            let value = self.value(kind, field, &sets, own, place, depth + 1)?;
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }

    /// Returns the value of `field` in an object of the type `kind`; `known` is the fixture of that field.
    pub(super) fn value(
        &mut self,
        kind: &str,
        field: &'q Field<'static, String>,
        sets: &[&'q Set],
        known: Option<Value>,
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let name = field.name.as_str();
        if self.world.lacks(&place.host, kind, name) {
            return Err(format!("Field '{name}' doesn't exist on type '{kind}'"));
        }
        let arguments = self.arguments(field);
        if name == "__typename" {
            return Ok(known.unwrap_or_else(|| json!(kind)));
        }
        if kind == "Repository" {
            let numbered = match name {
                "pullRequest" => Some(&[Kind::Pull][..]),
                "issue" => Some(&[Kind::Issue][..]),
                "issueOrPullRequest" => Some(&[Kind::Pull, Kind::Issue][..]),
                _ => None,
            };
            if let Some(kinds) = numbered {
                return self.numbered(
                    field,
                    kinds,
                    arguments["number"].as_i64().unwrap_or(0),
                    sets,
                    place,
                    depth,
                );
            }
        }
        // The account's own repository of that name.
        let own = (name == "repository" && kind == "User").then(|| Place {
            owner: self.world.viewer(&place.host)["login"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            repo: arguments["name"].as_str().unwrap_or_default().to_owned(),
            ..place.clone()
        });
        if let Some(own) = own {
            let repository = self.world.repository(&own);
            if repository == json!(false) {
                return Ok(Value::Null);
            }
            let repository = own.fill_all(&repository);
            return self.object("Repository", Some(&repository), sets, &own, depth + 1);
        }
        // A pull request, issue or review thread belongs to the repository in which it was found.
        let known = known.or_else(|| match (name, kind) {
            ("repository", "PullRequest" | "Issue" | "PullRequestReviewThread") => {
                Some(place.fill_all(&self.world.repository(place)))
            }
            ("label", "Repository") => Some(self.label(&arguments["name"], place)),
            ("pullRequest", "PullRequestReviewThread") => {
                self.world.numbered(Kind::Pull, place, place.number)
            }
            _ => None,
        });
        let known = known.or_else(|| self.world.of_type(&place.host, kind, name));
        if sets.is_empty() {
            let known = known.map(|known| place.fill_all(&known));
            return Ok(known.unwrap_or_else(|| scalar::value(kind, name, place)));
        }
        if known == Some(Value::Null) {
            return Ok(Value::Null);
        }
        let entry = self.kind(name, kind, known.as_ref(), sets);
        let known = match known {
            Some(Value::String(text)) if entry == "Repository" => {
                Some(json!({ "nameWithOwner": text }))
            }
            known => known,
        };
        if is_connection(sets) {
            return self.connection(&entry, known.as_ref(), &arguments, sets, place, depth);
        }
        let list = match known {
            Some(Value::Array(list)) => list,
            None if LISTS.contains(&name) => vec![json!({})],
            known => {
                let place = Self::inside(&entry, known.as_ref(), place);
                return self.object(&entry, known.as_ref(), sets, &place, depth);
            }
        };
        let mut out = Vec::new();
        for (index, item) in list.iter().enumerate() {
            let place = Self::inside(
                &entry,
                Some(item),
                &Place {
                    index,
                    ..place.clone()
                },
            );
            out.push(self.object(&entry, Some(item), sets, &place, depth)?);
        }
        Ok(Value::Array(out))
    }

    /// Returns the label `name` of the repository of `place`, or null.
    fn label(&self, name: &Value, place: &Place) -> Value {
        let labels = &self.world.repository(place)["labels"];
        let labels = labels.as_array().or_else(|| labels["nodes"].as_array());
        let found = labels
            .into_iter()
            .flatten()
            .find(|label| label["name"] == *name);
        found.cloned().unwrap_or(Value::Null)
    }

    pub(super) fn numbered(
        &mut self,
        field: &'q Field<'static, String>,
        kinds: &[Kind],
        number: i64,
        sets: &[&'q Set],
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let place = Place {
            number,
            ..place.clone()
        };
        let known = kinds
            .iter()
            .find_map(|kind| Some((*kind, self.world.known(*kind, &place, number)?)));
        let made_up = || {
            let kind = *kinds.last()?;
            Some((kind, self.world.numbered(kind, &place, number)?))
        };
        let Some((kind, known)) = known.or_else(made_up) else {
            let what = if kinds.len() > 1 {
                "issue or pull request"
            } else {
                kinds[0].name()
            };
            let message = format!(
                "Could not resolve to {} {what} with the number of {number}.",
                if kinds.len() > 1 { "an" } else { "a" }
            );
            let key = field.alias.as_ref().unwrap_or(&field.name).clone();
            return Ok(self.not_found(&["repository", &key], &message));
        };
        self.object(kind.name(), Some(&known), sets, &place, depth)
    }

    /// Returns a connection with entries of the type `kind`; `known` is a list, or an object with `nodes` and perhaps `totalCount`.
    pub(super) fn connection(
        &mut self,
        kind: &str,
        known: Option<&Value>,
        arguments: &Value,
        sets: &[&'q Set],
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let made_up = vec![json!({})];
        let list = match known {
            Some(Value::Array(list)) => list,
            Some(known) => known["nodes"].as_array().unwrap_or(&made_up),
            None => &made_up,
        };
        let list: Vec<&Value> = list.iter().filter(|item| chosen(item, arguments)).collect();
        let after = arguments["after"]
            .as_str()
            .and_then(|cursor| cursor.strip_prefix('c')?.parse::<usize>().ok())
            .unwrap_or(0);
        let first = arguments["first"]
            .as_u64()
            .and_then(|first| usize::try_from(first).ok())
            .unwrap_or(100);
        let from_end = arguments["last"]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok());
        let (from, to) = match from_end {
            Some(count) => (list.len().saturating_sub(count), list.len()),
            None => (
                after.min(list.len()),
                (after.saturating_add(first)).min(list.len()),
            ),
        };
        let filtered = ["statuses", "conclusions"]
            .iter()
            .any(|name| arguments["filterBy"][*name].is_array());
        let total = known
            .and_then(|known| known.get("totalCount"))
            .filter(|_| !filtered)
            .cloned()
            .unwrap_or_else(|| json!(list.len()));
        let connection = format!("{kind}Connection");
        let mut asked = Vec::new();
        for set in sets {
            self.collect(&connection, set, &mut asked, depth)?;
        }
        let mut out = Map::new();
        for (key, field, sets) in asked {
            let entries = || {
                list[from..to]
                    .iter()
                    .enumerate()
                    .map(|(at, item)| (from + at, *item))
            };
            let value = match field.name.as_str() {
                "nodes" => {
                    let mut nodes = Vec::new();
                    for (index, item) in entries() {
                        nodes.push(self.entry(
                            kind,
                            item,
                            &sets,
                            &Place {
                                index,
                                ..place.clone()
                            },
                            depth + 1,
                        )?);
                    }
                    Value::Array(nodes)
                }
                "edges" => {
                    let mut edges = Vec::new();
                    for (index, item) in entries() {
                        let place = Place {
                            index,
                            ..place.clone()
                        };
                        edges.push(self.edge(kind, item, &sets, &place, depth + 1)?);
                    }
                    Value::Array(edges)
                }
                "pageInfo" => {
                    let info = json!({
                        "hasNextPage": to < list.len(), "hasPreviousPage": from > 0,
                        "startCursor": format!("c{from}"), "endCursor": format!("c{to}"),
                    });
                    self.object("PageInfo", Some(&info), &sets, place, depth + 1)?
                }
                "totalCount" | "issueCount" | "repositoryCount" | "userCount"
                | "discussionCount" => total.clone(),
                other => {
                    let own = known.and_then(|known| known.get(other)).cloned();
                    self.value(&connection, field, &sets, own, place, depth + 1)?
                }
            };
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }

    pub(super) fn edge(
        &mut self,
        kind: &str,
        item: &Value,
        sets: &[&'q Set],
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let edge = format!("{kind}Edge");
        let mut asked = Vec::new();
        for set in sets {
            self.collect(&edge, set, &mut asked, depth)?;
        }
        let mut out = Map::new();
        for (key, field, sets) in asked {
            let value = match field.name.as_str() {
                "node" => self.entry(kind, item, &sets, place, depth + 1)?,
                "cursor" => json!(format!("c{}", place.index + 1)),
                _ => self.value(&edge, field, &sets, None, place, depth + 1)?,
            };
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }

    /// Returns an entry of a connection.  The fixture's `__typename` decides its type, or else the fragments in `sets`.
    pub(super) fn entry(
        &mut self,
        kind: &str,
        item: &Value,
        sets: &[&'q Set],
        place: &Place,
        depth: usize,
    ) -> Result<Value, String> {
        let kind = match item["__typename"].as_str() {
            Some(said) => said.to_owned(),
            None => self.choose(kind, false, sets),
        };
        let place = Self::inside(&kind, Some(item), place);
        self.object(&kind, Some(item), sets, &place, depth)
    }

    /// Returns the place of the fields of an object of the type `kind` at `place`, whose fixture is `known`.
    pub(super) fn inside(kind: &str, known: Option<&Value>, place: &Place) -> Place {
        let mut place = place.clone();
        let known = known.unwrap_or(&Value::Null);
        if let Some(number) = known["number"].as_i64() {
            place.number = number;
        }
        if kind == "Repository" {
            if let Some((owner, repo)) = known["nameWithOwner"]
                .as_str()
                .and_then(|name| name.split_once('/'))
            {
                (place.owner, place.repo) = (place.fill(owner), place.fill(repo));
            } else if place.repo.is_empty() {
                if place.owner.is_empty() {
                    "o".clone_into(&mut place.owner);
                }
                "r".clone_into(&mut place.repo);
            }
        }
        place
    }
}

/// Whether `item` passes the filters in a connection's `arguments`: `states`, `headRefName` and `baseRefName`, and the `statuses` and
/// `conclusions` of a `CheckRunFilter`, if the fixture has these members.
fn chosen(item: &Value, arguments: &Value) -> bool {
    let states = match &arguments["states"] {
        Value::Null => arguments["filterBy"]["states"].clone(),
        states => states.clone(),
    };
    let state = item["state"].as_str().unwrap_or("OPEN");
    let typed = item.get("number").is_some();
    let fits = match &states {
        Value::Array(list) if typed => list.iter().any(|one| one == state),
        Value::String(one) if typed => one == state,
        _ => true,
    };
    let same = |name: &str| {
        arguments[name]
            .as_str()
            .is_none_or(|asked| item[name].as_str().is_none_or(|own| own == asked))
    };
    let among = |name: &str, filter: &str| {
        let wanted = arguments["filterBy"][filter].as_array();
        wanted.is_none_or(|wanted| item.get(name).is_none_or(|own| wanted.contains(own)))
    };
    fits && same("headRefName")
        && same("baseRefName")
        && among("status", "statuses")
        && among("conclusion", "conclusions")
}
