//! The caller's own call with the slips mended that have one reading: a field by its usual other
//! name, an action by its usual other word.

use serde_json::{Map, Value, json};

use super::{read, size_of};
use crate::command::argv::ready_call;
use crate::command::parse;

/// The longest call that is offered again, in bytes of its strings.
const LONGEST: usize = 600;
/// Changes that are named.
const TOLD: usize = 4;
/// Other names of fields, by the place where they stand.
const AT_TOP: [(&str, &str); 4] =
    [("arg", "args"), ("argv", "args"), ("cmd", "args"), ("command", "args")];
const OF_QA: [(&str, &str); 4] = [
    ("text", "expectedText"),
    ("expectedTexts", "expectedText"),
    ("selector", "expectedSelector"),
    ("screenshot", "screenshotPath"),
];
const OF_STEPS: [(&str, &str, &str); 9] = [
    ("open", "href", "url"),
    ("open", "link", "url"),
    ("assertUrl", "href", "url"),
    ("assertText", "value", "text"),
    ("wait", "ms", "milliseconds"),
    ("wait", "timeoutMs", "milliseconds"),
    ("screenshot", "file", "path"),
    ("screenshot", "filename", "path"),
    ("waitForDownload", "file", "path"),
];
/// Other words for actions of a job.
const ACTIONS: [(&str, &str); 5] = [
    ("goto", "open"),
    ("navigate", "open"),
    ("visit", "open"),
    ("sleep", "wait"),
    ("expectText", "assertText"),
];
/// Locators that a field of the same name may stand for.
const NAMED: [&str; 5] = ["label", "placeholder", "alt", "title", "testid"];

/// A call that is accepted, and what was changed for it.
pub(super) struct Repaired {
    pub(super) call: Value,
    /// `value instead of label`
    changes: Vec<String>,
}

impl Repaired {
    /// What to write, each change once.
    pub(super) fn told(mut self) -> String {
        self.changes.sort_unstable();
        self.changes.dedup();
        self.changes.truncate(TOLD);
        self.changes.join(", ")
    }

    /// The call has a text that is typed into the page, or a secret: no line repeats those.
    pub(super) fn types(&self) -> bool {
        let typed = |act: &Value| {
            let action = act.get("action").and_then(Value::as_str);
            matches!(action, Some("fill" | "type"))
        };
        let steps = self.call.pointer("/job/steps").and_then(Value::as_array);
        let words = self.call.get("args").and_then(Value::as_array);
        let words = words.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let words: Vec<String> = words.collect();
        self.call.get("semanticAction").is_some_and(typed)
            || steps.is_some_and(|steps| steps.iter().any(typed))
            || !words.is_empty()
                && parse(&words).ok().and_then(|argv| ready_call("", "", &argv)).is_none()
    }
}

/// The call as it was meant, where that is plain and it would be accepted.
pub(super) fn of(params: &Value) -> Option<Repaired> {
    if size_of(params) > LONGEST {
        return None;
    }
    let mut call = params.clone();
    let mut changes = Vec::new();
    let fields = call.as_object_mut()?;
    for (from, to) in AT_TOP {
        rename(fields, from, to, &mut changes);
    }
    if let Some(Value::String(line)) = fields.get("args")
        && !line.contains(['"', '\'', '\\'])
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = json!(words);
        fields.insert("args".into(), words);
        changes.push("args as a list of words".into());
    }
    if let Some(act) = fields.get_mut("semanticAction").and_then(Value::as_object_mut) {
        mend_act(act, &mut changes);
    }
    if let Some(qa) = fields.get_mut("qa").and_then(Value::as_object_mut) {
        for (from, to) in OF_QA {
            rename(qa, from, to, &mut changes);
        }
    }
    let steps = fields.get_mut("job").and_then(|job| job.get_mut("steps"));
    let steps = steps.and_then(Value::as_array_mut).into_iter().flatten();
    for step in steps.filter_map(Value::as_object_mut) {
        mend_step(step, &mut changes);
    }
    (!changes.is_empty() && read(&call).is_ok()).then_some(Repaired { call, changes })
}

fn rename(fields: &mut Map<String, Value>, from: &str, to: &str, changes: &mut Vec<String>) {
    if has(fields, to) || !has(fields, from) {
        return;
    }
    if let Some(value) = fields.remove(from) {
        fields.insert(to.to_owned(), value);
        changes.push(format!("{to} instead of {from}"));
    }
}

fn has(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name).is_some_and(|value| !value.is_null())
}

fn word<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn mend_step(step: &mut Map<String, Value>, changes: &mut Vec<String>) {
    let alias = ACTIONS.iter().find(|(from, _)| *from == word(step, "action"));
    if let Some((from, to)) = alias {
        step.insert("action".into(), json!(to));
        changes.push(format!("{to} instead of {from}"));
    }
    for (action, from, to) in OF_STEPS {
        if word(step, "action") == action {
            rename(step, from, to, changes);
        }
    }
    if matches!(word(step, "action"), "click" | "fill") {
        mend_act(step, changes);
    }
}

/// An act by name whose name stands in the wrong field, or without its locator.
fn mend_act(act: &mut Map<String, Value>, changes: &mut Vec<String>) {
    // The text of a fill is what is typed, never a name.
    let fills = word(act, "action") == "fill";
    let names = |locator: &str| locator != "text" || !fills;
    rename(act, "by", "locator", changes);
    if !has(act, "locator") {
        for from in ["ref", "css"] {
            rename(act, from, "selector", changes);
        }
    }
    if has(act, "selector") {
        return;
    }
    if !has(act, "locator") {
        let mut given = ["role"].into_iter().chain(NAMED).chain(["text"]);
        let Some(locator) = given.find(|name| has(act, name) && names(name)) else { return };
        act.insert("locator".into(), json!(locator));
        changes.push(format!("locator {locator}"));
    }
    let locator = word(act, "locator").to_owned();
    let (to, others) = match locator.as_str() {
        "role" => ("name", ["label", "text"]),
        other => ("value", [other, "name"]),
    };
    for from in others.into_iter().filter(|from| names(from)) {
        rename(act, from, to, changes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(params: Value) -> Option<Value> {
        of(&params).map(|repaired| repaired.call)
    }

    // IN-GEN-07, NEXT-01
    #[test]
    fn a_slip_with_one_reading_is_mended_in_the_callers_own_call() {
        let act = |fields: Value| json!({ "semanticAction": fields });
        for (sent, meant) in [
            (
                json!({ "action": "click", "locator": "label", "label": "Agree" }),
                json!({ "action": "click", "locator": "label", "value": "Agree" }),
            ),
            (
                json!({ "action": "click", "role": "button", "name": "Save" }),
                json!({ "action": "click", "locator": "role", "role": "button", "name": "Save" }),
            ),
            (
                json!({ "action": "click", "text": "Save" }),
                json!({ "action": "click", "locator": "text", "value": "Save" }),
            ),
            (
                json!({ "action": "click", "ref": "@e5" }),
                json!({ "action": "click", "selector": "@e5" }),
            ),
            (
                json!({ "action": "fill", "label": "Card", "text": "4242" }),
                json!({ "action": "fill", "locator": "label", "value": "Card", "text": "4242" }),
            ),
        ] {
            assert_eq!(mended(act(sent)), Some(act(meant)));
        }
        let sent = json!({ "job": { "steps": [{ "action": "goto", "href": "http://a/" }, { "action": "wait", "ms": 5 }] } });
        let meant = json!({ "job": { "steps": [{ "action": "open", "url": "http://a/" }, { "action": "wait", "milliseconds": 5 }] } });
        assert_eq!(mended(sent), Some(meant));
        let qa = json!({ "qa": { "url": "http://a/", "text": "Hi" } });
        assert_eq!(mended(qa), Some(json!({ "qa": { "url": "http://a/", "expectedText": "Hi" } })));
        let opened = json!({ "args": ["open", "http://a/"] });
        assert_eq!(mended(json!({ "command": ["open", "http://a/"] })), Some(opened.clone()));
        assert_eq!(mended(json!({ "args": "open http://a/" })), Some(opened));
    }

    // IN-GEN-07
    #[test]
    fn what_has_no_plain_reading_is_left_alone() {
        for params in [
            json!({ "args": [] }),
            json!({ "args": "find text 'Log in' click" }),
            json!({ "semanticAction": { "action": "fill", "text": "Ann" } }),
            json!({ "semanticAction": { "action": "fill", "locator": "text", "text": "Ann" } }),
            json!({ "semanticAction": { "action": "click", "locator": "label", "label": 5 } }),
            json!({ "semanticAction": { "action": "hover", "label": "x" } }),
            json!({ "job": { "steps": [{ "action": "press", "text": "Escape" }] } }),
            json!({ "cmd": ["x".repeat(700)] }),
            json!([]),
        ] {
            assert_eq!(mended(params.clone()), None, "{params:.80}");
        }
    }

    // IN-GEN-07
    #[test]
    fn calls_that_type_are_known() {
        let types = |params: Value| of(&params).unwrap().types();
        assert!(types(json!({ "cmd": ["fill", "#a", "x"] })));
        assert!(types(
            json!({ "semanticAction": { "action": "fill", "label": "a", "text": "x" } })
        ));
        assert!(types(
            json!({ "job": { "steps": [{ "action": "goto", "url": "http://a/" }, { "action": "type", "text": "x" }] } })
        ));
        assert!(!types(json!({ "cmd": ["click", "#a"] })));
        assert!(!types(json!({ "semanticAction": { "action": "click", "label": "a" } })));
    }
}
