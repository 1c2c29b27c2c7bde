//! The layout of `src/`: which folder may use which, and that no files or rooms use each other in a circle.
//!
//! An edge goes from a file to the file that defines an item which the first one names: a re-export (`pub use`) is followed to
//! its definition, and a `mod` line is no edge.  Code for tests adds no edges.
//!
//! `cargo test --no-default-features --test layout -- --nocapture` prints the folders, their arrows and the longest files and functions.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the tests read the sources, and one prints its figures"
)]

mod crate_tree;
mod edges;
mod floors;
mod graph;

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

/// A crate of `files` (path, content), with which the checks themselves are tested.
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
    assert_eq!(floors::upward(uses()), Vec::<String>::new());
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    assert_eq!(graph::circles(uses()), Vec::<Vec<String>>::new());
}

#[test]
fn no_rooms_of_a_folder_use_each_other_in_a_circle() {
    for folder in floors::FOLDERS {
        let circles = graph::circles(&graph::rooms(uses(), folder));
        assert!(circles.is_empty(), "{folder}: {circles:#?}");
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
fn an_upward_use_is_found_by_whatever_path() {
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
            floors::upward(&edges::all(&tree)),
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
        assert!(floors::upward(&edges::all(&tree)).is_empty(), "{allowed}");
    }
}

#[test]
fn a_circle_is_found_at_any_length_and_through_a_re_export() {
    let check = |files: &[(&str, &str)], expect: &[&str]| {
        let circles = graph::circles(&edges::all(&made_of(files)));
        let expect: Vec<Vec<&str>> = expect.iter().map(|one| one.split(' ').collect()).collect();
        assert_eq!(circles, expect, "{files:?}");
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
    // A room uses an item that the folder's own file defines, and that file uses the room: a circle.
    let lib = ("lib.rs", "mod a;");
    let room = ("a/room.rs", "use super::A; pub struct Room;");
    check(
        &[
            lib,
            ("a/mod.rs", "mod room; pub use room::Room; pub struct A;"),
            room,
        ],
        &["a/mod.rs a/room.rs"],
    );
    check(
        &[
            lib,
            (
                "a/mod.rs",
                "mod room; mod own; pub use own::A; pub use room::Room;",
            ),
            room,
            ("a/own.rs", "pub struct A;"),
        ],
        &[],
    );
}

#[test]
fn the_layout_is_drawn() {
    graph::draw(&CrateTree::read(&src()), uses());
}
