//! A blank page where a page was: noticed, and told apart from one that is meant (HAZ-02, HAZ-03,
//! HAZ-17).

use serde_json::json;

use super::answers::{find, sort_out};
use super::execute::ask;
use super::run::Run;
use super::tabs::{is_behind, list_tabs};
use super::{Trace, lost};
use crate::command::Extra;
use crate::command::verbs::nothing_was_done_by;
use crate::diagnose::category::classify;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::about::navigates;
use crate::plan::rows::{Wants, select_tab, view};
use crate::plan::{Owner, Plan, RowKind, Step};
use crate::present::failure::reopen;
use crate::probe::After;
use crate::probe::report::PageReport;
use crate::run::config_files::launch_by_config;
use crate::session::fact::{Fact, Invalidation, Page};
use crate::session::target::Target;

const BLANK: &str = "about:blank";
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

/// A blank page where a page was: the outcome, once it is certain.
pub(super) async fn in_place_of_page(
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
        let thrown = answer.error.as_deref().and_then(|error| {
            PageReport::from_stale_error(error).or_else(|| PageReport::from_last_row(error))
        });
        PageReport::from_eval(&answer.data).or(thrown)
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
