//! `session …`: names and states of upstream's sessions (PRES-SESS-01).

use serde_json::Value;

use super::Shown;
use super::words::{first_rows, is_true, list, number, plain_word, row, text};
use crate::line::Line;
use crate::outcome::Outcome;

/// Sessions in the answer.
const ROWS: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "session"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let lines = if data.get("sessions").is_some() {
        sessions(list(data, "sessions"))
    } else if data.get("active").is_some() {
        vec![info(data)]
    } else if data.get("hash").is_some() {
        vec![
            Line::ours("Session id: ")
                .word(text(data, "session"))
                .and(" (scope ")
                .word(text(data, "scope"))
                .and(", ")
                .path(text(data, "path"))
                .and(")"),
        ]
    } else {
        vec![Line::ours("Session: ").word(text(data, "session"))]
    };
    Outcome::success(lines).with_detail("data", data.clone())
}

fn sessions(all: &[Value]) -> Vec<Line> {
    if all.is_empty() {
        return vec!["Sessions: none is running.".into()];
    }
    let mut lines = vec![Line::ours(format!("Sessions: {} running.", all.len()))];
    let rows = all.iter().map(|session| match session {
        Value::String(name) => row(name),
        other => row(format!(
            "{}{}",
            text(other, "name"),
            if is_true(other, "active") { " (active)" } else { "" }
        )),
    });
    lines.extend(first_rows(rows.collect(), ROWS, "session"));
    lines
}

fn info(data: &Value) -> Line {
    let line = Line::ours("Session ").word(text(data, "session"));
    if !is_true(data, "active") {
        return line.and(": not running.");
    }
    let mut words = vec!["running".to_owned()];
    if let Some(pid) = number(data, "pid") {
        words.push(format!("pid {pid}"));
    }
    match data.get("runtime").filter(|runtime| runtime.is_object()) {
        Some(runtime) => {
            let browser =
                if is_true(runtime, "browserLaunched") { "browser open" } else { "no browser" };
            words.push(browser.to_owned());
            if let Some(pages) = number(runtime, "pageCount") {
                words.push(format!("pages {pages}"));
            }
            words.push(plain_word(text(runtime, "engine")).to_owned());
        }
        None => words.push("does not answer".to_owned()),
    }
    words.retain(|word| !word.is_empty());
    let line = line.and(format!(": {}.", words.join(", ")));
    match text(data, "runtimeError") {
        "" => line,
        error => line.and(" It says ").quote(error).and("."),
    }
}
