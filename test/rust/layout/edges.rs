//! Which file uses which other file: every path in the code of a module leads to the file that defines the named item.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use crate::crate_tree::{CrateTree, Module, Names};

/// From a file to the file whose definition it uses, both relative to `src/`.
pub type Edges = BTreeSet<(String, String)>;

/// The edges of the whole crate.
pub fn all(tree: &CrateTree) -> Edges {
    let mut edges = Edges::new();
    for (here, module) in &tree.modules {
        let brought_in = module.uses.values();
        let brought_in = brought_in.filter_map(|path| tree.absolute(path, here));
        let in_code = paths(module);
        let in_code = in_code.iter().filter_map(|path| in_full(tree, here, path));
        let named = brought_in.chain(in_code);
        let named = named.filter_map(|path| tree.defined_in(&path).map(str::to_owned));
        let globs = module.globs.iter();
        let globs = globs.filter_map(|path| tree.modules.get(&tree.absolute(path, here)?));
        let globs = globs.filter(|one| !one.items.is_empty());
        let used = named.chain(globs.map(|one| one.file.clone()));
        let others = used.filter(|file| *file != module.file);
        edges.extend(others.map(|file| (module.file.clone(), file)));
    }
    edges
}

/// The path `path` in the code of the module `here`, with its first name replaced by the path of the `use` line that
/// brings that name in; as names from the crate's root.
fn in_full(tree: &CrateTree, here: &[String], path: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    match tree.modules[here].uses.get(first) {
        Some(stands_for) => tree.absolute(&[&stands_for[..], rest].concat(), here),
        None => tree.absolute(path, here),
    }
}

/// The paths of more than one name that the code of a module holds.
fn paths(module: &Module) -> Vec<Names> {
    let mut found = Vec::new();
    for item in &module.code {
        collect(item.to_token_stream(), &mut found);
    }
    found
}

/// Adds each path in `tokens` to `found`. The search goes token by token, since the arguments of a macro (`assert!(…)`)
/// are no syntax tree.
fn collect(tokens: TokenStream, found: &mut Vec<Names>) {
    let mut path: Names = Vec::new();
    // The number of colons since the last name: two of them continue a path.
    let mut colons = 0;
    let mut end = |path: &mut Names| {
        if path.len() > 1 {
            found.push(std::mem::take(path));
        }
        path.clear();
    };
    let mut groups = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    end(&mut path);
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                end(&mut path);
                colons = 0;
                groups.push(group.stream());
            }
            _ => {
                end(&mut path);
                colons = 0;
            }
        }
    }
    end(&mut path);
    for group in groups {
        collect(group, found);
    }
}
