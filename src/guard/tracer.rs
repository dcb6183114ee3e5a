//! Trace and profiler share one recorder (GUARD-09, DEC-62).

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::outcome::NextAction;
use crate::session::fact::Tracer;

/// Who records when a step runs.
#[derive(Clone, Copy)]
struct Owner {
    tracer: Tracer,
    /// The step of the same call that starts it.
    by: Option<usize>,
}

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let known = context.session.and_then(|session| session.tracer);
    let mut owner = known.map(|tracer| Owner { tracer, by: None });
    for (index, step) in context.steps.iter().enumerate() {
        let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
        let (tracer, verb) = match words.as_slice() {
            ["trace", verb @ ("start" | "stop"), ..] => (Tracer::Trace, *verb),
            ["profiler", verb @ ("start" | "stop"), ..] => (Tracer::Profiler, *verb),
            _ => continue,
        };
        match owner {
            Some(own) if own.tracer != tracer || verb == "start" => {
                return Err(refusal(own, tracer, verb));
            }
            _ if verb == "stop" => owner = None,
            _ => owner = Some(Owner { tracer, by: Some(index) }),
        }
    }
    Ok(())
}

fn refusal(owner: Owner, tracer: Tracer, verb: &str) -> Box<Refusal> {
    let (own, command) = (owner.tracer.word(), tracer.word());
    let then = format!("so {command} {verb} would fail or end the wrong recording.");
    if let Some(by) = owner.by {
        let step = by + 1;
        return Refusal::invalid(format!("nothing was done: step {step} starts {own}, {then}"));
    }
    let sentence = format!(
        "nothing was done: wrapper believes that {own} is recording in this session, {then}"
    );
    Refusal::invalid(sentence).next(NextAction::args(
        "stop-active-recording",
        "stop the recording that is believed active",
        &[own, "stop"],
    ))
}
