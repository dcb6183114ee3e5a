//! Which element has the focus, by what it is and is called; never what it holds.

use serde_json::Value;

use super::{eval_row, script};

/// The row that asks for the focused element.
#[must_use]
pub fn focus_row() -> Vec<String> {
    eval_row(&script(include_str!("js/focus.js"), "focusNow()", &Value::Null))
}
