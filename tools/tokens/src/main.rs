//! The part of the token estimator that needs the real vocabulary: makes the table, counts the fixtures, measures the error.
//!
//! `table`             writes src/text/tokens.bin
//! `record`            counts every text of fixtures/tokens/ anew and writes each count into the row of its text
//! `languages`         prints the error of the estimate for each text of tools/tokens/languages.json
//! `excerpts FILE...`  prints the error of the estimate for excerpts of these files
//! `speed FILE...`     prints megabytes a second of processor time, for these files and for gibberish
//! `count`             prints the number of tokens of standard input
//! `counts`            prints the number of tokens of each line of standard input, which is a JSON string

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::Value;
use tiktoken_rs::CoreBPE;

#[path = "../../../src/text/tokens.rs"]
mod tokens;

/// How many rows of the vocabulary, the most frequent first, are candidates for the table, and how many places the table has.
const ROWS: u32 = 72_000;
const PLACES: usize = 1 << 16;

fn main() -> Result<(), Box<dyn Error>> {
    let vocabulary = tiktoken_rs::o200k_base()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let words: Vec<String> = env::args().skip(1).collect();
    match words.split_first() {
        Some((word, [])) if word == "table" => table(&vocabulary, &root),
        Some((word, [])) if word == "record" => record(&vocabulary, &root),
        Some((word, [])) if word == "languages" => languages(&vocabulary, &root),
        Some((word, files)) if word == "excerpts" => excerpts(&vocabulary, files),
        Some((word, files)) if word == "speed" => speed(files),
        Some((word, [])) if word == "count" => {
            println!("{}", count(&vocabulary, &io::read_to_string(io::stdin())?));
            Ok(())
        }
        Some((word, [])) if word == "counts" => {
            for line in io::stdin().lines() {
                println!("{}", count(&vocabulary, &serde_json::from_str::<String>(&line?)?));
            }
            Ok(())
        }
        _ => Err("usage: tokens table | record | languages | excerpts FILE... | speed FILE... | count | counts".into()),
    }
}

/// How many tokens `text` has.
fn count(vocabulary: &CoreBPE, text: &str) -> usize {
    vocabulary.encode_ordinary(text).len()
}

/// The relative error of the estimate for `text`: 0.1 where the estimate is 10 % too high.
fn relative_error(vocabulary: &CoreBPE, text: &str) -> f64 {
    tokens::count(text) as f64 / count(vocabulary, text) as f64 - 1.0
}

/// Whether `piece` goes into the table. Digits do not, since the estimate cuts them without the table; nor do words with letters
/// beyond ASCII, which the estimate counts by a weight for each letter.
fn wanted(piece: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(piece) else {
        return false;
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let word = !text.is_ascii() && text.chars().any(char::is_alphanumeric);
    piece.len() <= tokens::LONGEST && !digits && !word
}

fn table(vocabulary: &CoreBPE, root: &Path) -> Result<(), Box<dyn Error>> {
    let pieces: Vec<Vec<u8>> = (0..ROWS)
        .filter_map(|row| vocabulary.decode_bytes(&[row]).ok())
        .map(|piece| piece.to_vec())
        .filter(|piece| wanted(piece))
        .collect();
    let table = tokens::table(pieces.iter().map(Vec::as_slice), PLACES);
    fs::write(root.join("src/text/tokens.bin"), table)?;
    println!("{} pieces", pieces.len());
    Ok(())
}

fn record(vocabulary: &CoreBPE, root: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("fixtures/tokens"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    // The scenarios are tasks, not texts.
    let texts = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == "jsonl")
            && path.file_stem().is_some_and(|name| name != "scenarios")
    };
    files.retain(texts);
    files.sort();
    for path in files {
        let mut lines = String::new();
        for line in fs::read_to_string(&path)?.lines() {
            let mut row: Value = serde_json::from_str(line)?;
            let text = row["text"].as_str().ok_or("a row without text")?;
            row["tokens"] = count(vocabulary, text).into();
            lines += &format!("{row}\n");
        }
        fs::write(path, lines)?;
    }
    Ok(())
}

fn languages(vocabulary: &CoreBPE, root: &Path) -> Result<(), Box<dyn Error>> {
    let texts = fs::read_to_string(root.join("tools/tokens/languages.json"))?;
    let texts: Value = serde_json::from_str(&texts)?;
    for (name, text) in texts.as_object().ok_or("no object")? {
        let text = text.as_str().ok_or("no text")?;
        println!("{:+.3} {name}", relative_error(vocabulary, text));
    }
    Ok(())
}

fn excerpts(vocabulary: &CoreBPE, files: &[String]) -> Result<(), Box<dyn Error>> {
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        let mut rest = text.as_str();
        for length in [250, 400, 800, 2_000].into_iter().cycle() {
            let mut end = length.min(rest.len());
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            if end < 200 {
                break;
            }
            found.push((relative_error(vocabulary, &rest[..end]), file));
            rest = &rest[end..];
        }
    }
    found.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    for percent in [50, 90, 95, 99] {
        if let Some((error, file)) = found.get(found.len() * percent / 100) {
            println!(
                "{percent} % of {} excerpts: error within {:.3} ({file})",
                found.len(),
                error.abs()
            );
        }
    }
    Ok(())
}

/// Nanoseconds of processor time that this thread has had.
fn spent() -> Result<f64, Box<dyn Error>> {
    let figures = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(figures.split(' ').next().ok_or("no figure")?.parse()?)
}

fn speed(files: &[String]) -> Result<(), Box<dyn Error>> {
    let texts = files.iter().map(fs::read_to_string);
    let texts = texts.collect::<io::Result<String>>()?;
    for (name, text) in [
        ("files", texts.as_str()),
        ("zq", &"zq".repeat(32_768)),
        ("~!@", &"~!@".repeat(20_000)),
    ] {
        let begun = spent()?;
        let mut done = 0;
        let mut sum = 0;
        while done < 10_000_000 {
            sum += tokens::count(std::hint::black_box(text));
            done += text.len();
        }
        let rate = done as f64 / (spent()? - begun) * 1_000.0;
        println!(
            "{name}: {rate:.0} MB/s, {:.3} ms for 64 KiB ({sum} tokens)",
            65.536 / rate
        );
    }
    Ok(())
}
