//! The batch latch (PAGE-40…46): a ref must not follow a step that may have changed the page.

use serde_json::json;

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::Step;
use crate::plan::about::{number, typed_words};
use crate::session::refs::RefSnapshot;

use super::refs::{describe_ref, refresh_refs};

/// The longest call that a refusal offers, in bytes.
const LONGEST_CALL: usize = 700;

/// A ref that a step before it may have made void.
struct Latched<'a> {
    index: usize,
    id: u32,
    by: usize,
    name: &'a str,
}

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let refs = context.session.and_then(|session| session.refs.as_ref());
    let latched = latched(context.steps, refs);
    match latched.first() {
        Some(first) => Err(refusal(first, &latched, context.steps, refs)),
        None => Ok(()),
    }
}

/// Every step that would need a snapshot in front of it; each is taken to get one.
fn latched<'a>(steps: &'a [Step], refs: Option<&RefSnapshot>) -> Vec<Latched<'a>> {
    let mut found = Vec::new();
    let mut latched_by: Option<(usize, &str)> = None;
    for (index, step) in steps.iter().enumerate() {
        let command = step.argv.command().map_or("", |command| command.name);
        if command == "snapshot" {
            latched_by = None;
            continue;
        }
        let caps = step.argv.traits().caps;
        let ref_used = step.argv.ref_operands().first().and_then(|found| number(found.id));
        if let (Some((by, name)), Some(id), true) = (latched_by, ref_used, caps.acts) {
            found.push(Latched { index, id, by, name });
            latched_by = None;
        }
        if caps.invalidates_batch_refs && !is_form_control(step, command, refs) {
            latched_by = Some((index, command));
        }
    }
    found
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
    first: &Latched<'_>,
    all: &[Latched<'_>],
    steps: &[Step],
    refs: Option<&RefSnapshot>,
) -> Box<Refusal> {
    let Latched { index, id, by, name } = first;
    let label = refs.map_or_else(|| Line::ours(format!("@e{id}")), |refs| describe_ref(*id, refs));
    let line = Line::ours("nothing was done. Step ")
        .and((index + 1).to_string())
        .and(" uses ")
        .append(&label)
        .and(format!(", but step {} ({name}) may change the page first.", by + 1));
    let places: Vec<String> = all.iter().map(|latched| (latched.index + 1).to_string()).collect();
    let step = if places.len() == 1 { "step" } else { "steps" };
    let hint = format!(
        "Agent-browser hint: put a [\"snapshot\",\"-i\"] row in front of {step} {}, or split the batch.",
        places.join(", ")
    );
    let refusal = Refusal::new(FailureCategory::StaleRef, line).hint(hint);
    match with_snapshots(all, steps) {
        Some(call) => refusal.next(call).next(refresh_refs().routine()),
        None => refusal.next(refresh_refs()),
    }
}

/// The same rows with the snapshots in them. Typed text is not repeated.
fn with_snapshots(all: &[Latched<'_>], steps: &[Step]) -> Option<NextAction> {
    if steps.iter().any(|step| !typed_words(step).is_empty()) {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if all.iter().any(|latched| latched.index == index) {
            rows.push(vec!["snapshot".to_owned(), "-i".to_owned()]);
        }
        rows.push(step.argv.words.clone());
    }
    let stdin = serde_json::to_string(&rows).ok().filter(|rows| rows.len() <= LONGEST_CALL)?;
    let params = json!({ "args": ["batch", "--bail"], "stdin": stdin });
    let id = "retry-with-snapshot-rows";
    Some(NextAction::params_of(id, "the same rows, with refs checked in between", params))
}
