//! The steps of a process whose browser was lost: what was answered before keeps its answer.

use std::time::SystemTime;

use super::Trace;
use super::answers::{own_answer, sort_out};
use super::segment::Segment;
use super::told::{Place, Succeeded, told};
use crate::diagnose::{AfterRow, selector_text};
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::outcome::{FailureCategory, Outcome};
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::batch::StepResult;
use crate::present::failure;

/// Where in a process the browser was lost, and what is said of that.
pub(super) struct Loss {
    /// The first step whose answers tell it.
    pub(super) at: usize,
    pub(super) outcome: Outcome,
}

impl Segment<'_> {
    /// A result for every step that was planned.
    pub(super) fn until_lost(
        &self,
        plan: &Plan,
        answers: &[(Owner, Answer)],
        loss: Loss,
        started: SystemTime,
        trace: &mut Trace,
    ) -> Vec<StepResult> {
        let steps = self.run.request.steps.iter().enumerate();
        let planned = steps.take(plan.next_step).skip(self.first);
        let mut lost = Some(loss.outcome);
        let result = |(index, step)| {
            let own: Vec<(Owner, Answer)> =
                answers.iter().filter(|(owner, _)| owner.step == index).cloned().collect();
            let outcome = if index < loss.at {
                self.answered(index, step, &own, started, trace)
            } else if index == loss.at
                && let Some(outcome) = lost.take()
            {
                outcome
            } else if has_run(&own) {
                let line = "the page was gone before it ran.";
                Refusal::new(FailureCategory::TabDrift, line).into_outcome()
            } else {
                return StepResult::NotRun;
            };
            StepResult::Ran(Box::new(outcome))
        };
        planned.map(result).collect()
    }

    /// What a step has answered while the browser was there. Nothing more is asked or learned: its
    /// page is gone.
    fn answered(
        &self,
        index: usize,
        step: &Step,
        own: &[(Owner, Answer)],
        started: SystemTime,
        trace: &mut Trace,
    ) -> Outcome {
        let Some(main) = own_answer(step, own) else {
            return failure::unreadable("a row of the batch is missing from the answer", "");
        };
        if !main.success {
            return failure::of_answer(&main, step, &self.run.label(step));
        }
        let mut brought = sort_out(own);
        if let AfterRow::Page(page) = &mut brought.after {
            page.answers.remove(selector_text::ANSWER);
            if let Some(effect) = &mut page.effect {
                effect.fresh = None;
            }
        }
        let done = Succeeded {
            step,
            main: &main,
            brought: &brought,
            session: self.session.as_ref(),
            started,
            among: Some(Place { index, total: self.run.request.steps.len() }),
            is_past: true,
        };
        told(self.run, &done, trace).0
    }
}

/// The command of the step itself was sent to some browser.
fn has_run(own: &[(Owner, Answer)]) -> bool {
    own.iter().any(|(owner, _)| matches!(owner.kind, RowKind::Main | RowKind::MainExtra))
}
