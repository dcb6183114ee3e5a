//! A role and a name that the current snapshot knows become a ref (IN-SEM-21, DEC-41).

use crate::input::semantic::SemanticAction;
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
