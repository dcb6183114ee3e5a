//! The rows of a batch, a job or a preset: the caller's own, and what stands around each of them
//! (DEC-94).

use super::about::{asked_behind, is_snapshot};
use super::aim::{aim_or_kind_of, read_selector};
use super::in_front::{before_of, ref_check, snapshot_of};
use super::ready::awaited;
use super::rows::{Context, Wants, batch_question, behind_at, main_rows, row, words};
use super::{Plan, Row, RowKind, Step, found};
use crate::command::Global;
use crate::probe::{After, Aim, Before, Question, after_row, arrival_row, before_row, look_row};

/// Selectors of one run of `get text` rows that the page is asked about.
const MOST_SELECTORS: usize = 20;
/// The flag of `screenshot` that stands in front of `batch`.
const ANNOTATE: &str = "--annotate";

/// Which steps one process runs, and what is asked around them.
#[derive(Clone, Debug)]
pub struct Caller<'a> {
    /// All steps of the caller.
    pub steps: &'a [Step],
    /// The first one of this process.
    pub first: usize,
    /// The caller wants to stop after a failed step.
    pub bail: bool,
    /// The wishes of the diagnostics for every step.
    pub wishes: &'a [Wants],
    /// The first step has waited for its element already.
    pub has_waited: bool,
}

/// The rows from the first step on, up to a ref row behind a snapshot row of the caller (DEC-94).
#[must_use]
pub fn batch(caller: &Caller<'_>, context: &Context<'_>) -> Plan {
    let steps = caller.steps;
    let next_step = segment_end(steps, caller.first);
    let own = steps.get(caller.first..next_step).unwrap_or_default();
    // A row in front of these may have to keep them from running.
    let is_kept =
        |step: &Step| !step.argv.ref_operands().is_empty() || found::question(step).is_some();
    let bail = caller.bail || own.iter().any(is_kept);
    let mut plan = Plan { bail, next_step, ..Plan::default() };
    let mut reading_run = false;
    let mut lists_tabs = context.tabs;
    for (index, step) in steps.iter().enumerate().take(next_step).skip(caller.first) {
        let with_refs = !step.argv.ref_operands().is_empty();
        let acts = step.argv.traits().caps.acts;
        plan.rows.extend(in_front(caller, index, acts || !reading_run, context));
        reading_run = with_refs && !acts;
        let wants = caller.wishes.get(index);
        plan.rows.extend(main_rows(
            step,
            index,
            wants.is_some_and(|wants| wants.watch),
            context.scripts,
        ));
        if lists_tabs && step.argv.is_open_like() {
            plan.rows.push(row(RowKind::Tabs, index, words(&["tab", "list"])));
            lists_tabs = false;
        }
        if context.scripts {
            plan.rows.extend(behind(caller, index, bail));
        }
        plan.front.extend(front_flag(step).filter(|flag| !plan.front.contains(flag)));
    }
    if plan.next_step == steps.len() && !ends_with_close(steps) && context.scripts {
        let last = steps.len().saturating_sub(1);
        plan.rows.push(row(RowKind::Look, last, arrival_row(false)));
    }
    plan
}

/// The first step with a ref behind a snapshot of the batch itself (DEC-94), or a screenshot whose
/// labels are asked for otherwise than those before it (PLAN-64); else their number.
fn segment_end(steps: &[Step], first: usize) -> usize {
    let mut snapshot_seen = false;
    let mut annotated = None;
    for (index, step) in steps.iter().enumerate().skip(first) {
        // A flag in front of the batch is for all of its screenshots.
        let flag = (step.argv.name() == "screenshot").then(|| front_flag(step).is_some());
        let is_other = flag.zip(annotated).is_some_and(|(own, others)| own != others);
        if (snapshot_seen && !step.argv.ref_operands().is_empty()) || is_other {
            return index;
        }
        annotated = annotated.or(flag);
        snapshot_seen |= is_snapshot(step);
    }
    steps.len()
}

/// The element that a step sends a text to, where nobody has asked about that yet.
fn text_aim(step: &Step, context: &Context<'_>) -> Option<Aim> {
    let sends = matches!(step.argv.name(), "fill" | "type") && context.scripts;
    sends.then(|| aim_or_kind_of(step, context.refs)).flatten()
}

/// The check of a ref, the observers, the wait for an element, the marks of a snapshot.
fn in_front(caller: &Caller<'_>, index: usize, guards: bool, context: &Context<'_>) -> Vec<Row> {
    let Some(step) = caller.steps.get(index) else { return Vec::new() };
    let first = index == caller.first;
    let again = first && context.resnap;
    let wants = caller.wishes.get(index).cloned().unwrap_or_default();
    let check = ref_check(step, context).filter(|_| guards);
    let mut rows = Vec::from_iter(snapshot_of(index, check.as_ref(), again, context));
    let mut before = before_of(step, &wants, check.as_ref(), again, context.refs);
    if context.scripts {
        let known = |question: &Question| before.questions.iter().any(|own| own.id == question.id);
        let marked = batch_question(step, context).filter(|question| !known(question));
        before.questions.extend(marked);
        before.ready = awaited(caller.steps, index).filter(|_| !(first && caller.has_waited));
    }
    // Only where a refusing row keeps the next one from running.
    let refuses = check.is_some() || caller.bail;
    before.field = before.field.or_else(|| text_aim(step, context)).filter(|_| refuses);
    before.replaces = before.field.is_some() && (before.replaces || step.argv.name() == "fill");
    if before != (Before { hand: before.hand, ..Before::default() }) {
        rows.push(row(RowKind::Before, index, before_row(&before)));
    }
    if is_snapshot(step) && context.scripts {
        rows.push(row(RowKind::Look, index, look_row(true)));
    }
    rows
}

/// What the diagnostics ask, and for an act that may leave the page the document that follows: the
/// next row has to run on that one.
fn behind(caller: &Caller<'_>, index: usize, bail: bool) -> Vec<Row> {
    let Some(step) = caller.steps.get(index) else { return Vec::new() };
    let wished = caller.wishes.get(index).and_then(|wants| wants.after.as_ref());
    let Some(after) = wished else {
        let reading = reading_questions(caller.steps, index);
        return reading
            .map(|after| row(RowKind::After, index, after_row(&after)))
            .into_iter()
            .collect();
    };
    let mut rows = behind_at(index, step, &After { stops: bail, ..after.clone() });
    if after.wait_ms > 0 && index + 1 < caller.steps.len() {
        rows.push(row(RowKind::Look, index, arrival_row(false)));
    }
    rows
}

/// What is asked behind a step that reads.
fn reading_questions(steps: &[Step], index: usize) -> Option<After> {
    let own = asked_behind(steps.get(index)?);
    let Some(texts) = texts_question(steps, index) else { return own };
    let mut after = own.unwrap_or_default();
    after.questions.insert(0, texts);
    Some(after)
}

/// One question for a whole run of `get text` rows, behind its last one: between them the page is the
/// same (DIAG-TEXT-01).
fn texts_question(steps: &[Step], index: usize) -> Option<Question> {
    let reads = |step: &&Step| {
        step.argv.name() == "get" && step.argv.words.get(1).is_some_and(|word| word == "text")
    };
    if steps.get(index + 1).as_ref().is_some_and(reads) {
        return None;
    }
    let run = steps.get(..=index)?.iter().rev().take_while(reads);
    let mut selectors: Vec<&str> = run.filter_map(read_selector).take(MOST_SELECTORS).collect();
    selectors.reverse();
    (!selectors.is_empty()).then(|| Question::texts(&selectors))
}

/// Flags of a caller's row that upstream only takes in front of `batch` (PLAN-64); those of a single
/// command stand among its options.
fn front_flag(step: &Step) -> Option<String> {
    let annotated = step.argv.global(ANNOTATE).is_some_and(Global::takes_effect);
    annotated.then(|| ANNOTATE.to_owned())
}

fn ends_with_close(steps: &[Step]) -> bool {
    steps.last().is_some_and(|step| step.argv.is_close())
}
