//! Dialogs of the page in front of everything else, and dialogs of the browser that are answered before
//! anybody sees them.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

const DIALOG: &str = "<title>Doc</title><style>dialog.shown { display: flex; position: fixed; inset: 0;
width: 100%; height: 100% } dialog.away { display: block; position: fixed; left: -2000px }</style><h1>Doc</h1>
<dialog class=away aria-modal=true><button>Not here</button></dialog><script>
const words = 'Copy Cut Paste Undo Redo Bold Italic Print Export Share Find Zoom'.split(' ');
for (let i = 0; i < 180; i += 1) document.write(`<button>${words[i % 12]} ${'abcdefghijklmno'[i % 15]}</button>`);
</script><button onclick=\"document.body.insertAdjacentHTML('beforeend', `<dialog class=shown aria-modal=true>
<p>Save your work? There are unsaved changes.</p><input><button>Cancel</button><button>Discard</button>
<button>Save</button></dialog>`)\">Close tab</button>";

// HAZ-16, PRES-SNAP-02, PRES-SNAP-08, DEC-71
#[test]
fn live_a_dialog_that_only_a_style_shows_comes_first_in_a_big_snapshot() {
    let pages = Pages::with(DIALOG);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let page = mcp.ok(&["snapshot", "-i"]);
    assert!(page.contains("compact") && !page.contains("dialog"), "{page}");
    let said = mcp.ok(&["find", "role", "button", "click", "--name", "Close tab"]);
    let question = "\"Save your work? There are unsaved changes.\"";
    assert!(said.contains(&format!("Page changed; dialog {question} opened.")), "{said}");
    let fresh = "New controls: textbox, button \"Cancel\", button \"Discard\", button \"Save\"";
    assert!(said.contains(fresh), "{said}");
    let page = mcp.ok(&["snapshot", "-i"]);
    let (front, rest) = page.split_once("Main content").unwrap();
    assert!(front.contains(&format!("A dialog is open in the page: {question}")), "{page}");
    for (role, name) in [("button", "Cancel"), ("button", "Discard"), ("button", "Save")] {
        assert!(
            ref_in(front, role, name).is_some() && ref_in(rest, role, name).is_none(),
            "{page}"
        );
    }
    assert!(front.contains("- textbox [") && !front.contains("Not here"), "{page}");
    let discarded = mcp.ok(&["click", &ref_in(front, "button", "Discard").unwrap()]);
    assert!(discarded.starts_with("Clicked"), "{discarded}");
}

const ALERTS: &str = "<title>Alerts</title><script>window.own = window.alert</script>
<button onclick=\"alert('Quota exceeded: nothing saved')\">Save</button>
<button onclick=\"alert('First'); alert({ toString: () => 'Second' })\">Twice</button>
<button onclick=\"alert('Sent.\\nThank you'); location = '/next'\">Send</button>
<button onclick=\"setTimeout(() => alert('A moment later'), 100)\">Late</button>
<iframe srcdoc=\"<button onclick=alert(&quot;Inside&quot;)>Inner</button>\"></iframe>";

// DEC-71, HAZ-09
#[test]
fn live_the_words_of_an_alert_are_told_though_nobody_has_seen_it() {
    let pages = Pages::with(ALERTS);
    pages.html("/next", "<title>Next</title><h1>Next</h1>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let mut click = |name: &str| mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
    let said = click("Save");
    assert!(said.contains("closed: \"Quota exceeded: nothing saved\". "), "{said}");
    assert!(click("Twice").contains("closed: \"First\", then \"Second\". "));
    assert!(click("Inner").contains("An alert was shown and closed: \"Inside\". "));
    let late = click("Late");
    assert!(late.contains("An alert was shown and closed: \"A moment later\". "), "{late}");
    // It is told once, and the page has its own function again.
    assert!(!click("Save").contains("later"));
    assert_eq!(mcp.ok(&["eval", "window.own === window.alert"]), "true");
    let sent = mcp.ok(&["click", &ref_in(&page, "button", "Send").unwrap()]);
    assert!(sent.contains("closed: \"Sent. Thank you\". Now on \"Next\""), "{sent}");
    assert_eq!(mcp.ok(&["eval", "sessionStorage.length"]), "0");
    // In a batch too, where the next step follows at once.
    let rows = json!([
        ["open", pages.url("/")],
        ["find", "role", "button", "click", "--name", "Send"],
        ["get", "title"]
    ]);
    let done = mcp.call_with(&json!({ "args": ["batch"], "stdin": rows.to_string() })).ok();
    assert!(done.contains("closed: \"Sent. Thank you\""), "{done}");
    assert_eq!(mcp.ok(&["eval", "sessionStorage.length"]), "0");
}

const DRAFT: &str =
    "<title>Draft</title><textarea aria-label=Body oninput='dirty = true'></textarea>
<a href=/next>Leave</a><script>let dirty = false; addEventListener('beforeunload', (event) => {
if (dirty) event.preventDefault(); })</script>";

// DEC-71, HAZ-09
#[test]
fn live_a_page_that_was_left_with_unsaved_changes_is_not_called_an_alert() {
    let pages = Pages::with(DRAFT);
    pages.html("/next", "<title>Next</title><h1>Next</h1>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let asked = "The page asked to keep unsaved changes and was left all the same. Now on \"Next\"";
    for dirty in [false, true] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        mcp.ok(&["click", &ref_in(&page, "textbox", "Body").unwrap()]);
        if dirty {
            mcp.ok(&["keyboard", "type", "hello"]);
        }
        let left = mcp.ok(&["click", &ref_in(&page, "link", "Leave").unwrap()]);
        assert!(left.contains(asked) == dirty && !left.contains("alert"), "{left}");
        assert!(left.contains("Now on \"Next\""), "{left}");
        assert_eq!(mcp.ok(&["eval", "sessionStorage.length"]), "0");
    }
}

const QUESTIONS: &str = "<title>Void</title>
<button onclick=\"if (confirm('Sure?')) document.title = 'got ' + prompt('Why?')\">At once</button>
<button onclick=\"if (confirm('Sure?')) setTimeout(() => document.title = 'got ' + prompt('Why?'), 120)\">Later</button>";

// HAZ-09: while the page is asked, a dialog that comes up would keep the answer back for 30 s.
#[test]
fn live_a_second_dialog_is_told_with_the_answer_to_the_first() {
    let pages = Pages::with(QUESTIONS);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for name in ["At once", "Later"] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let said = mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
        assert!(said.contains("A confirm dialog is open: \"Sure?\""), "{said}");
        let said = mcp.ok(&["dialog", "accept"]);
        assert!(said.starts_with("Dialog accepted. A prompt dialog is open: \"Why?\""), "{said}");
        mcp.ok(&["dialog", "accept", "late"]);
        assert_eq!(mcp.ok(&["get", "title"]), "got late", "{name}");
    }
}

const LATE: &str = "<title>Late</title>
<button onclick=\"setTimeout(() => confirm('At once?'), 0)\">Timer</button>
<button onclick=\"setTimeout(() => confirm('Later?'), 130)\">Moment</button>
<button onclick=\"Promise.resolve().then(() => prompt('Why?'))\">Promise</button>
<button onclick=\"fetch('/allowed').then(() => setTimeout(() => confirm('Allowed?'), 40))\">Request</button>";

/// Upstream gives an answer that a dialog keeps back only after 30 s.
const HELD_BACK: Duration = Duration::from_secs(20);

// HAZ-09, DEC-71: nothing waits in the page for what a click does, because a dialog may be that.
#[test]
fn live_a_dialog_that_comes_up_behind_a_click_is_told_at_once() {
    let pages = Pages::with(LATE);
    pages.html("/allowed", "yes");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    for (name, kind, question) in [
        ("Timer", "confirm", "At once?"),
        ("Moment", "confirm", "Later?"),
        ("Promise", "prompt", "Why?"),
        ("Request", "confirm", "Allowed?"),
    ] {
        // One that meets the very moment of a look is held back: that may happen, but not each time.
        let told_at_once = (0..3).any(|_| {
            let began = Instant::now();
            let said = mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
            let open = format!("A {kind} dialog is open: \"{question}\"");
            assert!(said.contains(&open), "{name}: {said}");
            let took = began.elapsed();
            mcp.ok(&["dialog", "dismiss"]);
            took < HELD_BACK
        });
        assert!(told_at_once, "{name}");
    }
}

const LISTS: &str = "<title>Old</title><script>
Array.prototype.toJSON = () => 'a list'; String.prototype.toJSON = () => 'a text';
Object.prototype.toJSON = () => 'an object'</script>
<button onclick=\"document.querySelector('p').textContent = 'sent'\">Send</button><p role=status></p>";

// DEC-71: old frameworks teach lists and texts how to be written as JSON.
#[test]
fn live_a_page_that_writes_json_in_its_own_way_is_understood() {
    let pages = Pages::with(LISTS);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Send").unwrap()]);
    assert!(said.ends_with("Page changed; alert \"sent\"."), "{said}");
    assert_eq!(mcp.ok(&["eval", "[].toJSON() + 'x'.toJSON()"]), "a lista text");
}
