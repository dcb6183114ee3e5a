//! What a step is about, told by its words alone.

use super::Step;
use crate::command::ref_id;
use crate::probe::{After, Question};

/// `network requests`, unless it only clears the list, and `network request`.
#[must_use]
pub fn asks_for_requests(step: &Step) -> bool {
    step.argv.name() == "network"
        && matches!(step.argv.operands().first(), Some(&"requests" | &"request"))
        && !step.argv.has_own_flag("--clear")
}

/// `errors`, which also lists those of earlier pages.
#[must_use]
pub fn asks_for_errors(step: &Step) -> bool {
    step.argv.name() == "errors" && !step.argv.has_own_flag("--clear")
}

/// What the page is asked behind a step that lists requests or errors: which ended without an answer,
/// and whose code runs in it.
#[must_use]
pub fn asked_behind(step: &Step) -> Option<After> {
    let resources = asks_for_requests(step);
    let questions = Vec::from_iter(asks_for_errors(step).then(Question::scripts));
    let asks = resources || !questions.is_empty();
    asks.then(|| After { resources, questions, ..After::default() })
}

/// The text that a `fill` sends, joined as upstream joins it.
#[must_use]
pub fn fill_text(step: &Step) -> Option<String> {
    (step.argv.command()?.name == "fill").then(|| step.words.get(2..).unwrap_or_default().join(" "))
}

/// The words of a step that are typed into a field, as the caller wrote them.
#[must_use]
pub fn typed_words(step: &Step) -> Vec<String> {
    let words = &step.argv.words;
    let from = match (step.argv.name(), step.argv.find_action()) {
        ("fill" | "type" | "keyboard", _) => 2,
        (_, Some((at, "fill"))) => at + 1,
        _ => return Vec::new(),
    };
    let texts = step.argv.text_operands();
    let is_text =
        |index: usize| step.argv.name() != "type" || texts.iter().any(|text| text.index == index);
    let typed = words.iter().enumerate().skip(from).filter(|(index, _)| is_text(*index));
    let typed: Vec<String> = typed.map(|(_, word)| word.clone()).collect();
    if step.argv.name() == "find" { typed.into_iter().take(1).collect() } else { typed }
}

/// `open`, `back`, `forward`, `reload`: commands that leave the document.
#[must_use]
pub fn navigates(step: &Step) -> bool {
    let name = step.argv.command().map_or("", |command| command.name);
    matches!(name, "open" | "back" | "forward" | "reload")
}

pub(super) fn is_snapshot(step: &Step) -> bool {
    step.argv.command().is_some_and(|command| command.name == "snapshot")
}

/// `e12` → 12.
#[must_use]
pub fn number(id: &str) -> Option<u32> {
    ref_id(id)?.strip_prefix('e')?.parse().ok()
}
