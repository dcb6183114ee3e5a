//! A `fill` by selector: the field is prepared, the text inserted, and nothing goes elsewhere.

use crate::support::bed::Bed;
use crate::support::mcp::{Answer, Mcp};
use crate::support::pages::Pages;

const PAGE: &str = "<title>Form</title>
<input id=plain value=old aria-label=Plain>
<input class=twice value=first aria-label=First><input class=twice value=second aria-label=Second>
<input id=caret value=old aria-label=Caret onfocus='setTimeout(() => this.setSelectionRange(9, 9))'>
<input id=thief aria-label=Thief onfocus='setTimeout(() => other.focus())'>
<input id=other value=kept aria-label=Other>
<div inert><input id=within></div><input id=hidden style='display:none'><input id=hidden2 style='display:none' class=shy><input class=shy aria-label=Shy>
<script>window.heard=[];
for (const type of ['input', 'change']) document.addEventListener(type, (event) =>
  heard.push(`${type} ${event.target.id} ${event.isTrusted} ${event.target.value}`), true)</script>";

fn value(mcp: &mut Mcp, selector: &str) -> String {
    mcp.ok(&["get", "value", selector])
}

fn processes(answer: &Answer) -> u64 {
    answer.details()["timing"]["upstreamProcesses"].as_u64().unwrap()
}

// HAZ-19
#[test]
fn live_a_fill_by_selector_is_heard_as_one_input_of_a_user() {
    let (pages, bed) = (Pages::with(PAGE), Bed::new());
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["fill", "#plain", "new"]);
    assert_eq!(
        raw.eval("heard.join()"),
        "input plain false ,input plain true new",
        "raw: a script empties the field, and the page hears of it"
    );
    raw.close();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let filled = mcp.call(&["fill", "#plain", "new"]);
    assert_eq!(filled.ok(), "Filled \"#plain\"; value verified.");
    assert_eq!(processes(&filled), 1);
    assert_eq!(filled.details()["data"]["filled"], "#plain", "{}", filled.details());
    assert_eq!(mcp.ok(&["eval", "heard.join()"]).trim(), "input plain true new");
    // Of several the first one, as upstream has it.
    let filled = mcp.call(&["fill", ".twice", "new"]);
    assert_eq!((processes(&filled), filled.is_error()), (1, false), "{}", filled.text());
    assert_eq!(
        mcp.ok(&["eval", "[...document.querySelectorAll('.twice')].map(f => f.value).join()"])
            .trim(),
        "new,second"
    );
    // What is marked stays where nothing is inserted for it.
    mcp.ok(&["fill", "#plain", ""]);
    assert_eq!(mcp.ok(&["eval", "plain.value.length"]).trim(), "0");
}

// HAZ-19, DIAG-FILL-01
#[test]
fn live_a_page_that_moves_the_caret_or_the_focus_gets_no_text_in_the_wrong_place() {
    let (pages, bed) = (Pages::with(PAGE), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    assert_eq!(mcp.ok(&["fill", "#caret", "new"]), "Filled \"#caret\"; value verified.");
    assert_eq!(value(&mut mcp, "#caret"), "new");
    let stolen = mcp.fails(&["fill", "#thief", "secret words"]);
    assert!(
        stolen.contains("did not take effect. The page gave the focus to another field"),
        "{stolen}"
    );
    assert_eq!(value(&mut mcp, "#other"), "kept");
    // What cannot have the focus would leave the text to the field that has it.
    mcp.ok(&["focus", "#other"]);
    for hidden in ["#hidden", ".shy", "#within"] {
        let refused = mcp.fails(&["fill", hidden, "words"]);
        let line = format!("nothing was filled: \"{hidden}\" is hidden and cannot have the focus.");
        assert!(refused.contains(&line), "{refused}");
    }
    assert_eq!(value(&mut mcp, "#other"), "kept");
}

// HAZ-19, DEC-92
#[test]
fn live_a_fill_that_waits_for_its_confirmation_still_does() {
    let (pages, bed) = (Pages::with(PAGE), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["--confirm-actions", "fill", "open", &pages.url("/")]);
    let waiting = mcp.call(&["fill", "#plain", "new"]).text();
    assert!(waiting.contains("confirm"), "{waiting}");
    assert_eq!(value(&mut mcp, "#plain"), "old");
}

// HAZ-19
#[test]
fn live_a_fill_on_a_page_with_frames_takes_one_process_too() {
    let html =
        "<title>Out</title><input id=plain value=outer aria-label=Out><iframe src=/inner></iframe>";
    let (pages, bed) = (Pages::with(html), Bed::new());
    pages.html("/inner", "<title>In</title><input id=plain value=inner aria-label=In>");
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let filled = mcp.call(&["fill", "#plain", "new"]);
    assert_eq!((processes(&filled), filled.is_error()), (1, false), "{}", filled.text());
    assert_eq!(value(&mut mcp, "#plain"), "new");
}
