//! Processes of the run, from outside.

use std::fs;
use std::path::Path;

use agent_browser_native::run::proc::{self, ProcId};
use rustix::process::{Pid, Signal, kill_process};

/// How many of each kind run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) servers: usize,
    /// Upstream's daemons.
    pub(super) upstream: usize,
    /// Its clients: while a call runs, and those that a server has started ahead of its next call.
    pub(super) clients: usize,
    pub(super) browsers: usize,
    /// Renderers and other processes of the browsers.
    pub(super) helpers: usize,
    /// Children of our servers that have ended and that nobody has waited for.
    pub(super) zombies: usize,
}

/// Every process that was started in this home directory, and what runs below.
pub(super) fn all(home: &Path) -> Vec<ProcId> {
    let mut found = proc::with_environment(&[format!("HOME={}", home.display())]);
    found.extend(proc::descendants(&found));
    found.sort_by_key(|process| process.pid);
    found.dedup();
    found
}

pub(super) fn census(home: &Path, servers: &[u32]) -> Census {
    let mut census = Census::default();
    let below_servers: Vec<u32> = servers.iter().flat_map(|server| children(*server)).collect();
    for process in all(home) {
        let Some(words) = words(process) else { continue };
        if servers.contains(&process.pid) {
            census.servers += 1;
        } else if words.contains("--type=") {
            census.helpers += 1;
        } else if words.contains("--user-data-dir=") {
            census.browsers += 1;
        } else if is_upstream(&words) && below_servers.contains(&process.pid) {
            census.clients += 1;
        } else if is_upstream(&words) {
            census.upstream += 1;
        } else {
            census.helpers += 1;
        }
    }
    census.zombies = zombies(servers);
    census
}

/// The processes that run below a server.
pub(super) fn children(server: u32) -> Vec<u32> {
    let server = ProcId::of(server);
    proc::descendants(server.as_slice()).into_iter().map(|process| process.pid).collect()
}

fn zombies(parents: &[u32]) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let ended = stats.filter(|stat| {
        let fields = stat.rsplit_once(") ").map(|(_, rest)| rest).unwrap_or_default();
        let mut fields = fields.split(' ');
        let is_zombie = fields.next() == Some("Z");
        let parent = fields.next().and_then(|parent| parent.parse().ok());
        is_zombie && parent.is_some_and(|parent| parents.contains(&parent))
    });
    ended.count()
}

/// The daemon that wrote this file.
pub(super) fn daemon(file: &Path) -> Option<ProcId> {
    ProcId::of(fs::read_to_string(file).ok()?.trim().parse().ok()?)
}

/// The browser of the daemon that wrote this file.
pub(super) fn browser_of(file: &Path) -> Option<ProcId> {
    let below = proc::descendants(&[daemon(file)?]);
    below.into_iter().find(|process| {
        let words = words(*process).unwrap_or_default();
        words.contains("--user-data-dir=") && !words.contains("--type=")
    })
}

/// The command line as one text: a browser writes that of its children as a single word.
fn words(process: ProcId) -> Option<String> {
    Some(process.command_line()?.join(" "))
}

fn is_upstream(words: &str) -> bool {
    let program = words.split(' ').next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    name.starts_with("agent-browser")
}

/// Sends a signal, if that very process still runs.
pub(super) fn signal(process: ProcId, signal: Signal) {
    let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid.filter(|_| process.is_alive()) {
        // It may have ended by itself.
        let _ = kill_process(pid, signal);
    }
}
