//! The environment of a child: always complete and explicit, never inherited behind our back.
//!
//! Upstream compares launch options between calls and replaces the browser without a word when they
//! differ; it restarts its daemon when a daemon-level option differs. Which variable is which was
//! seen on the requests that 0.41.0 sends with each of them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::command::flags::{FLAGS, FlagSpec, LaunchScope};

/// Upstream's operation timeout is never longer than this.
const DEFAULT_TIMEOUT_CAP_MS: u64 = 25_000;

/// Where upstream looks for its sockets.
pub const SOCKET_DIR: &str = "AGENT_BROWSER_SOCKET_DIR";

/// How long upstream waits by itself.
pub const DEFAULT_TIMEOUT: &str = "AGENT_BROWSER_DEFAULT_TIMEOUT";

/// Makes the executable the daemon instead of the command line program: never passed on.
const DAEMON_ROLE: &str = "AGENT_BROWSER_DAEMON";

/// Would choose another session than the one that the call names.
const SESSION_CHOICE: [&str; 2] = ["AGENT_BROWSER_SESSION", "AGENT_BROWSER_NAMESPACE"];

/// Behind `AGENT_BROWSER_`: options of the browser launch that no flag stands for.
const LAUNCH: [&str; 6] =
    ["CLEAR_CA_CERT", "IOS_UDID", "NO_XVFB", "OBSCURA_STEALTH", "PROXY_PASSWORD", "PROXY_USERNAME"];

/// Read in both spellings, as is the custom.
const PROXY: [&str; 4] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/// Whether a variable describes the browser launch: a call that carries it asks for a launch, and a
/// changed value replaces the browser.
#[must_use]
pub fn is_launch_variable(name: &str) -> bool {
    match name.strip_prefix("AGENT_BROWSER_") {
        Some(option) => {
            LAUNCH.contains(&option) || scope_of(option).is_some_and(|at| at != LaunchScope::Daemon)
        }
        None => PROXY.iter().any(|proxy| proxy.eq_ignore_ascii_case(name)),
    }
}

/// Whether a variable describes the daemon: it must be the same on every call of a session.
#[must_use]
pub fn is_daemon_variable(name: &str) -> bool {
    let scope = name.strip_prefix("AGENT_BROWSER_").and_then(scope_of);
    name == DEFAULT_TIMEOUT || scope == Some(LaunchScope::Daemon)
}

/// The scope of the flag that a variable stands in for. All of them belong to the launch or to the
/// daemon, also where the flag itself leaves a running page alone.
fn scope_of(option: &str) -> Option<LaunchScope> {
    FLAGS.iter().find(|flag| flag.variable == Some(option)).map(|flag| flag.scope)
}

/// A snapshot of the environment that this program was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParentEnv {
    vars: BTreeMap<OsString, OsString>,
}

impl ParentEnv {
    /// The environment of this process. Nothing else in the project reads it.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
    pub fn from_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of a variable, if it is set and not empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The value of a variable as text, if it is set, not empty and valid Unicode.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str()
    }

    /// The value of a variable as an absolute path. Relative paths are not taken: what they mean
    /// would depend on the directory of the moment.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Whether a switch is on: set, and neither `0` nor `false`.
    #[must_use]
    pub fn switch(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// The value of the variable that stands in for a flag, if it asks for something else than the
    /// default.
    #[must_use]
    pub fn instead_of(&self, flag: &FlagSpec) -> Option<&OsStr> {
        let value = self.get(&format!("AGENT_BROWSER_{}", flag.variable?))?;
        let off = value == "0" || value.eq_ignore_ascii_case("false");
        flag.takes_effect(off.then_some("false")).then_some(value)
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn and(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.vars.insert(name.into(), value.into());
        self
    }

    /// For the call that launches a managed session: everything but the choice of a session.
    #[must_use]
    pub fn launching(&self, socket_dir: &Path) -> ChildEnv {
        let mut child = self.plain(socket_dir).without(|name| SESSION_CHOICE.contains(&name));
        if let Some(capped) = self.capped_timeout() {
            child.vars.insert(DEFAULT_TIMEOUT.into(), capped.into());
        }
        child
    }

    /// For every later call of a managed session: as [`Self::launching`], without launch options.
    #[must_use]
    pub fn following(&self, socket_dir: &Path) -> ChildEnv {
        self.launching(socket_dir).without(is_launch_variable)
    }

    /// For sessions that the caller named, and for calls without one: as the caller has it.
    #[must_use]
    pub fn plain(&self, socket_dir: &Path) -> ChildEnv {
        let mut child = self.unchanged();
        child.vars.remove(OsStr::new(DAEMON_ROLE));
        child.vars.insert(SOCKET_DIR.into(), socket_dir.into());
        child
    }

    /// For programs other than upstream.
    #[must_use]
    pub fn unchanged(&self) -> ChildEnv {
        ChildEnv { vars: self.vars.clone() }
    }

    /// The daemon options of this environment, as a managed session gets them.
    #[must_use]
    pub fn daemon_variables(&self) -> BTreeMap<String, String> {
        let mut variables = self.selected(is_daemon_variable);
        if let Some(capped) = self.capped_timeout() {
            variables.insert(DEFAULT_TIMEOUT.to_owned(), capped);
        }
        variables
    }

    fn selected(&self, wanted: fn(&str) -> bool) -> BTreeMap<String, String> {
        let unicode =
            self.vars.iter().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        unicode
            .filter(|(name, _)| wanted(name))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn capped_timeout(&self) -> Option<String> {
        let asked: u64 = self.text(DEFAULT_TIMEOUT)?.trim().parse().ok()?;
        (asked > DEFAULT_TIMEOUT_CAP_MS).then(|| DEFAULT_TIMEOUT_CAP_MS.to_string())
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for ParentEnv {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self { vars: pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect() }
    }
}

/// The complete environment of one child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildEnv {
    vars: BTreeMap<OsString, OsString>,
}

impl ChildEnv {
    /// Overlays variables, for example those frozen with a session.
    #[must_use]
    pub fn with<'a>(
        mut self,
        variables: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Self {
        self.vars.extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Sets one variable.
    #[must_use]
    pub fn and(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.vars.insert(name.into(), value.into());
        self
    }

    /// Leaves out every variable that `unwanted` names. Together with [`Self::with`] it replaces
    /// one group by the frozen one.
    #[must_use]
    pub fn without(mut self, unwanted: impl Fn(&str) -> bool) -> Self {
        self.vars.retain(|name, _| !name.to_str().is_some_and(&unwanted));
        self
    }

    /// The value that the child will see.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// Every variable, in order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.vars.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

#[cfg(test)]
#[path = "env_tests.rs"]
mod tests;
