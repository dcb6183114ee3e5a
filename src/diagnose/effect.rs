//! The effect verdict (DEC-71): what was seen, and for how long.

use super::{AfterRow, Asked, Evidence};
use crate::plan::about::number;
use crate::plan::rows::Wants;
use crate::plan::{Step, found};
use crate::probe::report::{FreshControl, HeldForm};
use crate::probe::{After, SETTLE_MS};
use crate::session::dialog::from_warning;

/// What an acting command was seen to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nobody looked, or the answer was not understood.
    #[default]
    Unknown,
    /// The document is another one.
    Navigated,
    /// A `confirm` or `prompt` is open.
    DialogOpen,
    /// A download link was hit.
    Download,
    /// The document was about to be left and is still there: the address gave a download, or nothing.
    Stayed,
    /// Something in the page changed; perhaps a new message or dialog.
    Changed {
        /// New text of an `alert` or `status`.
        text: Option<String>,
        /// Name of a dialog that opened in the page.
        dialog: Option<String>,
    },
    /// The element stands in a frame of another origin, which no script of ours can read.
    Unwatched,
    /// An editable element got the focus: what was hit, or this other one.
    Focused(Option<FreshControl>),
    /// The browser kept the form back.
    Held(HeldForm),
    /// Nothing was seen within this time.
    NoChange(u32),
}

/// Commands that wait for the first change.
const WAITING: [&str; 5] = ["click", "dblclick", "tap", "drag", "press"];
/// Commands that are watched without waiting.
const WATCHED: [&str; 12] = [
    "hover",
    "focus",
    "type",
    "check",
    "uncheck",
    "select",
    "upload",
    "keyboard",
    "keydown",
    "keyup",
    "scrollintoview",
    "swipe",
];
/// Commands that get the after-row alone.
const LOCATED: [&str; 4] = ["eval", "scroll", "mouse", "pushstate"];

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let waiting = Wants {
        watch: true,
        requests: true,
        after: Some(After { wait_ms: SETTLE_MS, ..After::default() }),
        ..Wants::default()
    };
    match step.argv.command().map_or("", |command| command.name) {
        name if WAITING.contains(&name) => waiting,
        "find" if matches!(found::action(step), "click" | "check") => waiting,
        name if WATCHED.contains(&name) => {
            Wants { watch: true, after: Some(After::default()), ..Wants::default() }
        }
        // The act that opened it could not look behind itself: its watching goes on until now. While the
        // page is asked, no other dialog may come up: upstream would wait for the answer for 30 s.
        "dialog" if !asks_only(asked.step) => {
            let after = After { rested_ms: SETTLE_MS, ..After::default() };
            Wants { after: Some(after), ..Wants::default() }
        }
        name if LOCATED.contains(&name) => {
            Wants { after: Some(After::default()), ..Wants::default() }
        }
        _ => Wants::default(),
    }
}

fn asks_only(step: &Step) -> bool {
    step.argv.operands().first() == Some(&"status")
}

/// The verdict.
#[must_use]
pub fn verdict(evidence: &Evidence<'_>) -> Effect {
    // An `alert` is answered by upstream itself: `dialogOpened` alone does not say that one waits.
    if evidence.main.warning.as_deref().and_then(from_warning).is_some() {
        return Effect::DialogOpen;
    }
    let after = match evidence.after {
        AfterRow::Navigated | AfterRow::Closed => return Effect::Navigated,
        AfterRow::Silent => return Effect::Unknown,
        AfterRow::Page(page) => page,
    };
    // In front of an open dialog no question can stand.
    let behind_dialog = evidence.known.filter(|_| evidence.step.argv.name() == "dialog");
    let before = evidence.before.map(|page| &page.doc).or(behind_dialog.map(|page| &page.doc));
    if before.is_some_and(|doc| !doc.is_empty() && *doc != after.doc) {
        return Effect::Navigated;
    }
    let Some(effect) = &after.effect else { return Effect::Unknown };
    if let Some(held) = &effect.held {
        Effect::Held(held.clone())
    } else if effect.download && !effect.changed {
        Effect::Download
    } else if effect.changed {
        Effect::Changed { text: effect.text.clone(), dialog: effect.dialog.clone() }
    } else if effect.stayed {
        Effect::Stayed
    } else if effect.focused {
        Effect::Focused(effect.focus.clone())
    } else if !effect.reached && in_foreign_frame(evidence) {
        Effect::Unwatched
    } else {
        // In steps, so that the same wait reads the same.
        let watched = |ms: u32| (ms / 100 * 100).max(SETTLE_MS);
        after.waited_ms.map_or(Effect::Unknown, |ms| Effect::NoChange(watched(ms)))
    }
}

/// The ref stands in a frame, and there is one that cannot be read.
fn in_foreign_frame(evidence: &Evidence<'_>) -> bool {
    let target = evidence.step.argv.target().and_then(|target| number(target.value));
    let info = evidence.refs.zip(target).and_then(|(refs, id)| refs.refs.get(&id));
    let before =
        evidence.before.is_some_and(|page| page.frames.iter().any(|id| id == "other-origin"));
    before && info.is_some_and(|info| info.in_frame)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::command::parse;
    use crate::envelope::Answer;
    use crate::plan::Step;

    fn seen(page: Value) -> Effect {
        let words: Vec<String> = ["click", "#a"].map(str::to_owned).to_vec();
        let step = Step { argv: parse(&words).unwrap(), words };
        let after = AfterRow::Page(Box::new(serde_json::from_value(page).unwrap()));
        verdict(&Evidence {
            step: &step,
            before: None,
            main: &Answer { success: true, ..Answer::default() },
            after: &after,
            refs: None,
            known: None,
            routes: &[],
        })
    }

    // DEC-71
    #[test]
    fn a_form_that_was_kept_back_is_told_before_what_it_changed() {
        let held = json!({ "role": "textbox", "name": "Q", "message": "Fill it.", "more": 0 });
        let effect = json!({ "held": held, "changed": true, "focused": true });
        assert!(
            matches!(seen(json!({ "effect": effect })), Effect::Held(held) if held.name == "Q")
        );
    }

    // DEC-71
    #[test]
    fn the_time_that_was_watched_is_told_in_steps() {
        let watched = |ms: u32| seen(json!({ "waitedMs": ms, "effect": {} }));
        assert_eq!(watched(0), Effect::NoChange(300));
        assert_eq!(watched(304), Effect::NoChange(300));
        assert_eq!(watched(1503), Effect::NoChange(1500));
        assert_eq!(seen(json!({ "effect": {} })), Effect::Unknown);
    }
}
