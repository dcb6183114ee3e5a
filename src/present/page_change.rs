//! What every success says beside its own lines: warnings, the page change, what to look at next.

use serde_json::{Map, Value, json};

use super::Shown;
use crate::diagnose::effect::Effect;
use crate::line::{Line, cut};
use crate::outcome::{NextAction, Outcome};
use crate::plan::about::navigates;
use crate::session::dialog::{self, from_warning};

/// Longest `summary`, in characters.
const SUMMARY_CHARS: usize = 200;

/// Upstream's own warning beside a success; a dialog that it tells of is said as ours.
pub(super) fn add_warning(shown: &Shown<'_>, outcome: &mut Outcome) {
    let Some(warning) = shown.answer.warning.as_deref() else { return };
    match from_warning(warning) {
        None => outcome.answer.push(Line::ours("Upstream warns: ").quote(warning)),
        // The line of an act tells it already.
        Some(_) if outcome.next.iter().any(|action| action.id == "accept-open-dialog") => {}
        Some(open) => {
            outcome.answer.push(dialog::sentence(Line::ours(""), &open));
            outcome.next.extend(dialog::answers());
        }
    }
}

/// `inspect-after-mutation`, where the command may have changed the page (NEXT-11).
pub(super) fn add_look(shown: &Shown<'_>, outcome: &mut Outcome) {
    let waits = outcome.next.iter().any(|action| action.id == "accept-open-dialog");
    let looks = outcome.next.iter().any(|action| action.id.starts_with("inspect-"));
    if waits || looks || !shown.step.argv.traits().caps.post_mutation_snapshot {
        return;
    }
    outcome.next.push(
        NextAction::args(
            "inspect-after-mutation",
            "refs may need refreshing after the change",
            &["snapshot", "-i"],
        )
        .with_safety("Do not reuse earlier refs before a fresh snapshot confirms them.")
        .routine(),
    );
}

/// `details.pageChangeSummary` (RES-52 to RES-56).
pub(super) fn add_summary(shown: &Shown<'_>, outcome: &mut Outcome) {
    let moved = moves(shown);
    let change = if !outcome.files.is_empty() {
        "artifact"
    } else if moved {
        "navigation"
    } else if shown.step.argv.traits().caps.page_change {
        "mutation"
    } else {
        return;
    };
    let mut summary = Map::new();
    summary.insert("changeType".into(), change.into());
    summary.insert("command".into(), shown.command().into());
    summary.insert("summary".into(), one_sentence(outcome).into());
    if moved && let Some((title, url)) = place(shown, outcome) {
        summary.insert("title".into(), title.into());
        summary.insert("url".into(), url.into());
    }
    if !outcome.files.is_empty() {
        summary.insert("artifactCount".into(), outcome.files.len().into());
    }
    if let Some(path) = outcome.details.get("savedFilePath") {
        summary.insert("savedFilePath".into(), path.clone());
    }
    let ids: Vec<&str> = outcome.next.iter().map(|action| action.id.as_str()).collect();
    summary.insert("nextActionIds".into(), json!(ids));
    outcome.details.insert("pageChangeSummary".into(), Value::Object(summary));
}

/// The same for an action that waits for a confirmation.
pub(super) fn add_pending(command: &str, outcome: &mut Outcome) {
    let ids: Vec<&str> = outcome.next.iter().map(|action| action.id.as_str()).collect();
    let summary = json!({
        "changeType": "confirmation",
        "command": command,
        "summary": one_sentence(outcome),
        "nextActionIds": ids,
    });
    outcome.details.insert("pageChangeSummary".into(), summary);
}

/// `details.summary`, or the first line of the answer.
#[must_use]
pub fn one_sentence(outcome: &Outcome) -> String {
    match outcome.details.get("summary").and_then(Value::as_str) {
        Some(summary) => summary.to_owned(),
        None => {
            let first = outcome.answer.first().map(Line::plain).unwrap_or_default();
            cut(first.lines().next().unwrap_or_default(), SUMMARY_CHARS)
        }
    }
}

fn moves(shown: &Shown<'_>) -> bool {
    let words: Vec<&str> = shown.step.argv.words.iter().map(String::as_str).collect();
    let tab = match words.as_slice() {
        ["tab"] | ["tab", "list" | "close", ..] => false,
        ["tab" | "window", ..] => true,
        _ => false,
    };
    let told = matches!(shown.command(), "pushstate" | "vitals" | "a11y") && words.len() > 1;
    navigates(shown.step) || shown.effect == Effect::Navigated || tab || told
}

fn place(shown: &Shown<'_>, outcome: &Outcome) -> Option<(String, String)> {
    if let Some(known) = outcome.details.get("navigationSummary") {
        let text =
            |key: &str| known.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        return Some((text("title"), text("url")));
    }
    let url = shown.answer.text("url")?.to_owned();
    Some((shown.answer.text("title").unwrap_or_default().to_owned(), url))
}
