//! `download` of a simple link on this machine: read in the page and saved by us (PLAN-65).
//! Everything else, and every failure of it, is upstream's download (PLAN-66).

use serde_json::json;
use url::Url;

use super::answers::{Brought, find};
use super::execute::rows;
use super::refused::came_to_command;
use super::run::Run;
use super::single::judged;
use super::{Trace, tabs};
use crate::address::is_loopback;
use crate::envelope::Answer;
use crate::error::Checked;
use crate::outcome::Outcome;
use crate::plan::rewrite::absolute;
use crate::plan::{Plan, RowKind, Step};
use crate::probe::{AnchorFile, anchor_row};
use crate::run::places::write_private;

/// The outcome of a download that needed no click; `None` when upstream is to do it.
pub(super) async fn direct(
    run: &Run<'_>,
    step: &Step,
    launching: bool,
    trace: &mut Trace,
) -> Checked<Option<Outcome>> {
    if launching || !run.may_run_scripts() || !is_on_this_machine(run) || has_profile(run) {
        return Ok(None);
    }
    let Some(selector) = selector_of(step) else { return Ok(None) };
    let Some(operand) = step.argv.output_path() else { return Ok(None) };
    let plan = Plan::one(RowKind::Main, anchor_row(selector));
    let plan = tabs::pinned(run, run.session.as_ref(), plan);
    let ran = rows(run, &plan, false, trace).await?;
    let answers = match came_to_command(run, step, ran, false, trace).await {
        Ok(answers) => answers,
        Err(outcome) => return Ok(Some(outcome)),
    };
    let answer = find(&answers, RowKind::Main).filter(|answer| answer.success);
    let Some(file) = answer.and_then(|answer| AnchorFile::from_eval(&answer.data)) else {
        return Ok(None);
    };
    let path = absolute(&run.engine.options.cwd, operand.value);
    if write_private(&path, &file.bytes).is_err() {
        return Ok(None);
    }
    let data =
        json!({ "path": path, "source": "anchor", "url": file.url, "type": file.media_type });
    let saved = Answer { success: true, data, ..Answer::default() };
    judged(run, step, &saved, Brought::default(), trace).await.map(Some)
}

/// A target that is no ref: refs are checked and clicked as usual.
fn selector_of(step: &Step) -> Option<&str> {
    let is_download = step.argv.name() == "download" && step.argv.ref_operands().is_empty();
    step.argv.target().filter(|_| is_download).map(|target| target.value)
}

/// The page that the session is known to show comes from this machine.
fn is_on_this_machine(run: &Run<'_>) -> bool {
    let page = run.session.as_ref().and_then(|session| session.page.as_ref());
    let url = page.and_then(|page| Url::parse(&page.url).ok());
    url.is_some_and(|url| is_loopback(&url))
}

fn has_profile(run: &Run<'_>) -> bool {
    let flags = run.session.iter().flat_map(|session| &session.launch.launch_flags);
    flags.into_iter().any(|(name, _)| name == "--profile") || run.is_given("--profile")
}
