//! One upstream process a call, counted by an executable that stands in front of upstream.

use std::time::Duration;

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Answer, Mcp, ref_in};
use crate::support::pages::Pages;

const PAGE: &str = "<title>Start</title><h1>Start</h1>
<label>Email <input id=email></label><button onclick=\"document.title='Clicked'\">Act</button>
<a href=/next>Leave</a>";

/// The process for the next call is started a moment behind the answer.
const AHEAD: Duration = Duration::from_millis(200);

struct Counted {
    bed: Bed,
    mcp: Mcp,
}

impl Counted {
    fn start() -> Self {
        let bed = Bed::counting().with("AGENT_BROWSER_NATIVE_DEBUG", "1");
        let mcp = Mcp::start(bed.program().arg("mcp"));
        Self { bed, mcp }
    }

    /// Opens a page and makes the first call on it: from then on a process waits for the next one.
    fn open(&mut self, url: &str) -> String {
        let opened = self.mcp.ok(&["open", url]);
        self.mcp.ok(&["get", "title"]);
        std::thread::sleep(AHEAD);
        opened
    }

    /// The answer, and how many processes were started for it.
    fn count(&mut self, arguments: &serde_json::Value) -> (Answer, usize) {
        let before = self.bed.starts().len();
        let answer = self.mcp.call_with(arguments);
        answer.ok();
        std::thread::sleep(AHEAD);
        (answer, self.bed.starts().len() - before)
    }

    /// A call that takes exactly one process.
    fn one(&mut self, args: &[&str]) -> Answer {
        let (answer, processes) = self.count(&json!({ "args": args }));
        assert_eq!(processes, 1, "{args:?}: {:?}", self.bed.starts());
        assert_eq!(answer.details()["timing"]["upstreamProcesses"], 1, "{args:?}");
        answer
    }
}

/// The kinds of the rows that ran.
fn owners(answer: &Answer) -> Vec<&str> {
    let rows = answer.details()["upstreamRows"].as_array().unwrap();
    rows.iter().map(|row| row["owner"].as_str().unwrap()).collect()
}

// DEC-67, DEC-90, DEC-93
#[test]
fn live_steady_calls_start_one_upstream_process() {
    let pages = Pages::with(PAGE);
    let mut counted = Counted::start();
    counted.open(&pages.url("/"));
    let opened = counted.one(&["open", &pages.url("/")]);
    let listed = counted.one(&["snapshot", "-i"]).text();
    let email = ref_in(&listed, "textbox", "Email").unwrap();
    let act = ref_in(&listed, "button", "Act").unwrap();
    assert!(opened.text().contains("Start"), "{}", opened.text());
    counted.one(&["click", &act]);
    counted.one(&["fill", &email, "a"]);
    counted.one(&["fill", "#email", "b"]);
    counted.one(&["screenshot", "shot.png"]);
    let rows = json!([["fill", email, "c"], ["get", "title"], ["click", act]]);
    let (_, processes) = counted.count(&json!({ "args": ["batch"], "stdin": rows.to_string() }));
    assert_eq!(processes, 1, "batch: {:?}", counted.bed.starts());
    for args in [&["get", "title"][..], &["get", "url"], &["is", "visible", "h1"]] {
        let read = counted.one(args);
        assert_eq!(owners(&read), ["main"], "{args:?}");
    }
    counted.one(&["get", "text", "h1"]);
    counted.one(&["get", "value", &email]);
    assert_eq!(counted.one(&["eval", "1 + 1"]).text(), "2");
    counted.one(&["close"]);
}

// DEC-70, DEC-71
#[test]
fn live_a_navigating_click_starts_at_most_two() {
    let pages = Pages::with(PAGE);
    pages.html("/next", "<title>Next</title><h1>Next</h1>");
    let mut counted = Counted::start();
    let opened = counted.open(&pages.url("/"));
    let leave = ref_in(&opened, "link", "Leave").unwrap();
    let (clicked, processes) = counted.count(&json!({ "args": ["click", leave] }));
    assert!(clicked.text().contains("Now on \"Next\""), "{}", clicked.text());
    assert!(processes <= 2, "{:?}", counted.bed.starts());
    let (_, processes) = counted.count(&json!({ "args": ["back"] }));
    assert!(processes <= 2, "{:?}", counted.bed.starts());
}

// DEC-90, DEC-67
#[test]
fn live_a_page_that_has_replaced_itself_is_acted_on_all_the_same() {
    let pages = Pages::with(PAGE);
    let mut counted = Counted::start();
    counted.open(&pages.url("/"));
    counted.one(&["fill", "#email", "a"]);
    // Another document, of which nobody was told.
    counted.mcp.ok(&["eval", "setTimeout(() => location.reload(), 50)"]);
    std::thread::sleep(std::time::Duration::from_millis(600));
    let (answer, processes) = counted.count(&json!({ "args": ["fill", "#email", "b"] }));
    assert!(answer.text().starts_with("Filled \"#email\"; value verified."), "{}", answer.text());
    assert!(processes <= 2, "{processes}");
    counted.one(&["fill", "#email", "c"]);
    assert_eq!(counted.mcp.ok(&["get", "value", "#email"]), "c");
}
