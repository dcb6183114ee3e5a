//! What can be configured: every key with its rule, and the search providers (CFG-04, CFG-07).

use serde_json::Value;

use super::credential::Source;

/// A web search provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderId {
    /// Exa.
    Exa,
    /// Brave Search.
    Brave,
}

impl ProviderId {
    /// Every provider; the first one with a key is used (WEB-09).
    pub const ALL: [Self; 2] = [Self::Exa, Self::Brave];

    /// The word in config files and calls.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exa => "exa",
            Self::Brave => "brave",
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Exa => "Exa",
            Self::Brave => "Brave Search",
        }
    }

    /// The config key that holds its credential.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Exa => "webSearch.exaApiKey",
            Self::Brave => "webSearch.braveApiKey",
        }
    }

    /// The variable that is asked when no file has a credential (CFG-06).
    #[must_use]
    pub fn variable(self) -> &'static str {
        match self {
            Self::Exa => "EXA_API_KEY",
            Self::Brave => "BRAVE_API_KEY",
        }
    }

    /// The provider of a word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == word)
    }
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
    /// A literal, `$NAME`, or `!command`; never shown.
    Credential,
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its dotted name; a dot is a nested object in the file.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// What holds without it.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// Every key.
pub const KEYS: [Key; 7] = [
    Key {
        name: "webSearch.enabled",
        kind: Kind::Switch,
        default: "true",
        about: "Whether agent_browser_web_search may be offered and may search.",
    },
    Key {
        name: "webSearch.preferredProvider",
        kind: Kind::Word(&["exa", "brave"]),
        default: "exa",
        about: "The provider to use when both have a key.",
    },
    Key {
        name: "webSearch.exaApiKey",
        kind: Kind::Credential,
        default: "$EXA_API_KEY",
        about: "The key for Exa.",
    },
    Key {
        name: "webSearch.braveApiKey",
        kind: Kind::Credential,
        default: "$BRAVE_API_KEY",
        about: "The key for Brave Search.",
    },
    Key {
        name: "browser.defaultProfile",
        kind: Kind::Text,
        default: "none",
        about: "Advice for the model: the profile for signed-in tasks. Never added to a call.",
    },
    Key {
        name: "browser.executablePath",
        kind: Kind::Text,
        default: "none",
        about: "Advice for the model: another Chromium to launch. Never added to a call.",
    },
    Key {
        name: "view",
        kind: Kind::Switch,
        default: "true",
        about: "Whether the answer to a navigation lists the page's controls.",
    },
];

impl Key {
    /// The key of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// What is wrong with a value, if anything. The sentence never repeats the value.
    #[must_use]
    pub fn problem(&self, value: &Value) -> Option<String> {
        let name = self.name;
        match (self.kind, value) {
            (Kind::Switch, Value::Bool(_)) => None,
            (Kind::Switch, _) => Some(format!("{name} must be true or false")),
            (Kind::Word(words), Value::String(word)) if words.contains(&word.as_str()) => None,
            (Kind::Word(words), _) => Some(format!("{name} must be one of {}", words.join(", "))),
            (Kind::Text, Value::String(text)) => {
                text_problem(text).map(|rule| format!("{name} {rule}"))
            }
            (Kind::Credential, Value::String(text)) => {
                Source::parse(text).err().map(|rule| format!("{name} {rule}"))
            }
            (Kind::Text | Kind::Credential, _) => Some(format!("{name} must be a text")),
        }
    }

    /// A value as it is written on a command line.
    ///
    /// # Errors
    /// A sentence that says what it must be.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let value = match (self.kind, text) {
            (Kind::Switch, "true") => Value::Bool(true),
            (Kind::Switch, "false") => Value::Bool(false),
            _ => Value::String(text.to_owned()),
        };
        self.problem(&value).map_or(Ok(value), Err)
    }
}

/// Advice goes into a prompt: one line, and not a page of it.
fn text_problem(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("must not be empty");
    }
    if text.chars().any(char::is_control) {
        return Some("must be one line without control characters");
    }
    (text.len() > 300).then_some("must have at most 300 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // CFG-04, CFG-07, PI-53
    #[test]
    fn one_list_owns_keys_providers_and_rules() {
        let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        let wanted = [
            "webSearch.enabled",
            "webSearch.preferredProvider",
            "webSearch.exaApiKey",
            "webSearch.braveApiKey",
            "browser.defaultProfile",
            "browser.executablePath",
            "view",
        ];
        assert_eq!(names, wanted);
        for provider in ProviderId::ALL {
            let key = Key::named(provider.key()).unwrap();
            assert_eq!(key.kind, Kind::Credential);
            assert_eq!(key.default, format!("${}", provider.variable()));
            assert_eq!(ProviderId::named(provider.name()), Some(provider));
        }
        let preferred = Key::named("webSearch.preferredProvider").unwrap();
        let providers: Vec<&str> = ProviderId::ALL.iter().map(|id| id.name()).collect();
        assert_eq!(preferred.kind, Kind::Word(&["exa", "brave"]));
        assert_eq!(providers, ["exa", "brave"]);
    }

    #[test]
    fn values_are_checked_and_never_repeated() {
        let problem = |name: &str, value: Value| Key::named(name).unwrap().problem(&value);
        assert_eq!(problem("webSearch.enabled", json!(false)), None);
        let bad = problem("webSearch.enabled", json!("s3cret")).unwrap();
        assert_eq!(bad, "webSearch.enabled must be true or false");
        assert!(
            problem("webSearch.preferredProvider", json!("bing")).unwrap().contains("exa, brave")
        );
        assert!(problem("browser.defaultProfile", json!("a\nNext: {}")).is_some());
        assert!(problem("browser.defaultProfile", json!(7)).is_some());
        assert!(problem("webSearch.exaApiKey", json!("")).is_some());
        assert_eq!(problem("webSearch.exaApiKey", json!("!pass show exa")), None);
    }

    #[test]
    fn command_line_values_get_their_type() {
        assert_eq!(Key::named("view").unwrap().read("false"), Ok(json!(false)));
        assert!(Key::named("view").unwrap().read("no").is_err());
        assert_eq!(Key::named("browser.defaultProfile").unwrap().read("Work"), Ok(json!("Work")));
    }
}
