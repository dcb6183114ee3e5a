//! What the answers of a call mean for the session's state.

use serde_json::Value;

use super::launch::{forgotten_flags, launch_record};
use super::single::{Brought, Run, find};
use super::{Engine, Trace};
use crate::envelope::Answer;
use crate::error::{Checked, Refusal};
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::plan::rows::{navigates, number};
use crate::plan::{Owner, RowKind, Step};
use crate::present::Shown;
use crate::present::section::Line;
use crate::present::snapshot::SnapshotData;
use crate::present::verbs::nothing_was;
use crate::probe::report::PageReport;
use crate::session::dialog::from_warning;
use crate::session::fact::{Fact, Invalidation, LaunchRecord, Page, Tracer};
use crate::session::key::SessionKey;
use crate::session::lease::socket_exists;
use crate::session::refs::{RefInfo, RefSnapshot};
use crate::session::target::Target;

/// Decides whether this call starts the browser, and writes the lease first if it does.
pub(super) async fn prepare_launch(run: &Run<'_>, trace: &mut Trace) -> Checked<bool> {
    let Target::Managed { key, ordinal, .. } = run.target else { return Ok(false) };
    let socket_dir = &run.engine.options.places.socket_dir;
    if run.is_running() {
        if socket_exists(socket_dir, key) {
            return Ok(false);
        }
        run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
        let opens =
            run.request.steps.first().is_some_and(navigates) && run.request.argv.is_open_like();
        if !opens {
            return Err(lost_refusal(run, true));
        }
        trace.notes.push("The earlier browser was gone; this is a new one.".to_owned());
    }
    run.engine.learn(trace, [Fact::OrdinalUsed { ordinal: *ordinal }]);
    run.engine.write_lease(run, key).await?;
    Ok(true)
}

/// The page is lost: said, with the call that brings it back (HAZ-03).
fn lost_refusal(run: &Run<'_>, before_spawn: bool) -> Box<Refusal> {
    let command = run.request.argv.command().map_or("", |command| command.name);
    let first = if before_spawn { format!("{}. ", nothing_was(command)) } else { String::new() };
    let line = Line::ours(first).and("The browser of this session is gone, and its page with it.");
    lost(run, line)
}

/// A blank page has taken the place of the page: its tab or its browser went. The command of the
/// call did not run.
pub(super) fn blank_instead(run: &Run<'_>, trace: &mut Trace) -> Outcome {
    if let Some(key) = run.target.key() {
        run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
        if run.target.is_managed() {
            // The blank page may lack the launch options: the next call launches anew.
            run.engine.close_later(key.clone());
        }
    }
    let command = run.request.argv.command().map_or("", |command| command.name);
    let line = Line::ours(format!("{}. ", nothing_was(command)))
        .and("The page of this session is gone, a blank one has taken its place.");
    lost(run, line).into_outcome()
}

fn lost(run: &Run<'_>, line: Line) -> Box<Refusal> {
    let mut refusal = Refusal::new(FailureCategory::TabDrift, line);
    let url =
        run.session.as_ref().and_then(|session| session.page.as_ref()).map(|page| page.url.clone());
    if let Some(url) = url.filter(|url| !url.is_empty() && url != "about:blank") {
        refusal = refusal.next(NextAction::args(
            "reopen-lost-page",
            "open the last page again",
            &["open", &url],
        ));
    }
    refusal.detail(
        "refSnapshotInvalidation",
        serde_json::json!({
            "reason": Invalidation::PageLost.name(),
            "summary": "the browser was lost; take a new snapshot",
        }),
    )
}

/// The browser runs: the session is current from now on.
pub(super) fn launched(
    run: &Run<'_>,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) {
    let Some(key) = run.target.key() else { return };
    if let (true, Target::Managed { ordinal, .. }) = (launching, run.target) {
        become_current(run, key, *ordinal, trace);
    }
    let hash = answers.iter().find_map(|(_, answer)| answer.lifecycle.as_ref()?.launch_hash);
    let known = run.session.as_ref().and_then(|session| session.launch.launch_hash);
    if let Some(hash) = hash.filter(|_| launching || known.is_none()) {
        run.engine.learn(trace, [Fact::LaunchHash { key: key.clone(), hash }]);
    }
    if run.session.as_ref().is_some_and(|session| session.busy.is_some()) && !answers.is_empty() {
        run.engine.learn(trace, [Fact::Busy { key: key.clone(), busy: None }]);
    }
    if run.target.is_managed() {
        let cdp_url = find(answers, RowKind::CdpUrl).and_then(|answer| answer.text("cdpUrl"));
        run.engine.renew_lease(key, launching, cdp_url.map(str::to_owned));
    }
}

fn become_current(run: &Run<'_>, key: &SessionKey, ordinal: u32, trace: &mut Trace) {
    // A launch that began on another branch replaces nothing of this one (SES-42).
    let is_current = run.engine.is_current(trace);
    let replaced = run.engine.state().managed_running().cloned();
    // The session of an app that runs on stays open: its launch is still tracked (ELEC-06).
    let has_app = |key: &SessionKey| run.engine.state().app_of(key).is_some();
    let replaced = replaced.filter(|current| is_current && current != key && !has_app(current));
    let forgotten = forgotten_flags(run, key);
    if !forgotten.is_empty() {
        trace.notes.push(format!(
            "It was started without {}: to have that again, send the call with it and sessionMode fresh.",
            forgotten.join(", ")
        ));
    }
    run.engine.remember_launch(key, &run.request.argv);
    run.engine.learn(
        trace,
        [
            Fact::SessionStarted { key: key.clone(), launch: launch_record(run, key) },
            Fact::ManagedCurrent { key: key.clone(), ordinal },
        ],
    );
    if let Some(old) = replaced {
        run.engine.learn(trace, [Fact::SessionClosed { key: old.clone() }]);
        // The answer does not wait for it (SES-06, DEC-67).
        run.engine.close_later(old);
    }
}

/// The process as a whole failed; a launch may still have left a browser behind.
pub(super) async fn whole_failure(
    run: &Run<'_>,
    mut outcome: Outcome,
    launching: bool,
    trace: &mut Trace,
) -> Outcome {
    super::busy::client_killed(run, &mut outcome, trace).await;
    let Some(key) = run.target.key().filter(|_| launching) else { return outcome };
    let timed_out = matches!(
        outcome.verdict,
        Verdict::Failure(FailureCategory::Timeout | FailureCategory::Aborted)
    );
    if timed_out && socket_exists(&run.engine.options.places.socket_dir, key) {
        launched(run, &[], true, trace);
    } else {
        run.engine.close_later(key.clone());
    }
    if let Verdict::Failure(FailureCategory::UpstreamError) = outcome.verdict {
        outcome.next.push(NextAction::args(
            "run-agent-browser-doctor",
            "check the installation",
            &["doctor"],
        ));
    }
    outcome
}

/// A browser that upstream replaced by itself (HAZ-03).
pub(super) fn lost_page(
    run: &Run<'_>,
    step: &Step,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) -> Option<Outcome> {
    let key = run.target.key()?;
    if launching || !run.is_running() {
        return None;
    }
    let known = run.session.as_ref().and_then(|session| session.launch.launch_hash);
    let lost =
        answers.iter().filter_map(|(_, answer)| answer.lifecycle.as_ref()).any(|lifecycle| {
            let changed =
                known.zip(lifecycle.launch_hash).is_some_and(|(before, now)| before != now);
            lifecycle.launched || lifecycle.restarted_background || changed
        });
    if !lost {
        return None;
    }
    run.engine.learn(trace, [Fact::SessionLost { key: key.clone() }]);
    if !run.target.is_managed() {
        lives_on(run, key, answers, trace);
    }
    if run.target.is_managed() {
        // Upstream restarted it without its launch options: the next call launches it anew.
        run.engine.close_later(key.clone());
    }
    if step.argv.is_open_like() && !run.target.is_managed() {
        trace.notes.push("The earlier browser was gone; this is a new one.".to_owned());
        return None;
    }
    Some(lost_refusal(run, false).into_outcome())
}

/// A session of the caller goes on with the new browser.
fn lives_on(run: &Run<'_>, key: &SessionKey, answers: &[(Owner, Answer)], trace: &mut Trace) {
    let hash = answers.iter().rev().find_map(|(_, answer)| answer.lifecycle.as_ref()?.launch_hash);
    let launch = LaunchRecord { launch_hash: hash, ..LaunchRecord::default() };
    let reason = Invalidation::PageLost;
    run.engine.learn(
        trace,
        [
            Fact::SessionStarted { key: key.clone(), launch },
            Fact::RefsInvalidated { key: key.clone(), reason },
        ],
    );
}

/// Where the page is now.
pub(super) fn page_at(run: &Run<'_>, page: &PageReport, trace: &mut Trace) {
    let Some(key) = run.target.key() else { return };
    let page = Page {
        url: page.url.clone(),
        title: page.title.clone(),
        doc: page.doc.clone(),
        target: None,
    };
    run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page }]);
}

/// Facts of a command that upstream refused.
pub(super) fn after_failure(
    run: &Run<'_>,
    answer: &Answer,
    trace: &mut Trace,
    outcome: &mut Outcome,
) {
    let Some(key) = run.target.key().cloned() else { return };
    let text = answer.error.as_deref().unwrap_or_default();
    if let Some(dialog) = from_warning(text).or_else(|| from_warning(answer.warning.as_deref()?)) {
        run.engine.learn(trace, [Fact::DialogSeen { key, dialog: Some(dialog) }]);
    } else if answer.code.as_deref() == Some("page_wedged")
        && answer.data.get("replaced").and_then(Value::as_bool) == Some(true)
    {
        let reason = Invalidation::NoActivePage;
        run.engine.learn(trace, [Fact::RefsInvalidated { key, reason }]);
        outcome.details.insert(
            "refSnapshotInvalidation".into(),
            serde_json::json!({ "reason": reason.name(), "summary": "the page was replaced by a blank tab" }),
        );
    }
}

/// Facts of a command that succeeded.
pub(super) fn after_success(
    run: &Run<'_>,
    shown: &Shown<'_>,
    brought: &Brought,
    trace: &mut Trace,
) {
    let Some(key) = run.target.key().cloned() else { return };
    let mut facts = Vec::new();
    dialog_facts(&key, shown, &mut facts);
    recorder_facts(&key, shown, &mut facts);
    let page = brought.page.as_ref().or_else(|| brought.after.page());
    let target = shown.answer.text("targetId").map(str::to_owned);
    if let Some(page) = page {
        let page = Page {
            url: page.url.clone(),
            title: page.title.clone(),
            doc: page.doc.clone(),
            target,
        };
        facts.push(Fact::PageAt { key: key.clone(), page });
    } else if let Some(url) = shown.answer.text("url").filter(|_| moves_tab(shown.step)) {
        let title = shown.answer.text("title").unwrap_or_default().to_owned();
        let page = Page { url: url.to_owned(), title, doc: String::new(), target };
        facts.push(Fact::PageAt { key: key.clone(), page });
    }
    if moves_tab(shown.step) {
        facts.push(Fact::RefsInvalidated { key: key.clone(), reason: Invalidation::TabChanged });
    }
    if shown.effect == crate::diagnose::effect::Effect::Navigated
        && page.is_none_or(|page| page.doc.is_empty())
    {
        facts.push(Fact::RefsInvalidated {
            key: key.clone(),
            reason: Invalidation::DocumentChanged,
        });
    }
    if let Some(refs) = refs_of(shown, brought) {
        facts.push(Fact::Refs { key: key.clone(), refs });
        keep_snapshot(run, shown, brought, trace);
    }
    if let Some(id) = shown.answer.text("clicked").and_then(number) {
        let info = RefInfo {
            role: shown.step.argv.words.get(2).cloned().unwrap_or_default(),
            name: shown
                .step
                .argv
                .own_value("--name")
                .map_or_else(String::new, |found| found.value.to_owned()),
            ..RefInfo::default()
        };
        if shown.command() == "find" {
            facts.push(Fact::RefLearned { key, id, info });
        }
    }
    run.engine.learn(trace, facts);
}

/// `tab …` (not the list), `window new`, `click --new-tab`: another tab is active now.
fn moves_tab(step: &Step) -> bool {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tab"] | ["tab", "list", ..] => false,
        ["tab", ..] | ["window", "new", ..] => true,
        ["click", ..] => step.argv.has_own_flag("--new-tab"),
        _ => false,
    }
}

/// Confirmations and recorders.
fn recorder_facts(key: &SessionKey, shown: &Shown<'_>, facts: &mut Vec<Fact>) {
    if let Some(id) = shown.answer.confirmation_id() {
        facts.push(Fact::Confirmation { key: key.clone(), id: Some(id.to_owned()) });
    } else if matches!(shown.command(), "confirm" | "deny") {
        facts.push(Fact::Confirmation { key: key.clone(), id: None });
    }
    let tracer = match shown.command() {
        "trace" => Tracer::Trace,
        "profiler" => Tracer::Profiler,
        _ => return,
    };
    let starts = shown.step.argv.words.get(1).is_some_and(|verb| verb == "start");
    facts.push(Fact::Tracer { key: key.clone(), tracer: starts.then_some(tracer) });
}

fn dialog_facts(key: &SessionKey, shown: &Shown<'_>, facts: &mut Vec<Fact>) {
    let opened = shown.answer.warning.as_deref().and_then(from_warning);
    let known = shown.session.is_some_and(|session| session.dialog.is_some());
    if let Some(dialog) = opened {
        facts.push(Fact::DialogSeen { key: key.clone(), dialog: Some(dialog) });
    } else if known && (shown.command() == "dialog" || shown.after.page().is_some()) {
        facts.push(Fact::DialogSeen { key: key.clone(), dialog: None });
    }
}

/// The refs that this call brought: its own snapshot, or the view behind a navigation.
fn refs_of(shown: &Shown<'_>, brought: &Brought) -> Option<RefSnapshot> {
    if shown.command() == "snapshot" {
        let data = crate::present::snapshot::parse(&shown.answer.data)?;
        let options = snapshot_options(shown.step);
        return Some(ref_snapshot(&data, brought.page.as_ref(), options));
    }
    let data = brought.view.as_ref()?;
    Some(ref_snapshot(data, brought.page.as_ref(), vec!["-i".to_owned()]))
}

/// What the caller has seen is what a later `diff snapshot` compares with.
fn keep_snapshot(run: &Run<'_>, shown: &Shown<'_>, brought: &Brought, trace: &Trace) {
    let own = (shown.command() == "snapshot")
        .then(|| crate::present::snapshot::parse(&shown.answer.data))
        .flatten();
    match (own, &brought.view) {
        (Some(data), _) => {
            let options = shown.step.argv.words.get(1..).unwrap_or_default().to_vec();
            super::baseline::keep(run, options, &data, trace);
        }
        (None, Some(view)) => super::baseline::keep(run, vec!["-i".to_owned()], view, trace),
        (None, None) => {}
    }
}

/// Options for a repetition of the snapshot, without its scope (HAZ-01).
pub(super) fn snapshot_options(step: &Step) -> Vec<String> {
    let mut options = Vec::new();
    let mut words = step.argv.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" | "--selector" => {
                words.next();
            }
            _ => options.push(word.clone()),
        }
    }
    options
}

/// The stored form of a snapshot.
pub(super) fn ref_snapshot(
    data: &SnapshotData,
    page: Option<&PageReport>,
    options: Vec<String>,
) -> RefSnapshot {
    let refs = data.refs.iter().map(|(id, info)| {
        let info = RefInfo {
            role: info.role.clone(),
            name: info.name.chars().take(120).collect(),
            duplicate_index: info.duplicate_index,
            in_frame: info.in_frame,
        };
        (*id, info)
    });
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for id in data.refs.keys() {
        match ranges.last_mut() {
            Some((_, high)) if *high + 1 == *id => *high = *id,
            _ => ranges.push((*id, *id)),
        }
    }
    let page = page.cloned().unwrap_or_default();
    RefSnapshot {
        refs: refs.collect(),
        ranges,
        doc: page.doc,
        frames: page.frames,
        url: data.origin.clone(),
        title: page.title,
        options,
        marked: page.marked,
    }
}

/// Where the tab of a snapshot is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TabPlace {
    /// It is the active one.
    Active,
    /// It is open, under this id, and another one is active.
    Elsewhere(String),
    /// It was closed.
    Gone,
}

/// Looks for a tab by its target in a `tab list` answer.
pub(super) fn tab_place(target: &str, answer: &Answer) -> TabPlace {
    let tabs = answer.data.get("tabs").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |tab: &Value, key: &str| {
        tab.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    match tabs.iter().find(|tab| text(tab, "targetId") == target) {
        None => TabPlace::Gone,
        Some(tab) if tab.get("active") == Some(&Value::Bool(true)) => TabPlace::Active,
        Some(tab) => TabPlace::Elsewhere(text(tab, "tabId")),
    }
}

/// How many tabs a `tab list` answer names.
pub(super) fn tab_count(answer: &Answer) -> usize {
    answer.data.get("tabs").and_then(Value::as_array).map_or(0, Vec::len)
}

/// Id and target of the active tab in a `tab list` answer.
pub(super) fn active_tab(answer: &Answer) -> (Option<String>, Option<String>) {
    let tabs = answer.data.get("tabs").and_then(Value::as_array);
    let active =
        tabs.and_then(|tabs| tabs.iter().find(|tab| tab.get("active") == Some(&Value::Bool(true))));
    let text =
        |key: &str| active.and_then(|tab| tab.get(key)).and_then(Value::as_str).map(str::to_owned);
    (text("tabId"), text("targetId"))
}

impl Engine {
    /// Closes a session that is no longer wanted, without making anybody wait.
    pub(super) fn close_later(&self, key: SessionKey) {
        if let Some(ending) = self.ending(&key) {
            self.background().spawn(async move {
                ending.close_and_end().await;
            });
        }
    }
}
