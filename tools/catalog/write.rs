//! The catalog as JSON, with one flag a line, so that a diff of two versions reads well.

use std::fmt::Write as _;

use crate::ask::{Asked, Command, Flag};

/// The whole catalog, ending in a newline.
pub fn json(asked: &Asked) -> String {
    let mut out = String::new();
    let commands: Vec<String> = asked.commands.iter().map(command).collect();
    let _ = writeln!(
        out,
        "{{\"version\": {},\n\"commands\": [\n{}\n]}}",
        quoted(&asked.version),
        commands.join(",\n")
    );
    out
}

fn command(command: &Command) -> String {
    let flags: Vec<String> = command.flags.iter().map(flag).collect();
    let mut out = format!(
        "{{\"path\": {}, \"runs\": {}, \"hidden\": {}, \"parses_flags\": {}, \"host\": {}, \"positionals\": {},\n \"aliases\": {}",
        quoted(&command.path),
        command.runs,
        command.hidden,
        command.parses_flags,
        quoted(command.host()),
        quoted(command.positionals),
        list(&command.aliases),
    );
    if !command.json.is_empty() {
        let _ = write!(out, ",\n \"json\": {}", list(&command.json));
    }
    if !flags.is_empty() {
        let _ = write!(out, ",\n \"flags\": [\n  {}\n ]", flags.join(",\n  "));
    }
    out.push('}');
    out
}

fn flag(flag: &Flag) -> String {
    let mut out = format!("{{\"name\": {}", quoted(&flag.name));
    if let Some(short) = flag.short {
        let _ = write!(out, ", \"short\": {}", quoted(&short.to_string()));
    }
    let _ = write!(out, ", \"takes\": {}", quoted(flag.takes));
    if flag.inherited {
        out.push_str(", \"inherited\": true");
    }
    if flag.hidden {
        out.push_str(", \"hidden\": true");
    }
    out.push('}');
    out
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|w| quoted(w)).collect();
    format!("[{}]", words.join(", "))
}

/// `text` as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
