//! Behind a click that something stood in front of: one fresh snapshot, and what may close it
//! (DIAG-OVER, HAZ-16).

use serde_json::Value;

use super::Trace;
use super::answers::find;
use super::execute::{Ran, ask};
use super::look::fresh_look;
use super::run::Run;
use crate::diagnose::overlay::{Blocker, cover, judge};
use crate::outcome::Outcome;
use crate::plan::{Plan, RowKind, Step};
use crate::present::snapshot_view::view_details;
use crate::probe::closers::{closer_names, closers_row};

/// Upstream has found something in front of the element: nothing was done, and what only moves past
/// it is gone in a moment.
pub(super) fn is_covered(step: &Step, ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let main = find(answers, RowKind::Main).filter(|answer| !answer.success);
    main.and_then(|answer| cover(step, answer.error.as_deref()?)).is_some()
}

/// The names of the controls that lie in the blocker: one elsewhere on the page closes something
/// else. `None` where the page cannot be asked.
async fn names_in_front(
    run: &Run<'_>,
    blocker: &Blocker,
    trace: &mut Trace,
) -> Option<Vec<String>> {
    let cover = match blocker {
        Blocker::Cover(element) => Some(element.as_str()),
        Blocker::Dialog(_) => None,
    };
    let plan = Plan::one(RowKind::Main, closers_row(cover));
    let answers = ask(run, &plan, trace).await.ok()?;
    let main = find(&answers, RowKind::Main).filter(|answer| answer.success)?;
    closer_names(main.data.get("result")?)
}

/// Adds the controls that may close the blocker; their refs are known from then on.
pub(super) async fn add(
    run: &Run<'_>,
    blocker: &Blocker,
    outcome: &mut Outcome,
    trace: &mut Trace,
) {
    let Some((mut data, page)) = fresh_look(run, trace).await else { return };
    let page = page.unwrap_or_default();
    let kept = view_details(&data, &page.title, &page.doc);
    if judge(blocker, &data, Value::Null).is_none() {
        return;
    }
    if let Some(names) = names_in_front(run, blocker, trace).await {
        let flat =
            |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        data.refs.retain(|_, info| names.contains(&flat(&info.name)));
    }
    if let Some(finding) = judge(blocker, &data, kept) {
        // Its own look at the page stands in for the general ones.
        outcome.next.retain(|action| action.id != "refresh-interactive-refs");
        outcome.details.insert(finding.key.to_owned(), finding.details.clone());
        outcome.findings.push(finding);
    }
}
