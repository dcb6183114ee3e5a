//! Which document of each session keeps the library of our page scripts. Known to this process alone:
//! where it is wrong, the row says so, and the rows go again with the library.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::execute::Ran;
use super::run::Run;
use crate::envelope::Answer;
use crate::plan::Plan;
use crate::probe::library::{is_absent, is_call};
use crate::session::key::SessionKey;

/// The document of each session that was seen to have it.
#[derive(Debug, Default)]
pub(super) struct Libraries(Mutex<BTreeMap<SessionKey, String>>);

impl Libraries {
    /// Whether the page that the session is known to show keeps the library.
    pub(super) fn is_kept(&self, run: &Run<'_>) -> bool {
        let Some(key) = run.target.key() else { return false };
        let shown = run.session.as_ref().and_then(|session| session.page.as_ref());
        let documents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.is_some_and(|page| !page.doc.is_empty() && documents.get(key) == Some(&page.doc))
    }

    /// What the rows of a process tell of it.
    pub(super) fn learn(&self, run: &Run<'_>, plan: &Plan, ran: &Ran) {
        let Some(key) = run.target.key() else { return };
        let Ran::Rows(answers) = ran else { return };
        let mut documents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, answer) in answers {
            let is_ours = is_ours(plan, answer);
            let report = answer.data.get("result").unwrap_or(&Value::Null);
            let text = |name: &str| report.get(name).and_then(Value::as_str).unwrap_or_default();
            let absent =
                report.get("absent").is_some() || answer.error.as_deref().is_some_and(is_absent);
            if is_ours && absent {
                documents.remove(key);
            } else if is_ours && !text("doc").is_empty() {
                documents.insert(key.clone(), text("doc").to_owned());
            }
        }
    }

    /// Its session is closed.
    pub(super) fn forget(&self, key: &SessionKey) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

/// Nothing was done: the document in front of the command keeps no library.
pub(super) fn is_missing(plan: &Plan, ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let says_so = |answer: &Answer| answer.error.as_deref().is_some_and(is_absent);
    answers.iter().any(|(_, answer)| is_ours(plan, answer) && says_so(answer))
}

/// A script of the caller's may say anything.
fn is_ours(plan: &Plan, answer: &Answer) -> bool {
    let row = answer.index.and_then(|at| plan.rows.get(at));
    row.is_some_and(|row| is_call(&row.argv))
}
