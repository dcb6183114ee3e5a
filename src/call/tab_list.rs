//! What a `tab list` answer says.

use serde_json::Value;

use crate::envelope::Answer;
use crate::session::fact::Page;

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
    match tabs.iter().find(|tab| text(tab, "targetId").as_deref() == Some(target)) {
        None => TabPlace::Gone,
        Some(tab) if tab.get("active") == Some(&Value::Bool(true)) => TabPlace::Active,
        Some(tab) => TabPlace::Elsewhere(text(tab, "tabId").unwrap_or_default()),
    }
}

/// How many tabs a `tab list` answer names.
pub(super) fn tab_count(answer: &Answer) -> usize {
    answer.data.get("tabs").and_then(Value::as_array).map_or(0, Vec::len)
}

fn active(answer: &Answer) -> Option<&Value> {
    let tabs = answer.data.get("tabs").and_then(Value::as_array)?;
    tabs.iter().find(|tab| tab.get("active") == Some(&Value::Bool(true)))
}

fn text(tab: &Value, key: &str) -> Option<String> {
    tab.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// Id and target of the active tab in a `tab list` answer.
pub(super) fn active_tab(answer: &Answer) -> (Option<String>, Option<String>) {
    let active = active(answer);
    let told = |key| active.and_then(|tab| text(tab, key));
    (told("tabId"), told("targetId"))
}

/// What a `tab list` answer tells of the active tab's page.
pub(super) fn page_in_front(answer: &Answer) -> Option<Page> {
    let tab = active(answer)?;
    let told = |key| text(tab, key).unwrap_or_default();
    let target = text(tab, "targetId");
    Some(Page { url: told("url"), title: told("title"), target, ..Page::default() })
}
