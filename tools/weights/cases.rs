//! The logs by which weights are set and judged, and the figures of both sets.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::{env, fs};

use cj_gate::joblog::choose::Choice;
use cj_gate::joblog::features::{TABLE, Weights};
use cj_gate::joblog::{Fact, Reading, choose};
use regex::Regex;

#[path = "../../test/rust/gh/job_log.rs"]
#[allow(dead_code, reason = "the suites use more of it")]
mod job_log;

/// A log that is read, with the keys by which its lines are compared.
pub struct Log {
    pub name: String,
    /// The repository, or the set of a case.
    pub group: String,
    pub reading: Reading<'static>,
    /// For each of [`BUDGETS`], what is shown within it.
    shown: Vec<Shown>,
}

/// A log within one budget.
#[derive(Default)]
pub struct Shown {
    /// For each step and line, its text as a key.
    pub keys: Vec<Vec<String>>,
    /// For each step, the key of its head.
    pub heads: Vec<String>,
    /// For each step, the tokens of its head, and of each line by its index in the log.
    costs: Vec<HashMap<usize, f32>>,
}

/// The budgets by which texts are judged.
const BUDGETS: &[usize] = &[600, 400, 350, 300, 250, 150];

impl Log {
    fn read(name: String, group: String, text: String, key: &dyn Fn(&str) -> String) -> Self {
        // The tool ends soon, and each log is read once.
        let reading = Reading::of(text.leak());
        let shown = BUDGETS.iter().map(|budget| {
            let mut shown = Shown::default();
            for (nth, step) in reading.steps.iter().enumerate() {
                let text = |fact: &Fact| key(&reading.text(fact, *budget));
                let cost = |fact: &Fact| (fact.at, reading.cost(fact, *budget));
                shown.keys.push(step.facts.iter().map(text).collect());
                shown.heads.push(key(&reading.head(nth, *budget)));
                shown.costs.push(step.facts.iter().map(cost).collect());
            }
            shown
        });
        let shown = shown.collect();
        Self {
            name,
            group,
            reading,
            shown,
        }
    }

    /// What is shown within `budget`, one of [`BUDGETS`].
    pub fn shown(&self, budget: usize) -> &Shown {
        let at = BUDGETS.iter().position(|known| *known == budget);
        &self.shown[at.expect("a known budget")]
    }

    pub fn choices(&self, budget: usize, weights: &Weights) -> Vec<Option<Choice>> {
        self.reading.choices(budget, weights, &|step, fact| {
            self.shown(budget).costs[step][&fact.at]
        })
    }

    /// The keys of the heads and lines that are told, one below the other, and the tokens of the lines.
    fn told(&self, budget: usize, weights: &Weights) -> (String, f32) {
        let (mut out, mut tokens) = (String::new(), 0.0);
        let shown = self.shown(budget);
        for (step, choice) in self.choices(budget, weights).into_iter().enumerate() {
            let Some(choice) = choice else { continue };
            out.push_str(&shown.heads[step]);
            for line in choice.certain.into_iter().chain(choice.fill) {
                out.push('\n');
                out.push_str(&shown.keys[step][line]);
                tokens += shown.costs[step][&self.reading.steps[step].facts[line].at];
            }
            out.push('\n');
        }
        (out, tokens)
    }
}

/// A real log, and the lines that a person marked as the reason.
pub struct Real {
    pub log: Log,
    pub label: Vec<String>,
    /// The lines of the label that tell this failure from others.
    pub distinct: HashSet<usize>,
}

/// A case of fixtures/ci-logs.
pub struct Own {
    pub log: Log,
    /// Of each list, one text must be told.
    pub tell: Vec<Vec<String>>,
    /// None of these may be told.
    pub never: Vec<String>,
}

pub struct Sets {
    pub real: Vec<Real>,
    pub own: Vec<Own>,
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The key of a line of a real log: the labels have one sign of a run of equal signs, and one blank of several.
fn real_key(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut out = String::new();
        for next in squeezed(line).chars() {
            let sign = !(next.is_alphanumeric() || next.is_whitespace());
            if !(sign && out.ends_with(next)) {
                out.push(next);
            }
        }
        out.trim_start_matches(['=', ' ']).to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The start of a line of a label by which it is looked for; a short one must be a whole line.
pub fn start(line: &str) -> (String, bool) {
    let start: String = line.chars().take(60).collect();
    let start = start.trim_end().to_owned();
    let short = start.chars().count() < 8;
    (start, short)
}

/// What `run` gives for each of `items`, on two threads.
pub fn both<T: Sync, R: Send>(items: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let run = &run;
        let half = |first: usize| {
            let some = items.iter().enumerate().skip(first).step_by(2);
            move || some.map(|(at, item)| (at, run(item))).collect::<Vec<_>>()
        };
        let threads = [scope.spawn(half(0)), scope.spawn(half(1))];
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

impl Sets {
    pub fn read() -> Self {
        let own = both(&job_log::Case::all(), |case| Own {
            log: Log::read(
                case.name.clone(),
                case.fact("set").unwrap_or_default().to_owned(),
                case.raw(),
                &squeezed,
            ),
            tell: case
                .to_tell()
                .iter()
                .map(|any| any.iter().map(|text| squeezed(text)).collect())
                .collect(),
            never: case.facts("never").map(squeezed).collect(),
        });
        Self {
            real: Self::read_real(),
            own,
        }
    }

    fn read_real() -> Vec<Real> {
        let (Ok(labels), Ok(logs)) = (env::var("REAL"), env::var("LOGS")) else {
            return Vec::new();
        };
        let text = fs::read_to_string(format!("{labels}/labels.jsonl")).expect("labels");
        let rows: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let label = |row: &serde_json::Value| -> Vec<String> {
            let lines = row["label"].as_array().expect("a list").iter();
            lines
                .map(|line| line.as_str().unwrap_or_default().to_owned())
                .collect()
        };
        // As in the score that came with the logs: the ten commonest lines of labels tell no failure from others.
        let digits = Regex::new(r"\d+").expect("a pattern");
        let common = |line: &str| digits.replace_all(line, "0").into_owned();
        let mut count: HashMap<String, usize> = HashMap::new();
        for row in &rows {
            for line in label(row)
                .iter()
                .map(|line| common(line))
                .collect::<HashSet<_>>()
            {
                *count.entry(line).or_default() += 1;
            }
        }
        let mut often: Vec<(String, usize)> = count.into_iter().collect();
        often.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        let often: HashSet<String> = often.into_iter().take(10).map(|(line, _)| line).collect();
        let dull =
            Regex::new(r"^(Done|.* exited with \d+\.?|Process completed.*)$").expect("a pattern");
        both(&rows, |row| {
            let label = label(row);
            let distinct = |line: &String| {
                let letters = line.chars().filter(|next| next.is_alphanumeric()).count();
                !often.contains(&common(line)) && !dull.is_match(line) && letters >= 4
            };
            let mut all: HashSet<usize> = (0..label.len())
                .filter(|at| distinct(&label[*at]))
                .collect();
            if all.is_empty() {
                all = (0..label.len()).collect();
            }
            let name = row["name"].as_str().expect("a name").to_owned();
            let bytes = fs::read(format!("{logs}/{name}")).expect("a log");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let group = row["repo"].as_str().unwrap_or_default().to_owned();
            Real {
                log: Log::read(name, group, text, &real_key),
                label,
                distinct: all,
            }
        })
    }
}

/// Figures of one set of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// At 600 and at 300 tokens: a distinctive line of the label is told, the share of its lines, the tokens of the lines.
    pub real: [[f64; 3]; 2],
    /// At 600 and at 150 tokens: cases that are right, cases that mislead.
    pub own: [[f64; 2]; 2],
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [c, d]) = (self.real, self.own);
        write!(
            out,
            "real 600: hit {:.3} recall {:.3} tokens {:.0}; 300: hit {:.3} recall {:.3} tokens {:.0}; \
             own 600: right {:.3} misled {:.3}; 150: right {:.3} misled {:.3}",
            a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], d[0], d[1]
        )
    }
}

impl Figures {
    /// One number for all, as `climb` wants it: beyond the goals a figure counts a quarter.
    pub fn goal(&self) -> f64 {
        let short = |figure: f64, goal: f64| figure.min(goal) + 0.25 * figure;
        let ([a, b], [c, d]) = (self.real, self.own);
        let real = short(a[0], 0.96) + short(a[1], 0.80) + short(b[0], 0.93) + short(b[1], 0.72);
        0.25 * real + short(c[0], 0.96) + short(d[0], 0.91)
            - 4.0 * (c[1] - 0.016).max(0.0)
            - 0.3 * c[1]
    }
}

fn mean<const N: usize>(rows: &[[f64; N]]) -> [f64; N] {
    let mut out = [0.0; N];
    for row in rows {
        out.iter_mut()
            .zip(row)
            .for_each(|(sum, value)| *sum += value / rows.len() as f64);
    }
    out
}

impl Real {
    pub fn score(&self, budget: usize, weights: &Weights) -> [f64; 3] {
        let (told, tokens) = self.log.told(budget, weights);
        let whole: HashSet<&str> = told.lines().collect();
        let has = |line: &String| match start(line) {
            (start, false) => told.contains(&start),
            (_, true) => whole.contains(&**line),
        };
        let got: Vec<bool> = self.label.iter().map(has).collect();
        let hit = self.distinct.iter().any(|at| got[*at]);
        let share = got.iter().filter(|got| **got).count() as f64 / got.len().max(1) as f64;
        [f64::from(hit), share, f64::from(tokens)]
    }
}

impl Own {
    pub fn score(&self, budget: usize, weights: &Weights) -> [f64; 2] {
        let told = squeezed(&self.log.told(budget, weights).0);
        let all = self
            .tell
            .iter()
            .all(|any| any.iter().any(|text| told.contains(text)));
        let misled = self.never.iter().any(|text| told.contains(text));
        [f64::from(all && !misled), f64::from(misled)]
    }
}

impl Sets {
    /// The figures of `weights` on the real logs that `wanted` takes, and on all cases.
    pub fn figures(&self, weights: &Weights, wanted: &(dyn Fn(&Real) -> bool + Sync)) -> Figures {
        let real: Vec<&Real> = self.real.iter().filter(|real| wanted(real)).collect();
        let scores = both(&real, |real| {
            [600, 300].map(|budget| real.score(budget, weights))
        });
        let own = both(&self.own, |own| {
            [600, 150].map(|budget| own.score(budget, weights))
        });
        let at = |nth: usize| scores.iter().map(|both| both[nth]).collect::<Vec<_>>();
        let own_at = |nth: usize| own.iter().map(|both| both[nth]).collect::<Vec<_>>();
        Figures {
            real: [mean(&at(0)), mean(&at(1))],
            own: [mean(&own_at(0)), mean(&own_at(1))],
        }
    }

    /// Prints the figures of `weights` within each of [`BUDGETS`].
    pub fn print_budgets(&self, weights: &Weights) {
        for budget in BUDGETS {
            let [hit, recall, tokens] = mean(&both(&self.real, |one| one.score(*budget, weights)));
            let [right, misled] = mean(&both(&self.own, |one| one.score(*budget, weights)));
            println!(
                "{budget}: real hit {hit:.3} recall {recall:.3} tokens {tokens:.0}; own right {right:.3} misled {misled:.3}"
            );
        }
    }

    /// Prints the figures of `weights` on each set of the cases, within 600 and 150 tokens.
    pub fn print_sets(&self, weights: &Weights) {
        let mut sets: BTreeMap<&str, Vec<&Own>> = BTreeMap::new();
        for own in &self.own {
            sets.entry(&own.log.group).or_default().push(own);
        }
        for (name, cases) in sets {
            let of = |budget| mean(&both(&cases, |own| own.score(budget, weights)));
            let ([right, misled], [at_150, misled_at_150]) = (of(600), of(150));
            println!(
                "{name}, {} cases: right {right:.3} misled {misled:.3}; 150: right {at_150:.3} misled {misled_at_150:.3}",
                cases.len()
            );
        }
    }

    /// Prints the cases that `weights` get wrong within 600 tokens, and the lines that mislead with their features.
    pub fn print_wrong(&self, weights: &Weights) {
        let budget = env::var("BUDGET").map_or(600, |text| text.parse().expect("a number"));
        for real in &self.real {
            let [hit, share, _] = real.score(budget, weights);
            if hit < 1.0 || share < 0.3 {
                let label = &real.label[..real.label.len().min(3)];
                println!(
                    "real {} hit {hit} recall {share:.2} {label:?}",
                    real.log.name
                );
            }
        }
        for own in &self.own {
            let [right, misled] = own.score(budget, weights);
            if right > 0.5 {
                continue;
            }
            println!(
                "case {} ({}){}",
                own.log.name,
                own.log.group,
                if misled > 0.0 { " misled" } else { "" }
            );
            for (step, choice) in own.log.choices(budget, weights).into_iter().enumerate() {
                let Some(choice) = choice else { continue };
                let facts = &own.log.reading.steps[step].facts;
                let scores = choose::scores(facts, weights);
                for (line, key) in own.log.shown(budget).keys[step].iter().enumerate() {
                    let bad = own.never.iter().any(|text| key.contains(text));
                    let good = own.tell.iter().flatten().any(|text| key.contains(text));
                    let told = choice.certain.contains(&line) || choice.fill.contains(&line);
                    if !(bad && told || good && !told) {
                        continue;
                    }
                    let names: Vec<&str> = facts[line]
                        .features
                        .rows()
                        .map(|row| TABLE[row].name)
                        .collect();
                    let score = scores[line].score;
                    let part = if choice.certain.contains(&line) {
                        "certain"
                    } else {
                        "fill"
                    };
                    println!(
                        "    {} {part} {score:.1} {key:?} {names:?}",
                        if bad { "never" } else { "untold" }
                    );
                }
            }
        }
    }
}
