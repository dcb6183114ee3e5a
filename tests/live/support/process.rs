//! The process table, read from outside.

use std::collections::BTreeMap;
use std::fs;

/// A process that can be told from a later one with the same pid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    pub parent: u32,
    pub start: u64,
    pub command: String,
}

impl Process {
    /// The process of that number, if there is one that is no zombie.
    pub fn of(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may hold anything.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        if fields.first() == Some(&"Z") {
            return None;
        }
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some(Self {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            start: fields.get(19)?.parse().ok()?,
            command: String::from_utf8_lossy(&command).replace('\0', " "),
        })
    }

    pub fn is_alive(&self) -> bool {
        Self::of(self.pid).is_some_and(|now| now.start == self.start)
    }

    pub fn kill(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
        if self.is_alive() {
            let _gone_already = rustix::process::kill_process(pid.unwrap(), signal);
        }
    }

    /// Memory of its own in kilobytes: what it has read of its program's file is not in it, which
    /// differs from build to build.
    pub fn own_memory_kb(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

/// Every process.
pub fn all() -> BTreeMap<u32, Process> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, Process::of(pid)?))).collect()
}

/// Processes that carry `marker` in their environment or command line, and what descends from
/// them: a browser overwrites the environment of some of its children.
pub fn marked(marker: &str) -> Vec<Process> {
    let table = all();
    let carries = |process: &Process| {
        let environment = fs::read(format!("/proc/{}/environ", process.pid)).unwrap_or_default();
        process.command.contains(marker) || String::from_utf8_lossy(&environment).contains(marker)
    };
    let mut found: BTreeMap<u32, Process> = BTreeMap::new();
    for process in table.values().filter(|process| carries(process)) {
        found.insert(process.pid, process.clone());
    }
    with_descendants(found, &table)
}

/// A process and what descends from it.
pub fn tree(pid: u32) -> Vec<Process> {
    let table = all();
    let root = table.get(&pid).map(|process| (pid, process.clone()));
    with_descendants(root.into_iter().collect(), &table)
}

fn with_descendants(
    mut found: BTreeMap<u32, Process>,
    table: &BTreeMap<u32, Process>,
) -> Vec<Process> {
    loop {
        let known = found.len();
        let children: Vec<&Process> =
            table.values().filter(|process| found.contains_key(&process.parent)).collect();
        found.extend(children.into_iter().map(|process| (process.pid, process.clone())));
        if found.len() == known {
            return found.into_values().collect();
        }
    }
}
