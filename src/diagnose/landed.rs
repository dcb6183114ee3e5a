//! The page left in the very moment of the act: the event may have landed on the next one. No check
//! in front of it can see a navigation that is already on its way, but the next page counts the input
//! that it got.

use serde_json::json;

use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::present::section::Line;
use crate::probe::report::PageReport;

/// A document older than this has had its input from earlier visits (back-forward cache).
const FRESH_MS: u32 = 5_000;

/// The finding for an act behind which a fresh document has counted input.
#[must_use]
pub fn judge(step: &Step, label: &Line, page: &PageReport) -> Option<Finding> {
    let acts = matches!(
        step.argv.name(),
        "click" | "dblclick" | "tap" | "drag" | "press" | "check" | "uncheck"
    );
    if !acts || page.inputs == 0 || page.age_ms > FRESH_MS {
        return None;
    }
    let line = Line::ours("the page left in the same moment, and the input for ")
        .append(label)
        .and(" may have landed on the next one: ")
        .quote(&page.title)
        .and(" ")
        .url(&page.url);
    Some(Finding {
        key: "landedOnNextPage",
        details: json!({ "url": page.url, "inputs": page.inputs }),
        lead: Some(line),
        next: vec![NextAction::args(
            "inspect-after-mutation",
            "see what it did there",
            &["snapshot", "-i"],
        )],
        failure: Some(FailureCategory::TabDrift),
        ..Finding::default()
    })
}
