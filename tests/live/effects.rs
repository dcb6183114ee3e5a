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
    assert!(got.ends_with(". A download was started, or the address gave no page."), "{got}");
    mcp.ok(&["click", &ref_in(&page, "button", "Refuse").unwrap()]);
}

const FRAMES: &str = "<title>Frames</title><a href=/next target=far>Far</a>
<a href=/file target=near>File</a><a href=/never target=near>Never</a>
<button onclick=\"this.append('!'); location='/file'\">Both</button>
<iframe name=near src=/inner></iframe><iframe name=far src='OTHER'></iframe>";

// DEC-71
#[test]
fn live_what_a_frame_was_sent_to_is_told_as_far_as_it_can_be_seen() {
    let pages = Pages::start();
    pages.html("/", &FRAMES.replace("OTHER", &pages.other_host("/outer")));
    pages.html(
        "/inner",
        "<title>Inner</title><form><input required aria-label=A><button>Held</button></form>",
    );
    pages.html("/outer", "<title>Outer</title><a href=/next>Away</a>");
    pages.html("/next", "<title>Next</title>next");
    pages.set("/file", Route::download("a.bin", b"bytes"));
    pages.set("/never", Route::Never);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let waits =
        "No change seen within 1500 ms. A frame is still loading, or its address gave no page.";
    for (role, name, tail) in [
        // A frame of another origin, from outside and from inside.
        ("link", "Far", "link \"Far\". Page changed."),
        ("link", "Away", "link \"Away\". Page changed."),
        ("link", "File", waits),
        ("link", "Never", waits),
        ("button", "Both", "Page changed. A download was started, or the address gave no page."),
        ("button", "Held", "; not submitted: textbox \"A\": \"Please fill out this field.\""),
    ] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let said = mcp.ok(&["click", &ref_in(&page, role, name).unwrap()]);
        assert!(said.lines().next().unwrap().ends_with(tail), "{name}: {said}");
    }
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

// DEC-71
#[test]
fn live_a_frame_that_goes_to_another_site_takes_no_verdict_with_it() {
    let pages = Pages::start();
    let html = "<title>Shop</title><a href='OTHER' target=pay>Pay</a><iframe name=pay src=/inner></iframe>";
    pages.html("/", &html.replace("OTHER", &pages.other_host("/pay")));
    pages.html("/inner", "<title>Inner</title>inner");
    pages.html("/pay", "<title>Pay</title>pay");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["eval", "window.own = [window.close, window.alert, window.fetch]; 1"]);
    let said = mcp.ok(&["click", &ref_in(&page, "link", "Pay").unwrap()]);
    assert!(said.ends_with("link \"Pay\". Page changed."), "{said}");
    let undone =
        "[window.close, window.alert, window.fetch].every((one, at) => one === window.own[at])";
    assert_eq!(mcp.ok(&["eval", undone]), "true", "what was watched is undone");
}

// DEC-71, HAZ-25
#[test]
fn live_fields_that_are_named_like_properties_of_their_form_hide_nothing() {
    let pages = Pages::with(
        "<title>Find</title><form role=search action=/next tabindex=0><input name=title aria-label=Query>\
         <input name=labels aria-label=Words><input name=target aria-label=Aim><input name=method aria-label=Way>\
         <input type=submit value=Go></form><button onclick=\"this.append('!')\">Note</button>\
         <button onclick=\"for (const at of [this, document]) at.dispatchEvent(new Event('submit', { bubbles: true }));\
         this.append('!')\">Send</button>",
    );
    pages.html("/next", "<title>Next</title>next");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let noted = mcp.ok(&["click", &ref_in(&page, "button", "Note").unwrap()]);
    assert!(noted.ends_with("button \"Note\". Page changed."), "{noted}");
    // An event of that name that no form has sent leaves no page.
    let sent = mcp.ok(&["click", &ref_in(&page, "button", "Send").unwrap()]);
    assert!(sent.ends_with("button \"Send\". Page changed."), "{sent}");
    let found = mcp.ok(&["find", "role", "textbox", "fill", "tea", "--name", "Words"]);
    assert!(found.ends_with("value verified."), "{found}");
    let went = mcp.ok(&["click", &ref_in(&page, "button", "Go").unwrap()]);
    assert!(went.contains("Now on \"Next\""), "{went}");
}

const RIPPLE: &str = "<title>Ripple</title><button onclick=\"const drawn = document.createElement('span');
this.append(drawn); this.className = 'pressed'; setTimeout(() => drawn.remove(), 600);
setTimeout(() => box.showModal(), 120)\">Delete</button><dialog id=box aria-label=Sure><button>OK</button></dialog>";

// DEC-71: what is drawn on a pressed button says nothing of what it does.
#[test]
fn live_a_press_that_is_drawn_on_its_button_is_not_the_answer() {
    let pages = Pages::with(RIPPLE);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Delete").unwrap()]);
    assert!(said.contains("Page changed; dialog \"Sure\" opened."), "{said}");
}
