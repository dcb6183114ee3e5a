//! Elements around one control that only repeat its name: a label, a cell of a table.

use super::tree::Node;

/// Leaves out every element that only wraps the next one and is called like it.
pub(super) fn drop<'a>(nodes: Vec<Node<'a>>) -> Vec<Node<'a>> {
    let mut kept: Vec<Node<'a>> = Vec::with_capacity(nodes.len());
    for mut node in nodes {
        if let Some(outer) = kept.pop_if(|outer| only_wraps(outer, &node)) {
            move_out(&mut node, outer.depth);
        }
        kept.push(node);
    }
    kept
}

/// Gives the element the level of what stood around it.
fn move_out(node: &mut Node<'_>, depth: usize) {
    let blanks = 2 * node.depth.saturating_sub(depth);
    if let Some(line) = node.line.get(blanks..) {
        node.line = line.to_owned().into();
        node.head_len = node.head_len.saturating_sub(blanks);
        node.depth = depth;
    }
}

/// A press on a label does what a press on its control does; anything else that takes a press of its
/// own stays.
fn only_wraps(outer: &Node<'_>, inner: &Node<'_>) -> bool {
    let wraps = match outer.role {
        "LabelText" => true,
        "cell" | "gridcell" | "rowheader" | "columnheader" | "listitem" | "generic" => {
            !outer.tail().contains("] clickable [")
        }
        _ => false,
    };
    wraps
        && inner.depth > outer.depth
        && inner.id.is_some()
        && !inner.name.trim().is_empty()
        && inner.name.trim() == outer.name.trim()
}
