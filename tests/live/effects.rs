//! What an act was seen to do, where the page makes it hard to see.

use std::time::Duration;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

const FORM: &str = "<title>Form</title><form method=post action=/slow><input name=a aria-label=A>
<button>Send</button></form>
<button onclick=\"this.disabled=true; document.forms[0].submit()\">Send by script</button>
<button onclick=\"this.textContent='Busy'; location.href='/slow'\">Go by script</button>
<form action=/file><button>Get file</button></form>
<form onsubmit=\"event.preventDefault(); s.textContent='Too short'\"><button>Refuse</button></form>
<p role=status id=s></p>";

// DEC-71, DEC-96
#[test]
fn live_a_click_that_changes_the_page_and_leaves_it_has_left_it() {
    let pages = Pages::with(FORM);
    pages.set("/slow", Route::slow(Duration::from_millis(700), "<title>Sent</title>"));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for name in ["Send", "Send by script", "Go by script"] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        // The click takes the focus from a changed field: its `change` event comes first.
        mcp.ok(&["fill", &ref_in(&page, "textbox", "A").unwrap(), "x"]);
        let clicked = mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
        assert!(clicked.contains("Now on \"Sent\""), "{clicked}");
    }
}

// DEC-71
#[test]
fn live_a_form_that_stays_on_the_page_has_not_left_it() {
    let pages = Pages::with(FORM);
    pages.set("/file", Route::download("a.bin", b"bytes"));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let refused = mcp.ok(&["click", &ref_in(&page, "button", "Refuse").unwrap()]);
    assert!(refused.ends_with("Page changed; alert \"Too short\"."), "{refused}");
    let got = mcp.ok(&["click", &ref_in(&page, "button", "Get file").unwrap()]);
    assert!(!got.contains("Now on"), "{got}");
    mcp.ok(&["click", &ref_in(&page, "button", "Refuse").unwrap()]);
}

// RED-12, DEC-68
#[test]
fn live_a_name_that_is_cut_in_the_page_shows_no_beginning_of_a_secret() {
    let token = format!("gh{}_{}", "p", "a1B2c3D4".repeat(5));
    let name = format!("{}{token}", "word ".repeat(13));
    let pages = Pages::with(&format!(
        "<button onclick=f.focus()>Go to it</button><input id=f aria-label='{name}'>"
    ));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let told = mcp.ok(&["click", &ref_in(&page, "button", "Go to it").unwrap()]);
    assert!(told.contains("word\" has the focus") && !told.contains("a1B2"), "{told}");
}
