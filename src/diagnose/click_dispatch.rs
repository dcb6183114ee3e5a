//! A press of the mouse that upstream reports and that no control of the page has received
//! (DIAG-CLICK).

use serde_json::json;

use super::Evidence;
use crate::guard::describe_ref;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::plan::rows::{Wants, number};
use crate::present::section::Line;

/// Commands that press on their first operand.
const PRESSING: [&str; 4] = ["click", "dblclick", "drag", "tap"];
/// Roles that only elements have which the page script knows as controls.
const JUDGED: [&str; 6] = ["button", "checkbox", "menuitem", "radio", "switch", "tab"];

pub(super) fn wants(_: &Step) -> Wants {
    // The observers of the effect verdict see every event.
    Wants::default()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let command = evidence.step.argv.name();
    if !PRESSING.contains(&command) {
        return None;
    }
    let id = number(evidence.step.argv.ref_operands().first()?.id)?;
    let refs = evidence.refs?;
    let info = refs.refs.get(&id)?;
    if info.in_frame || !JUDGED.contains(&info.role.as_str()) {
        return None;
    }
    let page = evidence.after.page().filter(|page| page.armed)?;
    let effect = page.effect.as_ref()?;
    let dialog = evidence.main.data.get("dialogOpened").is_some_and(|open| open == true);
    // Where anything happened the event may have been taken by the page in front of the observers.
    let happened = effect.changed || effect.focused || effect.download || effect.leaving || dialog;
    if effect.reached || happened || effect.stopped.is_some() {
        return None;
    }
    let target = format!("@e{id}");
    Some(Finding {
        key: "clickDispatch",
        details: json!({
            "status": "no-native-event-observed",
            "reason": "native-click-produced-no-target-dom-event",
            "nativeEventCount": 0,
            "target": { "kind": "ref", "ref": target },
        }),
        lead: Some(
            Line::ours(format!("the {command} was sent, but "))
                .append(&describe_ref(id, refs))
                .and(" did not receive it."),
        ),
        lines: vec![Line::ours(
            "Click dispatch diagnostic: no trusted event reached a control; it may be collapsed, \
             clipped or moving.",
        )],
        next: vec![
            NextAction::args(
                "inspect-click-dispatch-miss",
                "see what is shown now",
                &["snapshot", "-i"],
            ),
            NextAction::args(
                "retry-click-after-dispatch-miss",
                "do it again once it is shown",
                &evidence.step.argv.words,
            )
            .with_safety("Only after a look at the page: the first click may have gone elsewhere.")
            .routine(),
        ],
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}
