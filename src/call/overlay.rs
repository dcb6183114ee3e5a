//! Behind a click that something stood in front of: one fresh snapshot, and what may close it
//! (DIAG-OVER, HAZ-16).

use super::Trace;
use super::answers::find;
use super::execute::Ran;
use super::look::fresh_look;
use super::run::Run;
use crate::diagnose::overlay::{Blocker, cover, judge};
use crate::outcome::Outcome;
use crate::plan::{RowKind, Step};
use crate::present::snapshot_view::view_details;

/// Upstream has found something in front of the element: nothing was done, and what only moves past
/// it is gone in a moment.
pub(super) fn is_covered(step: &Step, ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let main = find(answers, RowKind::Main).filter(|answer| !answer.success);
    main.and_then(|answer| cover(step, answer.error.as_deref()?)).is_some()
}

/// Adds the controls that may close the blocker; their refs are known from then on.
pub(super) async fn add(
    run: &Run<'_>,
    blocker: &Blocker,
    outcome: &mut Outcome,
    trace: &mut Trace,
) {
    let Some((data, page)) = fresh_look(run, trace).await else { return };
    let page = page.unwrap_or_default();
    if let Some(finding) = judge(blocker, &data, view_details(&data, &page.title, &page.doc)) {
        // Its own look at the page stands in for the general ones.
        outcome.next.retain(|action| action.id != "refresh-interactive-refs");
        outcome.details.insert(finding.key.to_owned(), finding.details.clone());
        outcome.findings.push(finding);
    }
}
