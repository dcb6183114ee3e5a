//! The process table of Linux, read from `/proc`.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::{ProcId, Row};

pub(super) fn row(pid: u32) -> Option<Row> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything, brackets included.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    Some(Row {
        id: ProcId { pid, start: fields.get(19)?.parse().ok()? },
        parent: fields.get(1)?.parse().ok()?,
        ended: matches!(*fields.first()?, "Z" | "X" | "x"),
        stopped: matches!(*fields.first()?, "T" | "t"),
    })
}

pub(super) fn rows() -> Vec<Row> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let names = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    names.filter_map(row).collect()
}

pub(super) fn command_line(pid: u32) -> Option<Vec<String>> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let words: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
    (!words.is_empty()).then_some(words)
}

/// The environment that a process was started with.
pub(super) fn has_environment(pid: u32, wanted: &[String]) -> bool {
    let Ok(bytes) = fs::read(format!("/proc/{pid}/environ")) else { return false };
    let has = |pair: &String| bytes.split(|byte| *byte == 0).any(|entry| entry == pair.as_bytes());
    wanted.iter().all(has)
}

/// SIGHUP is the lowest bit of the signals that are ignored.
pub(super) fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}

/// Between its old program and its new one a process has a file that it runs, and neither arguments
/// nor variables.
pub(super) fn becomes_program(pid: u32) -> bool {
    let is_empty = |name| fs::read(format!("/proc/{pid}/{name}")).is_ok_and(|all| all.is_empty());
    // Threads of the kernel, and what has ended, run no file.
    is_empty("environ") && is_empty("cmdline") && fs::read_link(format!("/proc/{pid}/exe")).is_ok()
}

/// The handle is taken first, so the process that is checked is the one that gets the signal.
pub(super) fn signal_if(
    pid: Pid,
    signal: Signal,
    is_same: impl Fn() -> bool,
) -> Result<bool, Errno> {
    match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => match is_same() {
            true => pidfd_send_signal(handle, signal).map(|()| true),
            false => Ok(false),
        },
        Err(Errno::NOSYS | Errno::PERM) if is_same() => kill_process(pid, signal).map(|()| true),
        Err(Errno::NOSYS | Errno::PERM) => Ok(false),
        Err(error) => Err(error),
    }
}
