//! `probe`: what an attached app shows, in one read (ELEC-36).

use std::time::Duration;

use super::super::answers::{find, sort_out};
use super::super::execute::{NoAnswer, ask};
use super::super::{CallContext, Engine, Trace, busy};
use super::attach::{Handed, learn};
use super::scope::{Tracked, unknown};
use super::status::{mismatch, session_target};
use super::{Errand, millis};
use crate::electron::status::inspect;
use crate::error::{Checked, Refusal};
use crate::input::electron::Probe;
use crate::outcome::{FailureCategory, Outcome, Verdict};
use crate::plan::RowKind;
use crate::plan::rows::app_probe;
use crate::plan::timeouts::DEFAULT_MS;
use crate::present::electron as present;
use crate::session::key::SessionKey;
use crate::session::target::{SessionMode, Target};

pub(super) async fn run(
    engine: &Engine,
    probe: &Probe,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Outcome> {
    let tracked = launch_of(engine, probe)?;
    let key = match &tracked {
        Some(one) => one.record.key(),
        None => current(engine)?,
    };
    let launch_status = match &tracked {
        Some(one) => Some(inspect(&one.record, one.lease.is_some()).await),
        None => None,
    };
    let dead = launch_status.as_ref().is_some_and(|status| !status.is_alive());
    let target = session_target(engine, &key);
    let mut read = present::Probed { by_launch: probe.launch_id.is_some(), ..Default::default() };
    let mut page = None;
    if let Some(target) = target.filter(|_| !dead) {
        trace.target = Some(target.clone());
        let limit = millis(probe.timeout_ms, Duration::from_millis(DEFAULT_MS));
        page = read_page(engine, target, limit, context, trace, &mut read).await?;
    } else {
        read.errors.push(if dead {
            "the app is gone, nothing was read".to_owned()
        } else {
            "no session is attached to it, nothing was read".to_owned()
        });
    }
    let differs = match (&tracked, &launch_status) {
        (Some(one), Some(status)) => mismatch(engine, &one.record, status, page.as_ref()),
        _ => None,
    };
    let record = tracked.map(|one| one.record);
    let mut outcome =
        present::probed(&key.name, record.as_ref(), launch_status.as_ref(), differs, read);
    if dead {
        outcome.verdict = Verdict::Failure(FailureCategory::TabDrift);
    }
    Ok(outcome)
}

async fn read_page(
    engine: &Engine,
    target: Target,
    limit: Duration,
    context: &CallContext,
    trace: &mut Trace,
    read: &mut present::Probed,
) -> Checked<Option<(String, String)>> {
    let errand = Errand::new(engine, &["tab", "list"], target, SessionMode::Auto)?;
    let run = errand.run(engine, context, limit);
    if busy::is_in_vain(&run, trace) {
        read.errors.push("an earlier command still runs".to_owned());
        return Ok(None);
    }
    let answers = match ask(&run, &app_probe(), trace).await {
        Ok(answers) => answers,
        Err(NoAnswer::Late) => {
            read.errors.push(format!("stopped after {} ms", limit.as_millis()));
            return Ok(None);
        }
        Err(NoAnswer::Failed(outcome)) => {
            let why = outcome.answer.first().map(crate::line::Line::plain);
            read.errors.push(why.unwrap_or_default());
            return Ok(None);
        }
    };
    for (owner, answer) in answers.iter().filter(|(_, answer)| !answer.success) {
        let error = answer.error.clone().unwrap_or_default();
        read.errors.push(format!("{}: {error}", owner.kind.name()));
    }
    let tabs = find(&answers, RowKind::Tabs).filter(|answer| answer.success).cloned();
    let handed = Handed { tabs, brought: sort_out(&answers), ..Handed::default() };
    learn(&run, &handed, trace);
    let focus = find(&answers, RowKind::Focus).filter(|answer| answer.success);
    read.focus = focus.and_then(|answer| answer.data.get("result")?.get("focused").cloned());
    read.tabs = handed.tabs.map(|answer| answer.data);
    read.page = handed.brought.page;
    read.view = handed.brought.view;
    Ok(read.page.as_ref().map(|page| (page.title.clone(), page.url.clone())))
}

/// The launch that is meant: the named one, else that of the current session.
fn launch_of(engine: &Engine, probe: &Probe) -> Checked<Option<Tracked>> {
    let mut tracked = engine.tracked_apps();
    if let Some(id) = &probe.launch_id {
        return match tracked.remove(id) {
            Some(one) => Ok(Some(one)),
            None => Err(unknown(id, tracked.keys())),
        };
    }
    let Ok(key) = current(engine) else { return Ok(None) };
    Ok(tracked.into_values().find(|one| one.record.is_open() && one.record.key() == key))
}

/// Without an id only the current managed session is probed (ELEC-37).
fn current(engine: &Engine) -> Checked<SessionKey> {
    engine.state().managed_running().cloned().ok_or_else(|| {
        Refusal::invalid(
            "no session is attached, so there is nothing to probe. Launch an app, or name a \
             tracked one as electron.launchId.",
        )
    })
}
