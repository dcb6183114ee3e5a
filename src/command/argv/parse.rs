//! The grammar of a caller's `args`.

use super::scan::{Scanner, Slot};
use super::{Argv, ArgvError, Global, Inspection};
use crate::command::flags::{FlagKind, FlagSpec, flag};
use crate::command::table::{commands, lookup};

/// The program's own name in front of a command, as one would type it in a shell.
const PROGRAM: &str = "agent-browser";

/// Takes a caller's tokens apart. Total: any tokens give an [`Argv`] or an error that says what to
/// change.
///
/// ```
/// use agent_browser_native::command::parse;
/// let argv = parse(&["fill", "#name", "--json"].map(String::from)).unwrap();
/// assert!(argv.globals.is_empty());
/// assert_eq!(argv.words, ["fill", "#name", "--json"]);
/// ```
///
/// # Errors
///
/// See [`ArgvError`].
pub fn parse(tokens: &[String]) -> Result<Argv, ArgvError> {
    if let Some((first, rest)) = tokens.split_first()
        && first == PROGRAM
    {
        // The name more than once is no slip that can be repaired, however often it stands there.
        let once = rest.first().is_none_or(|next| next != PROGRAM);
        let repaired = once.then(|| parse(rest).ok()).flatten().map(Box::new);
        return Err(ArgvError::ProgramName { repaired });
    }
    let mut parser = Parser { tokens, at: 0, argv: Argv::default() };
    parser.leading()?;
    parser.refuse_swallowed_command()?;
    parser.words()?;
    let mut argv = parser.argv;
    argv.globals.sort_by_key(|global| rank(global.spec.name));
    Ok(argv)
}

/// DEC-13, PLAN-17: the order of the flags that address the call.
fn rank(name: &str) -> u8 {
    match name {
        "--json" => 0,
        "--namespace" => 1,
        "--session" => 2,
        _ => 3,
    }
}

struct Parser<'a> {
    tokens: &'a [String],
    at: usize,
    argv: Argv,
}

impl<'a> Parser<'a> {
    fn take(&mut self) -> Option<&'a str> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    /// Everything in front of the command word.
    fn leading(&mut self) -> Result<(), ArgvError> {
        while let Some(token) = self.peek() {
            if let Some(kind) = inspection(token, Inspection::GeneralHelp) {
                self.at += 1;
                self.inspect(kind);
            } else if let Some(spec) = flag(token) {
                self.at += 1;
                self.global(spec, token)?;
            } else if token.len() > 1 && token.starts_with('-') && token != "--" {
                return Err(self.bad_leading(token));
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    /// HAZ-14: `--profile open` leaves upstream without a command.
    fn refuse_swallowed_command(&self) -> Result<(), ArgvError> {
        let command_follows = self.peek().is_some_and(|word| lookup(word).is_some());
        if command_follows || self.argv.is_inspection() {
            return Ok(());
        }
        let values = self.argv.globals.iter().rev();
        let swallowed = values
            .filter_map(|global| Some((&global.spelling, global.value.as_ref()?)))
            .find(|(_, word)| lookup(word).is_some());
        match swallowed {
            Some((flag, word)) => {
                Err(ArgvError::SwallowedCommand { flag: flag.clone(), word: word.clone() })
            }
            None => Ok(()),
        }
    }

    /// The command word and everything behind it.
    fn words(&mut self) -> Result<(), ArgvError> {
        let Some(command) = self.take() else {
            return Ok(());
        };
        self.argv.words.push(command.to_owned());
        let mut scanner = Scanner::new(command);
        let mut globals_end = false;
        while let Some(token) = self.take() {
            let slot = scanner.slot(token);
            let help = inspection(token, Inspection::CommandHelp)
                .filter(|_| !slot.is_literal() || asks_for_help(command, &scanner, token));
            if !globals_end {
                if let Some(kind) = help {
                    self.inspect(kind);
                    continue;
                }
                if !slot.is_literal() {
                    if let Some(spec) = flag(token) {
                        self.global(spec, token)?;
                        continue;
                    }
                    refuse_equals_form(token)?;
                    globals_end = token == "--" && matches!(slot, Slot::Operand(_));
                }
            }
            self.argv.words.push(token.to_owned());
            scanner.push(token);
        }
        Ok(())
    }

    /// Help wins over version, as upstream has it; of two, the first one counts.
    fn inspect(&mut self, kind: Inspection) {
        match self.argv.inspection {
            None | Some(Inspection::Version) => self.argv.inspection = Some(kind),
            Some(Inspection::GeneralHelp | Inspection::CommandHelp) => {}
        }
    }

    /// Takes the value of a global flag whose token was just taken.
    fn global(&mut self, spec: &'static FlagSpec, token: &str) -> Result<(), ArgvError> {
        let next = self.peek();
        let inline = token.split_once('=').map(|(_, value)| value);
        let value = match spec.kind {
            FlagKind::Switch => next.filter(|next| matches!(*next, "true" | "false")),
            FlagKind::Value => Some(needed_value(spec, token, next)?),
            FlagKind::OptionalValue if inline.is_some() => inline,
            FlagKind::OptionalValue => next.filter(|next| is_optional_value(next)),
        };
        if value.is_some() && inline.is_none() {
            self.at += 1;
        }
        let same_as_bare = match spec.kind {
            FlagKind::Switch => "true",
            FlagKind::Value | FlagKind::OptionalValue => "",
        };
        let bare = spec.kind != FlagKind::Value && value == Some(same_as_bare);
        let spelling = token.split_once('=').map_or(token, |(name, _)| name);
        self.argv.globals.push(Global {
            spec,
            spelling: spelling.to_owned(),
            value: value.filter(|_| !bare).map(str::to_owned),
        });
        Ok(())
    }

    /// Upstream takes any other flag in front of the command for an unknown command.
    fn bad_leading(&self, token: &str) -> ArgvError {
        if let Err(error) = refuse_equals_form(token) {
            return error;
        }
        let own = commands().find_map(|spec| spec.own_flag(token));
        let Some(own) = own else {
            return ArgvError::UnknownFlag { token: token.to_owned() };
        };
        let behind = self.at + 1 + usize::from(own.kind == FlagKind::Value);
        let command = self.tokens.get(behind).filter(|word| lookup(word).is_some());
        ArgvError::MisplacedFlag { flag: token.to_owned(), command: command.cloned() }
    }
}

fn inspection(token: &str, help: Inspection) -> Option<Inspection> {
    match token {
        "--help" | "-h" => Some(help),
        "--version" | "-V" => Some(Inspection::Version),
        _ => None,
    }
}

/// `eval --help`: everything behind `eval` is a script, but this one never is.
fn asks_for_help(command: &str, scanner: &Scanner<'_>, token: &str) -> bool {
    command == "eval" && token == "--help" && scanner.at_start()
}

/// HAZ-14: a flag is no value of another one. The browser's own command line may look like one.
fn needed_value<'a>(
    spec: &FlagSpec,
    token: &str,
    next: Option<&'a str>,
) -> Result<&'a str, ArgvError> {
    let is_flag = |next: &str| flag(next).is_some() && spec.name != "--args";
    match next {
        Some(next) if !is_flag(next) => Ok(next),
        _ => {
            Err(ArgvError::MissingValue { flag: token.to_owned(), found: next.map(str::to_owned) })
        }
    }
}

/// DEC-21: the next token is the value unless it is a flag or a known command word.
fn is_optional_value(next: &str) -> bool {
    !next.starts_with('-') && lookup(next).is_none()
}

/// `--session=x` is no flag for upstream: in front of the command it is an unknown command, behind
/// it it is ignored.
fn refuse_equals_form(token: &str) -> Result<(), ArgvError> {
    let name = token.split_once('=').map(|(name, _)| name);
    match name.and_then(flag) {
        Some(spec) => Err(ArgvError::EqualsForm { flag: spec.name.to_owned() }),
        None => Ok(()),
    }
}

/// Writes a flag so that the token behind it cannot be taken for its value.
pub(super) fn write_global(global: &Global, next: Option<&str>, tokens: &mut Vec<String>) {
    let spelling = global.spelling.clone();
    match (global.spec.kind, &global.value) {
        (FlagKind::OptionalValue, Some(value)) => tokens.push(format!("{spelling}={value}")),
        (FlagKind::OptionalValue, None) if next.is_some_and(is_optional_value) => {
            tokens.push(format!("{spelling}="));
        }
        (FlagKind::Switch, None) if matches!(next, Some("true" | "false")) => {
            tokens.extend([spelling, "true".to_owned()]);
        }
        (_, value) => {
            tokens.push(spelling);
            tokens.extend(value.clone());
        }
    }
}
