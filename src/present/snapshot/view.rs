//! A snapshot as lines: the whole tree where it fits, else its compact form.

use serde_json::Map;

use super::choices;
use super::compact::Compact;
use super::line::size;
use super::tree::{self, Node};
use super::{Limits, Rendered, SnapshotData, wrappers};
use crate::line::Line;
use crate::probe::report::FreshControl;

/// Writes the tree whole where it fits, else folded.
pub(super) fn render(data: &SnapshotData, front: &[FreshControl], limits: &Limits) -> Rendered {
    let nodes = tree::read(&data.text, &data.refs);
    let header = header(data, &nodes, limits);
    let nodes = wrappers::drop(choices::fold(nodes));
    let bytes: usize = nodes.iter().map(|node| node.line.len()).sum();
    if nodes.len() <= limits.inline_lines && bytes <= limits.inline_bytes {
        let whole = whole(data, &nodes, header.clone());
        let bytes = size(&whole.header) + whole.lines.iter().map(size).sum::<usize>();
        if bytes <= limits.inline_bytes {
            return whole;
        }
    }
    Compact::new(data, &nodes, front, limits).render(&header)
}

/// Upstream numbers the whole page also where only a part of it is asked for (`-s`, `-d`).
fn header(data: &SnapshotData, nodes: &[Node<'_>], limits: &Limits) -> Line {
    let refs = data.refs.len();
    let inside = nodes.iter().filter(|node| node.id.is_some()).count();
    let noun = if refs == 1 { "ref" } else { "refs" };
    let part = if inside < refs { format!("{inside} of ") } else { String::new() };
    let header = Line::ours(format!("Snapshot: {part}{refs} {noun}"));
    if limits.is_view { header } else { header.and(" on ").url(data.origin.clone()) }
}

fn whole(data: &SnapshotData, nodes: &[Node<'_>], header: Line) -> Rendered {
    let line = |node: &Node<'_>| match node.role {
        "" => Line::Foreign(node.line.to_string()),
        _ => Line::Tree(node.line.to_string()),
    };
    let mut shown: Vec<u32> = nodes.iter().filter_map(|node| node.id).collect();
    shown.sort_unstable();
    let mut meta = Map::new();
    meta.insert("compacted".into(), false.into());
    meta.insert("refCount".into(), data.refs.len().into());
    meta.insert("snapshotLineCount".into(), nodes.len().into());
    Rendered {
        header,
        lines: nodes.iter().map(line).collect(),
        compacted: false,
        meta,
        shown,
        omitted_high_value: Vec::new(),
    }
}
