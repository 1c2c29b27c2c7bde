//! The stand-in model, asked over a socket as gptel's curl does: a plain and a streaming answer hold the same text and calls.

use crate::lab::{self, Lab};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

const SCRIPT: &str = r#"[
  { "text": "Wait — I look. é😀", "tool_calls": [{ "name": "gh_pr_view", "arguments": { "number": 1, "repo": "ö/r" } }, { "name": "gh", "arguments": "{not json" }] },
  { "text": "All done." },
  { "status": 429, "text": "slow down" },
  { "text": "a long text that will be cut in the middle", "cut": true }
]"#;

/// Sends one request on a connection of its own; returns the status line and the body with its chunks joined.
fn ask(port: u64, stream: bool) -> (String, String) {
    let body = json!({ "model": "fake-model", "stream": stream, "messages": [{ "role": "user", "content": "hello" }] }).to_string();
    let mut wire = TcpStream::connect(("127.0.0.1", u16::try_from(port).expect("a port")))
        .expect("the model listens");
    write!(wire, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", lab::WORK, body.len()).expect("the request goes out");
    let mut answer = String::new();
    wire.read_to_string(&mut answer)
        .expect("the answer is UTF-8");
    let (head, rest) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.lines().next().unwrap_or("").to_owned();
    if !head.contains("chunked") {
        return (status, rest.to_owned());
    }
    let (mut out, mut rest) = (String::new(), rest);
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a chunk's size");
        out.push_str(&more[..size]);
        rest = &more[size + 2..];
    }
    (status, out)
}

fn start() -> (Lab, u64) {
    let dir = lab::fresh_dir();
    let script = dir.join("script.json");
    std::fs::write(&script, SCRIPT).expect("the script can be written");
    let lab = Lab::start(&["--script", script.to_str().expect("a plain path")]);
    std::fs::remove_dir_all(dir).expect("the lab has read its script");
    let port = lab.ready()["port"].as_u64().expect("a port");
    (lab, port)
}

/// The text and the calls (name, arguments) that the server-sent events `events` add up to.  Each piece has at most 7 bytes.
fn joined(events: &str) -> (String, Vec<(String, String)>) {
    let (mut text, mut calls) = (String::new(), Vec::<(String, String)>::new());
    for event in events.split("\n\n").filter(|event| !event.is_empty()) {
        let data = event.strip_prefix("data: ").expect("an event is data");
        if data == "[DONE]" {
            return (text, calls);
        }
        let value: Value = serde_json::from_str(data).expect("an event is JSON");
        let delta = &value["choices"][0]["delta"];
        text.push_str(delta["content"].as_str().unwrap_or(""));
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            if let Some(name) = function["name"].as_str() {
                assert_eq!(call["index"], calls.len(), "the name comes first");
                calls.push((name.to_owned(), String::new()));
            }
            let piece = function["arguments"].as_str().expect("arguments are text");
            assert!(piece.len() <= 7, "a piece of {} bytes", piece.len());
            calls
                .last_mut()
                .expect("a name came before")
                .1
                .push_str(piece);
        }
    }
    panic!("no [DONE]");
}

#[test]
fn a_script_is_played_alike_plain_and_streaming() {
    let calls = |value: &Value| {
        let list = value["choices"][0]["message"]["tool_calls"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let one = |call: &Value| {
            ["name", "arguments"]
                .map(|name| call["function"][name].as_str().unwrap_or("").to_owned())
        };
        list.iter()
            .map(one)
            .map(|[name, arguments]| (name, arguments))
            .collect::<Vec<_>>()
    };
    let (plain, port) = start();
    let first: Value = serde_json::from_str(&ask(port, false).1).expect("the text is JSON");
    let (streaming, stream_port) = start();
    let (text, streamed) = joined(&ask(stream_port, true).1);
    assert_eq!(first["choices"][0]["message"]["content"], text);
    assert_eq!(text, "Wait — I look. é😀");
    assert_eq!(calls(&first), streamed);
    assert_eq!(streamed[1], ("gh".to_owned(), "{not json".to_owned()));
    assert_eq!(first["choices"][0]["finish_reason"], "tool_calls");

    assert_eq!(
        joined(&ask(stream_port, true).1),
        ("All done.".to_owned(), Vec::new())
    );
    let (status, body) = ask(stream_port, true);
    assert!(
        status.contains("429") && body.contains("slow down"),
        "{status} {body}"
    );
    assert!(
        !ask(stream_port, true).1.contains("[DONE]"),
        "the cut turn was whole"
    );
    assert_eq!(joined(&ask(stream_port, true).1).0, "done");

    let turns = streaming.turns();
    assert_eq!(turns.len(), 5);
    assert!(
        turns
            .iter()
            .enumerate()
            .all(|(index, turn)| turn["turn"] == index
                && turn["stream"] == true
                && turn["token"] == "work")
    );
    assert_eq!(turns[0]["body"]["messages"][0]["content"], "hello");
    assert_eq!(plain.turns().len(), 1);
}

#[test]
fn a_malformed_script_is_refused_before_a_port_is_given() {
    let dir = lab::fresh_dir();
    for script in ["[{\"txt\": 1}]", "{}", "no json"] {
        let file = dir.join("script.json");
        std::fs::write(&file, script).expect("the script can be written");
        let path = |name: &str| dir.join(name).to_str().expect("a plain path").to_owned();
        let ran = lab::lab(
            &[
                "model",
                "--script",
                &path("script.json"),
                "--log",
                &path("log"),
                "--port-file",
                &path("port"),
            ],
            "",
        );
        assert_eq!(ran.code, Some(2), "{script}: {}", ran.stderr);
        assert!(!dir.join("port").exists());
    }
    let _ = std::fs::remove_dir_all(dir);
}
