//! The steps of a batch that one process runs, and what became of each of them.

use std::borrow::Cow;
use std::time::SystemTime;

use super::Trace;
use super::answers::{Brought, document_went, find, own_answer, sort_out};
use super::execute::{Failed, Ran, ask, rows};
use super::lost_steps::Loss;
use super::refused::{may_be_refound_by, refused_in_front, refused_row};
use super::run::Run;
use super::told::{Place, Succeeded, told};
use super::{close, facts, gated, lost, starting, tabs, turned};
use crate::diagnose::selector_text::{self, Matches};
use crate::diagnose::{AfterRow, Asked, wants};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::plan::about::asks_for_requests;
use crate::plan::aim::aim_of;
use crate::plan::caller_rows::{Caller, batch};
use crate::plan::found;
use crate::plan::rows::{Context, Wants, place, when_still};
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::batch::StepResult;
use crate::present::failure;
use crate::probe::report::PageReport;
use crate::session::refs::RefSnapshot;
use crate::session::state::SessionState;

/// Commands that a batch is watched at: what they are seen not to do fails their step.
const WATCHED: [&str; 8] =
    ["click", "dblclick", "tap", "drag", "fill", "check", "uncheck", "select"];
/// Questions that belong to a command that stands alone.
const ALONE: &str = "combobox";

/// The steps that one process runs.
pub(super) struct Segment<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) first: usize,
    pub(super) bail: bool,
    pub(super) launching: bool,
    /// Wait until nothing of the page moves.
    pub(super) still: bool,
    pub(super) session: Option<SessionState>,
    pub(super) resume: Resume,
}

/// What the process before has found out about the first step of this one, which it did not run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Resume {
    /// The page was left while the step waited for its element.
    has_waited: bool,
    /// Its ref might be found again in another element (HAZ-25).
    resnap: bool,
    /// Of what `find` means there is an exact match.
    exact: bool,
    /// A script in front of it was denied: it goes alone.
    alone: bool,
}

pub(super) enum SegmentEnd {
    /// What became of the steps that were reached.
    Results(Reached),
    /// The process as a whole failed; the first step that it was sent no row of.
    Process(Failed, usize),
    /// Its browser was lost: what became of the steps that it was sent.
    Lost(Vec<StepResult>),
}

/// Steps in their order; fewer than planned where the process stopped early.
#[derive(Default)]
pub(super) struct Reached {
    /// Outcomes of the steps.
    pub(super) results: Vec<StepResult>,
    /// What selectors of `get text` match.
    pub(super) texts: Vec<Matches>,
    /// How the next process begins.
    pub(super) resume: Resume,
    /// The index of the last step that left the document.
    pub(super) left_page: Option<usize>,
}

impl Segment<'_> {
    pub(super) async fn run(&self, trace: &mut Trace) -> Checked<SegmentEnd> {
        let run = self.run;
        let refs = self.session.as_ref().and_then(|session| session.refs.as_ref());
        let scripts = run.may_run_scripts();
        let context = Context {
            refs,
            scripts,
            tabs: tabs::may_restore(run, self.launching),
            resnap: self.resume.resnap,
            ..Context::default()
        };
        let wish = |step| if scripts { wishes(step, refs) } else { Wants::default() };
        let steps = self.steps();
        let wishes: Vec<Wants> = steps.iter().map(wish).collect();
        let caller = Caller {
            steps: &steps,
            first: self.first,
            bail: self.bail,
            wishes: &wishes,
            has_waited: self.resume.has_waited,
        };
        let plan = tabs::pinned(run, self.session.as_ref(), batch(&caller, &context));
        let aim = run.request.steps.get(self.first).and_then(|step| aim_of(step, refs));
        let plan = if self.still && scripts { when_still(plan, aim.as_ref()) } else { plan };
        if !scripts {
            let own = steps.get(self.first..plan.next_step).unwrap_or_default();
            own.iter().for_each(|step| gated::say(step, trace));
        }
        let started = SystemTime::now();
        let answers = match rows(run, &plan, self.launching, trace).await? {
            Ran::Rows(answers) => answers,
            Ran::Failed(failed) => return Ok(SegmentEnd::Process(failed, plan.next_step)),
        };
        let first_step = run.request.steps.get(self.first);
        if let Some(outcome) = first_step
            .and_then(|step| starting::behind_process(run, step, &answers, self.launching, trace))
        {
            if self.first == 0 {
                // The whole call ran on a browser that is gone: that is its answer.
                return Ok(SegmentEnd::Process(outcome.into(), plan.next_step));
            }
            let at = lost::lost_at(run, &answers).unwrap_or(self.first);
            let loss = Loss { at, outcome };
            return Ok(SegmentEnd::Lost(self.until_lost(&plan, &answers, loss, started, trace)));
        }
        let mut reached = self.reached(&plan, &answers, started, trace).await;
        reached.texts = texts_of(&answers);
        Ok(SegmentEnd::Results(reached))
    }

    /// The steps as they are sent.
    fn steps(&self) -> Cow<'_, [Step]> {
        let steps = &self.run.request.steps;
        match steps.get(self.first).filter(|_| self.resume.exact) {
            None => Cow::Borrowed(steps),
            Some(step) => {
                let mut steps = steps.clone();
                steps[self.first] = found::exactly(step);
                Cow::Owned(steps)
            }
        }
    }

    async fn reached(
        &self,
        plan: &Plan,
        answers: &[(Owner, Answer)],
        started: SystemTime,
        trace: &mut Trace,
    ) -> Reached {
        let mut reached = Reached::default();
        for index in self.first..plan.next_step {
            let Some(step) = self.run.request.steps.get(index) else { break };
            let own: Vec<(Owner, Answer)> =
                answers.iter().filter(|(owner, _)| owner.step == index).cloned().collect();
            if let Some(resume) = self.not_reached(index, &own) {
                reached.resume = resume;
                return reached;
            }
            let (outcome, has_left) = self.step_outcome(index, step, &own, started, trace).await;
            if has_left {
                reached.left_page = Some(index);
            }
            let failed = outcome.verdict.is_failure();
            reached.results.push(StepResult::Ran(Box::new(outcome)));
            // What has run behind a failed step is told all the same.
            let is_last = !answers.iter().any(|(owner, _)| owner.step > index);
            if failed && plan.bail && is_last {
                return reached;
            }
        }
        let closed = self.run.request.steps.last().is_some_and(|step| step.argv.is_close());
        if plan.next_step == self.total() && !closed {
            let last = answers.iter().rev().find(|(owner, _)| owner.kind == RowKind::Look);
            if let Some(page) = last.and_then(|(_, answer)| PageReport::from_eval(&answer.data)) {
                facts::page_at(self.run, &page, trace);
            }
        }
        reached
    }

    /// The step has not run, and nothing says that it must not: a row of ours in front of it was cut
    /// off by the page. The next process begins with it.
    fn not_reached(&self, index: usize, own: &[(Owner, Answer)]) -> Option<Resume> {
        let first = index == self.first;
        if own.is_empty() && !first {
            return Some(Resume::default());
        }
        let failed = own.iter().find(|(_, answer)| !answer.success)?;
        if gated::kept_off(own) && !(first && self.resume.alone) {
            return Some(Resume { alone: true, ..Resume::default() });
        }
        if failed.0.kind != RowKind::Before || find(own, RowKind::Main).is_some() {
            return None;
        }
        let resume = if first { self.resume } else { Resume::default() };
        let error = failed.1.error.as_deref().unwrap_or_default();
        if may_be_refound_by(error) && !resume.resnap {
            return Some(Resume { resnap: true, ..resume });
        }
        if found::has_exact_match(error) && !resume.exact {
            return Some(Resume { exact: true, ..resume });
        }
        (document_went(error) && !resume.has_waited)
            .then_some(Resume { has_waited: true, ..resume })
    }

    fn total(&self) -> usize {
        self.run.request.steps.len()
    }

    /// The outcome of one step, and whether it has left the document.
    async fn step_outcome(
        &self,
        index: usize,
        step: &Step,
        own: &[(Owner, Answer)],
        started: SystemTime,
        trace: &mut Trace,
    ) -> (Outcome, bool) {
        let run = self.run;
        if let Some((owner, answer)) = refused_in_front(own) {
            return (refused_row(run, step, owner.kind, answer, trace).await, false);
        }
        let Some(mut main) = own_answer(step, own) else {
            let why = "a row of the batch is missing from the answer";
            return (failure::unreadable(why, ""), false);
        };
        let mut brought = self.brought(own, trace).await;
        let refs = self.session.as_ref().and_then(|session| session.refs.as_ref());
        let wants = if run.may_run_scripts() { wishes(step, refs) } else { Wants::default() };
        turned::ask_the_page(run, step, &wants, &mut main, &mut brought, trace).await;
        if !main.success {
            let mut outcome = failure::of_answer(&main, step, &run.label(step));
            facts::after_failure(run, step, &main, trace, &mut outcome);
            return (outcome, false);
        }
        if let AfterRow::Page(page) = &mut brought.after
            && let Some(effect) = page.effect.as_mut().filter(|_| index + 1 < self.total())
        {
            // The next step has been written already.
            effect.fresh = None;
        }
        // A route may have been set by a step before.
        let latest = asks_for_requests(step).then(|| current_session(run)).flatten();
        let done = Succeeded {
            step,
            main: &main,
            brought: &brought,
            session: latest.as_ref().or(self.session.as_ref()),
            started,
            among: Some(Place { index, total: self.total() }),
            is_past: false,
        };
        let told = told(run, &done, trace);
        if step.argv.is_close() {
            close::done(run, step, &main, trace);
        }
        told
    }

    /// What the rows around a step brought. A document that went while the row behind waited in it is
    /// followed to the next one.
    async fn brought(&self, own: &[(Owner, Answer)], trace: &mut Trace) -> Brought {
        let mut brought = sort_out(own);
        if let AfterRow::Page(page) = &mut brought.after {
            // Selectors of several steps are judged together.
            page.answers.remove(selector_text::ANSWER);
        }
        if brought.after == AfterRow::Navigated
            && let Ok(more) = ask(self.run, &place(), trace).await
        {
            // The row behind the step may have found it already.
            let said = brought.page.take().and_then(|page| page.said);
            brought.page = sort_out(&more).page;
            brought.says(said);
        }
        let other = match (brought.after.page(), &brought.page) {
            (Some(old), Some(new)) => old.armed && !old.doc.is_empty() && old.doc != new.doc,
            _ => false,
        };
        if other {
            let said = brought.after.page().and_then(|page| page.said.clone());
            brought.says(said);
            brought.after = AfterRow::Navigated;
        }
        brought
    }
}

/// What the diagnostics want around a step among others.
fn wishes(step: &Step, refs: Option<&RefSnapshot>) -> Wants {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let watched = match words.as_slice() {
        ["find", ..] => true,
        // Other keys write or move inside a control.
        ["press" | "key", key] => key.eq_ignore_ascii_case("Enter"),
        _ => WATCHED.contains(&step.argv.name()) || acts_on_ref(step),
    };
    if !watched {
        return Wants::default();
    }
    let mut wants = wants(&Asked { step, refs });
    if wants.watch {
        // The row behind a step ends its watching, before the next one.
        wants.after.get_or_insert_default();
    }
    if let Some(after) = &mut wants.after {
        after.questions.retain(|question| question.id != ALONE);
    }
    wants
}

/// A ref may mean another element by now: whatever acts on one is watched (HAZ-25).
fn acts_on_ref(step: &Step) -> bool {
    // Behind `frame` the questions would go to another document.
    let acts = step.argv.traits().caps.acts && step.argv.name() != "frame";
    acts && !step.argv.ref_operands().is_empty()
}

/// The session as the steps so far have left it.
pub(super) fn current_session(run: &Run<'_>) -> Option<SessionState> {
    let key = run.target.key()?;
    run.engine.state().session(key).cloned()
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
