//! Which element has the focus, by what it is and is called; never what it holds.

use super::eval_row;

/// The row that asks for the focused element.
#[must_use]
pub fn focus_row() -> Vec<String> {
    eval_row(&format!("(() => {{ {} }})()", include_str!("js/focus.js")))
}
