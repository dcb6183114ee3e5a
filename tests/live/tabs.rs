//! Tabs that take the focus, and tabs that go.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

/// One request to the browser's own DevTools address, as another program would send it.
fn devtools(cdp_url: &str, path: &str) -> String {
    let host = cdp_url.trim_start_matches("ws://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!("PUT {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    // Some answers are not followed by the end of the connection.
    stream.set_read_timeout(Some(std::time::Duration::from_secs(2))).unwrap();
    let mut answer = String::new();
    let _closed = stream.read_to_string(&mut answer);
    answer
}

// PAGE-08, HAZ-03, HAZ-17, DIAG-TAB-01
#[test]
fn live_a_tab_that_was_closed_from_outside_is_a_lost_page() {
    let pages = Pages::with("<title>Shop</title><h1>Shop</h1><button id=b>Buy</button>");
    let bed = Bed::new();
    let raw = bed.raw();
    let target = raw.data(&["open", &pages.url("/")])["targetId"].as_str().unwrap().to_owned();
    let cdp = raw.data(&["get", "cdp-url"])["cdpUrl"].as_str().unwrap().to_owned();
    devtools(&cdp, &format!("/json/close/{target}"));
    // Raw upstream goes on with a blank page and says nothing.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(raw.data(&["get", "title"])["title"], "");
    raw.close();

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for args in
        [&["get", "title"][..], &["get", "text", "h1"], &["click", "#b"], &["snapshot", "-i"]]
    {
        let opened = mcp.call(&["open", &pages.url("/")]);
        opened.ok();
        let target = opened.details()["data"]["targetId"].as_str().unwrap().to_owned();
        let cdp = mcp.ok(&["get", "cdp-url"]);
        devtools(&cdp, &format!("/json/close/{target}"));
        std::thread::sleep(std::time::Duration::from_millis(300));
        let said = mcp.fails(args);
        assert!(said.starts_with("Failed (tab-drift, isError: true): "), "{args:?}: {said}");
        assert!(said.contains("blank page") && said.contains(&pages.url("/")), "{args:?}: {said}");
    }
    mcp.ok(&["open", &pages.url("/")]);
    assert_eq!(mcp.ok(&["get", "title"]), "Shop");
}

// DEC-71: raw upstream calls it done.
#[test]
fn live_a_tab_without_an_earlier_page_is_said_to_stay() {
    let pages = Pages::with("<title>Shop</title><a href=/next target=_blank>Next</a>");
    pages.html("/next", "<title>Next</title><a href=#part>Part</a>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["click", &ref_in(&page, "link", "Next").expect(&page)]);
    let still = format!("Still on \"Next\" {}", pages.url("/next"));
    assert!(mcp.ok(&["back"]).starts_with(&format!("This tab has no earlier page. {still}")));
    assert!(mcp.ok(&["forward"]).starts_with(&format!("This tab has no later page. {still}")));
    // A step inside the same document is one.
    let page = mcp.ok(&["snapshot", "-i"]);
    mcp.ok(&["click", &ref_in(&page, "link", "Part").expect(&page)]);
    assert!(mcp.ok(&["back"]).starts_with("Went back to \"Next\""));
}

// DEC-70, HAZ-11
#[test]
fn live_a_new_tab_shows_its_page_once_it_is_there() {
    let pages = Pages::with("<title>Shop</title><button>Buy</button>");
    let body = "<title>Slow</title><button>Late</button>";
    pages.set("/slow", Route::slow(Duration::from_millis(700), body));
    pages.set("/missing", Route::status(404, "<title>None</title>"));
    let bed = Bed::new();
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["tab", "new", &pages.url("/slow")]);
    assert_eq!(raw.data(&["get", "title"])["title"], "", "raw: the page is not there yet");
    assert_eq!(raw.run(&["tab", "new", "http://127.0.0.1:1/"])["success"], true, "raw");
    raw.close();

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let opened = mcp.call(&["tab", "new", "--label", "docs", &pages.url("/slow")]);
    let (text, url) = (opened.ok(), pages.url("/slow"));
    let first = format!("Opened tab t2 label=docs (2 tabs open): \"Slow\" {url}");
    assert_eq!(text.lines().next(), Some(first.as_str()), "{text}");
    let late = ref_in(&text, "button", "Late").expect(&text);
    assert_eq!(opened.details()["timing"]["upstreamProcesses"], 1);
    assert!(mcp.ok(&["click", &late]).starts_with("Clicked "));

    let text = mcp.ok(&["tab", "t1"]);
    assert!(text.starts_with("Tab t1 is active: \"Shop\" "), "{text}");
    let buy = ref_in(&text, "button", "Buy").expect(&text);
    assert!(mcp.ok(&["click", &buy]).starts_with("Clicked "));

    let text = mcp.ok(&["tab", "new", &pages.url("/missing")]);
    assert!(text.lines().next().unwrap().ends_with("(HTTP 404)"), "{text}");

    let text = mcp.fails(&["tab", "new", "http://127.0.0.1:1/"]);
    assert!(text.contains("ERR_UNSAFE_PORT"), "{text}");
    assert!(text.contains("Tab t4 was opened for it and is in front."), "{text}");
    let stale = mcp.fails(&["click", &buy]);
    assert!(stale.starts_with("Failed (stale-ref"), "{stale}");

    let text = mcp.ok(&["tab", "close"]);
    assert!(text.starts_with("Closed tab t4. In front: \""), "{text}");
    assert!(
        text.contains("\nSnapshot: ") || text.contains("\nThe page shows no controls"),
        "{text}"
    );

    let batch = json!([["tab", "new", pages.url("/slow")], ["get", "title"]]).to_string();
    let text = mcp.call_with(&json!({ "args": ["batch"], "stdin": batch })).ok();
    assert!(text.lines().any(|line| line == "2 \"Slow\""), "{text}");
}

// PAGE-10, DEC-70: upstream names the tab that was closed; the one in front is another.
#[test]
fn live_a_tab_behind_a_closed_one_is_not_called_new() {
    let pages = Pages::with("<title>Shop</title><a id=on href=/next>On</a>");
    pages.html(
        "/next",
        "<title>Next</title><a id=on href=/>Back</a><a id=new href=/ target=_blank>New</a>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["tab", "new", &pages.url("/")]);
    let closed = mcp.call(&["tab", "close", "t1"]);
    assert!(closed.ok().starts_with("Closed tab t1. In front: \"Shop\""), "{}", closed.ok());
    assert_eq!(closed.details()["timing"]["upstreamProcesses"], 1);
    let on = format!("Clicked \"#on\". Now on \"Next\" {}", pages.url("/next"));
    assert!(mcp.ok(&["click", "#on"]).starts_with(&on), "behind one that was not in front");
    assert!(mcp.ok(&["click", "#new"]).starts_with("Clicked \"#new\". New tab t3 is active: "));
    mcp.ok(&["tab", "close"]);
    let text = mcp.ok(&["click", "#on"]);
    assert!(
        text.starts_with("Clicked \"#on\". Now on \"Shop\""),
        "behind the one in front: {text}"
    );
    mcp.ok(&["tab", "new", &pages.url("/")]);
    let rows = json!([["tab", "close"], ["get", "title"]]).to_string();
    mcp.call_with(&json!({ "args": ["batch"], "stdin": rows })).ok();
    assert!(mcp.ok(&["click", "#on"]).starts_with(&on), "behind one that a batch has closed");
}

// DEC-71, HAZ-03: the page behind the last step of a pop-up only closes it.
#[test]
fn live_a_pop_up_that_closes_behind_a_submit_is_told_at_once() {
    let pages = Pages::with(
        "<title>Shop</title><button onclick=\"open('/pop', '_blank', 'width=300,height=200')\">Sign in
        </button><p id=who>nobody</p>
        <script>onmessage = (event) => { who.textContent = event.data; }</script>",
    );
    pages.html("/pop", "<title>Consent</title><form action=/done><button>Allow</button></form>");
    pages.html("/done", "<script>opener.postMessage('Ann', '*'); window.close();</script>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let sign_in = ref_in(&page, "button", "Sign in").expect(&page);
    let text = mcp.ok(&["click", &sign_in]);
    let allow = ref_in(&text, "button", "Allow").expect(&text);
    let started = Instant::now();
    let text = mcp.ok(&["click", &allow]);
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}: {text}", started.elapsed());
    assert!(text.contains("Its tab closed; tab t1 is active: \"Shop\""), "{text}");
    assert_eq!(mcp.ok(&["get", "text", "#who"]), "Ann");
}
