//! Weights in files: a line for each, or the table in the sources itself.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::{env, fs};

use cj_gate::joblog::features::{NUMBERS, TABLE, Weights};
use regex::Regex;

const SOURCE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/joblog/anchors/features.rs"
);

fn names() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.iter().map(|row| row.name);
    rows.chain(NUMBERS.iter().map(|number| number.0))
}

/// The weights to begin with: those of the sources, or of the file that `FROM` names.
pub fn start() -> Weights {
    let mut weights = Weights::of_table();
    let Ok(file) = env::var("FROM") else {
        return weights;
    };
    let text = fs::read_to_string(file).expect("FROM names a file");
    let values: HashMap<&str, f32> = text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    let places = weights.rows.iter_mut().chain(&mut weights.numbers);
    for (name, place) in names().zip(places) {
        *place = values.get(name).copied().unwrap_or(*place);
    }
    weights
}

/// Writes `weights` into the file that `INTO` names, and into the sources if `sources`.
pub fn store(weights: &Weights, sources: bool) {
    let values = || weights.rows.iter().chain(&weights.numbers);
    if let Ok(file) = env::var("INTO") {
        let mut text = String::new();
        for (name, value) in names().zip(values()) {
            writeln!(text, "{name}\t{value}").expect("a string takes all that is written");
        }
        fs::write(file, text).expect("INTO can be written");
    }
    if sources {
        let mut text = fs::read_to_string(SOURCE).expect("the sources are here");
        for (name, value) in names().zip(values()) {
            let row = Regex::new(&format!(r"(?m)^(\s+{name}) -?[\d.]+ ")).expect("a pattern");
            let digits = if value.abs() < 0.1 { 3 } else { 2 };
            text = row
                .replace(&text, format!("$1 {value:.digits$} "))
                .into_owned();
        }
        fs::write(SOURCE, text).expect("the sources can be written");
    }
}
