//! A role and a name that the current snapshot knows become a ref (IN-SEM-21, DEC-41).

use super::answers::{Brought, sort_out};
use super::execute::{Ran, rows};
use super::prepare::Request;
use super::run::Run;
use super::{Trace, facts, starting, tabs};
use crate::error::Checked;
use crate::input::Mode;
use crate::input::semantic::SemanticAction;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::plan::Step;
use crate::plan::rows::view;
use crate::session::fact::Fact;
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

/// What one look at the page came to.
pub(super) enum Looked {
    /// There was none, or it found none or several: `find` goes as it is, and says why.
    Nothing,
    /// The same act on the one ref that it found.
    Ref(Box<Request>),
    /// The call ends with it.
    Ended(Box<Outcome>),
}

/// One fresh look for a role and name, where a running session has no current refs (DEC-41).
pub(super) async fn look(run: &Run<'_>, step: &Step, trace: &mut Trace) -> Checked<Looked> {
    let Mode::Semantic(action) = &run.input.mode else { return Ok(Looked::Nothing) };
    let session = run.session.as_ref().filter(|session| session.running && session.page.is_some());
    let looks = session.is_some_and(|session| !has_current_refs(session));
    if !looks || !action.names_a_role() || !run.may_run_scripts() {
        return Ok(Looked::Nothing);
    }
    let plan = tabs::pinned(run, session, view(true));
    let answers = match rows(run, &plan, false, trace).await? {
        Ran::Rows(answers) => answers,
        Ran::Failed(failed) if failed.cut => {
            let whole = starting::whole_failure(run, failed, false, trace).await;
            return Ok(Looked::Ended(Box::new(whole)));
        }
        Ran::Failed(_) => return Ok(Looked::Nothing),
    };
    if let Some(lost) = starting::behind_process(run, step, &answers, false, trace) {
        return Ok(Looked::Ended(Box::new(lost)));
    }
    let Brought { view: Some(data), page, .. } = sort_out(&answers) else {
        return Ok(Looked::Nothing);
    };
    let refs = facts::ref_snapshot(&data, page.as_ref(), vec!["-i".to_owned()]);
    let (Some(id), Some(key)) = (action.resolve(&refs), run.target.key()) else {
        return Ok(Looked::Nothing);
    };
    run.engine.learn(trace, [Fact::Refs { key: key.clone(), refs }]);
    let mut request = run.request.clone();
    request.replace_words(action.on_ref(id).words(), &run.engine.options.cwd)?;
    Ok(Looked::Ref(Box::new(request)))
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
