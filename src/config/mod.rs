//! Settings: three files, later ones win, and the environment where no file says anything.
//!
//! One policy for calls, doors and the `config` subcommand (CFG-07). A project's file is read only
//! where somebody vouches for the project; its commands only where the user does (DEC-84, DEC-107).

pub mod credential;
pub mod edit;
pub mod keys;
pub mod layer;
pub mod status;
pub mod variables;

use std::path::Path;

use serde_json::Value;

use crate::run::ParentEnv;
use credential::Source;
use keys::{Key, ProviderId};
use layer::{Layer, Loaded, State};

/// Vouches for the project, as `--trust-project` does.
pub const TRUST_VARIABLE: &str = "AGENT_BROWSER_NATIVE_TRUST_PROJECT";

/// How far a project's own file is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// It is read.
    pub project: bool,
    /// Commands in it may be run.
    pub commands: bool,
}

impl Trust {
    /// Outside pi: only what the user says.
    #[must_use]
    pub fn by_user(env: &ParentEnv, flag: bool) -> Self {
        let vouched = flag || env.switch(TRUST_VARIABLE);
        Self { project: vouched, commands: vouched }
    }

    /// In pi: the host decides about the file, the user about its commands.
    #[must_use]
    pub fn by_host(env: &ParentEnv, trusted: bool) -> Self {
        Self { project: trusted, commands: trusted && env.switch(TRUST_VARIABLE) }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(Layer),
    /// The provider's own variable.
    Variable,
}

/// The key of a provider, unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The form in which it is given.
    pub source: Source,
    /// Who gives it.
    pub origin: Origin,
}

/// The settings as they hold for one directory and one degree of trust.
#[derive(Clone, Debug)]
pub struct Config {
    layers: Vec<Loaded>,
    trust: Trust,
}

impl Config {
    /// Reads the files.
    #[must_use]
    pub fn load(env: &ParentEnv, cwd: &Path, trust: Trust) -> Self {
        let layers = Layer::ALL.map(|layer| layer::load(layer, env, cwd, trust));
        Self { layers: layers.into(), trust }
    }

    /// The strongest value of a key, and the file it comes from (CFG-02, CFG-09).
    #[must_use]
    pub fn value(&self, name: &str) -> Option<(&Value, Layer)> {
        self.values(name).next()
    }

    /// All values of a key, strongest first.
    fn values(&self, name: &str) -> impl Iterator<Item = (&Value, Layer)> {
        self.layers.iter().rev().flat_map(move |loaded| {
            let found = loaded.values.iter().filter(move |(key, _)| key.name == name);
            found.map(|(_, value)| (value, loaded.layer))
        })
    }

    fn switch(&self, name: &str) -> bool {
        self.value(name).and_then(|(value, _)| value.as_bool()).unwrap_or(true)
    }

    /// The page is shown behind a navigation (DEC-70).
    #[must_use]
    pub fn view(&self) -> bool {
        self.switch("view")
    }

    /// Searching is not switched off (WEB-06).
    #[must_use]
    pub fn search_enabled(&self) -> bool {
        self.switch("webSearch.enabled")
    }

    /// The credential of a provider: the strongest file, else its variable (CFG-06).
    #[must_use]
    pub fn credential(&self, provider: ProviderId, env: &ParentEnv) -> Option<Credential> {
        let mut given = self.values(provider.key()).filter_map(|(value, layer)| {
            let source = Source::parse(value.as_str()?).ok()?;
            (!self.leaves_out(layer, &source)).then_some((source, layer))
        });
        if let Some((source, layer)) = given.next() {
            return Some(Credential { source, origin: Origin::File(layer) });
        }
        env.text(provider.variable())?;
        let source = Source::parse(&format!("${}", provider.variable())).ok()?;
        Some(Credential { source, origin: Origin::Variable })
    }

    /// A command that nobody vouched for (DEC-107).
    fn leaves_out(&self, layer: Layer, source: &Source) -> bool {
        layer == Layer::Project && !self.trust.commands && matches!(source, Source::Command(_))
    }

    /// Credentials of a project file that are not used (DEC-107).
    #[must_use]
    pub fn left_out(&self) -> Vec<&'static str> {
        let is_left_out = |provider: &ProviderId| {
            self.values(provider.key()).any(|(value, layer)| {
                let source = value.as_str().and_then(|text| Source::parse(text).ok());
                source.is_some_and(|source| self.leaves_out(layer, &source))
            })
        };
        ProviderId::ALL.into_iter().filter(is_left_out).map(ProviderId::key).collect()
    }

    /// Providers whose key can be had, the preferred one first (WEB-07, WEB-09).
    #[must_use]
    pub fn providers(&self, env: &ParentEnv) -> Vec<ProviderId> {
        let preferred =
            self.value("webSearch.preferredProvider").and_then(|(value, _)| value.as_str());
        let mut usable: Vec<ProviderId> = ProviderId::ALL
            .into_iter()
            .filter(|provider| {
                let credential = self.credential(*provider, env);
                credential.is_some_and(|credential| credential.source.is_resolvable(env))
            })
            .collect();
        usable.sort_by_key(|provider| Some(provider.name()) != preferred);
        usable
    }

    /// The search tool is offered (WEB-02).
    #[must_use]
    pub fn offers_search(&self, env: &ParentEnv) -> bool {
        self.search_enabled() && !self.providers(env).is_empty()
    }

    /// Files that cannot be used, each with the reason.
    #[must_use]
    pub fn broken(&self) -> Vec<String> {
        let broken = self.layers.iter().filter_map(|loaded| match (&loaded.state, &loaded.path) {
            (State::Broken(why), Some(path)) => Some(format!("{}: {why}", path.display())),
            _ => None,
        });
        broken.collect()
    }

    /// Everything that is wrong, file by file.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let inside = self.layers.iter().flat_map(|loaded| {
            let path = loaded.path.as_ref().map(|path| path.display().to_string());
            let path = path.unwrap_or_default();
            loaded.problems.iter().map(move |problem| format!("{path}: {problem}"))
        });
        self.broken().into_iter().chain(inside).collect()
    }

    /// Sentences for the prompt (CFG-08): advice only, no call is changed by it.
    #[must_use]
    pub fn guidance(&self) -> Vec<String> {
        let text =
            |name: &str| self.value(name).and_then(|(value, layer)| Some((value.as_str()?, layer)));
        let mut lines = Vec::new();
        if let Some((profile, layer)) = text("browser.defaultProfile") {
            lines.push(format!(
                "agent_browser: for signed-in or account-specific tasks begin with --profile {profile:?} ({} \
                 config), elsewhere without it.",
                layer.name()
            ));
        }
        if let Some((path, layer)) = text("browser.executablePath") {
            lines.push(format!(
                "agent_browser: to launch the user's own Chromium begin with --executable-path {path:?} ({} \
                 config).",
                layer.name()
            ));
        }
        lines
    }
}

/// Every key of the list, for the reference.
#[must_use]
pub fn keys() -> &'static [Key] {
    &keys::KEYS
}
