//! The catalog generator: asks a real `gh` for every command and flag, and writes the answers as JSON.
//!
//! `cargo run --no-default-features --example catalog -- GH FILE` writes the catalog of the binary GH to FILE.
//! With `--check` before GH the program writes nothing, and fails when FILE is stale.
//!
//! The commands and flags come from the binary: the tree and the flags from its help pages, the kind of each flag from how gh
//! parses the flag (`gh LEAF --help --FLAG`, which never runs a command). No help page shows the hidden commands and flags: `ask`
//! has a list of their names, and the binary is asked for each. `gh` starts with an empty home, no token and no network.
//!
//! With `--since FILE GH...` the program asks each release GH which catalogued words and flags that release has, and writes
//! to FILE which release first had each of them.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program for developers: it starts gh and talks on the terminal"
)]

mod ask;
mod since;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--since") {
        return since(&args[1..]);
    }
    let check = args.first().is_some_and(|a| a == "--check");
    if check {
        args.remove(0);
    }
    let [gh, file] = args.as_slice() else {
        eprintln!("usage: catalog [--check] GH FILE");
        return ExitCode::FAILURE;
    };
    let asked = match ask::Gh::new(&PathBuf::from(gh)).and_then(|gh| gh.catalog()) {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("{gh}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let text = write::json(&asked);
    let leaves = asked.commands.iter().filter(|c| c.runs).count();
    let flags: usize = asked
        .commands
        .iter()
        .filter(|c| c.runs)
        .map(|c| c.flags.len())
        .sum();
    println!("gh {}: {leaves} leaves, {flags} flags", asked.version);
    if check {
        if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
            return ExitCode::SUCCESS;
        }
        eprintln!("{file} is stale: run `make catalog`");
        return ExitCode::FAILURE;
    }
    if let Err(error) = std::fs::write(file, text) {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn since(args: &[String]) -> ExitCode {
    let Some((file, binaries)) = args.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        eprintln!("usage: catalog --since FILE GH...");
        return ExitCode::FAILURE;
    };
    let binaries: Vec<PathBuf> = binaries.iter().map(PathBuf::from).collect();
    let written = since::json(&binaries)
        .and_then(|text| std::fs::write(file, text).map_err(|e| format!("{file}: {e}")));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
