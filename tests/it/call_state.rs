//! Saved state that was to be loaded at the start and saved at the end: said where it was not.

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;
use crate::support::host::world;

const URL: &str = "http://shop.test/";
const MISSING: &str = "No saved state was found, so none was loaded.";
const FAILED: &str = "The saved state was not loaded: \"load_failed\".";

/// Opens pages with this news about the saved state.
fn opening(status: &str) -> Value {
    json!([{ "match": { "row": ["open"] }, "result": { "url": URL, "title": "Fake page",
        "lifecycle": { "launched": true, "restoreStatus": status } } }])
}

fn lines(text: &str, line: &str) -> usize {
    text.lines().filter(|one| *one == line).count()
}

// DEC-65
#[tokio::test]
async fn state_that_was_not_loaded_is_said_however_it_was_asked_for() {
    for (status, line) in [("missing", MISSING), ("load_failed", FAILED)] {
        let env = || TestEnv::new().script(&opening(status));
        let single = TestEngine::new(env()).call(&["--restore=work", "open", URL]).await;
        assert_eq!(lines(&single.text, line), 1, "{}", single.text);
        let named =
            TestEngine::new(env()).call(&["--session", "s", "--restore=work", "open", URL]).await;
        assert_eq!(lines(&named.text, line), 1, "{}", named.text);
        let rows = json!([["open", URL], ["get", "title"]]).to_string();
        let batch = json!({ "args": ["--restore=work", "batch"], "stdin": rows });
        let batch = TestEngine::new(env()).send(batch).await;
        assert_eq!(lines(&batch.text, line), 1, "{}", batch.text);
        for variable in ["AGENT_BROWSER_RESTORE", "AGENT_BROWSER_SESSION_NAME"] {
            let tool = TestEngine::new(env().with(variable, "work"));
            let said = tool.call(&["open", URL]).await;
            assert_eq!(lines(&said.text, line), 1, "{variable}: {}", said.text);
            let later = tool.call(&["get", "title"]).await;
            assert_eq!(lines(&later.text, line), 0, "{variable}: once is enough");
        }
    }
}

// DEC-65
#[tokio::test]
async fn state_that_was_loaded_or_not_asked_for_is_not_spoken_of() {
    for status in ["loaded", "not_configured"] {
        let tool = TestEngine::new(TestEnv::new().script(&opening(status)));
        let said = tool.call(&["--restore=work", "open", URL]).await;
        assert!(said.text.starts_with("Opened "), "{status}: {}", said.text);
        assert!(!said.text.contains("state"), "{status}: {}", said.text);
    }
    let tool = TestEngine::new(TestEnv::new().script(&opening("missing")));
    let said = tool.call(&["open", URL]).await;
    assert!(said.text.starts_with("Opened "), "{}", said.text);
    assert!(!said.text.contains("state"), "{}", said.text);
}

fn closing(status: &str) -> Value {
    json!([{ "match": { "argv": ["close"] }, "stdout": { "success": true, "error": null,
        "data": { "closed": true, "restoreStatus": "loaded", "saveStatus": status } } }])
}

// DEC-65
#[tokio::test]
async fn state_that_was_not_saved_is_said_by_the_close() {
    let closed = |status: &'static str, flags: &'static [&'static str]| async move {
        let tool = TestEngine::new(TestEnv::new().script(&closing(status)));
        tool.call(&[flags, &["open", URL]].concat()).await;
        tool.call(&["close"]).await.text
    };
    let failed = closed("save_failed", &["--restore=work"]).await;
    assert!(failed.contains("The state was not saved: \"save_failed\"."), "{failed}");
    let not_tried = closed("not_attempted", &["--restore=work"]).await;
    assert_eq!(not_tried, "Closed the browser.\nThe state was not saved.");
    assert_eq!(closed("not_attempted", &[]).await, "Closed the browser.", "nobody asked for it");
    assert_eq!(closed("saved", &["--restore=work"]).await, "Closed the browser.");
}

// DEC-65, HAZ-07 (4)
#[tokio::test]
async fn a_browser_that_is_ended_by_force_has_not_saved_its_state() {
    let rules = json!([{ "match": { "row": ["get", "html"] }, "hang": true }]);
    let tool = TestEngine::new(world().script(&rules));
    tool.call(&["--restore=work", "open", URL]).await;
    tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 300 })).await;
    let said = tool.call(&["close"]).await;
    assert!(said.first().contains("its processes were ended"), "{}", said.text);
    assert_eq!(lines(&said.text, "The state was not saved."), 1, "{}", said.text);
}
