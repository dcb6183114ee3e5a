//! Which upstream versions are used: the only file that compares versions.

use std::cmp::Ordering;
use std::fmt;

/// The upstream version that this program is tested with.
pub const TESTED_VERSION: &str = "0.41.0";

const TESTED: Version = Version { major: 0, minor: 41, patch: 0, prerelease: None };

/// What the general help of a newer upstream must still name.
const HELP_TOKENS: [&str; 12] = [
    "batch",
    "--bail",
    "--omit-command",
    "--json",
    "--session",
    "--idle-timeout",
    "session",
    "snapshot",
    "eval",
    "tab",
    "screenshot",
    "close",
];

/// A version of upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
    prerelease: Option<String>,
}

impl Version {
    /// Reads `1.2.3`, `v1.2.3` or `1.2.3-beta.1`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = text.split_once('+').map_or(text, |(version, _build)| version);
        let (numbers, prerelease) = match text.split_once('-') {
            Some((numbers, prerelease)) => (numbers, Some(prerelease.to_owned())),
            None => (text, None),
        };
        let mut numbers = numbers.split('.').map(|number| number.parse::<u64>().ok());
        let version = Self {
            major: numbers.next()??,
            minor: numbers.next()??,
            patch: numbers.next()??,
            prerelease,
        };
        numbers.next().is_none().then_some(version)
    }

    /// Finds the version in the answer to `--version`: `agent-browser 0.41.0`.
    #[must_use]
    pub fn in_answer(answer: &str) -> Option<Self> {
        let mut lines =
            answer.lines().filter_map(|line| line.trim().strip_prefix("agent-browser "));
        lines.next().and_then(Self::parse)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        self.prerelease.as_ref().map_or(Ok(()), |prerelease| write!(f, "-{prerelease}"))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (&self.prerelease, &other.prerelease) {
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (mine, theirs) => mine.cmp(theirs),
            }
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether browser-backed calls may use an upstream. Help, version, close and sessionless commands
/// may always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// The tested version.
    Tested,
    /// A newer version that still names everything we rely on.
    Newer,
    /// Older than the tested version.
    TooOld,
    /// Not the tested version, while the tested one is demanded.
    NotExact,
    /// A newer version that lacks something we rely on.
    ProbeFailed {
        /// What its help does not name.
        missing: Vec<String>,
    },
    /// A newer version that did not do what we rely on when a browser was first started with it.
    TrialFailed {
        /// What was missing.
        gap: String,
    },
}

impl Support {
    /// Whether a browser may be launched with it.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        matches!(self, Self::Tested | Self::Newer)
    }
}

/// Judges a version alone. [`Support::Newer`] still needs the probe.
#[must_use]
pub fn judge(version: &Version, exact: bool) -> Support {
    match version.cmp(&TESTED) {
        Ordering::Equal => Support::Tested,
        _ if exact => Support::NotExact,
        Ordering::Less => Support::TooOld,
        Ordering::Greater => Support::Newer,
    }
}

/// What a general help text does not name, of all that we rely on.
#[must_use]
pub fn missing_from_help(help: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    let words: std::collections::HashSet<&str> = help.split(|c| !is_word(c)).collect();
    HELP_TOKENS
        .iter()
        .filter(|token| !words.contains(*token))
        .map(|token| (*token).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    // DEC-01
    #[test]
    fn tested_version_is_one_constant() {
        assert_eq!(TESTED.to_string(), TESTED_VERSION);
    }

    // DEC-01
    #[test]
    fn older_newer_and_exact_are_told_apart() {
        for (text, exact, expected) in [
            ("0.41.0", false, Support::Tested),
            ("0.41.0", true, Support::Tested),
            ("0.40.9", false, Support::TooOld),
            ("0.41.0-rc.1", false, Support::TooOld),
            ("0.41.1", false, Support::Newer),
            ("1.0.0-beta.1", false, Support::Newer),
            ("0.41.1", true, Support::NotExact),
            ("0.9.0", true, Support::NotExact),
        ] {
            assert_eq!(judge(&version(text), exact), expected, "{text}");
        }
    }

    // DEC-01
    #[test]
    fn version_answer_of_another_program_is_not_taken() {
        assert_eq!(Version::in_answer("agent-browser 0.41.0\n"), Some(version("0.41.0")));
        assert_eq!(
            Version::in_answer("⚠ warning\nagent-browser v1.2.3+5\n"),
            Some(version("1.2.3"))
        );
        for other in
            ["", "0.41.0", "Chromium 156.0.1", "agent-browser 0.41", "agent-browser 1.2.3.4"]
        {
            assert_eq!(Version::in_answer(other), None, "{other}");
        }
    }

    // DEC-01
    #[test]
    fn help_is_searched_for_whole_words() {
        let help = "batch --bail --omit-command --json --session <name> --idle-timeout\n\
                    session snapshot eval tab [list] screenshot close";
        assert_eq!(missing_from_help(help), Vec::<String>::new());
        let changed = help.replace("--bail", "--bailout").replace("eval", "evaluate");
        assert_eq!(missing_from_help(&changed), ["--bail", "eval"]);
    }
}
