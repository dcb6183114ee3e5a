//! `console` and `errors`: counts, then the messages, the latest last.

use serde_json::Value;

use super::Shown;
use super::own_page::OwnPage;
use super::words::{counted, is_true, list, one_row, row, text};
use crate::line::Line;
use crate::outcome::{Outcome, Spill};

/// Messages in the answer (DEC-04).
const ROWS: usize = 80;
/// Lines of a page error: its message and where it came from.
const ERROR_LINES: usize = 3;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "console" | "errors")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let outcome = if is_true(data, "cleared") {
        Outcome::success(vec!["The list of console messages is empty now.".into()])
    } else if shown.command() == "console" {
        messages(list(data, "messages"))
    } else {
        let page = shown.after.page().map(OwnPage::of).unwrap_or_default();
        errors(list(data, "errors"), &page, shown.step.argv.has_own_flag("--clear"))
    };
    outcome.with_detail("data", data.clone())
}

fn messages(all: &[Value]) -> Outcome {
    if all.is_empty() {
        return Outcome::success(vec!["Console: no messages.".into()]);
    }
    let of = |kind: &str| all.iter().filter(|message| text(message, "type") == kind).count();
    let mut counts = Vec::new();
    for (kind, noun) in [("error", "error"), ("warning", "warning")] {
        if of(kind) > 0 {
            counts.push(counted(of(kind), noun));
        }
    }
    let counts =
        if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    let head = format!("Console: {}{counts}.", counted(all.len(), "message"));
    let rows = all.iter().map(|message| {
        format!("{}: {}", one_row(text(message, "type")), one_row(text(message, "text")))
    });
    latest(head, once_each(rows))
}

/// Errors of the page that is shown, then those of earlier ones: upstream keeps them all.
fn errors(all: &[Value], page: &OwnPage, wanted_clear: bool) -> Outcome {
    if all.is_empty() {
        return Outcome::success(vec!["Page errors: none.".into()]);
    }
    let (own, earlier): (Vec<&Value>, Vec<&Value>) = all.iter().partition(|one| page.threw(one));
    let rows = |some: &[&Value]| once_each(some.iter().map(|one| error_row(one, ERROR_LINES)));
    let mut outcome = match own.len() {
        0 => Outcome::success(vec!["Page errors: none on this page.".into()]),
        count => latest(format!("Page errors: {count}."), rows(&own)),
    };
    if !earlier.is_empty() {
        let before = latest(format!("Errors of earlier pages: {}.", earlier.len()), rows(&earlier));
        outcome.answer.extend(before.answer);
        outcome.spills.extend(before.spills);
    }
    if wanted_clear {
        // HAZ-12
        outcome.answer.push("Upstream does not clear this list; it goes with the browser.".into());
    }
    outcome
}

/// An error in one row: its message and the first places of its stack.
pub(super) fn error_row(error: &Value, lines: usize) -> String {
    let lines: Vec<&str> = text(error, "text").lines().take(lines).map(str::trim).collect();
    one_row(&lines.join(" | "))
}

/// Equal rows behind each other become one with a count.
pub(super) fn once_each(rows: impl Iterator<Item = String>) -> Vec<String> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some((last, times)) if *last == row => *times += 1,
            _ => runs.push((row, 1)),
        }
    }
    let written = runs.into_iter().map(|(row, times)| match times {
        1 => row,
        _ => format!("{row} (x{times})"),
    });
    written.collect()
}

/// The latest rows, and the whole list in a file when there are more (PRES-LOG-01).
fn latest(head: String, rows: Vec<String>) -> Outcome {
    let earlier = rows.len().saturating_sub(ROWS);
    let mut lines = vec![Line::ours(head)];
    if earlier > 0 {
        lines.push(Line::ours(format!("{earlier} earlier messages are left out.")));
    }
    lines.extend(rows.iter().skip(earlier).map(row));
    let mut outcome = Outcome::success(lines);
    if earlier > 0 {
        let label = "Full output path:".into();
        outcome.spills.push(Spill { stem: "messages", text: rows.join("\n"), label });
    }
    outcome
}
