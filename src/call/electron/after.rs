//! Ordinary calls on the session of an app: is it still there, and what is different about it.

use std::time::{Duration, Instant};

use super::super::run::Run;
use super::super::{Engine, Trace};
use crate::address::is_loopback;
use crate::command::Class;
use crate::command::verbs::nothing_was_done_by;
use crate::diagnose::electron::{self as judge, AppContext};
use crate::electron::devtools;
use crate::electron::lease::{AppLease, main_process};
use crate::electron::status::inspect;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome, Verdict};
use crate::present::electron::next_for_gone;
use crate::present::fold_findings;
use crate::session::electron::ElectronRecord;
use crate::session::fact::Fact;
use crate::session::target::Target;

/// Diagnostics that are wrong too often on the chrome of desktop apps (ELEC-58).
pub(in crate::call) const OFF_FOR_APPS: [&str; 2] = ["clickDispatch", "overlayBlockers"];
/// How long a dying app may take to be seen dead.
const DYING: Duration = Duration::from_millis(800);
const POLL: Duration = Duration::from_millis(40);

/// An app whose process is gone is not asked anything: upstream would try to start it anew.
pub(in crate::call) async fn refuse_when_gone(
    engine: &Engine,
    request: &super::super::prepare::Request,
    target: &Target,
) -> Checked<()> {
    let Some(record) = target.key().and_then(|key| engine.state().app_of(key).cloned()) else {
        return Ok(());
    };
    let harmless = request.argv.is_close() || request.argv.name() == "connect";
    // An app that was killed closes its port a moment before its process is gone.
    if harmless || lives(&record).await {
        return Ok(());
    }
    let words = &request.argv.words;
    let line = Line::ours(format!("{}. The app ", nothing_was_done_by(words)))
        .quote(&record.app_name)
        .and(format!(" of this session ({}) has ended.", record.launch_id));
    let mut refusal = Refusal::new(FailureCategory::TabDrift, line).detail(
        "electronPostCommandHealth",
        judge::gone_details(&record, false, false, "process-gone"),
    );
    refusal.next = next_for_gone(&record.launch_id);
    Err(refusal)
}

/// What a call on the session of an app has to say besides its own result.
pub(in crate::call) async fn after_command(
    run: &Run<'_>,
    trace: &mut Trace,
    outcome: &mut Outcome,
) {
    let Some(key) = run.target.key() else { return };
    let Some(record) = run.engine.state().app_of(key).cloned() else { return };
    let url = run.engine.state().session(key).and_then(|session| session.page.clone());
    let context = AppContext {
        record: &record,
        url: url.map(|page| page.url).unwrap_or_default(),
        changed: trace.page_changed,
    };
    if let Some(finding) = health(run, &context, trace, outcome).await {
        outcome.next.clear();
        fold_findings(outcome, vec![finding]);
        return;
    }
    if !outcome.verdict.is_failure() {
        fold_findings(outcome, judge::soft(&run.request.steps, &context));
    }
}

/// The app died, or its page is blank now (DIAG-EHLTH).
async fn health(
    run: &Run<'_>,
    context: &AppContext<'_>,
    trace: &Trace,
    outcome: &Outcome,
) -> Option<crate::outcome::Finding> {
    let acted = run.request.steps.iter().any(|step| step.argv.traits().class == Class::Act);
    let broken = matches!(
        outcome.verdict,
        Verdict::Failure(
            FailureCategory::UpstreamError | FailureCategory::TabDrift | FailureCategory::TabGone
        )
    );
    if (!acted && !broken) || trace.processes == 0 {
        return None;
    }
    let record = context.record;
    // A page that answered behind the command lives; without its word a dying app gets a moment.
    let answered = trace.facts.iter().any(|fact| matches!(fact, Fact::PageAt { .. }));
    let alive = if answered && !broken { lives(record).await } else { outlives(record).await };
    let blank = context.url == "about:blank"
        && run
            .session
            .as_ref()
            .and_then(|session| session.page.as_ref())
            .is_some_and(|page| !page.url.is_empty() && page.url != "about:blank");
    if alive && !blank {
        return None;
    }
    let status = inspect(record, true).await;
    let reason = if alive { "blank-target" } else { "process-gone" };
    Some(judge::health(context, status.pid_alive, status.port_alive, reason))
}

async fn lives(record: &ElectronRecord) -> bool {
    main_process(record).is_some() && devtools::is_open(record.port).await
}

async fn outlives(record: &ElectronRecord) -> bool {
    let end = Instant::now() + DYING;
    while Instant::now() < end {
        if !lives(record).await {
            return false;
        }
        tokio::time::sleep(POLL).await;
    }
    true
}

/// A `connect` of the caller may lead to an app that was launched here: its session is the app's
/// from now on (NEXT-45).
pub(in crate::call) fn attached(run: &Run<'_>, trace: &mut Trace, outcome: &Outcome) {
    let argv = &run.request.argv;
    if outcome.verdict.is_failure() || argv.name() != "connect" {
        return;
    }
    let Some(key) = run.target.key() else { return };
    run.engine.learn(trace, [Fact::Connected { key: key.clone() }]);
    let operands = argv.operands();
    let Some(port) = operands.first().and_then(|operand| port_of(operand)) else { return };
    let launch = run.engine.tracked_apps().into_values().find(|one| {
        one.record.is_open() && one.record.port == port && main_process(&one.record).is_some()
    });
    if let Some(one) = launch {
        let mut record = one.record;
        record.session_name.clone_from(&key.name);
        if let Some(lease) = one.lease {
            // The old name is all that a lease which cannot be written would tell.
            let _ = run.engine.apps.write(&AppLease { record: record.clone(), ..lease });
        }
        run.engine.learn(trace, [Fact::ElectronLaunched { record }]);
    }
}

fn port_of(operand: &str) -> Option<u16> {
    if let Ok(port) = operand.parse() {
        return Some(port);
    }
    let url = url::Url::parse(operand).ok()?;
    is_loopback(&url).then(|| url.port()).flatten()
}
