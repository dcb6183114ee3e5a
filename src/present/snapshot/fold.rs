//! Repetition: which elements are copies of one another, and how to say so in a few words.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::parts::Part;
use super::tree::Node;

/// How often the kind of an element occurs, and the how manieth it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Copies {
    /// Elements of the kind before this one, in its part of the page.
    pub before: u32,
    /// Elements of the kind in its part of the page.
    pub total: u32,
    /// The frame of the page has an element of the kind.
    pub in_frame: bool,
}

/// Counts the kinds of all elements: same part, same role, same name apart from numbers.
pub(super) fn count(nodes: &[Node<'_>], parts: &[Part]) -> Vec<Copies> {
    let mut totals: HashMap<(u64, bool), u32> = HashMap::with_capacity(nodes.len());
    let mut kinds = Vec::with_capacity(nodes.len());
    for (node, part) in nodes.iter().zip(parts) {
        let kind = (kind_of(node), *part == Part::Main);
        let total = totals.entry(kind).or_default();
        kinds.push((kind, *total));
        *total += 1;
    }
    let total = |kind| totals.get(&kind).copied().unwrap_or(0);
    let copies = |(kind, before): ((u64, bool), u32)| Copies {
        before,
        total: total(kind),
        in_frame: total((kind.0, false)) > 0,
    };
    kinds.into_iter().map(copies).collect()
}

fn kind_of(node: &Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    node.role.hash(&mut hasher);
    for c in Folded::new(node.name.trim()) {
        c.to_ascii_lowercase().hash(&mut hasher);
    }
    hasher.finish()
}

/// The name with its numbers written as `N`: `Edit 1042` and `Edit 7` are both `Edit N`.
pub(super) fn folded(name: &str) -> String {
    Folded::new(name.trim()).collect()
}

/// Walks a name and gives one `N` for every number, `3.11.2` and `12:30` included.
struct Folded<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> Folded<'a> {
    fn new(name: &'a str) -> Self {
        Self { rest: name.chars().peekable() }
    }
}

impl Iterator for Folded<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.rest.next()?;
        if !first.is_ascii_digit() {
            return Some(first);
        }
        loop {
            while self.rest.next_if(char::is_ascii_digit).is_some() {}
            // A separator belongs to the number only when a digit follows it.
            let mut ahead = self.rest.clone();
            let inner = ahead.next_if(|c| matches!(c, '.' | ',' | ':')).is_some()
                && ahead.peek().is_some_and(char::is_ascii_digit);
            if !inner {
                return Some('N');
            }
            self.rest = ahead;
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

/// The most frequent kinds among `nodes`, at most `limit`; kinds of three elements or more.
///
/// Elements whose names all differ are counted by their role alone.
pub(super) fn repeated<'a>(
    nodes: impl Iterator<Item = &'a Node<'a>> + Clone,
    limit: usize,
) -> Vec<Repeated> {
    const OFTEN: u32 = 3;
    let mut kinds: HashMap<u64, (u32, usize, &Node<'_>)> = HashMap::new();
    for (at, node) in nodes.enumerate() {
        kinds.entry(kind_of(node)).or_insert((0, at, node)).0 += 1;
    }
    let mut roles: HashMap<&str, (u32, usize)> = HashMap::new();
    let mut groups: Vec<(u32, usize, Repeated)> = Vec::new();
    for (total, at, node) in kinds.into_values() {
        if total >= OFTEN && !node.name.trim().is_empty() {
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
