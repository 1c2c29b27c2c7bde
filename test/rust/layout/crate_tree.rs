//! The crate as a tree of modules: the file of each module, the names that it defines, and the names that its `use` lines bring in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::spanned::Spanned;
use syn::{Attribute, Item, UseTree};

/// A path from the crate's root: `["gate", "policy", "Layer"]`.
pub type Names = Vec<String>;

/// One module.
pub struct Module {
    /// Its file, relative to `src/`.
    pub file: String,
    /// The names that it defines, other than modules.
    pub items: BTreeSet<String>,
    /// Each name that a `use` line brings in, with the path in that line: `Layer` is `crate::gate::policy::Layer`.
    pub uses: BTreeMap<String, Names>,
    /// The paths of the `use …::*` lines, as written.
    pub globs: Vec<Names>,
    /// Its items other than modules and `use` lines, without those for tests alone.
    pub code: Vec<Item>,
}

/// One function, for the list of the longest functions.
#[derive(Debug)]
pub struct Function {
    /// The file.
    pub file: String,
    /// The name.
    pub name: String,
    /// Lines from signature to closing brace.
    pub lines: usize,
}

/// All modules of a crate, by their paths.
#[derive(Default)]
pub struct CrateTree {
    /// The modules; the root has the empty path.
    pub modules: BTreeMap<Names, Module>,
}

impl CrateTree {
    /// Reads the crate whose `lib.rs` is in `src`.
    pub fn read(src: &Path) -> Self {
        Self::of(&|path| std::fs::read_to_string(src.join(path)).ok())
    }

    /// The crate whose files `text` returns: `text` gets a path relative to `src/` and returns the file's content.
    pub fn of(text: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut tree = Self::default();
        let root = text("lib.rs").expect("a crate has a lib.rs");
        tree.add(
            Vec::new(),
            "lib.rs".to_owned(),
            parse("lib.rs", &root),
            text,
        );
        tree
    }

    /// The files, sorted.
    pub fn files(&self) -> BTreeSet<String> {
        self.modules.values().map(|one| one.file.clone()).collect()
    }

    fn add(
        &mut self,
        path: Names,
        file: String,
        items: Vec<Item>,
        text: &dyn Fn(&str) -> Option<String>,
    ) {
        let mut module = Module {
            file,
            items: BTreeSet::new(),
            uses: BTreeMap::new(),
            globs: Vec::new(),
            code: Vec::new(),
        };
        for item in items {
            match item {
                Item::Mod(inner) if for_tests(&inner.attrs) => {}
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let below = [&path[..], &[name]].concat();
                    if let Some((_, items)) = inner.content {
                        self.add(below, module.file.clone(), items, text);
                    } else {
                        let flat = format!("{}.rs", below.join("/"));
                        let own = format!("{}/mod.rs", below.join("/"));
                        let (file, read) = text(&own)
                            .map(|read| (own, read))
                            .or_else(|| Some((flat.clone(), text(&flat)?)))
                            .unwrap_or_else(|| panic!("there is no src/{flat}"));
                        let items = parse(&file, &read);
                        self.add(below, file, items, text);
                    }
                }
                Item::Use(line) => {
                    if !for_tests(&line.attrs) {
                        bring_in(&line.tree, Vec::new(), &mut module);
                    }
                }
                other => {
                    if for_tests(attributes(&other)) {
                        continue;
                    }
                    module.items.extend(name_of(&other));
                    module.code.push(other);
                }
            }
        }
        self.modules.insert(path, module);
    }

    /// The file that defines the item named by `path`; a re-export is followed to its definition. None where `path` names
    /// no item of the crate, or a module itself.
    pub fn defined_in(&self, path: &[String]) -> Option<&str> {
        self.defined(path, 0)
    }

    fn defined(&self, path: &[String], depth: usize) -> Option<&str> {
        // Two modules that re-export everything of each other would recurse for ever.
        if depth > 16 {
            return None;
        }
        let at = (0..=path.len())
            .rev()
            .find(|&len| self.modules.contains_key(&path[..len]))?;
        let module = &self.modules[&path[..at]];
        let Some(name) = path.get(at) else {
            // `path` names the module itself; the items of it that the code uses have paths of their own.
            return None;
        };
        if module.items.contains(name) {
            return Some(&module.file);
        }
        let here = &path[..at];
        if let Some(stands_for) = module.uses.get(name) {
            let from = self.absolute(stands_for, here)?;
            let whole = [&from[..], &path[at + 1..]].concat();
            return self.defined(&whole, depth + 1);
        }
        module.globs.iter().find_map(|glob| {
            let from = self.absolute(glob, here)?;
            let whole = [&from[..], &path[at..]].concat();
            self.defined(&whole, depth + 1)
        })
    }

    /// The path `path`, as written in the module `here`, as names from the crate's root; none where `path` begins with
    /// another crate. Names that a `use` line brings in are not resolved.
    pub fn absolute(&self, path: &[String], here: &[String]) -> Option<Names> {
        absolute(path, here).or_else(|| {
            let child = [here, path.get(..1)?].concat();
            self.modules
                .contains_key(&child)
                .then(|| [here, path].concat())
        })
    }

    /// Every function, the longest first.
    pub fn functions(&self) -> Vec<Function> {
        let mut found = Vec::new();
        for module in self.modules.values() {
            let mut put = |signature: &syn::Signature, block: &syn::Block| {
                found.push(Function {
                    file: module.file.clone(),
                    name: signature.ident.to_string(),
                    lines: block.span().end().line + 1 - signature.span().start().line,
                });
            };
            for item in &module.code {
                match item {
                    Item::Fn(one) => put(&one.sig, &one.block),
                    Item::Impl(one) => {
                        for item in &one.items {
                            if let syn::ImplItem::Fn(one) = item {
                                put(&one.sig, &one.block);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        found.sort_by_key(|one| std::cmp::Reverse(one.lines));
        found
    }
}

/// The Rust files below `root`, relative to it.
pub fn files_below(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let below = path.strip_prefix(root).expect("it stands below the root");
                found.insert(below.to_string_lossy().into_owned());
            }
        }
    }
    found
}

fn parse(file: &str, text: &str) -> Vec<Item> {
    syn::parse_file(text)
        .unwrap_or_else(|error| panic!("src/{file} is Rust: {error}"))
        .items
}

/// Whether the item is compiled for tests alone: `#[cfg(test)]`.
fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        one.path().is_ident("cfg")
            && one
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(one) => &one.attrs,
        Item::Impl(one) => &one.attrs,
        Item::Const(one) => &one.attrs,
        Item::Static(one) => &one.attrs,
        Item::Struct(one) => &one.attrs,
        _ => &[],
    }
}

/// The name that an item defines in its module.
fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(one) => &one.ident,
        Item::Enum(one) => &one.ident,
        Item::Fn(one) => &one.sig.ident,
        Item::Static(one) => &one.ident,
        Item::Struct(one) => &one.ident,
        Item::Trait(one) => &one.ident,
        Item::Type(one) => &one.ident,
        Item::Union(one) => &one.ident,
        Item::Macro(one) => one.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Notes in `module` the names that a `use` line brings in.
fn bring_in(tree: &UseTree, before: Names, module: &mut Module) {
    let with = |name: &syn::Ident| {
        let name = name.to_string();
        if name == "self" {
            before.clone()
        } else {
            [&before[..], &[name]].concat()
        }
    };
    match tree {
        UseTree::Path(path) => bring_in(&path.tree, with(&path.ident), module),
        UseTree::Group(group) => {
            for one in &group.items {
                bring_in(one, before.clone(), module);
            }
        }
        UseTree::Glob(_) => module.globs.push(before),
        UseTree::Name(name) => {
            let whole = with(&name.ident);
            let short = whole.last().cloned().unwrap_or_default();
            module.uses.insert(short, whole);
        }
        UseTree::Rename(name) => {
            let short = name.rename.to_string();
            module.uses.insert(short, with(&name.ident));
        }
    }
}

/// The path `path` in the module `here`, as names from the crate's root; none where it begins with none of `crate`,
/// `self` and `super`.
fn absolute(path: &[String], here: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let base = match first.as_str() {
        "crate" => Vec::new(),
        "self" => here.to_vec(),
        "super" => here[..here.len().checked_sub(1)?].to_vec(),
        _ => return None,
    };
    match rest.first().map(String::as_str) {
        Some("super") => absolute(rest, &base),
        _ => Some([&base[..], rest].concat()),
    }
}
