//! A single browser command: rows around it, one process, and what they brought.

use std::time::{Duration, Instant, SystemTime};

use super::execute::{Ran, rows};
use super::prepare::Request;
use super::{CallContext, Engine, Trace, facts};
use crate::artifact::{create_parent, inspect};
use crate::diagnose::effect::{Effect, verdict};
use crate::diagnose::{AfterRow, judge, wants};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::guard::{describe_ref, stale_refusal_line};
use crate::input::Input;
use crate::outcome::Outcome;
use crate::plan::rewrite::absolute;
use crate::plan::rows::{Context, number, single, view};
use crate::plan::timeouts::{DEFAULT_MS, Limits, watchdog};
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::file_fact::FileFact;
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
            (None, _) => {
                let operands = step.argv.operands();
                Line::ours("").quote(operands.first().copied().unwrap_or_default())
            }
        }
    }
}

/// Runs the one command of a call.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    let Some(step) = run.request.steps.first() else {
        return Ok(failure::unreadable("there is no command", ""));
    };
    let started = (Instant::now(), SystemTime::now());
    let deadline = run.deadline()?;
    make_parents(step, &run.engine.options.cwd);
    let launching = facts::prepare_launch(run, trace).await?;
    let wishes = wants(step);
    // With a limit of the caller's the questions behind it get a process of their own (DEC-96).
    let split = run.input.timeout_ms.is_some() && wishes.watch;
    let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
    let mut context =
        Context { refs, view: run.engine.options.view, launching, wants: wishes.clone() };
    if split {
        context.wants.after = None;
    }
    let plan = single(step, &context);
    trace.effective = effective(run, step);
    let ran = rows(run, &plan, launching, deadline, trace).await?;
    let answers = match ran {
        Ran::Rows(answers) => answers,
        Ran::Failed(outcome) => return Ok(facts::whole_failure(run, *outcome, launching, trace)),
    };
    facts::launched(run, &answers, launching, trace);
    if let Some(outcome) = lost_or_refused(run, step, &answers, launching, trace) {
        return Ok(outcome);
    }
    let Some(main) = find(&answers, RowKind::Main) else {
        return Ok(failure::unreadable("the command's own row is missing", ""));
    };
    if !main.success {
        let mut outcome = failure::of_answer(main, step, &run.label(step));
        facts::after_failure(run, main, trace, &mut outcome);
        return Ok(outcome);
    }
    let mut brought = sort_out(&answers);
    let left = deadline.saturating_sub(started.0.elapsed());
    if split {
        ask_behind(run, &wishes, left, &mut brought, trace).await;
    }
    let left = deadline.saturating_sub(started.0.elapsed());
    look_again(run, step, main, left, &mut brought, trace).await;
    Ok(finish(run, step, main, &brought, started.1, trace))
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
    fold_findings(&mut outcome, judge(&shown.evidence()));
    facts::after_success(run, &shown, brought, trace);
    if let Some(fill) = brought.after.page().and_then(|page| page.fill.as_ref())
        && fill.secret
    {
        trace.secrets.extend(crate::plan::rows::fill_text(step));
    }
    outcome
}

/// A lost browser or a refused document: answers that end the call before the command's own row.
fn lost_or_refused(
    run: &Run<'_>,
    step: &Step,
    answers: &[(Owner, Answer)],
    launching: bool,
    trace: &mut Trace,
) -> Option<Outcome> {
    if let Some(outcome) = facts::lost_page(run, step, answers, launching, trace) {
        return Some(outcome);
    }
    let failed = answers.iter().find(|(owner, answer)| {
        let in_front = matches!(
            owner.kind,
            RowKind::Before | RowKind::Resnap | RowKind::Look | RowKind::MainExtra
        );
        in_front && !answer.success
    });
    let (owner, answer) = failed?;
    let main_ran = answers.iter().any(|(owner, _)| owner.kind == RowKind::Main);
    if main_ran {
        return None;
    }
    Some(refused_row(run, step, owner.kind, answer, trace))
}

/// The outcome of a failed row in front of the command (DEC-92).
pub(super) fn refused_row(
    run: &Run<'_>,
    step: &Step,
    kind: RowKind,
    answer: &Answer,
    trace: &mut Trace,
) -> Outcome {
    let command = step.argv.command().map_or("", |command| command.name);
    let error = answer.error.as_deref().unwrap_or_default();
    match PageReport::from_stale_error(error) {
        Some(page) if kind == RowKind::MainExtra => {
            let mut outcome = Outcome::success(vec![
                Line::ours("Clicked ")
                    .append(&run.label(step))
                    .and(" once: the first click left the page. Now on ")
                    .url(&page.url)
                    .and(" (earlier refs are void)."),
            ]);
            facts::page_at(run, &page, trace);
            outcome.details.insert("firstClickNavigated".into(), true.into());
            outcome
        }
        Some(page) => {
            facts::page_at(run, &page, trace);
            let known = Page { url: page.url, title: page.title, doc: page.doc, target: None };
            let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
            let reason = Line::ours(" belongs to ").url(refs.map_or("", |refs| refs.url.as_str()));
            stale_refusal_line(command, &run.label(step), reason, Some(&known)).into_outcome()
        }
        None => {
            let mut outcome = failure::of_answer(answer, step, &run.label(step));
            facts::after_failure(run, answer, trace, &mut outcome);
            outcome
        }
    }
}

/// The rows apart again.
fn sort_out(answers: &[(Owner, Answer)]) -> Brought {
    let report = |kind| {
        find(answers, kind).filter(|a| a.success).and_then(|a| PageReport::from_eval(&a.data))
    };
    let view = find(answers, RowKind::View).filter(|answer| answer.success);
    Brought {
        before: report(RowKind::Before),
        after: find(answers, RowKind::After).map_or(AfterRow::Silent, after_row),
        page: report(RowKind::Look),
        view: view.and_then(|answer| snapshot::parse(&answer.data)),
        new_tab: None,
    }
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
    wishes: &crate::plan::rows::Wants,
    left: Duration,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let Some(after) = &wishes.after else { return };
    let row = crate::plan::Row {
        owner: Owner { kind: RowKind::After, step: 0 },
        argv: crate::probe::after_row(after),
    };
    let plan = Plan { rows: vec![row], bail: true, ..Plan::default() };
    if let Ok(Ran::Rows(answers)) = rows(run, &plan, false, left, trace).await {
        brought.after = find(&answers, RowKind::After).map_or(AfterRow::Silent, after_row);
    } else {
        brought.after = AfterRow::Navigated;
    }
}

/// The second process behind a navigating act: which tab, which document, its view (DEC-70).
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
    };
    let moved = verdict(&evidence) == Effect::Navigated
        && step.argv.command().is_some_and(|c| c.name != "eval");
    if !moved || left < Duration::from_millis(200) {
        return;
    }
    let plan = view(run.engine.options.view);
    let Ok(Ran::Rows(answers)) = rows(run, &plan, false, left, trace).await else { return };
    let seen = sort_out(&answers);
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

/// The files that a successful command names, as they are now.
pub(super) fn files_of(
    step: &Step,
    main: &Answer,
    cwd: &std::path::Path,
    started: SystemTime,
) -> Vec<FileFact> {
    let operand = step.argv.output_path();
    let told = main.text("path").map(std::path::PathBuf::from);
    let saves = operand.is_some()
        || step.argv.command().is_some_and(|command| command.name == "screenshot");
    if !saves {
        return Vec::new();
    }
    let requested = operand.as_ref().map(|operand| operand.value.to_owned());
    let path = operand.map(|operand| absolute(cwd, operand.value)).or(told);
    path.map(|path| inspect(&path, requested, started)).into_iter().collect()
}
