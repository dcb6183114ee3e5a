//! What upstream understands: one table of commands, one of global flags, one grammar.
//!
//! Pure: no I/O, no panic. The tables are the only place that knows a command's traits.

pub mod argv;
pub mod baseline;
pub mod check;
mod dialect;
pub mod flags;
mod help;
pub mod table;
pub mod verbs;

pub use argv::{
    Argv, ArgvError, Global, Inspection, PathOperand, RefUse, Traits, WordUse, parse, parse_row,
    rows_from_json, split_command_string,
};
pub use check::{
    CHECKS, Direction, Edge, EvalRepair, Facts, ScrollAmount, ScrollShim, check, in_row,
    invoke_function_shape, is_function_shape, repair_eval, scroll_shim,
};
pub use dialect::is_foreign_selector;
pub use flags::{FLAGS, FlagKind, FlagSpec, LaunchScope, flag};
pub use help::missing_from_tables;
pub use table::{
    Caps, CommandSpec, Extra, Nearest, Role, Sessionless, StdinRule, commands, lookup, nearest,
};

/// Permission classes (DEC-100).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Class {
    Read,
    Navigate,
    Act,
    Eval,
    Files,
    State,
    Process,
}

impl Class {
    /// Every class, in the order of the help text.
    pub const ALL: [Self; 7] = [
        Self::Read,
        Self::Navigate,
        Self::Act,
        Self::Eval,
        Self::Files,
        Self::State,
        Self::Process,
    ];

    /// The word for `--allow`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Navigate => "navigate",
            Self::Act => "act",
            Self::Eval => "eval",
            Self::Files => "files",
            Self::State => "state",
            Self::Process => "process",
        }
    }
}

/// The id in `@e5`, `e5` or `ref=e5`, as upstream accepts it (upstream-0.41 §5.2).
///
/// A bare `e5` counts too, because upstream takes it for a ref and not for a tag.
///
/// ```
/// use agent_browser_native::command::ref_id;
/// assert_eq!(ref_id("@e12"), Some("e12"));
/// assert_eq!(ref_id("ref=e12"), Some("e12"));
/// assert_eq!(ref_id("e12"), Some("e12"));
/// assert_eq!(ref_id("@ref=e5"), None);
/// assert_eq!(ref_id("em"), None);
/// ```
#[must_use]
pub fn ref_id(token: &str) -> Option<&str> {
    let bare = token.strip_prefix('@').or_else(|| token.strip_prefix("ref=")).unwrap_or(token);
    let digits = bare.strip_prefix('e')?;
    (!digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit()))
        .then_some(bare)
}
