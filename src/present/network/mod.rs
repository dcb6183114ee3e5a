//! `network …`: requests with their failures first, one request in full, routes and HAR captures.

mod detail;
mod list;
mod next;
mod page_filter;
pub mod request;

pub(super) use list::failure_summary;
pub use list::line;

use serde_json::Value;

use super::Shown;
use super::words::text;
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "network" && shown.files.is_empty()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let mut outcome = if let Some(Value::Array(requests)) = data.get("requests") {
        return present_list(requests, shown);
    } else if data.get("requestId").is_some() {
        let page = shown.after.page();
        detail::present(data, page.and_then(|page| page.resources.as_deref()))
    } else {
        Outcome::success(vec![done(data)])
    };
    outcome.details.insert("data".into(), data.clone());
    outcome
}

fn present_list(requests: &[Value], shown: &Shown<'_>) -> Outcome {
    let Some(filtered) = page_filter::apply(requests, shown) else {
        let data = &shown.answer.data;
        return list::present(data, shown).with_detail("data", data.clone());
    };
    let mut outcome = list::present(&serde_json::json!({ "requests": filtered.rows }), shown);
    filtered.tell(&mut outcome);
    outcome
}

fn done(data: &Value) -> Line {
    if data.get("cleared").is_some() {
        "The list of requests is empty now.".into()
    } else if !text(data, "routed").is_empty() {
        Line::ours("Route set for ").quote(text(data, "routed")).and(".")
    } else if !text(data, "unrouted").is_empty() {
        match text(data, "unrouted") {
            "all" => "All routes removed.".into(),
            pattern => Line::ours("Route removed: ").quote(pattern).and("."),
        }
    } else {
        "HAR capture started; network har stop PATH writes it.".into()
    }
}
