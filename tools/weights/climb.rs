//! Sets numbers one after the other, each as far as the figures get better.

use cj_gate::joblog::features::{NUMBERS, TABLE, Weights};

use crate::cases::Sets;

/// Better by less than this is no better.
const EARNS: f64 = 0.0003;

/// `weights` with better numbers of the selection, and better weights if `rows`, after at most `rounds`.
pub fn climb(sets: &Sets, mut weights: Weights, rounds: usize, rows: bool) -> Weights {
    let goal = |weights: &Weights| sets.figures(weights, &|_| true).goal();
    let mut best = goal(&weights);
    let mut scale = 1.0_f32;
    for round in 0..rounds {
        let before = best;
        let first = if rows { 0 } else { TABLE.len() };
        for nth in first..TABLE.len() + NUMBERS.len() {
            if TABLE.get(nth).is_some_and(|row| row.weight == 0.0) {
                continue;
            }
            for sign in [1.0_f32, -1.0] {
                loop {
                    let mut next = weights.clone();
                    let place = match nth.checked_sub(TABLE.len()) {
                        Some(number) => &mut next.numbers[number],
                        None => &mut next.rows[nth],
                    };
                    let step = if nth < TABLE.len() {
                        0.5
                    } else {
                        0.25 * place.abs().max(0.15)
                    };
                    *place += sign * scale * step;
                    if let Some(number) = nth.checked_sub(TABLE.len()) {
                        *place = within(NUMBERS[number].0, *place);
                    }
                    let reached = goal(&next);
                    if reached <= best + EARNS {
                        break;
                    }
                    (best, weights) = (reached, next);
                }
            }
        }
        eprintln!(
            "round {round}: {best:.4} {}",
            sets.figures(&weights, &|_| true)
        );
        crate::table::store(&weights, false);
        if best - before < 0.001 {
            scale /= 2.0;
        }
        if scale < 0.25 {
            break;
        }
    }
    weights
}

/// The value nearest to `value` that the number `name` may have.
fn within(name: &str, value: f32) -> f32 {
    match name {
        "Certain" | "Ending" | "Filling" | "Length" => value,
        "Down" | "Up" | "Blank" | "NearUp" | "NearKept" | "Relative" | "Share" => {
            value.clamp(0.0, 0.98)
        }
        _ => value.max(0.0),
    }
}
