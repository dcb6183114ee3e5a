//! What a `tab list` answer says.

use serde_json::Value;

use crate::envelope::Answer;

/// Where the tab of a snapshot is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TabPlace {
    /// It is the active one.
    Active,
    /// It is open, under this id, and another one is active.
    Elsewhere(String),
    /// It was closed.
    Gone,
}

/// Looks for a tab by its target in a `tab list` answer.
pub(super) fn tab_place(target: &str, answer: &Answer) -> TabPlace {
    let tabs = answer.data.get("tabs").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |tab: &Value, key: &str| {
        tab.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    match tabs.iter().find(|tab| text(tab, "targetId") == target) {
        None => TabPlace::Gone,
        Some(tab) if tab.get("active") == Some(&Value::Bool(true)) => TabPlace::Active,
        Some(tab) => TabPlace::Elsewhere(text(tab, "tabId")),
    }
}

/// How many tabs a `tab list` answer names.
pub(super) fn tab_count(answer: &Answer) -> usize {
    answer.data.get("tabs").and_then(Value::as_array).map_or(0, Vec::len)
}

/// Id and target of the active tab in a `tab list` answer.
pub(super) fn active_tab(answer: &Answer) -> (Option<String>, Option<String>) {
    let tabs = answer.data.get("tabs").and_then(Value::as_array);
    let active =
        tabs.and_then(|tabs| tabs.iter().find(|tab| tab.get("active") == Some(&Value::Bool(true))));
    let text =
        |key: &str| active.and_then(|tab| tab.get(key)).and_then(Value::as_str).map(str::to_owned);
    (text("tabId"), text("targetId"))
}
