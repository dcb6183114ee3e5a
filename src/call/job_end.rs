//! Behind the last step of a batch or a job: where it has led, or what the page shows instead of what
//! was waited for.

use serde_json::Value;

use super::answers::find;
use super::execute::ask;
use super::look::fresh_look;
use super::run::Run;
use super::{Trace, baseline, facts};
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome, Verdict};
use crate::plan::about::navigates;
use crate::plan::rows::shown_text;
use crate::plan::{Plan, RowKind, Step};
use crate::present::batch::StepResult;
use crate::present::snapshot_view::lines_of;
use crate::probe::report::PageReport;

/// Commands that tell the caller what the page holds.
const READS: [&str; 6] = ["get", "is", "eval", "snapshot", "read", "diff"];

/// What the caller lacks at the end.
pub(super) enum Shows {
    /// Nothing.
    Nothing,
    /// The controls of the page that a step has led to (DEC-70).
    View {
        /// The address that the step itself has named.
        said: String,
    },
    /// What the page shows, because a wait was not met.
    Text,
}

impl Shows {
    /// Judged by what ran; `left` is the last step that left its document.
    pub(super) fn of(steps: &[Step], results: &[StepResult], left: Option<usize>) -> Self {
        let waited_in_vain = steps.iter().zip(results).any(|(step, result)| {
            let timeout = Verdict::Failure(FailureCategory::Timeout);
            let is_wait = step.argv.name() == "wait";
            is_wait && matches!(result, StepResult::Ran(outcome) if outcome.verdict == timeout)
        });
        if waited_in_vain {
            return Self::Text;
        }
        let Some(index) = left else { return Self::Nothing };
        let mut later = steps.iter().zip(results).skip(index + 1);
        let told = later.any(|(step, result)| {
            let reads = READS.contains(&step.argv.name()) || navigates(step);
            (reads || step.argv.is_close()) && matches!(result, StepResult::Ran(_))
        });
        match results.get(index) {
            Some(StepResult::Ran(outcome)) if !told => {
                let place = outcome.details.get("navigationSummary");
                let said = place.and_then(|place| place.get("url")).and_then(Value::as_str);
                Self::View { said: said.unwrap_or_default().to_owned() }
            }
            _ => Self::Nothing,
        }
    }
}

/// Adds it, read by one process more (DEC-70, DEC-91).
pub(super) async fn add(run: &Run<'_>, shows: Shows, outcome: &mut Outcome, trace: &mut Trace) {
    if !run.may_run_scripts() {
        return;
    }
    match shows {
        Shows::Nothing => {}
        Shows::View { said } => {
            if run.engine.options.view {
                add_view(run, &said, outcome, trace).await;
            }
        }
        Shows::Text => add_text(run, outcome, trace).await,
    }
}

async fn add_view(run: &Run<'_>, said: &str, outcome: &mut Outcome, trace: &mut Trace) {
    let Some((data, Some(page))) = fresh_look(run, trace).await else { return };
    if page.url != said {
        outcome.answer.push(Line::ours("Now on ").append(&place(&page)));
    }
    outcome.answer.extend(lines_of(&data, Some(&page)));
    facts::page_at(run, &page, trace);
    baseline::keep(run, vec!["-i".to_owned()], &data, trace);
}

async fn add_text(run: &Run<'_>, outcome: &mut Outcome, trace: &mut Trace) {
    let Ok(answers) = ask(run, &Plan::of(vec![shown_text()]), trace).await else { return };
    let answer = find(&answers, RowKind::Look).filter(|answer| answer.success);
    let Some(page) = answer.and_then(|answer| PageReport::from_eval(&answer.data)) else { return };
    facts::page_at(run, &page, trace);
    let line = Line::ours("The page is ").append(&place(&page));
    match page.shows.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => {
            outcome.answer.push(line.and(" and shows:"));
            outcome.answer.push(Line::Row(text.to_owned()));
        }
        None => outcome.answer.push(line.and(" and shows no text.")),
    }
}

fn place(page: &PageReport) -> Line {
    let line = Line::ours("");
    let line = if page.title.is_empty() { line } else { line.quote(&page.title).and(" ") };
    line.url(&page.url)
}
