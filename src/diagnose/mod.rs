//! Facts → findings. Each diagnostic says which rows it wants around a command and judges what they
//! brought; it never touches the page itself. One file each, one list.

mod check_state;
mod click_dispatch;
pub mod effect;
pub mod electron;
mod fill_check;
pub mod landed;
mod moved_page;
mod recreated;
pub mod ref_fallback;
pub mod requests;
mod scroll_noop;
mod typed_field;

use crate::envelope::Answer;
use crate::outcome::Finding;
use crate::plan::Step;
use crate::plan::rows::Wants;
use crate::probe::report::PageReport;
use crate::session::fact::Page;
use crate::session::refs::RefSnapshot;

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
}

impl AfterRow {
    /// The reported page.
    #[must_use]
    pub fn page(&self) -> Option<&PageReport> {
        match self {
            Self::Page(page) => Some(page),
            Self::Silent | Self::Navigated => None,
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
    pub wants: fn(&Step) -> Wants,
    /// Its judgement.
    pub judge: fn(&Evidence<'_>) -> Option<Finding>,
}

/// Every diagnostic, in the order of their findings.
pub const DIAGNOSTICS: &[Diagnostic] = &[
    Diagnostic {
        id: "effect",
        tells: "what was seen to happen after an acting command, and how long was watched",
        wants: effect::wants,
        judge: |_| None,
    },
    Diagnostic {
        id: "moved-page",
        tells: "that the page was another one already before this call acted on it",
        wants: moved_page::wants,
        judge: moved_page::judge,
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
        id: "check-verification",
        tells: "whether a control is checked or unchecked as it was asked to be",
        wants: check_state::wants,
        judge: check_state::judge,
    },
    Diagnostic {
        id: "fill-verification",
        tells: "whether a filled field holds what was sent",
        wants: fill_check::wants,
        judge: fill_check::judge,
    },
    Diagnostic {
        id: "requests",
        tells: "which page asks for its requests, and which of them ended without a status",
        wants: requests::wants,
        judge: |_| None,
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
        judge: |_| None,
    },
];

/// The rows that all diagnostics together want around `step`.
#[must_use]
pub fn wants(step: &Step) -> Wants {
    let mut merged = Wants::default();
    for diagnostic in DIAGNOSTICS {
        let wish = (diagnostic.wants)(step);
        merged.watch |= wish.watch;
        merged.guard |= wish.guard;
        merged.after = match (merged.after.take(), wish.after) {
            (Some(mut one), Some(other)) => {
                one.wait_ms = one.wait_ms.max(other.wait_ms);
                one.fill = one.fill.or(other.fill);
                one.resources |= other.resources;
                one.questions.extend(other.questions);
                one.typed |= other.typed;
                Some(one)
            }
            (one, other) => one.or(other),
        };
    }
    merged
}

/// The findings of all diagnostics.
#[must_use]
pub fn judge(evidence: &Evidence<'_>) -> Vec<Finding> {
    DIAGNOSTICS.iter().filter_map(|diagnostic| (diagnostic.judge)(evidence)).collect()
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
