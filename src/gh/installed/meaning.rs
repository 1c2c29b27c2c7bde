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
            "gh {v} is supported; it is newer than the catalog ({newest}), so a read runs unasked only where its help page agrees with the catalog."
        ),
        GhVersion::Numbered(v) if v == newest => {
            format!("gh {v} is supported; it is the newest release of the catalog.")
        }
        GhVersion::Numbered(v) => {
            format!(
                "gh {v} is supported; a call with a command or flag that it lacks is asked about."
            )
        }
        GhVersion::Built(_) | GhVersion::Dev => format!(
            "gh {version} is supported; it is no release, so a read runs unasked only where its help page agrees with the catalog."
        ),
    }
}
