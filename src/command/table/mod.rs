//! One row per upstream command.
//!
//! A row says everything that other stages may ask about a command: what class of permission it
//! needs, whether it acts on refs, where its operands hold text, secrets and paths, which flags are
//! its own. Rows of subcommands override what differs. Adding a command costs one row.

mod build;
mod find_word;
mod interact;
mod local;
mod look;
mod manage;

use super::Class;
use super::flags::FlagKind;

pub(crate) use find_word::distance as edit_distance;
pub use find_word::{Nearest, nearest};

/// What a command does to the page and its refs (DEC-20). None follows from another (PAGE-47).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Caps {
    /// A ref in its operands is checked against the latest snapshot.
    pub guards_refs: bool,
    /// It acts on that ref; false = it only reads.
    pub acts: bool,
    /// Refs in later rows of the same batch are void.
    pub invalidates_batch_refs: bool,
    /// It gets a page-change summary.
    pub page_change: bool,
    /// `inspect-after-mutation` is offered afterwards.
    pub post_mutation_snapshot: bool,
    /// It may navigate, and the answer says where to.
    pub navigation_observable: bool,
}

impl Caps {
    /// Nothing of all that.
    pub const NONE: Self = Self {
        guards_refs: false,
        acts: false,
        invalidates_batch_refs: false,
        page_change: false,
        post_mutation_snapshot: false,
        navigation_observable: false,
    };
}

/// Which rows of ours stand around the command (DEC-93).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// None.
    None,
    /// One before it.
    Before,
    /// One after it.
    After,
    /// One on each side.
    Both,
}

impl Extra {
    /// The same, with a row before the command.
    #[must_use]
    pub fn with_before(self) -> Self {
        match self {
            Self::None | Self::Before => Self::Before,
            Self::After | Self::Both => Self::Both,
        }
    }
}

/// When the caller's `stdin` belongs to the command (IN-STDIN-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdinRule {
    /// Never.
    Never,
    /// A script, with `--stdin`.
    EvalScript,
    /// Rows, as a JSON array of string arrays.
    BatchRows,
    /// A password, with `--password-stdin`.
    AuthPassword,
}

/// Whether a command needs a browser session (PLAN-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sessionless {
    /// It works on the session.
    No,
    /// It needs none and starts nothing.
    Yes,
    /// It needs none, but upstream starts a daemon for it (DEC-99).
    NeedsThrowaway,
}

/// What an operand, or the value of an own flag, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A word of the command's grammar: subcommand, number, name, key.
    Word,
    /// A selector or a ref.
    Target,
    /// A selector that cannot be a ref.
    Css,
    /// The user's own text: never a flag, never a ref (DEC-97, HAZ-04).
    Text,
    /// Text that is never shown.
    Secret,
    /// An address to go to.
    Url,
    /// A file that is written (DEC-27).
    OutPath,
    /// A file that is read (HAZ-05).
    InPath,
    /// Text, or `@` and a file that is read.
    AtFile,
    /// A selector or a path, told apart by its look (`screenshot`).
    TargetOrOutPath,
}

impl Role {
    /// True when a token in this place is taken as it is, whatever it looks like.
    #[must_use]
    pub fn is_literal(self) -> bool {
        matches!(self, Self::Text | Self::Secret | Self::AtFile)
    }
}

/// A flag that belongs to one command (PLAN-41).
#[derive(Debug)]
pub struct OwnFlag {
    /// Spellings, the documented one first.
    pub names: &'static [&'static str],
    /// What stands behind it.
    pub kind: FlagKind,
    /// What its value is.
    pub value: Role,
    /// True when it counts only in front of the first operand (`eval --stdin`).
    pub leading: bool,
}

impl OwnFlag {
    /// True for each of its spellings.
    #[must_use]
    pub fn answers_to(&self, token: &str) -> bool {
        self.names.contains(&token)
    }
}

/// What differs for a subcommand, or when an own flag is given.
#[derive(Debug)]
pub struct SubSpec {
    /// Operands that select the row: alternatives apart by `|`, `*` for any operand.
    pub path: &'static [&'static str],
    /// An own flag that must be given too.
    pub flag: Option<&'static str>,
    /// See [`CommandSpec::class`].
    pub class: Option<Class>,
    /// Further classes that it needs.
    pub also: &'static [Class],
    /// See [`CommandSpec::caps`].
    pub caps: Option<Caps>,
    /// See [`CommandSpec::extra`].
    pub extra: Option<Extra>,
    /// See [`CommandSpec::in_rows`].
    pub in_rows: Option<bool>,
    /// See [`CommandSpec::in_caller_rows`].
    pub in_caller_rows: Option<bool>,
    /// See [`CommandSpec::sessionless`].
    pub sessionless: Option<Sessionless>,
    /// See [`CommandSpec::stdin`].
    pub stdin: Option<StdinRule>,
    /// See [`CommandSpec::operands`].
    pub operands: Option<&'static [Role]>,
    /// See [`CommandSpec::rest`].
    pub rest: Option<Role>,
}

/// One upstream command.
#[derive(Debug)]
pub struct CommandSpec {
    /// The word.
    pub name: &'static str,
    /// Other words for it (IN-ARGS-05).
    pub aliases: &'static [&'static str],
    /// The permission it needs (DEC-100).
    pub class: Class,
    /// What it does to the page.
    pub caps: Caps,
    /// Which rows of ours stand around it.
    pub extra: Extra,
    /// The same when no operand is a ref, where that differs (`fill`).
    pub extra_without_ref: Option<Extra>,
    /// True when it is sent as a row; false = as a plain call.
    pub in_rows: bool,
    /// True when a caller may put it into a batch.
    pub in_caller_rows: bool,
    /// Whether it needs a session.
    pub sessionless: Sessionless,
    /// What the caller's `stdin` is to it.
    pub stdin: StdinRule,
    /// What the operands are, subcommand words included.
    pub operands: &'static [Role],
    /// What all further operands are.
    pub rest: Role,
    /// Its own flags.
    pub own_flags: &'static [OwnFlag],
    /// Rows for subcommands.
    pub subcommands: &'static [SubSpec],
    /// What it does, in a few words.
    pub doc: &'static str,
}

impl CommandSpec {
    /// The word and its aliases.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The own flag of a spelling.
    #[must_use]
    pub fn own_flag(&'static self, token: &str) -> Option<&'static OwnFlag> {
        self.own_flags.iter().find(|flag| flag.answers_to(token))
    }

    /// The row that fits the operands best: the longest path, then the one with a flag, then the
    /// one with the fewest `*`.
    #[must_use]
    pub fn subcommand(
        &'static self,
        operands: &[&str],
        given: impl Fn(&str) -> bool,
    ) -> Option<&'static SubSpec> {
        self.subcommands
            .iter()
            .filter(|row| row.fits(operands) && row.flag.is_none_or(&given))
            .max_by_key(|row| {
                let exact = row.path.iter().filter(|step| **step != "*").count();
                (row.path.len(), row.flag.is_some(), exact)
            })
    }
}

impl SubSpec {
    fn fits(&self, operands: &[&str]) -> bool {
        self.path.len() <= operands.len()
            && self
                .path
                .iter()
                .zip(operands)
                .all(|(step, word)| *step == "*" || step.split('|').any(|one| one == *word))
    }
}

/// Every command, in groups.
static GROUPS: [&[CommandSpec]; 4] =
    [interact::COMMANDS, look::COMMANDS, manage::COMMANDS, local::COMMANDS];

/// Every row of the table.
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// The row of a command word; aliases share the row.
///
/// ```
/// use agent_browser_native::command::lookup;
/// assert_eq!(lookup("goto").unwrap().name, "open");
/// assert!(lookup("title").is_none());
/// ```
#[must_use]
pub fn lookup(word: &str) -> Option<&'static CommandSpec> {
    commands().find(|spec| spec.words().any(|one| one == word))
}

#[cfg(test)]
mod tests;
