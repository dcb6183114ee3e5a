//! Every command of the table can be sent, and reaches upstream.

use agent_browser_native::command::table::commands;
use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

/// At least one call of each command; `close` comes last.
const SAMPLES: &[&[&str]] = &[
    &["open", "http://shop.test/"],
    &["back"],
    &["forward"],
    &["reload"],
    &["pushstate", "/pushed"],
    &["click", "#a"],
    &["dblclick", "#a"],
    &["tap", "#a"],
    &["swipe", "up"],
    &["fill", "#a", "x"],
    &["type", "#a", "x"],
    &["press", "Tab"],
    &["keydown", "Shift"],
    &["keyup", "Shift"],
    &["keyboard", "type", "x"],
    &["hover", "#a"],
    &["focus", "#a"],
    &["check", "#a"],
    &["uncheck", "#a"],
    &["select", "#a", "x"],
    &["drag", "#a", "#b"],
    &["upload", "#a", "file.txt"],
    &["download", "#a", "out.bin"],
    &["scroll", "down"],
    &["scrollintoview", "#a"],
    &["mouse", "move", "1", "1"],
    &["find", "role", "button", "click"],
    &["eval", "1"],
    &["wait", "10"],
    &["dialog", "status"],
    &["clipboard", "read"],
    &["frame", "main"],
    &["session", "list"],
    &["skills", "list"],
    &["plugin", "list"],
    &["profiles"],
    &["device", "list"],
    &["doctor"],
    &["dashboard", "start"],
    &["chat", "hello"],
    &["install"],
    &["upgrade"],
    &["snapshot", "-i"],
    &["get", "title"],
    &["is", "visible", "#a"],
    &["read"],
    &["screenshot", "shot.png"],
    &["pdf", "page.pdf"],
    &["highlight", "#a"],
    &["console"],
    &["errors"],
    &["vitals"],
    &["a11y"],
    &["diff", "snapshot"],
    &["react", "tree"],
    &["inspect"],
    &["tab", "list"],
    &["window", "new"],
    &["set", "offline", "on"],
    &["network", "requests"],
    &["cookies", "get"],
    &["storage", "local"],
    &["state", "list"],
    &["auth", "list"],
    &["trace", "start"],
    &["trace", "stop"],
    &["profiler", "start"],
    &["profiler", "stop"],
    &["record", "start", "video.webm"],
    &["stream", "status"],
    &["webmcp", "list"],
    &["removeinitscript", "1"],
    &["click", "#held"],
    &["confirm", "r000001"],
    &["click", "#held"],
    &["deny", "r000001"],
    &["batch", "get title"],
    &["connect", "9222"],
    &["close"],
];
/// Bare `mcp` would speak a protocol on stdout (DEC-29).
const REFUSED: &[&[&str]] = &[&["mcp"], &["state", "clear", "x"], &["state", "rename", "a", "b"]];
/// Sent as other words that do the same.
const REWRITTEN: &[&str] = &["fill", "scroll", "diff", "find"];

// IN-ARGS-03, DEC-29, HAZ-12
#[tokio::test]
async fn every_command_reaches_upstream_but_for_those_that_are_refused() {
    for spec in commands() {
        let samples = SAMPLES.iter().chain(REFUSED);
        assert!(samples.clone().any(|words| words[0] == spec.name), "{} has no sample", spec.name);
    }
    let held =
        json!({ "confirmation_required": true, "confirmation_id": "r000001", "action": "click" });
    let rules = json!([{ "match": { "row": ["click"], "contains": "#held" }, "result": held }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    std::fs::write(tool.env.path("file.txt"), "x").unwrap();
    for words in SAMPLES {
        let before = tool.asked().len();
        let said = tool.call(words).await;
        let asked = tool.asked();
        let sent = asked.iter().skip(before).flat_map(|asked| {
            asked.argv.iter().chain(asked.rows.iter().filter_map(|row| row.first()))
        });
        let sent: Vec<&str> = sent.map(String::as_str).collect();
        let reached =
            sent.contains(&words[0]) || (REWRITTEN.contains(&words[0]) && !sent.is_empty());
        assert!(reached, "{words:?}: {sent:?}: {}", said.text);
    }
    for words in REFUSED {
        let before = tool.asked().len();
        let said = tool.call(words).await;
        assert!(said.is_error && tool.asked().len() == before, "{words:?}: {}", said.text);
    }
}
