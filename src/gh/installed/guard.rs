//! The guard of a call of gh.  On a worker thread, before the call runs or a person is asked, it checks that the installed gh is
//! supported and has the command and flags that the call was judged by.

use super::asked::Installed;
use crate::gate::{Class, ErrorKind, Guard, Refusal};
use crate::gh::needs::{Needs, Standing};
use crate::run::{Captured, Command};

/// Asks one gh for its version and, where the version does not decide, for help pages.
pub struct InstalledGuard {
    installed: Installed,
    /// The words and flags that gh must have for the judgement to hold; `None` where the judgement holds without them.
    needs: Option<Needs>,
}

impl InstalledGuard {
    /// The guard of a call of class `class` with `needs`, which asks `installed`.
    ///
    /// A read or a write was judged by what its command does, so gh must have that command.  An unknown call may run an alias or an
    /// extension, and the person who approves it was told so.
    pub fn new(installed: Installed, class: Class, needs: Option<Needs>) -> Self {
        let rests = matches!(class, Class::Read | Class::Write);
        Self {
            installed,
            needs: needs.filter(|_| rests),
        }
    }
}

impl Guard for InstalledGuard {
    fn check(&self, run: &mut dyn FnMut(&Command) -> Captured) -> Result<(), Refusal> {
        match self.installed.ask(self.needs.as_ref(), run)? {
            Standing::Has => Ok(()),
            Standing::Lacks(why) => Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The call was judged before the installed gh was asked, and it {why}.\nMake the call again: a person is asked then."
                ),
            )),
            Standing::Unasked => Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                "Nothing tells whether the installed gh has the command.\nRun `M-x cj/gh-doctor'.",
            )),
        }
    }
}
