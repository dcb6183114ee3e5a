//! An upstream that is newer than the tested one.

use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";
const NOTE: &str = "agent-browser 0.42.0 is newer than the tested version 0.41.0.";

fn newer(rules: &[serde_json::Value]) -> TestEnv {
    let seen = json!({ "origin": "about:blank", "refs": { "e1": { "role": "button", "name": "Continue" } },
        "snapshot": "- button \"Continue\" [ref=e1]" });
    let seen = json!({ "match": { "row": ["snapshot"] }, "times": 1, "result": seen });
    let rules: Vec<serde_json::Value> = rules.iter().cloned().chain([seen]).collect();
    TestEnv::new().script(&json!(rules)).with("FAKE_UPSTREAM_VERSION", "0.42.0")
}

// DEC-01
#[tokio::test]
async fn a_newer_upstream_is_tried_at_its_first_launch_only_and_named_once_a_session() {
    let tool = TestEngine::new(newer(&[]));
    let opened = tool.call(&["open", URL]).await;
    assert!(!opened.is_error, "{}", opened.text);
    assert_eq!(opened.text.matches(NOTE).count(), 1, "{}", opened.text);
    let asked = tool.asked();
    let trial = asked.iter().find(|asked| asked.rows.len() > 1).unwrap();
    assert_eq!(trial.commands(), ["eval", "snapshot", "eval", "get"]);
    assert!(asked.iter().any(|asked| asked.argv.ends_with(&["session".into(), "info".into()])));
    assert!(!tool.call(&["get", "title"]).await.text.contains(NOTE));
    let before = tool.asked().len();
    let fresh = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    assert!(fresh.text.contains(NOTE), "{}", fresh.text);
    tool.engine.settle().await;
    let later = &tool.asked()[before..];
    assert!(later.iter().all(|asked| asked.commands() != ["eval", "snapshot", "eval", "get"]));
    // Another process finds the result of the trial.
    let env = tool.into_env();
    let tool = TestEngine::new(env);
    let before = tool.asked().len();
    assert!(tool.call(&["--session", "mine", "open", URL]).await.text.contains(NOTE));
    tool.call(&["open", URL]).await;
    let later = &tool.asked()[before..];
    assert!(later.iter().all(|asked| asked.commands() != ["eval", "snapshot", "eval", "get"]));
}

// DEC-01
#[tokio::test]
async fn a_newer_upstream_that_fails_its_trial_is_refused_from_then_on() {
    let ref_free = json!({ "match": { "row": ["snapshot"] }, "result": { "tree": "- button" } });
    let talkative = json!({ "match": { "row": ["eval"], "contains": "reliance" }, "value": true });
    let mute = json!({ "match": { "argv": ["session", "info"] }, "stdout": { "data": {}, "success": true } });
    for (rule, gap) in [
        (ref_free, "a snapshot does not list its refs"),
        (talkative, "a script that throws does not fail"),
        (mute, "session info does not name"),
    ] {
        let tool = TestEngine::new(newer(&[rule]));
        let said = tool.call(&["open", URL]).await;
        assert_eq!(said.category(), "missing-binary", "{}", said.text);
        assert!(
            said.first().contains("failed the capability probe") && said.first().contains(gap),
            "{}",
            said.text
        );
        assert!(said.text.contains("agent-browser-native setup"), "{}", said.text);
        assert!(tool.asked().iter().all(|asked| !asked.commands().contains(&"open")));
        tool.engine.settle().await;
        let before = tool.asked().len();
        let again = tool.call(&["open", URL]).await;
        assert_eq!(again.category(), "missing-binary");
        assert!(again.first().contains(gap), "{}", again.text);
        assert_eq!(tool.asked().len(), before, "nothing is started again");
        // What needs no browser goes on.
        assert!(!tool.call(&["--version"]).await.is_error);
        assert!(!tool.call(&["session", "list"]).await.is_error);
    }
}

// DEC-01: nothing of ours runs in a browser that may show a page of somebody else, however it was chosen.
#[tokio::test]
async fn a_newer_upstream_is_not_tried_in_a_foreign_browser() {
    for (variable, value) in [
        ("AGENT_BROWSER_CDP", "9222"),
        ("AGENT_BROWSER_AUTO_CONNECT", "1"),
        ("AGENT_BROWSER_PROVIDER", "cloud"),
    ] {
        let tool = TestEngine::new(newer(&[]).with(variable, value));
        tool.call(&["open", URL]).await;
        let trial = tool.asked().into_iter().find(|asked| asked.argv.ends_with(&["info".into()]));
        assert!(trial.is_none(), "{variable}: {trial:?}");
    }
    let tool = TestEngine::new(newer(&[]).with("AGENT_BROWSER_AUTO_CONNECT", "0"));
    tool.call(&["open", URL]).await;
    assert!(tool.asked().iter().any(|asked| asked.argv.ends_with(&["info".into()])));
}
