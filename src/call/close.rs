//! `close`: of one session or of all, by upstream or, where it does not answer, by the lease's proof.

use std::collections::BTreeSet;

use serde_json::Value;

use super::run::Run;
use super::{Engine, Trace, restored};
use crate::envelope::Answer;
use crate::line::Line;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::session::fact::Fact;
use crate::session::key::SessionKey;
use crate::session::lease::now_seconds;
use crate::session::reap::{Ended, Ending, forget};

/// A session with `--restore` has ended without it (DEC-65).
const NOT_SAVED: &str = "The state was not saved.";

/// `close --all`: every session of the namespace, whoever started it.
fn is_all(run: &Run<'_>) -> bool {
    run.request.argv.has_own_flag("--all")
}

/// The outcome of a close that upstream need not be asked for.
pub(super) async fn without_upstream(run: &Run<'_>, trace: &mut Trace) -> Option<Outcome> {
    let busy = run.session.as_ref().and_then(|session| session.busy);
    if busy.is_some_and(|busy| busy.until > now_seconds()) {
        // Upstream's would queue behind what still runs (HAZ-07).
        let ended = end_by_proof(run, run.target.key().into_iter().cloned(), trace).await;
        if ended > 0 && !is_all(run) {
            return Some(ended_by_force(run));
        }
    }
    let nothing_open = run.target.is_managed() && !run.is_running() && !is_all(run);
    nothing_open.then(|| Outcome::success(vec!["No browser was open; nothing to close.".into()]))
}

/// Upstream's close failed: sessions of ours are ended all the same.
pub(super) async fn failed(run: &Run<'_>, mut outcome: Outcome, trace: &mut Trace) -> Outcome {
    let keys = if is_all(run) {
        known_in_namespace(run)
    } else {
        run.target.key().into_iter().cloned().collect()
    };
    let ended = end_by_proof(run, keys, trace).await;
    if ended == 0 {
        return outcome;
    }
    if !is_all(run) {
        return ended_by_force(run);
    }
    let count = if ended == 1 { "1 browser".to_owned() } else { format!("{ended} browsers") };
    outcome.answer.push(Line::ours(format!(
        "Closed {count} of these calls by ending their processes; other sessions may still be open."
    )));
    outcome
}

/// What is known after a close that upstream did, as the whole call or as a row of a batch.
pub(super) fn done(run: &Run<'_>, step: &Step, answer: &Answer, trace: &mut Trace) {
    if answer.text("saveStatus") == Some("not_attempted") && restored::saves(run) {
        trace.notes.push(NOT_SAVED.to_owned());
    }
    let mut gone: BTreeSet<SessionKey> = run.target.key().into_iter().cloned().collect();
    // Nothing waits for the next call of a session that is gone.
    trace.next = None;
    if step.argv.has_own_flag("--all") {
        let failed = answer.data.get("failed").and_then(Value::as_array);
        let failed: Vec<&str> = failed.into_iter().flatten().filter_map(name_of_failed).collect();
        gone = known_in_namespace(run);
        gone.retain(|key| !failed.contains(&key.name.as_str()));
    }
    for key in gone {
        let socket_dir = &run.engine.options.places.socket_dir;
        if let Some(lease) = run.engine.leases.read(socket_dir, &key) {
            let leases = run.engine.leases.clone();
            run.engine.background.spawn(async move { forget(&leases, &lease).await });
        }
        retire(run, key, trace);
    }
}

/// A session that did not close: its name, alone or in a row.
fn name_of_failed(row: &Value) -> Option<&str> {
    row.as_str().or_else(|| row.get("session").or_else(|| row.get("name"))?.as_str())
}

/// Sessions of the call's namespace that are known here (DEC-29).
fn known_in_namespace(run: &Run<'_>) -> BTreeSet<SessionKey> {
    let namespace = run.target.key().and_then(|key| key.namespace.as_deref());
    let state = run.engine.state();
    let known = state.sessions.keys().filter(|key| key.namespace.as_deref() == namespace);
    known.cloned().collect()
}

/// Ends daemon, browser and profile of sessions of ours by their leases; how many are gone.
async fn end_by_proof(
    run: &Run<'_>,
    keys: impl IntoIterator<Item = SessionKey>,
    trace: &mut Trace,
) -> usize {
    let mut ended = 0;
    for key in keys.into_iter().filter(|key| run.engine.is_own_name(&key.name)) {
        let Some(ending) = run.engine.ending(&key) else { continue };
        if ending.end_only().await != Ended::Left {
            retire(run, key, trace);
            ended += 1;
        }
    }
    ended
}

fn retire(run: &Run<'_>, key: SessionKey, trace: &mut Trace) {
    run.engine.forget_closed(&key);
    run.engine.learn(trace, [Fact::SessionClosed { key }]);
}

fn ended_by_force(run: &Run<'_>) -> Outcome {
    let mut lines = vec![Line::ours(
        "Closed the browser. It did not answer, so its processes were ended; the page is lost.",
    )];
    if restored::saves(run) {
        lines.push(NOT_SAVED.into());
    }
    if let Some(path) = run.open_recording() {
        lines.push(Line::ours("The recording was cut off and may be broken: ").path(path));
    }
    Outcome::success(lines)
}

impl Engine {
    /// What is needed to end a session of ours; `None` when no lease proves it. Nothing waits for its
    /// next call from here on: that would be a process of the session which does not end by itself.
    pub(super) fn ending(&self, key: &SessionKey) -> Option<Ending> {
        let lease = self.leases.read(&self.options.places.socket_dir, key)?;
        self.ready.clear();
        Some(Ending {
            lease,
            leases: self.leases.clone(),
            env: self.options.env.clone(),
            cwd: self.options.cwd.clone(),
        })
    }
}
