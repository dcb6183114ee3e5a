//! The lines of a batch's steps: typed text as one line, what repeats or did not run folded.

use crate::input::CompiledStep;
use crate::line::{Line, QUOTE_LIMIT, Span};
use crate::outcome::{Outcome, Verdict};
use crate::plan::about::number;

/// Lines shown of one step when there are several.
pub const STEP_LINES: usize = 40;

/// What is shown of one step, or of several that read the same.
#[derive(Clone, Debug)]
pub struct Told {
    first: usize,
    last: usize,
    count: usize,
    /// The first line without its number, then the others.
    lines: Vec<Line>,
    folds: bool,
    ran: bool,
}

impl Told {
    /// A step that an earlier failure kept from running.
    #[must_use]
    pub fn not_run(step: usize) -> Self {
        let lines = vec![Line::ours("not run")];
        Self { first: step, last: step, count: 1, lines, folds: true, ran: false }
    }

    /// A step that ran.
    #[must_use]
    pub fn ran(step: usize, outcome: &Outcome) -> Self {
        let (lines, failed) = (lines_of(step, outcome), outcome.verdict.is_failure());
        let folds = !failed && lines.len() == 1;
        Self { first: step, last: step, count: 1, lines, folds, ran: true }
    }

    /// A key of a typed text that has something to say; which key is not told.
    #[must_use]
    pub fn key(step: usize, outcome: &Outcome) -> Self {
        let mut told = Self::ran(step, outcome);
        let first = told.lines.first_mut().filter(|_| !outcome.verdict.is_failure());
        if let Some(first) = first {
            *first = Line::ours("Pressed a key.");
        }
        told
    }

    /// A typed text; `last` is the outcome of its last row.
    #[must_use]
    pub fn typed(step: usize, group: &CompiledStep, last: &Outcome) -> Self {
        let mut told = Self::ran(step, last);
        let line = typed_line(group);
        let pressed = group.rows.last().is_some_and(|row| is_key(row));
        match told.lines.first_mut().filter(|_| pressed) {
            Some(first) => *first = line.and(" ").append(first),
            None => told.lines = vec![line],
        }
        told
    }
}

/// All steps with their numbers: `3 Clicked …`, `2-9 Pressed "ArrowLeft". (8x)`, `4-9 not run`.
#[must_use]
pub fn folded(told: Vec<Told>) -> Vec<Line> {
    let mut kept: Vec<Told> = Vec::new();
    for one in told {
        match kept.last_mut() {
            Some(before) if before.folds && one.folds && before.lines == one.lines => {
                before.last = one.last;
                before.count += 1;
            }
            _ => kept.push(one),
        }
    }
    kept.into_iter().flat_map(numbered).collect()
}

fn numbered(told: Told) -> Vec<Line> {
    let Told { first, last, count, lines, ran, .. } = told;
    let head = if first == last { format!("{first} ") } else { format!("{first}-{last} ") };
    let times = if ran && count > 1 { format!(" ({count}x)") } else { String::new() };
    let mut lines = lines.into_iter();
    let mut out = Vec::new();
    out.extend(lines.next().map(|line| Line::ours(head).append(&line).and(times)));
    out.extend(lines);
    out
}

/// The answer and its findings; further lines keep their own marks (indentation, `- `).
fn lines_of(step: usize, outcome: &Outcome) -> Vec<Line> {
    let mut lines: Vec<Line> = outcome.answer.clone();
    for finding in &outcome.findings {
        lines.extend(finding.lines.iter().cloned());
    }
    let head = Line::ours(match outcome.verdict {
        Verdict::Failure(category) => format!("failed ({}): ", category.name()),
        Verdict::Success(_) => String::new(),
    });
    let mut out = Vec::new();
    let mut rest = lines.into_iter();
    match rest.next() {
        Some(first @ Line::Spans(_)) => out.push(head.append(&first)),
        Some(Line::Value(text)) if fits_quote(&text) => out.push(head.push(Span::Quote(text))),
        Some(Line::Value(text)) => out.extend([head.and("value:"), Line::Foreign(text)]),
        Some(other) => out.extend([head, other]),
        None => out.push(head.and("done")),
    }
    let rest: Vec<Line> = rest.collect();
    // A snapshot has bounds of its own, and keeps the rest in a file.
    let most = if outcome.details.contains_key("refSnapshot") { rest.len() } else { STEP_LINES };
    let hidden = rest.len().saturating_sub(most);
    out.extend(rest.into_iter().take(most));
    if hidden > 0 {
        out.push(Line::ours(format!("{hidden} more lines of step {step}")));
    }
    out
}

/// A longer value would be cut between its quotation marks.
fn fits_quote(text: &str) -> bool {
    !text.contains('\n') && text.chars().count() <= QUOTE_LIMIT - 10
}

/// `Typed 4 characters into "#q".`; never the text, which may be a password.
fn typed_line(group: &CompiledStep) -> Line {
    let mut count = 0;
    let mut field = None;
    for row in &group.rows {
        let words: Vec<&str> = row.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["focus", selector] => field = Some(*selector),
            ["keyboard", "type", text] => count += text.chars().count(),
            ["press", _] if !is_key(row) => count += 1,
            _ => {}
        }
    }
    let noun = if count == 1 { "character" } else { "characters" };
    let line = Line::ours(format!("Typed {count} {noun}"));
    match field {
        Some(found) if number(found).is_some() => line.and(" into ").and(found.to_owned()).and("."),
        Some(selector) => line.and(" into ").quote(selector).and("."),
        None => line.and("."),
    }
}

/// A key that is no character.
fn is_key(row: &[String]) -> bool {
    matches!(row, [press, key] if press == "press" && key != "Space" && key.chars().count() > 1)
}
