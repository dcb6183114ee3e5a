//! Which element has the focus, by what it is and is called; never what it holds.

use serde_json::Value;

use super::library::{answered, call_row};

/// The row that asks for the focused element.
#[must_use]
pub fn focus_row() -> Vec<String> {
    call_row(&answered("focusNow()"), &Value::Null)
}
