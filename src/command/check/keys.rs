//! Keys: upstream sends an event without a key for names that it does not know, and succeeds.

use super::Facts;
use crate::command::table::edit_distance;
use crate::error::{Checked, Refusal};
use crate::line::Line;

/// Names that `press` knows in any spelling of case.
const PRESS_NAMES: [&str; 20] = [
    "enter",
    "return",
    "tab",
    "escape",
    "esc",
    "backspace",
    "delete",
    "space",
    "arrowup",
    "arrowdown",
    "arrowleft",
    "arrowright",
    "up",
    "down",
    "left",
    "right",
    "home",
    "end",
    "pageup",
    "pagedown",
];

/// Modifiers in front of a `+`, in any spelling of case.
const MODIFIERS: [&str; 7] = ["control", "ctrl", "alt", "shift", "meta", "cmd", "command"];

/// Names of the browser itself, in exactly this spelling; function keys apart.
const BROWSER_NAMES: [&str; 93] = [
    "Enter",
    "Tab",
    "Escape",
    "Backspace",
    "Delete",
    "Insert",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Control",
    "Alt",
    "AltGraph",
    "Shift",
    "Meta",
    "Super",
    "Hyper",
    "Fn",
    "FnLock",
    "Symbol",
    "SymbolLock",
    "CapsLock",
    "NumLock",
    "ScrollLock",
    "PrintScreen",
    "Pause",
    "ContextMenu",
    "Accept",
    "Again",
    "Attn",
    "Cancel",
    "Clear",
    "Copy",
    "CrSel",
    "Cut",
    "EraseEof",
    "ExSel",
    "Execute",
    "Find",
    "Help",
    "Open",
    "Paste",
    "Play",
    "Props",
    "Redo",
    "Select",
    "Undo",
    "ZoomIn",
    "ZoomOut",
    "BrightnessDown",
    "BrightnessUp",
    "Eject",
    "LogOff",
    "Power",
    "Hibernate",
    "Standby",
    "WakeUp",
    "AllCandidates",
    "Alphanumeric",
    "CodeInput",
    "Compose",
    "Convert",
    "Dead",
    "FinalMode",
    "ModeChange",
    "NextCandidate",
    "NonConvert",
    "PreviousCandidate",
    "Process",
    "SingleCandidate",
    "KanaMode",
    "KanjiMode",
    "AudioVolumeDown",
    "AudioVolumeMute",
    "AudioVolumeUp",
    "MediaPause",
    "MediaPlay",
    "MediaPlayPause",
    "MediaStop",
    "MediaTrackNext",
    "MediaTrackPrevious",
    "BrowserBack",
    "BrowserFavorites",
    "BrowserForward",
    "BrowserHome",
    "BrowserRefresh",
    "BrowserSearch",
    "BrowserStop",
    "LaunchMail",
];

/// Names from elsewhere and what they are called here.
const OTHER_NAMES: [(&str, &str); 16] = [
    ("del", "Delete"),
    ("ins", "Insert"),
    ("ctrl", "Control"),
    ("control", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
    ("windows", "Meta"),
    ("super", "Meta"),
    ("option", "Alt"),
    ("opt", "Alt"),
    ("controlormeta", "Control"),
    ("commandorcontrol", "Control"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("spacebar", "Space"),
];

/// DEC-23, IN-ARGS-07, HAZ-26: exactly one key, and one that upstream knows.
pub(super) fn one_key(facts: &Facts<'_>) -> Checked<()> {
    let name = facts.argv.name();
    if !matches!(name, "press" | "keydown" | "keyup") {
        return Ok(());
    }
    match facts.argv.operands().as_slice() {
        [key] if name == "press" => known(key, press_problem(key)),
        [key] => known(key, hold_problem(key)),
        other => Err(Refusal::invalid(format!(
            "{name} takes exactly one key, but got {}. Focus or click the element in a call of its \
             own first, then send the key; for text use keyboard type.",
            other.len()
        ))),
    }
}

/// The part of the key that nobody knows, and why.
struct Problem<'a> {
    part: &'a str,
    modifier: bool,
}

fn known(key: &str, problem: Option<Problem<'_>>) -> Checked<()> {
    let Some(problem) = problem else {
        return Ok(());
    };
    let what = if problem.modifier { "modifier" } else { "key" };
    let line = Line::ours(format!("unknown {what} ")).quote(problem.part);
    let line = if problem.part == key { line } else { line.and(" in ").quote(key) };
    let line = match suggestion(problem.part) {
        Some(name) if name != problem.part => line.and(format!("; did you mean {name}?")),
        _ => line
            .and("; keys are one character, or a name such as Enter, Tab, Escape, ArrowDown, F5."),
    };
    let line = match problem.modifier {
        true => line.and(" Modifiers are Control, Alt, Shift and Meta; hold one with keydown."),
        false => line,
    };
    Err(Refusal::invalid(line.and(" For text use keyboard type.")))
}

/// `press` takes modifiers in front of the key.
fn press_problem(key: &str) -> Option<Problem<'_>> {
    let (modifiers, base) = match (key.strip_suffix("++"), key.rsplit_once('+')) {
        _ if key == "+" => (None, key),
        (Some(modifiers), _) => (Some(modifiers), "+"),
        (None, Some((modifiers, base))) => (Some(modifiers), base),
        (None, None) => (None, key),
    };
    let bad = modifiers
        .into_iter()
        .flat_map(|modifiers| modifiers.split('+'))
        .find(|one| !MODIFIERS.contains(&one.to_ascii_lowercase().as_str()));
    if let Some(part) = bad {
        return Some(Problem { part, modifier: true });
    }
    let known = is_browser_key(base) || PRESS_NAMES.contains(&base.to_ascii_lowercase().as_str());
    (!known).then_some(Problem { part: base, modifier: false })
}

/// `keydown` and `keyup` know the browser's own names only, and no combinations.
fn hold_problem(key: &str) -> Option<Problem<'_>> {
    let combination = key.chars().count() > 1 && key.contains('+');
    (!is_browser_key(key)).then_some(Problem { part: key, modifier: combination })
}

fn is_browser_key(key: &str) -> bool {
    let function_key = key
        .strip_prefix('F')
        .filter(|number| !number.starts_with(['0', '+']))
        .and_then(|number| number.parse::<u8>().ok())
        .is_some_and(|number| (1..=24).contains(&number));
    key.chars().count() == 1 || function_key || BROWSER_NAMES.contains(&key)
}

fn suggestion(part: &str) -> Option<&'static str> {
    let lower: String = part.chars().take(24).flat_map(char::to_lowercase).collect();
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == lower);
    if let Some((_, name)) = other {
        return Some(name);
    }
    BROWSER_NAMES
        .iter()
        .map(|name| (edit_distance(&lower, &name.to_ascii_lowercase()), *name))
        .min()
        .filter(|(distance, name)| *distance <= 2 && distance * 2 < name.len())
        .map(|(_, name)| name)
}
