//! `get`, `is` and `eval`: the value itself.

use serde_json::Value;

use super::Shown;
use super::words::{INLINE_BYTES, text_block};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "get" | "is" | "eval") || finds_text(shown)
}

fn finds_text(shown: &Shown<'_>) -> bool {
    let reads = shown.step.argv.find_action().is_some_and(|(_, action)| action == "text");
    reads && shown.answer.text("text").is_some()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let value = value_of(shown);
    let mut outcome = value_outcome(&value, &source_name(shown));
    outcome.details.insert("data".into(), shown.answer.data.clone());
    outcome
}

/// The value of an answer: the one field that is not context.
fn value_of(shown: &Shown<'_>) -> Value {
    let data = &shown.answer.data;
    let key = match (shown.command(), shown.step.argv.words.get(1).map_or("", String::as_str)) {
        ("eval", _) => "result",
        ("find", _) => "text",
        ("get", "attr") => "value",
        ("get", "cdp-url") => "cdpUrl",
        (_, word) => word,
    };
    if let Some(value) = data.get(key) {
        return value.clone();
    }
    match data {
        Value::Object(fields) => {
            let context = ["origin", "selector"];
            let rest = fields.iter().filter(|(key, _)| !context.contains(&key.as_str()));
            Value::Object(rest.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        other => other.clone(),
    }
}

fn source_name(shown: &Shown<'_>) -> String {
    let words: Vec<&str> = shown.step.argv.words.iter().take(2).map(String::as_str).collect();
    match words.as_slice() {
        ["eval", ..] => "Result of the script".to_owned(),
        ["get", what] if what.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
            format!("Result of get {what}")
        }
        _ => "Result".to_owned(),
    }
}

/// A value alone on its line, or below a line of ours that names its source.
pub(super) fn value_outcome(value: &Value, source: &str) -> Outcome {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => "null".to_owned(),
        other => other.to_string(),
    };
    if text.is_empty() {
        return Outcome::success(vec![Line::ours("(empty)")]);
    }
    if !text.contains('\n') && text.len() <= INLINE_BYTES {
        return Outcome::success(vec![Line::Value(text)]);
    }
    text_block(Line::ours(source.to_owned()), &text, "output")
}
