//! What each row of a QA preset came to.

use serde_json::Value;

use super::{Findings, data, ran};
use crate::input::qa::Check;
use crate::line::Line;
use crate::present::batch::StepResult;
use crate::present::logs::{error_row, once_each};
use crate::present::network::request::{Fate, Request};
use crate::present::network::{failure_summary, line as request_line};
use crate::present::own_page::OwnPage;
use crate::present::words::{counted, list, text};

/// Lines of an error: its message and where it was thrown.
const ERROR_LINES: usize = 2;
/// Pending requests that are named.
const PENDING: usize = 3;

impl Findings {
    pub(super) fn judge(&mut self, check: &Check, result: &StepResult, last_reset: bool) {
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
                self.page = place(&data);
                self.ok(number, &label, "ok");
            }
            Check::Attached => {
                self.page = place(&data["result"]);
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
                let place = place(&data["result"]);
                if !place.1.is_empty() {
                    self.page = place;
                }
            }
        }
    }

    /// The picture of a failed run: its own row did not run, but it is there.
    pub(super) fn taken_late(&mut self, check: &Check) {
        self.number += 1;
        self.ok(self.number, &label(check), "taken after the failed check");
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
}

/// Title and address.
fn place(page: &Value) -> (String, String) {
    (text(page, "title").to_owned(), text(page, "url").to_owned())
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
