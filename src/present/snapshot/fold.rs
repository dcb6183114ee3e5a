//! Repetition: which elements are copies of one another, and how to say so in a few words.

use std::collections::HashMap;

use super::parts::Part;
use super::tree::Node;

/// How often the kind of an element occurs, and the how manieth it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Copies {
    /// Stands for role and folded name.
    pub kind: u64,
    /// Elements of the kind before this one, in its part of the page.
    pub before: u32,
    /// Elements of the kind in its part of the page.
    pub total: u32,
    /// The frame of the page has an element of the kind.
    pub in_frame: bool,
}

/// Counts the kinds of all elements: same part, same role, same name apart from case and numbers.
pub(super) fn count(nodes: &[Node<'_>], parts: &[Part]) -> Vec<Copies> {
    let mut totals: HashMap<u64, [u32; 2]> = HashMap::with_capacity(nodes.len());
    let mut copies = Vec::with_capacity(nodes.len());
    for (node, part) in nodes.iter().zip(parts) {
        let kind = kind_of(node);
        let [main, frame] = totals.entry(kind).or_default();
        let total = if *part == Part::Main { main } else { frame };
        copies.push(Copies { kind, before: *total, ..Copies::default() });
        *total += 1;
    }
    for (copies, part) in copies.iter_mut().zip(parts) {
        let [main, frame] = totals.get(&copies.kind).copied().unwrap_or_default();
        copies.total = if *part == Part::Main { main } else { frame };
        copies.in_frame = frame > 0;
    }
    copies
}

/// FNV-1a over role and folded name: it runs once for every element of a big page.
fn kind_of(node: &Node<'_>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    node.role.bytes().chain([0]).for_each(&mut add);
    fold(node.name.trim(), |byte| add(byte.to_ascii_lowercase()));
    hash
}

/// The name with its numbers written as `N`: `Edit 1042` and `Edit 7` are both `Edit N`.
pub(super) fn folded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    fold(name.trim(), |byte| bytes.push(byte));
    // Only ASCII digits and separators were replaced, so this is text as before.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Gives the bytes of a name with one `N` for every number, `3.11.2` and `12:30` included.
fn fold(name: &str, mut give: impl FnMut(u8)) {
    let bytes = name.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        if !byte.is_ascii_digit() {
            give(*byte);
            continue;
        }
        give(b'N');
        loop {
            let separator = matches!(bytes.get(at), Some(b'.' | b',' | b':'));
            if digit(at) {
                at += 1;
            } else if separator && digit(at + 1) {
                at += 2;
            } else {
                break;
            }
        }
    }
}

/// What repeats in a list of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repeated {
    /// The role all of them have.
    pub role: String,
    /// The folded name, where it is the same for all of them.
    pub pattern: Option<String>,
}

/// The name says what the element does; in a table or a text it is content.
fn has_label(role: &str) -> bool {
    !matches!(
        role,
        "cell" | "gridcell" | "rowheader" | "listitem" | "paragraph" | "generic" | "StaticText"
    )
}

/// The most frequent kinds among elements, at most `limit`; kinds of three elements or more.
///
/// Elements whose names all differ are counted by their role alone.
pub(super) fn repeated<'a>(
    elements: impl Iterator<Item = (&'a Node<'a>, &'a Copies)>,
    limit: usize,
) -> Vec<Repeated> {
    const OFTEN: u32 = 3;
    let mut kinds: HashMap<u64, (u32, usize, &Node<'_>)> = HashMap::new();
    for (at, (node, copies)) in elements.enumerate() {
        kinds.entry(copies.kind).or_insert((0, at, node)).0 += 1;
    }
    let mut roles: HashMap<&str, (u32, usize)> = HashMap::new();
    let mut groups: Vec<(u32, usize, Repeated)> = Vec::new();
    for (total, at, node) in kinds.into_values() {
        if total >= OFTEN && !node.name.trim().is_empty() && has_label(node.role) {
            let pattern = Some(folded(&node.name));
            groups.push((total, at, Repeated { role: super::safe_role(node.role), pattern }));
        } else {
            let role = roles.entry(node.role).or_insert((0, at));
            role.0 += total;
            role.1 = role.1.min(at);
        }
    }
    let often = roles.into_iter().filter(|(_, (total, _))| *total >= OFTEN);
    groups.extend(often.map(|(role, (total, at))| {
        (total, at, Repeated { role: super::safe_role(role), pattern: None })
    }));
    groups.sort_by_key(|(total, at, _)| (std::cmp::Reverse(*total), *at));
    groups.truncate(limit);
    groups.into_iter().map(|(_, _, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_folded() {
        let cases = [
            ("Edit 1042", "Edit N"),
            ("v3.11.2 beta", "vN beta"),
            ("at 12:30, 5.", "at N, N."),
            ("Größe 5€", "Größe N€"),
            ("none", "none"),
        ];
        for (name, expected) in cases {
            assert_eq!(folded(name), expected);
        }
    }
}
