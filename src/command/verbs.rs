//! The words for what a command does.

use super::Argv;

/// Forms of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verb {
    /// `Clicked`
    pub done: &'static str,
    /// `clicked`, for «nothing was clicked».
    pub passive: &'static str,
}

/// The verb of an acting command; reading ones have none.
#[must_use]
pub fn verb(command: &str) -> Option<Verb> {
    let (done, passive) = match command {
        "click" => ("Clicked", "clicked"),
        "dblclick" => ("Double-clicked", "clicked"),
        "tap" => ("Tapped", "tapped"),
        "hover" => ("Hovered", "hovered"),
        "focus" => ("Focused", "focused"),
        "fill" => ("Filled", "filled"),
        "type" => ("Typed into", "typed"),
        "check" => ("Checked", "checked"),
        "uncheck" => ("Unchecked", "unchecked"),
        "select" => ("Selected in", "selected"),
        "upload" => ("Attached to", "uploaded"),
        "drag" => ("Dragged", "dragged"),
        "press" => ("Pressed", "pressed"),
        "keydown" => ("Key down", "pressed"),
        "keyup" => ("Key up", "pressed"),
        "keyboard" => ("Typed", "typed"),
        "scroll" => ("Scrolled", "scrolled"),
        "scrollintoview" => ("Scrolled to", "scrolled"),
        "swipe" => ("Swiped", "swiped"),
        "mouse" => ("Moved the mouse", "moved"),
        "highlight" => ("Highlighted", "highlighted"),
        "open" => ("Opened", "opened"),
        "back" => ("Went back to", "opened"),
        "forward" => ("Went forward to", "opened"),
        "reload" => ("Reloaded", "reloaded"),
        "download" => ("Downloaded", "downloaded"),
        "screenshot" => ("Screenshot", "saved"),
        "pushstate" => ("Pushed", "changed"),
        _ => return None,
    };
    Some(Verb { done, passive })
}

/// «nothing was clicked» for a step: `find … click` clicks too.
#[must_use]
pub fn nothing_was_done_by(words: &[String]) -> String {
    let argv = Argv::of_words(words);
    let command = words.first().map_or("", String::as_str);
    nothing_was(argv.find_action().map_or(command, |(_, action)| action))
}

/// «nothing was clicked», or «nothing was done» for commands without a verb.
#[must_use]
pub fn nothing_was(command: &str) -> String {
    format!("nothing was {}", verb(command).map_or("done", |verb| verb.passive))
}
