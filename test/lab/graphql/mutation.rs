//! Answers a mutation: the writes of [`crate::writes`] are remembered, any other one gets a made-up payload.

use super::types::pascal;
use super::{Run, Set};
use crate::git;
use crate::place::Place;
use crate::scalar;
use crate::writes::{self, Refused};
use graphql_parser::query::Field;
use serde_json::{Map, Value, json};

impl<'q> Run<'_, 'q> {
    /// Carries out the mutation `field`, whose response key is `key`.  A mutation that fails is null, and those after it still run.
    pub(super) fn mutation(
        &mut self,
        key: &str,
        field: &'q Field<'static, String>,
        sets: &[&'q Set],
        arguments: &Value,
        place: &Place,
    ) -> Result<Value, String> {
        let mut place = place.clone();
        let input = &arguments["input"];
        let mut known = json!({ "clientMutationId": input["clientMutationId"] });
        match writes::carry_out(self.world, &mut place, &field.name, input) {
            Some(Ok(payload)) => {
                for (name, value) in payload.as_object().into_iter().flatten() {
                    known[name] = value.clone();
                }
            }
            Some(Err(refused)) => return Ok(self.refuse(key, &refused)),
            None => self.objects_of(input, &mut known, &mut place),
        }
        if self.head_was_modified(input, &known["pullRequest"], &place) {
            let refused = Refused {
                kind: "UNPROCESSABLE".to_owned(),
                message: "Head branch was modified. Review and try the merge again.".to_owned(),
            };
            return Ok(self.refuse(key, &refused));
        }
        let name = format!("{}Payload", pascal(&field.name));
        self.object(&name, Some(&known), sets, &place, 0)
    }

    fn refuse(&mut self, key: &str, refused: &Refused) -> Value {
        self.errors.push(json!({ "type": refused.kind, "path": [key], "locations": [{ "line": 1, "column": 1 }], "message": refused.message }));
        Value::Null
    }

    /// Sets the members of the payload `known` that are objects which the ids in `input` name.
    fn objects_of(&self, input: &Value, known: &mut Value, place: &mut Place) {
        for value in input.as_object().into_iter().flat_map(Map::values) {
            if let Some((kind, object)) = value.as_str().and_then(|id| self.world.node(id, place)) {
                let member = match kind.as_str() {
                    "PullRequest" => "pullRequest",
                    "Issue" => "issue",
                    "PullRequestReviewThread" => "thread",
                    _ => "repository",
                };
                known[member] = object;
            }
        }
    }

    /// Whether the `input` of a mutation expects another head commit than the pull request `pull` at `place` has.  The head is that of the
    /// bare repository, the fixture's `headNow`, which plays a push after `headRefOid` was read, else `headRefOid`, else the made-up value of
    /// that field.
    fn head_was_modified(&self, input: &Value, pull: &Value, place: &Place) -> bool {
        let expected = &input["expectedHeadOid"];
        if !expected.is_string() || !pull.is_object() {
            return false;
        }
        let head = git::head_of(self.world, place, pull).map(Value::String);
        let head = head.or_else(|| pull.get("headNow").or(pull.get("headRefOid")).cloned());
        let head = head
            .or_else(|| self.world.of_type(&place.host, "PullRequest", "headRefOid"))
            .unwrap_or_else(|| scalar::value("PullRequest", "headRefOid", place));
        *expected != place.fill_all(&head)
    }
}
