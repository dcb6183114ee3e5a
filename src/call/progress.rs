//! Behind a limit: what the files and the page can still say about the steps (DIAG-TIME, PLAN-58).

use std::time::Duration;

use super::Trace;
use super::answers::sort_out;
use super::execute::{Ran, rows_within};
use super::facts;
use super::run::Run;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::plan::rewrite::absolute;
use crate::plan::rows::place;
use crate::present::timeout_progress::{Declared, Place, Progress};
use crate::probe::report::PageReport;

/// The answer must be there within a second of its limit (HAZ-23).
const LOOK_LIMIT: Duration = Duration::from_millis(600);
/// Commands whose files are looked for.
const SAVING: [&str; 4] = ["screenshot", "pdf", "download", "wait"];

/// Adds what is known; true when the browser has answered, so that it is free again.
pub(super) async fn report(
    run: &Run<'_>,
    launching: bool,
    outcome: &mut Outcome,
    trace: &mut Trace,
) -> bool {
    let steps = &run.request.steps;
    let is_batch = run.request.batch.is_some();
    let page = if is_batch { live_page(run, launching, trace).await } else { None };
    let place = match (&page, steps.iter().rev().find_map(planned)) {
        (Some(page), _) => Place::Live { url: page.url.clone(), title: page.title.clone() },
        (None, Some(url)) => Place::Planned(url),
        (None, None) => Place::Unknown,
    };
    let files = steps.iter().zip(1..).filter_map(|(step, number)| declared(run, step, number));
    let shown = if is_batch { steps.as_slice() } else { &[] };
    let progress = Progress {
        steps: shown,
        typed_keys: &run.request.typed_keys,
        place,
        files: files.collect(),
    };
    if progress.is_useful() {
        outcome.answer.extend(progress.lines());
        outcome.details.insert("timeoutPartialProgress".into(), progress.details());
    }
    if let Some(page) = &page {
        facts::page_at(run, page, trace);
    }
    page.is_some()
}

/// The page, if the browser has time for one question.
async fn live_page(run: &Run<'_>, launching: bool, trace: &mut Trace) -> Option<PageReport> {
    // A second `--state` would replace the page that is asked about.
    let repeats_state = launching && run.is_given("--state");
    if !run.may_run_scripts() || repeats_state {
        return None;
    }
    let plan = place();
    match rows_within(run, &plan, launching, LOOK_LIMIT, trace).await {
        Ok(Ran::Rows(answers)) => sort_out(&answers).page,
        _ => None,
    }
}

/// The address that a step was to open.
fn planned(step: &Step) -> Option<String> {
    let opens = step.argv.is_open_like() || step.argv.name() == "pushstate";
    let operands = step.argv.operands();
    operands.first().filter(|_| opens).map(ToString::to_string)
}

fn declared(run: &Run<'_>, step: &Step, number: usize) -> Option<Declared> {
    let operand = step.argv.output_path().filter(|_| SAVING.contains(&step.argv.name()))?;
    let path = absolute(&run.engine.options.cwd, operand.value);
    let bytes = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file);
    Some(Declared {
        step: number,
        path: path.to_string_lossy().into_owned(),
        bytes: bytes.map(|file| file.len()),
    })
}
