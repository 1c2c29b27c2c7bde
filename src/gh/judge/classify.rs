//! The verdict on an argv: the strictest of all findings about its command, flags and values.
//!
//! Only three things lower the class: `--help`, a boolean set to false, `issue develop --list`.

use super::api;
use super::approval::{Approval, approval};
use super::finding::{Finding, rank};
use super::jq::{self, Program};
use super::values;
use crate::gate::Class;
use crate::gh::catalog::{Arity, Catalog};
use crate::gh::needs::{Needs, Standing};
use crate::gh::parse::{self, GivenFlag, Named, Parsed, Problem};
use crate::gh::rows::{FlagEffect, Shape};
use crate::redact::Redactor;

crate::foreign::debug_by_name!(Verdict);

/// The size in bytes at which the kernel refuses one argument (`MAX_ARG_STRLEN`).
pub const ARGUMENT_LIMIT: usize = 131_072;

/// Bytes that all arguments may have together: by default, Linux starts no program with more.
pub const ARGV_LIMIT: usize = 2 * 1024 * 1024;

/// Arguments that a call may have: far more than a person writes, and few enough that a judgement never takes long.
pub const ARGUMENTS: usize = 65_536;

/// Characters of an unknown word that a reason repeats.
const SHOWN: usize = 40;

/// The judgement of an argv.
#[derive(Clone)]
pub struct Verdict {
    /// The class.
    pub class: Class,
    /// The canonical command, such as `pr view`; for an unknown command, the part that was understood.
    pub command: String,
    /// Why: a sentence for a person.
    pub reason: String,
    /// Whether the call approves a pull request, or could; `None` where it does not.
    pub approval: Option<Approval>,
    /// The parsed call, where the command is in the catalog.
    pub parsed: Option<Parsed>,
}

/// Judges `argv`, which has no leading `gh`, by the built-in catalog.
pub fn classify(argv: &[String]) -> Verdict {
    classify_in(Catalog::get(), argv)
}

/// Judges `argv` by another catalog than the built-in one.
pub fn classify_in(catalog: &'static Catalog, argv: &[String]) -> Verdict {
    classify_with(catalog, argv, &|_| Standing::Unasked)
}

/// Judges `argv` for an installed gh; `standing` tells whether that gh meets the needs of the call.
pub fn classify_for(argv: &[String], standing: &dyn Fn(&Needs) -> Standing) -> Verdict {
    classify_with(Catalog::get(), argv, standing)
}

fn classify_with(
    catalog: &'static Catalog,
    argv: &[String],
    standing: &dyn Fn(&Needs) -> Standing,
) -> Verdict {
    let refused = |reason: &str| verdict(Class::Blocked, String::new(), reason.to_owned(), None);
    if argv.iter().any(|a| a.contains('\0')) {
        return refused("An argument holds a NUL, which would cut it short.");
    }
    if argv.iter().any(|a| a.len() >= ARGUMENT_LIMIT) {
        return refused("An argument is longer than the system can pass on.");
    }
    if argv.len() > ARGUMENTS || argv.iter().map(String::len).sum::<usize>() > ARGV_LIMIT {
        return refused("There are more arguments than one call may have.");
    }
    if argv.is_empty() {
        let reason = "No command is given.".to_owned();
        return verdict(Class::Unknown, String::new(), reason, None);
    }
    match parse::parse(catalog, argv) {
        Named::Unknown { group, word } => {
            let command = format!("{group} {}", shown(&word)).trim().to_owned();
            let reason = format!(
                "`gh {command}` is not a built-in command of every supported gh: it could be an alias or an extension, which run anything."
            );
            verdict(Class::Unknown, command, reason, None)
        }
        Named::Command(call) => {
            let standing = standing(&Needs::of(catalog, &call));
            judge(catalog, *call, &standing)
        }
    }
}

/// A word from argv for a sentence: cut to [`SHOWN`] characters, tokens redacted, invisible characters spelled out.
fn shown(word: &str) -> String {
    let word = &Redactor::new(&[]).text(word);
    let mut text: String = word
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}

fn verdict(class: Class, command: String, reason: String, parsed: Option<Parsed>) -> Verdict {
    Verdict {
        class,
        command,
        reason,
        approval: parsed.as_ref().and_then(approval),
        parsed,
    }
}

impl Verdict {
    /// The verdict after the installed gh was asked: where `standing` says that this gh lacks the command or a flag, the call is unknown.
    #[must_use]
    pub fn given(mut self, standing: &Standing) -> Self {
        if let Standing::Lacks(why) = standing
            && rank(Class::Unknown) > rank(self.class)
        {
            self.class = Class::Unknown;
            self.reason = sentence(&self.command, why);
        }
        self
    }
}

/// The reason of a verdict on `command`, from the reason of its strictest finding.
fn sentence(command: &str, finding: &str) -> String {
    let blank = if command.is_empty() { "" } else { " " };
    ["`gh", blank, command, "` ", finding, "."].concat()
}

fn judge(catalog: &'static Catalog, call: Parsed, standing: &Standing) -> Verdict {
    let finding = find(catalog, &call, standing);
    let command = call.leaf.path.clone();
    let reason = sentence(&command, &finding.reason);
    verdict(finding.class, command, reason, Some(call))
}

/// The strictest of all findings about `call`.
fn find(catalog: &'static Catalog, call: &Parsed, standing: &Standing) -> Finding {
    let mut found = Vec::new();
    if let Standing::Lacks(why) = standing {
        found.push(Finding::new(Class::Unknown, why.clone()));
    } else if !call.everywhere && *standing != Standing::Has {
        found.push(Finding::new(
            Class::Unknown,
            "is not a built-in command of every supported gh: where it is not, it could be an alias or an extension",
        ));
    }
    // `--json` without fields only prints the names of the fields; gh sends nothing for it.
    let harmless = |p: &&Problem| **p != Problem::MissingValue("--json".to_owned());
    for problem in call.problems.iter().filter(harmless) {
        let reason = match problem {
            Problem::UnknownFlag(flag) => format!("has no known flag {}", shown(flag)),
            Problem::MissingValue(flag) => format!("lacks the value of {}", shown(flag)),
            Problem::BadBoolean(flag) | Problem::BadSyntax(flag) => {
                format!("does not take {}", shown(flag))
            }
        };
        found.push(Finding::new(Class::Unknown, reason));
    }
    if call.leaf.path == "help" {
        found.push(help_about(catalog, call, standing));
    } else if call.help && call.leaf.parses_flags {
        found.push(Finding::new(Class::Read, "only prints help"));
    } else if call.leaf.runs {
        effects(call, &mut found);
    } else if !call.positionals.is_empty() {
        found.push(Finding::new(
            Class::Unknown,
            "is a group, and takes no words of its own",
        ));
    } else if call.is_on("version") {
        found.push(Finding::new(Class::Read, "prints the version"));
    } else {
        found.push(Finding::new(Class::Read, "only prints help"));
    }
    let mut winner = Finding::new(Class::Read, "only prints help");
    for finding in found {
        if rank(finding.class) > rank(winner.class)
            || (winner.class == Class::Read && finding.class == Class::Read)
        {
            winner = finding;
        }
    }
    winner
}

/// `gh help WORD...` does what `gh WORD... --help` does: harmless where the words name a built-in command, else code of an extension may run.
fn help_about(catalog: &'static Catalog, call: &Parsed, standing: &Standing) -> Finding {
    let words: Vec<String> = call.positionals.iter().map(|p| p.text.clone()).collect();
    if words.is_empty() {
        return Finding::new(Class::Read, "prints help");
    }
    // gh passes flags on to the command; and after `--`, the `--help` that gh adds would be a mere word.
    let plain = call.flags.is_empty() && call.dashes.is_none();
    match parse::parse(catalog, &words) {
        Named::Command(about)
            if plain
                && (about.everywhere || *standing == Standing::Has)
                && about.leaf.parses_flags
                && about.problems.is_empty() =>
        {
            Finding::new(Class::Read, "prints help")
        }
        _ => Finding::new(
            Class::Unknown,
            "runs an alias or an extension of that name with --help, if there is one",
        ),
    }
}

/// Adds the findings of the rows of the command, its shape and its flags.
fn effects(call: &Parsed, found: &mut Vec<Finding>) {
    let Some(row) = call.leaf.row else {
        found.push(Finding::new(
            Class::Unknown,
            "is a command about which nothing is decided",
        ));
        return;
    };
    let mut own = Finding::new(row.does.class(), row.reason);
    for (given, counts) in call.flags.iter().zip(counting(call)) {
        match flag_finding(given, counts) {
            FlagFinding::None => {}
            FlagFinding::Found(finding) => found.push(finding),
            FlagFinding::Instead(finding) => own = finding,
        }
    }
    found.push(own);
    values::judge(call, found);
    if let Some(also) = row.also.filter(|also| has_shape(call, also.shape)) {
        found.push(Finding::new(also.does.class(), also.reason));
    }
    if call.leaf.path == "api" {
        found.extend(api::judge(call));
    }
}

fn has_shape(call: &Parsed, shape: Shape) -> bool {
    match shape {
        Shape::UrlPositional => call.positionals.iter().any(|p| p.text.contains("://")),
        Shape::PositionalsBeyond(most) => call.positionals.len() > most,
        Shape::NoPositional => call.positionals.is_empty(),
        Shape::Without(flag) => call.value(flag).is_none_or(str::is_empty),
    }
}

enum FlagFinding {
    None,
    Found(Finding),
    Instead(Finding),
}

/// Which of the call's flags count.  Of a boolean given several times only the last counts, and only if it is on.  Every other flag counts: gh
/// may use a value that a later one overrules.
fn counting(call: &Parsed) -> Vec<bool> {
    let mut decided: Vec<&str> = Vec::new();
    let mut counts: Vec<bool> = call
        .flags
        .iter()
        .rev()
        .map(|given| {
            let name = given.flag.name.as_str();
            if given.flag.arity != Arity::Nothing {
                return true;
            }
            let last = !decided.contains(&name);
            if last {
                decided.push(name);
            }
            last && given.on() != Some(false)
        })
        .collect();
    counts.reverse();
    counts
}

fn flag_finding(given: &GivenFlag, counts: bool) -> FlagFinding {
    let name = given.flag.name.as_str();
    let Some(row) = given.flag.row else {
        return FlagFinding::Found(Finding::new(
            Class::Unknown,
            format!("has a flag --{name} about which nothing is decided"),
        ));
    };
    let value = given.value.as_deref().unwrap_or_default();
    let because = |reason: &str| format!("with --{name} {reason}");
    match row.effect {
        FlagEffect::Adds(effect) if counts => {
            FlagFinding::Found(Finding::new(effect.class(), because(row.reason)))
        }
        FlagEffect::Replaces(effect) if counts => {
            FlagFinding::Instead(Finding::new(effect.class(), because(row.reason)))
        }
        FlagEffect::Jq => match jq::judge(value) {
            Program::Clean => FlagFinding::None,
            Program::ReadsEnvironment => {
                FlagFinding::Found(Finding::new(Class::Blocked, because(row.reason)))
            }
            Program::Unclear(why) => FlagFinding::Found(Finding::new(
                Class::Unknown,
                format!("is given a jq program that {why}"),
            )),
        },
        FlagEffect::Fields
            if value
                .split_once('=')
                .is_some_and(|(_, v)| v.starts_with('@')) =>
        {
            FlagFinding::Found(Finding::new(Class::Blocked, because(row.reason)))
        }
        _ => FlagFinding::None,
    }
}
