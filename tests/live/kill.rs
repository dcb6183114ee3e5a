//! SIGKILL at any point: of the server, of the daemon, of the browser. Nothing of ours stays.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::Pages;
use crate::support::process::Process;

const PAGE: &str = "<title>Alive</title><button onclick=\"this.textContent='hit'\">Go</button>";

/// Few rounds in an ordinary run, all of them with ABN_FULL=1.
fn rounds() -> u64 {
    if std::env::var_os("ABN_FULL").is_some() { 50 } else { 5 }
}

#[derive(Clone, Copy, Debug)]
enum Victim {
    Server,
    Daemon,
    Browser,
}

fn kill(victim: Victim, bed: &Bed, server: u32, foreign: &[u32]) {
    let ours = |process: &Process| !foreign.contains(&process.pid);
    match victim {
        Victim::Server => {
            Process::of(server).into_iter().for_each(|process| process.kill(Signal::KILL))
        }
        Victim::Browser => {
            bed.browsers().into_iter().filter(ours).for_each(|process| process.kill(Signal::KILL));
        }
        Victim::Daemon => {
            let daemons = bed.daemons(server).into_iter().filter(ours);
            daemons.for_each(|daemon| daemon.kill(Signal::KILL));
        }
    }
}

// DEC-106, HAZ-15, SES-27, SES-37
#[test]
fn live_nothing_is_left_after_a_kill_at_any_point() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let foreign = bed.foreign(&pages.url("/"));
    let foreign_pids: Vec<u32> = bed.processes().iter().map(|process| process.pid).collect();
    for round in 0..rounds() {
        let victim = [Victim::Server, Victim::Daemon, Victim::Browser][(round % 3) as usize];
        let mut mcp = Mcp::start(bed.program().arg("mcp"));
        let server = mcp.pid();
        let _unread = mcp.begin(&json!({ "args": ["open", pages.url("/")] }));
        let _unread = mcp.begin(&json!({ "args": ["snapshot", "-i"] }));
        // Any point between the first spawn and the steady state.
        std::thread::sleep(Duration::from_millis(30 + (round * 397) % 1_900));
        kill(victim, &bed, server, &foreign_pids);
        mcp.child.kill().unwrap();
        mcp.child.wait().unwrap();
        let next = Mcp::start(bed.program().arg("mcp"));
        bed.assert_nothing_left_but(Some(&foreign), next.pid());
        next.end();
        bed.assert_nothing_left(Some(&foreign));
    }
    assert_eq!(foreign.raw.eval("document.title"), "Alive", "somebody else's browser lives on");
    foreign.raw.close();
}
