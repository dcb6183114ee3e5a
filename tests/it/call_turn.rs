//! The turn of a call: what it waits for, and what ends the wait.

use std::fs;
use std::path::PathBuf;
use std::pin::pin;
use std::time::{Duration, Instant};

use agent_browser_native::call::CallContext;
use serde_json::json;

use crate::support::engine::{TestEngine, still_waits};
use crate::support::env::{TestEnv, soon};

const URL: &str = "http://shop.test/";

/// A page whose `get html` ends when this file is written.
async fn held_page() -> (TestEngine, PathBuf) {
    let env = TestEnv::new();
    let go = env.path("go");
    let rule = json!([{ "match": { "row": ["get", "html"] }, "until": go }]);
    let tool = TestEngine::new(env.script(&rule));
    assert!(!tool.call(&["open", URL]).await.is_error);
    (tool, go)
}

/// The slow call is with the stand-in.
async fn runs(tool: &TestEngine) {
    assert!(soon(|| tool.asked().iter().any(|asked| asked.says("html"))).await);
}

// HAZ-23: the limit runs while a call waits for its turn.
#[tokio::test]
async fn a_call_that_waits_for_its_turn_keeps_its_limit() {
    let (tool, go) = held_page().await;
    let slow = tool.call(&["get", "html", "main"]);
    let behind = async {
        runs(&tool).await;
        let said = tool.send(json!({ "args": ["get", "title"], "timeoutMs": 400 })).await;
        assert_eq!(said.category(), "timeout");
        assert_eq!(
            said.first(),
            "Failed (timeout, isError: true): stopped after 400 ms, an earlier call still runs; nothing was done."
        );
        // The earlier call ends only now.
        fs::write(&go, "").unwrap();
    };
    let (slow, ()) = tokio::join!(slow, behind);
    assert!(!slow.is_error, "{}", slow.text);
    let asked: Vec<_> = tool.asked().iter().flat_map(|asked| asked.rows.clone()).collect();
    assert!(!asked.iter().any(|row| row == &["get", "title"]), "{asked:?}");
}

// HAZ-23: what the wait has cost is no longer there for the command.
#[tokio::test]
async fn the_time_that_a_turn_took_is_taken_from_the_limit() {
    let rules = json!([
        { "match": { "row": ["get", "html"] }, "delayMs": 600 },
        { "match": { "row": ["get", "text"] }, "hang": true },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    let slow = tool.call(&["get", "html", "main"]);
    let behind = async {
        runs(&tool).await;
        let started = Instant::now();
        let call = json!({ "args": ["get", "text", "main"], "timeoutMs": 1_500 });
        (tool.send(call).await, started.elapsed())
    };
    let (_, (said, took)) = tokio::join!(slow, behind);
    assert!(said.first().contains("stopped after 1500 ms."), "{}", said.text);
    assert!(took < Duration::from_millis(2_500), "{took:?}");
}

// HAZ-23: the one-shot door waits for other processes.
#[test]
fn an_invocation_that_waits_for_another_keeps_its_limit() {
    let rule = json!([{ "match": { "row": ["get", "html"] }, "delayMs": 3_000 }]);
    let env = TestEnv::new().script(&rule);
    let call = |params: serde_json::Value| env.program(&["call", &params.to_string()]);
    assert!(call(json!({ "args": ["open", URL] })).output().unwrap().status.success());
    let mut slow = call(json!({ "args": ["get", "html", "main"] }))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let asked = || env.log().iter().any(|entry| entry["stdin"].to_string().contains("html"));
    let end = Instant::now() + Duration::from_secs(5);
    while !asked() {
        assert!(Instant::now() < end, "the first call has begun");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Another tool needs no turn.
    let other = env.program(&["call", "--tool", "none", "{}"]).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    let output = call(json!({ "args": ["get", "title"], "timeoutMs": 400 })).output().unwrap();
    assert!(slow.try_wait().unwrap().is_none(), "it is told before the earlier call ends");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("stopped after 400 ms, an earlier call still runs"), "{text}");
    slow.wait().unwrap();
}

// SES-42, SES-09: nobody would keep what such a call learns, not even the name of its session.
#[tokio::test]
async fn a_call_that_waited_across_a_switch_of_branches_is_not_run() {
    let (tool, go) = held_page().await;
    let slow = tool.call(&["get", "html", "main"]);
    let behind = async {
        runs(&tool).await;
        let call = json!({ "args": ["open", URL], "sessionMode": "fresh" });
        let mut call = pin!(tool.send(call));
        still_waits(&mut call).await;
        tool.engine.restore(&[]);
        fs::write(&go, "").unwrap();
        call.await
    };
    let (_, said) = tokio::join!(slow, behind);
    assert_eq!(said.category(), "aborted", "{}", said.text);
    assert!(said.first().contains("went to another branch"), "{}", said.text);
    let asked: Vec<String> = tool.asked().into_iter().flat_map(|asked| asked.argv).collect();
    assert!(!asked.iter().any(|word| word.ends_with("-f1")), "{asked:?}");
    let next = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    assert!(!next.is_error, "{}", next.text);
}

// RUN-09
#[tokio::test]
async fn a_call_that_is_cancelled_in_the_queue_starts_nothing() {
    let (tool, go) = held_page().await;
    let context = CallContext { reports_progress: true, ..CallContext::default() };
    let cancel = context.cancel.clone();
    let slow = tool.call(&["get", "html", "main"]);
    let behind = async {
        runs(&tool).await;
        let mut call = pin!(tool.send_in(json!({ "args": ["get", "title"] }), context));
        still_waits(&mut call).await;
        cancel.cancel();
        let said = call.await;
        assert_eq!(tool.asked().len(), 2, "the earlier call still runs");
        fs::write(&go, "").unwrap();
        said
    };
    let (slow, said) = tokio::join!(slow, behind);
    assert!(!slow.is_error, "{}", slow.text);
    assert_eq!(said.category(), "aborted", "{}", said.text);
    assert!(
        said.first().contains("waiting for an earlier call; nothing was done"),
        "{}",
        said.text
    );
    assert_eq!(tool.asked().len(), 2, "nothing was started for it");
}
