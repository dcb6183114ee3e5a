//! `record`, `trace` and `profiler`: what runs now, and which file it gave.

use super::Shown;
use super::files::{attach, file_lines};
use super::words::{count, counted};
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "record" | "trace" | "profiler")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let verb = shown.step.argv.words.get(1).map_or("", String::as_str);
    let mut outcome = Outcome::success(Vec::new()).with_detail("data", shown.answer.data.clone());
    outcome.answer = match (shown.command(), verb) {
        ("record", "start" | "restart") => started(shown),
        ("trace", "start") => vec!["Trace started; trace stop PATH writes it.".into()],
        ("profiler", "start") => vec!["Profiler started; profiler stop PATH writes it.".into()],
        _ => stopped(shown),
    };
    attach(shown, &mut outcome);
    outcome
}

/// PRES-RECD-01: the earlier recording first, then the one that has begun.
fn started(shown: &Shown<'_>) -> Vec<Line> {
    let (pending, earlier): (Vec<&FileFact>, Vec<&FileFact>) =
        shown.files.iter().partition(|file| file.state == FileState::Pending);
    let mut lines = Vec::new();
    for file in earlier {
        if file.state == FileState::Verified {
            lines.push(Line::ours("Previous recording saved: ").path(file.path.to_string_lossy()));
        } else {
            lines.extend(file_lines(file, shown));
        }
    }
    lines.push("Recording started; the file is written on record stop.".into());
    for file in pending.into_iter().filter(|file| file.kind == FileKind::Recording) {
        lines.extend(file_lines(file, shown).into_iter().skip(1));
    }
    lines
}

fn stopped(shown: &Shown<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for file in shown.files {
        lines.extend(file_lines(file, shown));
    }
    if lines.is_empty() {
        lines.push("Stopped; agent-browser names no file.".into());
    }
    let events = count(&shown.answer.data, "eventCount");
    if let Ok(events @ 1..) = usize::try_from(events) {
        lines.push(Line::ours(format!("Holds {}.", counted(events, "event"))));
    }
    lines
}
