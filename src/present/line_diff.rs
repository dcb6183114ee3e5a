//! What has changed between two snapshots, line by line. Refs do not count: a new number on the
//! same element is no change. Lines of the newer one keep theirs, so that they can be acted on.

use serde_json::{Value, json};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 2;
/// Beyond this many pairs of lines everything between the first and the last change is one change.
const PAIRS: usize = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    /// Line of the newer text.
    Keep(usize),
    /// Line of the older text.
    Remove(usize),
    /// Line of the newer text.
    Add(usize),
}

/// The difference, with the fields of upstream's own `diff snapshot`.
#[must_use]
pub fn compare(before: &str, after: &str) -> Value {
    let old: Vec<String> = before.lines().map(without_ref).collect();
    let new: Vec<String> = after.lines().map(without_ref).collect();
    let shown: Vec<&str> = after.lines().collect();
    let edits = edits(&old, &new);
    let additions = edits.iter().filter(|edit| matches!(edit, Edit::Add(_))).count();
    let removals = edits.iter().filter(|edit| matches!(edit, Edit::Remove(_))).count();
    let mut lines = Vec::new();
    let mut gap = false;
    for (at, edit) in edits.iter().enumerate() {
        if !is_near_a_change(&edits, at) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            lines.push("@@".to_owned());
        }
        lines.push(match edit {
            Edit::Keep(line) => format!(" {}", shown.get(*line).unwrap_or(&"")),
            Edit::Add(line) => format!("+{}", shown.get(*line).unwrap_or(&"")),
            Edit::Remove(line) => format!("-{}", old.get(*line).map_or("", String::as_str)),
        });
    }
    json!({
        "additions": additions, "removals": removals,
        "unchanged": edits.len() - additions - removals,
        "changed": additions + removals > 0, "diff": lines.join("\n"),
    })
}

fn is_near_a_change(edits: &[Edit], at: usize) -> bool {
    let end = (at + CONTEXT + 1).min(edits.len());
    let around = edits.get(at.saturating_sub(CONTEXT)..end).unwrap_or_default();
    around.iter().any(|edit| !matches!(edit, Edit::Keep(_)))
}

/// `- link "Home" [level=1, ref=e2]` without the ref.
fn without_ref(line: &str) -> String {
    let Some((head, tail)) = line.rsplit_once("ref=e") else { return line.to_owned() };
    let rest = tail.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == tail.len() {
        return line.to_owned();
    }
    match (head.strip_suffix(", "), head.strip_suffix(" ["), rest.strip_prefix(']')) {
        (Some(head), _, _) => format!("{head}{rest}"),
        (None, Some(head), Some(rest)) => format!("{head}{rest}"),
        _ => format!("{head}{}", rest.strip_prefix(", ").unwrap_or(rest)),
    }
}

fn edits(old: &[String], new: &[String]) -> Vec<Edit> {
    let same = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let head = same(&mut old.iter().zip(new));
    let (old_rest, new_rest) = (old.len() - head, new.len() - head);
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(old_rest).min(new_rest);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut edits: Vec<Edit> = (0..head).map(Edit::Keep).collect();
    let middle =
        (old.get(head..old_end).unwrap_or_default(), new.get(head..new_end).unwrap_or_default());
    edits.extend(middle_edits(middle.0, middle.1).into_iter().map(|edit| match edit {
        Edit::Keep(at) => Edit::Keep(at + head),
        Edit::Remove(at) => Edit::Remove(at + head),
        Edit::Add(at) => Edit::Add(at + head),
    }));
    edits.extend((new_end..new.len()).map(Edit::Keep));
    edits
}

/// The longest common subsequence, by the table of its lengths.
fn middle_edits(old: &[String], new: &[String]) -> Vec<Edit> {
    let all = || (0..old.len()).map(Edit::Remove).chain((0..new.len()).map(Edit::Add)).collect();
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(new.len()) > PAIRS {
        return all();
    }
    let width = new.len() + 1;
    let mut common = vec![0_u16; (old.len() + 1) * width];
    let at = |table: &[u16], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let best = if old.get(i) == new.get(j) {
                at(&common, i + 1, j + 1).saturating_add(1)
            } else {
                at(&common, i + 1, j).max(at(&common, i, j + 1))
            };
            if let Some(cell) = common.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut edits = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old.get(i) == new.get(j) {
            edits.push(Edit::Keep(j));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len() || at(&common, i + 1, j) >= at(&common, i, j + 1))
        {
            edits.push(Edit::Remove(i));
            i += 1;
        } else {
            edits.push(Edit::Add(j));
            j += 1;
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    // HAZ-12
    #[test]
    fn refs_do_not_count_and_new_lines_keep_theirs() {
        let before =
            "- heading \"A\" [level=1, ref=e1]\n- button \"Save\" [ref=e2]\n- link \"B\" [ref=e3]";
        let after =
            "- heading \"A\" [level=1, ref=e7]\n- button \"Saved\" [ref=e8]\n- link \"B\" [ref=e9]";
        let diff = compare(before, after);
        assert_eq!((&diff["additions"], &diff["removals"]), (&json!(1), &json!(1)));
        assert_eq!(
            diff["diff"],
            " - heading \"A\" [level=1, ref=e7]\n-- button \"Save\"\n+- button \"Saved\" [ref=e8]\n - link \"B\" [ref=e9]"
        );
        let same = compare(before, &before.replace("ref=e", "ref=e10"));
        assert_eq!((&same["changed"], &same["unchanged"]), (&json!(false), &json!(3)));
    }

    #[test]
    fn refs_are_found_among_other_attributes() {
        assert_eq!(without_ref("- link \"x\" [ref=e2]"), "- link \"x\"");
        assert_eq!(without_ref("- x [ref=e2, url=u]"), "- x [url=u]");
        assert_eq!(without_ref("- x [checked, ref=e12]: on"), "- x [checked]: on");
        assert_eq!(without_ref("- text ref=eleven"), "- text ref=eleven");
    }

    #[test]
    fn far_changes_are_shown_apart_and_huge_ones_at_once() {
        let lines = |changed: &[usize]| -> String {
            let line = |at: usize| {
                if changed.contains(&at) { format!("new {at}\n") } else { format!("{at}\n") }
            };
            (0..40).map(line).collect()
        };
        let diff = compare(&lines(&[]), &lines(&[3, 30]));
        assert_eq!((&diff["additions"], &diff["removals"]), (&json!(2), &json!(2)));
        assert_eq!(diff["diff"].as_str().unwrap().matches("@@").count(), 2);
        let huge =
            |word: &str| -> String { (0..3_000).map(|at| format!("{word} {at}\n")).collect() };
        let diff = compare(&huge("a"), &huge("b"));
        assert_eq!(diff["removals"], 3_000);
    }
}
