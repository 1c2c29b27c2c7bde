//! What the sections are read from: the results of the programs that were run, and files.

use std::fs::File;
use std::io::Read;

use crate::net::parse::Unreadable;
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepResult;
use crate::net::tools::words::{complaint, missing, out};
use crate::run::Ended;

/// The most bytes that are read of one file.
const LONGEST: u64 = 1 << 20;

/// What the sources can be read from: the results of the programs that were run, and the files.
///
/// `file` reads a file, or says why it cannot be read.
pub struct Readings<'a> {
    pub asked: &'a [(Step, StepResult)],
    pub settings: &'a NetSettings,
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl<'a> Readings<'a> {
    pub fn of_this_machine(asked: &'a [(Step, StepResult)], settings: &'a NetSettings) -> Self {
        Self {
            asked,
            settings,
            file: &file,
        }
    }

    /// What `read` makes of the output of `step`, or why there is no output; `None` where the program is installed and was not run.
    pub fn printed<T>(
        &self,
        step: &Step,
        read: impl Fn(&str) -> Result<T, Unreadable>,
    ) -> Option<Result<T, String>> {
        let program = step.program;
        let asked = self.asked.iter().find(|(known, _)| known == step);
        Some(match asked {
            Some((_, Ok(captured))) => match captured.ended {
                Ended::Exited(0) => {
                    read(&out(captured)).map_err(|error| unreadable(program, error))
                }
                _ => Err(format!("{program} says {}", complaint(captured))),
            },
            Some((_, Err(refusal))) => Err(missing(refusal)),
            None => match self.settings.program(program) {
                Ok(_) => return None,
                Err(refusal) => Err(missing(&refusal)),
            },
        })
    }

    /// What `read` makes of the texts of the files `paths`, or why the first of them cannot be read; any other missing file counts
    /// as empty.
    pub fn written<T>(
        &self,
        name: &str,
        paths: &[&str],
        read: impl Fn(&[String]) -> Result<T, Unreadable>,
    ) -> Result<T, String> {
        let mut texts = Vec::new();
        for path in paths {
            match (self.file)(path) {
                Ok(text) => texts.push(text),
                Err(why) if texts.is_empty() => return Err(why),
                Err(_) => texts.push(String::new()),
            }
        }
        read(&texts).map_err(|error| unreadable(name, error))
    }
}

/// In words: why the text of the program or file `name` cannot be read.
fn unreadable(name: &str, error: Unreadable) -> String {
    let said = match error {
        Unreadable::Long => "gives too much text to be read",
        Unreadable::Deep => "gives data that is nested too deeply",
        Unreadable::Form => "gives data of an unexpected form",
    };
    format!("{name} {said}")
}

fn file(path: &str) -> Result<String, String> {
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST).read_to_end(&mut text))
        .map_err(|error| format!("{path} cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
