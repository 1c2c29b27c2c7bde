//! Reads the log of strace: files changed and opened, programs started, addresses connected to.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The system calls that are traced; strace ignores a call with `?` that the machine does not have.
pub const CALLS: &str = "?open,?creat,openat,?openat2,?mkdir,mkdirat,?rename,?renameat,?renameat2,?unlink,unlinkat,?rmdir,?link,linkat,?symlink,symlinkat,?mknod,mknodat,truncate,?chmod,fchmodat,?chown,?lchown,fchownat,execve,?execveat,?clone,?clone3,?fork,?vfork,connect";

/// The effects of one run.
#[derive(Debug, Default)]
pub struct Traced {
    /// Paths created, changed or removed.
    pub changed: BTreeSet<PathBuf>,
    /// Paths that gh itself opened for reading.
    pub opened: BTreeSet<PathBuf>,
    /// Programs other than gh that were executed.
    pub programs: BTreeSet<String>,
    /// Addresses connected to, other than unix sockets.
    pub connected: BTreeSet<String>,
}

/// Reads `text`, the log of `strace -f -y -qq -o FILE`; a relative path without a directory is below `cwd`.
pub fn read(text: &str, cwd: &Path) -> Traced {
    let mut out = Traced::default();
    let mut begun: HashMap<&str, String> = HashMap::new();
    // True for the processes that are no longer gh: those that executed another program, and their children.
    let mut other: HashMap<String, bool> = HashMap::new();
    let mut first = true;
    for line in text.lines() {
        let Some((pid, rest)) = line.split_once(' ') else {
            continue;
        };
        let rest = rest.trim_start();
        let whole = if let Some(start) = rest.strip_suffix(" <unfinished ...>") {
            // The start of a call is kept until its end comes on a later line.
            begun.insert(pid, start.to_owned());
            continue;
        } else if rest.starts_with("<... ") {
            let Some(start) = begun.remove(pid) else {
                continue;
            };
            let end = rest.split_once("resumed>").map_or("", |(_, end)| end);
            start + end
        } else {
            rest.to_owned()
        };
        let Some((name, arguments)) = whole.split_once('(') else {
            continue;
        };
        let Some((arguments, result)) = arguments.rsplit_once(" = ") else {
            continue;
        };
        let failed = result.starts_with("-1") || result.starts_with('?');
        let is_other = other.get(pid).copied().unwrap_or(false);
        match name {
            "execve" | "execveat" => {
                if failed && result.contains("ENOENT") {
                    continue;
                }
                let program = strings(arguments).into_iter().next().unwrap_or_default();
                if first {
                    first = false;
                } else {
                    other.insert(pid.to_owned(), true);
                    out.programs.insert(program);
                }
            }
            "clone" | "clone3" | "fork" | "vfork" => {
                let child = result.split([' ', '<']).next().unwrap_or_default();
                other.entry(child.to_owned()).or_insert(is_other);
            }
            "connect" => {
                if arguments.contains("sa_family=AF_INET") {
                    let address = arguments.split_once('{').map_or(arguments, |(_, a)| a);
                    out.connected
                        .insert(address.trim_end_matches(')').to_owned());
                }
            }
            _ if failed && !result.contains("EACCES") && !result.contains("EROFS") => {}
            "open" | "openat" | "openat2" | "creat" => {
                let path = path_of(arguments, cwd);
                if name == "creat"
                    || ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"]
                        .iter()
                        .any(|flag| arguments.contains(flag))
                {
                    out.changed.insert(path);
                } else if !is_other {
                    out.opened.insert(path);
                }
            }
            _ => {
                // A rename changes both of its paths.
                for path in paths_of(arguments, cwd) {
                    out.changed.insert(path);
                }
            }
        }
    }
    out
}

/// The quoted strings of an argument list.
fn strings(arguments: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut letters = arguments.chars();
    while let Some(letter) = letters.next() {
        if letter != '"' {
            continue;
        }
        let mut text = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => break,
                '\\' => text.extend(letters.next()),
                other => text.push(other),
            }
        }
        out.push(text);
    }
    out
}

fn path_of(arguments: &str, cwd: &Path) -> PathBuf {
    paths_of(arguments, cwd)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// Each string of `arguments` as a path; a relative one is below the directory in `<…>` before it, else below `cwd`.
fn paths_of(arguments: &str, cwd: &Path) -> Vec<PathBuf> {
    let mut base = cwd.to_path_buf();
    let mut out = Vec::new();
    let mut rest = arguments;
    while let Some(at) = rest.find(['<', '"']) {
        if rest[at..].starts_with('<') {
            let end = rest[at..].find('>').map_or(rest.len(), |end| at + end);
            base = PathBuf::from(&rest[at + 1..end]);
            rest = &rest[end..];
        } else {
            let Some(text) = strings(&rest[at..]).into_iter().next() else {
                break;
            };
            let mut end = at + 1;
            let bytes = rest.as_bytes();
            while end < bytes.len() && bytes[end] != b'"' {
                end += 1 + usize::from(bytes[end] == b'\\');
            }
            out.push(plain(&base.join(text)));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
    out
}

/// `path` without `.` and `..`. Symbolic links are not followed: the scratch directory has none that matter.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
