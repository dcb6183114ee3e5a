//! `frame`: where selectors and snapshots look now.

use super::Shown;
use super::words::text;
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "frame"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let line = match text(&shown.answer.data, "frame") {
        "main" => Line::ours("The main frame is selected."),
        name => Line::ours("Frame ")
            .quote(name)
            .and(" is selected: selectors and snapshot work inside it until frame main."),
    };
    Outcome::success(vec![line]).with_detail("data", shown.answer.data.clone())
}
