//! Answers of the two lookups: a summary, the candidates best first, and what was not looked at.

use serde_json::{Map, Value, json};

use super::batch::StepResult;
use super::electron::{probe_next, session_next};
use super::network::line as request_line;
use super::words::{counted, first_rows};
use crate::input::network_lookup::NetworkLookup;
use crate::input::source_lookup::SourceLookup;
use crate::line::Line;
use crate::lookup::{Candidate, Evidence, Report, network};
use crate::outcome::{NextAction, Outcome, Verdict};
use crate::session::electron::ElectronRecord;

/// Candidates in the text; `details` have all of them.
const SHOWN: usize = 8;
/// Failed requests in the text.
const REQUESTS: usize = 5;

/// Steps that failed no longer fail the whole.
pub fn forgive(outcome: &mut Outcome) {
    outcome.verdict = Verdict::COMPLETED;
    outcome.next.clear();
    outcome.findings.clear();
    outcome.details.remove("batchFailure");
}

/// Finishes the outcome of the batch as that of a source lookup; `page` is where a new browser with
/// React's developer tools would start.
#[must_use]
pub fn source(
    mut outcome: Outcome,
    lookup: &SourceLookup,
    report: &Report,
    instances: &[u64],
    page: Option<&str>,
    failed: Vec<Line>,
) -> Outcome {
    let mut summary = Line::ours("Source lookup: ").and(found(report)).and(" for ");
    let named = |line: Line| match (&lookup.selector, &lookup.component, lookup.fiber) {
        (Some(selector), _, _) => line.quote(selector),
        (None, Some(component), _) => line.and("component ").quote(component),
        (None, None, fiber) => line.and(format!("fiber {}", fiber.unwrap_or_default())),
    };
    summary = proof(named(summary), report);
    let fields = fields(report, &summary);
    outcome.answer = lines(summary, report, failed);
    outcome.details.insert("sourceLookup".into(), Value::Object(fields));
    let located = report.candidates.iter().any(|candidate| candidate.in_workspace);
    if let Some(id) = instances.first().filter(|_| !located) {
        outcome.next.push(NextAction::params_of(
            "inspect-react-fiber",
            "React may know where this instance was made",
            json!({ "sourceLookup": { "reactFiberId": id } }),
        ));
    }
    if let Some(page) = page.filter(|_| outcome.verdict.is_failure()) {
        let call =
            json!({ "args": ["--enable", "react-devtools", "open", page], "sessionMode": "fresh" });
        outcome.next.push(
            NextAction::params_of(
                "relaunch-with-react-devtools",
                "a new browser whose React can be asked",
                call,
            )
            .with_safety("the new browser is not signed in and has none of this page's state"),
        );
    }
    outcome
}

/// A packaged app has its sources elsewhere: what was searched, and how to go on (SRC-13, SRC-14).
pub fn in_app(outcome: &mut Outcome, app: &ElectronRecord, root: &str, page: Option<&str>) {
    let Some(Value::Object(fields)) = outcome.details.get_mut("sourceLookup") else { return };
    if fields.get("status").and_then(Value::as_str) != Some("no-candidates") {
        return;
    }
    fields.insert("workspaceRoot".into(), root.into());
    let mut context = json!({
        "launchId": app.launch_id, "appName": app.app_name, "appPath": app.app_path,
        "executablePath": app.executable_path, "sessionName": app.session_name,
    });
    if let Some(page) = page {
        context["url"] = page.into();
    }
    fields.insert("electronContext".into(), context);
    let limit = "Only the working directory was searched: the app's own resources and app.asar are \
                 neither searched nor unpacked.";
    if let Some(Value::Array(limits)) = fields.get_mut("limitations") {
        limits.push(limit.into());
    }
    outcome.answer.push(Line::ours(format!("Limit: {limit}")));
    let (tabs_and_snapshot, probe) = (session_next(app), probe_next(&app.launch_id));
    let mut next: Vec<NextAction> = tabs_and_snapshot.into_iter().rev().collect();
    next.insert(1, probe);
    outcome.next.extend(next);
}

/// Finishes the outcome of the batch as that of a network lookup.
#[must_use]
pub fn network(
    mut outcome: Outcome,
    lookup: &NetworkLookup,
    seen: &network::Seen,
    report: &Report,
    failed: Vec<Line>,
) -> Outcome {
    let head = Line::ours("Network source lookup: ");
    let summary = match (seen.failed.len(), seen.asked.as_slice()) {
        (0, []) => head.and("no such request."),
        (0, [one]) => {
            let status =
                one.status.map_or("has no answer yet".to_owned(), |s| format!("was answered {s}"));
            head.and(format!("the request {status}, so it did not fail."))
        }
        (0, many) => head.and(format!("none of {} requests failed.", many.len())),
        (count, _) => {
            let requests = counted(count, "failed request");
            proof(head.and(format!("{requests}, ")).and(found(report)), report)
        }
    };
    let mut fields = fields(report, &summary);
    fields.insert("failedRequests".into(), json!(seen.failed_details()));
    let mut answer = lines(summary, report, failed);
    let requests = seen.failed.iter().map(request_line).collect();
    answer.splice(1..1, first_rows(requests, REQUESTS, "failed request"));
    outcome.answer = answer;
    outcome.details.insert("networkSourceLookup".into(), Value::Object(fields));
    let first = seen.failed.iter().find(|request| !request.id.is_empty());
    if let Some(request) = first.filter(|_| lookup.request_id.is_none()) {
        outcome.next.push(
            NextAction::args(
                "inspect-actionable-network-request",
                "headers and body of the failed request",
                &["network", "request", &request.id],
            )
            .routine(),
        );
    }
    outcome
}

/// The first line of each step that failed.
#[must_use]
pub fn failed_steps(commands: &[Vec<String>], results: &[StepResult]) -> Vec<Line> {
    let failed = commands.iter().zip(results).filter_map(|(words, result)| match result {
        StepResult::Ran(outcome) if outcome.verdict.is_failure() => {
            let name: Vec<&str> = words.iter().take(2).map(String::as_str).collect();
            let reason =
                outcome.answer.first().cloned().unwrap_or_else(|| "no reason given".into());
            Some(Line::ours(format!("{} failed: ", name.join(" "))).append(&reason))
        }
        _ => None,
    });
    failed.collect()
}

fn found(report: &Report) -> String {
    match report.candidates.len() {
        0 => "no candidates".to_owned(),
        count => counted(count, "candidate"),
    }
}

fn proof(line: Line, report: &Report) -> Line {
    line.and(if report.candidates.is_empty() { "." } else { " (evidence, not proof)." })
}

fn fields(report: &Report, summary: &Line) -> Map<String, Value> {
    let candidates: Vec<Value> = report.candidates.iter().map(Candidate::to_details).collect();
    let mut fields = Map::new();
    fields.insert("status".into(), report.status.into());
    fields.insert("candidates".into(), Value::Array(candidates));
    fields.insert("limitations".into(), json!(report.limitations));
    fields.insert("summary".into(), summary.plain().into());
    fields
}

fn lines(summary: Line, report: &Report, failed: Vec<Line>) -> Vec<Line> {
    let mut lines = vec![summary];
    let numbered = report.candidates.iter().zip(1..).map(|(one, number)| candidate(number, one));
    lines.extend(first_rows(numbered.collect(), SHOWN, "candidate"));
    lines.extend(failed);
    lines.extend(report.limitations.iter().map(|text| Line::ours(format!("Limit: {text}"))));
    lines
}

/// `1 high: src/Total.jsx:4:10 "Total", React's record of where the element was made`
fn candidate(number: usize, one: &Candidate) -> Line {
    let mut line = Line::ours(format!("{number} {}: ", one.confidence.name()));
    let file = one.file.as_deref().unwrap_or_default();
    line = if one.in_workspace { line.path(file) } else { line.quote(file) };
    for number in [one.line, one.line.and(one.column)].into_iter().flatten() {
        line = line.and(format!(":{number}"));
    }
    if let Some(component) = &one.component {
        line = line.and(" component ").quote(component);
    }
    for Evidence { words, quote } in one.evidence.iter().take(2) {
        line = line.and(", ").and(*words);
        if let Some(quote) = quote {
            line = line.and(" ").quote(quote);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    // IN-SRC-12, SRC-13, SRC-14, NEXT-41, NEXT-43, NEXT-44
    #[test]
    fn a_packaged_app_without_candidates_says_where_nobody_looked() {
        let app: ElectronRecord = serde_json::from_value(json!({
            "version": 1, "launchId": "electron-1", "launchedByWrapper": true, "appName": "Notes",
            "appPath": "/opt/notes", "executablePath": "/opt/notes/notes", "userDataDir": "/tmp/u",
            "port": 9, "pid": 3, "pidStart": 4, "sessionName": "app", "createdAtMs": 5,
            "cleanupState": "active",
        }))
        .unwrap();
        let lookup = SourceLookup::decode(&json!({ "componentName": "Counter" })).unwrap();
        let told = |status| {
            let report = Report { status, candidates: Vec::new(), limitations: Vec::new() };
            let empty = Outcome::success(Vec::new());
            let mut outcome = source(empty, &lookup, &report, &[], None, Vec::new());
            in_app(&mut outcome, &app, "/work", Some("app://notes/"));
            outcome
        };
        let outcome = told("no-candidates");
        let fields = &outcome.details["sourceLookup"];
        assert_eq!(fields["workspaceRoot"], "/work");
        assert_eq!(
            fields["electronContext"],
            json!({ "launchId": "electron-1", "appName": "Notes", "appPath": "/opt/notes",
                "executablePath": "/opt/notes/notes", "sessionName": "app", "url": "app://notes/" })
        );
        assert!(fields["limitations"][0].as_str().unwrap().contains("app.asar"));
        let ids: Vec<&str> = outcome.next.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(
            ids,
            ["snapshot-electron-session", "probe-electron-launch", "list-electron-tabs"]
        );
        assert!(told("unsupported").details["sourceLookup"].get("electronContext").is_none());
    }
}
