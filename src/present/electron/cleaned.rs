//! The end of launched apps, and what is left of them.

use serde_json::{Value, json};

use super::next::{retry_cleanup, status_next};
use crate::electron::cleanup::{CleanupStep, Done};
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome};
use crate::session::electron::ElectronRecord;

/// One launch after its clean-up.
#[derive(Debug)]
pub struct Cleaned {
    /// The launch, with its new state.
    pub record: ElectronRecord,
    /// What was done.
    pub steps: Vec<CleanupStep>,
}

/// The end of launches (ELEC-44, ELEC-45).
#[must_use]
pub fn cleaned(results: &[Cleaned]) -> Outcome {
    let partial = results.iter().any(|one| !is_clean(&one.steps));
    let mut lines: Vec<Line> = results.iter().map(cleaned_line).collect();
    if lines.is_empty() {
        lines.push("No launched app is tracked; nothing to clean up.".into());
    }
    let mut outcome = if partial {
        Outcome::failure(FailureCategory::CleanupFailed, lines)
    } else {
        Outcome::success(lines)
    };
    for one in results.iter().filter(|one| !is_clean(&one.steps)) {
        outcome.next.push(status_next(&one.record.launch_id));
        outcome.next.push(retry_cleanup(&one.record.launch_id));
    }
    let records: Vec<Value> = results.iter().map(|one| one.record.to_details()).collect();
    let rows = results.iter().map(|one| {
        json!({
            "launchId": one.record.launch_id,
            "cleanupState": one.record.cleanup_state.name(),
            "partial": !is_clean(&one.steps),
            "steps": step_rows(&one.steps),
        })
    });
    let details = json!({
        "action": "cleanup",
        "status": if partial { "partial" } else { "succeeded" },
        "cleanup": { "partial": partial, "records": records, "results": rows.collect::<Vec<_>>() },
    });
    outcome.with_detail("electron", details)
}

fn cleaned_line(one: &Cleaned) -> Line {
    let words: Vec<&str> = one.steps.iter().map(|step| step.words.as_str()).collect();
    let start = if is_clean(&one.steps) { "Cleaned up " } else { "only partly cleaned up: " };
    Line::ours(start).quote(&one.record.app_name).and(format!(
        " {}: {}.",
        one.record.launch_id,
        words.join(", ")
    ))
}

pub(super) fn left_words(steps: &[CleanupStep]) -> &'static str {
    if is_clean(steps) { "ended, nothing of it is left" } else { "something of it is left" }
}

pub(super) fn is_clean(steps: &[CleanupStep]) -> bool {
    steps.iter().all(|step| step.done == Done::Succeeded)
}

pub(super) fn step_rows(steps: &[CleanupStep]) -> Vec<Value> {
    steps.iter().map(CleanupStep::to_details).collect()
}
