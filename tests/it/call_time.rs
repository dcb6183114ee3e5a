//! Time: deadlines, cancelled calls, waits, and what is said about a busy browser.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use agent_browser_native::call::CallContext;
use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, soon};

const URL: &str = "http://shop.test/";

fn hanging(row: &[&str]) -> TestEnv {
    TestEnv::new().script(&json!([{ "match": { "row": row }, "hang": true }]))
}

// HAZ-23, RUN-09, DEC-03, IN-TIME-01, HAZ-07
#[tokio::test]
async fn a_hung_call_ends_at_its_limit_and_says_that_the_browser_may_be_busy() {
    let tool = TestEngine::new(hanging(&["get", "html"]));
    tool.call(&["open", URL]).await;
    let started = Instant::now();
    let said = tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 400 })).await;
    assert!(started.elapsed() < Duration::from_millis(1_400), "{:?}", started.elapsed());
    assert_eq!(said.category(), "timeout");
    assert!(said.first().contains("stopped after 400 ms. The running step may have taken effect."));
    assert!(said.text.contains("The browser may stay busy for up to 30 s."), "{}", said.text);
    assert_eq!(said.details["nextActions"][0]["id"], "inspect-after-timeout");
}

// HAZ-07 (3): a call that would have to wait longer than its own limit is answered at once.
#[tokio::test]
async fn a_call_behind_a_hung_script_is_told_at_once() {
    let tool = TestEngine::new(hanging(&["get", "html"]));
    tool.call(&["open", URL]).await;
    tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 200 })).await;
    let before = tool.asked().len();
    let said = tool.send(json!({ "args": ["get", "title"], "timeoutMs": 2000 })).await;
    assert_eq!(said.category(), "timeout");
    assert!(
        said.first().contains("nothing was done, an earlier command still runs"),
        "{}",
        said.text
    );
    assert_eq!(said.next()[0]["sessionMode"], "fresh");
    assert_eq!(tool.asked().len(), before);
}

// RUN-09
#[tokio::test]
async fn a_cancelled_call_answers_within_a_second() {
    let tool = TestEngine::new(hanging(&["get", "html"]));
    tool.call(&["open", URL]).await;
    let context = CallContext { reports_progress: true, ..CallContext::default() };
    let cancel = context.cancel.clone();
    let call = tool.send_in(json!({ "args": ["get", "html", "main"] }), context);
    let stop = async {
        assert!(soon(|| tool.asked().iter().any(|asked| asked.says("html"))).await);
        cancel.cancel();
        Instant::now()
    };
    let (said, cancelled) = tokio::join!(call, stop);
    assert!(cancelled.elapsed() < Duration::from_secs(1), "{:?}", cancelled.elapsed());
    assert_eq!(said.category(), "aborted");
}

// HAZ-07 (1), PLAN-54
#[tokio::test]
async fn a_long_wait_goes_in_slices_and_names_the_callers_own_limit() {
    let rule = json!([{ "match": { "row": ["wait"] }, "error": "Wait timed out after 2000ms", "delayMs": 300 }]);
    let tool = TestEngine::new(TestEnv::new().script(&rule));
    tool.call(&["open", URL]).await;
    let said = tool.call(&["wait", "#late", "--timeout", "500"]).await;
    assert_eq!(
        said.first(),
        "Failed (timeout, isError: true): the wait was not met within 500 ms: \"#late\" is not visible."
    );
    let asked = tool.asked();
    let slices: Vec<_> = asked.iter().filter(|asked| asked.commands() == ["wait"]).collect();
    assert_eq!(slices.len(), 2, "one process a slice");
    assert!(slices.iter().all(|asked| asked.rows[0].contains(&"--timeout".to_owned())));
}

// HAZ-07 (1)
#[tokio::test]
async fn no_slice_of_a_wait_is_longer_than_two_seconds() {
    let unmet = json!([{ "match": { "row": ["wait"] }, "error": "Wait timed out after 2000ms", "times": 1 }]);
    let tool = TestEngine::new(TestEnv::new().script(&unmet));
    tool.call(&["open", URL]).await;
    for (args, kept) in [
        (&["wait", "#a", "--timeout", "9000"][..], &["wait", "#a", "--timeout", "2000"][..]),
        (&["wait", "#a"], &["wait", "#a", "--timeout", "2000"]),
        (&["wait", "--text", "x", "--timeout", "1500"], &["wait", "--text", "x", "--timeout"]),
        (&["wait", "4000"], &["wait", "2000"]),
    ] {
        let before = tool.asked().len();
        let said = tool.call(args).await;
        assert!(!said.is_error, "{args:?}: {}", said.text);
        let asked = tool.asked();
        let slices: Vec<_> = asked[before..].iter().map(|asked| asked.rows[0].clone()).collect();
        assert!(slices[0].starts_with(&kept.iter().map(ToString::to_string).collect::<Vec<_>>()));
        let is_short = |slice: &Vec<String>| slice.last().unwrap().parse::<u64>().unwrap() <= 2_000;
        assert!(slices.iter().all(is_short), "{args:?}: {slices:?}");
        // What is unmet once is met by the second slice; slept time is counted, not measured.
        let expected = if args == ["wait", "4000"] || before == 1 { 2 } else { 1 };
        assert_eq!(slices.len(), expected, "{args:?}: {slices:?}");
    }
}

// DEC-103: a host that hears nothing gives up after a minute.
#[tokio::test]
async fn waits_that_a_silent_host_would_not_survive_are_refused_up_front() {
    let tool = TestEngine::new(TestEnv::new());
    let silent = CallContext::default();
    let said = tool.send_in(json!({ "args": ["wait", "70000"] }), silent).await;
    assert_eq!(said.category(), "validation-error");
    assert!(said.first().contains("add up to 70 s"), "{}", said.text);
    assert!(tool.asked().is_empty());
}

// SES-40, SES-41
#[tokio::test]
async fn calls_on_one_session_take_turns_and_other_sessions_go_on() {
    let env = TestEnv::new();
    let go = env.path("go");
    let tool =
        TestEngine::new(env.script(&json!([{ "match": { "row": ["get", "html"] }, "until": go }])));
    tool.call(&["open", URL]).await;
    tool.call(&["--session", "other", "open", URL]).await;
    let ended = Mutex::new(Vec::new());
    let call = async |name: &'static str, args: &[&str]| {
        let said = tool.call(args).await;
        assert!(!said.is_error, "{}", said.text);
        ended.lock().unwrap().push(name);
    };
    let asked = |word: &str| tool.asked().iter().any(|asked| asked.says(word));
    let beside = async {
        assert!(soon(|| asked("html")).await);
        call("beside", &["--session", "other", "get", "count", "a"]).await;
        // The slow one goes on only now; whoever waits behind it is still not asked.
        assert!(!asked("title"));
        std::fs::write(&go, "").unwrap();
    };
    let slow = call("slow", &["get", "html", "main"]);
    tokio::join!(slow, call("behind", &["get", "title"]), beside);
    assert_eq!(*ended.lock().unwrap(), ["beside", "slow", "behind"]);
}

// RUN-12, RES-17, HAZ-14
#[tokio::test]
async fn output_that_is_not_understood_is_a_failure_and_never_shown_raw() {
    for (stdout, reason) in [
        ("{\"success\":tr", "incomplete JSON"),
        ("Usage: secret words", "plain text"),
        ("", "no output"),
    ] {
        let rule = json!([{ "match": { "argv": ["batch"] }, "stdout": stdout }]);
        let tool = TestEngine::new(TestEnv::new().script(&rule));
        let said = tool.call(&["open", URL]).await;
        assert_eq!(said.category(), "parse-failure");
        assert!(said.details["parseError"].as_str().unwrap().contains(reason), "{}", said.text);
        assert!(!said.text.contains("secret words"));
    }
}

// RUN-14, RES-24, PLAN-31, RES-06, DEC-31
#[tokio::test]
async fn help_and_version_are_plain_text_and_need_no_session() {
    let tool = TestEngine::new(TestEnv::new());
    let said = tool.call(&["--version"]).await;
    assert_eq!(said.text.trim(), "agent-browser 0.41.0");
    assert_eq!((said.category(), &said.details["inspection"]), ("inspection", &json!(true)));
    assert!(said.details.get("sessionName").is_none());
    let help = tool.call(&["open", "--help"]).await;
    assert_eq!(help.category(), "inspection", "{}", help.text);
}

// RUN-10, RES-25
#[tokio::test]
async fn a_missing_upstream_says_what_is_required_and_how_to_get_it() {
    let tool = TestEngine::new(TestEnv::without_upstream());
    let said = tool.call(&["open", URL]).await;
    assert_eq!(said.category(), "missing-binary");
    for part in ["agent-browser is required", "does not bundle", "agent-browser-native setup"] {
        assert!(said.text.contains(part), "{part}: {}", said.text);
    }
}

// DEC-67, DEC-66
#[tokio::test]
async fn every_result_tells_its_own_cost_and_its_rows_on_request() {
    let tool = TestEngine::new(TestEnv::new().with("AGENT_BROWSER_NATIVE_DEBUG", "1"));
    let said = tool.call(&["open", URL]).await;
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    let owners: Vec<&str> = said.details["upstreamRows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["owner"].as_str().unwrap())
        .collect();
    assert_eq!(owners, ["main", "look", "view", "cdp-url"]);
    for row in said.details["upstreamRows"].as_array().unwrap() {
        assert_eq!(row["processMs"], said.details["timing"]["upstreamMs"], "{row}");
    }
    assert!(said.details["effectiveArgs"].to_string().contains("open"));
}

// DEC-69, NEXT-04, PLAN-18, PLAN-19
#[tokio::test]
async fn next_calls_name_the_session_only_where_the_caller_did() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let said = tool.call(&["click", "#nope"]).await;
    assert_eq!(said.next(), vec![json!({ "args": ["snapshot", "-i"] })]);
    let params = &said.details["nextActions"][0]["params"]["args"];
    assert_eq!(params[0], "--session");
    let named = tool.call(&["--namespace", "n", "--session", "s", "click", "#nope"]).await;
    let expected = json!({ "args": ["--namespace", "n", "--session", "s", "snapshot", "-i"] });
    assert_eq!(named.next(), vec![expected]);
}

// DEC-70
#[tokio::test]
async fn the_view_behind_a_navigation_can_be_turned_off() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.view = false);
    let said = tool.call(&["open", URL]).await;
    assert_eq!(said.text, "Opened \"Fake page\" http://shop.test/");
    let shown = TestEngine::new(TestEnv::new());
    assert!(shown.call(&["open", URL]).await.text.contains("- button \"Save\" [ref=e3]"));
}

// DEC-105, IN-ARGS-04, PRES-JSON-01, RES-23, PI-33
#[tokio::test]
async fn caller_json_is_one_json_document_and_nothing_else() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let said = tool.call(&["--json", "get", "title"]).await;
    let document: serde_json::Value = serde_json::from_str(&said.text).unwrap();
    assert_eq!(
        document,
        json!({ "success": true, "data": { "title": "Fake page" }, "error": null })
    );
    let failed = tool.call(&["--json", "click", "#nope"]).await;
    let document: serde_json::Value = serde_json::from_str(&failed.text).unwrap();
    assert_eq!(document["success"], false);
    assert!(failed.is_error);
}
