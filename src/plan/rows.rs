//! The scheme of rows (DEC-90…96): what stands in front of and behind each command.

use super::about::{is_snapshot, navigates};
use super::in_front::{before_of, ref_check, snapshot_of};
use super::insert::insertion;
use super::{Owner, Plan, Row, RowKind, Step, found, looks, tab};
use crate::command::Extra;
use crate::probe::{
    After, Aim, Before, Expect, Question, after_row, arrival_row, before_row, focus_row, look_row,
    shows_row, still_row,
};
use crate::session::refs::{RefCheck, RefSnapshot};

/// What the rows depend on besides the steps.
#[derive(Clone, Debug, Default)]
pub struct Context<'a> {
    /// The session's refs.
    pub refs: Option<&'a RefSnapshot>,
    /// Add the page view behind a navigation.
    pub view: bool,
    /// This call starts the browser: also read its DevTools address.
    pub launching: bool,
    /// `eval` rows may be sent (DEC-92).
    pub scripts: bool,
    /// The session shows a page: a blank one in its place is not to be acted on (HAZ-03).
    pub shows_page: bool,
    /// Read the list of tabs behind the command.
    pub tabs: bool,
    /// The page has said that the ref may be found again elsewhere: upstream looks first which of
    /// its refs are still there (HAZ-25).
    pub resnap: bool,
    /// A text may be inserted into a field that a script has prepared: no option of the session holds
    /// back or denies single actions.
    pub inserts: bool,
    /// The questions behind the command get a process of their own (DEC-96).
    pub split: bool,
    /// What the diagnostics want in front of and behind a single command.
    pub wants: Wants,
}

/// The merged wishes of all diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Watch the page while the command runs.
    pub watch: bool,
    /// Watch the requests that the page begins meanwhile.
    pub requests: bool,
    /// Stop events on elements that the snapshot had not seen.
    pub guard: bool,
    /// Questions behind the command.
    pub after: Option<After>,
}

impl Wants {
    /// What both want.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let Self { watch, requests, guard, after } = self;
        Self {
            watch: watch || other.watch,
            requests: requests || other.requests,
            guard: guard || other.guard,
            after: match (after, other.after) {
                (Some(one), Some(other)) => Some(one.merge(other)),
                (one, other) => one.or(other),
            },
        }
    }

    /// The element that a text is meant for, to be looked at before it is sent.
    #[must_use]
    pub fn field(&self) -> Option<Aim> {
        self.after.as_ref().filter(|after| after.sends_text())?.aim.clone()
    }

    /// Questions that stand on both sides of the command.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        let all = self.after.iter().flat_map(|after| &after.questions);
        all.filter(|question| question.in_front).cloned().collect()
    }
}

/// The rows of a single command.
#[must_use]
pub fn single(step: &Step, context: &Context<'_>) -> Plan {
    let mut rows = Vec::new();
    let traits = step.argv.traits();
    let check = ref_check(step, context);
    let inserted = insertion(step, context);
    let watched = context.wants.watch;
    let asked = watched || context.wants.field().is_some() || !context.wants.questions().is_empty();
    let mut before = before_of(step, &context.wants, check.as_ref(), context.resnap, context.refs);
    rows.extend(snapshot_of(0, check.as_ref(), context.resnap, context));
    if check.is_none() {
        before.expect = context.shows_page.then_some(Expect::NotBlank);
        before.takes_up = inserted.is_some();
    }
    if asked || matches!(check, Some(RefCheck::Identity(_))) {
        rows.push(row(RowKind::Before, 0, before_row(&before)));
    }
    if is_snapshot(step) && context.scripts {
        rows.push(row(RowKind::Look, 0, look_row(true)));
    }
    match inserted {
        Some(words) => rows.push(row(RowKind::Main, 0, words)),
        None => rows.extend(main_rows(step, 0, watched, context.scripts)),
    }
    if context.tabs {
        rows.push(row(RowKind::Tabs, 0, words(&["tab", "list"])));
    }
    if (traits.extra == Extra::After && navigates(step)) || tab::shows_page(step) {
        if context.scripts {
            rows.push(row(RowKind::Look, 0, look_row(context.view)));
        }
        if context.view {
            rows.push(row(RowKind::View, 0, words(&["snapshot", "-i"])));
        }
    } else if let Some(after) = context.wants.after.as_ref().filter(|_| !context.split) {
        // Looks end the rows; a page that is just being launched opens no dialog.
        let rows_of =
            if context.launching { behind_at(0, step, after) } else { behind(step, after) };
        rows.extend(rows_of);
    }
    if context.launching {
        rows.push(row(RowKind::CdpUrl, 0, words(&["get", "cdp-url"])));
    }
    Plan { front: Vec::new(), rows, bail: true, next_step: 1 }
}

/// The questions behind a single command. Where its effect is waited for, no row may follow them.
#[must_use]
pub fn behind(step: &Step, after: &After) -> Vec<Row> {
    if after.wait_ms > 0 { looks::rows(0, after) } else { behind_at(0, step, after) }
}

/// The questions behind a step: of the page, then of the control that was checked (HAZ-26).
pub(super) fn behind_at(index: usize, step: &Step, after: &After) -> Vec<Row> {
    let mut rows = Vec::new();
    if after.rested_ms > 0 {
        rows.push(row(RowKind::Rest, index, words(&["wait", &after.rested_ms.to_string()])));
    }
    rows.push(row(RowKind::After, index, after_row(after)));
    if let ("check" | "uncheck", [target, ..]) = (step.argv.name(), &*step.argv.operands()) {
        rows.push(row(RowKind::State, index, words(&["is", "checked", target])));
    }
    rows
}

/// The same rows once nothing moves in front of their first step any more.
#[must_use]
pub fn when_still(mut plan: Plan, aim: Option<&Aim>) -> Plan {
    let at = plan.rows.iter().take_while(|row| row.owner.kind == RowKind::Pin).count();
    let step = plan.rows.first().map_or(0, |row| row.owner.step);
    plan.rows.insert(at, row(RowKind::Still, step, still_row(aim)));
    plan
}

/// Commands that no tab needs to be selected for: they choose one, or work on the session.
const WITHOUT_TAB: [&str; 17] = [
    "open", "tab", "window", "close", "connect", "dialog", "confirm", "deny", "network", "console",
    "errors", "state", "auth", "trace", "profiler", "record", "stream",
];

/// The rows with the session's tab selected in front of the first that works on a tab, unless one
/// before it chooses another (PAGE-05). Selecting a tab voids every ref, so it never stands in front of
/// one (DEC-95).
#[must_use]
pub fn with_pin(mut plan: Plan, steps: &[Step], target: &str) -> Plan {
    let own = plan.rows.iter().map(|row| row.owner.step);
    let (Some(first), Some(last)) = (own.clone().min(), own.max()) else { return plan };
    let own = steps.get(first..=last).unwrap_or_default();
    if own.iter().any(|step| !step.argv.ref_operands().is_empty()) {
        return plan;
    }
    let works = |step: &Step| !WITHOUT_TAB.contains(&step.argv.name());
    let decides = own.iter().position(|step| works(step) || tab::chooses(step));
    let Some(at) = decides.filter(|at| own.get(*at).is_some_and(works)) else { return plan };
    let step = first + at;
    let in_front = plan.rows.iter().position(|row| row.owner.step == step).unwrap_or_default();
    plan.rows.insert(in_front, select_tab(target, step));
    // What would run on another tab must not run.
    plan.bail = true;
    plan
}

/// The row that selects a tab.
#[must_use]
pub fn select_tab(target: &str, step: usize) -> Row {
    row(RowKind::Pin, step, words(&["tab", target]))
}

/// The second process behind a navigating act: which tab, which document, and its view.
#[must_use]
pub fn view(with_snapshot: bool) -> Plan {
    let mut rows = vec![
        row(RowKind::Tabs, 0, words(&["tab", "list"])),
        row(RowKind::Look, 0, arrival_row(with_snapshot)),
    ];
    if with_snapshot {
        rows.push(row(RowKind::View, 0, words(&["snapshot", "-i"])));
    }
    Plan::of(rows)
}

/// Everything that a probe of an app reads, and goes on where one row fails (ELEC-36).
#[must_use]
pub fn app_probe() -> Plan {
    let mut plan = view(true);
    plan.rows.insert(1, row(RowKind::Focus, 0, focus_row()));
    plan.bail = false;
    plan
}

/// Where the page of a session is, and nothing else.
#[must_use]
pub fn place() -> Plan {
    Plan::one(RowKind::Look, arrival_row(false))
}

/// The row that reads the beginning of the page's text.
#[must_use]
pub fn shown_text() -> Row {
    row(RowKind::Look, 0, shows_row(crate::line::ROW_LIMIT))
}

/// The list of tabs.
#[must_use]
pub fn tab_list() -> Plan {
    Plan::one(RowKind::Tabs, words(&["tab", "list"]))
}

/// What is asked in front of a step of a batch: a `find` that clicks needs its mark.
pub(super) fn batch_question(step: &Step, context: &Context<'_>) -> Option<Question> {
    found::question(step).filter(|_| context.scripts && found::action(step) == "click")
}

/// `dblclick` becomes click, check, dblclick: the browser's true sequence, and never a second click
/// on the next page (HAZ-22). A click by `find` is looked up first, then done.
pub(super) fn main_rows(step: &Step, index: usize, watched: bool, scripts: bool) -> Vec<Row> {
    if scripts && found::is_marked_click(step) {
        let [look, click] = found::marked_click(step);
        return vec![row(RowKind::Find, index, look), row(RowKind::Main, index, click)];
    }
    if let Some([tab, open]) = tab::opened(step) {
        return vec![row(RowKind::MainExtra, index, tab), row(RowKind::Main, index, open)];
    }
    let main = row(RowKind::Main, index, step.words.clone());
    if tab::is_listed(step) {
        return vec![main, row(RowKind::Tabs, index, words(&["tab", "list"]))];
    }
    if step.argv.command().is_none_or(|command| command.name != "dblclick") || !watched {
        return vec![main];
    }
    let mut click = step.words.clone();
    if let Some(word) = click.first_mut() {
        *word = "click".to_owned();
    }
    let check = Before { expect: Some(Expect::Armed), ..Before::default() };
    vec![
        row(RowKind::MainExtra, index, click),
        row(RowKind::MainExtra, index, before_row(&check)),
        main,
    ]
}

pub(super) fn row(kind: RowKind, step: usize, argv: Vec<String>) -> Row {
    Row { owner: Owner { kind, step }, argv }
}

pub(super) fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}
