//! `snapshot`, and the page view behind a navigation.

use super::Shown;
use super::section::Line;
use super::snapshot::{self, Limits, SnapshotData};
use crate::outcome::{Outcome, Spill};

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "snapshot"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let Some(data) = snapshot::parse(&shown.answer.data) else {
        return super::failure::unreadable("the snapshot has no refs or text", "");
    };
    let rendered = snapshot::render(&data, &Limits::SNAPSHOT);
    let mut lines = vec![rendered.header.clone()];
    lines.extend(rendered.lines.iter().cloned());
    let mut outcome = Outcome::success(lines);
    let (title, doc) = shown.page.map_or(("", ""), |page| (page.title.as_str(), page.doc.as_str()));
    let summary = rendered.header.plain();
    outcome.details.insert("summary".into(), summary.into());
    let kept = snapshot::ref_snapshot_details(&data, &rendered, &data.origin, title, doc);
    outcome.details.insert("refSnapshot".into(), kept);
    outcome.details.insert("data".into(), shown.answer.data.clone());
    if rendered.compacted {
        outcome.compact = Some(serde_json::Value::Object(rendered.meta));
        outcome.spill =
            Some(Spill { stem: "snapshot", text: data.text, label: "Full raw snapshot path:" });
    }
    add_overlay_hint(shown, &mut outcome);
    outcome
}

/// A dialog in the page stands in front of everything else (PRES-SNAP-08).
fn add_overlay_hint(shown: &Shown<'_>, outcome: &mut Outcome) {
    let dialogs = shown.page.map_or(&[][..], |page| &page.dialogs);
    if let Some(name) = dialogs.first() {
        let line = Line::ours("A dialog is open in the page");
        let line = if name.is_empty() { line.and(".") } else { line.and(": ").quote(name) };
        outcome.answer.insert(1, line);
    }
}

/// The lines of the page view: its controls in at most 1,500 bytes (DEC-70).
pub(super) fn view_lines(shown: &Shown<'_>) -> Vec<Line> {
    let Some(data) = shown.view else { return Vec::new() };
    let rendered = snapshot::render(data, &Limits::VIEW);
    if rendered.lines.is_empty() {
        return vec![Line::ours("The page shows no controls yet.")];
    }
    let count = data.refs.len();
    let mut lines = vec![Line::ours(format!("Snapshot: {count} refs"))];
    if rendered.compacted {
        lines = vec![Line::ours(format!(
            "Snapshot: {count} refs, the most useful ones (all: snapshot -i)"
        ))];
    }
    lines.extend(rendered.lines);
    lines
}

/// Refs of a view for `details`.
#[must_use]
pub fn view_details(data: &SnapshotData, title: &str, doc: &str) -> serde_json::Value {
    let rendered = snapshot::render(data, &Limits::VIEW);
    snapshot::ref_snapshot_details(data, &rendered, &data.origin, title, doc)
}
