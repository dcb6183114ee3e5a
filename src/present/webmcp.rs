//! `webmcp …` and `plugin …`: tools that the page or the installation offers.

use serde_json::Value;

use super::Shown;
use super::generic;
use super::words::{first_rows, list, one_row, row, text};
use crate::line::Line;
use crate::outcome::Outcome;

/// Tools in the answer.
const ROWS: usize = 40;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    let data = &shown.answer.data;
    (shown.command() == "webmcp" && data.get("tools").is_some())
        || (shown.command() == "plugin" && data.get("plugins").is_some())
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let (title, tools) = match shown.command() {
        "webmcp" => ("Tools of the page", list(data, "tools")),
        _ => ("Plugins", list(data, "plugins")),
    };
    if tools.is_empty() {
        return Outcome::success(vec![Line::ours(format!("{title}: none."))])
            .with_detail("data", data.clone());
    }
    let mut lines = vec![Line::ours(format!("{title}: {}.", tools.len()))];
    lines.extend(first_rows(tools.iter().map(tool).collect(), ROWS, "tool"));
    Outcome::success(lines).with_detail("data", data.clone())
}

fn tool(tool: &Value) -> Line {
    let name = one_row(text(tool, "name"));
    match ["description", "command"].into_iter().map(|key| text(tool, key)).find(|t| !t.is_empty())
    {
        Some(words) => row(format!("{name}: {words}")),
        None if name.is_empty() => row(generic::one_line(tool)),
        None => row(name),
    }
}
