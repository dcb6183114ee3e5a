//! `tab …` and `window new`.

use serde_json::Value;

use super::Shown;
use super::navigation::with_status;
use super::snapshot_view;
use super::words::{counted, first_rows, is_true, list, text};
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};

/// Tabs in the answer.
const ROWS: usize = 40;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "tab" | "window")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let outcome = if data.get("tabs").is_some() {
        tab_list(data)
    } else if is_true(data, "closed") {
        closed(shown)
    } else {
        Outcome::success(vec![with_status(chosen(shown), shown)])
    };
    let mut outcome = outcome.with_detail("data", data.clone());
    outcome.answer.extend(snapshot_view::view_lines(shown));
    outcome
}

/// Every tab with its stable id (PRES-TAB-01).
fn tab_list(data: &Value) -> Outcome {
    Outcome::success(rows_of(data))
}

/// The lines of a list of tabs.
pub(super) fn rows_of(data: &Value) -> Vec<Line> {
    let tabs = list(data, "tabs");
    let mut lines = vec![Line::ours(format!("Tabs: {} open.", tabs.len()))];
    lines.extend(first_rows(tabs.iter().map(tab_row).collect(), ROWS, "tab"));
    lines
}

fn tab_row(tab: &Value) -> Line {
    let mut marks = Vec::new();
    if is_true(tab, "active") {
        marks.push(Line::ours("active"));
    }
    if let kind @ ("webview" | "background_page" | "iframe" | "other") = text(tab, "type") {
        marks.push(Line::ours(kind.to_owned()));
    }
    let label = text(tab, "label");
    if !label.is_empty() {
        marks.push(Line::ours("label=").word(label));
    }
    let mut line = Line::ours("").word(text(tab, "tabId")).and(" ");
    for (at, mark) in marks.iter().enumerate() {
        line = line.and(if at == 0 { "(" } else { ", " }).append(mark);
    }
    let line = if marks.is_empty() { line } else { line.and(") ") };
    place(line, text(tab, "title"), text(tab, "url"))
}

/// Title and address; upstream repeats the address as the title of a tab that was not in front.
fn place(line: Line, title: &str, url: &str) -> Line {
    let known = !title.is_empty() && !url.ends_with(title);
    let line = if known { line.quote(title).and(" ") } else { line };
    line.url(url)
}

fn closed(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let line = Line::ours("Closed tab ").word(text(data, "tabId"));
    let label = text(data, "label");
    let line = if label.is_empty() { line } else { line.and(" ").quote(label) };
    if let Some(page) = shown.page {
        return Outcome::success(vec![place(line.and(". In front: "), &page.title, &page.url)]);
    }
    let mut outcome = Outcome::success(vec![
        line.and(". Another tab may be in front now (earlier refs are void)."),
    ]);
    outcome.next.push(
        NextAction::args("list-tabs-after-close", "see which tab is active", &["tab", "list"])
            .routine(),
    );
    outcome
}

/// A tab that is in front now: a new one, or an old one that was chosen.
fn chosen(shown: &Shown<'_>) -> Line {
    let data = &shown.answer.data;
    let is_new = data.get("total").is_some();
    let what = match (shown.command(), is_new) {
        ("window", _) => "Opened a window with tab ",
        (_, true) => "Opened tab ",
        (_, false) => "Tab ",
    };
    let line = Line::ours(what).word(text(data, "tabId"));
    let line = if is_new || shown.command() == "window" { line } else { line.and(" is active") };
    let label = text(data, "label");
    let line = if label.is_empty() { line } else { line.and(" label=").word(label) };
    let (title, url) = match shown.page {
        Some(page) => (page.title.as_str(), page.url.as_str()),
        None => (text(data, "title"), text(data, "url")),
    };
    let total = data.get("total").and_then(Value::as_u64);
    let line = match total.and_then(|total| usize::try_from(total).ok()) {
        Some(total) => line.and(format!(" ({} open)", counted(total, "tab"))),
        None => line,
    };
    if url.is_empty() { line.and(".") } else { place(line.and(": "), title, url) }
}
