//! `chat`: what upstream's model says it did.

use super::Shown;
use super::generic;
use super::words::{text, text_block};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "chat"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let words = ["response", "text", "content", "message"].map(|key| text(data, key));
    match words.into_iter().find(|words| !words.is_empty()) {
        Some(words) => {
            text_block(Line::ours("Chat answer"), words, "chat").with_detail("data", data.clone())
        }
        None => generic::present(shown),
    }
}
