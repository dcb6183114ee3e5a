//! JSON by field: sensitive keys, name/value pairs, argument lists, and every string as text.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::keys::{self, Place, Strength};
use super::{MASK, Redactor, argv, value};

/// Deeper values are masked whole; no honest answer nests like this and no walk may overflow.
const MAX_DEPTH: usize = 128;

/// What the walk knows about the place it is in.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    /// Strength of the key above.
    key: Strength,
    /// The key above names a container of secrets.
    jar: bool,
}

/// Redacts `value` by field.
pub(super) fn redact(redactor: &Redactor, value: &Value) -> Value {
    walk(redactor, value, At { depth: 0, key: Strength::None, jar: false })
}

fn walk(redactor: &Redactor, value: &Value, at: At) -> Value {
    if at.depth > MAX_DEPTH {
        return Value::from(MASK);
    }
    let below = At { depth: at.depth + 1, ..at };
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(number) => {
            let text = number.to_string();
            // A count is none; a short number is no secret anywhere.
            let secret = at.key == Strength::Strong && !at.jar;
            if !value::is_benign(&text) && (secret || redactor.is_call_secret(&text)) {
                return Value::from(MASK);
            }
            value.clone()
        }
        Value::String(text) => Value::String(string(redactor, text, at)),
        Value::Array(items) => {
            let masked = items.iter().map(|item| walk(redactor, item, below));
            Value::Array(argv::mask_list(items, masked.collect()))
        }
        Value::Object(fields) => object(redactor, fields, below),
    }
}

fn string(redactor: &Redactor, text: &str, at: At) -> String {
    let secret = match at.key {
        Strength::Strong => !value::is_benign(text),
        Strength::Weak => value::is_opaque(text),
        Strength::None => false,
    };
    if secret {
        return MASK.to_owned();
    }
    let masked = redactor.plain(text);
    inner_document(redactor, &masked, at.depth).unwrap_or(masked)
}

/// A text that is one JSON document, redacted by field; `None` where no field is left to mask.
///
/// The rules have seen the text before and kept its layout; here the fields are masked that only a
/// reader of JSON finds, such as lists, numbers and argument lists.
pub(super) fn document(redactor: &Redactor, text: &str) -> Option<String> {
    inner_document(redactor, text, 0)
}

fn inner_document(redactor: &Redactor, text: &str, depth: usize) -> Option<String> {
    let bare = text.trim();
    if !bare.starts_with(['{', '[']) {
        return None;
    }
    let inner = serde_json::from_str::<Value>(bare).ok()?;
    let masked = walk(redactor, &inner, At { depth, key: Strength::None, jar: false });
    if masked == inner {
        return None;
    }
    // What was laid out over several lines stays so.
    let written = if bare.contains('\n') { format!("{masked:#}") } else { masked.to_string() };
    Some(redactor.plain(&written))
}

fn object(redactor: &Redactor, fields: &Map<String, Value>, at: At) -> Value {
    let named = named_strength(fields);
    let mut masked = Map::with_capacity(fields.len());
    let mut numbers = HashMap::new();
    for (key, field) in fields {
        let by_place = match content(key) {
            Content::Value => named.max(at.key),
            Content::Words => at.key,
            // A map from cookie names to values has no field of its own to go by.
            Content::None if at.jar && !fields.contains_key("name") => Strength::Strong,
            Content::None => Strength::None,
        };
        let strength = keys::strength(key, Place::Field).max(by_place);
        let jar = is_jar(key);
        let key_strength = if jar && !field.is_string() { Strength::Strong } else { strength };
        let field = walk(redactor, field, At { depth: at.depth, key: key_strength, jar });
        masked.insert(free_key(redactor.key(key), &masked, &mut numbers), field);
    }
    Value::Object(masked)
}

/// What a field of an object under a sensitive key is to that key.
enum Content {
    /// What another field names: `{ "name": "authorization", "value": "…" }`.
    Value,
    /// Words, perhaps a label.
    Words,
    None,
}

fn content(key: &str) -> Content {
    match key.to_ascii_lowercase().as_str() {
        "value" | "values" | "raw" => Content::Value,
        "content" | "text" => Content::Words,
        _ => Content::None,
    }
}

/// `cookies` and the like: a container whose values are secrets, and a number when it is a count.
fn is_jar(key: &str) -> bool {
    let last = keys::words(key).pop();
    matches!(last.as_deref(), Some("cookies" | "cookie" | "passwords" | "credentials" | "secrets"))
}

/// What the object's own name, type or autocomplete says about its value.
fn named_strength(fields: &Map<String, Value>) -> Strength {
    let mut strongest = Strength::None;
    for (key, field) in fields {
        let Some(text) = field.as_str() else { continue };
        let strength = match key.to_ascii_lowercase().as_str() {
            "name" | "key" | "header" | "id" => keys::strength(text, Place::Field),
            "label" if keys::label_is_password(text) => Strength::Strong,
            "type" | "inputtype" if text.eq_ignore_ascii_case("password") => Strength::Strong,
            "autocomplete"
                if ["current-password", "new-password", "one-time-code"].contains(&text) =>
            {
                Strength::Strong
            }
            _ => Strength::None,
        };
        strongest = strongest.max(strength);
    }
    strongest
}

/// `key`, or `key 2`, where masking made two keys equal. `numbers` holds the next one to try.
fn free_key(
    key: String,
    taken: &Map<String, Value>,
    numbers: &mut HashMap<String, usize>,
) -> String {
    if !taken.contains_key(&key) {
        return key;
    }
    let number = numbers.entry(key.clone()).or_insert(2);
    loop {
        let free = format!("{key} {number}");
        *number += 1;
        if !taken.contains_key(&free) {
            return free;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::MAX_DEPTH;
    use crate::redact::Redactor;

    fn check(value: &Value, expected: &Value) {
        assert_eq!(&Redactor::new([]).json(value), expected);
    }

    // RED-04, RED-05
    #[test]
    fn fields_are_masked_by_key_and_structure_stays() {
        check(
            &json!({ "password": "x", "token": { "value": "y", "type": "Bearer" }, "pin": 1, "otp": 123_456, "n": 5 }),
            &json!({ "password": "[REDACTED]", "token": { "value": "[REDACTED]", "type": "Bearer" }, "pin": 1,
                "otp": "[REDACTED]", "n": 5 }),
        );
        check(&json!({ "secret": ["a", "b"] }), &json!({ "secret": ["[REDACTED]", "[REDACTED]"] }));
        check(
            &json!({ "headers": [{ "name": "X-Api-Key", "value": "q" }, { "name": "Accept", "value": "*/*" }] }),
            &json!({ "headers": [{ "name": "X-Api-Key", "value": "[REDACTED]" }, { "name": "Accept", "value": "*/*" }] }),
        );
        check(
            &json!({ "type": "password", "label": "Code", "value": "swordfish" }),
            &json!({ "type": "password", "label": "Code", "value": "[REDACTED]" }),
        );
    }

    // RED-05
    #[test]
    fn cookies_are_hidden_wherever_they_stand() {
        check(
            &json!({ "cookies": [{ "name": "theme", "value": "dark", "path": "/" }], "n": "dark" }),
            &json!({ "cookies": [{ "name": "theme", "value": "[REDACTED]", "path": "/" }], "n": "dark" }),
        );
        check(
            &json!({ "request": { "cookies": { "theme": "dark", "n": 2 } } }),
            &json!({ "request": { "cookies": { "theme": "[REDACTED]", "n": 2 } } }),
        );
    }

    // HAZ-24
    #[test]
    fn counts_flags_and_labels_stay() {
        for value in [
            json!({ "name": "Password", "role": "textbox", "text": "Password", "cookies": 1200 }),
            json!({ "tokens": 120_000, "cookies": 3, "password": true, "token": null, "secret": "" }),
            json!({ "passwordSelector": "#pw", "e3": { "name": "Password", "role": "textbox" } }),
            json!({ "snapshot": "- textbox \"Password:\" [ref=e5]\n- button \"Sign in\" [ref=e6]" }),
            json!({ "sessionName": "s1-9f86d081884c", "key": "Enter", "requestId": "31600.5" }),
        ] {
            check(&value, &value);
        }
    }

    // HAZ-24
    #[test]
    fn bodies_inside_strings_are_masked_by_field() {
        check(
            &json!({ "body": "{\"otp\": 123456}" }),
            &json!({ "body": "{\"otp\":\"[REDACTED]\"}" }),
        );
        check(&json!({ "postData": "a=1&pwd=x9y8" }), &json!({ "postData": "a=1&pwd=[REDACTED]" }));
        check(
            &json!({ "body": "{\"a\": 1, \"pwd\": \"x\"}" }),
            &json!({ "body": "{\"a\": 1, \"pwd\": \"[REDACTED]\"}" }),
        );
        check(
            &json!({ "body": "{\"pwd\": \"x\", \"pwd\": \"\"}" }),
            &json!({ "body": "{\"pwd\": \"[REDACTED]\", \"pwd\": \"\"}" }),
        );
    }

    // RED-09, RED-11
    #[test]
    fn argument_lists_are_masked_by_position() {
        check(
            &json!({ "steps": [{ "args": ["cookies", "set", "sid", "v"] }, { "args": ["open", "--headers=a"] }] }),
            &json!({ "steps": [{ "args": ["cookies", "set", "sid", "[REDACTED]"] }, { "args": ["open", "--headers=[REDACTED]"] }] }),
        );
    }

    #[test]
    fn keys_that_become_equal_do_not_swallow_each_other() {
        let fish = ["barracuda", "swordfish", "tunafish"];
        let gate = Redactor::new(fish.map(str::to_owned));
        let masked = gate.json(&json!({ fish[0]: 1, fish[1]: 2, fish[2]: 3 }));
        assert_eq!(masked, json!({ "[REDACTED]": 1, "[REDACTED] 2": 2, "[REDACTED] 3": 3 }));
    }

    #[test]
    fn a_field_that_is_described_as_a_password_hides_its_value() {
        let value = |key: &str, text: &str| {
            let masked = Redactor::new([]).json(&json!({ key: text, "value": "tulip" }));
            masked["value"].as_str().unwrap().to_owned()
        };
        for (key, text) in
            [("label", "Password"), ("type", "password"), ("autocomplete", "current-password")]
        {
            assert_eq!(value(key, text), "[REDACTED]", "{key}");
        }
        for (key, text) in [("label", "City"), ("type", "text"), ("autocomplete", "off")] {
            assert_eq!(value(key, text), "tulip", "{key}");
        }
    }

    // RED-04
    #[test]
    fn what_nests_too_deep_is_masked_whole() {
        let nested =
            |levels: usize, inner: &str| (0..levels).fold(json!(inner), |inner, _| json!([inner]));
        check(&nested(MAX_DEPTH, "dark"), &nested(MAX_DEPTH, "dark"));
        check(&nested(MAX_DEPTH + 9, "dark"), &nested(MAX_DEPTH + 1, "[REDACTED]"));
    }

    // RED-04, RED-05
    #[test]
    fn words_under_a_sensitive_key_and_documents_in_strings_are_masked() {
        check(
            &json!({ "password": { "text": "tulip", "hint": "tulip" } }),
            &json!({ "password": { "text": "[REDACTED]", "hint": "tulip" } }),
        );
        check(&json!("{\"otp\": 123456}"), &json!("{\"otp\":\"[REDACTED]\"}"));
        let long = |code: &str| format!("{{\"a\":\"{}\",\"otp\":{code}}}", "-".repeat(1 << 21));
        check(&json!(long("123456")), &json!(long("\"[REDACTED]\"")));
    }

    // RED-10
    #[test]
    fn a_number_that_is_a_secret_of_the_call_is_masked() {
        let gate = Redactor::new(["482913".to_owned()]);
        assert_eq!(gate.json(&json!([482_913, 482_914])), json!(["[REDACTED]", 482_914]));
    }
}
