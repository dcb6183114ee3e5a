//! How launched apps are, and what they show.

use serde_json::{Map, Value, json};

use super::next::{cleanup_next, next_for_active, reattach, status_next};
use super::{identifiers, target_rows};
use crate::electron::status::LaunchStatus;
use crate::line::Line;
use crate::outcome::Outcome;
use crate::present::snapshot::{Limits, SnapshotData, render};
use crate::present::snapshot_view;
use crate::present::words::{list, text};
use crate::probe::report::PageReport;
use crate::session::electron::ElectronRecord;

/// Targets that the answer shows; `details` have all.
const VISIBLE_TARGETS: usize = 6;
/// Refs that a probe names in `details`.
const PROBE_REFS: usize = 60;

/// How the current session differs from a launch (ELEC-35).
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// `session-closed`, `current-session-differs`, `page-is-no-target`.
    pub reason: &'static str,
    /// The current managed session.
    pub current_session: Option<String>,
    /// The page of the launch's session.
    pub current_url: Option<String>,
}

impl Mismatch {
    fn words(&self) -> &'static str {
        match self.reason {
            "session-closed" => "no session is attached to it any more",
            "page-is-no-target" => "the page of its session is none of its windows any more",
            _ => "another session is current; calls without --session do not reach it",
        }
    }

    fn to_details(&self, record: &ElectronRecord, targets: &[Value]) -> Value {
        json!({
            "reason": self.reason,
            "summary": self.words(),
            "launchId": record.launch_id,
            "launchSessionName": record.session_name,
            "currentSessionName": self.current_session,
            "currentUrl": self.current_url,
            "liveTargets": targets,
        })
    }
}

/// One launch of a status answer.
#[derive(Debug)]
pub struct LaunchShown {
    /// The launch.
    pub record: ElectronRecord,
    /// What was seen of it.
    pub status: LaunchStatus,
    /// Title and address of its session's page.
    pub page: Option<(String, String)>,
    /// How the current session differs.
    pub mismatch: Option<Mismatch>,
}

/// Tracked launches (ELEC-33).
#[must_use]
pub fn status(launches: &[LaunchShown]) -> Outcome {
    if launches.is_empty() {
        let details = json!({
            "action": "status", "status": "succeeded", "launches": [], "statuses": [], "targets": [],
        });
        return Outcome::success(vec!["No launched app is tracked.".into()])
            .with_detail("electron", details);
    }
    let mut outcome = Outcome::success(Vec::new());
    for shown in launches {
        let state = shown.status.state(&shown.record);
        let line = Line::ours(format!("{} ", shown.record.launch_id))
            .quote(&shown.record.app_name)
            .and(format!(": {}, {}.", state.name(), shown.status.words()));
        let line = if shown.status.stale {
            line.and(" Nobody keeps it any more; it is left alone.")
        } else {
            line
        };
        outcome.answer.push(line);
        outcome.answer.extend(target_lines(&shown.status));
        if let Some(mismatch) = &shown.mismatch {
            outcome.answer.push(Line::ours(format!("Session mismatch: {}.", mismatch.words())));
            outcome.next.push(reattach(&shown.record, &shown.status));
        }
        if shown.status.is_alive() {
            outcome.next.extend(next_for_active(&shown.record));
        } else if shown.record.is_open() {
            outcome.next.push(cleanup_next(&shown.record.launch_id));
        }
    }
    outcome.with_detail("electron", status_details(launches))
}

fn target_lines(status: &LaunchStatus) -> Vec<Line> {
    let shown =
        status.targets.iter().filter(|target| matches!(target.kind.as_str(), "page" | "webview"));
    let line = |target: &crate::electron::devtools::Target| {
        let kind = if target.kind == "page" { "- page " } else { "- webview " };
        Line::ours(kind).quote(&target.title).and(" ").url(&target.url)
    };
    shown.take(VISIBLE_TARGETS).map(line).collect()
}

fn status_details(launches: &[LaunchShown]) -> Value {
    let rows = |of: &dyn Fn(&LaunchShown) -> Option<Value>| -> Vec<Value> {
        launches.iter().filter_map(of).collect()
    };
    let launch_rows = rows(&|shown| {
        let mut record = shown.record.clone();
        record.cleanup_state = shown.status.state(&record);
        Some(record.to_details())
    });
    let sessions = rows(&|shown| {
        let (title, url) = shown.page.as_ref()?;
        Some(json!({ "sessionName": shown.record.session_name, "title": title, "url": url }))
    });
    let mismatches = rows(&|shown| {
        let targets = target_rows(&shown.status.targets);
        Some(shown.mismatch.as_ref()?.to_details(&shown.record, &targets))
    });
    let targets: Vec<Value> =
        launches.iter().flat_map(|shown| target_rows(&shown.status.targets)).collect();
    let mut details = json!({
        "action": "status",
        "status": "succeeded",
        "launches": launch_rows,
        "statuses": rows(&|shown| Some(shown.status.to_details())),
        "targets": targets,
    });
    match launches {
        [one] => details["identifiers"] = identifiers(&one.record),
        many => {
            let all: Vec<Value> = many.iter().map(|shown| identifiers(&shown.record)).collect();
            details["identifierList"] = Value::Array(all);
        }
    }
    for (one, many, mut found) in [
        ("managedSession", "managedSessions", sessions),
        ("sessionMismatch", "sessionMismatches", mismatches),
    ] {
        match (found.len(), launches.len()) {
            (0, _) => {}
            (1, 1) => details[one] = found.remove(0),
            _ => details[many] = Value::Array(found),
        }
    }
    details
}

/// What a probe has read.
#[derive(Debug, Default)]
pub struct Probed {
    /// The caller named the launch.
    pub by_launch: bool,
    /// The page.
    pub page: Option<PageReport>,
    /// The focused element.
    pub focus: Option<Value>,
    /// The `tab list` answer.
    pub tabs: Option<Value>,
    /// The snapshot.
    pub view: Option<SnapshotData>,
    /// What could not be read.
    pub errors: Vec<String>,
}

/// A probe (ELEC-38…40).
#[must_use]
pub fn probed(
    session: &str,
    record: Option<&ElectronRecord>,
    launch: Option<&LaunchStatus>,
    mismatch: Option<Mismatch>,
    read: Probed,
) -> Outcome {
    let partial = !read.errors.is_empty();
    let mut first = match record {
        Some(record) => {
            Line::ours("Probe of ").quote(&record.app_name).and(format!(" ({})", record.launch_id))
        }
        None => Line::ours("Probe of the current session"),
    };
    if let Some(status) = launch {
        first = first.and(format!(": {}", status.words()));
    }
    let summary = first.plain();
    let mut outcome = Outcome::success(vec![first.and(".")]);
    if let Some(page) = &read.page {
        outcome.answer.push(Line::ours("Page ").quote(&page.title).and(" ").url(&page.url));
    }
    if let Some(line) = focus_line(read.focus.as_ref()) {
        outcome.answer.push(line);
    }
    for error in &read.errors {
        outcome.answer.push(Line::ours("Not read: ").quote(error));
    }
    if let Some(mismatch) = &mismatch {
        outcome.answer.push(Line::ours(format!("Session mismatch: {}.", mismatch.words())));
    }
    let probe = probe_details(&read, &summary);
    let (title, doc) = read.page.as_ref().map_or(("", ""), |page| (&page.title, &page.doc));
    if let Some(view) = &read.view {
        snapshot_view::append(&mut outcome, view, title, doc);
    }
    let mut details = json!({
        "action": "probe",
        "status": if partial { "partial" } else { "succeeded" },
        "probe": probe,
        "probeContext": {
            "source": if read.by_launch { "launchId" } else { "current-session" },
            "sessionName": session,
        },
    });
    if let (Some(record), Some(status)) = (record, launch) {
        let targets = target_rows(&status.targets);
        details["identifiers"] = identifiers(record);
        details["launchStatus"] = status.to_details();
        if let Some(mismatch) = &mismatch {
            details["sessionMismatch"] = mismatch.to_details(record, &targets);
            outcome.next.push(reattach(record, status));
        }
        details["statusTargets"] = Value::Array(targets);
        if status.is_alive() {
            outcome.next.extend(next_for_active(record));
        } else {
            outcome.next.extend([status_next(&record.launch_id), cleanup_next(&record.launch_id)]);
        }
    }
    outcome.with_detail("electron", details)
}

fn focus_line(focus: Option<&Value>) -> Option<Line> {
    let focus = focus.filter(|focus| focus.is_object())?;
    let (tag, name) = (text(focus, "tag"), text(focus, "name"));
    let line = Line::ours("Focused: ").quote(tag);
    Some(if name.is_empty() { line } else { line.and(" ").quote(name) })
}

fn probe_details(read: &Probed, summary: &str) -> Value {
    let mut probe = Map::new();
    if let Some(page) = &read.page {
        probe.insert("title".into(), page.title.clone().into());
        probe.insert("url".into(), page.url.clone().into());
    }
    probe.extend(read.focus.clone().map(|focus| ("focusedElement".into(), focus)));
    if let Some(tabs) = &read.tabs {
        let rows = list(tabs, "tabs");
        let active = rows.iter().find(|tab| tab.get("active") == Some(&Value::Bool(true)));
        probe.extend(active.map(|tab| ("activeTab".into(), tab.clone())));
        let tabs: Vec<Value> = rows.iter().take(20).cloned().collect();
        probe.insert("tabs".into(), Value::Array(tabs));
    }
    if let Some(view) = &read.view {
        probe.insert("snapshot".into(), snapshot_row(view));
    }
    if !read.errors.is_empty() {
        probe.insert("errors".into(), json!(read.errors));
    }
    probe.insert("summary".into(), summary.into());
    Value::Object(probe)
}

fn snapshot_row(view: &SnapshotData) -> Value {
    let ids: Vec<String> = view.refs.keys().take(PROBE_REFS).map(|id| format!("e{id}")).collect();
    let omitted = view.refs.len().saturating_sub(ids.len());
    let preview: Vec<String> = render(view, &Limits::VIEW).lines.iter().map(Line::plain).collect();
    let mut row = json!({
        "refCount": view.refs.len(),
        "refIds": ids,
        "preview": preview.join("\n"),
    });
    if omitted > 0 {
        row["omittedRefCount"] = omitted.into();
    }
    row
}
