//! Does upstream do what calls rely on (DEC-01)? The help is asked of a newer version only; the
//! shapes of its answers are looked at in every version.

use serde_json::Value;

use super::context::Context;
use super::trial::{THROWN, Trial};
use super::{Check, Finding};
use crate::envelope::Answer;
use crate::run::upstream::{Support, TESTED_VERSION};

pub(super) const CHECK: Check =
    Check { id: "capabilities", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    let probed = context.upstream().await.as_ref().ok();
    if let Some(upstream) = probed
        && matches!(upstream.support, Support::ProbeFailed { .. })
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
    let numbered = rows.iter().enumerate().all(|(at, row)| row.index == Some(at));
    if !numbered {
        return Some("rows do not come back in their order");
    }
    let snapshot = rows.get(3)?;
    if !snapshot.success || !has_button(&snapshot.data) {
        return Some("a snapshot does not list its refs with role and name");
    }
    let thrown = rows.get(4);
    let says_why = |row: &Answer| row.error.as_deref().is_some_and(|error| error.contains(THROWN));
    if !thrown.is_some_and(|row| !row.success && says_why(row)) {
        return Some("a script that throws does not fail with its own message");
    }
    if rows.len() > 5 {
        return Some("a row ran behind a failed one in spite of --bail");
    }
    let running = trial.info.as_ref().is_some_and(|info| {
        info.get("active") == Some(&Value::Bool(true)) && info.get("pid").is_some_and(Value::is_u64)
    });
    (!running).then_some("session info does not name the running background process")
}

fn has_button(data: &Value) -> bool {
    let Some(refs) = data.get("refs").and_then(Value::as_object) else { return false };
    refs.iter().any(|(id, entry)| {
        let numbered = id.strip_prefix('e').is_some_and(|number| number.parse::<u64>().is_ok());
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        numbered && text("role") == Some("button") && text("name").is_some()
    })
}
