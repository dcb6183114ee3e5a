//! However the tool ends, nothing of it stays, and nobody else's browser goes.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bed::{Bed, Foreign};
use crate::support::mcp::Mcp;
use crate::support::pages::Pages;
use crate::support::process::{Process, tree};
use crate::support::soon;

const PAGE: &str = "<title>Alive</title><h1>Alive</h1>";

/// A server with a browser.
fn open_ours(bed: &Bed, pages: &Pages) -> Mcp {
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let mut own = tree(mcp.pid());
    own.retain(|process| !process.command.contains(" batch "));
    assert!(own.len() == 1, "the daemon is no child of the server: {own:?}");
    assert!(!bed.browsers().is_empty() && !bed.profiles().is_empty());
    mcp
}

fn assert_alive(foreign: &Foreign<'_>) {
    assert_eq!(foreign.raw.eval("document.title"), "Alive");
}

// SES-30, DEC-106
#[test]
fn live_nothing_is_left_after_the_end_of_stdin() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let foreign = bed.foreign(&pages.url("/"));
    let mcp = open_ours(&bed, &pages);
    assert!(mcp.end().success());
    bed.assert_nothing_left(Some(&foreign));
    assert_alive(&foreign);
    foreign.raw.close();
}

// SES-30, DEC-106
#[test]
fn live_nothing_is_left_after_sigterm() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let foreign = bed.foreign(&pages.url("/"));
    let mcp = open_ours(&bed, &pages);
    Process::of(mcp.pid()).unwrap().kill(Signal::TERM);
    bed.assert_nothing_left(Some(&foreign));
    assert_alive(&foreign);
    foreign.raw.close();
}

// SES-30, DEC-106
#[test]
fn live_nothing_is_left_when_the_parent_is_killed() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let mut mcp = bed.hosted();
    mcp.ok(&["open", &pages.url("/")]);
    assert!(!bed.browsers().is_empty());
    mcp.child.kill().unwrap();
    mcp.child.wait().unwrap();
    bed.assert_nothing_left(None);
}

// SES-30, DEC-106, HAZ-15
#[test]
fn live_a_killed_server_is_cleaned_up_by_the_next_start_of_any_door() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let foreign = bed.foreign(&pages.url("/"));
    for door in ["mcp", "call", "rpc", "reap"] {
        let mut killed = open_ours(&bed, &pages);
        killed.child.kill().unwrap();
        killed.child.wait().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(bed.browsers().len() > 1, "nobody has cleaned up yet");
        bed.start_door(door, Some(&foreign));
        bed.assert_nothing_left(Some(&foreign));
    }
    assert_alive(&foreign);
    foreign.raw.close();
}

// DEC-106, HAZ-15
#[test]
fn live_a_server_that_was_killed_while_it_launched_is_cleaned_up() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let _never_read = mcp.begin(&json!({ "args": ["open", pages.url("/")] }));
    let started = || bed.processes().iter().any(|process| process.command.contains("--user-data"));
    assert!(soon(Duration::from_secs(10), started), "a browser is started");
    mcp.child.kill().unwrap();
    mcp.child.wait().unwrap();
    assert!(bed.program().arg("reap").stdout(Stdio::null()).status().unwrap().success());
    bed.assert_nothing_left(None);
}

// HAZ-15
#[test]
fn live_the_browser_of_a_killed_daemon_is_not_left() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let mcp = open_ours(&bed, &pages);
    let server = mcp.pid();
    bed.daemons(server).iter().for_each(|daemon| daemon.kill(Signal::KILL));
    assert!(!bed.browsers().is_empty(), "upstream leaves its browser behind");
    mcp.end();
    bed.assert_nothing_left(None);
}

// DEC-106, SES-21
#[test]
fn live_a_browser_of_the_one_shot_door_lives_until_close() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let (code, text) = bed.call(&["open", &pages.url("/")]);
    assert_eq!(code, 0, "{text}");
    let browser = bed.browsers();
    assert_eq!(browser.len(), 1);
    assert_eq!(bed.call(&["get", "title"]), (0, "Alive".to_owned()));
    // Other doors leave it alone.
    Mcp::start(bed.program().arg("mcp")).end();
    assert!(bed.program().arg("reap").stdout(Stdio::null()).status().unwrap().success());
    assert_eq!(bed.call(&["eval", "document.title"]), (0, "Alive".to_owned()));
    assert_eq!(bed.browsers(), browser);
    assert_eq!(bed.call(&["close"]).0, 0);
    bed.assert_nothing_left(None);
}

// DEC-29, DEC-106
#[test]
fn live_close_all_closes_every_session_and_the_next_open_starts_anew() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let is_closed = || bed.browsers().is_empty() && bed.sockets().is_empty();
    let mut mcp = open_ours(&bed, &pages);
    mcp.ok(&["--session", "mine", "open", &pages.url("/")]);
    assert_eq!(mcp.ok(&["close", "--all"]), "Closed 2 browser sessions.");
    assert!(soon(Duration::from_secs(10), is_closed), "{:?}", bed.browsers());
    // No browser of the tool's own runs now: the caller's is closed all the same.
    mcp.ok(&["--session", "mine", "open", &pages.url("/")]);
    assert_eq!(mcp.ok(&["close", "--all"]), "Closed 1 browser session.");
    assert!(soon(Duration::from_secs(10), is_closed), "{:?}", bed.browsers());
    assert_eq!(mcp.ok(&["close", "--all"]), "No browser session was open; nothing to close.");
    mcp.ok(&["open", &pages.url("/")]);
    assert!(mcp.end().success());
    bed.assert_nothing_left(None);
}

// SES-30, DEC-106
#[test]
fn live_a_server_that_ends_while_it_launches_leaves_nothing() {
    for milliseconds in [50, 300, 700] {
        let (bed, pages) = (Bed::new(), Pages::with(PAGE));
        let mut mcp = Mcp::start(bed.program().arg("mcp"));
        let _answer = mcp.begin(&json!({ "args": ["open", pages.url("/")] }));
        std::thread::sleep(Duration::from_millis(milliseconds));
        Process::of(mcp.pid()).unwrap().kill(Signal::TERM);
        assert!(mcp.child.wait().unwrap().success());
        bed.assert_nothing_left(None);
    }
}

// DEC-106
#[test]
fn live_a_process_waits_for_the_next_call_and_none_behind_a_close() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let mut mcp = open_ours(&bed, &pages);
    let server = mcp.pid();
    let waits = || tree(server).iter().any(|process| process.command.contains(" batch "));
    assert_eq!(mcp.ok(&["get", "title"]), "Alive");
    assert!(soon(Duration::from_secs(5), waits), "{:?}", tree(server));
    mcp.ok(&["close"]);
    assert!(soon(Duration::from_secs(5), || !waits()), "{:?}", tree(server));
    std::thread::sleep(Duration::from_millis(300));
    assert!(!waits(), "{:?}", tree(server));
    assert!(mcp.end().success());
    bed.assert_nothing_left(None);
}
