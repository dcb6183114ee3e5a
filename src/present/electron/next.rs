//! The calls that lead on from a launched app.

use serde_json::json;

use crate::electron::status::LaunchStatus;
use crate::outcome::NextAction;
use crate::session::electron::ElectronRecord;

fn electron_next(id: &str, reason: &str, action: &str, launch_id: &str) -> NextAction {
    let params = json!({ "electron": { "action": action, "launchId": launch_id } });
    NextAction::params_of(id, reason, params)
}

pub(super) fn status_next(launch_id: &str) -> NextAction {
    electron_next("status-electron-launch", "see what of the app is there", "status", launch_id)
}

pub(in crate::present) fn probe_next(launch_id: &str) -> NextAction {
    electron_next("probe-electron-launch", "read what the app shows", "probe", launch_id)
}

pub(super) fn cleanup_next(launch_id: &str) -> NextAction {
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

pub(super) fn retry_cleanup(launch_id: &str) -> NextAction {
    electron_next("retry-electron-cleanup", "try what is left again", "cleanup", launch_id)
        .with_safety("Only the launch of this id.")
}

/// The ways on from an app that has died (DIAG-EHLTH-02).
#[must_use]
pub fn next_for_gone(launch_id: &str) -> Vec<NextAction> {
    vec![status_next(launch_id), probe_next(launch_id), cleanup_next(launch_id)]
}

/// What can be done with an app that runs (ELEC-31). Nothing of it is urgent.
pub(super) fn next_for_active(record: &ElectronRecord) -> Vec<NextAction> {
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

pub(super) fn reattach(record: &ElectronRecord, status: &LaunchStatus) -> NextAction {
    let page = status.targets.iter().find(|target| target.kind == "page");
    let socket = page.and_then(|target| target.socket.clone());
    let address = socket.unwrap_or_else(|| record.port.to_string());
    NextAction::params_of(
        "reattach-electron-launch",
        "attach a new session to the app that still runs",
        json!({ "args": ["connect", address], "sessionMode": "fresh" }),
    )
}
