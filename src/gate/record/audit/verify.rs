//! Checking that the log still says what was written: every chain in every file is followed, and each line that does not fit is
//! reported with its file and number.
//!
//! The check finds a line that was changed, removed between two lines of the same writer, inserted or moved.
//! The check cannot find a removed end of a chain (except in the chain that this Emacs writes), a chain that was rewritten with new
//! hashes from some line on, or a writer whose lines were all removed or all made up: each of these leaves chains that fit.
//! A torn line (Emacs was killed or the disk was full during a write) is reported as torn, not as changed: at the end of a file it
//! lacks its line end, elsewhere the line below vouches for it.

use std::collections::HashMap;
use std::path::Path;

use chrono::Local;

use super::line::{self, Line};
use super::writer::{self, Head};
use super::{chain, folder, read};

/// The most findings kept, and the most notes.  A log that was rewritten has a finding in each line.
const MOST: usize = 1_000;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The line was changed.
    Changed,
    /// Lines before this line are gone.
    Removed,
    /// The line was inserted, or moved here from another place.
    Inserted,
    /// Lines at the end of this Emacs's own chain are gone.
    EndRemoved,
    /// The file cannot be read.
    Unreadable,
}

impl Wrong {
    /// The name of the kind in Lisp.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Inserted => "inserted",
            Self::EndRemoved => "end-removed",
            Self::Unreadable => "unreadable",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The file's name.
    pub file: String,
    /// The line's number; 0 for the file itself.
    pub line: u64,
    /// What is wrong.
    pub wrong: Wrong,
    /// The finding as a sentence for a person.
    pub words: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings, in the order of files and lines.
    pub findings: Vec<Flaw>,
    /// Number of findings beyond [`MOST`], which are not kept.
    pub more: u64,
    /// Facts that are no findings: torn lines, missing files.
    pub notes: Vec<Flaw>,
    /// Files read.
    pub files: u64,
    /// Lines in them.
    pub lines: u64,
    /// Lines whose hash fits.
    pub whole: u64,
    /// Number of writers, each with one chain.
    pub writers: u64,
    /// Whether the check was cancelled before the end of the log.
    pub cancelled: bool,
}

/// The state of one chain after the lines read so far.
struct Chain {
    number: u64,
    hash: String,
    /// The last line, if its hash is wrong: the next line of the chain shows whether this one was changed or inserted.
    suspect: Option<Suspect>,
}

struct Suspect {
    place: Place,
    number: u64,
    hash: String,
}

impl Chain {
    fn suspect(&mut self, place: Place, position: &line::ChainPosition<'_>) {
        self.suspect = Some(Suspect {
            place,
            number: position.number,
            hash: position.hash.to_owned(),
        });
    }
}

type Place = (usize, u64);

/// What follows stray lines, lines that no writer can have written whole.
#[derive(Clone, Copy)]
enum Below<'a> {
    /// A whole line with the value of its key `torn`, if it has one; or the end of the file.
    Line(Option<&'a str>),
    /// A piece without a line end at the end of the file.  The next writer will vouch for this piece and the stray lines together.
    Torn,
}

/// One check over all files.
struct Check<'a> {
    report: Report,
    names: Vec<String>,
    chains: HashMap<String, Chain>,
    /// Stray lines, lines of another form, until the line below shows whether they were torn.
    strays: Vec<(Place, Vec<u8>)>,
    /// The number of bytes of all stray lines together.
    held: usize,
    folder: &'a Path,
}

/// Checks every log file in `folder`.  `own` is the last line of this process's chain, taken before the files are read.
/// After every 1,000 lines of a file the check calls `go_on`, and stops where that returns false.
pub fn verify(folder: &Path, own: Option<&Head>, go_on: &dyn Fn() -> bool) -> Report {
    let mut check = Check {
        report: Report::default(),
        names: Vec::new(),
        chains: HashMap::new(),
        strays: Vec::new(),
        held: 0,
        folder,
    };
    let days = match folder::days(folder) {
        Ok(days) => days,
        Err(error) => {
            check.names.push(folder.to_string_lossy().into_owned());
            check.add_finding(
                (0, 0),
                Wrong::Unreadable,
                format!("The folder cannot be read: {error}."),
            );
            Vec::new()
        }
    };
    for (_, name) in days {
        check.names.push(name.to_string_lossy().into_owned());
        check.file(&folder.join(&name), go_on);
        if check.report.cancelled {
            break;
        }
    }
    check.end(own)
}

/// The beginning of a sentence about the lines `from` to `to` of a writer: `Lines 2 to 4 of this writer are`.
fn lines_of_writer(from: u64, to: u64) -> String {
    if from == to {
        format!("Line {from} of this writer is")
    } else {
        format!("Lines {from} to {to} of this writer are")
    }
}

impl Check<'_> {
    fn add_finding(&mut self, (file, line): Place, wrong: Wrong, words: String) {
        if self.report.findings.len() == MOST {
            self.report.more += 1;
            return;
        }
        let file = self.names[file].clone();
        self.report.findings.push(Flaw {
            file,
            line,
            wrong,
            words,
        });
    }

    fn add_note(&mut self, (file, line): Place, wrong: Wrong, words: String) {
        if self.report.notes.len() < MOST {
            let file = self.names[file].clone();
            self.report.notes.push(Flaw {
                file,
                line,
                wrong,
                words,
            });
        }
    }

    fn file(&mut self, path: &Path, go_on: &dyn Fn() -> bool) {
        let nth = self.names.len() - 1;
        self.report.files += 1;
        let file = match folder::open_to_read(path) {
            Ok(file) => file,
            Err(trouble) => {
                self.add_finding(
                    (nth, 0),
                    Wrong::Unreadable,
                    format!("The file cannot be read: {trouble}."),
                );
                return;
            }
        };
        let mut cancelled = false;
        let read = read::lines(file, |raw| {
            self.line((nth, raw.number), &raw);
            cancelled = raw.number % 1_000 == 0 && !go_on();
            !cancelled
        });
        self.report.cancelled |= cancelled;
        if let Err(error) = read {
            self.add_finding(
                (nth, 0),
                Wrong::Unreadable,
                format!("The file cannot be read: {error}."),
            );
        }
        self.settle_strays(Below::Line(None));
    }

    fn line(&mut self, place: Place, raw: &read::Raw<'_>) {
        self.report.lines += 1;
        let Some((line, position)) = (!raw.cut).then(|| line::whole(raw.bytes)).flatten() else {
            if raw.ended {
                // A writer looks back over TORN bytes, so no later line can vouch for stray lines further up.
                self.held += raw.bytes.len() + 1;
                if self.held > writer::TORN {
                    self.settle_strays(Below::Line(None));
                }
                self.strays.push((place, raw.bytes.to_vec()));
            } else {
                self.settle_strays(Below::Torn);
                let words =
                    "The last line is torn: whoever wrote it was killed or ran out of space.";
                self.add_note(place, Wrong::Changed, words.into());
            }
            return;
        };
        self.settle_strays(Below::Line(line.text("torn").as_deref()));
        if !raw.ended {
            // The line is whole; only its line end is missing.
            self.add_note(place, Wrong::Changed, "The last line is without its end: whoever wrote it was killed or ran out of space.".into());
        }
        if let Some(lost) = line.text("lost") {
            self.add_note(
                place,
                Wrong::Removed,
                format!("Before this line {lost} lines could not be written at all."),
            );
        }
        let Some(mut chain) = self.chains.remove(position.writer) else {
            self.begin(place, &line, &position);
            return;
        };
        self.follow(place, &mut chain, &line, &position);
        self.chains.insert(position.writer.to_owned(), chain);
    }

    /// Decides about the stray lines: those that `below` vouches for were torn, all others were inserted.
    fn settle_strays(&mut self, below: Below<'_>) {
        self.held = 0;
        let strays = std::mem::take(&mut self.strays);
        // The line below vouches for the last stray lines, up to the length that its key `torn` states.
        let mut piece: &[(Place, Vec<u8>)] = &[];
        if let Below::Line(Some(torn)) = below
            && let Some((length, hash)) = torn.split_once('/')
            && let Ok(length) = length.parse::<usize>()
        {
            let mut long = 0;
            let first = strays.iter().rposition(|(_, bytes)| {
                long += bytes.len() + 1;
                long > length
            });
            let bytes = |of: &[(Place, Vec<u8>)]| {
                let lines: Vec<&[u8]> = of.iter().map(|(_, bytes)| bytes.as_slice()).collect();
                lines.join(&b'\n')
            };
            piece = first.map_or(piece, |first| &strays[first..]);
            let bytes = bytes(piece);
            if bytes.len() != length || chain::digest(&bytes) != hash {
                piece = &[];
            }
        }
        // A stray line before this one was inserted.
        let first_vouched = match below {
            Below::Torn => 0,
            Below::Line(_) => strays.len() - piece.len(),
        };
        for (nth, (place, _)) in strays.iter().enumerate() {
            if nth >= first_vouched {
                let words = "A torn line: whoever wrote it was killed or ran out of space.";
                self.add_note(*place, Wrong::Changed, words.into());
            } else {
                self.add_finding(*place, Wrong::Inserted, "This line was inserted, or changed beyond recognition: no writer has written it so.".into());
            }
        }
    }

    /// Checks the first line of a writer.
    fn begin(&mut self, place: Place, line: &Line<'_>, position: &line::ChainPosition<'_>) {
        let mut chain = Chain {
            number: position.number,
            hash: position.hash.to_owned(),
            suspect: None,
        };
        let before = line.text("prev");
        let before = before.as_deref().and_then(|text| text.split_once('/'));
        if position.number == 1 {
            if chain::hash(chain::START, position.body) == position.hash {
                self.report.whole += 1;
            } else {
                chain.number = 0;
                chain.hash = chain::START.into();
                chain.suspect(place, position);
            }
        } else {
            let gone = before.filter(|(day, _)| !self.folder.join(format!("{day}.log")).exists());
            match (gone, before) {
                (Some((day, hash)), _) if chain::hash(hash, position.body) == position.hash => {
                    self.report.whole += 1;
                    self.add_note(place, Wrong::Removed, format!(
                        "{} not there: {day}.log is gone, removed as too old, by `cj/gate-purge' or by hand.",
                        lines_of_writer(1, position.number - 1)
                    ));
                }
                (_, Some((_, hash))) if chain::hash(hash, position.body) != position.hash => {
                    self.add_finding(place, Wrong::Changed, "This line was changed.".into());
                }
                _ => self.removed(place, 1, position.number),
            }
        }
        self.chains.insert(position.writer.to_owned(), chain);
    }

    fn removed(&mut self, place: Place, from: u64, to: u64) {
        let words = if from + 1 == to {
            format!("The line before this one was removed (number {from} of its writer).")
        } else {
            format!(
                "Lines before this one were removed (numbers {from} to {} of its writer).",
                to - 1
            )
        };
        self.add_finding(place, Wrong::Removed, words);
    }

    /// Checks a later line of a writer.
    fn follow(
        &mut self,
        place: Place,
        chain: &mut Chain,
        line: &Line<'_>,
        position: &line::ChainPosition<'_>,
    ) {
        if let Some(suspect) = chain.suspect.take() {
            if position.number == suspect.number
                && chain::hash(&chain.hash, position.body) == position.hash
            {
                // This line is the true one with that number.
                self.add_finding(
                    suspect.place,
                    Wrong::Inserted,
                    "This line was inserted: another one has its place in the chain.".into(),
                );
            } else {
                self.add_finding(
                    suspect.place,
                    Wrong::Changed,
                    "This line was changed.".into(),
                );
                chain.number = suspect.number;
                chain.hash = suspect.hash;
                // The changed line's stated hash may be changed, too.  Then no next line fits it, and the chain goes on from this line.
                if position.number == chain.number + 1
                    && chain::hash(&chain.hash, position.body) != position.hash
                {
                    chain.number = position.number;
                    position.hash.clone_into(&mut chain.hash);
                    return;
                }
            }
        }
        let expected = chain.number + 1;
        if position.number < expected {
            self.add_finding(
                place,
                Wrong::Inserted,
                format!(
                    "This line was inserted or moved: number {} of its writer has come before.",
                    position.number
                ),
            );
            return;
        }
        if position.number > expected {
            let prev = line.text("prev");
            let gone = prev.as_deref().and_then(|text| text.split_once('/'));
            let gone = gone.filter(|(day, hash)| {
                !self.folder.join(format!("{day}.log")).exists()
                    && chain::hash(hash, position.body) == position.hash
            });
            if let Some((day, _)) = gone {
                self.add_finding(
                    place,
                    Wrong::Removed,
                    format!(
                        "{} not there: {day}.log is gone, though older files are not.",
                        lines_of_writer(expected, position.number - 1)
                    ),
                );
            } else {
                self.removed(place, expected, position.number);
            }
        } else if chain::hash(&chain.hash, position.body) == position.hash {
            self.report.whole += 1;
        } else {
            chain.suspect(place, position);
            return;
        }
        chain.number = position.number;
        position.hash.clone_into(&mut chain.hash);
    }

    fn end(mut self, own: Option<&Head>) -> Report {
        let mut chains = std::mem::take(&mut self.chains);
        self.report.writers = chains.len() as u64;
        for chain in chains.values_mut() {
            if let Some(suspect) = chain.suspect.take() {
                self.add_finding(
                    suspect.place,
                    Wrong::Changed,
                    "This line was changed.".into(),
                );
                chain.number = suspect.number;
            }
        }
        if let Some(own) = own.filter(|_| !self.report.cancelled) {
            let found = chains.get(&own.writer).map_or(0, |chain| chain.number);
            // A file of an earlier day may have been removed as too old, or with `cj/gate-purge'; today's file never is.
            let past = own.day.filter(|day| *day < Local::now().date_naive());
            let gone = past
                .map(folder::file_name)
                .filter(|name| found == 0 && !self.folder.join(name).exists());
            if let Some(name) = gone {
                self.names.push(name.clone());
                let lines = match own.number {
                    1 => "The line that this Emacs wrote is".to_owned(),
                    n => format!("All {n} lines that this Emacs wrote are"),
                };
                self.add_note((self.names.len() - 1, 0), Wrong::Removed, format!(
                    "{lines} not there: {name} is gone, removed as too old, by `cj/gate-purge' or by hand."
                ));
            } else if found < own.number {
                if self.names.is_empty() {
                    self.names.push(self.folder.to_string_lossy().into_owned());
                }
                self.add_finding(
                    (self.names.len() - 1, 0),
                    Wrong::EndRemoved,
                    match own.number - found {
                        1 => "The last line that this Emacs wrote is not there.".to_owned(),
                        n => format!("The last {n} lines that this Emacs wrote are not there."),
                    },
                );
            }
        }
        let order: HashMap<String, usize> = self.names.iter().cloned().zip(0..).collect();
        let place = |finding: &Flaw| {
            (
                order.get(&finding.file).copied(),
                finding.line == 0,
                finding.line,
            )
        };
        self.report.findings.sort_by_key(place);
        self.report.notes.sort_by_key(place);
        self.report
    }
}
