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

/// A field that takes words: without it a form cannot be filled.
const TYPED: i32 = 95;
/// A field that takes words and has a place of its own on the page.
pub(super) const NEEDED: i32 = TYPED - 10;

/// The use of an element and its worth before its surroundings are known.
///
/// Roles of one use differ little, so that the order of the page decides between them.
pub(super) fn base(node: &Node<'_>) -> (Use, i32) {
    match node.role {
        "generic" if node.tail().contains("] editable [") => (Use::Control, TYPED),
        "checkbox" | "radio" | "switch" | "slider" => (Use::Control, 81),
        role if is_field(role) => (Use::Control, TYPED),
        "button" | "menuitem" => (Use::Control, 80),
        "tab" | "menuitemcheckbox" | "menuitemradio" => (Use::Control, 70),
        "option" => (Use::Control, 20),
        "link" => (Use::Link, 60),
        "treeitem" => (Use::Link, 55),
        "columnheader" => (Use::Text, 45),
        "heading" => (Use::Text, 20),
        _ if node.tail().contains("] clickable [") => (Use::Link, 30),
        _ => (Use::Text, 10),
    }
}

/// An element that takes input, whatever it is called.
pub(super) fn is_control(role: &str) -> bool {
    is_field(role) || matches!(role, "button" | "menuitem" | "tab")
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

/// What the name tells, without the words of [`way`].
pub(super) fn label(node: &Node<'_>, usage: Use) -> i32 {
    let name = node.name.trim();
    let label = if name.is_empty() {
        match node.role {
            "searchbox" => -5,
            "checkbox" | "radio" => -50,
            role if is_field(role) => -10,
            _ => -50,
        }
    } else if !name.chars().any(char::is_alphabetic) {
        -40
    } else if usage == Use::Link && is_language(name) {
        -10
    } else {
        0
    };
    if node.disabled { label - 40 } else { label }
}

/// What repetition tells: a copy comes behind everything that is there once. Fields without a name
/// are alike only where there are many, as in the rows of a table.
pub(super) fn copies(node: &Node<'_>, copies: Copies) -> i32 {
    let is_form = is_field(node.role) && node.name.trim().is_empty();
    match copies.before {
        _ if is_form && copies.total < 8 => 0,
        0 if copies.total < 8 => 0,
        0 => -1,
        before => -50 - i32::try_from(before.min(20)).unwrap_or(20),
    }
}

/// `en`, `pt-br`: one of many links that change the language.
fn is_language(name: &str) -> bool {
    let mut parts = name.splitn(2, '-');
    let is_code = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    parts.next().is_some_and(is_code) && parts.next().is_none_or(is_code)
}

/// Words by which pages name the ways through them and the end of a form. English only: a page in
/// another language is ranked by role, place and repetition alone.
const STEPS: [&str; 14] = [
    "next", "previous", "prev", "search", "login", "logout", "log", "sign", "register", "checkout",
    "cart", "save", "submit", "apply",
];
/// Words by which the frame of a page names its chief places, and a book the place to begin.
const PLACES: [&str; 11] = [
    "contents",
    "index",
    "home",
    "dashboard",
    "documentation",
    "docs",
    "help",
    "account",
    "faq",
    "guide",
    "tutorial",
];

/// Whether a short name says a way through the page: a step to take, or a chief place.
pub(super) fn way(name: &str) -> i32 {
    const WORDS: usize = 3;
    let mut best = 0;
    let words =
        name.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    for (at, word) in words.filter(|word| !word.is_empty()).enumerate() {
        if at == WORDS {
            return 0;
        }
        if STEPS.iter().any(|step| word.eq_ignore_ascii_case(step)) {
            best = 12;
        } else if PLACES.iter().any(|place| word.eq_ignore_ascii_case(place)) {
            best = best.max(4);
        }
    }
    best
}
