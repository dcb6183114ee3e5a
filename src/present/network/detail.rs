//! `network request ID`: one request in full.

use serde_json::Value;

use super::list::line;
use super::request::Request;
use crate::line::Line;
use crate::outcome::Outcome;
use crate::present::words::{first_rows, one_row, row, text, text_block};
use crate::redact::Redactor;

/// Headers shown of each side.
const HEADERS: usize = 24;
/// Headers that tell nothing about the request.
const NOISE: &[&str] = &["sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "user-agent"];

pub(super) fn present(data: &Value, finished: Option<&[String]>) -> Outcome {
    // Bodies and headers by field: as JSON they keep their names, as text they would not.
    let data = Redactor::new([]).json(data);
    let request = Request::read(&data, finished);
    let mut lines = vec![Line::ours("Request:"), line(&request)];
    if let Some(mime) = data.get("mimeType").and_then(Value::as_str) {
        lines.push(row(format!("answered as {mime}")));
    }
    lines.extend(headers("Request headers:", data.get("headers")));
    let sent = text(&data, "postData");
    if !sent.is_empty() {
        lines.push(Line::ours(format!("Request body, {} bytes:", sent.len())));
        lines.push(row(sent));
    }
    lines.extend(headers("Response headers:", data.get("responseHeaders")));
    let body = text(&data, "responseBody");
    if body.is_empty() {
        lines.push("Response body: none known.".into());
        return Outcome::success(lines);
    }
    let mut outcome = text_block(Line::ours("Response body"), body, "response");
    lines.append(&mut outcome.answer);
    outcome.answer = lines;
    outcome
}

fn headers(title: &'static str, headers: Option<&Value>) -> Vec<Line> {
    let Some(Value::Object(fields)) = headers else { return Vec::new() };
    let told = fields.iter().filter(|(name, _)| !NOISE.contains(&name.to_lowercase().as_str()));
    let rows: Vec<Line> = told
        .map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            row(format!("{}: {}", one_row(name), one_row(&value)))
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::ours(title)];
    lines.extend(first_rows(rows, HEADERS, "header"));
    lines
}
