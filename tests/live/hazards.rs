//! What raw upstream does beside what the tool does, hazard by hazard.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};
use crate::support::soon;

fn both(html: &str) -> (Pages, Bed) {
    (Pages::with(html), Bed::new())
}

fn ours(bed: &Bed) -> Mcp {
    Mcp::start(bed.program().arg("mcp"))
}

/// The exact calls that the lines `Next: {…}` offer.
fn next_calls(text: &str) -> Vec<serde_json::Value> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("Next: "));
    lines.map(|json| serde_json::from_str(json).unwrap()).collect()
}

// HAZ-03, PAGE-26
#[test]
fn live_a_lost_browser_is_said_and_the_page_can_be_opened_again() {
    let (pages, bed) = both("<title>Cart</title><button>Pay</button>");
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    bed.browsers().iter().for_each(|browser| browser.kill(Signal::KILL));
    assert_eq!(raw.data(&["get", "title"])["title"], "", "raw: a blank page is a success");
    raw.close();

    let mut mcp = ours(&bed);
    let page = mcp.ok(&["open", &pages.url("/")]);
    let pay = ref_in(&page, "button", "Pay").unwrap();
    bed.browsers().iter().for_each(|browser| browser.kill(Signal::KILL));
    let lost = mcp.fails(&["get", "title"]);
    assert!(lost.starts_with("Failed (tab-drift, isError: true): "), "{lost}");
    let next = next_calls(&lost);
    assert_eq!(next[0], json!({ "args": ["open", pages.url("/")] }), "{lost}");
    let stale = mcp.fails(&["click", &pay]);
    assert!(stale.contains("nothing was clicked"), "{stale}");
    assert!(mcp.call_with(&next[0]).ok().contains("Opened \"Cart\""));
    assert_eq!(mcp.ok(&["get", "title"]), "Cart");
}

// HAZ-03
#[test]
fn live_an_open_after_a_loss_opens_its_own_page() {
    let (pages, bed) = both("<title>Cart</title><button>Pay</button>");
    pages.html("/next", "<title>Next</title><button>Go</button>");
    let mut mcp = ours(&bed);
    let daemon = |mcp: &Mcp| bed.daemons(mcp.pid());
    for loss in ["browser", "daemon", "both"] {
        mcp.ok(&["open", &pages.url("/")]);
        let mut lost = if loss == "browser" { Vec::new() } else { daemon(&mcp) };
        if loss != "daemon" {
            lost.extend(bed.browsers());
        }
        lost.iter().for_each(|process| process.kill(Signal::KILL));
        assert!(soon(Duration::from_secs(5), || lost.iter().all(|one| !one.is_alive())), "{loss}");
        let text = mcp.ok(&["open", &pages.url("/next")]);
        assert!(text.contains("Opened \"Next\""), "{loss}: {text}");
        assert!(
            text.contains("The earlier browser was gone; this is a new one."),
            "{loss}: {text}"
        );
        assert_eq!(mcp.ok(&["get", "title"]), "Next", "{loss}");
        assert_eq!(bed.browsers().len(), 1, "{loss}");
        // A process that is just being started still bears the words of the server.
        let one = soon(Duration::from_secs(5), || daemon(&mcp).len() == 1);
        assert!(one, "{loss}: {:?}", daemon(&mcp));
    }
}

// HAZ-03, HAZ-17
#[test]
fn live_a_browser_that_ends_below_a_command_is_said_with_the_way_back() {
    let (pages, bed) = both("<title>Cart</title><button>Pay</button>");
    let mut mcp = ours(&bed);
    for command in [["wait", "#never"], ["eval", "new Promise(() => {})"]] {
        mcp.ok(&["open", &pages.url("/")]);
        let browsers = bed.browsers();
        let end = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(700));
            browsers.iter().for_each(|browser| browser.kill(Signal::KILL));
        });
        let lost = mcp.fails(&command);
        end.join().unwrap();
        let first = "Failed (tab-drift, isError: true): The browser ended while this ran";
        assert!(lost.starts_with(first), "{command:?}: {lost}");
        assert_eq!(next_calls(&lost), [json!({ "args": ["open", pages.url("/")] })], "{lost}");
    }
    assert!(mcp.ok(&["open", &pages.url("/")]).contains("Opened \"Cart\""));
}

// HAZ-25, PAGE-30
#[test]
fn live_a_snapshot_of_a_part_that_is_not_there_voids_the_refs_and_says_so() {
    let (pages, bed) = both("<title>Cart</title><button>Pay</button>");
    let mut mcp = ours(&bed);
    let page = mcp.ok(&["open", &pages.url("/")]);
    let pay = ref_in(&page, "button", "Pay").unwrap();
    let failed = mcp.fails(&["snapshot", "-i", "-s", ".nosuch"]);
    assert!(failed.contains("no element matches \".nosuch\"."), "{failed}");
    assert!(failed.contains("\nEarlier refs are void."), "{failed}");
    let stale = mcp.call(&["click", &pay]);
    assert!(stale.text().contains("is void since the snapshot that failed"), "{}", stale.text());
    assert_eq!(stale.details()["timing"]["upstreamProcesses"], 0);
    let next = next_calls(&stale.text());
    let again = mcp.call_with(&next[0]).ok();
    let pay = ref_in(&again, "button", "Pay").unwrap();
    assert!(mcp.ok(&["click", &pay]).starts_with("Clicked "));
}

// HAZ-04, DEC-97
#[test]
fn live_text_that_looks_like_a_flag_is_text() {
    let (pages, bed) = both("<title>Form</title><input id=x aria-label=X>");
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    assert_eq!(raw.run(&["fill", "#x", "--json"])["success"], true);
    assert_eq!(raw.eval("document.querySelector('#x').value"), "", "raw: the text is gone");
    assert_eq!(raw.run(&["fill", "#x", "--headed"])["success"], false);
    assert_ne!(raw.eval("document.title"), "Form", "raw: the page is lost");
    raw.close();

    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    for text in ["--headed", "--json", "-v", "--session", "--", "--state x", "@e1"] {
        let filled = mcp.ok(&["fill", "#x", text]);
        assert!(filled.ends_with("value verified."), "{text}: {filled}");
        let value = mcp.ok(&["eval", "document.querySelector('#x').value"]);
        assert_eq!(value.trim(), text);
    }
    assert_eq!(mcp.ok(&["get", "title"]), "Form");
}

// HAZ-09, DEC-71
#[test]
fn live_an_open_dialog_is_named_and_nothing_waits_for_it() {
    let (pages, bed) = both(
        "<title>Orders</title><button id=b onclick=\"this.textContent=confirm('Delete 1042?')\">
         Delete</button>",
    );
    let mut mcp = ours(&bed);
    let page = mcp.ok(&["open", &pages.url("/")]);
    let clicked = mcp.ok(&["click", &ref_in(&page, "button", "Delete").unwrap()]);
    assert!(clicked.contains("A confirm dialog is open: \"Delete 1042?\""), "{clicked}");
    let answers =
        [json!({ "args": ["dialog", "accept"] }), json!({ "args": ["dialog", "dismiss"] })];
    assert_eq!(next_calls(&clicked), answers, "{clicked}");
    for args in [&["get", "title"][..], &["get", "url"], &["screenshot"], &["snapshot", "-i"]] {
        let started = Instant::now();
        let blocked = mcp.fails(args);
        assert!(blocked.contains("Delete 1042?"), "{args:?}: {blocked}");
        assert_eq!(next_calls(&blocked), answers, "{args:?}: {blocked}");
        assert!(started.elapsed() < Duration::from_secs(3), "{args:?}: {:?}", started.elapsed());
    }
    mcp.call_with(&answers[0]).ok();
    assert_eq!(mcp.ok(&["get", "title"]), "Orders");
    assert_eq!(mcp.ok(&["get", "text", "#b"]), "true");

    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let answer = raw.run(&["click", "#b"]);
    assert_eq!(answer["data"]["dialogOpened"], true, "{answer}");
    let hangs = raw.runs_longer_than(Duration::from_secs(4), &["get", "title"]);
    assert!(hangs, "raw: get title waits for the dialog");
}

// HAZ-11
#[test]
fn live_an_http_error_is_shown() {
    let (pages, bed) = both("");
    pages.set("/nope", Route::status(404, "<title>Not found</title>"));
    pages.set("/broken", Route::status(500, "<title>Broken</title>"));
    let raw = bed.raw();
    let data = raw.data(&["open", &pages.url("/nope")]);
    assert!(data.get("status").is_none() && data["title"] == "Not found", "raw: {data}");
    raw.close();
    let mut mcp = ours(&bed);
    let opened = mcp.ok(&["open", &pages.url("/nope")]);
    let first = opened.lines().next().unwrap();
    assert_eq!(first, format!("Opened \"Not found\" {} (HTTP 404)", pages.url("/nope")));
    let opened = mcp.ok(&["open", &pages.url("/broken")]);
    assert!(opened.lines().next().unwrap().ends_with("(HTTP 500)"), "{opened}");
}

const FIELDS: &str = "<title>Fields</title>
<input type=date id=date aria-label=Date><input type=time id=time aria-label=Time>
<input type=range id=range min=0 max=10 value=1 aria-label=Range>
<input type=color id=color aria-label=Color>
<input id=short maxlength=3 aria-label=Short>
<input id=upper oninput=\"this.value=this.value.toUpperCase().replace(/ /g,'')\" aria-label=Upper>
<input id=fixed readonly value=kept aria-label=Fixed>
<input id=wiped oninput=\"this.value=''\" aria-label=Wiped>
<div id=rich contenteditable role=textbox aria-label=Rich>old </div>
<script>window.heard=[];for(const t of ['input','change'])document.addEventListener(t,e=>heard.push(t+' '+e.target.id))</script>";

// HAZ-19, DIAG-FILL-01
#[test]
fn live_a_filled_field_is_read_back() {
    let (pages, bed) = both(FIELDS);
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    for (field, text) in [("date", "2026-01-02"), ("fixed", "new")] {
        raw.data(&["fill", &format!("#{field}"), text]);
        let value = raw.eval(&format!("document.querySelector('#{field}').value"));
        assert_ne!(value, text, "raw: a success that filled nothing");
    }
    raw.close();

    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    for (field, text, wanted) in [
        ("date", "2026-01-02", "value set by script and verified."),
        ("time", "13:45", "value set by script and verified."),
        ("range", "7", "value set by script and verified."),
        ("color", "#ff0000", "value set by script and verified."),
        ("upper", "ab cd", "value verified (reformatted by the page)."),
        ("rich", "new", "value verified."),
    ] {
        let filled = mcp.ok(&["fill", &format!("#{field}"), text]);
        assert!(filled.contains(wanted), "{field}: {filled}");
    }
    let values = mcp.ok(&["eval", "['date','time','range','color','upper'].map(id => document.querySelector('#'+id).value).join(' ')"]);
    assert_eq!(values.trim(), "2026-01-02 13:45 7 #ff0000 ABCD");
    let heard = mcp.ok(&["eval", "heard.filter(h => h.endsWith('date')).join()"]);
    assert!(heard.trim().ends_with("input date,change date"), "{heard}");
    let short = mcp.ok(&["fill", "#short", "abcdef"]);
    let value = mcp.ok(&["get", "value", "#short"]);
    let honest = if value == "abcdef" { "value verified." } else { "value differs" };
    assert!(short.contains(honest), "{value}: {short}");
    let failed = mcp.fails(&["fill", "#wiped", "new"]);
    assert!(failed.starts_with("Failed (upstream-error, isError: true): "), "{failed}");
    assert!(!failed.contains("nothing was filled"), "{failed}");
    // What is read-only is not emptied.
    let failed = mcp.fails(&["fill", "#fixed", "new"]);
    assert!(failed.contains("nothing was filled: \"#fixed\" is read-only."), "{failed}");
}

// HAZ-22
#[test]
fn live_a_double_click_is_two_clicks() {
    let html = "<title>Dbl</title><button id=b>Twice</button><script>window.heard=[];
        for(const t of ['mousedown','mouseup','click','dblclick'])
        b.addEventListener(t,e=>heard.push(t+e.detail))</script>";
    let (pages, bed) = both(html);
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["dblclick", "#b"]);
    let sequence = raw.eval("heard.join(' ')");
    raw.close();
    let truth = "mousedown1 mouseup1 click1 mousedown2 mouseup2 click2 dblclick2";
    assert_ne!(sequence, truth, "raw has become right: HAZ-22 can go");
    let mut mcp = ours(&bed);
    let page = mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["dblclick", &ref_in(&page, "button", "Twice").unwrap()]);
    assert_eq!(mcp.ok(&["eval", "heard.join(' ')"]).trim(), truth);
    mcp.ok(&["eval", "heard.length = 0"]);
    mcp.ok(&["dblclick", "#b"]);
    assert_eq!(mcp.ok(&["eval", "heard.join(' ')"]).trim(), truth);
}

// HAZ-24
#[test]
fn live_a_label_that_says_password_is_no_secret() {
    let html = "<title>Log in</title><label>Password: <input type=password></label>
        <label>API token <input></label><button>Reset password</button>";
    let (pages, bed) = both(html);
    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    let listed = mcp.ok(&["snapshot", "-i"]);
    for (role, name) in
        [("textbox", "Password:"), ("textbox", "API token"), ("button", "Reset password")]
    {
        assert!(ref_in(&listed, role, name).is_some(), "{name}: {listed}");
    }
    let password = ref_in(&listed, "textbox", "Password:").unwrap();
    let answer = mcp.call(&["fill", &password, "hunter2-canary"]);
    assert!(answer.ok().ends_with("textbox \"Password:\"; value verified."), "{}", answer.text());
    assert!(!answer.details().to_string().contains("hunter2-canary"), "{}", answer.details());
}

// PLAN-60, HAZ-05, DEC-27, ART-25
#[test]
fn live_a_screenshot_lands_in_the_dot_directory_that_was_asked_for() {
    let (pages, bed) = both("<title>Shot</title><h1>Shot</h1>");
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["screenshot", ".dog/run/x.png"]);
    assert!(!bed.path("work/.dog/run/x.png").exists(), "raw: success, and no file there");
    raw.close();
    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    let answer = mcp.call(&["screenshot", ".dog/run/x.png"]);
    let file = bed.path("work/.dog/run/x.png").canonicalize().unwrap();
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    let text = answer.ok();
    assert!(text.contains("Requested path: .dog/run/x.png"), "{text}");
    assert!(text.contains(&format!("Absolute path: {} (exists", file.display())), "{text}");
    assert_eq!(answer.images(), 1);
}
