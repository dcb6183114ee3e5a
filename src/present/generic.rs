//! Everything without a family of its own: a compact list of fields, never raw JSON.

use serde_json::Value;

use super::Shown;
use crate::line::Line;
use crate::outcome::{Outcome, Spill};

/// Rows shown of a list.
const ROWS: usize = 40;
/// Longest list of lines in the answer.
const LINES: usize = 120;

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let words: Vec<&str> = shown.step.argv.words.iter().take(2).map(String::as_str).collect();
    let named: Vec<&str> = words.into_iter().filter(|word| is_word(word)).collect();
    of_data(&named.join(" "), &shown.answer.data)
}

/// Only command words are ours; anything else the caller wrote is not repeated here.
fn is_word(word: &str) -> bool {
    !word.is_empty() && word.len() <= 20 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// A command's data as lines.
fn of_data(command: &str, data: &Value) -> Outcome {
    let mut fields = Vec::new();
    flatten("", data, 0, &mut fields);
    let mut lines = vec![Line::ours(if command.is_empty() {
        "Done.".to_owned()
    } else {
        format!("Done: {command}.")
    })];
    let total = fields.len();
    for field in fields.iter().take(LINES) {
        lines.push(Line::Foreign(field.clone()));
    }
    let mut outcome = Outcome::success(lines).with_detail("data", data.clone());
    if total > LINES {
        outcome.answer.push(Line::ours(format!("{} more lines.", total - LINES)));
        outcome.spills.push(Spill {
            stem: "output",
            text: fields.join("\n"),
            label: "Full output path:".into(),
        });
    }
    outcome
}

fn flatten(path: &str, value: &Value, depth: usize, out: &mut Vec<String>) {
    let label = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(fields) if depth < 4 => {
            for (key, value) in fields {
                flatten(&label(key), value, depth + 1, out);
            }
        }
        Value::Array(items)
            if depth < 4 && items.iter().any(|item| item.is_object() || item.is_array()) =>
        {
            for (index, item) in items.iter().take(ROWS).enumerate() {
                out.push(format!("{}: {}", label(&(index + 1).to_string()), one_line(item)));
            }
            if items.len() > ROWS {
                out.push(format!("{}: {} more", label("..."), items.len() - ROWS));
            }
        }
        Value::Null => {}
        other if path.is_empty() => out.push(one_line(other)),
        other => out.push(format!("{path}: {}", one_line(other))),
    }
}

/// A value in a line: `key value, key value` for objects.
pub(super) fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('\n', " "),
        Value::Array(items) => items.iter().map(one_line).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields.iter().filter(|(_, value)| !value.is_null());
            pairs
                .map(|(key, value)| format!("{key} {}", one_line(value)))
                .collect::<Vec<_>>()
                .join(", ")
        }
        other => other.to_string(),
    }
}
