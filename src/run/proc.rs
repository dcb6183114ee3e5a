//! Facts about processes that were not started by this call: is it still the same one, what runs
//! below it, and how to end it without ever meeting a stranger that got its number.

use std::collections::{HashMap, HashSet};
use std::io;

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
#[path = "proc_linux.rs"]
mod table;
#[cfg(not(target_os = "linux"))]
#[path = "proc_ps.rs"]
mod table;

/// A process, told apart from later ones with the same number by when it was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcId {
    /// Its number.
    pub pid: u32,
    /// When it was started, in a measure of the system; only equality means something.
    pub start: u64,
}

/// How to end a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ask it.
    Terminate,
    /// Force it.
    Kill,
}

/// One row of the process table.
struct Row {
    id: ProcId,
    parent: u32,
    /// Ended, and only waiting for its parent to notice.
    ended: bool,
    /// Stopped by a signal or a debugger: it does nothing until somebody continues it.
    stopped: bool,
}

impl ProcId {
    /// This process.
    #[must_use]
    pub fn current() -> Option<Self> {
        Self::of(std::process::id())
    }

    /// The living process with that number.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        table::row(pid).filter(|row| !row.ended).map(|row| row.id)
    }

    /// Whether this very process still runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        Self::of(self.pid) == Some(*self)
    }

    /// Whether this very process is stopped: it lives, and does nothing until it is continued.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        table::row(self.pid).is_some_and(|row| row.id == *self && row.stopped)
    }

    /// Its command line, if it still runs and may be read.
    #[must_use]
    pub fn command_line(&self) -> Option<Vec<String>> {
        let words = table::command_line(self.pid)?;
        self.is_alive().then_some(words)
    }

    /// Sends a signal, if this very process still runs. `false`: it was gone already.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub fn kill(&self, signal: Signal) -> io::Result<bool> {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) else {
            return Ok(false);
        };
        match table::signal_if(pid, signal, || self.is_alive()) {
            Ok(sent) => Ok(sent),
            Err(rustix::io::Errno::SRCH) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Every living process below some, parents before children. The table is read once, and says itself
/// whether a root is still the process that is meant: children of a stranger are nobody's.
#[must_use]
pub fn descendants(roots: &[ProcId]) -> Vec<ProcId> {
    let mut children: HashMap<u32, Vec<ProcId>> = HashMap::new();
    let mut level = Vec::new();
    for row in table::rows().into_iter().filter(|row| !row.ended) {
        if roots.contains(&row.id) {
            level.push(row.id.pid);
        }
        children.entry(row.parent).or_default().push(row.id);
    }
    let mut found = Vec::new();
    let mut seen: HashSet<u32> = level.iter().copied().collect();
    while !level.is_empty() {
        let below = level.iter().filter_map(|parent| children.get(parent)).flatten();
        let below: Vec<ProcId> = below.filter(|child| seen.insert(child.pid)).copied().collect();
        level = below.iter().map(|child| child.pid).collect();
        found.extend(below);
    }
    found
}

/// Every living process, this one apart, that was started with all of these variables (`NAME=value`).
#[must_use]
pub fn with_environment(wanted: &[String]) -> Vec<ProcId> {
    let me = std::process::id();
    let rows = table::rows().into_iter().filter(|row| !row.ended && row.id.pid != me);
    rows.map(|row| row.id).filter(|id| table::has_environment(id.pid, wanted)).collect()
}

/// A process that was started after this one is just becoming another program: it has none of its
/// variables yet.
#[must_use]
pub fn some_become_programs() -> bool {
    let Some(me) = ProcId::current() else { return false };
    let mut rows = table::rows().into_iter().filter(|row| !row.ended && row.id.start >= me.start);
    rows.any(|row| row.id.pid != me.pid && table::becomes_program(row.id.pid))
}

/// The process that started this one, as long as it lives.
#[must_use]
pub fn parent_pid() -> Option<u32> {
    rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned())
}

/// Whether this process was started to outlive its terminal, as behind `nohup`. Asked before anybody
/// here waits for that signal.
#[must_use]
pub fn ignores_hangup() -> bool {
    table::ignores_hangup()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]
    use super::*;
    use std::process::{Command, Stdio};

    // DEC-106
    #[test]
    fn a_process_is_known_by_number_and_start() {
        let me = ProcId::current().unwrap();
        assert!(me.is_alive());
        assert!(!ProcId { start: me.start + 1, ..me }.is_alive());
        assert!(!ProcId { pid: u32::MAX, start: 0 }.is_alive());
        assert!(me.command_line().unwrap().iter().any(|word| !word.is_empty()));
        assert!(ProcId::of(parent_pid().unwrap()).is_some());
    }

    // DEC-106
    #[test]
    fn a_program_without_variables_is_not_waited_for() {
        let mut child = Command::new("sleep").arg("30").env_clear().spawn().unwrap();
        let id = ProcId::of(child.id()).unwrap();
        let settled = (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            id.command_line().is_some_and(|words| words.first().is_some_and(|word| word == "sleep"))
        });
        assert!(settled && !table::becomes_program(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!table::becomes_program(child.id()), "it has ended");
        assert!(!table::becomes_program(std::process::id()));
    }

    // DEC-106
    #[test]
    fn descendants_are_found_and_only_the_same_process_is_killed() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 30 & wait"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let id = ProcId::of(child.id()).unwrap();
        let grandchild = (0..200)
            .find_map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                descendants(&[id]).first().copied()
            })
            .unwrap();
        let me = ProcId::current().unwrap();
        assert!(descendants(&[me]).contains(&grandchild));
        assert_eq!(descendants(&[id, grandchild]), [], "roots are no descendants");

        let stranger = ProcId { start: id.start + 1, ..id };
        assert_eq!(descendants(&[stranger]), [], "another process had this number");
        assert!(!stranger.kill(Signal::Kill).unwrap());
        assert!(id.is_alive());

        assert!(grandchild.kill(Signal::Kill).unwrap());
        assert!(id.kill(Signal::Kill).unwrap() || !id.is_alive());
        child.wait().unwrap();
        assert!(!id.is_alive());
        assert!(!id.kill(Signal::Terminate).unwrap());
    }

    // DEC-106
    #[test]
    fn an_ended_child_that_nobody_waited_for_is_not_alive() {
        let mut child = Command::new("true").spawn().unwrap();
        let ended = (0..400).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            ProcId::of(child.id()).is_none()
        });
        assert!(ended);
        child.wait().unwrap();
    }
}
