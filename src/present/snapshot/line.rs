//! One line of a tree, cut, and its size.

use serde_json::Value;

use super::Limits;
use super::tree::Node;
use crate::line::{Line, QUOTE_LIMIT, Span, cut};
use crate::present::text::URL_LIMIT;
use crate::redact::{one_line_bytes, quoted_bytes};

/// Bytes of a printed line with its line break. An address is printed up to a limit of its own, so a
/// page whose whole content is in its address does not use up the room for the tree.
pub(super) fn size(line: &Line) -> usize {
    let span = |span: &Span| match span {
        Span::Ours(text) => text.len(),
        Span::Quote(text) => quoted_bytes(text, QUOTE_LIMIT),
        Span::Url(text) => text.chars().take(URL_LIMIT).map(char::len_utf8).sum(),
        Span::Path(text) | Span::Json(text) => text.len(),
    };
    let bytes = match line {
        Line::Spans(spans) => spans.iter().map(span).sum(),
        Line::Foreign(text) | Line::Row(text) | Line::Preview(text) => one_line_bytes(text) + 2,
        Line::Tree(text) | Line::Value(text) => one_line_bytes(text),
    };
    bytes + 1
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
    line
}

/// Bytes of ` [ref=e5]` at the start of a tail.
fn attributes_end(tail: &str) -> usize {
    let mut ends = tail.match_indices(']').map(|(at, _)| at + 1);
    let closes = |end: &usize| {
        tail.get(*end..).is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
    };
    if tail.starts_with(" [") { ends.find(closes).unwrap_or(0) } else { 0 }
}
