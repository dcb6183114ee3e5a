//! A QA preset beside the same rows as a raw batch, which wait for the page as long as ours do.

use agent_browser_native::input::decode;
use serde_json::json;

use super::figures::Samples;
use super::in_turn;
use super::report::{Budget, Row};
use crate::Result;
use crate::world::{Ours, World};

/// Every call waits for the page to settle, which takes about a second.
const ROUNDS: usize = 10;

pub(super) fn measure(world: &World, ours: &mut Ours) -> Result<Row> {
    let arguments = json!({ "qa": { "url": world.url("/bench.html"), "expectedText": "Bench" } });
    let input = decode(&arguments).map_err(|refusal| format!("{refusal:?}"))?;
    let rows = json!(input.mode.compile().rows.unwrap_or_default()).to_string();
    let (mut raw_times, mut our_times) = (Samples::default(), Samples::default());
    let (mut raw_bytes, mut text) = (0, String::new());
    for round in 0..=ROUNDS {
        let (raw, our) = in_turn(round, || world.raw_batch(&rows), || ours.call_with(&arguments))?;
        if our.is_error {
            return Err(format!("qa failed: {}", our.text).into());
        }
        // The first round warms both up.
        if round > 0 {
            raw_times.push(raw.time);
            our_times.push(our.time);
        }
        (raw_bytes, text) = (raw.text.trim_end().len(), our.text);
    }
    println!("qa done");
    Ok(Row {
        name: "qa of a small page",
        arguments,
        bare_rows: None,
        raw: raw_times,
        ours: our_times,
        raw_bytes,
        bytes: text.len(),
        processes: None,
        budget: Some(Budget::Ratio(1.5)),
    })
}
