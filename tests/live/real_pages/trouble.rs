//! Pages that fail: an API, exceptions, the console, slow pages and such that never load.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Visit, next};
use crate::support::pages::Route;

// DEC-71, DEC-107
#[test]
fn live_a_failing_api_and_an_exception_are_told_with_the_click() {
    let mut visit = Visit::to("react");
    let slow = |route| Route::Slow(Duration::from_millis(80), Box::new(route));
    visit.pages.set("/api/price", slow(Route::html("42")));
    visit.pages.set("/api/broken", slow(Route::status(500, "no")));
    // The page says that it is busy; the answer waits for what comes of it.
    visit.click("button", "Load price");
    assert_eq!(visit.js("price.textContent"), "price 42");
    let said = visit.click("button", "Load broken");
    assert!(said.contains("Page changed; alert \"Error: HTTP 500\"."), "{said}");
    // Nothing in the page shows that this one failed.
    let said = visit.click("button", "Sync");
    let told = format!(
        "No change seen within 300 ms.\nA request failed: 500 {}\n{}",
        visit.pages.url("/api/broken"),
        next(&["network", "requests", "--filter", "/api/broken"])
    );
    assert!(said.ends_with(&told), "{said}");
    let said = visit.click("button", "Crash");
    assert!(said.contains("\nThe page threw: \"Error: handler failed\"\n"), "{said}");
    assert!(said.ends_with(&next(&["errors"])), "{said}");
    assert!(visit.mcp.ok(&["errors"]).contains("handler failed"));
    assert!(visit.mcp.ok(&["console"]).contains("error: Price could not be loaded: HTTP 500"));
    let said = visit.mcp.ok(&["network", "requests"]);
    assert!(said.contains("500 GET fetch"), "{said}");
    // What was told once is not told again.
    let said = visit.click("tab", "Returns");
    assert!(said.ends_with("Page changed."), "{said}");
}

// DEC-71, DEC-70, DEC-96, HAZ-07
#[test]
fn live_a_slow_page_is_waited_for_and_one_that_never_loads_is_said_to_be_loading() {
    let mut visit = Visit::to("dialogs");
    visit
        .pages
        .html("/links", "<title>Links</title><a href=/slow>Slow</a><a href=/never>Never</a>");
    visit
        .pages
        .set("/slow", Route::slow(Duration::from_secs(2), "<title>Slow</title><h1>Here</h1>"));
    visit.pages.set("/never", Route::Never);
    visit.page = visit.mcp.ok(&["open", &visit.pages.url("/links")]);
    let said = visit.click("link", "Slow");
    assert!(said.contains("Now on \"Slow\""), "{said}");
    visit.page = visit.mcp.ok(&["open", &visit.pages.url("/links")]);
    let never = visit.at("link", "Never");
    let started = Instant::now();
    let call = json!({ "args": ["click", never], "timeoutMs": 8000 });
    let answer = visit.mcp.call_with(&call);
    assert!(started.elapsed() < Duration::from_secs(12), "{:?}", started.elapsed());
    let said = answer.ok();
    let told = format!(
        "The page is still loading (earlier refs are void).\n\
         The browser may stay busy for up to 30 s.\n{}\n{}",
        next(&["wait", "--load", "domcontentloaded"]),
        next(&["open", &visit.pages.url("/links")])
    );
    assert!(said.ends_with(&told), "{said}");
    assert!(visit.mcp.ok(&["open", &visit.pages.url("/links")]).starts_with("Opened \"Links\""));
    assert_eq!(visit.mcp.ok(&["get", "title"]), "Links");
    // Who waits for the page gets it.
    let late = Route::slow(Duration::from_secs(7), "<title>Late</title>");
    visit.pages.set("/slow", late);
    visit.page = visit.mcp.ok(&["snapshot", "-i"]);
    let call = json!({ "args": ["click", visit.at("link", "Slow")], "timeoutMs": 1500 });
    let said = visit.mcp.call_with(&call).ok();
    assert!(said.contains("The page is still loading"), "{said}");
    visit.mcp.ok(&["wait", "--load", "domcontentloaded"]);
    assert_eq!(visit.mcp.ok(&["get", "title"]), "Late");
    let open = json!({ "args": ["open", visit.pages.url("/never")], "timeoutMs": 3000 });
    let answer = visit.mcp.call_with(&open);
    assert!(answer.is_error(), "{}", answer.text());
    assert!(
        answer.text().starts_with("Failed (timeout, isError: true): stopped after 3000 ms."),
        "{}",
        answer.text()
    );
}
