//! Ordinary work on these pages, two hundred acts and more: nothing is to be warned of.

use std::time::Duration;

use super::Visit;
use crate::support::pages::Route;
use crate::support::{DOUBTS, full};

/// One act, as an agent would send it.
enum Act {
    Click(&'static str, &'static str),
    Fill(&'static str, &'static str, &'static str),
    /// By role and name, without a look.
    Find(&'static str, &'static str),
    Run(&'static [&'static str]),
    /// A new snapshot; no act.
    Look,
    /// What moves comes to rest; no act.
    Rest,
}

use Act::{Click, Fill, Find, Look, Rest, Run};

const REACT: &[Act] = &[
    Fill("textbox", "Customer", "Ann Lee"),
    Fill("textbox", "Code", "ab-1"),
    Fill("textbox", "Year", "2024"),
    Fill("textbox", "Note", "Leave it at the door"),
    Fill("textbox", "New item", "Seal"),
    Click("button", "Add"),
    Find("checkbox", "Seal"),
    Click("checkbox", "Pack"),
    Click("checkbox", "Pack"),
    Click("tab", "Returns"),
    Click("tab", "Orders"),
    Click("button", "Load price"),
    Click("button", "Shipping"),
    Look,
    Run(&["select", "[role=dialog] select", "Rail"]),
    Click("button", "Done"),
    Find("button", "Remove Seal"),
    Run(&["get", "text", "h1"]),
    Run(&["press", "Tab"]),
    Run(&["hover", "h1"]),
];

const VUE: &[Act] = &[
    Fill("textbox", "Guest", "Bob"),
    Fill("spinbutton", "Nights", "3"),
    Fill("textbox", "Arrival", "Monday"),
    Fill("textbox", "Voucher", "V-7"),
    Run(&["select", "select", "Full"]),
    Click("radio", "Sea"),
    Click("radio", "Hill"),
    Click("checkbox", "Pets"),
    Click("button", "Extras"),
    Find("button", "Sauna"),
    Click("button", "Search rooms"),
    Find("link", "Lake"),
    Run(&["find", "label", "Guest", "fill", "Carla"]),
    Run(&["find", "label", "Pets", "check"]),
    Click("button", "Extras"),
];

const COMBOBOX: &[Act] = &[
    Fill("combobox", "City", "B"),
    Find("option", "Bremen"),
    Click("button", "Show cities"),
    Run(&["press", "Escape"]),
    Click("combobox", "Size"),
    Find("option", "Small"),
    Click("combobox", "Size"),
    Run(&["press", "ArrowDown"]),
    Run(&["press", "Enter"]),
    Click("combobox", "Country"),
    Run(&["press", "ArrowDown"]),
    Run(&["press", "Enter"]),
    Fill("combobox", "Colours", "Re"),
    Run(&["press", "Enter"]),
    Run(&["press", "Escape"]),
];

const EDITORS: &[Act] = &[
    Fill("textbox", "Script", "let a = 1"),
    Click("textbox", "Script"),
    Run(&["keyboard", "type", "; a"]),
    Fill("textbox", "Letter", "Dear Ann"),
    Click("textbox", "Letter"),
    Run(&["press", "Control+a"]),
    Click("button", "Toggle strong style"),
    Click("button", "Type..."),
    Run(&["press", "Escape"]),
    Fill("textbox", "Subject", "Order"),
    Click("button", "Send"),
    Fill("textbox", "Letter", "Dear Bob"),
    Click("button", "Send"),
];

const INPUTS: &[Act] = &[
    Run(&["fill", "#day", "2024-05-06"]),
    Run(&["fill", "#hour", "13:30"]),
    Run(&["fill", "#when", "2024-05-06T10:00"]),
    Run(&["fill", "#month", "2024-05"]),
    Run(&["fill", "#week", "2024-W10"]),
    Fill("slider", "Level", "70"),
    Run(&["fill", "#colour", "#ff8800"]),
    Fill("spinbutton", "Count", "12"),
    Fill("textbox", "Mail", "a@shop.test"),
    Fill("searchbox", "Find", "rope"),
    Fill("textbox", "Short", "abc"),
    Fill("textbox", "Phone", "1761234567"),
    Fill("textbox", "Phone", "1769999999"),
    Fill("textbox", "Price", "1234567.5"),
    Fill("textbox", "Birthday", "24.12.1999"),
    Fill("textbox", "Trip", "2024-05-06"),
    Click("textbox", "Trip"),
    Run(&["click", ".flatpickr-day:not(.prevMonthDay)"]),
    Run(&["find", "label", "Mail", "fill", "b@shop.test"]),
];

const SHADOW: &[Act] = &[
    Fill("textbox", "Name", "Ann"),
    Fill("textbox", "Text", "two words"),
    Click("combobox", "Fruit"),
    Find("option", "Pear"),
    Rest,
    Click("checkbox", "Agree"),
    Click("switch", "Alerts"),
    Click("radio", "Cash"),
    Click("tab", "Two"),
    Click("tab", "One"),
    Click("button", "More"),
    Rest,
    Click("button", "Actions"),
    Find("menuitem", "Copy"),
    Rest,
    Click("button", "Open dialog"),
    Rest,
    Find("button", "Yes"),
    Rest,
    Run(&["fill", "#name", "Bert"]),
];

const OVERLAYS: &[Act] = &[
    Click("button", "Edit profile"),
    Rest,
    Run(&["find", "label", "Nickname", "fill", "Bo"]),
    Find("button", "Save"),
    Rest,
    Click("button", "Menu"),
    Rest,
    Find("button", "Hide menu"),
    Rest,
    Click("button", "Details"),
    Click("button", "Options"),
    Find("button", "Rename"),
    Click("button", "Notify"),
    Run(&["hover", "#tip"]),
    Click("button", "Count"),
    Run(&["dblclick", "#said"]),
    Click("button", "Cover all"),
    Find("button", "Dismiss"),
];

const SCROLL: &[Act] = &[
    Run(&["scroll", "down", "400"]),
    Run(&["scroll", "up", "400"]),
    Run(&["scroll", "down", "300", "--selector", "#outer"]),
    Run(&["scroll", "right", "500", "--selector", "#wide"]),
    Run(&["scroll", "down", "200", "--selector", "#rows"]),
    Rest,
    Look,
    Find("button", "Row 8"),
    Click("button", "Deep"),
    Rest,
    Click("button", "Bottom"),
    Rest,
    Click("button", "Far"),
    Rest,
    Run(&["scroll", "to", "top"]),
];

const FRAMES: &[Act] = &[
    Fill("textbox", "Outside", "world"),
    Fill("textbox", "Inside", "hello"),
    Click("button", "Inner button"),
    Click("button", "Written"),
];

const API: &[Act] = &[
    Run(&["find", "text", "List the orders", "click"]),
    Find("button", "Try it out"),
    Run(&["select", "select", "open"]),
    Find("button", "Execute"),
    Run(&["find", "text", "Read an order", "click"]),
    Run(&["find", "text", "List the orders", "click"]),
    Find("button", "Try it out"),
    Run(&["fill", "input[placeholder=id]", "12"]),
    Find("button", "Execute"),
    Find("button", "Clear"),
    Find("button", "Cancel"),
];

/// A page that hears an event every 100 ms and shows it.
const STREAM: &[Act] = &[
    Look,
    Fill("searchbox", "Search", "pump"),
    Run(&["select", "#level", "Alarm"]),
    Run(&["fill", "#from", "2024-05-06"]),
    Run(&["fill", "#hour", "13:30"]),
    Fill("spinbutton", "Rows", "30"),
    Fill("slider", "Volume", "20"),
    Fill("textbox", "Line", "12345678"),
    Fill("textbox", "Limit", "1234567"),
    Fill("textbox", "Comment", "two\nlines"),
    Fill("textbox", "Key", "open sesame"),
    Click("button", "Apply"),
    Run(&["press", "Tab"]),
    Run(&["find", "label", "Search", "fill", "fan"]),
    Run(&["press", "Enter"]),
    Run(&["find", "placeholder", "Line number", "fill", "87654321"]),
    Run(&["find", "label", "From", "fill", "2024-06-07"]),
    Run(&["type", "#comment", "and a third"]),
    Run(&["select", "#level", "Info"]),
    Run(&["check", "#filter ~ fieldset input"]),
    Click("checkbox", "Pumps"),
    Click("checkbox", "Fans"),
    Run(&["find", "label", "Doors", "check"]),
    Click("radio", "Early"),
    Click("radio", "Late"),
    Find("radio", "Night"),
    Click("switch", "Mute"),
    Click("switch", "Mute"),
    Click("button", "Pause feed"),
    Click("button", "Pause feed"),
    Click("tab", "Map"),
    Click("tab", "List"),
    Find("tab", "Plan"),
    Click("button", "Inspect"),
    Run(&["click", "tr:last-child button"]),
    Run(&["dblclick", "#hall"]),
    Run(&["click", "summary"]),
    Click("button", "Hints"),
    Run(&["press", "Escape"]),
    Click("button", "Report"),
    Run(&["find", "label", "Reason", "fill", "Noise"]),
    Find("button", "Send report"),
    Click("button", "Report"),
    Find("button", "Cancel report"),
    Click("button", "Load archive"),
    Click("button", "Wake up"),
    Fill("textbox", "Log entry", "All is well"),
    Click("textbox", "Log entry"),
    Run(&["keyboard", "type", " so far"]),
    Click("button", "Idle"),
    Run(&["hover", "#report"]),
    Run(&["focus", "#search"]),
    Run(&["get", "text", "h1"]),
    Run(&["get", "value", "#line"]),
    Run(&["is", "visible", "#report"]),
    Run(&["scroll", "down", "60", "--selector", "#feed"]),
    Run(&["scroll", "down", "300"]),
    Run(&["scroll", "up", "300"]),
    Rest,
    Click("link", "To the bottom"),
    Rest,
    Click("button", "Back to top"),
    Rest,
    Click("button", "Reset"),
    Run(&["uncheck", "#filter ~ fieldset input"]),
    Run(&["drag", "#idle", "#report"]),
    Run(&["get", "count", "#feed"]),
    Run(&["tap", "#idle"]),
    Run(&["find", "text", "Wake up", "click"]),
    Run(&["find", "label", "Key", "fill", "another one"]),
    Run(&["press", "End"]),
    Run(&["get", "title"]),
    Run(&["scrollintoview", "#bottom"]),
];

const PAGES: [(&str, &[Act]); 11] = [
    ("react", REACT),
    ("vue", VUE),
    ("combobox", COMBOBOX),
    ("editors", EDITORS),
    ("inputs", INPUTS),
    ("shadow", SHADOW),
    ("overlays", OVERLAYS),
    ("scroll", SCROLL),
    ("frames", FRAMES),
    ("api", API),
    ("stream", STREAM),
];

/// Does one act: what was called, and what it said.
fn act(visit: &mut Visit, act: &Act) -> Option<(String, String)> {
    let call: Vec<String> = match act {
        Look => {
            visit.look();
            return None;
        }
        Rest => {
            visit.mcp.ok(&["wait", "700"]);
            return None;
        }
        Click(role, name) => vec!["click".into(), visit.at(role, name)],
        Fill(role, name, text) => vec!["fill".into(), visit.at(role, name), (*text).into()],
        Find(role, name) => {
            ["find", "role", role, "click", "--name", name].map(str::to_owned).to_vec()
        }
        Run(words) => words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let words: Vec<&str> = call.iter().map(String::as_str).collect();
    Some((call.join(" "), visit.mcp.call(&words).text()))
}

// DEC-71, HAZ-16, HAZ-19, DEC-06
#[test]
fn live_two_hundred_ordinary_acts_on_pages_of_libraries_raise_no_alarm() {
    let mut visit = Visit::to("inner");
    visit.pages.html("/api/price", "42");
    visit.pages.html("/api/orders", "[]");
    visit.pages.html("/api/orders/12", "{}");
    let rooms = Route::slow(Duration::from_millis(100), "Lake,Tower");
    visit.pages.set("/api/rooms", rooms);
    visit.pages.set("/events", Route::Events(Duration::from_millis(100)));
    let distinct = PAGES.iter().flat_map(|(_, list)| *list);
    let distinct = distinct.filter(|act| !matches!(act, Look | Rest)).count();
    assert!(distinct >= 200, "{distinct}");
    for (name, _) in PAGES {
        visit.serve(name);
    }
    let (mut acts, mut alarms) = (0, Vec::new());
    for _ in 0..if full() { 8 } else { 2 } {
        for (name, list) in PAGES {
            visit.page = visit.mcp.ok(&["open", &visit.pages.url(&format!("/{name}"))]);
            for one in list {
                let Some((call, said)) = act(&mut visit, one) else { continue };
                acts += 1;
                if DOUBTS.iter().any(|word| said.contains(word)) {
                    alarms.push(format!("{name}: {call}: {said}"));
                }
            }
        }
    }
    println!("{acts} acts, {distinct} different ones, {} alarms", alarms.len());
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}
