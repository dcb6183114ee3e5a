//! Permission classes: what a door lets calls do.

use agent_browser_native::command::Class;
use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;
use crate::support::mcp::Mcp;

fn allowing(classes: &[Class]) -> TestEngine {
    let allowed = classes.iter().copied().collect();
    TestEngine::with(TestEnv::new(), |options| options.allowed = allowed)
}

// DEC-100
#[tokio::test]
async fn each_class_is_refused_by_its_own_name() {
    let calls: &[(&str, &[&str])] = &[
        ("read", &["get", "title"]),
        ("navigate", &["open", "http://shop.test/"]),
        ("navigate", &["read", "http://shop.test/"]),
        ("act", &["click", "#a"]),
        ("act", &["find", "role", "button", "click"]),
        ("eval", &["eval", "1"]),
        ("eval", &["wait", "--fn", "window.ok"]),
        ("files", &["screenshot", "a.png"]),
        ("files", &["record", "start", "a.webm"]),
        ("state", &["cookies"]),
        ("state", &["state", "list"]),
        ("process", &["plugin", "run", "x"]),
        ("process", &["install"]),
        ("process", &["upgrade"]),
        ("process", &["doctor", "--fix"]),
        ("process", &["--executable-path", "/bin/true", "get", "title"]),
        ("process", &["--args", "--no-sandbox", "get", "title"]),
        ("process", &["--extension", "/tmp", "get", "title"]),
    ];
    for (class, args) in calls {
        let others: Vec<Class> = Class::ALL.into_iter().filter(|c| c.name() != *class).collect();
        let tool = allowing(&others);
        let said = tool.call(args).await;
        assert_eq!(said.category(), "policy-blocked", "{args:?}: {}", said.text);
        assert!(said.text.contains(&format!("--allow {class} ")), "{args:?}: {}", said.text);
        assert!(tool.asked().is_empty(), "{args:?}");
    }
}

// DEC-100, IN-ARGS-03
#[tokio::test]
async fn rows_of_a_batch_count() {
    let tool = allowing(&[Class::Read, Class::Navigate]);
    let rows = json!([["open", "http://shop.test/"], ["get", "title"]]).to_string();
    assert!(!tool.send(json!({ "args": ["batch"], "stdin": rows })).await.is_error);
    let before = tool.asked().len();
    for row in [json!(["click", "#a"]), json!(["eval", "1"]), json!(["pdf", "a.pdf"])] {
        let rows = json!([["get", "title"], row]).to_string();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
        assert_eq!(said.category(), "policy-blocked", "{}", said.text);
    }
    let strings = tool.call(&["batch", "get title", "click #a"]).await;
    assert_eq!(strings.category(), "policy-blocked");
    assert_eq!(tool.asked().len(), before);
}

// DEC-100
#[tokio::test]
async fn steps_of_a_job_count() {
    let tool = allowing(&[Class::Read, Class::Navigate]);
    let said = tool.send(json!({ "job": { "steps": [
        { "action": "open", "url": "http://shop.test/" },
        { "action": "click", "selector": "#a" },
    ] } }));
    assert_eq!(said.await.category(), "policy-blocked");
    assert!(tool.asked().is_empty());
    // Its own scripts are no scripts of the caller's.
    let said = tool.send(json!({ "job": { "steps": [
        { "action": "open", "url": "http://shop.test/" },
        { "action": "assertUrl", "url": "http://shop.test/" },
    ] } }));
    let said = said.await;
    assert!(!said.is_error, "{}", said.text);
}

// DEC-100, DEC-103, DEC-108
#[test]
fn a_read_only_server_says_so_and_refuses_to_act() {
    let env = TestEnv::new();
    let mut client = Mcp::start(&mut env.program(&["mcp", "--read-only"]));
    let tools = client.request("tools/list", &json!({})).message()["result"].clone();
    assert_eq!(tools["tools"][0]["annotations"]["readOnlyHint"], true);
    assert_eq!(tools["tools"][0]["annotations"]["destructiveHint"], false);
    assert!(client.call(&["open", "http://shop.test/"]).text().starts_with("Opened"));
    assert!(client.call(&["click", "#a"]).text().starts_with("Failed (policy-blocked"));
    assert!(client.call(&["cookies"]).text().starts_with("Failed (policy-blocked"));
}

// DEC-100, PLAN-12
#[test]
fn the_mcp_door_allows_everything_but_process_unless_told() {
    let env = TestEnv::new();
    let mut client = Mcp::start(&mut env.program(&["mcp"]));
    let tools = client.request("tools/list", &json!({})).message()["result"].clone();
    assert_eq!(tools["tools"][0]["annotations"]["readOnlyHint"], false);
    assert!(client.call(&["open", "http://shop.test/"]).text().starts_with("Opened"));
    assert!(client.call(&["click", "#a"]).text().starts_with("Clicked"));
    let refused = client.call(&["install"]).text();
    assert!(refused.contains("--allow process"), "{refused}");
    drop(client);
    let mut narrow = Mcp::start(&mut env.program(&["mcp", "--allow", "read,process"]));
    assert!(!narrow.call(&["install"]).text().starts_with("Failed"));
    assert!(narrow.call(&["open", "http://shop.test/"]).text().contains("--allow navigate"));
}
