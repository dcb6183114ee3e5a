//! A session whose policy denies scripts or holds them back, which only an answer tells: a policy may
//! stand in a file of upstream's, or in the call that started the caller's own session (DEC-92).

use super::Trace;
use super::answers::find;
use super::run::Run;
use crate::command::Class;
use crate::envelope::Answer;
use crate::plan::{Owner, RowKind, Step};
use crate::session::fact::Fact;

/// Upstream's word for a script.
const ACTION: &str = "evaluate";

/// The script did not run because of a policy.
pub(super) fn is_denied(error: &str) -> bool {
    error.starts_with(&format!("Action '{ACTION}' denied by policy"))
}

/// The script waits for a confirmation, and counts as a success.
fn is_held(answer: &Answer) -> bool {
    answer.confirmation_id().is_some() && answer.text("action") == Some(ACTION)
}

/// No script is sent to a session again that has not let one run.
pub(super) fn learn(run: &Run<'_>, answers: &[(Owner, Answer)], trace: &mut Trace) {
    let gated = |answer: &Answer| is_held(answer) || answer.error.as_deref().is_some_and(is_denied);
    let told = answers.iter().any(|(_, answer)| gated(answer));
    if let Some(key) = run.target.key().filter(|_| told && run.may_run_scripts()) {
        run.engine.learn(trace, [Fact::ScriptsGated { key: key.clone() }]);
    }
}

/// What nobody has looked at is not said to have happened.
pub(super) fn say(step: &Step, trace: &mut Trace) {
    let line = "The effect was not verified: options of this session hold scripts back.";
    let is_said = trace.notes.iter().any(|note| note == line);
    if step.argv.traits().class == Class::Act && !is_said {
        trace.notes.push(line.to_owned());
    }
}

/// A script of ours in front of the command was denied, so the command has not run: it goes alone.
pub(super) fn kept_off(answers: &[(Owner, Answer)]) -> bool {
    let denied = |(_, answer): &(Owner, Answer)| answer.error.as_deref().is_some_and(is_denied);
    find(answers, RowKind::Main).is_none() && answers.iter().any(denied)
}
