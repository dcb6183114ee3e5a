//! `state load|list|show|clean|clear`: saved cookies and storage of a browser (PRES-STATE-02).

use serde_json::Value;

use super::Shown;
use super::words::{count, first_rows, is_true, list, text};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::redact::Redactor;

/// Files in the answer.
const ROWS: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "state" && shown.files.is_empty()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    // Every cookie and storage value of a shown state is hidden.
    let data = Redactor::new([]).json_cookies(&shown.answer.data);
    Outcome::success(lines(&data)).with_detail("data", data)
}

fn lines(data: &Value) -> Vec<Line> {
    if is_true(data, "loaded") {
        return loaded(data);
    }
    if data.get("files").is_some() {
        return files(data);
    }
    if data.get("state").is_some() {
        let summary = Line::ours("Saved state: ").quote(text(data, "summary"));
        return vec![summary.and(" (values are never shown).")];
    }
    for key in ["cleaned", "deleted"] {
        if data.get(key).is_some() {
            let kept = count(data, "keptCount");
            return vec![Line::ours(format!(
                "Deleted {} saved states, kept {kept}.",
                count(data, key)
            ))];
        }
    }
    vec!["Saved states changed.".into()]
}

/// PRES-STATE-01: a loaded file is named and is no artifact.
fn loaded(data: &Value) -> Vec<Line> {
    let line = Line::ours("Loaded state from ").path(text(data, "path"));
    let mut lines = vec![line];
    let skipped = list(data, "skippedOrigins").len();
    if skipped > 0 {
        lines.push(Line::ours(format!("{skipped} origins of it were left out.")));
    }
    lines.push("The tab is on the root of the state's site now (earlier refs are void).".into());
    lines
}

fn files(data: &Value) -> Vec<Line> {
    let files = list(data, "files");
    let line = Line::ours(format!("Saved states: {} in ", files.len()));
    let mut lines = vec![line.path(text(data, "directory"))];
    let rows = files.iter().map(|file| {
        let locked = if is_true(file, "encrypted") { ", encrypted" } else { "" };
        let size = count(file, "size");
        Line::ours("  ").quote(text(file, "filename")).and(format!(" {size} bytes{locked}"))
    });
    lines.extend(first_rows(rows.collect(), ROWS, "file"));
    lines
}
