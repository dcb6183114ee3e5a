//! Confirmation ids (HAZ-10): upstream runs whatever is pending, whichever id is named.

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let pending = context.session.and_then(|session| session.confirmation.as_deref());
    for step in context.steps {
        let name = step.argv.name();
        if !matches!(name, "confirm" | "deny") {
            continue;
        }
        let operands = step.argv.operands();
        let named = operands.first().copied().unwrap_or_default();
        match pending {
            Some(id) if id == named => {}
            Some(id) => return Err(other_id(name, named, id)),
            None => {
                let line = Line::ours("nothing was done, no action waits for a confirmation.");
                return Err(Refusal::invalid(line));
            }
        }
    }
    Ok(())
}

fn other_id(command: &str, named: &str, pending: &str) -> Box<Refusal> {
    let line = Line::ours("nothing was done, ")
        .quote(named)
        .and(" is not the action that waits for a confirmation.");
    Refusal::invalid(line).next(NextAction::args(
        if command == "confirm" { "approve-confirmation" } else { "deny-confirmation" },
        "name the pending action",
        &[command, pending],
    ))
}
