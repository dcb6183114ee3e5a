//! Costs of the pure stages that every call pays: command line, redaction, snapshot presentation.

#![allow(missing_docs, reason = "the macros of criterion make public functions without any")]

use std::hint::black_box;

use agent_browser_native::command::{Facts, check, parse};
use agent_browser_native::line::Line;
use agent_browser_native::present::snapshot::{Limits, SnapshotData, parse as read, render};
use agent_browser_native::present::text::print;
use agent_browser_native::redact::Redactor;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Map, Value, json};

fn tokens(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

fn command_line(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("argv");
    for (name, words) in [
        ("get title", tokens(&["get", "title"])),
        ("fill", tokens(&["--session", "s", "fill", "@e12", "ann@shop.test"])),
        (
            "open with flags",
            tokens(&["--headed", "--profile", "Work", "open", "https://shop.test"]),
        ),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let Ok(argv) = parse(black_box(&words)) else { return };
                let facts = Facts { argv: &argv, has_stdin: false };
                let _ = black_box(check(&facts));
            });
        });
    }
    group.finish();
}

/// An answer of `snapshot -i` with this many controls.
fn answer(count: usize) -> Value {
    let mut refs = Map::new();
    let mut lines = Vec::with_capacity(count);
    for number in 1..=count {
        let (role, name) = match number % 3 {
            0 => ("link", format!("Order {number}, Ada Byron")),
            1 => ("button", format!("Edit {number}")),
            _ => ("textbox", format!("Qty {number}")),
        };
        refs.insert(format!("e{number}"), json!({ "role": role, "name": name }));
        lines.push(format!("- {role} \"{name}\" [ref=e{number}]"));
    }
    json!({ "origin": "https://shop.test/orders", "refs": refs, "snapshot": lines.join("\n") })
}

fn redaction(criterion: &mut Criterion) {
    let gate = Redactor::new(["hunter2-and-more".to_owned()]);
    let mut group = criterion.benchmark_group("redact");
    let page: String = (0..200)
        .map(|row| {
            format!("Row {row}: total 12.50, see https://shop.test/orders?id={row}&page=2\n")
        })
        .collect();
    group.throughput(Throughput::Bytes(page.len() as u64));
    group.bench_function("page text", |bencher| bencher.iter(|| gate.text(black_box(&page))));
    let envelope = answer(300);
    group.throughput(Throughput::Bytes(envelope.to_string().len() as u64));
    group.bench_function("snapshot json", |bencher| {
        bencher.iter(|| gate.json(black_box(&envelope)))
    });
    let lines = [Line::ours("Clicked @e5 button ").quote("Sign in").and(". Page changed.")];
    group.throughput(Throughput::Elements(1));
    group.bench_function("one line", |bencher| bencher.iter(|| print(black_box(&lines), &gate)));
    group.bench_function("new gate", |bencher| {
        bencher.iter(|| Redactor::new([black_box("hunter2-and-more").to_owned()]));
    });
    group.finish();
}

fn show(snapshot: &SnapshotData, limits: &Limits, gate: &Redactor) -> usize {
    let rendered = render(snapshot, limits);
    let mut lines = vec![rendered.header];
    lines.extend(rendered.lines);
    print(&lines, gate).len()
}

fn snapshots(criterion: &mut Criterion) {
    let gate = Redactor::new([]);
    let mut group = criterion.benchmark_group("snapshot");
    for count in [20, 3_000] {
        let answer = answer(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(format!("read {count}"), |bencher| {
            bencher.iter(|| read(black_box(&answer)));
        });
        let Some(snapshot) = read(&answer) else { continue };
        group.bench_function(format!("show {count}"), |bencher| {
            bencher.iter(|| show(black_box(&snapshot), &Limits::SNAPSHOT, &gate));
        });
    }
    group.finish();
}

criterion_group!(stages, command_line, redaction, snapshots);
criterion_main!(stages);
