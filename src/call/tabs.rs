//! Which tab a call works on: restored tabs that take the focus, and blank ones where a page was
//! (PAGE-03…10, DEC-95, HAZ-03, HAZ-17).

use serde_json::json;

use super::answers::{Brought, find, sort_out};
use super::execute::ask;
use super::run::Run;
use super::{Trace, lost, tab_list};
use crate::command::Extra;
use crate::command::verbs::nothing_was_done_by;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::about::navigates;
use crate::plan::rows::{Wants, select_tab, view, with_pin};
use crate::plan::tab::opened;
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::failure::{classify, reopen};
use crate::probe::After;
use crate::probe::report::PageReport;
use crate::run::config_files::launch_by_config;
use crate::session::fact::{Drift, Fact, Invalidation, Page};
use crate::session::state::SessionState;
use crate::session::target::Target;

const BLANK: &str = "about:blank";
/// Launch options with which tabs or their state come back.
const RESTORING: [&str; 4] = ["--profile", "--session-name", "--state", "--restore"];
/// Commands that leave the page for another one on purpose, or have nothing to do with it.
const ELSEWHERE: [&str; 11] = [
    "open", "back", "forward", "tab", "window", "close", "connect", "state", "dialog", "confirm",
    "deny",
];

/// The page that the session is known to show, unless that is a blank one.
pub(super) fn known_page<'a>(run: &'a Run<'_>) -> Option<&'a Page> {
    let page = run.session.as_ref().filter(|session| session.running)?.page.as_ref()?;
    (!page.url.is_empty() && page.url != BLANK).then_some(page)
}

/// Reading commands ask the page where it is when nothing else would tell: with launch options in
/// upstream's config files no answer tells of a replaced browser (HAZ-02), a page from a file may lead
/// to any other file (DEC-101), and a browser that the caller named may be older than this door: a
/// blank page in it is a lost one only where a page was seen before (HAZ-03).
pub(super) fn watch_place(run: &Run<'_>, step: &Step, wishes: &mut Wants) {
    let reads = step.argv.traits().extra == Extra::None && !ELSEWHERE.contains(&step.argv.name());
    if !reads || wishes.after.is_some() {
        return;
    }
    let asks = match known_page(run) {
        Some(page) => {
            is_behind(run)
                || (run.engine.is_confined() && page.url.starts_with("file:"))
                || launch_by_config(&run.engine.options.env, &run.engine.options.cwd)
        }
        None => run.session.is_none() && matches!(run.target, Target::Named(_)),
    };
    if asks {
        wishes.after = Some(After::default());
    }
}

/// What is known of the session is older than its browser's page.
fn is_behind(run: &Run<'_>) -> bool {
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

/// A blank page where a page was: the outcome, once it is certain.
pub(super) async fn blank_page(
    run: &Run<'_>,
    step: &Step,
    answers: &[(Owner, Answer)],
    trace: &mut Trace,
) -> Option<Outcome> {
    let page = known_page(run)?.clone();
    // Who names a blank page wants one.
    let on_purpose = step.argv.words.iter().any(|word| word.contains(BLANK));
    if on_purpose || ELSEWHERE.contains(&step.argv.name()) {
        return None;
    }
    let ran = match seen(step, answers) {
        Seen::Page => return None,
        Seen::Blank => true,
        Seen::BlankInFront => false,
        // A page that was asked itself and had none. One that only a tab's answer names was loading.
        Seen::NoTitle if page.title.is_empty() && !page.doc.is_empty() => return None,
        Seen::NoTitle | Seen::Miss => {
            let more = ask(run, &view(false), trace).await.ok()?;
            let here = sort_out(&more).page?;
            if here.url != BLANK {
                return None;
            }
            true
        }
    };
    match lost::replaced_browser(run, ran, trace) {
        Some(outcome) => Some(outcome),
        None => Some(instead_of(run, step, &page, ran, trace).await),
    }
}

/// What the answers say about the page that the command ran on.
enum Seen {
    Page,
    /// The command ran on a blank page.
    Blank,
    /// The check in front of it saw a blank page, so that it did not run.
    BlankInFront,
    /// `get title` gave none, which a page that had one would not.
    NoTitle,
    /// A reading command has found no element, which nothing in front of it explains.
    Miss,
}

fn seen(step: &Step, answers: &[(Owner, Answer)]) -> Seen {
    let report = |kind| {
        let answer = find(answers, kind)?;
        let refused = answer.error.as_deref().and_then(PageReport::from_stale_error);
        PageReport::from_eval(&answer.data).or(refused)
    };
    let is_blank = |page: PageReport| page.url == BLANK;
    let main = find(answers, RowKind::Main);
    // Behind an act that may navigate, a blank page may be where it led.
    let stays = !step.argv.traits().caps.navigation_observable || navigates(step);
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let key = if words == ["get", "url"] { "url" } else { "origin" };
    let told = main.and_then(|answer| answer.text(key));
    match (main, words.as_slice()) {
        (None, _) if report(RowKind::Before).is_some_and(is_blank) => Seen::BlankInFront,
        _ if told == Some(BLANK) || report(RowKind::Look).is_some_and(is_blank) => Seen::Blank,
        _ if stays && report(RowKind::After).is_some_and(is_blank) => Seen::Blank,
        (Some(answer), ["get", "title"]) if answer.text("title") == Some("") => Seen::NoTitle,
        (Some(answer), _) if missed(step, answer) && find(answers, RowKind::Before).is_none() => {
            Seen::Miss
        }
        _ => Seen::Page,
    }
}

fn missed(step: &Step, answer: &Answer) -> bool {
    !answer.success && classify(answer, step) == FailureCategory::SelectorNotFound
}

/// Keeps the known tab, selects it again if it is still there, and says how to go on.
async fn instead_of(
    run: &Run<'_>,
    step: &Step,
    page: &Page,
    ran: bool,
    trace: &mut Trace,
) -> Outcome {
    let plan = page.target.as_deref().map(|target| Plan::of(vec![select_tab(target, 0)]));
    let back = match plan {
        Some(plan) => ask(run, &plan, trace).await.is_ok_and(|answers| {
            find(&answers, RowKind::Pin)
                .is_some_and(|tab| tab.success && tab.text("url") != Some(BLANK))
        }),
        None => false,
    };
    let reason = Invalidation::NoActivePage;
    if let Some(key) = run.target.key() {
        run.engine.learn(trace, [Fact::RefsInvalidated { key: key.clone(), reason }]);
    }
    let line = if ran {
        Line::ours("the command ran on a blank page, not on ")
    } else {
        let nothing = nothing_was_done_by(&step.argv.words);
        Line::ours(format!("{nothing}. A blank page has taken the place of "))
    };
    let line = if page.title.is_empty() { line } else { line.quote(&page.title).and(" ") };
    let refusal = Refusal::new(FailureCategory::TabDrift, line.url(&page.url));
    let list = match step.argv.name() {
        "snapshot" => "list-tabs-after-no-active-page",
        _ => "list-tabs-for-about-blank-recovery",
    };
    let refusal = if back {
        let snapshot = ["snapshot", "-i"];
        refusal
            .hint("Its tab is open and active again; send the call again.")
            .next(NextAction::args("snapshot-after-tab-recovery", "get current refs", &snapshot))
    } else {
        refusal.next(reopen(&page.url)).next(list_tabs(list))
    };
    let summary = "a blank page stands where the page was; take a new snapshot";
    refusal
        .detail("refSnapshotInvalidation", json!({ "reason": reason.name(), "summary": summary }))
        .into_outcome()
}

fn list_tabs(id: &str) -> NextAction {
    NextAction::args(id, "see which tabs are open", &["tab", "list"])
}
