//! Scrolls that upstream takes and ignores, as scripts of ours (DEC-25).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::eval_row;
use crate::command::{Edge, ScrollAmount, ScrollShim};

const SCROLL: &str = include_str!("js/scroll.js");
/// What upstream moves when no amount is given.
const DEFAULT_PIXELS: u32 = 300;

/// The row that scrolls. A container that is not there fails it in upstream's own words.
#[must_use]
pub fn scroll_row(shim: &ScrollShim) -> Vec<String> {
    let (name, ask) = match shim {
        ScrollShim::Container { selector, direction, amount } => {
            let (pixels, percent) = match amount {
                ScrollAmount::Default => (DEFAULT_PIXELS, None),
                ScrollAmount::Pixels(pixels) => (*pixels, None),
                ScrollAmount::Percent(percent) => (0, Some(*percent)),
            };
            let missing = format!(
                "Element not found: {selector}. Verify the selector, role, or name is correct and \
                 the element exists in the DOM."
            );
            let ask = json!({
                "selector": selector, "direction": direction.word(), "pixels": pixels,
                "percent": percent, "missing": missing,
            });
            ("scrollContainer", ask)
        }
        ScrollShim::Page(edge) => ("scrollPage", json!({ "edge": edge.word() })),
    };
    eval_row(&format!(
        "(() => {{ {SCROLL} const ask = {ask}; const report = {name}(ask); \
         return whenHeard(report).then(() => ({{ {name}: report }})); }})()"
    ))
}

impl Edge {
    /// The word of the command.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::End => "end",
        }
    }
}

/// A position in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Position {
    pub x: i64,
    pub y: i64,
}

/// What the scrolling script saw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScrollReport {
    /// There is something to scroll in that direction.
    pub scrollable: bool,
    /// Where it stood.
    pub before: Position,
    /// Where it stands.
    pub after: Position,
    /// The farthest that it can stand.
    pub max: Position,
    /// It stands elsewhere now.
    pub moved: bool,
    /// How many elements the selector matches; the first was scrolled.
    pub matches: u64,
}

impl ScrollReport {
    /// The report in the answer of a scrolling row, with its key in `details` and as it came.
    #[must_use]
    pub fn from_eval(data: &Value) -> Option<(&'static str, Self, &Value)> {
        let result = data.get("result")?;
        let (key, evidence) = ["scrollContainer", "scrollPage"]
            .into_iter()
            .find_map(|key| Some((key, result.get(key)?)))?;
        let report = serde_json::from_value(evidence.clone()).ok()?;
        Some((key, report, evidence))
    }
}
