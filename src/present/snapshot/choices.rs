//! The options of a closed list stand in its own line: a reader selects by their words, never by ref.

use serde_json::Value;

use super::tree::Node;
use crate::line::cut;

/// Options named in the line of their list.
const NAMED: usize = 8;
/// Longest name of an option.
const NAME_CHARS: usize = 40;

/// Moves the options of every closed combobox into its line.
pub(super) fn fold<'a>(nodes: Vec<Node<'a>>) -> Vec<Node<'a>> {
    let mut kept: Vec<Node<'a>> = Vec::with_capacity(nodes.len());
    let mut options: Vec<String> = Vec::new();
    // The level of the list whose options are read.
    let mut list: Option<usize> = None;
    for node in nodes {
        match list {
            Some(depth) if node.role == "option" && node.depth > depth => {
                options.push(node.name.trim().to_owned());
                continue;
            }
            Some(_) => finish(&mut kept, &mut options),
            None => {}
        }
        list = is_closed_list(&node).then_some(node.depth);
        kept.push(node);
    }
    finish(&mut kept, &mut options);
    kept
}

fn is_closed_list(node: &Node<'_>) -> bool {
    node.role == "combobox" && node.tail().contains("expanded=false")
}

/// `(options: "Draft", "Published")`, behind the value of the list, which is the last line kept.
fn finish(kept: &mut [Node<'_>], options: &mut Vec<String>) {
    let Some(list) = kept.last_mut().filter(|_| !options.is_empty()) else { return };
    let name = |option: &String| Value::String(cut(option, NAME_CHARS)).to_string();
    let names: Vec<String> = options.iter().take(NAMED).map(name).collect();
    let left = options.len().saturating_sub(NAMED);
    let more = if left > 0 { format!(" and {left} more") } else { String::new() };
    let line = list.line.to_mut();
    line.push_str(&format!(" (options: {}{more})", names.join(", ")));
    options.clear();
}
