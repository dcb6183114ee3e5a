//! What the reaper ends, what it leaves alone, and what it says about both.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::electron::ElectronRecord;
use super::key::SessionKey;
use super::lease::{Lease, LeaseOwner, Leases};
use super::reap::{Ended, Reaped, keep_reaping, reap, reap_others};
use crate::electron::lease::{AppLease, AppLeases};
use crate::run::{ParentEnv, Places};

/// Nobody has kept it since 2023.
const OVER: LeaseOwner = LeaseOwner::KeptUntil(1_700_000_000);
const KEPT: LeaseOwner = LeaseOwner::KeptUntil(u64::MAX);

fn places(root: &TempDir) -> Places {
    Places {
        state_root: root.path().join("state"),
        temp_root: root.path().join("temp"),
        socket_dir: root.path().join("s"),
        data_root: root.path().join("data"),
        socket_dir_note: None,
    }
}

/// A session of which nothing runs.
fn leave(places: &Places, name: &str, owner: LeaseOwner) {
    let lease = Lease {
        key: SessionKey::named(name),
        socket_dir: places.socket_dir.clone(),
        owner,
        exe: "/nowhere/agent-browser".into(),
        daemon_tokens: Vec::new(),
        daemon_vars: BTreeMap::new(),
        daemon: None,
        browsers: Vec::new(),
        profile: None,
        temp: None,
        cdp_url: None,
    };
    Leases::below(&places.state_root).write(&lease).unwrap();
}

/// An app of which nothing runs.
fn leave_app(places: &Places, launch_id: &str, profile: &Path) {
    std::fs::create_dir_all(profile).unwrap();
    let record = ElectronRecord {
        launch_id: launch_id.into(),
        user_data_dir: profile.to_string_lossy().into_owned(),
        ..ElectronRecord::default()
    };
    AppLeases::below(&places.state_root).write(&AppLease { owner: OVER, record }).unwrap();
}

/// The names of the leases that are left.
fn left(places: &Places) -> Vec<String> {
    let leases = Leases::below(&places.state_root).all();
    let mut names: Vec<String> = leases.into_iter().map(|lease| lease.key.name).collect();
    names.sort();
    names
}

fn rows(report: &[Reaped]) -> Vec<(&str, Option<Ended>)> {
    report.iter().map(|one| (one.key.name.as_str(), one.ended)).collect()
}

// DEC-106, ELEC-52, SES-34
#[tokio::test]
async fn what_nobody_keeps_is_named_by_a_dry_run_and_ended_by_another() {
    let root = tempfile::tempdir().unwrap();
    let (places, env) = (places(&root), ParentEnv::default());
    for name in ["c", "a", "b"] {
        leave(&places, name, OVER);
    }
    leave(&places, "kept", KEPT);
    let (profile, foreign) = (places.temp_root.join("electron-00aa"), root.path().join("Signal"));
    leave_app(&places, "electron-00aa", &profile);
    // No process has this number, so nobody uses its directory.
    let temp = places.temp_root.join(format!("0123456789abcdef-{}", u32::MAX));
    std::fs::create_dir_all(&temp).unwrap();
    let journal = places.state_root.join("journal/old.jsonl");
    std::fs::create_dir_all(places.state_root.join("journal")).unwrap();
    let age = Duration::from_secs(400 * 24 * 60 * 60);
    File::create(&journal).unwrap().set_modified(SystemTime::now() - age).unwrap();
    let remains = [&profile, &temp, &journal];

    let mut report = reap(&places, &env, root.path(), true).await;
    report.sort_by(|one, other| one.key.cmp(&other.key));
    assert_eq!(rows(&report), [("a", None), ("b", None), ("c", None), ("electron-00aa", None)]);
    assert_eq!(left(&places), ["a", "b", "c", "kept"]);
    assert!(remains.iter().all(|path| path.exists()));

    let report = reap(&places, &env, root.path(), false).await;
    let gone = Some(Ended::Gone);
    let expected = [("a", gone), ("b", gone), ("c", gone), ("electron-00aa", Some(Ended::Killed))];
    assert_eq!(rows(&report), expected);
    assert_eq!(left(&places), ["kept"]);
    assert!(!remains.iter().any(|path| path.exists()));

    leave_app(&places, "electron-00bb", &foreign);
    let report = reap(&places, &env, root.path(), false).await;
    assert_eq!(rows(&report), [("electron-00bb", Some(Ended::Left))]);
    assert!(foreign.exists());
}

// DEC-106, SES-27
#[tokio::test]
async fn only_temporary_directories_of_processes_that_are_gone_are_removed() {
    let root = tempfile::tempdir().unwrap();
    let places = places(&root);
    let (gone, me) = (u32::MAX, std::process::id());
    let kept = [
        format!("0123456789abcdef-{me}"),
        format!("0123456789abcdef0-{gone}"),
        format!("0123456789abcdeX-{gone}"),
        "0123456789abcdef-x".to_owned(),
        "notes".to_owned(),
    ];
    let over = format!("0123456789abcdef-{gone}");
    for name in kept.iter().chain([&over]) {
        std::fs::create_dir_all(places.temp_root.join(name).join("inside")).unwrap();
    }
    reap(&places, &ParentEnv::default(), root.path(), false).await;
    assert!(!places.temp_root.join(&over).exists());
    for name in &kept {
        assert!(places.temp_root.join(name).exists(), "{name}");
    }
}

// DEC-106
#[tokio::test]
async fn a_call_spares_the_sessions_that_it_uses_itself() {
    let root = tempfile::tempdir().unwrap();
    let places = places(&root);
    for name in ["mine", "mine-f1", "yours"] {
        leave(&places, name, OVER);
    }
    leave(&places, "kept", KEPT);
    let (env, cwd) = (ParentEnv::default(), root.path().to_owned());
    reap_others(places.clone(), env, cwd, "mine".to_owned()).await;
    assert_eq!(left(&places), ["kept", "mine", "mine-f1"]);
}

// DEC-106
#[tokio::test]
async fn a_server_reaps_when_it_starts_and_ends_when_it_is_told() {
    let root = tempfile::tempdir().unwrap();
    let places = places(&root);
    leave(&places, "old", OVER);
    let stop = CancellationToken::new();
    let (env, cwd) = (ParentEnv::default(), root.path().to_owned());
    // What has begun is finished, also when the end is told before.
    stop.cancel();
    keep_reaping(places.clone(), env, cwd, stop).await;
    assert_eq!(left(&places), Vec::<String>::new());
}
