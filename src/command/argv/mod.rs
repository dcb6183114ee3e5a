//! Tokens → [`Argv`]: global flags apart from the words of one command.
//!
//! Upstream takes global flags out of any place, the user's text included. Here a token in a place
//! that holds text is text (DEC-97), and what remains is asked by its role, never by its look.

mod error;
mod parse;
mod rows;
mod scan;
mod uses;

use super::Class;
use super::flags::{FlagKind, FlagSpec, LaunchScope};
use super::table::{Caps, CommandSpec, Extra, Sessionless, StdinRule, lookup};

pub use error::ArgvError;
pub(crate) use error::ready_call;
pub use parse::parse;
pub use rows::{parse_row, rows_from_json, split_command_string};
pub use uses::{PathOperand, RefUse, WordUse, is_path_like};

use scan::{Scanner, Slot};

/// A global flag as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its row.
    pub spec: &'static FlagSpec,
    /// The spelling that the caller used, for example `-p`.
    pub spelling: String,
    /// Its value. A switch has `false` or none: `true` says what the bare switch says.
    pub value: Option<String>,
}

impl Global {
    /// True when it asks for something else than the default.
    #[must_use]
    pub fn takes_effect(&self) -> bool {
        self.spec.takes_effect(self.value.as_deref())
    }

    /// The flag as upstream takes it.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        match (&self.value, self.spec.kind) {
            (None, _) => vec![self.spelling.clone()],
            (Some(value), FlagKind::OptionalValue) => vec![format!("{}={value}", self.spec.name)],
            (Some(value), _) => vec![self.spelling.clone(), value.clone()],
        }
    }

    /// `--json`, `--session` and `--namespace`: they are written by the plan, not repeated.
    #[must_use]
    pub fn is_session_choice(&self) -> bool {
        matches!(self.spec.name, "--json" | "--session" | "--namespace")
    }

    /// The value as a path that is relative to somewhere. Names of profiles and of programs that
    /// are looked up, and paths from the home directory, are none.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        let value = self.value.as_deref().filter(|_| self.spec.path)?;
        let looked_up = matches!(self.spec.name, "--profile" | "--executable-path");
        let name = looked_up && (!value.contains(['/', '\\']) || value.starts_with('~'));
        (!name).then_some(value)
    }
}

/// Which plain text was asked for instead of a run (PLAN-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inspection {
    /// `--help` in front of the command: upstream prints the general text.
    GeneralHelp,
    /// `--help` behind a command.
    CommandHelp,
    /// `--version`.
    Version,
}

/// One call of upstream, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Argv {
    /// Global flags: `--json`, `--namespace`, `--session`, then the others as given (PLAN-17).
    pub globals: Vec<Global>,
    /// The command word, then operands and own flags exactly as sent.
    pub words: Vec<String>,
    /// Help or version instead of a run.
    pub inspection: Option<Inspection>,
}

/// The command's row merged with the row of its subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The permission it needs; see [`Argv::classes`] for all of them.
    pub class: Class,
    /// Further classes of the subcommand.
    pub also: &'static [Class],
    /// What it does to the page and its refs.
    pub caps: Caps,
    /// Which rows of ours stand around it.
    pub extra: Extra,
    /// True when it is sent as a row.
    pub in_rows: bool,
    /// True when a caller may put it into a batch.
    pub in_caller_rows: bool,
    /// Whether it needs a session.
    pub sessionless: Sessionless,
    /// What the caller's `stdin` is to it.
    pub stdin: StdinRule,
}

impl Traits {
    /// Plain text instead of a run.
    const INSPECTION: Self = Self {
        class: Class::Read,
        also: &[],
        caps: Caps::NONE,
        extra: Extra::None,
        in_rows: false,
        in_caller_rows: false,
        sessionless: Sessionless::Yes,
        stdin: StdinRule::Never,
    };

    /// A word that no row knows, for example a plugin's: it may do anything.
    const UNKNOWN: Self =
        Self { class: Class::Process, sessionless: Sessionless::No, ..Self::INSPECTION };
}

impl Argv {
    /// A command without global flags.
    #[must_use]
    pub fn of_words<S: AsRef<str>>(words: &[S]) -> Self {
        Self {
            words: words.iter().map(|word| word.as_ref().to_owned()).collect(),
            ..Self::default()
        }
    }

    /// The row of the command word.
    #[must_use]
    pub fn command(&self) -> Option<&'static CommandSpec> {
        lookup(self.words.first()?)
    }

    /// The command's name without aliases; the word itself when no row knows it; else empty.
    #[must_use]
    pub fn name(&self) -> &str {
        match (self.command(), self.words.first()) {
            (Some(spec), _) => spec.name,
            (None, Some(word)) => word,
            (None, None) => "",
        }
    }

    /// Everything that the tables say about this call.
    #[must_use]
    pub fn traits(&self) -> Traits {
        if self.is_inspection() {
            return Traits::INSPECTION;
        }
        let Some(spec) = self.command() else {
            return Traits::UNKNOWN;
        };
        let (scanner, _) = self.scan();
        let row = scanner.subcommand();
        let sessionless = row.and_then(|row| row.sessionless).unwrap_or(spec.sessionless);
        let in_rows = row.and_then(|row| row.in_rows).unwrap_or(spec.in_rows);
        Traits {
            class: row.and_then(|row| row.class).unwrap_or(spec.class),
            also: row.map_or(&[], |row| row.also),
            caps: row.and_then(|row| row.caps).unwrap_or(spec.caps),
            extra: self.extra(spec, row.and_then(|row| row.extra)),
            in_rows: in_rows && sessionless == Sessionless::No,
            in_caller_rows: row.and_then(|row| row.in_caller_rows).unwrap_or(spec.in_caller_rows),
            sessionless,
            stdin: row.and_then(|row| row.stdin).unwrap_or(spec.stdin),
        }
    }

    /// A call that carries a ref has a row before it, whatever it does (DEC-93, HAZ-01).
    fn extra(&self, spec: &'static CommandSpec, of_row: Option<Extra>) -> Extra {
        let extra = of_row.unwrap_or(spec.extra);
        if self.ref_operands().is_empty() {
            spec.extra_without_ref.unwrap_or(extra)
        } else {
            extra.with_before()
        }
    }

    /// Every permission class that the call needs: its own, `files` when it names a file, `process`
    /// when a flag decides which program runs (DEC-100).
    #[must_use]
    pub fn classes(&self) -> Vec<Class> {
        let traits = self.traits();
        let mut classes = vec![traits.class];
        classes.extend_from_slice(traits.also);
        if !self.is_inspection() {
            if self.output_path().is_some() || !self.input_paths().is_empty() {
                classes.push(Class::Files);
            }
            let process = |global: &Global| global.spec.process_class && global.takes_effect();
            if self.globals.iter().any(process) {
                classes.push(Class::Process);
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// True for plain-text inspection: help or version (DEC-31).
    #[must_use]
    pub fn is_inspection(&self) -> bool {
        self.inspection.is_some()
    }

    /// Whether the call needs a session.
    #[must_use]
    pub fn sessionless(&self) -> Sessionless {
        self.traits().sessionless
    }

    /// True for `close` and its aliases.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.name() == "close"
    }

    /// True for `open` and its aliases.
    #[must_use]
    pub fn is_open_like(&self) -> bool {
        self.name() == "open"
    }

    /// The last global flag of that name.
    #[must_use]
    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().rev().find(|global| global.spec.answers_to(name))
    }

    /// The session that the caller named.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.global("--session")?.value.as_deref()
    }

    /// The namespace that the caller named.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.global("--namespace")?.value.as_deref()
    }

    /// True when the caller asked for JSON in the visible text.
    #[must_use]
    pub fn wants_json(&self) -> bool {
        self.global("--json").is_some_and(Global::takes_effect)
    }

    /// Flags that would replace the browser of a running session.
    #[must_use]
    pub fn launch_globals(&self) -> Vec<&Global> {
        self.globals_of(LaunchScope::Browser)
    }

    /// Flags that would restart upstream's daemon.
    #[must_use]
    pub fn daemon_globals(&self) -> Vec<&Global> {
        self.globals_of(LaunchScope::Daemon)
    }

    /// Flags that neither choose the session nor belong to a launch.
    #[must_use]
    pub fn other_globals(&self) -> Vec<&Global> {
        self.globals
            .iter()
            .filter(|global| !global.is_session_choice())
            .filter(|global| global.spec.scope == LaunchScope::None || !global.takes_effect())
            .collect()
    }

    fn globals_of(&self, scope: LaunchScope) -> Vec<&Global> {
        self.globals
            .iter()
            .filter(|global| global.spec.scope == scope && global.takes_effect())
            .collect()
    }

    /// The same call as tokens: global flags, then the words.
    ///
    /// ```
    /// use agent_browser_native::command::parse;
    /// let tokens = ["open", "--session", "a", "https://shop.test"].map(String::from);
    /// let argv = parse(&tokens).unwrap();
    /// assert_eq!(argv.to_tokens(), ["--session", "a", "open", "https://shop.test"]);
    /// ```
    #[must_use]
    pub fn to_tokens(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        match self.inspection {
            Some(Inspection::GeneralHelp) => tokens.push("--help".to_owned()),
            Some(Inspection::Version) => tokens.push("--version".to_owned()),
            Some(Inspection::CommandHelp) | None => {}
        }
        for (at, global) in self.globals.iter().enumerate() {
            let next = self.globals.get(at + 1).map(|next| next.spelling.as_str());
            let next = next.or(self.words.first().map(String::as_str));
            parse::write_global(global, next, &mut tokens);
        }
        let mut words = self.words.iter().cloned();
        tokens.extend(words.next());
        if self.inspection == Some(Inspection::CommandHelp) {
            tokens.push("--help".to_owned());
        }
        tokens.extend(words);
        tokens
    }

    /// Walks over the words; the slots belong to `words[1..]`.
    fn scan(&self) -> (Scanner<'_>, Vec<Slot>) {
        let mut words = self.words.iter();
        let mut scanner = Scanner::new(words.next().map_or("", String::as_str));
        let slots = words.map(|word| scanner.push(word)).collect();
        (scanner, slots)
    }
}

#[cfg(test)]
mod tests;
