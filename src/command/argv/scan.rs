//! What each word of a command is, found from left to right.

use crate::command::flags::FlagKind;
use crate::command::table::{CommandSpec, OwnFlag, Role, SubSpec, lookup};

/// What a word behind the command word is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// An own flag.
    Own(&'static OwnFlag),
    /// The value behind an own flag.
    OwnValue(&'static OwnFlag),
    /// An own flag and its value in one token (`--password=…`).
    OwnInline(&'static OwnFlag),
    /// An operand.
    Operand(Role),
}

impl Slot {
    /// True when the token is taken as it is, even if it looks like a global flag (DEC-97).
    pub(crate) fn is_literal(self) -> bool {
        match self {
            Self::Own(_) | Self::OwnInline(_) => true,
            Self::OwnValue(flag) => flag.value.is_literal(),
            Self::Operand(role) => role.is_literal(),
        }
    }
}

/// Walks over the words of one command.
pub(crate) struct Scanner<'a> {
    spec: Option<&'static CommandSpec>,
    operands: Vec<&'a str>,
    flags: Vec<&'static OwnFlag>,
    pending: Option<&'static OwnFlag>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(command: &str) -> Self {
        Self { spec: lookup(command), operands: Vec::new(), flags: Vec::new(), pending: None }
    }

    /// What the next token is, if it is no global flag.
    pub(crate) fn slot(&self, token: &str) -> Slot {
        if let Some(flag) = self.pending
            && (flag.kind == FlagKind::Value || !token.starts_with('-'))
        {
            return Slot::OwnValue(flag);
        }
        let role = self.role_here();
        let Some(spec) = self.spec else {
            return Slot::Operand(role);
        };
        if let Some(flag) = spec.own_flag(token)
            && (!flag.leading || self.operands.is_empty())
        {
            return Slot::Own(flag);
        }
        match token.split_once('=').and_then(|(name, _)| spec.own_flag(name)) {
            Some(flag) if flag.kind == FlagKind::Value && !role.is_literal() => {
                Slot::OwnInline(flag)
            }
            _ => Slot::Operand(role),
        }
    }

    /// Takes the token and says what it is.
    pub(crate) fn push(&mut self, token: &'a str) -> Slot {
        let slot = self.slot(token);
        self.pending = None;
        match slot {
            Slot::Own(flag) => {
                self.flags.push(flag);
                self.pending = (flag.kind != FlagKind::Switch).then_some(flag);
            }
            Slot::OwnInline(flag) => self.flags.push(flag),
            Slot::OwnValue(_) => {}
            Slot::Operand(_) => self.operands.push(token),
        }
        slot
    }

    /// True in front of the first operand.
    pub(crate) fn at_start(&self) -> bool {
        self.operands.is_empty()
    }

    /// The row of the subcommand that the words have led to.
    pub(crate) fn subcommand(&self) -> Option<&'static SubSpec> {
        self.spec?
            .subcommand(&self.operands, |name| self.flags.iter().any(|flag| flag.answers_to(name)))
    }

    fn role_here(&self) -> Role {
        let Some(spec) = self.spec else {
            return Role::Word;
        };
        let row = self.subcommand();
        let roles = row.and_then(|row| row.operands).unwrap_or(spec.operands);
        let rest = row.and_then(|row| row.rest).unwrap_or(spec.rest);
        roles.get(self.operands.len()).copied().unwrap_or(rest)
    }
}
