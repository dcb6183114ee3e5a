//! The verdict of a QA preset (QA, visible-text samples 12 and 13).

use serde_json::{Map, Value, json};

use super::batch::StepResult;
use super::network::request::Fate;
use super::network::{line as request_line, request};
use super::section::Line;
use crate::input::qa::{Check, Qa};
use crate::outcome::{FailureCategory, NextAction, Outcome, SuccessCategory, Verdict};

/// What the rows came to.
#[derive(Default)]
struct Findings {
    page: (String, String),
    failed: Vec<String>,
    warnings: Vec<String>,
    lines: Vec<Line>,
    checked: Vec<Line>,
    worst_request: Option<String>,
    residue: usize,
    finished: Vec<String>,
    not_run: bool,
    /// The browser shows no page that could be checked.
    no_page: bool,
}

/// The outcome of the preset; `late` is the picture of a failed run.
#[must_use]
pub fn present(qa: &Qa, results: &[StepResult], late: Option<Outcome>) -> Outcome {
    let mut findings = Findings::default();
    let mut number = 0;
    let mut picture = late;
    for ((check, _), result) in qa.rows().iter().zip(results) {
        if matches!(check, Check::Screenshot) {
            picture = picture.or_else(|| ran(result).cloned());
            continue;
        }
        let silent = matches!(check, Check::Timing)
            || matches!(check, Check::Reset(name) if *name != "network");
        if !silent {
            number += 1;
        }
        findings.judge(number, check, result, silent);
    }
    let passed = findings.failed.is_empty();
    let mut outcome = if passed { findings.passed() } else { findings.failure() };
    outcome.details.insert(
        "qaPreset".into(),
        json!({
            "passed": passed,
            "failedChecks": findings.failed,
            "warnings": findings.warnings,
            "summary": outcome.answer.first().map(Line::plain),
        }),
    );
    outcome.details.insert("batchSteps".into(), matrix(qa, results));
    if let Some(picture) = picture {
        add_picture(&mut outcome, picture);
    }
    outcome
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
    fn judge(&mut self, number: usize, check: &Check, result: &StepResult, silent: bool) {
        let label = label(check);
        if matches!(result, StepResult::NotRun) {
            self.not_run = true;
            if !silent {
                self.lines.push(Line::ours(format!("{number} ")).append(&label).and(": not run"));
            }
            return;
        }
        if result.is_failure() {
            self.failed.push(label.plain());
            self.no_page |= matches!(check, Check::Attached);
            let reason = ran(result).and_then(|outcome| outcome.answer.first().cloned());
            let line =
                Line::ours(format!("{number} ")).append(&label).and(": ").append(&missing(check));
            let line = match (check, reason) {
                (Check::Text(_) | Check::Selector(_), _) | (_, None) => line,
                (_, Some(reason)) => line.and(", ").append(&reason),
            };
            self.lines.push(line);
            return;
        }
        let data = data(result);
        match check {
            Check::Timing => self.finished = texts(data.get("result")),
            Check::Reset("errors") => self.residue = count(&data, "errors"),
            Check::Network => self.network(number, &data),
            Check::Console => self.console(number, &data),
            Check::Errors => self.errors(number, &data),
            Check::Open => {
                self.page = (field(&data, "title"), field(&data, "url"));
                self.ok(number, &label, "ok");
            }
            Check::Attached => {
                let page = data.get("result").cloned().unwrap_or_default();
                self.page = (field(&page, "title"), field(&page, "url"));
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
            Check::Reset("network") => self.ok(number, &label, "ok"),
            Check::Reset(_) | Check::Screenshot => {}
        }
    }

    fn ok(&mut self, number: usize, label: &Line, word: &'static str) {
        self.lines.push(Line::ours(format!("{number} ")).append(label).and(": ").and(word));
    }

    fn network(&mut self, number: usize, data: &Value) {
        let requests = request::read(data, Some(&self.finished));
        let of = |fate: Fate| {
            requests.iter().filter(move |request| request.fate == fate).collect::<Vec<_>>()
        };
        let (bad, benign, pending) = (of(Fate::Actionable), of(Fate::Benign), of(Fate::Pending));
        let total = bad.len() + benign.len();
        let head = Line::ours(format!("{number} network requests: "));
        let summary = if total == 0 {
            head.and(format!("{} requests, none failed", requests.len()))
        } else {
            head.and(format!(
                "Network failure summary: {} actionable, {} benign low-impact ({total} total).",
                bad.len(),
                benign.len()
            ))
        };
        self.lines.push(summary);
        for request in bad.iter().chain(&benign).take(10) {
            self.lines.push(request_line(request));
        }
        if !pending.is_empty() {
            self.warnings.push(format!("{} request(s) still pending", pending.len()));
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
            .map(|message| field(message, "text"))
            .collect();
        self.logged(number, "console", "console error", &errors);
    }

    fn errors(&mut self, number: usize, data: &Value) {
        let rows = data.get("errors").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // `errors --clear` clears nothing: what was there before the navigation is not ours (HAZ-12).
        let new: Vec<String> =
            rows.iter().skip(self.residue).map(|row| field(row, "text")).collect();
        self.logged(number, "page errors", "page error", &new);
    }

    fn logged(&mut self, number: usize, name: &'static str, one: &'static str, texts: &[String]) {
        let count = texts.len();
        self.lines.push(Line::ours(format!("{number} {name}: {}", counted(count, "error"))));
        for text in texts.iter().take(5) {
            self.lines.push(Line::Row(text.lines().next().unwrap_or_default().to_owned()));
        }
        if count == 0 {
            self.checked.push(Line::ours(name));
        } else {
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
        Outcome::success(vec![self.page_line(head), checked.and(".")])
    }

    fn failure(&self) -> Outcome {
        let head = Line::ours(format!("QA preset failed with {}: ", self.failed.join(", ")));
        let mut lines = vec![self.page_line(head)];
        lines.extend(self.lines.iter().cloned());
        let mut outcome = Outcome::failure(FailureCategory::QaFailure, lines);
        if self.no_page {
            outcome.next.extend([
                NextAction::args(
                    "list-tabs-before-qa-attached",
                    "choose the tab to check",
                    &["tab", "list"],
                ),
                NextAction::args(
                    "snapshot-before-qa-attached",
                    "then see what it shows",
                    &["snapshot", "-i"],
                ),
            ]);
        } else if let Some(id) = &self.worst_request {
            outcome.next.push(NextAction::args(
                "inspect-actionable-network-request",
                "see the failed request",
                &["network", "request", id],
            ));
        } else {
            outcome.next.push(NextAction::args(
                "inspect-after-text-assertion-failure",
                "see what the page shows",
                &["snapshot", "-i"],
            ));
        }
        outcome
    }
}

fn label(check: &Check) -> Line {
    match check {
        Check::Reset(_) => Line::ours("reset network, console, errors"),
        Check::Attached => Line::ours("current page"),
        Check::Open => Line::ours("open"),
        Check::Load => Line::ours("load"),
        Check::Text(text) => Line::ours("text ").quote(text),
        Check::Selector(selector) => Line::ours("selector ").quote(selector),
        Check::Timing => Line::ours("timing"),
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

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

fn count(data: &Value, key: &str) -> usize {
    data.get(key).and_then(Value::as_array).map_or(0, Vec::len)
}

fn field(data: &Value, key: &str) -> String {
    data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn matrix(qa: &Qa, results: &[StepResult]) -> Value {
    let rows =
        qa.rows().into_iter().zip(results).enumerate().map(|(index, ((_, words), result))| {
            let mut row = Map::new();
            row.insert("step".into(), (index + 1).into());
            row.insert("command".into(), json!(words));
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
    let file =
        picture.details.get("artifacts").and_then(|rows| rows.get(0)).cloned().unwrap_or_default();
    let path = file.get("absolutePath").cloned();
    let size = file.get("sizeBytes").and_then(Value::as_u64).unwrap_or(0);
    let path = path.as_ref().and_then(Value::as_str).unwrap_or_default();
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
