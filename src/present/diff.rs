//! `diff snapshot`, `diff screenshot`, `diff url`: how much differs, and what.

use serde_json::Value;

use super::Shown;
use super::files::{attach, file_lines};
use super::words::{count, is_true, number, text, text_block};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "diff"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let mut outcome = if data.get("totalPixels").is_some() || data.get("match").is_some() {
        pictures(data)
    } else if let Some(counts) = data.get("diff").filter(|diff| diff.is_object()) {
        pages(data, counts)
    } else {
        snapshots(data, has_baseline(shown))
    };
    for file in shown.files {
        outcome.answer.extend(file_lines(file, shown));
    }
    outcome.details.insert("data".into(), data.clone());
    attach(shown, &mut outcome);
    outcome
}

fn pictures(data: &Value) -> Outcome {
    let share = number(data, "mismatchPercentage").unwrap_or_else(|| "0".to_owned());
    let (different, total) = (count(data, "differentPixels"), count(data, "totalPixels"));
    let line = if is_true(data, "match") {
        Line::ours(format!("Diff: the pictures match ({total} pixels)."))
    } else if data.get("dimensionMismatch").is_some_and(|sizes| !sizes.is_null()) {
        Line::ours("Diff: the pictures have different sizes.")
    } else {
        Line::ours(format!("Diff: {different} of {total} pixels differ ({share} %)."))
    };
    Outcome::success(vec![line])
}

/// Upstream gives both trees and counts; the trees stay in `details`.
fn pages(data: &Value, counts: &Value) -> Outcome {
    let line = match is_true(counts, "identical") {
        true => Line::ours("Diff: the two pages are the same."),
        false => Line::ours(format!("Diff: {}.", changes(counts))),
    };
    let mut lines = vec![line];
    for key in ["url1", "url2"] {
        lines.push(Line::ours("  ").url(text(data, key)));
    }
    lines.push("The browser is on the second page now (earlier refs are void).".into());
    Outcome::success(lines)
}

/// Upstream remembers no snapshot: without a baseline it compares with nothing (HAZ-12).
fn has_baseline(shown: &Shown<'_>) -> bool {
    shown.answer.data.get("baseline").is_some()
        || shown.step.words.iter().any(|word| word == "--baseline" || word == "-b")
}

fn snapshots(data: &Value, has_baseline: bool) -> Outcome {
    if data.get("changed").and_then(Value::as_bool) == Some(false) {
        return Outcome::success(vec!["Diff: nothing differs.".into()]);
    }
    let compared = if has_baseline { "" } else { "no baseline was given, so all is new: " };
    let head = Line::ours(format!("Diff: {compared}{}", changes(data)));
    text_block(head, text(data, "diff"), "diff")
}

fn changes(counts: &Value) -> String {
    format!(
        "{} lines added, {} removed, {} unchanged",
        count(counts, "additions"),
        count(counts, "removals"),
        count(counts, "unchanged")
    )
}
