//! Upstream's global flags: one row each.
//!
//! This list is the only one: planning, guards, redaction and the printed reference read it
//! (PLAN-09). Adding a flag costs one row.

/// What may stand behind a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagKind {
    /// Nothing, or the literal word `true` or `false` (PLAN-07).
    Switch,
    /// Exactly one token.
    Value,
    /// One token or none (`--restore`, `wait --download`).
    OptionalValue,
}

/// What the flag does to a session that is already running (DEC-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchScope {
    /// Nothing: the page is kept.
    None,
    /// It belongs to the launch of the browser; on a running session the page is lost.
    Browser,
    /// It belongs to upstream's daemon, which restarts; the page is lost.
    Daemon,
}

/// One global flag.
#[derive(Debug, PartialEq, Eq)]
pub struct FlagSpec {
    /// The long spelling, with its dashes.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// What stands behind it.
    pub kind: FlagKind,
    /// What it does to a running session.
    pub scope: LaunchScope,
    /// True when its value is never shown.
    pub secret: bool,
    /// True when it decides which program runs, and how (needs the class `process`).
    pub process_class: bool,
    /// True when its value is a path of this machine.
    pub path: bool,
    /// True for a switch that is on by default, so that only `false` changes something.
    pub default_on: bool,
    /// The variable that stands in for it, behind `AGENT_BROWSER_`.
    pub variable: Option<&'static str>,
    /// What it does, in a few words.
    pub doc: &'static str,
}

impl FlagSpec {
    const fn new(name: &'static str, kind: FlagKind, doc: &'static str) -> Self {
        Self {
            name,
            aliases: &[],
            kind,
            scope: LaunchScope::None,
            secret: false,
            process_class: false,
            path: false,
            default_on: false,
            variable: None,
            doc,
        }
    }

    const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn browser(mut self) -> Self {
        self.scope = LaunchScope::Browser;
        self
    }

    const fn daemon(mut self) -> Self {
        self.scope = LaunchScope::Daemon;
        self
    }

    const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    const fn process(mut self) -> Self {
        self.process_class = true;
        self
    }

    const fn path(mut self) -> Self {
        self.path = true;
        self
    }

    const fn default_on(mut self) -> Self {
        self.default_on = true;
        self
    }

    const fn or(mut self, variable: &'static str) -> Self {
        self.variable = Some(variable);
        self
    }

    /// True for the long spelling and every alias.
    #[must_use]
    pub fn answers_to(&self, token: &str) -> bool {
        self.name == token || self.aliases.contains(&token)
    }

    /// True when the flag with this value asks for something else than the default
    /// (`--auto-connect false`, `--headed false` and `--hide-scrollbars true` do not, PLAN-15).
    #[must_use]
    pub fn takes_effect(&self, value: Option<&str>) -> bool {
        self.kind != FlagKind::Switch || (value == Some("false")) == self.default_on
    }
}

const fn switch(name: &'static str, doc: &'static str) -> FlagSpec {
    FlagSpec::new(name, FlagKind::Switch, doc)
}

const fn value(name: &'static str, doc: &'static str) -> FlagSpec {
    FlagSpec::new(name, FlagKind::Value, doc)
}

/// Every global flag of upstream 0.41.0, in the order of its effect: addressing, launch, daemon,
/// then the rest.
pub static FLAGS: &[FlagSpec] = &[
    switch("--json", "answer as JSON"),
    value("--namespace", "keep sockets and saved state apart").browser(),
    value("--session", "name of the browser session"),
    // Launch of the browser.
    switch("--auto-connect", "attach to a running Chrome").or("AUTO_CONNECT").browser(),
    value("--cdp", "attach to a browser by port or address").or("CDP").browser(),
    value("--enable", "built-in init script").or("ENABLE").browser(),
    value("--executable-path", "browser executable")
        .or("EXECUTABLE_PATH")
        .browser()
        .process()
        .path(),
    value("--init-script", "script file for every new document")
        .or("INIT_SCRIPTS")
        .browser()
        .path(),
    value("--device", "iOS device name").or("IOS_DEVICE").browser(),
    value("--profile", "Chrome profile name, or profile directory").or("PROFILE").browser().path(),
    value("--provider", "browser provider").or("PROVIDER").alias(&["-p"]).browser(),
    FlagSpec::new(
        "--restore",
        FlagKind::OptionalValue,
        "restore and save cookies and storage under a name",
    )
    .or("RESTORE")
    .browser(),
    value("--restore-save", "when restored state is saved").or("RESTORE_SAVE").browser(),
    value("--restore-check-url", "address that restored state must lead to")
        .or("RESTORE_CHECK_URL")
        .browser(),
    value("--restore-check-text", "text that restored state must lead to")
        .or("RESTORE_CHECK_TEXT")
        .browser(),
    value("--restore-check-fn", "condition that restored state must meet")
        .or("RESTORE_CHECK_FN")
        .browser(),
    value("--session-name", "older name of the restore key").or("SESSION_NAME").browser(),
    value("--state", "saved cookies and storage to load").or("STATE").browser().path(),
    value("--user-agent", "user agent").or("USER_AGENT").browser(),
    value("--args", "command line of the browser").or("ARGS").browser().process(),
    value("--proxy", "proxy server").or("PROXY").browser().secret(),
    switch("--allow-file-access", "let file: pages read files").or("ALLOW_FILE_ACCESS").browser(),
    switch("--hide-scrollbars", "hide scroll bars in screenshots")
        .or("HIDE_SCROLLBARS")
        .browser()
        .default_on(),
    value("--extension", "browser extension directory").or("EXTENSIONS").browser().process().path(),
    value("--engine", "browser engine").or("ENGINE").browser(),
    switch("--webgpu", "enable WebGPU").or("WEBGPU").browser(),
    switch("--no-webmcp", "disable WebMCP").or("NO_WEBMCP").browser(),
    value("--allowed-domains", "hosts that may be reached").or("ALLOWED_DOMAINS").browser(),
    switch("--headed", "show the browser window").or("HEADED").browser(),
    // Upstream's daemon.
    value("--idle-timeout", "shut down after this much silence").or("IDLE_TIMEOUT_MS").daemon(),
    value("--confirm-actions", "actions that wait for confirmation").or("CONFIRM_ACTIONS").daemon(),
    value("--action-policy", "file that allows and denies actions")
        .or("ACTION_POLICY")
        .daemon()
        .path(),
    switch("--no-auto-dialog", "leave alert dialogs open").or("NO_AUTO_DIALOG").daemon(),
    switch("--debug", "write a debug log").or("DEBUG").daemon(),
    // The page is kept. A configuration file can name an executable, its arguments and plugins.
    value("--config", "configuration file").process().path(),
    value("--headers", "HTTP headers for the origin").secret(),
    value("--proxy-bypass", "hosts that are reached without the proxy").or("PROXY_BYPASS"),
    switch("--ignore-https-errors", "accept bad certificates").or("IGNORE_HTTPS_ERRORS"),
    value("--ca-cert", "certificate authority to trust").or("CA_CERT").path(),
    switch("--no-ca-cert", "forget the trusted authority"),
    switch("--use-system-ca", "trust the system's authorities"),
    value("--color-scheme", "dark, light or no-preference").or("COLOR_SCHEME"),
    value("--download-path", "directory for downloads").or("DOWNLOAD_PATH").path(),
    switch("--pin-tab", "fail instead of falling back to another tab"),
    switch("--no-pin-tab", "undo --pin-tab"),
    switch("--annotate", "number the controls in screenshots"),
    value("--screenshot-dir", "directory for screenshots").path(),
    value("--screenshot-quality", "JPEG quality"),
    value("--screenshot-format", "png or jpeg"),
    value("--input-mode", "how the pointer moves"),
    switch("--content-boundaries", "mark page output"),
    value("--max-output", "longest page output"),
    switch("--confirm-interactive", "ask on the terminal"),
    value("--model", "model for chat"),
    switch("--verbose", "chat: show commands").alias(&["-v"]),
    switch("--quiet", "chat: show answers only").alias(&["-q"]),
    switch("--offline", "doctor: no network"),
    switch("--quick", "doctor: no browser"),
    switch("--fix", "doctor: repair").process(),
];

/// The row of a spelling; `--restore=NAME` belongs to `--restore`.
///
/// ```
/// use agent_browser_native::command::flags::flag;
/// assert_eq!(flag("-p").unwrap().name, "--provider");
/// assert_eq!(flag("--restore=work").unwrap().name, "--restore");
/// assert!(flag("--session=x").is_none());
/// ```
#[must_use]
pub fn flag(token: &str) -> Option<&'static FlagSpec> {
    let spelling = match token.split_once('=') {
        Some(("--restore", _)) => "--restore",
        _ => token,
    };
    FLAGS.iter().find(|spec| spec.answers_to(spelling))
}

#[cfg(test)]
#[path = "flags_tests.rs"]
mod tests;
