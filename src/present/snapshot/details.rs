//! What `details` and the journal keep of a snapshot (DEC-64).

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Rendered, SnapshotData};

/// Refs that `details.refSnapshot` lists one by one.
pub const DETAILS_REFS: usize = 200;

/// The number in `e12` or `@e12`.
pub(super) fn parse_id(id: &str) -> Option<u32> {
    let digits = id.strip_prefix('@').unwrap_or(id).strip_prefix('e')?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// `e12` for each number.
pub(super) fn id_list(ids: &[u32]) -> Value {
    ids.iter().map(|id| Value::String(format!("e{id}"))).collect()
}

/// Writes ascending numbers as ranges.
///
/// ```
/// use agent_browser_native::present::snapshot::id_ranges;
/// assert_eq!(id_ranges([1, 2, 3, 7].into_iter()), ["e1-e3", "e7"]);
/// ```
#[must_use]
pub fn id_ranges(ids: impl Iterator<Item = u32>) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(id) => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let write = |(first, last)| {
        if first == last { format!("e{first}") } else { format!("e{first}-e{last}") }
    };
    runs.into_iter().map(write).collect()
}

/// `details.refSnapshot`: at most [`DETAILS_REFS`] refs with role and name, and the ranges of all.
#[must_use]
pub fn ref_snapshot_details(
    data: &SnapshotData,
    rendered: &Rendered,
    target_url: &str,
    title: impl Into<Value>,
    document_id: impl Into<Value>,
) -> Value {
    let mut first: Vec<u32> =
        rendered.shown.iter().chain(&rendered.omitted_high_value).copied().collect();
    first.sort_unstable();
    first.dedup();
    let known: HashSet<u32> = first.iter().copied().collect();
    let rest = data.refs.keys().copied().filter(|id| !known.contains(id));
    let listed: Vec<u32> = first.iter().copied().chain(rest).take(DETAILS_REFS).collect();

    let mut refs = Map::new();
    for id in &listed {
        if let Some(info) = data.refs.get(id) {
            let mut entry = json!({ "role": info.role, "name": info.name });
            if let Some(index) = info.duplicate_index {
                entry["duplicateIndex"] = index.into();
            }
            refs.insert(format!("e{id}"), entry);
        }
    }
    let mut details = Map::new();
    details.insert("refIds".into(), id_list(&listed));
    details.insert("refs".into(), Value::Object(refs));
    details.insert("refIdRanges".into(), id_ranges(data.refs.keys().copied()).into());
    let omitted = data.refs.len().saturating_sub(listed.len());
    if omitted > 0 {
        details.insert("omittedRefCount".into(), omitted.into());
    }
    details.insert("target".into(), json!({ "url": target_url, "title": title.into() }));
    details.insert("documentId".into(), document_id.into());
    Value::Object(details)
}
