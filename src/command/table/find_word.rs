//! The known command that a mistaken word comes closest to (DEC-32).

use super::commands;

/// What the caller may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The words to send in place of the mistaken one, for example `get`, `title`.
    pub words: Vec<&'static str>,
    /// The id of the next action that sends them.
    pub action: &'static str,
    /// True when the words are close enough to offer them as a ready call.
    pub likely: bool,
}

/// Words that callers send as commands although they belong to `get` (DIAG-GET-02).
const GETTERS: [&str; 7] = ["attr", "count", "html", "text", "title", "url", "value"];

/// The nearest known command.
///
/// ```
/// use agent_browser_native::command::nearest;
/// assert_eq!(nearest("clik").words, ["click"]);
/// assert_eq!(nearest("title").action, "use-get-title");
/// ```
#[must_use]
pub fn nearest(word: &str) -> Nearest {
    if let Some(getter) = GETTERS.iter().find(|getter| **getter == word) {
        return Nearest {
            words: vec!["get", getter],
            action: match *getter {
                "title" => "use-get-title",
                "url" => "use-get-url",
                _ => "use-nearest-command",
            },
            likely: true,
        };
    }
    // Longer words cannot be near any command; this keeps the work bounded.
    let start: String = word.chars().take(40).flat_map(char::to_lowercase).collect();
    let (distance, name) = commands()
        .flat_map(super::CommandSpec::words)
        .map(|name| (distance(&start, name), name))
        .min()
        .unwrap_or((usize::MAX, "snapshot"));
    Nearest {
        words: vec![name],
        action: "use-nearest-command",
        likely: distance <= 2 && distance * 2 < name.len(),
    }
}

/// How many single-character edits lie between two words; two neighbours that changed places are
/// one edit.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && left[i - 1] == *b && right[j - 1] == *a {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-32
    #[test]
    fn a_slip_of_the_keyboard_finds_its_command() {
        for (word, expected) in [
            ("clik", "click"),
            ("Click", "click"),
            ("snapshto", "snapshot"),
            ("naviagte", "navigate"),
            ("screenshoot", "screenshot"),
            ("tabs", "tab"),
        ] {
            let found = nearest(word);
            assert_eq!(found.words, [expected], "{word}");
            assert!(found.likely, "{word}");
            assert_eq!(found.action, "use-nearest-command");
        }
    }

    // DEC-32, NEXT-23, NEXT-24, DIAG-GET-02
    #[test]
    fn words_of_get_lead_to_get() {
        for word in GETTERS {
            assert_eq!(nearest(word).words, ["get", word]);
        }
        assert_eq!(nearest("title").action, "use-get-title");
        assert_eq!(nearest("url").action, "use-get-url");
        assert_eq!(nearest("html").action, "use-nearest-command");
    }

    #[test]
    fn a_foreign_word_is_not_offered_as_a_call() {
        assert!(!nearest("supercalifragilistic").likely);
        assert!(!nearest("").likely);
        assert!(!nearest(&"x".repeat(100_000)).likely);
    }

    #[test]
    fn neighbours_that_changed_places_are_one_edit() {
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
