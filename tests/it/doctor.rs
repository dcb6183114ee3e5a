//! `doctor`: what is broken is red, and the line below says how to mend it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use agent_browser_native::doctor::{Finding, Report, State, examine};
use agent_browser_native::electron::lease::{AppLease, AppLeases};
use agent_browser_native::run::proc::{ProcId, Signal};
use agent_browser_native::session::electron::ElectronRecord;
use agent_browser_native::session::key::SessionKey;
use agent_browser_native::session::lease::{Lease, LeaseOwner, Leases, complete, now_seconds};
use rustix::process::{Pid, kill_process};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::env::{TestEnv, fake_upstream, run, soon, write_executable};

/// A page that is titled and has a button, as the trial expects it, and a daemon that can be ended.
fn healthy() -> TestEnv {
    TestEnv::new().with("FAKE_UPSTREAM_DAEMON", "1").script(&json!(healthy_rows()))
}

fn healthy_rows() -> Vec<Value> {
    vec![
        json!({"match": {"row": ["get", "title"]}, "result": {"title": "doctor page"}}),
        json!({"match": {"row": ["snapshot"]}, "result": {"refs": {"e1": {"role": "button", "name": "Continue"}}, "snapshot": ""}}),
        json!({"match": {"row": ["eval"], "contains": "throw"}, "error": "Evaluation error: Error: doctor row"}),
    ]
}

async fn examined(env: &TestEnv) -> Report {
    let limit = CancellationToken::new();
    examine(env.parent(), env.places(), env.path("work"), limit).await
}

#[track_caller]
fn finding_of<'a>(report: &'a Report, id: &str) -> &'a Finding {
    report.findings.iter().find(|(name, _)| *name == id).map(|(_, finding)| finding).unwrap()
}

#[track_caller]
fn assert_red(report: &Report, id: &str, text: &str, remedy: &str) {
    let finding = finding_of(report, id);
    assert_eq!(finding.state, State::Failed, "{finding:?}");
    assert!(finding.text.contains(text), "{finding:?}");
    assert!(finding.remedy.as_deref().unwrap_or_default().contains(remedy), "{finding:?}");
    assert!(!report.is_healthy());
}

#[track_caller]
fn assert_state(report: &Report, id: &str, state: State) {
    let finding = finding_of(report, id);
    assert_eq!(finding.state, state, "{id}: {finding:?}");
}

fn program(env: &TestEnv, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
        .args(arguments)
        .env_clear()
        .envs(env.vars())
        .current_dir(env.path("work"))
        .output()
        .unwrap()
}

/// A running session with a lease whose owner is `owner`.
async fn leased(env: &TestEnv, name: &str, owner: LeaseOwner) -> Lease {
    run(env.fake(&["--json", "--session", name, "open", "https://a.test"])).await.unwrap();
    let mut lease = Lease {
        key: SessionKey::named(name),
        socket_dir: env.path("s"),
        owner,
        exe: fake_upstream().to_owned(),
        daemon_tokens: Vec::new(),
        daemon_vars: Default::default(),
        daemon: None,
        browsers: Vec::new(),
        profile: None,
        temp: None,
        cdp_url: None,
    };
    // The stand-in's daemon and browser need a moment until the process table shows them.
    for _ in 0..200 {
        complete(&mut lease);
        if lease.daemon.is_some() && !lease.browsers.is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(lease.daemon.is_some() && !lease.browsers.is_empty());
    Leases::below(&env.places().state_root).write(&lease).unwrap();
    lease
}

async fn end(lease: &Lease) {
    let all: Vec<ProcId> = lease.daemon.iter().chain(&lease.browsers).copied().collect();
    for process in &all {
        process.kill(Signal::Kill).unwrap();
    }
    assert!(soon(|| !all.iter().any(ProcId::is_alive)).await);
}

fn send(process: ProcId, signal: rustix::process::Signal) {
    kill_process(Pid::from_raw(process.pid.cast_signed()).unwrap(), signal).unwrap();
}

// DEC-108, DEC-01
#[tokio::test]
async fn healthy_machine_is_green_and_nothing_is_left_of_the_trial() {
    let env = healthy();
    let report = examined(&env).await;
    for id in [
        "upstream",
        "execute-bit",
        "version",
        "private-dirs",
        "socket-dir",
        "browser",
        "capabilities",
        "stuck-daemons",
        "leftovers",
        "config-files",
    ] {
        assert_state(&report, id, State::Ok);
    }
    assert!(report.is_healthy());
    assert_eq!(report.upstream.executable.as_deref(), Some(fake_upstream()));
    assert!(env.files("s").is_empty(), "{:?}", env.files("s"));
    assert!(Leases::below(&env.places().state_root).all().is_empty());
    let asked = env.asked();
    assert!(asked.iter().any(|argv| argv.last().is_some_and(|word| word == "close")), "{asked:?}");
}

// DEC-108
#[tokio::test]
async fn program_answers_in_json_and_with_its_exit_code() {
    let env = healthy();
    let output = program(&env, &["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["healthy"], true);
    assert_eq!(report["upstream"]["executable"], fake_upstream().to_str().unwrap());
    assert_eq!(report["upstream"]["version"], "0.41.0");

    let broken = TestEnv::without_upstream();
    let output = program(&broken, &["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("FAILED    upstream       agent-browser was not found"), "{text}");
    assert!(text.contains("Fix: Run `agent-browser-native setup`."), "{text}");
    assert!(!text.contains('\u{1b}'), "colours without a terminal: {text}");
}

// DEC-108
#[tokio::test]
async fn missing_execute_bit_is_named_with_the_command_that_sets_it() {
    let mut env = healthy();
    let exe = env.path("bin/agent-browser");
    fs::copy(fake_upstream(), &exe).unwrap();
    fs::set_permissions(&exe, fs::Permissions::from_mode(0o644)).unwrap();
    env.set("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", exe.to_str().unwrap());
    let report = examined(&env).await;
    let chmod = format!("chmod +x {}", exe.display());
    assert_red(&report, "execute-bit", "lacks the execute bit", &chmod);
    assert_eq!(report.upstream.executable, Some(exe));
    for id in ["version", "browser", "capabilities"] {
        assert_state(&report, id, State::NotRun);
    }
}

// DEC-01
#[tokio::test]
async fn older_upstream_is_red_in_the_words_of_the_calls() {
    let env = healthy().with("FAKE_UPSTREAM_VERSION", "0.40.2");
    let report = examined(&env).await;
    assert_red(&report, "version", "is older than the tested version 0.41.0", "setup");
    assert_state(&report, "browser", State::NotRun);
}

// DEC-01
#[tokio::test]
async fn newer_upstream_is_probed() {
    let env = healthy().with("FAKE_UPSTREAM_VERSION", "0.42.0");
    let report = examined(&env).await;
    let version = finding_of(&report, "version");
    assert!(version.text.contains("0.42.0 is newer than the tested version 0.41.0"));
    assert!(report.is_healthy());

    let script = json!({"help": "batch --json --session", "rules": healthy_rows()});
    let lacking = healthy().with("FAKE_UPSTREAM_VERSION", "0.42.0").script(&script);
    let report = examined(&lacking).await;
    assert_red(&report, "capabilities", "its help does not name --bail", "setup");
    assert_state(&report, "browser", State::NotRun);
}

// DEC-01
#[tokio::test]
async fn answers_of_another_shape_are_noticed() {
    let without = |at: usize| {
        let mut rules = healthy_rows();
        rules.remove(at);
        healthy().script(&json!(rules))
    };
    // Without its rule the script does not fail.
    let env = without(2);
    let report = examined(&env).await;
    assert_red(&report, "capabilities", "a script that throws does not fail", "setup");
    assert_state(&report, "browser", State::Ok);

    // Without its rule the snapshot lists no button.
    let report = examined(&without(1)).await;
    assert_red(&report, "capabilities", "refs with role and name", "setup");
}

// DEC-108
#[tokio::test]
async fn no_browser_is_red_and_points_to_setup() {
    let error = "Auto-launch failed: Chrome not found. Checked:\n  - agent-browser cache: /c\nRun `agent-browser install`";
    let env = healthy().script(&json!([{"match": {"row": ["open"]}, "error": error}]));
    let report = examined(&env).await;
    assert_red(&report, "browser", "Auto-launch failed: Chrome not found.", "setup");
    assert_state(&report, "capabilities", State::NotRun);
    assert!(env.files("s").is_empty(), "{:?}", env.files("s"));

    let error = "Failed to launch Chrome at \"/nope\": No such file or directory";
    let env = healthy()
        .script(&json!([{"match": {"row": ["open"]}, "error": error}]))
        .with("AGENT_BROWSER_EXECUTABLE_PATH", "/nope");
    let report = examined(&env).await;
    assert_red(&report, "browser", "/nope", "unset AGENT_BROWSER_EXECUTABLE_PATH");
}

// DEC-108
#[tokio::test]
async fn upstream_that_hangs_is_red_within_half_a_minute() {
    let env = healthy();
    let hanging = env.tool("hanging", "exec /bin/sleep 60");
    let env = env.with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", hanging.to_str().unwrap());
    let started = Instant::now();
    let report = examined(&env).await;
    assert_red(&report, "version", "does not answer --version within 5 s", "setup");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

// DEC-108
#[tokio::test]
async fn browser_that_hangs_is_red_within_half_a_minute_and_ended() {
    let mut rules = vec![
        json!({"match": {"argv": ["close"]}, "hang": true}),
        json!({"match": {"row": ["open"]}, "hang": true}),
    ];
    rules.extend(healthy_rows());
    let env = healthy().script(&json!(rules));
    let started = Instant::now();
    let report = examined(&env).await;
    let own_doctor = format!("Run `{} doctor`", fake_upstream().display());
    assert_red(&report, "browser", "did not answer within 13 s", &own_doctor);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(Leases::below(&env.places().state_root).all().is_empty());
    assert!(env.files("s").iter().all(|file| file.extension() != Some("pid".as_ref())));
}

// DEC-11
#[tokio::test]
async fn unwritable_socket_directory_is_red() {
    // Nobody may create a directory here, not even root.
    let env = healthy().with("PI_AGENT_BROWSER_SOCKET_DIR", "/sys/abn");
    let report = examined(&env).await;
    assert_red(
        &report,
        "socket-dir",
        "/sys/abn cannot hold sockets",
        "PI_AGENT_BROWSER_SOCKET_DIR",
    );
}

// DEC-11
#[tokio::test]
async fn socket_directory_that_others_may_enter_is_not_used_and_named() {
    let env = healthy();
    fs::set_permissions(env.path("s"), fs::Permissions::from_mode(0o755)).unwrap();
    let runtime = env.path("temp").to_str().unwrap().to_owned();
    let env = env.with("XDG_RUNTIME_DIR", runtime);
    let report = examined(&env).await;
    let finding = finding_of(&report, "socket-dir");
    assert_eq!(finding.state, State::Optional, "{finding:?}");
    assert!(finding.text.contains("can be entered by other users"), "{finding:?}");
}

// DEC-11
#[tokio::test]
async fn socket_directory_that_is_too_long_is_red() {
    let env = healthy();
    let long = env.path("s").join("d".repeat(60));
    let env = env.with("PI_AGENT_BROWSER_SOCKET_DIR", long.to_str().unwrap());
    assert_red(&examined(&env).await, "socket-dir", "103 are possible", "shorter");
}

// DEC-12
#[tokio::test]
async fn state_directory_that_others_may_enter_is_red() {
    let env = healthy();
    fs::set_permissions(env.path("state"), fs::Permissions::from_mode(0o750)).unwrap();
    let report = examined(&env).await;
    assert_red(&report, "private-dirs", "can be entered by other users", "chmod 700");
}

// DEC-108, HAZ-07
#[tokio::test]
async fn stopped_daemon_is_red_with_the_signal_that_continues_it() {
    let env = healthy();
    let later = LeaseOwner::KeptUntil(now_seconds() + 600);
    let lease = leased(&env, "cli-a", later).await;
    assert_state(&examined(&env).await, "stuck-daemons", State::Ok);

    let daemon = lease.daemon.unwrap();
    send(daemon, rustix::process::Signal::STOP);
    assert!(soon(|| daemon.is_stopped()).await);
    let report = examined(&env).await;
    let continues = format!("kill -CONT {}", daemon.pid);
    assert_red(&report, "stuck-daemons", "of session cli-a is stopped", &continues);

    send(daemon, rustix::process::Signal::CONT);
    assert!(soon(|| !daemon.is_stopped()).await);
    assert_state(&examined(&env).await, "stuck-daemons", State::Ok);
    end(&lease).await;
}

// DEC-108, HAZ-07
#[tokio::test]
async fn daemon_that_does_not_answer_is_red_after_two_seconds() {
    let env = healthy();
    let later = LeaseOwner::KeptUntil(now_seconds() + 600);
    let lease = leased(&env, "cli-b", later).await;
    let mut rules = healthy_rows();
    rules.push(json!({"match": {"argv": ["session", "info"], "contains": "cli-b"}, "hang": true}));
    let env = env.script(&json!(rules));
    let report = examined(&env).await;
    let give_up = format!("kill -KILL {}", lease.daemon.unwrap().pid);
    assert_red(&report, "stuck-daemons", "does not answer within 2 s", &give_up);
    end(&lease).await;
}

// DEC-106
#[tokio::test]
async fn browser_whose_owner_is_gone_is_red_and_reap_is_the_remedy() {
    let env = healthy();
    let mut owner = Command::new("/bin/true").spawn().unwrap();
    let dead = ProcId { pid: owner.id(), start: 1 };
    owner.wait().unwrap();
    let lease = leased(&env, "mcp-a", LeaseOwner::Process(dead)).await;
    let report = examined(&env).await;
    assert_red(&report, "leftovers", "1 browser runs on although its owner is gone", "reap");

    end(&lease).await;
    let report = examined(&env).await;
    assert_state(&report, "leftovers", State::Optional);

    assert_eq!(program(&env, &["reap"]).status.code(), Some(0));
    assert_state(&examined(&env).await, "leftovers", State::Ok);
}

// DEC-106, ELEC-52
#[tokio::test]
async fn app_whose_owner_is_gone_is_red_and_reap_is_the_remedy() {
    let env = healthy();
    let mut app = Command::new("/bin/sleep").arg("60").spawn().unwrap();
    let id = ProcId::of(app.id()).unwrap();
    let record = ElectronRecord {
        launch_id: "electron-00ff".into(),
        user_data_dir: env.path("temp/electron-00ff").to_string_lossy().into_owned(),
        pid: id.pid,
        pid_start: id.start,
        ..ElectronRecord::default()
    };
    let lease = AppLease { owner: LeaseOwner::KeptUntil(0), record };
    AppLeases::below(&env.places().state_root).write(&lease).unwrap();
    let report = examined(&env).await;
    assert_red(&report, "leftovers", "1 desktop app runs on although its owner is gone", "reap");

    app.kill().unwrap();
    app.wait().unwrap();
    assert_state(&examined(&env).await, "leftovers", State::Optional);
}

// HAZ-02
#[tokio::test]
async fn launch_options_of_config_files_are_named_without_their_values() {
    let env = healthy();
    fs::create_dir(env.path("home/.agent-browser")).unwrap();
    let user = env.path("home/.agent-browser/config.json");
    fs::write(&user, r#"{"proxy": "http://ann:hunter2@127.0.0.1:1", "maxOutput": 5}"#).unwrap();
    fs::write(env.path("work/agent-browser.json"), r#"{"headed": true}"#).unwrap();
    let report = examined(&env).await;
    let finding = finding_of(&report, "config-files");
    assert_eq!(finding.state, State::Optional);
    assert!(finding.text.contains(&format!("{} sets proxy;", user.display())), "{finding:?}");
    assert!(finding.text.contains("agent-browser.json sets headed."), "{finding:?}");
    assert!(!finding.text.contains("hunter2"));
    assert!(report.is_healthy());

    fs::write(env.path("work/agent-browser.json"), "{bad").unwrap();
    let report = examined(&env).await;
    assert!(finding_of(&report, "config-files").text.contains("it is no JSON"));
}

// DEC-110
#[tokio::test]
async fn missing_optional_programs_do_not_fail_the_examination() {
    let env = healthy();
    let bin = env.path("bin");
    let env = env.with("PATH", bin.to_str().unwrap());
    let report = examined(&env).await;
    for id in ["ffmpeg", "npm", "pi"] {
        assert_state(&report, id, State::Optional);
    }
    assert!(report.is_healthy());
    write_executable(&bin.join("ffmpeg"), b"#!/bin/sh\n");
    assert_state(&examined(&env).await, "ffmpeg", State::Ok);
}

// DEC-106
#[tokio::test]
async fn what_the_trial_starts_can_be_found_by_its_mark() {
    let env = healthy();
    examined(&env).await;
    let log = env.log().into_iter();
    let trial: Vec<Value> = log.filter(|entry| entry["argv"][1] == "--session").collect();
    assert!(!trial.is_empty());
    for entry in trial {
        assert_eq!(entry["env"]["AGENT_BROWSER_NATIVE_SESSION"], entry["argv"][2], "{entry}");
    }
}

// DEC-108
#[tokio::test]
async fn who_interrupts_the_examination_is_not_told_that_upstream_does_not_answer() {
    let env = healthy();
    let asked = env.path("asked");
    let hanging = env.tool("hanging", &format!("echo > {}; exec /bin/sleep 60", asked.display()));
    let env = env.with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", hanging.to_str().unwrap());
    let stop = CancellationToken::new();
    let examined = examine(env.parent(), env.places(), env.path("work"), stop.clone());
    let (report, ()) = tokio::join!(examined, async {
        assert!(soon(|| asked.exists()).await);
        stop.cancel();
    });
    assert_red(&report, "version", "The check was interrupted.", "doctor` again");
}
