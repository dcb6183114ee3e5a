//! The compact form of a big tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value, json};

use super::details::id_list;
use super::fold::{self, Repeated};
use super::front;
use super::line::{short, size};
use super::parts::{self, Part, Parts};
use super::pick::{self, Picked};
use super::score::{is_control, is_field};
use super::tree::Node;
use super::{Limits, Rendered, SnapshotData};
use crate::line::{Line, cut};
use crate::probe::report::FreshControl;

const REST: &str = "For one of the rest: find role ROLE click --name NAME, snapshot -i -s CSS, or \
                    search the file.";
/// Longest name in a line that lists several.
const LISTED_CHARS: usize = 40;
/// Longest title of the main content: it stands where the lines were made to fit.
const TITLE_CHARS: usize = 80;
/// Kinds named in the line about the rest of the main content.
const REPEATED_KINDS: usize = 3;

/// A tree that is too big to be shown whole. What the lines say about the whole of it is found once;
/// only the choice of lines shrinks until everything fits.
pub(super) struct Compact<'a> {
    nodes: &'a [Node<'a>],
    limits: &'a Limits,
    ref_count: usize,
    title: &'a str,
    told_apart: bool,
    main_lines: usize,
    picked: Picked,
    repeated: Vec<Repeated>,
    sections: Vec<&'a str>,
    roles: Vec<(String, usize)>,
}

impl<'a> Compact<'a> {
    pub(super) fn new(
        data: &'a SnapshotData,
        nodes: &'a [Node<'a>],
        dialog: &[FreshControl],
        limits: &'a Limits,
    ) -> Self {
        let parts = parts::split(nodes);
        let copies = fold::count(nodes, &parts.of);
        let front = front::find(nodes, dialog);
        let picked = pick::pick(nodes, &parts, &copies, front, limits);
        let main = || parts.of.iter().enumerate().filter(|(_, part)| **part == Part::Main);
        let shown = |at: &usize| picked.main.contains(at) || picked.front.contains(at);
        let rest = main().map(|(at, _)| at).filter(|at| !shown(at));
        let rest = rest.filter_map(|at| nodes.get(at).zip(copies.get(at)));
        Self {
            nodes,
            limits,
            ref_count: data.refs.len(),
            title: parts.heading.and_then(|at| nodes.get(at)).map_or("", |node| node.name.trim()),
            told_apart: parts.told_apart,
            main_lines: main().filter(|(at, _)| !picked.front.contains(at)).count(),
            repeated: fold::repeated(rest, REPEATED_KINDS),
            sections: sections(nodes, &parts, limits.sections),
            roles: role_counts(data, limits.role_counts),
            picked,
        }
    }

    /// Leaves lines out until the rest fits.
    pub(super) fn render(mut self, header: &Line) -> Rendered {
        loop {
            let total = self.nodes.len();
            let note = format!(" (compact: {} of {total} lines)", self.picked.len());
            let header = header.clone().and(note);
            let lines = self.lines();
            let bytes = size(&header) + lines.iter().map(size).sum::<usize>();
            if bytes <= self.limits.inline_bytes || !self.drop_one() {
                return self.finish(header, lines);
            }
        }
    }

    /// Leaves out what can be missed first; false when nothing is left.
    fn drop_one(&mut self) -> bool {
        self.picked.drop_one() || self.sections.pop().is_some() || self.repeated.pop().is_some()
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::with_capacity(32);
        if !self.picked.front.is_empty() {
            lines.push(Line::ours("In the dialog:"));
            lines.extend(self.tree_lines(&self.picked.front));
        }
        lines.push(if self.title.is_empty() {
            Line::ours("Main content:")
        } else {
            Line::ours("Main content ").quote(cut(self.title, TITLE_CHARS)).and(":")
        });
        lines.extend(self.tree_lines(&self.picked.main));
        lines.extend(self.rest_line());
        lines.extend(self.sections_line());
        if !self.picked.other.is_empty() {
            lines.push(Line::ours("Other:"));
            lines.extend(self.tree_lines(&self.picked.other));
        }
        if !self.picked.omitted.is_empty() {
            lines.push(Line::ours("Omitted high-value controls:"));
            lines.extend(self.tree_lines(&self.picked.omitted));
        }
        lines.extend(self.more_line());
        let roles = self.roles.iter().map(|(role, count)| format!("{role} {count}"));
        let roles: Vec<String> = roles.collect();
        if !roles.is_empty() {
            lines.push(Line::ours(format!("Roles: {}", roles.join(", "))));
        }
        // It names the file, which a view does not have.
        if !self.limits.is_view {
            lines.push(Line::ours(REST));
        }
        lines
    }

    /// Lines in the order of the page, whatever their rank.
    fn tree_lines(&self, picked: &[usize]) -> Vec<Line> {
        let line = |at| {
            let line = short(self.nodes.get(at)?, self.limits);
            Some(Line::Tree(line + &self.row_of(at)))
        };
        in_order(picked).into_iter().filter_map(line).collect()
    }

    /// ` (row "city")`: a field without a name is known by the head of its row.
    fn row_of(&self, at: usize) -> String {
        const FAR: usize = 12;
        let unnamed = |node: &&Node<'_>| is_field(node.role) && node.name.trim().is_empty();
        let before = self.nodes.get(at).filter(unnamed).and(self.nodes.get(..at));
        let near = before.unwrap_or_default().iter().rev().take(FAR);
        // Another control in between ends the row.
        let mut near = near.take_while(|node| !is_control(node.role) || unnamed(node));
        let head = near.find(|node| node.role == "rowheader").map(|node| node.name.trim());
        head.filter(|name| !name.is_empty())
            .map(|name| format!(" (row {})", Value::String(cut(name, LISTED_CHARS))))
            .unwrap_or_default()
    }

    fn rest_line(&self) -> Option<Line> {
        let rest = self.main_lines.checked_sub(self.picked.main.len()).filter(|rest| *rest > 0)?;
        let mut line = Line::ours(format!("{rest} more lines"));
        for (at, Repeated { role, pattern }) in self.repeated.iter().enumerate() {
            line = line.and(if at == 0 { ", repeating " } else { ", " }).and(role.clone());
            if let Some(pattern) = pattern {
                line = line.and(" ").quote(cut(pattern, LISTED_CHARS));
            }
        }
        Some(line)
    }

    fn sections_line(&self) -> Option<Line> {
        let limit = self.limits.sections;
        let mut line = Line::ours("Sections: ");
        for (at, name) in self.sections.iter().take(limit).enumerate() {
            line = if at == 0 { line } else { line.and(", ") };
            line = line.quote(cut(name, LISTED_CHARS));
        }
        let left = self.sections.len().saturating_sub(limit);
        let line = if left > 0 { line.and(format!(" and {left} more")) } else { line };
        (limit > 0 && !self.sections.is_empty()).then_some(line)
    }

    fn more_line(&self) -> Option<Line> {
        let mut line = Line::ours("More links: ");
        let links = in_order(&self.picked.more);
        for (at, node) in links.iter().filter_map(|at| self.nodes.get(*at)).enumerate() {
            let id = node.id.map(|id| format!("@e{id} ")).unwrap_or_default();
            line = line.and(if at == 0 { "" } else { ", " }).and(id);
            line = line.quote(cut(node.name.trim(), LISTED_CHARS));
        }
        (!links.is_empty()).then_some(line)
    }

    fn finish(&self, header: Line, lines: Vec<Line>) -> Rendered {
        let Picked { front, main, other, omitted, more } = &self.picked;
        let shown = self.ids(front.iter().chain(main).chain(other).chain(more));
        let omitted_high_value = self.ids(omitted.iter());
        Rendered {
            meta: self.meta(&shown, &omitted_high_value),
            header,
            lines,
            compacted: true,
            shown,
            omitted_high_value,
        }
    }

    /// Refs in numeric order.
    fn ids<'b>(&self, picked: impl Iterator<Item = &'b usize>) -> Vec<u32> {
        let mut ids: Vec<u32> = picked.filter_map(|at| self.nodes.get(*at)?.id).collect();
        ids.sort_unstable();
        ids
    }

    fn meta(&self, shown: &[u32], omitted: &[u32]) -> Map<String, Value> {
        let section = |role: &str, title: &str, lines: usize, shown: usize| {
            let left = lines.saturating_sub(shown);
            json!({ "role": role, "title": title, "linesShown": shown, "omittedLines": left })
        };
        let (main, other) = (self.picked.main.len(), self.picked.other.len());
        let mut sections = vec![section("main", self.title, self.main_lines, main)];
        let front = self.picked.front.len();
        if front > 0 {
            sections.insert(0, section("dialog", "", front, front));
        }
        if other > 0 {
            let rest = self.nodes.len().saturating_sub(self.main_lines + front);
            sections.push(section("other", "", rest, other));
        }
        let roles = self.roles.iter().map(|(role, count)| (role.clone(), Value::from(*count)));
        let mode = if self.told_apart { "structured" } else { "outline" };
        let sections_left = self.sections.len().saturating_sub(self.limits.sections);
        let mut meta = Map::new();
        meta.insert("compacted".into(), true.into());
        meta.insert("previewMode".into(), mode.into());
        meta.insert("structuredPreviewUsed".into(), self.told_apart.into());
        meta.insert("previewRefIds".into(), id_list(shown));
        meta.insert("previewSections".into(), sections.into());
        meta.insert("additionalSectionsOmitted".into(), sections_left.into());
        meta.insert("refCount".into(), self.ref_count.into());
        meta.insert("snapshotLineCount".into(), self.nodes.len().into());
        meta.insert("roleCounts".into(), Value::Object(roles.collect()));
        if !omitted.is_empty() {
            meta.insert("highValueControlRefIds".into(), id_list(omitted));
        }
        meta
    }
}

fn in_order(picked: &[usize]) -> Vec<usize> {
    let mut picked = picked.to_vec();
    picked.sort_unstable();
    picked
}

/// Headings of the main content behind the first one, each name once; where there are more than
/// `limit`, only those of the highest levels that fill it.
fn sections<'a>(nodes: &'a [Node<'a>], parts: &Parts, limit: usize) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let mut sections: Vec<(u32, &str)> = Vec::new();
    for (at, (node, part)) in nodes.iter().zip(&parts.of).enumerate() {
        let name = node.name.trim();
        let is_section = node.role == "heading" && *part == Part::Main && !name.is_empty();
        if is_section && Some(at) != parts.heading && seen.insert(name) {
            sections.push((node.level.unwrap_or(u32::MAX), name));
        }
    }
    let mut levels: Vec<u32> = sections.iter().map(|(level, _)| *level).collect();
    levels.sort_unstable();
    let deepest = levels.get(limit.saturating_sub(1)).copied().unwrap_or(u32::MAX);
    sections.into_iter().filter(|(level, _)| *level <= deepest).map(|(_, name)| name).collect()
}

/// The most frequent roles.
fn role_counts(data: &SnapshotData, limit: usize) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for info in data.refs.values() {
        *counts.entry(&info.role).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(role, count)| (super::safe_role(role), count)).collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.truncate(limit);
    counts
}
