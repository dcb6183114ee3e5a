//! `sourceLookup` and `networkSourceLookup` through the whole walk, on the stand-in.

use std::fs;

use agent_browser_native::command::Class;
use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

/// A tool whose workspace holds a component and a request.
fn tool(rules: &Value) -> TestEngine {
    let env = TestEnv::new().script(rules);
    let root = env.path("work");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/Counter.jsx"), "export function Counter() {}\n").unwrap();
    fs::write(root.join("src/price.js"), "\nfetch('/api/price');\n").unwrap();
    TestEngine::with(env, |options| options.cwd = root)
}

fn tree() -> Value {
    json!({ "match": { "row": ["react", "tree"] }, "result": { "tree": "# head\n0 1 - Root\n1 2 1 Counter" } })
}

// IN-SRC-09, SRC-01, SRC-02, SRC-12, IN-SRC-11, IN-SRC-08, RES-34
#[tokio::test]
async fn a_component_is_answered_with_its_file_and_how_sure_that_is() {
    let tool = tool(&json!([tree()]));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "sourceLookup": { "componentName": "Counter" } })).await;
    assert!(!said.is_error);
    assert_eq!(
        said.text,
        "Source lookup: 1 candidate for component \"Counter\" (evidence, not proof).\n\
         1 high: src/Counter.jsx:1 component \"Counter\", declared here \"export function Counter() {}\""
    );
    let found = &said.details["sourceLookup"];
    assert_eq!(found["status"], "candidates-found");
    assert_eq!(found["candidates"][0]["file"], "src/Counter.jsx");
    assert_eq!(found["limitations"], json!([]));
    assert!(found["summary"].as_str().unwrap().starts_with("Source lookup: 1 candidate"));
    assert_eq!(said.details["compiledSourceLookup"]["query"]["componentName"], "Counter");
    assert_eq!(tool.asked().last().unwrap().commands()[0], "react");
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
}

// IN-SRC-10, SRC-10, IN-SRC-11, SRC-11
#[tokio::test]
async fn a_failed_react_row_is_a_limit_of_what_was_found_and_fails_what_found_nothing() {
    let error = "Evaluation error: Error: React DevTools hook not installed - relaunch with --enable react-devtools\n    at <anonymous>:4:20";
    let tool = tool(&json!([{ "match": { "row": ["react"] }, "error": error }]));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "sourceLookup": { "componentName": "Counter" } })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(
        said.first(),
        "Source lookup: 1 candidate for component \"Counter\" (evidence, not proof)."
    );
    assert!(said.text.contains("\nLimit: React could not be asked"), "{}", said.text);
    assert!(!said.text.contains("failed"), "{}", said.text);
    assert_eq!(said.details["sourceLookup"]["status"], "candidates-found");
    assert_eq!(said.next(), Vec::<Value>::new());
    let none = tool.send(json!({ "sourceLookup": { "componentName": "Nobody" } })).await;
    assert_eq!(none.category(), "upstream-error");
    assert!(none.text.contains("\nreact tree failed: "), "{}", none.text);
    assert_eq!(none.details["sourceLookup"]["status"], "unsupported");
    let again =
        json!({ "args": ["--enable", "react-devtools", "open", URL], "sessionMode": "fresh" });
    assert_eq!(none.next(), [again]);
}

// IN-SRC-02, SRC-04, IN-SRC-03
#[tokio::test]
async fn an_element_is_asked_about_itself_and_its_ref_by_content_and_place() {
    let hints = json!({ "matches": 1, "record": null, "attributes": [
        { "up": 0, "file": "src/Counter.jsx", "line": "1", "column": null }] });
    let tool = tool(&json!([
        { "match": { "row": ["eval"], "contains": "data-component-file" }, "value": hints },
        { "match": { "row": ["get", "html"] }, "result": { "html": "Save" } },
        { "match": { "row": ["get", "box"] }, "result": { "x": 1, "y": 2, "width": 3, "height": 4 } },
    ]));
    tool.call(&["open", URL]).await;
    let css = tool.send(json!({ "sourceLookup": { "selector": "#save" } })).await;
    let line = "1 high: src/Counter.jsx:1, data attribute of the element \"src/Counter.jsx\"";
    assert_eq!(css.text.lines().nth(1), Some(line), "{}", css.text);
    let by_ref = tool.send(json!({ "sourceLookup": { "selector": "@e3" } })).await;
    assert_eq!(by_ref.text.lines().nth(1), Some(line), "{}", by_ref.text);
    assert_eq!(by_ref.details["timing"]["upstreamProcesses"], 2);
    // The refs of the page are as good as before.
    assert!(!tool.call(&["click", "@e3"]).await.is_error);
    let stale = tool.send(json!({ "sourceLookup": { "selector": "@e77" } })).await;
    assert_eq!(stale.category(), "stale-ref");
}

fn requests(rows: &Value) -> Value {
    json!([{ "match": { "row": ["network", "requests"] }, "result": { "requests": rows } }])
}

// IN-NET-07, NET-01, NET-02, NET-07, NET-08, IN-NET-08, NET-10, RES-35
#[tokio::test]
async fn a_failed_request_is_answered_with_the_line_that_sends_it() {
    let tool = tool(&requests(&json!([
        { "requestId": "1.2", "method": "GET", "resourceType": "Fetch", "status": 500,
          "url": "http://shop.test/api/price?token=s3cret" }])));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "networkSourceLookup": { "filter": "/api" } })).await;
    assert!(!said.is_error);
    assert_eq!(
        said.text,
        "Network source lookup: 1 failed request, 1 candidate (evidence, not proof).\n  \
         500 GET fetch id 1.2 http://shop.test/api/price?token=[REDACTED] \
         [actionable: document, script, API, or non-benign request failure]\n\
         1 high: src/price.js:2, holds the request's path \"fetch('/api/price');\""
    );
    let found = &said.details["networkSourceLookup"];
    assert_eq!(found["status"], "failed-requests-found");
    let plan = &said.details["compiledNetworkSourceLookup"];
    assert_eq!(plan["steps"][0]["action"], "networkRequests", "{plan}");
    assert_eq!(found["failedRequests"][0]["requestId"], "1.2");
    assert_eq!(found["candidates"][0]["source"], "workspace-search");
    assert!(!said.details.to_string().contains("s3cret"));
    // The request's address is evidence only: page and refs are as before.
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(!clicked.is_error, "{}", clicked.text);
}

// IN-NET-08, NET-11
#[tokio::test]
async fn nothing_found_is_no_failure() {
    let tool = tool(&requests(&json!([
        { "requestId": "1.2", "method": "GET", "resourceType": "Fetch", "status": 500, "url": "http://shop.test/zzz/none" },
        { "requestId": "1.3", "method": "GET", "resourceType": "Fetch", "status": 200, "url": "http://shop.test/fine" }])));
    tool.call(&["open", URL]).await;
    let none = tool.send(json!({ "networkSourceLookup": { "filter": "/zzz" } })).await;
    assert!(!none.is_error);
    assert_eq!(none.details["networkSourceLookup"]["status"], "no-candidates");
    assert_eq!(none.first(), "Network source lookup: 1 failed request, no candidates.");
    let fine = tool.send(json!({ "networkSourceLookup": { "filter": "/fine" } })).await;
    assert_eq!(
        fine.first(),
        "Network source lookup: the request was answered 200, so it did not fail."
    );
    assert_eq!(fine.details["networkSourceLookup"]["status"], "no-failed-requests");
}

// IN-NET-04, NET-04, DEC-47, IN-SRC-01, IN-NET-01, IN-STDIN-03
#[tokio::test]
async fn a_lookup_runs_on_the_session_that_it_names_and_takes_no_stdin() {
    let tool = tool(&json!([tree()]));
    for call in [
        json!({ "sourceLookup": { "componentName": "Counter", "session": "mine", "namespace": "work" } }),
        json!({ "networkSourceLookup": { "filter": "/a", "session": "mine", "namespace": "work" } }),
    ] {
        let said = tool.send(call).await;
        assert_eq!(said.details["sessionName"], "mine", "{}", said.text);
        let asked = tool.asked().pop().unwrap();
        assert!(asked.has("mine") && asked.has("work"), "{:?}", asked.argv);
    }
    let started = tool.asked().len();
    for mode in ["sourceLookup", "networkSourceLookup"] {
        let said = tool.send(json!({ mode: { "url": "/a" }, "args": ["get", "title"] })).await;
        assert_eq!(said.category(), "validation-error");
        assert!(said.text.contains(&format!("args and {mode} are two modes")), "{}", said.text);
    }
    let stdin = json!({ "networkSourceLookup": { "url": "/a" }, "stdin": "[]" });
    assert!(tool.send(stdin).await.text.contains("stdin belongs to args"));
    assert_eq!(tool.asked().len(), started);
}

// DEC-100
#[tokio::test]
async fn modes_whose_scripts_are_ours_need_no_permission_for_scripts() {
    let env = TestEnv::new().script(&json!([tree()]));
    let root = env.path("work");
    let tool = TestEngine::with(env, |options| {
        options.cwd = root;
        options.allowed = [Class::Read, Class::Navigate].into_iter().collect();
    });
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "sourceLookup": { "selector": "#save" } })).await;
    assert_ne!(said.details["failureCategory"], "policy-blocked", "{}", said.text);
    assert!(!tool.send(json!({ "qa": { "url": URL, "expectedText": "Fake" } })).await.is_error);
    assert_eq!(tool.call(&["eval", "1"]).await.category(), "policy-blocked");
}

// NEXT-65, NEXT-02, PRES-NET-05
#[tokio::test]
async fn a_failed_request_is_offered_to_the_lookup_with_its_session() {
    let tool = tool(&requests(&json!([
        { "requestId": "1.2", "method": "GET", "resourceType": "Fetch", "status": 500, "url": "http://shop.test/api" }])));
    tool.call(&["--namespace", "work", "--session", "mine", "open", URL]).await;
    let args = ["--namespace", "work", "--session", "mine", "network", "requests"];
    let said = tool.call(&args).await;
    let next = said.details["nextActions"].as_array().unwrap();
    let lookup = next.iter().find(|one| one["id"] == "trace-actionable-network-source").unwrap();
    assert_eq!(
        lookup["params"]["networkSourceLookup"],
        json!({ "requestId": "1.2", "namespace": "work", "session": "mine" })
    );
    assert_eq!(said.next()[0], lookup["params"]);
}
