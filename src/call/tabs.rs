//! Which tab a call works on: restored tabs that take the focus, and the session's own one that is
//! selected again (PAGE-03…10, DEC-95).

use super::answers::{Brought, find, sort_out};
use super::execute::ask;
use super::run::Run;
use super::{Trace, tab_list};
use crate::command::verbs::nothing_was_done_by;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::rows::{select_tab, view, with_pin};
use crate::plan::tab::opened;
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::failure::reopen;
use crate::session::fact::{Drift, Fact, Invalidation, Page};
use crate::session::state::SessionState;

/// Launch options with which tabs or their state come back.
const RESTORING: [&str; 4] = ["--profile", "--session-name", "--state", "--restore"];

/// What is known of the session is older than its browser's page.
pub(super) fn is_behind(run: &Run<'_>) -> bool {
    let session = run.session.as_ref().filter(|session| session.running);
    session.is_some_and(|session| session.drift == Some(Drift::UntilTold))
}

/// This call starts a browser that may bring tabs back.
pub(super) fn may_restore(run: &Run<'_>, launching: bool) -> bool {
    let starts = launching || (!run.target.is_managed() && !run.is_running());
    starts && RESTORING.iter().any(|flag| run.is_given(flag))
}

/// The rows with the session's own tab selected in front of them, where another one may have the
/// focus. Never in front of a ref: selecting a tab voids them all.
pub(super) fn pinned(run: &Run<'_>, session: Option<&SessionState>, plan: Plan) -> Plan {
    let session = session.filter(|session| session.running && session.drift.is_some());
    let target = session.and_then(|session| session.page.as_ref()?.target.as_deref());
    match target {
        Some(target) => with_pin(plan, &run.request.steps, target),
        None => plan,
    }
}

/// What the rows have taught about tabs.
pub(super) fn learn(
    run: &Run<'_>,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) {
    let Some(key) = run.target.key() else { return };
    if find(answers, RowKind::Pin).is_some_and(|answer| answer.success) {
        let reason = Invalidation::TabChanged;
        run.engine.learn(trace, [Fact::RefsInvalidated { key: key.clone(), reason }]);
        let own = run.session.as_ref().filter(|_| is_behind(run));
        let page = own.and_then(|session| session.page.clone());
        run.engine.learn(trace, page.map(|page| Fact::PageAt { key: key.clone(), page }));
    }
    learn_of_new_tabs(run, answers, trace);
    let opens = |owner: &Owner| {
        run.request.steps.get(owner.step).is_some_and(|step| step.argv.is_open_like())
    };
    let of_open = |kind| answers.iter().find(|(owner, _)| owner.kind == kind && opens(owner));
    if of_open(RowKind::Main).is_some() && may_restore(run, launching) {
        // A tab that is alone has nobody to lose the focus to.
        let alone = of_open(RowKind::Tabs).is_some_and(|(_, tabs)| tab_list::tab_count(tabs) == 1);
        if !alone {
            run.engine.learn(trace, [Fact::DriftRisk { key: key.clone(), lasts: Drift::Always }]);
        }
    }
}

/// A tab that was opened is in front, whether its page came or not.
fn learn_of_new_tabs(run: &Run<'_>, answers: &[(Owner, Answer)], trace: &mut Trace) {
    let Some(key) = run.target.key() else { return };
    let extra = answers.iter().filter(|(owner, _)| owner.kind == RowKind::MainExtra);
    for (owner, tab) in extra.filter(|(_, answer)| answer.success) {
        let step = run.request.steps.get(owner.step);
        let Some([_, open]) = step.and_then(opened) else { continue };
        let url = open.last().cloned().unwrap_or_default();
        let target = tab.text("targetId").map(str::to_owned);
        let page = Page { url, target, ..Page::default() };
        let reason = Invalidation::TabChanged;
        run.engine.learn(
            trace,
            [
                Fact::PageAt { key: key.clone(), page },
                Fact::RefsInvalidated { key: key.clone(), reason },
            ],
        );
        let own = Owner { kind: RowKind::Main, step: owner.step };
        let failed = answers.iter().any(|(owner, answer)| *owner == own && !answer.success);
        if let Some(id) = tab.text("tabId").filter(|_| failed) {
            trace.notes.push(format!("Tab {id} was opened for it and is in front."));
        }
    }
}

/// After an `open` that brought tabs back: selects the opened tab again if another one is active,
/// and looks at it (PAGE-03).
pub(super) async fn reselect(
    run: &Run<'_>,
    answers: &[(Owner, Answer)],
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let opened = find(answers, RowKind::Main).and_then(|answer| answer.text("targetId"));
    let active = find(answers, RowKind::Tabs).and_then(|tabs| tab_list::active_tab(tabs).1);
    let (Some(opened), Some(active)) = (opened, active) else { return };
    if opened == active {
        return;
    }
    let mut plan = view(run.engine.options.view);
    plan.rows.insert(0, select_tab(opened, 0));
    let Ok(answers) = ask(run, &plan, trace).await else { return };
    if find(&answers, RowKind::Pin).is_some_and(|answer| answer.success) {
        let seen = sort_out(&answers);
        brought.page = seen.page;
        brought.view = seen.view;
        trace.notes.push("A restored tab had the focus; the opened one has it again.".to_owned());
    }
}

/// The pin row has failed: the session's tab is gone, and the command did not run.
pub(super) fn gone(run: &Run<'_>, step: &Step) -> Outcome {
    let line = Line::ours(format!("{}. The tab of ", nothing_was_done_by(&step.argv.words)));
    let page = run.session.as_ref().and_then(|session| session.page.as_ref());
    let url = page.map_or("", |page| page.url.as_str());
    let refusal = Refusal::new(FailureCategory::TabDrift, line.url(url).and(" is gone."));
    let refusal = refusal.next(list_tabs("list-tabs-for-tab-drift-recovery"));
    match page {
        Some(page) if !page.url.is_empty() => refusal.next(reopen(&page.url)).into_outcome(),
        _ => refusal.into_outcome(),
    }
}

/// The call that shows which tabs there are.
pub(super) fn list_tabs(id: &str) -> NextAction {
    NextAction::args(id, "see which tabs are open", &["tab", "list"])
}
