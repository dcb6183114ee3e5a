//! The shape of every result: closed sets of categories, base fields, what became of the session.

use agent_browser_native::outcome::{FailureCategory, SuccessCategory};
use agent_browser_native::session::fact::Fact;
use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

fn scripted(rules: Value) -> TestEngine {
    TestEngine::new(TestEnv::new().script(&rules))
}

async fn opened(rules: Value) -> TestEngine {
    let tool = scripted(rules);
    tool.call(&["open", URL]).await;
    tool
}

// RES-10, RES-18, DEC-61
#[test]
fn the_names_of_the_categories_are_a_contract() {
    let failures = FailureCategory::ALL.map(FailureCategory::name);
    assert_eq!(
        failures,
        [
            "aborted",
            "cleanup-failed",
            "confirmation-required",
            "download-not-verified",
            "missing-binary",
            "parse-failure",
            "policy-blocked",
            "qa-failure",
            "selector-not-found",
            "selector-unsupported",
            "stale-ref",
            "tab-drift",
            "tab-gone",
            "timeout",
            "upstream-error",
            "validation-error"
        ]
    );
}

/// Calls that end in every way a stand-in can be brought to.
async fn all_kinds() -> Vec<(&'static str, Said)> {
    let rules = json!([
        { "match": { "row": ["hover"] }, "error": "Unknown ref: e9" },
        { "match": { "row": ["focus"] }, "error": "something broke" },
        { "match": { "row": ["tap"] }, "result": { "action": "tap", "confirmation_id": "r1", "confirmation_required": true } },
        { "match": { "row": ["pdf"] }, "result": { "path": "/nowhere/a.pdf" } },
        { "match": { "row": ["wait", "--text"] }, "error": "Wait timed out after 50ms" },
        { "match": { "row": ["wait", "--download"] }, "error": "Wait timed out after 50ms" },
        { "match": { "row": ["dblclick"] }, "error": "gone", "code": "tab_gone" },
        { "match": { "argv": ["profiles"] }, "stdout": "{\"success\":tr" },
        { "match": { "row": ["record"] }, "result": { "started": true, "path": "a.webm" } },
    ]);
    let tool = opened(rules).await;
    let mut all = Vec::new();
    for (category, args) in [
        ("completed", &["get", "title"][..]),
        ("completed", &["click", "@e3"]),
        ("artifact-saved", &["screenshot", "a.png"]),
        ("artifact-unverified", &["pdf", "a.pdf"]),
        ("inspection", &["--version"]),
        ("selector-not-found", &["click", "#nope"]),
        ("selector-unsupported", &["click", "text=nope"]),
        ("stale-ref", &["hover", "#a"]),
        ("upstream-error", &["focus", "#a"]),
        ("confirmation-required", &["tap", "#a"]),
        ("timeout", &["wait", "--text", "x", "--timeout", "50"]),
        ("download-not-verified", &["wait", "--download", "a.zip", "--timeout", "50"]),
        ("tab-gone", &["dblclick", "#a"]),
        ("parse-failure", &["profiles"]),
        ("validation-error", &["press", "a", "b"]),
        ("policy-blocked", &["mcp"]),
        ("artifact-pending", &["record", "start", "a.webm"]),
    ] {
        all.push((category, tool.call(args).await));
    }
    let missing = TestEngine::new(TestEnv::without_upstream());
    all.push(("missing-binary", missing.call(&["open", URL]).await));
    let tool = opened(json!([{ "match": { "row": ["console"] }, "error": "no" }])).await;
    all.push(("qa-failure", tool.send(json!({ "qa": { "url": URL } })).await));
    all
}

// RES-08, RES-09, RES-10, RES-18
#[tokio::test]
async fn every_result_has_one_category_of_a_closed_set() {
    use SuccessCategory as S;
    let successes =
        [S::Completed, S::ArtifactSaved, S::ArtifactUnverified, S::ArtifactPending, S::Inspection];
    for (expected, said) in all_kinds().await {
        let details = &said.details;
        let (result, other) = match said.is_error {
            true => ("failure", "successCategory"),
            false => ("success", "failureCategory"),
        };
        assert_eq!(details["resultCategory"], result, "{expected}: {}", said.text);
        assert_eq!(said.category(), expected, "{}", said.text);
        assert!(details.get(other).is_none(), "{expected}");
        let known = match said.is_error {
            true => FailureCategory::ALL.into_iter().any(|category| category.name() == expected),
            false => successes.into_iter().any(|category| category.name() == expected),
        };
        assert!(known, "{expected}");
        if said.is_error {
            let prefix = format!("Failed ({expected}, isError: true): ");
            assert!(said.text.starts_with(&prefix), "{}", said.text);
        }
    }
}

// RES-03
#[tokio::test]
async fn a_normal_result_has_its_base_fields() {
    let tool = opened(json!([])).await;
    let said = tool.call(&["snapshot", "-i"]).await;
    let details = said.details.as_object().unwrap();
    for key in [
        "args",
        "effectiveArgs",
        "command",
        "sessionMode",
        "sessionName",
        "usedImplicitSession",
        "resultCategory",
        "successCategory",
        "data",
        "summary",
    ] {
        assert!(details.contains_key(key), "{key}");
    }
    assert_eq!(details["args"], json!(["snapshot", "-i"]));
    assert_eq!(details["command"], "snapshot");
    assert_eq!(details["sessionMode"], "auto");
    assert_eq!(details["summary"], "Snapshot: 4 refs on http://shop.test/");
    let words = details["effectiveArgs"].as_array().unwrap();
    assert_eq!((&words[0], &words[3]), (&json!("--json"), &json!("snapshot")));
}

// RES-15, NEXT-60
#[tokio::test]
async fn every_failed_download_is_one_that_was_not_verified() {
    let rules = json!([
        { "match": { "row": ["download", "#cut"] }, "error": "Download canceled by the browser" },
        { "match": { "row": ["download", "#nope"] }, "error": "Element not found: #nope. Verify the selector" },
        { "match": { "row": ["wait", "--download"] }, "error": "Timeout waiting for download" },
    ]);
    let tool = opened(rules).await;
    let cut = tool.call(&["download", "#cut", "a.zip"]).await;
    assert_eq!(cut.category(), "download-not-verified", "{}", cut.text);
    let offered = cut.next()[0]["args"].clone();
    assert_eq!((&offered[0], &offered[1]), (&json!("wait"), &json!("--download")));
    assert!(offered[2].as_str().unwrap().ends_with("a.zip"), "{offered}");
    let waited = tool.call(&["wait", "--download", "b.zip", "--timeout", "100"]).await;
    assert_eq!(waited.category(), "download-not-verified", "{}", waited.text);
    let missed = tool.call(&["download", "#nope", "c.zip"]).await;
    assert_eq!(missed.category(), "selector-not-found", "the chain stands: {}", missed.text);
}

// RES-29, RES-30
#[tokio::test]
async fn a_semantic_action_is_echoed_as_it_was_compiled() {
    let tool = opened(json!([])).await;
    let echo = |said: &Said| said.details["compiledSemanticAction"].clone();
    let send = async |action: Value| tool.send(json!({ "semanticAction": action })).await;
    let found = send(json!({ "action": "click", "locator": "text", "value": "Save" })).await;
    assert_eq!(
        echo(&found),
        json!({ "action": "click", "locator": "text", "args": ["find", "text", "Save", "click"] })
    );
    let chosen = send(json!({ "action": "select", "selector": "#s", "values": ["a", "b"] })).await;
    assert_eq!(
        echo(&chosen),
        json!({ "action": "select", "selector": "#s", "values": ["a", "b"], "args": ["select", "#s", "a", "b"] })
    );
    let direct = send(json!({ "action": "check", "selector": "#c" })).await;
    assert_eq!(
        echo(&direct),
        json!({ "action": "check", "selector": "#c", "args": ["check", "#c"] })
    );
    // The text of a fill that found nothing is masked in it like in any echoed argv.
    let missed =
        send(json!({ "action": "fill", "selector": "#nope", "text": "open sesame" })).await;
    assert_eq!(echo(&missed)["args"], json!(["fill", "#nope", "[REDACTED]"]));
    // A refusal before the spawn has it too, plain args never.
    let refused = send(json!({ "action": "click", "selector": "@e99" })).await;
    assert_eq!(echo(&refused)["args"], json!(["click", "@e99"]));
    assert_eq!(refused.details["timing"]["upstreamProcesses"], 0);
    assert!(tool.call(&["click", "#a"]).await.details.get("compiledSemanticAction").is_none());
}

/// The facts that a host with a transcript gives back.
fn facts(said: &[&Said]) -> Vec<Fact> {
    let all = said.iter().flat_map(|said| said.details["facts"].as_array().unwrap());
    all.map(|fact| serde_json::from_value(fact.clone()).unwrap()).collect()
}

// RES-38, RES-39, DEC-64
#[tokio::test]
async fn refs_come_from_the_last_snapshot_of_a_batch_and_go_with_the_browser() {
    let tool = TestEngine::new(TestEnv::new());
    let first = tool.call(&["open", URL]).await;
    let said = tool.call(&["snapshot", "-i"]).await;
    let refs = &said.details["refSnapshot"];
    assert_eq!(refs["refIds"], json!(["e1", "e2", "e3", "e4"]));
    assert_eq!(refs["refs"]["e3"], json!({ "role": "button", "name": "Save" }));
    assert_eq!(refs["target"]["url"], URL);
    let rows = json!([["snapshot", "-i"], ["open", "http://shop.test/two"], ["snapshot", "-i"]]);
    let batch = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    let kept = &batch.details["refSnapshot"];
    assert_eq!(kept["target"]["url"], "http://shop.test/two");
    assert_eq!(kept["refIds"], json!(["e5", "e6", "e7", "e8"]));
    // A host that gives the facts back gets the same refs.
    let host = TestEngine::new(tool.into_env());
    host.engine.restore(&facts(&[&first, &said, &batch]));
    assert_eq!(host.call(&["click", "@e1"]).await.category(), "stale-ref");
    let clicked = host.call(&["click", "@e7"]).await;
    assert!(!clicked.is_error, "{}", clicked.text);
    host.call(&["close"]).await;
    assert_eq!(host.call(&["click", "@e7"]).await.category(), "stale-ref");
}

// ART-19
#[tokio::test]
async fn the_manifest_follows_the_branch_of_the_host() {
    let tool = opened(json!([])).await;
    let said = tool.call(&["screenshot", "a.png"]).await;
    let known = facts(&[&said]);
    let host = TestEngine::new(tool.into_env());
    host.engine.restore(&known);
    let second = host.call(&["screenshot", "b.png"]).await;
    let entries =
        |said: &Said| said.details["artifactManifest"]["entries"].as_array().unwrap().len();
    assert_eq!(entries(&second), 2, "restored and new");
    host.engine.restore(&[]);
    let other = host.call(&["screenshot", "c.png"]).await;
    assert_eq!(entries(&other), 1, "another branch knows nothing of them");
    host.engine.restore(&known);
    assert_eq!(entries(&host.call(&["screenshot", "d.png"]).await), 2);
}

// RES-44, RES-45, RES-46
#[tokio::test]
async fn what_became_of_the_managed_session_is_told_in_full() {
    let tool = opened(json!([{ "match": { "argv": ["batch"], "ends": "-f2" }, "exitCode": 1,
        "stdout": { "error": "Failed to launch Chrome", "success": false } }]))
    .await;
    let outcome = |said: &Said| said.details["managedSessionOutcome"].clone();
    let same = outcome(&tool.call(&["get", "title"]).await);
    let keys: Vec<&String> = same.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "status",
            "sessionMode",
            "attemptedSessionName",
            "previousSessionName",
            "currentSessionName",
            "activeBefore",
            "activeAfter",
            "succeeded",
            "summary"
        ]
    );
    assert_eq!((&same["status"], &same["succeeded"]), (&json!("unchanged"), &json!(true)));
    let fresh = json!({ "args": ["open", URL], "sessionMode": "fresh" });
    let replaced = outcome(&tool.send(fresh.clone()).await);
    assert_eq!(replaced["status"], "replaced");
    assert_eq!(replaced["replacedSessionName"], same["currentSessionName"]);
    let preserved = outcome(&tool.send(fresh).await);
    assert_eq!(preserved["status"], "preserved");
    assert_eq!(preserved["currentSessionName"], replaced["currentSessionName"]);
    assert_eq!((&preserved["activeAfter"], &preserved["succeeded"]), (&json!(true), &json!(false)));
    // Other sessions and calls without one have none; a close of the managed one by name has.
    assert_eq!(outcome(&tool.call(&["--session", "mine", "open", URL]).await), Value::Null);
    assert_eq!(outcome(&tool.call(&["--version"]).await), Value::Null);
    let name = replaced["currentSessionName"].as_str().unwrap();
    assert_eq!(outcome(&tool.call(&["--session", name, "close"]).await)["status"], "closed");
}

// RES-48, RES-49
#[tokio::test]
async fn a_fresh_browser_that_opened_its_page_stays_although_a_later_step_failed() {
    let tool = opened(json!([{ "match": { "row": ["console"] }, "error": "no console" }])).await;
    let job = json!([{ "action": "open", "url": URL }, { "action": "click", "selector": "#nope" }]);
    for params in [
        json!({ "job": { "steps": job }, "sessionMode": "fresh" }),
        json!({ "qa": { "url": URL }, "sessionMode": "fresh" }),
    ] {
        let said = tool.send(params).await;
        assert!(said.is_error, "{}", said.text);
        let outcome = &said.details["managedSessionOutcome"];
        assert_eq!(
            (&outcome["status"], &outcome["succeeded"]),
            (&json!("replaced"), &json!(false))
        );
        assert!(
            said.text.contains("\nManaged session outcome: the new browser is current"),
            "{}",
            said.text
        );
        let current = outcome["currentSessionName"].clone();
        assert!(current.as_str().unwrap().contains("-f"), "{current}");
        assert_eq!(tool.call(&["get", "title"]).await.details["sessionName"], current);
    }
}

// RES-58
#[tokio::test]
async fn a_click_that_nobody_saw_react_is_not_called_a_change() {
    let quiet = json!({ "match": { "row": ["eval"] }, "value": {
        "doc": "1", "url": URL, "title": "Fake page", "frames": [], "armed": true, "status": 200,
        "dialogs": [], "waitedMs": 300,
        "effect": { "changed": false, "reached": true } } });
    let tool = scripted(json!([quiet]));
    tool.call(&["open", URL]).await;
    let said = tool.call(&["click", "#save"]).await;
    assert_eq!(said.text, "Clicked \"#save\". No change seen within 300 ms.");
    assert_eq!(said.details["pageChangeSummary"]["changeType"], "mutation");
    assert!(!said.is_error);
}

// PRES-LONG-01
#[tokio::test]
async fn long_running_families_are_handed_on_as_they_are() {
    let tool = opened(json!([])).await;
    for args in [
        &["stream", "enable"][..],
        &["trace", "start"],
        &["inspect"],
        &["chat", "hello"],
        &["dashboard", "start"],
        &["doctor", "--fix"],
    ] {
        tool.call(args).await;
        let asked = tool.asked();
        let last = asked.last().unwrap();
        let rows =
            last.rows.iter().any(|row| row.iter().map(String::as_str).eq(args.iter().copied()));
        let plain = args.iter().all(|word| last.has(word));
        assert!(rows || plain, "{args:?}: {:?} {:?}", last.argv, last.rows);
    }
    // Where the class is off the call is refused instead, and nothing starts.
    let closed = TestEngine::with(TestEnv::new(), |options| {
        options.allowed.remove(&agent_browser_native::command::Class::Process);
    });
    for args in [&["install"][..], &["upgrade"], &["doctor", "--fix"]] {
        assert_eq!(closed.call(args).await.category(), "policy-blocked", "{args:?}");
    }
    assert!(closed.asked().is_empty());
}

// PRES-JSON-02
#[test]
fn callers_are_told_not_to_ask_for_json() {
    let words = agent_browser_native::input::schema::DESCRIPTION;
    assert!(words.contains("Do not pass --json."));
}
