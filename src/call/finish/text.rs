//! The visible text: lines in their order, within their bound, and caller `--json`.

use serde_json::{Value, json};

use super::kept::Keeper;
use super::{Trace, all_next};
use crate::diagnose::place_of;
use crate::line::{Line, Span};
use crate::outcome::{Finding, Outcome, Verdict};
use crate::present::budget::cut;
use crate::present::text::print;
use crate::redact::{Redactor, SafeText};

/// All text blocks of a result (DEC-104).
const CONTENT_BYTES: usize = 12_000;
/// Room for the lines behind the answer: paths, notes, `Next`, managed session.
const TAIL_BYTES: usize = 4_000;
/// Lines `Next:` at most.
const VISIBLE_NEXT: usize = 3;
/// A longer call stays in `details`.
const NEXT_BYTES: usize = 800;
/// Longest error text of a JSON document.
const ERROR_CHARS: usize = 2_000;

/// The text before its last lines are known.
pub(super) enum Draft {
    /// Prose: the answer within its bound, and the lines behind it.
    Lines { body: SafeText, notes: Vec<Line>, tail: Vec<Line> },
    /// Caller `--json`: one document and nothing else (DEC-105).
    Json(SafeText),
}

impl Draft {
    /// `prefix`: the words that the calls behind `Next` need in front.
    pub(super) fn new(
        outcome: &Outcome,
        trace: &Trace,
        keeper: &mut Keeper<'_>,
        notice: &str,
        prefix: &[String],
    ) -> Self {
        if trace.wants_json {
            return Self::Json(json_text(outcome, keeper));
        }
        let body = print(&answer_lines(outcome, notice), keeper.redactor);
        let (body, notes) = bounded(body, keeper);
        Self::Lines { body, notes, tail: tail_lines(outcome, prefix, keeper.redactor) }
    }

    /// Adds a line between the answer and `Next`.
    pub(super) fn note(&mut self, line: Line) {
        if let Self::Lines { notes, .. } = self {
            notes.push(line);
        }
    }

    pub(super) fn print(self, redactor: &Redactor) -> SafeText {
        match self {
            Self::Json(text) => text,
            Self::Lines { mut body, notes, tail } => {
                for lines in [notes, tail] {
                    if !lines.is_empty() {
                        body.push_fixed("\n");
                        body.push(&print(&lines, redactor));
                    }
                }
                // Every part has its bound; this holds whatever they come to.
                body.cut_bytes(CONTENT_BYTES)
            }
        }
    }
}

/// Answer and findings (visible-text rule 6), behind the category of a failure.
pub(in crate::call) fn answer_lines(outcome: &Outcome, notice: &str) -> Vec<Line> {
    let mut lines = outcome.answer.clone();
    if let Verdict::Failure(category) = outcome.verdict {
        let prefix = format!("Failed ({}, {notice}): ", category.name());
        let first = if lines.is_empty() { Line::ours("no reason given.") } else { lines.remove(0) };
        let head = match first {
            Line::Spans(_) => vec![Line::ours(prefix).append(&first)],
            other => vec![Line::ours(prefix.trim_end().to_owned()), other],
        };
        lines.splice(0..0, head);
    }
    let mut findings: Vec<&Finding> = outcome.findings.iter().collect();
    findings.sort_by_key(|finding| place_of(finding.key));
    lines.extend(findings.into_iter().flat_map(|finding| finding.lines.iter().cloned()));
    lines
}

/// `Next` and the managed session.
fn tail_lines(outcome: &Outcome, prefix: &[String], redactor: &Redactor) -> Vec<Line> {
    let mut lines = Vec::new();
    for action in all_next(outcome).filter(|action| action.visible).take(VISIBLE_NEXT) {
        if let Some(params) = action.params() {
            let params = redactor.json(&crate::outcome::prefixed(params, prefix)).to_string();
            if params.len() <= NEXT_BYTES {
                lines.push(Line::ours("Next: ").push(Span::Json(params)));
            }
        }
    }
    lines.extend(outcome.managed.iter().cloned());
    lines
}

/// The answer within its bound; the whole of it goes to a file, whose path is said.
fn bounded(body: SafeText, keeper: &mut Keeper<'_>) -> (SafeText, Vec<Line>) {
    let room = CONTENT_BYTES - TAIL_BYTES;
    if body.len() <= room {
        return (body, Vec::new());
    }
    // The paths of other files stand at the end of the answer and must stay.
    let (head, paths) = split_paths(&body);
    let kept = keeper.keep_answer(&body);
    let (mut short, note) = cut(head, room - paths.len().min(room / 2));
    let line =
        note.map_or_else(|| Line::ours("The answer was cut."), |note| Line::ours(note.to_string()));
    let line = match kept {
        Ok(path) => line.and(". The whole answer: ").path(path),
        Err(error) => line.and(format!("; the rest could not be kept: {error}")),
    };
    if !paths.is_empty() {
        short.push_fixed("\n");
        short.push(&paths);
    }
    (short, vec![line])
}

/// The last lines, as far as they name a file.
fn split_paths(body: &SafeText) -> (SafeText, SafeText) {
    let lines: Vec<SafeText> = body.lines().collect();
    let is_path = |line: &SafeText| line.as_str().contains(" path: /") && line.len() < 1_000;
    let count = lines.iter().rev().take(3).take_while(|line| is_path(line)).count();
    let (head, paths) = lines.split_at(lines.len() - count);
    (SafeText::join(head, "\n"), SafeText::join(paths, "\n"))
}

fn json_text(outcome: &Outcome, keeper: &mut Keeper<'_>) -> SafeText {
    let redactor = keeper.redactor;
    let data = outcome.details.get("data").cloned().unwrap_or(Value::Null);
    let error = outcome.details.get("error").or_else(|| outcome.details.get("validationError"));
    let error = match error {
        Some(Value::String(text)) => {
            redactor.text(text).chars().take(ERROR_CHARS).collect::<String>().into()
        }
        Some(other) => other.clone(),
        None => Value::Null,
    };
    let document = |data: &Value| {
        let success = !outcome.verdict.is_failure();
        redactor.safe_json(&json!({ "success": success, "data": data, "error": error })).to_text()
    };
    let whole = document(&data);
    if whole.len() <= CONTENT_BYTES {
        return whole;
    }
    let text = redactor.safe_json(&data).to_text();
    let bytes = text.len();
    let mut short = match outcome.compact.clone() {
        Some(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    short.insert("compacted".into(), true.into());
    short.insert("bytes".into(), bytes.into());
    match keeper.keep("data", &text) {
        Ok(path) => short.insert("fullOutputPath".into(), path.into()),
        Err(error) => short.insert("spillError".into(), error.into()),
    };
    document(&Value::Object(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    // RES-26
    #[test]
    fn findings_stand_in_one_order_whoever_came_first() {
        let found = |key: &'static str, line: &str| Finding {
            key,
            lines: vec![Line::ours(line.to_owned())],
            ..Finding::default()
        };
        let mut outcome = Outcome::success(vec!["answer".into()]);
        outcome.findings = vec![
            found("scrollNoop", "scroll"),
            found("evalStdinHint", "hint"),
            found("selectorTextVisibility", "visibility"),
            found("overlayBlockers", "overlay"),
            found("", "candidates"),
        ];
        let lines: Vec<String> = answer_lines(&outcome, "").iter().map(Line::plain).collect();
        assert_eq!(lines, ["answer", "candidates", "visibility", "overlay", "hint", "scroll"]);
    }
}
