//! Reads the arguments of a call, which are `KEY=VALUE` words: flags, hosts and other kinds that several tools take.

use super::host::Host;
use super::validate::{self, Check, Input, Verdict};
use crate::gate::{ErrorKind, Refusal};

/// The arguments of a call of one tool.
pub(super) struct Arguments<'a> {
    tool: &'static str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    /// Reads `words` for `tool`, which takes `keys`, each at most once.
    pub(super) fn read(
        tool: &'static str,
        keys: &[&str],
        words: &'a [String],
    ) -> Result<Self, Refusal> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if !keys.contains(&key) || given.iter().any(|(known, _)| *known == key) {
                return Err(bad(format!(
                    "{tool} does not take this argument, or takes it only once.\nIt takes {}.",
                    if keys.is_empty() {
                        "none".to_owned()
                    } else {
                        keys.join(", ")
                    }
                )));
            }
            given.push((key, value));
        }
        Ok(Self { tool, given })
    }

    /// The value of `key`, or `None` where the call does not have it.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.given
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, value)| *value)
    }

    /// The value of `key`, which must be given.
    pub(super) fn need(&self, key: &str) -> Result<&'a str, Refusal> {
        let tool = self.tool;
        self.get(key)
            .ok_or_else(|| bad(format!("{tool} needs `{key}'.\nCall again with it.")))
    }

    /// Whether `key` is `true`.
    pub(super) fn flag(&self, key: &str) -> Result<bool, Refusal> {
        match self.get(key) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(bad(format!(
                "`{key}' is true or false.\nCall again with it."
            ))),
        }
    }

    /// The host that `key` names, judged as far as possible without a look-up.
    pub(super) fn host(&self, key: &str) -> Result<Host, Refusal> {
        let host = Host {
            // Models often add a blank, which means nothing.
            name: self.need(key)?.trim_matches(' ').to_owned(),
            external: self.flag("external")?,
        };
        if host.to_look_up().is_some() {
            let judged = validate::host_name(&host.name);
            match judged.verdict {
                Verdict::Allow => {}
                Verdict::Reject => return Err(refused(key, &judged.reason)),
                Verdict::Confirm => {
                    return Err(Refusal::new(
                        ErrorKind::PolicyBlocked,
                        format!(
                            "`{key}' is refused: {}\nLook it up with dns_lookup, then give the address.",
                            judged.reason
                        ),
                    ));
                }
            }
        } else {
            let judged = host.judge(&[]);
            if judged.verdict == Verdict::Reject {
                return Err(refused(key, &judged.reason));
            }
        }
        Ok(host)
    }

    /// The value of `key` in its canonical spelling, or `None` where the call does not have it.
    pub(super) fn pinned(&self, key: &str, check: Check) -> Result<Option<String>, Refusal> {
        self.get(key)
            .map(|text| pinned(key, check, text))
            .transpose()
    }
}

/// The value `text` of argument `key` in its canonical spelling: port list `80,79` becomes `79-80`.
pub(super) fn pinned(key: &str, check: Check, text: &str) -> Result<String, Refusal> {
    let judged = validate::validate(check, Input::Text(text), &[]);
    match judged.pinned {
        Some(pinned) if judged.verdict != Verdict::Reject => Ok(pinned),
        _ => Err(refused(key, &judged.reason)),
    }
}

/// A refusal of argument `key`: one line says what is wrong, the next what to do.
pub(super) fn refused(key: &str, reason: &str) -> Refusal {
    let (what, then) = reason
        .split_once(". ")
        .unwrap_or((reason.trim_end_matches('.'), "Give another."));
    Refusal::new(
        ErrorKind::PolicyBlocked,
        format!("`{key}' is refused: {what}.\n{then}"),
    )
}

/// A refusal of a malformed call: one line of `message` says what is wrong, the next what to do.
pub(super) fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorKind::BadArgument, message)
}
