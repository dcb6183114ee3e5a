//! What is said of an act holds in the page: lists that are none, controls that follow late, forms
//! that are kept back, answers of a server that are still to come, covers that only pass by.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

const LISTS: &str = "<title>Lists</title>
<div role=combobox tabindex=0 aria-label=Region id=region onclick=\"list.hidden=false\">North</div>
<div role=listbox id=list hidden>
<div role=option onclick=\"region.textContent='West'; list.hidden=true\">West</div></div>
<input type=date id=day><div role=combobox tabindex=0 id=bare>x</div>
<select id=fruit aria-label=Fruit><option value=a>Apple<option value=b>Banana</select>
<select id=tags aria-label=Tags multiple><option value=r selected>Red<option value=g>Green
<option value=b>Blue</select>
<select id=stuck aria-label=Stuck onchange=\"this.value='a'\"><option value=a>A<option value=b>B</select>
<select id=jump aria-label=Jump onchange=\"went.textContent=this.value; this.value=''\">
<option value=''>Go to<option value=x>X</select><p id=went></p>
<section id=host></section><p id=clicks>0</p>
<button onclick=\"clicks.textContent=+clicks.textContent+1\">Count</button>
<script>host.attachShadow({mode:'open'}).innerHTML=
'<select aria-label=Deep><option>One<option>Two</select>'</script>";

struct Live {
    _bed: Bed,
    pages: Pages,
    mcp: Mcp,
}

impl Live {
    fn with(html: &str) -> Self {
        let (bed, pages) = (Bed::new(), Pages::with(html));
        let mcp = Mcp::start(bed.program().arg("mcp"));
        Self { _bed: bed, pages, mcp }
    }

    /// Opens the page; its text.
    fn open(&mut self) -> String {
        self.mcp.ok(&["open", &self.pages.url("/")]);
        self.mcp.ok(&["snapshot", "-i"])
    }

    /// What a script in the page says.
    fn truth(&mut self, script: &str) -> String {
        self.mcp.ok(&["eval", script])
    }
}

// HAZ-26
#[test]
fn live_select_on_what_is_no_list_fails_and_names_the_way() {
    let mut live = Live::with(LISTS);
    let page = live.open();
    let region = ref_in(&page, "combobox", "Region").unwrap();
    let failed = live.mcp.fails(&["select", &region, "West"]);
    assert_eq!(
        failed,
        format!(
            "Failed (upstream-error, isError: true): nothing was selected: {region} combobox \
             \"Region\" is not a <select>. Click it, then its option.\n\
             Next: {{\"args\":[\"click\",\"{region}\"]}}\n\
             Next: {{\"args\":[\"find\",\"role\",\"option\",\"click\",\"--name\",\"West\"]}}"
        )
    );
    assert_eq!(live.truth("region.textContent"), "North");
    // The calls that it names do it.
    live.mcp.ok(&["click", &region]);
    live.mcp.ok(&["find", "role", "option", "click", "--name", "West"]);
    assert_eq!(live.truth("region.textContent"), "West");
    for selector in ["#region", "#bare"] {
        let failed = live.mcp.fails(&["select", selector, "West"]);
        assert!(failed.contains("is not a <select>. Click it"), "{failed}");
    }
    let failed = live.mcp.fails(&["select", "#day", "2026-12-31"]);
    assert!(failed.contains("\"#day\" is not a <select>. Fill it instead."), "{failed}");
    assert!(failed.ends_with(r##"Next: {"args":["fill","#day","2026-12-31"]}"##), "{failed}");
}

// HAZ-26
#[test]
fn live_select_in_a_real_list_is_told_as_the_list_shows_it() {
    let mut live = Live::with(LISTS);
    let page = live.open();
    let fruit = ref_in(&page, "combobox", "Fruit").unwrap();
    for (choice, effect) in [
        ("b", " Page changed."),
        ("Apple", " Page changed."),
        ("a", ""),
        ("Banana", " Page changed."),
    ] {
        let said = live.mcp.ok(&["select", &fruit, choice]);
        let wanted = format!("Selected \"{choice}\" in {fruit} combobox \"Fruit\".{effect}");
        assert_eq!(said, wanted);
    }
    assert_eq!(live.truth("fruit.value"), "b");
    let said = live.mcp.ok(&["select", "#tags", "Green", "b"]);
    assert!(said.starts_with("Selected \"Green, b\" in \"#tags\"."), "{said}");
    assert_eq!(live.truth("[...tags.selectedOptions].map(o=>o.value).join()"), "g,b");
    let missing = live.mcp.fails(&["select", "#fruit", "Cherry"]);
    assert!(
        missing.ends_with("no option \"Cherry\".\nOptions: \"Apple\", \"Banana\""),
        "{missing}"
    );
    // A page that takes the choice back, and one that has done something with it.
    let stuck = live.mcp.fails(&["select", "#stuck", "b"]);
    assert!(stuck.contains("did not take effect: \"#stuck\" shows \"A\" again."), "{stuck}");
    let jumped = live.mcp.ok(&["select", "#jump", "x"]);
    assert!(
        jumped.starts_with("Selected \"x\" in \"#jump\"; it shows \"Go to\" again."),
        "{jumped}"
    );
    assert_eq!(live.truth("went.textContent"), "x");
    let deep = ref_in(&page, "combobox", "Deep").unwrap();
    let said = live.mcp.ok(&["select", &deep, "Two"]);
    assert!(said.starts_with("Selected \"Two\"") && !said.contains("not verified"), "{said}");
}

// HAZ-26, DEC-94
#[test]
fn live_a_step_without_effect_keeps_the_next_ones_from_running() {
    let mut live = Live::with(LISTS);
    let page = live.open();
    let count = ref_in(&page, "button", "Count").unwrap();
    let region = ref_in(&page, "combobox", "Region").unwrap();
    let job = json!({ "job": { "steps": [
        { "action": "select", "selector": region, "values": ["West"] },
        { "action": "click", "selector": count },
    ] } });
    let answer = live.mcp.call_with(&job);
    let said = answer.text();
    assert!(
        answer.is_error() && said.contains("step 1 failed; 0 of 2 steps done, 1 not run"),
        "{said}"
    );
    assert!(said.contains("1 failed (upstream-error): nothing was selected"), "{said}");
    assert_eq!(live.truth("clicks.textContent"), "0");
    // Without --bail the rest runs, once.
    let rows = json!([["select", region, "West"], ["click", count]]).to_string();
    let said = live.mcp.call_with(&json!({ "args": ["batch"], "stdin": rows })).text();
    assert!(said.contains("2 Clicked"), "{said}");
    assert_eq!(live.truth("clicks.textContent"), "1");
    let rows = json!([["fill", "#day", "nonsense"], ["click", count]]).to_string();
    live.mcp.call_with(&json!({ "args": ["batch"], "stdin": rows }));
    assert_eq!(live.truth("clicks.textContent"), "2");
}

/// Controls whose state follows the press after a while, and one that never does.
const LATE: &str = "<title>Late</title>
<div role=checkbox tabindex=0 aria-checked=false aria-label=Late data-ms=60>Late</div>
<div role=switch tabindex=0 aria-checked=false aria-label=Later data-ms=700>Later</div>
<div role=checkbox tabindex=0 aria-checked=false aria-label=Never>Never</div>
<div role=checkbox tabindex=0 aria-checked=false data-ms=60>
<svg width=20 height=20></svg></div>
<label><input type=checkbox id=native>Native</label>
<input id=text aria-label=Text><p id=n>0</p>
<script>for (const box of document.querySelectorAll('[data-ms]')) box.onclick = () => setTimeout(() => {
  box.setAttribute('aria-checked', String(box.getAttribute('aria-checked') !== 'true'));
}, Number(box.dataset.ms));</script>";

const STATES: &str = "[...document.querySelectorAll('[data-ms]')].map(b=>b.ariaChecked).join()";

// HAZ-26
#[test]
fn live_a_control_that_follows_late_is_checked_once_and_told_so() {
    let mut live = Live::with(LATE);
    let page = live.open();
    let late = ref_in(&page, "checkbox", "Late").unwrap();
    let later = ref_in(&page, "switch", "Later").unwrap();
    for round in 0..3 {
        for target in [late.as_str(), later.as_str(), "[data-ms]:not([aria-label])"] {
            live.mcp.ok(&["check", target]);
        }
        assert_eq!(live.truth(STATES), "true,true,true", "round {round}");
        for target in [late.as_str(), later.as_str(), "[data-ms]:not([aria-label])"] {
            live.mcp.ok(&["uncheck", target]);
        }
        assert_eq!(live.truth(STATES), "false,false,false", "round {round}");
    }
    let (late, later) = ("[aria-label=Late]", "[aria-label=Later]");
    let rows = json!([["check", late], ["check", later], ["uncheck", late]]);
    let said = live.mcp.call_with(&json!({ "args": ["batch"], "stdin": rows.to_string() })).ok();
    assert!(said.contains("3 Unchecked"), "{said}");
    assert_eq!(live.truth(STATES), "false,true,false");
    live.mcp.ok(&["find", "role", "checkbox", "check", "--name", "Late"]);
    assert_eq!(live.truth(STATES), "true,true,false");
    live.mcp.ok(&["check", "#native"]);
    assert_eq!(live.truth("native.checked"), "true");
}

// HAZ-26
#[test]
fn live_a_control_that_never_follows_is_a_failure_alone_and_in_a_job() {
    let mut live = Live::with(LATE);
    let page = live.open();
    let never = ref_in(&page, "checkbox", "Never").unwrap();
    let failed = live.mcp.fails(&["check", &never]);
    let told = "did not take effect. The control is still not checked after 1500 ms.";
    assert!(failed.contains(told), "{failed}");
    let other = live.mcp.fails(&["check", "#text"]);
    assert!(other.contains("nothing was checked: \"#text\" is no checkbox"), "{other}");
    let rows = json!([["check", never], ["fill", "#text", "x"]]).to_string();
    let args = json!({ "args": ["batch", "--bail"], "stdin": rows });
    let answer = live.mcp.call_with(&args);
    assert!(answer.is_error() && answer.text().contains("2 not run"), "{}", answer.text());
    assert_eq!(live.truth("text.value.length"), "0");
}

const FORM: &str = "<title>Form</title><form action=/sent>
<label>Q <input name=q required></label><label>Mail <input type=email name=m required></label>
<button>Send</button></form>
<form action=/sent><label>Other <input name=o></label><button>Other send</button></form>
<button onclick=\"document.forms[0].q.focus()\">Focus</button>";

// DEC-71
#[test]
fn live_a_form_that_the_browser_keeps_back_is_told_with_its_first_field() {
    let mut live = Live::with(FORM);
    live.pages.html("/sent", "<title>Sent</title>sent");
    let page = live.open();
    let send = ref_in(&page, "button", "Send").unwrap();
    let said = live.mcp.ok(&["click", &send]);
    let field = "textbox \"Q\": \"Please fill out this field.\"";
    assert_eq!(
        said,
        format!("Clicked {send} button \"Send\"; not submitted: {field} and 1 more field")
    );
    assert_eq!(live.truth("document.activeElement.name"), "q");
    live.mcp.ok(&["fill", &ref_in(&page, "textbox", "Q").unwrap(), "x"]);
    let said = live.mcp.ok(&["press", "Enter"]);
    let field = "textbox \"Mail\": \"Please fill out this field.\"";
    assert_eq!(said, format!("Pressed \"Enter\"; not submitted: {field}"));
    let said = live.mcp.ok(&["click", &ref_in(&page, "button", "Focus").unwrap()]);
    assert!(said.ends_with("; textbox \"Q\" has the focus."), "{said}");
    let said = live.mcp.ok(&["click", &ref_in(&page, "textbox", "Other").unwrap()]);
    assert!(said.ends_with("textbox \"Other\"; it has the focus."), "{said}");
    let said = live.mcp.ok(&["click", &ref_in(&page, "button", "Other send").unwrap()]);
    assert!(said.contains("Now on \"Sent\""), "{said}");
}

const SERVER: &str = "<title>Server</title><p id=out role=status></p>
<button onclick=\"fetch('/slow').then((r) => r.text()).then((t) => out.textContent = t)\">Fetch</button>
<button onclick=\"const x = new XMLHttpRequest(); x.open('POST', '/slow');
x.onload = () => out.textContent = x.response; x.send()\">Post</button>
<button onclick=\"out.textContent = 'Saving'; fetch('/slow').then((r) => r.text())
.then((t) => { this.textContent = 'Saved'; setTimeout(() => out.textContent = t, 30); })\">Save</button>
<button onclick=\"out.ariaBusy = 'true'; setTimeout(() => {
out.ariaBusy = 'false'; out.textContent = 'loaded'; }, 700)\">Busy</button>
<button onclick=\"fetch('/never', { method: 'PUT' })\">Hang</button>
<button>Idle</button>
<script>
const own = () => [fetch, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send];
const first = own();
fetch('/never'); new EventSource('/never');
setTimeout(() => fetch('/never'), 10);</script>";

// DEC-71
#[test]
fn live_an_act_waits_for_the_request_that_it_began() {
    let mut live = Live::with(SERVER);
    live.pages.set("/slow", Route::slow(Duration::from_millis(700), "came late"));
    live.pages.set("/never", Route::Never);
    for (name, told) in
        [("Fetch", "came late"), ("Post", "came late"), ("Save", "came late"), ("Busy", "loaded")]
    {
        let page = live.open();
        let said = live.mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
        let tail = format!("Page changed; alert \"{told}\".");
        assert!(said.lines().next().unwrap().ends_with(&tail), "{name}: {said}");
    }
    // What began before the act keeps nobody waiting.
    let page = live.open();
    let started = Instant::now();
    let idle = live.mcp.ok(&["click", &ref_in(&page, "button", "Idle").unwrap()]);
    assert!(idle.ends_with("No change seen within 300 ms."), "{idle}");
    // Far from the 1,500 ms of an act that waits for a request.
    assert!(started.elapsed() < Duration::from_millis(1_400), "{:?}", started.elapsed());
    let hang = live.mcp.ok(&["click", &ref_in(&page, "button", "Hang").unwrap()]);
    let tail = "No change seen within 1500 ms. Still pending: PUT \"/never\".";
    assert!(hang.ends_with(tail), "{hang}");
    // Nothing is left behind in the page.
    assert_eq!(live.truth("own().every((call, at) => call === first[at])"), "true");
}

/// A dialog that grows for a while, over the button behind it, which then can be reached.
const MOVING: &str = "<title>Moving</title>
<style>#cover { position: fixed; inset: 0; background: #0008; }
.gone { animation: fade 400ms forwards } @keyframes fade { to { opacity: 0 } }</style>
<button id=count onclick=\"clicks.textContent=+clicks.textContent+1\">Count</button>
<p id=clicks>0</p><div id=cover></div>
<script>const leave = () => setTimeout(() => {
  cover.className = 'gone'; cover.onanimationend = () => cover.remove();
}, 100)</script>";

// HAZ-16
#[test]
fn live_what_only_passes_in_front_of_an_element_is_waited_for() {
    let mut live = Live::with(MOVING);
    let page = live.open();
    let count = ref_in(&page, "button", "Count").unwrap();
    let standing = live.mcp.fails(&["click", &count]);
    assert!(standing.contains("is covered by \"<div#cover>\""), "{standing}");
    live.truth("leave()");
    let said = live.mcp.ok(&["click", &count]);
    assert!(said.contains("Page changed"), "{said}");
    assert_eq!(live.truth("clicks.textContent"), "1");
    live.open();
    let rows = json!([["eval", "leave()"], ["click", "#count"], ["get", "text", "#clicks"]]);
    let args: Value = json!({ "args": ["batch", "--bail"], "stdin": rows.to_string() });
    let said = live.mcp.call_with(&args).ok();
    assert!(said.contains("3 \"1\""), "{said}");
}

const TYPED: &str = "<title>Typed</title><input id=a aria-label=Name><button id=idle>Idle</button>
<button id=acts onclick=\"a.value='set'\">Acts</button>";

// DEC-71
#[test]
fn live_the_end_of_earlier_typing_is_no_effect_of_a_click() {
    let mut live = Live::with(TYPED);
    live.open();
    live.mcp.ok(&["fill", "#a", "Ada"]);
    let idle = live.mcp.ok(&["click", "#idle"]);
    assert!(idle.contains("No change seen within"), "{idle}");
    live.mcp.ok(&["fill", "#a", "Bob"]);
    let acts = live.mcp.ok(&["click", "#acts"]);
    assert!(acts.contains("Page changed."), "{acts}");
}

const STRIPPED: &str = "<title>Stripped</title><p id=n>0</p>
<button id=add onclick=\"n.textContent=+n.textContent+1\">Add</button><button id=idle>Idle</button>
<script>delete window.WebSocket; delete window.fetch; delete window.XMLHttpRequest;
// Throws while the effect is waited for, as a page may that replaces what scripts rely on.
const breakLater = () => { document.getAnimations = () => { throw new Error('no') } };</script>";

// DEC-90
#[test]
fn live_watching_that_fails_leaves_no_guard_and_does_not_hang() {
    let mut live = Live::with(STRIPPED);
    let page = live.open();
    let add = ref_in(&page, "button", "Add").unwrap();
    assert!(live.mcp.ok(&["click", &add]).ends_with("Page changed."));
    // The observers cannot be set up: what they had put into the page is taken out again, so a
    // button that is newer than the snapshot takes the click.
    live.truth("breakLater()");
    live.mcp.ok(&["click", &add]);
    live.truth("add.outerHTML = add.outerHTML");
    live.mcp.ok(&["mouse", "move", "20", "50"]);
    live.mcp.ok(&["find", "role", "button", "click", "--name", "Add"]);
    assert_eq!(live.truth("n.textContent"), "3");
    // They fail while the effect is waited for.
    live.open();
    live.truth("idle.onclick = breakLater");
    let started = std::time::Instant::now();
    live.mcp.ok(&["click", "#idle"]);
    assert!(started.elapsed() < std::time::Duration::from_secs(10));
}

const LOGIN: &str = "<title>Log in</title><form action=/again><label>User <input name=u></label>
<button>Log in</button></form>";
const AGAIN: &str = "<title>Log in</title><p class=errornote>Please enter the correct user.</p>
<div class=alert-count>3</div><ul class=errorlist hidden><li>Not shown</li></ul>
<form action=/again><label>User <input name=u aria-invalid=true aria-describedby=why></label>
<span id=why>At least three letters.</span><button>Log in</button></form>
<button id=save onclick=\"bad.style.display='block'\">Save</button>
<div id=bad class=invalid-feedback style=\"display:none\">Choose a name.</div>";

// DEC-70, DEC-71
#[test]
fn live_what_a_page_tells_its_reader_is_told_with_the_act_that_led_to_it() {
    let mut live = Live::with(LOGIN);
    live.pages.html("/again", AGAIN);
    let page = live.open();
    assert!(!page.contains("The page says"), "{page}");
    let said = live.mcp.ok(&["click", &ref_in(&page, "button", "Log in").unwrap()]);
    let told = "\nThe page says: \"Please enter the correct user.\"\n\
                The page says: \"At least three letters.\"\n- ";
    assert!(said.contains(told) && said.matches("The page says").count() == 2, "{said}");
    assert!(live.mcp.ok(&["snapshot", "-i"]).contains(told));
    let said = live.mcp.ok(&["click", "#save"]);
    assert!(said.contains("Choose a name."), "{said}");
}
