//! Dialogs, as upstream's texts tell of them (HAZ-09).

use serde_json::Value;

use super::fact::Dialog;

/// The dialog in `A JavaScript confirm dialog is blocking the page: "sure?" …`.
///
/// ```
/// use agent_browser_native::session::dialog::from_warning;
/// let text = r#"A JavaScript confirm dialog is blocking the page: "sure?" - use `dialog accept`"#;
/// assert_eq!(from_warning(text).unwrap().message, "sure?");
/// ```
#[must_use]
pub fn from_warning(text: &str) -> Option<Dialog> {
    let (_, rest) = text.split_once("A JavaScript ")?;
    let (kind, rest) = rest.split_once(" dialog is blocking the page: \"")?;
    // The message may hold quotes itself: it ends at the last one before upstream's advice.
    let advice = rest.find("use `dialog accept`").or_else(|| rest.find("Resolve it with"))?;
    let (message, _) = rest.split_at(advice);
    let (message, _) = message.rsplit_once('"')?;
    Some(Dialog { kind: kind.to_owned(), message: message.to_owned() })
}

/// What the answer of `dialog status` tells: the open dialog, or that none is open; nothing for
/// another answer.
///
/// ```
/// use agent_browser_native::session::dialog::from_status;
/// let open = serde_json::json!({ "hasDialog": true, "type": "prompt", "message": "Your name?" });
/// assert_eq!(from_status(&open).unwrap().unwrap().kind, "prompt");
/// assert_eq!(from_status(&serde_json::json!({ "hasDialog": false })), Some(None));
/// assert_eq!(from_status(&serde_json::json!({ "accepted": true })), None);
/// ```
#[must_use]
pub fn from_status(data: &Value) -> Option<Option<Dialog>> {
    let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let open = data.get("hasDialog")?.as_bool()?;
    Some(open.then(|| Dialog { kind: text("type"), message: text("message") }))
}
