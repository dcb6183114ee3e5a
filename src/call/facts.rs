//! What the answers of a call mean for the session's state.

use serde_json::Value;

use super::Trace;
use super::answers::Brought;
use super::run::Run;
use crate::diagnose::category::threw;
use crate::envelope::Answer;
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::line::Line;
use crate::line::cut;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::plan::about::navigates;
use crate::plan::tab::{closes, is_listed};
use crate::present::Shown;
use crate::present::snapshot::SnapshotData;
use crate::probe::report::PageReport;
use crate::session::dialog::{from_status, from_warning};
use crate::session::fact::{Fact, Invalidation, Page, Route, Tracer};
use crate::session::key::SessionKey;
use crate::session::refs::{RefInfo, RefSnapshot};

/// What a session keeps of a page that was seen, in this tab.
pub(super) fn page_of(page: &PageReport, target: Option<String>) -> Page {
    Page {
        url: page.url.clone(),
        title: page.title.clone(),
        doc: page.doc.clone(),
        target,
        popup: page.popup,
    }
}

/// Where the page is now.
pub(super) fn page_at(run: &Run<'_>, page: &PageReport, trace: &mut Trace) {
    let Some(key) = run.target.key() else { return };
    let page = page_of(page, None);
    run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page }]);
}

/// Facts of a command that upstream refused.
pub(super) fn after_failure(
    run: &Run<'_>,
    step: &Step,
    answer: &Answer,
    trace: &mut Trace,
    outcome: &mut Outcome,
) {
    let Some(key) = run.target.key().cloned() else { return };
    let text = answer.error.as_deref().unwrap_or_default();
    let told = from_warning(text).filter(|_| !threw(answer, step));
    if let Some(dialog) = told.or_else(|| from_warning(answer.warning.as_deref()?)) {
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
    } else if step.argv.name() == "snapshot" {
        let reason = Invalidation::SnapshotFailed;
        run.engine.learn(trace, [Fact::RefsInvalidated { key, reason }]);
        outcome.answer.push(Line::ours("Earlier refs are void."));
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
    dialog_facts(run, &key, shown, &mut facts);
    recorder_facts(&key, shown, &mut facts);
    facts.extend(route_fact(&key, shown.step));
    let page = brought.page.as_ref().or_else(|| brought.after.page());
    let closes = closes(shown.step);
    let told = shown.answer.text("targetId").filter(|_| !closes).map(str::to_owned);
    let in_front = brought.in_front.as_ref();
    let target = told.or_else(|| in_front?.target.clone());
    let (moves, goes) = (moves_tab(shown.step), navigates(shown.step));
    if let Some(page) = page {
        let page = page_of(page, target);
        facts.push(Fact::PageAt { key: key.clone(), page });
    } else if let Some(page) = in_front.filter(|_| is_listed(shown.step)) {
        facts.push(Fact::PageAt { key: key.clone(), page: page.clone() });
    } else if let Some(url) = shown.answer.text("url").filter(|_| moves || goes) {
        // A step of a batch that fails later: its document has not been asked for.
        let title = shown.answer.text("title").unwrap_or_default().to_owned();
        let page = Page { url: url.to_owned(), title, target, ..Page::default() };
        facts.push(Fact::PageAt { key: key.clone(), page });
    }
    if moves {
        facts.push(Fact::RefsInvalidated { key: key.clone(), reason: Invalidation::TabChanged });
    }
    let left = shown.effect == crate::diagnose::effect::Effect::Navigated || goes;
    if left && page.is_none_or(|page| page.doc.is_empty()) {
        facts.push(Fact::RefsInvalidated {
            key: key.clone(),
            reason: Invalidation::DocumentChanged,
        });
    }
    if let Some(refs) = refs_of(shown, brought) {
        facts.push(Fact::Refs { key: key.clone(), refs });
        keep_snapshot(run, shown, brought, trace);
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

/// `network route PATTERN` and `network unroute [PATTERN]`.
fn route_fact(key: &SessionKey, step: &Step) -> Option<Fact> {
    if step.argv.name() != "network" {
        return None;
    }
    let (key, operands) = (key.clone(), step.argv.operands());
    match operands.as_slice() {
        ["route", pattern, ..] => {
            let aborts = step.argv.has_own_flag("--abort");
            let route = Route { pattern: (*pattern).to_owned(), aborts };
            Some(Fact::RouteSet { key, route })
        }
        ["unroute", pattern @ ..] => {
            let pattern = pattern.first().map(|pattern| (*pattern).to_owned());
            Some(Fact::RouteRemoved { key, pattern })
        }
        _ => None,
    }
}

/// Confirmations, recorders, and the file that is being recorded.
fn recorder_facts(key: &SessionKey, shown: &Shown<'_>, facts: &mut Vec<Fact>) {
    if let Some(id) = shown.answer.confirmation_id() {
        facts.push(Fact::Confirmation { key: key.clone(), id: Some(id.to_owned()) });
    } else if matches!(shown.command(), "confirm" | "deny") {
        facts.push(Fact::Confirmation { key: key.clone(), id: None });
    }
    if shown.command() == "record" {
        let pending = |file: &&FileFact| file.state == FileState::Pending;
        let video = |file: &&FileFact| file.kind == FileKind::Recording;
        let open = shown.files.iter().filter(pending).find(video);
        let path = open.map(|file| file.path.to_string_lossy().into_owned());
        facts.push(Fact::Recording { key: key.clone(), path });
    }
    let tracer = match shown.command() {
        "trace" => Tracer::Trace,
        "profiler" => Tracer::Profiler,
        _ => return,
    };
    let starts = shown.step.argv.words.get(1).is_some_and(|verb| verb == "start");
    facts.push(Fact::Tracer { key: key.clone(), tracer: starts.then_some(tracer) });
}

fn dialog_facts(run: &Run<'_>, key: &SessionKey, shown: &Shown<'_>, facts: &mut Vec<Fact>) {
    let asked = shown.command() == "dialog";
    let status = from_status(&shown.answer.data).filter(|_| asked).flatten();
    let opened = shown.answer.warning.as_deref().and_then(from_warning).or(status);
    // A step before, in the same process, may have opened it.
    let known = run.engine.state().session(key).is_some_and(|session| session.dialog.is_some());
    if let Some(dialog) = opened {
        facts.push(Fact::DialogSeen { key: key.clone(), dialog: Some(dialog) });
    } else if known && (asked || shown.after.page().is_some()) {
        facts.push(Fact::DialogSeen { key: key.clone(), dialog: None });
    }
}

/// The refs that this call brought: its own snapshot, or the view behind a navigation.
fn refs_of(shown: &Shown<'_>, brought: &Brought) -> Option<RefSnapshot> {
    if shown.command() == "snapshot" {
        let data = shown.taken?;
        let options = snapshot_options(shown.step);
        return Some(ref_snapshot(data, brought.page.as_ref(), options));
    }
    let data = brought.view.as_ref()?;
    Some(ref_snapshot(data, brought.page.as_ref(), vec!["-i".to_owned()]))
}

/// What the caller has seen is what a later `diff snapshot` compares with.
fn keep_snapshot(run: &Run<'_>, shown: &Shown<'_>, brought: &Brought, trace: &Trace) {
    match (shown.taken, &brought.view) {
        (Some(data), _) => {
            let options = shown.step.argv.words.get(1..).unwrap_or_default().to_vec();
            super::baseline::keep(run, options, data, trace);
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

/// Longest accessible name that is kept, in characters; cut so that no secret is cut in two.
const NAME_CHARS: usize = 120;

/// The stored form of a snapshot.
pub(super) fn ref_snapshot(
    data: &SnapshotData,
    page: Option<&PageReport>,
    options: Vec<String>,
) -> RefSnapshot {
    let refs = data.refs.iter().map(|(id, info)| {
        let info = RefInfo { name: cut(&info.name, NAME_CHARS), ..info.clone() };
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
    }
}
