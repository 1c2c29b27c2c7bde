//! Policy: the user's rows decide what happens with a call of each class.
//!
//! A row can only be as mild as its class allows: reads may run without a question, writes and unknown calls need a person's yes,
//! destructive and blocked calls stay refused.  A value that is not allowed, such as `atuo`, counts as `block` and is reported, so
//! that a typing error never loosens the policy.
//!
//! Besides the rows of classes there is the row `leases`, and a program can have rows for single acts of its calls ([`Act`]).

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

/// An act with a row of its own in a program's policy, whatever the class of the call that does it: `approve` of gh, which approves a
/// pull request.  Such a row takes `confirm` or `block`; without a row, the act is refused.
pub type Act = &'static str;

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
    /// The policy of this layer for `host`, of a program with the acts `acts`.
    pub fn policy(&self, host: &str, acts: &[Act]) -> Policy {
        let own = self
            .hosts
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(host));
        let rows: Rows = own
            .flat_map(|(_, rows)| rows)
            .chain(&self.general)
            .cloned()
            .collect();
        Policy::from_rows(&rows, acts)
    }
}

/// The policy of all `layers` together for `host`, of a program with the acts `acts`: for each class and each act the strictest answer.
/// The first layer is the user's.
///
/// So a host's rows replace the general rows of their own layer only, and a buffer's layer can only tighten the user's layer.
pub fn for_host(layers: &[Layer], host: &str, acts: &[Act]) -> Policy {
    let mut policies = layers.iter().map(|layer| layer.policy(host, acts));
    let users = policies.next().unwrap_or_default();
    policies.fold(users, |all, layer| all.tightened(&layer))
}

/// A policy: one answer for each class and for each act, and complaints about the rows that it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    answers: [Answer; 5],
    leases: bool,
    /// The acts that have a row, each with its answer.
    acts: Vec<(Act, Answer)>,
    /// One sentence for each row that was not accepted.
    pub complaints: Vec<String>,
}

impl Default for Policy {
    /// The policy without rows: each class has its mildest answer, and each act is refused.
    fn default() -> Self {
        Self {
            answers: CLASSES.map(mildest),
            leases: true,
            acts: Vec::new(),
            complaints: Vec::new(),
        }
    }
}

impl Policy {
    /// The policy of `rows`, of a program with the acts `acts`.  A class without a row keeps its mildest answer; only the first row of a
    /// class or an act counts.
    pub fn from_rows(rows: &[(String, String)], acts: &[Act]) -> Self {
        let mut policy = Self::default();
        let mut seen = [false; 5];
        let mut leases_seen = false;
        for (row, word) in rows {
            if row == LEASES {
                if !std::mem::replace(&mut leases_seen, true) {
                    policy.leases = policy.confirm_or_block(LEASES, word) == Answer::Confirm;
                }
                continue;
            }
            if let Some(act) = acts.iter().find(|act| **act == row.as_str()) {
                if policy.acts.iter().all(|(name, _)| name != act) {
                    let answer = policy.confirm_or_block(act, word);
                    policy.acts.push((*act, answer));
                }
                continue;
            }
            let Some(index) = CLASSES.iter().position(|c| c.as_str() == row) else {
                policy.complaints.push(no_such_row(row, acts));
                continue;
            };
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let class = CLASSES[index];
            policy.answers[index] = match Answer::parse(word) {
                Some(answer) if answer >= mildest(class) => answer,
                _ => policy.refused(class.as_str(), word, allowed(class)),
            };
        }
        policy
    }

    /// The answer `word` of a row that takes `confirm` or `block`.
    fn confirm_or_block(&mut self, row: &str, word: &str) -> Answer {
        match Answer::parse(word) {
            Some(answer) if answer >= Answer::Confirm => answer,
            _ => self.refused(row, word, "confirm or block"),
        }
    }

    /// The answer of a row with a value that the row does not take; notes a complaint.
    fn refused(&mut self, row: &str, word: &str, takes: &str) -> Answer {
        self.complaints.push(format!(
            "policy ({row} . {word}) is not allowed and counts as block; {row} takes {takes}"
        ));
        Answer::Block
    }

    /// This policy and `other` together: for each class and each act the stricter answer.  So a buffer tightens the user's policy: an
    /// act without a row in `other` keeps its answer, and one without a row here stays refused, whatever `other` says.
    #[must_use]
    pub fn tightened(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.answers.iter_mut().zip(other.answers) {
            *mine = (*mine).max(theirs);
        }
        self.leases &= other.leases;
        for (act, mine) in &mut self.acts {
            let theirs = other.acts.iter().find(|(name, _)| name == act);
            *mine = theirs.map_or(*mine, |(_, theirs)| (*mine).max(*theirs));
        }
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

    /// The answer for `act`.
    pub fn act(&self, act: Act) -> Answer {
        let row = self.acts.iter().find(|(name, _)| *name == act);
        row.map_or(Answer::Block, |(_, answer)| *answer)
    }

    /// The answer for a call of `class` that does `act`: the stricter of the two answers.
    pub fn answer_to(&self, class: Class, act: Option<Act>) -> Answer {
        let answer = self.answer(class);
        act.map_or(answer, |act| answer.max(self.act(act)))
    }
}

/// The complaint about a row of another name than the classes, `leases` and `acts` have.
fn no_such_row(row: &str, acts: &[Act]) -> String {
    let mut names: Vec<&str> = CLASSES.iter().map(|class| class.as_str()).collect();
    names.extend(acts);
    let names = names.join(", ");
    format!("policy row for `{row}': there is no such class; use {names} or {LEASES}")
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
            let p = Policy::from_rows(&rows(&[(class.as_str(), "auto")]), &[]);
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
        let p = Policy::from_rows(
            &rows(&[("destructive", "confirm"), ("blocked", "confirm")]),
            &[],
        );
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
            for_host(&layers, "github.com", &[]).answer(Class::Write),
            Answer::Confirm
        );
        let work = for_host(&layers, "GHE.example.com", &[]);
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
        let policy = for_host(&[layer], "github.com", &[]);
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
            let p = Policy::from_rows(&rows(&[("leases", word), ("leases", "confirm")]), &[]);
            assert_eq!(
                (p.leases(), p.complaints.len()),
                (allowed, complaints),
                "{word}"
            );
            assert_eq!(p.answer(Class::Write), Answer::Confirm, "{word}");
        }
        assert!(Policy::default().leases());
        let strict = Policy::from_rows(&rows(&[("leases", "block")]), &[]);
        assert!(!strict.clone().tightened(&Policy::default()).leases());
        assert!(!Policy::default().tightened(&strict).leases());
    }

    #[test]
    fn a_misspelt_value_blocks_and_a_misspelt_class_changes_nothing() {
        let p = Policy::from_rows(&rows(&[("read", "atuo"), ("reed", "block")]), &[]);
        assert_eq!(p.answer(Class::Read), Answer::Block);
        assert_eq!(p.answer(Class::Write), Answer::Confirm);
        assert_eq!(p.complaints.len(), 2);
    }

    #[test]
    fn a_buffers_policy_only_tightens_the_users() {
        let strict = Policy::from_rows(&rows(&[("write", "block")]), &[]);
        let mild = Policy::default();
        assert_eq!(
            mild.clone().tightened(&strict).answer(Class::Write),
            Answer::Block
        );
        assert_eq!(strict.tightened(&mild).answer(Class::Write), Answer::Block);
    }

    const ACTS: &[Act] = &["approve"];

    #[test]
    fn an_act_takes_confirm_or_block_and_is_refused_without_a_row() {
        for (given, answer, complaints) in [
            (&[][..], Answer::Block, 0),
            (&[("approve", "confirm")], Answer::Confirm, 0),
            (&[("approve", "block")], Answer::Block, 0),
            (&[("approve", "auto")], Answer::Block, 1),
            (&[("approve", "cofirm")], Answer::Block, 1),
            (&[("approve", "nil")], Answer::Block, 1),
            // Only the first row of an act counts.
            (
                &[("approve", "block"), ("approve", "confirm")],
                Answer::Block,
                0,
            ),
            (
                &[("approve", "confirm"), ("approve", "block")],
                Answer::Confirm,
                0,
            ),
            // A misspelt row allows nothing, and is complained of.
            (&[("aprove", "confirm")], Answer::Block, 1),
        ] {
            let p = Policy::from_rows(&rows(given), ACTS);
            assert_eq!(
                (p.act("approve"), p.complaints.len()),
                (answer, complaints),
                "{given:?}"
            );
            assert_eq!(p.answer(Class::Write), Answer::Confirm, "{given:?}");
        }
    }

    #[test]
    fn a_call_that_does_an_act_gets_the_stricter_of_two_answers() {
        let p = Policy::from_rows(&rows(&[("approve", "confirm")]), ACTS);
        assert_eq!(p.answer_to(Class::Write, Some("approve")), Answer::Confirm);
        assert_eq!(p.answer_to(Class::Read, Some("approve")), Answer::Confirm);
        assert_eq!(p.answer_to(Class::Read, None), Answer::Auto);
        assert_eq!(p.answer_to(Class::Blocked, Some("approve")), Answer::Block);
        let strict = Policy::from_rows(&rows(&[("approve", "confirm"), ("write", "block")]), ACTS);
        assert_eq!(
            strict.answer_to(Class::Write, Some("approve")),
            Answer::Block
        );
        assert_eq!(
            Policy::default().answer_to(Class::Write, Some("approve")),
            Answer::Block
        );
    }

    #[test]
    fn a_program_without_the_act_complains_of_its_row() {
        let p = Policy::from_rows(&rows(&[("approve", "confirm")]), &[]);
        assert_eq!(p.act("approve"), Answer::Block);
        assert_eq!(
            p.complaints,
            [
                "policy row for `approve': there is no such class; use read, write, destructive, blocked, unknown or leases"
            ]
        );
        let known = Policy::from_rows(&rows(&[("reed", "auto")]), ACTS);
        assert!(known.complaints[0].ends_with("unknown, approve or leases"));
    }

    #[test]
    fn only_the_users_own_layer_allows_an_act_and_each_further_layer_can_refuse_it() {
        let general = |word: &str| Layer {
            general: rows(&[("approve", word)]),
            hosts: Vec::new(),
        };
        let on_host = |word: &str| Layer {
            general: Vec::new(),
            hosts: vec![("github.com".into(), rows(&[("approve", word)]))],
        };
        let both = |all: &str, host: &str| Layer {
            general: rows(&[("approve", all)]),
            ..on_host(host)
        };
        let none = Layer::default;
        for (layers, here, elsewhere) in [
            (vec![], Answer::Block, Answer::Block),
            (vec![none()], Answer::Block, Answer::Block),
            (vec![general("confirm")], Answer::Confirm, Answer::Confirm),
            (vec![on_host("confirm")], Answer::Confirm, Answer::Block),
            (
                vec![both("block", "confirm")],
                Answer::Confirm,
                Answer::Block,
            ),
            (
                vec![both("confirm", "block")],
                Answer::Block,
                Answer::Confirm,
            ),
            // A buffer without the row leaves the user's answer; its row can refuse, and never allow.
            (
                vec![general("confirm"), none()],
                Answer::Confirm,
                Answer::Confirm,
            ),
            (
                vec![general("confirm"), general("block")],
                Answer::Block,
                Answer::Block,
            ),
            (
                vec![general("confirm"), none(), on_host("block")],
                Answer::Block,
                Answer::Confirm,
            ),
            (
                vec![general("confirm"), on_host("confirm")],
                Answer::Confirm,
                Answer::Confirm,
            ),
            (
                vec![none(), general("confirm")],
                Answer::Block,
                Answer::Block,
            ),
            (
                vec![none(), on_host("confirm"), general("confirm")],
                Answer::Block,
                Answer::Block,
            ),
            (
                vec![general("block"), general("confirm")],
                Answer::Block,
                Answer::Block,
            ),
            (
                vec![general("atuo"), general("confirm")],
                Answer::Block,
                Answer::Block,
            ),
        ] {
            let answer = |host| for_host(&layers, host, ACTS).act("approve");
            assert_eq!(
                (answer("GitHub.com"), answer("ghe.example.com")),
                (here, elsewhere),
                "{layers:?}"
            );
        }
    }
}
