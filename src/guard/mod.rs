//! May it run? Pure rules, asked before anything is started. One file each, one list.

mod addresses;
mod behind_close;
mod classes;
mod confirm;
pub mod dialog;
mod latch;
mod launch;
mod paths;
pub mod prompt;
mod refs;
#[cfg(test)]
mod rule_tests;
pub mod selectors;
mod tracer;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::command::{Argv, Class};
use crate::error::Checked;
use crate::plan::Step;
use crate::session::key::SessionKey;
use crate::session::state::SessionState;
use crate::session::target::Target;

pub use addresses::file_behind;
pub use launch::value_mark;
pub use paths::PathFact;
pub use refs::{describe_ref, moved_refusal, refresh_refs, stale_refusal, stale_refusal_line};

/// What the rules look at.
#[derive(Clone, Copy, Debug)]
pub struct GuardContext<'a> {
    /// The caller's whole command.
    pub argv: &'a Argv,
    /// Its steps: one, or the rows of a batch.
    pub steps: &'a [Step],
    /// The session of the call.
    pub target: &'a Target,
    /// The managed session that runs, whichever session the call is for.
    pub current: Option<&'a SessionKey>,
    /// What is known about that session.
    pub session: Option<&'a SessionState>,
    /// Permission classes of this door.
    pub allowed: &'a BTreeSet<Class>,
    /// Files that the prompt asks for and nobody has saved yet.
    pub unsaved: &'a [PathBuf],
    /// Where the paths that the call names really lead.
    pub paths: &'a [PathFact],
    /// The directories that they must lie in; `None` where any path may be named.
    pub confinement: Option<&'a [PathBuf]>,
}

/// One rule.
pub struct Guard {
    /// Stable id, for tests and documents.
    pub id: &'static str,
    /// What it refuses, in one sentence.
    pub refuses: &'static str,
    /// The rule.
    pub check: fn(&GuardContext<'_>) -> Checked<()>,
}

/// Every rule, in the order in which they are asked.
pub const GUARDS: &[Guard] = &[
    Guard {
        id: "permission-class",
        refuses: "commands of a permission class that this door does not allow",
        check: classes::check,
    },
    Guard {
        id: "paths",
        refuses: "paths outside of the directories of a confined door, and uploads of missing files",
        check: paths::check,
    },
    Guard {
        id: "metadata-address",
        refuses: "addresses of cloud metadata services behind a confined door",
        check: addresses::check,
    },
    Guard {
        id: "launch-flag",
        refuses: "launch flags on a running managed session, which would silently replace its browser",
        check: launch::check,
    },
    Guard {
        id: "prompt-files",
        refuses: "close before the screenshots and recordings exist that the prompt asks for",
        check: prompt::check,
    },
    Guard {
        id: "behind-close",
        refuses: "rows of a batch behind close, for which upstream would start a browser of its own",
        check: behind_close::check,
    },
    Guard {
        id: "foreign-selector",
        refuses: "selectors of other tools, which upstream takes for CSS that matches nothing",
        check: selectors::check,
    },
    Guard {
        id: "open-dialog",
        refuses: "commands that hang or fail while a confirm or prompt dialog is open",
        check: dialog::check,
    },
    Guard {
        id: "confirmation-id",
        refuses: "confirm and deny with an id that is not the pending one",
        check: confirm::check,
    },
    Guard {
        id: "tracer-owner",
        refuses: "trace and profiler commands that would hit the other one's recording",
        check: tracer::check,
    },
    Guard {
        id: "stale-ref",
        refuses: "refs that the latest snapshot of the current document did not have",
        check: refs::check,
    },
    Guard {
        id: "batch-latch",
        refuses: "acting refs of a batch behind a step that may have changed the page",
        check: latch::check,
    },
];

/// Asks every rule.
///
/// # Errors
/// The first refusal.
pub fn check_all(context: &GuardContext<'_>) -> Checked<()> {
    GUARDS.iter().try_for_each(|guard| (guard.check)(context))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    /// The category and the words of a rule's refusal; `None` when it lets the call pass.
    pub(super) fn refused_by(
        rule: fn(&GuardContext<'_>) -> Checked<()>,
        tokens: &[&str],
        paths: &[PathFact],
        confinement: Option<&[PathBuf]>,
    ) -> Option<String> {
        let tokens: Vec<String> = tokens.iter().map(ToString::to_string).collect();
        let argv = parse(&tokens).unwrap();
        let steps = [Step { words: argv.words.clone(), argv: argv.clone() }];
        let context = GuardContext {
            argv: &argv,
            steps: &steps,
            target: &Target::None,
            current: None,
            session: None,
            allowed: &Class::ALL.into_iter().collect(),
            unsaved: &[],
            paths,
            confinement,
        };
        let refusal = rule(&context).err()?;
        let hints: String = refusal.hints.iter().map(|hint| format!(" {}", hint.plain())).collect();
        Some(format!("{}: {}{hints}", refusal.category.name(), refusal.message.plain()))
    }

    #[test]
    fn ids_are_unique_and_every_rule_says_what_it_refuses() {
        let ids: BTreeSet<&str> = GUARDS.iter().map(|guard| guard.id).collect();
        assert_eq!(ids.len(), GUARDS.len());
        assert!(GUARDS.iter().all(|guard| guard.refuses.len() > 20));
    }
}
