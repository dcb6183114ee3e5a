//! `stream …` and `dashboard …`: where people can watch.

use serde_json::Value;

use super::Shown;
use super::words::{is_true, list, number, text};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    matches!(shown.command(), "stream" | "dashboard")
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let lines = if shown.command() == "stream" { vec![stream(data)] } else { dashboard(data) };
    Outcome::success(lines).with_detail("data", data.clone())
}

/// PRES-STRM-01
fn stream(data: &Value) -> Line {
    if is_true(data, "disabled") || data.get("enabled").and_then(Value::as_bool) == Some(false) {
        return "Stream: disabled.".into();
    }
    let connected = if is_true(data, "connected") { "connected" } else { "not connected" };
    let line = Line::ours(format!("Stream: enabled, {connected}"));
    match number(data, "port") {
        Some(port) => line
            .and(format!(", port {port}, "))
            .url(format!("ws://127.0.0.1:{port}"))
            .and(" (JSON messages, frames as base64 JPEG)"),
        None => line.and("."),
    }
}

/// PRES-DASH-01
fn dashboard(data: &Value) -> Vec<Line> {
    match data.get("stopped").and_then(Value::as_bool) {
        Some(true) => return vec!["Dashboard stopped.".into()],
        Some(false) => {
            return vec![
                Line::ours("Dashboard: ").quote(text(data, "reason")).and(", nothing to stop."),
            ];
        }
        None => {}
    }
    let port = number(data, "port").unwrap_or_default();
    let state = if is_true(data, "already_running") { "was running already" } else { "runs" };
    let line = Line::ours(format!("Dashboard {state} at ")).url(format!("http://127.0.0.1:{port}"));
    let mut lines = vec![line];
    for url in list(data, "access_urls").iter().filter_map(Value::as_str).take(5) {
        lines.push(Line::ours("Also at ").url(url));
    }
    lines.push("It runs until dashboard stop.".into());
    lines
}
