//! The lines of upstream's tree as nodes.
//!
//! Names come escaped, but the value of a field (`textbox "Note" [ref=e5]: …`) comes raw, line breaks
//! included: a page can write lines that look like elements. A line with a ref therefore counts only
//! when `refs` knows that ref with that role and name; otherwise it belongs to the line above it. A line
//! without a ref can be acted on by nobody; one that a value has made may stand there as an element.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::RefInfo;

/// One element of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    /// Levels of indentation.
    pub depth: usize,
    /// The role; empty for a line that is no element (`(empty page)`).
    pub role: &'a str,
    /// The name, unescaped.
    pub name: Cow<'a, str>,
    /// The ref, without its `e`.
    pub id: Option<u32>,
    /// The level of a heading.
    pub level: Option<u32>,
    /// The element takes no input.
    pub disabled: bool,
    /// The whole line; a value of several lines is joined by `\n`, spelled out.
    pub line: Cow<'a, str>,
    /// Bytes of `line` before the attributes.
    pub head_len: usize,
}

impl Node<'_> {
    /// The element holds another document.
    pub(super) fn is_frame(&self) -> bool {
        self.role.eq_ignore_ascii_case("iframe")
    }

    /// Attributes and value: ` [ref=e5]: text`.
    pub(super) fn tail(&self) -> &str {
        self.line.get(self.head_len..).unwrap_or("")
    }
}

/// Every element in the order of the text.
pub(super) fn read<'a>(text: &'a str, refs: &BTreeMap<u32, RefInfo>) -> Vec<Node<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::new();
    let mut seen: HashSet<u32> = HashSet::with_capacity(refs.len());
    for line in text.split('\n') {
        match parse_line(line).filter(|node| is_known(node, refs, &mut seen)) {
            Some(node) => nodes.push(node),
            None => attach(&mut nodes, line),
        }
    }
    nodes
}

/// A ref is known by its role and name, once. An element that got its words from its content
/// (`generic "Clickable"`) has no name in `refs`.
fn is_known(node: &Node<'_>, refs: &BTreeMap<u32, RefInfo>, seen: &mut HashSet<u32>) -> bool {
    let Some(id) = node.id else { return true };
    let known = |info: &RefInfo| {
        info.role == node.role && (info.name.is_empty() || same_words(&info.name, &node.name))
    };
    refs.get(&id).is_some_and(known) && seen.insert(id)
}

/// The tree writes blanks for no-break spaces and leaves zero-width characters out; `refs` does not.
fn same_words(one: &str, other: &str) -> bool {
    let letters = |name| str::chars(name).filter(|c| c.is_alphanumeric());
    one == other || letters(one).eq(letters(other))
}

/// Appends a line that is no element to the value of the element above it.
fn attach<'a>(nodes: &mut Vec<Node<'a>>, line: &'a str) {
    match nodes.last_mut() {
        Some(node) => {
            let value = node.line.to_mut();
            value.push_str("\\n");
            value.push_str(line.trim());
        }
        None if line.trim().is_empty() => {}
        None => nodes.push(Node {
            depth: 0,
            role: "",
            name: Cow::Borrowed(""),
            id: None,
            level: None,
            disabled: false,
            line: Cow::Borrowed(line),
            head_len: 0,
        }),
    }
}

fn parse_line(line: &str) -> Option<Node<'_>> {
    let trimmed = line.trim_start_matches(' ');
    let depth = (line.len() - trimmed.len()) / 2;
    let body = trimmed.strip_prefix("- ")?;
    let role_end = body.find([' ', ':']).unwrap_or(body.len());
    let (role, rest) = body.split_at_checked(role_end)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if role.is_empty() || !role.chars().all(plain) {
        return None;
    }
    let (name, rest) = match rest.strip_prefix(" \"") {
        Some(quoted) => read_name(quoted)?,
        None => (Cow::Borrowed(""), rest),
    };
    let mut node = Node {
        depth,
        role,
        name,
        id: None,
        level: None,
        disabled: false,
        line: Cow::Borrowed(line),
        head_len: line.len() - rest.len(),
    };
    match rest.strip_prefix(" [") {
        Some(attributes) => read_attributes(attributes, &mut node),
        None if rest.is_empty() || rest.starts_with(':') => {}
        None => return None,
    }
    Some(node)
}

/// The name up to its closing quote, and what follows.
fn read_name(quoted: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut escaped = false;
    let mut has_escapes = false;
    for (at, byte) in quoted.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => {
                escaped = true;
                has_escapes = true;
            }
            b'"' => {
                let (name, rest) = quoted.split_at_checked(at)?;
                let name = if has_escapes { unescape(name) } else { Cow::Borrowed(name) };
                return Some((name, rest.strip_prefix('"')?));
            }
            _ => {}
        }
    }
    None
}

/// Names are escaped as in JSON; one that is not stays as it is.
fn unescape(name: &str) -> Cow<'_, str> {
    serde_json::from_str::<String>(&format!("\"{name}\"")).map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Reads `level=1, ref=e5] …`. An address (`url=`) holds no blank, so `, ` always ends an attribute.
fn read_attributes(attributes: &str, node: &mut Node<'_>) {
    for attribute in attributes.split(", ") {
        let closes = |(at, _): &(usize, &str)| {
            attribute
                .get(at + 1..)
                .is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
        };
        let end = attribute.match_indices(']').find(closes).map(|(at, _)| at);
        let word = end.and_then(|end| attribute.get(..end)).unwrap_or(attribute);
        if let Some(digits) = word.strip_prefix("ref=e") {
            node.id = node.id.or_else(|| digits.parse().ok());
        } else if let Some(digits) = word.strip_prefix("level=") {
            node.level = digits.parse().ok();
        } else if word == "disabled" {
            node.disabled = true;
        }
        if end.is_some() {
            break;
        }
    }
}
