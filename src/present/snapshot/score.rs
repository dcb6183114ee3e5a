//! What one line of a big tree is worth to a reader who has a task.

use super::fold::Copies;
use super::tree::Node;

/// What a reader can do with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Type into it, choose in it, press it: listed among the omitted controls when not shown.
    Control,
    /// Follow it, or click something that is no proper control.
    Link,
    /// Read it.
    Text,
}

/// A line below this is shown only when nothing better is left.
pub(super) const GOOD: i32 = 50;

/// The use of an element and its worth before its surroundings are known.
///
/// Roles of one use differ little, so that the order of the page decides between them.
pub(super) fn base(node: &Node<'_>) -> (Use, i32) {
    match node.role {
        "searchbox" => (Use::Control, 90),
        role if is_field(role) => (Use::Control, 85),
        "generic" if node.tail().contains("] editable [") => (Use::Control, 85),
        "button" | "menuitem" => (Use::Control, 80),
        "tab" | "menuitemcheckbox" | "menuitemradio" => (Use::Control, 70),
        "option" => (Use::Control, 20),
        "link" => (Use::Link, 60),
        "treeitem" => (Use::Link, 55),
        "heading" => (Use::Text, 25),
        "columnheader" => (Use::Text, 22),
        _ if node.tail().contains("] clickable [") => (Use::Link, 30),
        _ => (Use::Text, 10),
    }
}

/// An element that holds a value.
pub(super) fn is_field(role: &str) -> bool {
    matches!(
        role,
        "textbox"
            | "searchbox"
            | "combobox"
            | "listbox"
            | "spinbutton"
            | "checkbox"
            | "radio"
            | "switch"
            | "slider"
    )
}

/// What the name tells.
pub(super) fn label(node: &Node<'_>, usage: Use) -> i32 {
    let name = node.name.trim();
    let label = if name.is_empty() {
        if is_field(node.role) { -15 } else { -35 }
    } else if !name.chars().any(char::is_alphabetic) {
        -30
    } else if usage == Use::Link && is_language(name) {
        -10
    } else {
        way(name)
    };
    if node.disabled { label - 40 } else { label }
}

/// What repetition tells: a copy comes behind everything that is there once.
pub(super) fn copies(copies: Copies) -> i32 {
    match copies.before {
        0 if copies.total < 8 => 0,
        0 => -1,
        before => -40 - i32::try_from(before.min(20)).unwrap_or(20),
    }
}

/// `en`, `pt-br`: one of many links that change the language.
fn is_language(name: &str) -> bool {
    let mut parts = name.splitn(2, '-');
    let is_code = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    parts.next().is_some_and(is_code) && parts.next().is_none_or(is_code)
}

/// Words by which pages name the ways through them. English only: a page in another language is
/// ranked by role, place and repetition alone.
const WAYS: [(&str, i32); 30] = [
    ("next", 12),
    ("previous", 12),
    ("prev", 12),
    ("search", 12),
    ("login", 12),
    ("logout", 12),
    ("sign", 12),
    ("log", 12),
    ("register", 12),
    ("checkout", 12),
    ("cart", 12),
    ("save", 12),
    ("submit", 12),
    ("contents", 8),
    ("index", 8),
    ("home", 8),
    ("dashboard", 8),
    ("documentation", 8),
    ("docs", 8),
    ("guide", 8),
    ("tutorial", 8),
    ("reference", 8),
    ("overview", 8),
    ("help", 8),
    ("settings", 8),
    ("account", 8),
    ("profile", 8),
    ("add", 8),
    ("new", 8),
    ("create", 8),
];

/// Looks at the first three words of a short name.
fn way(name: &str) -> i32 {
    const SHORT: usize = 40;
    if name.len() > SHORT {
        return 0;
    }
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let worth = |word: &str| {
        WAYS.iter().find(|(way, _)| word.eq_ignore_ascii_case(way)).map_or(0, |(_, worth)| *worth)
    };
    words.take(3).map(worth).max().unwrap_or(0)
}
