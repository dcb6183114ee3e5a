//! Calls that are refused from their words alone, before anything is started.
//!
//! One function a check, one list. Upstream takes each of these calls and does something else than
//! asked, or nothing, and reports success.

mod keys;
mod names;
mod options;
mod scroll;
mod stdin;
mod values;
mod wait;

use crate::error::{Checked, Refusal};
use crate::line::{Line, Span};

use super::Argv;

pub use scroll::{Direction, Edge, ScrollAmount, ScrollShim, scroll_shim};
pub use stdin::{EvalRepair, repair_eval};
pub use wait::{invoke_function_shape, is_function_shape};

/// What a check may look at.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The call, or one row of it.
    pub argv: &'a Argv,
    /// True when the caller sent `stdin` for it.
    pub has_stdin: bool,
}

impl<'a> Facts<'a> {
    /// The facts of a call without `stdin`, for example a row.
    #[must_use]
    pub fn of(argv: &'a Argv) -> Self {
        Self { argv, has_stdin: false }
    }
}

/// A check and its name.
pub struct Check {
    /// Stable name.
    pub id: &'static str,
    /// What it refuses.
    pub doc: &'static str,
    /// The check itself.
    pub run: fn(&Facts<'_>) -> Checked<()>,
}

/// Every check, in the order in which they run.
pub static CHECKS: &[Check] = &[
    Check { id: "command-given", doc: "no command at all", run: names::command_given },
    Check { id: "known-command", doc: "unknown command words", run: names::known_command },
    Check {
        id: "session-names",
        doc: "names that are no safe part of a path",
        run: names::session_names,
    },
    Check { id: "protocol-server", doc: "mcp as a server on stdout", run: names::protocol_server },
    Check {
        id: "state-maintenance",
        doc: "state clear NAME and state rename",
        run: names::state_maintenance,
    },
    Check { id: "one-key", doc: "other than one known key", run: keys::one_key },
    Check { id: "wait-state", doc: "wait with --state", run: wait::wait_state },
    Check {
        id: "wait-promise",
        doc: "wait for a promise, which is always true",
        run: wait::promised_condition,
    },
    Check { id: "load-state", doc: "unknown load states", run: wait::load_state },
    Check {
        id: "scroll-words",
        doc: "directions and amounts that upstream ignores",
        run: scroll::scroll_words,
    },
    Check {
        id: "set-values",
        doc: "unknown values of set media and set offline",
        run: values::set_values,
    },
    Check { id: "find-flags", doc: "flags of find that upstream ignores", run: values::find_flags },
    Check {
        id: "known-options",
        doc: "options that the command does not have",
        run: options::known_options,
    },
    Check { id: "fill-text", doc: "fill without a text", run: values::fill_text },
    Check { id: "tab-id", doc: "tabs by number", run: values::tab_id },
    Check { id: "upload-files", doc: "upload without files", run: values::upload_files },
    Check {
        id: "stdin",
        doc: "stdin where none belongs, or none where one does",
        run: stdin::stdin_contract,
    },
];

/// Runs every check. Help and version are never refused.
///
/// # Errors
///
/// The refusal of the first check that objects.
pub fn check(facts: &Facts<'_>) -> Checked<()> {
    if facts.argv.is_inspection() {
        return Ok(());
    }
    CHECKS.iter().try_for_each(|check| (check.run)(facts))
}

/// Names the row of a batch, 1-based, in front of the sentence.
#[must_use]
pub fn in_row(mut refusal: Box<Refusal>, number: usize) -> Box<Refusal> {
    let start = Span::Ours(format!("batch row {number}: ").into());
    refusal.message = match refusal.message {
        Line::Spans(spans) => Line::Spans(std::iter::once(start).chain(spans).collect()),
        other => Line::Spans(vec![start, Span::Quote(other.plain())]),
    };
    refusal.detail("batchRow", number)
}

#[cfg(test)]
mod names_tests;
#[cfg(test)]
mod tests;
