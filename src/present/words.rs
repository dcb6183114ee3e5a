//! Small parts that presenters share: safe words of ours, counts, bounded foreign rows and texts.

use serde_json::Value;

use crate::line::{Line, is_plain_word};
use crate::outcome::{Outcome, Spill};

/// Output up to these sizes stands in the answer (DEC-04).
pub(super) const INLINE_BYTES: usize = 8_000;
const INLINE_LINES: usize = 120;

/// A string field of an object, or the empty text.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A boolean field that is there and true.
pub(super) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool) == Some(true)
}

/// A number field as it is printed: whole numbers without a fraction.
pub(super) fn number(value: &Value, key: &str) -> Option<String> {
    let number = value.get(key)?.as_f64()?;
    let whole = number.fract().abs() < f64::EPSILON && number.abs() < 1e15;
    Some(if whole { format!("{number:.0}") } else { format!("{}", (number * 1e4).round() / 1e4) })
}

/// A count field.
pub(super) fn count(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

/// A list field; empty when it is missing.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A foreign word that may stand among ours; nothing of it when it is not a plain one, because the
/// rest of a secret or of a sentence would be neither safe nor true.
pub(super) fn plain_word(word: &str) -> &str {
    if is_plain_word(word) { word } else { "" }
}

/// `1 tab`, `3 tabs`
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A row of foreign words: one line, bounded when it is printed.
pub(super) fn row(text: impl Into<String>) -> Line {
    Line::Row(text.into())
}

/// Foreign words in one line. They are cut by the printer, behind the gate.
pub(super) fn one_row(text: &str) -> String {
    text.trim().replace(['\n', '\r', '\t'], " ")
}

/// The first `limit` lines, and one of ours that counts the others.
pub(super) fn first_rows(lines: Vec<Line>, limit: usize, noun: &str) -> Vec<Line> {
    let hidden = lines.len().saturating_sub(limit);
    let mut kept: Vec<Line> = lines.into_iter().take(limit).collect();
    if hidden > 0 {
        kept.push(Line::ours(format!("{} not shown", counted_more(hidden, noun))));
    }
    kept
}

fn counted_more(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} more {noun}{plural}")
}

/// Foreign text below a line of ours, whole when it is short, else its beginning and a file.
///
/// `head` gets the number of lines and a colon: `Skill core (12 lines):`
pub(super) fn text_block(head: Line, text: &str, stem: &'static str) -> Outcome {
    let total = text.lines().count();
    if text.len() <= INLINE_BYTES && total <= INLINE_LINES {
        let mut lines = vec![head.and(format!(" ({}):", counted(total, "line")))];
        lines.extend(text.lines().map(|line| Line::Foreign(line.to_owned())));
        return Outcome::success(lines);
    }
    let size = format!(" ({} bytes in {}, its beginning):", text.len(), counted(total, "line"));
    let lines = vec![head.and(size), Line::Preview(text.to_owned())];
    let mut outcome = Outcome::success(lines);
    outcome.spills.push(Spill { stem, text: text.to_owned(), label: "Full output path:".into() });
    outcome
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_printed_without_noise() {
        let data = json!({ "a": 68.0, "b": 0.2, "c": 2.108_017_377, "d": "x" });
        let all = ["a", "b", "c", "d"].map(|key| number(&data, key));
        assert_eq!(all, [Some("68".into()), Some("0.2".into()), Some("2.108".into()), None]);
    }

    // PRES-BIG-01, DEC-04
    #[test]
    fn long_text_is_a_preview_and_a_spill() {
        let text = "line of text\n".repeat(2_000);
        let outcome = text_block(Line::ours("Skill core"), &text, "skill");
        assert_eq!(
            outcome.answer[0].plain(),
            "Skill core (26000 bytes in 2000 lines, its beginning):"
        );
        assert_eq!(outcome.spills[0].text, text);
        let short = text_block(Line::ours("Skill core"), "a\nb", "skill");
        assert_eq!(short.answer[0].plain(), "Skill core (2 lines):");
        assert!(short.spills.is_empty());
    }
}
