//! How the program ends: its exit codes, and what a signal ends with it.

use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use agent_browser_native::run::proc::{ProcId, descendants};
use agent_browser_native::session::key::SessionKey;
use agent_browser_native::session::lease::{Lease, LeaseOwner, Leases};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::env::{TestEnv, fake_upstream, soon, write_executable};

const OPEN: &str = r#"{"args":["open","http://shop.test/"]}"#;
/// What is signalled has ended by then.
const SOON: Duration = Duration::from_secs(5);

fn call(env: &TestEnv) -> (Option<i32>, Value) {
    let Output { status, stdout, .. } = env.program(&["call", "--json", OPEN]).output().unwrap();
    (status.code(), serde_json::from_slice(&stdout).unwrap())
}

/// A session that nobody keeps alive and that seems to run.
fn leave_behind(env: &TestEnv, temp: Option<PathBuf>) {
    let places = env.places();
    for (ending, text) in [("pid", std::process::id().to_string()), ("sock", String::new())] {
        std::fs::write(places.socket_dir.join(format!("old.{ending}")), text).unwrap();
    }
    let lease = Lease {
        key: SessionKey::named("old"),
        socket_dir: places.socket_dir.clone(),
        owner: LeaseOwner::KeptUntil(0),
        exe: fake_upstream().to_owned(),
        daemon_tokens: Vec::new(),
        daemon_vars: Default::default(),
        daemon: None,
        browsers: Vec::new(),
        profile: None,
        temp,
        cdp_url: None,
    };
    Leases::below(&places.state_root).write(&lease).unwrap();
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), signal).unwrap();
}

/// The end of a program, which has to come soon.
async fn ended(mut child: Child) -> ExitStatus {
    let limit = Instant::now() + SOON;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it has not ended within {SOON:?}");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

// DEC-81, RES-25
#[test]
fn a_program_that_is_not_upstream_or_cannot_be_started_could_not_run() {
    let env = TestEnv::without_upstream();
    env.tool("agent-browser", "echo something else");
    let (code, said) = call(&env);
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(said["details"]["failureCategory"], "missing-binary", "{said}");

    write_executable(&env.path("bin/agent-browser"), b"#!/nowhere/sh\n");
    let (code, said) = call(&env);
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(said["details"]["failureCategory"], "missing-binary", "{said}");
}

// DEC-81
#[test]
fn a_browser_that_does_not_start_could_not_run() {
    let whole = json!({ "match": { "argv": ["batch"] }, "exitCode": 1,
        "stdout": { "error": "Failed to launch Chrome at \"/nope\"", "success": false } });
    let other = json!({ "match": { "argv": ["batch"] }, "exitCode": 1,
        "stdout": { "error": "No Chrome user data directory found.", "success": false } });
    let row = |error: &str| json!({ "match": { "row": ["open"] }, "error": error });
    let none = row("Auto-launch failed: Chrome not found. Checked:\n  - agent-browser cache: /c");
    let refused = row("Navigation failed: net::ERR_CONNECTION_REFUSED");
    for (rule, expected) in [(whole.clone(), 3), (other, 3), (none, 3), (refused, 1)] {
        let (code, said) = call(&TestEnv::new().script(&json!([rule])));
        assert_eq!(said["details"]["failureCategory"], "upstream-error", "{said}");
        assert_eq!(code, Some(expected), "{said}");
    }
    // A session of the caller's own has no outcome that tells it.
    let named = r#"{"args":["--session","mine","open","http://shop.test/"]}"#;
    let env = TestEnv::new().script(&json!([whole]));
    assert_eq!(env.program(&["call", named]).output().unwrap().status.code(), Some(3));
}

// DEC-81
#[test]
fn a_close_that_fails_where_no_browser_is_open_wanted_none() {
    let whole = json!({ "match": { "argv": ["batch"] }, "exitCode": 1,
        "stdout": { "error": "Daemon refused", "success": false } });
    let plain = json!({ "match": { "argv": ["close"] }, "exitCode": 1,
        "stdout": { "error": "Daemon refused", "success": false } });
    let row = json!({ "match": { "row": ["close"] }, "error": "Daemon refused" });
    let batch = |rows: Value| json!({ "args": ["batch"], "stdin": rows.to_string() });
    let all = json!(["close", "--all"]);
    let opens = batch(json!([["open", "http://shop.test/"], all]));
    for (rules, call, expected) in [
        (json!([plain, whole]), json!({ "args": all }), 1),
        (json!([whole]), batch(json!([all])), 1),
        (json!([row]), batch(json!([all])), 1),
        (json!([row]), batch(json!([["close"]])), 1),
        (json!([whole]), opens.clone(), 3),
        (json!([row]), opens, 1),
    ] {
        let env = TestEnv::new().script(&rules);
        let Output { status, stdout, .. } =
            env.program(&["call", "--json", &call.to_string()]).output().unwrap();
        let said = String::from_utf8_lossy(&stdout);
        assert!(said.contains("\"failureCategory\":\"upstream-error\""), "{said}");
        assert_eq!(status.code(), Some(expected), "{call}: {said}");
    }
}

// DEC-81, DEC-106
#[test]
fn a_reap_that_could_not_end_something_says_so() {
    let env = TestEnv::new();
    // A file in place of a directory is not removed as one.
    let temp = env.path("in-the-way");
    std::fs::write(&temp, "").unwrap();
    leave_behind(&env, Some(temp.clone()));
    let first = env.program(&["reap"]).output().unwrap();
    let text = String::from_utf8_lossy(&first.stdout).into_owned();
    assert_eq!((first.status.code(), text.as_str()), (Some(1), "old: could not be ended\n"));
    std::fs::remove_file(&temp).unwrap();
    assert_eq!(env.program(&["reap"]).output().unwrap().status.code(), Some(0));
}

// DEC-106
#[tokio::test]
async fn who_stops_a_call_does_not_wait_for_the_clean_up_behind_others() {
    let hangs = json!([{ "match": { "argv": ["close"] }, "hang": true }]);
    let env = TestEnv::new()
        .script(&hangs)
        .with("PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS", "20000");
    leave_behind(&env, None);
    let printed = std::fs::File::create(env.path("printed")).unwrap();
    let child = env.program(&["call", OPEN]).stdout(printed).spawn().unwrap();
    let answered = || std::fs::read(env.path("printed")).is_ok_and(|text| !text.is_empty());
    let closing = || env.asked().iter().any(|argv| argv.iter().any(|word| word == "close"));
    assert!(soon(|| answered() && closing()).await);
    signal(&child, Signal::INT);
    assert_eq!(ended(child).await.code(), Some(0), "the call itself was done");
}

// DEC-81
#[tokio::test]
async fn a_call_behind_nohup_outlives_its_terminal() {
    let env = TestEnv::new();
    let go = env.path("go");
    let env = env.script(&json!([{ "match": { "row": ["open"] }, "until": go }]));
    let child = Command::new("/bin/sh")
        .args(["-c", r#"trap "" HUP; exec "$0" call "$1""#])
        .args([env!("CARGO_BIN_EXE_agent-browser-native"), OPEN])
        .current_dir(env.path("work"))
        .env_clear()
        .envs(env.vars())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert!(
        soon(|| env.log().iter().any(|entry| entry["stdin"].to_string().contains("open"))).await
    );
    signal(&child, Signal::HUP);
    std::fs::write(&go, "").unwrap();
    assert_eq!(ended(child).await.code(), Some(0));
}

// DEC-81, DEC-108
#[test]
fn a_file_is_no_directory_for_calls() {
    let env = TestEnv::new();
    let file = env.path("work/file");
    std::fs::write(&file, "").unwrap();
    let output = env.program(&["call", "--cwd", file.to_str().unwrap(), OPEN]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("is no directory"), "{text}");
}

// DEC-110
#[tokio::test]
async fn a_signal_to_setup_ends_what_it_has_started() {
    let env = TestEnv::without_upstream();
    let (bin, pid) = (env.path("bin"), env.path("npm.pid"));
    let env = env.with("PATH", bin.to_str().unwrap());
    env.tool("npm", &format!("echo $$ > {}\n/bin/sleep 60", pid.display()));
    let child = env.program(&["setup"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.unwrap();
    let npm = || ProcId::of(std::fs::read_to_string(&pid).ok()?.trim().parse().ok()?);
    assert!(soon(|| npm().is_some_and(|npm| !descendants(&[npm]).is_empty())).await);
    let npm = npm().unwrap();
    let below = descendants(&[npm]);
    signal(&child, Signal::TERM);
    assert_eq!(ended(child).await.code(), Some(1));
    assert!(soon(|| !npm.is_alive() && !below.iter().any(ProcId::is_alive)).await);
}
