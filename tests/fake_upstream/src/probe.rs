//! What the page says to the tool's own scripts: the stand-in's page has an identity like a real
//! document, so that checks of it pass and fail as they should.

use base64::Engine as _;
use serde_json::{Value, json};

use crate::answers::{Answer, MISSING, Page};

const STALE: &str = "agent-browser-native:other-document:";
const LAST: &str = "agent-browser-native:no-effect:";
const HAND_OVER: &str = "agent-browser-native:fill-it:";

/// What a call begins with.
const ASK: &str = " const ask = ";

/// The script of an `eval -b` row, readable; of the tool's own ones the call, without the library in
/// front of it.
pub(crate) fn script_of(row: &[String]) -> Option<String> {
    let [command, flag, encoded] = row else { return None };
    let is_script = command == "eval" && (flag == "-b" || flag == "--base64");
    let bytes =
        base64::engine::general_purpose::STANDARD.decode(encoded).ok().filter(|_| is_script)?;
    let script = String::from_utf8(bytes).ok()?;
    let at = script.find(ASK).filter(|_| script.starts_with("(() => {"));
    Some(at.map_or(script.clone(), |at| script.split_at(at).1.to_owned()))
}

/// The answer to one of the tool's own scripts; `None` for any other script.
pub(crate) fn answer(row: &[String], page: &mut Page) -> Option<Answer> {
    let script = script_of(row)?;
    if let Some((_, thrown)) = script.split_once("throw new Error('")
        && let Some((message, _)) = thrown.split_once('\'')
    {
        return Some(Answer::failure(&format!(
            "Evaluation error: Error: {message}\n    at <anonymous>"
        )));
    }
    let rest = script.strip_prefix(ASK)?;
    let mut asks = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let ask = asks.next()?.ok()?;
    let here = json!({
        "doc": page.doc(), "url": page.url, "title": page.title, "frames": [], "status": 200,
        "dialogs": [],
    });
    let wanted = ask.pointer("/expect/doc").and_then(Value::as_str);
    let blank = ask.pointer("/expect/notBlank").is_some() && page.url == "about:blank";
    if blank || wanted.is_some_and(|doc| doc != page.doc()) {
        return Some(Answer::failure(&format!(
            "Evaluation error: Error: {STALE}{here}\n    at <anonymous>"
        )));
    }
    if ask["takesUp"] == true {
        let field = ask.pointer("/field/selector").and_then(Value::as_str).unwrap_or_default();
        if field.is_empty() || field.contains(MISSING) {
            return Some(Answer::failure(&format!("Evaluation error: Error: {HAND_OVER}")));
        }
        field.clone_into(&mut page.focused);
    }
    let mut report = here;
    if rest.contains("after(ask)") {
        report["armed"] = json!(true);
        report["waitedMs"] = json!(0);
        report["effect"] = json!({ "changed": true, "reached": true });
        if ask.get("fill").is_some_and(Value::is_object) {
            report["fill"] = json!({ "verdict": "equal" });
        }
    }
    Some(Answer::success(page, json!({ "origin": page.url, "result": report })))
}

/// What changes at once is seen by the first look behind a command, which throws it: no further row
/// runs then.
pub(crate) fn as_look(row: &[String], answer: Answer) -> Answer {
    let is_look = script_of(row).is_some_and(|script| script.contains("lookBehind("));
    match answer.result.as_ref().map(|data| &data["result"]).filter(|_| is_look && answer.success) {
        Some(report) => {
            let text = format!("Evaluation error: Error: {LAST}{report}\n    at <anonymous>");
            let mut thrown = Answer::failure(&text);
            thrown.warning = answer.warning;
            thrown
        }
        None => answer,
    }
}
