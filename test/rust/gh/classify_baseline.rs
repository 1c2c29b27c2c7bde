//! The parser against the real gh: the same argv, with `--help` at its end, must lead both to the same command or the same complaint.
//!
//! Only argvs that, by the parser, end in help or in a complaint are run. gh has no token, no network, no other programs and an empty home.

use super::pinned;
use cj_gate::gh::catalog::{Arity, BUILT_IN, Catalog, Leaf};
use cj_gate::gh::parse::{Named, Problem, parse};

/// How many argvs each binary is run with.
const ARGVS: usize = 30;

/// A generator of pseudo-random numbers (xorshift), with the same sequence in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Groups that are left out: if the parser were wrong, their commands would change the scratch home.
const LEFT_OUT: &[&str] = &[
    "alias",
    "auth",
    "config",
    "extension",
    "preview",
    "send-telemetry",
];

/// An argv of `leaf`: its words, with flags in any spelling before, between and behind them.
fn argv(leaf: &Leaf, numbers: &mut Numbers) -> Vec<String> {
    let mut argv: Vec<String> = leaf.path.split(' ').map(str::to_owned).collect();
    for _ in 0..numbers.below(5) {
        let flag = numbers.pick(&leaf.flags);
        let name = &flag.name;
        let value = numbers
            .pick(&["x", "view", "o/r", "-", "--web", "-h", "", "list"])
            .to_string();
        let valued = flag.arity == Arity::Value;
        let mut spelled = match (numbers.below(9), flag.short) {
            (0, _) => vec!["-".to_owned()],
            (1, _) => vec![
                numbers
                    .pick(&[
                        "--frob",
                        "-9",
                        "--",
                        "---x",
                        "--=y",
                        "-h",
                        "",
                        "word",
                        "--help",
                        "--help=false",
                    ])
                    .to_string(),
            ],
            (2 | 3, Some(letter)) if valued => vec![format!("-{letter}{value}")],
            (2 | 3, Some(letter)) => vec![format!("-{letter}{letter}")],
            (4 | 5, Some(letter)) => vec![format!("-{letter}")],
            (6, _) if valued => vec![format!("--{name}={value}")],
            (6, _) => vec![format!("--{name}=false")],
            _ => vec![format!("--{name}")],
        };
        if numbers.below(2) == 0 {
            spelled.push(value);
        }
        let at = numbers.below(argv.len() + 1);
        argv.splice(at..at, spelled);
    }
    argv.push("--help".to_owned());
    argv
}

/// The text that gh must print for `argv`; `None` when gh would run something: such an argv is not run.
fn expected(catalog: &'static Catalog, argv: &[String]) -> Option<String> {
    match parse(catalog, argv) {
        Named::Unknown { group, word } if group.is_empty() => {
            Some(format!("unknown command \"{word}\" for \"gh\""))
        }
        Named::Unknown { .. } => None,
        Named::Command(call) => match call.problems.first() {
            Some(Problem::UnknownFlag(flag)) if flag.starts_with("--") => {
                Some(format!("unknown flag: {flag}"))
            }
            Some(Problem::UnknownFlag(flag)) => {
                Some(format!("unknown shorthand flag: '{}'", &flag[1..]))
            }
            Some(Problem::MissingValue(_)) => Some("flag needs an argument".to_owned()),
            Some(Problem::BadBoolean(_)) => Some("invalid argument".to_owned()),
            Some(Problem::BadSyntax(_)) => Some("bad flag syntax".to_owned()),
            // A group that gets `-` or an empty word complains about that word or prints its page.
            None if !call.leaf.runs && !call.positionals.is_empty() => None,
            None if call.help && call.leaf.path.is_empty() => {
                Some("gh <command> <subcommand> [flags]".to_owned())
            }
            None if call.help => Some(format!("USAGE\n  gh {}", call.leaf.path)),
            None => None,
        },
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "what was asked is counted")]
fn the_parser_agrees_with_the_real_gh() {
    for (version, text) in BUILT_IN {
        let Some(gh) = pinned(version) else {
            continue;
        };
        let catalog: &'static Catalog = Box::leak(Box::new(
            Catalog::merge(&[text]).expect("the committed catalog is read"),
        ));
        let leaves: Vec<&Leaf> = catalog
            .leaves()
            .filter(|l| {
                l.parses_flags && !LEFT_OUT.iter().any(|g| l.path.split(' ').next() == Some(g))
            })
            // The pages of help topics have no usage line.
            .filter(|l| l.flags.len() > 1)
            .collect();
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut asked = 0;
        while asked < ARGVS {
            let leaf: &Leaf = numbers.pick::<&Leaf>(&leaves);
            let argv = argv(leaf, &mut numbers);
            let Some(expected) = expected(catalog, &argv) else {
                continue;
            };
            let said = gh.say(&argv).expect("gh can be started");
            asked += 1;
            // A value that is no number, or none of a list, is refused before the rest is looked at; kinds of values are not in the catalog.
            let refused = said.starts_with("invalid argument");
            assert!(
                refused || said.contains(&expected),
                "gh {version} {argv:?}: not `{expected}` but {said}"
            );
        }
        println!("gh {version}: {asked} argvs parsed alike");
    }
}
