//! Diagnostics on pages that really do what they are about.

use std::time::Duration;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

fn opened(pages: &Pages, bed: &Bed) -> (Mcp, String) {
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    (mcp, page)
}

const MISSES: &str = "<title>Misses</title>
<div style='padding-bottom:120px'><div style='height:20px;overflow:hidden;position:relative'>
<button id=clipped style='position:absolute;top:60px'>Clipped</button></div></div>
<button style='pointer-events:none'>Through</button>
<p><button id=moving style='position:relative'>Moving</button></p>
<button onclick='n.textContent++'>Same</button> <button style='pointer-events:none'>Same</button>
<button id=fine>Fine</button><label><input type=checkbox style='position:absolute;opacity:0'>Styled</label>
<p id=n>0</p><p id=clock></p>
<script>moving.onmousemove = () => { moving.style.left = moving.style.left ? '' : '400px'; };
setInterval(() => clock.textContent = performance.now(), 30)</script>";

// DIAG-CLICK-01, DIAG-CLICK-03, DIAG-CLICK-05, DIAG-CLICK-09
#[test]
fn live_a_press_that_misses_its_target_is_told_even_where_the_page_changes() {
    let (pages, bed) = (Pages::with(MISSES), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let clipped = mcp.fails(&["click", "#clipped"]);
    assert!(clipped.contains("it lies outside its scroll container."), "{clipped}");
    assert!(clipped.contains("\"scrollintoview\",\"#clipped\""), "{clipped}");
    for name in ["Through", "Moving"] {
        let text = mcp.fails(&["click", &ref_in(&page, "button", name).unwrap()]);
        assert!(text.contains("did not receive it.\nClick dispatch diagnostic"), "{name}: {text}");
    }
    // The second of two equal names is told from the first.
    let first = ref_in(&page, "button", "Same").unwrap();
    let number: u32 = first.trim_start_matches("@e").parse().unwrap();
    mcp.ok(&["click", &first]);
    mcp.fails(&["click", &format!("@e{}", number + 1)]);
    // What arrives is no miss, at the element or at its label.
    mcp.ok(&["click", &ref_in(&page, "button", "Fine").unwrap()]);
    mcp.ok(&["click", "#fine"]);
    let styled = ref_in(&page, "checkbox", "Styled").unwrap();
    let text = mcp.call(&["click", &styled]).text();
    assert!(!text.contains("Click dispatch"), "{text}");
}

const UNSEEN: &str = "<title>Unseen</title><div id=host></div>
<script>const root = host.attachShadow({ mode: 'closed' });
root.innerHTML = '<button>Toggle</button><button disabled hidden>x</button>';
root.firstChild.onclick = () => { root.firstChild.title = 'on'; host.pressed = true; };</script>";

// DIAG-CLICK-01, DIAG-CLICK-03
#[test]
fn live_a_target_that_the_page_cannot_look_up_is_not_judged() {
    let (pages, bed) = (Pages::with(UNSEEN), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let clicked = mcp.call(&["click", &ref_in(&page, "button", "Toggle").unwrap()]);
    assert!(clicked.ok().ends_with("No change seen within 300 ms."), "{}", clicked.text());
    assert!(clicked.details().get("clickDispatch").is_none());
    assert_eq!(mcp.ok(&["eval", "host.pressed"]), "true");
}

const TAKEN: &str = "<title>Taken</title><button id=b>Go</button>
<script>for (const type of ['pointerdown','mousedown','click'])
 window.addEventListener(type, (event) => event.stopImmediatePropagation(), true)</script>";

// DIAG-CLICK-05
#[test]
fn live_a_page_that_takes_every_press_first_is_not_judged() {
    let (pages, bed) = (Pages::with(TAKEN), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let text = mcp.ok(&["click", &ref_in(&page, "button", "Go").unwrap()]);
    assert!(!text.contains("Click dispatch"), "{text}");
    mcp.ok(&["click", "#b"]);
}

const DIALOG: &str = "<title>Shop</title><button id=save>Save</button><button onclick='late()'>Later</button>
<div role=dialog aria-label=Newsletter style='position:fixed;bottom:0;height:60px'>
<input aria-label=Mail><button onclick='this.parentNode.remove()'>No thanks</button><button>Subscribe</button></div>
<button onclick='own.showModal()'>Settings</button><dialog id=own><button>Close</button><button>Idle</button></dialog>
<script>function late() { setTimeout(() => save.textContent = 'Saved', 100) }</script>";

// HAZ-16, DIAG-OVER-01, DIAG-OVER-04, DIAG-OVER-08
#[test]
fn live_only_a_dialog_that_may_be_in_the_way_is_named() {
    let (pages, bed) = (Pages::with(DIALOG), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let click =
        |mcp: &mut Mcp, name: &str| mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
    let blocked = click(&mut mcp, "Save");
    assert!(
        blocked.contains(
            "Possible overlay blockers: the dialog \"Newsletter\" is open; to close it perhaps @e"
        ),
        "{blocked}"
    );
    for name in ["Later", "Subscribe", "Settings"] {
        let text = click(&mut mcp, name);
        assert!(!text.contains("overlay"), "{name}: {text}");
    }
    // A dialog that was opened on purpose is no blocker for what stands in it.
    let page = mcp.ok(&["snapshot", "-i"]);
    let idle = mcp.ok(&["click", &ref_in(&page, "button", "Idle").unwrap()]);
    assert!(idle.ends_with("No change seen within 300 ms."), "{idle}");
}

const COVERED: &str = "<title>Covered</title><button id=buy>Buy</button>
<div id=banner style='position:fixed;inset:0;background:#fff'><button onclick='banner.remove()'>Close</button></div>";

// HAZ-16, DEC-91
#[test]
fn live_a_covered_control_names_its_cover_and_how_to_close_it() {
    let (pages, bed) = (Pages::with(COVERED), Bed::new());
    let (mut mcp, _) = opened(&pages, &bed);
    let text = mcp.fails(&["click", "#buy"]);
    assert!(text.contains("div#banner"), "{text}");
    assert!(text.contains("covers it; to close it perhaps @e"), "{text}");
    let next = text.lines().filter_map(|line| line.strip_prefix("Next: ")).nth(1).unwrap();
    let call: serde_json::Value = serde_json::from_str(next).unwrap();
    mcp.call_with(&call).ok();
    mcp.ok(&["click", "#buy"]);
}

const ELSEWHERE: &str = "<title>Board</title><a href='#x' style='position:absolute;left:-900px'>x</a>
<button id=buy>Buy</button>
<div id=modalc style='position:fixed;inset:0;background:#fff8'><p>Really?</p><button>Keep</button></div>";

const BESIDE: &str = "<title>Board</title><button id=buy>Buy</button>
<div id=shade style='position:fixed;inset:0;background:#0008'></div>
<div style='position:fixed;top:90px'><button onclick=\"this.parentNode.remove(); shade.remove()\">Close</button></div>";

// HAZ-16, DIAG-OVER-04
#[test]
fn live_only_a_control_that_lies_in_the_cover_is_offered_to_close_it() {
    let (pages, bed) = (Pages::with(ELSEWHERE), Bed::new());
    let (mut mcp, _) = opened(&pages, &bed);
    let text = mcp.fails(&["click", "#buy"]);
    println!("{text}\n");
    assert!(text.contains("div#modalc"), "{text}");
    assert!(!text.contains("to close it perhaps"), "{text}");
    pages.html("/beside", BESIDE);
    mcp.ok(&["open", &pages.url("/beside")]);
    let text = mcp.fails(&["click", "#buy"]);
    println!("{text}\n");
    assert!(text.contains("to close it perhaps @e"), "{text}");
}

const COMBO: &str = "<title>Combo</title>
<input role=combobox aria-label=Dead aria-expanded=false>
<input role=combobox aria-label=Late aria-expanded=false aria-controls=l onclick='setTimeout(show, 150)'>
<button role=combobox aria-label=Toggle aria-expanded=false onclick='toggle(this)'>Pick</button>
<ul role=listbox id=l hidden><li role=option>One</ul>
<label>Plain <select><option>A<option>B</select></label>
<script>function show() { l.hidden = false }
function toggle(box) { l.hidden = !l.hidden; box.setAttribute('aria-expanded', !l.hidden); box.focus() }</script>";

// DIAG-COMBO-01, DIAG-COMBO-02
#[test]
fn live_only_a_combobox_that_shows_nothing_in_time_is_told() {
    let (pages, bed) = (Pages::with(COMBO), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let mut click = |name: &str| mcp.ok(&["click", &ref_in(&page, "combobox", name).unwrap()]);
    let dead = click("Dead");
    assert!(
        dead.contains("Combobox diagnostic: focused combobox did not expose visible options"),
        "{dead}"
    );
    for name in ["Late", "Toggle", "Toggle", "Plain"] {
        let text = click(name);
        assert!(!text.contains("Combobox diagnostic"), "{name}: {text}");
    }
}

const FIELDS: &str = "<title>Fields</title><label>Open <input id=open value=same></label>
<label>Off <input id=off disabled value=old></label><label>Fixed <input id=fixed readonly value=old></label>
<div id=ed contenteditable role=textbox aria-label=Editor>old text</div>
<label>Digit <input id=d1 maxlength=1 oninput='if (this.value) d2.focus()'></label><label>Next <input id=d2></label>
<label>Phone <input id=phone oninput=\"this.value=this.value.replace(/(\\d{3})(?=\\d)/g,'$1 ')\"></label>";

// HAZ-19, DIAG-FILL-02, DIAG-FILL-03
#[test]
fn live_the_field_that_was_meant_is_the_one_that_is_read_back() {
    let (pages, bed) = (Pages::with(FIELDS), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    for (by, name) in [("#open", "Open"), ("@", "Open")] {
        let target =
            if by == "@" { ref_in(&page, "textbox", name).unwrap() } else { by.to_owned() };
        let text = mcp.ok(&["fill", &target, "new"]);
        assert!(text.ends_with("; value verified."), "{text}");
    }
    // The focus is still in a field that holds this very text.
    let text = mcp.fails(&["fill", "#off", "new"]);
    assert!(text.contains("nothing was filled: \"#off\" is disabled."), "{text}");
    let text = mcp.fails(&["fill", "#fixed", "new"]);
    assert!(text.contains("nothing was filled: \"#fixed\" is read-only."), "{text}");
    let digit = mcp.ok(&["fill", "#d1", "7"]);
    assert!(digit.ends_with("; value verified."), "the focus went on to the next field: {digit}");
    let phone = mcp.ok(&["fill", "#phone", "123456789"]);
    assert!(phone.contains("reformatted by the page"), "{phone}");
    let editor = mcp.ok(&["fill", "#ed", "new text"]);
    assert!(editor.contains("value differs") || editor.contains("value verified"), "{editor}");
    assert_eq!(editor.contains("value verified"), mcp.ok(&["get", "text", "#ed"]) == "new text");
}

const TEXTS: &str =
    "<title>Texts</title><p class=t style='display:none'>old</p><p class=t>42 EUR</p>
<ul><li>a<li>b<li>c</ul><h1>One</h1><b class=h hidden>x</b>";

// DIAG-TEXT-02, DIAG-TEXT-04, DIAG-TEXT-07, NEXT-35
#[test]
fn live_text_of_a_hidden_first_match_comes_with_the_visible_one() {
    let (pages, bed) = (Pages::with(TEXTS), Bed::new());
    let (mut mcp, _) = opened(&pages, &bed);
    let text = mcp.ok(&["get", "text", ".t"]);
    assert!(text.contains("is hidden; visible is \"42 EUR\""), "{text}");
    let next = text.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap();
    let seen = mcp.call_with(&serde_json::from_str(next).unwrap()).ok();
    assert_eq!(seen, "[\"42 EUR\"]");
    let list = mcp.ok(&["get", "text", "li"]);
    assert!(list.starts_with("a\n") && list.contains("matches 3 elements"), "{list}");
    assert_eq!(mcp.ok(&["get", "text", "h1"]), "One");
    assert!(!mcp.call(&["get", "text", ".h"]).text().contains("warning"));
}

// DIAG-ROUTE-01
#[test]
fn live_a_mock_that_the_browser_refuses_is_told_and_a_good_one_is_not() {
    let (pages, bed) = (Pages::with("<title>Api</title>"), Bed::new());
    let (mut mcp, _) = opened(&pages, &bed);
    let other = pages.other_host("/api/other");
    mcp.ok(&["network", "route", "**/api/**", "--body", "{\"a\":1}"]);
    mcp.ok(&["eval", "fetch('/api/own').then((r) => r.text())"]);
    let good = mcp.ok(&["network", "requests"]);
    assert!(!good.contains("Route diagnostic"), "{good}");
    mcp.ok(&["eval", &format!("fetch('{other}').catch((e) => String(e))")]);
    let bad = mcp.ok(&["network", "requests"]);
    assert!(
        bad.contains("Route diagnostic: the route \"**/api/**\" has not answered its request"),
        "{bad}"
    );
}

/// What a page can see of a visitor.
const TRACES: &str = "<title>Traces</title><button id=go>Go</button><input id=f value=v role=combobox aria-label=Box aria-expanded=false>
<label>Text <input id=text></label><label>Tick <input id=tick type=checkbox></label><input id=day type=date>
<label>List <select id=list><option>A<option>B</select></label><b id=word>Word</b>
<div style='height:50px;overflow:auto' id=pane><p style='height:900px'>tall</p></div>FRAME
<script>
const alive = new Map();
window.listening = () => [...alive.values()].reduce((sum, n) => sum + n, 0);
const watch = ({ EventTarget: { prototype } }) => {
  const { addEventListener: add, removeEventListener: remove } = prototype;
  prototype.addEventListener = function (type, listener, options) {
    alive.set(listener, (alive.get(listener) || 0) + 1); return add.call(this, type, listener, options);
  };
  prototype.removeEventListener = function (type, listener, options) {
    if (alive.get(listener)) alive.set(listener, alive.get(listener) - 1);
    return remove.call(this, type, listener, options);
  };
};
const views = [window, ...(window.length ? [window[0]] : [])];
for (const view of views) watch(view);
const own = () => [fetch, close, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send, WebSocket.prototype.send];
const first = own();
window.base = 0;
window.base = Object.keys(window).length;
const seen = (view) => [Object.keys(view.document).length, view.document.documentElement.outerHTML,
 view.document.activeElement.id, view.scrollY, Object.getOwnPropertySymbols(view).length];
window.traces = () => JSON.stringify([listening(), Object.keys(window).length - base, ...views.map(seen),
 pane.scrollTop, own().every((one, at) => one === first[at])]);
window.reset = () => {
  for (const view of views) { view.document.activeElement.blur(); view.scrollTo(0, 0); view.getSelection().empty(); }
  pane.scrollTop = 0;
};
</script>";
const FRAME: &str = "<iframe src=/inner></iframe>";

/// Listeners, globals, document, focus and scroll as the page itself sees them, without what an act
/// itself has done to focus and scroll.
fn traces(mcp: &mut Mcp) -> String {
    mcp.ok(&["eval", "reset(); traces()"])
}

// DEC-90, DIAG-CLICK-01
#[test]
fn live_questions_leave_no_trace_in_the_page() {
    let (pages, bed) = (Pages::start(), Bed::new());
    pages.html("/inner", "<title>Inner</title><button>Inside</button><input aria-label=Within>");
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for frame in [FRAME, ""] {
        pages.html("/", &TRACES.replace("FRAME", frame));
        let page = mcp.ok(&["open", &pages.url("/")]);
        let at = |role: &str, name: &str| ref_in(&page, role, name).unwrap();
        let (go, combobox, text) =
            (at("button", "Go"), at("combobox", "Box"), at("textbox", "Text"));
        let mut calls = vec![
            vec!["get", "text", "p"],
            vec!["click", &go],
            vec!["click", "#go"],
            vec!["hover", &go],
            vec!["is", "visible", "#go"],
            vec!["fill", &text, "by ref"],
            vec!["fill", "#text", "by selector"],
            vec!["fill", "#day", "2024-05-06"],
            vec!["find", "label", "Text", "fill", "by label"],
            vec!["type", "#text", "typed"],
            vec!["check", "#tick"],
            vec!["uncheck", "#tick"],
            vec!["find", "label", "Tick", "check"],
            vec!["select", "#list", "B"],
            vec!["focus", "#text"],
            vec!["press", "F8"],
            vec!["dblclick", "#word"],
            vec!["drag", "#go", "#word"],
            vec!["scroll", "down", "100", "--selector", "#pane"],
            vec!["scrollintoview", "#pane"],
            vec!["click", &combobox],
            vec!["find", "role", "button", "click", "--name", "Go"],
            vec!["find", "text", "Go", "click"],
            vec!["find", "text", "Word", "hover"],
        ];
        let framed = (!frame.is_empty()).then(|| (at("button", "Inside"), at("textbox", "Within")));
        if let Some((button, field)) = &framed {
            calls.push(vec!["click", button]);
            calls.push(vec!["fill", field, "in the frame"]);
        }
        mcp.ok(&["click", &go]);
        let before = traces(&mut mcp);
        for call in calls {
            mcp.ok(&call);
            assert_eq!(traces(&mut mcp), before, "{call:?}");
        }
    }
    // The row behind the command never runs: what was put into the page goes by itself.
    let before = traces(&mut mcp);
    mcp.fails(&["click", "#nowhere"]);
    mcp.fails(&["fill", "#nowhere", "x"]);
    let held = mcp.ok(&["eval", "listening()"]);
    std::thread::sleep(Duration::from_millis(5_600));
    assert_eq!(traces(&mut mcp), before, "listeners right after the failure: {held}");
}

/// Many controls of one name in one row, and many that come at once; the page counts what is read.
const MANY: &str = "<title>Many</title><ul><li id=row><button id=add>Add</button></li></ul><p id=more></p>
<script>for (let n = 0; n < 300; n += 1) row.insertAdjacentHTML('beforeend', '<button>Edit</button>');
let rows = 0, names = 0;
add.onclick = () => { for (let n = 0; n < 300; n += 1) more.insertAdjacentHTML('beforeend', `<button>New ${n}</button>`); };
const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');
Object.defineProperty(Node.prototype, 'textContent', { ...text, get() { if (this === row) rows += 1; return text.get.call(this); } });
const { getAttribute } = Element.prototype;
Element.prototype.getAttribute = function (name) {
  if (name === 'aria-labelledby' && this.parentNode === more) names += 1;
  return getAttribute.call(this, name);
};</script>";

// DEC-90, HAZ-25
#[test]
fn live_a_page_with_many_equal_controls_is_asked_for_little() {
    let (pages, bed) = (Pages::with(MANY), Bed::new());
    let (mut mcp, page) = opened(&pages, &bed);
    let looks: u32 = mcp.ok(&["eval", "rows"]).trim().parse().unwrap();
    assert!((1..10).contains(&looks), "the words of the row were read {looks} times");
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Add").unwrap()]);
    assert!(said.contains("button \"New 7\" and 292 more (snapshot -i)"), "{said}");
    let names: u32 = mcp.ok(&["eval", "names"]).trim().parse().unwrap();
    assert!((8..50).contains(&names), "{names} names were read");
}

// DEC-90
#[test]
fn live_a_question_that_fails_never_fails_the_call() {
    let page = "<title>Broken</title><button id=go onclick=\"document.title='Gone'\">Go</button><p>a</p><p>b</p>
<script>document.querySelectorAll = () => { throw new Error('no') };
performance.getEntriesByType = () => { throw new Error('no') };</script>";
    let (pages, bed) = (Pages::with(page), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    assert!(mcp.ok(&["click", "#go"]).starts_with("Clicked \"#go\""));
    assert_eq!(mcp.ok(&["get", "title"]), "Gone");
    assert_eq!(mcp.ok(&["get", "text", "p"]), "a");
    pages.set("/never", Route::Never);
    mcp.ok(&["eval", "1"]);
}

// DIAG-REF-01, NEXT-01
#[test]
fn live_a_hidden_first_match_of_a_text_leads_to_the_visible_one() {
    let page = "<!doctype html><title>Files</title><ul hidden><li><a href='#x'>a.txt</a></ul>
        <p>a.txt</p><button onclick=\"document.title='Done'\">a.txt</button>";
    let (bed, pages) = (Bed::new(), Pages::with(page));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.fails(&["find", "text", "a.txt", "click"]);
    println!("{said}\n");
    let calls = said.lines().filter_map(|line| line.strip_prefix("Next: "));
    let calls: Vec<serde_json::Value> =
        calls.map(|json| serde_json::from_str(json).unwrap()).collect();
    let click = calls.iter().find(|call| call["args"][0] == "click").unwrap();
    mcp.call_with(click).ok();
    assert_eq!(mcp.ok(&["get", "title"]).trim(), "Done");
    let scoped = mcp.fails(&["snapshot", "-i", "-s", "ul"]);
    assert!(scoped.contains("the first match of \"ul\" is hidden"), "{scoped}");
}
