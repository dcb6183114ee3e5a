//! Operands that upstream accepts and ignores (HAZ-26).

use super::Facts;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;

/// `set media` and `set offline`.
pub(super) fn set_values(facts: &Facts<'_>) -> Checked<()> {
    if facts.argv.name() != "set" {
        return Ok(());
    }
    let operands = facts.argv.operands();
    let (setting, allowed): (&str, &[&str]) = match operands.first() {
        Some(&"media") => ("media", &["dark", "light", "no-preference", "reduced-motion"]),
        Some(&"offline") => ("offline", &["on", "off", "true", "false"]),
        _ => return Ok(()),
    };
    match operands.iter().skip(1).find(|value| !allowed.contains(value)) {
        Some(value) => Err(Refusal::invalid(
            Line::ours(format!("set {setting} does not know "))
                .quote(*value)
                .and(format!("; known are {}.", allowed.join(", "))),
        )),
        None => Ok(()),
    }
}

/// `fill` without a text would clear the field.
pub(super) fn fill_text(facts: &Facts<'_>) -> Checked<()> {
    if facts.argv.name() != "fill" || facts.argv.operands().len() >= 2 {
        return Ok(());
    }
    Err(Refusal::invalid(
        "fill needs a target and a text. To clear the field send an empty string as the text.",
    ))
}

/// A flag that `find` does not know, behind an action that takes no text.
pub(super) fn find_flags(facts: &Facts<'_>) -> Checked<()> {
    let Some((at, action)) = facts.argv.find_action() else { return Ok(()) };
    if matches!(action, "fill" | "type") {
        return Ok(());
    }
    let behind = facts.argv.operand_uses().into_iter().filter(|operand| operand.index > at);
    let Some(flag) = behind.map(|operand| operand.value).find(|word| word.starts_with("--")) else {
        return Ok(());
    };
    let refusal = Refusal::invalid(
        Line::ours("find takes --name and --exact, not ")
            .quote(flag)
            .and(format!("; send {action} with the element's ref, and the flag behind it.")),
    );
    let look = NextAction::args("find-ref-for-action", "see its ref", &["snapshot", "-i"]);
    Err(refusal.next(look))
}

/// Tabs have ids and labels; upstream takes no number.
pub(super) fn tab_id(facts: &Facts<'_>) -> Checked<()> {
    let operands = facts.argv.operands();
    let number = operands.first().filter(|_| facts.argv.name() == "tab");
    let Some(number) = number.filter(|word| word.parse::<u64>().is_ok()) else {
        return Ok(());
    };
    let id = format!("t{number}");
    Err(Refusal::invalid("tabs are chosen by id or label, not by number; tab list shows them.")
        .next(NextAction::args("use-nearest-command", "the tab of that id", &["tab", &id]))
        .next(NextAction::args("use-nearest-command", "see which tabs are open", &["tab", "list"])))
}

/// `upload` without files would report success.
pub(super) fn upload_files(facts: &Facts<'_>) -> Checked<()> {
    let operands = facts.argv.operands();
    let files = operands.get(1..).unwrap_or_default();
    if facts.argv.name() != "upload" || (!files.is_empty() && !files.contains(&"")) {
        return Ok(());
    }
    Err(Refusal::invalid("upload needs a target and at least one file."))
}
