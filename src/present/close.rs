//! `close` and its aliases.

use super::Shown;
use super::files::{attach, file_lines};
use super::words::{list, text};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.step.argv.is_close()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let all = data.get("closed").and_then(serde_json::Value::as_u64);
    let line = match all {
        Some(0) => Line::ours("No browser session was open; nothing to close."),
        Some(1) => Line::ours("Closed 1 browser session."),
        Some(count) => Line::ours(format!("Closed {count} browser sessions.")),
        None if shown.session_label == "default" => Line::ours("Closed the browser."),
        None => Line::ours("Closed the browser of session ").quote(shown.session_label).and("."),
    };
    let line = match shown.answer.text("statePath") {
        Some(path) => line.and(" State saved to ").path(path),
        None => line,
    };
    let mut lines = vec![line];
    // DEC-65
    let saved = text(data, "saveStatus");
    if !matches!(saved, "" | "saved" | "not_configured" | "not_attempted") {
        lines.push(Line::ours("The state was not saved: ").quote(saved).and("."));
    }
    let failed = list(data, "failed").len();
    if failed > 0 {
        lines.push(Line::ours(format!("{failed} did not close.")));
    }
    // A recording that was still open ends with its browser.
    lines.extend(shown.files.iter().flat_map(|file| file_lines(file, shown)));
    let mut outcome = Outcome::success(lines).with_detail("data", data.clone());
    attach(shown, &mut outcome);
    outcome
}
