//! `skills …`: guides that ship with upstream.

use serde_json::Value;

use super::Shown;
use super::words::{first_rows, list, one_row, row, text, text_block};
use crate::line::{Line, cut};
use crate::outcome::Outcome;

/// Skills in the answer.
const ROWS: usize = 40;
/// Longest description of one skill, in characters.
const DESCRIPTION: usize = 140;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "skills"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let outcome = match data {
        Value::Array(skills) if skills.iter().any(|skill| skill.get("content").is_some()) => {
            guides(skills)
        }
        Value::Array(skills) => overview(skills),
        _ => paths(data),
    };
    outcome.with_detail("data", data.clone())
}

fn overview(skills: &[Value]) -> Outcome {
    let mut lines =
        vec![Line::ours(format!("Skills: {} (skills get NAME shows one).", skills.len()))];
    let rows = skills.iter().map(|skill| {
        let words = cut(&one_row(text(skill, "description")), DESCRIPTION);
        row(format!("{}: {words}", one_row(text(skill, "name"))))
    });
    lines.extend(first_rows(rows.collect(), ROWS, "skill"));
    Outcome::success(lines)
}

fn guides(skills: &[Value]) -> Outcome {
    let texts: Vec<&str> = skills.iter().map(|skill| text(skill, "content")).collect();
    let mut head = Line::ours("Skill");
    for (at, skill) in skills.iter().enumerate() {
        head = head.and(if at == 0 { " " } else { ", " }).word(text(skill, "name"));
    }
    text_block(head, &texts.join("\n\n"), "skill")
}

fn paths(data: &Value) -> Outcome {
    if !text(data, "path").is_empty() {
        return Outcome::success(vec![Line::ours("Skill path: ").path(text(data, "path"))]);
    }
    let paths = list(data, "paths");
    let mut lines = vec![Line::ours(format!("Skill paths: {}.", paths.len()))];
    lines.extend(paths.iter().filter_map(Value::as_str).take(ROWS).map(row));
    Outcome::success(lines)
}
