//! What the check of a ref's document costs by itself: raw upstream's click beside the same click
//! behind our check, without any other question.

use agent_browser_native::plan::{Owner, Plan, Row as PlanRow, RowKind};
use agent_browser_native::probe::{Before, Expect, before_row};
use serde_json::Value;

use super::figures::Samples;
use super::report::{Budget, Row};
use super::{Refs, bare_rows, in_turn, rested};
use crate::Result;
use crate::world::World;

pub(super) fn measure(world: &World, refs: &Refs, rounds: usize) -> Result<Row> {
    let (_, act) = refs.of("button", "Act")?;
    let click = ["click".to_owned(), act.clone()];
    let checked = checked_click(&document(world)?, &act);
    // The document keeps the scripts from here on, as behind a snapshot of ours.
    world.raw_batch(&String::from_utf8(checked.stdin(false))?)?;
    let rows = String::from_utf8(checked.stdin(true))?;
    let (mut raw_times, mut our_times) = (Samples::default(), Samples::default());
    let mut row_times = Samples::default();
    for round in 0..=rounds {
        let (raw, ours) = in_turn(
            round,
            || world.raw(&[&["--json".to_owned()], &click[..]].concat()),
            || world.raw_batch(&rows),
        )?;
        let bare = rested(|| world.raw(&bare_rows(&click, (true, false))))?;
        // The first round warms both up.
        if round > 0 {
            row_times.push(bare.time);
            raw_times.push(raw.time);
            our_times.push(ours.time);
        }
    }
    println!("click behind the check done");
    Ok(Row {
        name: "click ref, check alone",
        arguments: Value::Null,
        raw: raw_times,
        bare_rows: Some(row_times),
        ours: our_times,
        raw_bytes: 0,
        bytes: 0,
        processes: None,
        budget: Some(Budget::Ratio(1.3)),
    })
}

/// The identity of the raw browser's document.
fn document(world: &World) -> Result<String> {
    let answer = world.raw(&["--json", "eval", "String(performance.timeOrigin)"])?;
    let answer: Value = serde_json::from_str(&answer.text)?;
    let found = answer.pointer("/data/result").and_then(Value::as_str);
    Ok(found.ok_or("the raw page has no identity")?.to_owned())
}

fn checked_click(doc: &str, act: &str) -> Plan {
    let expect = Some(Expect::Document { doc: doc.to_owned(), frames: None });
    let row = |kind, argv| PlanRow { owner: Owner { kind, step: 0 }, argv };
    Plan::of(vec![
        row(RowKind::Before, before_row(&Before { expect, ..Before::default() })),
        row(RowKind::Main, vec!["click".to_owned(), act.to_owned()]),
    ])
}
