//! What the version of the installed gh means for calls, in words.

use crate::gh::catalog::since::Since;
use crate::gh::catalog::version::{FLOOR, GhVersion};

/// The sentence for a gh that says it is `version`.
pub fn meaning(version: GhVersion) -> String {
    let newest = Since::get().newest();
    match version {
        GhVersion::Numbered(v) if v < FLOOR => {
            format!("gh {v} is too old; the oldest supported is {FLOOR}.")
        }
        GhVersion::Numbered(v) if v > newest => format!(
            "gh {v} counts; it is newer than the catalog ({newest}), so a command runs by itself only where its help page is as known."
        ),
        GhVersion::Numbered(v) if v == newest => {
            format!("gh {v} counts; it has what the catalog knows.")
        }
        GhVersion::Numbered(v) => {
            format!("gh {v} counts; commands and flags that came later are asked about.")
        }
        GhVersion::Built(_) | GhVersion::Dev => format!(
            "gh {version} counts; it is no release, so a command runs by itself only where its help page is as known."
        ),
    }
}
