//! The scheme of rows (DEC-90…96): what stands in front of and behind each command.

use super::aim::{aim_of, read_selector};
use super::read_back::read_back;
use super::{Owner, Plan, Row, RowKind, Step};
use crate::command::{Extra, Global, ref_id};
use crate::probe::{
    After, Aim, Before, Expect, Question, after_row, before_row, focus_row, look_row, still_row,
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

/// Selectors of one run of `get text` rows that the page is asked about.
const MOST_SELECTORS: usize = 20;
/// The flag of `screenshot` that stands in front of `batch`.
const ANNOTATE: &str = "--annotate";

/// Commands whose events are stopped in front of an element that the snapshot had not seen; the
/// others work by script, or read.
const MEETS_EVENTS: [&str; 4] = ["click", "dblclick", "tap", "drag"];

/// The rows of a single command.
#[must_use]
pub fn single(step: &Step, context: &Context<'_>) -> Plan {
    let mut rows = Vec::new();
    let traits = step.argv.traits();
    let check = ref_check(step, context);
    let watched = context.wants.watch;
    let asked = watched || context.wants.field().is_some() || !context.wants.questions().is_empty();
    match check {
        Some(RefCheck::Snapshot(options)) => {
            rows.push(resnap(0, &options));
            if asked {
                rows.push(before(0, None, false, context));
            }
        }
        Some(RefCheck::Identity(expect)) => {
            if context.resnap {
                rows.push(resnap(0, context.refs.map_or(&[], |refs| &refs.options)));
            }
            let refound = !context.resnap && !MEETS_EVENTS.contains(&step.argv.name());
            rows.push(before(0, Some(expect), refound, context));
        }
        None if asked => {
            let expect = context.shows_page.then_some(Expect::NotBlank);
            rows.push(before(0, expect, false, context));
        }
        None => {}
    }
    if is_snapshot(step) && context.scripts {
        rows.push(row(RowKind::Look, 0, look_row(true)));
    }
    rows.extend(main_rows(step, 0, watched));
    if context.tabs {
        rows.push(row(RowKind::Tabs, 0, words(&["tab", "list"])));
    }
    if traits.extra == Extra::After && navigates(step) {
        if context.scripts {
            rows.push(row(RowKind::Look, 0, look_row(context.view)));
        }
        if context.view {
            rows.push(row(RowKind::View, 0, words(&["snapshot", "-i"])));
        }
    } else if let Some(after) = context.wants.after.as_ref().filter(|_| !context.split) {
        rows.extend(behind(step, after));
    }
    if context.launching {
        rows.push(row(RowKind::CdpUrl, 0, words(&["get", "cdp-url"])));
    }
    Plan { front: Vec::new(), rows, bail: true, next_step: 1 }
}

/// The questions behind a command: of the page, then of the control that was checked (HAZ-26).
#[must_use]
pub fn behind(step: &Step, after: &After) -> Vec<Row> {
    let mut rows = vec![row(RowKind::After, 0, after_row(after))];
    rows.extend(state(step, 0));
    rows
}

/// What upstream itself says of a control that was checked.
fn state(step: &Step, index: usize) -> Option<Row> {
    let operands = step.argv.operands();
    let ("check" | "uncheck", [target, ..]) = (step.argv.name(), operands.as_slice()) else {
        return None;
    };
    Some(row(RowKind::State, index, words(&["is", "checked", target])))
}

/// The same rows once nothing moves in front of their first step any more.
#[must_use]
pub fn when_still(mut plan: Plan, aim: Option<&Aim>) -> Plan {
    let at = plan.rows.iter().take_while(|row| row.owner.kind == RowKind::Pin).count();
    let step = plan.rows.first().map_or(0, |row| row.owner.step);
    plan.rows.insert(at, row(RowKind::Still, step, still_row(aim)));
    plan
}

/// The rows of a batch from `first` on, up to the end of its segment.
#[must_use]
pub fn batch(steps: &[Step], first: usize, caller_bail: bool, context: &Context<'_>) -> Plan {
    let mut rows = Vec::new();
    let mut front: Vec<String> = Vec::new();
    let mut reading_run = false;
    let next_step = segment_end(steps, first);
    let own = steps.get(first..next_step).unwrap_or_default();
    let bail = caller_bail || own.iter().any(|step| !step.argv.ref_operands().is_empty());
    for (index, step) in steps.iter().enumerate().take(next_step).skip(first) {
        let refs = step.argv.ref_operands();
        let acts = step.argv.traits().caps.acts;
        let field = text_aim(step, context).filter(|_| context.scripts);
        let question = read_back(step, context.refs).filter(|_| context.scripts);
        let mut before = Before { questions: Vec::from_iter(question), ..Before::default() };
        match ref_check(step, context) {
            Some(RefCheck::Identity(expect)) if acts || !reading_run => {
                before.expect = Some(expect);
                before.field = field;
            }
            Some(RefCheck::Snapshot(options)) if acts || !reading_run => {
                rows.push(resnap(index, &options))
            }
            // Only where a refusing row keeps the next one from running.
            None if caller_bail => before.field = field,
            _ => {}
        }
        before.replaces = before.field.is_some() && step.argv.name() == "fill";
        if before != Before::default() {
            rows.push(row(RowKind::Before, index, before_row(&before)));
        }
        reading_run = !refs.is_empty() && !acts;
        if is_snapshot(step) && context.scripts {
            rows.push(row(RowKind::Look, index, look_row(true)));
        }
        rows.extend(main_rows(step, index, false));
        if let Some(after) = after_in_batch(steps, index, context).filter(|_| context.scripts) {
            rows.push(row(RowKind::After, index, after_row(&After { stops: bail, ..after })));
            rows.extend(state(step, index));
        }
        front.extend(front_flag(step).filter(|flag| !front.contains(flag)));
    }
    if next_step == steps.len() && !ends_with_close(steps) && context.scripts {
        let last = steps.len().saturating_sub(1);
        rows.push(row(RowKind::Look, last, look_row(false)));
    }
    Plan { front, rows, bail, next_step }
}

/// The first step with a ref behind a snapshot of the batch itself (DEC-94), or a screenshot whose
/// labels are asked for otherwise than those before it (PLAN-64); else their number.
fn segment_end(steps: &[Step], first: usize) -> usize {
    let mut snapshot_seen = false;
    let mut annotated = None;
    for (index, step) in steps.iter().enumerate().skip(first) {
        // A flag in front of the batch is for all of its screenshots.
        let flag = (step.argv.name() == "screenshot").then(|| front_flag(step).is_some());
        let is_other = flag.zip(annotated).is_some_and(|(own, others)| own != others);
        if (snapshot_seen && !step.argv.ref_operands().is_empty()) || is_other {
            return index;
        }
        annotated = annotated.or(flag);
        snapshot_seen |= is_snapshot(step);
    }
    steps.len()
}

/// Commands that no tab needs to be selected for: they choose one, or work on the session.
const WITHOUT_TAB: [&str; 17] = [
    "open", "tab", "window", "close", "connect", "dialog", "confirm", "deny", "network", "console",
    "errors", "state", "auth", "trace", "profiler", "record", "stream",
];

/// The rows with the session's tab selected in front of them (PAGE-05). Selecting a tab voids every
/// ref, so it never stands in front of one (DEC-95).
#[must_use]
pub fn with_pin(mut plan: Plan, steps: &[Step], target: &str) -> Plan {
    let own = plan.rows.iter().map(|row| row.owner.step);
    let (Some(first), Some(last)) = (own.clone().min(), own.max()) else { return plan };
    let own = steps.get(first..=last).unwrap_or_default();
    let carries_ref = own.iter().any(|step| !step.argv.ref_operands().is_empty());
    let works_on_tab = own.first().is_some_and(|step| !WITHOUT_TAB.contains(&step.argv.name()));
    if works_on_tab && !carries_ref {
        plan.rows.insert(0, select_tab(target, first));
        // What would run on another tab must not run.
        plan.bail = true;
    }
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
        row(RowKind::Look, 0, look_row(with_snapshot)),
    ];
    if with_snapshot {
        rows.push(row(RowKind::View, 0, words(&["snapshot", "-i"])));
    }
    Plan { front: Vec::new(), rows, bail: true, next_step: 0 }
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
    let rows = vec![row(RowKind::Look, 0, look_row(false))];
    Plan { front: Vec::new(), rows, bail: true, next_step: 0 }
}

/// The list of tabs.
#[must_use]
pub fn tab_list() -> Plan {
    let rows = vec![row(RowKind::Tabs, 0, words(&["tab", "list"]))];
    Plan { front: Vec::new(), rows, bail: true, next_step: 0 }
}

/// What is asked behind a step of a batch.
fn after_in_batch(steps: &[Step], index: usize, context: &Context<'_>) -> Option<After> {
    let step = steps.get(index)?;
    let resources = asks_for_requests(step);
    let fill = fill_text(step);
    let aim = text_aim(step, context);
    let mut questions = Vec::from_iter(texts_question(steps, index));
    questions.extend(read_back(step, context.refs));
    let asks = resources || fill.is_some() || !questions.is_empty();
    asks.then(|| After { fill, aim, resources, questions, ..After::default() })
}

/// The element that a step sends a text to.
fn text_aim(step: &Step, context: &Context<'_>) -> Option<Aim> {
    let sends = matches!(step.argv.name(), "fill" | "type");
    sends.then(|| aim_of(step, context.refs)).flatten()
}

/// One question for a whole run of `get text` rows, behind its last one: between them the page is the
/// same (DIAG-TEXT-01).
fn texts_question(steps: &[Step], index: usize) -> Option<Question> {
    let reads = |step: &&Step| {
        step.argv.name() == "get" && step.argv.words.get(1).is_some_and(|word| word == "text")
    };
    if steps.get(index + 1).as_ref().is_some_and(reads) {
        return None;
    }
    let run = steps.get(..=index)?.iter().rev().take_while(reads);
    let mut selectors: Vec<&str> = run.filter_map(read_selector).take(MOST_SELECTORS).collect();
    selectors.reverse();
    (!selectors.is_empty()).then(|| Question::texts(&selectors))
}

/// `network requests`, unless it only clears the list, and `network request`.
#[must_use]
pub fn asks_for_requests(step: &Step) -> bool {
    step.argv.name() == "network"
        && matches!(step.argv.operands().first(), Some(&"requests" | &"request"))
        && !step.argv.has_own_flag("--clear")
}

/// The text that a `fill` sends, joined as upstream joins it.
#[must_use]
pub fn fill_text(step: &Step) -> Option<String> {
    (step.argv.command()?.name == "fill").then(|| step.words.get(2..).unwrap_or_default().join(" "))
}

/// The words of a step that are typed into a field, as the caller wrote them.
#[must_use]
pub fn typed_words(step: &Step) -> Vec<String> {
    let words = &step.argv.words;
    let from = match (step.argv.name(), words.get(1).map_or("", String::as_str)) {
        ("fill" | "type" | "keyboard", _) => 2,
        ("find", "nth") if words.get(4).is_some_and(|action| action == "fill") => 5,
        ("find", _) if words.get(3).is_some_and(|action| action == "fill") => 4,
        _ => return Vec::new(),
    };
    let texts = step.argv.text_operands();
    let is_text =
        |index: usize| step.argv.name() != "type" || texts.iter().any(|text| text.index == index);
    let typed = words.iter().enumerate().skip(from).filter(|(index, _)| is_text(*index));
    let typed: Vec<String> = typed.map(|(_, word)| word.clone()).collect();
    if step.argv.name() == "find" { typed.into_iter().take(1).collect() } else { typed }
}

/// `open`, `back`, `forward`, `reload`: commands that leave the document.
#[must_use]
pub fn navigates(step: &Step) -> bool {
    let name = step.argv.command().map_or("", |command| command.name);
    matches!(name, "open" | "back" | "forward" | "reload")
}

fn ends_with_close(steps: &[Step]) -> bool {
    steps.last().is_some_and(|step| step.argv.is_close())
}

fn is_snapshot(step: &Step) -> bool {
    step.argv.command().is_some_and(|command| command.name == "snapshot")
}

/// `dblclick` becomes click, check, dblclick: the browser's true sequence, and never a second click
/// on the next page (HAZ-22).
fn main_rows(step: &Step, index: usize, watched: bool) -> Vec<Row> {
    let main = row(RowKind::Main, index, step.words.clone());
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

fn ref_check(step: &Step, context: &Context<'_>) -> Option<RefCheck> {
    let ids: Vec<u32> =
        step.argv.ref_operands().iter().filter_map(|found| number(found.id)).collect();
    if ids.is_empty() {
        return None;
    }
    // Without a snapshot the guard has refused the call already; a snapshot row fails closed.
    let resnap = || RefCheck::Snapshot(vec!["-i".to_owned()]);
    Some(match context.refs {
        Some(refs) if context.scripts => refs.check_for(&ids),
        Some(refs) => RefCheck::Snapshot(refs.options.clone()),
        None => resnap(),
    })
}

/// `e12` → 12.
#[must_use]
pub fn number(id: &str) -> Option<u32> {
    ref_id(id)?.strip_prefix('e')?.parse().ok()
}

/// Flags of a caller's row that upstream only takes in front of `batch` (PLAN-64); those of a single
/// command stand among its options.
fn front_flag(step: &Step) -> Option<String> {
    let annotated = step.argv.global(ANNOTATE).is_some_and(Global::takes_effect);
    annotated.then(|| ANNOTATE.to_owned())
}

fn before(step: usize, expect: Option<Expect>, refound: bool, context: &Context<'_>) -> Row {
    let before = Before {
        expect,
        watch: context.wants.watch,
        requests: context.wants.requests,
        guard: context.wants.guard,
        refound,
        field: context.wants.field(),
        replaces: context.wants.after.as_ref().is_some_and(|after| after.fill.is_some()),
        questions: context.wants.questions(),
    };
    row(RowKind::Before, step, before_row(&before))
}

fn resnap(step: usize, options: &[String]) -> Row {
    let mut argv = words(&["snapshot"]);
    argv.extend(options.iter().cloned());
    row(RowKind::Resnap, step, argv)
}

fn row(kind: RowKind, step: usize, argv: Vec<String>) -> Row {
    Row { owner: Owner { kind, step }, argv }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}
