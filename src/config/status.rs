//! What holds, where it comes from and what is wrong, without any secret (CFG-11).

use serde_json::{Value, json};

use super::keys::{KEYS, Kind, ProviderId};
use super::layer::{OVERRIDE, State};
use super::{Config, Origin, TRUST_VARIABLE};
use crate::redact::{Redactor, SafeJson, SafeText};
use crate::run::ParentEnv;

/// The state of a provider's key.
struct Summary {
    provider: ProviderId,
    /// `global config`, `EXA_API_KEY`, or nobody.
    from: Option<String>,
    /// Its form: literal, environment, command.
    form: Option<&'static str>,
    usable: bool,
    /// The state in words.
    state: String,
}

impl Config {
    /// The status for people.
    #[must_use]
    pub fn status_text(&self, env: &ParentEnv) -> SafeText {
        let mut lines = vec!["Files, later ones win:".to_owned()];
        lines.extend(self.file_lines());
        lines.push("Values:".to_owned());
        for key in KEYS.iter().filter(|key| key.kind != Kind::Credential) {
            lines.push(match self.value(key.name) {
                Some((value, layer)) => {
                    format!("  {:<28} {} ({})", key.name, bare(value), layer.name())
                }
                None => format!("  {:<28} {} (default)", key.name, key.default),
            });
        }
        lines.push("Search keys, never shown:".to_owned());
        lines.extend(
            self.summaries(env)
                .iter()
                .map(|summary| format!("  {:<28} {}", summary.provider.key(), summary.state)),
        );
        lines.push(format!("Web search: {}", self.search_words(env)));
        lines.extend(self.problem_lines());
        Redactor::new([]).safe_text(&lines.join("\n"))
    }

    /// The status for programs.
    #[must_use]
    pub fn status_json(&self, env: &ParentEnv) -> SafeJson {
        let values: Vec<Value> = KEYS
            .iter()
            .filter(|key| key.kind != Kind::Credential)
            .map(|key| match self.value(key.name) {
                Some((value, layer)) => json!({ "name": key.name, "value": value, "from": layer.name() }),
                None => json!({ "name": key.name, "value": null, "from": "default", "default": key.default }),
            })
            .collect();
        let credentials: Vec<Value> = self
            .summaries(env)
            .into_iter()
            .map(|summary| {
                json!({
                    "name": summary.provider.name(),
                    "from": summary.from,
                    "form": summary.form,
                    "usable": summary.usable,
                    "state": summary.state,
                })
            })
            .collect();
        Redactor::new([]).safe_json(&json!({
            "files": self.files(),
            "values": values,
            "providers": credentials,
            "webSearch": {
                "offered": self.offers_search(env),
                "provider": self.providers(env).first().map(|provider| provider.name()),
            },
            "leftOut": self.left_out(),
            "problems": self.problems(),
        }))
    }

    /// The files and what became of them.
    #[must_use]
    pub fn files_json(&self) -> SafeJson {
        Redactor::new([]).safe_json(&Value::Array(self.files()))
    }

    /// The same for people.
    #[must_use]
    pub fn files_text(&self) -> SafeText {
        Redactor::new([]).safe_text(&self.file_lines().join("\n"))
    }

    /// What is wrong, for people; the last line says so when nothing is.
    #[must_use]
    pub fn problems_text(&self) -> SafeText {
        let lines = self.problem_lines();
        let text = if lines.is_empty() { "No problem found.".to_owned() } else { lines.join("\n") };
        Redactor::new([]).safe_text(&text)
    }

    fn files(&self) -> Vec<Value> {
        let file = |loaded: &super::Loaded| {
            let (state, problem) = match &loaded.state {
                State::Loaded => ("loaded", None),
                State::Absent => ("absent", None),
                State::NotNamed => ("not-named", None),
                State::NotTrusted => ("not-trusted", None),
                State::Broken(problem) => ("broken", Some(problem)),
            };
            json!({ "layer": loaded.layer.name(), "path": loaded.path, "state": state, "problem": problem })
        };
        self.layers.iter().map(file).collect()
    }

    fn file_lines(&self) -> Vec<String> {
        let line = |loaded: &super::Loaded| {
            let path = loaded.path.as_ref().map(|path| path.display().to_string());
            let state = match &loaded.state {
                State::Loaded => "read".to_owned(),
                State::Absent => "no such file".to_owned(),
                State::NotNamed => format!("{OVERRIDE} is not set"),
                State::NotTrusted => {
                    format!("not read, the project is not trusted ({TRUST_VARIABLE}=1)")
                }
                State::Broken(why) => format!("not used: {why}"),
            };
            match path {
                Some(path) => format!("  {:<8} {path}: {state}", loaded.layer.name()),
                None => format!("  {:<8} {state}", loaded.layer.name()),
            }
        };
        self.layers.iter().map(line).collect()
    }

    fn problem_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.problems().into_iter().map(|problem| format!("Problem: {problem}")).collect();
        lines.extend(self.left_out().into_iter().map(|key| {
            format!("Left out: {key} of the project file is a command; {TRUST_VARIABLE}=1 or --trust-project runs it")
        }));
        lines
    }

    fn search_words(&self, env: &ParentEnv) -> String {
        match self.providers(env).first() {
            _ if !self.search_enabled() => "switched off (webSearch.enabled)".to_owned(),
            Some(provider) => format!("offered, with {}", provider.title()),
            None => "not offered, no key can be had".to_owned(),
        }
    }

    fn summaries(&self, env: &ParentEnv) -> Vec<Summary> {
        ProviderId::ALL.into_iter().map(|provider| self.summary(provider, env)).collect()
    }

    fn summary(&self, provider: ProviderId, env: &ParentEnv) -> Summary {
        let Some(credential) = self.credential(provider, env) else {
            let state = format!("none (a config file or {} can give one)", provider.variable());
            return Summary { provider, from: None, form: None, usable: false, state };
        };
        let from = match credential.origin {
            Origin::File(layer) => format!("{} config", layer.name()),
            Origin::Variable => provider.variable().to_owned(),
        };
        let form = credential.source.form();
        let missing = credential.source.missing(env);
        let usable = credential.source.is_resolvable(env);
        let state = match (form, missing.first()) {
            (_, Some(name)) => format!("from the {from}: the variable {name} is not set"),
            ("command", _) => format!("from the {from}: a command, run when a search needs it"),
            ("environment", _) => format!("from {from}: set by a variable"),
            _ => format!("from the {from}: set"),
        };
        Summary { provider, from: Some(from), form: Some(form), usable, state }
    }
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
