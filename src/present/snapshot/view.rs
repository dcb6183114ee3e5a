//! The lines of a snapshot: the whole tree, or its compact form.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::details::id_list;
use super::fold::Repeated;
use super::parts::{Part, Parts};
use super::pick::Picked;
use super::tree::Node;
use super::{Limits, Rendered, SnapshotData, fold, parts, pick, tree};
use crate::present::section::{Line, Span};

const REST: &str = "For one of the rest: find role ROLE click --name NAME, snapshot -i -s CSS, or \
                    search the file.";

/// Writes the tree whole where it fits, else folded.
pub(super) fn render(data: &SnapshotData, limits: &Limits) -> Rendered {
    let nodes = tree::read(&data.text, &data.refs);
    let header = header(data);
    let bytes: usize = nodes.iter().map(|node| node.line.len() + 1).sum();
    if nodes.len() <= limits.inline_lines && size(&header) + bytes <= limits.inline_bytes {
        return whole(data, &nodes, header);
    }
    Compact::new(data, &nodes, limits).render(header)
}

fn header(data: &SnapshotData) -> Line {
    let refs = data.refs.len();
    let noun = if refs == 1 { "ref" } else { "refs" };
    Line::ours(format!("Snapshot: {refs} {noun} on ")).url(data.origin.clone())
}

/// Bytes of a line with its line break.
fn size(line: &Line) -> usize {
    line.plain().len() + 1
}

fn whole(data: &SnapshotData, nodes: &[Node<'_>], header: Line) -> Rendered {
    let line = |node: &Node<'_>| match node.role {
        "" => Line::Foreign(node.line.clone().into_owned()),
        _ => Line::Tree(clean(&node.line)),
    };
    let mut meta = Map::new();
    meta.insert("compacted".into(), false.into());
    meta.insert("refCount".into(), data.refs.len().into());
    meta.insert("snapshotLineCount".into(), nodes.len().into());
    Rendered {
        header,
        lines: nodes.iter().map(line).collect(),
        compacted: false,
        meta,
        shown: sorted_ids(nodes.iter().filter_map(|node| node.id)),
        omitted_high_value: Vec::new(),
    }
}

fn sorted_ids(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    ids
}

/// Escapes what a terminal or a reader could take for a line break.
fn clean(line: &str) -> String {
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

/// A tree that is too big to be shown whole.
struct Compact<'a> {
    data: &'a SnapshotData,
    nodes: &'a [Node<'a>],
    limits: &'a Limits,
    parts: Parts,
    picked: Picked,
}

impl<'a> Compact<'a> {
    fn new(data: &'a SnapshotData, nodes: &'a [Node<'a>], limits: &'a Limits) -> Self {
        let parts = parts::split(nodes);
        let copies = fold::count(nodes, &parts.of);
        let picked = pick::pick(nodes, &parts, &copies, limits);
        Self { data, nodes, limits, parts, picked }
    }

    fn render(mut self, header: Line) -> Rendered {
        loop {
            let shown =
                self.picked.main.len() + self.picked.other.len() + self.picked.omitted.len();
            let header =
                header.clone().and(format!(" (compact: {shown} of {} lines)", self.nodes.len()));
            let lines = self.lines();
            let bytes = size(&header) + lines.iter().map(size).sum::<usize>();
            if bytes <= self.limits.inline_bytes || !self.drop_one() {
                return self.finish(header, lines);
            }
        }
    }

    /// Leaves out one line: omitted controls first, the main content last.
    fn drop_one(&mut self) -> bool {
        let lists = [&mut self.picked.omitted, &mut self.picked.other, &mut self.picked.main];
        lists.into_iter().any(|list| list.pop().is_some())
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::with_capacity(32);
        let title = self.title();
        lines.push(if title.is_empty() {
            Line::ours("Main content:")
        } else {
            Line::ours("Main content ").quote(title).and(":")
        });
        lines.extend(self.tree_lines(&self.picked.main));
        lines.extend(self.rest_line());
        if !self.picked.other.is_empty() {
            lines.push(Line::ours("Other:"));
            lines.extend(self.tree_lines(&self.picked.other));
        }
        if !self.picked.omitted.is_empty() {
            lines.push(Line::ours("Omitted high-value controls:"));
            lines.extend(self.tree_lines(&self.picked.omitted));
        }
        let roles: Vec<String> =
            self.role_counts().into_iter().map(|(r, n)| format!("{r} {n}")).collect();
        if !roles.is_empty() {
            lines.push(Line::ours(format!("Roles: {}", roles.join(", "))));
        }
        if self.limits.has_file {
            lines.push(Line::ours(REST));
        }
        lines
    }

    fn title(&self) -> String {
        let heading = self.parts.heading.and_then(|at| self.nodes.get(at));
        heading.map(|node| node.name.trim().to_owned()).unwrap_or_default()
    }

    fn tree_lines(&self, picked: &[usize]) -> Vec<Line> {
        let nodes = picked.iter().filter_map(|at| self.nodes.get(*at));
        nodes.map(|node| Line::Tree(short_line(node, self.limits))).collect()
    }

    /// Nodes of the main part that have no line there.
    fn main_rest(&self) -> impl Iterator<Item = &'a Node<'a>> + Clone {
        let nodes: &'a [Node<'a>] = self.nodes;
        let parts = self.parts.of.iter().enumerate();
        parts
            .filter(|(at, part)| **part == Part::Main && !self.picked.main.contains(at))
            .filter_map(|(at, _)| nodes.get(at))
    }

    fn rest_line(&self) -> Option<Line> {
        let rest = self.main_rest().count();
        if rest == 0 {
            return None;
        }
        let mut line = Line::ours(format!("{rest} more lines"));
        for (at, group) in fold::repeated(self.main_rest(), 3).into_iter().enumerate() {
            let Repeated { role, pattern } = group;
            line = line.and(if at == 0 { ", repeating " } else { ", " }).and(role);
            if let Some(pattern) = pattern {
                line = line.and(" ").push(Span::Quote(pattern));
            }
        }
        Some(line)
    }

    fn role_counts(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for info in self.data.refs.values() {
            *counts.entry(&info.role).or_default() += 1;
        }
        let mut counts: Vec<(String, usize)> =
            counts.into_iter().map(|(role, count)| (super::safe_role(role), count)).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.truncate(self.limits.role_counts);
        counts
    }

    fn finish(&self, header: Line, lines: Vec<Line>) -> Rendered {
        let ids =
            |picked: &[usize]| sorted_ids(picked.iter().filter_map(|at| self.nodes.get(*at)?.id));
        let mut shown = ids(&self.picked.main);
        shown.extend(ids(&self.picked.other));
        shown.sort_unstable();
        let omitted_high_value = ids(&self.picked.omitted);
        Rendered {
            meta: self.meta(&shown, &omitted_high_value),
            header,
            lines,
            compacted: true,
            shown,
            omitted_high_value,
        }
    }

    fn meta(&self, shown: &[u32], omitted: &[u32]) -> Map<String, Value> {
        let of = |part: Part| self.parts.of.iter().filter(|of| **of == part).count();
        let section = |role: &str, title: String, part: Part, shown: usize| {
            json!({
                "role": role, "title": title, "linesShown": shown,
                "omittedLines": of(part).saturating_sub(shown),
            })
        };
        let mut sections = vec![section("main", self.title(), Part::Main, self.picked.main.len())];
        if !self.picked.other.is_empty() {
            sections.push(section("other", String::new(), Part::Frame, self.picked.other.len()));
        }
        let headings = self.nodes.iter().filter(|node| node.role == "heading").count();
        let role_counts: Map<String, Value> =
            self.role_counts().into_iter().map(|(role, count)| (role, count.into())).collect();
        let mode = if self.parts.told_apart { "structured" } else { "outline" };
        let mut meta = Map::new();
        meta.insert("compacted".into(), true.into());
        meta.insert("previewMode".into(), mode.into());
        meta.insert("structuredPreviewUsed".into(), self.parts.told_apart.into());
        meta.insert("previewRefIds".into(), id_list(shown));
        meta.insert("previewSections".into(), sections.into());
        meta.insert("additionalSectionsOmitted".into(), headings.saturating_sub(1).into());
        meta.insert("refCount".into(), self.data.refs.len().into());
        meta.insert("snapshotLineCount".into(), self.nodes.len().into());
        meta.insert("roleCounts".into(), Value::Object(role_counts));
        if !omitted.is_empty() {
            meta.insert("highValueControlRefIds".into(), id_list(omitted));
        }
        meta
    }
}

/// The line of a node, with name and value cut.
fn short_line(node: &Node<'_>, limits: &Limits) -> String {
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
fn cut(text: &str, limit: usize) -> String {
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
