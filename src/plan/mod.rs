//! Argv and what is known → the rows of one upstream process, and its deadline. Pure.

pub mod about;
pub mod aim;
pub mod caller_rows;
pub mod found;
mod in_front;
pub mod insert;
mod looks;
pub mod page_filter;
pub mod read_back;
pub mod ready;
pub mod rewrite;
pub mod rows;
pub mod tab;
pub mod timeouts;

use crate::command::Argv;
use crate::probe::library::{Front, is_call, with_front};

/// One command of the caller: the whole call, or a row of its batch.
#[derive(Clone, Debug)]
pub struct Step {
    /// The command as the caller wrote it.
    pub argv: Argv,
    /// The words that upstream gets: paths absolute, scripts encoded.
    pub words: Vec<String>,
}

/// A row of the fused batch and whom it belongs to.
///
/// ```
/// use agent_browser_native::plan::{Owner, Row, RowKind};
/// let row = Row { owner: Owner { kind: RowKind::Main, step: 0 }, argv: vec!["get".into(), "title".into()] };
/// assert_eq!(row.owner.step, 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whose row it is.
    pub owner: Owner,
    /// What upstream runs.
    pub argv: Vec<String>,
}

/// Owner of a row: its kind, and the step of the caller that it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// What the row is for.
    pub kind: RowKind,
    /// Index of the caller's step.
    pub step: usize,
}

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The session's own tab is selected, because another one may have the focus (DEC-95).
    Pin,
    /// Waits until nothing of the page moves.
    Still,
    /// Time during which the page is not asked: a dialog would keep its answer back.
    Rest,
    /// Identity check, observers and questions in front of the command.
    Before,
    /// A snapshot in front of a ref whose document cannot be asked (HAZ-01).
    Resnap,
    /// Identity and marks in front of a snapshot, or the page behind a navigation.
    Look,
    /// The caller's own command.
    Main,
    /// A second row of the caller's own command (`dblclick`, HAZ-22; the tab of `tab new URL`).
    MainExtra,
    /// Looks up what `find` means, in front of the click on it.
    Find,
    /// Questions behind the command.
    After,
    /// The state of a control behind `check` and `uncheck` (HAZ-26).
    State,
    /// The page view behind a navigation (DEC-70).
    View,
    /// The list of tabs.
    Tabs,
    /// Which element has the focus.
    Focus,
    /// The browser's DevTools address, read once at the launch (HAZ-07).
    CdpUrl,
}

impl RowKind {
    /// The word for `details.upstreamRows`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::Still => "still",
            Self::Rest => "rest",
            Self::Before => "before",
            Self::Resnap => "resnap",
            Self::Look => "look",
            Self::Main => "main",
            Self::MainExtra => "main-extra",
            Self::Find => "find",
            Self::After => "after",
            Self::State => "state",
            Self::View => "view",
            Self::Tabs => "tabs",
            Self::Focus => "focus",
            Self::CdpUrl => "cdp-url",
        }
    }
}

/// The rows of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Global flags in front of `batch`.
    pub front: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Stop after the first failed row.
    pub bail: bool,
    /// The first caller step that these rows do not cover.
    pub next_step: usize,
}

impl Plan {
    /// Rows of ours, of which the first that fails is the last.
    #[must_use]
    pub fn of(rows: Vec<Row>) -> Self {
        Self { rows, bail: true, ..Self::default() }
    }

    /// One row of ours.
    #[must_use]
    pub fn one(kind: RowKind, argv: Vec<String>) -> Self {
        Self::of(vec![Row { owner: Owner { kind, step: 0 }, argv }])
    }

    /// The JSON that upstream reads from stdin. `kept`: the document in front of the first command has
    /// the library of our scripts already.
    #[must_use]
    pub fn stdin(&self, kept: bool) -> Vec<u8> {
        // Only where a row that finds none keeps the next ones from running.
        let kept = kept && self.bail;
        let (mut there, mut same_document) = (kept, true);
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let front = match row.owner.kind {
                // Behind a command that has left the document there is nothing more to ask.
                RowKind::After if there => Front::KeptOrNothing,
                _ if kept && same_document => Front::Kept,
                _ => Front::Library,
            };
            there |= is_call(&row.argv);
            same_document &=
                matches!(row.owner.kind, RowKind::Before | RowKind::Look | RowKind::Still);
            rows.push(with_front(&row.argv, front));
        }
        serde_json::to_vec(&rows).unwrap_or_default()
    }

    /// The tokens behind the session: front flags and the batch command.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = self.front.clone();
        tokens.extend(["batch".to_owned(), "--omit-command".to_owned()]);
        if self.bail {
            tokens.push("--bail".to_owned());
        }
        tokens
    }
}
