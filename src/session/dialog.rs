//! Dialogs, as upstream's texts tell of them (HAZ-09).

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
