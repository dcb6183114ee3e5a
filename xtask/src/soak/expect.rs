//! What an answer must be, and whether it is.

use super::door::Answer;

/// What the model reads is never longer.
const TEXT_LIMIT: usize = 12_000;

/// The right answers to a call.
#[derive(Clone, Debug)]
pub(super) enum Expect {
    /// A success whose text is this.
    Is(String),
    /// A success that begins with the first and holds the others.
    Has(String, Vec<String>),
    /// A failure of one of these categories.
    Fails(&'static [&'static str]),
    /// After a fault: the text, or a failure of one of these categories, never another text.
    IsOrFails(String, &'static [&'static str]),
}

impl Expect {
    pub(super) fn starts(text: impl Into<String>) -> Self {
        Self::Has(text.into(), Vec::new())
    }

    /// Why the answer is wrong.
    pub(super) fn wrong(&self, answer: &Answer) -> Option<String> {
        if answer.text.len() > TEXT_LIMIT {
            return Some(format!("the text has {} bytes", answer.text.len()));
        }
        match (self, &answer.category) {
            (Self::Is(text), None) => differs(text, &answer.text),
            (Self::IsOrFails(text, _), None) => differs(text, &answer.text),
            (Self::Has(start, parts), None) => {
                if !answer.text.starts_with(start) {
                    return Some(format!("does not begin with {start:?}"));
                }
                let missing = parts.iter().find(|part| !answer.text.contains(part.as_str()));
                missing.map(|part| format!("does not hold {part:?}"))
            }
            (Self::Fails(right), None) => Some(format!("succeeds instead of {right:?}")),
            (Self::Is(text) | Self::Has(text, _), Some(category)) => {
                Some(format!("fails as {category} instead of {text:?}"))
            }
            (Self::Fails(right) | Self::IsOrFails(_, right), Some(category)) => {
                let notice = format!("Failed ({category}, isError: true): ");
                if !right.contains(&category.as_str()) {
                    Some(format!("fails as {category}, not as one of {right:?}"))
                } else if !answer.text.starts_with(&notice) {
                    Some("the text does not begin with its category".to_owned())
                } else {
                    None
                }
            }
        }
    }
}

fn differs(right: &str, text: &str) -> Option<String> {
    (right != text).then(|| format!("is not {right:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, category: Option<&str>) -> Answer {
        let category = category.map(str::to_owned);
        Answer { text: text.to_owned(), category, ..Answer::default() }
    }

    #[test]
    fn successes_are_compared_by_their_text() {
        let is = Expect::Is("3".to_owned());
        assert_eq!(is.wrong(&answer("3", None)), None);
        assert!(is.wrong(&answer("4", None)).is_some());
        assert!(is.wrong(&answer("3", Some("timeout"))).is_some());
        let has = Expect::Has("Opened".to_owned(), vec!["Add".to_owned()]);
        assert_eq!(has.wrong(&answer("Opened x\nAdd", None)), None);
        assert!(has.wrong(&answer("Opened x", None)).is_some());
        assert!(has.wrong(&answer("Add Opened", None)).is_some());
        assert!(has.wrong(&answer(&"Opened Add ".repeat(2_000), None)).is_some());
    }

    #[test]
    fn failures_are_compared_by_their_category() {
        let fails = Expect::Fails(&["stale-ref"]);
        let said = "Failed (stale-ref, isError: true): nothing was clicked.";
        assert_eq!(fails.wrong(&answer(said, Some("stale-ref"))), None);
        assert!(fails.wrong(&answer("no", Some("stale-ref"))).is_some());
        assert!(fails.wrong(&answer(said, Some("timeout"))).is_some());
        assert!(fails.wrong(&answer("Clicked", None)).is_some());
        let either = Expect::IsOrFails("3".to_owned(), &["stale-ref"]);
        assert_eq!(either.wrong(&answer("3", None)), None);
        assert_eq!(either.wrong(&answer(said, Some("stale-ref"))), None);
        assert!(either.wrong(&answer("", None)).is_some(), "an empty success is a wrong answer");
    }
}
