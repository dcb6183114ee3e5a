//! The same calls through every door: the same text, and the same details but for names and times.

use std::process::Stdio;

use regex::Regex;
use serde_json::{Value, json};

use crate::support::env::TestEnv;
use crate::support::host::{Host, call, text, world};

/// One visit to the page, with calls that work, are refused, and fail.
fn calls() -> Vec<Value> {
    let args = |words: &[&str]| json!({ "args": words });
    vec![
        args(&["open", "http://127.0.0.1/a"]),
        args(&["get", "title"]),
        args(&["get", "title", "--json"]),
        args(&["snapshot", "-i"]),
        args(&["click", "@e3"]),
        args(&["fill", "@e4", "ann@shop.test"]),
        args(&["screenshot", "shots/a.png"]),
        json!({ "args": ["eval", "--stdin"], "stdin": "document.title" }),
        json!({ "args": ["batch"], "stdin": "[[\"get\",\"url\"],[\"click\",\"#nope\"],[\"get\",\"title\"]]" }),
        args(&["--version"]),
        args(&["session", "list"]),
        // Failed by upstream.
        args(&["click", "#nope"]),
        args(&["get", "text", "#nope", "--json"]),
        args(&["tab", "t9"]),
        // Refused before anything is started.
        args(&["click", "@e99"]),
        args(&["frobnicate"]),
        args(&["--headed", "get", "title"]),
        json!({ "args": ["get", "title"], "timeoutMs": 0 }),
        json!({ "args": [] }),
        json!({ "argz": ["get"] }),
        json!({}),
        json!({ "args": ["open", "http://127.0.0.1/b"], "sessionMode": "fresh" }),
        args(&["close"]),
        args(&["close"]),
    ]
}

/// A reply without what may differ: text, details, failure.
#[derive(Debug, PartialEq)]
struct Seen {
    call: String,
    text: String,
    details: Value,
    failed: bool,
    blocks: usize,
}

fn seen(env: &TestEnv, call: &Value, result: &Value, details: &Value) -> Seen {
    let tidy = Tidy::new(env);
    let mut details = tidy.value(details);
    if let Some(fields) = details.as_object_mut() {
        fields.remove("timing");
    }
    Seen {
        call: call.to_string(),
        text: tidy.text(&text(result)),
        details,
        failed: result["isError"] == true,
        blocks: result["content"].as_array().unwrap().len(),
    }
}

struct Tidy {
    root: String,
    session: Regex,
    spill: Regex,
}

impl Tidy {
    fn new(env: &TestEnv) -> Self {
        Self {
            root: env.path("").to_str().unwrap().trim_end_matches('/').to_owned(),
            session: Regex::new("(mcp|cli|pi)-work-[0-9a-f]{12}-[0-9a-f]{8}").unwrap(),
            spill: Regex::new("artifacts/[0-9a-f]{16}").unwrap(),
        }
    }

    fn text(&self, text: &str) -> String {
        let text =
            text.replace(&self.root, "ROOT").replace("Pi tool isError: true", "isError: true");
        let text = self.session.replace_all(&text, "SESSION");
        self.spill.replace_all(&text, "artifacts/HOST").into_owned()
    }

    fn value(&self, value: &Value) -> Value {
        serde_json::from_str(&self.text(&value.to_string())).unwrap()
    }
}

async fn through_mcp() -> Vec<Seen> {
    let env = world();
    let mut host = Host::mcp(&env).await;
    let mut all = Vec::new();
    for call in calls() {
        let params = json!({ "name": "agent_browser", "arguments": call });
        let result = host.result("tools/call", params).await;
        let details = &result["_meta"]["agent-browser-native/details"];
        all.push(seen(&env, &call, &result, details));
    }
    all
}

async fn through_rpc() -> Vec<Seen> {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let mut all = Vec::new();
    for params in calls() {
        let result = host.result("call", call(&env, "s1", params.clone())).await;
        all.push(seen(&env, &params, &result, &result["details"]));
    }
    all
}

async fn through_call() -> Vec<Seen> {
    let env = world();
    let mut all = Vec::new();
    for call in calls() {
        let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
            .args(["call", "--json", "--session-id", "s1", &call.to_string()])
            .env_clear()
            .envs(env.vars())
            .current_dir(env.path("work"))
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        all.push(seen(&env, &call, &result, &result["details"]));
    }
    all
}

// DEC-80, DEC-81, DEC-109
#[tokio::test]
async fn every_door_gives_the_same_answer() {
    let (mcp, rpc, call) = tokio::join!(through_mcp(), through_rpc(), through_call());
    assert!(mcp.iter().any(|reply| reply.failed) && mcp.iter().any(|reply| !reply.failed));
    assert_eq!([mcp.len(), rpc.len(), call.len()], [calls().len(); 3]);
    for ((mcp, rpc), call) in mcp.iter().zip(&rpc).zip(&call) {
        assert_eq!(mcp, rpc);
        assert_eq!(mcp, call);
    }
}
