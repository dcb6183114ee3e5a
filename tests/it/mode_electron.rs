//! `electron`: list, launch, hand-off, status and probe, with a stand-in for upstream and app.

use std::time::{Duration, Instant};

use agent_browser_native::call::CallContext;
use agent_browser_native::command::Class;
use serde_json::{Value, json};

use crate::support::app::{app_leases, electron, ids, launch, lay_out, process, profiles};
use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, soon, write_executable};

fn tool() -> TestEngine {
    let env = TestEnv::new();
    lay_out(&env, "Notes", "");
    TestEngine::new(env)
}

fn commands(tool: &TestEngine) -> Vec<Vec<String>> {
    let asked = tool.asked();
    asked.iter().map(|asked| asked.commands().into_iter().map(str::to_owned).collect()).collect()
}

// IN-ELEC-03, ELEC-10, ELEC-11, ELEC-13, ELEC-14, ELEC-27, DEC-48, RES-37
#[tokio::test]
async fn a_list_starts_nothing_and_says_that_launches_are_isolated() {
    let env = TestEnv::new();
    for name in ["Notes", "Signal", "Etcher"] {
        lay_out(&env, name, "");
    }
    let tool = TestEngine::new(env);
    let query = tool.env.path("home").to_str().unwrap().to_owned();
    let said = tool.send(electron("list", json!({ "query": query, "maxResults": 2 }))).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.first().starts_with("2 Electron apps for "), "{}", said.text);
    assert!(said.first().contains("never sees signed-in data. 1 more"), "{}", said.text);
    assert!(said.text.contains("- \"Etcher\" /"), "{}", said.text);
    let notes = said.text.lines().find(|line| line.starts_with("- \"Notes\"")).unwrap();
    assert!(notes.ends_with("[likely sensitive: notes]"), "{notes}");
    let details = &said.details["electron"];
    assert_eq!((&details["action"], &details["status"]), (&json!("list"), &json!("succeeded")));
    assert_eq!(details["apps"].as_array().unwrap().len(), 2);
    assert_eq!(details["platform"], "linux");
    assert_eq!((&details["maxResults"], &details["omittedCount"]), (&json!(2), &json!(1)));
    assert_eq!((&details["skippedCount"], &details["sensitiveAppCount"]), (&json!(0), &json!(1)));
    let isolation = &details["profileIsolation"];
    assert_eq!(isolation["isolatedLaunch"], true);
    assert_eq!(isolation["reusesExistingSignedInProfile"], false);
    assert_eq!(isolation["attachesToAlreadyRunningApp"], false);
    let example = isolation["hostDebugLaunchExample"].to_string();
    assert!(example.contains("--remote-debugging-port=9222 --remote-allow-origins='*'"));
    assert!(example.contains(r#""args":["connect","9222"],"sessionMode":"fresh""#), "{example}");
    assert_eq!(said.details["compiledElectron"]["action"], "list");
    assert!(tool.env.log().is_empty(), "upstream was started");
}

// GUARD-08, IN-ELEC-06, IN-ELEC-07, IN-ELEC-16, ELEC-16, ELEC-21, ELEC-22, ELEC-24, ELEC-26, ELEC-31,
// NEXT-40, NEXT-41, NEXT-42, NEXT-43, NEXT-44
#[tokio::test]
async fn a_launch_attaches_a_new_session_and_hands_over_a_snapshot() {
    let tool = tool();
    let before = tool.call(&["open", "http://shop.test/"]).await;
    let (said, id) = launch(&tool, "Notes", json!({ "appArgs": ["--lang=de"] })).await;
    assert_eq!(
        said.first(),
        format!("Launched \"Notes\" with a new profile. launchId {id} (clean it up when done).")
    );
    assert!(said.text.contains("Snapshot: ") && said.text.contains("button \"Save\""));
    let launch = &said.details["electron"]["launch"];
    let profile = launch["userDataDir"].as_str().unwrap();
    let port = launch["port"].as_u64().unwrap();
    for (key, value) in [
        ("version", json!(1)),
        ("launchedByWrapper", json!(true)),
        ("appName", json!("Notes")),
        ("cleanupState", json!("active")),
        ("webSocketDebuggerUrl", json!(format!("ws://127.0.0.1:{port}/devtools/page/FAKE1"))),
    ] {
        assert_eq!(launch[key], value, "{key}");
    }
    assert!(launch["createdAtMs"].as_u64().unwrap() > 1_600_000_000_000);
    assert!(launch["executablePath"].as_str().unwrap().ends_with("/Applications/Notes/Notes"));
    // The process: profile, port and flags first, then the caller's own.
    let words = process(&said).command_line().unwrap().join(" ");
    let flags = format!(
        "--remote-debugging-port=0 --user-data-dir={profile} --disable-extensions --no-first-run \
         --no-default-browser-check --lang=de"
    );
    assert!(words.ends_with(&flags), "{words}");
    // Attached through upstream, on a session that is new and current now.
    let asked = tool.asked();
    let connect = asked.iter().find(|asked| asked.commands().contains(&"connect")).unwrap();
    assert_eq!(connect.rows[0], ["connect", launch["webSocketDebuggerUrl"].as_str().unwrap()]);
    let name = launch["sessionName"].as_str().unwrap();
    assert!(connect.has(name));
    assert_ne!(before.details["sessionName"], name);
    assert_eq!(said.details["managedSessionOutcome"]["status"], "replaced");
    assert!(commands(&tool).contains(&["tab", "eval", "snapshot"].map(str::to_owned).to_vec()));
    // What can be done with it.
    let expected = [
        "status-electron-launch",
        "probe-electron-launch",
        "cleanup-electron-launch",
        "list-electron-tabs",
        "snapshot-electron-session",
    ];
    assert_eq!(ids(&said), expected);
    let next = said.details["nextActions"].as_array().unwrap();
    assert_eq!(next[2]["params"], json!({"electron": {"action": "cleanup", "launchId": id}}));
    assert!(next[2]["safety"].as_str().unwrap().contains("stay yours"));
    assert_eq!(next[4]["params"]["args"], json!(["--session", name, "snapshot", "-i"]));
    let details = &said.details["electron"];
    assert_eq!(details["identifiers"], json!({ "launchId": id, "sessionName": name }));
    assert_eq!(details["handoff"], json!({ "handoff": "snapshot" }));
    assert_eq!(details["targets"][0]["type"], "page");
    assert_eq!(details["version"]["Browser"], "Chrome/156.0");
    // Later calls follow, with the refs of the hand-off.
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3 button \"Save\""), "{}", clicked.text);
    assert_eq!(clicked.details["sessionName"], name);
    tool.engine.shutdown().await;
}

// ELEC-22, IN-ELEC-06
#[tokio::test]
async fn the_hand_off_goes_as_far_as_asked() {
    for (handoff, last, shown) in [
        ("connect", &["connect", "get"][..], "Launched"),
        ("tabs", &["tab"], "Tabs: 1 open."),
        ("snapshot", &["tab", "eval", "snapshot"], "Snapshot: "),
    ] {
        let tool = tool();
        let (said, _) = launch(&tool, "Notes", json!({ "handoff": handoff })).await;
        assert_eq!(commands(&tool).last().unwrap(), last, "{handoff}");
        assert!(said.text.contains(shown), "{handoff}: {}", said.text);
        tool.engine.shutdown().await;
    }
}

// ELEC-21, ELEC-26
#[tokio::test]
async fn an_app_with_two_windows_is_attached_to_the_first_and_says_so() {
    let tool = tool();
    let (said, _) = launch(&tool, "Notes", json!({ "appArgs": ["--fake-app=two"] })).await;
    assert!(said.text.contains("It has 2 windows; the first one is attached"), "{}", said.text);
    let targets = said.details["electron"]["targets"].as_array().unwrap();
    assert_eq!((targets.len(), &targets[1]["url"]), (2, &json!("app://main/2")));
    let socket = &said.details["electron"]["launch"]["webSocketDebuggerUrl"];
    assert!(socket.as_str().unwrap().ends_with("/devtools/page/FAKE1"), "{socket}");
    tool.engine.shutdown().await;
}

// ELEC-23, DEC-48
#[tokio::test]
async fn a_page_without_refs_is_read_three_times_and_then_said() {
    let empty =
        json!({ "origin": "app://main/", "refs": {}, "snapshot": "(empty)", "removedRefs": [] });
    let rule = |times: u32| json!([{ "match": { "row": ["snapshot"] }, "times": times, "result": empty.clone() }]);
    let count = |tool: &TestEngine| {
        commands(tool).iter().filter(|rows| rows.contains(&"snapshot".to_owned())).count()
    };
    let env = TestEnv::new().script(&rule(2));
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    assert_eq!(count(&tool), 3);
    assert!(said.text.contains("button \"Save\""), "{}", said.text);
    tool.engine.shutdown().await;

    let env = TestEnv::new().script(&rule(9));
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    assert_eq!(count(&tool), 3);
    assert!(
        said.text.contains("send snapshot -i once more before calling it blank"),
        "{}",
        said.text
    );
    assert_eq!(said.next()[0], json!({ "args": ["snapshot", "-i"] }));
    tool.engine.shutdown().await;
}

// ELEC-15, ELEC-18, ELEC-30, IN-ELEC-04, IN-ELEC-08, IN-ELEC-11, IN-ELEC-17
#[tokio::test]
async fn what_is_no_electron_app_is_refused_and_nothing_is_started() {
    let tool = tool();
    let plain = tool.env.path("bin/tool");
    write_executable(&plain, b"#!/bin/sh\ntouch started\n");
    let dir = tool.env.path("home/Applications/Notes");
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    for (fields, words) in [
        (json!({ "executablePath": path(&plain) }), "is not an Electron app"),
        (json!({ "executablePath": path(&dir) }), "is a directory"),
        (json!({ "executablePath": "/none/at/all" }), "does not exist"),
        (json!({ "appPath": path(&tool.env.path("work")) }), "is not an Electron app"),
        (json!({ "appName": "Nonesuch" }), "no installed Electron app is called \"Nonesuch\""),
        (json!({ "bundleId": "com.none" }), "no installed Electron app is called"),
        (json!({ "appName": "Notes", "appArgs": ["--remote-debugging-port=1"] }), "appArgs[0]"),
        (json!({ "appName": "Notes", "appPath": path(&dir) }), "exactly one of"),
    ] {
        let said = tool.send(electron("launch", fields.clone())).await;
        assert_eq!(said.category(), "validation-error", "{fields}: {}", said.text);
        assert!(said.text.contains(words), "{fields}: {}", said.text);
        assert!(said.text.contains("othing was started"), "{fields}: {}", said.text);
        assert!(said.first().len() < 350, "{}", said.text);
    }
    let both =
        tool.send(electron("cleanup", json!({ "launchId": "electron-1", "all": true }))).await;
    assert_eq!(both.category(), "validation-error");
    assert!(tool.env.log().is_empty(), "upstream was started");
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());
}

// ELEC-19, ELEC-20, GUARD-07, DEC-112
#[tokio::test]
async fn the_callers_own_lists_block_a_launch() {
    let tool = tool();
    for (lists, policy) in [
        (json!({ "deny": ["notes"] }), json!({ "list": "deny", "entry": "notes" })),
        (json!({ "allow": ["signal"] }), json!({ "list": "allow", "entry": null })),
        (
            json!({ "allow": ["notes"], "deny": ["Applications/"] }),
            json!({ "list": "deny", "entry": "Applications/" }),
        ),
    ] {
        let mut fields = json!({ "appName": "Notes" });
        fields.as_object_mut().unwrap().extend(lists.as_object().unwrap().clone());
        let said = tool.send(electron("launch", fields)).await;
        assert_eq!(said.category(), "policy-blocked", "{}", said.text);
        assert!(said.text.contains("nothing was started. \"Notes\""), "{}", said.text);
        assert_eq!(said.details["electron"]["status"], "blocked");
        assert_eq!(said.details["electron"]["failure"]["policy"], policy);
    }
    assert!(app_leases(&tool.env).is_empty());
    let (_, _) = launch(&tool, "Notes", json!({ "allow": ["notes"], "deny": ["signal"] })).await;
    tool.engine.shutdown().await;
}

// DEC-100
#[tokio::test]
async fn paths_and_arguments_of_the_caller_need_the_process_class() {
    let env = TestEnv::new();
    let exe = lay_out(&env, "Notes", "");
    let tool = TestEngine::with(env, |options| {
        options.allowed.remove(&Class::Process);
    });
    for fields in [
        json!({ "executablePath": exe }),
        json!({ "appPath": exe.parent() }),
        json!({ "appName": "Notes", "appArgs": ["--gpu-launcher=sh"] }),
    ] {
        let said = tool.send(electron("launch", fields)).await;
        assert_eq!(said.category(), "policy-blocked");
        assert!(said.text.contains("--allow process"), "{}", said.text);
    }
    launch(&tool, "Notes", json!({})).await;
    tool.engine.shutdown().await;
    let env = TestEnv::new();
    lay_out(&env, "Notes", "");
    let readonly = TestEngine::with(env, |options| options.allowed = [Class::Read].into());
    let said = readonly.send(electron("launch", json!({ "appName": "Notes" }))).await;
    assert_eq!(said.category(), "policy-blocked", "{}", said.text);
    assert!(!readonly.send(electron("list", json!({}))).await.is_error);
}

// ELEC-29, ELEC-30, ELEC-28
#[tokio::test]
async fn an_app_that_never_opens_its_port_times_out_and_leaves_nothing() {
    let tool = tool();
    let fields = json!({ "appName": "Notes", "appArgs": ["--fake-app=silent"], "timeoutMs": 400 });
    let started = Instant::now();
    let said = tool.send(electron("launch", fields)).await;
    assert!(started.elapsed() < Duration::from_secs(4));
    assert_eq!(said.category(), "timeout", "{}", said.text);
    let words = "\"Notes\" opened no debugging port within 400 ms (ended, nothing of it is left)";
    assert!(said.first().contains(words), "{}", said.text);
    assert_eq!(said.details["electron"]["status"], "failed");
    let seen = &said.details["electron"]["failure"]["diagnostics"];
    assert_eq!((&seen["pidAlive"], &seen["timeoutMs"]), (&json!(true), &json!(400)));
    assert_eq!((&seen["devToolsActivePort"], &seen["port"]), (&json!("missing"), &Value::Null));
    assert_eq!(seen["jsonVersionReached"], false);
    assert!(seen["elapsedMs"].as_u64().unwrap() >= 400 && seen["pid"].as_u64().is_some());
    assert!(seen["userDataDir"].as_str().unwrap().contains("electron-"));
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());
}

// ELEC-29, ELEC-30
#[tokio::test]
async fn an_app_that_ends_at_once_is_an_upstream_error() {
    let tool = tool();
    let fields = json!({ "appName": "Notes", "appArgs": ["--fake-app=ends"] });
    let started = Instant::now();
    let said = tool.send(electron("launch", fields)).await;
    assert!(started.elapsed() < Duration::from_secs(5), "did not wait for the limit");
    assert_eq!(said.category(), "upstream-error", "{}", said.text);
    assert!(said.first().contains("ended before it opened its debugging port"), "{}", said.text);
    assert_eq!(said.details["electron"]["failure"]["diagnostics"]["pidAlive"], false);
    assert!(profiles(&tool.env).is_empty());
}

// ELEC-30, SES-07
#[tokio::test]
async fn a_refused_attachment_ends_the_app_and_keeps_the_earlier_session() {
    let rules =
        json!([{ "match": { "row": ["connect"] }, "error": "CDP WebSocket connect failed" }]);
    let env = TestEnv::new().script(&rules);
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let before = tool.call(&["open", "http://shop.test/"]).await;
    let said = tool.send(electron("launch", json!({ "appName": "Notes" }))).await;
    assert_eq!(said.category(), "upstream-error", "{}", said.text);
    assert!(said.text.contains("\"Notes\": ended, nothing of it is left."), "{}", said.text);
    assert_eq!(said.details["electron"]["cleanup"]["partial"], false);
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());
    let after = tool.call(&["get", "title"]).await;
    assert_eq!(after.details["sessionName"], before.details["sessionName"]);
    tool.engine.shutdown().await;
}

// ELEC-30
#[tokio::test]
async fn a_launch_that_is_cancelled_starts_nothing_or_leaves_nothing() {
    let tool = tool();
    let context = CallContext::default();
    context.cancel.cancel();
    let said = tool.send_in(electron("launch", json!({ "appName": "Notes" })), context).await;
    assert_eq!(said.category(), "aborted", "{}", said.text);
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());

    let context = CallContext::default();
    let cancel = context.cancel.clone();
    let fields = json!({ "appName": "Notes", "appArgs": ["--fake-app=silent"] });
    let call = tool.send_in(electron("launch", fields), context);
    let giving_up = async {
        assert!(soon(|| !profiles(&tool.env).is_empty()).await);
        cancel.cancel();
        Instant::now()
    };
    let (said, cancelled) = tokio::join!(call, giving_up);
    assert!(cancelled.elapsed() < Duration::from_secs(1));
    assert_eq!(said.category(), "aborted", "{}", said.text);
    assert!(app_leases(&tool.env).is_empty() && profiles(&tool.env).is_empty());
}

// ELEC-32, ELEC-33, ELEC-05, IN-ELEC-12
#[tokio::test]
async fn status_shows_the_only_launch_and_asks_where_there_are_several() {
    let env = TestEnv::new();
    for name in ["Notes", "Etcher"] {
        lay_out(&env, name, "");
    }
    let tool = TestEngine::new(env);
    let none = tool.send(electron("status", json!({}))).await;
    assert_eq!(none.category(), "validation-error", "{}", none.text);
    let (first, id) = launch(&tool, "Notes", json!({})).await;
    let said = tool.send(electron("status", json!({}))).await;
    let words = format!("{id} \"Notes\": active, process {} alive, port ", process(&first).pid);
    assert!(said.first().starts_with(&words), "{}", said.text);
    assert!(said.text.contains("- page \"Fake page\" app://main/"), "{}", said.text);
    let details = &said.details["electron"];
    assert_eq!((&details["action"], &details["status"]), (&json!("status"), &json!("succeeded")));
    assert_eq!(details["launches"][0]["launchId"], id);
    assert_eq!(details["statuses"][0]["pidAlive"], true);
    assert_eq!(details["statuses"][0]["portAlive"], true);
    assert_eq!(details["targets"][0]["url"], "app://main/");
    assert_eq!(details["identifiers"]["launchId"], id);
    assert_eq!(details["managedSession"]["url"], "app://main/");
    assert_eq!(details.get("sessionMismatch"), None);
    assert_eq!(ids(&said)[0], "status-electron-launch");

    let (_, other) = launch(&tool, "Etcher", json!({ "handoff": "connect" })).await;
    for action in ["status", "cleanup"] {
        let said = tool.send(electron(action, json!({}))).await;
        assert_eq!(said.category(), "validation-error");
        assert!(said.text.contains("2 launches are tracked"), "{}", said.text);
        assert!(said.text.contains(&id) && said.text.contains(&other), "{}", said.text);
        assert_eq!(said.next()[0], electron(action, json!({ "all": true })));
    }
    let unknown = tool.send(electron("status", json!({ "launchId": "electron-00" }))).await;
    assert!(unknown.text.contains("no launch \"electron-00\" is tracked"), "{}", unknown.text);
    let all = tool.send(electron("status", json!({ "all": true }))).await;
    assert_eq!(all.details["electron"]["identifierList"].as_array().unwrap().len(), 2);
    tool.engine.shutdown().await;
}

// ELEC-35, NEXT-45
#[tokio::test]
async fn a_mismatch_is_explained_and_reattaching_mends_it() {
    let tool = tool();
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    let socket = said.details["electron"]["launch"]["webSocketDebuggerUrl"].clone();
    let name = said.details["sessionName"].clone();
    // Another browser is current now; the app's session goes on under its name.
    let open = json!({ "args": ["open", "http://shop.test/"], "sessionMode": "fresh" });
    assert!(!tool.send(open).await.is_error);
    let said = tool.send(electron("status", json!({}))).await;
    assert!(said.text.contains("Session mismatch: another session is current"), "{}", said.text);
    let mismatch = &said.details["electron"]["sessionMismatch"];
    assert_eq!(mismatch["reason"], "current-session-differs");
    assert_eq!(mismatch["launchSessionName"], name);
    assert_eq!(ids(&said)[0], "reattach-electron-launch");
    let named = tool.call(&["--session", name.as_str().unwrap(), "get", "title"]).await;
    assert_eq!(named.text, "Fake page", "{}", named.text);
    // Closed by hand, it is attached to again by the offered call.
    let closed = tool.call(&["--session", name.as_str().unwrap(), "close"]).await;
    assert!(!closed.is_error, "{}", closed.text);
    let said = tool.send(electron("status", json!({}))).await;
    assert_eq!(said.details["electron"]["sessionMismatch"]["reason"], "session-closed");
    let reattach = json!({ "args": ["connect", socket], "sessionMode": "fresh" });
    assert_eq!(said.next()[0], reattach);
    assert!(!tool.send(reattach).await.is_error);
    let said = tool.send(electron("status", json!({ "launchId": id }))).await;
    assert_eq!(said.details["electron"].get("sessionMismatch"), None, "{}", said.text);
    assert_ne!(said.details["electron"]["launches"][0]["sessionName"], name);
    tool.engine.shutdown().await;
    assert!(profiles(&tool.env).is_empty());
}

// IN-ELEC-15, ELEC-06, ELEC-36, ELEC-37, ELEC-38, ELEC-39, ELEC-41, PAGE-24
#[tokio::test]
async fn a_probe_reads_everything_in_one_process_and_keeps_the_refs() {
    let tool = tool();
    let none = tool.send(electron("probe", json!({}))).await;
    assert_eq!(none.category(), "validation-error", "{}", none.text);
    let (_, id) = launch(&tool, "Notes", json!({ "handoff": "connect" })).await;
    let before = tool.asked().len();
    let said = tool.send(electron("probe", json!({ "timeoutMs": 5_000 }))).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(tool.asked().len(), before + 1);
    assert_eq!(commands(&tool).last().unwrap(), &["tab", "eval", "eval", "snapshot"]);
    assert!(said.first().starts_with(&format!("Probe of \"Notes\" ({id}): process ")));
    assert!(said.text.contains("Page \"Fake page\" app://main/"), "{}", said.text);
    let details = &said.details["electron"];
    assert_eq!(details["status"], "succeeded");
    let probe = &details["probe"];
    assert_eq!((&probe["title"], &probe["url"]), (&json!("Fake page"), &json!("app://main/")));
    assert!(probe["snapshot"]["refCount"].as_u64().unwrap() > 2);
    assert_eq!(probe["snapshot"]["refIds"][0], "e1");
    assert_eq!(probe["activeTab"]["active"], true);
    assert_eq!(probe["tabs"].as_array().unwrap().len(), 1);
    assert!(probe["summary"].as_str().unwrap().contains(&id));
    assert_eq!(details["probeContext"]["source"], "current-session");
    assert_eq!(details["identifiers"]["launchId"], id);
    assert_eq!(details["launchStatus"]["pidAlive"], true);
    assert_eq!(details["statusTargets"][0]["url"], "app://main/");
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3 button \"Save\""), "{}", clicked.text);
    let named = tool.send(electron("probe", json!({ "launchId": id }))).await;
    assert_eq!(named.details["electron"]["probeContext"]["source"], "launchId");
    // A plain browser can be probed as well, without a launch.
    let open = json!({ "args": ["open", "http://shop.test/"], "sessionMode": "fresh" });
    tool.send(open).await;
    let plain = tool.send(electron("probe", json!({}))).await;
    assert!(plain.first().starts_with("Probe of the current session"), "{}", plain.text);
    assert_eq!(plain.details["electron"].get("launchStatus"), None);
    tool.engine.shutdown().await;
}

// ELEC-38, IN-ELEC-15
#[tokio::test]
async fn a_probe_that_could_not_read_everything_is_partial() {
    let rules = json!([{ "match": { "row": ["snapshot"] }, "error": "no tree" }]);
    let env = TestEnv::new().script(&rules);
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    launch(&tool, "Notes", json!({ "handoff": "connect" })).await;
    let said = tool.send(electron("probe", json!({}))).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.text.contains("Not read: \"view: no tree\""), "{}", said.text);
    assert_eq!(said.details["electron"]["status"], "partial");
    assert_eq!(said.details["electron"]["probe"]["errors"][0], "view: no tree");
    assert_eq!(said.details["electron"]["probe"]["title"], "Fake page");
    tool.engine.shutdown().await;
}
