//! A command that succeeded: what it did, what is said of it, and what it means for its session.

use std::time::SystemTime;

use super::answers::Brought;
use super::electron::OFF_FOR_APPS;
use super::run::Run;
use super::{Trace, facts};
use crate::artifact::saved::files_of;
use crate::diagnose::effect::{Effect, verdict};
use crate::diagnose::{Evidence, judge, landed};
use crate::envelope::Answer;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::present::own_page::OwnPage;
use crate::present::{Shown, fold_findings, present, snapshot, snapshot_view};
use crate::session::state::SessionState;

/// A command that succeeded.
pub(super) struct Succeeded<'a> {
    pub(super) step: &'a Step,
    pub(super) main: &'a Answer,
    pub(super) brought: &'a Brought,
    /// The session as it was in front of it.
    pub(super) session: Option<&'a SessionState>,
    pub(super) started: SystemTime,
    /// Its place among the steps of a batch; `None` where it is the whole call.
    pub(super) among: Option<Place>,
    /// Its page is gone by now: nothing of it is kept for later calls.
    pub(super) is_past: bool,
}

/// A place among steps.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) index: usize,
    pub(super) total: usize,
}

/// The outcome of a command that succeeded, and whether it has left the document.
pub(super) fn told(run: &Run<'_>, done: &Succeeded<'_>, trace: &mut Trace) -> (Outcome, bool) {
    let Succeeded { step, main, brought, session, started, among, is_past } = *done;
    let files = files_of(step, main, run.open_recording(), &run.engine.options.cwd, started);
    let is_snapshot = step.argv.name() == "snapshot";
    // A big one takes milliseconds to understand.
    let taken = if is_snapshot { snapshot::parse(&main.data) } else { None };
    let mut shown = Shown {
        taken: taken.as_ref(),
        before: brought.before.as_ref(),
        after: &brought.after,
        view: brought.view.as_ref(),
        new_tab: brought.new_tab.as_deref(),
        session,
        ..run.shown(step, main, &files)
    };
    shown.effect = verdict(&shown.evidence());
    trace.page_changed |= matches!(shown.effect, Effect::Changed { .. } | Effect::Unknown);
    let left = shown.effect == Effect::Navigated;
    shown.page = brought.page.as_ref().filter(|_| among.is_none() || is_snapshot || left);
    let mut outcome = match among.is_some_and(|place| is_snapshot && place.total > 1) {
        true => snapshot_view::present_among_steps(&shown),
        false => present(&shown),
    };
    let mut findings = match main.confirmation_id() {
        // It waits for its confirmation: there is nothing to judge yet (HAZ-10).
        Some(_) => Vec::new(),
        None => judge(&Evidence {
            // Behind the first step the page is where this call has led it.
            known: shown.evidence().known.filter(|_| among.is_none_or(|place| place.index == 0)),
            ..shown.evidence()
        }),
    };
    if run.is_app() {
        findings.retain(|finding| !OFF_FOR_APPS.contains(&finding.key));
    }
    if let Some(page) = shown.page.filter(|_| left && shown.new_tab.is_none()) {
        findings.extend(landed::judge(step, &run.label(step), shown.before, page));
    }
    fold_findings(&mut outcome, findings);
    outcome.page = brought.after.page().map(OwnPage::of);
    if !is_past {
        facts::after_success(run, &shown, brought, trace);
    }
    trace.field_seen(step, &brought.after);
    (outcome, left)
}
