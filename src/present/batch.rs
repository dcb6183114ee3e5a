//! A batch: one line of verdict, then each step as its own answer.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::dialog::is_answer;
use super::files::{category, next as next_of, verification};
use super::own_page::OwnPage;
pub use super::step_lines::STEP_LINES;
use super::step_lines::{Told, folded};
use crate::input::CompiledStep;
use crate::line::Line;
use crate::outcome::{Outcome, Spill, Verdict};

/// What became of one step.
#[derive(Clone, Debug)]
pub enum StepResult {
    /// It ran; its outcome.
    Ran(Box<Outcome>),
    /// An earlier failure kept it from running.
    NotRun,
}

/// Fields of a step's own `details` that stand in its row (RES-61).
const STEP_FIELDS: [&str; 7] = [
    "error",
    "artifacts",
    "artifactVerification",
    "savedFilePath",
    "savedFile",
    "pageChangeSummary",
    "navigationSummary",
];

/// The outcome of the whole batch; `commands` are the steps' own words, not yet redacted.
#[must_use]
pub fn present(
    commands: &[Vec<String>],
    results: Vec<StepResult>,
    groups: &[CompiledStep],
) -> Outcome {
    let shown = condensed(&results, groups);
    let typed = typed_rows(&results, groups);
    let numbers = step_numbers(results.len(), groups);
    let failed = results.iter().position(StepResult::is_failure);
    let first = first_line(&results, &numbers, !groups.is_empty());
    let total = results.len();
    let mut told = Vec::new();
    let mut rows = Vec::new();
    let mut matrix = Vec::new();
    let mut batch = Outcome::success(Vec::new());
    let mut failure = None;
    for (index, result) in results.into_iter().enumerate() {
        let command = commands.get(index).cloned().unwrap_or_default();
        let number = numbers.get(index).copied().unwrap_or(index + 1);
        match result {
            StepResult::NotRun => {
                if shown.contains(&index) {
                    told.push(Told::not_run(number));
                }
                rows.push(json!({ "step": index + 1, "command": command, "status": "not-run" }));
            }
            StepResult::Ran(outcome) => {
                if shown.contains(&index) {
                    told.push(match typed.get(&index) {
                        Some(group) => Told::typed(number, group, &outcome),
                        None if is_typed_key(&command, groups, number) => {
                            Told::key(number, &outcome)
                        }
                        None => Told::ran(number, &outcome),
                    });
                }
                rows.push(step_details(index + 1, &command, &outcome));
                matrix.push(matrix_row(&command, &outcome));
                if failed.is_none() && index + 1 == total {
                    // A dialog that the last step has opened waits for its answer (HAZ-09).
                    batch.next.extend(outcome.next.iter().filter(|next| is_answer(next)).cloned());
                }
                if failed == Some(index) {
                    failure = Some(outcome.verdict);
                    batch.next.clone_from(&outcome.next);
                    batch.findings.extend(outcome.findings.iter().cloned().map(|mut finding| {
                        finding.lines.clear();
                        finding
                    }));
                    batch
                        .details
                        .insert("batchFailure".into(), json!({ "failedStep": rows.last() }));
                }
                roll_up(&mut batch, number, *outcome);
            }
        }
    }
    batch.verdict = failure.unwrap_or_else(|| Verdict::Success(category(&batch.files)));
    batch.answer = std::iter::once(first).chain(folded(told)).collect();
    batch.details.insert("batchSteps".into(), Value::Array(rows));
    batch.details.insert("data".into(), Value::Array(matrix));
    sum_up(&mut batch);
    batch
}

/// Files, pictures and long outputs of a step belong to the whole (RES-64).
fn roll_up(batch: &mut Outcome, number: usize, outcome: Outcome) {
    batch.images.extend(outcome.images);
    batch.spills.extend(
        outcome.spills.into_iter().map(|spill| Spill {
            label: format!("Step {number}, {}", spill.label).into(),
            ..spill
        }),
    );
    if outcome.verdict.is_failure() {
        return;
    }
    batch.files.extend(outcome.files);
    // The last snapshot is the one whose refs count (RES-38).
    if let Some(refs) = outcome.details.get("refSnapshot") {
        batch.details.insert("refSnapshot".into(), refs.clone());
    }
    if let Some(Value::Array(rows)) = outcome.details.get("artifacts") {
        let all = batch.details.entry("artifacts").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.extend(rows.iter().cloned());
        }
    }
}

/// `artifactVerification`, pictures, what to do next and what became of the page (RES-57, RES-65).
fn sum_up(batch: &mut Outcome) {
    let failed = batch.verdict.is_failure();
    if !batch.files.is_empty() {
        batch.details.insert("artifactVerification".into(), verification(&batch.files));
        if !failed {
            batch.next.extend(batch.files.iter().map(next_of));
        }
    }
    let paths: Vec<String> =
        batch.images.iter().map(|image| image.path.to_string_lossy().into_owned()).collect();
    match paths.as_slice() {
        [] => {}
        [one] => {
            batch.details.insert("imagePath".into(), one.clone().into());
        }
        all => {
            batch.details.insert("imagePaths".into(), json!(all));
        }
    }
    if let Some(summary) = page_change(batch) {
        batch.details.insert("pageChangeSummary".into(), summary);
    }
}

fn page_change(batch: &Outcome) -> Option<Value> {
    let steps = batch.details.get("batchSteps")?.as_array()?;
    let changes: Vec<&Value> =
        steps.iter().filter_map(|step| step.get("pageChangeSummary")).collect();
    let ids: Vec<&str> = batch.next.iter().map(|action| action.id.as_str()).collect();
    let count = batch.files.len();
    if count > 0 {
        let summary = format!("{count} files of {} steps", steps.len());
        return Some(json!({ "changeType": "artifact", "command": "batch", "summary": summary,
            "artifactCount": count, "nextActionIds": ids }));
    }
    let summaries: Vec<&str> =
        changes.iter().filter_map(|change| change.get("summary")?.as_str()).take(5).collect();
    (!changes.is_empty()).then(|| {
        json!({ "changeType": "mutation", "command": "batch", "summary": summaries.join(" "),
            "nextActionIds": ids })
    })
}

impl StepResult {
    /// The page that was shown when the step ran, where it was asked.
    #[must_use]
    pub fn own_page(&self) -> OwnPage {
        match self {
            Self::Ran(outcome) => outcome.page.clone().unwrap_or_default(),
            Self::NotRun => OwnPage::default(),
        }
    }

    /// The diagnostics have something to say of it.
    fn speaks(&self) -> bool {
        matches!(self, Self::Ran(outcome) if outcome.findings.iter().any(|one| !one.lines.is_empty()))
    }

    /// The step ran and failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Ran(outcome) if outcome.verdict.is_failure())
    }
}

/// The caller's step number of every row.
fn step_numbers(rows: usize, groups: &[CompiledStep]) -> Vec<usize> {
    if groups.is_empty() {
        return (1..=rows).collect();
    }
    let numbered = groups.iter().zip(1..);
    numbered.flat_map(|(group, number)| std::iter::repeat_n(number, group.rows.len())).collect()
}

/// `Batch: all 3 steps done.`, or what failed and what did not run.
fn first_line(results: &[StepResult], numbers: &[usize], is_job: bool) -> Line {
    let total = numbers.last().copied().unwrap_or(0);
    let of = |wanted: fn(&StepResult) -> bool| -> BTreeSet<usize> {
        let rows = results.iter().zip(numbers).filter(|(result, _)| wanted(result));
        rows.map(|(_, number)| *number).collect()
    };
    let failed = of(StepResult::is_failure);
    let Some(first) = failed.first() else {
        let what = if is_job { "Job" } else { "Batch" };
        return Line::ours(format!("{what}: all {total} steps done."));
    };
    let not_run = of(|result| matches!(result, StepResult::NotRun)).difference(&failed).count();
    let rest = if not_run > 0 { format!(", {not_run} not run") } else { String::new() };
    let done = total - failed.len() - not_run;
    Line::ours(format!("step {first} failed; {done} of {total} steps done{rest}."))
}

/// Every step of a job with the rows that it became.
fn group_rows(groups: &[CompiledStep]) -> impl Iterator<Item = (Range<usize>, &CompiledStep)> {
    groups.iter().scan(0, |first, group| {
        let rows = *first..*first + group.rows.len();
        *first = rows.end;
        Some((rows, group))
    })
}

/// Rows that are shown: of a typed text only the last one, and every one that failed or has something
/// to say (IN-JOB-14).
fn condensed(results: &[StepResult], groups: &[CompiledStep]) -> BTreeSet<usize> {
    let mut shown: BTreeSet<usize> = (0..results.len()).collect();
    for (rows, _) in group_rows(groups).filter(|(_, group)| group.action == "type") {
        let last = rows.end.saturating_sub(1);
        shown.retain(|row| {
            !rows.contains(row)
                || *row == last
                || results.get(*row).is_some_and(|result| result.is_failure() || result.speaks())
        });
    }
    shown
}

/// The row presses a key of a text that its step types.
fn is_typed_key(command: &[String], groups: &[CompiledStep], number: usize) -> bool {
    let group = number.checked_sub(1).and_then(|at| groups.get(at));
    group.is_some_and(|group| group.typed_keys().any(|key| command == ["press", key]))
}

/// The last rows of the typed texts whose rows all ran.
fn typed_rows<'a>(
    results: &[StepResult],
    groups: &'a [CompiledStep],
) -> BTreeMap<usize, &'a CompiledStep> {
    let done =
        |result: &StepResult| matches!(result, StepResult::Ran(one) if !one.verdict.is_failure());
    let all_done =
        |rows: &Range<usize>| results.get(rows.clone()).is_some_and(|rows| rows.iter().all(done));
    let typed = group_rows(groups).filter(|(rows, group)| group.action == "type" && all_done(rows));
    typed.map(|(rows, group)| (rows.end.saturating_sub(1), group)).collect()
}

fn step_details(number: usize, command: &[String], outcome: &Outcome) -> Value {
    let mut row = Map::new();
    row.insert("step".into(), number.into());
    row.insert("command".into(), json!(command));
    row.extend(outcome.verdict.to_details());
    for key in STEP_FIELDS {
        if let Some(value) = outcome.details.get(key) {
            row.insert(key.into(), value.clone());
        }
    }
    if !outcome.next.is_empty() {
        let next: Vec<Value> = outcome.next.iter().map(|action| action.to_details(&[])).collect();
        row.insert("nextActions".into(), Value::Array(next));
    }
    Value::Object(row)
}

fn matrix_row(command: &[String], outcome: &Outcome) -> Value {
    match outcome.verdict {
        Verdict::Success(_) => {
            json!({ "success": true, "command": command, "result": outcome.details.get("data") })
        }
        Verdict::Failure(_) => {
            json!({ "success": false, "command": command, "error": outcome.details.get("error") })
        }
    }
}
