//! Commands that upstream does not take in rows: `close`, help, and everything without a browser.

use std::time::SystemTime;

use super::execute::{TOO_LONG, cut_short, process, shape};
use super::run::{Run, effective};
use super::{Trace, close, launch};
use crate::artifact::saved::files_of;
use crate::envelope::{Answer, Envelope, parse};
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::present::{failure, inspection, present};
use crate::session::reap::close_timeout;
use crate::session::target::Target;

/// Runs the command as it is.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    let Some(step) = run.request.steps.first() else {
        return Ok(failure::unreadable("there is no command", ""));
    };
    let is_close = run.request.argv.is_close();
    if is_close && let Some(outcome) = close::without_upstream(run, trace).await {
        return Ok(outcome);
    }
    if let Target::ThrowAway(key) = run.target {
        run.engine.write_lease(run, key).await?;
    }
    let started = SystemTime::now();
    let mut limit = run.clock.limit;
    if is_close {
        limit = limit.min(close_timeout(&run.engine.options.env));
    }
    let stdin = run.request.stdin.clone().unwrap_or_default().into_bytes();
    trace.effective = effective(run, &step.argv);
    let mut words = step.words.clone();
    if run.request.argv.is_inspection() {
        words = run.request.argv.to_tokens();
    }
    let invocation =
        launch::invocation(run, words, stdin, false, limit.min(run.clock.left())).await?;
    let completed = process(run, invocation, trace).await?;
    if let Target::ThrowAway(key) = run.target {
        run.engine.close_later(key.clone());
    }
    if let Some(outcome) = cut_short(&completed, limit) {
        return Ok(if is_close { close::failed(run, outcome, trace).await } else { outcome });
    }
    if completed.stdout_truncated {
        return Ok(failure::unreadable(TOO_LONG, &completed.stderr));
    }
    let answer = match parse(&completed.stdout) {
        Envelope::Text(text) if run.request.argv.is_inspection() => {
            return Ok(inspection::present(&text));
        }
        Envelope::One(answer) => *answer,
        Envelope::Empty if completed.exit_code != 0 && !completed.stderr.trim().is_empty() => {
            Answer { error: Some(completed.stderr.trim().to_owned()), ..Answer::default() }
        }
        other => return Ok(failure::unreadable(shape(&other), &completed.stderr)),
    };
    if !answer.success {
        let outcome = failure::of_answer(&answer, step, &run.label(step));
        return Ok(if is_close { close::failed(run, outcome, trace).await } else { outcome });
    }
    if is_close {
        close::done(run, step, &answer, trace);
    }
    let files = files_of(step, &answer, run.open_recording(), &run.engine.options.cwd, started);
    Ok(present(&run.shown(step, &answer, &files)))
}
