//! One writer of the audit log, which appends each line with one write(2), in a chain of its own.
//!
//! Several processes append to the same file at once.  `O_APPEND` keeps their lines apart.  A writer holds a lock during the write:
//! so it can see a torn line that another writer left (a full disk, a kill), and end that line before its own begins.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

use chrono::{Days, NaiveDate};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::chain;
use super::entry::Entry;
use super::folder::{Folder, Trouble, file_name};
use super::line;

/// How often a writer tries to get the lock, with [`LOCK_PAUSE`] after each try: one second in all.  Then it writes without the lock,
/// for the other writer may have been stopped (SIGSTOP) while it held the lock.
const LOCK_TRIES: u32 = 200;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// How many bytes before the end of a file a writer looks for the beginning of a torn line.
pub(super) const TORN: usize = 65_536;

/// The last line of a writer's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The writer's id.
    pub writer: String,
    /// Number of lines written.
    pub number: u64,
    /// The hash of the last line.
    pub hash: String,
    /// The day of the file that has the last line; none before the first line.
    pub day: Option<NaiveDate>,
}

/// One writer.
#[derive(Debug)]
pub struct Writer {
    /// The last line.  The day of `head` never goes back, even if the clock is set back, so that the lines of a writer stand in their order.
    head: Head,
    /// Device and inode of the file that has the last line.
    file: Option<(u64, u64)>,
    /// The day on which old files were last removed.
    swept: Option<NaiveDate>,
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// A writer with a fresh random id.
    pub fn new() -> Self {
        Self {
            head: Head {
                writer: fresh_id(),
                number: 0,
                hash: chain::START.into(),
                day: None,
            },
            file: None,
            swept: None,
        }
    }

    /// The last line of this writer's chain.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Appends `entry` to the file of its day in `folder`.  `lost` is the number of lines that were dropped before this one; the line
    /// states it unless it is 0.  Once a day, files older than `days` days are removed.
    ///
    /// # Errors
    /// The line is not in the log, or not whole.  The next line takes its number in the chain.
    pub fn append(
        &mut self,
        folder: &Path,
        entry: &Entry,
        lost: u64,
        days: Option<u32>,
    ) -> Result<(), Trouble> {
        let day = entry.day().max(self.head.day.unwrap_or(entry.day()));
        let open = Folder::open(folder)?;
        let name = file_name(day);
        let place = folder.join(&name);
        let failed = |what: &'static str| {
            let place = place.clone();
            move |why: std::io::Error| Trouble::System {
                what,
                place,
                why: why.to_string(),
            }
        };
        let file = locked(open.append_to(&name)?);
        let facts = file.get().metadata().map_err(failed("cannot look at"))?;
        let torn = torn_end(file.get(), facts.len()).map_err(failed("cannot read"))?;

        let mut body = entry.text().to_owned();
        let identity = (facts.dev(), facts.ino());
        if let Some(last) = self.head.day.filter(|_| self.file != Some(identity)) {
            let _ = write!(body, " prev={}/{}", last.format("%Y-%m-%d"), self.head.hash);
        }
        if let Some(piece) = &torn {
            let _ = write!(body, " torn={}/{}", piece.len(), chain::digest(piece));
        }
        if lost > 0 {
            let _ = write!(body, " lost={lost}");
        }
        let number = self.head.number + 1;
        let _ = write!(body, " w={} n={number}", self.head.writer);
        let hash = chain::hash(&self.head.hash, body.as_bytes());
        // The same write first ends the torn line.
        let end = if torn.is_some() { "\n" } else { "" };
        let line = format!("{end}{body} h={hash}\n");
        let written = write_once(file.get(), line.as_bytes()).map_err(failed("cannot write to"))?;
        // A line that lacks only its line end is whole, and the next write adds the line end.
        if written + 1 < line.len() {
            return Err(Trouble::Short {
                place,
                written,
                of: line.len(),
            });
        }
        // A file that was removed between the opening and the write: nobody will ever read this line.
        let gone = file.get().metadata().is_ok_and(|facts| facts.nlink() == 0);
        drop(file);
        if gone {
            return Err(Trouble::Removed(place));
        }
        self.head.number = number;
        self.head.hash = hash;
        self.head.day = Some(day);
        self.file = Some(identity);
        if let Some(days) = days
            && self.swept != Some(day)
        {
            self.swept = Some(day);
            if let Some(first) = day.checked_sub_days(Days::new(days.into())) {
                open.remove_before(first);
            }
        }
        Ok(())
    }
}

/// A file, with its lock if the writer could get it.
enum Locked {
    Yes(Flock<File>),
    No(File),
}

impl Locked {
    fn get(&self) -> &File {
        match self {
            Self::Yes(file) => file,
            Self::No(file) => file,
        }
    }
}

/// Takes the lock of `file`, waiting for a second at most.  Some file systems have no locks.
fn locked(mut file: File) -> Locked {
    for _ in 0..LOCK_TRIES {
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(locked) => return Locked::Yes(locked),
            Err((back, Errno::EWOULDBLOCK | Errno::EINTR)) => file = back,
            Err((back, _)) => return Locked::No(back),
        }
        thread::sleep(LOCK_PAUSE);
    }
    Locked::No(file)
}

/// The torn bytes at the end of `file`, which has `length` bytes: everything behind the last whole line of a writer.  None where the
/// file ends with a line end.
///
/// The torn bytes can be several pieces: on a disk that is nearly full, the line that was to vouch for a torn line is itself torn.
fn torn_end(file: &File, length: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut last = [0];
    if length == 0 || file.read_at(&mut last, length - 1)? == 0 || last == *b"\n" {
        return Ok(None);
    }
    let from = length.saturating_sub(TORN as u64);
    let mut end = vec![0; usize::try_from(length - from).expect("at most TORN bytes")];
    let read = file.read_at(&mut end, from)?;
    end.truncate(read);
    let mut begin = memchr::memrchr(b'\n', &end).map_or(0, |at| at + 1);
    while let Some(before) = begin.checked_sub(1) {
        let line = memchr::memrchr(b'\n', &end[..before]).map_or(0, |at| at + 1);
        let cut = line == 0 && from > 0;
        if cut || line::whole(&end[line..before]).is_some() {
            break;
        }
        begin = line;
    }
    Ok(Some(end.split_off(begin)))
}

/// Calls write(2) once; again only if a signal came before the first byte.
fn write_once(mut file: &File, bytes: &[u8]) -> std::io::Result<usize> {
    loop {
        match file.write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// A random writer's id of 64 bits.
fn fresh_id() -> String {
    let mut bytes = [0; 32];
    let random = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if random.is_err() {
        // Without random bytes, time and process id tell this writer from others.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let unique = (now.map_or(0, |d| d.as_nanos()), std::process::id());
        return chain::digest(format!("{unique:?}").as_bytes());
    }
    chain::digest(&bytes)
}
