//! Why tokens are no call.

use serde_json::json;

use super::Argv;
use crate::command::flags::FLAGS;
use crate::command::table::edit_distance;
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::NextAction;

/// Tokens that cannot be sent as they are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgvError {
    /// The list begins with the program's name (DEC-97).
    #[error("leave out the program name agent-browser: args begin with the command")]
    ProgramName {
        /// The call without the name.
        repaired: Option<Box<Argv>>,
    },
    /// A flag that needs a value has none (HAZ-14).
    #[error("{flag} needs a value behind it")]
    MissingValue {
        /// The flag.
        flag: String,
        /// The flag that stands in the value's place.
        found: Option<String>,
    },
    /// A flag took the command word for its value (HAZ-14).
    #[error("{flag} takes {word} as its value, so that no command is left")]
    SwallowedCommand {
        /// The flag.
        flag: String,
        /// The command word.
        word: String,
    },
    /// A flag in front of the command that upstream does not have.
    #[error("{token} is no global flag")]
    UnknownFlag {
        /// The token.
        token: String,
    },
    /// A command's own flag in front of the command word.
    #[error("{flag} belongs behind its command word")]
    MisplacedFlag {
        /// The flag.
        flag: String,
        /// The command word, where it is plain.
        command: Option<String>,
    },
    /// `--session=x`.
    #[error("{flag} and its value must be two tokens")]
    EqualsForm {
        /// The flag.
        flag: String,
    },
    /// A row without a word.
    #[error("the row is empty")]
    EmptyRow,
    /// A global flag in a row of a batch (DEC-98).
    #[error("{flag} is a global flag and belongs in front of batch, not into a row")]
    GlobalInRow {
        /// The flag.
        flag: String,
    },
    /// Help or version in a row.
    #[error("help and version are not available in a row")]
    InspectionInRow,
    /// A batch in a batch.
    #[error("a row cannot hold another batch")]
    NestedBatch,
    /// A command that upstream does not take in rows.
    #[error("{command} cannot run in a row; send it as a call of its own")]
    NotInRows {
        /// The command.
        command: String,
    },
    /// A quote in a command string that is never closed.
    #[error("the {quote} quote in the command string is never closed")]
    OpenQuote {
        /// `'` or `"`.
        quote: char,
    },
    /// A backslash with nothing behind it.
    #[error("the command string ends in a backslash")]
    TrailingBackslash,
    /// A JSON row given as a command string.
    #[error("a JSON row belongs into stdin; as an argument a row is one command string")]
    JsonAsString,
}

impl ArgvError {
    /// The refusal that the caller gets.
    #[must_use]
    pub fn refusal(self) -> Box<Refusal> {
        let refusal = Refusal::invalid(self.sentence());
        match self {
            Self::ProgramName { repaired: Some(argv) } => {
                match ready_call("use-nearest-command", "the call without the name", &argv) {
                    Some(next) => refusal.next(next),
                    None => refusal,
                }
            }
            _ => refusal,
        }
    }

    /// The error as a line; tokens of the caller are quoted.
    fn sentence(&self) -> Line {
        match self {
            Self::MissingValue { flag, found: Some(found) } => {
                Line::ours(format!("{flag} needs a value, but ")).quote(found).and(" follows it.")
            }
            Self::SwallowedCommand { flag, word } => {
                Line::ours(format!("{flag} takes the next word as its value, here the command "))
                    .quote(word)
                    .and(format!(", so no command is left. Put a value behind {flag}."))
            }
            Self::UnknownFlag { token } => {
                let line = Line::ours("")
                    .quote(token)
                    .and(" stands in front of the command but is no global flag");
                match nearest_flag(token) {
                    Some(name) => line.and(format!("; the nearest one is {name}.")),
                    None => line.and("."),
                }
            }
            Self::MisplacedFlag { flag, command: Some(command) } => {
                Line::ours(format!("{flag} belongs behind the command word {command}."))
            }
            Self::EqualsForm { flag } => Line::ours(format!(
                "Write {flag} and its value as two tokens; upstream does not know the form with =."
            )),
            other => {
                let text = other.to_string();
                let mut chars = text.chars();
                let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
                // A command keeps its spelling at the start of a sentence.
                let keep = matches!(other, Self::NotInRows { .. });
                let start = if keep { text.clone() } else { format!("{first}{}", chars.as_str()) };
                Line::ours(format!("{start}."))
            }
        }
    }
}

/// A ready call, unless it would repeat the user's text or a secret.
pub(crate) fn ready_call(id: &str, reason: &str, argv: &Argv) -> Option<NextAction> {
    let secret_flag = argv.globals.iter().any(|global| global.spec.secret);
    let private =
        secret_flag || !argv.secret_indexes().is_empty() || !argv.text_operands().is_empty();
    let args = argv.to_tokens();
    (!private && !args.is_empty())
        .then(|| NextAction::params_of(id, reason, json!({ "args": args })))
}

fn nearest_flag(token: &str) -> Option<&'static str> {
    let start: String = token.chars().take(40).collect();
    FLAGS
        .iter()
        .map(|spec| (edit_distance(&start, spec.name), spec.name))
        .min()
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, name)| name)
}
