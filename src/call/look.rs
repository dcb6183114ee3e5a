//! The second process of a call: questions behind a command, and the page that it led to.

use std::time::Duration;

use super::answers::{Brought, after_rows, find, sort_out};
use super::execute::{NoAnswer, ask};
use super::run::Run;
use super::tab_list::active_tab;
use super::{Trace, facts};
use crate::diagnose::AfterRow;
use crate::diagnose::effect::{Effect, verdict};
use crate::envelope::Answer;
use crate::plan::rows::{Wants, behind, view};
use crate::plan::{Plan, RowKind, Step};
use crate::present::snapshot::SnapshotData;
use crate::probe::report::PageReport;
use crate::session::fact::Fact;

/// How long a window takes to close itself, and upstream to notice.
const CLOSING: Duration = Duration::from_millis(250);

/// The after-row in a process of its own, with the time that is left.
pub(super) async fn ask_behind(
    run: &Run<'_>,
    step: &Step,
    wishes: &Wants,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let Some(after) = &wishes.after else { return };
    brought.after = match ask(run, &Plan::of(behind(step, after)), trace).await {
        Ok(answers) => after_rows(&answers),
        // The page is still loading (DEC-96).
        Err(NoAnswer::Late) => AfterRow::Navigated,
        Err(NoAnswer::Failed(_)) => AfterRow::Silent,
    };
}

/// One fresh look at the page in a process of its own; its refs are the current ones from then on.
pub(super) async fn fresh_look(
    run: &Run<'_>,
    trace: &mut Trace,
) -> Option<(SnapshotData, Option<PageReport>)> {
    let answers = ask(run, &view(true), trace).await.ok()?;
    let Brought { view: Some(data), page, .. } = sort_out(&answers) else { return None };
    if let Some(key) = run.target.key() {
        let refs = facts::ref_snapshot(&data, page.as_ref(), vec!["-i".to_owned()]);
        run.engine.learn(trace, [Fact::Refs { key: key.clone(), refs }]);
    }
    Some((data, page))
}

/// The second process behind a navigating act: which tab, which document, its view (DEC-70).
pub(super) async fn look_again(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let evidence = run.evidence(step, main, brought);
    let leaving = leaving_document(&brought.after);
    let moved = (verdict(&evidence) == Effect::Navigated || leaving.is_some())
        && step.argv.command().is_some_and(|c| c.name != "eval");
    if !moved {
        return;
    }
    let watched = brought.after.page().and_then(|page| page.effect.as_ref());
    let closing = watched.is_some_and(|effect| effect.closing);
    if closing {
        // A question to a tab that is just going would have no answer for 30 s.
        tokio::time::sleep(CLOSING).await;
    }
    let plan = view(run.engine.options.view);
    let Ok(answers) = ask(run, &plan, trace).await else { return };
    let seen = sort_out(&answers);
    if let Some(doc) = leaving {
        // A download or an empty answer leaves the old document where it is.
        if seen.page.as_ref().is_none_or(|page| page.doc == doc) {
            return;
        }
        brought.after = if closing { AfterRow::Closed } else { AfterRow::Navigated };
    }
    brought.page = seen.page;
    brought.view = seen.view;
    let known = run.session.as_ref().and_then(|session| session.page.as_ref()?.target.clone());
    if let Some(tabs) = find(&answers, RowKind::Tabs) {
        let (tab, target) = active_tab(tabs);
        if known.is_some() && target.is_some() && known != target {
            brought.new_tab = tab;
        }
        if let (Some(target), Some(key)) = (target, run.target.key()) {
            let page = brought.page.clone().unwrap_or_default();
            let page = facts::page_of(&page, Some(target));
            run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page }]);
        }
    }
}

/// The identity of a document that was about to be left when the after-row looked.
fn leaving_document(after: &AfterRow) -> Option<String> {
    let page = after.page()?;
    page.effect.as_ref()?.leaving.then(|| page.doc.clone())
}
