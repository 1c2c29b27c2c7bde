//! The stand-in for a model: an OpenAI-compatible chat-completions server that answers each request with the next turn of a script.
//!
//! A script is a JSON list (or an object with a member `turns`).  A turn is an object:
//!
//! | member | meaning |
//! |---|---|
//! | `text` | the assistant's text |
//! | `tool_calls` | a list of `{"name": …, "arguments": OBJECT or raw STRING, "id"?: …}`; may stand beside `text` |
//! | `delay_ms` | milliseconds to wait before the answer |
//! | `pause_ms` | streaming only: milliseconds to wait before each piece |
//! | `status` | answer with this HTTP status and an error object whose message is `text` |
//! | `cut` | true: the connection ends in the middle of the answer |
//!
//! After the last turn every request is answered with the text `done`.

use crate::http::{Answer, Request, Response, Service};
use crate::log::Log;
use crate::tokens::Tokens;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The largest size, in bytes, of a streamed piece of arguments or text: small, so that clients must join pieces.
const PIECE: usize = 7;

/// The state of the model: its script and how many turns it has played.
pub struct Model {
    turns: Vec<Value>,
    played: AtomicUsize,
    log: Log,
    tokens: Tokens,
}

impl Model {
    /// Makes a model that plays `script`, the text of a script file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the script.
    pub fn new(script: &str, log: Log, tokens: Tokens) -> Result<Self, String> {
        let mut script: Value = serde_json::from_str(script)
            .map_err(|error| format!("the script is no JSON: {error}"))?;
        if script.is_object() {
            script = script["turns"].take();
        }
        let Value::Array(turns) = script else {
            return Err("the script is neither a list nor an object with `turns'".to_owned());
        };
        for (index, turn) in turns.iter().enumerate() {
            let known = ["text", "tool_calls", "status", "cut"];
            if !known.iter().any(|key| turn.get(key).is_some()) {
                return Err(format!("turn {index} has none of {known:?}"));
            }
        }
        Ok(Self {
            turns,
            played: AtomicUsize::new(0),
            log,
            tokens,
        })
    }

    fn play(&self, index: usize, stream: bool, model: &str) -> Answer {
        let done = json!({ "text": "done" });
        let turn = self.turns.get(index).unwrap_or(&done);
        let delay = Duration::from_millis(turn["delay_ms"].as_u64().unwrap_or(0));
        if let Some(status) = turn["status"].as_u64() {
            let message = turn["text"].as_str().unwrap_or("the script says so");
            let body = json!({ "error": { "message": message, "type": "lab", "code": status } });
            let mut response = Response::json(u16::try_from(status).unwrap_or(500), &body);
            response.delay = delay;
            return Answer::Whole(response);
        }
        let text = turn["text"].as_str();
        let calls = calls_of(index, turn);
        let cut = turn["cut"] == json!(true);
        if stream {
            std::thread::sleep(delay);
            let mut pieces = stream_of(index, model, text, &calls);
            if cut {
                pieces.truncate(pieces.len() / 2);
            }
            let pause = Duration::from_millis(turn["pause_ms"].as_u64().unwrap_or(0));
            return Answer::Pieces {
                content_type: "text/event-stream",
                pieces,
                pause,
                finish: !cut,
            };
        }
        let mut message = json!({ "role": "assistant", "content": text });
        if !calls.is_empty() {
            let whole = |(id, name, arguments): &(String, String, String)| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
            message["tool_calls"] = calls.iter().map(whole).collect();
        }
        let body = json!({
            "id": format!("chatcmpl-lab-{index}"), "object": "chat.completion", "created": 1, "model": model,
            "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(&calls) }],
            "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
        });
        if cut {
            let text = body.to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                text.len()
            );
            return Answer::Raw([head.as_bytes(), &text.as_bytes()[..text.len() / 2]].concat());
        }
        let mut response = Response::json(200, &body);
        response.delay = delay;
        Answer::Whole(response)
    }
}

impl Service for Model {
    fn answer(&self, request: &Request) -> Answer {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let chat = request.method == "POST" && request.path.ends_with("/chat/completions");
        let stream = body["stream"] == json!(true);
        let index = if chat {
            self.played.fetch_add(1, Ordering::SeqCst)
        } else {
            0
        };
        self.log.write(json!({
            "server": "model", "method": request.method, "path": request.path, "stream": stream,
            "turn": if chat { json!(index) } else { Value::Null },
            "token": self.tokens.label(request.header("authorization")),
            "bytes": request.body.len(), "body": body,
        }));
        if chat && body.is_object() {
            self.play(index, stream, body["model"].as_str().unwrap_or("lab"))
        } else if request.path.ends_with("/models") {
            let list = json!({ "object": "list", "data": [{ "id": "lab", "object": "model" }] });
            Answer::Whole(Response::json(200, &list))
        } else {
            let error = json!({ "error": { "message": "only POST …/chat/completions with a JSON body is known here" } });
            Answer::Whole(Response::json(404, &error))
        }
    }
}

/// Returns the calls of `turn` as (id, name, text of the arguments).
fn calls_of(index: usize, turn: &Value) -> Vec<(String, String, String)> {
    let list = turn["tool_calls"].as_array().cloned().unwrap_or_default();
    let one = |(at, call): (usize, &Value)| {
        let id = call["id"]
            .as_str()
            .map_or_else(|| format!("call_{index}_{at}"), str::to_owned);
        let arguments = match &call["arguments"] {
            Value::Null => "{}".to_owned(),
            Value::String(raw) => raw.clone(), // sent unchanged, since a real model may send text that is no JSON
            object => object.to_string(),
        };
        (
            id,
            call["name"].as_str().unwrap_or("").to_owned(),
            arguments,
        )
    };
    list.iter().enumerate().map(one).collect()
}

fn finish_reason(calls: &[(String, String, String)]) -> &'static str {
    if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

/// Returns a turn as server-sent events: the role, the text in pieces, and for each call its name and then its arguments in pieces.
fn stream_of(
    index: usize,
    model: &str,
    text: Option<&str>,
    calls: &[(String, String, String)],
) -> Vec<Vec<u8>> {
    let mut events = Vec::new();
    let mut push = |delta: Value, finish: Value| {
        let event = json!({
            "id": format!("chatcmpl-lab-{index}"), "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        });
        events.push(format!("data: {event}\n\n").into_bytes());
    };
    push(
        json!({ "role": "assistant", "content": text.map(|_| "") }),
        Value::Null,
    );
    for piece in pieces(text.unwrap_or("")) {
        push(json!({ "content": piece }), Value::Null);
    }
    for (at, (id, name, arguments)) in calls.iter().enumerate() {
        let first = json!({ "index": at, "id": id, "type": "function", "function": { "name": name, "arguments": "" } });
        push(json!({ "tool_calls": [first] }), Value::Null);
        for piece in pieces(arguments) {
            let next = json!({ "index": at, "function": { "arguments": piece } });
            push(json!({ "tool_calls": [next] }), Value::Null);
        }
    }
    push(json!({}), json!(finish_reason(calls)));
    events.push(b"data: [DONE]\n\n".to_vec());
    events
}

/// Splits `text` between characters into pieces of at most [`PIECE`] bytes.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    while !text.is_empty() {
        let mut at = PIECE.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (head, tail) = text.split_at(at);
        out.push(head);
        text = tail;
    }
    out
}
