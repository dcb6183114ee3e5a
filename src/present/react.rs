//! `react …`: upstream's own reports, which are text.

use super::Shown;
use super::words::{row, text, text_block};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "react"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let reports =
        [("tree", "React component tree"), ("report", "React report"), ("text", "React component")];
    let found = reports.into_iter().find(|(key, _)| !text(data, key).is_empty());
    let mut outcome = match found {
        Some((key, title)) => text_block(Line::ours(title), text(data, key), "react"),
        None => Outcome::success(vec!["React: recording renders until react renders stop.".into()]),
    };
    if let Some([file, line, column]) =
        data.get("source").and_then(|s| s.as_array()).map(Vec::as_slice)
    {
        let file = file.as_str().unwrap_or_default();
        outcome.answer.push(row(format!("source {file}:{line}:{column}")));
    }
    outcome.with_detail("data", data.clone())
}
