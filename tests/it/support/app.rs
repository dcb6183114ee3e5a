//! An Electron app as packagers lay it out, whose program is the stand-in in its other role.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use agent_browser_native::electron::lease::{AppLease, AppLeases};
use agent_browser_native::run::proc::ProcId;
use serde_json::{Value, json};

use super::engine::{Said, TestEngine};
use super::env::{TestEnv, fake_upstream, write_executable};

/// Lays the app out below the test's home; `prelude` is shell in front of the start.
pub fn lay_out(env: &TestEnv, name: &str, prelude: &str) -> PathBuf {
    let dir = env.path("home").join("Applications").join(name);
    let exe = dir.join(name);
    let script = format!("#!/bin/sh\n{prelude}\nexec {} \"$@\"\n", fake_upstream().display());
    write_executable(&exe, script.as_bytes());
    fs::create_dir_all(dir.join("resources/app")).unwrap();
    fs::write(dir.join("resources/app/package.json"), json!({ "productName": name }).to_string())
        .unwrap();
    fs::write(dir.join("resources.pak"), b"").unwrap();
    exe
}

/// A call of the mode.
pub fn electron(action: &str, more: Value) -> Value {
    let mut fields = json!({ "action": action });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "electron": fields })
}

/// A launch by name that has to succeed: its answer and its id.
pub async fn launch(tool: &TestEngine, name: &str, more: Value) -> (Said, String) {
    let mut fields = json!({ "appName": name });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let said = tool.send(electron("launch", fields)).await;
    assert!(!said.is_error, "{}", said.text);
    let id = said.details["electron"]["launch"]["launchId"].as_str().unwrap().to_owned();
    (said, id)
}

/// The process of a launch.
pub fn process(said: &Said) -> ProcId {
    let launch = &said.details["electron"]["launch"];
    ProcId {
        pid: launch["pid"].as_u64().unwrap().try_into().unwrap(),
        start: launch["pidStart"].as_u64().unwrap(),
    }
}

/// Leases of apps.
pub fn app_leases(env: &TestEnv) -> Vec<AppLease> {
    AppLeases::below(&env.places().state_root).all()
}

/// Profiles that launches have made and not removed.
pub fn profiles(env: &TestEnv) -> Vec<PathBuf> {
    let entries = fs::read_dir(env.path("temp")).unwrap().flatten();
    let found =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("electron-"));
    found.map(|entry| entry.path()).collect()
}

/// Ids of the offered actions.
pub fn ids(said: &Said) -> Vec<String> {
    let next = said.details["nextActions"].as_array().cloned().unwrap_or_default();
    next.iter().map(|next| next["id"].as_str().unwrap().to_owned()).collect()
}

/// Kills a process and waits for its end.
pub async fn kill(process: ProcId) {
    process.kill(agent_browser_native::run::proc::Signal::Kill).unwrap();
    for _ in 0..100 {
        if !process.is_alive() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("still there");
}
