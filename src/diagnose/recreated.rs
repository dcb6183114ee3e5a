//! Element identity (HAZ-25): an event was stopped in front of an element that the snapshot had not
//! seen, or reached one that reads differently now.

use serde_json::json;

use super::{Asked, Evidence};
use crate::command::verbs::nothing_was;
use crate::guard::{describe_ref, refresh_refs};
use crate::line::Line;
use crate::outcome::{FailureCategory, Finding};
use crate::plan::about::number;
use crate::plan::rows::Wants;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let with_ref = !step.argv.ref_operands().is_empty();
    let acts = step.argv.traits().caps.acts;
    Wants { watch: with_ref && acts, guard: with_ref && acts, ..Wants::default() }
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let effect = evidence.after.page()?.effect.as_ref()?;
    let refs = evidence.refs?;
    let id = number(evidence.step.argv.ref_operands().first()?.id)?;
    if let Some(stopped) = &effect.stopped {
        let command = evidence.step.argv.command().map_or("", |command| command.name);
        let line =
            Line::ours(format!("{}. ", nothing_was(command))).append(&describe_ref(id, refs));
        let (line, reason) = if stopped.taken {
            (line.append(&taken_over(&stopped.name)), "taken-over-since-snapshot")
        } else {
            let why = " was re-created since the snapshot, so it may be another one by now.";
            (line.and(why), "re-created-since-snapshot")
        };
        return Some(Finding {
            key: "recreatedElement",
            details: json!({ "ref": format!("@e{id}"), "reason": reason }),
            lead: Some(line),
            lines: vec![Line::ours(
                "Agent-browser hint: take a new snapshot, then use a current @ref or a find locator.",
            )],
            next: vec![refresh_refs()],
            failure: Some(FailureCategory::StaleRef),
            ..Finding::default()
        });
    }
    if effect.unseen && evidence.step.argv.name() == "hover" {
        return Some(Finding {
            key: "changedElement",
            details: json!({ "ref": format!("@e{id}"), "reason": "re-created-since-snapshot" }),
            lines: vec![Line::ours("The element was re-created since the snapshot.")],
            ..Finding::default()
        });
    }
    let line = match (&effect.renamed, &effect.moved) {
        (Some(name), _) => Line::ours("The element is now named ").quote(name).and("."),
        (None, Some(row)) => Line::ours("The element now stands in ").quote(row).and("."),
        (None, None) => return None,
    };
    Some(Finding {
        key: "changedElement",
        details: json!({ "ref": format!("@e{id}"), "name": effect.renamed, "row": effect.moved }),
        lines: vec![line],
        ..Finding::default()
    })
}

/// Why an element of the snapshot is not what its ref says any more.
#[must_use]
pub fn taken_over(name: &str) -> Line {
    let line = Line::ours(" holds another item since the snapshot");
    let line = if name.is_empty() { line } else { line.and(", ").quote(name) };
    line.and(": the page has drawn its items anew.")
}
