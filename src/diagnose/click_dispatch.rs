//! A press of the mouse that upstream reports and that the element has not received (DIAG-CLICK).

use serde_json::{Map, Value, json};

use super::{Asked, Evidence, label};
use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::about::number;
use crate::plan::aim::aim_of;
use crate::plan::rows::Wants;
use crate::probe::report::Watched;
use crate::probe::{After, Aim, Question};

/// Commands that press on their first operand.
const PRESSING: [&str; 4] = ["click", "dblclick", "drag", "tap"];
/// Roles whose elements are made to be pressed (DIAG-CLICK-02).
const JUDGED: [&str; 6] = ["button", "checkbox", "menuitem", "radio", "switch", "tab"];

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    if !PRESSING.contains(&asked.step.argv.name()) {
        return Wants::default();
    }
    let aim = aim_of(asked.step, asked.refs).filter(|aim| match aim {
        Aim::Ref { role, .. } => JUDGED.contains(&role.as_str()),
        Aim::Selector(_) | Aim::XPath(_) | Aim::Found { .. } => true,
    });
    let after = aim.map(|aim| After { questions: vec![Question::press(&aim)], ..After::default() });
    Wants { after, ..Wants::default() }
}

/// Whether the press has missed: it was seen elsewhere, or nowhere and nothing came of it. A page
/// that takes presses in front of every observer is not judged.
fn missed(press: &Value, effect: &Watched, dialog: bool) -> bool {
    let count = |key: &str| press.get(key).and_then(Value::as_u64);
    let taken = press.get("taken") != Some(&Value::Bool(false));
    if count("reached") != Some(0) || taken || effect.stopped.is_some() || dialog {
        return false;
    }
    count("elsewhere").is_some_and(|count| count > 0) || !effect.happened()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let command = evidence.step.argv.name();
    let page = evidence.after.page().filter(|page| page.armed)?;
    let effect = page.effect.as_ref()?;
    let dialog = evidence.main.data.get("dialogOpened").is_some_and(|open| open == true);
    // Without an answer the page could not tell which element was meant.
    let press = page.answers.get("press")?;
    if !PRESSING.contains(&command) || !missed(press, effect, dialog) {
        return None;
    }
    let target = evidence.step.argv.target()?.value;
    let outside = press.get("outside").filter(|outside| outside.is_object());
    let why = match outside.and_then(|outside| outside.get("kind")).and_then(Value::as_str) {
        Some("viewport") => "it lies outside the viewport.",
        Some(_) => "it lies outside its scroll container.",
        None => "it may be collapsed, clipped, moving or let presses through.",
    };
    let mut details = json!({
        "status": "no-native-event-observed",
        "reason": "native-click-produced-no-target-dom-event",
        "nativeEventCount": 0,
        "landedElsewhere": press.get("elsewhere").and_then(Value::as_u64).unwrap_or(0) > 0,
        "target": target_details(target),
    });
    if let (Some(outside), Some(fields)) = (outside, details.as_object_mut()) {
        fields.insert("scrollContainer".into(), outside.clone());
    }
    Some(Finding {
        key: "clickDispatch",
        details,
        lead: Some(
            Line::ours(format!("the {command} was sent, but "))
                .append(&label(evidence))
                .and(" did not receive it."),
        ),
        lines: vec![
            Line::ours("Click dispatch diagnostic: no trusted event reached it; ").and(why),
        ],
        next: next(evidence, target, outside.is_some()),
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}

fn target_details(target: &str) -> Value {
    let (kind, key, value) = match (number(target), target.strip_prefix("xpath=")) {
        (Some(id), _) => ("ref", "ref", format!("@e{id}")),
        (None, Some(_)) => ("xpath", "selector", target.to_owned()),
        (None, None) => ("selector", "selector", target.to_owned()),
    };
    let fields = [("kind".to_owned(), kind.into()), (key.to_owned(), value.into())];
    Value::Object(Map::from_iter(fields))
}

/// A look first; the click is never repeated here (DIAG-CLICK-08).
fn next(evidence: &Evidence<'_>, target: &str, is_outside: bool) -> Vec<NextAction> {
    let look = NextAction::args(
        "inspect-click-dispatch-miss",
        "see what is shown now",
        &["snapshot", "-i"],
    );
    let scroll = is_outside.then(|| {
        NextAction::args(
            "scroll-target-into-view-after-dispatch-miss",
            "bring it into view before another try",
            &["scrollintoview", target],
        )
    });
    let retry = NextAction::args(
        "retry-click-after-dispatch-miss",
        "do it again once it is shown",
        &evidence.step.argv.words,
    )
    .with_safety("Only after a look at the page: the first click may have gone elsewhere.")
    .routine();
    [look].into_iter().chain(scroll).chain([retry]).collect()
}
