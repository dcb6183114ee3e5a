//! The process table as `ps` prints it, for systems without a `/proc` of Linux's kind.

use std::process::{Command, Stdio};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::{ProcId, Row};

/// Columns of the start time: weekday, month, day, time, year.
const START_COLUMNS: usize = 5;

pub(super) fn row(pid: u32) -> Option<Row> {
    ps(&["-p", &pid.to_string(), "-o", "pid=,ppid=,stat=,lstart="])?.lines().find_map(parse)
}

pub(super) fn rows() -> Vec<Row> {
    let table = ps(&["-A", "-o", "pid=,ppid=,stat=,lstart="]).unwrap_or_default();
    table.lines().filter_map(parse).collect()
}

pub(super) fn command_line(pid: u32) -> Option<Vec<String>> {
    let line = ps(&["-p", &pid.to_string(), "-o", "command="])?;
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    (!words.is_empty()).then_some(words)
}

/// `ps` does not show other processes' environment everywhere: nothing is proven by it here.
pub(super) fn has_environment(_pid: u32, _wanted: &[String]) -> bool {
    false
}

/// Not known, so it is left as it is: ignored, or the end of the program.
pub(super) fn ignores_hangup() -> bool {
    true
}

/// Nothing is proven by variables here, so that none are waited for.
pub(super) fn becomes_program(_pid: u32) -> bool {
    false
}

pub(super) fn signal_if(
    pid: Pid,
    signal: Signal,
    is_same: impl Fn() -> bool,
) -> Result<bool, Errno> {
    match is_same() {
        true => kill_process(pid, signal).map(|()| true),
        false => Ok(false),
    }
}

fn parse(line: &str) -> Option<Row> {
    let mut columns = line.split_whitespace();
    let pid = columns.next()?.parse().ok()?;
    let parent = columns.next()?.parse().ok()?;
    let state = columns.next()?;
    let start: Vec<&str> = columns.take(START_COLUMNS).collect();
    (start.len() == START_COLUMNS).then(|| Row {
        id: ProcId { pid, start: digest(&start) },
        parent,
        ended: state.starts_with('Z'),
        stopped: state.starts_with('T'),
    })
}

/// A number that is the same for the same words.
fn digest(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([b' ']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[expect(clippy::disallowed_methods, reason = "a table of processes has no other source here")]
fn ps(arguments: &[&str]) -> Option<String> {
    let output = Command::new("/bin/ps")
        .args(arguments)
        .env_clear()
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()
}
