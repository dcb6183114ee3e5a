//! SIGKILL at any point: of the host, of the server, of the daemon, of the browser. Nothing of ours
//! stays, and a server that lives on says what it has lost.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bed::{Bed, Foreign};
use crate::support::mcp::{Answer, Mcp};
use crate::support::pages::Pages;
use crate::support::process::{Process, tree};

const PAGE: &str = "<title>Alive</title><button onclick=\"this.textContent='hit'\">Go</button>";
const DOORS: [&str; 4] = ["mcp", "call", "rpc", "reap"];

/// Few rounds in an ordinary run, all of them with ABN_FULL=1.
fn rounds() -> usize {
    if std::env::var_os("ABN_FULL").is_some() { 64 } else { 8 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Host,
    Server,
    Daemon,
    Browser,
}

const VICTIMS: [Victim; 4] = [Victim::Server, Victim::Daemon, Victim::Browser, Victim::Host];

/// A server that has just begun to open a page, and its pid.
fn begun(bed: &Bed, pages: &Pages, victim: Victim) -> (Mcp, u32) {
    let mut mcp = match victim {
        Victim::Host => bed.hosted(),
        _ => Mcp::start(bed.program().arg("mcp")),
    };
    let below = tree(mcp.pid());
    let server = below.iter().find(|process| process.command.ends_with(" mcp "));
    let server = server.map_or(mcp.pid(), |process| process.pid);
    let _unread = mcp.begin(&json!({ "args": ["open", pages.url("/")] }));
    let _unread = mcp.begin(&json!({ "args": ["snapshot", "-i"] }));
    (mcp, server)
}

fn kill(victim: Victim, bed: &Bed, mcp: &Mcp, server: u32, foreign: &[u32]) {
    let ours = |process: &Process| !foreign.contains(&process.pid);
    let victims = match victim {
        Victim::Host => Process::of(mcp.pid()).into_iter().collect(),
        Victim::Server => Process::of(server).into_iter().collect(),
        Victim::Browser => bed.browsers(),
        Victim::Daemon => bed.daemons(server),
    };
    victims.iter().filter(|process| ours(process)).for_each(|process| process.kill(Signal::KILL));
}

/// The next call of a server that lost its daemon or its browser works, or says the loss.
fn goes_on(mut mcp: Mcp, bed: &Bed, pages: &Pages, foreign: &Foreign<'_>, round: usize) {
    let lost = |answer: &Answer| answer.details()["failureCategory"] == "tab-drift";
    let next = mcp.call(&["get", "title"]);
    assert!(!next.is_error() || lost(&next), "{round}: {}", next.text());
    let again = mcp.ok(&["open", &pages.url("/")]);
    assert!(again.contains("Opened \"Alive\""), "{round}: {again}");
    assert_eq!(mcp.ok(&["get", "title"]), "Alive", "{round}");
    assert!(mcp.end().success());
    bed.assert_nothing_left(Some(foreign));
}

// DEC-106, HAZ-15, HAZ-03, SES-27, SES-37
#[test]
fn live_nothing_is_left_after_a_kill_at_any_point() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let foreign = bed.foreign(&pages.url("/"));
    let foreign_pids: Vec<u32> = bed.processes().iter().map(|process| process.pid).collect();
    for round in 0..rounds() {
        let (victim, turn) = (VICTIMS[round % 4], round / 4);
        let (mut mcp, server) = begun(&bed, &pages, victim);
        // Any point between the first spawn and the steady state.
        std::thread::sleep(Duration::from_millis(30 + (round as u64 * 397) % 1_900));
        kill(victim, &bed, &mcp, server, &foreign_pids);
        if matches!(victim, Victim::Daemon | Victim::Browser) && turn % 2 == 0 {
            goes_on(mcp, &bed, &pages, &foreign, round);
            continue;
        }
        mcp.child.kill().unwrap();
        mcp.child.wait().unwrap();
        bed.start_door(DOORS[(round + turn) % 4], Some(&foreign));
        bed.assert_nothing_left(Some(&foreign));
    }
    assert_eq!(foreign.raw.eval("document.title"), "Alive", "somebody else's browser lives on");
    foreign.raw.close();
}
