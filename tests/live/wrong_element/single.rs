//! Cases 35, 39, 41-46: lost tabs and browsers, batches, keys, readings and `dblclick` on a link.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::bed::{Bed, Raw};
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;
use crate::support::soon;

const HEARD: &str = "<script>window.heard = [];
    for (const type of ['mousedown', 'click', 'dblclick', 'keydown', 'input', 'change'])
      document.addEventListener(type, (event) => heard.push(type + ' ' + event.target.id), true);
    </script>";

const FORM: &str = "<title>Form</title><form onsubmit='event.preventDefault(); sent = 1'>
    <input id=a aria-label=A><input id=b aria-label=B><input id=c aria-label=C>
    <button id=s>Send</button></form><a id=l href=/next>Leave</a><div style='height:3000px'></div>";

const NEXT: &str = "<title>Next</title><style>#l2{position:absolute;inset:0}</style>
    <button id=l2>Delete everything</button><a href=/>Leave</a><button id=s>Send</button>
    <input aria-label=A value=theirs><div style='height:3000px'></div>";

struct Stage {
    pages: Pages,
    bed: Bed,
    mcp: Mcp,
}

impl Stage {
    fn set() -> Self {
        let pages = Pages::with(&format!("{FORM}{HEARD}"));
        pages.html("/next", &format!("{NEXT}{HEARD}"));
        let bed = Bed::new();
        let mcp = Mcp::start(bed.program().arg("mcp"));
        Self { pages, bed, mcp }
    }

    /// Opens the form: its text.
    fn open(&mut self) -> String {
        self.mcp.ok(&["open", &self.pages.url("/")])
    }

    /// The page leaves by itself, and is gone when this returns.
    fn leave(&mut self) {
        let before = self.pages.hits("/next").len();
        self.mcp.ok(&["eval", "setTimeout(() => { location.href = '/next' }, 150); 1"]);
        let pages = &self.pages;
        assert!(soon(Duration::from_secs(5), || pages.hits("/next").len() > before));
        std::thread::sleep(Duration::from_millis(200));
    }

    fn heard(&mut self) -> String {
        self.mcp.ok(&["eval", "heard.join() || 'nothing'"])
    }

    /// What raw upstream does with the same page: `act` gets refs by role and name, and its word is
    /// printed beside what the page then is and has heard.
    fn raw(
        &self,
        case: &str,
        act: impl FnOnce(&Self, &Raw<'_>, &dyn Fn(&str, &str) -> String) -> Value,
    ) {
        let raw = self.bed.raw();
        raw.data(&["open", &self.pages.url("/")]);
        let data = raw.data(&["snapshot", "-i"]);
        let listed = data["snapshot"].as_str().unwrap();
        let find = |role: &str, name: &str| ref_in(listed, role, name).expect(listed);
        let answer = act(self, &raw, &find);
        let rows = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
        let said: Vec<String> = rows.iter().map(word).collect();
        let then = raw.run(&["eval", "[document.title, heard.join(' ')].join(': ')"]);
        println!("| {case} | raw: {}; then {} |", said.join(", "), then["data"]["result"]);
        raw.close();
    }

    /// Closes the tab of this page from outside.
    fn close_tab(&self, path: &str) {
        let list: Value = serde_json::from_str(&self.devtools("/json/list")).unwrap();
        let wanted = self.pages.url(path);
        let tab = list.as_array().unwrap().iter().find(|tab| tab["url"] == wanted.as_str());
        self.devtools(&format!("/json/close/{}", tab.unwrap()["id"].as_str().unwrap()));
        std::thread::sleep(Duration::from_millis(500));
    }

    /// One request to the browser's own DevTools port.
    fn devtools(&self, path: &str) -> String {
        let browser = self.bed.browsers().remove(0);
        let (_, rest) = browser.command.split_once("--user-data-dir=").unwrap();
        let profile = Path::new(rest.split(' ').next().unwrap());
        let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap();
        let port: u16 = text.lines().next().unwrap().parse().unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(700))).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _read_until_quiet = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned())
    }
}

/// What one answer of raw upstream says.
fn word(answer: &Value) -> String {
    match answer["error"].as_str() {
        Some(error) => format!("failed ({error})"),
        None => "success".to_owned(),
    }
}

// Case 35: PAGE-12, HAZ-01, DEC-95
#[test]
fn live_a_ref_of_a_tab_that_was_closed_from_outside_is_refused() {
    let mut stage = Stage::set();
    stage.raw("35 tab closed from outside", |stage, raw, find| {
        let send = find("button", "Send");
        raw.data(&["tab", "new", &stage.pages.url("/next")]);
        stage.close_tab("/");
        raw.run(&["click", &send])
    });
    stage.open();
    stage.mcp.ok(&["tab", "new", &stage.pages.url("/next")]);
    let there = stage.mcp.ok(&["snapshot", "-i"]);
    let delete = ref_in(&there, "button", "Delete everything").unwrap();
    stage.close_tab("/next");
    let refused = stage.mcp.fails(&["click", &delete]);
    assert!(refused.starts_with("Failed (stale-ref"), "{refused}");
    assert!(refused.contains("nothing was clicked"), "{refused}");
    assert!(refused.contains("gone"), "{refused}");
}

// Case 39: HAZ-03, PAGE-26
#[test]
fn live_a_ref_of_a_browser_that_was_killed_is_refused() {
    let mut stage = Stage::set();
    stage.raw("39 browser killed", |stage, raw, find| {
        stage.bed.browsers().iter().for_each(|browser| browser.kill(Signal::KILL));
        raw.run(&["click", &find("button", "Send")])
    });
    let page = stage.open();
    let send = ref_in(&page, "button", "Send").unwrap();
    stage.bed.browsers().iter().for_each(|browser| browser.kill(Signal::KILL));
    let refused = stage.mcp.fails(&["click", &send]);
    assert!(refused.contains("nothing was clicked"), "{refused}");
    assert!(refused.contains("gone"), "{refused}");
    assert!(
        refused.contains(&format!("Next: {{\"args\":[\"open\",\"{}\"]}}", stage.pages.url("/"))),
        "{refused}"
    );
}

// Case 41: PAGE-40, PAGE-41, DEC-20
#[test]
fn live_a_batch_with_a_ref_behind_a_click_is_refused_before_it_starts() {
    let mut stage = Stage::set();
    stage.raw("41 batch: a click that leaves, a click", |_, raw, find| {
        let (leave, send) = (find("link", "Leave"), find("button", "Send"));
        raw.run(&["batch", &format!("click {leave}"), &format!("click {send}")])
    });
    let hits = stage.pages.hits("/next").len();
    let page = stage.open();
    let (leave, send) =
        (ref_in(&page, "link", "Leave").unwrap(), ref_in(&page, "button", "Send").unwrap());
    let rows = json!([["click", leave], ["click", send]]).to_string();
    let answer = stage.mcp.call_with(&json!({ "args": ["batch"], "stdin": rows }));
    assert!(answer.text().starts_with("Failed (stale-ref"), "{}", answer.text());
    assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0);
    assert_eq!(stage.heard(), "nothing");
    assert_eq!(stage.pages.hits("/next").len(), hits);
}

// Case 42: PAGE-45, DEC-94
#[test]
fn live_a_batch_of_fills_and_a_click_acts() {
    let mut stage = Stage::set();
    stage.raw("42 batch: fills and a click", |_, raw, find| {
        let fill = |name| format!("fill {} 1", find("textbox", name));
        let send = format!("click {}", find("button", "Send"));
        raw.run(&["batch", &fill("A"), &fill("B"), &fill("C"), &send])
    });
    let page = stage.open();
    let field = |name| ref_in(&page, "textbox", name).unwrap();
    let send = ref_in(&page, "button", "Send").unwrap();
    let rows = json!([
        ["fill", field("A"), "1"],
        ["fill", field("B"), "2"],
        ["fill", field("C"), "3"],
        ["click", send]
    ]);
    let call = json!({ "args": ["batch", "--bail"], "stdin": rows.to_string() });
    stage.mcp.call_with(&call).ok();
    let state = stage.mcp.ok(&["eval", "[a.value, b.value, c.value, sent].join()"]);
    assert_eq!(state.trim(), "1,2,3,1");
}

// Case 43: DEC-102
#[test]
fn live_keys_on_a_page_that_moved_by_itself_are_sent_and_the_move_is_said() {
    let mut stage = Stage::set();
    stage.raw("43 key on a page that moved", |_, raw, _| {
        raw.eval("setTimeout(() => { location.href = '/next' }, 20); 1");
        assert!(soon(Duration::from_secs(5), || raw.eval("document.title") == "Next"));
        raw.run(&["press", "Enter"])
    });
    for args in [&["press", "Enter"][..], &["keyboard", "type", "x"], &["scroll", "down", "500"]] {
        stage.open();
        stage.leave();
        let said = stage.mcp.ok(args);
        assert!(said.contains("another one") && said.contains("\"Next\""), "{args:?}: {said}");
    }
}

// Case 44: PAGE-31
#[test]
fn live_a_ref_that_never_was_is_refused_before_spawn() {
    let mut stage = Stage::set();
    stage.raw("44 a ref that never was", |_, raw, _| raw.run(&["click", "@e4711"]));
    stage.open();
    for args in [&["click", "@e4711"][..], &["fill", "@e4711", "x"], &["get", "text", "@e4711"]] {
        let answer = stage.mcp.call(args);
        assert!(answer.text().starts_with("Failed (stale-ref"), "{}", answer.text());
        assert!(answer.text().contains("is not in the latest snapshot"), "{}", answer.text());
        assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0);
    }
}

// Case 45: HAZ-22
#[test]
fn live_a_double_click_on_a_link_navigates_and_leaves_the_next_page_alone() {
    let mut stage = Stage::set();
    let page = stage.open();
    let answer = stage.mcp.call(&["dblclick", &ref_in(&page, "link", "Leave").unwrap()]);
    println!("{}", answer.text());
    assert!(answer.text().contains("/next"), "{}", answer.text());
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(stage.mcp.ok(&["get", "title"]), "Next");
    assert_eq!(stage.heard(), "nothing", "nothing on the new page received an event");
    let raw = stage.bed.raw();
    raw.data(&["open", &stage.pages.url("/")]);
    raw.run(&["dblclick", "#l"]);
    // Raw answers while the next document is still being read.
    assert!(soon(Duration::from_secs(5), || raw.eval("typeof heard") == "object"));
    println!("raw: {} {}", raw.eval("document.title"), raw.eval("heard.join()"));
    raw.close();
}

// HAZ-01: a page to which the choice itself leads has not got it, also where it shows it.
#[test]
fn live_a_list_of_pages_leads_on_and_is_no_accident() {
    let list = "<select aria-label=Version onchange=\"location.href='/?' + this.value\">
        <option>One<option>Two</select>
        <script>document.querySelector('select').value = location.search.slice(1) || 'One'</script>";
    let pages = Pages::with(&format!("<title>Docs</title>{list}"));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for _ in 0..5 {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let version = ref_in(&page, "combobox", "Version").expect(&page);
        let text = mcp.ok(&["select", &version, "Two"]);
        assert!(text.contains("Now on \"Docs\"") && text.contains("/?Two"), "{text}");
    }
}

// HAZ-25: what comes below a mouse that rests is not what a text was meant for.
#[test]
fn live_a_page_that_moves_below_the_mouse_renames_no_field() {
    let pages = Pages::with(
        "<title>Ticker</title><style>button{position:absolute;top:50px;left:0;width:90vw}</style>
        <input aria-label=Letter><button id=a>One</button><button id=b hidden>Two</button><script>
        let ticks = 0;
        const tick = () => {
          a.hidden = !a.hidden;
          b.hidden = !a.hidden;
          for (const one of [a, b]) one.textContent = `Tick ${++ticks}`;
        };
        a.onclick = () => setTimeout(setInterval, 300, tick, 8);</script>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["click", "#a"]);
    let letter = ref_in(&mcp.ok(&["snapshot", "-i"]), "textbox", "Letter").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    for round in 0..15 {
        let text = mcp.ok(&["fill", &letter, &format!("Dear {round}")]);
        assert!(text.contains("value verified") && !text.contains("now named"), "{text}");
    }
}

// HAZ-25: the events of a press reach no element that the snapshot had not seen, of a mouse or of a
// finger, and reach the one that it had.
#[test]
fn live_no_event_of_a_press_reaches_a_recreated_element() {
    const TYPES: &str =
        "['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'click']";
    let pages = Pages::with(&format!(
        "<title>Pay</title><div id=box><button>Pay</button></div><script>window.heard = [];
        for (const type of {TYPES})
          document.addEventListener(type, (event) => heard.push(type), true);</script>"
    ));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for command in ["click", "tap"] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let pay = ref_in(&page, "button", "Pay").unwrap();
        mcp.ok(&[command, &pay]);
        let heard = mcp.ok(&["eval", "heard.join()"]);
        let first = if command == "tap" { "touchstart" } else { "mousedown" };
        assert!(["pointerdown", first, "click"].iter().all(|one| heard.contains(one)), "{heard}");
        mcp.ok(&["eval", "heard = []; box.innerHTML = '<button>Pay</button>'; 1"]);
        let answer = mcp.call(&[command, &pay]);
        assert!(answer.text().starts_with("Failed (stale-ref"), "{command}: {}", answer.text());
        assert_eq!(mcp.ok(&["eval", "heard.join() || 'nothing'"]), "nothing", "{command}");
    }
}

// HAZ-25: what has become a control since makes up for none that is gone.
#[test]
fn live_a_field_that_was_recreated_while_something_else_became_a_control_is_refused() {
    let pages = Pages::with(
        "<title>Pay</title><ul><li id=row>Invoice</ul><div id=box><input aria-label=Sum></div>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let sum = ref_in(&mcp.ok(&["snapshot", "-i"]), "textbox", "Sum").unwrap();
    mcp.ok(&["eval", "box.innerHTML = '<input aria-label=Sum>'; row.tabIndex = 0; 1"]);
    let refused = mcp.fails(&["fill", &sum, "9"]);
    assert!(refused.starts_with("Failed (stale-ref"), "{refused}");
    assert_eq!(mcp.ok(&["eval", "box.firstChild.value || 'empty'"]), "empty");
}

// HAZ-25, DEC-71: a cell that turns into a field while it is pressed has been pressed. The `mousedown`
// behind a `pointerdown` is the same press.
#[test]
fn live_a_press_that_changes_its_element_is_done() {
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for down in ["mousedown", "pointerdown"] {
        let pages = Pages::with(&format!(
            "<title>Grid</title><div id=cell role=gridcell tabindex=0>Ada</div><script>
            window.heard = [];
            for (const type of ['mousedown', 'mouseup', 'click'])
              addEventListener(type, (event) => heard.push(type), true);
            cell.on{down} = () => {{
              cell.innerHTML = '<input aria-label=Name>';
              setTimeout(() => cell.firstChild.focus(), 0);
            }};</script>"
        ));
        let page = mcp.ok(&["open", &pages.url("/")]);
        let cell = ref_in(&page, "gridcell", "Ada").expect(&page);
        let text = mcp.ok(&["click", &cell]);
        assert!(text.starts_with("Clicked "), "{down}: {text}");
        assert_eq!(mcp.ok(&["eval", "heard.join()"]), "mousedown,mouseup,click", "{down}");
    }
}

/// The ref of the first checkbox, which has no name.
fn first_box(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("- checkbox [")).expect(text);
    let (_, rest) = line.split_once("ref=").expect(line);
    format!("@{}", rest.split([',', ']']).next().unwrap())
}

// HAZ-26: upstream looks again at a control that it has turned, and the page has replaced it.
#[test]
fn live_a_control_that_its_page_replaces_is_checked() {
    let pages = Pages::with(
        "<title>List</title><div id=list></div><script>
        const state = [false, false];
        const draw = () => {
          list.innerHTML = state.map((on) => `<input type=checkbox ${on ? 'checked' : ''}>`).join('');
          [...list.children].forEach((box, at) => {
            box.onchange = () => { state[at] = box.checked; draw(); };
          });
        };
        draw();</script>",
    );
    let bed = Bed::new();
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let data = raw.data(&["snapshot", "-i"]);
    let first = first_box(data["snapshot"].as_str().unwrap());
    assert_eq!(raw.run(&["check", &first])["success"], false, "raw: it was checked all the same");
    assert_eq!(raw.eval("state.join()"), "true,false");
    raw.close();

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let first = first_box(&page);
    let text = mcp.ok(&["check", &first]);
    assert!(text.starts_with("Checked ") && text.contains("Page changed."), "{text}");
    assert_eq!(mcp.ok(&["eval", "state.join()"]), "true,false");
    let page = mcp.ok(&["snapshot", "-i"]);
    let first = first_box(&page);
    let rows = json!([["uncheck", first], ["get", "title"]]).to_string();
    let text = mcp.call_with(&json!({ "args": ["batch", "--bail"], "stdin": rows })).ok();
    assert!(text.contains("\n2 \"List\""), "{text}");
    assert_eq!(mcp.ok(&["eval", "state.join()"]), "false,false");
}

// Case 46: HAZ-01, PAGE-34, PAGE-35
#[test]
fn live_readings_with_an_old_ref_are_refused() {
    let mut stage = Stage::set();
    let raw = stage.bed.raw();
    raw.data(&["open", &stage.pages.url("/")]);
    let data = raw.data(&["snapshot", "-i"]);
    let old = ref_in(data["snapshot"].as_str().unwrap(), "textbox", "A").unwrap();
    raw.data(&["click", "#l"]);
    assert_eq!(raw.data(&["get", "value", &old])["value"], "theirs", "raw reads the next page");
    raw.close();
    drop(raw);
    let page = stage.open();
    let (a, send) =
        (ref_in(&page, "textbox", "A").unwrap(), ref_in(&page, "button", "Send").unwrap());
    stage.leave();
    for args in [
        &["get", "value", &a][..],
        &["get", "text", &send],
        &["get", "attr", &send, "id"],
        &["is", "visible", &send],
        &["is", "enabled", &send],
        &["screenshot", &send, "x.png"],
    ] {
        let refused = stage.mcp.fails(args);
        assert!(refused.starts_with("Failed (stale-ref"), "{args:?}: {refused}");
        assert!(refused.contains("\"Next\""), "{args:?}: {refused}");
    }
}
