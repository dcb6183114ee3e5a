//! Operands that upstream accepts and ignores (HAZ-26).

use super::Facts;
use crate::error::{Checked, Refusal};
use crate::present::section::Line;

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

/// `upload` without files would report success.
pub(super) fn upload_files(facts: &Facts<'_>) -> Checked<()> {
    let operands = facts.argv.operands();
    let files = operands.get(1..).unwrap_or_default();
    if facts.argv.name() != "upload" || (!files.is_empty() && !files.contains(&"")) {
        return Ok(());
    }
    Err(Refusal::invalid("upload needs a target and at least one file."))
}
