//! A combobox that has the focus and shows nothing to choose from (DIAG-COMBO).

use serde_json::{Value, json};

use super::{Asked, Evidence};
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::about::number;
use crate::plan::rows::Wants;
use crate::probe::{After, Question, SETTLE_MS};

const MARKER: &str = "Combobox diagnostic: focused combobox did not expose visible options";

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let after = is_aimed_at_combobox(asked)
        .then(|| After { questions: vec![Question::combobox(SETTLE_MS)], ..After::default() });
    Wants { after, ..Wants::default() }
}

/// `click` or `fill` of something that is called a combobox (DIAG-COMBO-01).
fn is_aimed_at_combobox(asked: &Asked<'_>) -> bool {
    let words: Vec<&str> = asked.step.argv.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["find", "role", role, "click" | "fill", ..] => role.eq_ignore_ascii_case("combobox"),
        ["click" | "fill", target, ..] => match number(target) {
            Some(id) => {
                let info = asked.refs.and_then(|refs| refs.refs.get(&id));
                info.is_some_and(|info| info.role.eq_ignore_ascii_case("combobox"))
            }
            None => {
                let plain: String =
                    target.chars().filter(|c| !matches!(c, '"' | '\'' | ' ')).collect();
                plain.contains("[role=combobox]")
            }
        },
        _ => false,
    }
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let active = evidence.after.page()?.answers.get("combobox")?;
    let expanded = match active.get("expanded").and_then(Value::as_str) {
        Some("true") => "it says that it is expanded",
        _ => "it says that it is collapsed",
    };
    Some(Finding {
        key: "comboboxFocus",
        details: json!({
            "reason": "focused-combobox-without-visible-options",
            "message": MARKER,
            "activeElement": active,
            "visibleListboxCount": 0,
            "visibleOptionCount": 0,
            "recommendations": [
                "Look at the page before choosing an option.",
                "Open the list with ArrowDown, or type a part of the wanted option.",
            ],
        }),
        lines: vec![Line::ours(MARKER).and(format!(" within {SETTLE_MS} ms; {expanded}."))],
        next: vec![
            NextAction::args("inspect-focused-combobox", "see what is shown", &["snapshot", "-i"]),
            NextAction::args(
                "try-open-combobox-with-arrow",
                "the key that opens most lists",
                &["press", "ArrowDown"],
            ),
            NextAction::args(
                "try-open-combobox-with-enter",
                "the key that opens some lists",
                &["press", "Enter"],
            )
            .with_safety("Enter may also send the form.")
            .routine(),
        ],
        ..Finding::default()
    })
}
