//! Steps of jobs and batches on the stand-in: the rows around them, and how they are told.

use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened(script: &Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(script));
    tool.call(&["open", URL]).await;
    tool
}

async fn job(tool: &TestEngine, steps: Value) -> Said {
    tool.send(json!({ "job": { "steps": steps } })).await
}

// DEC-70, DEC-71
#[tokio::test]
async fn a_job_that_left_the_page_says_where_it_is_and_what_is_there() {
    let tool = opened(&json!([])).await;
    let said = job(
        &tool,
        json!([{ "action": "fill", "selector": "@e4", "text": "a" }, { "action": "click", "selector": "@e2" }]),
    )
    .await;
    let lines: Vec<&str> = said.text.lines().collect();
    assert_eq!(lines[0], "Job: all 2 steps done.");
    assert!(
        lines[2].starts_with("2 Clicked @e2 link \"Next\". Now on \"Fake page\" "),
        "{}",
        said.text
    );
    assert!(lines[3].starts_with("Snapshot: 4 refs"), "{}", said.text);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
    let refs = said.text.matches("ref=").count();
    assert_eq!(refs, 4, "{}", said.text);
    // A step that reads the new page is enough.
    let said = job(
        &tool,
        json!([{ "action": "click", "locator": "text", "value": "x" }, { "action": "snapshot" }]),
    )
    .await;
    assert_eq!(said.text.matches("Snapshot: ").count(), 1, "{}", said.text);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
}

// DEC-70
#[tokio::test]
async fn without_views_a_job_says_only_where_it_is() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.view = false);
    tool.call(&["open", URL]).await;
    tool.call(&["snapshot", "-i"]).await;
    let said = job(&tool, json!([{ "action": "click", "selector": "@e2" }])).await;
    assert!(said.text.contains("Now on \"Fake page\" "), "{}", said.text);
    assert!(!said.text.contains("Snapshot"), "{}", said.text);
}

// DEC-91, IN-JOB-17, RES-62
#[tokio::test]
async fn what_was_waited_for_in_vain_is_named_and_the_rest_is_one_line() {
    let late = json!([{ "match": { "row": ["wait"] }, "error": "Wait timed out after 10000ms" }]);
    let tool = opened(&late).await;
    let steps = json!([
        { "action": "click", "selector": "@e3" },
        { "action": "assertText", "text": "Deleted" },
        { "action": "snapshot" },
        { "action": "screenshot", "path": "a.png" },
    ]);
    let said = job(&tool, steps).await;
    assert_eq!(
        said.text,
        "Failed (timeout, isError: true): step 2 failed; 1 of 4 steps done, 2 not run.\n\
         1 Clicked @e3 button \"Save\". Page changed.\n\
         2 failed (timeout): the wait was not met within 10000 ms: no text \"Deleted\" is visible.\n\
         3-4 not run\n\
         The page is \"Fake page\" http://shop.test/ and shows no text.\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}"
    );
    let exact = json!([{ "action": "assertUrl", "url": "http://shop.test/home" }]);
    let said = job(&tool, exact).await;
    assert!(said.text.contains("the address is not \"http://shop.test/home\"."), "{}", said.text);
}

// IN-JOB-17, IN-JOB-18
#[tokio::test]
async fn an_assertion_of_a_job_waits_ten_seconds_unless_the_caller_sets_a_limit() {
    let tool = opened(&json!([])).await;
    let steps = json!([{ "action": "assertText", "text": "Fake" }]);
    let said = job(&tool, steps.clone()).await;
    let wait = |tool: &TestEngine| {
        let asked = tool.asked();
        let rows = asked.last().unwrap().rows.clone();
        rows.into_iter().find(|row| row[0] == "wait").unwrap()
    };
    assert_eq!(wait(&tool), ["wait", "--text", "Fake", "--timeout", "10000"]);
    assert_eq!(said.details["compiledJob"]["stdin"], json!([["wait", "--text", "Fake"]]));
    tool.send(json!({ "job": { "steps": steps }, "timeoutMs": 20_000 })).await;
    assert_eq!(wait(&tool), ["wait", "--text", "Fake"]);
    let rows = json!([["wait", "--text", "Fake"]]).to_string();
    tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(wait(&tool), ["wait", "--text", "Fake"], "a row of the caller stays as it is");
}

// PAGE-41, DEC-20, DEC-94
#[tokio::test]
async fn a_ref_behind_a_find_is_checked_by_its_own_row() {
    let tool = opened(&json!([])).await;
    let steps = json!([
        { "action": "click", "locator": "label", "value": "Featured" },
        { "action": "click", "selector": "@e3" },
    ]);
    let said = job(&tool, steps).await;
    assert!(!said.is_error, "{}", said.text);
    let asked = tool.asked();
    let commands = asked.last().unwrap().commands();
    // The document behind the first click is waited for before the ref is checked.
    let expected = ["eval", "find", "click", "eval", "eval", "eval", "click", "eval", "eval"];
    assert_eq!(commands, expected);
}

// PAGE-42, PAGE-36
#[tokio::test]
async fn a_latched_batch_is_offered_with_snapshots_at_every_place_that_needs_one() {
    let tool = opened(&json!([])).await;
    let before = tool.asked().len();
    let rows = json!([["press", "Escape"], ["click", "@e3"], ["press", "Tab"], ["focus", "@e4"]])
        .to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(said.category(), "stale-ref");
    assert!(said.text.contains("row in front of steps 2, 4, or split the batch."), "{}", said.text);
    assert_eq!(tool.asked().len(), before);
    let next = said.next().into_iter().find(|call| call.get("stdin").is_some()).unwrap();
    let rows: Value = serde_json::from_str(next["stdin"].as_str().unwrap()).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 6);
    assert!(!tool.send(next).await.is_error);
    // Typed text is not repeated.
    let rows = json!([["press", "Escape"], ["fill", "@e4", "s3cret"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] })]);
}

// IN-JOB-14, RES-62
#[tokio::test]
async fn equal_steps_are_one_line_and_a_typed_text_says_where_it_went() {
    let tool = opened(&json!([])).await;
    let mut rows = vec![json!(["focus", "#r"])];
    rows.extend((0..5).map(|_| json!(["press", "ArrowLeft"])));
    rows.push(json!(["press", "Tab"]));
    let said = tool.send(json!({ "args": ["batch"], "stdin": json!(rows).to_string() })).await;
    assert!(
        said.text.ends_with("\n2-6 Pressed \"ArrowLeft\". (5x)\n7 Pressed \"Tab\"."),
        "{}",
        said.text
    );
    assert_eq!(said.details["batchSteps"].as_array().unwrap().len(), 7);
    let typed = json!([{ "action": "type", "selector": "#q", "text": "two é", "press": "Enter" }]);
    let said = job(&tool, typed).await;
    let line = said.text.lines().nth(1).unwrap();
    assert!(line.starts_with("1 Typed 5 characters into \"#q\". Pressed \"Enter\"."), "{line}");
    let said = job(&tool, json!([{ "action": "type", "selector": "@e4", "text": "x" }])).await;
    assert_eq!(said.text.lines().nth(1).unwrap(), "1 Typed 1 character into @e4.");
}

// IN-JOB-06
#[tokio::test]
async fn an_action_that_a_job_does_not_know_is_shown_its_way() {
    let tool = TestEngine::new(TestEnv::new());
    let said = job(&tool, json!([{ "action": "press", "text": "Escape" }])).await;
    assert_eq!(said.category(), "validation-error");
    assert!(said.text.contains("{\"args\":[\"batch\",\"--bail\"],\"stdin\":"), "{}", said.text);
}

// DEC-68
#[tokio::test]
async fn the_keys_of_a_typed_text_are_not_told_one_by_one() {
    let stuck = json!([{ "match": { "row": ["press", "n"] }, "error": "Target closed" }]);
    let hung = json!([{ "match": { "row": ["press", "n"] }, "hang": true }]);
    let typed = json!({ "steps": [
        { "action": "type", "selector": "#pw", "text": "hunter2! a", "press": "Enter" },
        { "action": "snapshot" },
    ] });
    for (script, limit) in [(json!([]), 20_000), (stuck, 20_000), (hung, 400)] {
        let env = TestEnv::new().script(&script).with("AGENT_BROWSER_NATIVE_DEBUG", "1");
        let tool = TestEngine::new(env);
        tool.call(&["open", URL]).await;
        let said = tool.send(json!({ "job": typed, "timeoutMs": limit })).await;
        assert_eq!(said.is_error, script != json!([]), "{}", said.text);
        let details = said.details.to_string();
        for key in ["h", "u", "n", "2", "!", "Space"] {
            let told = json!(["press", key]).to_string();
            assert!(!details.contains(&told), "{told} in {details}");
            let told = format!("\"{key}\"");
            assert!(key == "Space" || !said.text.contains(&told), "{told} in {}", said.text);
        }
        assert!(!said.text.contains("[REDACTED]"), "no word of ours is masked: {}", said.text);
        assert_eq!(said.details["compiledJob"]["stdin"][1], json!(["press", "[REDACTED]"]));
        assert!(details.contains(r#"["press","Enter"]"#), "{details}");
    }
}

// DEC-68, RES-62
#[tokio::test]
async fn a_key_of_the_caller_stays_readable() {
    let tool = opened(&json!([])).await;
    let said = tool.call(&["press", "a"]).await;
    assert!(said.text.starts_with("Pressed \"a\"."), "{}", said.text);
    assert_eq!(said.details["args"], json!(["press", "a"]));
}
