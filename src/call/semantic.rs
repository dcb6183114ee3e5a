//! A role and a name that the current snapshot knows become a ref (IN-SEM-21, DEC-41).

use super::look::fresh_look;
use super::prepare::Request;
use super::run::Run;
use super::segment::current_session;
use super::{Trace, busy, facts};
use crate::error::Checked;
use crate::input::Mode;
use crate::input::semantic::SemanticAction;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::session::state::SessionState;

/// The command on the one current ref of that role and name; `None` leaves `find` as it is.
pub(super) fn on_current_ref(
    action: &SemanticAction,
    session: Option<&SessionState>,
) -> Option<Vec<String>> {
    let session = session.filter(|session| has_current_refs(session))?;
    let id = action.resolve(session.refs.as_ref()?)?;
    Some(action.on_ref(id).words())
}

/// The snapshot is one of the page that is shown.
fn has_current_refs(session: &SessionState) -> bool {
    let docs = session.refs.as_ref().zip(session.page.as_ref());
    session.running && docs.is_some_and(|(refs, page)| !refs.doc.is_empty() && refs.doc == page.doc)
}

/// The request on the ref that one fresh look has found, where a running session has no current refs
/// (DEC-41). Nothing where that look fails, or finds none or several: `find` then says why.
pub(super) async fn after_a_look(run: &Run<'_>, trace: &mut Trace) -> Checked<Option<Request>> {
    let Mode::Semantic(action) = &run.input.mode else { return Ok(None) };
    let known = run.session.as_ref().filter(|session| session.running && session.page.is_some());
    let looks = known.is_some_and(|session| !has_current_refs(session));
    if !looks || !action.names_a_role() || !run.may_run_scripts() {
        return Ok(None);
    }
    busy::clear_way(run, trace).await?;
    let Some((_, Some(page))) = fresh_look(run, trace).await else { return Ok(None) };
    facts::page_at(run, &page, trace);
    let Some(words) = on_current_ref(action, current_session(run).as_ref()) else {
        return Ok(None);
    };
    let mut request = run.request.clone();
    request.replace_words(words, &run.engine.options.cwd)?;
    Ok(Some(request))
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
