//! What upstream does well stays visible: ours adds to it and hides nothing.

use std::time::{Duration, Instant};

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

const PAGE: &str = "<title>Shop</title>\
    <input id=q aria-label='Search shop' value=old>\
    <select id=s><option value=v>Vanilla</option></select>\
    <button id=ask onclick=\"document.title = prompt('Name?') || 'none'\">Ask</button>\
    <div style='position:relative'><button id=under>Under</button>\
    <div id=wall style='position:absolute;inset:0;background:#fff'></div></div>\
    <iframe id=f src='/inner' style='height:60px'></iframe>\
    <div style='height:4000px'></div><button id=low onclick=\"document.title='Low'\">Low</button>";

// DIAG-UP-01, PLAN-29
#[test]
fn live_what_upstream_does_by_itself_is_not_hidden() {
    let pages = Pages::with(PAGE);
    pages.html("/inner", "<button id=in onclick=\"parent.document.title='Inner'\">In</button>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    // Off the screen: scrolled to, then clicked.
    mcp.ok(&["click", "#low"]);
    assert_eq!(mcp.ok(&["get", "title"]), "Low");
    assert_ne!(mcp.ok(&["eval", "Math.round(scrollY)"]).trim(), "0");
    // What lies on top is named.
    let said = mcp.fails(&["click", "#under"]);
    assert!(said.contains("nothing was clicked") && said.contains("div#wall"), "{said}");
    // Labels of ARIA, and the flags of `type`.
    let found = mcp.ok(&["find", "label", "Search shop", "fill", "tea"]);
    assert!(found.starts_with("Filled"), "{found}");
    mcp.ok(&["type", "#q", "mint", "--clear", "--delay", "5"]);
    assert_eq!(mcp.ok(&["get", "value", "#q"]), "mint");
    // No option of that name is an error that lists the others.
    let said = mcp.fails(&["select", "#s", "zzz"]);
    assert!(said.contains("Vanilla"), "{said}");
    // The limit of a wait is the caller's.
    let started = Instant::now();
    let said = mcp.fails(&["wait", "#never", "--timeout", "700"]);
    assert!(said.contains("within 700 ms"), "{said}");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    // A prompt is answered.
    let said = mcp.ok(&["click", "#ask"]);
    assert!(said.contains("A prompt dialog is open: \"Name?\""), "{said}");
    mcp.ok(&["dialog", "accept", "Ann"]);
    assert_eq!(mcp.ok(&["get", "title"]), "Ann");
    // Selectors and refs inside a frame.
    mcp.ok(&["frame", "#f"]);
    mcp.ok(&["wait", "#in", "--timeout", "3000"]);
    mcp.ok(&["frame", "main"]);
    let page = mcp.ok(&["snapshot", "-i"]);
    let inner = ref_in(&page, "button", "In").unwrap();
    mcp.ok(&["click", &inner]);
    assert_eq!(mcp.ok(&["get", "title"]), "Inner");
}
