//! One line of a tree, cut and cleaned, and its size.

use serde_json::Value;

use super::Limits;
use super::tree::Node;
use crate::present::section::{Line, QUOTE_LIMIT, Span};

/// Characters of an address that the printer lets through.
const URL_CHARS: usize = 500;

/// Bytes of a printed line with its line break. An address is printed up to a limit of its own, so a
/// page whose whole content is in its address does not use up the room for the tree.
pub(super) fn size(line: &Line) -> usize {
    let span = |span: &Span| match span {
        Span::Ours(text) => text.len(),
        Span::Quote(text) => {
            let shown: String = text.chars().take(QUOTE_LIMIT).collect();
            Value::String(shown).to_string().len()
        }
        Span::Url(text) => text.chars().take(URL_CHARS).map(char::len_utf8).sum(),
        Span::Path(text) | Span::Json(text) => text.len(),
    };
    let bytes = match line {
        Line::Spans(spans) => spans.iter().map(span).sum(),
        Line::Foreign(text) | Line::Row(text) | Line::Preview(text) => text.len() + 2,
        Line::Tree(text) | Line::Value(text) => text.len(),
    };
    bytes + 1
}

/// Escapes what a terminal or a reader could take for a line break.
pub(super) fn clean(line: &str) -> String {
    let strange = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !line.contains(strange) {
        return line.to_owned();
    }
    let mut text = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        if strange(c) {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text
}

/// The line of a node, with name and value cut.
pub(super) fn short(node: &Node<'_>, limits: &Limits) -> String {
    let mut line = format!("- {}", node.role);
    let name = node.name.trim();
    if !name.is_empty() {
        line.push(' ');
        line.push_str(&Value::String(cut(name, limits.name_chars)).to_string());
    }
    let tail = node.tail();
    let end = attributes_end(tail);
    let attributes = tail.get(..end).unwrap_or("");
    let used = line.chars().count();
    if used + attributes.chars().count() <= limits.line_chars {
        line.push_str(attributes);
        let free = limits.line_chars.saturating_sub(line.chars().count());
        line.push_str(&cut(tail.get(end..).unwrap_or(""), free));
    } else if let Some(id) = node.id {
        line.push_str(&format!(" [ref=e{id}]"));
    }
    clean(&line)
}

/// Bytes of ` [ref=e5]` at the start of a tail.
fn attributes_end(tail: &str) -> usize {
    let mut ends = tail.match_indices(']').map(|(at, _)| at + 1);
    let closes = |end: &usize| {
        tail.get(*end..).is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
    };
    if tail.starts_with(" [") { ends.find(closes).unwrap_or(0) } else { 0 }
}

/// Cuts behind a separator, never inside a word: a secret is shown whole to the redacting gate or not at all.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    const MARK: &str = "...";
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let inside =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+' | '=' | '%');
    let room = text.char_indices().nth(limit.saturating_sub(MARK.len())).map_or(0, |(at, _)| at);
    let kept = text.get(..room).unwrap_or("");
    let end = kept.rfind(|c| !inside(c)).unwrap_or(0);
    format!("{}{MARK}", kept.get(..end).unwrap_or(""))
}
