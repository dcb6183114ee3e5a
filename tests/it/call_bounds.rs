//! Everything has a hard bound, whatever the page is like (DEC-104).

use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;
use crate::support::families::{families, snapshot};

const CONTENT: usize = 12_000;
const DETAILS: usize = 32 * 1024;

fn check(what: &str, said: &Said) {
    assert!(said.text.len() <= CONTENT, "{what}: text of {} bytes", said.text.len());
    let details = said.details.to_string().len();
    assert!(details <= DETAILS, "{what}: details of {details} bytes");
    assert!(said.details["resultCategory"].is_string(), "{what}");
    let timing = &said.details["timing"]["totalMs"];
    assert!(timing.is_u64(), "{what}");
}

/// An engine whose upstream says these answers.
async fn engine_for(rules: Vec<Value>) -> TestEngine {
    let engine =
        TestEngine::with(TestEnv::new().script(&json!(rules)), |options| options.view = false);
    engine.call(&["open", "about:blank"]).await;
    engine
}

// DEC-104
#[tokio::test]
async fn huge_answers_of_every_family_stay_within_their_bounds() {
    for (words, count) in [("x".repeat(14_000), 3), ("Zeile mit ä und 😀 ".repeat(4), 120)] {
        let families = families(&words, count);
        let engine = engine_for(families.iter().map(|family| family.rule()).collect()).await;
        for family in &families {
            let said = engine.call(&family.args).await;
            check(&format!("{:?}", family.args), &said);
        }
    }
}

// DEC-104, DEC-105
#[tokio::test]
async fn huge_answers_as_json_are_still_one_document() {
    let families = families(&"long words ".repeat(60), 30);
    let engine = engine_for(families.iter().map(|family| family.rule()).collect()).await;
    for family in &families {
        let args: Vec<&str> = ["--json"].iter().chain(&family.args).copied().collect();
        let said = engine.call(&args).await;
        check(&format!("{args:?}"), &said);
        let value: Value = serde_json::from_str(&said.text).unwrap_or_else(|_| panic!("{args:?}"));
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["success", "data", "error"], "{args:?}");
        if value["data"]["compacted"] == true {
            let path = value["data"]["fullOutputPath"].as_str().unwrap();
            assert!(std::fs::read_to_string(path).unwrap().len() > CONTENT / 2, "{args:?}");
        }
    }
}

// DEC-104, DEC-04, DEC-64, PRES-SNAP-02, PRES-SNAP-07
#[tokio::test]
async fn a_snapshot_of_three_thousand_refs_is_short_and_complete_by_file() {
    for words in ["Action", &"a rather long accessible name ".repeat(6)] {
        let rule = json!({ "match": { "row": ["snapshot"] }, "result": snapshot(words, 3_000) });
        let click = json!({ "match": { "row": ["click"] }, "result": { "clicked": "@e2999" } });
        let engine = engine_for(vec![rule, click]).await;
        let said = engine.call(&["snapshot", "-i"]).await;
        check("snapshot", &said);
        assert!(said.text.len() <= 6_400, "{}", said.text.len());
        assert_eq!(said.details["refSnapshot"]["refIdRanges"], json!(["e1-e3000"]));
        let lines: Vec<&str> = said.text.lines().collect();
        let path =
            lines.iter().find_map(|line| line.strip_prefix("Full raw snapshot path: ")).unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap().lines().count(), 3_000);
        assert_eq!(said.details["fullOutputPath"], path);
        let manifest = &said.details["artifactManifest"];
        assert!(manifest.to_string().contains(path), "{manifest}");
        assert!(lines.last().unwrap().starts_with("Session artifacts: "));
        // A ref that no list names can still be used.
        let said = engine.call(&["click", "@e2999"]).await;
        assert!(!said.is_error, "{}", said.text);
    }
}

// DEC-104
#[tokio::test]
async fn long_arguments_and_errors_do_not_swell_a_reply() {
    let long = "text to fill ".repeat(20_000);
    let rules = vec![
        json!({ "match": { "row": ["click"] }, "error": format!("Element not found: {long}. Verify it") }),
    ];
    let engine = engine_for(rules).await;
    check("fill", &engine.call(&["fill", "#a", &long]).await);
    check("click", &engine.call(&["click", "#a"]).await);
    check("click json", &engine.call(&["--json", "click", "#a"]).await);
    check("find", &engine.call(&["find", "role", "button", "click", "--name", &long]).await);
    check("eval", &engine.send(json!({ "args": ["eval", "--stdin"], "stdin": long })).await);
    check("bad", &engine.send(json!({ "args": ["get"], "nonsense": long })).await);
    let rows: Vec<Value> =
        (0..400).map(|n| json!(["fill", format!("#f{n}"), "words ".repeat(100)])).collect();
    check(
        "batch",
        &engine.send(json!({ "args": ["batch"], "stdin": json!(rows).to_string() })).await,
    );
}

// DEC-104: what was cut, and where the rest is
#[tokio::test]
async fn a_long_batch_says_what_was_cut_and_keeps_its_last_lines() {
    let rule = json!({ "match": { "row": ["get", "text"] }, "result": { "text": "words of the page ".repeat(20) } });
    let engine = engine_for(vec![rule]).await;
    let mut rows: Vec<Value> = (0..60).map(|n| json!(["get", "text", format!("#p{n}")])).collect();
    rows.push(json!(["click", "#nope"]));
    let said = engine.send(json!({ "args": ["batch"], "stdin": json!(rows).to_string() })).await;
    check("batch", &said);
    assert!(said.first().contains("step 61 failed"), "{}", said.first());
    let note = said.text.lines().find(|line| line.contains("left out")).unwrap();
    let path = note.split_once("The whole answer: ").unwrap().1;
    let whole = std::fs::read_to_string(path).unwrap();
    assert!(whole.contains("\n61 failed (selector-not-found): "), "{whole}");
    assert_eq!(said.next(), [json!({ "args": ["snapshot", "-i"] })]);
}

// visible-text rule 8
#[tokio::test]
async fn routine_answers_are_small() {
    let engine = engine_for(Vec::new()).await;
    engine.call(&["open", "https://shop.test/"]).await;
    engine.call(&["snapshot", "-i"]).await;
    let bytes = |said: Said| said.text.len();
    assert!(bytes(engine.call(&["click", "@e3"]).await) <= 200);
    assert!(bytes(engine.call(&["fill", "@e4", "ann@shop.test"]).await) <= 100);
    assert_eq!(engine.call(&["get", "title"]).await.text, "Fake page");
    assert!(bytes(engine.call(&["click", "#nope"]).await) <= 350);
}
