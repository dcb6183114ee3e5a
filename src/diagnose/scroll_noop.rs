//! A scroll that moved nothing (PLAN-69, DEC-06): upstream reports success all the same.

use serde_json::{Map, Value, json};

use super::{Asked, Evidence};
use crate::command::scroll_shim;
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::Step;
use crate::plan::rows::Wants;
use crate::probe::{After, Question, ScrollReport};

/// Smaller scrolls may well move nothing that is worth a word.
const LARGE_PIXELS: u64 = 100;
/// How long smooth scrolling may take to begin.
const WAIT_MS: u32 = 400;

const LEAD: &str = "Scroll completed with no observed movement";

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let is_shim = matches!(scroll_shim(&step.argv), Ok(Some(_)));
    if step.argv.name() != "scroll" || is_shim || !is_large(step) {
        return Wants::default();
    }
    let questions = vec![Question::scroll_position(WAIT_MS)];
    Wants { after: Some(After { questions, ..After::default() }), ..Wants::default() }
}

fn is_large(step: &Step) -> bool {
    let operands = step.argv.operands();
    let amount = operands.get(1).and_then(|amount| amount.parse::<u64>().ok());
    amount.is_none_or(|pixels| pixels >= LARGE_PIXELS)
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    match ScrollReport::from_eval(&evidence.main.data) {
        Some(("scrollContainer", report, _)) if !report.moved => {
            let reason = if report.scrollable {
                "the container is at its end."
            } else {
                "the container has nothing to scroll in that direction."
            };
            Some(finding(json!(report.before), json!(report.after), reason))
        }
        Some(_) => None,
        None => {
            let before = evidence.before?.answers.get("scroll")?;
            let after = evidence.after.page()?.answers.get("scroll")?;
            let still = after.get("moved") == Some(&Value::Bool(false));
            let mut after = after.clone();
            after.as_object_mut()?.remove("moved");
            let reason = "the page may be at its end, or an inner pane scrolls.";
            still.then(|| finding(before.clone(), after, reason))
        }
    }
}

fn finding(before: Value, after: Value, reason: &str) -> Finding {
    let message = format!("Scroll diagnostic: no observed scroll movement; {reason}");
    Finding {
        key: "scrollNoop",
        details: json!({
            "reason": "no-observed-scroll-position-change",
            "message": message,
            "before": before,
            "after": after,
            "recommendations": [
                "Look at the page before scrolling again.",
                "Name an inner pane: scroll down 300 --selector CSS.",
            ],
        }),
        lead: Some(Line::ours(LEAD)),
        replaces_answer: true,
        lines: vec![Line::ours(message)],
        data: Map::from_iter([("scrolled".to_owned(), Value::Bool(false))]),
        next: vec![
            NextAction::args("inspect-after-noop-scroll", "see what is there", &["snapshot", "-i"]),
            NextAction::args("verify-noop-scroll-visually", "see where it stands", &["screenshot"]),
        ],
        ..Finding::default()
    }
}
