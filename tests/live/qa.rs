//! A check of a page that can be trusted: what fails, what is ignored, what is only pending.

use serde_json::{Value, json};

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

/// Words in every place that a reader cannot see, and in the two that he can.
const PLACES: &str = "<!doctype html><title>Places</title><div id=wide></div><div id=shut style='display:none'></div>
<div id=flat style='display:contents'></div><div id=pale style='visibility:hidden'></div>
<iframe srcdoc='<p>frame words</p><p hidden>frame secret</p>'></iframe>
<iframe style='display:none' srcdoc='<p>gone frame</p>'></iframe>
<iframe style='visibility:hidden' srcdoc='<p>pale frame</p>'></iframe>
<iframe style='border:0' width=0 height=0 srcdoc='<p>tiny frame</p>'></iframe>
<script>
const fill = (host, html) => { host.attachShadow({ mode: 'open' }).innerHTML = html; };
fill(wide, '<style>.styled { color: red }</style><p>shadow words</p><p hidden>shadow secret</p>loose <b>text</b>');
fill(shut, '<p>unseen host</p>');
fill(flat, '<p>flat words</p>');
fill(pale, '<p>pale host</p>pale text');
</script>";

// DEC-45, QA-04, IN-QA-07
#[test]
fn live_only_what_is_shown_in_shadow_roots_and_frames_is_expected_text() {
    let (bed, pages) = (Bed::new(), Pages::with(PLACES));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let shown = ["shadow words", "loose text", "flat words", "frame words"];
    let passed = mcp.call_with(&json!({ "qa": { "attached": true, "expectedText": shown } }));
    assert!(passed.ok().starts_with("QA preset passed"), "{}", passed.text());
    // Each is asked for at once: a wait for what never comes takes five seconds. The script is the
    // one that the preset waits with, as its plan tells it.
    let rows = passed.details()["compiledJob"]["stdin"].clone();
    let script = rows[1][2].as_str().unwrap().to_owned();
    let mut is_there = |text: &str| {
        assert!(script.contains("\"shadow words\""), "{script}");
        mcp.ok(&["eval", &script.replace("shadow words", text)])
    };
    assert_eq!(is_there("shadow words"), "true");
    for hidden in [
        "shadow secret",
        ".styled",
        "unseen host",
        "pale host",
        "pale text",
        "frame secret",
        "gone frame",
        "pale frame",
        "tiny frame",
    ] {
        assert_eq!(is_there(hidden), "false", "{hidden}");
    }
}

const LEADS_ON: &str = "<!doctype html><title>Moment</title><p>One moment</p>
<script>fetch('/api/stream').catch(() => {}); setTimeout(() => location.replace('/home'), 100)</script>";

// QA-11, QA-17, DEC-45
#[test]
fn live_a_page_that_leads_to_another_is_checked_there() {
    let (bed, pages) = (Bed::new(), Pages::with(LEADS_ON));
    pages.html("/home", HEALTHY);
    pages.set("/api/stream", Route::Never);
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for expected in [json!({}), json!({ "expectedText": "Your cart" })] {
        let mut qa = json!({ "url": pages.url("/"), "screenshotPath": "home.png" });
        qa.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
        let passed = mcp.call_with(&json!({ "qa": qa }));
        println!("{}\n", passed.text());
        let text = passed.ok();
        assert!(text.starts_with("QA preset passed"), "{text}");
        assert!(text.contains(&format!("\"Cart\" {}", pages.url("/home"))), "{text}");
        assert!(!text.contains("pending"), "it ended with its page: {text}");
    }
    // What is wrong there is found there.
    pages.html("/home", BROKEN);
    pages.set("/api/price", Route::status(500, "no"));
    let failed = mcp.call_with(&json!({ "qa": { "url": pages.url("/"), "checkNetwork": false } }));
    assert_eq!(
        failed.details()["qaPreset"]["failedChecks"],
        json!(["1 console error", "1 page error"]),
        "{}",
        failed.text()
    );
}

const FRAMED: &str = "<!doctype html><title>Framed</title><h1>Host</h1>
<iframe src=/inner></iframe>";

// HAZ-12
#[test]
fn live_a_request_that_a_frame_made_and_nobody_took_has_failed() {
    let (bed, pages) = (Bed::new(), Pages::with(FRAMED));
    pages.html("/inner", "<script>fetch('http://127.0.0.1:9/refused').catch(() => {})</script>");
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["wait", "300"]);
    let rows = raw.data(&["network", "requests"])["requests"].clone();
    let refused = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["url"].as_str().unwrap().ends_with("/refused"));
    let refused = refused.unwrap_or_else(|| panic!("{rows}"));
    assert!(
        refused.get("status").is_none_or(Value::is_null),
        "raw: nothing tells that it failed: {refused}"
    );
    raw.close();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let failed = mcp.call_with(&json!({ "qa": { "url": pages.url("/") } }));
    let text = failed.text();
    assert!(text.contains("1 actionable failed request") && !text.contains("pending"), "{text}");
    let listed = mcp.ok(&["network", "requests"]);
    assert!(listed.contains("/refused [actionable") && !listed.contains("[pending]"), "{listed}");
}
