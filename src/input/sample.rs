//! A call of each mode that is accepted, for the line below the sentence that refuses one.

use serde_json::{Value, json};

use super::{MODES, job};

/// The usual form of the call that was meant.
pub(super) fn of(params: &Value) -> Value {
    let given = |mode: &&str| params.get(*mode).filter(|value| !value.is_null());
    let mode = MODES.into_iter().find(|mode| given(mode).is_some()).unwrap_or("args");
    let value = given(&mode).unwrap_or(&Value::Null);
    let usual = match mode {
        "semanticAction" => act(word(value, "action")),
        "job" => json!({ "steps": [{ "action": "open", "url": SITE }, wrong_step(value)] }),
        "qa" if value.get("attached") == Some(&Value::Bool(true)) => json!({ "attached": true }),
        "qa" => json!({ "url": SITE, "expectedText": ["Welcome"] }),
        "sourceLookup" => json!({ "selector": "#save" }),
        "networkSourceLookup" => json!({ "filter": "/api/" }),
        "electron" => json!({ "action": "list" }),
        _ => json!(["snapshot", "-i"]),
    };
    json!({ mode: usual })
}

const SITE: &str = "https://example.com/";

fn word<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn act(action: &str) -> Value {
    match action {
        "fill" => json!({ "action": action, "locator": "label", "value": "Name", "text": "Ann" }),
        "check" => {
            json!({ "action": action, "locator": "role", "role": "checkbox", "name": "Agree" })
        }
        "uncheck" => json!({ "action": action, "selector": "#agree" }),
        "select" => json!({ "action": action, "selector": "#size", "value": "M" }),
        _ => json!({ "action": "click", "locator": "role", "role": "button", "name": "Save" }),
    }
}

/// The action of the first step that is refused, as it is written.
fn wrong_step(job: &Value) -> Value {
    let steps = job.get("steps").and_then(Value::as_array);
    let wrong = steps.and_then(|steps| steps.iter().find(|step| !job::accepts(step)));
    match wrong.map_or("", |step| word(step, "action")) {
        "open" => json!({ "action": "open", "url": SITE, "loadState": "load" }),
        "type" => json!({ "action": "type", "selector": "#q", "text": "Ann", "press": "Enter" }),
        "wait" => json!({ "action": "wait", "milliseconds": 500 }),
        "assertText" => json!({ "action": "assertText", "text": "Welcome" }),
        "assertUrl" => json!({ "action": "assertUrl", "url": SITE }),
        "waitForDownload" => json!({ "action": "waitForDownload", "path": "report.pdf" }),
        "snapshot" => json!({ "action": "snapshot" }),
        "screenshot" => json!({ "action": "screenshot", "path": "page.png" }),
        action @ ("fill" | "select") => act(action),
        _ => act("click"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;
    use crate::outcome::NextPayload;

    /// The example that is shown below a refusal. It is none of the calls to send.
    fn offered(params: &Value) -> Value {
        let refusal = decode(params).unwrap_err();
        assert_eq!(refusal.next, []);
        let shown = refusal.hints.last().unwrap().plain();
        serde_json::from_str(shown.strip_prefix("Example: ").unwrap()).unwrap()
    }

    // IN-GEN-07, NEXT-01
    #[test]
    fn the_callers_own_call_is_offered_mended_and_never_with_what_it_types() {
        let click = json!({ "semanticAction": { "action": "click", "label": "Agree" } });
        let refusal = decode(&click).unwrap_err();
        let NextPayload::Params(call) = &refusal.next[0].payload else { panic!("{refusal:?}") };
        assert!(decode(call).is_ok() && call.to_string().contains("Agree"), "{call}");
        assert!(refusal.hints.is_empty());
        let fill = json!({ "semanticAction": { "action": "fill", "label": "Card", "text": "42" } });
        let refusal = decode(&fill).unwrap_err();
        assert_eq!(refusal.next, []);
        let hints: Vec<String> = refusal.hints.iter().map(crate::line::Line::plain).collect();
        assert_eq!(hints[0], "Write: locator label, value instead of label.");
        assert!(hints[1].starts_with("Example: {\"semanticAction\""), "{hints:?}");
        assert!(!hints.concat().contains("42"));
    }

    // IN-GEN-03, IN-GEN-07
    #[test]
    fn every_refusal_shows_an_example_that_is_accepted() {
        let mut refused = vec![
            json!([]),
            json!({}),
            json!({ "argz": 1 }),
            json!({ "args": [] }),
            json!({ "args": vec!["x"; 3000] }),
            json!({ "args": ["a\0"] }),
            json!({ "args": ["get"], "stdin": "x".repeat(6_000_000) }),
            json!({ "args": ["get"], "timeoutMs": 0 }),
            json!({ "args": ["get"], "sessionMode": 1 }),
            json!({ "args": ["get"], "outputPath": 1 }),
            json!({ "args": ["get"], "qa": { "url": "http://a/" } }),
            json!({ "job": { "steps": [{ "action": "snapshot" }] }, "stdin": "x" }),
            json!({ "electron": { "action": "list" }, "timeoutMs": 5 }),
            json!({ "electron": { "action": "lst" } }),
            json!({ "qa": {} }),
            json!({ "qa": { "attached": true }, "sessionMode": "fresh" }),
            json!({ "qa": { "url": "http://a/", "attached": true } }),
            json!({ "sourceLookup": {} }),
            json!({ "networkSourceLookup": {} }),
            json!({ "job": {} }),
            json!({ "job": { "steps": vec![json!({ "action": "snapshot" }); 10_000] } }),
        ];
        let actions = ["click", "fill", "check", "uncheck", "select", "hover", ""];
        refused.extend(actions.map(|action| json!({ "semanticAction": { "action": action } })));
        let steps = [
            "open",
            "click",
            "fill",
            "type",
            "select",
            "wait",
            "assertText",
            "assertUrl",
            "waitForDownload",
            "screenshot",
            "hover",
        ];
        let steps = steps.map(|action| json!({ "job": { "steps": [{ "action": action }] } }));
        refused.extend(steps);
        for params in &refused {
            let call = offered(params);
            assert!(decode(&call).is_ok(), "{params:.100}: {call}");
        }
        let fill = json!({ "semanticAction": { "action": "fill", "selector": "#a" } });
        assert_eq!(offered(&fill)["semanticAction"]["action"], "fill");
        let late = json!({ "job": { "steps": [{ "action": "snapshot" }, { "action": "wait" }] } });
        assert_eq!(offered(&late)["job"]["steps"][1]["action"], "wait");
    }
}
