//! A row in front of the command has failed: the command did not run, and this says why.

use super::answers::find;
use super::execute::{Ran, ask};
use super::lost::blank_instead;
use super::run::Run;
use super::tab_list::{TabPlace, tab_place};
use super::{Trace, blank, facts, stale, starting, tabs};
use crate::command::verbs::nothing_was_done_by;
use crate::diagnose::landed;
use crate::diagnose::recreated::taken_over;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::guard::stale_refusal_line;
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};
use crate::plan::rows::tab_list;
use crate::plan::{Owner, RowKind, Step};
use crate::present::{failure, fold_findings};
use crate::probe::NO_TEXT_MARKER;
use crate::probe::report::{PageReport, Stopped};
use crate::session::dialog::{self, from_warning};
use crate::session::fact::Fact;

/// The row in front has refused: the ref might be found again in another element (HAZ-25).
pub(super) fn may_be_refound(ran: &Ran) -> bool {
    refused_by(ran, may_be_refound_by)
}

/// A row in front of the command has refused it for a certain reason.
pub(super) fn refused_by(ran: &Ran, reason: fn(&str) -> bool) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let text = refused_in_front(answers).and_then(|(_, answer)| answer.error.as_deref());
    text.is_some_and(reason)
}

/// The same, told by the text of the failed row.
pub(super) fn may_be_refound_by(error: &str) -> bool {
    error.contains(crate::probe::REFOUND_MARKER)
}

/// A failed row in front of the command's own, which then did not run.
pub(super) fn refused_in_front(answers: &[(Owner, Answer)]) -> Option<(Owner, &Answer)> {
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

/// The answers of a process that came to the command, or the outcome of one that did not: it failed
/// as a whole, its browser or its page was lost, or a row in front of the command has refused.
pub(super) async fn came_to_command(
    run: &Run<'_>,
    step: &Step,
    ran: Ran,
    launching: bool,
    trace: &mut Trace,
) -> Result<Vec<(Owner, Answer)>, Outcome> {
    let answers = match ran {
        Ran::Rows(answers) => answers,
        Ran::Failed(failed) => {
            return Err(starting::whole_failure(run, failed, launching, trace).await);
        }
    };
    if let Some(outcome) = starting::behind_process(run, step, &answers, launching, trace) {
        return Err(outcome);
    }
    if let Some(outcome) = blank::in_place_of_page(run, step, &answers, trace).await {
        return Err(outcome);
    }
    match refused_in_front(&answers) {
        Some((owner, answer)) => Err(refused_row(run, step, owner.kind, answer, trace).await),
        None => Ok(answers),
    }
}

/// The outcome of a failed row in front of the command (DEC-92).
pub(super) async fn refused_row(
    run: &Run<'_>,
    step: &Step,
    kind: RowKind,
    answer: &Answer,
    trace: &mut Trace,
) -> Outcome {
    let error = answer.error.as_deref().unwrap_or_default();
    if kind == RowKind::Pin {
        return tabs::gone(run, step);
    }
    if let Some(open) = from_warning(error).filter(|_| kind == RowKind::MainExtra) {
        // The first click of two was done, and the dialog it opened keeps the second one back.
        let line = Line::ours("Clicked ").append(&run.label(step)).and(" once. ");
        let mut outcome = Outcome::success(vec![dialog::sentence(line, &open)]);
        facts::after_failure(run, step, answer, trace, &mut outcome);
        outcome.next = dialog::answers().into();
        return outcome;
    }
    if let Some((_, kind)) = error.split_once(NO_TEXT_MARKER) {
        return takes_no_text(run, step, kind);
    }
    if let Some(taken) = Stopped::from_taken_error(error) {
        let why = taken_over(&taken.name);
        return stale_refusal_line(step.argv.name(), &run.label(step), why, None).into_outcome();
    }
    match PageReport::from_stale_error(error) {
        Some(page) if kind == RowKind::MainExtra => clicked_once(run, step, &page, trace),
        Some(page) => other_document(run, step, page, trace).await,
        None => {
            let mut outcome = failure::of_answer(answer, step, &run.label(step));
            facts::after_failure(run, step, answer, trace, &mut outcome);
            outcome
        }
    }
}

/// The first click of two has left the page (HAZ-22), or the page left by itself below it.
fn clicked_once(run: &Run<'_>, step: &Step, page: &PageReport, trace: &mut Trace) -> Outcome {
    facts::page_at(run, page, trace);
    let label = run.label(step);
    let line = Line::ours("Clicked ").append(&label);
    let line = line.and(" once: the first click left the page. Now on ").url(&page.url);
    let mut outcome = Outcome::success(vec![line.and(" (earlier refs are void).")])
        .with_detail("firstClickNavigated", true);
    let finding = landed::judge(step, &label, None, page);
    fold_findings(&mut outcome, finding.into_iter().collect());
    outcome
}

/// A text for an element that takes none (HAZ-19).
fn takes_no_text(run: &Run<'_>, step: &Step, kind: &str) -> Outcome {
    let way = match kind.split(';').next() {
        Some("list") => " takes no text. It is a list: use select.",
        Some("choices") => " takes no text. Click it, then one of its options.",
        Some("choice") => " takes no text. Use check or uncheck.",
        Some("file") => " takes no text. Use upload.",
        Some("set-only") => {
            " takes no keys as text. Use fill, which sets it, or press the arrow keys."
        }
        Some("hidden") => " is hidden and cannot have the focus.",
        Some("disabled") => " is disabled.",
        Some("read-only") => " is read-only.",
        _ => " takes no text.",
    };
    let line = Line::ours(format!("{}: ", nothing_was_done_by(&step.argv.words)));
    let line = line.append(&run.label(step)).and(way);
    let look = NextAction::args("find-field-for-text", "see the fields", &["snapshot", "-i"]);
    Refusal::invalid(line).next(look).into_outcome()
}

/// The identity check has failed: another tab, a tab that is gone, or another document (DEC-95).
async fn other_document(
    run: &Run<'_>,
    step: &Step,
    page: PageReport,
    trace: &mut Trace,
) -> Outcome {
    let now = facts::page_of(&page, None);
    let known = run.session.as_ref().and_then(|session| session.page.as_ref()?.target.clone());
    let tabs = match known {
        Some(_) => tabs_now(run, trace).await,
        None => None,
    };
    let place = match (&known, &tabs) {
        (Some(target), Some(tabs)) => tab_place(target, tabs),
        _ => TabPlace::Active,
    };
    if matches!(place, TabPlace::Gone) && now.url == "about:blank" {
        return blank_instead(run, trace);
    }
    if let Some(key) = run.target.key() {
        run.engine.learn(trace, [Fact::PageAt { key: key.clone(), page: now.clone() }]);
    }
    let refs = run.session.as_ref().and_then(|session| session.refs.as_ref());
    stale::refusal(step, &run.label(step), refs, &now, &place).into_outcome()
}

/// The open tabs, read by a process of its own.
async fn tabs_now(run: &Run<'_>, trace: &mut Trace) -> Option<Answer> {
    let answers = ask(run, &tab_list(), trace).await.ok()?;
    find(&answers, RowKind::Tabs).filter(|answer| answer.success).cloned()
}
