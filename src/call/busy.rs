//! A killed client's command goes on in the daemon, and everything queues behind it (HAZ-07).

use std::time::Duration;

use super::execute::process;
use super::launch::invocation;
use super::run::Run;
use super::{Engine, Trace, dialogs, progress};
use crate::electron::devtools::{choose, targets};
use crate::error::{Checked, Refusal};
use crate::input::electron::TargetType;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::plan::Step;
use crate::plan::tab::opened;
use crate::run::End;
use crate::run::devtools::{loopback_port, stop_loading};
use crate::run::places::socket_dir_of;
use crate::session::fact::{Busy, Fact};
use crate::session::key::SessionKey;
use crate::session::lease::{devtools_url, now_seconds};
use crate::session::reap::Ended;

/// Upstream ends any command by itself within about this time.
const UPSTREAM_LIMIT: u64 = 30;
/// A slice of a `wait` ends within this time.
const SLICE_LIMIT: u64 = 2;
/// How long a pending navigation may go on behind a command that does not replace it.
const PATIENCE: Duration = Duration::from_secs(3);
/// Beyond its limit by this much, a daemon counts as stuck for ever.
const STUCK_AFTER: u64 = 10;
/// `session info` takes a few milliseconds where nothing is wrong.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
const STOP_LIMIT: Duration = Duration::from_millis(800);

/// Makes the way free for a call on a session that may be busy, or is stuck for ever.
pub(super) async fn clear_way(run: &Run<'_>, trace: &mut Trace) -> Checked<()> {
    let Some(busy) = run.session.as_ref().and_then(|session| session.busy) else { return Ok(()) };
    let Some(key) = run.target.key() else { return Ok(()) };
    let left = busy.until.saturating_sub(now_seconds());
    if is_stopped(run, key) {
        end_stuck(run, key, trace).await
    } else if left == 0 {
        behind_its_time(run, key, busy, trace).await
    } else if busy.navigating {
        if replaces_page(run) {
            let stopped = run.engine.stop_loading(key).await;
            if !stopped && run.clock.left() < Duration::from_secs(left) {
                return Err(still_busy(left));
            }
        } else if !waits_for_page(run) {
            trace.nudge_after = Some(PATIENCE);
        }
        Ok(())
    } else if run.clock.left() < Duration::from_secs(left) {
        Err(still_busy(left))
    } else {
        Ok(())
    }
}

/// The daemon of a session of ours was stopped from outside: it does nothing until it is continued.
fn is_stopped(run: &Run<'_>, key: &SessionKey) -> bool {
    let lease = run.engine.leases.read(&run.engine.options.places.socket_dir, key);
    let daemon = lease.filter(|_| run.target.is_managed()).and_then(|lease| lease.daemon);
    daemon.is_some_and(|daemon| daemon.is_stopped())
}

/// The time of what was cut is over: any answer shows that it has ended. Then it has nothing to do
/// with what becomes of this call.
async fn behind_its_time(
    run: &Run<'_>,
    key: &SessionKey,
    busy: Busy,
    trace: &mut Trace,
) -> Checked<()> {
    // It never starts anything, and waits in the queue like every other command.
    let words = vec!["session".to_owned(), "info".to_owned()];
    let limit = ANSWER_LIMIT.min(run.clock.left());
    let asked = invocation(run, words, Vec::new(), false, limit).await?;
    match process(run, asked, trace).await?.end {
        End::Exited => {
            is_free(run, trace);
            Ok(())
        }
        // Too short a time proves nothing.
        End::TimedOut if limit < ANSWER_LIMIT => Err(still_busy(STUCK_AFTER)),
        End::TimedOut if run.target.is_managed() => {
            match (busy.until + STUCK_AFTER).saturating_sub(now_seconds()) {
                0 => end_stuck(run, key, trace).await,
                left => Err(still_busy(left)),
            }
        }
        End::TimedOut | End::Cancelled => Ok(()),
    }
}

/// `open`, `back`, `forward`, `reload`, `tab`, `close`: the pending page is not wanted any more.
fn replaces_page(run: &Run<'_>) -> bool {
    run.request.steps.first().is_some_and(|step| {
        matches!(step.argv.name(), "open" | "back" | "forward" | "reload" | "tab" | "close")
    })
}

/// `wait --load` and `wait --url` are for the page that is on its way.
fn waits_for_page(run: &Run<'_>) -> bool {
    run.request.steps.first().is_some_and(|step| {
        let waits = |flag| step.argv.own_value(flag).is_some();
        step.argv.name() == "wait" && (waits("--load") || waits("--url"))
    })
}

fn still_busy(left: u64) -> Box<Refusal> {
    let line = format!(
        "nothing was done, an earlier command still runs and the browser may stay busy for up to {left} s."
    );
    Refusal::new(FailureCategory::Timeout, line).next(NextAction::params_of(
        "retry-with-fresh-session",
        "go on in a new browser at once",
        serde_json::json!({ "args": ["open", "about:blank"], "sessionMode": "fresh" }),
    ))
}

/// Facts and words for a call whose client was killed.
pub(super) async fn client_killed(
    run: &Run<'_>,
    launching: bool,
    outcome: &mut Outcome,
    trace: &mut Trace,
) {
    let Some(key) = run.target.key() else { return };
    if outcome.verdict == Verdict::Failure(FailureCategory::Timeout) {
        let free = progress::report(run, launching, outcome, trace).await;
        dialogs::after_timeout(run, outcome);
        if free {
            is_free(run, trace);
            outcome.answer.push(Line::ours("The browser is free again."));
            return;
        }
    }
    let limit = limit_of(&run.request.steps);
    mark(run, key, limit, trace);
    outcome.answer.push(Line::ours(stays_busy(limit)));
}

/// The session is busy from now on. A mark whose time is not over stays, so that it comes to an end.
fn mark(run: &Run<'_>, key: &SessionKey, limit: u64, trace: &mut Trace) {
    let now = now_seconds();
    let busy = busy_now(run, key).filter(|old| old.until > now).unwrap_or_else(|| Busy {
        until: now + limit,
        navigating: run.request.steps.iter().any(may_navigate),
    });
    run.engine.learn(trace, [Fact::Busy { key: key.clone(), busy: Some(busy) }]);
}

/// What is known by now, not when the call began.
fn busy_now(run: &Run<'_>, key: &SessionKey) -> Option<Busy> {
    run.engine.state().session(key)?.busy
}

fn stays_busy(seconds: u64) -> String {
    format!("The browser may stay busy for up to {seconds} s.")
}

/// Whether a read of our own would only wait: the session is busy for longer than it may take.
/// That is said.
pub(super) fn is_in_vain(run: &Run<'_>, trace: &mut Trace) -> bool {
    let Some(busy) = run.session.as_ref().and_then(|session| session.busy) else { return false };
    let left = busy.until.saturating_sub(now_seconds());
    let in_vain = run.clock.left() < Duration::from_secs(left);
    if in_vain {
        trace.notes.push(stays_busy(left));
    }
    in_vain
}

/// The browser has answered, so nothing of before holds it back.
pub(super) fn is_free(run: &Run<'_>, trace: &mut Trace) {
    if let Some(key) = run.target.key().filter(|key| busy_now(run, key).is_some()) {
        run.engine.learn(trace, [Fact::Busy { key: key.clone(), busy: None }]);
    }
}

/// A question of ours was cut and goes on in the daemon: that is said.
pub(super) fn goes_on(run: &Run<'_>, trace: &mut Trace) {
    let Some(key) = run.target.key() else { return };
    mark(run, key, UPSTREAM_LIMIT, trace);
    trace.notes.push(stays_busy(UPSTREAM_LIMIT));
}

fn limit_of(steps: &[Step]) -> u64 {
    let waits = steps
        .iter()
        .all(|step| step.argv.name() == "wait" && !step.argv.has_own_flag("--download"));
    if waits && steps.len() == 1 { SLICE_LIMIT } else { UPSTREAM_LIMIT }
}

/// Commands that may have started a navigation. A script that navigates answers at once; one that
/// hangs is no navigation.
fn may_navigate(step: &Step) -> bool {
    let observable = step.argv.traits().caps.navigation_observable && step.argv.name() != "eval";
    let opens = step.argv.is_open_like() || opened(step).is_some();
    observable || opens || matches!(step.argv.name(), "press" | "find" | "tap")
}

/// A daemon that is stopped or busy beyond every limit is ended by the lease's proof. What that means
/// for the call is told by who looks for its browser next.
async fn end_stuck(run: &Run<'_>, key: &SessionKey, trace: &mut Trace) -> Checked<()> {
    let Some(ending) = run.engine.ending(key) else { return Ok(()) };
    // It goes on where the call's time is over first.
    let ended = run.within(run.engine.background.spawn(ending.end_only())).await?;
    if !ended.is_ok_and(|ended| ended != Ended::Left) {
        return Err(still_busy(UPSTREAM_LIMIT));
    }
    trace.notes.push("The browser did not answer any more and was ended.".to_owned());
    Ok(())
}

impl Engine {
    /// Ends a pending navigation from outside; upstream's own files name the tab.
    pub(super) async fn stop_loading(&self, key: &SessionKey) -> bool {
        let socket_dir = &self.options.places.socket_dir;
        let known = self.leases.read(socket_dir, key).and_then(|lease| lease.cdp_url);
        let Some(cdp_url) = known.or_else(|| devtools_url(socket_dir, key)) else { return false };
        let Some(tab) = self.tab_of(key, &cdp_url).await else { return false };
        stop_loading(&cdp_url, &tab, STOP_LIMIT).await
    }

    /// The tab of a session. Upstream writes it down behind its first command; until then a browser
    /// has one page that is not its own.
    async fn tab_of(&self, key: &SessionKey, cdp_url: &str) -> Option<String> {
        let dir = socket_dir_of(&self.options.places.socket_dir, key.namespace.as_deref());
        if let Ok(text) = std::fs::read(dir.join(format!("{}.target", key.name))) {
            let target: serde_json::Value = serde_json::from_slice(&text).ok()?;
            return target.get("targetId")?.as_str().map(str::to_owned);
        }
        let all = targets(loopback_port(cdp_url)?).await?;
        choose(&all, TargetType::Page).map(|page| page.id.clone())
    }
}
