//! What became of the managed session (SES-50…64).

use serde_json::{Map, Value, json};

use super::Trace;
use super::run::Run;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::session::fact::Fact;
use crate::session::target::{SessionMode, Target};

/// Adds `details.managedSessionOutcome`, and its visible lines on a failed fresh launch.
pub(super) fn report(run: &Run<'_>, trace: &Trace, outcome: &mut Outcome) {
    let Target::Managed { key, fresh, .. } = run.target else { return };
    let explicit = run.request.argv.session().is_some();
    let missing = outcome.verdict == Verdict::Failure(FailureCategory::MissingBinary);
    if (trace.processes == 0 && !missing) || (explicit && !run.request.argv.is_close()) {
        return;
    }
    let succeeded = !outcome.verdict.is_failure();
    let became_current = trace.facts.iter().any(|fact| matches!(fact, Fact::SessionStarted { .. }));
    // A batch may open a browser and close it.
    let last = trace.facts.iter().rev().find(|fact| match fact {
        Fact::SessionStarted { key: own, .. } | Fact::SessionClosed { key: own } => own == key,
        _ => false,
    });
    let closed = matches!(last, Some(Fact::SessionClosed { .. }));
    let replaced = trace.facts.iter().find_map(|fact| match fact {
        Fact::SessionClosed { key: old } if became_current && old != key => Some(old.name.clone()),
        _ => None,
    });
    let active_before = run.is_running() || replaced.is_some();
    let current = run.engine.state().managed_running().map(|key| key.name.clone());
    let active_after = current.is_some();
    let status = match (closed, became_current, &replaced) {
        (true, _, _) => "closed",
        (_, true, Some(_)) => "replaced",
        (_, true, None) => "created",
        (_, false, _) if succeeded => "unchanged",
        _ if active_after => "preserved",
        _ => "abandoned",
    };
    // A close that fails leaves none either, and wants none.
    let wants_browser = run.request.steps.iter().any(|step| !step.argv.is_close());
    outcome.no_browser |= status == "abandoned" && wants_browser;
    let previous = replaced.clone().or_else(|| run.is_running().then(|| key.name.clone()));
    let mut fields = Map::new();
    fields.insert("status".into(), status.into());
    fields.insert("sessionMode".into(), run.input.session_mode.name().into());
    fields.insert("attemptedSessionName".into(), key.name.clone().into());
    fields.insert("previousSessionName".into(), previous.into());
    fields.insert("currentSessionName".into(), current.into());
    if let Some(old) = replaced {
        fields.insert("replacedSessionName".into(), old.into());
    }
    fields.insert("activeBefore".into(), active_before.into());
    fields.insert("activeAfter".into(), active_after.into());
    fields.insert("succeeded".into(), succeeded.into());
    fields.insert("summary".into(), format!("managed session {} {status}", key.name).into());
    outcome.details.insert("managedSessionOutcome".into(), Value::Object(fields));
    if *fresh && run.input.session_mode == SessionMode::Fresh && !succeeded {
        if !missing {
            offers(run, trace, status, outcome);
        }
        let (what, how) = visible(status);
        let how = if missing { "install it, then send the call again." } else { how };
        outcome.managed.push(format!("Managed session outcome: {what}").into());
        outcome.managed.push(format!("Recovery: {how}").into());
    }
}

/// What may help after a fresh launch that failed (SES-62).
fn offers(run: &Run<'_>, trace: &Trace, status: &str, outcome: &mut Outcome) {
    if !matches!(status, "preserved" | "abandoned") {
        return;
    }
    let mut offer = |action: NextAction| {
        if outcome.next.iter().all(|known| known.id != action.id) {
            outcome.next.push(action);
        }
    };
    offer(NextAction::args("run-agent-browser-doctor", "check the installation", &["doctor"]));
    if let Some(key) = run.engine.state().managed_running().cloned() {
        // By its name: the call itself was for another session.
        let on_current = |words: [&str; 2]| {
            key.tokens().into_iter().chain(words.map(str::to_owned)).collect::<Vec<String>>()
        };
        let (url, look) = (on_current(["get", "url"]), on_current(["snapshot", "-i"]));
        let verify = "verify-current-managed-session";
        offer(NextAction::args(verify, "the earlier browser is still there", &url).routine());
        let look = NextAction::args("snapshot-current-managed-session", "get its refs", &look);
        offer(look.routine());
    }
    let params = json!({ "args": trace.args, "sessionMode": run.input.session_mode.name() });
    let retry = "retry-fresh-managed-session";
    offer(NextAction::params_of(retry, "once its reason is gone", params).routine());
}

/// Visible words, without generated names (RED-22).
fn visible(status: &str) -> (&'static str, &'static str) {
    match status {
        "created" | "replaced" => (
            "the new browser is current; a later step failed.",
            "the failure above is about that step; go on without sessionMode.",
        ),
        "closed" => (
            "the new browser was started and closed again; another step failed.",
            "the failure above is about that step; correct it and send the call again.",
        ),
        "preserved" => (
            "the new browser did not start; the earlier one is still current.",
            "correct the call and send it again, or go on without sessionMode.",
        ),
        _ => (
            "the new browser did not start, and no other is open.",
            "correct the call and send it again.",
        ),
    }
}
