//! The checks on every argv, made before its meaning is judged.
//!
//! Emacs cuts an argument at a NUL byte, and the kernel refuses an argument of 131,072 bytes or more
//! (`MAX_ARG_STRLEN`, execve(2)).  Without these checks the command that runs could differ from the one that was judged.

use crate::gate::decide::kind::{ErrorKind, Refusal};

/// `MAX_ARG_STRLEN` of Linux: the most bytes of one argument with its closing NUL.
pub const MAX_ARGUMENT: usize = 131_072;
/// The most bytes of the whole argv: far below the kernel's own limit, far above any real call.
pub const MAX_TOTAL: usize = 262_144;
/// The most arguments.
pub const MAX_COUNT: usize = 1_024;

/// Refuses an argv that is empty, contains a NUL, or is too long to be executed.
///
/// # Errors
/// A `bad-argument` refusal that names the argument by its position.
pub fn check(argv: &[String]) -> Result<(), Refusal> {
    let bad = |message: String| Err(Refusal::new(ErrorKind::BadArgument, message));
    if argv.is_empty() {
        return bad("The argument list is empty.\nGive the command as a list of words, for example [\"pr\", \"view\", \"1\"].".into());
    }
    if argv.len() > MAX_COUNT {
        return bad(format!(
            "There are {} arguments; at most {MAX_COUNT} are accepted.\nSplit the call.",
            argv.len()
        ));
    }
    for (index, argument) in argv.iter().enumerate() {
        if argument.contains('\0') {
            return bad(format!(
                "Argument {} holds a NUL character, which would cut it short.\nLeave it out.",
                index + 1
            ));
        }
        if argument.len() + 1 >= MAX_ARGUMENT {
            return bad(format!(
                "Argument {} has {} bytes; the system accepts fewer than {MAX_ARGUMENT}.\nShorten it.",
                index + 1,
                argument.len()
            ));
        }
    }
    let total: usize = argv.iter().map(|a| a.len() + 1).sum();
    if total > MAX_TOTAL {
        return bad(format!(
            "The arguments have {total} bytes together; at most {MAX_TOTAL} are accepted.\nShorten them."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(argv: &[&str]) -> bool {
        let argv: Vec<String> = argv.iter().map(|a| (*a).into()).collect();
        check(&argv).is_err_and(|r| r.kind == ErrorKind::BadArgument)
    }

    #[test]
    fn empty_nul_and_overlong_argv_are_refused() {
        assert!(refused(&[]));
        assert!(refused(&["pr", "merge\0view"]));
        assert!(refused(&["pr", &"x".repeat(MAX_ARGUMENT - 1)]));
        assert!(!refused(&["pr", &"x".repeat(MAX_ARGUMENT - 2)]));
        assert!(refused(&vec!["x"; MAX_COUNT + 1]));
        assert!(refused(&["x".repeat(100_000).as_str(); 11]));
    }
}
