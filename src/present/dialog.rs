//! `dialog accept`, `dialog dismiss`, `dialog status`, and dialogs that any answer tells of.

use serde_json::Value;

use super::words::{is_true, text};
use super::{Shown, action};
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};
use crate::session::dialog::{answers, from_status, sentence};
use crate::session::fact::Dialog;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "dialog"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let mut outcome = match from_status(data) {
        Some(Some(dialog)) => open_dialog(&dialog, data),
        Some(None) => Outcome::success(vec!["No dialog is open.".into()]),
        None if is_true(data, "accepted") => action::behind(shown, "Dialog accepted"),
        None => action::behind(shown, "Dialog dismissed"),
    };
    outcome.details.insert("data".into(), data.clone());
    outcome
}

fn open_dialog(dialog: &Dialog, data: &Value) -> Outcome {
    let line = sentence(Line::ours(""), dialog);
    let preset = text(data, "defaultPrompt");
    let line =
        if preset.is_empty() { line } else { line.and(" Its text is ").quote(preset).and(".") };
    let mut outcome = Outcome::success(vec![line]);
    outcome.next.extend(answers());
    outcome
}

/// One of the two calls that answer a dialog.
pub(super) fn is_answer(next: &NextAction) -> bool {
    answers().iter().any(|answer| answer.id == next.id)
}
