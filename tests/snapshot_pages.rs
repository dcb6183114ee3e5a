//! Snapshots of real pages: how many bytes a reader gets, and whether the controls a task needs are
//! among them. The pages and the choice of controls are described in `fixtures/pages-real/README.md`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use agent_browser_native::present::snapshot::{Limits, Rendered, SnapshotData, parse, render};
use serde::Deserialize;
use serde_json::Value;

/// The lines that name the file of the whole tree and the artifacts of the session.
const PATH_LINES: usize = 140;

#[derive(Deserialize)]
struct Page {
    controls: Vec<Control>,
}

#[derive(Deserialize)]
struct Control {
    role: String,
    name: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pages-real")
}

fn pages() -> BTreeMap<String, Page> {
    let text = fs::read_to_string(folder().join("controls.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn load(name: &str) -> SnapshotData {
    let text = fs::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    parse(&data).expect(name)
}

fn bytes(rendered: &Rendered) -> usize {
    let lines = rendered.lines.iter().map(|line| line.plain().len() + 1);
    let own = rendered.header.plain().len() + lines.sum::<usize>();
    if rendered.compacted { own + PATH_LINES } else { own }
}

fn missing(data: &SnapshotData, rendered: &Rendered, page: &Page) -> Vec<String> {
    let listed = || rendered.shown.iter().chain(&rendered.omitted_high_value);
    let found = |control: &&Control| {
        listed().any(|id| {
            let info = &data.refs[id];
            info.role == control.role && info.name.trim() == control.name
        })
    };
    let missing = page.controls.iter().filter(|control| !found(control));
    missing.map(|control| format!("{} {:?}", control.role, control.name)).collect()
}

// PRES-SNAP-02, PRES-SNAP-03, PRES-SNAP-04
#[test]
fn real_pages_show_the_controls_that_a_task_needs_in_few_bytes() {
    let mut sizes = Vec::new();
    let mut lost = Vec::new();
    for (name, page) in pages() {
        let data = load(&name);
        let rendered = render(&data, &Limits::SNAPSHOT);
        let view = render(&data, &Limits::VIEW);
        let missing = missing(&data, &rendered, &page);
        println!(
            "{name:26} refs {:5}  tree {:7}  seen {:5}  view {:5}  {}  missing {missing:?}",
            data.refs.len(),
            data.text.len(),
            bytes(&rendered),
            bytes(&view),
            if rendered.compacted { "compact" } else { "whole  " },
        );
        sizes.push(bytes(&rendered));
        lost.extend(missing.into_iter().map(|control| format!("{name}: {control}")));
        if std::env::var_os("SHOW_PAGES").is_some_and(|show| show == *name || show == "all") {
            println!("{}", rendered.header.plain());
            rendered.lines.iter().for_each(|line| println!("{}", line.plain()));
        }
    }
    sizes.sort_unstable();
    let (median, p95) = (sizes[sizes.len() / 2], sizes[sizes.len() * 95 / 100]);
    println!("pages {}, median {median} bytes, p95 {p95} bytes", sizes.len());
    assert!(median <= 2_000, "median {median}");
    assert!(p95 <= 6_000, "p95 {p95}");
    assert!(lost.is_empty(), "{lost:#?}");
}
