//! Every `fill` is read back in the page (HAZ-19); only the verdict comes here, never the value.

use serde_json::json;

use super::{Asked, Evidence};
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::plan::aim::aim_of;
use crate::plan::rows::{Wants, fill_text};
use crate::present::section::Line;
use crate::probe::After;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let text = fill_text(step).or_else(|| find_fill_text(step));
    Wants {
        after: text.map(|sent| After {
            fill: Some(sent),
            aim: aim_of(step, asked.refs),
            ..After::default()
        }),
        ..Wants::default()
    }
}

/// `find LOCATOR VALUE fill TEXT …`, `find nth N SELECTOR fill TEXT`
fn find_fill_text(step: &Step) -> Option<String> {
    let words = &step.words;
    let action = if words.get(1)? == "nth" { 4 } else { 3 };
    let is_fill = words.first()? == "find" && words.get(action)? == "fill";
    is_fill.then(|| words.get(action + 1).cloned()).flatten()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let page = evidence.after.page()?;
    // A stopped event is the reason, and said as such.
    if page.effect.as_ref().is_some_and(|effect| effect.stopped.is_some()) {
        return None;
    }
    let fill = page.fill.as_ref()?;
    let failed = match fill.verdict.as_str() {
        "empty" => "The field is empty.",
        "unchanged" => "The field still holds what it held before.",
        "differs" => {
            return Some(Finding {
                key: "fillVerification",
                details: json!({ "status": "differs", "editable": fill.editable, "type": fill.kind }),
                next: vec![look().routine(), read_back(evidence, fill.editable).routine()],
                ..Finding::default()
            });
        }
        _ => return None,
    };
    Some(Finding {
        key: "fillVerification",
        details: json!({ "status": fill.verdict, "editable": fill.editable, "type": fill.kind }),
        lead: Some(Line::ours("the command ran but did not take effect. ").and(failed)),
        lines: vec![Line::ours(
            "For a custom control: snapshot, focus it, then keyboard type in a call of its own.",
        )],
        next: vec![look(), read_back(evidence, fill.editable)],
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}

fn look() -> NextAction {
    NextAction::args("inspect-after-fill-verification", "see the control", &["snapshot", "-i"])
}

/// The value, or the text of a contenteditable (NEXT-38).
fn read_back(evidence: &Evidence<'_>, editable: bool) -> NextAction {
    let target = evidence.step.argv.words.get(1).map_or("", String::as_str);
    let args = if evidence.step.argv.words.first().is_some_and(|word| word == "fill") {
        vec!["get", if editable { "text" } else { "value" }, target]
    } else {
        vec!["snapshot", "-i"]
    };
    NextAction::args("verify-filled-value", "read the value back", &args)
}
