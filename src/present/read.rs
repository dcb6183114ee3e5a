//! `read`: a page as plain text.

use super::Shown;
use super::words::{is_true, number, text, text_block};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "read"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let url = match text(data, "finalUrl") {
        "" => text(data, "url"),
        url => url,
    };
    let line = Line::ours("Text of ").url(url);
    let line = match number(data, "status").filter(|status| status != "200") {
        Some(status) => line.and(format!(" (HTTP {status})")),
        None => line,
    };
    let content = text(data, "content");
    let mut outcome = if content.trim().is_empty() {
        Outcome::success(vec![line.and(" is empty.")])
    } else {
        text_block(line, content, "page")
    };
    if is_true(data, "truncated") {
        outcome.answer.push("Upstream has cut the text; it goes on.".into());
    }
    outcome.with_detail("data", data.clone())
}
