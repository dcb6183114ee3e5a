//! One recorded call, as data.
//!
//! `{u}` in an argument stands for the page server, `{closed}` for a port that refuses, `{out}` for
//! a folder for files, `{captured}` for what [`Case::capture`] found.

/// The words of one call, without `--json --session S`.
pub(super) type Words = &'static [&'static str];

/// A call and what must happen before it.
#[derive(Clone, Copy)]
pub(super) struct Case {
    /// Folder and file: `click/by-selector`.
    pub(super) name: &'static str,
    pub(super) argv: Words,
    pub(super) stdin: Option<&'static str>,
    /// Path of the page that is opened first; `None` leaves the session as it is.
    pub(super) page: Option<&'static str>,
    /// Calls before it, not recorded; each must succeed.
    pub(super) before: &'static [Words],
    /// Calls after it, not recorded, whatever they answer.
    pub(super) after: &'static [Words],
    /// Flags for every call of the case, preparation included.
    pub(super) globals: Words,
    /// Environment of every call of the case.
    pub(super) envs: &'static [(&'static str, &'static str)],
    /// Key to look up in the answer of the last call before.
    pub(super) capture: Option<&'static str>,
    /// Starts with a new browser, so that refs begin at `e1`.
    pub(super) fresh: bool,
    /// Takes half a minute.
    pub(super) slow: bool,
    /// Without `--json`.
    pub(super) text: bool,
    /// A program that must not be on PATH.
    pub(super) absent: Option<&'static str>,
}

/// Cases that share a browser, in order.
pub(super) type Family = &'static [Case];

/// A call on the session as the case before left it.
pub(super) const fn case(name: &'static str, argv: Words) -> Case {
    Case {
        name,
        argv,
        stdin: None,
        page: None,
        before: &[],
        after: &[],
        globals: &[],
        envs: &[],
        capture: None,
        fresh: false,
        slow: false,
        text: false,
        absent: None,
    }
}

/// A call on a freshly opened page.
pub(super) const fn on(page: &'static str, name: &'static str, argv: Words) -> Case {
    Case { page: Some(page), ..case(name, argv) }
}

impl Case {
    pub(super) const fn stdin(mut self, stdin: &'static str) -> Self {
        self.stdin = Some(stdin);
        self
    }

    pub(super) const fn before(mut self, before: &'static [Words]) -> Self {
        self.before = before;
        self
    }

    pub(super) const fn after(mut self, after: &'static [Words]) -> Self {
        self.after = after;
        self
    }

    pub(super) const fn globals(mut self, globals: Words) -> Self {
        self.globals = globals;
        self
    }

    pub(super) const fn envs(mut self, envs: &'static [(&'static str, &'static str)]) -> Self {
        self.envs = envs;
        self
    }

    pub(super) const fn capture(mut self, key: &'static str) -> Self {
        self.capture = Some(key);
        self
    }

    pub(super) const fn fresh(mut self) -> Self {
        self.fresh = true;
        self
    }

    pub(super) const fn slow(mut self) -> Self {
        self.slow = true;
        self
    }

    pub(super) const fn text(mut self) -> Self {
        self.text = true;
        self
    }

    pub(super) const fn absent(mut self, program: &'static str) -> Self {
        self.absent = Some(program);
        self
    }

    /// The folder of the recording: a command's name.
    pub(super) fn command(&self) -> &'static str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Needs a session of its own: other flags or variables replace the browser.
    pub(super) const fn alone(&self) -> bool {
        !self.globals.is_empty() || !self.envs.is_empty()
    }
}
