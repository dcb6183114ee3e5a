//! Behind the rows of a lookup: the element of a ref, the files of the workspace, the answer.

use serde_json::Value;

use super::Trace;
use super::answers::find;
use super::execute::ask;
use super::run::Run;
use crate::input::network_lookup::NetworkLookup;
use crate::input::source_lookup::{SourceLookup, SourceRow};
use crate::lookup::{Report, network, source};
use crate::outcome::Outcome;
use crate::plan::{Plan, RowKind};
use crate::present::batch::{StepResult, present as present_batch};
use crate::present::lookup as answer;
use crate::probe::eval_row;

/// The answer of a `sourceLookup`.
pub(super) async fn of_source(
    run: &Run<'_>,
    lookup: &SourceLookup,
    results: Vec<StepResult>,
    trace: &mut Trace,
) -> Outcome {
    let asked = lookup.rows();
    let rows: Vec<(SourceRow, Option<Value>)> = asked
        .iter()
        .zip(&results)
        .map(|((row, _), result)| (*row, data(result).cloned()))
        .collect();
    let mut seen = source::Seen::read(lookup, &rows);
    if let Some(script) = seen.question_for_ref()
        && let Some(hints) = ask_page(run, &script, trace).await
    {
        seen.page_said(&hints);
    }
    let of_react = |row: &SourceRow| matches!(row, SourceRow::Inspect | SourceRow::Tree);
    let react = rows.iter().any(|(row, data)| of_react(row) && data.is_none());
    let only_react = rows.iter().all(|(row, data)| of_react(row) || data.is_some());
    let instances = seen.instances.clone();
    let (root, files) = (run.engine.options.cwd.clone(), lookup.max_files);
    let report = concluded(move || seen.conclude(&root, files)).await;
    let commands: Vec<Vec<String>> = asked.into_iter().map(|(_, words)| words).collect();
    let mut failed = answer::failed_steps(&commands, &results);
    let page = run.session.as_ref().and_then(|session| session.page.as_ref());
    let page = page.map(|page| page.url.as_str());
    let mut outcome = present_batch(&commands, results, &[]);
    if only_react && report.status == "candidates-found" {
        // The question has an answer; that React had none is a limit of it (SRC-11).
        answer::forgive(&mut outcome);
        failed.clear();
    }
    let again = page.filter(|_| react);
    let mut outcome = answer::source(outcome, lookup, &report, &instances, again, failed);
    let app = run.target.key().and_then(|key| run.engine.state().app_of(key).cloned());
    if let Some(app) = app {
        let root = run.engine.options.cwd.to_string_lossy();
        answer::in_app(&mut outcome, &app, &root, page);
    }
    outcome
}

/// The answer of a `networkSourceLookup`.
pub(super) async fn of_network(
    run: &Run<'_>,
    lookup: &NetworkLookup,
    results: Vec<StepResult>,
) -> Outcome {
    let answers: Vec<(Value, Option<Vec<String>>)> = results
        .iter()
        .filter_map(|result| Some((data(result)?.clone(), result.own_page().finished)))
        .collect();
    let seen = network::Seen::read(lookup, &answers);
    let (root, files) = (run.engine.options.cwd.clone(), lookup.max_files);
    let searched = seen.clone();
    let report = concluded(move || searched.conclude(&root, files)).await;
    let commands: Vec<Vec<String>> =
        run.request.steps.iter().map(|step| step.argv.words.clone()).collect();
    let failed = answer::failed_steps(&commands, &results);
    let outcome = present_batch(&commands, results, &[]);
    answer::network(outcome, lookup, &seen, &report, failed)
}

/// Looks at the disk on a thread of its own.
async fn concluded(work: impl FnOnce() -> Report + Send + 'static) -> Report {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Report {
        status: "no-candidates",
        candidates: Vec::new(),
        limitations: vec!["The workspace could not be searched.".to_owned()],
    })
}

/// What the page says about the element behind a ref: its content and place were read first.
async fn ask_page(run: &Run<'_>, script: &str, trace: &mut Trace) -> Option<Value> {
    let answers = ask(run, &Plan::one(RowKind::Main, eval_row(script)), trace).await.ok()?;
    let main = find(&answers, RowKind::Main).filter(|answer| answer.success)?;
    main.data.get("result").cloned()
}

fn data(result: &StepResult) -> Option<&Value> {
    match result {
        StepResult::Ran(outcome) if !outcome.verdict.is_failure() => outcome.details.get("data"),
        _ => None,
    }
}
