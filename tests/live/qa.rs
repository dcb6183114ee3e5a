//! A check of a page that can be trusted: what fails, what is ignored, what is only pending.

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::{Pages, Route};

const HEALTHY: &str =
    "<!doctype html><title>Cart</title><h1>Your cart</h1><button id=pay>Pay</button>";
const BROKEN: &str = "<!doctype html><title>Checkout</title><link rel=icon href=/favicon.ico>
<h1>Your cart</h1><p style='display:none'>Hidden words</p>
<script>
console.error('price is missing');
fetch('/api/price', { method: 'POST' }).catch(() => {});
fetch('http://127.0.0.1:9/refused').catch(() => {});
fetch('/api/stream').catch(() => {});
setTimeout(() => { throw new Error('late boom'); }, 30);
</script>";

fn shop() -> Pages {
    let pages = Pages::with(HEALTHY);
    pages.html("/broken", BROKEN);
    pages.set("/api/price", Route::status(500, "no"));
    pages.set("/api/stream", Route::Never);
    pages
}

// QA-03, QA-11, QA-16, QA-18, IN-QA-17, IN-QA-18, IN-QA-19, HAZ-12, DEC-45
#[test]
fn live_a_broken_page_fails_with_each_reason_once_and_a_picture() {
    let (bed, pages) = (Bed::new(), shop());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let check = |path: &str| {
        json!({ "qa": { "url": pages.url(path), "expectedText": "Your cart",
        "screenshotPath": format!("qa{}.png", path.replace('/', "-")) } })
    };
    let failed = mcp.call_with(&check("/broken"));
    let text = failed.text();
    println!("{text}\n");
    assert!(failed.is_error());
    assert_eq!(failed.details()["failureCategory"], "qa-failure");
    let preset = &failed.details()["qaPreset"];
    assert_eq!(
        preset["failedChecks"],
        json!(["2 actionable failed requests", "1 console error", "1 page error"]),
        "{text}"
    );
    let warnings = preset["warnings"].to_string();
    assert!(warnings.contains("1 request(s) still pending"), "{warnings}");
    assert!(text.contains("/api/stream [pending]"), "{text}");
    assert!(text.contains("Screenshot verified: "), "{text}");
    assert_eq!(failed.images(), 1);
    // What the broken page left behind is not the next page's.
    let passed = mcp.call_with(&check("/"));
    println!("{}\n", passed.text());
    let text = passed.ok();
    assert!(text.starts_with("QA preset passed"), "{text}");
    assert!(text.contains("page errors"), "{text}");
}

// QA-04, QA-19, QA-07, QA-09, IN-QA-07, IN-QA-12, DEC-45
#[test]
fn live_a_hidden_text_is_missing_and_what_follows_is_not_run() {
    let (bed, pages) = (Bed::new(), shop());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let alone = mcp.call_with(&json!({ "qa": { "attached": true } }));
    assert!(alone.text().contains("no browser is open"), "{}", alone.text());
    let hidden = mcp.call_with(&json!({ "qa": { "url": pages.url("/broken"),
        "expectedText": ["Your cart", "Hidden words"], "screenshotPath": "late.png" } }));
    let text = hidden.text();
    println!("{text}\n");
    assert!(text.contains("4 text \"Your cart\": visible"), "{text}");
    assert!(text.contains("5 text \"Hidden words\": not visible within 5 s"), "{text}");
    assert!(text.contains("7 console: not run"), "{text}");
    assert!(text.contains("Screenshot verified: "), "{text}");
    mcp.ok(&["open", &pages.url("/")]);
    let attached =
        mcp.call_with(&json!({ "qa": { "attached": true, "expectedSelector": "#pay" } }));
    println!("{}\n", attached.text());
    assert!(attached.ok().starts_with("QA preset passed: \"Cart\""), "{}", attached.text());
    let with = mcp.call_with(&json!({ "qa": { "attached": true, "checkNetwork": true } }));
    println!("{}\n", with.text());
    assert!(with.text().contains("may be from before this check"), "{}", with.text());
    mcp.ok(&["open", "about:blank"]);
    let blank = mcp.call_with(&json!({ "qa": { "attached": true } }));
    println!("{}\n", blank.text());
    assert!(blank.is_error());
    assert!(blank.text().contains("Next: {\"args\":[\"tab\",\"list\"]}"), "{}", blank.text());
}
