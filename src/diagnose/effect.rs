//! The effect verdict (DEC-71): what was seen, and for how long.

use super::{AfterRow, Asked, Evidence};
use crate::plan::rows::{Wants, number};
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
    /// Something in the page changed; perhaps a new message or dialog.
    Changed {
        /// New text of an `alert` or `status`.
        text: Option<String>,
        /// Name of a dialog that opened in the page.
        dialog: Option<String>,
    },
    /// An editable element got the focus.
    Focused,
    /// The element stands in a frame of another origin, which no script of ours can read.
    Unwatched,
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
        guard: false,
        after: Some(After { wait_ms: SETTLE_MS, ..After::default() }),
    };
    match step.argv.command().map_or("", |command| command.name) {
        name if WAITING.contains(&name) => waiting,
        "find"
            if step
                .argv
                .words
                .get(3)
                .is_some_and(|action| action == "click" || action == "check") =>
        {
            waiting
        }
        name if WATCHED.contains(&name) => {
            Wants { watch: true, guard: false, after: Some(After::default()) }
        }
        name if LOCATED.contains(&name) => {
            Wants { watch: false, guard: false, after: Some(After::default()) }
        }
        _ => Wants::default(),
    }
}

/// The verdict.
#[must_use]
pub fn verdict(evidence: &Evidence<'_>) -> Effect {
    // An `alert` is answered by upstream itself: `dialogOpened` alone does not say that one waits.
    if evidence.main.warning.as_deref().and_then(from_warning).is_some() {
        return Effect::DialogOpen;
    }
    let after = match evidence.after {
        AfterRow::Navigated => return Effect::Navigated,
        AfterRow::Silent => return Effect::Unknown,
        AfterRow::Page(page) => page,
    };
    if let Some(before) = evidence.before
        && !before.doc.is_empty()
        && before.doc != after.doc
    {
        return Effect::Navigated;
    }
    let Some(effect) = &after.effect else { return Effect::Unknown };
    if effect.download && !effect.changed {
        Effect::Download
    } else if effect.changed {
        Effect::Changed { text: effect.text.clone(), dialog: effect.dialog.clone() }
    } else if effect.focused {
        Effect::Focused
    } else if !effect.reached && in_foreign_frame(evidence) {
        Effect::Unwatched
    } else {
        after.waited_ms.map_or(Effect::Unknown, |_| Effect::NoChange(SETTLE_MS))
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
