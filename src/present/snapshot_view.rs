//! `snapshot`, and the page view behind a navigation.

use serde_json::Value;

use super::Shown;
use super::snapshot::{self, Limits, Rendered, SnapshotData};
use super::words::{count, first_rows, list, text};
use crate::diagnose::overlay::{Blocker, Overlay};
use crate::guard::refresh_refs;
use crate::line::{Line, cut};
use crate::outcome::{Outcome, Spill};
use crate::probe::report::PageReport;

/// Changed lines that are shown.
const DELTA_LINES: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "snapshot"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    within(shown, &Limits::SNAPSHOT)
}

/// A snapshot row of a batch: as many lines as a step may have, the rest folded like any big page.
#[must_use]
pub fn present_among_steps(shown: &Shown<'_>) -> Outcome {
    let limits = Limits { inline_lines: super::batch::STEP_LINES, ..Limits::SNAPSHOT };
    let mut outcome = within(shown, &limits);
    super::page_change::add_warning(shown, &mut outcome);
    outcome
}

fn within(shown: &Shown<'_>, limits: &Limits) -> Outcome {
    if let Some(outcome) = delta(shown) {
        return outcome;
    }
    let Some(data) = shown.taken else {
        return super::failure::unreadable("the snapshot has no refs or text", "");
    };
    let mut outcome = Outcome::success(Vec::new());
    let (title, doc) = shown.page.map_or(("", ""), |page| (page.title.as_str(), page.doc.as_str()));
    let dialog = dialog_lines(shown.page, data);
    let rendered = append_within(&mut outcome, data, (title, doc), shown.page, limits);
    outcome.details.insert("summary".into(), rendered.header.plain().into());
    outcome.details.insert("data".into(), shown.answer.data.clone());
    if rendered.compacted {
        outcome.compact = Some(Value::Object(rendered.meta));
    }
    outcome.answer.splice(1..1, messages(shown.page));
    if let Some((lines, details)) = dialog {
        outcome.answer.splice(1..1, lines);
        outcome.details.extend(details.map(|details| ("overlayBlockers".to_owned(), details)));
    }
    outcome
}

/// The lines of a whole snapshot behind an answer, its refs, and its file where it is folded.
pub fn append(outcome: &mut Outcome, data: &SnapshotData, title: &str, doc: &str) -> Rendered {
    append_within(outcome, data, (title, doc), None, &Limits::SNAPSHOT)
}

fn append_within(
    outcome: &mut Outcome,
    data: &SnapshotData,
    (title, doc): (&str, &str),
    page: Option<&PageReport>,
    limits: &Limits,
) -> Rendered {
    let rendered = snapshot::render_behind(data, page, limits);
    outcome.answer.push(rendered.header.clone());
    outcome.answer.extend(rendered.lines.iter().cloned());
    let kept = snapshot::ref_snapshot_details(data, &rendered, &data.origin, title, doc);
    outcome.details.insert("refSnapshot".into(), kept);
    if rendered.compacted {
        let label = "Full raw snapshot path:".into();
        outcome.spills.push(Spill { stem: "snapshot", text: data.text.clone(), label });
    }
    rendered
}

/// `snapshot --delta` where little or nothing has changed since the last one.
fn delta(shown: &Shown<'_>) -> Option<Outcome> {
    let data = &shown.answer.data;
    let change = data.get("snapshot")?;
    let origin = text(data, "origin");
    let lines = match text(change, "kind") {
        "unchanged" => vec![Line::ours("Snapshot: nothing has changed on ").url(origin)],
        "delta" => return Some(changed_lines(shown, change)),
        _ => return None,
    };
    Some(Outcome::success(lines).with_detail("data", data.clone()))
}

/// The lines that have changed. A value of several lines can look like elements, and the numbers of new
/// elements are known to no later call: only elements of the last snapshot stand there as such.
fn changed_lines(shown: &Shown<'_>, change: &Value) -> Outcome {
    let data = &shown.answer.data;
    let refs = shown.session.and_then(|session| session.refs.as_ref());
    let known = |row: &str| refs.is_some_and(|refs| snapshot::is_element(row, &refs.refs));
    let tree = change.get("treeChange").unwrap_or(&Value::Null);
    let (from, gone) = (count(tree, "startLine"), count(tree, "deleteCount"));
    let new: Vec<&str> = list(tree, "lines").iter().filter_map(Value::as_str).collect();
    let head = format!("Snapshot: from line {from} on {gone} lines became {} on ", new.len());
    let row = |row: &&str| match known(row) {
        true => Line::Tree(cut(row, Limits::SNAPSHOT.line_chars)),
        false => Line::Row((*row).to_owned()),
    };
    let mut lines = vec![Line::ours(head).url(text(data, "origin"))];
    lines.extend(first_rows(new.iter().map(row).collect(), DELTA_LINES, "line"));
    let mut outcome = Outcome::success(lines).with_detail("data", data.clone());
    if !new.iter().all(|row| known(row)) {
        outcome.next.push(refresh_refs());
    }
    outcome
}

/// A dialog in the page stands in front of everything else (PRES-SNAP-08). What closes it is among
/// the refs of the same snapshot.
fn dialog_lines(
    page: Option<&PageReport>,
    data: &SnapshotData,
) -> Option<(Vec<Line>, Option<Value>)> {
    let name = page?.dialogs.first()?;
    let blocker = Blocker::Dialog(name.clone());
    let (line, details) = match Overlay::new(&blocker, data) {
        Some(overlay) => (overlay.line(), Some(overlay.details())),
        None if name.is_empty() => (Line::ours("A dialog is open in the page."), None),
        None => (Line::ours("A dialog is open in the page: ").quote(name), None),
    };
    let text = page?.front.as_ref().map(|front| front.text.clone()).unwrap_or_default();
    let says = (!text.is_empty()).then_some(Line::Row(text));
    Some(([line].into_iter().chain(says).collect(), details))
}

/// The lines of the page view: its controls in at most 1,500 bytes (DEC-70).
pub(super) fn view_lines(shown: &Shown<'_>) -> Vec<Line> {
    shown.view.map_or_else(Vec::new, |data| lines_of(data, shown.page))
}

/// The same for a view that no single command has brought.
#[must_use]
pub fn lines_of(data: &SnapshotData, page: Option<&PageReport>) -> Vec<Line> {
    let rendered = snapshot::render_behind(data, page, &Limits::VIEW);
    if rendered.lines.is_empty() {
        return vec![Line::ours("The page shows no controls yet.")];
    }
    let count = data.refs.len();
    let counted = super::words::counted(count, "ref");
    let mut lines = vec![Line::ours(format!("Snapshot: {counted}"))];
    if rendered.compacted {
        lines = vec![Line::ours(format!(
            "Snapshot: {counted}, the most useful ones (another: find role ROLE click --name NAME)"
        ))];
    }
    lines.extend(dialog_lines(page, data).into_iter().flat_map(|(lines, _)| lines));
    lines.extend(messages(page));
    lines.extend(rendered.lines);
    lines
}

/// What the page tells its reader: a list of controls does not show it.
fn messages(page: Option<&PageReport>) -> impl Iterator<Item = Line> {
    let told = page.map_or(&[][..], |page| &page.messages);
    told.iter().take(2).map(|text| Line::ours("The page says: ").quote(text))
}

/// Refs of a view for `details`.
#[must_use]
pub fn view_details(data: &SnapshotData, title: &str, doc: &str) -> Value {
    let rendered = snapshot::render(data, &Limits::VIEW);
    snapshot::ref_snapshot_details(data, &rendered, &data.origin, title, doc)
}
