//! `a11y`: rules that the page breaks, the worst first.

use serde_json::Value;

use super::Shown;
use super::words::{count, counted, first_rows, list, number, row, text};
use crate::line::{Line, cut};
use crate::outcome::Outcome;

/// Rules in the answer.
const ROWS: usize = 40;
/// Elements named per rule.
const NODES: usize = 3;
/// Longest selector of an element, in characters.
const TARGET: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "a11y"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let counts = data.get("counts").unwrap_or(&Value::Null);
    let of = |key: &str| number(counts, key).unwrap_or_else(|| "0".to_owned());
    let head = format!(
        "Accessibility: {} violations, {} to check by hand, {} rules passed on ",
        of("violations"),
        of("incomplete"),
        of("passes"),
    );
    let mut lines = vec![Line::ours(head).url(text(data, "url"))];
    let mut rules: Vec<(&Value, &str)> =
        list(data, "violations").iter().map(|rule| (rule, "")).collect();
    rules.extend(list(data, "incomplete").iter().map(|rule| (rule, "to check: ")));
    rules.sort_by_key(|(rule, mark)| (!mark.is_empty(), rank(text(rule, "impact"))));
    let rows = rules.into_iter().map(|(rule, mark)| rule_row(rule, mark));
    lines.extend(first_rows(rows.collect(), ROWS, "rule"));
    Outcome::success(lines).with_detail("data", data.clone())
}

fn rank(impact: &str) -> usize {
    let order = ["critical", "serious", "moderate", "minor"];
    order.iter().position(|word| *word == impact).unwrap_or(order.len())
}

/// `serious color-contrast: Elements must … (2 nodes: #a, #b)`
fn rule_row(rule: &Value, mark: &str) -> Line {
    let nodes = list(rule, "nodes");
    let named: Vec<String> = nodes.iter().take(NODES).map(target).collect();
    let total = usize::try_from(count(rule, "nodeCount")).unwrap_or(nodes.len());
    row(format!(
        "{mark}{} {}: {} ({}: {})",
        text(rule, "impact"),
        text(rule, "id"),
        text(rule, "help"),
        counted(total, "node"),
        named.join(", "),
    ))
}

fn target(node: &Value) -> String {
    let parts = list(node, "target").iter().filter_map(Value::as_str);
    cut(&parts.collect::<Vec<_>>().join(" "), TARGET)
}
