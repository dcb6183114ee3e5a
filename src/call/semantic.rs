//! A role and a name that the current snapshot knows become a ref (IN-SEM-21, DEC-41).

use crate::input::semantic::{Aim, SemanticAction};
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

/// A stale ref proves that nothing has run, so the same intent may be sent again (NEXT-13). A text is
/// never repeated (NEXT-06), and `select` has no locator that could find another element.
pub(super) fn offer_retry(action: &SemanticAction, outcome: &mut Outcome) {
    let stale = outcome.verdict == Verdict::Failure(FailureCategory::StaleRef);
    let located = matches!(action.aim, Aim::Locator { .. });
    if stale && located && action.text.is_none() {
        outcome.next.push(
            NextAction::args(
                "retry-semantic-action-after-stale-ref",
                "the stale ref proves that nothing has run",
                &action.compile().args,
            )
            .with_safety("Only for the same intended target, after a new snapshot."),
        );
    }
}
