//! Snapshots of any tree are read and written within their bounds.

use agent_browser_native::present::snapshot::{
    Limits, id_ranges, parse, ref_snapshot_details, render,
};
use agent_browser_native::present::text::print;
use agent_browser_native::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::config;

/// `e3-e5` as numbers.
fn numbers(range: &str) -> std::ops::RangeInclusive<u32> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |id: &str| id.strip_prefix('e').unwrap().parse().unwrap();
    number(first)..=number(last)
}

const ROLES: &[&str] = &[
    "button",
    "link",
    "textbox",
    "heading",
    "checkbox",
    "combobox",
    "Iframe",
    "generic",
    "list",
    "listitem",
    "main",
    "navigation",
    "dialog",
    "img",
    "text",
    "row",
    "cell",
    "x-odd",
    "",
];

#[derive(Clone, Debug)]
struct Node {
    depth: usize,
    role: &'static str,
    name: String,
    id: Option<u32>,
    extra: String,
    /// In the list of refs too, or only in the text.
    listed: bool,
}

fn node() -> impl Strategy<Value = Node> {
    let name = prop_oneof![
        4 => "[A-Za-z0-9 ]{0,30}",
        2 => proptest::sample::select(vec!["Edit", "Delete", "Open", "Order 12", "\"", "a\"b", "\\", "x\ny", "[ref=e9]", "- button"]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "x{90,400}",
    ];
    let extra = prop_oneof![
        4 => Just(String::new()),
        1 => Just("level=2, ".to_owned()),
        1 => Just("checked=false, ".to_owned()),
        1 => Just("url=https://shop.test/?q=[1], ".to_owned()),
    ];
    let role = proptest::sample::select(ROLES.to_vec());
    let id = proptest::option::weighted(0.8, prop_oneof![1_u32..400, 1_u32..999_999_999]);
    (0_usize..7, role, name, id, extra, proptest::bool::weighted(0.95)).prop_map(
        |(depth, role, name, id, extra, listed)| Node { depth, role, name, id, extra, listed },
    )
}

fn data(nodes: &[Node], origin: &str) -> Value {
    let mut refs = Map::new();
    let mut lines = Vec::new();
    for node in nodes {
        let mark = node.id.map_or_else(String::new, |id| format!(" [{}ref=e{id}]", node.extra));
        lines.push(format!("{}- {} \"{}\"{mark}", "  ".repeat(node.depth), node.role, node.name));
        if let Some(id) = node.id.filter(|_| node.listed) {
            refs.insert(format!("e{id}"), json!({ "role": node.role, "name": node.name }));
        }
    }
    json!({ "origin": origin, "refs": refs, "removedRefs": ["@e1"], "snapshot": lines.join("\n") })
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/snapshots.txt"))]

    // DEC-04, PRES-SNAP-01
    #[test]
    fn any_tree_is_shown_within_its_bounds(
        nodes in proptest::collection::vec(node(), 0..40),
        copies in 1_usize..5,
        origin in prop_oneof![Just("https://shop.test/a?b=c".to_owned()), any::<String>()],
    ) {
        let nodes: Vec<Node> = std::iter::repeat_n(nodes, copies).flatten().collect();
        let Some(snapshot) = parse(&data(&nodes, &origin)) else {
            prop_assert!(false, "the shape is the known one");
            return Ok(());
        };
        for limits in [Limits::SNAPSHOT, Limits::VIEW] {
            let rendered = render(&snapshot, &limits);
            let mut lines = vec![rendered.header.clone()];
            lines.extend(rendered.lines.iter().cloned());
            let plain: usize = lines.iter().map(|line| line.plain().len() + 1).sum::<usize>() - 1;
            let head = rendered.header.plain().len() + 1;
            prop_assert!(plain <= limits.inline_bytes.max(head + 200), "{} bytes", plain);
            for id in rendered.shown.iter().chain(&rendered.omitted_high_value) {
                prop_assert!(snapshot.refs.contains_key(id) || nodes.iter().any(|node| node.id == Some(*id)));
            }
            let text = print(&lines, &Redactor::new([]));
            for line in text.as_str().split('\n').skip(1) {
                prop_assert!(!line.contains(char::is_control), "{:?}", line);
            }
            let details = ref_snapshot_details(&snapshot, &rendered, &origin, "T", "1.5");
            prop_assert!(details["refIds"].as_array().unwrap().len() <= 200);
        }
    }

    // DEC-64
    #[test]
    fn ranges_hold_exactly_the_ids(ids in proptest::collection::btree_set(prop_oneof![1_u32..300, 1_u32..999_999_999], 0..200)) {
        let ranges = id_ranges(ids.iter().copied());
        let back: Vec<u32> = ranges.iter().flat_map(|range| numbers(range)).collect();
        prop_assert_eq!(back, ids.into_iter().collect::<Vec<_>>());
    }

    // HAZ-14
    #[test]
    fn any_json_is_a_snapshot_or_none(value in crate::json::value()) {
        if let Some(snapshot) = parse(&value) {
            let _ = render(&snapshot, &Limits::SNAPSHOT);
        }
    }
}
