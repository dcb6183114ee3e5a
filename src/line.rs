//! Text as data: lines made of spans that know where their words come from.
//!
//! Our own words are `Ours`. Everything that a page, a caller or upstream wrote is another kind of
//! span, so that one printer can quote, indent and redact it and no page can write a line that
//! looks like ours (visible-text rule 3).

use std::borrow::Cow;

/// Longest quotation of foreign words, in characters.
pub const QUOTE_LIMIT: usize = 96;

/// Longest foreign row, in characters.
pub const ROW_LIMIT: usize = 240;

/// Longest foreign word that may stand among ours, in bytes.
const WORD_LIMIT: usize = 64;

/// True for a word that can stand among ours without looking like anything else: letters, digits,
/// `.`, `_`, `-`.
#[must_use]
pub fn is_plain_word(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !word.is_empty() && word.len() <= WORD_LIMIT && word.bytes().all(plain)
}

/// Longest word of a page among ours, in characters.
const TAME_LIMIT: usize = 32;

/// What is left of a foreign word that has to stand among ours, such as a role: its letters, digits,
/// `-` and `_`.
///
/// ```
/// use agent_browser_native::line::tame;
/// assert_eq!(tame("menuitem-2: Next"), "menuitem-2Next");
/// ```
#[must_use]
pub fn tame(word: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    word.chars().filter(plain).take(TAME_LIMIT).collect()
}

/// At most `limit` characters, cut behind a separator and never inside a word, so that the redacting
/// gate sees no half of a secret.
///
/// ```
/// use agent_browser_native::line::cut;
/// assert_eq!(cut("short", 10), "short");
/// assert_eq!(cut("two words here", 12), "two...");
/// assert_eq!(cut("https://a.test/p?token=0123456789abcdef", 30), "https://a.test/p...");
/// assert_eq!(cut("password: Tulip!2024 and more", 20), "password:...");
/// assert_eq!(cut(&"a".repeat(50), 20), "...");
/// ```
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    const MARK: &str = "...";
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let inside = |c: char| c.is_alphanumeric() || "-_.~+=%!@$*^".contains(c);
    let room = text.char_indices().nth(limit.saturating_sub(MARK.len())).map_or(0, |(at, _)| at);
    let kept = text.get(..room).unwrap_or("");
    let end = kept.rfind(|c| !inside(c)).unwrap_or(0);
    format!("{}{MARK}", kept.get(..end).unwrap_or(""))
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Our own words, printed as they are.
    Ours(Cow<'static, str>),
    /// Foreign words: printed in double quotes, escaped, cut at [`QUOTE_LIMIT`].
    Quote(String),
    /// An address: redacted by field, never cut in the middle of a secret.
    Url(String),
    /// A path of this machine.
    Path(String),
    /// A JSON text that the caller may send back, already redacted by field.
    Json(String),
}

/// One line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line of ours, from spans.
    Spans(Vec<Span>),
    /// A line of foreign text, printed behind two blanks.
    Foreign(String),
    /// Foreign words in one line behind two blanks, cut at [`ROW_LIMIT`] once they are redacted.
    Row(String),
    /// The beginning of a foreign text that is too long to show, behind two blanks.
    Preview(String),
    /// A line of an accessibility tree; it begins with `- ` after any indentation.
    Tree(String),
    /// The one-line value of `get` or `eval`, bare unless it would look like a line of ours.
    Value(String),
}

impl Line {
    /// A line of our own words.
    #[must_use]
    pub fn ours(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Spans(vec![Span::Ours(text.into())])
    }

    /// Appends our own words.
    #[must_use]
    pub fn and(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.push(Span::Ours(text.into()))
    }

    /// Appends a quotation.
    #[must_use]
    pub fn quote(self, text: impl Into<String>) -> Self {
        self.push(Span::Quote(text.into()))
    }

    /// Appends a foreign word, bare when it is one plain word, else quoted.
    #[must_use]
    pub fn word(self, word: &str) -> Self {
        if is_plain_word(word) { self.and(word.to_owned()) } else { self.quote(word) }
    }

    /// Appends a role and a name of a page, each behind a blank: ` button "Sign in"`. What is empty
    /// is left out.
    #[must_use]
    pub fn role(self, role: &str, name: &str) -> Self {
        let role = tame(role);
        let line = if role.is_empty() { self } else { self.and(format!(" {role}")) };
        if name.is_empty() { line } else { line.and(" ").quote(name) }
    }

    /// Appends an address.
    #[must_use]
    pub fn url(self, url: impl Into<String>) -> Self {
        self.push(Span::Url(url.into()))
    }

    /// Appends a path.
    #[must_use]
    pub fn path(self, path: impl Into<String>) -> Self {
        self.push(Span::Path(path.into()))
    }

    /// Appends the spans of another line.
    #[must_use]
    pub fn append(self, other: &Self) -> Self {
        let mut spans = self.into_spans();
        spans.extend(other.clone().into_spans());
        Self::Spans(spans)
    }

    /// Appends any span.
    #[must_use]
    pub fn push(self, span: Span) -> Self {
        let mut spans = self.into_spans();
        spans.push(span);
        Self::Spans(spans)
    }

    /// Foreign words that become a part of a line are a quotation in it.
    fn into_spans(self) -> Vec<Span> {
        match self {
            Self::Spans(spans) => spans,
            Self::Foreign(text)
            | Self::Row(text)
            | Self::Preview(text)
            | Self::Tree(text)
            | Self::Value(text) => vec![Span::Quote(text)],
        }
    }

    /// The words without quoting or redaction, for `details`, where the gate redacts again.
    #[must_use]
    pub fn plain(&self) -> String {
        match self {
            Self::Spans(spans) => spans.iter().map(Span::plain).collect(),
            Self::Foreign(text)
            | Self::Row(text)
            | Self::Preview(text)
            | Self::Tree(text)
            | Self::Value(text) => text.clone(),
        }
    }
}

impl Span {
    fn plain(&self) -> String {
        match self {
            Self::Ours(text) => text.clone().into_owned(),
            Self::Quote(text) => format!("\"{text}\""),
            Self::Url(text) | Self::Path(text) | Self::Json(text) => text.clone(),
        }
    }
}

impl From<&'static str> for Line {
    fn from(text: &'static str) -> Self {
        Self::ours(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self::ours(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RES-20
    #[test]
    fn no_word_is_lost_when_lines_are_put_together() {
        let row = Line::Row("a reason".to_owned());
        assert_eq!(Line::ours("Failed: ").append(&row).plain(), "Failed: \"a reason\"");
        assert_eq!(row.and(" of ours").plain(), "\"a reason\" of ours");
    }
}
