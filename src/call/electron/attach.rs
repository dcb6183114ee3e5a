//! The session of an app: attached through upstream's `connect`, then read as far as the hand-off
//! goes.

use std::time::Duration;

use super::super::answers::{Brought, find, sort_out};
use super::super::execute::{NoAnswer, Ran, ask, rows};
use super::super::run::{Run, effective};
use super::super::{
    CallContext, Engine, Trace, baseline, facts, managed, starting, tab_list as tabs,
};
use super::Errand;
use crate::electron::launch::Ready;
use crate::envelope::Answer;
use crate::error::Checked;
use crate::input::electron::Handoff;
use crate::outcome::Outcome;
use crate::plan::rows::{Context, single, tab_list, view};
use crate::plan::{Owner, RowKind};
use crate::present::failure;
use crate::session::fact::Fact;
use crate::session::target::{SessionMode, Target};

/// How long upstream may take to attach, and to read the page.
const ATTACH_LIMIT: Duration = Duration::from_secs(20);
/// A snapshot without refs is taken again so often, and after this pause (DEC-48).
const SNAPSHOT_TRIES: u32 = 3;
const SNAPSHOT_PAUSE: Duration = Duration::from_millis(300);

/// What the hand-off has read.
#[derive(Debug, Default)]
pub(super) struct Handed {
    pub(super) tabs: Option<Answer>,
    pub(super) brought: Brought,
    /// Every try brought a snapshot without refs.
    pub(super) no_refs: bool,
    /// The page could not be read at all.
    pub(super) unread: bool,
}

/// Attaches a new managed session to an app that answers.
pub(super) async fn attach(
    engine: &Engine,
    ready: &Ready,
    target: &Target,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Result<(), Box<Outcome>>> {
    let address = ready.chosen.as_ref().and_then(|target| target.socket.clone());
    let address = address.unwrap_or_else(|| ready.port.to_string());
    let errand = Errand::new(engine, &["connect", &address], target.clone(), SessionMode::Fresh)?;
    let run = errand.run(engine, context, ATTACH_LIMIT);
    let launching = starting::prepare_launch(&run, trace).await?;
    let Some(step) = errand.request.steps.first() else {
        return Ok(Err(Box::new(failure::unreadable("there is no command", ""))));
    };
    trace.effective = effective(&run, &step.argv);
    let plan = single(step, &Context { launching: true, ..Context::default() });
    let answers = match rows(&run, &plan, launching, trace).await? {
        Ran::Rows(answers) => answers,
        Ran::Failed(failed) => return Ok(Err(refused(&run, failed.outcome, trace).await)),
    };
    match find(&answers, RowKind::Main) {
        Some(main) if main.success => {}
        main => {
            let error = main.and_then(|answer| answer.error.clone()).unwrap_or_default();
            let outcome = crate::present::electron::not_attached(&error);
            return Ok(Err(refused(&run, Box::new(outcome), trace).await));
        }
    }
    starting::launched(&run, &answers, true, trace);
    let key = target.key().cloned();
    engine.learn(trace, key.map(|key| Fact::Connected { key }));
    Ok(Ok(()))
}

/// The session of a failed attachment is closed, the earlier one stays current (SES-07).
async fn refused(run: &Run<'_>, mut outcome: Box<Outcome>, trace: &mut Trace) -> Box<Outcome> {
    if let Some(key) = run.target.key() {
        run.engine.close_later(key.clone());
        // Its close goes on where nobody can wait for it any more.
        let _ = run.within(run.engine.settle()).await;
    }
    managed::report(run, trace, &mut outcome);
    outcome
}

/// Reads tabs and page as far as the caller wants it.
pub(super) async fn hand_off(
    engine: &Engine,
    how: Handoff,
    target: &Target,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Handed> {
    let mut handed = Handed::default();
    if how == Handoff::Connect {
        return Ok(handed);
    }
    let errand = Errand::new(engine, &["tab", "list"], target.clone(), SessionMode::Auto)?;
    let run = errand.run(engine, context, ATTACH_LIMIT);
    let plan = if how == Handoff::Tabs { tab_list() } else { view(true) };
    for attempt in 1..=SNAPSHOT_TRIES {
        let asked = ask(&run, &plan, trace).await;
        // Behind a read that was cut the next one would only wait.
        let late = matches!(asked, Err(NoAnswer::Late));
        let answers = asked.unwrap_or_default();
        handed = read(&answers);
        handed.unread =
            answers.is_empty() || (how == Handoff::Snapshot && handed.brought.view.is_none());
        let refs = handed.brought.view.as_ref().map(|view| view.refs.len());
        handed.no_refs = refs == Some(0);
        let done = how == Handoff::Tabs && !handed.unread || refs.is_some_and(|count| count > 0);
        if done || attempt == SNAPSHOT_TRIES || late {
            break;
        }
        tokio::time::sleep(SNAPSHOT_PAUSE).await;
    }
    learn(&run, &handed, trace);
    Ok(handed)
}

fn read(answers: &[(Owner, Answer)]) -> Handed {
    let tabs = find(answers, RowKind::Tabs).filter(|answer| answer.success).cloned();
    Handed { tabs, brought: sort_out(answers), ..Handed::default() }
}

/// Page and refs of the session, as after a snapshot of the caller (ELEC-41).
pub(super) fn learn(run: &Run<'_>, handed: &Handed, trace: &mut Trace) {
    let Some(key) = run.target.key().cloned() else { return };
    let tab = handed.tabs.as_ref().and_then(|tabs| tabs::active_tab(tabs).1);
    if let Some(page) = &handed.brought.page {
        let page = facts::page_of(page, tab);
        run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page }]);
    }
    if let Some(view) = &handed.brought.view {
        let options = vec!["-i".to_owned()];
        let refs = facts::ref_snapshot(view, handed.brought.page.as_ref(), options.clone());
        run.engine.learn(trace, [Fact::Refs { key, refs }]);
        baseline::keep(run, options, view, trace);
    }
}
