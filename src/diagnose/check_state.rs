//! `check` and `uncheck` are read back: upstream reports success also where nothing changed (HAZ-26).

use serde_json::json;

use super::{Asked, Evidence};
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::rows::Wants;
use crate::present::section::Line;

pub(super) fn wants(_: &Asked<'_>) -> Wants {
    // The row behind the command belongs to its plan.
    Wants::default()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let wanted = match evidence.step.argv.name() {
        "check" => true,
        "uncheck" => false,
        _ => return None,
    };
    let page = evidence.after.page()?;
    let is = page.checked?;
    // An element that the page has just made anew is told by another diagnostic.
    let stopped = page.effect.as_ref().is_some_and(|effect| effect.stopped.is_some());
    if is == wanted || stopped {
        return None;
    }
    let state = if is { "checked" } else { "not checked" };
    Some(Finding {
        key: "checkVerification",
        details: json!({ "status": "unchanged", "checked": is }),
        lead: Some(Line::ours(format!(
            "the command ran but did not take effect. The control is {state}; it may be disabled."
        ))),
        next: vec![NextAction::args(
            "inspect-after-check-verification",
            "see the control",
            &["snapshot", "-i"],
        )],
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}
