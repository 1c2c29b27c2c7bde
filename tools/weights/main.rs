//! Sets the weights by which a job log's lines are scored, and says how good they are.
//!
//! `cargo run --release --no-default-features --example weights -- COMMAND`, with these commands:
//!
//! - `show`: the figures of the weights in src/joblog/anchors/features.rs;
//! - `budgets`: the same within each budget by which texts are judged;
//! - `sets`: the same for each set of the cases;
//! - `wrong`: the cases that these weights get wrong, and why;
//! - `fit [PENALTY]`: sets the weights of the rows and prints both figures;
//! - `climb ROUNDS [rows]`: sets the numbers of the selection, and with `rows` the weights too, one after the other;
//! - `held`: fits without a fourth of the repositories and prints the figures of those, four times.
//!
//! `FROM=FILE` starts from the weights in FILE, a line each: a name, a tab and a value; `INTO=FILE` writes them there. `write`
//! after a command puts them into src/joblog/anchors/features.rs instead. `REAL=FOLDER` has real logs: `labels.jsonl` with the name,
//! repository and label of each, and the logs themselves in `LOGS=FOLDER`. Without it, only the cases of fixtures/ci-logs count.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::too_many_lines,
    reason = "a tool prints its figures, reads its environment and runs on two threads"
)]

mod cases;
mod climb;
mod fit;
mod table;

use cases::Sets;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = words.first().map_or("show", String::as_str);
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<f64>().ok());
    let sets = Sets::read();
    let mut weights = table::start();
    match command {
        "show" => {}
        "budgets" => return sets.print_budgets(&weights),
        "sets" => return sets.print_sets(&weights),
        "wrong" => return sets.print_wrong(&weights),
        "held" => return fit::held_out(&sets, &weights, number(1).unwrap_or(fit::PENALTY)),
        "fit" => weights = fit::fit(&sets, weights, &|_| true, number(1).unwrap_or(fit::PENALTY)),
        "climb" => {
            let rows = words.iter().any(|word| word == "rows");
            weights = climb::climb(&sets, weights, number(1).unwrap_or(3.0) as usize, rows);
        }
        other => panic!("no command is called {other}; the head of this file has them"),
    }
    println!("{}", sets.figures(&weights, &|_| true));
    table::store(&weights, words.iter().any(|word| word == "write"));
}
