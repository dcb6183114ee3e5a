//! The page is not where this session's last act left it (DEC-102): several callers may share one
//! connection, and pages move by themselves.

use serde_json::json;

use super::Evidence;
use crate::outcome::Finding;
use crate::plan::Step;
use crate::plan::rows::Wants;
use crate::present::section::Line;

pub(super) fn wants(_: &Step) -> Wants {
    Wants::default()
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let (before, known) = (evidence.before?, evidence.known?);
    let moved = !known.doc.is_empty() && !before.doc.is_empty() && known.doc != before.doc;
    if !moved {
        return None;
    }
    let line =
        Line::ours("Before this call the page had become another one: ").quote(&before.title);
    let line =
        line.and(" ").url(&before.url).and(" (for a browser of your own use --session NAME)");
    Some(Finding {
        key: "pageMovedSinceLastCall",
        details: json!({ "url": before.url, "title": before.title, "lastUrl": known.url }),
        lines: vec![line],
        ..Finding::default()
    })
}
