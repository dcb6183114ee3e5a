//! `clipboard …`: what was done; only `read` shows text.

use super::Shown;
use super::scalar::value_outcome;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "clipboard"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let outcome = match shown.step.argv.words.get(1).map(String::as_str) {
        Some("write") => Outcome::success(vec!["Clipboard written.".into()]),
        Some("copy") => Outcome::success(vec!["Copied the selection.".into()]),
        Some("paste") => Outcome::success(vec!["Pasted into the focused element.".into()]),
        _ => {
            let read = ["text", "content", "read"].into_iter().find_map(|key| data.get(key));
            value_outcome(read.unwrap_or(data), "Clipboard")
        }
    };
    outcome.with_detail("data", data.clone())
}
