//! `wait` in slices (HAZ-07): a killed wait must not block the browser for longer than one slice.

use std::time::{Duration, Instant};

use super::answers::{Brought, find};
use super::execute::rows;
use super::launch::default_timeout;
use super::refused::came_to_command;
use super::run::Run;
use super::single::{context_of, judged, tried};
use super::{Trace, tabs};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::plan::{Plan, RowKind, Step};

/// The longest slice.
const SLICE_MS: u64 = 2_000;
/// Upstream's own default for conditions, and the longest of another one.
const DEFAULT_MS: u64 = 25_000;

/// What is waited for.
enum Wish {
    /// Time to pass.
    Time(u64),
    /// A condition, within this time.
    Condition(u64),
}

/// What a sliced `wait` waits for.
fn wish(run: &Run<'_>, step: &Step) -> Option<Wish> {
    if step.argv.name() != "wait" || step.argv.has_own_flag("--download") {
        return None;
    }
    let words = &step.words;
    if let [_, word] = words.as_slice()
        && let Ok(ms) = word.parse()
    {
        return Some(Wish::Time(ms));
    }
    let limit = match step.argv.own_value("--timeout") {
        Some(found) => found.value.parse().ok()?,
        None => default_timeout(run).map_or(DEFAULT_MS, |ms| ms.min(DEFAULT_MS)),
    };
    (words.len() > 1).then_some(Wish::Condition(limit))
}

/// The outcome of a `wait` that is sent in slices until it is met or its time is over; `None` for any
/// other command.
pub(super) async fn sliced(
    run: &Run<'_>,
    step: &Step,
    mut launching: bool,
    trace: &mut Trace,
) -> Checked<Option<Outcome>> {
    let Some(wish) = wish(run, step) else { return Ok(None) };
    let total = match wish {
        Wish::Time(ms) | Wish::Condition(ms) => ms,
    };
    let started = Instant::now();
    // Time that upstream has slept through counts, whatever our clock says of it.
    let mut slept = 0;
    loop {
        let passed = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX).max(slept);
        let slice = total.saturating_sub(passed).clamp(1, SLICE_MS);
        let words = slice_words(step, &wish, slice);
        let ran = if step.argv.ref_operands().is_empty() {
            let plan = tabs::pinned(run, run.session.as_ref(), Plan::one(RowKind::Main, words));
            rows(run, &plan, launching, trace).await?
        } else {
            // The page may be left between two slices: a ref is checked in front of each (HAZ-01).
            let sliced = Step { argv: step.argv.clone(), words };
            let mut context = context_of(run, &sliced, launching);
            tried(run, &sliced, &mut context, trace).await?
        };
        let answers = match came_to_command(run, step, ran, launching, trace).await {
            Ok(answers) => answers,
            Err(outcome) => return Ok(Some(outcome)),
        };
        launching = false;
        let answer = find(&answers, RowKind::Main).cloned().unwrap_or_default();
        if matches!(wish, Wish::Time(_)) {
            slept += slice;
        }
        let over = slept >= total || started.elapsed() >= Duration::from_millis(total);
        let unmet =
            answer.error.as_deref().is_some_and(|text| text.contains("Wait timed out after"));
        let goes_on = match wish {
            Wish::Time(_) => answer.success && !over,
            Wish::Condition(_) => unmet && !over,
        };
        if !goes_on {
            let answer = in_callers_words(answer, &wish, unmet);
            return judged(run, step, &answer, Brought::default(), trace).await.map(Some);
        }
    }
}

/// The answer with the caller's own numbers.
fn in_callers_words(mut answer: Answer, wish: &Wish, unmet: bool) -> Answer {
    match wish {
        Wish::Time(ms) => {
            if let Some(fields) = answer.data.as_object_mut() {
                fields.insert("ms".into(), (*ms).into());
            }
        }
        Wish::Condition(ms) if unmet => answer.error = Some(format!("Wait timed out after {ms}ms")),
        Wish::Condition(_) => {}
    }
    answer
}

fn slice_words(step: &Step, wish: &Wish, slice: u64) -> Vec<String> {
    match wish {
        Wish::Time(_) => vec!["wait".to_owned(), slice.to_string()],
        Wish::Condition(_) => {
            let mut words = step.words.clone();
            match step.argv.own_value("--timeout").and_then(|found| words.get_mut(found.index)) {
                Some(word) => *word = slice.to_string(),
                None => words.extend(["--timeout".to_owned(), slice.to_string()]),
            }
            words
        }
    }
}
