//! The guard of a call of gh: on a worker thread, before the call runs or a person is asked, the installed gh has to be one that is
//! supported, and to have what the call was judged by.

use super::asked::Installed;
use crate::gate::{Class, ErrorKind, Guard, Refusal};
use crate::gh::needs::{Needs, Standing};
use crate::run::{Captured, Command};

/// Asks one gh for its version and, where no release tells, for help pages.
pub struct Floor {
    installed: Installed,
    /// What the judgement rests on; none where it rests on nothing that gh has.
    needs: Option<Needs>,
}

impl Floor {
    /// The guard of a call of the class `class` with `needs`, to be asked about `installed`.
    ///
    /// A call that was judged by what its command does rests on that gh has the command.  One that is unknown may be an alias's or an
    /// extension's: a person who approves it was told so.
    pub fn new(installed: Installed, class: Class, needs: Option<Needs>) -> Self {
        let rests = matches!(class, Class::Read | Class::Write);
        Self {
            installed,
            needs: needs.filter(|_| rests),
        }
    }
}

impl Guard for Floor {
    fn check(&self, run: &mut dyn FnMut(&Command) -> Captured) -> Result<(), Refusal> {
        match self.installed.ask(self.needs.as_ref(), run)? {
            Standing::Has => Ok(()),
            Standing::Lacks(why) => Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The call was judged before the installed gh was asked, and it {why}.\nMake it again: a person is asked then."
                ),
            )),
            Standing::Unasked => Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                "Whether the installed gh has the command could not be told.\nRun `M-x cj/gh-doctor'.",
            )),
        }
    }
}
