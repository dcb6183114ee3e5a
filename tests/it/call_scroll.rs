//! Scrolls that ours does in the page, and scrolls that moved nothing.

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened(rules: Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    assert!(!tool.call(&["open", URL]).await.is_error);
    tool
}

/// Rules under which the page stands at `before` in front of a scroll and at `after` behind it.
fn positions(before: i64, after: i64) -> Value {
    let sample = |y: i64| {
        json!({
            "viewport": { "x": 0, "y": y, "width": 1280, "height": 633 },
            "document": { "width": 1280, "height": 5000 },
            "containers": [{ "index": 0, "tag": "div", "role": "list", "x": 0, "y": 7 }],
        })
    };
    let mut behind = sample(after);
    behind["moved"] = json!(before != after);
    let page = |scroll: Value| json!({ "url": URL, "answers": { "scroll": scroll } });
    json!([
        { "match": { "row": ["eval"], "contains": "askInFront(" }, "value": page(sample(before)) },
        { "match": { "row": ["eval"], "contains": "askBehind(" }, "value": page(behind) },
    ])
}

// PLAN-69, PLAN-70, NEXT-30, NEXT-31, DIAG-SCROLL-01, DIAG-SCROLL-03, DIAG-SCROLL-04, DIAG-SCROLL-05, DIAG-SCROLL-06, DEC-06
#[tokio::test]
async fn a_large_scroll_that_moved_nothing_says_so() {
    let tool = opened(positions(600, 600)).await;
    let said = tool.call(&["scroll", "down", "800"]).await;
    assert_eq!(
        said.text,
        "Scroll completed with no observed movement\n\
         Scroll diagnostic: no observed scroll movement; the page may be at its end, or an inner pane scrolls.\n\
         Next: {\"args\":[\"snapshot\",\"-i\"]}\n\
         Next: {\"args\":[\"screenshot\"]}"
    );
    assert_eq!(said.details["data"]["scrolled"], false);
    let noop = &said.details["scrollNoop"];
    assert_eq!(noop["reason"], "no-observed-scroll-position-change");
    assert_eq!(noop["before"], noop["after"]);
    let container = &noop["before"]["containers"][0];
    let fields: Vec<&String> = container.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["index", "tag", "role", "x", "y"]);
    let ids: Vec<&str> = said.details["nextActions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|next| next["id"].as_str())
        .collect();
    assert!(
        ids.contains(&"inspect-after-noop-scroll") && ids.contains(&"verify-noop-scroll-visually")
    );
    assert_eq!(tool.asked().last().unwrap().commands(), ["eval", "scroll", "eval"]);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
}

// PLAN-69, DEC-06
#[tokio::test]
async fn a_scroll_that_moved_and_a_small_one_are_not_judged() {
    let tool = opened(positions(0, 300)).await;
    assert_eq!(tool.call(&["scroll", "down"]).await.text, "Scrolled \"down\".");
    let tool = opened(positions(0, 0)).await;
    let said = tool.call(&["scroll", "down", "99"]).await;
    assert!(said.text.starts_with("Scrolled \"down 99\"."), "{}", said.text);
    assert_eq!(tool.asked().last().unwrap().commands(), ["scroll", "eval"]);
}

fn container(scrollable: bool, moved: bool) -> Value {
    let report = json!({
        "scrollable": scrollable, "amount": 250, "moved": moved, "matches": 1,
        "before": { "x": 0, "y": 0 }, "after": { "x": 0, "y": if moved { 250 } else { 0 } },
        "max": { "x": 0, "y": 1200 }, "container": { "tag": "div", "role": null },
    });
    json!([{ "match": { "row": ["eval"], "contains": "scrollContainer(ask)" },
        "value": { "scrollContainer": report } }])
}

// PLAN-67, DIAG-SCROLL-07, DEC-25
#[tokio::test]
async fn a_container_is_scrolled_in_the_page_by_one_row() {
    for args in [
        &["scroll", "#list", "down", "250"][..],
        &["scroll", "#list", "down", "50%"],
        &["scroll", "down", "250", "--selector", "#list"],
    ] {
        let tool = opened(container(true, true)).await;
        let said = tool.call(args).await;
        assert_eq!(said.text, "Scrolled \"#list\" down by 250 px, now at 250 of 1200.");
        let evidence = &said.details["scrollContainer"];
        assert_eq!(evidence["selector"], "#list");
        assert_eq!((&evidence["moved"], &evidence["max"]["y"]), (&json!(true), &json!(1200)));
        assert_eq!(said.details["data"], json!({ "scrolled": true }));
        assert!(!tool.asked().last().unwrap().commands().contains(&"scroll"));
        let effective = said.details["effectiveArgs"].to_string();
        assert!(effective.contains("\"scroll\"") && !effective.contains("eval"), "{effective}");
    }
}

// PLAN-67, DIAG-SCROLL-07
#[tokio::test]
async fn a_container_that_does_not_scroll_leaves_it_to_the_page() {
    let tool = opened(container(false, false)).await;
    let said = tool.call(&["scroll", "#list", "down", "50%"]).await;
    assert!(said.first().starts_with("Scrolled \"down 250\"."), "{}", said.text);
    assert!(said.text.contains("The container itself does not scroll, so the page was scrolled."));
    assert_eq!(said.details["scrollContainer"]["fallback"], "page");
    let row = tool.asked().pop().unwrap().rows.into_iter().find(|row| row[0] == "scroll").unwrap();
    assert_eq!(row, ["scroll", "down", "250"]);
    // One that could scroll and did not is at its end.
    let tool = opened(container(true, false)).await;
    let said = tool.call(&["scroll", "#list", "down", "50%"]).await;
    assert!(said.text.starts_with("Scroll completed with no observed movement\n"), "{}", said.text);
    assert!(said.text.contains("the container is at its end."), "{}", said.text);
}

// PLAN-67, RES-13
#[tokio::test]
async fn a_container_that_is_not_there_is_a_miss() {
    let rules = json!([{ "match": { "row": ["eval"], "contains": "scrollContainer(ask)" },
        "error": "Evaluation error: Error: Element not found: #nope. Verify the selector, role, or name \
                  is correct and the element exists in the DOM.\n    at <anonymous>:1:5" }]);
    let tool = opened(rules).await;
    let said = tool.call(&["scroll", "#nope", "down"]).await;
    assert_eq!(said.category(), "selector-not-found");
    assert!(
        said.first().ends_with("nothing was scrolled, no element matches \"#nope\"."),
        "{}",
        said.text
    );
}

// PLAN-68, DIAG-SCROLL-08
#[tokio::test]
async fn the_ends_of_the_page_are_reached_in_the_page() {
    let report = |moved: bool| {
        json!({ "scrollable": true, "moved": moved, "before": { "x": 0, "y": 0 },
        "after": { "x": 0, "y": if moved { 4367 } else { 0 } }, "max": { "x": 0, "y": 4367 } })
    };
    let rule = |moved| {
        json!([{ "match": { "row": ["eval"], "contains": "scrollPage(ask)" },
        "value": { "scrollPage": report(moved) } }])
    };
    let tool = opened(rule(true)).await;
    let said = tool.call(&["scroll", "to", "end"]).await;
    assert_eq!(said.text, "Scrolled to the end of the page, now at 4367 of 4367 px.");
    assert_eq!(said.details["scrollPage"]["edge"], "end");
    let tool = opened(rule(false)).await;
    assert_eq!(tool.call(&["scroll", "to", "top"]).await.text, "The page was at its top already.");
    let flat = json!([{ "match": { "row": ["eval"], "contains": "scrollPage(ask)" },
        "value": { "scrollPage": { "scrollable": false, "moved": false } } }]);
    let tool = opened(flat).await;
    let said = tool.call(&["scroll", "to", "end"]).await;
    assert!(said.text.ends_with("The document itself does not scroll."), "{}", said.text);
    assert!(tool.asked().last().unwrap().commands().contains(&"scroll"));
}

// DEC-25, DEC-92
#[tokio::test]
async fn rows_of_a_batch_scroll_in_the_page_and_gated_sessions_by_upstream() {
    let tool = opened(container(true, true)).await;
    let rows = json!([["scroll", "#list", "down", "250"], ["get", "title"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(said.text.contains("Scrolled \"#list\" down by 250 px"), "{}", said.text);
    let gated = TestEngine::new(TestEnv::new());
    gated.call(&["--confirm-actions", "evaluate", "open", URL]).await;
    gated.call(&["scroll", "to", "end"]).await;
    assert_eq!(gated.asked().pop().unwrap().rows, [["scroll", "down", "1000000"]]);
}
