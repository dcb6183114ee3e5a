//! Short ways to write rows of the table.

use super::{
    Caps, Class, CommandSpec, Extra, FlagKind, OwnFlag, Role, Sessionless, StdinRule, SubSpec,
};

pub(super) const NONE: Caps = Caps::NONE;

impl Caps {
    pub(super) const fn guards_acting(mut self) -> Self {
        self.guards_refs = true;
        self.acts = true;
        self
    }

    pub(super) const fn guards_reading(mut self) -> Self {
        self.guards_refs = true;
        self
    }

    pub(super) const fn invalidates(mut self) -> Self {
        self.invalidates_batch_refs = true;
        self
    }

    pub(super) const fn changes(mut self) -> Self {
        self.page_change = true;
        self
    }

    pub(super) const fn look_again(mut self) -> Self {
        self.post_mutation_snapshot = true;
        self
    }

    pub(super) const fn navigates(mut self) -> Self {
        self.navigation_observable = true;
        self
    }
}

/// A browser command that is sent as a row, with nothing special about it.
pub(super) const fn cmd(name: &'static str, class: Class, doc: &'static str) -> CommandSpec {
    CommandSpec {
        name,
        aliases: &[],
        class,
        caps: NONE,
        extra: Extra::None,
        extra_without_ref: None,
        in_rows: true,
        in_caller_rows: true,
        sessionless: Sessionless::No,
        stdin: StdinRule::Never,
        operands: &[],
        rest: Role::Word,
        own_flags: &[],
        subcommands: &[],
        doc,
    }
}

impl CommandSpec {
    pub(super) const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub(super) const fn caps(mut self, caps: Caps) -> Self {
        self.caps = caps;
        self
    }

    pub(super) const fn extra(mut self, extra: Extra) -> Self {
        self.extra = extra;
        self
    }

    pub(super) const fn extra_without_ref(mut self, extra: Extra) -> Self {
        self.extra_without_ref = Some(extra);
        self
    }

    /// Sent plainly by us; a caller's batch may still hold it.
    pub(super) const fn plain(mut self) -> Self {
        self.in_rows = false;
        self
    }

    /// Upstream does not take it in rows at all.
    pub(super) const fn never_in_rows(mut self) -> Self {
        self.in_rows = false;
        self.in_caller_rows = false;
        self
    }

    pub(super) const fn sessionless(mut self, sessionless: Sessionless) -> Self {
        self.sessionless = sessionless;
        self
    }

    pub(super) const fn stdin(mut self, stdin: StdinRule) -> Self {
        self.stdin = stdin;
        self
    }

    pub(super) const fn operands(mut self, operands: &'static [Role]) -> Self {
        self.operands = operands;
        self
    }

    pub(super) const fn rest(mut self, rest: Role) -> Self {
        self.rest = rest;
        self
    }

    pub(super) const fn own(mut self, own_flags: &'static [OwnFlag]) -> Self {
        self.own_flags = own_flags;
        self
    }

    pub(super) const fn subs(mut self, subcommands: &'static [SubSpec]) -> Self {
        self.subcommands = subcommands;
        self
    }
}

/// A row that overrides nothing yet.
pub(super) const fn sub(path: &'static [&'static str]) -> SubSpec {
    SubSpec {
        path,
        flag: None,
        class: None,
        also: &[],
        caps: None,
        extra: None,
        in_rows: None,
        in_caller_rows: None,
        sessionless: None,
        stdin: None,
        operands: None,
        rest: None,
    }
}

impl SubSpec {
    pub(super) const fn flag(mut self, flag: &'static str) -> Self {
        self.flag = Some(flag);
        self
    }

    pub(super) const fn class(mut self, class: Class) -> Self {
        self.class = Some(class);
        self
    }

    pub(super) const fn also(mut self, classes: &'static [Class]) -> Self {
        self.also = classes;
        self
    }

    pub(super) const fn caps(mut self, caps: Caps) -> Self {
        self.caps = Some(caps);
        self
    }

    pub(super) const fn extra(mut self, extra: Extra) -> Self {
        self.extra = Some(extra);
        self
    }

    pub(super) const fn never_in_rows(mut self) -> Self {
        self.in_rows = Some(false);
        self.in_caller_rows = Some(false);
        self
    }

    pub(super) const fn sessionless(mut self, sessionless: Sessionless) -> Self {
        self.sessionless = Some(sessionless);
        self
    }

    pub(super) const fn stdin(mut self, stdin: StdinRule) -> Self {
        self.stdin = Some(stdin);
        self
    }

    pub(super) const fn operands(mut self, operands: &'static [Role]) -> Self {
        self.operands = Some(operands);
        self
    }

    pub(super) const fn rest(mut self, rest: Role) -> Self {
        self.rest = Some(rest);
        self
    }
}

const fn own(names: &'static [&'static str], kind: FlagKind, value: Role) -> OwnFlag {
    OwnFlag { names, kind, value, leading: false }
}

/// An own flag without a value. Unlike a global switch it takes no `true` or `false`.
pub(super) const fn switch(names: &'static [&'static str]) -> OwnFlag {
    own(names, FlagKind::Switch, Role::Word)
}

pub(super) const fn value(names: &'static [&'static str], role: Role) -> OwnFlag {
    own(names, FlagKind::Value, role)
}

pub(super) const fn optional(names: &'static [&'static str], role: Role) -> OwnFlag {
    own(names, FlagKind::OptionalValue, role)
}

impl OwnFlag {
    pub(super) const fn leading(mut self) -> Self {
        self.leading = true;
        self
    }
}
