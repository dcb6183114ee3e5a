//! A browser or a page that is not there any more: noticed, said, and how it comes back (HAZ-03).

use super::Trace;
use super::run::Run;
use crate::command::verbs::nothing_was;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome};
use crate::plan::{Owner, Step};
use crate::present::failure::reopen;
use crate::run::proc::ProcId;
use crate::session::fact::{Fact, Invalidation, LaunchRecord};
use crate::session::key::SessionKey;
use crate::session::lease;

/// What an `open` says that had to start the browser again.
pub(super) const NEW_BROWSER: &str = "The earlier browser was gone; this is a new one.";

/// The page is lost: said, with the call that brings it back (HAZ-03).
pub(super) fn lost_refusal(run: &Run<'_>, before_spawn: bool) -> Box<Refusal> {
    let command = run.request.argv.command().map_or("", |command| command.name);
    let first = if before_spawn { format!("{}. ", nothing_was(command)) } else { String::new() };
    let line = Line::ours(first).and("The browser of this session is gone, and its page with it.");
    lost(run, line)
}

/// A blank page has taken the place of the page: its tab or its browser went. The command of the
/// call did not run.
pub(super) fn blank_instead(run: &Run<'_>, trace: &mut Trace) -> Outcome {
    if let Some(key) = run.target.key() {
        run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
        if run.target.is_managed() {
            // The blank page may lack the launch options: the next call launches anew.
            run.engine.close_later(key.clone());
        }
    }
    let command = run.request.argv.command().map_or("", |command| command.name);
    let line = Line::ours(format!("{}. ", nothing_was(command)))
        .and("The page of this session is gone, a blank one has taken its place.");
    lost(run, line).into_outcome()
}

/// The browser that the lease proves is dead: upstream has put another one in its place, without
/// its launch options. `None` while it lives, and for sessions that are not ours.
pub(super) fn replaced_browser(run: &Run<'_>, ran: bool, trace: &mut Trace) -> Option<Outcome> {
    let key = run.target.key().filter(|_| run.target.is_managed())?;
    let lease = run.engine.leases.read(&run.engine.options.places.socket_dir, key)?;
    if lease.browsers.is_empty() || lease.browsers.iter().any(ProcId::is_alive) {
        return None;
    }
    run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
    run.engine.close_later(key.clone());
    Some(lost_refusal(run, !ran).into_outcome())
}

fn lost(run: &Run<'_>, line: Line) -> Box<Refusal> {
    let mut refusal = Refusal::new(FailureCategory::TabDrift, line);
    let url =
        run.session.as_ref().and_then(|session| session.page.as_ref()).map(|page| page.url.clone());
    if let Some(url) = url.filter(|url| !url.is_empty() && url != "about:blank") {
        refusal = refusal.next(reopen(&url));
    }
    refusal.detail(
        "refSnapshotInvalidation",
        serde_json::json!({
            "reason": Invalidation::PageLost.name(),
            "summary": "the browser was lost; take a new snapshot",
        }),
    )
}

/// The lease proves that the session has lost its daemon or its browser: upstream would start
/// another one without its launch options.
pub(super) fn is_proven(run: &Run<'_>, key: &SessionKey) -> bool {
    let Some(mut lease) = run.engine.leases.read(&run.engine.options.places.socket_dir, key) else {
        return false;
    };
    let is_dead = |process: &ProcId| !process.is_alive();
    if lease.daemon.as_ref().is_some_and(is_dead) {
        return true;
    }
    // The browser itself stands in front of the processes that it started.
    if !lease.browsers.first().is_some_and(is_dead) {
        return false;
    }
    lease::complete(&mut lease);
    lease.browsers.iter().all(is_dead)
}

/// A browser that upstream replaced by itself, or that ended below the command (HAZ-03).
pub(super) fn lost_page(
    run: &Run<'_>,
    step: &Step,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) -> Option<Outcome> {
    let key = run.target.key()?;
    if launching || !run.is_running() {
        return None;
    }
    lost_at(run, answers)?;
    let ended = answers.iter().any(|(_, answer)| has_ended(run, answer));
    run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
    if !run.target.is_managed() {
        lives_on(run, key, answers, trace);
    }
    if run.target.is_managed() {
        // Upstream restarted it without its launch options: the next call launches it anew.
        run.engine.close_later(key.clone());
    }
    if ended {
        let line = Line::ours("The browser ended while this ran, and its page is gone.");
        return Some(lost(run, line).into_outcome());
    }
    if step.argv.is_open_like() && !run.target.is_managed() {
        trace.notes.push(NEW_BROWSER.to_owned());
        return None;
    }
    Some(lost_refusal(run, false).into_outcome())
}

/// The first step whose answers tell that the browser has ended, or that it is another one.
pub(super) fn lost_at(run: &Run<'_>, answers: &[(Owner, Answer)]) -> Option<usize> {
    let tells = |answer: &Answer| has_ended(run, answer) || is_replaced(run, answer);
    answers.iter().find(|(_, answer)| tells(answer)).map(|(owner, _)| owner.step)
}

/// The browser ended below the command. What became of an app is told by the diagnostic for apps.
fn has_ended(run: &Run<'_>, answer: &Answer) -> bool {
    let told = !answer.success && answer.error.as_deref().is_some_and(tells_of_an_end);
    told && !run.is_app()
}

/// Upstream's words for a browser that went away below a command, or just before one was sent to it.
fn tells_of_an_end(error: &str) -> bool {
    const SAID: [&str; 2] = ["CDP connection closed", "CDP response channel closed"];
    const UNSENT: [&str; 4] = [
        "Trying to work with closed connection",
        "Connection closed normally",
        "WebSocket protocol error: Sending after closing is not allowed",
        "IO error: ",
    ];
    let unsent = error.strip_prefix("Failed to send CDP command: ");
    SAID.contains(&error)
        || unsent.is_some_and(|why| UNSENT.iter().any(|known| why.starts_with(known)))
}

/// The answer is that of another browser than before.
fn is_replaced(run: &Run<'_>, answer: &Answer) -> bool {
    let known = run.session.as_ref().and_then(|session| session.launch.launch_hash);
    answer.lifecycle.as_ref().is_some_and(|lifecycle| {
        let changed = known.zip(lifecycle.launch_hash).is_some_and(|(before, now)| before != now);
        lifecycle.launched || lifecycle.restarted_background || changed
    })
}

/// A session of the caller goes on with the new browser.
fn lives_on(run: &Run<'_>, key: &SessionKey, answers: &[(Owner, Answer)], trace: &mut Trace) {
    let hash = answers.iter().rev().find_map(|(_, answer)| answer.lifecycle.as_ref()?.launch_hash);
    let launch = LaunchRecord { launch_hash: hash, ..LaunchRecord::default() };
    let reason = Invalidation::PageLost;
    run.engine.learn(
        trace,
        [
            Fact::SessionStarted { key: key.clone(), launch },
            Fact::RefsInvalidated { key: key.clone(), reason },
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::tells_of_an_end;

    // HAZ-03, HAZ-17
    #[test]
    fn a_browser_that_is_gone_is_known_before_and_after_a_command_was_sent() {
        for said in [
            "CDP connection closed",
            "CDP response channel closed",
            "Failed to send CDP command: Trying to work with closed connection",
            "Failed to send CDP command: Connection closed normally",
            "Failed to send CDP command: WebSocket protocol error: Sending after closing is not allowed",
            "Failed to send CDP command: IO error: Broken pipe (os error 32)",
        ] {
            assert!(tells_of_an_end(said), "{said}");
        }
        for said in [
            "Failed to send CDP command: Space limit exceeded: Message too long: 9 > 8",
            "Evaluation error: CDP connection closed",
            "Trying to work with closed connection",
            "",
        ] {
            assert!(!tells_of_an_end(said), "{said}");
        }
    }
}
