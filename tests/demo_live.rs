//! `demo` and `doctor` with the real upstream and a real browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "tests"
)]

#[allow(dead_code, reason = "this suite uses a part of it")]
#[path = "live/support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::bed::Bed;
use support::mcp::{Mcp, ref_in};

/// Nothing of the run is left but the report.
fn assert_only_the_report(bed: &Bed, report: &Path) {
    bed.assert_nothing_left(None);
    let names = |directory: &Path| -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(names(report), ["index.html"]);
    assert_eq!(names(&bed.path("s")), Vec::<String>::new());
    assert_eq!(names(&bed.path("temp/abn")), Vec::<String>::new());
    assert_eq!(names(&bed.path("state")), ["upstream-checks.json"]);
}

// DEC-108, HAZ-01, HAZ-19, DEC-106
#[test]
fn live_demo_report_shows_both_runs_in_one_page() {
    let bed = Bed::new();
    let output = bed.program().args(["demo", "--out", "report"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}\n{complaints}");
    assert!(text.is_ascii() && text.lines().count() <= 120, "{text}");
    for told in [
        "=> It reported success, and everything was deleted.",
        "=> It refused, and nothing was deleted.",
        "10 Screenshot",
        "=> agent-browser-native: every call reported success, and the shop received the order as it was meant.",
        "=> agent-browser:        every call reported success, but the shop received no delivery date.",
    ] {
        assert!(text.contains(told), "{told}:\n{text}");
    }
    let report = bed.path("work/report");
    assert_only_the_report(&bed, &report);

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &format!("file://{}", report.join("index.html").display())]);
    assert_eq!(mcp.ok(&["get", "title"]), "Demo report of agent-browser-native");
    let verdict = |mcp: &mut Mcp, id: &str| mcp.ok(&["get", "text", &format!("#verdict-{id}")]);
    assert_eq!(verdict(&mut mcp, "story-raw"), "It reported success, and everything was deleted.");
    assert_eq!(verdict(&mut mcp, "story-ours"), "It refused, and nothing was deleted.");
    assert!(verdict(&mut mcp, "order-raw").contains("no delivery date"));
    assert!(verdict(&mut mcp, "order-ours").contains("as it was meant"));
    assert_page_is_sound(&mut mcp);
    assert!(mcp.end().success());
    bed.assert_nothing_left(None);
}

/// Pictures are there, nothing came from outside, nothing complains, nothing is wider than a phone.
fn assert_page_is_sound(mcp: &mut Mcp) {
    let eval = |mcp: &mut Mcp, script: &str| mcp.ok(&["eval", script]);
    let pictures = "[...document.images].filter((i) => i.complete && i.naturalWidth >= 800).length";
    assert_eq!(eval(mcp, pictures), "4");
    let foreign = "performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:')).length";
    assert_eq!(eval(mcp, foreign), "0");
    for kind in ["console", "errors"] {
        let answer = mcp.call(&[kind, "--json"]);
        let whole: Value = serde_json::from_str(&answer.text()).unwrap();
        let data = &whole["data"];
        let rows = data["messages"].as_array().or_else(|| data["errors"].as_array());
        assert_eq!(rows.map(Vec::len), Some(0), "{kind}: {whole}");
    }
    mcp.ok(&["set", "viewport", "390", "844"]);
    assert_eq!(eval(mcp, "document.documentElement.scrollWidth <= 390"), "true");
}

// DEC-108
#[test]
fn live_demo_that_is_interrupted_leaves_nothing_behind() {
    let bed = Bed::new();
    let mut demo = bed.program();
    demo.arg("demo").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut demo = demo.spawn().unwrap();
    let mut lines = BufReader::new(demo.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("2. ")));
    let pid = Pid::from_raw(demo.id().cast_signed()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let status = demo.wait().unwrap();
    let mut said = String::new();
    demo.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    bed.assert_nothing_left(None);
    assert!(!bed.path("work/demo-report").exists());
}

// DEC-108, DEC-01
#[test]
fn live_doctor_finds_a_working_machine_green_and_leaves_nothing() {
    let bed = Bed::new();
    let output = bed.program().args(["doctor", "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!(report["healthy"], true);
    bed.assert_nothing_left(None);
    let left: Vec<_> = fs::read_dir(bed.path("s")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

// DEC-108
#[test]
fn live_doctor_without_a_browser_is_red_with_the_line_that_helps() {
    let bed = Bed::new().with("AGENT_BROWSER_EXECUTABLE_PATH", "/nonexistent/chrome");
    let output = bed.program().arg("doctor").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAILED    browser"), "{text}");
    assert!(text.contains("Fix: Correct or unset AGENT_BROWSER_EXECUTABLE_PATH."), "{text}");
    bed.assert_nothing_left(None);
}

/// A page whose second half comes later than its first.
fn serve_in_halves(listener: &TcpListener) {
    let page = |mut stream: TcpStream| -> std::io::Result<()> {
        let mut request = [0; 2048];
        let length = stream.read(&mut request)?;
        let asked = String::from_utf8_lossy(&request[..length]).into_owned();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
        if !asked.starts_with("GET /late") {
            return write!(stream, "{head}<title>First</title><a href=/late>Go on</a>");
        }
        write!(stream, "{head}<title>Late</title><h1>Late</h1>{}", " ".repeat(4096))?;
        stream.flush()?;
        std::thread::sleep(Duration::from_millis(400));
        write!(stream, "<button onclick=\"document.title='Pressed'\">Press me</button>")
    };
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || page(stream));
    }
}

// HAZ-25, DEC-70
#[test]
fn live_refs_of_a_page_that_was_still_loading_can_be_used() {
    let bed = Bed::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || serve_in_halves(&listener));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for _ in 0..3 {
        let first = mcp.ok(&["open", &format!("http://{address}/")]);
        let late = mcp.ok(&["click", &ref_in(&first, "link", "Go on").unwrap()]);
        let button = ref_in(&late, "button", "Press me").unwrap_or_else(|| panic!("{late}"));
        mcp.ok(&["click", &button]);
        assert_eq!(mcp.ok(&["get", "title"]), "Pressed");
    }
    assert!(mcp.end().success());
}
