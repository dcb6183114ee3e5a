//! A hint that an app may show private data. It never blocks anything (ELEC-13).

use serde_json::{Value, json};

/// Categories and the words that name their apps, in lower case.
const CATEGORIES: &[(&str, &[&str])] = &[
    (
        "notes",
        &[
            "obsidian",
            "notion",
            "joplin",
            "logseq",
            "evernote",
            "notes",
            "roam",
            "anytype",
            "standard notes",
        ],
    ),
    (
        "chat",
        &[
            "signal",
            "slack",
            "discord",
            "teams",
            "whatsapp",
            "telegram",
            "element",
            "mattermost",
            "rocket.chat",
            "skype",
            "messenger",
            "wire",
            "zulip",
        ],
    ),
    ("mail", &["mail", "thunderbird", "superhuman", "protonmail", "tutanota", "outlook", "hey"]),
    (
        "developer-workspace",
        &[
            "visual studio code",
            "vscode",
            "vscodium",
            "code - oss",
            "cursor",
            "windsurf",
            "atom",
            "github desktop",
            "gitkraken",
            "postman",
            "insomnia",
            "dbeaver",
            "mongodb compass",
        ],
    ),
    (
        "passwords-auth",
        &[
            "1password",
            "bitwarden",
            "keepass",
            "lastpass",
            "dashlane",
            "authy",
            "password",
            "vault",
        ],
    ),
];

/// Ids that are a single word of their own: `code` is Visual Studio Code, `codec` is not.
const WHOLE: &[(&str, &str)] = &[("code", "developer-workspace")];

/// What the names of an app suggest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sensitivity {
    /// Kinds of data.
    pub categories: Vec<&'static str>,
}

impl Sensitivity {
    /// `details.electron.apps[].sensitivity`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        json!({ "level": "likely-sensitive", "categories": self.categories })
    }
}

/// Looks for known words in the names of an app.
#[must_use]
pub fn judge(names: &[&str]) -> Option<Sensitivity> {
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut categories: Vec<&'static str> = CATEGORIES
        .iter()
        .filter(|(_, words)| words.iter().any(|word| names.iter().any(|name| has_word(name, word))))
        .map(|(category, _)| *category)
        .collect();
    for (whole, category) in WHOLE {
        if names.iter().any(|name| name == whole) && !categories.contains(category) {
            categories.push(category);
        }
    }
    (!categories.is_empty()).then_some(Sensitivity { categories })
}

/// The word begins where a word begins: `mail` is in `ProtonMail Bridge` only as `protonmail`.
fn has_word(name: &str, word: &str) -> bool {
    name.match_indices(word).any(|(at, _)| {
        let before = name.get(..at).and_then(|head| head.chars().next_back());
        before.is_none_or(|letter| !letter.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // ELEC-13, DEC-112
    #[test]
    fn known_apps_are_annotated_and_others_are_not() {
        let of = |name: &str| judge(&[name]).map(|found| found.categories);
        assert_eq!(of("Signal"), Some(vec!["chat"]));
        assert_eq!(of("md.obsidian.Obsidian"), Some(vec!["notes"]));
        assert_eq!(of("Visual Studio Code"), Some(vec!["developer-workspace"]));
        assert_eq!(of("code"), Some(vec!["developer-workspace"]));
        assert_eq!(of("Bitwarden"), Some(vec!["passwords-auth"]));
        assert_eq!(of("Mailspring"), Some(vec!["mail"]));
        assert_eq!(of("Etcher"), None);
        assert_eq!(of("Codec Tool"), None);
        assert_eq!(of("Atomic Clock Email"), Some(vec!["developer-workspace"]));
        let details = judge(&["Slack"]).unwrap().to_details();
        assert_eq!(details["level"], "likely-sensitive");
        assert_eq!(details["categories"][0], "chat");
    }
}
