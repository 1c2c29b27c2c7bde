//! Unpacking a zip file: every entry is judged before the first one is written.
//!
//! The crate `zip` reads the container and inflates; this file decides which entries to accept.  It uses the crate's reader that walks
//! the list of entries, not the reader that builds an index: the index takes as much memory as the file claims to need, and keeps only
//! one of several entries with the same name.  Sizes come from the list, and an entry with more bytes than its list size is refused.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use zip::CompressionMethod;
use zip::ZipReadOptions;
use zip::read::{Config, ZipFileEntry};
use zip::unstable::read::ZipIterable;

use super::names::components;
use super::staging::{create, enter};
use super::trouble::ArchiveError;
use crate::gate::decide::kind::Refusal;

/// The limits for one archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// The most bytes of all files together, unpacked.
    pub bytes: u64,
    /// The most files and directories.
    pub entries: usize,
}

impl ArchiveLimits {
    /// The most files and directories that are accepted: a person cannot look through more.
    pub const ENTRIES: usize = 10_000;
}

/// How many times larger than packed all files together may be: an archive of logs reaches a ratio of some 40, deflate itself at most
/// 1,032.  A zip bomb, 10 MB of packed zeros, is refused by this ratio.
const MAX_RATIO: u64 = 250;
/// Up to this many unpacked bytes the ratio is not checked; the limit on all bytes is enough.
const SMALL: u64 = 1 << 20;
/// The most bytes of all names together.
const MAX_NAMES: usize = 1 << 20;
/// `S_IFMT` and its values, as they stand in a zip file made on a Unix (APPNOTE.TXT 4.4.15; stat(2)).
const KIND: u32 = 0o170_000;
const PLAIN_FILE: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
/// The bytes of a local header without name and extra field (APPNOTE.TXT 4.3.7).
const LOCAL_HEADER: u64 = 30;
/// How many bytes are read and written at once.
const PIECE: usize = 64 << 10;

/// A file that was unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file's name on disk, relative to the new directory.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
}

/// An entry that was accepted.
struct Entry {
    path: Vec<String>,
    directory: bool,
    size: u64,
}

/// Unpacks the whole zip file `archive` into the empty directory `into`; returns the files written, in the archive's order.
/// The function calls `go_on` again and again, and stops with its error.
///
/// Files get mode 0600 and directories 0700, whatever the archive says.  After an error some files may have been written; the caller
/// removes the directory.
///
/// # Errors
/// [`ArchiveError`].
pub fn unpack(
    archive: &File,
    into: &File,
    limits: ArchiveLimits,
    go_on: &mut dyn FnMut() -> Result<(), Refusal>,
) -> Result<Vec<Written>, ArchiveError> {
    let reader = archive.try_clone().map(BufReader::new).map_err(reading)?;
    let mut list = ZipIterable::try_new(reader, Config::default())
        .map_err(broken)?
        .enforce_header_consistency(true);
    let entries = judge(&mut list, archive, limits, go_on)?;
    let mut written = Vec::new();
    // Both readers share one position in the file, and each seeks before it reads.
    let files = list.files().map_err(broken)?;
    for entry in entries {
        go_on().map_err(ArchiveError::Ended)?;
        let found = files
            .next()
            .ok_or_else(|| ArchiveError::Broken("its list changed while it was read".into()))?
            .map_err(broken)?;
        if entry.directory {
            walk(into, &entry.path)?;
            continue;
        }
        let (name, above) = entry
            .path
            .split_last()
            .expect("an accepted name has at least one part");
        let file = create(&walk(into, above)?, name)?;
        let mut content = found
            .with_reader(files.reader_mut(), ZipReadOptions::default())
            .map_err(broken)?;
        copy(&mut content, &file, entry.size, go_on)?;
        written.push(Written {
            name: entry.path.join("/"),
            size: entry.size,
        });
    }
    Ok(written)
}

/// Checks every entry and all of them together; returns the entries to write.
///
/// # Errors
/// The reason of the first entry that is refused, or [`ArchiveError::Ended`].
fn judge(
    list: &mut ZipIterable<BufReader<File>>,
    archive: &File,
    limits: ArchiveLimits,
    go_on: &mut dyn FnMut() -> Result<(), Refusal>,
) -> Result<Vec<Entry>, ArchiveError> {
    if list.len() > limits.entries {
        return refused(format!(
            "it says that it holds {} files, and at most {} are taken",
            list.len(),
            limits.entries
        ));
    }
    let mut entries = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut names, mut total, mut packed) = (0, 0_u64, 0_u64);
    let mut ranges = Vec::new();
    for (index, found) in list.files().map_err(broken)?.enumerate() {
        if index % 256 == 0 {
            go_on().map_err(ArchiveError::Ended)?;
        }
        let found = found.map_err(broken)?;
        let entry = entry(&found)?;
        names += found.name_raw().len();
        if names > MAX_NAMES {
            return refused(format!("its names take more than {MAX_NAMES} bytes"));
        }
        if !seen.insert(entry.path.clone()) {
            return refused(format!("it holds `{}' twice", entry.path.join("/")));
        }
        total = total.saturating_add(entry.size);
        if total > limits.bytes {
            return refused(format!(
                "unpacked it has more than {} bytes, and no more are taken (`cj/gh-artifact-max-bytes')",
                limits.bytes
            ));
        }
        let start = found.header_start();
        let end = start.saturating_add(LOCAL_HEADER + found.compressed_size());
        packed = packed.saturating_add(found.compressed_size());
        ranges.push((start, end));
        entries.push(entry);
    }
    // A path must not be both a file and a directory of other entries.
    for entry in entries.iter().filter(|entry| !entry.directory) {
        let below =
            |other: &Vec<String>| other.len() > entry.path.len() && other.starts_with(&entry.path);
        if seen.range(entry.path.clone()..).nth(1).is_some_and(below) {
            return refused(format!(
                "`{}' in it is both a file and a directory",
                entry.path.join("/")
            ));
        }
    }
    ranges.sort_unstable();
    if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return refused("files in it share the same bytes".into());
    }
    let size = archive.metadata().map_err(reading)?.len();
    if total > SMALL && total / MAX_RATIO > packed.min(size) {
        return refused(format!(
            "unpacked it has {total} bytes, more than {MAX_RATIO} times as many as packed"
        ));
    }
    Ok(entries)
}

/// Checks one entry.
///
/// # Errors
/// The entry is no plain file or directory, its name is refused, or it cannot be unpacked.
fn entry(found: &ZipFileEntry<'_>) -> Result<Entry, ArchiveError> {
    let path = components(found.name_raw()).map_err(ArchiveError::Refused)?;
    let said = path.join("/");
    let directory = found.name_raw().ends_with(b"/");
    // The upper 16 bits are a Unix file mode, whatever system the entry claims to come from.
    match (found.external_attributes() >> 16) & KIND {
        0 => {}
        PLAIN_FILE if !directory => {}
        DIRECTORY if directory => {}
        _ => {
            return refused(format!(
                "`{said}' in it is a link or a special file, not a plain one"
            ));
        }
    }
    if found.encrypted() {
        return refused(format!("`{said}' in it is encrypted"));
    }
    if !matches!(
        found.compression(),
        CompressionMethod::Stored | CompressionMethod::Deflated
    ) {
        return refused(format!(
            "`{said}' in it is packed in a way that GitHub does not use"
        ));
    }
    if directory && found.size() > 0 {
        return refused(format!("the directory `{said}' in it has content"));
    }
    Ok(Entry {
        path,
        directory,
        size: found.size(),
    })
}

/// Opens the directory `path` below `root`; makes missing directories.
fn walk(root: &File, path: &[String]) -> Result<File, ArchiveError> {
    let start = root.try_clone();
    let mut here = start.map_err(ArchiveError::io("The new directory cannot be opened"))?;
    for part in path {
        here = enter(&here, part)?;
    }
    Ok(here)
}

/// Copies exactly `size` bytes; the crate `zip` compares the checksum at the end.
fn copy(
    from: &mut impl Read,
    mut to: &File,
    size: u64,
    go_on: &mut dyn FnMut() -> Result<(), Refusal>,
) -> Result<(), ArchiveError> {
    let mut piece = vec![0; PIECE];
    let mut left = size;
    loop {
        let count = from.read(&mut piece).map_err(|why| unreadable(&why))?;
        if count == 0 && left > 0 {
            return Err(ArchiveError::Broken("a file in it ends early".into()));
        }
        if count == 0 {
            return Ok(());
        }
        left = left.checked_sub(count as u64).ok_or_else(|| {
            ArchiveError::Refused("a file in it is larger than its list says".into())
        })?;
        to.write_all(&piece[..count])
            .map_err(ArchiveError::io("What was unpacked cannot be written"))?;
        go_on().map_err(ArchiveError::Ended)?;
    }
}

fn refused<T>(why: String) -> Result<T, ArchiveError> {
    Err(ArchiveError::Refused(why))
}

fn broken(why: zip::result::ZipError) -> ArchiveError {
    match why {
        zip::result::ZipError::Io(why) => unreadable(&why),
        why => ArchiveError::Broken(why.to_string()),
    }
}

/// An error while the archive is read.  The gate wrote the file itself, so the cause is the archive's content.
fn unreadable(why: &io::Error) -> ArchiveError {
    ArchiveError::Broken(why.to_string())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "`map_err` prescribes the signature"
)]
fn reading(why: io::Error) -> ArchiveError {
    ArchiveError::System {
        what: "The downloaded file cannot be read",
        why: why.to_string(),
    }
}
