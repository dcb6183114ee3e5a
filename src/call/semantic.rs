//! A role and a name that the current snapshot knows become a ref (IN-SEM-21, DEC-41).

use crate::error::Checked;
use crate::input::semantic::SemanticAction;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::session::state::SessionState;

/// The command on the one current ref of that role and name; `None` leaves `find` as it is.
pub(super) fn on_current_ref(
    action: &SemanticAction,
    session: Option<&SessionState>,
) -> Option<Vec<String>> {
    let session = session.filter(|session| session.running)?;
    let refs = session.refs.as_ref()?;
    let page = session.page.as_ref()?;
    let current = !refs.doc.is_empty() && refs.doc == page.doc;
    let id = action.resolve(refs).filter(|_| current)?;
    Some(action.on_ref(id).words())
}

/// Behind a stale ref the act provably did not run: the same words may be sent again, once the page
/// was looked at (IN-SEM-31). Never for a fill, whose text no action repeats.
pub(super) fn with_retry(action: &SemanticAction, done: Checked<Outcome>) -> Checked<Outcome> {
    let mut outcome = done.unwrap_or_else(|refusal| refusal.into_outcome());
    let stale = outcome.verdict == Verdict::Failure(FailureCategory::StaleRef);
    if let Some(words) = action.find_words().filter(|_| stale && action.action != "fill") {
        let reason = "the stale ref kept the first try from running";
        let retry = NextAction::args("retry-semantic-action-after-stale-ref", reason, &words);
        outcome.next.push(retry.with_safety("only for the same intended target"));
    }
    Ok(outcome)
}
