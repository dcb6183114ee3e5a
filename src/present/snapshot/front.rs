//! The lines of an open dialog: it lies over the page, so whatever else is listed cannot be pressed.
//!
//! The full tree has the dialog as a line. The interactive list does not: there the page has told the
//! controls of the dialog, which stand together in the order of the page.

use super::score::{self, Use};
use super::tree::Node;
use crate::probe::report::FreshControl;

/// Lines shown of a dialog.
const MOST: usize = 24;
/// Lines between two controls that the page has told: clickable elements around them, controls that
/// it speaks of in other words.
const APART: usize = 6;

/// The lines of the dialog, in the order of the page; none where they cannot be told.
pub(super) fn find(nodes: &[Node<'_>], controls: &[FreshControl]) -> Vec<usize> {
    let range = below_dialog(nodes).or_else(|| run_of(nodes, controls)).unwrap_or(0..0);
    let says = |at: &usize| nodes.get(*at).is_some_and(|node| is_told(nodes, *at, node));
    let mut lines: Vec<usize> = range.filter(says).collect();
    if lines.len() > MOST {
        let is_control =
            |at: &usize| nodes.get(*at).is_some_and(|node| score::base(node).0 == Use::Control);
        lines.sort_by_key(|at| (!is_control(at), *at));
        lines.truncate(MOST);
        lines.sort_unstable();
    }
    lines
}

/// An element with words or a ref that the next line does not say again.
fn is_told(nodes: &[Node<'_>], at: usize, node: &Node<'_>) -> bool {
    let named = !node.name.trim().is_empty();
    let repeated = nodes.get(at + 1).is_some_and(|next| {
        next.depth > node.depth && named && next.name.trim() == node.name.trim()
    });
    (named || score::base(node).0 == Use::Control) && !repeated
}

/// What stands below the first dialog of a full tree.
fn below_dialog(nodes: &[Node<'_>]) -> Option<std::ops::Range<usize>> {
    let is_dialog = |node: &Node<'_>| matches!(node.role, "dialog" | "alertdialog");
    let at = nodes.iter().position(is_dialog)?;
    let depth = nodes.get(at)?.depth;
    let inside = nodes.iter().skip(at + 1).take_while(|node| node.depth > depth).count();
    Some(at + 1..at + 1 + inside)
}

/// From the first to the last of the told controls, where most of them follow each other. Dialogs are
/// mostly written last, so of two such places the later one counts.
fn run_of(nodes: &[Node<'_>], controls: &[FreshControl]) -> Option<std::ops::Range<usize>> {
    let first = controls.iter().position(|told| nodes.iter().any(|node| is_same(node, told)))?;
    let (begin, rest) = controls.get(first..)?.split_first()?;
    let mut best: Option<(usize, usize, usize)> = None;
    for (start, _) in nodes.iter().enumerate().filter(|(_, node)| is_same(node, begin)) {
        let (mut found, mut end) = (1, start);
        for told in rest {
            let ahead = nodes.iter().enumerate().skip(end + 1).take(APART);
            if let Some((at, _)) = ahead.into_iter().find(|(_, node)| is_same(node, told)) {
                (found, end) = (found + 1, at);
            }
        }
        if best.is_none_or(|(most, _, _)| found >= most) {
            best = Some((found, start, end));
        }
    }
    let (found, start, end) = best?;
    (2 * found > controls.len()).then_some(start..end + 1)
}

/// By letters and digits: the page and the tree write blanks and marks differently. The page has cut
/// a long name.
fn is_same(node: &Node<'_>, told: &FreshControl) -> bool {
    const LONG: usize = 40;
    let letters = |name| str::chars(name).filter(|c| c.is_alphanumeric());
    node.role == told.role
        && (letters(&node.name).eq(letters(&told.name))
            || told.name.len() > LONG
                && letters(&told.name).zip(letters(&node.name)).all(|(one, other)| one == other))
}
