//! Policy: the user's rows decide what happens with a call of each class.
//!
//! A row can only be as mild as its class allows: reads may run without a question, writes and unknown calls need a person's yes,
//! destructive and blocked calls stay refused.  A value that is not allowed, such as `atuo`, counts as `block` and is reported, so
//! that a typing error never loosens the policy.

use crate::gate::decide::class::Class;

/// The policy's answer for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// The call runs without a question.
    Auto,
    /// The call waits for a person's key.
    Confirm,
    /// The call is refused.
    Block,
}

impl Answer {
    /// The name in a policy row, in the record and in the log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Confirm => "confirm",
            Self::Block => "block",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Auto, Self::Confirm, Self::Block]
            .into_iter()
            .find(|a| a.as_str() == word)
    }
}

/// The mildest answer that a class may have.
const fn mildest(class: Class) -> Answer {
    match class {
        Class::Read => Answer::Auto,
        Class::Write | Class::Unknown => Answer::Confirm,
        Class::Destructive | Class::Blocked => Answer::Block,
    }
}

const CLASSES: [Class; 5] = [
    Class::Read,
    Class::Write,
    Class::Destructive,
    Class::Blocked,
    Class::Unknown,
];

/// The name of the row that allows leases (`confirm`) or forbids them (`block`).
const LEASES: &str = "leases";

/// The rows from Lisp, each a class and an answer: `("write", "confirm")`.
pub type Rows = Vec<(String, String)>;

/// The rows from one place: the user's options, or a buffer's.  A host's rows replace the general rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The rows for every host.
    pub general: Rows,
    /// The rows for single hosts, each with the host's name.
    pub hosts: Vec<(String, Rows)>,
}

impl Layer {
    /// The policy of this layer for `host`.
    pub fn policy(&self, host: &str) -> Policy {
        let own = self
            .hosts
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(host));
        let rows: Rows = own
            .flat_map(|(_, rows)| rows)
            .chain(&self.general)
            .cloned()
            .collect();
        Policy::from_rows(&rows)
    }
}

/// The policy of all `layers` together for `host`: for each class the strictest answer.
///
/// So a host's rows replace the general rows of their own layer only, and a buffer's layer can only tighten the user's layer.
pub fn for_host(layers: &[Layer], host: &str) -> Policy {
    layers.iter().fold(Policy::default(), |all, layer| {
        all.tightened(&layer.policy(host))
    })
}

/// A policy: one answer for each class, and complaints about the rows that it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    answers: [Answer; 5],
    leases: bool,
    /// One sentence for each row that was not accepted.
    pub complaints: Vec<String>,
}

impl Default for Policy {
    /// The policy without rows: each class has its mildest answer.
    fn default() -> Self {
        Self {
            answers: CLASSES.map(mildest),
            leases: true,
            complaints: Vec::new(),
        }
    }
}

impl Policy {
    /// The policy of `rows`.  A class without a row keeps its mildest answer; only the first row of a class counts.
    pub fn from_rows(rows: &[(String, String)]) -> Self {
        let mut policy = Self::default();
        let mut seen = [false; 5];
        let mut leases_seen = false;
        for (class_word, answer_word) in rows {
            if class_word == LEASES {
                if !std::mem::replace(&mut leases_seen, true) {
                    policy.leases = answer_word == Answer::Confirm.as_str();
                    if !policy.leases && answer_word != Answer::Block.as_str() {
                        policy.complaints.push(format!(
                            "policy ({LEASES} . {answer_word}) is not allowed and counts as block; {LEASES} takes confirm or block"
                        ));
                    }
                }
                continue;
            }
            let Some(index) = CLASSES.iter().position(|c| c.as_str() == class_word) else {
                policy.complaints.push(format!(
                    "policy row for `{class_word}': there is no such class; use read, write, destructive, blocked, unknown or leases"
                ));
                continue;
            };
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let class = CLASSES[index];
            policy.answers[index] = match Answer::parse(answer_word) {
                Some(answer) if answer >= mildest(class) => answer,
                _ => {
                    policy.complaints.push(format!(
                        "policy ({class} . {answer_word}) is not allowed and counts as block; {class} takes {}",
                        allowed(class)
                    ));
                    Answer::Block
                }
            };
        }
        policy
    }

    /// This policy and `other` together: for each class the stricter answer.  So a buffer tightens the user's policy.
    #[must_use]
    pub fn tightened(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.answers.iter_mut().zip(other.answers) {
            *mine = (*mine).max(theirs);
        }
        self.leases &= other.leases;
        self.complaints.extend(other.complaints.iter().cloned());
        self
    }

    /// Whether a person may give a lease.
    pub fn leases(&self) -> bool {
        self.leases
    }

    /// The answer for `class`.
    pub fn answer(&self, class: Class) -> Answer {
        let index = CLASSES
            .iter()
            .position(|c| *c == class)
            .expect("CLASSES names every class");
        self.answers[index]
    }
}

fn allowed(class: Class) -> &'static str {
    match mildest(class) {
        Answer::Auto => "auto, confirm or block",
        Answer::Confirm => "confirm or block",
        Answer::Block => "block",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(pairs: &[(&str, &str)]) -> Rows {
        pairs
            .iter()
            .map(|(a, b)| ((*a).into(), (*b).into()))
            .collect()
    }

    #[test]
    fn auto_is_accepted_for_the_class_read_alone() {
        for class in CLASSES {
            let p = Policy::from_rows(&rows(&[(class.as_str(), "auto")]));
            let want = if class == Class::Read {
                Answer::Auto
            } else {
                Answer::Block
            };
            assert_eq!(p.answer(class), want, "{class}");
            assert_eq!(p.complaints.is_empty(), class == Class::Read, "{class}");
        }
    }

    #[test]
    fn destructive_and_blocked_calls_stay_refused_under_confirm() {
        let p = Policy::from_rows(&rows(&[("destructive", "confirm"), ("blocked", "confirm")]));
        assert_eq!(p.answer(Class::Destructive), Answer::Block);
        assert_eq!(p.answer(Class::Blocked), Answer::Block);
        assert_eq!(p.complaints.len(), 2);
    }

    #[test]
    fn a_host_can_be_read_only_while_the_others_ask() {
        let layer = Layer {
            general: rows(&[("read", "auto"), ("write", "confirm")]),
            hosts: vec![(
                "ghe.example.com".into(),
                rows(&[("write", "block"), ("unknown", "block")]),
            )],
        };
        let layers = [layer];
        assert_eq!(
            for_host(&layers, "github.com").answer(Class::Write),
            Answer::Confirm
        );
        let work = for_host(&layers, "GHE.example.com");
        assert_eq!(work.answer(Class::Write), Answer::Block);
        assert_eq!(
            work.answer(Class::Read),
            Answer::Auto,
            "a class without a row for the host keeps its general answer"
        );
    }

    #[test]
    fn a_hosts_rows_replace_the_general_ones_within_the_limits_of_each_class() {
        let layer = Layer {
            general: rows(&[("write", "block")]),
            hosts: vec![(
                "github.com".into(),
                rows(&[("write", "confirm"), ("destructive", "auto")]),
            )],
        };
        let policy = for_host(&[layer], "github.com");
        assert_eq!(policy.answer(Class::Write), Answer::Confirm);
        assert_eq!(policy.answer(Class::Destructive), Answer::Block);
        assert_eq!(policy.complaints.len(), 1);
    }

    #[test]
    fn leases_take_confirm_or_block_and_any_other_word_counts_as_block() {
        for (word, allowed, complaints) in [
            ("confirm", true, 0),
            ("block", false, 0),
            ("auto", false, 1),
            ("t", false, 1),
        ] {
            let p = Policy::from_rows(&rows(&[("leases", word), ("leases", "confirm")]));
            assert_eq!(
                (p.leases(), p.complaints.len()),
                (allowed, complaints),
                "{word}"
            );
            assert_eq!(p.answer(Class::Write), Answer::Confirm, "{word}");
        }
        assert!(Policy::default().leases());
        let strict = Policy::from_rows(&rows(&[("leases", "block")]));
        assert!(!strict.clone().tightened(&Policy::default()).leases());
        assert!(!Policy::default().tightened(&strict).leases());
    }

    #[test]
    fn a_misspelt_value_blocks_and_a_misspelt_class_changes_nothing() {
        let p = Policy::from_rows(&rows(&[("read", "atuo"), ("reed", "block")]));
        assert_eq!(p.answer(Class::Read), Answer::Block);
        assert_eq!(p.answer(Class::Write), Answer::Confirm);
        assert_eq!(p.complaints.len(), 2);
    }

    #[test]
    fn a_buffers_policy_only_tightens_the_users() {
        let strict = Policy::from_rows(&rows(&[("write", "block")]));
        let mild = Policy::default();
        assert_eq!(
            mild.clone().tightened(&strict).answer(Class::Write),
            Answer::Block
        );
        assert_eq!(strict.tightened(&mild).answer(Class::Write), Answer::Block);
    }
}
