//! The page is not where this session's last act left it (DEC-102): several callers may share one
//! connection, and pages move by themselves.

use serde_json::json;

use super::Evidence;
use crate::line::Line;
use crate::outcome::Finding;
use crate::probe::report::PageReport;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let known = evidence.known?;
    // Without a row in front of the command it may have been the command itself.
    let (page, words) = match (evidence.before, evidence.after.page()) {
        (Some(before), _) => (before, "Before this call the page had become another one: "),
        (None, Some(after)) => (after, "The page is another one since the last call: "),
        (None, None) => return None,
    };
    let moved = !known.doc.is_empty() && !page.doc.is_empty() && known.doc != page.doc;
    if !moved {
        return None;
    }
    if known.url == page.url {
        return Some(loaded_again(page, evidence.before.is_some()));
    }
    let line = Line::ours(words).quote(&page.title).and(" ").url(&page.url);
    let line = if evidence.before.is_some() {
        line.and(" (for a browser of your own use --session NAME)")
    } else {
        line.and(" (earlier refs are void)")
    };
    Some(Finding {
        key: "pageMovedSinceLastCall",
        details: json!({ "url": page.url, "title": page.title, "lastUrl": known.url }),
        lines: vec![line],
        ..Finding::default()
    })
}

/// The same address with another document: the page has loaded itself again, nobody has moved it.
fn loaded_again(page: &PageReport, before: bool) -> Finding {
    let line = match before {
        true => "The page was loaded again before this call; what had been typed may be gone.",
        false => "The page was loaded again since the last call (earlier refs are void).",
    };
    Finding {
        key: "pageMovedSinceLastCall",
        details: json!({ "url": page.url, "title": page.title, "reloaded": true }),
        lines: vec![line.into()],
        ..Finding::default()
    }
}
