//! A batch of the caller: as few processes as its refs allow, each step with its own outcome.

use std::time::SystemTime;

use super::answers::{document_went, find};
use super::execute::ask;
use super::run::{Run, effective, make_parents};
use super::segment::{Resume, Segment, SegmentEnd, current_session};
use super::{Trace, busy, job_end, lookup, starting};
use crate::artifact::saved::files_of;
use crate::diagnose::overlay::cover;
use crate::diagnose::selector_text::{self, Matches};
use crate::error::{Checked, Refusal};
use crate::guard::{GuardContext, check_all};
use crate::input::Mode;
use crate::input::qa::Check;
use crate::outcome::{FailureCategory, Outcome, Verdict};
use crate::plan::{Plan, RowKind, Step};
use crate::present::batch::{StepResult, present as present_batch};
use crate::present::{fold_findings, present, qa};
use crate::session::state::SessionState;

/// Pages that lead on by themselves while one is checked: a round trip of a sign-in has three.
const REDIRECTS: usize = 4;

/// Runs all steps.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    if let Mode::Qa(preset) = &run.input.mode
        && preset.url.is_none()
        && !run.is_running()
    {
        return Ok(qa::without_page());
    }
    busy::clear_way(run, trace).await?;
    run.request.steps.iter().for_each(|step| make_parents(step, &run.engine.options.cwd));
    let launching = starting::prepare_launch(run, trace).await?;
    trace.effective = effective(run, &run.request.argv);
    match all_steps(run, launching, trace).await? {
        Ended::Process(outcome) => Ok(*outcome),
        Ended::Steps(done) => Ok(told(run, done, trace).await),
    }
}

/// What became of a batch.
enum Ended {
    /// Every step has a result.
    Steps(Done),
    /// The first process failed as a whole.
    Process(Box<Outcome>),
}

/// The results of all steps.
#[derive(Default)]
struct Done {
    results: Vec<StepResult>,
    texts: Vec<Matches>,
    left_page: Option<usize>,
}

async fn all_steps(run: &Run<'_>, mut launching: bool, trace: &mut Trace) -> Checked<Ended> {
    let total = run.request.steps.len();
    let bail = run.request.batch.is_some_and(|shape| shape.bail);
    let mut done = Done::default();
    let mut resume = Resume::default();
    let mut tried_again = None;
    let mut followed = 0;
    while done.results.len() < total {
        let first = done.results.len();
        let session = current_session(run).or_else(|| run.session.clone());
        if let Some(outcome) = refused_later(run, first, session.as_ref()) {
            done.results.push(StepResult::Ran(Box::new(outcome)));
        } else {
            let still = tried_again == Some(first);
            let segment = Segment { run, first, bail, launching, still, session, resume };
            match segment.run(trace).await? {
                SegmentEnd::Results(reached) => {
                    done.results.extend(reached.results);
                    done.texts.extend(reached.texts);
                    done.left_page = reached.left_page.or(done.left_page);
                    resume = reached.resume;
                }
                SegmentEnd::Process(failed, _) if first == 0 => {
                    let whole = starting::whole_failure(run, failed, launching, trace).await;
                    return Ok(Ended::Process(Box::new(whole)));
                }
                SegmentEnd::Process(failed, sent) => {
                    // Nothing is sent again that may have run, nor beside a close of the session.
                    let outcome = starting::whole_failure(run, failed, false, trace).await;
                    let verdict = outcome.verdict;
                    done.results.push(StepResult::Ran(Box::new(outcome)));
                    done.results.resize_with(sent.max(first + 1), || perhaps_run(verdict));
                    done.results.resize_with(total, || StepResult::NotRun);
                }
                SegmentEnd::Lost(results) => {
                    done.results.extend(results);
                    done.results.resize_with(total, || StepResult::NotRun);
                }
            }
            launching = false;
        }
        let last = done.results.len().saturating_sub(1);
        if tried_again != Some(last) && is_covered(run.request.steps.get(last), done.results.last())
        {
            done.results.pop();
            tried_again = Some(last);
            continue;
        }
        if followed < REDIRECTS && has_redirected(run, last, done.results.last()) {
            done.results.pop();
            followed += 1;
            continue;
        }
        if bail && done.results.iter().any(StepResult::is_failure) {
            done.results.resize_with(total, || StepResult::NotRun);
        }
    }
    Ok(Ended::Steps(done))
}

/// A step of a process that failed as a whole: its rows were sent, and nobody knows how far they came.
fn perhaps_run(verdict: Verdict) -> StepResult {
    let category = match verdict {
        Verdict::Failure(category) => category,
        Verdict::Success(_) => FailureCategory::UpstreamError,
    };
    let refusal = Refusal::new(category, "it is not known whether it ran.");
    StepResult::Ran(Box::new(refusal.into_outcome()))
}

/// The last step that ran found something in front of its element, and nothing was done.
fn is_covered(step: Option<&Step>, result: Option<&StepResult>) -> bool {
    let Some(step) = step else { return false };
    error_of(result).is_some_and(|error| cover(step, error).is_some())
}

/// The page that is checked went to another one by itself while it was given time to settle: the
/// rest of the check belongs to that one.
fn has_redirected(run: &Run<'_>, last: usize, result: Option<&StepResult>) -> bool {
    let Mode::Qa(preset) = &run.input.mode else { return false };
    let rows = preset.rows();
    let settles = rows.get(last).is_some_and(|(check, _)| *check == Check::Settle);
    settles && error_of(result).is_some_and(document_went)
}

fn error_of(result: Option<&StepResult>) -> Option<&str> {
    let Some(StepResult::Ran(outcome)) = result else { return None };
    let error = outcome.details.get("error").and_then(serde_json::Value::as_str);
    error.filter(|_| outcome.verdict.is_failure())
}

/// The answer of the whole.
async fn told(run: &Run<'_>, done: Done, trace: &mut Trace) -> Outcome {
    let Done { results, texts, left_page } = done;
    let steps = &run.request.steps;
    if let Mode::Qa(preset) = &run.input.mode {
        let failed = results.iter().any(StepResult::is_failure);
        let late = if failed { late_screenshot(run, trace).await } else { None };
        return qa::present(preset, &results, late);
    }
    let commands: Vec<Vec<String>> = steps.iter().map(|step| step.argv.words.clone()).collect();
    let mut outcome = match &run.input.mode {
        Mode::Source(source) => lookup::of_source(run, source, results, trace).await,
        Mode::Network(network) => lookup::of_network(run, network, results).await,
        mode => {
            let groups = if let Mode::Job(job) = mode { job.compile().steps } else { Vec::new() };
            let shown = job_end::Shows::of(steps, &results, left_page);
            let mut outcome = present_batch(&commands, results, &groups);
            job_end::add(run, shown, &mut outcome, trace).await;
            outcome
        }
    };
    if !outcome.verdict.is_failure() {
        fold_findings(&mut outcome, selector_text::findings(texts));
    }
    outcome
}

/// Evidence matters most when a check has failed (DEC-45): best effort, in a process of its own.
async fn late_screenshot(run: &Run<'_>, trace: &mut Trace) -> Option<Outcome> {
    let step = run.request.steps.iter().find(|step| step.argv.name() == "screenshot")?;
    let started = SystemTime::now();
    let answers = ask(run, &Plan::one(RowKind::Main, step.words.clone()), trace).await.ok()?;
    let main = find(&answers, RowKind::Main).filter(|answer| answer.success)?;
    let files = files_of(step, main, run.open_recording(), &run.engine.options.cwd, started);
    Some(present(&run.shown(step, main, &files)))
}

/// Refs behind a snapshot row of the batch are checked when that snapshot is known (DEC-94).
fn refused_later(run: &Run<'_>, first: usize, session: Option<&SessionState>) -> Option<Outcome> {
    if first == 0 {
        return None;
    }
    let step = run.request.steps.get(first..=first)?;
    let context = GuardContext {
        argv: &run.request.argv,
        steps: step,
        target: run.target,
        current: None,
        session,
        allowed: &run.engine.allowed_in(&run.input.mode),
        unsaved: &run.engine.unsaved(),
        // Judged with the whole batch, before its first row.
        paths: &[],
        confinement: None,
    };
    check_all(&context).err().map(|refusal| refusal.into_outcome())
}
