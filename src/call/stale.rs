//! The words for a ref whose document is not there: moved page, other tab, closed tab (DEC-95).

use super::tab_list::TabPlace;
use crate::command::verbs::nothing_was;
use crate::error::Refusal;
use crate::guard::{moved_refusal, stale_refusal_line};
use crate::line::{Line, tame};
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::Step;
use crate::session::fact::Page;
use crate::session::refs::RefSnapshot;

/// The refusal: nothing has happened.
pub(super) fn refusal(
    step: &Step,
    label: &Line,
    refs: Option<&RefSnapshot>,
    now: &Page,
    place: &TabPlace,
) -> Box<Refusal> {
    let url = refs.map_or("", |refs| refs.url.as_str());
    match place {
        TabPlace::Active => moved_refusal(step.argv.name(), label, url, now),
        TabPlace::Gone => {
            let reason = Line::ours(" belongs to a tab that is gone, ").url(url);
            stale_refusal_line(step.argv.name(), label, reason, Some(now)).next(NextAction::args(
                "list-tabs-after-tab-gone",
                "see which tabs are open",
                &["tab", "list"],
            ))
        }
        TabPlace::Elsewhere(tab) => elsewhere(step, label, now, tab),
    }
}

fn elsewhere(step: &Step, label: &Line, now: &Page, tab: &str) -> Box<Refusal> {
    let tab = tame(tab);
    let line = Line::ours(format!("{}. ", nothing_was(step.argv.name())))
        .append(label)
        .and(format!(" belongs to tab {tab}, but another tab is active: "))
        .quote(&now.title)
        .and(" ")
        .url(&now.url);
    Refusal::new(FailureCategory::TabDrift, line)
        .next(NextAction::args(
            "list-tabs-for-tab-drift-recovery",
            "see the tabs",
            &["tab", "list"],
        ))
        .next(NextAction::args(
            "select-intended-tab-after-drift",
            "go back to its tab",
            &["tab", &tab],
        ))
        .next(NextAction::args(
            "snapshot-after-tab-recovery",
            "then get current refs",
            &["snapshot", "-i"],
        ))
}
