//! Trace and profiler share one recorder (GUARD-09, DEC-62).

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::outcome::NextAction;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Some(owner) = context.session.and_then(|session| session.tracer) else { return Ok(()) };
    for step in context.steps {
        let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
        let [command @ ("trace" | "profiler"), verb @ ("start" | "stop"), ..] = words.as_slice()
        else {
            continue;
        };
        let own = *command == owner.word();
        if own && *verb == "stop" {
            continue;
        }
        let sentence = format!(
            "nothing was done: wrapper believes that {} is recording in this session, so {command} {verb} \
             would fail or end the wrong recording.",
            owner.word()
        );
        return Err(Refusal::invalid(sentence).next(NextAction::args(
            "stop-active-recording",
            "stop the recording that is believed active",
            &[owner.word(), "stop"],
        )));
    }
    Ok(())
}
