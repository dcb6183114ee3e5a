//! The verdict of a QA preset (QA, visible-text samples 12 and 13).

use serde_json::{Map, Value, json};

use super::batch::StepResult;
use super::logs::{error_row, once_each};
use super::network::request::{Fate, Request};
use super::network::{failure_summary, line as request_line};
use super::own_page::OwnPage;
use super::section::Line;
use super::words::{counted, list, text};
use crate::input::qa::{Check, Qa};
use crate::outcome::{FailureCategory, NextAction, Outcome, SuccessCategory, Verdict};

/// Lines of an error: its message and where it was thrown.
const ERROR_LINES: usize = 2;
/// Pending requests that are named.
const PENDING: usize = 3;

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
        findings.judge(check, result, last_reset);
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
    fn judge(&mut self, check: &Check, result: &StepResult, last_reset: bool) {
        let silent = matches!(check, Check::Settle);
        let same_line = matches!(check, Check::Reset(_)) && !self.resets.is_empty();
        if !silent && !same_line {
            self.number += 1;
        }
        let number = self.number;
        let label = label(check);
        if matches!(result, StepResult::NotRun) {
            if !silent && !same_line {
                self.lines.push(Line::ours(format!("{number} ")).append(&label).and(": not run"));
            }
            return;
        }
        if result.is_failure() {
            self.failed.push(label.plain());
            self.lines.push(failed_line(number, check, &label, result));
            return;
        }
        let data = data(result);
        match check {
            Check::Reset(name) => {
                if *name == "errors" {
                    self.residue = list(&data, "errors").to_vec();
                }
                self.resets.push(name);
                if last_reset {
                    let label = Line::ours(format!("reset {}", self.resets.join(", ")));
                    self.ok(number, &label, "ok");
                }
            }
            Check::Network => self.requests(number, list(&data, "requests"), result),
            Check::Console => self.console(number, &data),
            Check::Errors => self.errors(number, &data, &self.own_page(result)),
            Check::Open => {
                self.page = (text(&data, "title").to_owned(), text(&data, "url").to_owned());
                self.ok(number, &label, "ok");
            }
            Check::Attached => {
                let page = data.get("result").cloned().unwrap_or_default();
                self.page = (text(&page, "title").to_owned(), text(&page, "url").to_owned());
                self.ok(number, &label, "ok");
                self.checked.push(label);
            }
            Check::Text(_) | Check::Selector(_) => {
                self.ok(number, &label, "visible");
                self.checked.push(label);
            }
            Check::Load => {
                self.ok(number, &label, "ok");
                self.checked.push(label);
            }
            Check::Screenshot => self.ok(number, &label, "ok"),
            // A page may have led to another one since it was opened.
            Check::Settle => {
                let page = data.get("result").cloned().unwrap_or_default();
                if !text(&page, "url").is_empty() {
                    self.page = (text(&page, "title").to_owned(), text(&page, "url").to_owned());
                }
            }
        }
    }

    fn ok(&mut self, number: usize, label: &Line, word: &'static str) {
        self.lines.push(Line::ours(format!("{number} ")).append(label).and(": ").and(word));
    }

    /// Buffers of an attached run hold what earlier pages have left; a run that opens its page has
    /// emptied them.
    fn own_page(&self, result: &StepResult) -> OwnPage {
        if self.attached { result.own_page() } else { OwnPage::default() }
    }

    fn earlier(&mut self, count: usize, thing: &str) {
        if count > 0 {
            let left = format!("{} of earlier pages not counted.", counted(count, thing));
            self.notes.push(Line::ours(left.clone()));
            self.lines.push(Line::ours(left));
        }
    }

    fn requests(&mut self, number: usize, rows: &[Value], result: &StepResult) {
        let earlier = self.own_page(result).earlier_requests(rows);
        let page = result.own_page();
        // What a page left open that has led to this one ended with that page.
        let left = page.earlier_requests(rows);
        let own = rows.iter().enumerate().skip(earlier);
        let own = own.filter(|(at, row)| *at >= left || has_status(row));
        let own = own.map(|(_, row)| Request::read(row, page.finished.as_deref()));
        self.network(number, &own.collect::<Vec<_>>());
        self.earlier(earlier, "request");
    }

    fn network(&mut self, number: usize, requests: &[Request]) {
        let of = |fate: Fate| {
            requests.iter().filter(move |request| request.fate == fate).collect::<Vec<_>>()
        };
        let (bad, benign, pending) = (of(Fate::Actionable), of(Fate::Benign), of(Fate::Pending));
        let head = Line::ours(format!("{number} network requests: "));
        self.lines.push(match failure_summary(requests) {
            None => head.and(format!("{} requests, none failed", requests.len())),
            Some(summary) => head.append(&summary),
        });
        for request in bad.iter().chain(&benign).take(10) {
            self.lines.push(request_line(request));
        }
        for request in pending.iter().take(PENDING) {
            self.notes.push(request_line(request));
            self.lines.push(request_line(request));
        }
        if !pending.is_empty() {
            self.warnings.push(format!("{} request(s) still pending", pending.len()));
        }
        let unknown = of(Fate::NoStatus).len();
        if unknown > 0 {
            self.warnings.push(format!("{unknown} request(s) without a status"));
        }
        if !benign.is_empty() {
            self.warnings
                .push(format!("{} benign network request failure(s) ignored", benign.len()));
        }
        match bad.first() {
            Some(first) => {
                self.worst_request = Some(first.id.clone()).filter(|id| !id.is_empty());
                self.failed.push(counted(bad.len(), "actionable failed request"));
            }
            None => self.checked.push(Line::ours(format!("network ({} requests)", requests.len()))),
        }
    }

    fn console(&mut self, number: usize, data: &Value) {
        let messages =
            data.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let errors: Vec<String> = messages
            .iter()
            .filter(|message| message.get("type").and_then(Value::as_str) == Some("error"))
            .map(|message| first_line(text(message, "text")))
            .collect();
        let uncertain = self.attached && !errors.is_empty();
        self.logged(number, "console", "console error", errors);
        if uncertain {
            // Upstream's rows have neither an address nor a time.
            self.lines.push(Line::ours(
                "Console messages name no page, so these may be of an earlier one; qa with url \
                 checks a page alone.",
            ));
        }
    }

    fn errors(&mut self, number: usize, data: &Value, page: &OwnPage) {
        // `errors --clear` clears nothing: what was there before the navigation is not ours (HAZ-12).
        // Where the list was emptied all the same, its first rows are new ones.
        let rows = list(data, "errors");
        let same = rows.iter().zip(&self.residue).take_while(|(row, old)| row == old).count();
        let rows = rows.iter().skip(same);
        let (new, earlier): (Vec<&Value>, Vec<&Value>) = rows.partition(|row| page.threw(row));
        let new: Vec<String> = new.into_iter().map(|row| error_row(row, ERROR_LINES)).collect();
        self.logged(number, "page errors", "page error", new);
        self.earlier(earlier.len(), "error");
    }

    fn logged(&mut self, number: usize, name: &'static str, one: &'static str, texts: Vec<String>) {
        let count = texts.len();
        self.lines.push(Line::ours(format!("{number} {name}: {}", counted(count, "error"))));
        self.lines.extend(once_each(texts.into_iter()).into_iter().take(5).map(Line::Row));
        if count == 0 {
            self.checked.push(Line::ours(name));
        } else {
            let list = if name == "console" { name } else { "errors" };
            // A stack says more than a message.
            self.logged_in = Some(list);
            self.failed.push(counted(count, one));
        }
    }

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

fn has_status(request: &Value) -> bool {
    request.get("status").is_some_and(|status| !status.is_null())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn failed_line(number: usize, check: &Check, label: &Line, result: &StepResult) -> Line {
    let reason = ran(result).and_then(|outcome| outcome.answer.first().cloned());
    let line = Line::ours(format!("{number} ")).append(label).and(": ").append(&missing(check));
    match (check, reason) {
        (Check::Text(_) | Check::Selector(_), _) | (_, None) => line,
        (_, Some(reason)) => line.and(", ").append(&reason),
    }
}

fn label(check: &Check) -> Line {
    match check {
        Check::Reset(name) => Line::ours(format!("reset {name}")),
        Check::Attached => Line::ours("current page"),
        Check::Open => Line::ours("open"),
        Check::Load => Line::ours("load"),
        Check::Text(text) => Line::ours("text ").quote(text),
        Check::Selector(selector) => Line::ours("selector ").quote(selector),
        Check::Settle => Line::ours("settle"),
        Check::Network => Line::ours("network requests"),
        Check::Console => Line::ours("console"),
        Check::Errors => Line::ours("page errors"),
        Check::Screenshot => Line::ours("screenshot"),
    }
}

fn missing(check: &Check) -> Line {
    match check {
        Check::Text(_) | Check::Selector(_) => Line::ours("not visible within 5 s"),
        _ => Line::ours("failed"),
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
