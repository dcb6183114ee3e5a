//! A dialog, or what upstream names as the cover, stands in front of what was to be clicked
//! (DIAG-OVER, HAZ-16). Its close controls come from one fresh snapshot.

use serde_json::{Value, json};

use super::{AfterRow, Evidence};
use crate::address::without_fragment;
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::Step;
use crate::plan::about::number;
use crate::present::snapshot::{RefInfo, SnapshotData};

/// Names that close something and do nothing else.
const DISMISSING: [&str; 9] = [
    "close",
    "dismiss",
    "no thanks",
    "no, thanks",
    "not now",
    "maybe later",
    "skip",
    "x",
    "close dialog",
];
const CROSSES: [&str; 5] = ["×", "✕", "✖", "✗", "⨯"];
const MOST: usize = 3;

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// A dialog that was there before the click, still is, and does not hold what was clicked.
    Dialog(String),
    /// The element that upstream names in its refusal.
    Cover(String),
}

/// The dialog behind a click on a ref that was seen to do nothing. A dialog that came with the click
/// is its effect; where anything changed, none was in the way.
#[must_use]
pub fn standing(evidence: &Evidence<'_>) -> Option<Blocker> {
    let step = evidence.step;
    let on_ref = step.argv.target().is_some_and(|target| number(target.value).is_some());
    let clicked = evidence.main.data.get("clicked").is_some_and(Value::is_string);
    if step.argv.name() != "click" || !on_ref || !clicked {
        return None;
    }
    let AfterRow::Page(page) = evidence.after else { return None };
    let effect = page.effect.as_ref().filter(|_| page.armed)?;
    let here = without_fragment(&page.url);
    let same_place = evidence.known.is_some_and(|known| without_fragment(&known.url) == here);
    let happened = effect.happened()
        || effect.stopped.is_some()
        || evidence.main.data.get("dialogOpened").is_some_and(|open| open == true);
    if happened || !same_place {
        return None;
    }
    effect.standing.first().cloned().map(Blocker::Dialog)
}

/// The element that upstream names when it refuses to press on a covered one.
#[must_use]
pub fn cover(step: &Step, error: &str) -> Option<Blocker> {
    let presses = matches!(
        step.argv.name(),
        "click" | "dblclick" | "tap" | "check" | "uncheck" | "hover" | "find"
    );
    let cover = named_cover(error).filter(|_| presses)?;
    Some(Blocker::Cover(cover.to_owned()))
}

/// The words for it in upstream's refusal.
#[must_use]
pub fn named_cover(error: &str) -> Option<&str> {
    let (_, rest) = error.split_once(" is covered by ")?;
    rest.split(" at its click point").next()
}

/// What stands in the way, and the controls of a snapshot that look as if they close it.
#[derive(Clone, Debug)]
pub struct Overlay<'a> {
    blocker: &'a Blocker,
    controls: Vec<(u32, &'a RefInfo)>,
}

impl<'a> Overlay<'a> {
    /// `None` where no control closes anything.
    #[must_use]
    pub fn new(blocker: &'a Blocker, data: &'a SnapshotData) -> Option<Self> {
        let controls: Vec<_> = data
            .refs
            .iter()
            .filter(|(_, info)| matches!(info.role.as_str(), "button" | "link" | "menuitem"))
            .filter(|(_, info)| dismisses(&info.name))
            .map(|(id, info)| (*id, info))
            .take(MOST)
            .collect();
        (!controls.is_empty()).then_some(Self { blocker, controls })
    }

    /// The line that names both.
    #[must_use]
    pub fn line(&self) -> Line {
        let mut line = Line::ours("Possible overlay blockers: ");
        line = match self.blocker {
            Blocker::Dialog(name) if name.is_empty() => line.and("a dialog is open"),
            Blocker::Dialog(name) => line.and("the dialog ").quote(name).and(" is open"),
            Blocker::Cover(element) => line.quote(element).and(" covers it"),
        };
        for (at, (id, info)) in self.controls.iter().enumerate() {
            let joint = if at == 0 { "; to close it perhaps " } else { ", " };
            line = line.and(format!("{joint}@e{id}")).role(&info.role, &info.name);
        }
        line.and(".")
    }

    /// `details.overlayBlockers`, without the snapshot that it was seen in.
    #[must_use]
    pub fn details(&self) -> Value {
        let candidates = self.controls.iter().map(|(id, info)| {
            json!({
                "ref": format!("@e{id}"), "role": info.role, "name": info.name,
                "args": ["click", format!("@e{id}")], "reason": "its name closes something",
            })
        });
        let (kind, what) = match self.blocker {
            Blocker::Dialog(name) => ("dialog", name),
            Blocker::Cover(element) => ("cover", element),
        };
        json!({
            "candidates": candidates.collect::<Vec<Value>>(),
            "blocker": { "kind": kind, "name": what },
            "summary": format!("{} control(s) that may close what is in front", self.controls.len()),
        })
    }
}

/// The finding behind a click. `kept` is the snapshot as `details` keep it.
#[must_use]
pub fn judge(blocker: &Blocker, data: &SnapshotData, kept: Value) -> Option<Finding> {
    let overlay = Overlay::new(blocker, data)?;
    let look =
        NextAction::args("inspect-overlay-state", "see what is in front", &["snapshot", "-i"]);
    let close = overlay.controls.iter().enumerate().map(|(at, (id, _))| {
        NextAction::args(
            &format!("try-overlay-blocker-candidate-{}", at + 1),
            "close what is in front",
            &["click".to_owned(), format!("@e{id}")],
        )
        .with_safety("Only when this control clearly closes what is in the way.")
    });
    let mut details = overlay.details();
    details["snapshot"] = kept;
    Some(Finding {
        key: "overlayBlockers",
        details,
        lines: vec![overlay.line()],
        next: [look].into_iter().chain(close).collect(),
        ..Finding::default()
    })
}

fn dismisses(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    DISMISSING.contains(&name.as_str()) || CROSSES.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    // DIAG-OVER-04
    #[test]
    fn only_names_that_close_and_nothing_else_are_candidates() {
        for name in ["Close", " dismiss ", "No thanks", "×", "X"] {
            assert!(dismisses(name), "{name}");
        }
        for name in ["Privacy", "Sign in", "Close account", "Accept all", "", "Extra"] {
            assert!(!dismisses(name), "{name}");
        }
    }
}
