//! Desktop apps: lists, launches, their state, and their end.

use serde_json::{Map, Value, json};

use super::section::Line;
use super::snapshot::{Limits, SnapshotData, render};
use super::snapshot_view;
use crate::electron::cleanup::{CleanupStep, Done};
use crate::electron::launch::{Diagnostics, NotReady, Ready};
use crate::electron::status::LaunchStatus;
use crate::electron::{App, Platform, profile_isolation};
use crate::error::Refusal;
use crate::input::electron::Handoff;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::present::words::{counted, list, text};
use crate::probe::report::PageReport;
use crate::session::electron::ElectronRecord;

/// Apps and targets that the answer shows; `details` have all.
const VISIBLE_APPS: usize = 60;
const VISIBLE_TARGETS: usize = 6;
/// Refs that a probe names in `details`.
const PROBE_REFS: usize = 60;

/// The answer to `list`.
#[derive(Debug)]
pub struct Listed<'a> {
    /// Whose rules.
    pub platform: Platform,
    /// Rows.
    pub apps: &'a [App],
    /// The caller's words.
    pub query: Option<&'a str>,
    /// The caller's limit.
    pub max_results: usize,
    /// Candidates without proof.
    pub skipped: usize,
    /// Rows beyond the limit.
    pub omitted: usize,
}

/// What is installed (ELEC-11, ELEC-14).
#[must_use]
pub fn listed(found: &Listed<'_>) -> Outcome {
    let mut first = match found.platform {
        Platform::Unsupported => Line::ours(
            "Apps cannot be listed on this platform; launch one by executablePath or appPath.",
        ),
        _ => {
            let line = Line::ours(counted(found.apps.len(), "Electron app"));
            let line = match found.query {
                Some(query) => line.and(" for ").quote(query),
                None => line,
            };
            line.and(". A launch gets a new profile: it never sees signed-in data.")
        }
    };
    if found.omitted > 0 {
        first = first.and(format!(" {} more, use query.", found.omitted));
    }
    let mut lines = vec![first];
    lines.extend(found.apps.iter().take(VISIBLE_APPS).map(app_row));
    let sensitive = found.apps.iter().filter(|app| app.sensitivity().is_some()).count();
    let mut details = Map::new();
    details.insert("action".into(), "list".into());
    details.insert("status".into(), "succeeded".into());
    details.insert("apps".into(), found.apps.iter().map(App::to_details).collect());
    details.insert("platform".into(), found.platform.name().into());
    details.extend(found.query.map(|query| ("query".into(), query.into())));
    details.insert("maxResults".into(), found.max_results.into());
    details.insert("skippedCount".into(), found.skipped.into());
    for (key, count) in [("omittedCount", found.omitted), ("sensitiveAppCount", sensitive)] {
        if count > 0 {
            details.insert(key.into(), count.into());
        }
    }
    details.insert("profileIsolation".into(), profile_isolation());
    Outcome::success(lines).with_detail("electron", details)
}

fn app_row(app: &App) -> Line {
    let line = Line::ours("- ").quote(&app.name).and(" ");
    let line = line.path(app.executable.to_string_lossy().into_owned());
    match app.sensitivity() {
        Some(found) => line.and(format!(" [likely sensitive: {}]", found.categories.join(", "))),
        None => line,
    }
}

/// The caller's own lists do not allow it (GUARD-07).
#[must_use]
pub fn policy_refusal(app: &str, listed: &str, entry: Option<&str>) -> Box<Refusal> {
    let line = Line::ours("nothing was started. ").quote(app);
    let line = match entry {
        Some(entry) => line.and(format!(" is blocked by electron.{listed} ")).quote(entry).and("."),
        None => line.and(" matches nothing of electron.allow."),
    };
    let policy = json!({ "policy": { "list": listed, "entry": entry } });
    Refusal::new(FailureCategory::PolicyBlocked, line)
        .detail("electron", failed_details("blocked", policy))
}

/// `details.electron` of a launch that did not happen.
#[must_use]
pub fn failed_details(status: &str, failure: Value) -> Value {
    json!({
        "action": "launch",
        "status": status,
        "failure": failure,
        "profileIsolation": profile_isolation(),
    })
}

/// What the hand-off has read.
#[derive(Debug)]
pub struct Read<'a> {
    /// The `tab list` answer.
    pub tabs: Option<&'a Value>,
    /// The page.
    pub page: Option<&'a PageReport>,
    /// Its snapshot.
    pub view: Option<SnapshotData>,
    /// The snapshot stayed without refs.
    pub no_refs: bool,
    /// The page could not be read.
    pub unread: bool,
}

/// An app that runs and is attached (ELEC-26, ELEC-31).
#[must_use]
pub fn launched(
    record: &ElectronRecord,
    ready: &Ready,
    handoff: Handoff,
    read: Read<'_>,
) -> Outcome {
    let line = Line::ours("Launched ").quote(&record.app_name).and(format!(
        " with a new profile. launchId {} (clean it up when done).",
        record.launch_id
    ));
    let mut outcome = Outcome::success(vec![line]);
    let windows: Vec<&crate::electron::devtools::Target> =
        ready.targets.iter().filter(|target| target.kind == "page").collect();
    if windows.len() > 1 {
        outcome.answer.push(Line::ours(format!(
            "It has {} windows; the first one is attached, electron status lists them.",
            windows.len()
        )));
    }
    if handoff == Handoff::Tabs
        && let Some(tabs) = read.tabs
    {
        outcome.answer.extend(super::tabs::rows_of(tabs));
    }
    if read.unread {
        outcome.answer.push("Its page could not be read yet: send snapshot -i.".into());
    } else if read.no_refs {
        outcome.answer.push(
            "Its page shows no refs yet: send snapshot -i once more before calling it blank."
                .into(),
        );
    }
    let (title, doc) = read.page.map_or(("", ""), |page| (&page.title, &page.doc));
    if let Some(view) = read.view.filter(|view| !view.refs.is_empty()) {
        snapshot_view::append(&mut outcome, view, title, doc);
    }
    outcome.next = next_for_active(record);
    if read.unread || read.no_refs {
        outcome.next.insert(
            0,
            NextAction::args(
                "refresh-interactive-refs",
                "read the page again",
                &["snapshot", "-i"],
            ),
        );
    }
    let details = json!({
        "action": "launch",
        "status": "succeeded",
        "launch": record.to_details(),
        "targets": target_rows(&ready.targets),
        "version": ready.version,
        "handoff": { "handoff": handoff.name() },
        "identifiers": identifiers(record),
        "profileIsolation": profile_isolation(),
    });
    outcome.with_detail("electron", details)
}

fn target_rows(targets: &[crate::electron::devtools::Target]) -> Vec<Value> {
    targets.iter().map(crate::electron::devtools::Target::to_details).collect()
}

fn identifiers(record: &ElectronRecord) -> Value {
    json!({ "launchId": record.launch_id, "sessionName": record.session_name })
}

/// An app that never got ready, and what became of it.
#[must_use]
pub fn not_ready(
    record: &ElectronRecord,
    why: NotReady,
    diagnostics: &Diagnostics,
    steps: &[CleanupStep],
) -> Outcome {
    let app = Line::ours("").quote(&record.app_name);
    let (category, line) = match why {
        NotReady::TimedOut => {
            let ms = diagnostics.timeout.as_millis();
            let line = app.and(format!(" opened no debugging port within {ms} ms"));
            (FailureCategory::Timeout, line)
        }
        NotReady::Ended => {
            (FailureCategory::UpstreamError, app.and(" ended before it opened its debugging port"))
        }
        NotReady::Cancelled => (FailureCategory::Aborted, app.and(": cancelled while it started")),
    };
    let line = line.and(format!(" ({}).", left_words(steps)));
    let mut outcome = Outcome::failure(category, vec![line]);
    if why != NotReady::Cancelled {
        outcome.answer.push(Line::ours(format!(
            "DevToolsActivePort file: {}; {}.",
            diagnostics.port_file,
            if diagnostics.pid_alive {
                "the process was still running"
            } else {
                "the process was gone"
            },
        )));
    }
    let reason = match why {
        NotReady::TimedOut => "timeout",
        NotReady::Ended => "process-ended",
        NotReady::Cancelled => "cancelled",
    };
    let failure = json!({ "reason": reason, "diagnostics": diagnostics.to_details() });
    let mut details = failed_details("failed", failure);
    add_cleanup(&mut details, record, steps, &mut outcome);
    outcome.with_detail("electron", details)
}

/// Upstream did not take the app.
#[must_use]
pub fn not_attached(error: &str) -> Outcome {
    let line = Line::ours("the app runs, but could not be attached to: ").quote(error);
    Outcome::failure(FailureCategory::UpstreamError, vec![line])
}

/// What became of an app that could not be attached to.
pub fn add_failed_attach(outcome: &mut Outcome, record: &ElectronRecord, steps: &[CleanupStep]) {
    outcome
        .answer
        .push(Line::ours("").quote(&record.app_name).and(format!(": {}.", left_words(steps))));
    let mut details = failed_details("failed", json!({ "reason": "attach-failed" }));
    add_cleanup(&mut details, record, steps, outcome);
    outcome.details.insert("electron".into(), details);
}

fn add_cleanup(
    details: &mut Value,
    record: &ElectronRecord,
    steps: &[CleanupStep],
    outcome: &mut Outcome,
) {
    let partial = !is_clean(steps);
    details["cleanup"] = json!({ "partial": partial, "steps": step_rows(steps) });
    if partial {
        details["launch"] = record.to_details();
        outcome.next.extend([retry_cleanup(&record.launch_id), status_next(&record.launch_id)]);
    }
}

fn left_words(steps: &[CleanupStep]) -> &'static str {
    if is_clean(steps) { "ended, nothing of it is left" } else { "something of it is left" }
}

fn is_clean(steps: &[CleanupStep]) -> bool {
    steps.iter().all(|step| step.done == Done::Succeeded)
}

fn step_rows(steps: &[CleanupStep]) -> Vec<Value> {
    steps.iter().map(CleanupStep::to_details).collect()
}

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
pub struct Shown {
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
pub fn status(launches: &[Shown]) -> Outcome {
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

fn status_details(launches: &[Shown]) -> Value {
    let rows = |of: &dyn Fn(&Shown) -> Option<Value>| -> Vec<Value> {
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
    mut read: Probed,
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
    if let Some(view) = read.view.take() {
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

/// One launch after its clean-up.
#[derive(Debug)]
pub struct Cleaned {
    /// The launch, with its new state.
    pub record: ElectronRecord,
    /// What was done.
    pub steps: Vec<CleanupStep>,
}

/// The end of launches (ELEC-44, ELEC-45).
#[must_use]
pub fn cleaned(results: &[Cleaned]) -> Outcome {
    let partial = results.iter().any(|one| !is_clean(&one.steps));
    let mut lines: Vec<Line> = results.iter().map(cleaned_line).collect();
    if lines.is_empty() {
        lines.push("No launched app is tracked; nothing to clean up.".into());
    }
    let mut outcome = if partial {
        Outcome::failure(FailureCategory::CleanupFailed, lines)
    } else {
        Outcome::success(lines)
    };
    for one in results.iter().filter(|one| !is_clean(&one.steps)) {
        outcome.next.push(status_next(&one.record.launch_id));
        outcome.next.push(retry_cleanup(&one.record.launch_id));
    }
    let records: Vec<Value> = results.iter().map(|one| one.record.to_details()).collect();
    let rows = results.iter().map(|one| {
        json!({
            "launchId": one.record.launch_id,
            "cleanupState": one.record.cleanup_state.name(),
            "partial": !is_clean(&one.steps),
            "steps": step_rows(&one.steps),
        })
    });
    let details = json!({
        "action": "cleanup",
        "status": if partial { "partial" } else { "succeeded" },
        "cleanup": { "partial": partial, "records": records, "results": rows.collect::<Vec<_>>() },
    });
    outcome.with_detail("electron", details)
}

fn cleaned_line(one: &Cleaned) -> Line {
    let words: Vec<&str> = one.steps.iter().map(|step| step.words.as_str()).collect();
    let start = if is_clean(&one.steps) { "Cleaned up " } else { "only partly cleaned up: " };
    Line::ours(start).quote(&one.record.app_name).and(format!(
        " {}: {}.",
        one.record.launch_id,
        words.join(", ")
    ))
}

fn electron_next(id: &str, reason: &str, action: &str, launch_id: &str) -> NextAction {
    let params = json!({ "electron": { "action": action, "launchId": launch_id } });
    NextAction::params_of(id, reason, params)
}

fn status_next(launch_id: &str) -> NextAction {
    electron_next("status-electron-launch", "see what of the app is there", "status", launch_id)
}

pub(super) fn probe_next(launch_id: &str) -> NextAction {
    electron_next("probe-electron-launch", "read what the app shows", "probe", launch_id)
}

fn cleanup_next(launch_id: &str) -> NextAction {
    electron_next(
        "cleanup-electron-launch",
        "end the app and remove its profile when done",
        "cleanup",
        launch_id,
    )
    .with_safety(
        "Only the launch of this id: files that you saved and apps that you started stay yours.",
    )
}

fn retry_cleanup(launch_id: &str) -> NextAction {
    electron_next("retry-electron-cleanup", "try what is left again", "cleanup", launch_id)
        .with_safety("Only the launch of this id.")
}

/// The ways on from an app that has died (DIAG-EHLTH-02).
#[must_use]
pub fn next_for_gone(launch_id: &str) -> Vec<NextAction> {
    vec![status_next(launch_id), probe_next(launch_id), cleanup_next(launch_id)]
}

/// What can be done with an app that runs (ELEC-31). Nothing of it is urgent.
fn next_for_active(record: &ElectronRecord) -> Vec<NextAction> {
    let mut next = next_for_gone(&record.launch_id);
    next.extend(session_next(record));
    next.into_iter().map(NextAction::routine).collect()
}

/// Tabs and snapshot of a launch's session, for lookups too (SRC-14).
#[must_use]
pub fn session_next(record: &ElectronRecord) -> Vec<NextAction> {
    let session = record.session_name.as_str();
    vec![
        NextAction::args(
            "list-electron-tabs",
            "see the windows of the attached app",
            &["--session", session, "tab", "list"],
        ),
        NextAction::args(
            "snapshot-electron-session",
            "get current refs of the attached app",
            &["--session", session, "snapshot", "-i"],
        )
        .with_safety("Use refs of the app only after a new snapshot of this session."),
    ]
}

fn reattach(record: &ElectronRecord, status: &LaunchStatus) -> NextAction {
    let page = status.targets.iter().find(|target| target.kind == "page");
    let socket = page.and_then(|target| target.socket.clone());
    let address = socket.unwrap_or_else(|| record.port.to_string());
    NextAction::params_of(
        "reattach-electron-launch",
        "attach a new session to the app that still runs",
        json!({ "args": ["connect", address], "sessionMode": "fresh" }),
    )
}

#[cfg(test)]
#[path = "electron_tests.rs"]
mod tests;
