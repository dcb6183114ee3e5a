//! Bad input of any kind: a clear failure that names the field, and the server goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::env::TestEnv;
use crate::support::host::Host;
use crate::support::mcp::{Answer, Mcp};

struct Server {
    mcp: Mcp,
    /// Keeps the directories.
    env: TestEnv,
}

impl Server {
    fn start() -> Self {
        let env = TestEnv::without_upstream();
        Self { mcp: Mcp::start(&mut env.program(&["mcp"])), env }
    }

    /// A tool call that is refused as invalid.
    fn refuses(&mut self, arguments: &Value, names: &str) {
        let answer = self.mcp.call_with(arguments);
        Self::check(&answer, names);
    }

    fn check(answer: &Answer, names: &str) {
        let text = answer.text();
        assert!(answer.is_error(), "{text}");
        assert!(text.starts_with("Failed (validation-error, isError: true): "), "{text}");
        assert!(text.contains(names), "{names} is not in {text}");
        assert!(text.len() < 1_000, "{} bytes", text.len());
        assert_eq!(answer.details()["failureCategory"], "validation-error");
        assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0);
    }

    /// A tool call written by hand, with bytes that JSON writers do not make.
    fn refuses_line(&mut self, operand: &[u8], names: &str) {
        let pending = self.mcp.expect_answer();
        let mut line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":\
             {{\"name\":\"agent_browser\",\"arguments\":{{\"args\":[\"fill\",\"#x\",\"",
            pending.id
        )
        .into_bytes();
        line.extend_from_slice(operand);
        line.extend_from_slice(b"\"]}}}\n");
        self.mcp.send(&line);
        Self::check(&pending.answer(), names);
    }

    /// The error behind a request that is no tool call of ours.
    fn error(&mut self, method: &str, params: &Value) -> (i64, String) {
        let message = self.mcp.request(method, params).message();
        let error = &message["error"];
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }

    /// Answers to what was no call, so many. Nothing says in which order they come with the others.
    fn other_answers(&self, count: usize) -> Vec<Value> {
        let end = Instant::now() + Duration::from_secs(5);
        while self.mcp.others().len() < count && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        let answers = self.mcp.others();
        assert_eq!(answers.len(), count, "{answers:#?}");
        answers
    }

    fn goes_on(&mut self) {
        let list = self.mcp.request("tools/list", &json!({})).message();
        assert_eq!(list["result"]["tools"][0]["name"], "agent_browser");
    }
}

// IN-GEN-02, IN-GEN-03, DEC-03
#[test]
fn wrong_fields_are_named() {
    let mut server = Server::start();
    for (arguments, names) in [
        (json!({ "args": ["get", "title"], "argz": 1 }), "\"argz\""),
        (json!({}), "args"),
        (json!({ "args": [] }), "args is empty"),
        (json!({ "args": "get title" }), "args must be a list of strings"),
        (json!({ "args": { "0": "get" } }), "args must be a list of strings"),
        (json!({ "args": ["get", 5] }), "args[1] must be a string"),
        (json!({ "args": ["get", null] }), "args[1] must be a string"),
        (json!({ "args": ["eval", "--stdin"], "stdin": 5 }), "stdin must be a string"),
        (json!({ "args": ["get", "title"], "sessionMode": "new" }), "sessionMode"),
        (json!({ "args": ["get", "title"], "sessionMode": true }), "sessionMode"),
        (json!({ "args": ["get", "title"], "timeoutMs": "5" }), "timeoutMs"),
        (json!({ "args": ["get", "title"], "timeoutMs": 0 }), "timeoutMs"),
        (json!({ "args": ["get", "title"], "timeoutMs": 1.5 }), "timeoutMs"),
        (json!({ "args": ["get", "title"], "timeoutMs": 600_001 }), "timeoutMs"),
        (json!({ "args": ["fill", "#x", "a\u{0}b"] }), "args[2]"),
        (json!({ "args": ["eval", "--stdin"], "stdin": "a\u{0}b" }), "stdin"),
    ] {
        server.refuses(&arguments, names);
    }
    server.goes_on();
}

// IN-GEN-02
#[test]
fn bytes_that_are_no_text_are_named_by_their_field() {
    let mut server = Server::start();
    server.refuses_line(b"a\xffb", "args[2]");
    server.refuses_line(b"a\\ud800b", "args[2]");
    server.refuses_line(b"\\ude00\\ud83d", "args[2]");
    server.goes_on();
}

// IN-GEN-02
#[test]
fn ten_megabytes_are_refused_and_seventeen_are_not_read() {
    let mut server = Server::start();
    let huge = "x".repeat(10_000_000);
    server.refuses(&json!({ "args": ["fill", "#x", huge] }), "args");
    server.mcp.send(&vec![b'x'; 17 * 1024 * 1024]);
    server.mcp.send(b"\n");
    server.goes_on();
    assert_eq!(server.other_answers(1)[0]["error"]["code"], -32_700);
}

// DEC-80
#[test]
fn lines_that_are_no_json_are_answered_and_the_server_goes_on() {
    let mut server = Server::start();
    for line in ["not json", "{\"a\":", "[]", "5", "null", "\u{feff}{}", "{\"jsonrpc\":\"2.0\"}"] {
        server.mcp.send(format!("{line}\n").as_bytes());
    }
    server.goes_on();
    let answers = server.other_answers(7);
    assert!(answers.iter().all(|message| message["error"]["code"].is_i64()), "{answers:#?}");
}

// DEC-80
#[test]
fn unknown_tools_methods_and_shapes_are_errors_of_the_protocol() {
    let mut server = Server::start();
    let (code, message) =
        server.error("tools/call", &json!({ "name": "agent_browsers", "arguments": {} }));
    assert_eq!(code, -32_602);
    assert_eq!(message, "There is no tool of this name; there is agent_browser");
    // Often: an answer must not be lost when another one is written at the same moment.
    for _ in 0..20 {
        let (code, message) = server.error("tools/destroy", &json!({}));
        assert_eq!(code, -32_601, "{message}");
        for arguments in [json!(5), json!("x"), json!([])] {
            let params = json!({ "name": "agent_browser", "arguments": arguments });
            let (code, message) = server.error("tools/call", &params);
            assert_eq!((code, message.contains("arguments")), (-32_602, true), "{message}");
        }
    }
    server.goes_on();
}

// DEC-80
#[test]
fn a_cancelled_request_gets_no_answer_and_the_next_one_does() {
    let mut server = Server::start();
    let unknown = json!({ "requestId": 4711, "reason": "no such request" });
    server.mcp.notify("notifications/cancelled", &unknown);
    server.mcp.notify("notifications/nothing", &json!({ "x": 1 }));
    server.goes_on();
    assert!(server.mcp.expect_answer().is_silent_for(Duration::from_millis(50)));
}

// DEC-44, DEC-98
#[test]
fn a_batch_of_very_many_rows_is_refused_at_once() {
    let mut server = Server::start();
    let rows = format!("[{}[\"get\",\"url\"]]", "[\"get\",\"url\"],".repeat(200_000));
    let started = std::time::Instant::now();
    server.refuses(&json!({ "args": ["batch"], "stdin": rows }), "the limit is 1000");
    assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    server.goes_on();
}

/// What is wrong with a mode, and the name of the field that says so.
fn wrong_modes() -> Vec<(Value, &'static str)> {
    let step = |step: Value| json!({ "job": { "steps": [step] } });
    let many = vec![json!({ "action": "snapshot" }); 10_000];
    let huge = "x".repeat(1_000_000);
    vec![
        (json!({ "semanticAction": [] }), "semanticAction must be an object"),
        (json!({ "semanticAction": { "action": 5, "selector": "#a" } }), "semanticAction.action"),
        (
            json!({ "semanticAction": { "action": "click", "selector": {} } }),
            "semanticAction.selector",
        ),
        (
            json!({ "semanticAction": { "action": "click", "locator": ["text"] } }),
            "semanticAction.locator",
        ),
        (
            json!({ "semanticAction": { "action": "fill", "selector": "#a", "text": true } }),
            "semanticAction.text",
        ),
        (
            json!({ "semanticAction": { "action": "select", "selector": "#a", "values": ["a\u{0}"] } }),
            "semanticAction.values[0]",
        ),
        (
            json!({ "semanticAction": { "action": "click", "selector": "#a", "x": huge } }),
            "has no field \"x\"",
        ),
        (json!({ "job": [] }), "job must be an object"),
        (json!({ "job": { "steps": {} } }), "job.steps must be a list"),
        (json!({ "job": { "steps": many } }), "1 to 100 steps"),
        (json!({ "job": { "steps": [5] } }), "job.steps[0] must be an object"),
        (
            step(json!({ "action": "type", "text": huge })),
            "job.steps[0].text has 1000000 characters",
        ),
        (step(json!({ "action": "type", "text": "a", "delayMs": "5" })), "job.steps[0].delayMs"),
        (step(json!({ "action": "wait", "milliseconds": -1 })), "job.steps[0].milliseconds"),
        (step(json!({ "action": "assertText", "text": "a\u{0}" })), "job.steps[0].text"),
        (json!({ "qa": "http://a/" }), "qa must be an object"),
        (json!({ "qa": { "url": 5 } }), "qa.url"),
        (
            json!({ "qa": { "url": "http://a/", "expectedText": ["a", null] } }),
            "qa.expectedText[1]",
        ),
        (json!({ "qa": { "url": "http://a/", "expectedText": ["a\u{0}"] } }), "qa.expectedText[0]"),
        (json!({ "qa": { "url": "http://a/", "checkErrors": "no" } }), "qa.checkErrors"),
        (json!({ "sourceLookup": { "selector": 5 } }), "sourceLookup.selector"),
        (json!({ "networkSourceLookup": { "filter": 5 } }), "networkSourceLookup.filter"),
        (json!({ "args": ["get", "url"], "job": { "steps": [] } }), "args and job are two modes"),
    ]
}

// IN-GEN-02, IN-GEN-03, DEC-44
#[test]
fn a_mode_that_is_wrong_is_named_and_starts_nothing() {
    let env = TestEnv::new();
    let mut server = Server { mcp: Mcp::start(&mut env.program(&["mcp"])), env };
    for (arguments, names) in wrong_modes() {
        server.refuses(&arguments, names);
        let text = server.mcp.call_with(&arguments).text();
        let shown = text.lines().last().unwrap().strip_prefix("Example: ");
        let example: Value =
            serde_json::from_str(shown.unwrap_or_else(|| panic!("{text}"))).unwrap();
        assert!(agent_browser_native::input::decode(&example).is_ok(), "{example}");
        // A call that we made up is none to send.
        assert!(!text.contains("Next: "), "{text}");
    }
    server.goes_on();
    assert!(server.env.log().is_empty(), "{:?}", server.env.log());
}

// IN-GEN-02
#[test]
fn a_mode_of_ten_megabytes_is_refused() {
    let mut server = Server::start();
    let huge = "x".repeat(10_000_000);
    let step = json!({ "action": "fill", "selector": "#x", "text": huge });
    server.refuses(&json!({ "job": { "steps": [step] } }), "The field \"job\"");
    server.refuses(&json!({ "semanticAction": step }), "The field \"semanticAction\"");
    server.refuses(
        &json!({ "qa": { "url": "http://a/", "expectedText": [huge] } }),
        "The field \"qa\"",
    );
    server.goes_on();
}

// DEC-80
#[tokio::test]
async fn a_host_that_does_not_greet_first_is_told_so_by_the_exit_code() {
    let env = TestEnv::without_upstream();
    let mut host = Host::start(&env, &["mcp"]);
    host.notify("notifications/initialized", json!({})).await;
    assert_eq!(host.end().await, 3);
    assert_eq!(Host::start(&env, &["mcp"]).end().await, 0, "a host that says nothing is no error");
}
