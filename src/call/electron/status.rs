//! `status`: looks at tracked launches and changes nothing (ELEC-32).

use std::time::Duration;

use super::super::answers::sort_out;
use super::super::execute::ask;
use super::super::{CallContext, Engine, Trace, busy};
use super::scope::{Tracked, chosen};
use super::{Errand, millis};
use crate::address::without_fragment;
use crate::electron::status::{LaunchStatus, inspect};
use crate::error::Checked;
use crate::input::electron::Scope;
use crate::outcome::Outcome;
use crate::plan::rows::place;
use crate::plan::timeouts::DEFAULT_MS;
use crate::present::electron::{self as present, LaunchShown, Mismatch};
use crate::session::electron::ElectronRecord;
use crate::session::key::SessionKey;
use crate::session::target::{SessionMode, Target};

pub(super) async fn run(
    engine: &Engine,
    scope: &Scope,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Outcome> {
    let launches = chosen(engine, &scope.which, "status")?;
    let limit = millis(scope.timeout_ms, Duration::from_millis(DEFAULT_MS));
    let mut shown = Vec::new();
    for Tracked { record, lease } in launches {
        let status = inspect(&record, lease.is_some()).await;
        let page = session_page(engine, &record, limit, context, trace).await;
        let mismatch = mismatch(engine, &record, &status, page.as_ref());
        shown.push(LaunchShown { record, status, page, mismatch });
    }
    Ok(present::status(&shown))
}

/// Title and address of the session that is attached to a launch.
pub(super) async fn session_page(
    engine: &Engine,
    record: &ElectronRecord,
    limit: Duration,
    context: &CallContext,
    trace: &mut Trace,
) -> Option<(String, String)> {
    let key = record.key();
    let target = session_target(engine, &key)?;
    let errand = Errand::new(engine, &["get", "url"], target, SessionMode::Auto).ok()?;
    let run = errand.run(engine, context, limit);
    if busy::is_in_vain(&run, trace) {
        return None;
    }
    let answers = ask(&run, &place(), trace).await.ok()?;
    sort_out(&answers).page.map(|page| (page.title, page.url))
}

/// The session of a launch, while it runs. It keeps the options it was started with.
pub(super) fn session_target(engine: &Engine, key: &SessionKey) -> Option<Target> {
    let state = engine.state();
    let running = state.session(key).is_some_and(|session| session.running);
    let ordinal = state.managed.current.as_ref().map_or(0, |(_, ordinal)| *ordinal);
    running.then(|| Target::Managed { key: key.clone(), ordinal, fresh: false })
}

/// How the current session differs from a launch that lives (ELEC-35).
pub(super) fn mismatch(
    engine: &Engine,
    record: &ElectronRecord,
    status: &LaunchStatus,
    page: Option<&(String, String)>,
) -> Option<Mismatch> {
    if !status.is_alive() {
        return None;
    }
    let current = engine.state().managed_running().map(|key| key.name.clone());
    let running = session_target(engine, &record.key()).is_some();
    let url = page.map(|(_, url)| url.clone());
    let known = url.as_deref().is_none_or(|url| {
        let here = without_fragment(url);
        status.targets.iter().any(|target| without_fragment(&target.url) == here)
    });
    let reason = if !running {
        "session-closed"
    } else if current.as_deref() != Some(record.session_name.as_str()) {
        "current-session-differs"
    } else if !known {
        "page-is-no-target"
    } else {
        return None;
    };
    Some(Mismatch { reason, current_session: current, current_url: url })
}
