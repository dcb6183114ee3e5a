//! `wait`: what was waited for, and that it is there.

use serde_json::Value;

use super::Shown;
use super::words::{number, text};
use crate::error::Refusal;
use crate::input::job::asserted_url;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::Step;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "wait" && shown.files.is_empty()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    if let Some(result) = data.get("result").filter(|result| is_false(result)) {
        return not_met(result).with_detail("data", data.clone());
    }
    let given = |key: &str| !text(data, key).is_empty();
    let line = if let Some(ms) = number(data, "ms") {
        // Time has passed; that proves nothing about the page (DIAG-WAIT-01).
        Line::ours(format!("Waited {ms} ms."))
    } else if given("selector") {
        Line::ours("Waited: ").quote(text(data, "selector")).and(" is visible.")
    } else if given("text") {
        Line::ours("Waited: the text ").quote(text(data, "text")).and(" is visible.")
    } else if given("url") {
        Line::ours("Waited: the page is ").url(text(data, "url"))
    } else if given("state") {
        Line::ours("Waited: load state ").quote(text(data, "state")).and(" reached.")
    } else {
        Line::ours("Waited: the condition is true.")
    };
    Outcome::success(vec![line]).with_detail("data", data.clone())
}

/// What a wait has not seen, in words.
pub(super) fn missing(step: &Step) -> Option<Line> {
    let given = |flag: &str| step.argv.own_value(flag).map(|found| found.value);
    if let Some(text) = given("--text") {
        return Some(Line::ours("no text ").quote(text).and(" is visible"));
    }
    if let Some(url) = given("--url") {
        return Some(Line::ours("the address does not match ").quote(url));
    }
    if let Some(condition) = given("--fn") {
        return Some(match asserted_url(condition) {
            Some(url) => Line::ours("the address is not ").quote(url),
            None => Line::ours("the condition is not true"),
        });
    }
    if let Some(state) = given("--load") {
        return Some(Line::ours("the load state ").quote(state).and(" is not reached"));
    }
    let selector = step.argv.operands().first().copied()?;
    selector.parse::<u64>().is_err().then(|| Line::ours("").quote(selector).and(" is not visible"))
}

/// What JavaScript takes for false.
fn is_false(result: &Value) -> bool {
    match result {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// Upstream takes a promise for true before it asks what the promise gave.
fn not_met(result: &Value) -> Outcome {
    let line = Line::ours("the wait was not met: its promise gave ")
        .quote(result.to_string())
        .and(", and upstream asks a promise only once.");
    Refusal::new(FailureCategory::Timeout, line)
        .hint("Agent-browser hint: wait --fn needs an expression that is true at once, no promise.")
        .next(NextAction::args(
            "inspect-after-timeout",
            "see what the page shows",
            &["snapshot", "-i"],
        ))
        .into_outcome()
}
