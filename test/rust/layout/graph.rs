//! Cycles in the graph of uses, and a summary of the graph as text.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use crate::crate_tree::CrateTree;
use crate::edges::Edges;
use crate::layers::FOLDERS;

/// The sets of two or more nodes that all reach one another, sorted.
pub fn cycles(edges: &Edges) -> Vec<Vec<String>> {
    let pairs = edges.iter().map(|(from, to)| (from.as_str(), to.as_str()));
    let graph: DiGraphMap<&str, ()> = DiGraphMap::from_edges(pairs);
    let mut cycles: Vec<Vec<String>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|one| one.len() > 1)
        .map(|one| one.into_iter().map(str::to_owned).collect())
        .collect();
    for cycle in &mut cycles {
        cycle.sort();
    }
    cycles.sort();
    cycles
}

/// The uses between the parts of `folder`: the files and folders directly in it.
///
/// The folder's `mod.rs` is no part, since it only declares modules and re-exports their items.
pub fn parts(edges: &Edges, folder: &str) -> Edges {
    let part = |file: &str| {
        let below = file.strip_prefix(folder)?.strip_prefix('/')?;
        let first = below.split('/').next()?.trim_end_matches(".rs");
        (first != "mod").then(|| first.to_owned())
    };
    edges
        .iter()
        .filter_map(|(from, to)| Some((part(from)?, part(to)?)))
        .filter(|(from, to)| from != to)
        .collect()
}

/// Prints each folder with its files, lines and uses, and the longest files and functions.
pub fn draw(tree: &CrateTree, edges: &Edges) {
    let folder = |file: &str| {
        file.rsplit_once('/')
            .map_or_else(|| ".".to_owned(), |(folder, _)| folder.to_owned())
    };
    let lines = |file: &str| {
        let path = format!("{}/src/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
    };
    let mut folders: BTreeMap<String, (usize, usize, BTreeSet<String>)> = BTreeMap::new();
    for file in tree.files() {
        let row = folders.entry(folder(&file)).or_default();
        row.0 += 1;
        row.1 += lines(&file);
    }
    for (from, to) in edges {
        let (from, to) = (folder(from), folder(to));
        if from != to {
            folders.entry(from).or_default().2.insert(to);
        }
    }
    let all: usize = folders.values().map(|(_, lines, _)| lines).sum();
    println!(
        "{} folders, {} files, {all} lines, {} uses between files, {} cycles of files",
        folders.len(),
        tree.files().len(),
        edges.len(),
        cycles(edges).len(),
    );
    for (name, (files, lines, below)) in &folders {
        let below: Vec<&str> = below.iter().map(String::as_str).collect();
        println!(
            "{name}: {files} files, {lines} lines -> {}",
            below.join(" ")
        );
    }
    for cycle in cycles(edges) {
        println!("cycle: {}", cycle.join(" "));
    }
    for top in FOLDERS {
        for cycle in cycles(&parts(edges, top)) {
            println!("cycle of parts in {top}: {}", cycle.join(" "));
        }
    }
    let mut longest: Vec<(usize, String)> = tree
        .files()
        .iter()
        .map(|file| (lines(file), file.clone()))
        .collect();
    longest.sort();
    for (lines, file) in longest.iter().rev().take(5) {
        println!("longest files: {file}, {lines} lines");
    }
    for one in tree.functions().iter().take(5) {
        println!(
            "longest functions: {} in {}, {} lines",
            one.name, one.file, one.lines
        );
    }
}
