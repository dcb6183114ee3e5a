//! What goes wrong in a page is said where it happens: dialogs that hold it, errors, failed requests,
//! and only those of the page that is shown.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::{Pages, Route};

const DELETES: &str = "<!doctype html><title>Orders</title>
<p><button data-testid=one onclick=\"confirm('Delete order 1?')\">Delete</button></p>
<p><button onclick=\"confirm('Delete order 2?')\">Delete</button></p>
<button>Rename</button>";

fn next_calls(text: &str) -> Vec<Value> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("Next: "));
    lines.map(|json| serde_json::from_str(json).unwrap()).collect()
}

// HAZ-09, DEC-71
#[test]
fn live_every_way_to_click_answers_at_once_when_it_opens_a_dialog() {
    let (bed, pages) = (Bed::new(), Pages::with(DELETES));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let answers =
        [json!({ "args": ["dialog", "accept"] }), json!({ "args": ["dialog", "dismiss"] })];
    let job = |step: Value| json!({ "job": { "steps": [step] } });
    for call in [
        json!({ "args": ["find", "text", "Delete", "click"] }),
        json!({ "args": ["find", "text", "Delete", "click"], "timeoutMs": 20_000 }),
        json!({ "args": ["find", "testid", "one", "click"] }),
        json!({ "args": ["find", "first", "button", "click"] }),
        json!({ "args": ["find", "nth", "0", "button", "click"] }),
        json!({ "args": ["find", "role", "button", "click", "--name", "Delete"] }),
        json!({ "args": ["click", "button"] }),
        json!({ "semanticAction": { "action": "click", "locator": "text", "value": "Delete" } }),
        job(json!({ "action": "click", "locator": "text", "value": "Delete" })),
        json!({ "args": ["batch"], "stdin": "[[\"find\",\"text\",\"Delete\",\"click\"]]" }),
    ] {
        let began = Instant::now();
        let text = mcp.call_with(&call).ok();
        let took = began.elapsed();
        println!("{took:?} {text}\n");
        assert!(text.contains("A confirm dialog is open: \"Delete order 1?\""), "{call}: {text}");
        assert_eq!(next_calls(&text), answers, "{call}: {text}");
        assert!(took < Duration::from_secs(2), "{call}: {took:?}");
        let dismissed = mcp.ok(&["dialog", "dismiss"]);
        assert!(dismissed.starts_with("Dialog dismissed."), "{dismissed}");
    }
    let twice = mcp.ok(&["dblclick", "[data-testid=one]"]);
    assert!(twice.starts_with("Clicked \"[data-testid=one]\" once. A confirm dialog"), "{twice}");
    assert_eq!(next_calls(&twice), answers, "{twice}");
    mcp.ok(&["dialog", "dismiss"]);
    let marks = "document.querySelectorAll('[data-agent-browser-found]').length";
    mcp.ok(&["find", "text", "Rename", "click"]);
    assert_eq!(mcp.ok(&["eval", marks]), "0", "no mark stays in the page");
    let missed = mcp.fails(&["find", "text", "Archive", "click"]);
    assert!(
        missed.contains("nothing was clicked, no element has the text \"Archive\""),
        "{missed}"
    );
}

// HAZ-09, DEC-71
#[test]
fn live_the_answer_to_a_dialog_tells_what_followed() {
    let html = "<!doctype html><title>Orders</title><ul><li>Order 1</li></ul>
<button id=drop onclick=\"if (confirm('Drop it?')) { document.querySelector('li').remove(); said.textContent = 'Order dropped'; }\">Drop</button>
<button id=go onclick=\"if (confirm('Leave?')) location.href = '/next'\">Go</button>
<p id=said role=status></p>";
    let (bed, pages) = (Bed::new(), Pages::with(html));
    pages.html("/next", "<!doctype html><title>Next</title><button>Arrived</button>");
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["click", "#drop"]);
    let no = mcp.ok(&["dialog", "dismiss"]);
    assert_eq!(no, "Dialog dismissed. No change seen within 300 ms.");
    mcp.ok(&["click", "#drop"]);
    // A caller takes its time, and the page stands still meanwhile.
    std::thread::sleep(Duration::from_secs(7));
    let yes = mcp.call(&["dialog", "accept"]);
    assert_eq!(yes.ok(), "Dialog accepted. Page changed; alert \"Order dropped\".");
    assert_eq!(yes.details()["timing"]["upstreamProcesses"], 1);
    mcp.ok(&["click", "#go"]);
    let left = mcp.ok(&["dialog", "accept"]);
    assert!(left.starts_with("Dialog accepted. Now on \"Next\""), "{left}");
    assert!(left.contains("- button \"Arrived\" [ref="), "{left}");
    // Nobody watched what a script of the page opens by itself.
    mcp.ok(&["eval", "setTimeout(() => confirm('Still here?'), 50), 1"]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(mcp.ok(&["dialog", "accept"]), "Dialog accepted.");
}

// DEC-71
#[test]
fn live_the_first_of_several_is_said_to_be_that() {
    let html = "<!doctype html><title>List</title><button>Open</button><button>Open</button>
<button>Close</button><button hidden>Close</button><label>Name <input></label>";
    let (bed, pages) = (Bed::new(), Pages::with(html));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let role = mcp.ok(&["find", "role", "button", "click", "--name", "Open"]);
    assert!(role.contains("button \"Open\" (first of 2)."), "{role}");
    let text = mcp.ok(&["find", "text", "Open", "click"]);
    assert!(text.starts_with("Clicked the element by text \"Open\" (first of 2)."), "{text}");
    for alone in [["find", "text", "Close", "click"], ["find", "label", "Name", "click"]] {
        let text = mcp.ok(&alone);
        assert!(!text.contains("first of"), "{text}");
    }
}

const TROUBLED: &str = "<!doctype html><title>Booking</title><input id=q>
<button id=save onclick=\"fetch('/api/bookings?secret=1', { method: 'POST' })
  .then((r) => r.text()).then((text) => { out.textContent = text })\">Save</button>
<button id=throws onclick=\"null.percent\">Discount</button>
<button id=rejects onclick=\"Promise.reject(new RangeError('too far'))\">Reject</button>
<button id=caught onclick=\"try { null.x } catch { out.textContent = Math.random() }\">Caught</button>
<button id=handled onclick=\"window.addEventListener('error', (e) => e.preventDefault()); null.y\">Handled</button>
<button id=fine onclick=\"fetch('/api/fine').then(() => { out.textContent = Math.random() })\">Fine</button>
<p id=out></p>";

// DEC-71
#[test]
fn live_a_click_that_throws_or_whose_request_fails_says_so() {
    let (bed, pages) = (Bed::new(), Pages::with(TROUBLED));
    pages.set("/api/bookings", Route::status(422, "{\"error\":\"nights\"}"));
    pages.set("/api/fine", Route::status(200, "ok"));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let save = mcp.ok(&["click", "#save"]);
    println!("{save}\n");
    assert!(save.contains("\nA request failed: 422 "), "{save}");
    let list = mcp.call_with(next_calls(&save).last().unwrap()).ok();
    assert!(list.contains("422 POST fetch id "), "{list}");
    for (id, words) in [
        ("#throws", "TypeError: Cannot read properties of null (reading 'percent')"),
        ("#rejects", "RangeError: too far"),
    ] {
        let text = mcp.ok(&["click", id]);
        println!("{text}\n");
        assert!(text.contains(&format!("\nThe page threw: \"{words}\"")), "{text}");
        let errors = mcp.call_with(&next_calls(&text)[0]).ok();
        assert!(errors.contains(words), "{errors}");
    }
    for quiet in [&["click", "#caught"][..], &["click", "#fine"], &["fill", "#q", "a"]] {
        let text = mcp.ok(quiet);
        assert!(!text.contains("threw") && !text.contains("request failed"), "{text}");
    }
    let handled = mcp.ok(&["click", "#handled"]);
    assert!(!handled.contains("threw"), "{handled}");
    let kept = "Object.getOwnPropertySymbols(document).map(String).join()";
    assert!(!mcp.ok(&["eval", kept]).contains("questions"), "the probe leaves nothing behind");
}

const OLD: &str = "<!doctype html><title>Old</title><script>
fetch('/api/old').catch(() => {}); fetch('/api/hangs').catch(() => {});
setTimeout(() => { throw new Error('old boom'); }, 0);</script>";
const NEW: &str = "<!doctype html><title>New</title><script>
fetch('/api/new', { method: 'POST' }).catch(() => {});
for (const n of [1, 2]) setTimeout(() => { throw new Error('new boom'); }, 0);</script>";

// QA-09, QA-11, IN-QA-12, IN-QA-17, HAZ-12
#[test]
fn live_an_attached_check_counts_what_belongs_to_the_page_that_is_shown() {
    let (bed, pages) = (Bed::new(), Pages::with(OLD));
    let other = Pages::with(OLD);
    for served in [&pages, &other] {
        served.set("/api/old", Route::status(403, "no"));
        served.set("/api/hangs", Route::Never);
    }
    pages.html("/new", NEW);
    pages.set("/api/new", Route::status(422, "no"));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &other.url("/")]);
    mcp.ok(&["wait", "600"]);
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["wait", "800"]);
    mcp.ok(&["open", &pages.url("/new")]);
    mcp.ok(&["wait", "300"]);
    let checks = json!({ "qa": { "attached": true, "checkNetwork": true, "checkConsole": true,
        "checkErrors": true } });
    let text = mcp.call_with(&checks).text();
    println!("{text}\n");
    assert!(text.contains("failed with 1 actionable failed request"), "{text}");
    assert!(text.contains("2 page errors"), "{text}");
    assert!(text.contains("422 POST fetch id "), "{text}");
    assert!(!text.contains("/api/old") && !text.contains("/api/hangs"), "{text}");
    assert!(text.contains("new boom | at ") && text.contains("(x2)"), "{text}");
    assert!(!text.contains("old boom"), "{text}");
    assert!(text.contains("2 errors of earlier pages not counted."), "{text}");
    assert!(text.contains("may be from before this check"), "{text}");
    let traced = mcp.call_with(&next_calls(&text)[0]);
    assert!(traced.text().contains("/api/new"), "{}", traced.text());
    let errors = mcp.ok(&["errors"]);
    println!("{errors}\n");
    assert!(errors.starts_with("Page errors: 2."), "{errors}");
    let (own, earlier) = errors.split_once("Errors of earlier pages: 2.").unwrap();
    assert!(own.contains("new boom") && !own.contains("old boom"), "{errors}");
    assert!(earlier.contains("old boom"), "{errors}");
}

// DEC-71
#[test]
fn live_live_regions_without_words_are_not_quoted() {
    let html = "<!doctype html><title>Live</title>
<button id=blank onclick=\"live.textContent = '\\u200bx \\u200b'\">Blank</button>
<button id=table onclick=\"live.innerHTML = '<table><tr><td>Code<td>201</table>'\">Table</button>
<button id=words onclick=\"live.textContent = '\\u200bSaved\\u200b'\">Words</button>
<div id=live role=status></div>";
    let (bed, pages) = (Bed::new(), Pages::with(html));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    for quiet in ["#blank", "#table"] {
        assert_eq!(mcp.ok(&["click", quiet]), format!("Clicked \"{quiet}\". Page changed."));
    }
    let words = mcp.ok(&["click", "#words"]);
    assert_eq!(words, "Clicked \"#words\". Page changed; alert \"Saved\".");
}

// DEC-71
#[test]
fn live_a_window_that_closes_itself_is_said_to_be_gone() {
    let opener = "<!doctype html><title>Orders</title><button onclick=\"window.open('/print')\">Print</button>";
    let (bed, pages) = (Bed::new(), Pages::with(opener));
    pages.html(
        "/print",
        "<!doctype html><title>Print</title><button onclick=\"window.close()\">Close</button>",
    );
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["find", "role", "button", "click", "--name", "Print"]);
    mcp.ok(&["wait", "500"]);
    mcp.ok(&["tab", "t2"]);
    let closed = mcp.ok(&["click", "button"]);
    println!("{closed}");
    let line = format!(
        "Clicked \"button\". Its tab closed; tab t1 is active: \"Orders\" {}",
        pages.url("/")
    );
    assert_eq!(closed.lines().next(), Some(line.as_str()), "{closed}");
    assert_eq!(mcp.ok(&["get", "title"]), "Orders");
}
