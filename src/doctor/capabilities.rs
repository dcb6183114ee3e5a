//! Does upstream do what calls rely on (DEC-01)? The help is asked of a newer version only; the
//! shapes of its answers are looked at in every version.

use super::context::Context;
use super::trial::{THROWN, Trial};
use super::{Check, Finding};
use crate::envelope::Answer;
use crate::probe::reliance::{gap, gap_of_info};
use crate::run::upstream::{Support, TESTED_VERSION};

pub(super) const CHECK: Check =
    Check { id: "capabilities", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    let probed = context.upstream().await.as_ref().ok();
    if let Some(upstream) = probed
        && matches!(upstream.support, Support::ProbeFailed { .. } | Support::TrialFailed { .. })
    {
        return lacking(upstream.refusal_reason().unwrap_or_default());
    }
    let Some(trial) = context.trial().await else {
        return Finding::not_run("Not checked: there is no upstream that calls may use.");
    };
    let Ok(rows) = &trial.rows else {
        return Finding::not_run("Not checked: no browser answered.");
    };
    if !rows.get(2).is_some_and(|row| row.success) {
        return Finding::not_run("Not checked: no page could be opened.");
    }
    match first_gap(rows, trial) {
        None => Finding::ok(
            "Rows, stop at the first failure, refs and session info are as calls need them",
        ),
        Some(gap) => lacking(format!("agent-browser does not do what calls rely on: {gap}.")),
    }
}

fn lacking(text: String) -> Finding {
    Finding::failed(
        text,
        format!(
            "Run `agent-browser-native setup` to install {TESTED_VERSION} in a directory of its own."
        ),
    )
}

/// What is missing, of all that calls rely on.
fn first_gap(rows: &[Answer], trial: &Trial) -> Option<&'static str> {
    gap(rows, 3, THROWN).or_else(|| gap_of_info(trial.info.as_ref()))
}
