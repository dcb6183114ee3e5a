//! The second process of a call: questions behind a command, and the page that it led to.

use std::time::Duration;

use super::answers::{Brought, after_rows, find, sort_out};
use super::execute::{NoAnswer, ask};
use super::run::Run;
use super::tab_list::{TabPlace, active_tab, tab_place};
use super::{Trace, facts};
use crate::diagnose::AfterRow;
use crate::diagnose::effect::{Effect, verdict};
use crate::envelope::Answer;
use crate::plan::rows::{Wants, behind, tab_list, view};
use crate::plan::{Plan, RowKind, Step};
use crate::present::snapshot::SnapshotData;
use crate::probe::report::PageReport;
use crate::session::fact::Fact;

/// How long a window takes to close itself, and upstream to notice.
const CLOSING: Duration = Duration::from_millis(250);
/// How often the browser is asked whether a pop-up has closed.
const POPUP_LOOKS: u32 = 4;

/// The after-row in a process of its own, with the time that is left.
pub(super) async fn ask_behind(
    run: &Run<'_>,
    step: &Step,
    wishes: &Wants,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let Some(after) = &wishes.after else { return };
    if shows_popup(run) && has_closed(run, 1, trace).await {
        brought.after = AfterRow::Closed;
        return;
    }
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
    let said = brought.after.page().and_then(|page| page.said.clone());
    let closed = if closing {
        // A question to a tab that is just going would have no answer for 30 s.
        tokio::time::sleep(CLOSING).await;
        true
    } else {
        brought.after == AfterRow::Closed
            || (is_popup(brought) && has_closed(run, POPUP_LOOKS, trace).await)
    };
    let plan = view(run.engine.options.view);
    let Ok(answers) = ask(run, &plan, trace).await else { return };
    let seen = sort_out(&answers);
    if let Some(doc) = leaving {
        // A download or an empty answer leaves the old document where it is.
        if seen.page.as_ref().is_none_or(|page| page.doc == doc) {
            if let (AfterRow::Page(page), true) = (&mut brought.after, seen.page.is_some())
                && let Some(effect) = &mut page.effect
            {
                effect.stayed = effect.going && !effect.closing;
            }
            return;
        }
        brought.after = AfterRow::Navigated;
    }
    if closed {
        brought.after = AfterRow::Closed;
    }
    brought.page = seen.page;
    brought.says(said);
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

/// The session shows a window that another one has opened: it may close behind any act, with the
/// question that the act is followed by.
pub(super) fn shows_popup(run: &Run<'_>) -> bool {
    let session = run.session.as_ref().filter(|session| session.running);
    session.and_then(|session| session.page.as_ref()).is_some_and(|page| page.popup)
}

/// The page is that of a window which another one has opened.
fn is_popup(brought: &Brought) -> bool {
    [brought.before.as_ref(), brought.after.page()].into_iter().flatten().any(|page| page.popup)
}

/// The page behind the last step of a pop-up often has nothing to do but to close it: a question to
/// that page would have no answer for 30 s, one to the browser has.
async fn has_closed(run: &Run<'_>, looks: u32, trace: &mut Trace) -> bool {
    let known = run.session.as_ref().and_then(|session| session.page.as_ref()?.target.clone());
    let Some(target) = known else { return false };
    for _ in 0..looks {
        tokio::time::sleep(CLOSING).await;
        let Ok(answers) = ask(run, &tab_list(), trace).await else { return false };
        let Some(tabs) = find(&answers, RowKind::Tabs).filter(|answer| answer.success) else {
            return false;
        };
        if tab_place(&target, tabs) == TabPlace::Gone {
            return true;
        }
    }
    false
}

/// The identity of a document that was about to be left when the after-row looked.
fn leaving_document(after: &AfterRow) -> Option<String> {
    let page = after.page()?;
    page.effect.as_ref()?.leaving.then(|| page.doc.clone())
}
