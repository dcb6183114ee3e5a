//! An open `confirm` or `prompt` (HAZ-09): some commands would hang for 30 s behind it.

use super::GuardContext;
use crate::command::verbs::nothing_was;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::FailureCategory;
use crate::session::dialog::{answers, sentence};
use crate::session::fact::Dialog;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Some(dialog) = context.session.and_then(|session| session.dialog.as_ref()) else {
        return Ok(());
    };
    for step in context.steps {
        let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            // The rows behind it find the page free.
            ["dialog", "accept" | "dismiss", ..] => return Ok(()),
            ["get", "url" | "title", ..] | ["screenshot", ..] => {
                let command = step.argv.command().map_or("", |command| command.name);
                return Err(refusal(command, dialog));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The refusal, also for commands that upstream itself refused behind the dialog.
#[must_use]
pub fn refusal(command: &str, dialog: &Dialog) -> Box<Refusal> {
    let line = Line::ours(format!("{}. ", nothing_was(command)));
    let [accept, dismiss] = answers();
    Refusal::new(FailureCategory::UpstreamError, sentence(line, dialog)).next(accept).next(dismiss)
}
