//! The sentences of failures that upstream reports.

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

async fn said(rules: Value, args: &[&str]) -> String {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    assert!(!tool.call(&["open", "http://shop.test/"]).await.is_error);
    tool.call(args).await.text
}

// RES-13
#[tokio::test]
async fn names_that_were_seen_instead_are_listed_one_by_one() {
    let error = r#"4 elements have role "link", but none match name "Edit". Names seen: "Staff", "", "Say \"hi\", you", ..."#;
    let rules = json!([{ "match": { "row": ["find", "role"] }, "error": error }]);
    let said = said(rules, &["find", "role", "link", "click", "--name", "Edit"]).await;
    assert!(said.contains("\nNames seen: \"Staff\", \"Say \\\"hi\\\", you\"\n"), "{said}");
}

// RES-13, NEXT-12
#[tokio::test]
async fn a_target_that_cannot_be_scrolled_to_gets_a_plain_sentence_and_a_next_step() {
    let error =
        "Element '#a' is outside the viewport, so the click would not reach it. Try scrolling.";
    let rules = json!([{ "match": { "row": ["click"] }, "error": error }]);
    let said = said(rules, &["click", "#a"]).await;
    assert_eq!(
        said,
        "Failed (upstream-error, isError: true): nothing was clicked, \"#a\" cannot be scrolled into view.\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}"
    );
}

// DEC-05, RES-20
#[tokio::test]
async fn more_output_than_is_kept_is_called_that_and_not_broken_json() {
    let tool = TestEngine::new(TestEnv::new().script(&json!([])));
    assert!(!tool.call(&["open", "http://shop.test/"]).await.is_error);
    let flood = json!({ "floodBytes": 70_000_000 });
    for (argv, args) in [(["batch"], &["get", "title"][..]), (["session"], &["session", "list"])] {
        let mut rule = flood.clone();
        rule["match"] = json!({ "argv": argv });
        tool.env.rescript(&json!([rule]));
        let said = tool.call(args).await;
        assert_eq!(said.category(), "parse-failure", "{}", said.text);
        assert!(said.text.contains("more output than is kept"), "{}", said.text);
    }
}
