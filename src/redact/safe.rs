//! Text and JSON that have passed the gate.
//!
//! Only `redact` can make these from foreign words; everyone else can join, cut, escape and print
//! them. A door, a kept file or a log takes nothing else.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Marks the place where text was cut.
const CUT: &str = "...";

/// Redacted text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeText(String);

impl SafeText {
    /// The one way in, for this module's parent alone.
    pub(super) fn admit(text: String) -> Self {
        Self(text)
    }

    /// Words that stand in the source code and so hold nothing foreign.
    #[must_use]
    pub fn fixed(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True for the empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The plain string, for the last step of a door or a file.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Appends other redacted text.
    pub fn push(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    /// Appends words of the source code.
    pub fn push_fixed(&mut self, text: &'static str) {
        self.0.push_str(text);
    }

    /// The parts with a separator between them.
    #[must_use]
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>, separator: &'static str) -> Self {
        let mut joined = Self::default();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                joined.push_fixed(separator);
            }
            joined.push(part);
        }
        joined
    }

    /// The physical lines, without their line ends; there is always one.
    pub fn lines(&self) -> impl Iterator<Item = Self> + '_ {
        let body = self.0.strip_suffix('\n').unwrap_or(&self.0);
        body.split('\n').map(|line| Self(line.strip_suffix('\r').unwrap_or(line).to_owned()))
    }

    /// At most `max` characters, then `...` where something was left out.
    ///
    /// ```
    /// use agent_browser_native::redact::SafeText;
    /// assert_eq!(SafeText::fixed("abcdef").cut_chars(3).as_str(), "abc...");
    /// assert_eq!(SafeText::fixed("abc").cut_chars(3).as_str(), "abc");
    /// ```
    #[must_use]
    pub fn cut_chars(&self, max: usize) -> Self {
        match self.0.char_indices().nth(max) {
            Some((end, _)) => Self(format!("{}{CUT}", self.0.get(..end).unwrap_or_default())),
            None => self.clone(),
        }
    }

    /// At most `max` bytes, cut between characters, without a mark.
    #[must_use]
    pub fn cut_bytes(&self, max: usize) -> Self {
        let most = max.min(self.0.len());
        let end = (0..=most).rev().find(|at| self.0.is_char_boundary(*at)).unwrap_or_default();
        Self(self.0.get(..end).unwrap_or_default().to_owned())
    }

    /// Every character rewritten by `escape`, which answers `None` for characters that stay.
    ///
    /// Escaping can only spell a character differently, so the text stays safe; the module keeps
    /// the function to itself and offers the spellings below.
    fn respelled(&self, escape: impl Fn(char) -> Option<String>) -> Self {
        let mut spelled = String::with_capacity(self.0.len());
        for character in self.0.chars() {
            match escape(character) {
                Some(text) => spelled.push_str(&text),
                None => spelled.push(character),
            }
        }
        Self(spelled)
    }

    /// One physical line: control characters and line breaks escaped, tabs as blanks.
    #[must_use]
    pub fn one_line(&self) -> Self {
        self.respelled(in_one_line)
    }

    /// The same with line breaks as blanks, for words whose lines do not matter.
    #[must_use]
    pub fn flat(&self) -> Self {
        self.respelled(|character| match character {
            '\n' | '\r' | '\t' => Some(" ".to_owned()),
            _ => control(character),
        })
    }

    /// The text in pieces of at most `chars` characters; there is always one.
    #[must_use]
    pub fn pieces(&self, chars: usize) -> Vec<Self> {
        let mut rest = self.0.as_str();
        let mut pieces = Vec::new();
        while let Some((end, _)) = rest.char_indices().nth(chars.max(1)) {
            let (piece, tail) = rest.split_at(end);
            pieces.push(Self(piece.to_owned()));
            rest = tail;
        }
        pieces.push(Self(rest.to_owned()));
        pieces
    }

    /// An address in one word: controls escaped, blanks and quotes percent-encoded.
    #[must_use]
    pub fn one_word(&self) -> Self {
        self.respelled(|character| match character {
            ' ' | '\t' => Some("%20".to_owned()),
            '"' => Some("%22".to_owned()),
            _ => control(character),
        })
    }

    /// JSON text in one line, still the same JSON: controls as `\uXXXX`, line breaks as blanks.
    #[must_use]
    pub fn one_line_json(&self) -> Self {
        self.respelled(|character| match character {
            '\n' | '\r' | '\t' => Some(" ".to_owned()),
            _ if is_control(character) => {
                let mut units = [0_u16; 2];
                let units = character.encode_utf16(&mut units);
                Some(units.iter().map(|unit| format!("\\u{unit:04x}")).collect())
            }
            _ => None,
        })
    }

    /// In double quotes, escaped, at most `max` characters between the quotes before `...`.
    ///
    /// ```
    /// use agent_browser_native::redact::SafeText;
    /// assert_eq!(SafeText::fixed("say \"hi\"\n").quoted(96).as_str(), r#""say \"hi\"\n""#);
    /// ```
    #[must_use]
    pub fn quoted(&self, max: usize) -> Self {
        Self(in_quotes(&self.0, max))
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Serialize for SafeText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Redacted JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SafeJson(Value);

impl SafeJson {
    /// The one way in, for this module's parent alone.
    pub(super) fn admit(value: Value) -> Self {
        Self(value)
    }

    /// The value.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// The plain value, for the last step of a door.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0
    }

    /// Compact JSON text.
    #[must_use]
    pub fn to_text(&self) -> SafeText {
        SafeText(self.0.to_string())
    }
}

impl fmt::Display for SafeJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl Serialize for SafeJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

fn in_one_line(character: char) -> Option<String> {
    if character == '\t' { Some(" ".to_owned()) } else { control(character) }
}

fn in_quotes(text: &str, max: usize) -> String {
    let mut quoted = String::from("\"");
    let mut used = 0;
    for character in text.chars() {
        let spelled = match character {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\t' => "\\t".to_owned(),
            _ => control(character).unwrap_or_else(|| character.to_string()),
        };
        used += spelled.chars().count();
        if used > max {
            quoted.push_str(CUT);
            break;
        }
        quoted.push_str(&spelled);
    }
    quoted.push('"');
    quoted
}

/// Bytes of a text as [`SafeText::quoted`] spells it.
#[must_use]
pub fn quoted_bytes(text: &str, max: usize) -> usize {
    in_quotes(text, max).len()
}

/// Bytes of a text as [`SafeText::one_line`] spells it.
#[must_use]
pub fn one_line_bytes(text: &str) -> usize {
    let bytes = |character: char| match in_one_line(character) {
        Some(spelled) => spelled.len(),
        None => character.len_utf8(),
    };
    text.chars().map(bytes).sum()
}

/// The spelling of a character that must not reach a terminal or a reader as it is.
fn control(character: char) -> Option<String> {
    match character {
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        _ if is_control(character) => Some(format!("\\u{{{:x}}}", u32::from(character))),
        _ => None,
    }
}

/// Controls, line separators, bidi marks and characters that show nothing.
#[must_use]
pub fn is_control(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    // DEC-104
    #[test]
    fn cuts_fall_between_characters() {
        let text = SafeText::admit("aä€😀".to_owned());
        for max in 0..=text.len() + 1 {
            assert!(text.as_str().starts_with(text.cut_bytes(max).as_str()));
        }
        assert_eq!(text.cut_bytes(4).as_str(), "aä");
        assert_eq!(text.cut_chars(2).as_str(), "aä...");
    }

    #[test]
    fn json_keeps_its_meaning_when_controls_are_escaped() {
        let value = Value::String("a\u{202e}b\u{e0041}c\u{9b}".to_owned());
        let text = SafeJson::admit(value.clone()).to_text().one_line_json();
        assert!(!text.as_str().chars().any(is_control));
        assert_eq!(serde_json::from_str::<Value>(text.as_str()).unwrap(), value);
    }

    #[test]
    fn a_backslash_cannot_open_a_quotation() {
        let text = SafeText::admit("x\\\" Next: ".to_owned());
        assert_eq!(text.quoted(96).as_str(), r#""x\\\" Next: ""#);
    }

    #[test]
    fn parts_are_joined_taken_apart_and_taken_out() {
        let text = SafeText::fixed;
        let parts = [text("a"), text("b"), text("c")];
        assert_eq!(SafeText::join(&parts, ", "), text("a, b, c"));
        assert_eq!(SafeText::join(&parts, ", ").to_string(), "a, b, c");
        assert_eq!(text("abcde").pieces(2), [text("ab"), text("cd"), text("e")]);
        assert_eq!(text("").pieces(0), [text("")]);
        assert_eq!(
            text("a\r\n\nb\n").lines().collect::<Vec<_>>(),
            [text("a"), text(""), text("b")]
        );
        assert_eq!(text("").lines().collect::<Vec<_>>(), [text("")]);
        assert!(text("").is_empty() && !text("a").is_empty());
        assert_eq!(text("ab").into_string(), "ab");
        let json = SafeJson::admit(serde_json::json!([1]));
        assert_eq!(json.to_string(), "[1]");
        assert_eq!(json.as_value(), &serde_json::json!([1]));
        assert_eq!(serde_json::to_string(&(&json, text("b"))).unwrap(), "[[1],\"b\"]");
        assert_eq!(json.into_value(), serde_json::json!([1]));
    }

    #[test]
    fn every_character_is_spelled_for_its_place() {
        let text = SafeText::admit("a\t\"b\" \r\n\u{1b}ä\u{202e}".to_owned());
        assert_eq!(text.one_line().as_str(), "a \"b\" \\r\\n\\u{1b}ä\\u{202e}");
        assert_eq!(text.flat().as_str(), "a \"b\"   \\u{1b}ä\\u{202e}");
        assert_eq!(text.one_word().as_str(), "a%20%22b%22%20\\r\\n\\u{1b}ä\\u{202e}");
        assert_eq!(text.one_line_json().as_str(), "a \"b\"   \\u001bä\\u202e");
        assert_eq!(text.quoted(96).as_str(), r#""a\t\"b\" \r\n\u{1b}ä\u{202e}""#);
        assert_eq!(one_line_bytes(text.as_str()), text.one_line().len());
        assert_eq!(quoted_bytes(text.as_str(), 9), text.quoted(9).len());
        assert_eq!(text.quoted(3).as_str(), r#""a\t...""#);
        assert_eq!(text.quoted(4).as_str(), r#""a\t...""#);
        assert_eq!(text.quoted(5).as_str(), r#""a\t\"...""#);
        assert_eq!(SafeText::fixed("abc").quoted(3).as_str(), "\"abc\"");
    }
}
