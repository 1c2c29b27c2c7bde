//! The diff of a pull request: the whole diff if it is short, else an index of its files with their sizes.
//!
//! A file that a program wrote is folded to one line that says so: nobody reviews a lock file line by line, and one can be
//! longer than all the rest.

use std::fmt::Write as _;

use super::clean::{Clean, one_line};
use crate::text::numbers::grouped;
use crate::text::unified::{self, File};

/// The files that are folded, by their name or their folder, each with the reason that is shown.
const FOLDED: &[(Rule, &str)] = &[
    (Rule::Name("Cargo.lock"), "lock file"),
    (Rule::Name("package-lock.json"), "lock file"),
    (Rule::Name("npm-shrinkwrap.json"), "lock file"),
    (Rule::Name("yarn.lock"), "lock file"),
    (Rule::Name("pnpm-lock.yaml"), "lock file"),
    (Rule::Name("bun.lock"), "lock file"),
    (Rule::Name("poetry.lock"), "lock file"),
    (Rule::Name("uv.lock"), "lock file"),
    (Rule::Name("Pipfile.lock"), "lock file"),
    (Rule::Name("pdm.lock"), "lock file"),
    (Rule::Name("Gemfile.lock"), "lock file"),
    (Rule::Name("composer.lock"), "lock file"),
    (Rule::Name("mix.lock"), "lock file"),
    (Rule::Name("pubspec.lock"), "lock file"),
    (Rule::Name("Podfile.lock"), "lock file"),
    (Rule::Name("go.sum"), "lock file"),
    (Rule::Name("flake.lock"), "lock file"),
    (Rule::Name("gradle.lockfile"), "lock file"),
    (Rule::Name(".terraform.lock.hcl"), "lock file"),
    (Rule::End(".min.js"), "minified"),
    (Rule::End(".min.css"), "minified"),
    (Rule::End(".map"), "source map"),
    (Rule::End(".snap"), "recorded snapshot"),
    (Rule::End(".pb.go"), "generated"),
    (Rule::End("_pb2.py"), "generated"),
    (Rule::End("_pb2_grpc.py"), "generated"),
    (Rule::End(".g.dart"), "generated"),
    (Rule::End(".designer.cs"), "generated"),
    (Rule::Folder("node_modules"), "vendored"),
    (Rule::Folder("vendor"), "vendored"),
    (Rule::Folder("third_party"), "vendored"),
    (Rule::Folder("__generated__"), "generated"),
];

#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The last part of the path.
    Name(&'static str),
    /// The end of the last part of the path.
    End(&'static str),
    /// Any folder in the path.
    Folder(&'static str),
}

/// Why the file at `path` is folded; `None` if it is shown.
fn folded(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let rule = FOLDED.iter().find(|(rule, _)| match rule {
        Rule::Name(whole) => name == *whole,
        Rule::End(end) => name.ends_with(end),
        Rule::Folder(folder) => path.split('/').rev().skip(1).any(|part| part == *folder),
    });
    rule.map(|(_, why)| *why)
}

/// Renders `diff`: whole if that takes at most `budget` tokens by `count`, else as an index.
pub fn diff(diff: &str, budget: usize, count: &dyn Fn(&str) -> usize, clean: Clean<'_>) -> String {
    let files = unified::files(diff);
    if files.is_empty() {
        let text = clean(diff.trim_end());
        return if text.is_empty() {
            "no changes".to_owned()
        } else {
            text
        };
    }
    let head = sum(&files);
    // Counting takes time, so a text that is far too long is not counted: a token of a diff has fewer than ten bytes on average.
    let shown: usize = files
        .iter()
        .filter(|file| folded(&file.path).is_none())
        .map(|file| file.text.len())
        .sum();
    if shown / 10 <= budget {
        let whole = whole(diff, &files, clean);
        if count(&whole) <= budget {
            return format!("{head}\n{whole}");
        }
    }
    let mut lines = vec![head];
    lines.extend(files.iter().map(|file| entry(diff, file, count, clean)));
    lines.push("[index only; gh_pr_diff with file, and hunk for one of its hunks]".to_owned());
    lines.join("\n")
}

/// `12 files, +340 -20`
fn sum(files: &[File]) -> String {
    let added: usize = files.iter().map(|file| file.added).sum();
    let removed: usize = files.iter().map(|file| file.removed).sum();
    let plural = if files.len() == 1 { "" } else { "s" };
    format!(
        "{} file{plural}, +{} -{}",
        grouped(files.len()),
        grouped(added),
        grouped(removed)
    )
}

/// `M src/a.rs +12 -3, 2 hunks, 850 tokens`
fn entry(diff: &str, file: &File, count: &dyn Fn(&str) -> usize, clean: Clean<'_>) -> String {
    let mut line = format!(
        "{} {} +{} -{}",
        file.change,
        one_line(&file.path, clean),
        file.added,
        file.removed
    );
    if file.binary {
        return line + ", binary";
    }
    if file.hunks.len() != 1 {
        let _ = write!(line, ", {} hunks", file.hunks.len());
    }
    match folded(&file.path) {
        Some(why) => line + ", " + why,
        None => line + &format!(", {} tokens", grouped(count(&diff[file.text.clone()]))),
    }
}

/// The whole diff, with one line for each file that is folded.
fn whole(diff: &str, files: &[File], clean: Clean<'_>) -> String {
    let mut text = String::new();
    for file in files {
        match folded(&file.path) {
            Some(why) if !file.hunks.is_empty() => {
                let _ = writeln!(
                    text,
                    "{} {} +{} -{} folded: {why}",
                    file.change,
                    one_line(&file.path, clean),
                    file.added,
                    file.removed
                );
            }
            _ => text += &clean(&diff[file.text.clone()]),
        }
    }
    text.trim_end().to_owned()
}

/// Renders the file at `path` of a pull request. `text` is its patch in GitHub's list of files; `hunk` chooses one hunk, from
/// 1.
///
/// `None` if there is no such hunk.
pub fn patch(path: &str, text: &str, hunk: Option<usize>, clean: Clean<'_>) -> Option<String> {
    // A patch in GitHub's list begins at its first hunk; a header before it makes it a diff that `unified' reads.
    let name = path.replace('\n', " ");
    let whole = format!("diff --git a/{name} b/{name}\n{text}\n");
    let files = unified::files(&whole);
    let file = files.first()?;
    let plural = if file.hunks.len() == 1 { "" } else { "s" };
    let head = format!(
        "{} +{} -{}, {} hunk{plural}",
        one_line(path, clean),
        file.added,
        file.removed,
        file.hunks.len()
    );
    match hunk {
        None => Some(format!("{head}\n{}", clean(text.trim_end()))),
        Some(hunk) => {
            let range = file.hunks.get(hunk.checked_sub(1)?)?.clone();
            Some(format!(
                "{head}, hunk {hunk}\n{}",
                clean(whole[range].trim_end())
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        text.to_owned()
    }

    fn changed(path: &str, lines: usize) -> String {
        let added: String = (0..lines).fold(String::new(), |all, n| all + &format!("+line {n}\n"));
        format!(
            "diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n@@ -1,0 +1,{lines} @@\n{added}"
        )
    }

    #[test]
    fn a_short_diff_is_whole_but_for_a_lock_file_which_is_folded_to_a_line() {
        let text = changed("src/a.rs", 2) + &changed("web/package-lock.json", 900);
        let shown = diff(&text, 500, &|t| t.len() / 3, &plain);
        assert!(
            shown.starts_with("2 files, +902 -0\ndiff --git a/src/a.rs"),
            "{shown}"
        );
        assert!(shown.ends_with("+line 1\nM web/package-lock.json +900 -0 folded: lock file"));
    }

    #[test]
    fn a_long_diff_is_an_index_with_sizes() {
        let text = changed("src/a.rs", 900) + &changed("node_modules/x/y.js", 9);
        let shown = diff(&text, 500, &|t| t.len() / 3, &plain);
        assert_eq!(
            shown,
            "2 files, +909 -0\nM src/a.rs +900 -0, 2,996 tokens\nM node_modules/x/y.js +9 -0, vendored\n[index only; gh_pr_diff with file, and hunk for one of its hunks]"
        );
    }

    #[test]
    fn one_hunk_of_one_file_is_given_and_a_hunk_that_does_not_exist_is_none() {
        let text = "@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9,2 @@ fn f()\n c\n-d\n+e";
        assert_eq!(
            patch("src/a.rs", text, Some(2), &plain).as_deref(),
            Some("src/a.rs +2 -2, 2 hunks, hunk 2\n@@ -9,2 +9,2 @@ fn f()\n c\n-d\n+e")
        );
        assert!(
            patch("src/a.rs", text, None, &plain)
                .expect("a file")
                .ends_with(text)
        );
        assert_eq!(patch("src/a.rs", text, Some(3), &plain), None);
        assert_eq!(patch("src/a.rs", text, Some(0), &plain), None);
    }

    #[test]
    fn an_empty_diff_says_so() {
        assert_eq!(diff("", 500, &str::len, &plain), "no changes");
    }
}
