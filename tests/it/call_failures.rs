//! The sentences of failures that upstream reports.

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn said(rules: Value, args: &[&str]) -> String {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    assert!(!tool.call(&["open", "http://shop.test/"]).await.is_error);
    tool.call(args).await.text
}

// RES-13
#[tokio::test]
async fn names_that_were_seen_instead_are_listed_one_by_one() {
    let error = r#"4 elements have role "link", but none match name "Edit". Names seen: "Staff", "", "Say \"hi\", you", ..."#;
    let rules = json!([{ "match": { "row": ["find", "role"] }, "error": error }]);
    let said = said(rules, &["find", "role", "link", "click", "--name", "Edit"]).await;
    assert!(said.contains("\nNames seen: \"Staff\", \"Say \\\"hi\\\", you\"\n"), "{said}");
}

// RES-13, NEXT-12
#[tokio::test]
async fn a_target_outside_the_viewport_gets_a_plain_sentence_and_a_next_step() {
    let error =
        "Element '#a' is outside the viewport, so the click would not reach it. Try scrolling.";
    let rules = json!([{ "match": { "row": ["click"] }, "error": error }]);
    let said = said(rules, &["click", "#a"]).await;
    assert_eq!(
        said,
        "Failed (upstream-error, isError: true): nothing was clicked, \"#a\" lies outside the viewport.\n\
         Next: {\"args\":[\"scrollintoview\",\"#a\"]}\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}"
    );
}

// RES-13
#[tokio::test]
async fn only_an_option_is_told_to_be_selected() {
    let error = "CDP error (DOM.getBoxModel): Could not compute box model.";
    let rules = json!([{ "match": { "row": ["click"] }, "error": error }]);
    let box_said = said(rules.clone(), &["click", "#box"]).await;
    assert!(box_said.contains("\"#box\" takes no room on the page.\nNext: "), "{box_said}");
    let option = said(rules, &["click", "select option:nth-child(2)"]).await;
    assert!(option.contains("An option is chosen with select."), "{option}");
}

// RES-13, HAZ-16
#[tokio::test]
async fn a_covered_text_field_may_be_focused_instead() {
    let cover = |target: &str| {
        json!({ "match": { "row": ["click", target] }, "error": format!(
            "Element '{target}' is covered by <span.mtk6 inside div#ed> at its click point, so the \
             input would land on that element instead.") })
    };
    let data = json!({ "origin": "http://shop.test/", "snapshot":
        "- button \"Save\" [ref=e3]\n- textbox \"Editor\" [ref=e4]",
        "refs": { "e3": { "role": "button", "name": "Save" }, "e4": { "role": "textbox", "name": "Editor" } } });
    let look = json!({ "match": { "row": ["snapshot"] }, "result": data });
    let rules = json!([cover("@e3"), cover("@e4"), look]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", "http://shop.test/"]).await;
    tool.call(&["snapshot", "-i"]).await;
    let field = tool.call(&["click", "@e4"]).await;
    assert_eq!(field.next()[0], json!({ "args": ["focus", "@e4"] }), "{}", field.text);
    assert!(field.first().contains("if it is a part of the field, focus it."), "{}", field.text);
    tool.call(&["snapshot", "-i"]).await;
    let button = tool.call(&["click", "@e3"]).await;
    assert!(button.first().ends_with(" Close or use that one first."), "{}", button.text);
    assert!(!button.text.contains("focus"), "{}", button.text);
}

// DEC-05, RES-20
#[tokio::test]
async fn more_output_than_is_kept_is_called_that_and_not_broken_json() {
    let tool = TestEngine::new(TestEnv::new().script(&json!([])));
    assert!(!tool.call(&["open", "http://shop.test/"]).await.is_error);
    let flood = json!({ "floodBytes": 70_000_000 });
    for (argv, args) in [(["batch"], &["get", "title"][..]), (["session"], &["session", "list"])] {
        let mut rule = flood.clone();
        rule["match"] = json!({ "argv": argv });
        tool.env.rescript(&json!([rule]));
        let said = tool.call(args).await;
        assert_eq!(said.category(), "parse-failure", "{}", said.text);
        assert!(said.text.contains("more output than is kept"), "{}", said.text);
    }
}

/// Rows of a recording of the real upstream, as rules of the stand-in.
fn recorded_row(at: usize) -> serde_json::Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/upstream/0.41.0/batch/page-wedged.json"
    );
    let recording: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let row = recording["stdout"][at].clone();
    json!({ "match": { "row": ["get", "title"] }, "times": 1, "success": false,
        "error": row["error"], "code": row["code"], "result": row["result"] })
}

// HAZ-17, HAZ-03
#[tokio::test]
async fn a_page_that_upstream_gave_up_is_told_as_lost_with_the_way_back() {
    let tool = TestEngine::new(TestEnv::new().script(&json!([recorded_row(1)])));
    tool.call(&["open", URL]).await;
    let said = tool.call(&["get", "title"]).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(
        said.first().contains("has stopped responding. It is lost (earlier refs are void)."),
        "{}",
        said.text
    );
    let back = json!({ "args": ["open", "http://127.0.0.1:8000/form.html"] });
    assert_eq!(said.next(), [back]);
    assert_eq!(said.details["nextActions"][0]["id"], "reopen-lost-page");
    assert_eq!(tool.call(&["click", "@e3"]).await.category(), "stale-ref");
}

// HAZ-17
#[tokio::test]
async fn a_page_that_does_not_answer_and_was_kept_is_a_timeout_to_look_at() {
    let mut wedged = recorded_row(1);
    wedged["result"] = json!({ "replaced": false });
    let unknown = recorded_row(0);
    let tool = TestEngine::new(TestEnv::new().script(&json!([wedged, unknown])));
    tool.call(&["open", URL]).await;
    let said = tool.call(&["get", "title"]).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(said.first().contains("the page has stopped responding. "), "{}", said.text);
    assert!(!said.text.contains("lost"), "{}", said.text);
    assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] })]);
    let said = tool.call(&["get", "title"]).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(said.first().contains("the command may have taken effect"), "{}", said.text);
}

// RES-13, HAZ-09
#[tokio::test]
async fn what_a_script_throws_is_told_as_its_words_and_decides_nothing() {
    let thrown = [
        "Element not found: #save",
        "the field is disabled",
        "A JavaScript confirm dialog is blocking the page: \"x\" - use `dialog accept`",
        "agent-browser-native:no-library:",
    ];
    for words in thrown {
        let error = format!("Evaluation error: Error: {words}");
        let tool = TestEngine::new(TestEnv::new().script(&json!([
            { "match": { "row": ["eval"], "contains": "theirs()" }, "error": error },
        ])));
        tool.call(&["open", URL]).await;
        tool.call(&["snapshot", "-i"]).await;
        let before = tool.asked().len();
        let said = tool.call(&["eval", "theirs()"]).await;
        assert_eq!(said.category(), "upstream-error", "{}", said.text);
        assert!(said.first().contains("agent-browser says \"Evaluation error"), "{}", said.text);
        assert_eq!(said.next(), Vec::<Value>::new(), "{}", said.text);
        assert_eq!(tool.asked().len(), before + 1, "the script ran once");
        let title = tool.call(&["get", "title"]).await;
        assert!(!title.is_error, "no dialog is open: {}", title.text);
    }
}

// SES-50, RES-13, DEC-110
#[tokio::test]
async fn where_no_browser_is_found_the_way_to_one_is_told_and_no_session_is_begun() {
    let recording = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/upstream/0.41.0/launch/no-browser-found-in-rows.json"
    );
    let recording: Value =
        serde_json::from_str(&std::fs::read_to_string(recording).unwrap()).unwrap();
    let error = &recording["stdout"][0]["error"];
    let tool = TestEngine::new(TestEnv::new().script(&json!([
        { "match": { "row": ["open"] }, "error": error },
    ])));
    let rows = json!([["open", URL], ["get", "title"]]).to_string();
    for call in [json!({ "args": ["open", URL] }), json!({ "args": ["batch"], "stdin": rows })] {
        let said = tool.send(call).await;
        assert_eq!(
            said.text,
            "Failed (upstream-error, isError: true): no browser was found on this machine, neither Chromium nor Chrome.\n\
             Agent-browser hint: `agent-browser-native setup` in a shell installs one.\n\
             Next: {\"args\":[\"doctor\"]}"
        );
        assert_eq!(said.details["managedSessionOutcome"]["status"], "abandoned");
    }
    tool.engine.settle().await;
    tool.env.rescript(&json!([]));
    let said = tool.call(&["open", URL]).await;
    assert_eq!(said.details["managedSessionOutcome"]["status"], "created", "{}", said.text);
}
