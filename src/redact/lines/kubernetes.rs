//! Kubernetes Secrets: the values under `data` and `stringData` of an object whose `kind` is Secret.
//!
//! The kind may stand before or after its data (`kubectl get -o yaml` sorts the keys), in block or flow YAML, in JSON, in
//! a list, in a diff and in a log (kubernetes.io/docs/concepts/configuration/secret).

use crate::redact::layout::columns::{line, margin, next};
use crate::redact::layout::members::{self, Entry, Member, entry};
use crate::redact::section::Section;
use crate::redact::span::Span;
use crate::redact::words::value::placeholder;

/// An object is read no further than this many bytes to either side of `kind: Secret`.
const REACH: usize = 32 * 1024;
/// A longer line, in bytes, is not read.
const LINE: usize = 8 * 1024;

/// Where the last `kind: Secret` ended: the search for the object of the next one stops there.
#[derive(Default)]
pub(in crate::redact) struct Memory {
    last: usize,
}

/// Tried at the word `secret` in any case; only `Secret` behind `kind:` counts.
pub(in crate::redact) fn find(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    memory: &mut Memory,
    sections: &mut Vec<Section>,
    out: &mut Vec<Span>,
) {
    let ends = text
        .get(hit_end)
        .is_none_or(|byte| !(byte.is_ascii_alphanumeric() || b"_-./:".contains(byte)));
    if &text[hit..hit_end] != b"Secret" || !ends || !kind_before(&text[..hit]) {
        return;
    }
    let last = std::mem::replace(&mut memory.last, hit_end);
    let reach = REACH.min(hit - last.min(hit));
    if let Some((members, _)) = members::flow(text, hit, reach, REACH) {
        for member in &members {
            if let Some(open) = member.open.filter(|_| has_values(text, member)) {
                flow_object(text, open, out);
            }
        }
        return;
    }
    let Some((start, end)) = line(text, hit, LINE) else {
        return;
    };
    let Some(here) = entry(text, start, end) else {
        return;
    };
    let first = top(text, start, &here, last);
    block_object(text, first, here.column, hit, sections, out);
}

/// True where `before` ends in `kind:`, quoted or not.
fn kind_before(before: &[u8]) -> bool {
    let quote = |text: &[u8]| {
        let len = text.len();
        len - usize::from(matches!(text.last(), Some(b'"' | b'\'')))
    };
    let before = &before[..quote(before)];
    let before = before.trim_ascii_end();
    let Some(before) = before.strip_suffix(b":") else {
        return false;
    };
    let before = before.trim_ascii_end();
    let before = &before[..quote(before)];
    before.ends_with(b"kind")
        && before[..before.len() - 4]
            .last()
            .is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// True for the members of a Secret that hold its values.
fn has_values(text: &[u8], member: &Member) -> bool {
    matches!(&text[member.key.0..member.key.1], b"data" | b"stringData")
}

/// The first line of the object, found upwards from the line of its kind.
fn top(text: &[u8], start: usize, here: &Entry, last: usize) -> usize {
    let mut first = start;
    let mut item = here.item;
    while !item && first > last && start - first < REACH {
        let Some((from, end)) = line(text, first - 1, LINE) else {
            break;
        };
        if text[from + margin(&text[from..end])..end].starts_with(b"---") {
            break;
        }
        match entry(text, from, end) {
            Some(entry) if entry.column < here.column => break,
            Some(entry) => item = entry.item && entry.column == here.column,
            None => {}
        }
        first = from;
    }
    first
}

/// Masks the values of the object in block YAML whose first line begins at `first` and whose kind stands at `hit`.
fn block_object(
    text: &[u8],
    first: usize,
    column: usize,
    hit: usize,
    sections: &mut Vec<Section>,
    out: &mut Vec<Span>,
) {
    let mut inside: Option<(usize, usize)> = None; // where the open section begins, and the end of its last line
    let mut literal: Option<usize> = None;
    let mut lines = line(text, first, LINE);
    let close = |inside: Option<(usize, usize)>, sections: &mut Vec<Section>| {
        if let Some((from, end)) = inside {
            let indent = " ".repeat(column);
            sections.push(Section {
                head: format!("{indent}kind: Secret\n{indent}data:\n").into_bytes(),
                from,
                end,
            });
        }
    };
    while let Some((start, end)) = lines {
        let past = end + usize::from(text.get(end) == Some(&b'\r'));
        lines = next(text, past, LINE);
        let from = start + margin(&text[start..end]).min(end - start);
        if text[from..end].starts_with(b"---") && start > first {
            break;
        }
        let Some(entry) = entry(text, start, end) else {
            continue;
        };
        let deeper = entry.column > column;
        if !deeper && start > hit && (entry.column < column || entry.item) {
            break;
        }
        let another = entry
            .member
            .is_some_and(|member| &text[member.key.0..member.key.1] == b"kind");
        if entry.column == column && start > hit && another {
            break;
        }
        if !deeper {
            close(inside.take(), sections);
            literal = None;
            let Some(member) = entry.member.filter(|member| has_values(text, member)) else {
                continue;
            };
            if text.get(member.value.0) == Some(&b'{') {
                flow_object(text, member.value.0 + 1, out);
            } else if member.value.0 == member.value.1 {
                inside = Some((past + 1, past));
            }
            continue;
        }
        let Some(section) = &mut inside else { continue };
        section.1 = past;
        if let Some(column) = literal {
            if entry.column > column {
                mask(text, from + entry.column, end, out);
                continue;
            }
            literal = None;
        }
        match entry.member {
            Some(own) => {
                let value = &text[own.value.0..own.value.1];
                if value.starts_with(b"|") || value.starts_with(b">") || value.starts_with(b"!!") {
                    literal = Some(entry.column);
                } else {
                    member(text, &own, out);
                }
            }
            None => mask(text, from + entry.column, end, out),
        }
    }
    close(inside, sections);
}

/// True for keys of a Secret whose value is no secret: they say where and who, as `host` and `username` do.
pub(in crate::redact) fn plain_key(key: &[u8]) -> bool {
    [
        "username",
        "user",
        "host",
        "hostname",
        "port",
        "dbname",
        "database",
        "region",
        "namespace",
        "endpoint",
    ]
    .iter()
    .any(|known| key.eq_ignore_ascii_case(known.as_bytes()))
}

fn member(text: &[u8], member: &Member, out: &mut Vec<Span>) {
    let (from, to) = member.value;
    if to - from > 32 || !plain_key(&text[member.key.0..member.key.1]) {
        mask(text, from, to, out);
    }
}

/// Masks the values of the object in JSON or flow YAML whose members begin at `open`.
fn flow_object(text: &[u8], open: usize, out: &mut Vec<Span>) {
    let (members, _) = members::inside(text, open, REACH);
    for own in members.iter().filter(|member| member.open.is_none()) {
        member(text, own, out);
    }
}

fn mask(text: &[u8], from: usize, to: usize, out: &mut Vec<Span>) {
    if from < to && !placeholder(&text[from..to]) {
        out.push(Span {
            start: from,
            end: to,
            name: "kubernetes-secret",
        });
    }
}
