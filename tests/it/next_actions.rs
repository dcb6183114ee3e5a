//! What a result offers to do next: exact calls, in order, never a blind retry.

use std::fs;
use std::path::Path;

use agent_browser_native::input::decode;
use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened(rules: Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    tool
}

fn actions(said: &Said) -> Vec<Value> {
    said.details["nextActions"].as_array().cloned().unwrap_or_default()
}

fn ids(said: &Said) -> Vec<String> {
    actions(said).iter().map(|action| action["id"].as_str().unwrap().to_owned()).collect()
}

/// Failures of an act, and the act itself.
fn failing() -> Value {
    json!([
        { "match": { "row": ["click", "#gone"] }, "error": "gone", "code": "tab_gone" },
        { "match": { "row": ["click", "#slow"] }, "error": "slow", "code": "outcome_unknown" },
        { "match": { "row": ["click", "#stale"] }, "error": "Unknown ref: e9" },
        { "match": { "row": ["click", "#odd"] }, "error": "something broke" },
        { "match": { "row": ["tap"] }, "result": { "action": "tap", "confirmation_id": "r1", "confirmation_required": true } },
        { "match": { "row": ["wait"] }, "error": "Wait timed out after 50ms" },
        { "match": { "row": ["fill"] }, "result": { "filled": "#a" } },
        { "match": { "row": ["find"] }, "error": "No element found by text 'Save'. Verify the selector" },
        { "match": { "row": ["snapshot"] }, "result": {
            "origin": URL, "snapshot": "- button \"Save\" [ref=e1]\n- button \"Save\" [ref=e2]",
            "refs": { "e1": { "role": "button", "name": "Save" }, "e2": { "role": "button", "name": "Save" } } } },
    ])
}

const CALLS: [&[&str]; 12] = [
    &["open", URL],
    &["click", "#nope"],
    &["click", "#gone"],
    &["click", "#slow"],
    &["click", "#stale"],
    &["click", "#odd"],
    &["click", "@e77"],
    &["tap", "#a"],
    &["wait", "--text", "x", "--timeout", "50"],
    &["find", "text", "Save", "click"],
    &["screenshot", "a.png"],
    &["titel"],
];

// NEXT-01, NEXT-02, NEXT-09
#[tokio::test]
async fn every_action_is_an_exact_call_or_a_file() {
    let tool = opened(failing()).await;
    for args in CALLS {
        let said = tool.call(args).await;
        for action in actions(&said) {
            let fields = action.as_object().unwrap();
            let known = ["tool", "id", "reason", "safety", "params", "artifactPath"];
            assert!(fields.keys().all(|key| known.contains(&key.as_str())), "{action}");
            assert_eq!(action["tool"], "agent_browser");
            let reason = action["reason"].as_str().unwrap();
            assert!(!reason.is_empty() && reason.len() <= 80, "{action}");
            match (fields.get("params"), fields.get("artifactPath")) {
                (Some(params), None) => {
                    let input =
                        decode(params).unwrap_or_else(|error| panic!("{action}: {error:?}"));
                    // Only a new browser is asked for by name; all else is the current one's.
                    if params["sessionMode"] != "fresh" {
                        let mut same = params.clone();
                        same["sessionMode"] = json!("auto");
                        assert_eq!(decode(&same).unwrap(), input, "{action}");
                    }
                    let keys = params.as_object().unwrap().keys();
                    let known = ["args", "stdin", "sessionMode", "networkSourceLookup", "electron"];
                    assert!(keys.into_iter().all(|key| known.contains(&key.as_str())), "{action}");
                }
                (None, Some(path)) => assert!(Path::new(path.as_str().unwrap()).is_file()),
                _ => panic!("{action}"),
            }
        }
    }
}

// NEXT-03
#[tokio::test]
async fn nothing_to_do_is_no_list() {
    let tool = opened(json!([])).await;
    for args in [&["get", "title"][..], &["close"]] {
        assert!(tool.call(args).await.details.get("nextActions").is_none(), "{args:?}");
    }
}

// NEXT-05, NEXT-37, NEXT-38
#[tokio::test]
async fn generic_actions_stand_before_those_of_a_diagnostic() {
    let page = json!({ "match": { "row": ["eval"] }, "value": {
        "doc": "1", "url": URL, "title": "Fake page", "frames": [], "armed": true, "status": 200,
        "dialogs": [], "fill": { "verdict": "differs", "secret": false } } });
    let tool =
        opened(json!([page, { "match": { "row": ["fill"] }, "result": { "filled": "#a" } }])).await;
    let said = tool.call(&["fill", "#a", "x y"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(ids(&said).last().unwrap(), "verify-filled-value", "{:?}", ids(&said));
    let page = json!({ "match": { "row": ["eval"] }, "value": {
        "doc": "1", "url": URL, "title": "Fake page", "frames": [], "armed": true, "status": 200,
        "dialogs": [], "fill": { "verdict": "empty", "secret": false } } });
    let tool =
        opened(json!([page, { "match": { "row": ["fill"] }, "result": { "filled": "#a" } }])).await;
    let said = tool.call(&["fill", "#a", "x y"]).await;
    let found = ids(&said);
    let at =
        |id: &str| found.iter().position(|one| one == id).unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(at("verify-filled-value"), at("inspect-after-fill-verification") + 1);
    assert_eq!(at("verify-filled-value"), found.len() - 1);
    assert!(said.next().contains(&json!({ "args": ["get", "value", "#a"] })), "{}", said.text);
}

// NEXT-07, NEXT-15
#[tokio::test]
async fn several_matches_are_numbered_and_say_that_one_must_choose() {
    let tool = opened(failing()).await;
    let said = tool.call(&["find", "text", "Save", "click"]).await;
    let tried: Vec<Value> = actions(&said)
        .into_iter()
        .filter(|action| action["id"].as_str().unwrap().starts_with("try-current-visible-ref"))
        .collect();
    let names: Vec<&str> = tried.iter().map(|action| action["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["try-current-visible-ref-1", "try-current-visible-ref-2"]);
    for (action, target) in tried.iter().zip(["@e1", "@e2"]) {
        assert!(action["safety"].as_str().unwrap().contains("snapshot"), "{action}");
        assert_eq!(action["params"]["args"].as_array().unwrap().last().unwrap(), target);
    }
}

// NEXT-08
#[tokio::test]
async fn no_failed_act_is_offered_again_blindly() {
    let tool = opened(failing()).await;
    let mut offered = 0;
    for args in CALLS.into_iter().filter(|args| matches!(args[0], "click" | "tap" | "find")) {
        let said = tool.call(args).await;
        assert!(said.is_error, "{args:?}");
        for action in actions(&said) {
            let sent = action["params"]["args"].as_array().cloned().unwrap_or_default();
            let words: Vec<&str> = sent.iter().filter_map(Value::as_str).collect();
            assert!(!words.ends_with(args), "{args:?}: {action}");
            offered += 1;
        }
    }
    assert!(offered > 0);
}

// NEXT-13
#[tokio::test]
async fn a_semantic_click_on_a_stale_ref_may_be_sent_again_behind_a_snapshot() {
    let tool = opened(json!([
        { "match": { "row": ["click"] }, "error": "Unknown ref: e3" },
        { "match": { "row": ["check"] }, "error": "Unknown ref: e3" },
        { "match": { "row": ["fill"] }, "error": "Unknown ref: e4" },
    ]))
    .await;
    let send = async |action: Value| tool.send(json!({ "semanticAction": action })).await;
    let role = |role: &str, name: &str, action: &str| json!({ "action": action, "locator": "role", "role": role, "name": name });
    let said = send(role("button", "Save", "click")).await;
    assert_eq!(said.category(), "stale-ref", "{}", said.text);
    assert_eq!(ids(&said), ["refresh-interactive-refs", "retry-semantic-action-after-stale-ref"]);
    let retry = &actions(&said)[1];
    let words: Vec<&str> =
        retry["params"]["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(words.ends_with(&["find", "role", "button", "click", "--name", "Save"]), "{words:?}");
    assert!(words.starts_with(&["--session"]), "{words:?}");
    assert!(retry["safety"].as_str().unwrap().contains("same intended target"));
    // No text is repeated, and a raw ref is never tried again.
    tool.call(&["snapshot", "-i"]).await;
    let mut fill = role("textbox", "Email", "fill");
    fill["text"] = json!("ann@shop.test");
    let filled = send(fill).await;
    assert_eq!(filled.category(), "stale-ref", "{}", filled.text);
    assert_eq!(ids(&filled), ["refresh-interactive-refs"]);
    let raw = send(json!({ "action": "click", "selector": "@e77" })).await;
    assert_eq!(ids(&raw), ["refresh-interactive-refs"], "{}", raw.text);
}

// NEXT-58
#[tokio::test]
async fn a_text_that_did_not_come_is_answered_with_a_look_at_the_page() {
    let tool = opened(failing()).await;
    let said = tool.call(&["wait", "--text", "Done", "--timeout", "50"]).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert_eq!(ids(&said), ["inspect-after-text-assertion-failure", "retry-timeout-step"]);
    assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] })]);
}

// NEXT-61
#[tokio::test]
async fn a_saved_file_is_named_for_whoever_uses_it_next() {
    let tool = opened(json!([])).await;
    let said = tool.call(&["screenshot", "a.png"]).await;
    let all = actions(&said);
    let action = all.iter().find(|action| action["id"] == "use-saved-artifact").unwrap();
    assert_eq!(action["artifactPath"], said.details["artifacts"][0]["absolutePath"]);
    assert!(said.next().is_empty(), "routine");
}

// NEXT-62
#[tokio::test]
async fn a_pending_confirmation_offers_both_answers_on_its_session() {
    let tool = TestEngine::new(TestEnv::new().script(&failing()));
    let said = tool.call(&["--session", "mine", "tap", "#a"]).await;
    assert_eq!(ids(&said), ["approve-confirmation", "deny-confirmation"]);
    assert_eq!(
        said.next(),
        [
            json!({ "args": ["--session", "mine", "confirm", "r1"] }),
            json!({ "args": ["--session", "mine", "deny", "r1"] })
        ]
    );
}

// NEXT-70
#[tokio::test]
async fn a_check_of_no_page_says_how_to_find_one() {
    let tool = opened(json!([
        { "match": { "row": ["eval"], "contains": "no page to check" }, "error": "Evaluation error: Error: no page to check: about:blank" },
    ]))
    .await;
    let said = tool.send(json!({ "qa": { "attached": true, "expectedText": "Cart" } })).await;
    assert_eq!(said.category(), "qa-failure", "{}", said.text);
    assert_eq!(ids(&said), ["list-tabs-before-qa-attached", "snapshot-before-qa-attached"]);
    assert_eq!(said.next()[0], json!({ "args": ["tab", "list"] }));
}

// DEC-60, DEC-61
#[tokio::test]
async fn a_tab_that_is_gone_offers_the_others_and_a_new_one() {
    let tool = opened(failing()).await;
    let said = tool.call(&["click", "#gone"]).await;
    assert_eq!(said.category(), "tab-gone");
    assert_eq!(ids(&said), ["list-tabs-after-tab-gone", "open-tab-after-tab-gone"]);
    assert!(said.first().contains("nothing was clicked, the tab is gone."), "{}", said.text);
}

fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, all),
            false => all.push_str(&fs::read_to_string(path).unwrap_or_default()),
        }
    }
}

// DEC-60
#[test]
fn every_id_that_the_decisions_name_is_offered_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let decisions = fs::read_to_string(root.join("spec/3-decisions.md")).unwrap();
    let row = decisions.lines().find(|line| line.starts_with("| DEC-60 |")).unwrap();
    let ids: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
    assert!(!ids.is_empty(), "{row}");
    let mut text = String::new();
    sources(&root.join("src"), &mut text);
    let missing: Vec<&str> =
        ids.into_iter().filter(|id| !text.contains(&format!("\"{id}\""))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
