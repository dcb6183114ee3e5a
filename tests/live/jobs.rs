//! Jobs and batches on pages that navigate, draw late, move and re-render: every step is told as it
//! was, and the next one runs on the page that the step before has led to.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::bed::Bed;
use crate::support::mcp::{Answer, Mcp, ref_in};
use crate::support::pages::{Pages, Route};

fn start() -> (Bed, Mcp) {
    let bed = Bed::new();
    let mcp = Mcp::start(bed.program().arg("mcp"));
    (bed, mcp)
}

fn job(mcp: &mut Mcp, steps: &Value) -> Answer {
    mcp.call_with(&json!({ "job": { "steps": steps } }))
}

fn batch(mcp: &mut Mcp, rows: &Value) -> Answer {
    mcp.call_with(&json!({ "args": ["batch", "--bail"], "stdin": rows.to_string() }))
}

fn processes(answer: &Answer) -> u64 {
    answer.details()["timing"]["upstreamProcesses"].as_u64().unwrap()
}

const LOGIN: &str = "<title>Sign in</title><form action=/orders><label>User <input name=u></label>
<button>Log in</button></form>";

/// A page of 300 links that the server takes its time for.
fn orders() -> String {
    let links: String = (1..=300).map(|n| format!("<a href=/o/{n}>Order {n}</a>\n")).collect();
    format!("<title>Orders</title><main><h1>Orders</h1>{links}<button>Export</button></main>")
}

// DEC-70, DEC-71, DEC-96, IN-JOB-21
#[test]
fn live_the_step_behind_a_submit_sees_the_whole_next_page() {
    let pages = Pages::with(LOGIN);
    pages.set("/orders", Route::slow(Duration::from_millis(250), &orders()));
    let (_bed, mut mcp) = start();
    for _ in 0..4 {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let user = ref_in(&page, "textbox", "User").unwrap();
        let login = ref_in(&page, "button", "Log in").unwrap();
        let answer = job(
            &mut mcp,
            &json!([
                { "action": "fill", "selector": user, "text": "ann" },
                { "action": "click", "selector": login },
                { "action": "snapshot" },
            ]),
        );
        let text = answer.ok();
        assert!(text.contains("2 Clicked ") && text.contains("Now on \"Orders\" "), "{text}");
        assert!(text.contains("3 Snapshot: 302 refs on "), "{text}");
        assert_eq!(processes(&answer), 1, "{text}");
    }
}

// DEC-70
#[test]
fn live_a_job_that_led_to_another_page_ends_with_its_controls() {
    let pages = Pages::with(LOGIN);
    pages
        .html("/orders", "<title>Home</title><h1>Home</h1><button>Export</button><p>Hello ann</p>");
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let login = ref_in(&page, "button", "Log in").unwrap();
    let steps = json!([
        { "action": "fill", "locator": "label", "value": "User", "text": "ann" },
        { "action": "click", "selector": login },
        { "action": "assertText", "text": "Hello ann" },
    ]);
    let answer = job(&mut mcp, &steps);
    let text = answer.ok();
    assert!(text.contains("Now on \"Home\" "), "{text}");
    let export = ref_in(&text, "button", "Export").unwrap_or_else(|| panic!("{text}"));
    assert!(text.ends_with(']'), "the view is last: {text}");
    // Where the page left before it could answer: where it is now, the other steps, and the view.
    assert!(processes(&answer) <= 4, "{text}");
    // Its refs are known.
    assert!(mcp.ok(&["click", &export]).contains("button \"Export\""));
    // The same on the page itself: nothing navigated, so nothing is added and one process is enough.
    let stayed = job(
        &mut mcp,
        &json!([{ "action": "click", "locator": "role", "role": "button", "name": "Export" }]),
    );
    assert_eq!(processes(&stayed), 1, "{}", stayed.text());
    assert!(!stayed.text().contains("Snapshot"), "{}", stayed.text());
}

const MENU: &str = "<title>Menu</title><button onclick=\"setTimeout(() => { list.hidden = false; }, 700)\">Drinks</button>
<div role=listbox id=list hidden><div role=option onclick=\"out.textContent='Tea chosen'\">Tea</div></div>
<button onclick=\"setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<input id=late>'); }, 600)\">More</button>
<p id=out></p>";

// IN-JOB-09, IN-JOB-10, DEC-94
#[test]
fn live_a_step_waits_for_the_element_that_the_step_before_brings() {
    let pages = Pages::with(MENU);
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let answer = job(
        &mut mcp,
        &json!([
            { "action": "click", "locator": "role", "role": "button", "name": "Drinks" },
            { "action": "click", "locator": "role", "role": "option", "name": "Tea" },
            { "action": "click", "locator": "text", "value": "More" },
            { "action": "fill", "selector": "#late", "text": "x" },
        ]),
    );
    answer.ok();
    assert_eq!(processes(&answer), 1, "{}", answer.text());
    assert_eq!(mcp.ok(&["get", "text", "#out"]), "Tea chosen");
    assert_eq!(mcp.ok(&["get", "value", "#late"]), "x");
    // What never comes fails within the two seconds.
    let missing = job(
        &mut mcp,
        &json!([
            { "action": "click", "locator": "role", "role": "button", "name": "Drinks" },
            { "action": "click", "locator": "role", "role": "option", "name": "Juice" },
        ]),
    );
    assert!(missing.text().contains("2 failed (selector-not-found)"), "{}", missing.text());
    let ms = missing.details()["timing"]["totalMs"].as_u64().unwrap();
    assert!((1_900..5_000).contains(&ms), "{ms}");
}

const DODGING: &str = "<title>Rows</title><label><input type=checkbox id=row> Pick</label>
<button id=remove onclick=\"out.textContent='removed'\">Remove</button>
<button id=save onclick=\"out.textContent+=' saved'\">Save</button><p id=out></p>
<script>remove.style.position='relative';
remove.addEventListener('mouseover', () => { remove.style.transform = 'translateX(600px)'; });</script>";

// DIAG-CLICK-01, DEC-71, IN-JOB-03
#[test]
fn live_a_press_that_did_not_arrive_stops_a_job() {
    let pages = Pages::with(DODGING);
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let remove = ref_in(&page, "button", "Remove").unwrap();
    let pick = ref_in(&page, "checkbox", "Pick").unwrap();
    let steps = json!([
        { "action": "click", "selector": pick },
        { "action": "click", "selector": remove },
        { "action": "click", "locator": "role", "role": "button", "name": "Save" },
    ]);
    let answer = job(&mut mcp, &steps);
    let text = answer.text();
    let out = mcp.ok(&["eval", "out.textContent"]);
    assert!(answer.is_error(), "{text} / {out}");
    assert!(
        text.contains("2 failed (upstream-error)") && text.contains("did not receive it"),
        "{text}"
    );
    assert!(text.contains("3 not run"), "{text}");
    assert!(!out.contains("saved") && !out.contains("removed"), "{out}");
}

const KEYED: &str = "<title>Form</title><input id=a aria-label=A value=old onkeydown=\"event.preventDefault()\">
<input id=ro aria-label=Fixed value=same readonly><button onclick=\"out.textContent='sent'\">Send</button><p id=out></p>";

// HAZ-19, IN-JOB-03, RES-62
#[test]
fn live_a_fill_that_did_not_take_keeps_the_next_step_from_running() {
    let pages = Pages::with(KEYED);
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let fixed = ref_in(&page, "textbox", "Fixed").unwrap();
    let steps = json!([
        { "action": "fill", "selector": fixed, "text": "other" },
        { "action": "click", "locator": "role", "role": "button", "name": "Send" },
    ]);
    let text = job(&mut mcp, &steps).text();
    assert!(text.contains("1 failed (") && text.contains("2 not run"), "{text}");
    assert_eq!(mcp.ok(&["eval", "out.textContent.length"]), "0", "{text}");
}

const SETTINGS: &str = "<title>Settings</title><label><input type=checkbox id=f> Featured</label>
<input id=n aria-label=Name><button onclick=\"out.textContent='saved ' + f.checked + ' ' + n.value\">Save</button><p id=out></p>";

// PAGE-41, PAGE-42, DEC-20, DEC-94
#[test]
fn live_a_ref_behind_a_find_is_checked_when_its_turn_comes() {
    let pages = Pages::with(SETTINGS);
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let save = ref_in(&page, "button", "Save").unwrap();
    let name = ref_in(&page, "textbox", "Name").unwrap();
    let steps = json!([
        { "action": "click", "locator": "label", "value": "Featured" },
        { "action": "fill", "selector": name, "text": "x" },
        { "action": "click", "selector": save },
    ]);
    let answer = job(&mut mcp, &steps);
    answer.ok();
    assert_eq!(mcp.ok(&["eval", "out.textContent"]).trim(), "saved true x");
    assert_eq!(processes(&answer), 1);
    // Where the page is another one by then, the ref is refused at its step, and nothing behind it runs.
    pages.html("/", "<title>A</title><a href=/b>Leave</a><button>Save</button>");
    pages.html("/b", "<title>B</title><button onclick=\"document.title='hit'\">Save</button>");
    let page = mcp.ok(&["open", &pages.url("/")]);
    let save = ref_in(&page, "button", "Save").unwrap();
    let steps = json!([
        { "action": "click", "locator": "text", "value": "Leave" },
        { "action": "click", "selector": save },
    ]);
    let text = job(&mut mcp, &steps).text();
    assert!(text.contains("2 failed (stale-ref): nothing was clicked."), "{text}");
    assert_eq!(mcp.ok(&["get", "title"]), "B");
}

// PAGE-42, PAGE-43, PAGE-36
#[test]
fn live_the_call_that_a_latched_batch_offers_works() {
    let pages = Pages::with(SETTINGS);
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let save = ref_in(&page, "button", "Save").unwrap();
    let check = ref_in(&page, "checkbox", "Featured").unwrap();
    let rows = json!([
        ["press", "Escape"],
        ["check", check],
        ["press", "Tab"],
        ["press", "Tab"],
        ["click", save],
    ]);
    let refused = batch(&mut mcp, &rows);
    let text = refused.text();
    assert!(text.contains("row in front of steps 2, 5"), "{text}");
    let next = text.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap();
    mcp.call_with(&serde_json::from_str(next).unwrap()).ok();
    assert_eq!(mcp.ok(&["eval", "out.textContent"]).trim(), "saved true");
}

/// A long page with a dialog in front of it.
fn dialog_page() -> String {
    let rows: String = (1..=60).map(|n| format!("<a href=#r{n}>Row {n}</a>\n")).collect();
    format!(
        "<title>Guests</title><nav>{rows}</nav><main><h1>Guests</h1>
         <button onclick=\"d.hidden=false\">Delete</button></main>
         <div role=dialog id=d hidden><h2>Delete Alice?</h2><button>Yes, delete</button></div>"
    )
}

// PRES-SNAP-05, DEC-04, IN-JOB-21
#[test]
fn live_a_snapshot_step_of_a_long_page_is_folded_and_not_cut() {
    let pages = Pages::with(&dialog_page());
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let text = job(
        &mut mcp,
        &json!([
            { "action": "click", "locator": "role", "role": "button", "name": "Delete" },
            { "action": "snapshot" },
        ]),
    )
    .ok();
    assert!(text.contains("button \"Yes, delete\""), "{text}");
    assert!(text.contains("Full raw snapshot path: "), "{text}");
    assert!(!text.contains("more lines of step"), "{text}");
}

// IN-JOB-17, DEC-91
#[test]
fn live_an_assertion_that_fails_says_what_was_missing_and_what_is_there() {
    let pages = Pages::with(
        "<title>Guests</title><main><h1>Guests</h1><p>No such guest</p><button>Act</button></main>",
    );
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let answer = job(
        &mut mcp,
        &json!([
            { "action": "click", "locator": "role", "role": "button", "name": "Act" },
            { "action": "assertText", "text": "Deleted" },
            { "action": "click", "locator": "text", "value": "Undo" },
            { "action": "snapshot" },
        ]),
    );
    let text = answer.text();
    assert!(text.contains("2 failed (timeout): the wait was not met within 10000 ms: no text \"Deleted\" is visible."), "{text}");
    assert!(text.contains("3-4 not run"), "{text}");
    assert!(
        text.contains("The page is \"Guests\" ") && text.contains("\n  Guests No such guest Act"),
        "{text}"
    );
}

// IN-JOB-14, DEC-68, HAZ-21
#[test]
fn live_typed_text_is_one_line_and_repeated_keys_are_another() {
    let pages = Pages::with(
        "<title>Keys</title><form onsubmit=\"event.preventDefault(); out.textContent=q.value\"><input id=q></form>
         <input type=range id=r min=0 max=20 value=0><p id=out></p>",
    );
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let text = job(
        &mut mcp,
        &json!([
            { "action": "type", "selector": "#q", "text": "Blue", "press": "Enter" },
            { "action": "assertText", "text": "Blue" },
        ]),
    )
    .ok();
    assert!(
        text.contains("1 Typed 4 characters into \"#q\". Pressed \"Enter\". Page changed."),
        "{text}"
    );
    let mut rows = vec![json!(["focus", "#r"])];
    rows.extend((0..8).map(|_| json!(["press", "ArrowRight"])));
    let text = batch(&mut mcp, &json!(rows)).ok();
    assert!(text.contains("2-9 Pressed \"ArrowRight\". (8x)"), "{text}");
    assert_eq!(mcp.ok(&["get", "value", "#r"]), "8");
}

// DEC-102
#[test]
fn live_a_job_does_not_wonder_about_the_page_that_it_opened_itself() {
    let pages = Pages::with("<title>One</title><input id=a>");
    pages.html("/two", "<title>Two</title><input id=a><button>Go</button>");
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let text = job(
        &mut mcp,
        &json!([
            { "action": "open", "url": pages.url("/two") },
            { "action": "fill", "selector": "#a", "text": "x" },
            { "action": "click", "locator": "role", "role": "button", "name": "Go" },
        ]),
    )
    .ok();
    assert!(!text.contains("another one"), "{text}");
}

// HAZ-09, DEC-94
#[test]
fn live_a_batch_answers_the_dialog_that_it_has_opened() {
    let pages = Pages::with(
        "<title>Ask</title><button onclick=\"document.title = confirm('Sure?') ? 'yes' : 'no'\">Ask</button>",
    );
    let (_bed, mut mcp) = start();
    let page = mcp.ok(&["open", &pages.url("/")]);
    let ask = ref_in(&page, "button", "Ask").unwrap();
    let text =
        batch(&mut mcp, &json!([["click", ask], ["dialog", "accept"], ["get", "title"]])).ok();
    assert!(text.contains("\"Sure?\"") && text.ends_with("3 \"yes\""), "{text}");
}

const RERENDER: &str = "<title>List</title><div id=l></div><script>
const draw = (names) => { l.innerHTML = names.map((n) => `<p>${n} <button onclick=\"document.title='deleted ${n}'\">Delete</button></p>`).join(''); };
draw(['a', 'b']);</script><button onclick=\"draw(['b', 'c'])\">Reload list</button>";

// HAZ-25, DEC-94
#[test]
fn live_a_ref_of_a_job_never_hits_what_a_step_before_has_put_in_its_place() {
    let pages = Pages::with(RERENDER);
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let page = mcp.ok(&["snapshot", "-i"]);
    let delete = ref_in(&page, "button", "Delete").unwrap();
    let answer = job(
        &mut mcp,
        &json!([
            { "action": "click", "locator": "role", "role": "button", "name": "Reload list" },
            { "action": "click", "selector": delete },
            { "action": "screenshot", "path": "after.png" },
        ]),
    );
    let text = answer.text();
    assert!(text.contains("2 failed (stale-ref): nothing was clicked."), "{text}");
    assert!(text.contains("3 not run"), "{text}");
    assert_eq!(mcp.ok(&["get", "title"]), "List");
}

/// A record with its fields; `again` draws another one in its place.
const RECORDS: &str = "<title>Records</title><ul id=list></ul><p id=seen></p><script>
window.heard = [];
const draw = (names) => {
  list.innerHTML = names.map((name) => `<li>${name} <input aria-label=Amount value=${name}>
    <input type=file aria-label=Scan><a download href=/scan>Save</a></li>`).join('');
};
draw(['a']);
for (const type of ['focusin', 'mouseover', 'keydown', 'input', 'change', 'click'])
  list.addEventListener(type, (event) => heard.push(type), true);
window.again = () => { draw(['b']); heard = []; };</script>";

// HAZ-25, DEC-94
#[test]
fn live_no_row_with_a_ref_uses_what_the_page_has_put_in_its_place() {
    let pages = Pages::with(RECORDS);
    let (bed, mut mcp) = start();
    std::fs::write(bed.path("work/scan.txt"), "scan").unwrap();
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let data = raw.data(&["snapshot", "-i"]);
    let amount = ref_in(data["snapshot"].as_str().unwrap(), "textbox", "Amount").unwrap();
    raw.eval("again()");
    raw.data(&["type", &amount, "9"]);
    assert_ne!(raw.eval("list.querySelector('input').value"), "b", "raw types into another record");
    raw.close();
    drop(raw);
    let typed = |field: &str| json!({ "job": { "steps": [{ "action": "type", "selector": field, "text": "9" }] } });
    let rows = |row: Value| json!({ "args": ["batch"], "stdin": json!([row, ["get", "title"]]).to_string() });
    for at in 0..8 {
        mcp.ok(&["open", &pages.url("/")]);
        let page = mcp.ok(&["snapshot", "-i"]);
        let amount = ref_in(&page, "textbox", "Amount").unwrap();
        let scan = ref_in(&page, "button", "Scan").expect(&page);
        let save = ref_in(&page, "link", "Save").unwrap();
        let call = match at {
            0 => typed(&amount),
            1 => rows(json!(["type", amount, "9"])),
            2 => rows(json!(["focus", amount])),
            3 => rows(json!(["hover", amount])),
            4 => rows(json!(["upload", scan, "scan.txt"])),
            5 => rows(json!(["download", save, "got.txt"])),
            6 => rows(json!(["scrollintoview", amount])),
            _ => rows(json!(["get", "value", amount])),
        };
        mcp.ok(&["eval", "again(); 1"]);
        let answer = mcp.call_with(&call);
        let text = answer.text();
        assert!(answer.is_error() && text.contains("1 failed (stale-ref): "), "{call}: {text}");
        assert_eq!(mcp.ok(&["eval", "heard.join() || 'nothing'"]), "nothing", "{call}: {text}");
    }
}

// HAZ-25: an element that reads differently by now is said, whatever acts on it.
#[test]
fn live_a_row_says_that_its_element_has_another_name_by_now() {
    let pages = Pages::with("<title>One</title><input id=a aria-label=Amount>");
    let (_bed, mut mcp) = start();
    for step in [false, true] {
        mcp.ok(&["open", &pages.url("/")]);
        let field = ref_in(&mcp.ok(&["snapshot", "-i"]), "textbox", "Amount").unwrap();
        mcp.ok(&["eval", "a.setAttribute('aria-label', 'Refund'); 1"]);
        let answer = match step {
            false => batch(&mut mcp, &json!([["focus", field], ["get", "title"]])),
            true => job(&mut mcp, &json!([{ "action": "type", "selector": field, "text": "99" }])),
        };
        let text = answer.ok();
        assert!(text.contains("The element is now named \"Refund\"."), "{text}");
    }
}

// HAZ-19, IN-JOB-21
#[test]
fn live_a_text_replaces_what_an_editor_holds_that_an_earlier_step_brings() {
    let page = "<title>Late</title><button id=edit onclick=\"setTimeout(() => { place.innerHTML = \
                '<div id=editor contenteditable>old words</div><button id=none>None</button>' }, 300)\">\
                Edit</button><div id=place></div>";
    let pages = Pages::with(page);
    let (_bed, mut mcp) = start();
    mcp.ok(&["open", &pages.url("/")]);
    let fill = |selector: &str| json!({ "action": "fill", "selector": selector, "text": "new" });
    let edit = json!({ "action": "click", "selector": "#edit" });
    let text = job(&mut mcp, &json!([edit, fill("#editor")])).ok();
    assert!(text.contains("2 Filled \"#editor\""), "{text}");
    assert_eq!(mcp.ok(&["get", "text", "#editor"]), "new");
    mcp.ok(&["open", &pages.url("/")]);
    let refused = job(&mut mcp, &json!([edit, fill("#none")]));
    let text = refused.text();
    assert!(refused.is_error() && text.contains("takes no text"), "{text}");
}
