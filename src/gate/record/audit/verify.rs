//! Does the log still say what was written?  Every chain in every file is followed, and what does not fit is named by file and line.
//!
//! What this finds: a line that was changed, one that was taken out between two of the same writer, one that was put in or moved.
//! What it cannot find, since every later hash is made from what stands there: the end of a chain cut off (but of the chain that
//! this Emacs writes), a chain that was written anew from some line on, and a writer that was taken out or made up as a whole.
//! A torn line (a kill or a full disk in the midst of a write) is told apart: at the end of a file by its missing line end,
//! elsewhere by the line below it, which vouches for it.

use std::collections::HashMap;
use std::path::Path;

use chrono::Local;

use super::line::{self, Line};
use super::writer::{self, Head};
use super::{chain, folder, read};

/// Findings that are kept; a log that was rewritten has one in each line.
const MOST: usize = 1_000;

/// What is wrong with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The line is not what was written.
    Changed,
    /// Lines that stood before it are gone.
    Removed,
    /// Nobody wrote it, or not there.
    Inserted,
    /// Lines at the end of this Emacs's own chain are gone.
    EndRemoved,
    /// The file cannot be read.
    Unreadable,
}

impl Wrong {
    /// The word for it in Lisp.
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
    /// A sentence for a person.
    pub words: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is wrong, in the order of files and lines.
    pub findings: Vec<Flaw>,
    /// Findings beyond those that are kept.
    pub more: u64,
    /// What is no wrong but worth knowing: torn lines, files that are gone.
    pub notes: Vec<Flaw>,
    /// Files read.
    pub files: u64,
    /// Lines in them.
    pub lines: u64,
    /// Lines that verify.
    pub whole: u64,
    /// Chains.
    pub writers: u64,
    /// Whether it was broken off.
    pub cancelled: bool,
}

/// What is known of one chain.
struct Chain {
    number: u64,
    hash: String,
    /// A line whose hash is wrong: what follows says whether it was changed or put in.
    suspect: Option<Suspect>,
}

struct Suspect {
    place: Place,
    number: u64,
    hash: String,
}

impl Chain {
    fn suspect(&mut self, place: Place, tie: &line::Link<'_>) {
        self.suspect = Some(Suspect {
            place,
            number: tie.number,
            hash: tie.hash.to_owned(),
        });
    }
}

type Place = (usize, u64);

/// What stands below lines that are none of ours.
#[derive(Clone, Copy)]
enum Below<'a> {
    /// A whole line, with what it says under `torn`; or nothing.
    Line(Option<&'a str>),
    /// A piece without a line end, which the next writer will vouch for together with them.
    Torn,
}

/// A run of the check over several files.
struct Check<'a> {
    report: Report,
    names: Vec<String>,
    chains: HashMap<String, Chain>,
    /// Lines that are none of ours, until the line below them has spoken.
    strays: Vec<(Place, Vec<u8>)>,
    /// The bytes of all of them.
    held: usize,
    folder: &'a Path,
}

/// Checks every log file in `folder`.  `own` is how far this process has written there, read before the files are.
/// `go_on` is asked now and then.
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
            check.find(
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

/// The lines `from` to `to` of a writer, as the beginning of a sentence.
fn lines_of_writer(from: u64, to: u64) -> String {
    if from == to {
        format!("Line {from} of this writer is")
    } else {
        format!("Lines {from} to {to} of this writer are")
    }
}

impl Check<'_> {
    fn find(&mut self, (file, line): Place, wrong: Wrong, words: String) {
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

    fn note(&mut self, (file, line): Place, wrong: Wrong, words: String) {
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
                self.find(
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
            self.find(
                (nth, 0),
                Wrong::Unreadable,
                format!("The file cannot be read: {error}."),
            );
        }
        self.settle_strays(Below::Line(None));
    }

    fn line(&mut self, place: Place, raw: &read::Raw<'_>) {
        self.report.lines += 1;
        let Some((line, tie)) = (!raw.cut).then(|| line::whole(raw.bytes)).flatten() else {
            if raw.ended {
                // More than a writer looks back over, nobody vouches for.
                self.held += raw.bytes.len() + 1;
                if self.held > writer::TORN {
                    self.settle_strays(Below::Line(None));
                }
                self.strays.push((place, raw.bytes.to_vec()));
            } else {
                self.settle_strays(Below::Torn);
                let words =
                    "The last line is torn: whoever wrote it was killed or ran out of space.";
                self.note(place, Wrong::Changed, words.into());
            }
            return;
        };
        self.settle_strays(Below::Line(line.text("torn").as_deref()));
        if !raw.ended {
            // Its bytes are whole, only the line end is not there.
            self.note(place, Wrong::Changed, "The last line is without its end: whoever wrote it was killed or ran out of space.".into());
        }
        if let Some(lost) = line.text("lost") {
            self.note(
                place,
                Wrong::Removed,
                format!("Before this line {lost} lines could not be written at all."),
            );
        }
        let Some(mut chain) = self.chains.remove(tie.writer) else {
            self.begin(place, &line, &tie);
            return;
        };
        self.follow(place, &mut chain, &line, &tie);
        self.chains.insert(tie.writer.to_owned(), chain);
    }

    /// The stray lines above were torn, if what stands below them says so.  Else they were put in.
    fn settle_strays(&mut self, below: Below<'_>) {
        self.held = 0;
        let strays = std::mem::take(&mut self.strays);
        // The last ones of them are those that stood there when the line below was written.
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
        let vouched = match below {
            Below::Torn => 0,
            Below::Line(_) => strays.len() - piece.len(),
        };
        for (nth, (place, _)) in strays.iter().enumerate() {
            if nth >= vouched {
                let words = "A torn line: whoever wrote it was killed or ran out of space.";
                self.note(*place, Wrong::Changed, words.into());
            } else {
                self.find(*place, Wrong::Inserted, "This line was inserted, or changed beyond recognition: no writer has written it so.".into());
            }
        }
    }

    /// The first line of a writer.
    fn begin(&mut self, place: Place, line: &Line<'_>, tie: &line::Link<'_>) {
        let mut chain = Chain {
            number: tie.number,
            hash: tie.hash.to_owned(),
            suspect: None,
        };
        let before = line.text("prev");
        let before = before.as_deref().and_then(|text| text.split_once('/'));
        if tie.number == 1 {
            if chain::hash(chain::START, tie.body) == tie.hash {
                self.report.whole += 1;
            } else {
                chain.number = 0;
                chain.hash = chain::START.into();
                chain.suspect(place, tie);
            }
        } else {
            let gone = before.filter(|(day, _)| !self.folder.join(format!("{day}.log")).exists());
            match (gone, before) {
                (Some((day, hash)), _) if chain::hash(hash, tie.body) == tie.hash => {
                    self.report.whole += 1;
                    self.note(place, Wrong::Removed, format!(
                        "{} not there: {day}.log is gone, removed as too old, by `cj/gate-purge' or by hand.",
                        lines_of_writer(1, tie.number - 1)
                    ));
                }
                (_, Some((_, hash))) if chain::hash(hash, tie.body) != tie.hash => {
                    self.find(place, Wrong::Changed, "This line was changed.".into());
                }
                _ => self.removed(place, 1, tie.number),
            }
        }
        self.chains.insert(tie.writer.to_owned(), chain);
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
        self.find(place, Wrong::Removed, words);
    }

    /// A later line of a writer.
    fn follow(&mut self, place: Place, chain: &mut Chain, line: &Line<'_>, tie: &line::Link<'_>) {
        if let Some(suspect) = chain.suspect.take() {
            if tie.number == suspect.number && chain::hash(&chain.hash, tie.body) == tie.hash {
                // The true line of that number is this one.
                self.find(
                    suspect.place,
                    Wrong::Inserted,
                    "This line was inserted: another one has its place in the chain.".into(),
                );
            } else {
                self.find(
                    suspect.place,
                    Wrong::Changed,
                    "This line was changed.".into(),
                );
                chain.number = suspect.number;
                chain.hash = suspect.hash;
                // Where only the hash was changed too, what follows cannot be tied to it.
                if tie.number == chain.number + 1 && chain::hash(&chain.hash, tie.body) != tie.hash
                {
                    chain.number = tie.number;
                    tie.hash.clone_into(&mut chain.hash);
                    return;
                }
            }
        }
        let expected = chain.number + 1;
        if tie.number < expected {
            self.find(
                place,
                Wrong::Inserted,
                format!(
                    "This line was inserted or moved: number {} of its writer has come before.",
                    tie.number
                ),
            );
            return;
        }
        if tie.number > expected {
            let prev = line.text("prev");
            let gone = prev.as_deref().and_then(|text| text.split_once('/'));
            let gone = gone.filter(|(day, hash)| {
                !self.folder.join(format!("{day}.log")).exists()
                    && chain::hash(hash, tie.body) == tie.hash
            });
            if let Some((day, _)) = gone {
                self.find(
                    place,
                    Wrong::Removed,
                    format!(
                        "{} not there: {day}.log is gone, though older files are not.",
                        lines_of_writer(expected, tie.number - 1)
                    ),
                );
            } else {
                self.removed(place, expected, tie.number);
            }
        } else if chain::hash(&chain.hash, tie.body) == tie.hash {
            self.report.whole += 1;
        } else {
            chain.suspect(place, tie);
            return;
        }
        chain.number = tie.number;
        tie.hash.clone_into(&mut chain.hash);
    }

    fn end(mut self, own: Option<&Head>) -> Report {
        let mut chains = std::mem::take(&mut self.chains);
        self.report.writers = chains.len() as u64;
        for chain in chains.values_mut() {
            if let Some(suspect) = chain.suspect.take() {
                self.find(
                    suspect.place,
                    Wrong::Changed,
                    "This line was changed.".into(),
                );
                chain.number = suspect.number;
            }
        }
        if let Some(own) = own.filter(|_| !self.report.cancelled) {
            let found = chains.get(&own.writer).map_or(0, |chain| chain.number);
            // A file of an earlier day may have been removed as too old, or with `cj/gate-purge'; that of today never is.
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
                self.note((self.names.len() - 1, 0), Wrong::Removed, format!(
                    "{lines} not there: {name} is gone, removed as too old, by `cj/gate-purge' or by hand."
                ));
            } else if found < own.number {
                if self.names.is_empty() {
                    self.names.push(self.folder.to_string_lossy().into_owned());
                }
                self.find(
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
