//! What went wrong in the page while a command ran: an uncaught exception, a refused request. The
//! command itself has done its work.

use serde_json::json;

use super::{Asked, Evidence};
use crate::outcome::{Finding, NextAction};
use crate::plan::rows::Wants;
use crate::present::section::Line;

pub(super) fn wants(_: &Asked<'_>) -> Wants {
    // The observers of every watched command listen.
    Wants::default()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let effect = evidence.after.page()?.effect.as_ref()?;
    let mut lines = Vec::new();
    let mut next = Vec::new();
    if let Some(said) = effect.error.as_ref().filter(|said| !said.is_empty()) {
        lines.push(Line::ours("Page error meanwhile: ").quote(said));
        next.push(NextAction::args("inspect-page-errors", "where it comes from", &["errors"]));
    }
    if let Some(refused) = &effect.refused {
        let line = Line::ours(format!("Request refused meanwhile: HTTP {} ", refused.status));
        lines.push(line.url(&refused.url));
        next.push(NextAction::args(
            "inspect-refused-requests",
            "what was asked and answered",
            &["network", "requests"],
        ));
    }
    let found = !lines.is_empty();
    found.then(|| Finding {
        key: "pageTrouble",
        details: json!({ "error": effect.error, "request": effect.refused }),
        lines,
        next,
        ..Finding::default()
    })
}
