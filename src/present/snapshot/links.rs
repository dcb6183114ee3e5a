//! What the place of a link on the page tells about its worth.

use std::collections::HashSet;

use super::parts::{Part, Parts};
use super::tree::Node;

/// What a page tells about its links.
pub(super) struct LinkPlaces<'a> {
    title: &'a str,
    lowest_id: Option<u32>,
    /// The headings of the main content, from one word of each to all of them.
    sections: HashSet<String>,
}

impl<'a> LinkPlaces<'a> {
    pub(super) fn new(nodes: &'a [Node<'_>], parts: &Parts) -> Self {
        const WORDS: usize = 6;
        let mut sections = HashSet::new();
        let in_main = nodes.iter().zip(&parts.of).filter(|(_, part)| **part == Part::Main);
        for (heading, _) in in_main.filter(|(node, _)| node.role == "heading") {
            let mut section = String::new();
            for word in heading.name.split_whitespace().take(WORDS) {
                section.push_str(word);
                sections.insert(section_name(&section));
                section.push(' ');
            }
        }
        let title = parts.heading.and_then(|at| nodes.get(at)).map_or("", |node| &node.name);
        let active = nodes.iter().filter(|node| matches!(node.role, "link" | "button"));
        Self { title, lowest_id: active.filter_map(|node| node.id).min(), sections }
    }

    /// Worth less: the first element of a page, which is its logo or skips the menu; a link that says
    /// what the page is called and so leads to where it stands; one inside a heading of the content,
    /// which does the same; one in the header of a table, which sorts or explains it. Worth more: a link
    /// that is called like a section and leads there, an entry of the table of contents.
    pub(super) fn worth(&self, nodes: &[Node<'_>], at: usize, part: Part) -> i32 {
        let Some(link) = nodes.get(at) else { return 0 };
        let before = at.checked_sub(1).and_then(|before| nodes.get(before));
        let inside = before.filter(|before| before.depth < link.depth).map_or("", |b| b.role);
        let name = link.name.trim();
        let is_first = link.id.is_some()
            && link.id == self.lowest_id
            && (before.is_none() || inside == "heading");
        let is_here = name.len() > 2 && self.title.contains(name);
        let is_anchor = inside == "heading" && part == Part::Main;
        let is_header = matches!(inside, "rowheader" | "columnheader");
        if is_first || is_here || is_anchor || is_header {
            -5
        } else if name.len() > 2 && self.sections.contains(&section_name(name)) {
            if part == Part::Main { 5 } else { 1 }
        } else {
            0
        }
    }
}

/// A heading without its case and its permalink mark.
fn section_name(name: &str) -> String {
    name.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}
