//! A batch of the caller: as few processes as its refs allow, each step with its own outcome.

use std::time::{Duration, Instant, SystemTime};

use super::answers::{Brought, after_rows, find};
use super::execute::{Ran, rows};
use super::refused::{refused_in_front, refused_row};
use super::run::{Run, make_parents};
use super::{Trace, busy, facts, lookup, lost, starting, tabs};
use crate::artifact::saved::files_of;
use crate::diagnose::effect::{Effect, verdict};
use crate::diagnose::overlay::cover;
use crate::diagnose::selector_text::{self, Matches};
use crate::diagnose::{AfterRow, judge};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::guard::{GuardContext, check_all};
use crate::input::Mode;
use crate::outcome::Outcome;
use crate::plan::aim::aim_of;
use crate::plan::rows::{Context, asks_for_requests, batch, when_still};
use crate::plan::{Owner, Plan, Row, RowKind, Step};
use crate::present::batch::{FINISHED, StepResult, present as present_batch};
use crate::present::{Shown, failure, fold_findings, present, qa};
use crate::probe::report::PageReport;
use crate::session::state::SessionState;

/// Runs all steps.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    if let Mode::Qa(preset) = &run.input.mode
        && preset.url.is_none()
        && !run.is_running()
    {
        return Ok(qa::without_page());
    }
    let steps = &run.request.steps;
    let bail = run.request.batch.is_some_and(|shape| shape.bail);
    let deadline = run.deadline()?;
    let end = Instant::now() + deadline;
    busy::clear_way(run, deadline, trace).await?;
    steps.iter().for_each(|step| make_parents(step, &run.engine.options.cwd));
    let mut launching = starting::prepare_launch(run, trace).await?;
    trace.effective = effective(run);
    let mut results: Vec<StepResult> = Vec::with_capacity(steps.len());
    let mut texts: Vec<Matches> = Vec::new();
    let mut tried_again = None;
    while results.len() < steps.len() {
        let first = results.len();
        let session = current_session(run).or_else(|| run.session.clone());
        if let Some(outcome) = refused_later(run, first, session.as_ref()) {
            results.push(StepResult::Ran(Box::new(outcome)));
        } else {
            let segment = Segment {
                run,
                first,
                bail,
                launching,
                still: tried_again == Some(first),
                session,
                left: end - Instant::now().min(end),
            };
            match segment.run(trace).await? {
                SegmentEnd::Results(more, read) => {
                    results.extend(more);
                    texts.extend(read);
                }
                SegmentEnd::Process(outcome) if first == 0 => {
                    return Ok(starting::whole_failure(run, *outcome, launching, trace).await);
                }
                SegmentEnd::Process(outcome) if trace.client_killed => {
                    let outcome = starting::whole_failure(run, *outcome, false, trace).await;
                    results.push(StepResult::Ran(Box::new(outcome)));
                    results.resize_with(steps.len(), || StepResult::NotRun);
                }
                SegmentEnd::Process(outcome) => results.push(StepResult::Ran(outcome)),
            }
            launching = false;
        }
        let last = results.len().saturating_sub(1);
        if tried_again != Some(last) && is_covered(steps.get(last), results.last()) {
            results.pop();
            tried_again = Some(last);
            continue;
        }
        if bail && results.iter().any(StepResult::is_failure) {
            results.resize_with(steps.len(), || StepResult::NotRun);
        }
    }
    let commands: Vec<Vec<String>> = steps.iter().map(|step| step.argv.words.clone()).collect();
    if let Mode::Qa(preset) = &run.input.mode {
        let failed = results.iter().any(StepResult::is_failure);
        let late = if failed { late_screenshot(run, end, trace).await } else { None };
        return Ok(qa::present(preset, &results, late));
    }
    let mut outcome = match &run.input.mode {
        Mode::Source(source) => lookup::of_source(run, source, results, end, trace).await,
        Mode::Network(network) => lookup::of_network(run, network, results).await,
        Mode::Job(job) => present_batch(&commands, results, &job.compile().steps),
        _ => present_batch(&commands, results, &[]),
    };
    if !outcome.verdict.is_failure() {
        fold_findings(&mut outcome, selector_text::findings(texts));
    }
    Ok(outcome)
}

/// The last step that ran found something in front of its element, and nothing was done.
fn is_covered(step: Option<&Step>, result: Option<&StepResult>) -> bool {
    let (Some(step), Some(StepResult::Ran(outcome))) = (step, result) else { return false };
    let error = outcome.details.get("error").and_then(serde_json::Value::as_str);
    outcome.verdict.is_failure() && error.is_some_and(|error| cover(step, error).is_some())
}

/// Evidence matters most when a check has failed (DEC-45): best effort, in a process of its own.
async fn late_screenshot(run: &Run<'_>, end: Instant, trace: &mut Trace) -> Option<Outcome> {
    let step = run.request.steps.iter().find(|step| step.argv.name() == "screenshot")?;
    let row = Row { owner: Owner { kind: RowKind::Main, step: 0 }, argv: step.words.clone() };
    let plan = Plan { rows: vec![row], bail: true, ..Plan::default() };
    let started = SystemTime::now();
    let left = end.saturating_duration_since(Instant::now()).max(Duration::from_secs(2));
    let Ok(Ran::Rows(answers)) = rows(run, &plan, false, left, trace).await else { return None };
    let main = find(&answers, RowKind::Main).filter(|answer| answer.success)?;
    let files = files_of(step, main, run.open_recording(), &run.engine.options.cwd, started);
    let after = AfterRow::Silent;
    Some(present(&Shown {
        step,
        answer: main,
        before: None,
        after: &after,
        effect: Effect::Unknown,
        page: None,
        view: None,
        new_tab: None,
        session: None,
        files: &files,
        cwd: &run.engine.options.cwd,
        session_label: run.session_label(),
    }))
}

/// What the selectors of all `get text` rows match.
fn texts_of(answers: &[(Owner, Answer)]) -> Vec<Matches> {
    let pages =
        answers.iter().filter(|(owner, answer)| owner.kind == RowKind::After && answer.success);
    let pages = pages.filter_map(|(_, answer)| PageReport::from_eval(&answer.data));
    pages
        .filter_map(|page| page.answers.get(selector_text::ANSWER).map(selector_text::read))
        .flatten()
        .collect()
}

fn effective(run: &Run<'_>) -> Vec<String> {
    let mut tokens = vec!["--json".to_owned()];
    tokens.extend(run.target.tokens());
    tokens.extend(run.request.argv.words.iter().cloned());
    tokens
}

fn current_session(run: &Run<'_>) -> Option<SessionState> {
    let key = run.target.key()?;
    run.engine.state().session(key).cloned()
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
        mode: run.input.session_mode,
        allowed: &run.engine.allowed_in(&run.input.mode),
        unsaved: &run.engine.unsaved(),
        // Judged with the whole batch, before its first row.
        paths: &[],
        confinement: None,
    };
    check_all(&context).err().map(|refusal| refusal.into_outcome())
}

/// The steps that one process runs.
struct Segment<'a> {
    run: &'a Run<'a>,
    first: usize,
    bail: bool,
    launching: bool,
    /// Wait until nothing of the page moves.
    still: bool,
    session: Option<SessionState>,
    left: Duration,
}

enum SegmentEnd {
    /// Outcomes of the steps that were reached; the last one may be a failure.
    /// What selectors of `get text` match.
    Results(Vec<StepResult>, Vec<Matches>),
    /// The process as a whole failed.
    Process(Box<Outcome>),
}

impl Segment<'_> {
    async fn run(&self, trace: &mut Trace) -> Checked<SegmentEnd> {
        let run = self.run;
        let refs = self.session.as_ref().and_then(|session| session.refs.as_ref());
        let context = Context {
            refs,
            launching: self.launching,
            scripts: run.may_run_scripts(),
            ..Context::default()
        };
        let plan = batch(&run.request.steps, self.first, self.bail, &context);
        let plan = tabs::pinned(run, self.session.as_ref(), plan);
        let aim = run.request.steps.get(self.first).and_then(|step| aim_of(step, refs));
        let plan = if self.still { when_still(plan, aim.as_ref()) } else { plan };
        let started = SystemTime::now();
        let answers = match rows(run, &plan, self.launching, self.left, trace).await? {
            Ran::Rows(answers) => answers,
            Ran::Failed(outcome) => return Ok(SegmentEnd::Process(outcome)),
        };
        starting::launched(run, &answers, self.launching, trace);
        tabs::learn(run, &answers, self.launching, trace);
        let first_step = run.request.steps.get(self.first);
        if let Some(outcome) =
            first_step.and_then(|step| lost::lost_page(run, step, &answers, self.launching, trace))
        {
            return Ok(SegmentEnd::Process(Box::new(outcome)));
        }
        let results = self.results(&plan, &answers, started, trace).await;
        Ok(SegmentEnd::Results(results, texts_of(&answers)))
    }

    async fn results(
        &self,
        plan: &Plan,
        answers: &[(Owner, Answer)],
        started: SystemTime,
        trace: &mut Trace,
    ) -> Vec<StepResult> {
        let mut results = Vec::new();
        for index in self.first..plan.next_step {
            let Some(step) = self.run.request.steps.get(index) else { break };
            let own: Vec<(Owner, Answer)> =
                answers.iter().filter(|(owner, _)| owner.step == index).cloned().collect();
            let outcome = self.step_outcome(step, &own, started, trace).await;
            let failed = outcome.verdict.is_failure();
            results.push(StepResult::Ran(Box::new(outcome)));
            // The rest has run all the same where only our reading of the answers failed it.
            let went_on = answers.iter().any(|(owner, _)| owner.step > index);
            if failed && plan.bail && !went_on {
                return results;
            }
        }
        if plan.next_step == self.run.request.steps.len() {
            let last = answers.iter().rev().find(|(owner, _)| owner.kind == RowKind::Look);
            if let Some(page) = last.and_then(|(_, answer)| PageReport::from_eval(&answer.data)) {
                facts::page_at(self.run, &page, trace);
            }
        }
        results
    }

    async fn step_outcome(
        &self,
        step: &Step,
        own: &[(Owner, Answer)],
        started: SystemTime,
        trace: &mut Trace,
    ) -> Outcome {
        let run = self.run;
        if let Some((owner, answer)) = refused_in_front(own) {
            return refused_row(run, step, owner.kind, answer, self.left, trace).await;
        }
        let Some(main) = find(own, RowKind::Main) else {
            return failure::unreadable("a row of the batch is missing from the answer", "");
        };
        if !main.success {
            let mut outcome = failure::of_answer(main, step, &run.label(step));
            facts::after_failure(run, main, trace, &mut outcome);
            return outcome;
        }
        let mut after = after_rows(own);
        if let AfterRow::Page(page) = &mut after {
            // Selectors of several steps are judged together.
            page.answers.remove(selector_text::ANSWER);
        }
        let brought = Brought {
            after,
            page: find(own, RowKind::Look).and_then(|answer| PageReport::from_eval(&answer.data)),
            ..Brought::default()
        };
        self.present_step(step, main, &brought, started, trace)
    }

    fn present_step(
        &self,
        step: &Step,
        main: &Answer,
        brought: &Brought,
        started: SystemTime,
        trace: &mut Trace,
    ) -> Outcome {
        let run = self.run;
        let files = files_of(step, main, run.open_recording(), &run.engine.options.cwd, started);
        // A route may have been set by a step before.
        let latest = asks_for_requests(step).then(|| current_session(run)).flatten();
        let mut shown = Shown {
            step,
            answer: main,
            before: None,
            after: &brought.after,
            effect: Effect::Unknown,
            page: brought
                .page
                .as_ref()
                .filter(|_| step.argv.command().is_some_and(|c| c.name == "snapshot")),
            view: None,
            new_tab: None,
            session: latest.as_ref().or(self.session.as_ref()),
            files: &files,
            cwd: &run.engine.options.cwd,
            session_label: run.session_label(),
        };
        shown.effect = verdict(&shown.evidence());
        trace.page_changed |= matches!(shown.effect, Effect::Changed { .. } | Effect::Unknown);
        let mut outcome = present(&shown);
        fold_findings(&mut outcome, judge(&shown.evidence()));
        if let Some(finished) = brought.after.page().and_then(|page| page.resources.as_ref()) {
            outcome.details.insert(FINISHED.into(), serde_json::json!(finished));
        }
        facts::after_success(run, &shown, brought, trace);
        trace.field_seen(step, &brought.after);
        outcome
    }
}
