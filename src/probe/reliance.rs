//! What calls rely on in every version of upstream, as rows of one batch and their judge (DEC-01).

use serde_json::Value;

use super::eval_row;
use crate::envelope::Answer;

/// What the failing row throws.
pub const THROWN: &str = "agent-browser-native:reliance";

/// Rows for a blank page: a control, a snapshot of it, a script that throws (and tidies up first),
/// and a row that must not run.
#[must_use]
pub fn rows() -> Vec<Vec<String>> {
    let words = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    // Node by node: blank pages of some browsers refuse HTML from scripts.
    let page = "document.body.append(Object.assign(document.createElement('button'), \
                { textContent: 'Continue' })); true";
    let throws = format!("document.body.replaceChildren(); throw new Error('{THROWN}')");
    vec![eval_row(page), words(&["snapshot", "-i"]), eval_row(&throws), words(&["get", "url"])]
}

/// What is missing, where the answers hold a snapshot of a button at `snapshot` and a throwing
/// script behind it.
#[must_use]
pub fn gap(answers: &[Answer], snapshot: usize, thrown: &str) -> Option<&'static str> {
    if !answers.iter().enumerate().all(|(at, row)| row.index == Some(at)) {
        return Some("rows do not come back in their order");
    }
    let listed = answers.get(snapshot).is_some_and(|row| row.success && has_button(&row.data));
    if !listed {
        return Some("a snapshot does not list its refs with role and name");
    }
    let says_why = |row: &Answer| row.error.as_deref().is_some_and(|error| error.contains(thrown));
    if !answers.get(snapshot + 1).is_some_and(|row| !row.success && says_why(row)) {
        return Some("a script that throws does not fail with its own message");
    }
    (answers.len() > snapshot + 2).then_some("a row ran behind a failed one in spite of --bail")
}

/// What `session info` of a running session lacks.
#[must_use]
pub fn gap_of_info(info: Option<&Value>) -> Option<&'static str> {
    let running = info.is_some_and(|info| {
        info.get("active") == Some(&Value::Bool(true)) && info.get("pid").is_some_and(Value::is_u64)
    });
    (!running).then_some("session info does not name the running background process")
}

fn has_button(data: &Value) -> bool {
    let Some(refs) = data.get("refs").and_then(Value::as_object) else { return false };
    refs.iter().any(|(id, entry)| {
        let numbered = id.strip_prefix('e').is_some_and(|number| number.parse::<u64>().is_ok());
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        numbered && text("role") == Some("button") && text("name").is_some()
    })
}
