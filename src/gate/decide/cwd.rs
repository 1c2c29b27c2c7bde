//! The working directory of a call, which must be an existing directory of this machine under an allowed root.

use std::path::{Path, PathBuf};

use crate::gate::decide::kind::{ErrorKind, Refusal};

/// A working directory as Lisp names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cwd {
    /// A directory of this machine, absolute.
    Local(PathBuf),
    /// A directory of another machine, by its Emacs name (`/ssh:host:/path/`).
    Remote(String),
}

/// Checks that `dir` is a directory under one of `roots`; returns its path without symbolic links.
///
/// Links are resolved first: a link under a root that leads out of the root is outside.
///
/// # Errors
/// `bad-cwd`, with the fault and with what to do.
pub fn check_local(dir: &Path, roots: &[PathBuf]) -> Result<PathBuf, Refusal> {
    let bad = |what: String| {
        Err(Refusal::new(
            ErrorKind::BadCwd,
            format!(
                "{what}\nGive `cwd' as an existing directory under `cj/gate-cwd-roots' ({}).",
                list(roots)
            ),
        ))
    };
    let shown = dir.display();
    if !dir.is_absolute() {
        return bad(format!("The working directory {shown} is not absolute."));
    }
    let real = match dir.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return bad(format!("The working directory {shown} does not exist."));
        }
        Err(error) => {
            return bad(format!(
                "The working directory {shown} cannot be read: {error}."
            ));
        }
    };
    if !real.is_dir() {
        return bad(format!("The working directory {shown} is a file."));
    }
    let inside = roots
        .iter()
        .filter_map(|root| root.canonicalize().ok())
        .any(|root| real.starts_with(root));
    if inside {
        Ok(real)
    } else {
        bad(format!(
            "The working directory {shown} is outside the allowed roots."
        ))
    }
}

/// The first root that exists: the working directory of a call that needs no checkout.
///
/// # Errors
/// `bad-cwd` where no root exists.
pub fn first_root(roots: &[PathBuf]) -> Result<PathBuf, Refusal> {
    roots
        .iter()
        .find_map(|root| root.canonicalize().ok().filter(|r| r.is_dir()))
        .ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadCwd,
                format!(
                    "No directory of `cj/gate-cwd-roots' exists ({}).\nName one that does.",
                    list(roots)
                ),
            )
        })
}

fn list(roots: &[PathBuf]) -> String {
    roots
        .iter()
        .map(|r| r.display().to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("cj-gate-cwd-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a scratch directory");
        dir.canonicalize().expect("it exists")
    }

    #[test]
    fn each_kind_of_bad_directory_has_its_own_message() {
        let base = scratch("kinds");
        let root = base.join("root");
        fs::create_dir_all(root.join("in")).expect("made");
        fs::create_dir_all(base.join("out")).expect("made");
        fs::write(root.join("file"), "x").expect("made");
        std::os::unix::fs::symlink(base.join("out"), root.join("link")).ok();
        let roots = [root.clone()];
        let said = |dir: &Path| check_local(dir, &roots).expect_err("refused").message;
        assert!(said(&root.join("gone")).contains("does not exist"));
        assert!(said(&root.join("file")).contains("is a file"));
        assert!(said(&base.join("out")).contains("outside"));
        assert!(
            said(&root.join("link")).contains("outside"),
            "a link out of the root is outside"
        );
        assert!(said(Path::new("root")).contains("not absolute"));
        assert!(said(&root.join("in/../../out")).contains("outside"));
        assert_eq!(check_local(&root.join("in"), &roots), Ok(root.join("in")));
        assert_eq!(check_local(&root, &roots), Ok(root.clone()));
        fs::remove_dir_all(base).ok();
    }

    #[test]
    fn a_directory_whose_name_only_begins_like_a_root_is_outside() {
        let base = scratch("prefix");
        fs::create_dir_all(base.join("home")).expect("made");
        fs::create_dir_all(base.join("home-of-another")).expect("made");
        assert!(check_local(&base.join("home-of-another"), &[base.join("home")]).is_err());
        fs::remove_dir_all(base).ok();
    }
}
