//! Commands that upstream does not take in rows: `close`, help, and everything without a browser.

use std::time::SystemTime;

use super::execute::{cut_short, process, shape};
use super::run::{Run, effective};
use super::{Engine, Trace, launch};
use crate::artifact::saved::files_of;
use crate::envelope::{Answer, Envelope, parse};
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::present::section::Line;
use crate::present::{failure, inspection, present};
use crate::session::fact::Fact;
use crate::session::key::SessionKey;
use crate::session::lease::now_seconds;
use crate::session::reap::{Ending, close_timeout, forget};
use crate::session::target::Target;

/// Runs the command as it is.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    let Some(step) = run.request.steps.first() else {
        return Ok(failure::unreadable("there is no command", ""));
    };
    let is_close = run.request.argv.is_close();
    let busy = run.session.as_ref().and_then(|session| session.busy);
    if is_close && busy.is_some_and(|busy| busy.until > now_seconds()) {
        // `close` would queue behind what still runs (HAZ-07).
        if let Some(outcome) = close_by_proof(run, true, trace).await {
            return Ok(outcome);
        }
    }
    if is_close && run.target.is_managed() && !run.is_running() {
        return Ok(Outcome::success(vec!["No browser was open; nothing to close.".into()]));
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
    trace.effective = effective(run, step);
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
        return Ok(close_by_proof(run, is_close, trace).await.unwrap_or(outcome));
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
        return Ok(close_by_proof(run, is_close, trace).await.unwrap_or(outcome));
    }
    if is_close {
        closed(run, trace);
    }
    let files = files_of(step, &answer, run.open_recording(), &run.engine.options.cwd, started);
    Ok(present(&run.shown(step, &answer, &files)))
}

/// The state after a successful close.
fn closed(run: &Run<'_>, trace: &mut Trace) {
    let all = run.request.argv.has_own_flag("--all");
    let mut gone: Vec<SessionKey> = run.target.key().cloned().into_iter().collect();
    if all {
        gone.extend(run.engine.state().sessions.keys().cloned());
    }
    for key in gone {
        let socket_dir = &run.engine.options.places.socket_dir;
        if let Some(lease) = run.engine.leases.read(socket_dir, &key) {
            let leases = run.engine.leases.clone();
            run.engine.background.spawn(async move { forget(&leases, &lease).await });
        }
        run.engine.forget_snapshot(&key);
        run.engine.learn(trace, [Fact::SessionClosed { key }]);
    }
}

/// A close that upstream does not do: daemon, browser and profile are ended by the lease's proof.
async fn close_by_proof(run: &Run<'_>, is_close: bool, trace: &mut Trace) -> Option<Outcome> {
    let key = run.target.key().filter(|_| is_close && run.target.is_managed())?;
    let ending = run.engine.ending(key)?;
    ending.end_only().await;
    closed(run, trace);
    let mut lines = vec![Line::ours(
        "Closed the browser. It did not answer, so its processes were ended; the page is lost.",
    )];
    if let Some(path) = run.open_recording() {
        lines.push(Line::ours("The recording was cut off and may be broken: ").path(path));
    }
    Some(Outcome::success(lines))
}

impl Engine {
    /// What is needed to end a session of ours; `None` when no lease proves it.
    pub(super) fn ending(&self, key: &SessionKey) -> Option<Ending> {
        let lease = self.leases.read(&self.options.places.socket_dir, key)?;
        Some(Ending {
            lease,
            leases: self.leases.clone(),
            env: self.options.env.clone(),
            cwd: self.options.cwd.clone(),
        })
    }
}
