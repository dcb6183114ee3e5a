//! The start of a browser: lease before the first process, and what is known once it runs.

use super::answers::find;
use super::execute::Failed;
use super::launch::{forgotten_flags, launch_record};
use super::lost::lost_refusal;
use super::run::Run;
use super::{Engine, Trace, busy, gated, lost, newer, restored, tabs};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::plan::about::navigates;
use crate::plan::{Owner, RowKind, Step};
use crate::session::fact::Fact;
use crate::session::key::SessionKey;
use crate::session::lease::socket_exists;
use crate::session::target::Target;

/// Decides whether this call starts the browser, and writes the lease first if it does.
pub(super) async fn prepare_launch(run: &Run<'_>, trace: &mut Trace) -> Checked<bool> {
    let Target::Managed { key, ordinal, .. } = run.target else {
        if run.session.is_none() && matches!(run.target, Target::Named(_)) {
            newer::say(run, trace).await?;
        }
        return Ok(false);
    };
    let socket_dir = &run.engine.options.places.socket_dir;
    if run.is_running() {
        if socket_exists(socket_dir, key) && !lost::is_proven(run, key) {
            return Ok(false);
        }
        run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
        let first = run.request.steps.first();
        let opens = first.is_some_and(|step| step.argv.is_open_like() && navigates(step));
        if !opens {
            run.engine.close_later(key.clone());
            return Err(lost_refusal(run, true));
        }
        // What is left of it would serve the new browser without its launch options: the lease is
        // written once that is gone.
        run.engine.close_later(key.clone());
        trace.notes.push(lost::NEW_BROWSER.to_owned());
    }
    run.engine.learn(trace, [Fact::OrdinalUsed { ordinal: *ordinal }]);
    run.engine.write_lease(run, key).await?;
    newer::say(run, trace).await?;
    newer::try_out(run, trace).await?;
    Ok(true)
}

/// The browser runs: the session is current from now on.
pub(super) fn launched(
    run: &Run<'_>,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) {
    let Some(key) = run.target.key() else { return };
    if let (true, Target::Managed { ordinal, .. }) = (launching, run.target) {
        become_current(run, key, *ordinal, trace);
    }
    let hash = answers.iter().find_map(|(_, answer)| answer.lifecycle.as_ref()?.launch_hash);
    let known = run.session.as_ref().and_then(|session| session.launch.launch_hash);
    if let Some(hash) = hash.filter(|_| launching || known.is_none()) {
        run.engine.learn(trace, [Fact::LaunchHash { key: key.clone(), hash }]);
    }
    if !answers.is_empty() {
        busy::is_free(run, trace);
    }
    if run.target.is_managed() {
        let cdp_url = find(answers, RowKind::CdpUrl).and_then(|answer| answer.text("cdpUrl"));
        run.engine.renew_lease(key, launching, cdp_url.map(str::to_owned));
    }
}

/// What the answers of a process mean for its session; the outcome where its browser was lost.
pub(super) fn behind_process(
    run: &Run<'_>,
    step: &Step,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) -> Option<Outcome> {
    launched(run, answers, launching, trace);
    gated::learn(run, answers, trace);
    restored::say(run, answers, launching, trace);
    tabs::learn(run, answers, launching, trace);
    lost::lost_page(run, step, answers, launching, trace)
}

fn become_current(run: &Run<'_>, key: &SessionKey, ordinal: u32, trace: &mut Trace) {
    // A launch that began on another branch replaces nothing of this one (SES-42).
    let is_current = run.engine.is_current(trace);
    let replaced = run.engine.state().managed_running().cloned();
    // The session of an app that runs on stays open: its launch is still tracked (ELEC-06).
    let has_app = |key: &SessionKey| run.engine.state().app_of(key).is_some();
    let replaced = replaced.filter(|current| is_current && current != key && !has_app(current));
    let forgotten = forgotten_flags(run, key);
    if !forgotten.is_empty() {
        trace.notes.push(format!(
            "It was started without {}: to have that again, send the call with it and sessionMode fresh.",
            forgotten.join(", ")
        ));
    }
    run.engine.remember_launch(key, &run.request.argv);
    run.engine.learn(
        trace,
        [
            Fact::SessionStarted { key: key.clone(), launch: launch_record(run, key) },
            Fact::ManagedCurrent { key: key.clone(), ordinal },
        ],
    );
    if let Some(old) = replaced {
        run.engine.forget_closed(&old);
        run.engine.learn(trace, [Fact::SessionClosed { key: old.clone() }]);
        // The answer does not wait for it (SES-06, DEC-67).
        run.engine.close_later(old);
    }
}

/// The process as a whole failed; a launch may still have left a browser behind.
pub(super) async fn whole_failure(
    run: &Run<'_>,
    failed: Failed,
    launching: bool,
    trace: &mut Trace,
) -> Outcome {
    let Failed { mut outcome, cut } = failed;
    let key = run.target.key().filter(|_| launching);
    let socket_dir = &run.engine.options.places.socket_dir;
    let runs = cut && key.is_some_and(|key| socket_exists(socket_dir, key));
    if runs {
        // What is learned of the session from here on must not be forgotten with its start.
        launched(run, &[], true, trace);
    }
    if cut {
        busy::client_killed(run, launching, &mut outcome, trace).await;
    }
    let Some(key) = key else { return *outcome };
    if runs {
        // The browser may have come up meanwhile.
        run.engine.renew_lease(key, true, None);
    } else {
        run.engine.close_later(key.clone());
    }
    if let Verdict::Failure(FailureCategory::UpstreamError) = outcome.verdict {
        outcome.next.push(NextAction::args(
            "run-agent-browser-doctor",
            "check the installation",
            &["doctor"],
        ));
    }
    *outcome
}

impl Engine {
    /// Closes a session that is no longer wanted, without making anybody wait.
    pub(super) fn close_later(&self, key: SessionKey) {
        if let Some(ending) = self.ending(&key) {
            self.background.spawn(async move {
                ending.close_and_end().await;
            });
        }
    }
}
