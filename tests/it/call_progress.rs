//! Calls that ran out of time: what is still known, and what may help.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

fn ids(said: &Said) -> Vec<&str> {
    let next = said.details["nextActions"].as_array().unwrap();
    next.iter().map(|next| next["id"].as_str().unwrap()).collect()
}

/// The row hangs, and so does every question behind it while `busy`.
fn hanging(row: &[&str], busy: bool) -> TestEnv {
    let rule = json!({ "match": { "row": row }, "hang": true });
    let question =
        json!({ "match": { "row": ["eval"], "contains": "\"mark\":false" }, "hang": true });
    TestEnv::new().script(&if busy { json!([rule, question]) } else { json!([rule]) })
}

fn steps() -> Value {
    json!([
        ["open", "http://shop.test/report"],
        ["screenshot", "before.png"],
        ["fill", "#pin", "tulip-4711"],
        ["open", "http://shop.test/never"],
        ["wait", "--text", "done"],
    ])
}

// DIAG-TIME-01, DIAG-TIME-02, DIAG-TIME-03, DIAG-TIME-04, DIAG-TIME-05, DIAG-TIME-06, PLAN-58
#[tokio::test]
async fn a_batch_that_ran_out_of_time_tells_its_steps_files_and_page() {
    let tool = TestEngine::new(hanging(&["open", "http://shop.test/never"], false));
    tool.call(&["open", URL]).await;
    let stdin = steps().to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": stdin, "timeoutMs": 2_500 })).await;
    assert_eq!(said.category(), "timeout");
    let path = tool.env.path("before.png");
    let expected = format!(
        "Failed (timeout, isError: true): stopped after 2500 ms. The running step may have taken effect.\n\
         Timeout partial progress: page context live, artifacts 1/1.\n\
         Page: \"Fake page\" {URL}\n\
         Planned steps:\n\
         1 open http://shop.test/report\n\
         2 screenshot {} (exists, {} bytes)\n\
         3 fill \"#pin\"\n\
         4 open http://shop.test/never\n\
         5 wait --text \"done\"\n\
         The browser is free again.\n\
         Next: {{\"args\":[\"snapshot\",\"-i\"]}}",
        path.display(),
        fs::metadata(&path).unwrap().len(),
    );
    assert_eq!(said.text, expected);
    let progress = &said.details["timeoutPartialProgress"];
    assert_eq!(progress["summary"], "page context live, artifacts 1/1.");
    assert_eq!(
        progress["steps"][3],
        json!({ "step": 4, "args": ["open", "http://shop.test/never"] })
    );
    assert_eq!(progress["currentPage"]["source"], "live");
    let file = &progress["artifacts"][0];
    assert_eq!((&file["exists"], &file["stepIndex"]), (&json!(true), &json!(2)));
    assert!(file["sizeBytes"].is_u64());
    assert!(!said.details.to_string().contains("tulip-4711"), "typed text is not repeated");
    // The browser has answered: the next call is not told that it is busy.
    assert_eq!(tool.call(&["get", "title"]).await.text, "Fake page");
}

// DIAG-TIME-04, DIAG-TIME-06, DIAG-TIME-07, HAZ-23
#[tokio::test]
async fn without_an_answer_of_the_page_the_planned_address_stands_and_the_limit_is_kept() {
    let tool = TestEngine::new(hanging(&["open", "http://shop.test/9"], true));
    tool.call(&["open", URL]).await;
    let rows: Vec<Value> =
        (1..=9).map(|number| json!(["open", format!("http://shop.test/{number}")])).collect();
    let started = std::time::Instant::now();
    let stdin = json!(rows).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": stdin, "timeoutMs": 600 })).await;
    assert!(started.elapsed() < Duration::from_millis(1_900), "{:?}", started.elapsed());
    assert!(said.text.contains("page context planned, artifacts 0/0."), "{}", said.text);
    assert!(said.text.contains("Planned page: http://shop.test/9"), "{}", said.text);
    assert!(said.text.contains("\n6 open http://shop.test/6\n3 more steps\n"), "{}", said.text);
    assert!(said.text.contains("may stay busy for up to 30 s"), "{}", said.text);
    assert_eq!(said.details["timeoutPartialProgress"]["currentPage"]["source"], "planned");
    assert!(!said.text.contains("not run"), "a missing mark proves nothing: {}", said.text);
}

// DIAG-TIME-01, DIAG-TIME-03
#[tokio::test]
async fn a_single_command_has_no_steps_and_nothing_useful_is_no_block() {
    let tool = TestEngine::new(hanging(&["get", "html"], true));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 200 })).await;
    assert!(said.details.get("timeoutPartialProgress").is_none());
    let tool = TestEngine::new(hanging(&["open", "http://shop.test/never"], true));
    tool.call(&["open", URL]).await;
    let said =
        tool.send(json!({ "args": ["open", "http://shop.test/never"], "timeoutMs": 200 })).await;
    assert!(said.text.contains("Planned page: http://shop.test/never"), "{}", said.text);
    assert!(said.details["timeoutPartialProgress"].get("steps").is_none());
    assert!(!said.text.contains("Planned steps"));
}

// SES-08, DEC-94: the browser that a timed-out batch has started stays the current one.
#[tokio::test]
async fn a_fresh_batch_that_ran_out_of_time_keeps_its_browser() {
    let tool = TestEngine::new(hanging(&["open", "http://shop.test/never"], false));
    let first = tool.call(&["open", URL]).await.details["sessionName"].clone();
    let stdin = json!([["open", "http://shop.test/report"], ["open", "http://shop.test/never"]]);
    let said = tool
        .send(json!({ "args": ["batch"], "stdin": stdin.to_string(), "timeoutMs": 2_500,
            "sessionMode": "fresh" }))
        .await;
    assert_eq!(said.category(), "timeout");
    let outcome = &said.details["managedSessionOutcome"];
    assert_eq!((&outcome["status"], &outcome["succeeded"]), (&json!("replaced"), &json!(false)));
    let after = tool.call(&["get", "title"]).await;
    assert_eq!(after.details["sessionName"], outcome["currentSessionName"]);
    assert_ne!(after.details["sessionName"], first);
    // The question behind the limit carried the options of the daemon, or it would have replaced it.
    let asked = tool.asked();
    let name = outcome["currentSessionName"].as_str().unwrap();
    assert!(asked.iter().filter(|asked| asked.has(name)).all(|asked| asked.has("--idle-timeout")));
}

// HAZ-02, DEC-94
#[tokio::test]
async fn a_launching_batch_with_refs_of_its_own_snapshot_keeps_its_daemon() {
    let tool = TestEngine::new(TestEnv::new());
    let stdin = json!([["open", URL], ["snapshot", "-i"], ["click", "@e3"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": stdin })).await;
    assert!(!said.is_error, "{}", said.text);
    let asked = tool.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.has("--idle-timeout")), "{asked:?}");
}

// HAZ-07, DEC-94
#[tokio::test]
async fn a_later_process_of_a_batch_that_is_cut_leaves_the_session_busy() {
    let tool = TestEngine::new(hanging(&["click", "@e3"], true));
    tool.call(&["open", URL]).await;
    let rows = json!([["snapshot", "-i"], ["click", "@e3"], ["get", "title"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows, "timeoutMs": 2_500 })).await;
    assert!(said.is_error, "{}", said.text);
    let third = "3 failed (timeout): it is not known whether it ran.";
    assert!(said.text.contains(third), "{}", said.text);
    assert_eq!(said.details["batchSteps"][1]["failureCategory"], "timeout", "{}", said.details);
    let facts = said.details["facts"].to_string();
    assert!(facts.contains("\"busy\""), "{facts}");
}

// PLAN-57, DIAG-DIALOG-02, NEXT-53, NEXT-54, NEXT-55
#[tokio::test]
async fn a_call_that_may_sit_behind_a_dialog_offers_the_ways_out() {
    let script = "document.title = confirm('Delete?') ? 'yes' : 'no'";
    let tool = TestEngine::new(hanging(&["eval", "-b"], true));
    tool.call(&["--session", "other", "get", "title"]).await;
    let params = json!({ "args": ["eval", "--stdin"], "stdin": script, "timeoutMs": 300 });
    let said = tool.send(params).await;
    assert_eq!(said.category(), "timeout");
    let expected = [
        "recover-fresh-session-after-dialog-timeout",
        "inspect-dialog-after-timeout",
        "dismiss-dialog-after-timeout",
    ];
    assert_eq!(ids(&said)[..3], expected);
    assert_eq!(said.next()[0], json!({ "args": ["open", "about:blank"], "sessionMode": "fresh" }));
    assert_eq!(said.next()[1], json!({ "args": ["dialog", "status"] }));
    assert_eq!(said.next()[2], json!({ "args": ["dialog", "dismiss"] }));
    // A click may as well wait for a page: looking comes first.
    let tool = TestEngine::new(hanging(&["click", "#a"], true));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "args": ["click", "#a"], "timeoutMs": 300 })).await;
    assert_eq!(ids(&said)[..2], ["inspect-after-timeout", "inspect-dialog-after-timeout"]);
    // Reading commands open no dialog.
    let tool = TestEngine::new(hanging(&["get", "html"], true));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "args": ["get", "html", "a"], "timeoutMs": 300 })).await;
    assert_eq!(ids(&said), ["inspect-after-timeout"]);
}

/// A failure of `open` in upstream's words.
async fn opening(address: &str, error: &str) -> Said {
    let rule =
        json!([{ "match": { "row": ["open"] }, "error": format!("Navigation failed: {error}") }]);
    TestEngine::new(TestEnv::new().script(&rule)).call(&["open", address]).await
}

// RUN-17, DIAG-LOCAL-01, DIAG-LOCAL-02
#[tokio::test]
async fn a_server_of_this_machine_that_does_not_answer_gets_a_hint() {
    for address in
        ["http://localhost:8123/a", "http://127.0.0.1:8123/", "http://[::1]:9/", "localhost:5173"]
    {
        for error in ["net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_REFUSED"] {
            let said = opening(address, error).await;
            assert!(said.first().contains(error), "{}", said.text);
            assert!(
                said.text.contains("Agent-browser hint: the browser may not reach that server")
            );
            let file = said.text.lines().find(|line| line.contains("file://")).unwrap();
            for limit in
                ["static fixtures only", "no headers", "MIME", "CORS", "storage", "debugging"]
            {
                assert!(file.contains(limit), "{file}");
            }
        }
    }
    let said = opening("https://shop.test/", "net::ERR_CONNECTION_REFUSED").await;
    assert!(!said.text.contains("hint"), "{}", said.text);
    let said = opening("localhost:5173", "net::ERR_SSL_PROTOCOL_ERROR").await;
    assert!(said.text.contains("write http:// in front of it"), "{}", said.text);
    assert_eq!(said.next(), [json!({ "args": ["open", "http://localhost:5173"] })]);
}

// HAZ-11
#[tokio::test]
async fn an_address_that_gives_no_page_may_be_a_download() {
    let said = opening("http://localhost/report", "net::ERR_ABORTED").await;
    assert!(said.first().contains("net::ERR_ABORTED"), "{}", said.text);
    assert!(said.text.contains("may be a file that is downloaded"), "{}", said.text);
    assert!(said.text.contains("send download <link> <path>"), "{}", said.text);
}

// RUN-18
#[tokio::test]
async fn servers_that_others_have_started_are_left_alone() {
    let env = TestEnv::new();
    let mut server = std::process::Command::new("/bin/sleep").arg("30").spawn().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let tool = TestEngine::new(env);
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tool.call(&["open", &address]).await;
    tool.call(&["close"]).await;
    tool.engine.shutdown().await;
    assert!(server.try_wait().unwrap().is_none(), "the process lives");
    assert!(std::net::TcpStream::connect(listener.local_addr().unwrap()).is_ok());
    server.kill().unwrap();
    server.wait().unwrap();
}

// DIAG-PROF-01
#[tokio::test]
async fn a_profile_that_is_not_there_is_answered_with_the_ones_that_are() {
    let error = "Chrome profile \"Work\" not found. Available profiles:\n  Default (Ann)\nIf you meant a directory path, use a full path (e.g., /path/to/profile).";
    let none = "No Chrome user data directory found. Cannot resolve profile name.\nIf you meant a directory path, use a full path (e.g., /path/to/profile).";
    for (error, lists) in [(error, true), (none, false)] {
        let rule = json!([{ "match": { "argv": ["batch"] }, "stdout": { "error": error, "success": false },
            "exitCode": 1 }]);
        let tool = TestEngine::new(TestEnv::new().script(&rule));
        let params = json!({ "args": ["--profile", "Work", "open", URL], "sessionMode": "fresh" });
        let said = tool.send(params).await;
        assert!(
            said.first().ends_with("nothing was started, Chrome has no profile \"Work\"."),
            "{}",
            said.text
        );
        assert_eq!(said.text.contains("\n  Default (Ann)\n"), lists, "{}", said.text);
        assert!(said.text.contains("Default is not always there"), "{}", said.text);
        assert!(said.text.contains("--executable-path"), "{}", said.text);
        assert_eq!(said.next()[0], json!({ "args": ["profiles"] }));
        assert_eq!(said.next()[1], json!({ "args": ["doctor"] }));
    }
}

// DIAG-HINT-01
#[tokio::test]
async fn old_refs_and_foreign_selectors_get_one_hint() {
    let error = "Element not found: x. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let missing = json!([
        { "match": { "row": ["click"] }, "error": error },
        { "match": { "row": ["fill"] }, "error": error },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&missing));
    tool.call(&["open", URL]).await;
    let started = tool.asked().len();
    for selector in ["text=Close", "button:has-text('Close')"] {
        for words in [&["click", selector][..], &["get", "text", selector], &["wait", selector]] {
            let said = tool.call(words).await;
            assert_eq!(said.category(), "selector-unsupported");
            assert_eq!(said.text.matches("Agent-browser hint:").count(), 1, "{}", said.text);
        }
    }
    let steps = json!([{ "action": "click", "selector": "text=Close" }]);
    let said = tool.send(json!({ "job": { "steps": steps } })).await;
    assert_eq!(said.category(), "selector-unsupported", "{}", said.text);
    assert_eq!(tool.asked().len(), started, "upstream takes such a selector for success");
    // What the caller writes is no selector.
    for words in [&["fill", "#nope", "docs >> advanced"][..], &["fill", "#nope", "// later"]] {
        assert_eq!(tool.call(words).await.category(), "selector-not-found");
    }
    let said = tool.call(&["click", "@e99"]).await;
    assert_eq!(said.category(), "stale-ref");
    assert_eq!(said.text.matches("Agent-browser hint:").count(), 1, "{}", said.text);
}

// DIAG-HEAD-01
#[tokio::test]
async fn a_headed_launch_claims_no_window() {
    let tool = TestEngine::new(TestEnv::new());
    let said = tool.call(&["--headed", "open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    let mut details = said.details.clone();
    for echo in ["args", "effectiveArgs", "facts"] {
        details.as_object_mut().unwrap().remove(echo);
    }
    let all = format!("{} {details}", said.text).to_lowercase();
    for claim in ["headed", "window", "on screen"] {
        assert!(!all.contains(claim), "{claim}: {all}");
    }
}

// DIAG-TIME-04, HAZ-02: the launch is not repeated where it would load a saved state into the page.
#[tokio::test]
async fn a_page_is_not_asked_by_a_launch_that_would_replace_it() {
    let env = hanging(&["open", "http://shop.test/2"], false);
    let tool = TestEngine::new(env.with("AGENT_BROWSER_STATE", "/tmp/state.json"));
    let rows = json!([["open", URL], ["open", "http://shop.test/2"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows, "timeoutMs": 600 })).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert_eq!(said.details["timeoutPartialProgress"]["currentPage"]["source"], "planned");
    assert_eq!(tool.asked().len(), 1);
}

// RES-14: what was looked for is named, by its selector.
#[tokio::test]
async fn a_find_by_place_that_misses_names_its_selector() {
    let error = "No element at index 9 for selector '.twin'. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let missing = json!([{ "match": { "row": ["find"] }, "error": error }]);
    let tool = TestEngine::new(TestEnv::new().script(&missing));
    tool.call(&["open", URL]).await;
    let said = tool.call(&["find", "nth", "9", ".twin", "click"]).await;
    assert!(said.text.contains("there is no match 9 (from 0) of \".twin\"."), "{}", said.text);
    let said = tool.call(&["find", "first", ".nope", "click"]).await;
    assert!(said.text.contains("no element matches \".nope\"."), "{}", said.text);
}
