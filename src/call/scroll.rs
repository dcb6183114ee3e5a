//! A scroll that ours does in the page, and upstream's where that does not work (PLAN-67, PLAN-68).

use serde_json::Value;

use super::Trace;
use super::run::Run;
use super::single::fused;
use crate::error::Checked;
use crate::line::Line;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::plan::rewrite::plain_scroll;

/// Runs the command; any other than `scroll` runs as it is.
pub(super) async fn done(
    run: &Run<'_>,
    step: &Step,
    launching: bool,
    trace: &mut Trace,
) -> Checked<Outcome> {
    if !run.may_run_scripts()
        && let Some(instead) = plain_scroll(&step.argv, None)
    {
        return fused(run, &instead, launching, trace).await;
    }
    let outcome = fused(run, step, launching, trace).await?;
    let Some((key, evidence)) = unmoved(&outcome) else { return Ok(outcome) };
    let pixels = evidence.get("amount").and_then(Value::as_u64);
    let Some(instead) = plain_scroll(&step.argv, pixels) else { return Ok(outcome) };
    let mut evidence = evidence.clone();
    if let Some(fields) = evidence.as_object_mut() {
        fields.insert("fallback".into(), "page".into());
    }
    let mut fallback = fused(run, &instead, false, trace).await?;
    if !fallback.verdict.is_failure() {
        fallback.answer.push(Line::ours(match key {
            "scrollContainer" => "The container itself does not scroll, so the page was scrolled.",
            _ => "The document itself does not scroll.",
        }));
    }
    fallback.details.insert(key.to_owned(), evidence);
    Ok(fallback)
}

/// The evidence of a scroll that found nothing to scroll.
fn unmoved(outcome: &Outcome) -> Option<(&'static str, &Value)> {
    let found = ["scrollContainer", "scrollPage"]
        .into_iter()
        .find_map(|key| Some((key, outcome.details.get(key)?)));
    found.filter(|(_, evidence)| evidence.get("scrollable") == Some(&Value::Bool(false)))
}
