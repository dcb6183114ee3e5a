//! An upstream newer than the tested one: said once a session, and tried at its first launch (DEC-01).

use std::time::Duration;

use serde_json::Value;

use super::execute::process;
use super::run::Run;
use super::{Trace, launch};
use crate::envelope::{Envelope, parse};
use crate::error::{Checked, Refusal};
use crate::outcome::FailureCategory;
use crate::plan::{Owner, Plan, Row, RowKind};
use crate::probe::reliance;
use crate::run::upstream::{Upstream, record_trial};

const TRIAL_LIMIT: Duration = Duration::from_secs(20);
const INFO_LIMIT: Duration = Duration::from_secs(3);

/// The line for the first answer of a session.
pub(super) async fn say(run: &Run<'_>, trace: &mut Trace) -> Checked<()> {
    let upstream = run.engine.usable_upstream(run).await?;
    trace.notes.extend(upstream.newer_note());
    Ok(())
}

/// Tries what calls rely on, on the blank page of a browser that this call starts anyway. A version
/// is tried once; it is refused from then on if it fails.
pub(super) async fn try_out(run: &Run<'_>, trace: &mut Trace) -> Checked<()> {
    let upstream = run.engine.usable_upstream(run).await?;
    // A browser that is not ours alone may show a page: nothing is put into that.
    let foreign = ["--cdp", "--auto-connect", "--provider"]
        .iter()
        .any(|flag| run.request.argv.global(flag).is_some());
    if !upstream.needs_trial() || foreign || !run.may_run_scripts() {
        return Ok(());
    }
    let Some(gap) = trial(run, trace).await? else {
        record_trial(&upstream, None, &run.engine.options.places);
        run.engine.forget_upstream().await;
        return Ok(());
    };
    record_trial(&upstream, Some(gap), &run.engine.options.places);
    run.engine.forget_upstream().await;
    if let Some(key) = run.target.key() {
        run.engine.close_later(key.clone());
    }
    Err(refused(&upstream, gap))
}

fn refused(upstream: &Upstream, gap: &str) -> Box<Refusal> {
    let reason = upstream.lacks(gap);
    Refusal::new(FailureCategory::MissingBinary, format!("nothing was done, {reason}."))
}

/// The first thing that is missing; a browser that does not start at all is the call's own matter.
async fn trial(run: &Run<'_>, trace: &mut Trace) -> Checked<Option<&'static str>> {
    let owner = Owner { kind: RowKind::Look, step: 0 };
    let rows = reliance::rows().into_iter().map(|argv| Row { owner, argv }).collect();
    let plan = Plan { rows, bail: true, ..Plan::default() };
    let limit = run.deadline()?.min(TRIAL_LIMIT);
    let asked = launch::invocation(run, plan.tokens(), plan.stdin(false), true, limit).await?;
    let done = process(run, asked, trace).await?;
    let Envelope::Rows(answers) = parse(&done.stdout) else { return Ok(None) };
    if let Some(gap) = reliance::gap(&answers, 1, reliance::THROWN) {
        return Ok(Some(gap));
    }
    let words = vec!["session".to_owned(), "info".to_owned()];
    let asked = launch::invocation(run, words, Vec::new(), true, INFO_LIMIT).await?;
    let done = process(run, asked, trace).await?;
    let whole: Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
    Ok(reliance::gap_of_info(whole.get("data")))
}
