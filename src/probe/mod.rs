//! Questions to the page: scripts that run as `eval` rows around the caller's command.
//!
//! Every script is one expression. Questions catch their own exceptions. What must keep the command
//! from running throws, with a marker in front that says why: another document (DEC-90), a field that
//! takes no text, a step in front that failed, scripts that the document does not have.

mod anchor;
pub mod closers;
mod focus;
mod hand;
pub mod library;
pub mod reliance;
pub mod report;
mod scroll;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use library::{answered, call_row, look_call_row, plain_row};

pub use anchor::{AnchorFile, anchor_row};
pub use focus::focus_row;
pub use hand::Hand;
pub use scroll::{ScrollReport, scroll_row};

/// What a thrown identity check begins with; upstream puts `Evaluation error: Error: ` before it.
pub const STALE_MARKER: &str = "agent-browser-native:other-document:";
/// What the check begins with when the ref may be found again in an element that the snapshot did not
/// have (HAZ-25).
pub const REFOUND_MARKER: &str = "agent-browser-native:may-be-refound:";
/// What the check begins with when the element of the ref holds another item by now (HAZ-25).
pub const TAKEN_MARKER: &str = "agent-browser-native:taken-over:";
/// What the row in front of a `find` begins with when its first match is not the exact one.
pub const EXACT_MARKER: &str = "agent-browser-native:exact-match-behind:";
/// The question how many elements fit the words of a `find`, and which one was met.
pub const FOUND: &str = "found";
/// The attribute that stays on what `find` has found until it is clicked.
pub const FOUND_MARK: &str = "data-agent-browser-found";
/// What the check begins with when text is meant for an element that takes none (HAZ-19).
pub const NO_TEXT_MARKER: &str = "agent-browser-native:takes-no-text:";
/// What the check begins with when upstream's own command has to fill the field.
pub const HAND_OVER_MARKER: &str = "agent-browser-native:fill-it:";
/// What a row behind a command begins with where no row may follow: a step of a batch did not take
/// effect, or nothing more is to be seen.
pub const FAILED_MARKER: &str = "agent-browser-native:no-effect:";
/// How long a step of a job waits for the element that it means.
pub const READY_MS: u32 = 2_000;
/// How long the observers of a before-row live when no after-row removes them.
const EXPIRE_MS: u32 = 5_000;
/// How long the row in front of a snapshot waits for a document that is still being read.
const PARSE_MS: u32 = 3_000;
/// A document is young for so long: its scripts may not have drawn it yet.
const YOUNG_MS: u32 = 5_000;
/// Fewer characters than these, and few controls, are not yet a page.
const LITTLE_TEXT: u32 = 500;
/// How long the row in front of a snapshot waits for scripts that draw the page.
const DRAW_MS: u32 = 2_500;
/// A pause of this length in the drawing is its end.
const PAUSE_MS: u32 = 250;
/// How long the after-row waits for the first change (DEC-71).
pub const SETTLE_MS: u32 = 300;
/// How much longer it waits while a request that the command began has no answer.
const WORK_MS: u32 = 1_200;
/// How long a page may move before a covered element counts as covered.
const STILL_MS: u32 = 700;
/// How long nothing must move until nothing more is expected to.
const QUIET_MS: u32 = 250;

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
    /// Any but a blank one.
    NotBlank,
}

/// The element that a command means, as a script looks it up. Where it is not exactly one, nothing
/// is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// By CSS.
    Selector(String),
    /// By `XPath`.
    XPath(String),
    /// By what the snapshot said of a ref.
    Ref {
        /// Accessible role.
        role: String,
        /// Accessible name.
        name: String,
        /// Its place among those of the same role and name.
        index: u32,
        /// How many of them there are.
        count: usize,
    },
    /// By the words of a `find`, where one element alone fits them.
    Found {
        /// `label`, `placeholder`, `testid`, `alt` or `title`.
        locator: String,
        /// What it looks for.
        value: String,
        /// As a whole.
        exact: bool,
    },
}

impl Aim {
    fn ask(&self) -> Value {
        match self {
            Self::Selector(selector) => json!({ "selector": selector }),
            Self::XPath(path) => json!({ "xpath": path }),
            Self::Ref { role, name, index, count } => {
                json!({ "role": role, "name": name, "index": index, "count": count })
            }
            Self::Found { locator, value, exact } => {
                json!({ "locator": locator, "value": value, "exact": exact })
            }
        }
    }
}

/// A question of one diagnostic, which the library holds under its id: a function for each side of the
/// command, and what both are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The name under which its answers come back.
    pub id: &'static str,
    /// What its functions are told.
    pub ask: Value,
    /// It stands in front of the command too.
    pub in_front: bool,
}

impl Question {
    /// Where the page and its scroll containers stand, and where they are after at most `wait_ms`.
    #[must_use]
    pub fn scroll_position(wait_ms: u32) -> Self {
        Self { id: "scroll", ask: json!({ "waitMs": wait_ms }), in_front: true }
    }

    /// Whether a trusted press reaches the element.
    #[must_use]
    pub fn press(aim: &Aim) -> Self {
        Self { id: "press", ask: aim.ask(), in_front: true }
    }

    /// Whether the focused combobox shows choices, at the latest after `wait_ms`.
    #[must_use]
    pub fn combobox(wait_ms: u32) -> Self {
        Self { id: "combobox", ask: json!({ "waitMs": wait_ms }), in_front: true }
    }

    /// How many elements fit the locator of a `find`, and a mark on the one that it means.
    #[must_use]
    pub fn found(locator: &Value) -> Self {
        Self { id: FOUND, ask: locator.clone(), in_front: true }
    }

    /// Errors that nobody catches and requests that fail while the command runs.
    #[must_use]
    pub fn trouble() -> Self {
        Self { id: "trouble", ask: Value::Null, in_front: true }
    }

    /// Whose code runs in the document.
    #[must_use]
    pub fn scripts() -> Self {
        Self { id: "scripts", ask: Value::Null, in_front: false }
    }

    /// Whether a control is checked as wanted, at the latest after some time.
    #[must_use]
    pub fn checked(aim: Option<&Aim>, wanted: bool) -> Self {
        let ask = json!({ "aim": aim.map(Aim::ask), "wanted": wanted });
        Self { id: "checked", ask, in_front: true }
    }

    /// Whether a list has taken a choice, and still shows it.
    #[must_use]
    pub fn selected(aim: Option<&Aim>) -> Self {
        Self { id: "selected", ask: json!({ "aim": aim.map(Aim::ask) }), in_front: true }
    }

    /// What selectors match, and which of that can be seen.
    #[must_use]
    pub fn texts(selectors: &[&str]) -> Self {
        Self { id: "texts", ask: json!({ "selectors": selectors }), in_front: false }
    }
}

/// What a before-row does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Throw when the document is another one.
    pub expect: Option<Expect>,
    /// Watch changes and events until the after-row.
    pub watch: bool,
    /// Also watch the requests that the page begins.
    pub requests: bool,
    /// Stop events that would reach an element which the snapshot had not seen (HAZ-25).
    pub guard: bool,
    /// What those events come from.
    pub hand: Hand,
    /// Throw when controls of the snapshot are gone and new ones are there (HAZ-25).
    pub refound: bool,
    /// What the ref means: throw when its element holds another item by now (HAZ-25).
    pub meant: Option<Aim>,
    /// The element that a text is meant for: throw when it takes none (HAZ-19).
    pub field: Option<Aim>,
    /// The text replaces what the element holds.
    pub replaces: bool,
    /// Give the field the focus and select what it holds: the next row inserts the text. Throw where
    /// that cannot be had.
    pub takes_up: bool,
    /// Questions of single diagnostics.
    pub questions: Vec<Question>,
    /// The element that is waited for, in the form of `plan::ready`.
    pub ready: Option<Value>,
}

/// What an after-row asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// Wait for the first change, at most this long.
    pub wait_ms: u32,
    /// How long the row in front of it rests instead.
    pub rested_ms: u32,
    /// The text that `fill` sent, to be compared in the page.
    pub fill: Option<String>,
    /// The field that the text is meant for, where it can be looked up.
    pub aim: Option<Aim>,
    /// What kind of field typed text went into (DEC-68).
    pub typed: bool,
    /// Name the finished requests that have no status.
    pub resources: bool,
    /// Questions of single diagnostics; some stand in front of the command too.
    pub questions: Vec<Question>,
    /// Fail where the command did not take effect, so that no row follows.
    pub stops: bool,
}

impl After {
    /// The command sends a text to a field.
    #[must_use]
    pub fn sends_text(&self) -> bool {
        self.fill.is_some() || self.typed
    }

    /// What both ask.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let Self { wait_ms, rested_ms, fill, aim, typed, resources, mut questions, stops } = self;
        questions.extend(other.questions);
        Self {
            wait_ms: wait_ms.max(other.wait_ms),
            rested_ms: rested_ms.max(other.rested_ms),
            fill: fill.or(other.fill),
            aim: aim.or(other.aim),
            typed: typed || other.typed,
            resources: resources || other.resources,
            questions,
            stops: stops || other.stops,
        }
    }
}

/// The row that stands in front of a snapshot, or behind `open`.
#[must_use]
pub fn look_row(mark: bool) -> Vec<String> {
    look(mark, false)
}

/// The same behind an act that has left its document: also what that one has said.
#[must_use]
pub fn arrival_row(mark: bool) -> Vec<String> {
    look(mark, true)
}

fn look(mark: bool, note: bool) -> Vec<String> {
    let ask = json!({
        "mark": mark,
        "note": note,
        "parseMs": PARSE_MS,
        "youngMs": YOUNG_MS,
        "littleText": LITTLE_TEXT,
        "drawMs": DRAW_MS,
        "pauseMs": PAUSE_MS,
    });
    // Marks are made where acts follow: these find the library there.
    match mark {
        true => call_row(&answered("look(ask)"), &ask),
        false => plain_row("look(ask)", &ask),
    }
}

/// The row that asks what can be read on the page, at most `limit` characters of it.
#[must_use]
pub fn shows_row(limit: usize) -> Vec<String> {
    call_row(&answered("shows(ask)"), &json!({ "limit": limit }))
}

/// The row in front of an acting command, or of a reading one with a ref.
#[must_use]
pub fn before_row(before: &Before) -> Vec<String> {
    let expect = before.expect.as_ref().map(|expect| match expect {
        Expect::Document { doc, frames } => json!({ "doc": doc, "frames": frames }),
        Expect::Armed => json!({ "armed": true }),
        Expect::NotBlank => json!({ "notBlank": true }),
    });
    let ask = json!({
        "expect": expect,
        "watch": before.watch,
        "requests": before.requests,
        "guard": before.guard,
        "hand": before.hand.word(),
        "marker": STALE_MARKER,
        "refound": before.refound,
        "refoundMarker": REFOUND_MARKER,
        "meant": before.meant.as_ref().map(Aim::ask),
        "takenMarker": TAKEN_MARKER,
        "field": before.field.as_ref().map(Aim::ask),
        "replaces": before.replaces,
        "noTextMarker": NO_TEXT_MARKER,
        "takesUp": before.takes_up,
        "handOverMarker": HAND_OVER_MARKER,
        "expireMs": EXPIRE_MS,
        "ready": before.ready,
    });
    let mut checks = String::new();
    if before.field.is_some() {
        checks.push_str("checkField(ask);");
    }
    if let Some(found) = before.questions.iter().find(|question| question.id == FOUND) {
        checks.push_str(&format!("checkExact({});", found.ask));
    }
    let answer = answered(&with_questions("before(ask)", "askInFront", &before.questions));
    let body = match before.ready {
        // Only an element that is there tells whether it takes text.
        Some(_) => format!("return whenThere(ask.ready).then(() => {{ {checks} {answer} }});"),
        None if before.takes_up => {
            // It refuses what the check of the field would.
            format!("const page = (() => {{ {answer} }})(); takeUp(ask); return page;")
        }
        None => format!("{checks} {answer}"),
    };
    call_row(&format!("checkIdentity(ask); {body}"), &ask)
}

/// The row behind a command.
#[must_use]
pub fn after_row(after: &After) -> Vec<String> {
    let mut answer = answer_behind(after);
    if after.stops {
        answer = format!("stopIfFailed({}, {answer})", json!(FAILED_MARKER));
    }
    call_row(&answered(&answer), &ask_behind(after))
}

/// The first of several looks behind a command, which throws its answer once there is one.
#[must_use]
pub fn first_look_row(after: &After) -> Vec<String> {
    let body = format!("return lookBehind(ask, () => {});", answer_behind(after));
    look_call_row(&body, &ask_behind(after))
}

/// A further look. The last one has an answer in any case.
#[must_use]
pub fn next_look_row(last: bool) -> Vec<String> {
    look_call_row("return lookAgain(ask);", &json!({ "last": last, "marker": FAILED_MARKER }))
}

fn ask_behind(after: &After) -> Value {
    json!({
        "marker": FAILED_MARKER,
        "waitMs": after.wait_ms,
        "restedMs": after.rested_ms,
        "workMs": WORK_MS,
        "fill": after.fill.as_ref().map(|sent| json!({ "sent": sent })),
        "aim": after.aim.as_ref().map(Aim::ask),
        "resources": after.resources,
        "typed": after.typed,
    })
}

fn answer_behind(after: &After) -> String {
    with_questions("after(ask)", "askBehind", &after.questions)
}

/// The row that waits until the element is free or nothing of the page moves, for a limited time.
#[must_use]
pub fn still_row(aim: Option<&Aim>) -> Vec<String> {
    let ask = json!({ "aim": aim.map(Aim::ask), "limitMs": STILL_MS, "quietMs": QUIET_MS });
    call_row(&answered("whenStill(ask)"), &ask)
}

/// The expression that answers the questions too.
fn with_questions(answer: &str, asks: &str, list: &[Question]) -> String {
    if list.is_empty() {
        return answer.to_owned();
    }
    let told: Map<String, Value> =
        list.iter().map(|question| (question.id.to_owned(), question.ask.clone())).collect();
    format!("{asks}({}, {answer})", Value::Object(told))
}

/// A caller's or our own script as a row that no flag parser can touch (HAZ-04).
#[must_use]
pub fn eval_row(script: &str) -> Vec<String> {
    vec!["eval".into(), "-b".into(), STANDARD.encode(script)]
}
