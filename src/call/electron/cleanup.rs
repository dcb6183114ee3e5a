//! `cleanup`: session, process, port, profile of tracked launches, within one budget (ELEC-43).

use std::path::Path;

use super::super::{Engine, Trace};
use super::millis;
use super::scope::{Tracked, chosen};
use crate::electron::cleanup::{Budget, CleanupStep, Done, end_app};
use crate::electron::devtools;
use crate::electron::lease::main_process;
use crate::error::Checked;
use crate::input::electron::Scope;
use crate::outcome::Outcome;
use crate::present::electron::{self as present, Cleaned};
use crate::session::electron::{CleanupState, ElectronRecord};
use crate::session::fact::Fact;
use crate::session::reap::{Ended, close_timeout};

pub(super) async fn run(engine: &Engine, scope: &Scope, trace: &mut Trace) -> Checked<Outcome> {
    let launches = chosen(engine, &scope.which, "cleanup")?;
    let usual = close_timeout(&engine.options.env);
    let budget = Budget::new(millis(scope.timeout_ms, usual));
    let mut results = Vec::new();
    for tracked in launches {
        results.push(clean(engine, tracked, budget, trace).await);
    }
    Ok(present::cleaned(&results))
}

async fn clean(engine: &Engine, tracked: Tracked, budget: Budget, trace: &mut Trace) -> Cleaned {
    let Tracked { mut record, lease } = tracked;
    if !record.is_open() {
        let step = CleanupStep::new("process", Done::Succeeded, "was cleaned up already");
        return Cleaned { record, steps: vec![step] };
    }
    let mut steps = vec![close_session(engine, &record, budget, trace).await];
    match &lease {
        Some(lease) => steps.extend(end_app(lease, budget).await),
        None => steps.extend(without_proof(&record).await),
    }
    let clean = steps.iter().all(|step| step.done == Done::Succeeded);
    record.cleanup_state = if clean { CleanupState::Cleaned } else { CleanupState::Partial };
    if clean {
        engine.apps.remove(&record.launch_id);
    } else if let Some(mut lease) = lease {
        lease.record.cleanup_state = CleanupState::Partial;
        // It is tried again later; the old lease says the same.
        let _ = engine.apps.write(&lease);
    }
    let fact =
        Fact::ElectronCleaned { launch_id: record.launch_id.clone(), state: record.cleanup_state };
    engine.learn(trace, [fact]);
    Cleaned { record, steps }
}

/// Closes the upstream session of a launch. It gets half of the budget: an upstream that does not
/// answer must not keep the app alive.
async fn close_session(
    engine: &Engine,
    record: &ElectronRecord,
    budget: Budget,
    trace: &mut Trace,
) -> CleanupStep {
    let step = |done, words: &str| CleanupStep::new("managed-session", done, words);
    let key = record.key();
    let Some(ending) = engine.ending(&key) else {
        return step(Done::Succeeded, "session was closed already");
    };
    let ended = tokio::time::timeout(budget.left() / 2, ending.close_and_end()).await;
    match ended {
        Ok(Ended::Closed | Ended::Killed | Ended::Gone) => {
            engine.forget_closed(&key);
            // Retired even where the rest stays partial (SES-24).
            engine.learn(trace, [Fact::SessionClosed { key }]);
            step(Done::Succeeded, "session closed")
        }
        Ok(Ended::Left) => step(Done::Failed, "session could not be closed"),
        Err(_) => step(Done::Failed, "session did not close in time"),
    }
}

/// Without a lease nothing is guessed at or killed: it is only looked whether anything is left
/// (ELEC-53).
async fn without_proof(record: &ElectronRecord) -> Vec<CleanupStep> {
    let judge = |step, left: bool, gone: &str, kept: &str| {
        let done = if left { Done::Skipped } else { Done::Succeeded };
        CleanupStep::new(step, done, if left { kept } else { gone })
    };
    vec![
        judge(
            "process",
            main_process(record).is_some(),
            "process was gone already",
            "process left alone, no lease proves it",
        ),
        judge("debug-port", devtools::is_open(record.port).await, "port closed", "port left alone"),
        judge(
            "user-data-dir",
            Path::new(&record.user_data_dir).exists(),
            "profile was gone already",
            "profile left alone, no lease proves it",
        ),
    ]
}
