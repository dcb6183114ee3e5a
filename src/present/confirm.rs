//! `confirm` and `deny`: what became of the action that waited (HAZ-10).

use serde_json::Value;

use super::Shown;
use super::words::{is_true, text};
use crate::envelope::Answer;
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "confirm" | "deny")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let action = text(data, "action");
    if is_true(data, "denied") {
        let line = Line::ours("Denied: the action ").quote(action).and(" was dropped.");
        return Outcome::success(vec![line]).with_detail("data", data.clone());
    }
    let result = data.get("result").unwrap_or(&Value::Null);
    if result.get("success").and_then(Value::as_bool) == Some(false) {
        return failed(shown, action, result);
    }
    let line = Line::ours("Confirmed: the action ").quote(action).and(" was carried out.");
    let mut outcome = Outcome::success(vec![line]).with_detail("data", data.clone());
    outcome.next.push(
        NextAction::args("inspect-after-mutation", "see what it did", &["snapshot", "-i"])
            .with_safety("Do not reuse earlier refs before a fresh snapshot confirms them.")
            .routine(),
    );
    outcome
}

/// Upstream calls it a success when the confirmed action itself failed.
fn failed(shown: &Shown<'_>, action: &str, result: &Value) -> Outcome {
    let error = text(result, "error").to_owned();
    let answer = Answer { error: Some(error), ..Answer::default() };
    let label = Line::ours("the action ").quote(action);
    super::failure::of_answer(&answer, shown.step, &label)
        .with_detail("data", shown.answer.data.clone())
}
