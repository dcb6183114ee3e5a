//! `doctor`: counts, then what is not in order (PRES-DOC-01).

use serde_json::Value;

use super::Shown;
use super::words::{count, first_rows, list, row, text};
use crate::line::Line;
use crate::outcome::Outcome;

/// Checks in the answer.
const ROWS: usize = 30;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "doctor"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let summary = data.get("summary").unwrap_or(&Value::Null);
    let head = format!(
        "Doctor: {} passed, {} warnings, {} failed.",
        count(summary, "pass"),
        count(summary, "warn"),
        count(summary, "fail"),
    );
    let checks = list(data, "checks");
    let bad =
        |wanted: &'static str| checks.iter().filter(move |check| text(check, "status") == wanted);
    let mut rows: Vec<Line> = bad("fail").chain(bad("warn")).map(check_row).collect();
    let found = checks.iter().filter(|check| text(check, "id") == "chrome.installed");
    rows.extend(found.filter(|check| text(check, "status") == "pass").map(check_row));
    let mut lines = vec![Line::ours(head)];
    lines.extend(first_rows(rows, ROWS, "check"));
    let fixed = list(data, "fixed").len();
    if fixed > 0 {
        lines.push(Line::ours(format!("{fixed} problems were repaired.")));
    }
    Outcome::success(lines).with_detail("data", data.clone())
}

fn check_row(check: &Value) -> Line {
    let fix = match text(check, "fix") {
        "" => String::new(),
        fix => format!(" (fix: {fix})"),
    };
    row(format!("{}: {}{fix}", text(check, "status"), text(check, "message")))
}
