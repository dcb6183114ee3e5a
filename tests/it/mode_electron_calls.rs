//! Calls on the session of an app: its health, its warnings, limits, checks, and what is written of it.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::app::{app_leases, electron, ids, kill, launch, lay_out, process, profiles};
use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

fn tool() -> TestEngine {
    let env = TestEnv::new();
    lay_out(&env, "Notes", "");
    TestEngine::new(env)
}

// ELEC-40, DIAG-EHLTH-01, DIAG-EHLTH-02, RES-16
#[tokio::test]
async fn an_app_that_has_died_is_never_acted_on_and_every_answer_says_so() {
    let tool = tool();
    let (said, id) = launch(&tool, "Notes", json!({})).await;
    kill(process(&said)).await;
    let before = tool.asked().len();
    let clicked = tool.call(&["click", "@e3"]).await;
    assert_eq!(clicked.category(), "tab-drift", "{}", clicked.text);
    let words = format!("nothing was clicked. The app \"Notes\" of this session ({id}) has ended.");
    assert!(clicked.first().ends_with(&words), "{}", clicked.text);
    assert_eq!(tool.asked().len(), before, "upstream was started for a dead app");
    let gone = &clicked.details["electronPostCommandHealth"];
    assert_eq!((&gone["reason"], &gone["launchId"]), (&json!("process-gone"), &json!(id)));
    let expected = ["status-electron-launch", "probe-electron-launch", "cleanup-electron-launch"];
    assert_eq!(ids(&clicked), expected);
    assert_eq!(clicked.next().len(), 3);
    let probe = tool.send(electron("probe", json!({}))).await;
    assert_eq!(probe.category(), "tab-drift");
    assert!(
        probe.text.contains("gone, port ") && probe.text.contains("is closed"),
        "{}",
        probe.text
    );
    let status = tool.send(electron("status", json!({}))).await;
    assert!(status.first().starts_with(&format!("{id} \"Notes\": dead")), "{}", status.text);
    assert_eq!(status.details["electron"]["launches"][0]["cleanupState"], "dead");
    let cleaned = tool.send(electron("cleanup", json!({}))).await;
    assert!(!cleaned.is_error, "{}", cleaned.text);
    assert!(profiles(&tool.env).is_empty() && app_leases(&tool.env).is_empty());
}

// DIAG-EFRESH-01, DIAG-ETEXT-01, ELEC-58, DIAG-CLICK-04, PAGE-28
#[tokio::test]
async fn calls_on_an_app_carry_its_own_warnings() {
    let tool = tool();
    let (_, id) = launch(&tool, "Notes", json!({})).await;
    let clicked = tool.call(&["click", "@e3"]).await;
    assert_eq!(clicked.details["electronRefFreshness"]["launchId"], id, "{}", clicked.text);
    assert!(clicked.text.ends_with("\nApps render anew often: snapshot -i before the next @ref."));
    assert_eq!(clicked.details.get("clickDispatch"), None);
    let text = tool.call(&["get", "text", "body"]).await;
    assert!(
        text.text.contains("Broad Electron get text selector warning: \"body\""),
        "{}",
        text.text
    );
    assert_eq!(
        text.details["electronGetTextScopeWarning"]["electronContext"]["url"],
        "app://main/"
    );
    let rows = json!([["get", "text", "main"], ["get", "text", "#a"]]).to_string();
    let batch = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(batch.details["electronGetTextScopeWarning"]["selector"], "main", "{}", batch.text);
    // Nothing of this on a browser of our own.
    let open = json!({ "args": ["open", "http://shop.test/"], "sessionMode": "fresh" });
    tool.send(open).await;
    let text = tool.call(&["get", "text", "body"]).await;
    assert_eq!(text.details.get("electronGetTextScopeWarning"), None);
    tool.engine.shutdown().await;
}

// ELEC-58: what is off for one command is off for a step among others, and behind a failure.
#[tokio::test]
async fn click_and_overlay_questions_are_off_for_every_command_on_an_app() {
    let press = json!({ "reached": 0, "elsewhere": 3, "taken": false, "outside": null });
    let page = json!({ "doc": "1794770000002.5", "url": "app://main/", "title": "Fake page",
        "armed": true, "waitedMs": 300, "answers": { "press": press }, "effect": {} });
    let error = "Element '#b' is covered by <div#bar> at its click point, so the input would land on that element instead.";
    let env = TestEnv::new().script(&json!([
        { "match": { "row": ["eval"], "contains": "askBehind(" }, "value": page },
        { "match": { "row": ["click", "#b"] }, "error": error },
    ]));
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    launch(&tool, "Notes", json!({})).await;
    let alone = tool.call(&["click", "#a"]).await;
    assert_eq!((alone.is_error, alone.details.get("clickDispatch")), (false, None));
    let rows = json!([["click", "#a"], ["get", "title"]]).to_string();
    let batch = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(!batch.is_error, "{}", batch.text);
    assert!(!batch.text.contains("Click dispatch diagnostic"), "{}", batch.text);
    let covered = tool.call(&["click", "#b"]).await;
    assert!(covered.first().contains("is covered by"), "{}", covered.text);
    assert_eq!(covered.details.get("overlayBlockers"), None, "{}", covered.text);
    // The same press on a browser of our own is a miss.
    tool.send(json!({ "args": ["open", "http://shop.test/"], "sessionMode": "fresh" })).await;
    let rows = json!([["click", "#a"], ["get", "title"]]).to_string();
    let batch = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(batch.text.contains("Click dispatch diagnostic"), "{}", batch.text);
    tool.engine.shutdown().await;
}

// DIAG-EFRESH-01, PAGE-28
#[tokio::test]
async fn an_app_that_was_not_seen_to_change_is_not_said_to_render_anew() {
    let quiet = json!([{ "match": { "row": ["eval"] }, "value": {
        "doc": "1", "url": "app://main/", "title": "Fake page", "frames": [], "armed": true,
        "dialogs": [], "waitedMs": 300,
        "effect": { "changed": false, "reached": true } } }]);
    let env = TestEnv::new().script(&quiet);
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    let (_, id) = launch(&tool, "Notes", json!({})).await;
    let clicked = tool.call(&["click", "@e3"]).await;
    assert_eq!(clicked.text, "Clicked @e3 button \"Save\". No change seen within 300 ms.");
    // Hosts that read details are told all the same.
    assert_eq!(clicked.details["electronRefFreshness"]["launchId"], id);
    assert!(ids(&clicked).contains(&"refresh-electron-refs-after-rerender".to_owned()));
    tool.engine.shutdown().await;
}

// HAZ-07
#[tokio::test]
async fn a_read_of_an_app_that_was_cut_leaves_its_session_busy() {
    for action in ["probe", "status"] {
        let rules = json!([{ "match": { "row": ["eval"] }, "hang": true, "times": 1 }]);
        let env = TestEnv::new().script(&rules);
        lay_out(&env, "Notes", "");
        let tool = TestEngine::new(env);
        launch(&tool, "Notes", json!({ "handoff": "connect" })).await;
        let cut = tool.send(electron(action, json!({ "timeoutMs": 300 }))).await;
        assert!(cut.text.ends_with("\nThe browser may stay busy for up to 30 s."), "{}", cut.text);
        // What cannot wait so long is told at once, without a process that would only queue.
        let before = tool.asked().len();
        let soon = json!({ "args": ["get", "title"], "timeoutMs": 2_000 });
        let title = tool.send(soon).await;
        assert_eq!(title.category(), "timeout", "{}", title.text);
        assert!(title.first().contains("an earlier command still runs"), "{}", title.text);
        let again = tool.send(electron(action, json!({ "timeoutMs": 2_000 }))).await;
        assert!(again.text.contains("The browser may stay busy for up to "), "{}", again.text);
        assert_eq!(tool.asked().len(), before, "{action}");
        // An answer shows that it is free again.
        let read = tool.send(electron(action, json!({}))).await;
        assert!(!read.text.contains("busy"), "{}", read.text);
        let soon = json!({ "args": ["get", "title"], "timeoutMs": 2_000 });
        assert_eq!(tool.send(soon).await.text, "Fake page");
        tool.engine.shutdown().await;
    }
}

// ELEC-42, IN-ELEC-13, IN-ELEC-15, ELEC-34
#[tokio::test]
async fn a_limit_bounds_the_reads_of_a_session_as_a_whole() {
    let rules = json!([{ "match": { "row": ["eval"] }, "hang": true }]);
    let env = TestEnv::new().script(&rules);
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    launch(&tool, "Notes", json!({ "handoff": "connect" })).await;
    let started = Instant::now();
    let probe = tool.send(electron("probe", json!({ "timeoutMs": 400 }))).await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert_eq!(probe.details["electron"]["status"], "partial", "{}", probe.text);
    assert!(probe.text.contains("Not read: \"stopped after 400 ms"), "{}", probe.text);
    let started = Instant::now();
    let status = tool.send(electron("status", json!({ "timeoutMs": 400 }))).await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    // Process and port do not depend on the session.
    assert!(!status.is_error && status.first().contains("alive, port "), "{}", status.text);
    assert_eq!(status.details["electron"].get("managedSession"), None);
    tool.engine.shutdown().await;
}

// DEC-46
#[tokio::test]
async fn a_check_of_the_attached_page_takes_the_schemes_of_apps() {
    let tool = tool();
    let scripts = |tool: &TestEngine| {
        use base64::Engine as _;
        let rows = tool.asked().pop().unwrap().rows;
        let script = rows.iter().find(|row| row[0] == "eval").unwrap().last().unwrap().clone();
        let bytes = base64::engine::general_purpose::STANDARD.decode(script).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let attached = json!({ "qa": { "attached": true } });
    tool.call(&["open", "http://shop.test/"]).await;
    tool.send(attached.clone()).await;
    assert!(scripts(&tool).contains("(https?|file)"), "{}", scripts(&tool));
    launch(&tool, "Notes", json!({})).await;
    tool.engine.settle().await;
    tool.send(attached.clone()).await;
    assert!(scripts(&tool).contains("(about|chrome)"), "{}", scripts(&tool));
    // A browser of the user's that a call has connected to, too.
    tool.send(json!({ "args": ["connect", "9222"], "sessionMode": "fresh" })).await;
    tool.engine.settle().await;
    tool.send(attached).await;
    assert!(scripts(&tool).contains("(about|chrome)"), "{}", scripts(&tool));
    tool.engine.shutdown().await;
}

// ELEC-56, ELEC-57, DOC-PLAY-14
#[test]
fn the_document_says_whose_decision_a_debugging_port_is() {
    let text =
        include_str!("../../docs/ELECTRON.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "list, launch, read and act as on any page, clean up",
        "If the app does not run yet, start it yourself with a debugging port, make sure that the port \
         answers, then attach",
        r#"{ "args": ["connect", "9222"], "sessionMode": "fresh" }"#,
        "If it already runs without a port, ask its user before you start it again",
        "Remote debugging exposes everything that the app shows",
        "Whether to open it is the user's decision",
    ] {
        assert!(text.contains(words), "{words}");
    }
}

// DEC-69, NEXT-04
#[tokio::test]
async fn a_call_that_is_offered_for_an_app_behind_the_current_browser_names_its_session() {
    let tool = tool();
    let (said, _) = launch(&tool, "Notes", json!({})).await;
    let name = said.details["electron"]["launch"]["sessionName"].as_str().unwrap().to_owned();
    let missed = tool.call(&["click", "#nope"]).await;
    assert_eq!(missed.next()[0]["args"][0], "snapshot", "{}", missed.text);
    let open = json!({ "args": ["open", "http://shop.test/"], "sessionMode": "fresh" });
    assert!(!tool.send(open).await.is_error);
    let missed = tool.call(&["--session", &name, "click", "#nope"]).await;
    let args = missed.next()[0]["args"].as_array().unwrap().clone();
    assert_eq!(args[..3], [json!("--session"), json!(name), json!("snapshot")]);
    let missed = tool.call(&["click", "#nope"]).await;
    assert_eq!(missed.next()[0]["args"][0], "snapshot", "{}", missed.text);
    tool.engine.shutdown().await;
}

// DIAG-EHLTH-01
#[tokio::test]
async fn an_app_that_a_find_has_left_blank_is_told() {
    let page = json!({ "doc": "1794770000002.5", "url": "about:blank", "title": "", "armed": true,
        "waitedMs": 300, "answers": {}, "effect": { "changed": true } });
    let rules = json!([{ "match": { "row": ["eval"], "contains": "after(ask)" }, "value": page }]);
    let env = TestEnv::new().script(&rules);
    lay_out(&env, "Notes", "");
    let tool = TestEngine::new(env);
    launch(&tool, "Notes", json!({})).await;
    let said = tool.call(&["find", "text", "Save", "click"]).await;
    let health = &said.details["electronPostCommandHealth"];
    assert_eq!(health["reason"], "blank-target", "{}", said.text);
    tool.engine.shutdown().await;
}
