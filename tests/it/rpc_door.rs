//! The rpc door: messages, progress, cancelling, and what it refuses.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::env::{TestEnv, soon};
use crate::support::host::{Host, call, session, text, world};

fn args(words: &[&str]) -> Value {
    json!({ "args": words })
}

// DEC-109, IN-GEN-01, PI-04
#[tokio::test]
async fn initialize_tells_tools_guidelines_and_version() {
    let env = world();
    let mut host = Host::start(&env, &["rpc"]);
    let mut hello = session(&env, "s1", &[]);
    hello["door"] = json!("pi");
    let result = host.result("initialize", hello).await;
    assert_eq!(result["tools"][0]["name"], "agent_browser");
    assert_eq!(result["tools"][0]["parameters"]["type"], "object");
    assert!(result["guidelines"].as_array().unwrap().len() > 3);
    assert_eq!(result["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(env.asked(), Vec::<Vec<String>>::new(), "nothing is started before the first call");
}

// DEC-109, PI-32, PI-34, RES-02
#[tokio::test]
async fn a_call_answers_content_details_and_failure() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let opened = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    assert_eq!(opened["isError"], false);
    assert!(text(&opened).starts_with("Opened \"Fake page\" http://127.0.0.1/a"));
    assert!(opened["details"]["sessionName"].as_str().unwrap().starts_with("pi-work-"));
    assert!(!opened["details"]["facts"].as_array().unwrap().is_empty());
    let missed = host.call(&env, args(&["click", "#nope"])).await;
    assert_eq!(missed["isError"], true);
    for only_text in [&opened, &missed, &host.call(&env, args(&["get", "title"])).await] {
        let blocks = only_text["content"].as_array().unwrap();
        let kinds: Vec<&Value> = blocks.iter().map(|block| &block["type"]).collect();
        assert_eq!(kinds, ["text"]);
    }
    assert!(text(&missed).starts_with("Failed (selector-not-found, Pi tool isError: true): "));
    let shot = host.call(&env, args(&["screenshot", "a.png"])).await;
    assert_eq!(
        (&shot["content"][1]["type"], &shot["content"][1]["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
}

// DEC-109
#[tokio::test]
async fn wrong_messages_are_answered_and_the_door_goes_on() {
    let env = world();
    let mut host = Host::start(&env, &["rpc"]);
    let early = host.request("call", call(&env, "s1", args(&["get", "title"]))).await;
    assert_eq!(early["error"]["code"], -32_002);
    host.line("not json").await;
    assert_eq!(host.read().await["error"]["code"], -32_700);
    host.line(r#"{"id":7,"method":"prompt","params":{"text":""}}"#).await;
    assert_eq!(host.answer(7).await["error"]["code"], -32_600);
    host.line(r#"[{"jsonrpc":"2.0","id":1,"method":"prompt"}]"#).await;
    host.line(r#"{"jsonrpc":"2.0","method":"what/ever"}"#).await;
    assert_eq!(host.request("what/ever", json!({})).await["error"]["code"], -32_601);
    assert_eq!(host.request("prompt", json!({"txt": ""})).await["error"]["code"], -32_602);
    let mut hello = session(&env, "s1", &[]);
    hello["door"] = json!("other");
    assert_eq!(host.request("initialize", hello.clone()).await["error"]["code"], -32_602);
    hello["door"] = json!("pi");
    std::fs::write(env.path("file"), "").unwrap();
    hello["cwd"] = json!(env.path("file"));
    assert_eq!(host.request("initialize", hello.clone()).await["error"]["code"], -32_602);
    hello["cwd"] = json!("work");
    assert_eq!(host.request("initialize", hello.clone()).await["error"]["code"], -32_602);
    hello["cwd"] = session(&env, "s1", &[])["cwd"].clone();
    host.result("initialize", hello).await;
    let mut other = call(&env, "s1", args(&["get", "title"]));
    other["tool"] = json!("browser");
    assert_eq!(host.request("call", other).await["error"]["code"], -32_602);
    assert_eq!(host.call(&env, args(&["get", "title"])).await["isError"], false);
    assert_eq!(host.end().await, 0);
}

// DEC-109
#[tokio::test]
async fn json_that_is_no_object_is_answered() {
    let env = world();
    let mut host = Host::start(&env, &["rpc"]);
    for line in ["5", "null", "\"call\"", r#"[{"jsonrpc":"2.0","id":1,"method":"prompt"}]"#] {
        host.line(line).await;
        let answer = host.read().await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32_600), &json!(null)));
    }
}

// DEC-80, DEC-81, DEC-109
#[tokio::test]
async fn the_name_of_a_tool_that_does_not_exist_is_not_repeated() {
    let env = world();
    let name = format!("token=hunter2hunter2{}", "x".repeat(100_000));
    let mut mcp = Host::mcp(&env).await;
    let said = mcp.request("tools/call", json!({ "name": name, "arguments": {} })).await;
    let mut rpc = Host::rpc(&env).await;
    let mut params = call(&env, "s1", args(&["get", "title"]));
    params["tool"] = json!(name);
    for answer in [said, rpc.request("call", params).await] {
        let error = answer["error"]["message"].as_str().unwrap();
        assert!(error.contains("There is no tool of this name; there is agent_browser"), "{error}");
        assert!(!error.contains("hunter2") && error.len() < 200, "{}", error.len());
    }
    let output = env.program(&["call", "--json", "--tool", "hunter2", "{}"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.contains("hunter2")), (Some(2), false), "{text}");
    assert!(text.contains("There is no tool of this name; there is agent_browser"), "{text}");
    assert!(output.stdout.is_empty(), "stdout is for answers");
}

// DEC-109
#[tokio::test]
async fn calls_run_side_by_side_and_long_ones_report() {
    let env = TestEnv::new().script(&json!([
        {"match": {"contains": "slow"}, "delayMs": 2_600},
    ]));
    let mut host = Host::rpc(&env).await;
    let slow =
        host.send("call", call(&env, "s1", args(&["--session", "slow", "get", "title"]))).await;
    let began = Instant::now();
    let quick = host.call(&env, args(&["--session", "quick", "get", "title"])).await;
    assert_eq!(quick["isError"], false);
    assert!(began.elapsed() < Duration::from_millis(2_000), "{:?}", began.elapsed());
    host.answer(slow).await;
    let update = host.notes.iter().find(|note| note["method"] == "$/update").unwrap();
    assert_eq!(update["params"]["id"], slow);
    assert_eq!(update["params"]["content"][0]["text"], "still working, 2 s");
}

// DEC-109
#[tokio::test]
async fn a_cancelled_call_answers_within_a_second() {
    let env = TestEnv::new().script(&json!([{"match": {"contains": "slow"}, "hang": true}]));
    let mut host = Host::rpc(&env).await;
    let slow =
        host.send("call", call(&env, "s1", args(&["--session", "slow", "get", "title"]))).await;
    assert!(soon(|| env.asked().iter().any(|argv| argv.contains(&"slow".to_owned()))).await);
    let began = Instant::now();
    host.notify("$/cancel", json!({ "id": slow })).await;
    let answer = host.answer(slow).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(answer["result"]["details"]["failureCategory"], "aborted");
}

// DEC-83, PI-16
#[tokio::test]
async fn bash_check_points_to_the_tool_unless_it_is_switched_off() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let command = json!({ "command": "cd x && npx agent-browser open https://shop.test" });
    let blocked = host.result("bash/check", command.clone()).await;
    assert_eq!(blocked["block"], true);
    let reason = blocked["reason"].as_str().unwrap();
    assert!(reason.ends_with(r#"{"args":["open","https://shop.test"]}"#), "{reason}");
    let passed = host.result("bash/check", json!({ "command": "which agent-browser" })).await;
    assert_eq!(passed, json!({ "block": false }));
    let free = TestEnv::new().with("PI_AGENT_BROWSER_ALLOW_DIRECT_BASH", "1");
    let mut host = Host::rpc(&free).await;
    assert_eq!(host.result("bash/check", command).await["block"], false);
}

// GUARD-04, GUARD-06, DEC-82, RES-42, ART-10
#[tokio::test]
async fn close_waits_for_the_screenshot_that_the_prompt_asks_for() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let prompt = json!({ "text": "Open the page, save a screenshot to shots/a.png, then close." });
    let heeded = host.result("prompt", prompt).await;
    assert_eq!(heeded, json!({ "requiredFiles": ["shots/a.png"] }));
    host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    let processes = env.asked().len();
    for close in [
        args(&["close"]),
        args(&["quit"]),
        args(&["close", "--all"]),
        json!({"args": ["batch"], "stdin": "[[\"close\"]]"}),
    ] {
        let refused = host.call(&env, close).await;
        assert_eq!(refused["details"]["failureCategory"], "policy-blocked");
        assert_eq!(
            refused["details"]["promptGuard"]["reason"],
            "requested-artifacts-missing-before-close"
        );
        assert!(refused["details"]["validationError"].as_str().unwrap().contains("shots/a.png"));
        assert!(text(&refused).contains("nothing was closed"), "{}", text(&refused));
    }
    assert_eq!(env.asked().len(), processes, "no process for a refused close");
    let saved = host.call(&env, args(&["screenshot", "shots/a.png"])).await;
    assert!(text(&saved).starts_with("Screenshot saved and verified"), "{}", text(&saved));
    assert_eq!(host.call(&env, args(&["close"])).await["isError"], false);
}

// GUARD-05
#[tokio::test]
async fn a_recording_is_required_only_with_ffmpeg() {
    let mut env = world();
    let prompt = json!({ "text": "Record a video to run.webm" });
    env.set("PATH", env.path("bin").to_str().unwrap().to_owned());
    let mut host = Host::rpc(&env).await;
    host.result("prompt", prompt.clone()).await;
    host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    assert_eq!(host.call(&env, args(&["close"])).await["isError"], false);
    env.tool("ffmpeg", "exit 0");
    host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    assert_eq!(host.call(&env, args(&["close"])).await["isError"], true);
}
