//! Finishing a call that a tool made: an error with its kind, or the text that its view renders.

use std::sync::Arc;

use super::subject::Subject;
use super::view::{Around, View};
use crate::gate::{Cleaner, Finish, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::plain::Plain;
use crate::run::Captured;

/// Finishes one call of gh by a view.
pub(super) struct Viewed {
    /// What holds for any call: how errors are explained, and the budget.
    pub plain: Plain,
    /// How the result is rendered.
    pub view: Arc<dyn View>,
    /// What the call is about, where its argv names something.
    pub subject: Option<Subject>,
    /// Plans further calls to the same place.
    pub followup: Followup,
}

impl Finish for Viewed {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let subject = self.subject.as_ref();
        let again = match self.view.once_more(captured, subject) {
            Some(argv) => Some(reads.run(self.followup.plan_there(argv)?)?),
            None => None,
        };
        let captured = again.as_ref().unwrap_or(captured);
        if !self.view.serves(captured) {
            self.plain.diagnose(captured, clean)?;
        }
        let mut around = Around {
            subject,
            followup: &self.followup,
            reads,
            clean,
        };
        self.view.render(captured, &mut around)
    }

    fn budget(&self) -> usize {
        self.plain.budget
    }

    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        self.view.whole(captured, clean)
    }
}
