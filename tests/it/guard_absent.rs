//! What this tool does not do: no guard of its own taste, no repeated act, no deleted file.

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened(rules: &Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(rules));
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    tool
}

/// How often a command was sent since the page was opened.
fn sent(tool: &TestEngine, command: &str) -> usize {
    let asked = tool.asked();
    asked.iter().flat_map(|asked| asked.commands()).filter(|word| *word == command).count()
}

// GUARD-02
#[tokio::test]
async fn a_final_order_is_the_callers_own_decision() {
    let tool = opened(&json!([])).await;
    for args in [
        &["find", "role", "button", "click", "--name", "Place order"][..],
        &["click", "#submit-payment"],
        &["dblclick", "#buy-now"],
        &["press", "Enter"],
        &["press", "Return"],
        &["batch", "click #place-order", "press Enter"],
    ] {
        let said = tool.call(args).await;
        assert!(!said.is_error, "{args:?}: {}", said.text);
    }
}

// GUARD-11
#[tokio::test]
async fn an_act_is_never_repeated_and_enter_is_never_pressed_for_the_caller() {
    let still = json!({ "url": URL, "doc": "1", "armed": true, "effect": { "changed": false, "reached": false } });
    let silent =
        json!([{ "match": { "row": ["eval"], "contains": "after(ask)" }, "value": still }]);
    let covered = json!([{ "match": { "row": ["click"] }, "error":
        "Element '#a' is covered by <div#wall> at its click point, so the input would land on that element instead." }]);
    let missed = json!([{ "match": { "row": ["click"] }, "error":
        "Element not found: #a. Verify the selector, role, or name is correct and the element exists in the DOM." }]);
    // What upstream did not do because something stood in front is no act: it is tried once more.
    for (rules, tries) in [(silent, 1), (covered, 2), (missed, 1)] {
        let tool = opened(&rules).await;
        tool.call(&["click", "#a"]).await;
        assert_eq!(sent(&tool, "click"), tries);
        tool.call(&["fill", "#a", "x"]).await;
        assert_eq!((sent(&tool, "keyboard"), sent(&tool, "fill")), (1, 0));
        assert_eq!(sent(&tool, "press"), 0);
        assert!(tool.asked().iter().flat_map(|asked| &asked.rows).all(|row| {
            !row.iter().any(|word| word.contains(".click()") || word.contains("requestSubmit"))
        }));
    }
}

// GUARD-12
#[tokio::test]
async fn files_of_the_caller_are_never_deleted() {
    let tool = opened(&json!([])).await;
    tool.call(&["screenshot", "kept.png"]).await;
    for args in
        [&["delete", "kept.png"][..], &["artifact", "delete", "kept.png"], &["rm", "kept.png"]]
    {
        assert_eq!(tool.call(args).await.category(), "validation-error");
    }
    let said = tool.send(json!({ "deleteArtifact": "kept.png" })).await;
    assert_eq!(said.category(), "validation-error");
    tool.call(&["close"]).await;
    tool.engine.shutdown().await;
    assert!(tool.env.path("kept.png").is_file());
}

// IN-ARGS-08
#[tokio::test]
async fn uncheck_goes_to_upstream_as_it_is() {
    let tool = opened(&json!([])).await;
    for target in ["#news", "@e3"] {
        let said = tool.call(&["uncheck", target]).await;
        assert_eq!(said.details["command"], "uncheck", "{}", said.text);
        let asked = tool.asked();
        let rows = &asked.last().unwrap().rows;
        assert!(rows.contains(&vec!["uncheck".to_owned(), target.to_owned()]), "{rows:?}");
    }
}

// IN-GEN-04
#[tokio::test]
async fn shorthand_modes_are_no_rows_of_a_batch() {
    let tool = TestEngine::new(TestEnv::new());
    for row in [
        json!({ "semanticAction": { "action": "click", "locator": "text", "value": "Go" } }),
        json!({ "job": { "steps": [] } }),
        json!({ "electron": { "action": "list" } }),
        json!(["semanticAction", { "action": "click" }]),
    ] {
        let rows = json!([["get", "title"], row]).to_string();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
        assert_eq!(said.category(), "validation-error", "{}", said.text);
        assert!(said.first().contains("row 2") || said.first().contains("Row 2"), "{}", said.text);
    }
    let said =
        tool.send(json!({ "job": { "steps": [{ "action": "open", "url": URL, "job": {} }] } }));
    assert_eq!(said.await.category(), "validation-error");
    assert!(tool.asked().is_empty());
}

// IN-GEN-05
#[tokio::test]
async fn every_mode_becomes_commands_that_upstream_has() {
    for mode in [
        json!({ "semanticAction": { "action": "click", "locator": "text", "value": "Go" } }),
        json!({ "semanticAction": { "action": "check", "selector": "#a" } }),
        json!({ "semanticAction": { "action": "fill", "locator": "label", "value": "Name", "text": "Ann" } }),
        json!({ "job": { "steps": [{ "action": "open", "url": URL },
            { "action": "click", "selector": "#a" }, { "action": "snapshot" }] } }),
        json!({ "qa": { "url": URL } }),
    ] {
        let tool = TestEngine::new(TestEnv::new());
        tool.send(mode.clone()).await;
        let asked = tool.asked();
        assert!(!asked.is_empty(), "{mode}");
        for word in asked.iter().flat_map(|asked| asked.commands()) {
            assert!(agent_browser_native::command::lookup(word).is_some(), "{mode}: {word}");
        }
    }
}

// IN-GEN-08
#[tokio::test]
async fn there_are_no_named_recipes() {
    let tool = TestEngine::new(TestEnv::new());
    for params in [
        json!({ "recipe": "login" }),
        json!({ "job": "login" }),
        json!({ "job": { "name": "login", "steps": [{ "action": "open", "url": URL }] } }),
        json!({ "qa": { "preset": "login", "url": URL } }),
    ] {
        let said = tool.send(params.clone()).await;
        assert_eq!(said.category(), "validation-error", "{params}: {}", said.text);
    }
    let schema = agent_browser_native::input::schema::input_schema().to_string();
    assert!(!schema.contains("recipe"), "{schema}");
}
