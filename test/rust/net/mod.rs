//! The suites of src/net/, and the captures in fixtures/net/captures that they read.

use std::fs;
use std::path::PathBuf;

mod parse;
mod parse_hostile;
mod validate;
mod wire;

fn captures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/net/captures")
}

/// The recorded output `name` of a real program; test/netlab/capture.sh has the command lines.
fn out(name: &str) -> String {
    fs::read_to_string(captures().join(format!("{name}.out"))).expect(name)
}

/// The captures whose names begin with `prefix`, sorted; at least one is there.
fn names(prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_to_string(captures().join("index.tsv"))
        .expect("index.tsv")
        .lines()
        .filter_map(|line| line.split('\t').next())
        .filter(|name| name.starts_with(prefix))
        .map(str::to_owned)
        .collect();
    names.sort();
    assert!(!names.is_empty(), "{prefix}");
    names
}
