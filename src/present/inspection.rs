//! Plain-text inspection: `--help`, `--version` (RES-24).

use super::scalar::value_outcome;
use crate::outcome::{Outcome, SuccessCategory, Verdict};

/// The text as upstream printed it.
#[must_use]
pub fn present(stdout: &str) -> Outcome {
    let mut outcome =
        value_outcome(&serde_json::Value::String(stdout.to_owned()), "Help text of agent-browser");
    outcome.verdict = Verdict::Success(SuccessCategory::Inspection);
    outcome.details.insert("inspection".into(), true.into());
    outcome.details.insert("stdout".into(), stdout.into());
    outcome
}
