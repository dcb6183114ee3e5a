//! `electron`: the end of launches, by call, by the host, and after a restart.

use std::fs;
use std::pin::pin;
use std::time::Duration;

use agent_browser_native::call::Keep;
use agent_browser_native::session::fact::Fact;
use agent_browser_native::session::lease::{LeaseOwner, Leases};
use agent_browser_native::session::reap::reap;
use serde_json::{Value, json};

use crate::support::app::{app_leases, electron, ids, kill, launch, lay_out, process, profiles};
use crate::support::engine::{Said, TestEngine, still_waits};
use crate::support::env::{TestEnv, soon};

fn steps(said: &Said) -> Vec<(String, String)> {
    let results = said.details["electron"]["cleanup"]["results"].as_array().unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = results.iter().flat_map(|result| result["steps"].as_array().unwrap());
    rows.map(|row| (text(row, "step"), text(row, "status"))).collect()
}

fn facts(said: &Said) -> Vec<Fact> {
    serde_json::from_value(said.details["facts"].clone()).unwrap()
}

fn app(prelude: &str) -> TestEnv {
    let env = TestEnv::new();
    lay_out(&env, "Notes", prelude);
    env
}

// ELEC-43, ELEC-44, ELEC-47, IN-ELEC-14, SES-22, SES-24
#[tokio::test]
async fn a_cleanup_ends_everything_and_retires_the_session() {
    let tool = TestEngine::new(app(""));
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    let name = said.details["sessionName"].as_str().unwrap().to_owned();
    let app = process(&said);
    assert!(app.is_alive() && profiles(&tool.env).len() == 1);
    let cleaned = tool.send(electron("cleanup", json!({ "launchId": id }))).await;
    assert_eq!(
        cleaned.text,
        format!(
            "Cleaned up \"Notes\" {id}: session closed, process ended, port closed, profile removed."
        )
    );
    let expected = ["managed-session", "process", "debug-port", "user-data-dir"];
    let done: Vec<(String, String)> =
        expected.iter().map(|step| ((*step).to_owned(), "succeeded".to_owned())).collect();
    assert_eq!(steps(&cleaned), done);
    let cleanup = &cleaned.details["electron"]["cleanup"];
    assert_eq!(cleaned.details["electron"]["status"], "succeeded");
    assert_eq!(
        (&cleanup["partial"], &cleanup["records"][0]["cleanupState"]),
        (&json!(false), &json!("cleaned"))
    );
    assert!(!app.is_alive());
    assert!(profiles(&tool.env).is_empty() && app_leases(&tool.env).is_empty());
    assert!(!tool.env.path("s").join(format!("{name}.sock")).exists());
    // The next call gets another name; a second clean-up has nothing to do.
    let opened = tool.call(&["open", "http://shop.test/"]).await;
    assert_ne!(opened.details["sessionName"], name);
    let again = tool.send(electron("cleanup", json!({ "launchId": id }))).await;
    assert!(!again.is_error && again.text.contains("was cleaned up already"), "{}", again.text);
    let all = tool.send(electron("cleanup", json!({ "all": true }))).await;
    assert_eq!(all.text, "No launched app is tracked; nothing to clean up.");
    tool.engine.shutdown().await;
}

// ELEC-43, ELEC-49
#[tokio::test]
async fn an_app_that_ignores_being_asked_is_ended_by_force() {
    let tool = TestEngine::new(app("trap '' TERM"));
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    let cleaned = tool.send(electron("cleanup", json!({}))).await;
    assert!(!cleaned.is_error, "{}", cleaned.text);
    assert!(cleaned.text.contains("process ended by force"), "{}", cleaned.text);
    assert!(!process(&said).is_alive() && profiles(&tool.env).is_empty());
}

// ELEC-45, ELEC-46, ELEC-48, ELEC-52, NEXT-46, SES-24, SES-25, SES-34
#[tokio::test]
async fn a_profile_that_is_held_stays_and_the_cleanup_can_be_tried_again() {
    // Somebody who is no part of the app any more writes into its profile until told to stop.
    let hold = "for word in \"$@\"; do case $word in --user-data-dir=*) dir=${word#*=};; esac; done\n\
        (env -i setsid /bin/sh -c 'i=0; top=${1%/*}; \
        while [ -d \"$top\" ] && [ ! -e \"$top/stop\" ] && [ $i -lt 60000 ]; do \
        i=$((i+1)); mkdir \"$1\"; mkdir \"$1/held\"; done; : > \"$top/stopped\"' \
        hold \"$dir\" >/dev/null 2>&1 &)";
    let tool = TestEngine::new(app(hold));
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    let partial = tool.send(electron("cleanup", json!({ "timeoutMs": 700 }))).await;
    assert_eq!(partial.category(), "cleanup-failed", "{}", partial.text);
    assert!(partial.first().contains("only partly cleaned up: \"Notes\""), "{}", partial.text);
    assert_eq!(partial.details["electron"]["status"], "partial");
    let done = steps(&partial);
    assert_eq!(done[0], ("managed-session".into(), "succeeded".into()));
    assert_eq!(done[3], ("user-data-dir".into(), "failed".into()));
    assert_eq!(ids(&partial), ["status-electron-launch", "retry-electron-cleanup"]);
    let again = electron("cleanup", json!({ "launchId": id }));
    assert!(partial.next().contains(&again), "{}", partial.text);
    // The session is retired; the lease stays, and generic sweeps leave the profile alone.
    let name = said.details["sessionName"].as_str().unwrap();
    assert!(!tool.env.path("s").join(format!("{name}.sock")).exists());
    assert_eq!(app_leases(&tool.env).len(), 1);
    reap(&tool.env.places(), &tool.env.parent(), &tool.env.path("work"), false).await;
    assert_eq!(profiles(&tool.env).len(), 1);
    let closes = || tool.asked().iter().filter(|asked| asked.has("close")).count();
    assert_eq!(closes(), 1);
    // The holder stops: the rest is done, and the session is not closed a second time.
    fs::write(tool.env.path("temp/stop"), b"").unwrap();
    assert!(soon(|| tool.env.path("temp/stopped").exists()).await);
    let done = tool.send(again).await;
    assert!(!done.is_error, "{}", done.text);
    assert!(done.text.contains("session was closed already"), "{}", done.text);
    assert_eq!(closes(), 1);
    assert!(profiles(&tool.env).is_empty() && app_leases(&tool.env).is_empty());
}

// ELEC-45, ELEC-46, IN-ELEC-14
#[tokio::test]
async fn a_session_that_does_not_close_is_reported_and_the_app_ends_all_the_same() {
    let rules = json!([{ "match": { "argv": ["close"] }, "hang": true }]);
    let env = TestEnv::new()
        .script(&rules)
        .with("PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS", "900");
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    let started = std::time::Instant::now();
    let partial = tool.send(electron("cleanup", json!({}))).await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert_eq!(partial.category(), "cleanup-failed", "{}", partial.text);
    let done = steps(&partial);
    assert_eq!(done[0], ("managed-session".into(), "failed".into()));
    assert_eq!(done[1], ("process".into(), "succeeded".into()));
    assert_eq!(done[3], ("user-data-dir".into(), "succeeded".into()));
    assert!(!process(&said).is_alive() && profiles(&tool.env).is_empty());
}

// ELEC-50, SES-30, DEC-106
#[tokio::test]
async fn the_end_of_the_host_ends_its_apps() {
    let tool = TestEngine::new(app(""));
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    tool.engine.shutdown().await;
    assert!(!process(&said).is_alive());
    assert!(profiles(&tool.env).is_empty() && app_leases(&tool.env).is_empty());
}

// ELEC-06, ELEC-51, ELEC-54, SES-26, SES-32, SES-33, SES-35, SES-38
#[tokio::test]
async fn a_branch_shows_its_own_launches_and_a_reload_keeps_only_those() {
    let env = TestEnv::new();
    for name in ["Notes", "Etcher"] {
        lay_out(&env, name, "");
    }
    let tool = TestEngine::new(env);
    let (first, notes) = launch(&tool, "Notes", json!({})).await;
    let past = facts(&first);
    // Another branch, which does not know of it, launches another app.
    tool.engine.restore(&[]);
    let (second, etcher) = launch(&tool, "Etcher", json!({ "handoff": "connect" })).await;
    // Off-branch it is still owned: named it is reachable, and two are ambiguous.
    let status = tool.send(electron("status", json!({ "launchId": notes }))).await;
    assert!(status.first().contains("alive"), "{}", status.text);
    assert!(tool.send(electron("cleanup", json!({}))).await.text.contains("2 launches"));
    let probe = tool.send(electron("probe", json!({}))).await;
    assert!(probe.first().contains(&etcher), "{}", probe.text);
    // Back on the first branch, and a reload: its own app stays, the other one goes.
    tool.engine.restore(&past);
    tool.engine.hand_over().await;
    assert!(soon(|| !process(&second).is_alive()).await);
    assert!(process(&first).is_alive());
    let kept = app_leases(&tool.env);
    assert_eq!((kept.len(), kept[0].record.launch_id.clone()), (1, notes.clone()));
    assert!(matches!(kept[0].owner, LeaseOwner::KeptUntil(_)));
    assert_eq!(profiles(&tool.env).len(), 1);
    // The next process takes it over from the transcript.
    let env = tool.into_env();
    let next = TestEngine::new(env);
    next.engine.restore(&past);
    assert!(matches!(app_leases(&next.env)[0].owner, LeaseOwner::Process(_)));
    let clicked = next.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3"), "{}", clicked.text);
    assert_eq!(clicked.details["electronRefFreshness"]["launchId"], notes);
    let cleaned = next.send(electron("cleanup", json!({}))).await;
    assert!(!cleaned.is_error, "{}", cleaned.text);
    assert!(!process(&first).is_alive() && profiles(&next.env).is_empty());
    // A transcript that holds the clean-up does not bring the session back.
    let mut all = past;
    all.extend(facts(&cleaned));
    next.engine.restore(&all);
    let status = next.send(electron("status", json!({ "all": true }))).await;
    assert_eq!(status.text, "No launched app is tracked.");
    let refused = next.call(&["click", "@e3"]).await;
    assert!(refused.is_error, "{}", refused.text);
}

// ELEC-53, SES-36, SES-37
#[tokio::test]
async fn a_restored_record_without_a_lease_is_reported_and_left_alone() {
    let tool = TestEngine::new(app(""));
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    let past = facts(&said);
    let lease = app_leases(&tool.env).remove(0);
    fs::remove_dir_all(tool.env.path("state/apps")).unwrap();
    tool.engine.restore(&past);
    let status = tool.send(electron("status", json!({}))).await;
    assert!(
        status.first().contains("Nobody keeps it any more; it is left alone"),
        "{}",
        status.text
    );
    assert_eq!(status.details["electron"]["statuses"][0]["stale"], true);
    let partial = tool.send(electron("cleanup", json!({ "launchId": id }))).await;
    assert_eq!(partial.category(), "cleanup-failed", "{}", partial.text);
    assert!(partial.text.contains("process left alone, no lease proves it"), "{}", partial.text);
    assert!(lease.main_process().is_some() && profiles(&tool.env).len() == 1);
    kill(process(&said)).await;
    fs::remove_dir_all(&profiles(&tool.env)[0]).unwrap();
    let gone = tool.send(electron("cleanup", json!({ "launchId": id }))).await;
    assert!(!gone.is_error, "{}", gone.text);
    tool.engine.shutdown().await;
}

// DEC-106, ELEC-52
#[tokio::test]
async fn between_invocations_an_app_lives_until_it_has_been_idle_for_too_long() {
    let one_shot = |env: TestEnv| {
        let tool = TestEngine::with(env, |options| {
            options.door = "cli";
            options.keep = Keep::IdleTimeout;
        });
        tool.engine.restore_from_journal();
        tool
    };
    let tool = one_shot(app(""));
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    tool.engine.settle().await;
    let tool = one_shot(tool.into_env());
    let places = tool.env.places();
    reap(&places, &tool.env.parent(), &tool.env.path("work"), false).await;
    assert!(process(&said).is_alive());
    // Its use moves the end on.
    let mut lease = app_leases(&tool.env).remove(0);
    lease.owner = LeaseOwner::KeptUntil(1);
    let leases = agent_browser_native::electron::lease::AppLeases::below(&places.state_root);
    leases.write(&lease).unwrap();
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked"), "{}", clicked.text);
    assert!(matches!(app_leases(&tool.env)[0].owner, LeaseOwner::KeptUntil(until) if until > 1));
    // Its time is over: the reaper ends app and session.
    leases.write(&lease).unwrap();
    let report = reap(&places, &tool.env.parent(), &tool.env.path("work"), false).await;
    assert!(report.iter().any(|row| row.key.name == id), "{report:?}");
    assert!(!process(&said).is_alive() && profiles(&tool.env).is_empty());
    for lease in Leases::below(&places.state_root).all() {
        Leases::below(&places.state_root).remove(&lease.socket_dir, &lease.key);
    }
}

// ELEC-06
#[tokio::test]
async fn a_close_of_the_session_leaves_the_app_to_its_cleanup() {
    let tool = TestEngine::new(app(""));
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    assert!(!tool.call(&["close"]).await.is_error);
    tool.engine.settle().await;
    assert!(process(&said).is_alive());
    let probe = tool.send(electron("probe", json!({ "launchId": id }))).await;
    assert!(probe.text.contains("no session is attached"), "{}", probe.text);
    assert_eq!(ids(&probe)[0], "reattach-electron-launch");
    let cleaned = tool.send(electron("cleanup", json!({}))).await;
    assert!(cleaned.text.contains("session was closed already"), "{}", cleaned.text);
    assert!(!process(&said).is_alive() && profiles(&tool.env).is_empty());
}

// SES-40, ELEC-47
#[tokio::test]
async fn a_cleanup_waits_for_its_turn() {
    let env = TestEnv::new();
    let go = env.path("go");
    let env = env.script(&json!([{ "match": { "row": ["wait"] }, "until": go }]));
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let (launched, _) = launch(&tool, "Notes", json!({})).await;
    let waiting = tool.call(&["wait", "#a"]);
    let cleaning = async {
        let runs = || tool.asked().iter().any(|asked| asked.commands().contains(&"wait"));
        assert!(soon(runs).await);
        let mut call = pin!(tool.send(electron("cleanup", json!({}))));
        still_waits(&mut call).await;
        assert!(!tool.asked().iter().any(|asked| asked.has("close")));
        assert!(process(&launched).is_alive());
        fs::write(&go, b"").unwrap();
        call.await
    };
    let (waited, cleaned) = tokio::join!(waiting, cleaning);
    assert!(!waited.is_error, "{}", waited.text);
    assert!(!cleaned.is_error, "{}", cleaned.text);
}

// ELEC-30, ELEC-49, DEC-106
#[tokio::test]
async fn a_launch_that_cannot_be_attached_leaves_neither_app_nor_lease() {
    let tool = TestEngine::with(app(""), |options| options.keep = Keep::IdleTimeout);
    // No session can get a lease, so nothing may be attached.
    fs::write(tool.env.path("state/leases"), b"").unwrap();
    let said = tool.send(electron("launch", json!({ "appName": "Notes" }))).await;
    assert!(said.is_error, "{}", said.text);
    assert!(said.text.contains("cannot be used as a private directory"), "{}", said.text);
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());
    let app = tool.env.path("home/Applications/Notes");
    let runs = |pid: &str| {
        let words = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(app.to_str().unwrap())
    };
    let left = fs::read_dir("/proc").unwrap().flatten();
    let left: Vec<_> = left.filter(|entry| runs(&entry.file_name().to_string_lossy())).collect();
    assert!(left.is_empty(), "{left:?}");
}

// ELEC-30, ELEC-49
#[tokio::test]
async fn a_launch_without_a_place_for_its_profile_leaves_no_lease() {
    let tool = TestEngine::new(app(""));
    fs::remove_dir_all(tool.env.path("temp")).unwrap();
    fs::write(tool.env.path("temp"), b"").unwrap();
    let said = tool.send(electron("launch", json!({ "appName": "Notes" }))).await;
    assert!(said.is_error && said.text.contains("the app was not started"), "{}", said.text);
    assert!(app_leases(&tool.env).is_empty());
}
