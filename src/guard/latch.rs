//! The batch latch (PAGE-40…46): a ref must not follow a step that may have changed the page.

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::outcome::FailureCategory;
use crate::plan::Step;
use crate::plan::rows::number;
use crate::present::section::Line;
use crate::session::refs::RefSnapshot;

use super::refs::{describe_ref, refresh_refs};

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let refs = context.session.and_then(|session| session.refs.as_ref());
    let mut latched_by: Option<(usize, &str)> = None;
    for (index, step) in context.steps.iter().enumerate() {
        let command = step.argv.command().map_or("", |command| command.name);
        if command == "snapshot" {
            latched_by = None;
            continue;
        }
        let caps = step.argv.traits().caps;
        let ref_used = step.argv.ref_operands().first().and_then(|found| number(found.id));
        if let (Some((by, name)), Some(id), true) = (latched_by, ref_used, caps.acts) {
            return Err(refusal(index, id, by, name, refs));
        }
        if caps.invalidates_batch_refs && !is_form_control(step, command, refs) {
            latched_by = Some((index, command));
        }
    }
    Ok(())
}

/// Native form controls of the same snapshot do not latch (PAGE-45, PAGE-46).
fn is_form_control(step: &Step, command: &str, refs: Option<&RefSnapshot>) -> bool {
    let id = step.argv.ref_operands().first().and_then(|found| number(found.id));
    let role =
        id.zip(refs).and_then(|(id, refs)| refs.refs.get(&id)).map(|info| info.role.as_str());
    match command {
        "check" | "uncheck" | "click" | "tap" => matches!(role, Some("checkbox" | "radio")),
        "select" => matches!(role, Some("combobox" | "listbox")),
        _ => false,
    }
}

fn refusal(
    index: usize,
    id: u32,
    by: usize,
    name: &str,
    refs: Option<&RefSnapshot>,
) -> Box<Refusal> {
    let label = refs.map_or_else(|| Line::ours(format!("@e{id}")), |refs| describe_ref(id, refs));
    let line = Line::ours("nothing was done. Step ")
        .and((index + 1).to_string())
        .and(" uses ")
        .append(&label)
        .and(format!(", but step {} ({name}) may change the page first.", by + 1));
    Refusal::new(FailureCategory::StaleRef, line)
        .hint(
            "Agent-browser hint: put a [\"snapshot\",\"-i\"] row between them, or split the batch.",
        )
        .next(refresh_refs())
}
