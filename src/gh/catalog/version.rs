//! The version of gh, read from what `gh --version` prints, and the oldest one that is supported.

use std::fmt;

use thiserror::Error;

use crate::gate::{ErrorKind, Refusal};

/// The oldest supported gh; [`check`] refuses an older release.
pub const FLOOR: Version = Version {
    major: 2,
    minor: 50,
    patch: 0,
};

/// A version of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The first number: 2 in `2.92.0`.
    pub major: u32,
    /// The second number: 92 in `2.92.0`.
    pub minor: u32,
    /// The third number; 0 where there is none.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// What gh says of itself in `gh --version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GhVersion {
    /// A release, with or without a packager's addition.
    Numbered(Version),
    /// A build from source or a release candidate near that release: its commands and flags may differ from the release's.
    Built(Version),
    /// Built from source without a number (`gh version DEV`).
    Dev,
}

impl fmt::Display for GhVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(v) => v.fmt(f),
            Self::Built(v) => write!(f, "{v} (a build from source)"),
            Self::Dev => f.write_str("DEV"),
        }
    }
}

/// The output is not one that `gh --version` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the program's version output is not that of GitHub's gh")]
pub struct NotGh;

/// Reads the output of `gh --version`: its first line is `gh version 2.92.0 (2026-04-28)`.
///
/// Debian's `2.23.0+dfsg1` counts as the release 2.23.0.  A release candidate `2.92.0-pre.1` and a build from source
/// `2.92.0-12-gabcdef0` or `DEV` count as no release.
///
/// # Errors
/// [`NotGh`] for other programs that are called gh too.
pub fn parse(stdout: &str) -> Result<GhVersion, NotGh> {
    let rest = stdout.strip_prefix("gh version ").ok_or(NotGh)?;
    let word = rest.split_whitespace().next().ok_or(NotGh)?;
    if word == "DEV" {
        return Ok(GhVersion::Dev);
    }
    let numbers = word.strip_prefix('v').unwrap_or(word);
    let end = numbers
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(numbers.len());
    if !matches!(numbers.as_bytes().get(end), None | Some(b'+' | b'-' | b'~')) {
        return Err(NotGh);
    }
    let mut parts = numbers[..end].split('.').map(str::parse::<u32>);
    let mut next = || parts.next().transpose().map_err(|_| NotGh);
    let version = Version {
        major: next()?.ok_or(NotGh)?,
        minor: next()?.ok_or(NotGh)?,
        patch: next()?.unwrap_or(0),
    };
    if next()?.is_some() {
        return Err(NotGh);
    }
    Ok(match numbers.as_bytes().get(end) {
        Some(b'-' | b'~') => GhVersion::Built(version),
        _ => GhVersion::Numbered(version),
    })
}

/// Reads the output of `gh --version` and refuses a release older than [`FLOOR`].
///
/// A build from source without a number passes: its help pages are compared with the catalog, command by command ([`crate::gh::needs`]).
///
/// # Errors
/// `too-old` for an older release, `no-executable` for a program that is no gh.
pub fn check(stdout: &str) -> Result<GhVersion, Refusal> {
    match parse(stdout) {
        Ok(GhVersion::Numbered(v) | GhVersion::Built(v)) if v < FLOOR => Err(Refusal::new(
            ErrorKind::TooOld,
            format!(
                "gh {v} is too old; the oldest supported is {FLOOR}.\n\
                 Install a newer gh (https://cli.github.com) or point `cj/gh-executable' at one."
            ),
        )),
        Ok(version) => Ok(version),
        Err(NotGh) => Err(Refusal::new(
            ErrorKind::NoExecutable,
            "The program found as gh is not GitHub's gh.\n\
             Install gh (https://cli.github.com) or point `cj/gh-executable' at it.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_parse(stdout: &str, expect: &str) {
        let got = parse(stdout).map_or("not gh".to_owned(), |v| v.to_string());
        assert_eq!(got, expect, "{stdout}");
    }

    #[test]
    fn versions_of_releases_packagers_and_builds_are_read() {
        check_parse(
            "gh version 2.92.0 (2026-04-28)\nhttps://github.com/cli/cli/releases/tag/v2.92.0\n",
            "2.92.0",
        );
        check_parse(
            "gh version 2.23.0+dfsg1 (2023-02-27 Debian 2.23.0+dfsg1-1)\n",
            "2.23.0",
        );
        check_parse("gh version 2.103.3 (2026-10-26)", "2.103.3");
        check_parse("gh version DEV (2026-01-01)\n", "DEV");
        check_parse(
            "gh version 2.92.0-12-gabcdef0\n",
            "2.92.0 (a build from source)",
        );
        check_parse("gh version 2.92.0~rc1\n", "2.92.0 (a build from source)");
        check_parse("gh version v2.60.1\n", "2.60.1");
        check_parse("gh version 2.60\n", "2.60.0");
    }

    #[test]
    fn the_output_of_another_program_named_gh_is_refused() {
        for text in [
            "",
            "gh version",
            "gh version \n",
            "gh version x.y\n",
            "gh version 2\n",
            "gh version 2.\n",
            "gh version 2.9.9.9\n",
            "gh version 2.92.0x\n",
            "gh version 99999999999.1.1\n",
            "GreenHopper 2.92.0\n",
            "\ngh version 2.92.0",
        ] {
            check_parse(text, "not gh");
        }
    }

    #[test]
    fn the_floor_is_compared_as_numbers_not_as_text() {
        let kind = |s: &str| check(s).map_err(|r| r.kind);
        assert_eq!(kind("gh version 2.49.9"), Err(ErrorKind::TooOld));
        assert_eq!(kind("gh version 2.6.0"), Err(ErrorKind::TooOld));
        assert_eq!(kind("gh version 1.99.0"), Err(ErrorKind::TooOld));
        assert!(kind("gh version 2.50.0").is_ok());
        assert!(kind("gh version 2.103.3").is_ok());
        assert!(kind("gh version 10.0.0").is_ok());
        assert_eq!(kind("gh version DEV"), Ok(GhVersion::Dev));
        assert_eq!(kind("hub"), Err(ErrorKind::NoExecutable));
    }

    #[test]
    fn a_refusal_says_what_to_do_on_its_second_line() {
        let message = check("gh version 2.23.0+dfsg1")
            .expect_err("below the floor")
            .message;
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].contains("2.23.0") && lines[0].contains("2.50.0"));
        assert!(lines[1].starts_with("Install"));
    }
}
