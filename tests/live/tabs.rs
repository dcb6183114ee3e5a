//! Tabs that take the focus, and tabs that go.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::Pages;

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
