//! The verdict of a QA preset (QA, visible-text samples 12 and 13).

mod judge;

use serde_json::{Map, Value, json};

use super::batch::StepResult;
use crate::input::qa::{Check, Qa};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome, SuccessCategory, Verdict};

/// What the rows came to.
#[derive(Default)]
struct Findings {
    page: (String, String),
    failed: Vec<String>,
    warnings: Vec<String>,
    /// Every check, for a failed run.
    lines: Vec<Line>,
    /// What a passed run says besides its two lines.
    notes: Vec<Line>,
    checked: Vec<Line>,
    resets: Vec<&'static str>,
    worst_request: Option<String>,
    /// The list that a failed check of messages leads to.
    logged_in: Option<&'static str>,
    attached: bool,
    /// Errors that were there before the page was opened.
    residue: Vec<Value>,
    number: usize,
}

/// The outcome of the preset; `late` is the picture of a failed run.
#[must_use]
pub fn present(qa: &Qa, results: &[StepResult], late: Option<Outcome>) -> Outcome {
    let mut findings = Findings { attached: qa.url.is_none(), ..Findings::default() };
    let rows = qa.rows();
    for (index, ((check, _), result)) in rows.iter().zip(results).enumerate() {
        let last_reset = !matches!(rows.get(index + 1), Some((Check::Reset(_), _)));
        let taken = *check == Check::Screenshot && late.as_ref().is_some_and(is_taken);
        match result {
            StepResult::NotRun if taken => findings.taken_late(check),
            _ => findings.judge(check, result, last_reset),
        }
    }
    if rows.len() == 1 && findings.attached {
        findings.checked.clear();
        findings.notes.push(UNCHECKED.into());
    }
    if qa.url.is_none() && qa.checks.contains(&true) {
        findings.notes.push(EARLIER.into());
        findings.lines.push(EARLIER.into());
    }
    let passed = findings.failed.is_empty();
    let mut outcome = if passed { findings.passed() } else { findings.failure(qa) };
    let earlier = outcome.answer.first().map(Line::plain);
    outcome.details.insert(
        "qaPreset".into(),
        json!({
            "passed": passed,
            "failedChecks": findings.failed,
            "warnings": findings.warnings,
            "summary": earlier,
        }),
    );
    outcome.details.insert("batchSteps".into(), matrix(&rows, results));
    if qa.screenshot.is_some() {
        let own = rows.iter().zip(results).find(|((check, _), _)| *check == Check::Screenshot);
        let own = own.and_then(|(_, result)| ran(result)).filter(|own| !own.verdict.is_failure());
        match late.as_ref().or(own) {
            Some(picture) => add_picture(&mut outcome, picture.clone()),
            None => outcome.answer.push("Screenshot not taken.".into()),
        }
    }
    outcome
}

/// Buffers of an attached run are not cleared (QA-09).
const EARLIER: &str = "Requests, console and errors may be from before this check.";

/// An attached run that asks for nothing.
const UNCHECKED: &str = "Nothing was checked but that the page answers. Add expectedText, \
                         expectedSelector, checkNetwork, checkConsole or checkErrors.";

fn is_taken(picture: &Outcome) -> bool {
    !picture.verdict.is_failure()
}

/// `attached` without a page: nothing was checked (QA-07, NEXT-70).
#[must_use]
pub fn without_page() -> Outcome {
    let line = "QA preset did not run: no browser is open, so there is no current page. \
                Open one, or give qa.url.";
    let mut outcome = Outcome::failure(FailureCategory::QaFailure, vec![line.into()]);
    outcome.next = before_attached();
    outcome
}

fn before_attached() -> Vec<NextAction> {
    vec![
        NextAction::args(
            "list-tabs-before-qa-attached",
            "see which pages are open",
            &["tab", "list"],
        ),
        NextAction::args(
            "snapshot-before-qa-attached",
            "see what the current page shows",
            &["snapshot", "-i"],
        ),
    ]
}

fn ran(result: &StepResult) -> Option<&Outcome> {
    match result {
        StepResult::Ran(outcome) => Some(outcome),
        StepResult::NotRun => None,
    }
}

fn data(result: &StepResult) -> Value {
    ran(result).and_then(|outcome| outcome.details.get("data").cloned()).unwrap_or_default()
}

impl Findings {
    fn page_line(&self, line: Line) -> Line {
        let (title, url) = &self.page;
        let line = if title.is_empty() { line } else { line.quote(title).and(" ") };
        if url.is_empty() { line } else { line.url(url) }
    }

    fn passed(&self) -> Outcome {
        let head = match self.warnings.as_slice() {
            [] => Line::ours("QA preset passed: "),
            warnings => {
                Line::ours(format!("QA preset passed with warnings: {} ", warnings.join("; ")))
            }
        };
        let mut checked = Line::ours("Checked: ");
        for (index, item) in self.checked.iter().enumerate() {
            checked = if index == 0 { checked } else { checked.and(", ") };
            checked = checked.append(item);
        }
        let mut lines = vec![self.page_line(head)];
        if !self.checked.is_empty() {
            lines.push(checked.and("."));
        }
        lines.extend(self.notes.iter().cloned());
        Outcome::success(lines)
    }

    fn failure(&self, qa: &Qa) -> Outcome {
        let head = Line::ours(format!("QA preset failed with {}: ", self.failed.join(", ")));
        let mut lines = vec![self.page_line(head)];
        lines.extend(self.lines.iter().cloned());
        let mut outcome = Outcome::failure(FailureCategory::QaFailure, lines);
        outcome.next = self.next(qa);
        outcome
    }

    fn next(&self, qa: &Qa) -> Vec<NextAction> {
        if let Some(id) = &self.worst_request {
            return vec![
                NextAction::params_of(
                    "trace-actionable-network-source",
                    "find the code that made the request",
                    json!({ "networkSourceLookup": { "requestId": id } }),
                ),
                NextAction::args(
                    "inspect-actionable-network-request",
                    "see the failed request",
                    &["network", "request", id],
                ),
            ];
        }
        if qa.url.is_none() && self.page.1.is_empty() {
            return before_attached();
        }
        match self.logged_in {
            Some("errors") => {
                let why = "the errors with their stacks";
                return vec![NextAction::args("inspect-page-errors", why, &["errors"])];
            }
            Some(_) => {
                let why = "the messages of the console";
                return vec![NextAction::args("inspect-console", why, &["console"])];
            }
            None => {}
        }
        vec![NextAction::args(
            "inspect-after-text-assertion-failure",
            "see what the page shows",
            &["snapshot", "-i"],
        )]
    }
}

fn matrix(rows: &[(Check, Vec<String>)], results: &[StepResult]) -> Value {
    let rows = rows.iter().zip(results).enumerate().map(|(index, ((check, words), result))| {
        let mut row = Map::new();
        row.insert("step".into(), (index + 1).into());
        row.insert("command".into(), json!(words));
        if matches!(check, Check::Reset(_)) {
            // What was there before the page was opened says nothing about the page (QA-10).
            row.insert("scope".into(), "reset".into());
        }
        let status = match ran(result).map(|outcome| outcome.verdict) {
            None => "not-run",
            Some(Verdict::Success(_)) => "success",
            Some(Verdict::Failure(_)) => "failure",
        };
        row.insert("resultCategory".into(), status.into());
        row.insert("data".into(), data(result));
        Value::Object(row)
    });
    Value::Array(rows.collect())
}

/// The picture's lines and evidence behind the verdict.
fn add_picture(outcome: &mut Outcome, picture: Outcome) {
    let verified = picture.verdict == Verdict::Success(SuccessCategory::ArtifactSaved);
    let file = picture.files.first();
    let path = file.map(|file| file.path.to_string_lossy()).unwrap_or_default();
    let size = file.map_or(0, |file| file.size);
    let line = if verified {
        Line::ours("Screenshot verified: ").path(path).and(format!(" ({size} bytes)"))
    } else {
        Line::ours("Screenshot not verified: ").path(path)
    };
    outcome.answer.push(line);
    for key in ["artifacts", "artifactVerification", "imagePath"] {
        if let Some(value) = picture.details.get(key) {
            outcome.details.insert(key.to_owned(), value.clone());
        }
    }
    outcome.images = picture.images;
    outcome.files = picture.files;
}
