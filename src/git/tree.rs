//! The files of a commit, counted before any of them is written (`git ls-tree -r -l -z --full-tree`), and the filters that its attributes name.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};

/// The words behind `git --git-dir=…` that list the files of `commit`.
pub fn listing(commit: &str) -> Vec<String> {
    ["ls-tree", "-r", "-l", "-z", "--full-tree", commit]
        .map(str::to_owned)
        .into()
}

/// The words behind `git --git-dir=…` that print each line of `.gitattributes` in `commit` that names a filter.
pub fn filters(commit: &str) -> Vec<String> {
    [
        "grep",
        "-h",
        "-a",
        "--no-textconv",
        "-e",
        "filter",
        commit,
        "--",
        ":(glob)**/.gitattributes",
    ]
    .map(str::to_owned)
    .into()
}

/// What a commit's tree has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Files, symbolic links among them.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Symbolic links.
    pub links: u64,
    /// The directories of submodules.
    pub submodules: Vec<String>,
    /// Whether there is a file `.gitattributes`.
    pub attributes: bool,
}

/// Why a list of files is no tree that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// It has more than the most files.
    Files,
    /// It has more than the most bytes.
    Bytes,
    /// It has more than [`MOST_SUBMODULES`] submodules.
    Submodules,
    /// A name in it is longer than a file's can be, or that of a submodule is not UTF-8.
    Name,
    /// It cannot be read.
    Unreadable,
}

/// Most bytes of a name below a worktree, and of each of its parts: Linux takes no more, and git itself crashes with ten times as many.
const NAME: (usize, usize) = (4_095, 255);

/// Most submodules of a commit.
pub const MOST_SUBMODULES: usize = 2_000;

/// Counts the files in `listed`, what `ls-tree` printed: at most `files` with at most `bytes` together.
///
/// # Errors
/// Where there are more, or an entry has another form.
pub fn count(listed: impl Read, files: u64, bytes: u64) -> Result<Tree, TreeError> {
    let mut tree = Tree::default();
    let mut listed = BufReader::new(listed);
    let mut entry = Vec::new();
    loop {
        entry.clear();
        let read = listed
            .read_until(0, &mut entry)
            .map_err(|_| TreeError::Unreadable)?;
        if read == 0 {
            return Ok(tree);
        }
        // `100644 blob SHA     123\tNAME\0`
        let tab = entry.iter().position(|byte| *byte == b'\t');
        let (Some(tab), Some(0)) = (tab, entry.last()) else {
            return Err(TreeError::Unreadable);
        };
        let facts = std::str::from_utf8(&entry[..tab]).map_err(|_| TreeError::Unreadable)?;
        let name = &entry[tab + 1..entry.len() - 1];
        let (whole, part) = NAME;
        if name.len() > whole
            || name
                .split(|byte| *byte == b'/')
                .any(|name| name.len() > part)
        {
            return Err(TreeError::Name);
        }
        let mut facts = facts.split_ascii_whitespace();
        let (mode, _, _, size) = (facts.next(), facts.next(), facts.next(), facts.next());
        match mode {
            Some("160000") => {
                let name = String::from_utf8(name.to_owned()).map_err(|_| TreeError::Name)?;
                if tree.submodules.len() == MOST_SUBMODULES {
                    return Err(TreeError::Submodules);
                }
                tree.submodules.push(name);
            }
            Some(mode) => {
                let size: u64 = size
                    .and_then(|size| size.parse().ok())
                    .ok_or(TreeError::Unreadable)?;
                tree.files += 1;
                tree.bytes = tree.bytes.saturating_add(size);
                tree.links += u64::from(mode == "120000");
                tree.attributes |=
                    name.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes");
            }
            None => return Err(TreeError::Unreadable),
        }
        let submodules = u64::try_from(tree.submodules.len()).unwrap_or(u64::MAX);
        if tree.files.saturating_add(submodules) > files {
            return Err(TreeError::Files);
        }
        if tree.bytes > bytes {
            return Err(TreeError::Bytes);
        }
    }
}

/// The words behind git that let no git look into the directories `submodules` of a worktree: a repository that somebody put there could
/// name programs, and `git status` would run them.  Each list is short enough for one command.
///
/// Source: git-update-index(1), "Skip-worktree bit".
pub fn unlooked(submodules: &[String]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut bytes = usize::MAX;
    for name in submodules {
        if bytes > MOST_WORDS {
            all.push(
                ["update-index", "--skip-worktree", "--"]
                    .map(str::to_owned)
                    .into(),
            );
            bytes = 0;
        }
        bytes = bytes.saturating_add(name.len() + 1);
        all.last_mut().expect("one was pushed").push(name.clone());
    }
    all
}

/// The bytes of names after which another command begins.
const MOST_WORDS: usize = 16_000;

/// Most filters that are turned off by name, and most bytes of such a name: they become variables, whose room is limited.  The store's own
/// configuration defines no filter at all, so that this is a second lock.
const MOST_FILTERS: (usize, usize) = (100, 200);

/// Most bytes of lines that name filters.
pub const MOST_LINES: u64 = 1 << 20;

/// The names of the filters in `lines`, lines of `.gitattributes`.
pub fn filter_names(lines: &str) -> Vec<String> {
    let words = lines.split(|c: char| c.is_whitespace());
    let names = words.filter_map(|word| word.strip_prefix("filter="));
    let (most, bytes) = MOST_FILTERS;
    let plain = |name: &&str| !name.is_empty() && name.len() <= bytes && !name.contains('\0');
    let names: BTreeSet<&str> = names.filter(plain).collect();
    names.into_iter().take(most).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[u8] =
        b"100644 blob 0123456789012345678901234567890123456789     12\ta/.gitattributes\0\
120000 blob 0123456789012345678901234567890123456789      3\tlink\nwith\x1b[31m\0\
160000 commit 0123456789012345678901234567890123456789       -\tsub\0";

    #[test]
    fn files_links_and_submodules_are_counted_whatever_their_names() {
        let tree = count(LIST, 10, 100).expect("a listing");
        let expect = Tree {
            files: 2,
            bytes: 15,
            links: 1,
            submodules: vec!["sub".to_owned()],
            attributes: true,
        };
        assert_eq!(tree, expect);
        assert_eq!(count(LIST, 2, 100), Err(TreeError::Files));
        assert_eq!(count(LIST, 10, 14), Err(TreeError::Bytes));
        assert_eq!(count(&LIST[..40], 10, 100), Err(TreeError::Unreadable));
        assert_eq!(
            count(&b"100644 blob 01 x\ta\0"[..], 10, 100),
            Err(TreeError::Unreadable)
        );
        assert_eq!(count(&b""[..], 0, 0), Ok(Tree::default()));
        let named = |name: &str| count(format!("100644 blob 01 1\t{name}\0").as_bytes(), 10, 100);
        assert!(named(&"a/".repeat(2_047)).is_ok() && named(&"n".repeat(255)).is_ok());
        assert_eq!(named(&"a/".repeat(2_048)), Err(TreeError::Name));
        assert_eq!(
            named(&format!("a/{}", "n".repeat(256))),
            Err(TreeError::Name)
        );
    }

    #[test]
    fn submodules_are_named_and_counted() {
        let name = "n".repeat(100);
        let many = |count: usize| {
            let entries = (0..count).map(|nth| format!("160000 commit 01 -\t{nth}{name}\0"));
            entries.collect::<Vec<_>>().concat()
        };
        let tree = count(many(2_000).as_bytes(), 5_000, 0).expect("a listing");
        let commands = unlooked(&tree.submodules);
        assert!(commands.len() > 10 && commands.iter().all(|words| words.len() < 200));
        let names: Vec<String> = commands
            .into_iter()
            .flat_map(|words| words[3..].to_vec())
            .collect();
        assert_eq!(names, tree.submodules);
        assert_eq!(
            count(many(2_001).as_bytes(), 5_000, 0),
            Err(TreeError::Submodules)
        );
        assert_eq!(
            count(&b"160000 commit 01 -\tsub\xff\0"[..], 10, 0),
            Err(TreeError::Name)
        );
        assert_eq!(unlooked(&[]), Vec::<Vec<String>>::new());
    }

    #[test]
    fn the_filters_of_attributes_are_named_once() {
        let lines = "*.bin filter=lfs diff=lfs -text\n*.c\tfilter=in=dent\n[attr]m filter=lfs\n* -filter\n# filter=\n";
        assert_eq!(filter_names(lines), ["in=dent", "lfs"]);
        assert_eq!(filter_names("* filter=a\0b\n* filter=\n"), [""; 0]);
        let many: Vec<String> = (0..1_000).map(|nth| format!("filter=n{nth}")).collect();
        assert_eq!(filter_names(&many.join("\n")).len(), 100);
    }
}
