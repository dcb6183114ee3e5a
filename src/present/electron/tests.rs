#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use super::*;
use crate::electron::cleanup::Done;
use crate::electron::devtools::Target;
use crate::outcome::{SuccessCategory, Verdict};
use crate::session::electron::CleanupState;

fn record() -> ElectronRecord {
    ElectronRecord {
        launch_id: "electron-1a".into(),
        app_name: "Notes".into(),
        session_name: "mcp-x-f1".into(),
        port: 40_123,
        pid: 4_711,
        ..ElectronRecord::default()
    }
}

fn ready(windows: usize) -> Ready {
    let window = |_| Target { kind: "page".into(), url: "app://a/".into(), ..Target::default() };
    Ready {
        port: 40_123,
        version: json!({}),
        targets: (0..windows).map(window).collect(),
        chosen: None,
    }
}

fn nothing_read() -> Read<'static> {
    Read { tabs: None, page: None, view: None, no_refs: false, unread: false }
}

fn ids(outcome: &Outcome) -> Vec<&str> {
    outcome.next.iter().map(|next| next.id.as_str()).collect()
}

// ELEC-26
#[test]
fn several_windows_are_said() {
    let one = launched(&record(), &ready(1), Handoff::Connect, nothing_read());
    assert_eq!(one.answer.len(), 1);
    let two = launched(&record(), &ready(2), Handoff::Connect, nothing_read());
    assert!(two.answer[1].plain().starts_with("It has 2 windows; the first one is attached"));
    assert!(two.next.iter().all(|next| !next.visible), "a launch that went well needs no advice");
}

// ELEC-29, ELEC-45
#[test]
fn a_failed_launch_that_left_something_offers_to_clean_it_up() {
    let seen = Diagnostics {
        pid: Some(4_711),
        pid_alive: true,
        user_data_dir: "/tmp/electron-1a".into(),
        elapsed: Duration::from_millis(15_010),
        timeout: Duration::from_secs(15),
        port_file: "incomplete",
        port: None,
        version_reached: false,
    };
    let left = [CleanupStep::new("process", Done::Failed, "process still runs")];
    let outcome = not_ready(&record(), NotReady::TimedOut, &seen, &left);
    assert_eq!(outcome.verdict, Verdict::Failure(FailureCategory::Timeout));
    assert!(outcome.answer[0].plain().ends_with("within 15000 ms (something of it is left)."));
    assert_eq!(ids(&outcome), ["retry-electron-cleanup", "status-electron-launch"]);
    assert_eq!(outcome.details["electron"]["cleanup"]["partial"], true);
    let clean = [CleanupStep::new("process", Done::Succeeded, "process ended")];
    let ended = not_ready(&record(), NotReady::Ended, &seen, &clean);
    assert_eq!(ended.verdict, Verdict::Failure(FailureCategory::UpstreamError));
    assert!(ended.next.is_empty());
}

// ELEC-08, IN-ELEC-18
#[test]
fn an_unsupported_platform_lists_nothing_and_says_what_works() {
    let found = Listed {
        platform: Platform::Unsupported,
        apps: &[],
        query: None,
        max_results: 50,
        skipped: 0,
        omitted: 0,
    };
    let outcome = listed(&found);
    assert_eq!(outcome.verdict, Verdict::Success(SuccessCategory::Completed));
    assert_eq!(outcome.details["electron"]["platform"], "unsupported");
    assert_eq!(outcome.details["electron"]["apps"], json!([]));
    assert!(outcome.answer[0].plain().contains("executablePath or appPath"));
}

// ELEC-25, ELEC-44, ELEC-45
#[test]
fn one_launch_of_several_that_stays_partial_fails_the_whole() {
    let mut cleaned_record = record();
    cleaned_record.cleanup_state = CleanupState::Cleaned;
    let mut partial_record = ElectronRecord { launch_id: "electron-2b".into(), ..record() };
    partial_record.cleanup_state = CleanupState::Partial;
    let results = [
        Cleaned {
            record: cleaned_record,
            steps: vec![CleanupStep::new("process", Done::Succeeded, "process ended")],
        },
        Cleaned {
            record: partial_record,
            steps: vec![CleanupStep::new("user-data-dir", Done::Skipped, "profile kept")],
        },
    ];
    let outcome = cleaned(&results);
    assert_eq!(outcome.verdict, Verdict::Failure(FailureCategory::CleanupFailed));
    let cleanup = &outcome.details["electron"]["cleanup"];
    assert_eq!(cleanup["results"][0]["partial"], false);
    assert_eq!(cleanup["results"][1]["steps"][0]["status"], "skipped");
    assert_eq!(cleanup["records"][1]["cleanupState"], "partial");
    assert_eq!(ids(&outcome), ["status-electron-launch", "retry-electron-cleanup"]);
    assert!(outcome.answer[1].plain().starts_with("only partly cleaned up: \"Notes\" electron-2b"));
}

// NEXT-43, NEXT-44
#[test]
fn tabs_and_snapshot_name_the_session_of_the_app() {
    let next = session_next(&record());
    assert_eq!(next[0].params().unwrap()["args"][1], "mcp-x-f1");
    assert_eq!(next[1].id, "snapshot-electron-session");
}
