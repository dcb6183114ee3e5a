//! Every `fill` is read back in the page (HAZ-19); only the verdict comes here, never the value.

use serde_json::json;

use super::{Asked, Evidence};
use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::plan::about::fill_text;
use crate::plan::aim::aim_or_kind_of;
use crate::plan::rows::Wants;
use crate::probe::After;
use crate::probe::report::FillReport;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let text = fill_text(step).or_else(|| find_fill_text(step));
    Wants {
        watch: text.is_some(),
        after: text.map(|sent| After {
            fill: Some(sent),
            aim: aim_or_kind_of(step, asked.refs),
            ..After::default()
        }),
        ..Wants::default()
    }
}

/// `find LOCATOR VALUE fill TEXT …`
fn find_fill_text(step: &Step) -> Option<String> {
    let (at, _) = step.argv.find_action().filter(|(_, action)| *action == "fill")?;
    step.words.get(at + 1).cloned()
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
        "disabled" => "The field is disabled.",
        "read-only" => "The field is read-only.",
        "strayed" => {
            "The page gave the focus to another field, which was kept from taking the text."
        }
        "unchanged" => "The field still holds what it held before.",
        "differs" | "added" => {
            return Some(Finding {
                key: "fillVerification",
                details: json!({ "status": fill.verdict, "editable": fill.editable, "type": fill.kind }),
                next: next(evidence, fill.editable).map(NextAction::routine).collect(),
                ..Finding::default()
            });
        }
        _ => return None,
    };
    Some(Finding {
        key: "fillVerification",
        details: json!({ "status": fill.verdict, "editable": fill.editable, "type": fill.kind }),
        lead: Some(Line::ours("the command ran but did not take effect. ").and(failed)),
        lines: way(fill).map(Line::ours).into_iter().collect(),
        next: next(evidence, fill.editable).collect(),
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}

/// What the field takes, by its type; nothing where it takes nothing.
fn way(fill: &FillReport) -> Option<&'static str> {
    if matches!(fill.verdict.as_str(), "disabled" | "read-only") {
        return None;
    }
    Some(match fill.kind.as_str() {
        "date" => "A date field takes 2024-12-31.",
        "time" => "A time field takes 18:30.",
        "datetime-local" => "A field for date and time takes 2024-12-31T18:30.",
        "month" => "A month field takes 2024-12.",
        "week" => "A week field takes 2024-W09.",
        "color" => "A colour field takes #rrggbb.",
        "number" | "range" => "The field takes a number.",
        _ => "For a custom control: snapshot, focus it, then keyboard type in a call of its own.",
    })
}

/// A look, and the value or the text of a contenteditable (NEXT-38).
fn next(evidence: &Evidence<'_>, editable: bool) -> impl Iterator<Item = NextAction> {
    let look =
        NextAction::args("inspect-after-fill-verification", "see the control", &["snapshot", "-i"]);
    let words = &evidence.step.argv.words;
    let target = words.get(1).filter(|_| words.first().is_some_and(|word| word == "fill"));
    let read_back = target.map(|target| {
        let args = ["get", if editable { "text" } else { "value" }, target];
        NextAction::args("verify-filled-value", "read the value back", &args)
    });
    [look].into_iter().chain(read_back)
}
