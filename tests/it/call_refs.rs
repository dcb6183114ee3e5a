//! Refs through the whole walk: known ones act, all others are refused before they can.

use agent_browser_native::command::Argv;
use agent_browser_native::diagnose::category::classify;
use agent_browser_native::envelope::{Answer, Envelope, parse};
use agent_browser_native::outcome::FailureCategory;
use agent_browser_native::plan::Step;
use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened_with(script: Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(&script));
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    tool
}

async fn opened() -> TestEngine {
    opened_with(json!([])).await
}

// HAZ-01, DEC-90, DEC-93, PAGE-20
#[tokio::test]
async fn a_click_runs_between_its_identity_check_and_its_question() {
    let tool = opened().await;
    let said = tool.call(&["click", "@e3"]).await;
    assert_eq!(said.text, "Clicked @e3 button \"Save\". Page changed.");
    let asked = tool.asked();
    let last = asked.last().unwrap();
    assert_eq!(last.commands(), ["eval", "click", "eval"]);
    assert!(last.has("--bail") && last.has("--omit-command"));
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
}

/// How much script stands in front of and behind the command.
fn scripts(asked: &crate::support::engine::Asked) -> Vec<usize> {
    let scripts = asked.rows.iter().filter(|row| row[0] == "eval");
    scripts.map(|row| row.last().unwrap().len()).collect()
}

// DEC-90, DEC-93
#[tokio::test]
async fn a_document_gets_the_scripts_once_and_again_only_where_it_has_lost_them() {
    let absent = "Evaluation error: Error: agent-browser-native:no-library:\n    at <anonymous>";
    let lost = json!({ "match": { "row": ["eval"], "contains": "\"field\":{" }, "times": 1, "error": absent });
    let tool = opened_with(json!([lost])).await;
    assert!(scripts(&tool.asked()[0])[0] > 20_000, "the page view leaves them there");
    tool.call(&["click", "@e3"]).await;
    let asked = tool.asked();
    assert!(scripts(asked.last().unwrap()).iter().all(|size| *size < 3_000));
    // The document says that it has none: nothing was done, and the rows go again.
    let said = tool.call(&["fill", "@e4", "x"]).await;
    assert!(said.text.starts_with("Filled @e4"), "{}", said.text);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
    let asked = tool.asked();
    let sizes = scripts(asked.last().unwrap());
    assert!(sizes[0] > 20_000 && sizes[1] < 3_000, "{sizes:?}");
    let fills = asked.iter().filter(|asked| asked.commands().contains(&"fill")).count();
    assert_eq!(fills, 2);
}

/// What the real upstream has said to a call of this folder.
fn recorded(name: &str) -> Answer {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/upstream/0.41.0");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    let recording: Value = serde_json::from_str(&text).unwrap();
    match parse(recording["stdout"].to_string().as_bytes()) {
        Envelope::One(answer) => *answer,
        other => panic!("{name}: {other:?}"),
    }
}

// RES-14
#[test]
fn every_wording_of_a_lost_element_is_a_stale_ref_and_a_missed_selector_is_none() {
    let of = |words: &[&str], answer: &Answer| {
        let argv = Argv::of_words(words);
        classify(answer, &Step { words: argv.words.clone(), argv })
    };
    for name in ["unknown-ref", "ref-element-gone", "ref-several-in-snapshot", "ref-several-now"] {
        let answer = recorded(&format!("click/{name}"));
        assert_eq!(of(&["click", "@e1"], &answer), FailureCategory::StaleRef, "{name}");
    }
    // The words name no ref: what the call aims at says which of the two it is.
    let missed = recorded("click/not-found");
    for words in [
        &["click", "@e3"][..],
        &["get", "text", "@e3"],
        &["fill", "@e4", "text"],
        &["drag", "@e3", "@e4"],
        &["drag", "@e3", ".list"],
    ] {
        assert_eq!(of(words, &missed), FailureCategory::StaleRef, "{words:?}");
    }
    for words in [
        &["click", "#nope"][..],
        &["drag", "@e3", "#nope"],
        &["drag", "#nope", "@e3"],
        &["find", "text", "@e3", "click"],
    ] {
        assert_eq!(of(words, &missed), FailureCategory::SelectorNotFound, "{words:?}");
    }
}

// RES-14, NEXT-12
#[tokio::test]
async fn an_element_that_upstream_does_not_find_by_its_ref_asks_for_new_refs() {
    let error = recorded("click/not-found").error.unwrap();
    let tool = opened_with(json!([{ "match": { "row": ["click", "@e3"] }, "error": error }])).await;
    let said = tool.call(&["click", "@e3"]).await;
    assert_eq!(said.category(), "stale-ref", "{}", said.text);
    assert!(said.first().contains("@e3 button \"Save\" was removed"), "{}", said.text);
    assert_eq!(said.details["nextActions"][0]["id"], "refresh-interactive-refs");
}

// PAGE-31, PAGE-36, NEXT-12
#[tokio::test]
async fn a_ref_that_no_snapshot_had_is_refused_before_anything_runs() {
    let tool = opened().await;
    let before = tool.asked().len();
    let said = tool.call(&["fill", "@e99", "x"]).await;
    assert_eq!(
        said.text,
        "Failed (stale-ref, isError: true): nothing was filled. @e99 is not in the latest snapshot\n\
         Agent-browser hint: take a new snapshot, then use a current @ref or a find locator.\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}"
    );
    assert_eq!(said.details["nextActions"][0]["id"], "refresh-interactive-refs");
    assert_eq!(tool.asked().len(), before);
    // Upstream names one of its own, and has forgotten it with the next command.
    let rows = include_str!("../fixtures/upstream/0.41.0/batch/ref-of-a-find-is-unknown.json");
    assert!(rows.contains("\"clicked\": \"@e1\"") && rows.contains("Unknown ref: e1"), "{rows}");
    let found = tool.call(&["find", "role", "button", "click", "--name", "Save"]).await;
    assert!(found.first().starts_with("Clicked button \"Save\"."), "{}", found.text);
}

// HAZ-01, PAGE-30, DEC-91
#[tokio::test]
async fn an_old_ref_on_another_document_is_refused_by_name() {
    let tool = opened().await;
    let moved = tool.call(&["click", "@e2"]).await;
    assert!(moved.first().starts_with("Clicked @e2 link \"Next\". Now on"), "{}", moved.text);
    assert!(moved.first().ends_with("(earlier refs are void)."), "{}", moved.text);
    let said = tool.call(&["click", "@e3"]).await;
    assert_eq!(said.category(), "stale-ref");
    let first = said.first();
    assert!(
        first.contains("@e3 button \"Save\" belongs to http://shop.test/ but the page is now"),
        "{first}"
    );
}

// HAZ-01, DEC-92: the check in the page refuses where nothing was known before the spawn.
#[tokio::test]
async fn a_page_that_moved_by_itself_stops_the_click_in_the_same_process() {
    let stale = "Evaluation error: Error: agent-browser-native:other-document:\
        {\"doc\":\"9.5\",\"url\":\"http://shop.test/home\",\"title\":\"Dashboard\",\"frames\":[]}";
    let rule = json!([{ "match": { "row": ["eval"], "contains": "\"expect\":{\"doc\"" }, "error": stale }]);
    let tool = opened_with(rule).await;
    let said = tool.call(&["click", "@e3"]).await;
    assert_eq!(
        said.first(),
        "Failed (stale-ref, isError: true): nothing was clicked. @e3 button \"Save\" belongs to \
         http://shop.test/ but the page is now \"Dashboard\" http://shop.test/home"
    );
    assert!(!said.text.contains("Clicked"));
}

// PAGE-35, HAZ-01
#[tokio::test]
async fn reading_with_a_ref_is_checked_for_its_document_too() {
    let tool = opened().await;
    tool.call(&["get", "text", "@e3"]).await;
    assert_eq!(tool.asked().last().unwrap().commands(), ["eval", "get"]);
    tool.call(&["get", "text", "#main"]).await;
    assert_eq!(tool.asked().last().unwrap().commands(), ["get"]);
}

// PAGE-40, PAGE-41, PAGE-42, DEC-20
#[tokio::test]
async fn a_ref_behind_a_step_that_may_change_the_page_is_refused_before_spawn() {
    let tool = opened().await;
    let before = tool.asked().len();
    let rows = json!([["click", "@e2"], ["click", "@e3"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(said.category(), "stale-ref");
    assert!(
        said.first().contains("Step 2 uses @e3 button \"Save\", but step 1 (click)"),
        "{}",
        said.text
    );
    assert_eq!(tool.asked().len(), before);
}

// PAGE-43, PAGE-21, DEC-94
#[tokio::test]
async fn a_snapshot_row_gives_later_rows_their_refs_in_a_second_process() {
    let tool = opened().await;
    let rows =
        json!([["open", "http://shop.test/b"], ["snapshot", "-i"], ["click", "@e7"]]).to_string();
    let said = tool.send(json!({ "args": ["batch", "--bail"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(said.first(), "Batch: all 3 steps done.");
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
    let unknown = json!([["snapshot", "-i"], ["click", "@e77"]]).to_string();
    let said = tool.send(json!({ "args": ["batch", "--bail"], "stdin": unknown })).await;
    assert_eq!(said.category(), "stale-ref", "{}", said.text);
}

// PAGE-44, PAGE-45, PAGE-46
#[tokio::test]
async fn fills_of_one_form_and_its_button_go_in_one_batch() {
    let tool = opened().await;
    let rows = json!([["fill", "@e4", "a"], ["fill", "@e4", "b"], ["click", "@e3"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    // An identity check in front of every acting ref, every act read back, and the page at the end.
    let asked = tool.asked();
    let commands = asked.last().unwrap().commands();
    let act = |name| ["eval", name, "eval"];
    let expected = [&act("fill")[..], &act("fill"), &act("click"), &["eval"]].concat();
    assert_eq!(commands, expected);
}

// DEC-94, RUN-15, RES-60, RES-62
#[tokio::test]
async fn a_batch_without_bail_goes_on_behind_a_failed_ref_row() {
    let rule = json!([{ "match": { "row": ["click", "@e3"] }, "error": "Unknown ref: e3" }]);
    let tool = opened_with(rule).await;
    let rows = json!([["click", "@e3"], ["get", "title"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(said.category(), "stale-ref");
    assert!(said.text.contains("2 \"Fake page\""), "{}", said.text);
    assert_eq!(said.details["batchFailure"]["failedStep"]["step"], 1);
    assert_eq!(said.details["batchSteps"].as_array().unwrap().len(), 2);
    let bail = tool.send(json!({ "args": ["batch", "--bail"], "stdin": rows })).await;
    assert!(bail.text.contains("2 not run"), "{}", bail.text);
}

// DEC-94, RES-60, RES-62
#[tokio::test]
async fn nothing_of_a_batch_is_sent_behind_a_later_process_that_failed_as_a_whole() {
    let look = json!(["snapshot", "-i"]);
    let rows = json!([look, ["click", "@e3"], ["press", "Enter"], look, ["click", "@e3"]]);
    let tool = opened_with(json!([{ "match": { "row": ["press"] }, "crash": 9 }])).await;
    let before = tool.asked().len();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    tool.engine.settle().await;
    // Another one would press again.
    assert_eq!(tool.asked().len(), before + 2);
    let text = &said.text;
    assert!(text.contains("step 2 failed; 1 of 5 steps done, 1 not run."), "{text}");
    let third = text.lines().find(|line| line.starts_with('3')).unwrap_or_default();
    assert!(third.ends_with("): it is not known whether it ran."), "{text}");
    assert!(text.contains("5 not run"), "{text}");
}

// DEC-94, HAZ-03, RES-60, RES-62
#[tokio::test]
async fn steps_that_a_later_process_answered_before_its_browser_was_lost_keep_their_answers() {
    let look = json!(["snapshot", "-i"]);
    let (click, press) = (json!(["click", "@e3"]), json!(["press", "Enter"]));
    let rows = json!([look, click, look, press, ["get", "title"], look, click]);
    let ended = json!({ "error": "CDP connection closed" });
    let replaced = json!({ "result": { "pressed": "Enter", "lifecycle": { "launched": true } } });
    // Behind a row that failed, `--bail` keeps the rest from running.
    let fifth = "5 failed (tab-drift): the page was gone before it ran.";
    for (mut rule, count, rest) in [
        (ended, "3 of 7 steps done, 3 not run.", "5-7 not run"),
        (replaced, "3 of 7 steps done, 1 not run.", fifth),
    ] {
        rule["match"] = json!({ "row": ["press"] });
        let tool = opened_with(json!([rule])).await;
        let before = tool.asked().len();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
        tool.engine.settle().await;
        let mut asked = tool.asked().split_off(before);
        asked.retain(|asked| !asked.has("close"));
        // Another one would run on a browser that is being closed.
        assert_eq!(asked.len(), 2);
        let text = &said.text;
        assert_eq!(said.category(), "tab-drift", "{text}");
        assert!(text.contains(&format!("step 4 failed; {count}")), "{text}");
        assert!(text.contains("\n2 Clicked @e3 button \"Save\"."), "{text}");
        assert!(text.contains("\n3 Snapshot: "), "{text}");
        assert!(text.contains("\n4 failed (tab-drift): The browser "), "{text}");
        assert!(text.contains(&format!("\n{rest}")), "{text}");
        assert_eq!(said.next(), [json!({ "args": ["open", URL] })], "{text}");
        // The second snapshot is told, and its refs are void all the same.
        let stale = tool.call(&["click", "@e3"]).await;
        assert!(stale.text.contains("a browser that is gone"), "{}", stale.text);
    }
}

// DEC-23, DEC-32, IN-GEN-07, NEXT-23, DIAG-GET-01
#[tokio::test]
async fn words_that_upstream_would_misread_are_refused_with_a_better_call() {
    let tool = TestEngine::new(TestEnv::new());
    let said = tool.call(&["title"]).await;
    assert!(said.is_error);
    assert_eq!(said.next(), vec![json!({ "args": ["get", "title"] })]);
    let said = tool.call(&["clik", "#x"]).await;
    assert!(said.text.contains("click"), "{}", said.text);
    assert!(tool.asked().is_empty());
}

// HAZ-10, GUARD-10, PRES-CONF-01
#[tokio::test]
async fn a_confirmation_is_a_failure_with_both_answers_and_only_its_own_id_counts() {
    let asks =
        json!({ "action": "click", "confirmation_id": "r57", "confirmation_required": true });
    let tool = opened_with(json!([{ "match": { "row": ["click"] }, "result": asks }])).await;
    let said = tool.call(&["click", "#danger"]).await;
    assert_eq!(said.category(), "confirmation-required");
    assert!(said.text.contains("Pending confirmation id: r57"), "{}", said.text);
    assert_eq!(
        said.next(),
        vec![json!({"args":["confirm","r57"]}), json!({"args":["deny","r57"]})]
    );
    let other = tool.call(&["confirm", "r99"]).await;
    assert_eq!(other.category(), "validation-error");
    assert_eq!(other.next(), vec![json!({"args":["confirm","r57"]})]);
    assert!(!tool.call(&["confirm", "r57"]).await.is_error);
    assert!(tool.call(&["confirm", "r57"]).await.text.contains("no action waits"));
}

// GUARD-09, DEC-62, DIAG-TRACE-01
#[tokio::test]
async fn trace_and_profiler_do_not_end_each_others_recording() {
    let tool = opened().await;
    assert!(!tool.call(&["trace", "start"]).await.is_error);
    let said = tool.call(&["profiler", "start"]).await;
    assert_eq!(said.category(), "validation-error");
    assert!(said.text.contains("wrapper believes that trace is recording"), "{}", said.text);
    assert!(!tool.call(&["trace", "stop", "t.json"]).await.is_error);
    assert!(!tool.call(&["profiler", "start"]).await.is_error);
}

// HAZ-09
#[tokio::test]
async fn commands_that_would_hang_behind_a_dialog_are_refused_with_its_text() {
    let warning = "A JavaScript confirm dialog is blocking the page: \"sure?\" — use `dialog accept` or `dialog dismiss`";
    let rule = json!([{ "match": { "row": ["click"] }, "result": { "clicked": "#x", "dialogOpened": true }, "warning": warning }]);
    let tool = opened_with(rule).await;
    let clicked = tool.call(&["click", "#x"]).await;
    assert!(
        clicked.first().ends_with("A confirm dialog is open: \"sure?\" The page waits for it."),
        "{}",
        clicked.text
    );
    let before = tool.asked().len();
    let said = tool.call(&["get", "title"]).await;
    assert_eq!((said.category(), said.next().len()), ("upstream-error", 2));
    assert_eq!(tool.asked().len(), before);
    tool.call(&["dialog", "accept"]).await;
    assert_eq!(tool.call(&["get", "title"]).await.text, "Fake page");
}

// HAZ-09
#[tokio::test]
async fn a_dialog_that_only_a_reading_command_hears_of_is_told_and_kept() {
    let file = "tests/fixtures/upstream/0.41.0/tab/list-while-dialog-open.json";
    let recorded: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let tabs = json!({ "tabs": recorded["stdout"]["data"]["tabs"] });
    let rule = json!([{ "match": { "row": ["tab", "list"] }, "result": tabs,
        "warning": recorded["stdout"]["warning"] }]);
    let tool = opened_with(rule).await;
    let said = tool.call(&["tab", "list"]).await;
    let open = "A confirm dialog is open: \"Delete everything?\" The page waits for it.";
    assert_eq!(said.text.matches(open).count(), 1, "{}", said.text);
    let answers = ["accept", "dismiss"].map(|answer| json!({ "args": ["dialog", answer] }));
    assert_eq!(said.next(), answers);
    assert!(tool.call(&["get", "title"]).await.first().contains(open));
}

/// What upstream answers to `dialog status` under an open prompt, as recorded.
fn status_rule() -> Value {
    let file = "tests/fixtures/upstream/0.41.0/dialog/status-prompt.json";
    let mut recorded: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    recorded["stdout"]["data"].as_object_mut().unwrap().remove("lifecycle");
    json!({ "match": { "row": ["dialog", "status"] }, "result": recorded["stdout"]["data"] })
}

// HAZ-09
#[tokio::test]
async fn a_dialog_status_neither_forgets_an_open_dialog_nor_keeps_it_to_itself() {
    let warning = "A JavaScript prompt dialog is blocking the page: \"Your name?\" — use `dialog accept` or `dialog dismiss`";
    let click = json!({ "match": { "row": ["click"] }, "result": { "clicked": "#x", "dialogOpened": true }, "warning": warning });
    for clicks in [true, false] {
        let tool = opened_with(json!([click, status_rule()])).await;
        if clicks {
            tool.call(&["click", "#x"]).await;
        }
        let status = tool.call(&["dialog", "status"]).await;
        assert!(status.first().contains("\"Your name?\""), "{}", status.text);
        let before = tool.asked().len();
        let said = tool.call(&["get", "title"]).await;
        assert_eq!(said.category(), "upstream-error", "{}", said.text);
        assert!(said.first().contains("A prompt dialog is open: \"Your name?\""), "{}", said.text);
        assert_eq!(tool.asked().len(), before);
        // The rows behind its answer find the page free.
        let rows = json!([["dialog", "accept"], ["get", "title"]]).to_string();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
        assert!(!said.is_error && said.text.ends_with("2 \"Fake page\""), "{}", said.text);
        assert!(!tool.call(&["get", "title"]).await.is_error);
    }
}

// DEC-92
#[tokio::test]
async fn a_session_that_holds_scripts_back_gets_no_script_rows() {
    // A rest between two questions would wait for its confirmation too.
    for actions in ["evaluate", "download, wait"] {
        let tool = TestEngine::new(TestEnv::new());
        tool.call(&["--confirm-actions", actions, "open", URL]).await;
        tool.call(&["snapshot", "-i"]).await;
        let said = tool.call(&["click", "@e3"]).await;
        assert!(said.text.contains("The effect was not verified"), "{}", said.text);
        let asked = tool.asked();
        assert!(asked.iter().all(|asked| !asked.commands().contains(&"eval")));
        assert_eq!(asked.last().unwrap().commands(), ["snapshot", "click"]);
    }
}

// DEC-92, HAZ-10
#[tokio::test]
async fn no_question_behind_a_failure_is_a_script_where_a_session_holds_them_back() {
    let cover = "Element '@e3' is covered by <div#cookie> at its click point, so the input would land on that element instead.";
    let miss = "No element found by text 'Save'. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let rules = json!([
        { "match": { "row": ["get", "text"] }, "error": "Element not found: .nosuch" },
        { "match": { "row": ["find"] }, "error": miss },
        { "match": { "row": ["click"] }, "error": cover },
        { "match": { "row": ["check"] }, "error": "Unknown ref: e3" },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["--confirm-actions", "evaluate", "open", URL]).await;
    for args in [
        &["get", "text", ".nosuch"][..],
        &["find", "text", "Save", "click"],
        &["click", "@e3"],
        &["check", "@e3"],
        &["batch", "click @e3"],
        &["batch", "check @e3"],
    ] {
        tool.call(&["snapshot", "-i"]).await;
        let said = tool.call(args).await;
        assert!(said.is_error, "{args:?}: {}", said.text);
        for asked in tool.asked() {
            assert!(!asked.commands().contains(&"eval"), "{args:?}: {:?}", asked.commands());
        }
    }
}

/// A policy that only upstream knows of denies scripts from now on.
async fn denying() -> TestEngine {
    let tool = opened_with(json!([])).await;
    let error = "Action 'evaluate' denied by policy: Action 'evaluate' is not in the allow list";
    tool.env.rescript(&json!([{ "match": { "row": ["eval"] }, "error": error }]));
    tool
}

// DEC-92, HAZ-10
#[tokio::test]
async fn a_script_that_waits_for_a_confirmation_teaches_to_send_none() {
    let tool = opened_with(json!([])).await;
    let held =
        json!({ "action": "evaluate", "confirmation_id": "r1", "confirmation_required": true });
    tool.env.rescript(&json!([{ "match": { "row": ["eval"] }, "result": held }]));
    let said = tool.call(&["click", "#save"]).await;
    assert!(
        !said.text.contains("verified effect") && !said.text.contains("changed"),
        "{}",
        said.text
    );
    let before = tool.asked().len();
    let said = tool.call(&["click", "#save"]).await;
    assert!(said.text.contains("The effect was not verified"), "{}", said.text);
    let rows: Vec<Vec<String>> =
        tool.asked().into_iter().skip(before).flat_map(|asked| asked.rows).collect();
    assert_eq!(rows, [["click", "#save"]]);
}

// DEC-92
#[tokio::test]
async fn a_script_that_a_policy_denies_teaches_to_send_none() {
    let tool = denying().await;
    let before = tool.asked().len();
    let said = tool.call(&["click", "#save"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.text.contains("The effect was not verified"), "{}", said.text);
    let asked: Vec<Vec<String>> = tool
        .asked()
        .iter()
        .skip(before)
        .map(|asked| asked.commands().join(" "))
        .map(|rows| vec![rows])
        .collect();
    assert_eq!(asked[1], ["click"], "{asked:?}");
    // From then on it is known, for refs too.
    let before = tool.asked().len();
    tool.call(&["snapshot", "-i"]).await;
    assert!(!tool.call(&["click", "@e3"]).await.is_error);
    let rows: Vec<String> = tool
        .asked()
        .iter()
        .skip(before)
        .flat_map(|asked| asked.rows.clone())
        .map(|row| row[0].clone())
        .collect();
    assert!(!rows.contains(&"eval".to_owned()), "{rows:?}");
}

// DEC-92
#[tokio::test]
async fn a_batch_goes_on_without_scripts_where_a_policy_denies_them() {
    let tool = denying().await;
    let rows = json!([["click", "#save"], ["get", "title"]]).to_string();
    let said = tool.send(json!({ "args": ["batch", "--bail"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.text.contains("Fake page"), "{}", said.text);
}

// DEC-102
#[tokio::test]
async fn a_page_that_moved_since_the_last_call_is_said() {
    let other = json!({ "doc": "9.5", "url": "http://shop.test/moved", "title": "Moved", "frames": [], "armed": true });
    let rule = json!([{ "match": { "row": ["eval"], "contains": "before(ask)" }, "value": other }]);
    let tool = opened_with(rule).await;
    let said = tool.call(&["press", "Enter"]).await;
    assert!(
        said.text.contains("Before this call the page had become another one: \"Moved\""),
        "{}",
        said.text
    );
    assert!(said.text.contains("--session NAME"));
}

// DEC-102
#[tokio::test]
async fn a_page_that_a_failed_batch_has_opened_is_no_page_that_moved() {
    let other = json!({ "doc": "9.5", "url": "http://shop.test/next", "title": "Next", "frames": [], "armed": true });
    let rules = json!([
        { "match": { "row": ["eval"], "contains": "before(ask)" }, "value": other },
        { "match": { "row": ["wait"] }, "error": "Wait timed out" },
    ]);
    let tool = opened_with(rules).await;
    let rows = json!([["open", "http://shop.test/next"], ["wait", "#never"]]).to_string();
    let failed = tool.send(json!({ "args": ["batch", "--bail"], "stdin": rows })).await;
    assert!(failed.is_error, "{}", failed.text);
    let before = tool.asked().len();
    assert_eq!(tool.call(&["click", "@e3"]).await.category(), "stale-ref");
    assert_eq!(tool.asked().len(), before, "its refs are known to be void");
    let said = tool.call(&["press", "Enter"]).await;
    assert!(!said.text.contains("had become another one"), "{}", said.text);
}

// HAZ-01, HAZ-22: the page that is there behind the first click counts the input that it got.
#[tokio::test]
async fn a_first_click_of_two_that_landed_on_the_next_page_is_said() {
    for (inputs, landed) in [(0, false), (1, true)] {
        let next = json!({ "doc": "1794770000009.5", "url": "http://shop.test/next",
            "title": "Next", "inputs": inputs, "ageMs": 40 });
        let stale =
            format!("Evaluation error: Error: agent-browser-native:other-document:{next}\n    at");
        let tool = opened_with(json!([
            { "match": { "row": ["eval"], "contains": "\"armed\":true" }, "error": stale },
            { "match": { "row": ["eval"], "contains": "\"mark\":false" }, "value": next },
        ]))
        .await;
        let said = tool.call(&["dblclick", "@e3"]).await;
        assert_eq!(said.is_error, landed, "{}", said.text);
        assert_eq!(said.text.contains("may have landed on the next one"), landed, "{}", said.text);
        assert_eq!(said.text.contains("once: the first click left the page"), !landed);
        if landed {
            assert_eq!(said.category(), "tab-drift");
        }
    }
}
