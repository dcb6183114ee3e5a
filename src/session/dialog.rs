//! Dialogs, as upstream's texts tell of them (HAZ-09).

use serde_json::Value;

use super::fact::Dialog;
use crate::line::Line;
use crate::outcome::NextAction;

/// `A confirm dialog is open: "…" The page waits for it.`
#[must_use]
pub fn sentence(line: Line, dialog: &Dialog) -> Line {
    let kind = if dialog.kind == "prompt" { "prompt" } else { "confirm" };
    line.and(format!("A {kind} dialog is open: "))
        .quote(&dialog.message)
        .and(" The page waits for it.")
}

/// The two calls that answer a dialog.
#[must_use]
pub fn answers() -> [NextAction; 2] {
    [
        NextAction::args("accept-open-dialog", "answer the dialog with OK", &["dialog", "accept"]),
        NextAction::args("dismiss-open-dialog", "answer it with Cancel", &["dialog", "dismiss"]),
    ]
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dialog(kind: &str, message: &str) -> Dialog {
        Dialog { kind: kind.into(), message: message.into() }
    }

    // HAZ-09
    #[test]
    fn a_warning_tells_the_kind_and_the_whole_message_of_a_dialog() {
        let warning = |advice: &str| {
            format!("A JavaScript confirm dialog is blocking the page: \"say \"yes\"?\" - {advice}")
        };
        for advice in ["use `dialog accept`", "Resolve it with `dialog \"accept\"`"] {
            assert_eq!(from_warning(&warning(advice)), Some(dialog("confirm", "say \"yes\"?")));
        }
        assert_eq!(from_warning(&warning("wait")), None);
        assert_eq!(from_warning("A JavaScript error"), None);
    }

    // HAZ-09
    #[test]
    fn the_sentence_about_an_open_dialog_tells_a_prompt_from_a_question() {
        for (kind, told) in [("prompt", "A prompt dialog"), ("confirm", "A confirm dialog")] {
            let line = sentence(Line::ours(""), &dialog(kind, "Sure?")).plain();
            assert_eq!(line, format!("{told} is open: \"Sure?\" The page waits for it."));
        }
    }

    // HAZ-09
    #[test]
    fn a_status_tells_the_open_dialog_or_that_none_is_open() {
        let open = json!({ "hasDialog": true, "type": "prompt", "message": "Your name?" });
        assert_eq!(from_status(&open), Some(Some(dialog("prompt", "Your name?"))));
        let silent = json!({ "hasDialog": true, "type": "confirm" });
        assert_eq!(from_status(&silent), Some(Some(dialog("confirm", ""))));
        assert_eq!(from_status(&json!({ "hasDialog": false })), Some(None));
        for other in [json!({ "accepted": true }), json!({ "hasDialog": "yes" }), json!(null)] {
            assert_eq!(from_status(&other), None, "{other}");
        }
    }
}
