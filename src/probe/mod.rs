//! Questions to the page: scripts that run as `eval` rows around the caller's command.
//!
//! Every script is one expression. Questions catch their own exceptions; only the identity check
//! throws, with a marker in front of the page's own identity (DEC-90).

pub mod report;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const COMMON: &str = include_str!("js/common.js");
const LOOK: &str = include_str!("js/look.js");
const BEFORE: &str = include_str!("js/before.js");
const AFTER: &str = include_str!("js/after.js");

/// What a thrown identity check begins with; upstream puts `Evaluation error: Error: ` before it.
pub const STALE_MARKER: &str = "agent-browser-native:other-document:";
/// How long the observers of a before-row live when no after-row removes them.
const EXPIRE_MS: u32 = 5_000;
/// How long the row in front of a snapshot waits for a document that is still being read.
const PARSE_MS: u32 = 3_000;
/// How long the after-row waits for the first change (DEC-71).
pub const SETTLE_MS: u32 = 300;

/// Which document the next row may run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The one that a snapshot recorded.
    Document {
        /// `performance.timeOrigin` of the top document, as text.
        doc: String,
        /// Identities of all readable frames, where the ref stands in one.
        frames: Option<Vec<String>>,
    },
    /// The one whose before-row armed the observers.
    Armed,
}

/// What a before-row does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Throw when the document is another one.
    pub expect: Option<Expect>,
    /// Watch changes and events until the after-row.
    pub watch: bool,
    /// Stop events that would reach an element which the snapshot had not seen (HAZ-25).
    pub guard: bool,
}

/// What an after-row asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// Wait for the first change, at most this long.
    pub wait_ms: u32,
    /// The text that `fill` sent, to be compared in the page.
    pub fill: Option<String>,
}

/// The row that stands in front of a snapshot, or behind `open`.
#[must_use]
pub fn look_row(mark: bool) -> Vec<String> {
    let ask = json!({ "mark": mark, "parseMs": PARSE_MS });
    eval_row(&script(LOOK, "", "look", &ask))
}

/// The row in front of an acting command, or of a reading one with a ref.
#[must_use]
pub fn before_row(before: &Before) -> Vec<String> {
    let expect = before.expect.as_ref().map(|expect| match expect {
        Expect::Document { doc, frames } => json!({ "doc": doc, "frames": frames }),
        Expect::Armed => json!({ "armed": true }),
    });
    let ask = json!({
        "expect": expect,
        "watch": before.watch,
        "guard": before.guard,
        "marker": STALE_MARKER,
        "expireMs": EXPIRE_MS,
    });
    eval_row(&script(BEFORE, "checkIdentity(ask);", "before", &ask))
}

/// The row behind a command.
#[must_use]
pub fn after_row(after: &After) -> Vec<String> {
    let fill = after.fill.as_ref().map(|sent| json!({ "sent": sent }));
    let ask = json!({ "waitMs": after.wait_ms, "fill": fill });
    eval_row(&script(AFTER, "", "after", &ask))
}

/// A caller's or our own script as a row that no flag parser can touch (HAZ-04).
#[must_use]
pub fn eval_row(script: &str) -> Vec<String> {
    vec!["eval".into(), "-b".into(), STANDARD.encode(script)]
}

/// One expression: the shared helpers, the question, and its answer. An exception becomes a value,
/// because a failing probe must never fail the call; `check` runs outside of that and may throw.
fn script(part: &str, check: &str, name: &str, ask: &Value) -> String {
    format!(
        "(() => {{ {COMMON}{part} const ask = {ask}; {check} \
         try {{ return {name}(ask); }} catch (error) {{ return {{ probeError: String(error) }}; }} \
         }})()"
    )
}
