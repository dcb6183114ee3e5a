//! A single browser command: rows around it, one process, and what they brought.

use std::time::{Duration, Instant, SystemTime};

use super::execute::{Ran, rows};
use super::prepare::Request;
use super::wait::{self, Waited};
use super::{
    CallContext, Engine, Trace, baseline, busy, download, facts, recover, scroll, stale, tabs,
};
use crate::artifact::create_parent;
use crate::artifact::saved::files_of;
use crate::diagnose::effect::{Effect, verdict};
use crate::diagnose::{AfterRow, judge, landed, wants};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::guard::describe_ref;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::plan::rewrite::absolute;
use crate::plan::rows::{Context, Wants, behind, number, single, view};
use crate::plan::timeouts::{DEFAULT_MS, Limits, watchdog};
use crate::plan::{Owner, Plan, Row, RowKind, Step};
use crate::present::section::Line;
use crate::present::snapshot::{self, SnapshotData};
use crate::present::{Shown, failure, fold_findings, present};
use crate::probe::report::PageReport;
use crate::session::fact::{Fact, Page};
use crate::session::state::SessionState;
use crate::session::target::Target;

/// One call on its way.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) request: &'a Request,
    pub(super) input: &'a Input,
    pub(super) target: &'a Target,
    pub(super) context: &'a CallContext,
    pub(super) session: Option<SessionState>,
}

/// What the rows of one command brought, apart again.
#[derive(Debug, Default)]
pub(super) struct Brought {
    pub(super) before: Option<PageReport>,
    pub(super) after: AfterRow,
    pub(super) page: Option<PageReport>,
    pub(super) view: Option<SnapshotData>,
    pub(super) new_tab: Option<String>,
}

impl Run<'_> {
    /// The browser of this session runs, as far as we know.
    pub(super) fn is_running(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.running)
    }

    /// `default`, or the name that the caller gave.
    pub(super) fn session_label(&self) -> &str {
        match self.target {
            Target::Named(key) => &key.name,
            _ => "default",
        }
    }

    /// No option of the session holds `eval` rows back (DEC-92).
    pub(super) fn may_run_scripts(&self) -> bool {
        !self.session.as_ref().is_some_and(|session| session.launch.gates_scripts)
            && !super::launch::gates_scripts(&self.request.argv, &self.engine.options.env)
    }

    /// The watchdog of the call.
    pub(super) fn deadline(&self) -> Checked<Duration> {
        let default_ms = self.engine.options.env.text("PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS");
        let limits = Limits {
            own: self.input.timeout_ms,
            default_ms: default_ms.and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_MS),
            silent_host: self.engine.options.door == "mcp" && !self.context.reports_progress,
        };
        watchdog(&self.request.steps, self.request.batch.is_some(), limits)
    }

    /// A ref with role and name, or the first operand in quotes.
    pub(super) fn label(&self, step: &Step) -> Line {
        let refs = self.session.as_ref().and_then(|session| session.refs.as_ref());
        let found = step.argv.ref_operands();
        match (found.first().and_then(|found| number(found.id)), refs) {
            (Some(id), Some(refs)) => describe_ref(id, refs),
            (Some(id), None) => Line::ours(format!("@e{id}")),
            (None, _) if step.argv.name() == "find" => located_label(step),
            (None, _) => {
                let operands = step.argv.operands();
                Line::ours("").quote(operands.first().copied().unwrap_or_default())
            }
        }
    }
}

/// `the first element by text "Save"`: upstream takes the first match, hidden or not.
fn located_label(step: &Step) -> Line {
    let word = |at: usize| step.argv.words.get(at).map_or("", String::as_str);
    let locator: String = word(1).chars().filter(char::is_ascii_alphanumeric).collect();
    Line::ours(format!("the first element by {locator} ")).quote(word(2))
}

/// Runs the one command of a call.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    let Some(step) = run.request.steps.first() else {
        return Ok(failure::unreadable("there is no command", ""));
    };
    let clock =
        Clock { instant: Instant::now(), time: SystemTime::now(), deadline: run.deadline()? };
    make_parents(step, &run.engine.options.cwd);
    busy::clear_way(run, clock.deadline, trace).await?;
    let launching = facts::prepare_launch(run, trace).await?;
    trace.effective = effective(run, step);
    if wait::is_sliced(step) {
        return match wait::run(run, step, launching, clock.deadline, trace).await? {
            Waited::Failed(outcome) => {
                Ok(facts::whole_failure(run, *outcome, launching, trace).await)
            }
            Waited::Answer(answer) => {
                let owner = Owner { kind: RowKind::Main, step: 0 };
                facts::launched(run, &[(owner, (*answer).clone())], launching, trace);
                judged(run, step, &answer, Brought::default(), clock, trace).await
            }
        };
    }
    if let Some(outcome) = download::direct(run, step, launching, clock, trace).await? {
        return Ok(outcome);
    }
    if let Some(outcome) = baseline::compared(run, step, launching, clock, trace).await? {
        return Ok(outcome);
    }
    scroll::done(run, step, launching, clock, trace).await
}

/// When a call began and how long it may take.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    instant: Instant,
    time: SystemTime,
    deadline: Duration,
}

impl Clock {
    pub(super) fn left(self) -> Duration {
        self.deadline.saturating_sub(self.instant.elapsed())
    }
}

/// The command between its rows, in one process.
pub(super) async fn fused(
    run: &Run<'_>,
    step: &Step,
    launching: bool,
    clock: Clock,
    trace: &mut Trace,
) -> Checked<Outcome> {
    let scripts = run.may_run_scripts();
    let mut wishes = if scripts { wants(step) } else { Wants::default() };
    if scripts {
        tabs::watch_place(run, step, &mut wishes);
    }
    // With a limit of the caller's the questions behind it get a process of their own (DEC-96).
    let split = run.input.timeout_ms.is_some() && wishes.watch;
    let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
    let view = run.engine.options.view;
    let mut context = Context {
        refs,
        view,
        launching,
        scripts,
        resnap: false,
        shows_page: tabs::known_page(run).is_some(),
        tabs: step.argv.is_open_like() && tabs::may_restore(run, launching),
        wants: wishes.clone(),
    };
    if split {
        context.wants.after = None;
    }
    if !scripts && step.argv.traits().caps.acts {
        trace
            .notes
            .push("The effect was not verified: options of this session hold scripts back.".into());
    }
    let plan =
        |context: &Context<'_>| tabs::pinned(run, run.session.as_ref(), single(step, context));
    let mut ran = rows(run, &plan(&context), launching, clock.deadline, trace).await?;
    if may_be_refound(&ran) {
        context.resnap = true;
        ran = rows(run, &plan(&context), false, clock.left(), trace).await?;
    }
    let answers = match ran {
        Ran::Rows(answers) => answers,
        Ran::Failed(outcome) => {
            return Ok(facts::whole_failure(run, *outcome, launching, trace).await);
        }
    };
    facts::launched(run, &answers, launching, trace);
    tabs::learn(run, &answers, launching, trace);
    if let Some(outcome) = facts::lost_page(run, step, &answers, launching, trace) {
        return Ok(outcome);
    }
    if let Some(outcome) = tabs::blank_page(run, step, &answers, clock.left(), trace).await {
        return Ok(outcome);
    }
    if let Some((owner, answer)) = refused_in_front(&answers) {
        return Ok(refused_row(run, step, owner.kind, answer, clock.left(), trace).await);
    }
    let Some(main) = find(&answers, RowKind::Main) else {
        return Ok(failure::unreadable("the command's own row is missing", ""));
    };
    let mut brought = sort_out(&answers);
    if context.tabs {
        tabs::reselect(run, &answers, clock.left(), &mut brought, trace).await;
    }
    if split && main.success {
        ask_behind(run, step, &wishes, clock.left(), &mut brought, trace).await;
    }
    judged(run, step, main, brought, clock, trace).await
}

/// The command's own answer, judged and presented.
pub(super) async fn judged(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    mut brought: Brought,
    clock: Clock,
    trace: &mut Trace,
) -> Checked<Outcome> {
    if !main.success {
        let mut outcome = failure::of_answer(main, step, &run.label(step));
        facts::after_failure(run, main, trace, &mut outcome);
        recover::after_miss(run, step, clock.left(), &mut outcome, trace).await;
        return Ok(outcome);
    }
    look_again(run, step, main, clock.left(), &mut brought, trace).await;
    Ok(finish(run, step, main, &brought, clock.time, trace))
}

fn finish(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    brought: &Brought,
    started: SystemTime,
    trace: &mut Trace,
) -> Outcome {
    let files = files_of(step, main, &run.engine.options.cwd, started);
    let mut shown = Shown {
        step,
        answer: main,
        before: brought.before.as_ref(),
        after: &brought.after,
        effect: Effect::Unknown,
        page: brought.page.as_ref(),
        view: brought.view.as_ref(),
        new_tab: brought.new_tab.as_deref(),
        session: run.session.as_ref(),
        files: &files,
        cwd: &run.engine.options.cwd,
        session_label: run.session_label(),
    };
    shown.effect = verdict(&shown.evidence());
    let mut outcome = present(&shown);
    let mut findings = judge(&shown.evidence());
    if let Some(page) =
        shown.page.filter(|_| shown.effect == Effect::Navigated && shown.new_tab.is_none())
    {
        findings.extend(landed::judge(step, &run.label(step), page));
    }
    fold_findings(&mut outcome, findings);
    facts::after_success(run, &shown, brought, trace);
    trace.field_seen(step, &brought.after);
    outcome
}

/// The row in front has refused: the ref might be found again in another element (HAZ-25).
fn may_be_refound(ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let text = refused_in_front(answers).and_then(|(_, answer)| answer.error.as_deref());
    text.is_some_and(|text| text.contains(crate::probe::REFOUND_MARKER))
}

/// A failed row in front of the command's own, which then did not run.
fn refused_in_front(answers: &[(Owner, Answer)]) -> Option<(Owner, &Answer)> {
    if answers.iter().any(|(owner, _)| owner.kind == RowKind::Main) {
        return None;
    }
    let failed = answers.iter().find(|(owner, answer)| {
        let in_front = matches!(
            owner.kind,
            RowKind::Pin | RowKind::Before | RowKind::Resnap | RowKind::Look | RowKind::MainExtra
        );
        in_front && !answer.success
    });
    failed.map(|(owner, answer)| (*owner, answer))
}

/// The outcome of a failed row in front of the command (DEC-92).
pub(super) async fn refused_row(
    run: &Run<'_>,
    step: &Step,
    kind: RowKind,
    answer: &Answer,
    left: Duration,
    trace: &mut Trace,
) -> Outcome {
    let error = answer.error.as_deref().unwrap_or_default();
    if kind == RowKind::Pin {
        return tabs::gone(run, step);
    }
    match PageReport::from_stale_error(error) {
        Some(page) if kind == RowKind::MainExtra => {
            facts::page_at(run, &page, trace);
            let line = Line::ours("Clicked ").append(&run.label(step));
            let line = line.and(" once: the first click left the page. Now on ").url(&page.url);
            Outcome::success(vec![line.and(" (earlier refs are void).")])
                .with_detail("firstClickNavigated", true)
        }
        Some(page) => other_document(run, step, page, left, trace).await,
        None => {
            let mut outcome = failure::of_answer(answer, step, &run.label(step));
            facts::after_failure(run, answer, trace, &mut outcome);
            outcome
        }
    }
}

/// The identity check has failed: another tab, a tab that is gone, or another document (DEC-95).
async fn other_document(
    run: &Run<'_>,
    step: &Step,
    page: PageReport,
    left: Duration,
    trace: &mut Trace,
) -> Outcome {
    let now = Page { url: page.url, title: page.title, doc: page.doc, target: None };
    let known = run.session.as_ref().and_then(|session| session.page.as_ref()?.target.clone());
    let tabs = match known {
        Some(_) => tabs_now(run, left, trace).await,
        None => None,
    };
    let place = match (&known, &tabs) {
        (Some(target), Some(tabs)) => facts::tab_place(target, tabs),
        _ => facts::TabPlace::Active,
    };
    if matches!(place, facts::TabPlace::Gone) && now.url == "about:blank" {
        return facts::blank_instead(run, trace);
    }
    if let Some(key) = run.target.key() {
        run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page: now.clone() }]);
    }
    let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
    stale::refusal(step, &run.label(step), refs, &now, &place).into_outcome()
}

/// The open tabs, read by a process of its own.
async fn tabs_now(run: &Run<'_>, left: Duration, trace: &mut Trace) -> Option<Answer> {
    let row = Row {
        owner: Owner { kind: RowKind::Tabs, step: 0 },
        argv: vec!["tab".to_owned(), "list".to_owned()],
    };
    let plan = Plan { rows: vec![row], bail: true, ..Plan::default() };
    match rows(run, &plan, false, left.max(Duration::from_millis(500)), trace).await {
        Ok(Ran::Rows(answers)) => find(&answers, RowKind::Tabs).filter(|a| a.success).cloned(),
        _ => None,
    }
}

/// The rows apart again.
pub(super) fn sort_out(answers: &[(Owner, Answer)]) -> Brought {
    let report = |kind| {
        find(answers, kind).filter(|a| a.success).and_then(|a| PageReport::from_eval(&a.data))
    };
    let view = find(answers, RowKind::View).filter(|answer| answer.success);
    Brought {
        before: report(RowKind::Before),
        after: after_rows(answers),
        page: report(RowKind::Look),
        view: view.and_then(|answer| snapshot::parse(&answer.data)),
        new_tab: None,
    }
}

/// The answers behind the command: the page's, and the state of a checked control.
fn after_rows(answers: &[(Owner, Answer)]) -> AfterRow {
    let mut after = find(answers, RowKind::After).map_or(AfterRow::Silent, after_row);
    if let (AfterRow::Page(page), Some(state)) = (&mut after, find(answers, RowKind::State)) {
        page.checked = state.data.get("checked").and_then(serde_json::Value::as_bool);
    }
    after
}

pub(super) fn after_row(answer: &Answer) -> AfterRow {
    if answer.success {
        return PageReport::from_eval(&answer.data)
            .map_or(AfterRow::Silent, |page| AfterRow::Page(Box::new(page)));
    }
    let gone = answer
        .error
        .as_deref()
        .is_some_and(|text| text.contains("Inspected target navigated or closed"));
    if gone { AfterRow::Navigated } else { AfterRow::Silent }
}

pub(super) fn find(answers: &[(Owner, Answer)], kind: RowKind) -> Option<&Answer> {
    answers.iter().find(|(owner, _)| owner.kind == kind).map(|(_, answer)| answer)
}

/// The after-row in a process of its own, with the time that is left.
async fn ask_behind(
    run: &Run<'_>,
    step: &Step,
    wishes: &Wants,
    left: Duration,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let Some(after) = &wishes.after else { return };
    let plan = Plan { rows: behind(step, after), bail: true, ..Plan::default() };
    if let Ok(Ran::Rows(answers)) = rows(run, &plan, false, left, trace).await {
        brought.after = after_rows(&answers);
    } else {
        brought.after = AfterRow::Navigated;
    }
}

/// The second process behind an act that brought another page or a dialog in the page, whose
/// controls the caller needs next: which tab, which document, its view (DEC-70).
async fn look_again(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    left: Duration,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let evidence = crate::diagnose::Evidence {
        step,
        before: brought.before.as_ref(),
        main,
        after: &brought.after,
        refs: None,
        known: None,
    };
    let leaving = leaving_document(&brought.after);
    let effect = verdict(&evidence);
    let moved = (effect == Effect::Navigated || leaving.is_some())
        && step.argv.command().is_some_and(|c| c.name != "eval");
    let opened =
        run.engine.options.view && matches!(effect, Effect::Changed { dialog: Some(_), .. });
    if !(moved || opened) || left < Duration::from_millis(200) {
        return;
    }
    let plan = view(run.engine.options.view);
    let Ok(Ran::Rows(answers)) = rows(run, &plan, false, left, trace).await else { return };
    let seen = sort_out(&answers);
    if let Some(doc) = leaving {
        // A download or an empty answer leaves the old document where it is.
        if seen.page.as_ref().is_none_or(|page| page.doc == doc) {
            return;
        }
        brought.after = AfterRow::Navigated;
    }
    brought.page = seen.page;
    brought.view = seen.view;
    let known = run.session.as_ref().and_then(|session| session.page.as_ref()?.target.clone());
    if let Some(tabs) = find(&answers, RowKind::Tabs) {
        let (tab, target) = facts::active_tab(tabs);
        if known.is_some() && target.is_some() && known != target {
            brought.new_tab = tab;
        }
        if let (Some(target), Some(key)) = (target, run.target.key()) {
            let page = brought.page.clone().unwrap_or_default();
            let page =
                Page { url: page.url, title: page.title, doc: page.doc, target: Some(target) };
            run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page }]);
        }
    }
}

/// The identity of a document that was about to be left when the after-row looked.
fn leaving_document(after: &AfterRow) -> Option<String> {
    let page = after.page()?;
    page.effect.as_ref()?.leaving.then(|| page.doc.clone())
}

/// The logical command, not the fused rows (DEC-13, DEC-66).
pub(super) fn effective(run: &Run<'_>, step: &Step) -> Vec<String> {
    let mut tokens = vec!["--json".to_owned()];
    tokens.extend(run.target.tokens());
    tokens.extend(
        run.request
            .argv
            .globals
            .iter()
            .filter(|global| !global.is_session_choice())
            .flat_map(crate::command::Global::tokens),
    );
    tokens.extend(step.argv.words.iter().cloned());
    tokens
}

/// Directories for files that the command will save (DEC-27).
pub(super) fn make_parents(step: &Step, cwd: &std::path::Path) {
    if let Some(operand) = step.argv.output_path() {
        // Upstream's own error names the path when this was not possible.
        let _ = create_parent(&absolute(cwd, operand.value));
    }
}
