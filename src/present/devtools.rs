//! `inspect` and `removeinitscript`: one sentence each.

use super::Shown;
use super::words::text;
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "inspect" | "removeinitscript")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let line = match shown.command() {
        "inspect" => Line::ours("Developer tools are open at ").url(text(data, "url")),
        _ => Line::ours("Init script ").word(text(data, "identifier")).and(" removed."),
    };
    Outcome::success(vec![line]).with_detail("data", data.clone())
}
