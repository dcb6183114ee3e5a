//! Accessibility snapshots for a reader who sees only text.
//!
//! Upstream answers `snapshot` with a tree as text and a map of refs. A small tree is shown as it is;
//! a big one is folded: main content first, the frame of the page last, single controls before the
//! n-th copy of a repeated one, and a list of the controls that did not fit. Every step is linear in
//! the length of the tree.

mod choices;
mod compact;
mod details;
mod fold;
mod front;
mod line;
mod links;
mod parts;
mod pick;
mod score;
mod tree;
mod view;
mod wrappers;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

pub use self::details::{DETAILS_REFS, id_ranges, ref_snapshot_details};
use crate::line::{Line, tame};
use crate::probe::report::PageReport;
pub use crate::session::refs::RefInfo;

/// A snapshot answer, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotData {
    /// The whole address of the page.
    pub origin: String,
    /// Refs by number: `e12` stands under 12.
    pub refs: BTreeMap<u32, RefInfo>,
    /// Refs that upstream forgot with this snapshot.
    pub removed: Vec<u32>,
    /// The tree, one element per line, apart from values of several lines.
    pub text: String,
}

/// How much a reader gets to see (DEC-04, DEC-70).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A tree up to this size is shown whole. No answer is longer, header included.
    pub inline_bytes: usize,
    /// A tree up to this number of lines is shown whole.
    pub inline_lines: usize,
    /// Refs shown of the main content.
    pub key_refs: usize,
    /// Fields of the main content that are shown beyond these: a form is of use only whole.
    pub fields: usize,
    /// Refs shown of the frame of the page.
    pub other_refs: usize,
    /// Controls listed below `Omitted high-value controls`. Places that controls leave free are used
    /// for further links.
    pub omitted: usize,
    /// Headings of the main content named in the `Sections:` line.
    pub sections: usize,
    /// Roles counted in the `Roles:` line.
    pub role_counts: usize,
    /// Longest name, in characters, where the tree is folded.
    pub name_chars: usize,
    /// Longest line, in characters, where the tree is folded.
    pub line_chars: usize,
    /// Lines of running text, which only the full tree has.
    pub text_lines: usize,
    /// It is a view of the page inside the answer of a command: a line in front of it has told the
    /// address, and no file keeps the whole tree.
    pub is_view: bool,
}

impl Limits {
    /// The answer to `snapshot`.
    pub const SNAPSHOT: Self = Self {
        inline_bytes: 6_000,
        inline_lines: 120,
        key_refs: 8,
        fields: 12,
        other_refs: 4,
        omitted: 10,
        sections: 8,
        role_counts: 4,
        name_chars: 96,
        line_chars: 140,
        text_lines: 6,
        is_view: false,
    };

    /// The page below the answer of a command that navigated.
    pub const VIEW: Self = Self {
        inline_bytes: 1_500,
        sections: 4,
        role_counts: 0,
        text_lines: 2,
        is_view: true,
        ..Self::SNAPSHOT
    };
}

/// A snapshot as lines, and what `details` says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    /// `Snapshot: 6 refs on …`
    pub header: Line,
    /// The lines below the header.
    pub lines: Vec<Line>,
    /// True when something of the tree is not shown, so that the whole of it belongs into a file.
    pub compacted: bool,
    /// The metadata of PRES-SNAP-05.
    pub meta: Map<String, Value>,
    /// Refs with a line of their own, the omitted controls not counted, in numeric order.
    pub shown: Vec<u32>,
    /// Refs listed as omitted controls, in numeric order.
    pub omitted_high_value: Vec<u32>,
}

/// Reads the `data` or `result` object of a snapshot; `None` when its shape is not the known one.
///
/// ```
/// use agent_browser_native::present::snapshot::parse;
/// let data = serde_json::json!({
///     "origin": "https://shop.test/",
///     "refs": { "e10": { "role": "link", "name": "Ten" }, "e9": { "role": "link", "name": "Nine" } },
///     "removedRefs": ["@e3"],
///     "snapshot": "- link \"Nine\" [ref=e9]\n- link \"Ten\" [ref=e10]",
/// });
/// let snapshot = parse(&data).unwrap();
/// assert_eq!(snapshot.refs.keys().copied().collect::<Vec<_>>(), [9, 10]);
/// assert_eq!(snapshot.removed, [3]);
/// ```
#[must_use]
pub fn parse(data: &Value) -> Option<SnapshotData> {
    let origin = data.get("origin")?.as_str()?.to_owned();
    let snapshot = data.get("snapshot")?;
    // With `--delta` a whole snapshot is an object of its own.
    let (text, listed) = match snapshot.get("tree") {
        Some(tree) => (tree.as_str()?.to_owned(), snapshot.get("refs")?),
        None => (snapshot.as_str()?.to_owned(), data.get("refs")?),
    };
    let mut refs = BTreeMap::new();
    for (key, entry) in listed.as_object()? {
        let role = entry.get("role")?.as_str()?.to_owned();
        let name = entry.get("name")?.as_str()?.to_owned();
        let info = RefInfo { role, name, duplicate_index: None, in_frame: false };
        if refs.insert(details::parse_id(key)?, info).is_some() {
            return None;
        }
    }
    let removed = match data.get("removedRefs") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => {
            let ids = list.as_array()?.iter();
            ids.map(|id| id.as_str().and_then(details::parse_id)).collect::<Option<Vec<_>>>()?
        }
    };
    let mut snapshot = SnapshotData { origin, refs, removed, text };
    place_refs(&mut snapshot);
    Some(snapshot)
}

/// Fills in what only the tree tells: its spelling of names, frames, and the order of equal names.
fn place_refs(snapshot: &mut SnapshotData) {
    let nodes = tree::read(&snapshot.text, &snapshot.refs);
    let mut placed: HashMap<u32, bool> = HashMap::with_capacity(nodes.len());
    let mut order = Vec::with_capacity(snapshot.refs.len());
    let mut frame_depth: Option<usize> = None;
    for node in &nodes {
        if frame_depth.is_some_and(|depth| node.depth <= depth) {
            frame_depth = None;
        }
        if let Some(id) = node.id {
            placed.insert(id, frame_depth.is_some());
            order.push(id);
        }
        if node.is_frame() && frame_depth.is_none() {
            frame_depth = Some(node.depth);
        }
    }
    let respelt: Vec<(u32, String)> = nodes
        .into_iter()
        .filter_map(|node| {
            let known = &snapshot.refs.get(&node.id?)?.name;
            let differs = !known.is_empty() && *known != node.name;
            differs.then(|| Some((node.id?, node.name.into_owned())))?
        })
        .collect();
    for (id, name) in respelt {
        if let Some(info) = snapshot.refs.get_mut(&id) {
            info.name = name;
        }
    }
    // A ref that the text leaves out (`-d`, `-s`) may stand in any frame of the page.
    let has_frames = snapshot.refs.values().any(|info| info.role.eq_ignore_ascii_case("iframe"));
    order.extend(snapshot.refs.keys().copied().filter(|id| !placed.contains_key(id)));
    let duplicates = duplicate_indexes(&snapshot.refs, &order);
    for (id, info) in &mut snapshot.refs {
        info.in_frame = placed.get(id).copied().unwrap_or(has_frames);
        info.duplicate_index = duplicates.get(id).copied();
    }
}

fn duplicate_indexes(refs: &BTreeMap<u32, RefInfo>, order: &[u32]) -> HashMap<u32, u32> {
    let mut groups: HashMap<(&str, &str), Vec<u32>> = HashMap::with_capacity(refs.len());
    for id in order {
        if let Some(info) = refs.get(id) {
            groups.entry((&info.role, &info.name)).or_default().push(*id);
        }
    }
    let several = groups.into_values().filter(|ids| ids.len() > 1);
    several.flat_map(|ids| ids.into_iter().zip(0_u32..)).collect()
}

/// Writes a snapshot for the reader.
#[must_use]
pub fn render(data: &SnapshotData, limits: &Limits) -> Rendered {
    view::render(data, &[], limits)
}

/// The same for a page with an open dialog, whose controls the page has told: they come first.
#[must_use]
pub fn render_behind(data: &SnapshotData, page: Option<&PageReport>, limits: &Limits) -> Rendered {
    let front = page.and_then(|page| page.front.as_ref());
    view::render(data, front.map_or(&[], |front| &front.controls), limits)
}

/// The line is an element that these refs know, or one without a ref.
#[must_use]
pub fn is_element(line: &str, refs: &BTreeMap<u32, RefInfo>) -> bool {
    tree::read(line, refs).first().is_some_and(|node| !node.role.is_empty())
}

/// A role as a word of ours: a page may write any word into its `role` attribute.
fn safe_role(role: &str) -> String {
    let word = tame(role);
    if word.is_empty() { "element".to_owned() } else { word }
}

#[cfg(test)]
mod tests;
