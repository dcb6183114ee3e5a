//! Desktop apps: lists, launches, their state (`state`), and their end (`cleaned`).

mod cleaned;
mod next;
mod state;

use serde_json::{Map, Value, json};

pub use cleaned::{Cleaned, cleaned};
use cleaned::{is_clean, left_words, step_rows};
pub(super) use next::probe_next;
use next::{next_for_active, retry_cleanup, status_next};
pub use next::{next_for_gone, session_next};
pub use state::{LaunchShown, Mismatch, Probed, probed, status};

use super::snapshot::SnapshotData;
use super::snapshot_view;
use crate::electron::cleanup::CleanupStep;
use crate::electron::launch::{Diagnostics, NotReady, Ready};
use crate::electron::{App, Platform, profile_isolation};
use crate::error::Refusal;
use crate::input::electron::Handoff;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::present::words::counted;
use crate::probe::report::PageReport;
use crate::session::electron::ElectronRecord;

/// Apps that the answer shows; `details` have all.
const VISIBLE_APPS: usize = 60;

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
        snapshot_view::append(&mut outcome, &view, title, doc);
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

#[cfg(test)]
mod tests;
