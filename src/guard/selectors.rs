//! Selectors of other tools. Upstream takes them for CSS that matches nothing: an act fails, but
//! `get`, `is`, `focus`, `scrollintoview` and `screenshot` answer as if they had done their work, and
//! `wait` runs to its end.

use super::GuardContext;
use super::refs::refresh_refs;
use crate::command::verbs::nothing_was_done_by;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::FailureCategory;
use crate::plan::Step;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let found = |step: &Step| step.argv.foreign_selector().map(str::to_owned);
    match context.steps {
        [step] => found(step).map_or(Ok(()), |selector| Err(refusal(step, &selector))),
        steps => {
            let mut numbered = (1..).zip(steps);
            match numbered.find_map(|(number, step)| Some((number, found(step)?))) {
                Some((number, selector)) => {
                    Err(foreign("nothing was done", &selector, &format!(" of step {number}")))
                }
                None => Ok(()),
            }
        }
    }
}

/// The refusal, also for commands that upstream itself has failed.
#[must_use]
pub fn refusal(step: &Step, selector: &str) -> Box<Refusal> {
    foreign(&nothing_was_done_by(&step.argv.words), selector, "")
}

fn foreign(nothing: &str, selector: &str, place: &str) -> Box<Refusal> {
    let line = Line::ours(format!("{nothing}, the selector "))
        .quote(selector)
        .and(format!("{place} is not CSS, xpath=... or an @ref."));
    Refusal::new(FailureCategory::SelectorUnsupported, line)
        .hint("Agent-browser hint: use find text|role|label ..., a CSS selector, xpath=... or a current @ref.")
        .next(refresh_refs())
}
