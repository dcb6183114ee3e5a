//! Why upstream has failed a command: one chain of classification (RES-13, HAZ-17).

use crate::command::ref_id;
use crate::envelope::Answer;
use crate::outcome::FailureCategory;
use crate::plan::Step;

/// The category of a failing answer: codes first, then texts.
#[must_use]
pub fn classify(answer: &Answer, step: &Step) -> FailureCategory {
    if let Some(code) = answer.code.as_deref() {
        return match code {
            "outcome_unknown" | "page_wedged" => FailureCategory::Timeout,
            "tab_gone" => FailureCategory::TabGone,
            _ => FailureCategory::UpstreamError,
        };
    }
    let text = answer.error.as_deref().unwrap_or_default();
    let has = |needle: &str| text.contains(needle);
    if threw(answer, step) {
        FailureCategory::UpstreamError
    } else if has("Wait timed out after")
        || has("Operation timed out")
        || has("CDP command timed out")
    {
        match is_download(step) {
            true => FailureCategory::DownloadNotVerified,
            false => FailureCategory::Timeout,
        }
    } else if has("Unknown ref")
        || has("Stale ref for role=")
        || has("Could not locate element with role=")
        || lost_ref(text, step)
    {
        FailureCategory::StaleRef
    } else if is_miss(text) {
        match step.argv.foreign_selector() {
            Some(_) => FailureCategory::SelectorUnsupported,
            None => FailureCategory::SelectorNotFound,
        }
    } else if is_download(step) {
        FailureCategory::DownloadNotVerified
    } else if answer.kind.is_some() {
        FailureCategory::ValidationError
    } else {
        FailureCategory::UpstreamError
    }
}

/// Upstream's words for a browser that does not start: of the launch itself, or of the row that made
/// it launch one.
const NO_BROWSER: [&str; 2] = ["Failed to launch Chrome", "Auto-launch failed: "];

/// Upstream had to start a browser for the command, and none came up.
#[must_use]
pub fn has_no_browser(answer: &Answer) -> bool {
    let error = answer.error.as_deref().unwrap_or_default();
    NO_BROWSER.iter().any(|said| error.starts_with(said))
}

/// The words are those of a script: they say nothing about an element or a dialog.
#[must_use]
pub fn threw(answer: &Answer, step: &Step) -> bool {
    let text = answer.error.as_deref().unwrap_or_default();
    step.argv.name() == "eval" && text.starts_with("Evaluation error:")
}

/// `download` and `wait --download` (RES-15).
fn is_download(step: &Step) -> bool {
    step.argv.name() == "download" || step.argv.has_own_flag("--download")
}

fn is_miss(text: &str) -> bool {
    text.contains("Element not found")
        || text.contains("No element found")
        || text.contains("No element at index")
        || text.contains("No element matches selector")
        || text.contains("did not match any element")
        || (text.contains(" role \"") && text.contains("none match name"))
}

/// The element of a ref is not there, in upstream's words for any selector (RES-14). Of two targets
/// the words name the one that they mean.
fn lost_ref(text: &str, step: &Step) -> bool {
    let is_ref = |target: &str| ref_id(target).is_some();
    let is_named = |target: &str| text.contains(&format!("not found: {target}."));
    is_miss(text)
        && step.argv.target().is_some_and(|target| is_ref(target.value))
        && !step.argv.operands().into_iter().any(|other| !is_ref(other) && is_named(other))
}
