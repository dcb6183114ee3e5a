//! Steps of one call that depend on each other: what one has closed, opened or answered counts for the
//! next, and for what is asked behind them.

use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";
const UNVERIFIED: &str = "The effect was not verified: options of this session hold scripts back.";

async fn batch(tool: &TestEngine, rows: Value) -> Said {
    tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await
}

/// The rows of the last process, as the stand-in was sent them.
fn last_rows(tool: &TestEngine) -> Vec<Vec<String>> {
    tool.asked().pop().unwrap().rows
}

// DEC-91, SES-22
#[tokio::test]
async fn nothing_is_asked_once_a_step_has_closed_the_browser() {
    let rules = json!([
        { "match": { "row": ["wait"] }, "error": "Wait timed out after 1000ms" },
        { "match": { "row": ["eval"], "contains": "after(ask)" },
            "error": "CDP error (Runtime.evaluate): Inspected target navigated or closed" },
    ]);
    for step in [json!(["wait", "--text", "Done", "--timeout", "1000"]), json!(["click", "#a"])] {
        let tool = TestEngine::new(TestEnv::new().script(&rules));
        let said = batch(&tool, json!([["open", URL], step, ["close"]])).await;
        assert!(said.text.contains("Closed"), "{}", said.text);
        assert_eq!(last_rows(&tool).last().unwrap(), &["close"], "{step}: {}", said.text);
    }
}

// SES-60, SES-61
#[tokio::test]
async fn a_fresh_browser_that_its_own_call_has_closed_did_start() {
    let tool = TestEngine::new(TestEnv::new());
    let rows = json!([["open", URL], ["get", "text", "#nope"], ["close"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows, "sessionMode": "fresh" })).await;
    assert!(said.is_error, "{}", said.text);
    assert_eq!(said.details["managedSessionOutcome"]["status"], "closed");
    assert!(said.text.contains("started and closed again; another step failed."), "{}", said.text);
    assert!(!said.text.contains("did not start"), "{}", said.text);
}

// HAZ-09
#[tokio::test]
async fn a_dialog_that_the_same_process_has_answered_is_closed() {
    let warning = "A JavaScript confirm dialog is blocking the page: \"sure?\" — use `dialog accept` or `dialog dismiss` to resolve it";
    let rules = json!([{ "match": { "row": ["click", "#a"] }, "warning": warning,
        "result": { "clicked": "#a" } }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    batch(&tool, json!([["click", "#a"], ["dialog", "accept"]])).await;
    let said = tool.call(&["get", "title"]).await;
    assert!(!said.is_error && !said.text.contains("dialog"), "{}", said.text);
}

// IN-ARGS-06
#[tokio::test]
async fn an_open_without_an_address_among_others_stays_on_the_page() {
    let tool = TestEngine::showing(URL).await;
    let said = batch(&tool, json!([["open"], ["get", "title"]])).await;
    assert!(!said.is_error && said.text.contains(URL), "{}", said.text);
    let rows = last_rows(&tool);
    assert_eq!(rows[0], ["get", "url"]);
    assert!(rows.iter().all(|row| row[0] != "open"), "{rows:?}");
    // Where no browser runs it starts one.
    let tool = TestEngine::new(TestEnv::new());
    batch(&tool, json!([["open"], ["get", "title"]])).await;
    assert_eq!(last_rows(&tool)[0], ["open"]);
}

// DEC-92
#[tokio::test]
async fn every_act_that_no_script_has_watched_is_said_to_be_unverified_once() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["--confirm-actions", "evaluate", "open", URL]).await;
    let count = |said: &Said| said.text.lines().filter(|line| *line == UNVERIFIED).count();
    for (args, times) in [
        (&["find", "text", "Save", "click"][..], 1),
        (&["dialog", "accept"], 1),
        (&["batch", "click #a", "get title", "click #b"], 1),
        (&["find", "text", "Save", "text"], 0),
        (&["batch", "get title", "get url"], 0),
        (&["frame", "main"], 0),
    ] {
        let said = tool.call(args).await;
        assert_eq!(count(&said), times, "{args:?}: {}", said.text);
    }
}
