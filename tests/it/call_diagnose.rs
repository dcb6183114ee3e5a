//! Diagnostics through the whole walk: which rows they add, what they say, what they offer.

use serde_json::{Value, json};

use crate::support::engine::{Asked, Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened(rules: Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    tool
}

/// The page behind a command, with these answers and this effect.
fn behind(answers: &Value, effect: &Value) -> Value {
    json!({ "match": { "row": ["eval"], "contains": "after(ask)" }, "value": {
        "doc": "1794770000002.5", "url": URL, "title": "Fake page", "armed": true, "waitedMs": 300,
        "answers": answers, "effect": effect,
    }})
}

fn ids(said: &Said) -> Vec<String> {
    let actions = said.details["nextActions"].as_array().cloned().unwrap_or_default();
    actions.iter().map(|action| action["id"].as_str().unwrap().to_owned()).collect()
}

fn args(said: &Said, id: &str) -> Value {
    let actions = said.details["nextActions"].as_array().cloned().unwrap_or_default();
    let found = actions.iter().find(|action| action["id"] == id);
    let args = found.map(|action| action["params"]["args"].clone()).unwrap_or_default();
    // Without the session in front.
    let words: Vec<&str> =
        args.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let own = words.iter().position(|word| *word == "--session").map_or(0, |at| at + 2);
    json!(words[own..])
}

/// A press that landed elsewhere.
fn missed(outside: &Value) -> Value {
    let press = json!({ "reached": 0, "elsewhere": 3, "taken": false, "outside": outside });
    json!([behind(&json!({ "press": press }), &json!({}))])
}

// DIAG-CLICK-01, DIAG-CLICK-02, DIAG-CLICK-05, DIAG-CLICK-06, DIAG-CLICK-07, DIAG-CLICK-08, NEXT-25, NEXT-26, DEC-112
#[tokio::test]
async fn a_click_that_its_target_did_not_receive_is_a_failure_and_not_repeated() {
    for (target, kind) in [("@e3", "ref"), ("#save", "selector"), ("xpath=//b", "xpath")] {
        let tool = opened(missed(&Value::Null)).await;
        let said = tool.call(&["click", target]).await;
        assert_eq!(said.category(), "upstream-error", "{}", said.text);
        assert!(said.first().ends_with(" did not receive it."), "{}", said.text);
        assert!(
            said.text
                .contains("\nClick dispatch diagnostic: no trusted event reached it; it may be")
        );
        let found = &said.details["clickDispatch"];
        assert_eq!(found["status"], "no-native-event-observed");
        assert_eq!(found["reason"], "native-click-produced-no-target-dom-event");
        assert_eq!(
            (&found["nativeEventCount"], &found["target"]["kind"]),
            (&json!(0), &json!(kind))
        );
        assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] })]);
        assert_eq!(args(&said, "inspect-click-dispatch-miss"), json!(["snapshot", "-i"]));
        assert_eq!(args(&said, "retry-click-after-dispatch-miss"), json!(["click", target]));
        let asked = tool.asked();
        let clicks = asked.iter().flat_map(|one| &one.rows).filter(|row| row[0] == "click");
        assert_eq!(clicks.count(), 1);
        assert_eq!(asked.last().unwrap().commands(), ["eval", "click", "eval"]);
    }
}

// DIAG-CLICK-09, NEXT-27
#[tokio::test]
async fn a_target_outside_of_its_container_can_be_scrolled_to() {
    let outside = json!({ "kind": "container", "tag": "div", "role": null });
    let tool = opened(missed(&outside)).await;
    let said = tool.call(&["click", "@e3"]).await;
    assert!(said.text.contains("it lies outside its scroll container."), "{}", said.text);
    assert_eq!(said.details["clickDispatch"]["scrollContainer"], outside);
    let scroll = json!({ "args": ["scrollintoview", "@e3"] });
    assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] }), scroll]);
    let id = "scroll-target-into-view-after-dispatch-miss";
    assert_eq!(args(&said, id), json!(["scrollintoview", "@e3"]));
}

// DIAG-CLICK-04, DIAG-CLICK-05
#[tokio::test]
async fn presses_that_arrived_or_cannot_be_judged_are_no_miss() {
    let dialog = json!({ "reached": 0, "elsewhere": 0, "taken": false });
    let cases = [
        (json!({ "press": { "reached": 1, "elsewhere": 0, "taken": false } }), json!({})),
        (json!({ "press": { "reached": 0, "elsewhere": 0, "taken": true } }), json!({})),
        (json!({ "press": dialog }), json!({ "changed": true })),
        (json!({ "press": dialog }), json!({ "leaving": true })),
        // Not found in the page: a closed shadow root, the controls of a video.
        (json!({}), json!({ "reached": true })),
        (json!({}), json!({ "reached": false })),
    ];
    for (answers, effect) in cases {
        let tool = opened(json!([behind(&answers, &effect)])).await;
        let said = tool.call(&["click", "@e3"]).await;
        assert!(said.details.get("clickDispatch").is_none(), "{answers}: {}", said.text);
    }
    // A step of a batch is judged like the command alone; what `find` looks for is not.
    let tool = opened(missed(&Value::Null)).await;
    let rows = json!([["click", "@e3"]]).to_string();
    assert!(tool.send(json!({ "args": ["batch"], "stdin": rows })).await.is_error);
    assert!(!tool.call(&["find", "text", "Save", "click"]).await.is_error);
    let asked = tool.asked();
    let scripts =
        asked.iter().map(|one| one.entry.to_string()).filter(|text| text.contains("click"));
    assert!(scripts.count() >= 2);
}

fn dialog_stands() -> Value {
    let effect = json!({ "reached": true, "standing": ["Newsletter"] });
    behind(&json!({}), &effect)
}

fn clicked() -> Value {
    json!({ "match": { "row": ["click"] }, "result": { "clicked": "it" } })
}

fn snapshot_with_close() -> Value {
    let refs = json!({ "e3": { "role": "button", "name": "Save" }, "e8": { "role": "button", "name": "Close" },
        "e9": { "role": "link", "name": "No thanks" }, "e10": { "role": "button", "name": "Sign in" } });
    let text = "- button \"Save\" [ref=e3]\n- button \"Close\" [ref=e8]\n- link \"No thanks\" [ref=e9]\n- button \"Sign in\" [ref=e10]";
    json!({ "match": { "row": ["snapshot"] }, "result": { "origin": URL, "refs": refs, "snapshot": text } })
}

// DIAG-OVER-01, DIAG-OVER-02, DIAG-OVER-04, DIAG-OVER-06, DIAG-OVER-07, DIAG-OVER-08, NEXT-28, NEXT-29, HAZ-16,
// PAGE-24
#[tokio::test]
async fn a_click_without_effect_behind_an_open_dialog_names_what_closes_it() {
    let first = json!({ "match": { "row": ["snapshot"] }, "times": 1, "result": { "origin": URL,
        "refs": { "e3": { "role": "button", "name": "Save" } }, "snapshot": "- button \"Save\" [ref=e3]" } });
    let tool = opened(json!([first, dialog_stands(), snapshot_with_close(), clicked()])).await;
    assert_eq!(tool.call(&["click", "@e8"]).await.category(), "stale-ref");
    let before = tool.asked().len();
    let said = tool.call(&["click", "@e3"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(
        said.text.contains(
            "\nPossible overlay blockers: the dialog \"Newsletter\" is open; to close it perhaps \
             @e8 button \"Close\", @e9 link \"No thanks\".\n"
        ),
        "{}",
        said.text
    );
    let found = &said.details["overlayBlockers"];
    let candidates = found["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 2);
    assert_eq!(candidates[0]["ref"], "@e8");
    assert_eq!(candidates[0]["args"], json!(["click", "@e8"]));
    assert!(found["summary"].is_string() && found["snapshot"]["refIds"].is_array());
    assert_eq!(tool.asked().len() - before, 3, "a snapshot, and what lies in the dialog");
    let listed = ids(&said);
    let at = |id: &str| listed.iter().position(|one| one == id).unwrap();
    assert!(at("inspect-overlay-state") < at("try-overlay-blocker-candidate-1"));
    assert_eq!(args(&said, "try-overlay-blocker-candidate-2"), json!(["click", "@e9"]));
    // The refs of that snapshot are known from then on.
    assert!(!tool.call(&["click", "@e8"]).await.is_error);
}

// PRES-SNAP-08, HAZ-16
#[tokio::test]
async fn a_snapshot_behind_an_open_dialog_names_what_closes_it() {
    let page = |dialogs: Value| {
        json!({ "match": { "row": ["eval"] }, "value": {
        "doc": "1.5", "url": URL, "title": "t", "frames": [], "dialogs": dialogs } })
    };
    for (dialogs, line) in [
        (
            json!(["Newsletter"]),
            "Possible overlay blockers: the dialog \"Newsletter\" is open; to close it perhaps \
             @e8 button \"Close\", @e9 link \"No thanks\".",
        ),
        (json!([]), "- button \"Save\" [ref=e3]"),
    ] {
        let tool = opened(json!([page(dialogs.clone()), snapshot_with_close()])).await;
        let before = tool.asked().len();
        let said = tool.call(&["snapshot", "-i"]).await;
        assert_eq!(said.text.lines().nth(1), Some(line), "{}", said.text);
        assert_eq!(tool.asked().len() - before, 1, "no extra process");
        let found = &said.details["overlayBlockers"];
        assert_eq!(found["candidates"][0]["ref"] == "@e8", dialogs != json!([]), "{found}");
        let opened = tool.call(&["open", URL]).await;
        assert!(opened.text.contains(line), "{}", opened.text);
    }
    let plain = json!({ "match": { "row": ["snapshot"] }, "result": { "origin": URL,
        "refs": { "e3": { "role": "button", "name": "Pay" } }, "snapshot": "- button \"Pay\" [ref=e3]" } });
    let tool = opened(json!([page(json!(["Checkout"])), plain])).await;
    let said = tool.call(&["snapshot", "-i"]).await;
    assert_eq!(said.text.lines().nth(1), Some("A dialog is open in the page: \"Checkout\""));
    assert_eq!(said.details["overlayBlockers"], Value::Null);
}

// DIAG-OVER-01, DIAG-OVER-03, DIAG-CLICK-10, HAZ-16
#[tokio::test]
async fn a_dialog_is_no_blocker_where_something_happened_or_another_finding_says_why() {
    let changed = behind(&json!({}), &json!({ "changed": true, "standing": ["Newsletter"] }));
    let press = json!({ "reached": 0, "elsewhere": 1, "taken": false });
    let dispatch = behind(&json!({ "press": press }), &json!({ "standing": ["Newsletter"] }));
    for (rule, target) in [(changed, "@e3"), (dispatch, "@e3"), (dialog_stands(), "#save")] {
        let tool = opened(json!([rule, snapshot_with_close(), clicked()])).await;
        let before = tool.asked().len();
        let said = tool.call(&["click", target]).await;
        assert!(said.details.get("overlayBlockers").is_none(), "{}", said.text);
        assert_eq!(tool.asked().len() - before, 1, "{}", said.text);
    }
}

// HAZ-16, DEC-91
#[tokio::test]
async fn upstreams_covered_refusal_names_the_cover_and_what_closes_it() {
    let error = "Element '@e3' is covered by <div#cookie> at its click point, so the input would land on that element instead.";
    let rule = json!({ "match": { "row": ["click", "@e3"] }, "error": error });
    let tool = opened(json!([rule, snapshot_with_close()])).await;
    let said = tool.call(&["click", "@e3"]).await;
    assert!(said.is_error);
    assert!(said.first().contains("is covered by \"<div#cookie>\""), "{}", said.text);
    assert!(
        said.text.contains(
            "Possible overlay blockers: \"<div#cookie>\" covers it; to close it perhaps @e8"
        ),
        "{}",
        said.text
    );
    assert_eq!(said.next()[1], json!({ "args": ["click", "@e8"] }));
}

// HAZ-07, HAZ-16
#[tokio::test]
async fn a_second_try_on_a_covered_element_that_is_cut_may_have_clicked() {
    let error = "Element '@e3' is covered by <div#cookie> at its click point, so the input would land on that element instead.";
    let click = json!({ "row": ["click", "@e3"] });
    let covered = json!({ "match": click, "error": error, "times": 1 });
    let tool = opened(json!([covered, { "match": click, "hang": true }])).await;
    let said = tool.send(json!({ "args": ["click", "@e3"], "timeoutMs": 2_500 })).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(said.text.contains("may have taken effect"), "{}", said.text);
    assert!(said.text.contains("may stay busy"), "{}", said.text);
}

// DIAG-COMBO-01, DIAG-COMBO-02, DIAG-COMBO-03, DIAG-COMBO-04, NEXT-32, NEXT-33, NEXT-34
#[tokio::test]
async fn a_combobox_that_shows_no_options_says_so_and_how_to_open_it() {
    let active = json!({ "role": "combobox", "tag": "input", "expanded": "false", "hasPopup": "listbox", "name": "Country" });
    let rule = behind(&json!({ "combobox": active }), &json!({ "changed": true }));
    for call in [
        &["find", "role", "combobox", "click", "--name", "Country"][..],
        &["click", "[role=\"combobox\"]"],
        &["fill", "input[role=combobox]", "x"],
    ] {
        let tool = opened(json!([rule])).await;
        let said = tool.call(call).await;
        assert!(!said.is_error, "{}", said.text);
        assert!(
            said.text.contains("\nCombobox diagnostic: focused combobox did not expose visible options within 300 ms"),
            "{}",
            said.text
        );
        let found = &said.details["comboboxFocus"];
        assert_eq!(found["reason"], "focused-combobox-without-visible-options");
        assert_eq!(found["activeElement"], active);
        assert_eq!(
            (&found["visibleListboxCount"], &found["visibleOptionCount"]),
            (&json!(0), &json!(0))
        );
        assert!(found["message"].is_string() && found["recommendations"].is_array());
        assert_eq!(args(&said, "inspect-focused-combobox"), json!(["snapshot", "-i"]));
        assert_eq!(args(&said, "try-open-combobox-with-arrow"), json!(["press", "ArrowDown"]));
        assert_eq!(args(&said, "try-open-combobox-with-enter"), json!(["press", "Enter"]));
        let asked = tool.asked().pop().unwrap();
        assert!(
            asked.commands().first() == Some(&"eval") && asked.commands().last() == Some(&"eval")
        );
        assert!(asks_about_combobox(&asked), "{call:?}");
    }
    // Nobody asks about a combobox where none is meant.
    for call in [&["click", "#save"][..], &["find", "role", "button", "click"], &["click", "@e3"]] {
        let tool = opened(json!([])).await;
        assert!(!tool.call(call).await.is_error);
        assert!(!asks_about_combobox(&tool.asked().pop().unwrap()), "{call:?}");
    }
}

/// One of the scripts asks for it by name; the library itself is not sent again.
fn asks_about_combobox(asked: &Asked) -> bool {
    use base64::Engine as _;
    let scripts = asked.rows.iter().filter(|row| row[0] == "eval").map(|row| row.last().unwrap());
    let scripts: Vec<String> = scripts
        .map(|script| base64::engine::general_purpose::STANDARD.decode(script).unwrap())
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    assert!(!scripts.is_empty());
    scripts.iter().any(|script| script.contains("\"combobox\":{"))
}

// DIAG-TEXT-01, DIAG-TEXT-02, DIAG-TEXT-04, DIAG-TEXT-06, NEXT-35
#[tokio::test]
async fn a_hidden_first_match_is_said_with_what_can_be_seen() {
    let report = json!([{ "selector": ".total", "matchCount": 2, "visibleCount": 1, "firstVisible": false,
        "candidates": [{ "index": 1, "tagName": "b", "role": null, "textPreview": "42 EUR" }] }]);
    let tool = opened(json!([behind(&json!({ "texts": report }), &Value::Null)])).await;
    let said = tool.call(&["get", "text", ".total"]).await;
    assert!(!said.is_error);
    assert!(
        said.text.contains(
            "\nSelector text visibility warning: the first of 2 matches of \".total\" was read, and \
             it is hidden; visible is \"42 EUR\" (inspect-visible-text-candidates)."
        ),
        "{}",
        said.text
    );
    let found = &said.details["selectorTextVisibility"];
    assert_eq!(found["firstVisibleTextPreview"], "42 EUR");
    assert_eq!(
        found["visibleCandidates"][0],
        json!({ "index": 1, "tagName": "b", "textPreview": "42 EUR" })
    );
    let next = said.next().pop().unwrap();
    assert_eq!(next["args"], json!(["eval", "--stdin"]));
    assert!(next["stdin"].as_str().unwrap().contains("querySelectorAll(\".total\")"));
    assert_eq!(tool.asked().last().unwrap().commands(), ["get", "eval"]);
    // A selector with one match, visible or not, is no hazard.
    let tool = opened(json!([behind(&json!({ "texts": [] }), &Value::Null)])).await;
    assert!(!tool.call(&["get", "text", ".total"]).await.text.contains("warning"));
}

// DIAG-TEXT-01, DIAG-TEXT-05, DIAG-TEXT-07, NEXT-35
#[tokio::test]
async fn the_selectors_of_a_batch_are_judged_together_hidden_ones_first() {
    let report = json!([
        { "selector": "li", "matchCount": 9, "visibleCount": 9, "firstVisible": true, "candidates": [] },
        { "selector": "h2", "matchCount": 2, "visibleCount": 1, "firstVisible": false, "candidates": [] },
    ]);
    let tool = opened(json!([behind(&json!({ "texts": report }), &Value::Null)])).await;
    let rows = json!([
        ["get", "text", "li"],
        ["get", "text", "#id"],
        ["get", "text", "h2"],
        ["get", "title"]
    ]);
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    assert!(!said.is_error, "{}", said.text);
    let asked = tool.asked().pop().unwrap();
    assert_eq!(
        asked.commands(),
        ["get", "get", "get", "eval", "get", "eval"],
        "one question for the run"
    );
    assert_eq!(said.details["selectorTextVisibility"]["selector"], "h2");
    let all = said.details["selectorTextVisibilityAll"].as_array().unwrap();
    assert_eq!((all.len(), &all[1]["selector"]), (2, &json!("li")));
    assert_eq!(said.text.matches("Selector text visibility warning").count(), 2, "{}", said.text);
    assert!(
        said.text.contains(
            "(inspect-visible-text-candidates-2 or use a visible @ref or a narrower selector)."
        ),
        "{}",
        said.text
    );
    let listed = ids(&said);
    assert!(listed.contains(&"inspect-visible-text-candidates".to_owned()));
    assert!(listed.contains(&"inspect-visible-text-candidates-2".to_owned()));
}

// DIAG-EVAL-01, DIAG-EVAL-02, DIAG-EVAL-05
#[tokio::test]
async fn a_function_that_nobody_called_gets_a_hint() {
    let rule = |value: Value| json!([{ "match": { "row": ["eval"], "contains": "document.title" }, "value": value }]);
    for script in [
        "() => document.title",
        "function f() { return document.title }",
        "async x => document.title",
    ] {
        let tool = opened(rule(json!({}))).await;
        for call in [
            json!({ "args": ["eval", "--stdin"], "stdin": script }),
            json!({ "args": ["eval", "--stdin", script] }),
        ] {
            let said = tool.send(call).await;
            assert!(!said.is_error);
            assert_eq!(
                said.text,
                "{}\nEval stdin hint: the script is a function and nobody called it; send (SCRIPT)() instead."
            );
            let hint = &said.details["evalStdinHint"];
            assert!(hint["reason"].is_string() && hint["suggestion"].is_string());
        }
    }
    for (script, value) in [
        ("() => document.title", json!([])),
        ("(() => document.title)()", json!({})),
        ("({ title: document.title })", json!({})),
    ] {
        let tool = opened(rule(value)).await;
        let said = tool.send(json!({ "args": ["eval", "--stdin"], "stdin": script })).await;
        assert!(!said.text.contains("hint"), "{script}: {}", said.text);
    }
}

fn requests(rows: &Value) -> Value {
    json!({ "match": { "row": ["network", "requests"] }, "result": { "requests": rows } })
}

// DIAG-ROUTE-01, DIAG-ROUTE-02, NEXT-56, NEXT-57
#[tokio::test]
async fn a_request_that_its_route_did_not_answer_is_said() {
    let rows = json!([
        { "requestId": "7.1", "method": "GET", "resourceType": "Fetch", "url": "http://api.test/v1/cart" },
        { "requestId": "7.2", "method": "GET", "resourceType": "Fetch", "url": "http://api.test/v1/user", "status": 200 },
        { "requestId": "7.3", "method": "GET", "resourceType": "Fetch", "url": "http://ads.test/x" },
    ]);
    let routed = json!({ "match": { "row": ["network", "route"] }, "result": { "routed": "x" } });
    let removed =
        json!({ "match": { "row": ["network", "unroute"] }, "result": { "unrouted": "x" } });
    let tool = opened(json!([requests(&rows), routed, removed])).await;
    tool.call(&["network", "route", "**/v1/*", "--body", "{}"]).await;
    tool.call(&["network", "route", "*ads*", "--abort"]).await;
    let said = tool.call(&["network", "requests"]).await;
    assert!(
        said.text
            .contains("\nRoute diagnostic: the route \"**/v1/*\" has not answered its request: "),
        "{}",
        said.text
    );
    assert!(said.text.contains("CORS"), "{}", said.text);
    let found = &said.details["networkRouteDiagnostics"];
    assert_eq!(found["requests"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&found["requests"][0]["requestId"], &found["requests"][0]["pattern"]),
        (&json!("7.1"), &json!("**/v1/*"))
    );
    assert_eq!(args(&said, "inspect-routed-network-request"), json!(["network", "request", "7.1"]));
    assert_eq!(
        args(&said, "start-network-har-capture-for-route-mock"),
        json!(["network", "har", "start"])
    );
    tool.call(&["network", "unroute", "**/v1/*"]).await;
    let said = tool.call(&["network", "requests"]).await;
    assert!(said.details.get("networkRouteDiagnostics").is_none(), "{}", said.text);
}

// DIAG-ROUTE-01
#[tokio::test]
async fn a_route_of_the_same_batch_counts() {
    let rows = json!([{ "requestId": "7.1", "resourceType": "XHR", "url": "http://api.test/v1/cart", "status": 502 }]);
    let routed = json!({ "match": { "row": ["network", "route"] }, "result": { "routed": "x" } });
    let tool = opened(json!([requests(&rows), routed])).await;
    let rows = json!([["network", "route", "**/v1/*", "--body", "{}"], ["network", "requests"]]);
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    assert!(said.text.contains("Route diagnostic: "), "{}", said.text);
}

// DIAG-FILL-02, DIAG-FILL-03, NEXT-37, NEXT-38, HAZ-19
#[tokio::test]
async fn a_fill_that_did_not_take_is_told_with_the_way_to_type_instead() {
    let filled = |verdict: &str, editable: bool| {
        let mut rule = behind(&json!({}), &json!({}));
        rule["value"]["fill"] = json!({ "verdict": verdict, "editable": editable, "type": "text" });
        json!([rule])
    };
    let tool = opened(filled("empty", false)).await;
    let said = tool.call(&["fill", "@e4", "x"]).await;
    assert_eq!(said.category(), "upstream-error");
    assert!(said.text.contains("snapshot, focus it, then keyboard type"), "{}", said.text);
    assert_eq!(said.details["fillVerification"]["status"], "empty");
    assert_eq!(args(&said, "inspect-after-fill-verification"), json!(["snapshot", "-i"]));
    assert_eq!(args(&said, "verify-filled-value"), json!(["get", "value", "@e4"]));
    // Old text of a contenteditable is still there: done, but not as it was sent.
    let tool = opened(filled("differs", true)).await;
    let said = tool.call(&["fill", "@e4", "x"]).await;
    assert!(!said.is_error);
    assert!(said.first().ends_with("; value differs from what was sent."), "{}", said.text);
    assert_eq!(said.details["fillVerification"]["editable"], true);
    assert_eq!(args(&said, "verify-filled-value"), json!(["get", "text", "@e4"]));
    assert!(!said.text.contains("\"x\""), "the value is never repeated");
}

// DIAG-CAND-03, NEXT-18, NEXT-19
#[tokio::test]
async fn candidates_keep_the_name_and_the_session() {
    let miss =
        json!({ "match": { "row": ["find"] }, "error": "No element found with text: Log in" });
    let tool = TestEngine::new(TestEnv::new().script(&json!([miss])));
    tool.call(&["--session", "mine", "open", URL]).await;
    let action =
        json!({ "action": "click", "locator": "text", "value": "Log in", "session": "mine" });
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(said.category(), "selector-not-found", "{}", said.text);
    for role in ["button", "link"] {
        let candidate = json!({ "args": ["--session", "mine", "find", "role", role, "click", "--name", "Log in"] });
        assert!(
            said.next().contains(&candidate)
                || ids(&said).contains(&format!("try-{role}-name-candidate")),
            "{}",
            said.text
        );
        let wanted = json!(["find", "role", role, "click", "--name", "Log in"]);
        assert_eq!(args(&said, &format!("try-{role}-name-candidate")), wanted);
    }
    assert!(said.next().iter().all(|call| call["args"][1] == "mine"), "{}", said.text);
}

// DIAG-RICH-04
#[tokio::test]
async fn a_fill_by_role_and_name_runs_on_the_one_current_ref() {
    let refs = json!({ "e4": { "role": "textbox", "name": "Email" }, "e5": { "role": "searchbox", "name": "Find" },
        "e6": { "role": "searchbox", "name": "Find" } });
    let text = "- textbox \"Email\" [ref=e4]\n- searchbox \"Find\" [ref=e5]\n- searchbox \"Find\" [ref=e6]";
    let rule = json!({ "match": { "row": ["snapshot"] }, "result": { "origin": URL, "refs": refs, "snapshot": text } });
    let tool = opened(json!([rule])).await;
    let fill = |role: &str, name: &str| json!({ "semanticAction": { "action": "fill", "locator": "role", "role": role, "name": name, "text": "a" } });
    tool.send(fill("textbox", "Email")).await;
    assert!(tool.asked().last().unwrap().rows.iter().any(|row| row[..2] == ["fill", "@e4"]));
    tool.send(fill("searchbox", "Find")).await;
    assert!(
        tool.asked().last().unwrap().rows.iter().any(|row| row[0] == "find"),
        "two of that name"
    );
}

// DIAG-GET-03, DIAG-HINT-01
#[tokio::test]
async fn a_failure_has_one_hint() {
    let miss = json!([{ "match": { "row": ["click"] }, "error": "Element not found: x. Verify" }]);
    let tool = opened(miss).await;
    for call in [
        &["click", "text=Close"][..],
        &["click", "button:has-text('Close')"],
        &["click", "@e99"],
        &["text", "@e99"],
    ] {
        let said = tool.call(call).await;
        assert!(said.is_error);
        assert_eq!(said.text.matches("Agent-browser hint:").count(), 1, "{}", said.text);
    }
}
