//! A row behind `close`: upstream would start another browser for it, without options and without a
//! lease.

use super::GuardContext;
use crate::error::{Checked, Refusal};

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Some(at) = context.steps.iter().position(|step| step.argv.is_close()) else {
        return Ok(());
    };
    if at + 1 == context.steps.len() {
        return Ok(());
    }
    let sentence = format!(
        "nothing was done. Step {} stands behind close (step {}), which ends the browser.",
        at + 2,
        at + 1,
    );
    Err(Refusal::invalid(sentence).hint(
        "Agent-browser hint: put close last, and send the other rows in a call of their own.",
    ))
}
