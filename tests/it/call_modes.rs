//! The modes through the whole walk, on the stand-in.

use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

// IN-SEM-23, IN-SEM-21, RES-31, IN-GEN-06
#[tokio::test]
async fn a_role_and_name_of_the_current_snapshot_runs_on_its_ref() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let action = json!({"action": "click", "locator": "role", "role": "button", "name": "Save"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(said.text, "Clicked @e3 button \"Save\". Page changed.");
    let name = said.details["sessionName"].as_str().unwrap();
    assert_eq!(said.details["effectiveArgs"], json!(["--json", "--session", name, "click", "@e3"]));
    assert_eq!(
        said.details["compiledSemanticAction"]["args"],
        json!(["find", "role", "button", "click", "--name", "Save"])
    );
}

// DEC-41, IN-SEM-21, IN-SEM-22, IN-SEM-23
#[tokio::test]
async fn without_current_refs_a_role_and_name_is_looked_for_once() {
    let void = |tool: TestEngine| async {
        tool.call(&["open", URL]).await;
        let failed = tool.call(&["snapshot", "-i", "-s", ".nosuch"]).await;
        assert!(failed.text.contains("Earlier refs are void."), "{}", failed.text);
        tool
    };
    let part = json!({ "match": { "row": ["snapshot", "-i", "-s"] }, "error": "Selector not found: .nosuch" });
    let tool = void(TestEngine::new(TestEnv::new().script(&json!([part])))).await;
    let asked = tool.asked().len();
    let action = json!({"action": "click", "locator": "role", "role": "button", "name": "Save"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(said.text, "Clicked @e3 button \"Save\". Page changed.");
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
    let mains = |tool: &TestEngine, from: usize| -> Vec<Vec<String>> {
        let rows = tool.asked().split_off(from).into_iter().flat_map(|asked| asked.rows);
        rows.filter(|row| row[0] != "eval" && row[0] != "tab").collect()
    };
    assert_eq!(mains(&tool, asked), [vec!["snapshot", "-i"], vec!["click", "@e3"]]);
    // They are current now: the next one needs no look.
    let again = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(again.details["timing"]["upstreamProcesses"], 1, "{}", again.text);
    // Several of that name are for upstream to choose from.
    let refs = json!({ "e4": { "role": "button", "name": "Save" }, "e9": { "role": "button", "name": "Save" } });
    let tree = "- button \"Save\" [ref=e4]\n- button \"Save\" [ref=e9]";
    let rules = json!([part, { "match": { "row": ["snapshot"] },
        "result": { "origin": URL, "refs": refs, "snapshot": tree } }]);
    let tool = void(TestEngine::new(TestEnv::new().script(&rules))).await;
    let asked = tool.asked().len();
    tool.send(json!({ "semanticAction": action })).await;
    let rows = mains(&tool, asked);
    assert_eq!(rows[0], ["snapshot", "-i"]);
    assert_eq!(rows[1][..3], ["find", "role", "button"], "{rows:?}");
    // A name that is no role's is upstream's from the start.
    let tool = void(TestEngine::new(TestEnv::new().script(&json!([part])))).await;
    let asked = tool.asked().len();
    let text = json!({"action": "click", "locator": "text", "value": "Save"});
    tool.send(json!({ "semanticAction": text })).await;
    assert!(mains(&tool, asked).iter().all(|row| row[0] != "snapshot"));
}

// IN-SEM-13, IN-SEM-12, RES-07
#[tokio::test]
async fn a_semantic_session_is_the_callers() {
    let tool = TestEngine::new(TestEnv::new());
    let action = json!({"action": "click", "selector": "#x", "session": "mine"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(said.details["sessionName"], "mine");
    assert_eq!(said.details["usedImplicitSession"], false);
}

// IN-SEM-24, IN-SEM-25, IN-SEM-28, DIAG-REF-01, DIAG-REF-02, DIAG-REF-03, DIAG-REF-05, DIAG-CAND-01,
// DIAG-CAND-02, NEXT-14, NEXT-18, NEXT-19
#[tokio::test]
async fn a_missed_name_is_answered_with_the_ref_that_has_it() {
    let miss = "No element found by text 'Save'. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let tool = TestEngine::new(
        TestEnv::new().script(&json!([{ "match": { "row": ["find"] }, "error": miss }])),
    );
    tool.call(&["open", URL]).await;
    let action = json!({"action": "click", "locator": "text", "value": "Save"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(
        said.text,
        "Failed (selector-not-found, isError: true): nothing was clicked, no element has the text \"Save\".\n\
         Agent-browser candidate fallbacks: a button or a link of that name (not tried).\n\
         Current snapshot ref fallback: 1 exact match, @e3 button \"Save\".\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}\n\
         Next: {\"args\":[\"click\",\"@e3\"]}\n\
         Next: {\"args\":[\"find\",\"role\",\"button\",\"click\",\"--name\",\"Save\"]}"
    );
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
    let found = &said.details["visibleRefFallback"];
    assert_eq!(found["candidates"][0]["ref"], "@e3");
    assert_eq!((&found["target"], found["summary"].is_string()), (&json!("Save"), true));
    assert!(found["snapshot"]["refIds"].as_array().unwrap().contains(&json!("e3")), "{found}");
    let next = said.details["nextActions"].as_array().unwrap();
    let exact = next.iter().find(|action| action["id"] == "try-current-visible-ref").unwrap();
    let name = said.details["sessionName"].as_str().unwrap();
    assert_eq!(exact["params"]["args"], json!(["--session", name, "click", "@e3"]));
    assert!(exact["safety"].is_string());
    // The ref is current: it can be used at once.
    assert!(!tool.call(&["click", "@e3"]).await.is_error);
}

// IN-SEM-26, IN-SEM-27, DIAG-RICH-01, DIAG-RICH-02, DIAG-RICH-03, DIAG-REF-04, NEXT-21, NEXT-22, RED-16, DEC-42
#[tokio::test]
async fn a_missed_fill_never_repeats_its_text() {
    let miss = "No element found by label 'Email'. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let tool = TestEngine::new(
        TestEnv::new().script(&json!([{ "match": { "row": ["find"] }, "error": miss }])),
    );
    tool.call(&["open", URL]).await;
    let action =
        json!({"action": "fill", "locator": "label", "value": "Email", "text": "s3cret-words"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert!(
        said.text.contains("Rich input recovery: 1 exact match, @e4 textbox \"Email\"."),
        "{}",
        said.text
    );
    assert!(said.next().contains(&json!({"args": ["focus", "@e4"]})), "{}", said.text);
    assert!(!said.text.contains("s3cret"));
    assert!(!said.details["richInputRecovery"].to_string().contains("s3cret"));
    assert!(
        said.text.contains("Current snapshot ref fallback: 1 exact match, @e4 textbox \"Email\"."),
        "{}",
        said.text
    );
    let fallback = &said.details["visibleRefFallback"];
    assert_eq!(fallback["candidates"][0]["ref"], "@e4");
    assert!(fallback["candidates"][0].get("args").is_none(), "{fallback}");
    assert!(
        fallback["snapshot"]["refIds"].is_array() && fallback["target"] == "Email",
        "{fallback}"
    );
    assert!(!fallback.to_string().contains("s3cret"));
    assert!(!said.details["nextActions"].to_string().contains("s3cret"));
    let ids = |said: &crate::support::engine::Said| -> Vec<String> {
        let next = said.details["nextActions"].as_array().unwrap().iter();
        let ids = next.map(|action| action["id"].as_str().unwrap().to_owned());
        ids.filter(|id| id.contains("-editable-")).collect()
    };
    assert_eq!(ids(&said), ["focus-current-editable-ref", "click-current-editable-ref"]);
    let found = &said.details["richInputRecovery"];
    assert_eq!(found["nextActionIds"], json!(ids(&said)));
    assert!(found["inputMethodHint"].is_string() && found["target"] == "Email", "{found}");
    let candidate = &found["candidates"][0];
    assert_eq!((&candidate["ref"], &candidate["role"]), (&json!("@e4"), &json!("textbox")));
    assert_eq!(candidate["focusArgs"], json!(["focus", "@e4"]));
    assert_eq!(candidate["clickArgs"], json!(["click", "@e4"]));
    // With several of that name they are numbered.
    let refs = json!({ "e4": { "role": "textbox", "name": "Email" }, "e9": { "role": "textbox", "name": "Email" } });
    let tree = "- textbox \"Email\" [ref=e4]\n- textbox \"Email\" [ref=e9]";
    let tool = TestEngine::new(TestEnv::new().script(&json!([
        { "match": { "row": ["find"] }, "error": miss },
        { "match": { "row": ["snapshot"] }, "result": { "origin": URL, "refs": refs, "snapshot": tree } },
    ])));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "semanticAction": action })).await;
    let numbered = ["focus", "click", "focus", "click"].iter().zip([1, 1, 2, 2]);
    let expected: Vec<String> =
        numbered.map(|(verb, number)| format!("{verb}-current-editable-ref-{number}")).collect();
    assert_eq!(ids(&said), expected);
}

// IN-JOB-02, IN-JOB-05, IN-JOB-14, RES-32, RES-66
#[tokio::test]
async fn a_job_is_one_batch_and_its_typed_characters_are_condensed() {
    let tool = TestEngine::new(TestEnv::new());
    let steps = json!([
        {"action": "open", "url": URL},
        {"action": "type", "selector": "#q", "text": "abc", "press": "Enter"},
        {"action": "snapshot"},
    ]);
    let said = tool.send(json!({ "job": { "steps": steps } })).await;
    assert_eq!(said.first(), "Job: all 3 steps done.");
    assert_eq!(said.text.matches("Pressed").count(), 1, "{}", said.text);
    assert_eq!(said.details["batchSteps"].as_array().unwrap().len(), 7);
    let rows = json!([
        ["open", URL],
        ["focus", "#q"],
        ["press", "[REDACTED]"],
        ["press", "[REDACTED]"],
        ["press", "[REDACTED]"],
        ["press", "Enter"],
        ["snapshot", "-i"],
    ]);
    let shown = json!([
        { "action": "open", "args": ["open", URL] },
        { "action": "type", "args": ["focus", "#q"] },
        { "action": "snapshot", "args": ["snapshot", "-i"] },
    ]);
    let compiled = json!({
        "args": ["batch", "--bail"], "stdin": rows, "steps": shown, "failFast": true });
    assert_eq!(said.details["compiledJob"], compiled);
}

// IN-JOB-05, RES-32
#[tokio::test]
async fn the_batch_of_a_job_is_told_without_its_secrets() {
    let tool = TestEngine::new(TestEnv::new());
    let steps = json!([
        { "action": "open", "url": "http://shop.test/?token=tulip-4711" },
        { "action": "fill", "selector": "#password", "text": "tulip-4711" },
    ]);
    let said = tool.send(json!({ "job": { "steps": steps, "failFast": false } })).await;
    assert!(!said.is_error, "{}", said.text);
    let open = json!(["open", "http://shop.test/?token=[REDACTED]"]);
    let fill = json!(["fill", "#password", "[REDACTED]"]);
    let shown = json!([{ "action": "open", "args": open }, { "action": "fill", "args": fill }]);
    let compiled =
        json!({ "args": ["batch"], "stdin": [open, fill], "steps": shown, "failFast": false });
    assert_eq!(said.details["compiledJob"], compiled);
    assert!(!format!("{}{}", said.text, said.details).contains("tulip-4711"));
}

// IN-QA-16, IN-QA-17, IN-QA-20, QA-01, QA-17, RES-32, RES-33, RES-37, IN-JOB-05
#[tokio::test]
async fn a_page_that_passes_is_told_in_two_lines() {
    let rules = json!([
        { "match": { "row": ["network", "requests"] }, "result": { "requests": [
            { "requestId": "1.1", "method": "GET", "resourceType": "Document", "url": URL, "status": 200 }] } }
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL, "expectedText": ["Fake"] } })).await;
    assert_eq!(
        said.text,
        "QA preset passed: \"Fake page\" http://shop.test/\n\
         Checked: load, text \"Fake\", network (1 requests), console, page errors."
    );
    assert_eq!(said.details["qaPreset"]["passed"], true);
    assert_eq!(said.details["compiledQaPreset"]["checks"]["url"], URL);
    assert_eq!(said.details["batchSteps"].as_array().unwrap().len(), 10);
    let job = &said.details["compiledJob"];
    assert_eq!((&job["args"], &job["failFast"]), (&json!(["batch", "--bail"]), &json!(true)));
    let shown = job["steps"].as_array().unwrap().iter().map(|step| step["args"].clone());
    assert_eq!(json!(shown.collect::<Vec<_>>()), job["stdin"]);
    assert_eq!(job["stdin"][3], json!(["open", URL]));
}

// IN-QA-17, IN-QA-18, IN-QA-19, QA-10, QA-11, QA-18, HAZ-12, PRES-NET-01, PRES-NET-02
#[tokio::test]
async fn failed_requests_console_errors_and_new_page_errors_fail_the_check() {
    let row = |id: &str, url: &str, status: u64| {
        json!({
        "requestId": id, "method": "GET", "resourceType": "Fetch", "url": url, "status": status })
    };
    let rules = json!([
        { "match": { "row": ["network", "requests", "--clear"] }, "result": { "cleared": true } },
        { "match": { "row": ["network", "requests"] }, "result": { "requests": [
            row("1.2", "http://shop.test/api", 500), { "requestId": "1.3", "method": "GET", "resourceType": "Other", "url": "http://shop.test/favicon.ico", "status": 404 }] } },
        { "match": { "row": ["console", "--clear"] }, "result": { "cleared": true } },
        { "match": { "row": ["console"] }, "result": { "messages": [{ "type": "error", "text": "boom" }] } },
        { "match": { "row": ["errors", "--clear"] }, "result": { "errors": [{ "text": "old" }] } },
        { "match": { "row": ["errors"] }, "result": { "errors": [{ "text": "old" }, { "text": "new one" }] } }
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL } })).await;
    assert_eq!(said.category(), "qa-failure");
    let first = said.first();
    assert!(
        first.contains("1 actionable failed request, 1 console error, 1 page error"),
        "{first}"
    );
    assert!(
        said.text.contains("500 GET fetch id 1.2 http://shop.test/api [actionable:"),
        "{}",
        said.text
    );
    let scopes = said.details["batchSteps"].as_array().unwrap().iter();
    let resets = scopes.filter(|step| step["scope"] == "reset").count();
    assert_eq!(resets, 3);
    assert!(said.text.contains("1 reset network, console, errors: ok"), "{}", said.text);
    assert!(said.text.contains("  new one") && !said.text.contains("  old"), "{}", said.text);
    assert_eq!(
        said.next(),
        [
            json!({"networkSourceLookup": {"requestId": "1.2"}}),
            json!({"args": ["network", "request", "1.2"]})
        ]
    );
}

// QA-09
#[tokio::test]
async fn console_errors_of_an_attached_run_may_be_of_an_earlier_page() {
    let rules = json!([
        { "match": { "row": ["console", "--clear"] }, "result": { "cleared": true } },
        { "match": { "row": ["console"] }, "result": { "messages": [{ "type": "error", "text": "boom" }] } },
        { "match": { "row": ["eval"], "contains": "no page to check" }, "value": { "url": URL, "title": "Shop" } },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let alone = tool.send(json!({ "qa": { "url": URL } })).await;
    assert!(!alone.text.contains("name no page"), "{}", alone.text);
    let said = tool.send(json!({ "qa": { "attached": true, "checkConsole": true } })).await;
    assert_eq!(said.category(), "qa-failure");
    assert!(said.text.contains("may be of an earlier one; qa with url"), "{}", said.text);
}

// HAZ-12, IN-QA-17
#[tokio::test]
async fn an_error_in_the_place_of_an_old_one_counts() {
    let rules = json!([
        { "match": { "row": ["errors", "--clear"] }, "result": { "errors": [{ "text": "old" }] } },
        { "match": { "row": ["errors"] }, "result": { "errors": [{ "text": "new one" }] } }
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL } })).await;
    assert_eq!(said.details["qaPreset"]["failedChecks"], json!(["1 page error"]), "{}", said.text);
}

// QA-11, QA-17
#[tokio::test]
async fn a_page_that_leads_on_while_it_settles_is_checked_where_it_led() {
    let went = "CDP error (Runtime.evaluate): Inspected target navigated or closed";
    let settle = |times: u64, rule: serde_json::Value| {
        let mut rule = rule;
        rule["match"] = json!({ "row": ["eval"], "contains": "readyState === 'complete'" });
        rule["times"] = json!(times);
        rule
    };
    let home = json!({ "url": "http://shop.test/home", "title": "Home" });
    let rules = json!([settle(2, json!({ "error": went })), settle(9, json!({ "value": home }))]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL } })).await;
    assert_eq!(said.first(), "QA preset passed: \"Home\" http://shop.test/home", "{}", said.text);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 3);
    // A page that never stays is none that can be checked.
    let rules = json!([settle(99, json!({ "error": went }))]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL } })).await;
    assert_eq!(said.details["qaPreset"]["failedChecks"], json!(["settle"]), "{}", said.text);
}

// IN-QA-05, QA-02, QA-03, QA-19, NEXT-58, RES-16
#[tokio::test]
async fn what_did_not_run_is_neither_passed_nor_failed() {
    let rules =
        json!([{ "match": { "row": ["wait", "--fn"] }, "error": "Wait timed out after 5000ms" }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL, "expectedText": "Gone" } })).await;
    assert!(said.text.contains("4 text \"Gone\": not visible within 5 s"), "{}", said.text);
    assert!(said.text.contains("6 console: not run"), "{}", said.text);
    // The preset knows its category; the text of the row would be a timeout.
    assert_eq!(said.category(), "qa-failure");
    assert_eq!(said.details["qaPreset"]["failedChecks"].as_array().unwrap().len(), 1);
    // The picture of a failed run is there, so its line does not say that it was not run.
    let call = json!({ "url": URL, "expectedText": "Gone", "screenshotPath": "a.png" });
    let said = tool.send(json!({ "qa": call })).await;
    assert!(said.text.contains("\n8 screenshot: taken after the failed check"), "{}", said.text);
    assert!(said.text.contains("\nScreenshot verified: "), "{}", said.text);
    assert!(!said.text.contains("screenshot: not run"), "{}", said.text);
}

// QA-06, QA-17
#[tokio::test]
async fn an_attached_check_of_nothing_says_that_nothing_was_checked() {
    let page = json!({ "url": URL, "title": "Shop" });
    let rules =
        json!([{ "match": { "row": ["eval"], "contains": "no page to check" }, "value": page }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "qa": { "attached": true } })).await;
    assert!(!said.is_error);
    assert!(
        said.text.contains("\nNothing was checked but that the page answers. Add expectedText")
    );
    assert!(!said.text.contains("Checked: "), "{}", said.text);
    let said = tool.send(json!({ "qa": { "attached": true, "checkErrors": true } })).await;
    assert!(said.text.contains("\nChecked: current page, page errors."), "{}", said.text);
}

fn requests(rows: &serde_json::Value) -> serde_json::Value {
    json!({ "match": { "row": ["network", "requests"] }, "result": { "requests": rows } })
}

// QA-16, IN-QA-19
#[tokio::test]
async fn a_missing_icon_is_a_warning_and_no_failure() {
    let icon = json!([{ "requestId": "1.3", "method": "GET", "resourceType": "Other",
        "url": "http://shop.test/favicon.ico", "status": 404 }]);
    let tool = TestEngine::new(TestEnv::new().script(&json!([requests(&icon)])));
    let said = tool.send(json!({ "qa": { "url": URL } })).await;
    assert!(!said.is_error);
    assert_eq!(
        said.first(),
        "QA preset passed with warnings: 1 benign network request failure(s) ignored \"Fake page\" http://shop.test/"
    );
    assert_eq!(said.details["qaPreset"]["warnings"].as_array().unwrap().len(), 1);
}

// QA-11, DEC-45
#[tokio::test]
async fn a_picture_that_could_not_be_taken_fails_the_check_and_is_named() {
    let rules = json!([{ "match": { "row": ["screenshot"] }, "error": "Failed to write file" }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.send(json!({ "qa": { "url": URL, "screenshotPath": "a.png" } })).await;
    assert_eq!(said.category(), "qa-failure");
    assert_eq!(said.details["qaPreset"]["failedChecks"], json!(["screenshot"]));
    assert!(said.text.contains("\nScreenshot not taken."), "{}", said.text);
}

// IN-QA-13, QA-07, QA-08, QA-09, IN-QA-12, NEXT-70
#[tokio::test]
async fn an_attached_check_needs_a_page_and_keeps_its_buffers() {
    let error = "Evaluation error: Error: no page to check: about:blank";
    let rules = json!([
        { "match": { "row": ["eval"], "contains": "no page to check" }, "times": 1, "error": error },
        { "match": { "row": ["eval"], "contains": "no page to check" }, "value": { "url": URL, "title": "Shop" } },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let recovery = [json!({"args": ["tab", "list"]}), json!({"args": ["snapshot", "-i"]})];
    let alone = tool.send(json!({ "qa": { "attached": true } })).await;
    assert!(alone.text.contains("QA preset did not run: no browser is open"), "{}", alone.text);
    assert_eq!(alone.next(), recovery);
    assert!(tool.asked().is_empty());
    tool.call(&["open", URL]).await;
    let blank = tool.send(json!({ "qa": { "attached": true, "expectedText": "x" } })).await;
    assert_eq!(blank.category(), "qa-failure");
    assert!(blank.text.contains("text \"x\": not run"), "{}", blank.text);
    assert_eq!(blank.next(), recovery);
    let said = tool.send(json!({ "qa": { "attached": true, "checkConsole": true } })).await;
    assert!(said.text.starts_with("QA preset passed: \"Shop\""), "{}", said.text);
    assert!(said.text.contains("may be from before this check"), "{}", said.text);
    let rows = tool.asked().pop().unwrap().rows;
    assert!(!rows.iter().any(|row| row[0] == "open" || row.contains(&"--clear".to_owned())));
}

// IN-SEM-30, IN-SEM-31, NEXT-13, IN-SEM-20
#[tokio::test]
async fn an_act_by_name_that_a_stale_ref_stopped_may_be_sent_again() {
    let rules = json!([{ "match": { "row": ["click"] }, "error": "Unknown ref: e3" }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["--session", "mine", "open", URL]).await;
    let action = json!({"action": "click", "locator": "role", "role": "button", "name": "Save", "session": "mine"});
    let said = tool.send(json!({ "semanticAction": action })).await;
    assert_eq!(said.category(), "stale-ref");
    let next = said.details["nextActions"].as_array().unwrap();
    let ids: Vec<&str> = next.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["refresh-interactive-refs", "retry-semantic-action-after-stale-ref"]);
    let find = ["--session", "mine", "find", "role", "button", "click", "--name", "Save"];
    assert_eq!(next[1]["params"]["args"], json!(find));
    assert!(next[1]["safety"].is_string());
    assert_eq!(said.details["compiledSemanticAction"]["locator"], "role");
}

// IN-SEM-32, IN-SEM-20, IN-JOB-22
#[tokio::test]
async fn a_stale_ref_itself_is_never_retried() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let started = tool.asked().len();
    for action in [
        json!({"action": "select", "selector": "@e77", "value": "a"}),
        json!({"action": "click", "selector": "@e77"}),
    ] {
        let said = tool.send(json!({ "semanticAction": action })).await;
        assert_eq!(said.category(), "stale-ref");
        assert_eq!(said.next(), [json!({"args": ["snapshot", "-i"]})]);
        assert!(said.details["compiledSemanticAction"].is_object());
    }
    let wrong = tool.send(json!({ "semanticAction": {"action": "hover", "selector": "#a"} })).await;
    assert!(wrong.details.get("compiledSemanticAction").is_none());
    // The rows of a job are guarded like those of a batch: known refs, and none behind an `open`.
    for steps in [
        json!([{"action": "click", "selector": "@e77"}]),
        json!([{"action": "open", "url": URL}, {"action": "click", "selector": "@e3"}]),
    ] {
        let said = tool.send(json!({ "job": { "steps": steps } })).await;
        assert_eq!(said.category(), "stale-ref", "{}", said.text);
    }
    assert_eq!(tool.asked().len(), started);
}

// IN-STDIN-05
#[tokio::test]
async fn a_password_travels_through_stdin_and_is_never_repeated() {
    let tool = TestEngine::new(TestEnv::new());
    let args = ["auth", "save", "shop", "--url", URL, "--username", "ann", "--password-stdin"];
    let said = tool.send(json!({ "args": args, "stdin": "correct-horse-9" })).await;
    assert!(!said.is_error, "{}", said.text);
    let sent = tool.env.log().iter().any(|entry| entry["stdin"] == "correct-horse-9");
    assert!(sent, "{:?}", tool.env.log());
    assert!(
        !said.text.contains("correct-horse") && !said.details.to_string().contains("correct-horse")
    );
}

// IN-MODE-05
#[tokio::test]
async fn a_headed_browser_is_a_new_browser_and_nobody_says_that_it_is_seen() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let refused = tool.call(&["--headed", "open", URL]).await;
    assert!(refused.is_error);
    let fresh = &refused.next()[0];
    assert_eq!(fresh["sessionMode"], "fresh", "{}", refused.text);
    let opened = tool.send(fresh.clone()).await;
    assert!(!opened.is_error, "{}", opened.text);
    assert!(tool.asked().iter().any(|asked| asked.has("--headed")));
    for word in ["window", "visible", "headed"] {
        assert!(!opened.first().contains(word), "{}", opened.text);
    }
}
