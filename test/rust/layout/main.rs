//! The layout of `src/`: which folder may use which, and that neither files nor the parts of a folder (the files and folders directly
//! in it) use each other in a cycle.
//!
//! An edge of the graph goes from a file that names an item to the file that defines this item: a re-export (`pub use`) is followed
//! to the definition, and a `mod` line is no edge.  Code for tests adds no edges.
//!
//! `cargo test --no-default-features --test layout -- --nocapture` prints the folders, their uses and the longest files and functions.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the tests read the sources, and one prints its figures"
)]

mod crate_tree;
mod edges;
mod graph;
mod layers;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate_tree::CrateTree;
use edges::Edges;

/// `src/` of this checkout.
fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The uses between the files of `src/`.
fn uses() -> &'static Edges {
    static USES: LazyLock<Edges> = LazyLock::new(|| edges::all(&CrateTree::read(&src())));
    &USES
}

/// A crate of `files`, pairs of path and content, for tests of the checks themselves.
fn made_of(files: &[(&str, &str)]) -> CrateTree {
    CrateTree::of(&|path| {
        files
            .iter()
            .find(|(name, _)| *name == path)
            .map(|(_, text)| (*text).to_owned())
    })
}

#[test]
fn each_folder_uses_only_the_folders_below_it() {
    assert_eq!(layers::forbidden(uses()), Vec::<String>::new());
}

#[test]
fn no_files_use_each_other_in_a_cycle() {
    assert_eq!(graph::cycles(uses()), Vec::<Vec<String>>::new());
}

#[test]
fn no_parts_of_a_folder_use_each_other_in_a_cycle() {
    for folder in layers::FOLDERS {
        let cycles = graph::cycles(&graph::parts(uses(), folder));
        assert!(cycles.is_empty(), "{folder}: {cycles:#?}");
    }
}

#[test]
fn every_file_of_src_is_part_of_the_crate() {
    let of_crate = CrateTree::read(&src()).files();
    let there = crate_tree::files_below(&src());
    let left_out: Vec<&String> = there.difference(&of_crate).collect();
    let tests = |file: &&String| file.ends_with("/tests.rs");
    assert!(left_out.iter().all(tests), "{left_out:?}");
}

#[test]
fn a_forbidden_use_is_found_by_whatever_path() {
    let lib = ("lib.rs", "mod gate; mod gh; mod run;");
    let gh = ("gh.rs", "pub struct Thing; pub fn thing() {}");
    for upward in [
        "use crate::gh::Thing;",
        "use crate::{run, gh::{self, Thing}}; fn f() { run::f() }",
        "fn f() { crate::gh::thing() }",
        "fn f() { super::gh::thing() }",
        "use crate::gh as other; fn f() { other::thing() }",
        "fn f() { assert!(crate::gh::thing() == ()) }",
        "pub use crate::gh::thing as ours;",
        "mod inner { use super::super::gh::*; }",
    ] {
        let tree = made_of(&[lib, gh, ("gate.rs", upward), ("run.rs", "pub fn f() {}")]);
        assert_eq!(
            layers::forbidden(&edges::all(&tree)),
            ["gate.rs uses gh.rs"],
            "{upward}"
        );
    }
    for allowed in [
        "mod gh {}",
        "// crate::gh::thing()",
        "#[cfg(test)] mod tests { use crate::gh::Thing; }",
    ] {
        let tree = made_of(&[lib, gh, ("gate.rs", allowed), ("run.rs", "")]);
        assert!(
            layers::forbidden(&edges::all(&tree)).is_empty(),
            "{allowed}"
        );
    }
}

#[test]
fn a_cycle_is_found_at_any_length_and_through_a_re_export() {
    let check = |files: &[(&str, &str)], expect: &[&str]| {
        let cycles = graph::cycles(&edges::all(&made_of(files)));
        let expect: Vec<Vec<&str>> = expect.iter().map(|one| one.split(' ').collect()).collect();
        assert_eq!(cycles, expect, "{files:?}");
    };
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    check(
        &[
            lib,
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use super::c::C; pub struct B;"),
            ("c.rs", "fn f(a: crate::a::A) {} pub struct C;"),
        ],
        &["a.rs b.rs c.rs"],
    );
    check(
        &[
            lib,
            ("a.rs", "pub use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B;"),
            ("c.rs", "use crate::a::{A, B};"),
        ],
        &[],
    );
    // `a/part.rs` uses an item of `a/mod.rs`, which re-exports an item of `a/part.rs`: a cycle.
    let lib = ("lib.rs", "mod a;");
    let part = ("a/part.rs", "use super::A; pub struct Part;");
    check(
        &[
            lib,
            ("a/mod.rs", "mod part; pub use part::Part; pub struct A;"),
            part,
        ],
        &["a/mod.rs a/part.rs"],
    );
    check(
        &[
            lib,
            (
                "a/mod.rs",
                "mod part; mod own; pub use own::A; pub use part::Part;",
            ),
            part,
            ("a/own.rs", "pub struct A;"),
        ],
        &[],
    );
}

#[test]
fn the_layout_is_drawn() {
    graph::draw(&CrateTree::read(&src()), uses());
}
