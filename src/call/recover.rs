//! Behind a miss by name: one fresh snapshot, and the refs that have exactly that name (DIAG-REF-01).

use super::answers::sort_out;
use super::execute::ask;
use super::look::fresh_look;
use super::run::Run;
use super::{Trace, facts};
use crate::diagnose::ref_fallback::{candidates, judge, wanted};
use crate::input::Mode;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome, Verdict};
use crate::plan::Step;
use crate::plan::rows::place;
use crate::present::snapshot_view::view_details;

/// Adds what a current snapshot knows about the name that was not found.
pub(super) async fn after_miss(
    run: &Run<'_>,
    step: &Step,
    outcome: &mut Outcome,
    trace: &mut Trace,
) {
    // `find text` takes the first match even if it is hidden: a visible one may stand beside it.
    let error =
        outcome.details.get("error").and_then(serde_json::Value::as_str).unwrap_or_default();
    let missed = outcome.verdict == Verdict::Failure(FailureCategory::SelectorNotFound)
        || error.contains("is not visible");
    let Some(wanted) = wanted(step).filter(|_| missed) else { return };
    if matches!(run.input.mode, Mode::Semantic(_)) {
        outcome.findings.extend(candidates(step));
    }
    let Some((data, page)) = fresh_look(run, trace).await else { return };
    if let Some(page) = &page {
        facts::page_at(run, page, trace);
    }
    let found = judge(&wanted, &data);
    if found.is_empty() {
        return;
    }
    let page = page.unwrap_or_default();
    for mut finding in found {
        if finding.key == "visibleRefFallback" {
            finding.details["snapshot"] = view_details(&data, &page.title, &page.doc);
        }
        outcome.details.insert(finding.key.to_owned(), finding.details.clone());
        outcome.findings.push(finding);
    }
    // A ready ref comes before a guess (visible-text sample 10).
    order_next(outcome);
}

/// Behind a `download` that brought no file: a link whose file the browser shows has been followed.
pub(super) async fn after_no_download(
    run: &Run<'_>,
    step: &Step,
    outcome: &mut Outcome,
    trace: &mut Trace,
) {
    let none = outcome.verdict == Verdict::Failure(FailureCategory::DownloadNotVerified);
    let known = run.session.as_ref().and_then(|session| session.page.as_ref());
    let Some(known) = known.filter(|_| none && step.argv.name() == "download") else { return };
    let seen = ask(run, &place(), trace).await.ok().and_then(|answers| sort_out(&answers).page);
    let Some(page) = seen.filter(|page| page.url != known.url) else { return };
    facts::page_at(run, &page, trace);
    let line = Line::ours("The page shows it instead: now on ").url(&page.url);
    outcome.answer.push(line.and(" (earlier refs are void)."));
    outcome.next = vec![NextAction::args(
        "go-back-from-shown-file",
        "return to the page with the link",
        &["back"],
    )];
}

/// `Next` lines: new snapshot, the exact ref, then the guesses.
fn order_next(outcome: &mut Outcome) {
    let mut all: Vec<_> =
        outcome.findings.iter_mut().flat_map(|finding| finding.next.drain(..)).collect();
    all.sort_by_key(|action| !action.id.contains("current-"));
    outcome.next.extend(all);
}
