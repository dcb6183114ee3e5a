//! What the answer to an act or an `open` shows of the page, so that no further look is needed.

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

// DEC-70
#[test]
fn live_a_page_that_its_scripts_draw_is_seen_when_it_is_drawn() {
    let pages = Pages::with(
        "<title>App</title><div id=root></div><script src=/app.js></script>\
         <footer><a href=/about>About</a></footer>",
    );
    pages.html(
        "/app.js",
        "setTimeout(() => { root.innerHTML = '<h1>Mail</h1><button>Compose</button>'; }, 180);\
         setTimeout(() => { root.innerHTML += '<input aria-label=Search>'; }, 350);",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let said = mcp.ok(&["open", &pages.url("/")]);
    assert!(said.contains("button \"Compose\"") && said.contains("textbox \"Search\""), "{said}");
}

// DEC-71
#[test]
fn live_controls_that_came_before_an_act_are_not_its_effect() {
    let pages = Pages::with(
        "<title>Live</title><button onclick='n.textContent += 1'>Count</button><p id=n></p>\
         <button onclick=\"later.innerHTML = '<button>Late</button>'\">Add</button>\
         <p id=early></p><p id=later></p>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["eval", "early.innerHTML = '<a href=#x>Early</a>'"]);
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Add").unwrap()]);
    let told = "New controls: button \"Late\"; since the snapshot, before this act: link \"Early\"";
    assert!(said.ends_with(told), "{said}");
    mcp.ok(&[
        "eval",
        "early.append(Object.assign(document.createElement('button'), { textContent: 'Ad' }))",
    ]);
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Count").unwrap()]);
    let told = "Page changed.\nNew controls since the snapshot, before this act: button \"Ad\"";
    assert!(said.ends_with(told), "{said}");
}

// DEC-71
#[test]
fn live_controls_that_an_act_brings_are_named() {
    let pages = Pages::with(
        "<title>Menu</title><button onclick='menu.hidden = false'>Open</button>\
         <div id=menu hidden><a href=#a>Rename</a><button>Delete</button></div>\
         <button onclick=\"more.innerHTML = '<label>Note <input></label>'\">Add</button><p id=more></p>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["find", "role", "button", "click", "--name", "Open"]);
    assert!(said.ends_with("\nNew controls: link \"Rename\", button \"Delete\""), "{said}");
    // What was named once is not named again.
    let said = mcp.ok(&["find", "role", "button", "click", "--name", "Add"]);
    assert!(said.ends_with("\nNew controls: textbox \"Note\""), "{said}");
    let said = mcp.ok(&["find", "label", "Note", "fill", "x"]);
    assert!(!said.contains("New controls"), "{said}");
}
