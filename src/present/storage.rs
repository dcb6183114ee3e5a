//! `storage local` and `storage session`: plain values stay readable, secrets do not (PRES-STOR-01).

use serde_json::Value;

use super::Shown;
use super::words::{counted, first_rows, is_true, one_row, row};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::redact::Redactor;

/// Entries in the answer.
const ROWS: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "storage"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = Redactor::new([]).json_storage(&shown.answer.data);
    let title = match shown.step.argv.words.get(1).map(String::as_str) {
        Some("session") => "Session storage",
        _ => "Local storage",
    };
    let lines = if is_true(&data, "set") {
        let key = shown.step.argv.words.get(3).map_or("", String::as_str);
        vec![Line::ours(format!("{title}: ")).quote(key).and(" set.")]
    } else if is_true(&data, "cleared") {
        vec![Line::ours(format!("{title} cleared."))]
    } else if let Some(Value::Object(entries)) = data.get("data") {
        let mut lines = vec![Line::ours(match entries.len() {
            0 => format!("{title}: empty."),
            1 => format!("{title}: 1 entry."),
            count => format!("{title}: {count} entries."),
        })];
        let rows = entries.iter().map(|(key, value)| entry(key, value));
        lines.extend(first_rows(rows.collect(), ROWS, "row"));
        lines
    } else {
        one(&data, title)
    };
    Outcome::success(lines).with_detail("data", data)
}

fn one(data: &Value, title: &str) -> Vec<Line> {
    let key = data.get("key").and_then(Value::as_str).unwrap_or_default();
    match data.get("value") {
        None | Some(Value::Null) => {
            vec![Line::ours(format!("{title}: ")).quote(key).and(" is not there.")]
        }
        Some(value) => {
            vec![Line::ours(format!("{title}, {}:", counted(1, "value"))), entry(key, value)]
        }
    }
}

fn entry(key: &str, value: &Value) -> Line {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    row(format!("{}: {value}", one_row(key)))
}
