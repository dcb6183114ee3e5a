//! `close` of one session and of all, with an upstream that does it and with one that does not.

use agent_browser_native::session::key::SessionKey;
use agent_browser_native::session::lease::Leases;
use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;
use crate::support::host::world;

const URL: &str = "http://shop.test/";

fn known(tool: &TestEngine) -> Vec<String> {
    tool.engine.known().sessions.keys().map(|key| key.name.clone()).collect()
}

fn leases(tool: &TestEngine) -> Vec<SessionKey> {
    let all = Leases::below(&tool.env.places().state_root).all();
    all.into_iter().map(|lease| lease.key).collect()
}

/// A managed session and one of the caller's, both with processes of their own.
async fn two_open() -> TestEngine {
    let tool = TestEngine::new(world().script(&json!([])));
    assert!(!tool.call(&["open", URL]).await.is_error);
    assert!(!tool.call(&["--session", "mine", "open", URL]).await.is_error);
    tool
}

// DEC-29, SES-20
#[tokio::test]
async fn close_all_closes_named_sessions_where_no_managed_one_runs() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["--session", "mine", "open", URL]).await;
    let said = tool.call(&["close", "--all"]).await;
    assert_eq!(said.text, "Closed 1 browser session.");
    assert!(known(&tool).is_empty(), "{:?}", known(&tool));
}

// SES-20, SES-21, SES-22, SES-56, PAGE-23
#[tokio::test]
async fn a_close_row_of_a_batch_closes_the_session() {
    for opens in [true, false] {
        let tool = TestEngine::new(TestEnv::new());
        let mut rows = vec![json!(["click", "#a"]), json!(["get", "title"]), json!(["close"])];
        if opens {
            rows.insert(0, json!(["open", URL]));
        } else {
            tool.call(&["open", URL]).await;
        }
        let rows = json!(rows).to_string();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
        assert!(!said.is_error, "{}", said.text);
        let outcome = &said.details["managedSessionOutcome"];
        assert_eq!(
            (&outcome["status"], &outcome["activeAfter"]),
            (&json!("closed"), &json!(false))
        );
        let closed = outcome["attemptedSessionName"].clone();
        assert!(known(&tool).is_empty(), "{:?}", known(&tool));
        tool.engine.settle().await;
        assert!(leases(&tool).is_empty());
        let again = tool.call(&["open", URL]).await;
        let outcome = &again.details["managedSessionOutcome"];
        assert_eq!(outcome["status"], "created", "{}", again.text);
        assert_ne!(outcome["currentSessionName"], closed);
    }
}

// SES-20
#[tokio::test]
async fn a_row_behind_a_close_is_refused_before_anything_runs() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let before = tool.asked().len();
    let rows = json!([["get", "title"], ["quit"], ["open", URL]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(said.category(), "validation-error");
    assert!(said.first().contains("Step 3 stands behind close (step 2)"), "{}", said.text);
    assert_eq!(tool.asked().len(), before);
}

// DEC-29
#[tokio::test]
async fn close_all_retires_the_sessions_of_its_namespace_only() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    tool.call(&["--namespace", "team", "--session", "theirs", "open", URL]).await;
    let said = tool.call(&["close", "--all"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(known(&tool), ["theirs"]);
    tool.engine.settle().await;
    assert!(leases(&tool).is_empty());
}

// DEC-29, DEC-106
#[tokio::test]
async fn a_session_that_did_not_close_keeps_its_record_and_its_lease() {
    let tool = two_open().await;
    let own = tool.engine.base_name().to_owned();
    tool.env.rescript(&json!([{ "match": { "argv": ["close"], "contains": "--all" },
        "stdout": { "data": { "closed": 1, "failed": [own], "sessions": ["mine"] }, "success": true } }]),
    );
    let said = tool.call(&["close", "--all"]).await;
    assert!(said.text.contains("1 did not close."), "{}", said.text);
    tool.engine.settle().await;
    assert_eq!(known(&tool), std::slice::from_ref(&own));
    assert_eq!(leases(&tool), [SessionKey::named(own)]);
    tool.env.rescript(&json!([]));
    tool.call(&["close", "--all"]).await;
    tool.engine.settle().await;
}

// DEC-29, DEC-106, SES-27
#[tokio::test]
async fn a_failed_close_of_all_ends_only_what_is_proven_to_be_ours() {
    let tool = two_open().await;
    tool.env
        .rescript(&json!([{ "match": { "argv": ["close"], "contains": "--all" }, "exitCode": 1,
        "stdout": { "error": "the socket is gone", "success": false } }]));
    let said = tool.call(&["close", "--all"]).await;
    assert!(
        said.is_error && said.text.contains("Closed 1 browser of these calls"),
        "{}",
        said.text
    );
    assert_eq!(known(&tool), ["mine"], "nobody has closed that one");
    assert!(leases(&tool).is_empty());
    tool.env.rescript(&json!([]));
    tool.call(&["--session", "mine", "close"]).await;
}

// DEC-29, HAZ-07
#[tokio::test]
async fn close_all_ends_a_busy_browser_and_closes_the_others() {
    let tool = two_open().await;
    tool.env.rescript(&json!([{ "match": { "argv": ["batch"] }, "hang": true, "times": 1 }]));
    let cut = tool.send(json!({ "args": ["eval", "busy()"], "timeoutMs": 400 })).await;
    assert_eq!(cut.category(), "timeout", "{}", cut.text);
    let said = tool.call(&["close", "--all"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(tool.asked().last().unwrap().has("--all"), "the others are closed too");
    assert!(known(&tool).is_empty(), "{:?}", known(&tool));
    tool.engine.settle().await;
    assert!(leases(&tool).is_empty());
}
