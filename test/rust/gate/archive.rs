//! Archives from strangers: hostile ones made from the rows of fixtures/archives/rows.jsonl, and those of real tools.
//! Included by src/gate/archive/mod.rs.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};

use super::*;
use crate::gate::{ErrorKind, Refusal};

/// A directory that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cj-gate-archive-{}-{next}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a new directory");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))
            .expect("the test's own directory");
        Self(path)
    }

    /// Every file, directory and link in it, hidden ones too; each file with its content.
    fn tree(&self) -> Vec<(String, Option<Vec<u8>>)> {
        fn walk(at: &Path, root: &Path, out: &mut Vec<(String, Option<Vec<u8>>)>) {
            let mut entries: Vec<_> = fs::read_dir(at)
                .expect("the test's own directory")
                .flatten()
                .collect();
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                let name = path.strip_prefix(root).expect("below").to_string_lossy();
                let kind = entry.file_type().expect("a kind");
                if kind.is_dir() {
                    out.push((format!("{name}/"), None));
                    walk(&path, root, out);
                } else {
                    out.push((name.into_owned(), fs::read(&path).ok()));
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.0, &self.0, &mut out);
        out
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A zip file as a row describes it, false sizes, names and checksums included (APPNOTE.TXT 4.3).
#[derive(Default)]
struct Zip {
    bytes: Vec<u8>,
    list: Vec<u8>,
    count: u16,
    starts: Vec<u32>,
}

impl Zip {
    fn put(bytes: &mut Vec<u8>, parts: &[&[u8]]) {
        for part in parts {
            bytes.extend_from_slice(part);
        }
    }

    #[allow(clippy::too_many_lines, reason = "the headers, field by field")]
    fn add(&mut self, row: &Value) {
        let times = row["times"].as_u64().unwrap_or(1);
        let name = match row["bytes"].as_str() {
            Some(hex) => (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal"))
                .collect(),
            None => row["name"]
                .as_str()
                .expect("a name")
                .repeat(usize::try_from(times).expect("a small number"))
                .into_bytes(),
        };
        let data = match row["zeros"].as_u64() {
            Some(count) => vec![0; usize::try_from(count).expect("a small number")],
            None => row["text"].as_str().unwrap_or_default().as_bytes().to_vec(),
        };
        let mut crc = flate2::Crc::new();
        crc.update(&data);
        let crc = row["crc"].as_u64().map_or(crc.sum(), |crc| {
            u32::try_from(crc).expect("the number fits 32 bits")
        });
        let says = row["says"].as_u64().unwrap_or(data.len() as u64);
        let deflate = row["deflate"] == true;
        let packed = if deflate {
            let mut out =
                flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
            out.write_all(&data).expect("writing to memory cannot fail");
            out.finish().expect("writing to memory cannot fail")
        } else {
            data
        };
        let descriptor = row["descriptor"] == true;
        let zip64 = row["zip64"] == true;
        let number = |value: &Value, usual: u64| {
            u16::try_from(value.as_u64().unwrap_or(usual)).expect("the number fits 16 bits")
        };
        let method = number(&row["method"], if deflate { 8 } else { 0 });
        let flags = number(&row["flags"], 0) | if descriptor { 8 } else { 0 };
        let mode = row["mode"].as_str().unwrap_or("0");
        let attributes = u32::from_str_radix(mode, 8).expect("octal") << 16;
        let system =
            u8::try_from(row["system"].as_u64().unwrap_or(3)).expect("the number fits 8 bits");
        let small = |size: u64| {
            if zip64 {
                u32::MAX
            } else {
                u32::try_from(size).expect("the number fits 32 bits")
            }
        };
        let mut extra = Vec::new();
        if zip64 {
            let sizes = [says.to_le_bytes(), (packed.len() as u64).to_le_bytes()].concat();
            Self::put(
                &mut extra,
                &[&1u16.to_le_bytes(), &16u16.to_le_bytes(), &sizes],
            );
        }
        let length = |part: &[u8]| {
            u16::try_from(part.len())
                .expect("the number fits 16 bits")
                .to_le_bytes()
        };
        // The fields that both headers have: version, flags, method, time, date, checksum, sizes, lengths.
        let common = |hidden: bool, name: &[u8]| {
            let (crc, size, says) = if hidden {
                (0, 0, 0)
            } else {
                (crc, small(packed.len() as u64), small(says))
            };
            let mut out = Vec::new();
            Self::put(
                &mut out,
                &[
                    &45u16.to_le_bytes(),
                    &flags.to_le_bytes(),
                    &method.to_le_bytes(),
                    &[0, 0, 0x21, 0x5c],
                    &crc.to_le_bytes(),
                    &size.to_le_bytes(),
                    &says.to_le_bytes(),
                    &length(name),
                    &length(&extra),
                ],
            );
            out
        };
        let start = u32::try_from(self.bytes.len()).expect("the number fits 32 bits");
        self.starts.push(start);
        let own = row["at"].as_u64().is_none();
        if own {
            let local = row["local"].as_str().map_or(&name[..], str::as_bytes);
            let head = common(descriptor, local);
            Self::put(
                &mut self.bytes,
                &[b"PK\x03\x04", &head, local, &extra, &packed],
            );
            if descriptor {
                let sizes = [small(packed.len() as u64), small(says)].map(u32::to_le_bytes);
                Self::put(
                    &mut self.bytes,
                    &[b"PK\x07\x08", &crc.to_le_bytes(), &sizes.concat()],
                );
            }
        }
        let start = match row["at"].as_u64() {
            Some(which) => self.starts[usize::try_from(which).expect("a small number")],
            None => start,
        };
        let head = common(false, &name);
        Self::put(
            &mut self.list,
            &[
                b"PK\x01\x02",
                &[45, system],
                &head,
                // No comment, the first disk, no inner attributes.
                &[0; 6],
                &attributes.to_le_bytes(),
                &start.to_le_bytes(),
                &name,
                &extra,
            ],
        );
        self.count = self.count.wrapping_add(1);
    }

    fn finish(mut self, count: Option<u16>) -> Vec<u8> {
        let count = count.unwrap_or(self.count).to_le_bytes();
        let start = u32::try_from(self.bytes.len()).expect("the number fits 32 bits");
        let size = u32::try_from(self.list.len()).expect("the number fits 32 bits");
        let list = std::mem::take(&mut self.list);
        Self::put(
            &mut self.bytes,
            &[
                &list,
                b"PK\x05\x06",
                &[0; 4],
                &count,
                &count,
                &size.to_le_bytes(),
                &start.to_le_bytes(),
                &[0; 2],
            ],
        );
        self.bytes
    }
}

fn zip_of(row: &Value) -> Vec<u8> {
    if let Some(raw) = row["raw"].as_str() {
        return raw.as_bytes().to_vec();
    }
    let mut zip = Zip::default();
    for entry in row["entries"].as_array().expect("entries") {
        zip.add(entry);
    }
    zip.finish(
        row["count"]
            .as_u64()
            .map(|n| u16::try_from(n).expect("the number fits 16 bits")),
    )
}

/// Stages `bytes` as the archive that belongs at `host/o/r/7/report` below `scratch`, and unpacks it there.
fn unpacked(scratch: &Scratch, bytes: &[u8], most: u64) -> Result<Vec<Written>, ArchiveError> {
    let place = FreePlace::free(&scratch.0, &["host", "o", "r", "7", "report"])?;
    let staging = Staging::new(&place)?;
    let mut packed = staging.packed()?;
    packed.write_all(bytes).expect("a small file");
    let into = staging.unpacked()?;
    let limits = ArchiveLimits {
        bytes: most,
        entries: ArchiveLimits::ENTRIES,
    };
    let written = unpack(&packed, &into, limits, &mut || Ok(()))?;
    staging.publish(&place)?;
    Ok(written)
}

const MOST: u64 = 100_000_000;

/// The unpacked files by name, each with its content.
fn files(scratch: &Scratch) -> Map<String, Value> {
    let below = "host/o/r/7/report/";
    let tree = scratch.tree();
    let files = tree.into_iter().filter_map(|(name, content)| {
        let name = name.strip_prefix(below)?.to_owned();
        let content = String::from_utf8_lossy(&content?).into_owned();
        Some((name, Value::String(content)))
    });
    files.collect()
}

fn check(row: &Value) -> Result<(), String> {
    let scratch = Scratch::new();
    let got = unpacked(
        &scratch,
        &zip_of(row),
        row["limit"].as_u64().unwrap_or(MOST),
    );
    let left = scratch.tree();
    let nothing = |got: &ArchiveError| {
        if left.is_empty() {
            Ok(())
        } else {
            Err(format!("{got:?} left {left:?}"))
        }
    };
    match (&got, row["refused"].as_str()) {
        (Err(trouble @ ArchiveError::Refused(why)), Some(words)) if why.contains(words) => {
            return nothing(trouble);
        }
        (got, Some(_)) => return Err(format!("{got:?}")),
        (_, None) => {}
    }
    match &got {
        Err(trouble @ ArchiveError::Broken(_))
            if row["broken"] == true || row["trouble"] == true =>
        {
            nothing(trouble)
        }
        Err(trouble @ ArchiveError::Refused(_)) if row["trouble"] == true => nothing(trouble),
        Ok(written) => {
            let mut expect = row["files"].clone();
            if let Some(sizes) = row["sizes"].as_object() {
                expect = sizes
                    .iter()
                    .map(|(name, size)| {
                        let size = usize::try_from(size.as_u64().expect("a size"))
                            .expect("a small number");
                        (name.clone(), Value::String("\0".repeat(size)))
                    })
                    .collect::<Map<_, _>>()
                    .into();
            }
            let found = Value::Object(files(&scratch));
            let listed = written.len() == found.as_object().map_or(0, Map::len);
            if found == expect && listed {
                Ok(())
            } else {
                Err(format!("{found:.200} {written:?}"))
            }
        }
        got => Err(format!("{got:?}")),
    }
}

fn rows() -> Vec<Value> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archives/rows.jsonl");
    let text = fs::read_to_string(file).expect("the rows");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row of JSON"))
        .collect()
}

#[test]
fn every_archive_of_the_rows_is_unpacked_or_refused_as_its_row_says() {
    let rows = rows();
    assert!(rows.len() > 50);
    let mut wrong = String::new();
    for row in &rows {
        if let Err(got) = check(row) {
            let _ = writeln!(wrong, "{}: {got:.600}", row["case"]);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn an_archive_of_a_real_tool_is_unpacked_as_it_was_packed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/archives");
    for name in [
        "streamed.zip",
        "zip64.zip",
        "info-zip.zip",
        "info-zip-streamed.zip",
    ] {
        let scratch = Scratch::new();
        let bytes = fs::read(folder.join(name)).expect("a fixture");
        let written = unpacked(&scratch, &bytes, MOST).expect(name);
        let found = files(&scratch);
        assert_eq!(written.len(), 3, "{name}");
        assert_eq!(found["summary.txt"], "3 passed\n", "{name}");
        assert_eq!(found["logs/build.log"], "line\n".repeat(400), "{name}");
        assert_eq!(found["logs/empty"], "", "{name}");
    }
    let scratch = Scratch::new();
    let bytes = fs::read(folder.join("link.zip")).expect("a fixture");
    let got = unpacked(&scratch, &bytes, MOST).expect_err("it holds a link");
    assert!(
        got.to_string().contains("`way-out' in it is a link"),
        "{got}"
    );
    assert_eq!(scratch.tree(), []);
}

#[test]
fn an_archive_of_too_many_entries_is_refused() {
    let mut zip = Zip::default();
    for number in 0..100_000 {
        zip.add(&serde_json::json!({"name": format!("f{number}"), "text": ""}));
    }
    let count = u16::try_from(100_000 % 65_536).expect("the number fits 16 bits");
    let bytes = zip.finish(Some(count));
    let scratch = Scratch::new();
    // The count in 16 bits says 34,464 (100,000 modulo 65,536).
    let got = unpacked(&scratch, &bytes, MOST).expect_err("it is too much");
    assert!(
        matches!(got, ArchiveError::Refused(_) | ArchiveError::Broken(_)),
        "{got}"
    );
    let mut zip = Zip::default();
    for number in 0..=ArchiveLimits::ENTRIES {
        zip.add(&serde_json::json!({"name": format!("f{number}"), "text": ""}));
    }
    let got = unpacked(&scratch, &zip.finish(None), MOST).expect_err("it is one too many");
    assert!(got.to_string().contains("at most 10000 are taken"), "{got}");
    assert_eq!(scratch.tree(), []);
}

#[test]
fn unpacked_files_are_the_users_alone_and_cannot_be_executed() {
    let scratch = Scratch::new();
    let zip = zip_of(&serde_json::json!({"entries": [
        {"name": "d/", "mode": "040777"}, {"name": "d/run", "text": "x", "mode": "0106777"}]}));
    unpacked(&scratch, &zip, MOST).expect("plain files");
    for (name, content) in scratch.tree() {
        let mode = fs::metadata(scratch.0.join(&name))
            .expect("there")
            .permissions();
        let expect = if content.is_some() { 0o600 } else { 0o700 };
        assert_eq!(mode.mode() & 0o7777, expect, "{name}");
    }
}

#[test]
fn a_taken_place_stays_as_it_is_and_a_link_on_the_way_is_refused() {
    let scratch = Scratch::new();
    let zip = zip_of(&serde_json::json!({"entries": [{"name": "a", "text": "new"}]}));
    unpacked(&scratch, &zip, MOST).expect("the first");
    unpacked(&scratch, &zip, MOST).expect("the second");
    let names: Vec<String> = scratch.tree().into_iter().map(|(name, _)| name).collect();
    assert!(
        names.contains(&"host/o/r/7/report/a".to_owned()),
        "{names:?}"
    );
    assert!(
        names.contains(&"host/o/r/7/report-2/a".to_owned()),
        "{names:?}"
    );

    // Somebody takes the place while the call waits for a person's yes.
    let place = FreePlace::free(&scratch.0, &["host", "o", "r", "7", "late"]).expect("a free one");
    let staging = Staging::new(&place).expect("a new one");
    staging.unpacked().expect("a new one");
    fs::write(place.path(), "mine").expect("a file");
    let got = staging.publish(&place).expect_err("it is taken");
    assert!(matches!(got, ArchiveError::Directory(_)), "{got}");
    assert_eq!(
        fs::read_to_string(place.path()).expect("still there"),
        "mine"
    );

    let outside = Scratch::new();
    std::os::unix::fs::symlink(&outside.0, scratch.0.join("host/o/away")).expect("a link");
    let place = FreePlace::free(&scratch.0, &["host", "o", "away", "7", "report"]).expect("free");
    let staging = Staging::new(&place).expect("a new one");
    staging.unpacked().expect("a new one");
    let got = staging.publish(&place).expect_err("a link stands there");
    assert!(got.to_string().contains("is no directory"), "{got}");
    assert_eq!(outside.tree(), []);
    assert!(!scratch.tree().iter().any(|(name, _)| name.starts_with('.')));
}

#[test]
fn the_name_of_an_artifact_becomes_one_name_below_the_root() {
    let root = Path::new("/nowhere");
    for (name, expect) in [
        ("report", "/nowhere/h/report"),
        ("..", "/nowhere/h/_."),
        (".", "/nowhere/h/_"),
        ("", "/nowhere/h/_"),
        ("a/b\\c", "/nowhere/h/a_b_c"),
        ("/etc", "/nowhere/h/_etc"),
        ("a\nb\u{202e}", "/nowhere/h/a^Jb<U+202E>"),
        (".git", "/nowhere/h/_git"),
    ] {
        let place = FreePlace::free(root, &["h", name]).expect("nothing is there");
        assert_eq!(place.path(), Path::new(expect), "{name:?}");
    }
    let long = FreePlace::free(root, &["h", &"ä".repeat(400)]).expect("nothing is there");
    assert!(long.path().file_name().expect("a name").len() < 250);
    assert!(FreePlace::free(Path::new("relative"), &["h"]).is_err());
}

#[test]
fn a_directory_that_others_may_write_to_is_refused() {
    let scratch = Scratch::new();
    let open = scratch.0.join("open");
    fs::create_dir(&open).expect("a new directory");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777))
        .expect("the test's own directory");
    let place = FreePlace::free(&open, &["h", "report"]).expect("it is free");
    let got = Staging::new(&place).err().expect("others may write there");
    let refusal = got.refusal("The artifact report");
    assert_eq!(refusal.kind, ErrorKind::BadCwd);
    assert!(
        refusal.message.contains("thers may write"),
        "{}",
        refusal.message
    );
}

#[test]
fn a_call_that_is_ended_midway_stops_and_leaves_nothing() {
    let scratch = Scratch::new();
    let zip = zip_of(&serde_json::json!({"entries": [
        {"name": "a", "text": "x"}, {"name": "b", "zeros": 500_000}]}));
    let mut asked = 0;
    let mut ended = 0;
    // In each round the call ends at a later check, until the archive is unpacked before the call ends.
    loop {
        let place = FreePlace::free(&scratch.0, &["report"]).expect("a free one");
        let staging = Staging::new(&place).expect("a new one");
        let mut packed = staging.packed().expect("a new one");
        packed.write_all(&zip).expect("a small file");
        let into = staging.unpacked().expect("a new one");
        let limits = ArchiveLimits {
            bytes: MOST,
            entries: 9,
        };
        let mut left = asked;
        let got = unpack(&packed, &into, limits, &mut || {
            if left == 0 {
                return Err(Refusal::new(ErrorKind::Cancelled, "ended"));
            }
            left -= 1;
            Ok(())
        });
        drop(staging);
        assert_eq!(scratch.tree(), []);
        match got {
            Ok(_) => break,
            Err(ArchiveError::Ended(refusal)) => assert_eq!(refusal.kind, ErrorKind::Cancelled),
            Err(other) => panic!("{other}"),
        }
        asked += 1;
        ended += 1;
    }
    assert!(ended >= 6, "{ended}");
}

#[test]
fn what_a_killed_process_left_is_removed_and_a_staging_in_use_stays() {
    let scratch = Scratch::new();
    let left = scratch.0.join(".filling-1-0");
    fs::create_dir_all(left.join("unpacked/d")).expect("a new directory");
    fs::write(left.join("packed.zip"), "half").expect("a new file");
    let place = FreePlace::free(&scratch.0, &["report"]).expect("a free one");
    let first = Staging::new(&place).expect("a new one");
    assert!(!left.exists());
    let second = Staging::new(&place).expect("another new one");
    let filling = || scratch.tree().len();
    assert_eq!(filling(), 2);
    drop(second);
    assert_eq!(filling(), 1);
    first.packed().expect("it is there still");
}

#[test]
fn nine_thousand_files_in_directories_are_unpacked_within_a_minute() {
    let mut zip = Zip::default();
    for number in 0..9_000 {
        let name = format!("d{}/e{}/f{number}", number % 10, number % 100);
        zip.add(&serde_json::json!({"name": name, "text": "x"}));
    }
    let scratch = Scratch::new();
    let begun = std::time::Instant::now();
    let written = unpacked(&scratch, &zip.finish(None), MOST).expect("plain files");
    assert_eq!(written.len(), 9_000);
    assert!(begun.elapsed() < Duration::from_secs(60));
    let mut first = String::new();
    File::open(scratch.0.join("host/o/r/7/report/d0/e0/f0"))
        .and_then(|mut file| file.read_to_string(&mut first))
        .expect("the first");
    assert_eq!(first, "x");
}
