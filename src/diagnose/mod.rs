//! Facts → findings. Each diagnostic says which rows it wants around a command and judges what they
//! brought; it never touches the page itself. One file each, one list.

pub mod category;
mod check_state;
mod click_dispatch;
mod combobox_focus;
pub mod effect;
pub mod electron;
mod eval_hint;
mod fill_check;
mod found;
pub mod landed;
mod moved_page;
pub mod overlay;
pub mod recreated;
pub mod ref_fallback;
pub mod requests;
mod routes;
mod scroll_noop;
mod select_check;
pub mod selector_text;
#[cfg(test)]
mod testing;
mod text_target;
mod trouble;
mod typed_field;

use crate::envelope::Answer;
use crate::guard::describe_ref;
use crate::line::Line;
use crate::outcome::Finding;
use crate::plan::Step;
use crate::plan::about::number;
use crate::plan::read_back::read_back;
use crate::plan::rows::Wants;
use crate::probe::After;
use crate::probe::report::PageReport;
use crate::session::fact::{Page, Route};
use crate::session::refs::RefSnapshot;

/// A command for which a diagnostic may want rows.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The command.
    pub step: &'a Step,
    /// Refs that it can use.
    pub refs: Option<&'a RefSnapshot>,
}

/// What came back around one command.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The command.
    pub step: &'a Step,
    /// The before-row's page.
    pub before: Option<&'a PageReport>,
    /// The command's own answer; it succeeded.
    pub main: &'a Answer,
    /// The after-row.
    pub after: &'a AfterRow,
    /// Refs that the command could use.
    pub refs: Option<&'a RefSnapshot>,
    /// Where the session's page was after the last call.
    pub known: Option<&'a Page>,
    /// Routes that were set on the session.
    pub routes: &'a [Route],
}

/// What became of the after-row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterRow {
    /// None was sent, or it said nothing.
    #[default]
    Silent,
    /// It reported the page.
    Page(Box<PageReport>),
    /// The document went away while it waited (DEC-71).
    Navigated,
    /// The whole tab went away.
    Closed,
}

impl AfterRow {
    /// The reported page.
    #[must_use]
    pub fn page(&self) -> Option<&PageReport> {
        match self {
            Self::Page(page) => Some(page),
            Self::Silent | Self::Navigated | Self::Closed => None,
        }
    }
}

/// One diagnostic.
pub struct Diagnostic {
    /// Stable id.
    pub id: &'static str,
    /// What it tells, in one sentence.
    pub tells: &'static str,
    /// The rows it wants around a command.
    pub wants: fn(&Asked<'_>) -> Wants,
    /// Its judgement.
    pub judge: fn(&Evidence<'_>) -> Option<Finding>,
}

/// What a diagnostic that only wants, or only judges, leaves out.
const NOTHING: Diagnostic =
    Diagnostic { id: "", tells: "", wants: |_| Wants::default(), judge: |_| None };

/// Every diagnostic, in the order of their findings.
pub const DIAGNOSTICS: &[Diagnostic] = &[
    Diagnostic {
        id: "effect",
        tells: "what was seen to happen after an acting command, and how long was watched",
        wants: effect::wants,
        ..NOTHING
    },
    Diagnostic {
        id: "found",
        tells: "how many elements fit the locator of a `find` that took the first of them",
        wants: found::wants,
        ..NOTHING
    },
    Diagnostic {
        id: "moved-page",
        tells: "that the page was another one already before this call acted on it",
        judge: moved_page::judge,
        ..NOTHING
    },
    Diagnostic {
        id: "recreated-element",
        tells: "that an element was created after the snapshot and the event was stopped in front of it",
        wants: recreated::wants,
        judge: recreated::judge,
    },
    Diagnostic {
        id: "click-dispatch",
        tells: "that a click was sent and no control of the page received it",
        wants: click_dispatch::wants,
        judge: click_dispatch::judge,
    },
    Diagnostic {
        id: "trouble",
        tells: "that the page threw an error, or a request failed, while a command ran",
        wants: trouble::wants,
        judge: trouble::judge,
    },
    Diagnostic {
        id: "check-verification",
        tells: "whether a control is checked or unchecked as it was asked to be",
        wants: check_state::wants,
        judge: check_state::judge,
    },
    Diagnostic {
        id: "select-verification",
        tells: "whether a list shows what was selected in it, and is a list at all",
        wants: select_check::wants,
        judge: select_check::judge,
    },
    Diagnostic {
        id: "combobox-focus",
        tells: "that a focused combobox shows nothing to choose from",
        wants: combobox_focus::wants,
        judge: combobox_focus::judge,
    },
    Diagnostic {
        id: "fill-verification",
        tells: "whether a filled field holds what was sent",
        wants: fill_check::wants,
        judge: fill_check::judge,
    },
    Diagnostic {
        id: "text-target",
        tells: "that a text was meant for an element that takes none, and where it went",
        judge: text_target::judge,
        ..NOTHING
    },
    Diagnostic {
        id: "requests",
        tells: "which requests and errors are of the page that is shown, and which requests ended without a status",
        wants: requests::wants,
        ..NOTHING
    },
    Diagnostic {
        id: "routes",
        tells: "that a request which a route was to answer failed or hangs",
        judge: routes::judge,
        ..NOTHING
    },
    Diagnostic {
        id: "selector-text",
        tells: "that the selector of `get text` matches several elements, or a hidden one first",
        wants: selector_text::wants,
        judge: selector_text::judge,
    },
    Diagnostic {
        id: "eval-hint",
        tells: "that a script is a function which nobody called",
        judge: eval_hint::judge,
        ..NOTHING
    },
    Diagnostic {
        id: "scroll-noop",
        tells: "that a scroll moved neither the page nor one of its prominent containers",
        wants: scroll_noop::wants,
        judge: scroll_noop::judge,
    },
    Diagnostic {
        id: "typed-field",
        tells: "whether typed text went into a password-like field, so that it is not repeated",
        wants: typed_field::wants,
        ..NOTHING
    },
];

/// The rows that all diagnostics together want around a command.
#[must_use]
pub fn wants(asked: &Asked<'_>) -> Wants {
    let wishes = DIAGNOSTICS.iter().map(|diagnostic| (diagnostic.wants)(asked));
    wishes.fold(Wants::default(), Wants::merge)
}

/// Where the words of a finding stand among the others: what failed and what to use instead, what is
/// in the way, hints, and the end of a scroll (RES-26).
#[must_use]
pub fn place_of(key: &str) -> usize {
    match key {
        "overlayBlockers" | "selectorTextVisibility" | "selectorTextVisibilityAll" => 1,
        "evalStdinHint" | "electronGetTextScopeWarning" | "electronGetTextScopeWarnings" => 2,
        "scrollNoop" => 3,
        _ => 0,
    }
}

/// The findings of all diagnostics.
#[must_use]
pub fn judge(evidence: &Evidence<'_>) -> Vec<Finding> {
    DIAGNOSTICS.iter().filter_map(|diagnostic| (diagnostic.judge)(evidence)).collect()
}

/// The question of that id, where the step is one that is read back.
fn wants_read_back(asked: &Asked<'_>, id: &str) -> Wants {
    let question = read_back(asked.step, asked.refs).filter(|question| question.id == id);
    let after = question.map(|question| After { questions: vec![question], ..After::default() });
    Wants { after, ..Wants::default() }
}

/// The element of a command: a ref with role and name, or the selector in quotes.
fn label(evidence: &Evidence<'_>) -> Line {
    let target = evidence.step.argv.target().map_or("", |target| target.value);
    match (number(target), evidence.refs) {
        (Some(id), Some(refs)) => describe_ref(id, refs),
        _ if target.is_empty() => Line::ours("the element"),
        _ => Line::ours("").quote(target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_diagnostic_says_what_it_tells() {
        let ids: std::collections::BTreeSet<&str> =
            DIAGNOSTICS.iter().map(|item| item.id).collect();
        assert_eq!(ids.len(), DIAGNOSTICS.len());
        assert!(DIAGNOSTICS.iter().all(|item| item.tells.len() > 20));
    }
}
