//! A single browser command: rows around it, one process, and what they brought.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::json;

use super::answers::{Brought, find, own_answer, sort_out};
use super::execute::{Ran, rows};
use super::look::{ask_behind, look_again, shows_popup};
use super::refused::{came_to_command, may_be_refound, refused_by};
use super::run::{Run, effective, make_parents};
use super::segment::current_session;
use super::semantic::{self, Looked};
use super::told::{Succeeded, told};
use super::{
    Trace, baseline, blank, busy, download, facts, gated, insert, overlay, recover, scroll,
    starting, tabs, turned, wait,
};
use crate::diagnose::overlay as in_front;
use crate::diagnose::{AfterRow, Asked, wants};
use crate::envelope::Answer;
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::plan::aim::aim_of;
use crate::plan::found;
use crate::plan::rows::{Context, Wants, single, when_still};
use crate::plan::{Owner, RowKind, Step};
use crate::present::failure;

/// With less than this a second try on a covered element would only be cut.
const AGAIN_NEEDS: Duration = Duration::from_secs(1);

/// Runs the one command of a call.
pub(super) async fn run(run: &Run<'_>, trace: &mut Trace) -> Checked<Outcome> {
    let Some(step) = run.request.steps.first() else {
        return Ok(failure::unreadable("there is no command", ""));
    };
    make_parents(step, &run.engine.options.cwd);
    busy::clear_way(run, trace).await?;
    let launching = starting::prepare_launch(run, trace).await?;
    trace.effective = effective(run, &step.argv);
    let request = match semantic::look(run, step, trace).await? {
        Looked::Nothing => return sent(run, step, launching, trace).await,
        Looked::Ended(outcome) => return Ok(*outcome),
        Looked::Ref(request) => request,
    };
    let run = Run { request: &request, session: current_session(run), ..*run };
    match request.steps.first() {
        Some(step) => sent(&run, step, launching, trace).await,
        None => Ok(failure::unreadable("there is no command", "")),
    }
}

/// Sends the command, by the way that it needs.
async fn sent(run: &Run<'_>, step: &Step, launching: bool, trace: &mut Trace) -> Checked<Outcome> {
    trace.effective = effective(run, &step.argv);
    if let Some(outcome) = wait::sliced(run, step, launching, trace).await? {
        return Ok(outcome);
    }
    if let Some(outcome) = download::direct(run, step, launching, trace).await? {
        return Ok(outcome);
    }
    if let Some(outcome) = baseline::compared(run, step, launching, trace).await? {
        return Ok(outcome);
    }
    scroll::done(run, step, launching, trace).await
}

/// The command between its rows, in one process.
pub(super) async fn fused(
    run: &Run<'_>,
    step: &Step,
    launching: bool,
    trace: &mut Trace,
) -> Checked<Outcome> {
    let mut context = context_of(run, step, launching);
    if !context.scripts {
        gated::say(step, trace);
    }
    let ran = tried(run, step, &mut context, trace).await?;
    let answers = match came_to_command(run, step, ran, launching, trace).await {
        Ok(answers) => answers,
        Err(outcome) => return Ok(outcome),
    };
    let Some(mut main) = own_answer(step, &answers) else {
        return Ok(failure::unreadable("the command's own row is missing", ""));
    };
    insert::speak_of_fill(step, &mut main);
    let mut brought = sort_out(&answers);
    if context.tabs {
        tabs::reselect(run, &answers, &mut brought, trace).await;
    }
    let wishes = &context.wants;
    turned::ask_the_page(run, step, wishes, &mut main, &mut brought, trace).await;
    if context.split && main.success {
        ask_behind(run, step, wishes, &mut brought, trace).await;
    }
    judged(run, step, &main, brought, trace).await
}

/// What the rows around a single command depend on.
pub(super) fn context_of<'a>(run: &'a Run<'_>, step: &Step, launching: bool) -> Context<'a> {
    let scripts = run.may_run_scripts();
    let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
    let mut wishes = if scripts { wants(&Asked { step, refs }) } else { Wants::default() };
    if scripts {
        blank::watch_place(run, step, &mut wishes);
    }
    Context {
        refs,
        view: run.engine.options.view,
        launching,
        scripts,
        resnap: false,
        inserts: run.may_insert(),
        // With a limit of the caller's the questions behind it get a process of their own (DEC-96).
        split: (run.input.timeout_ms.is_some() || shows_popup(run)) && wishes.watch,
        shows_page: blank::known_page(run).is_some(),
        tabs: step.argv.is_open_like() && tabs::may_restore(run, launching),
        wants: wishes,
    }
}

/// The rows, and again where the first try did not come to the command for a reason that can be met.
pub(super) async fn tried(
    run: &Run<'_>,
    step: &Step,
    context: &mut Context<'_>,
    trace: &mut Trace,
) -> Checked<Ran> {
    let plan = |step: &Step, context: &Context<'_>| {
        tabs::pinned(run, run.session.as_ref(), single(step, context))
    };
    let mut step = Cow::Borrowed(step);
    let mut ran = rows(run, &plan(&step, context), context.launching, trace).await?;
    if let Ran::Rows(answers) = &ran
        && context.scripts
        && gated::kept_off(answers)
    {
        gated::learn(run, answers, trace);
        gated::say(&step, trace);
        (context.scripts, context.inserts, context.split) = (false, false, false);
        context.wants = Wants::default();
        ran = rows(run, &plan(&step, context), false, trace).await?;
    }
    if refused_by(&ran, found::has_exact_match) {
        // The first match is not the one that has exactly these words, and that one is meant.
        step = Cow::Owned(found::exactly(&step));
        context.wants = context_of(run, &step, false).wants;
        ran = rows(run, &plan(&step, context), false, trace).await?;
    }
    if may_be_refound(&ran) {
        context.resnap = true;
        ran = rows(run, &plan(&step, context), false, trace).await?;
    }
    if insert::needs_upstream(context, &ran) {
        context.inserts = false;
        ran = rows(run, &plan(&step, context), false, trace).await?;
    }
    if overlay::is_covered(&step, &ran) && run.clock.left() > AGAIN_NEEDS {
        let mut once_free = plan(&step, context);
        if context.scripts {
            once_free = when_still(once_free, aim_of(&step, context.refs).as_ref());
        }
        let again = rows(run, &once_free, false, trace).await?;
        // A second try that was cut may have acted; one that never came to its command has not.
        let kept_off = |answers: &[(Owner, Answer)]| find(answers, RowKind::Main).is_none();
        if !matches!(&again, Ran::Rows(answers) if kept_off(answers)) {
            ran = again;
        }
    }
    Ok(ran)
}

/// The command's own answer, judged and presented.
pub(super) async fn judged(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    mut brought: Brought,
    trace: &mut Trace,
) -> Checked<Outcome> {
    if left_too_early(step, main) {
        brought.after = AfterRow::Navigated;
        look_again(run, step, main, &mut brought, trace).await;
        if let Some(page) = &brought.page {
            let data = json!({ "url": page.url, "title": page.title });
            let went = Answer { success: true, data, ..Answer::default() };
            return Ok(finish(run, step, &went, &brought, trace));
        }
    }
    if !main.success {
        let mut outcome = failure::of_answer(main, step, &run.label(step));
        facts::after_failure(run, step, main, trace, &mut outcome);
        recover::after_miss(run, step, &mut outcome, trace).await;
        recover::after_no_download(run, step, &mut outcome, trace).await;
        let error = main.error.as_deref().unwrap_or_default();
        if let Some(cover) = in_front::cover(step, error).filter(|_| !run.is_app()) {
            overlay::add(run, &cover, &mut outcome, trace).await;
        }
        return Ok(outcome);
    }
    look_again(run, step, main, &mut brought, trace).await;
    let mut outcome = finish(run, step, main, &brought, trace);
    let judged = !outcome.verdict.is_failure() && !run.is_app();
    let evidence = run.evidence(step, main, &brought);
    if let Some(dialog) = in_front::standing(&evidence).filter(|_| judged) {
        overlay::add(run, &dialog, &mut outcome, trace).await;
    }
    Ok(outcome)
}

/// Upstream asks a page for its address right behind a step in the history. The next document may
/// be there before that question: then the step was done, and only its answer is lost.
fn left_too_early(step: &Step, main: &Answer) -> bool {
    matches!(step.argv.name(), "back" | "forward" | "reload")
        && main.error.as_deref().is_some_and(|error| error.contains("Inspected target navigated"))
}

fn finish(
    run: &Run<'_>,
    step: &Step,
    main: &Answer,
    brought: &Brought,
    trace: &mut Trace,
) -> Outcome {
    let (session, started) = (run.session.as_ref(), run.clock.time);
    let (among, is_past) = (None, false);
    told(run, &Succeeded { step, main, brought, session, started, among, is_past }, trace).0
}
