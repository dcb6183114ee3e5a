//! Cookies and web storage: every cookie value is hidden, plain storage values stay (RED-02, RED-03).

use serde_json::{Map, Value};

use super::{MASK, Redactor, value};

/// Deeper values are masked whole.
const MAX_DEPTH: usize = 64;

/// Masks every `value`, whatever its type, then redacts the rest as usual.
pub(super) fn cookies(redactor: &Redactor, data: &Value) -> Value {
    let hidden =
        hide(data, 0, &|key, _| key.eq_ignore_ascii_case("value").then(|| Value::from(MASK)));
    redactor.json(&hidden)
}

/// Masks what looks like a secret; `theme: dark` stays.
pub(super) fn storage(redactor: &Redactor, data: &Value) -> Value {
    let hidden = hide(data, 0, &|_, field| {
        field.as_str().filter(|text| value::is_opaque(text)).map(|_| Value::from(MASK))
    });
    redactor.json(&hidden)
}

/// Copies `data` and replaces the fields that `rule` answers for.
fn hide(data: &Value, depth: usize, rule: &impl Fn(&str, &Value) -> Option<Value>) -> Value {
    if depth > MAX_DEPTH {
        return Value::from(MASK);
    }
    match data {
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| hide(item, depth + 1, rule)).collect())
        }
        Value::Object(fields) => {
            let hidden: Map<String, Value> = fields
                .iter()
                .map(|(key, field)| {
                    (key.clone(), rule(key, field).unwrap_or_else(|| hide(field, depth + 1, rule)))
                })
                .collect();
            Value::Object(hidden)
        }
        _ => data.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::MAX_DEPTH;
    use crate::redact::Redactor;

    // RED-02
    #[test]
    fn every_cookie_value_is_hidden() {
        let cookies = json!({ "cookies": [{ "name": "theme", "value": "dark", "path": "/" }, { "name": "n", "VALUE": 7 }] });
        let hidden = json!({ "cookies": [{ "name": "theme", "value": "[REDACTED]", "path": "/" },
            { "name": "n", "VALUE": "[REDACTED]" }] });
        assert_eq!(Redactor::new([]).json_cookies(&cookies), hidden);
    }

    // RED-03
    #[test]
    fn plain_storage_values_stay() {
        let stored = json!({ "data": { "theme": "dark", "n": 3, "seen": "2024-05-01T10:00:00Z", "auth_token": "x",
            "blob": "3f9c2a77b1d04e6f", "user": "{\"name\":\"Ann\",\"token\":\"t\"}" } });
        let hidden = json!({ "data": { "theme": "dark", "n": 3, "seen": "2024-05-01T10:00:00Z", "auth_token": "[REDACTED]",
            "blob": "[REDACTED]", "user": "{\"name\":\"Ann\",\"token\":\"[REDACTED]\"}" } });
        assert_eq!(Redactor::new([]).json_storage(&stored), hidden);
        let one = json!({ "key": "theme", "value": "dark" });
        assert_eq!(Redactor::new([]).json_storage(&one), one);
        let one = json!({ "key": "access_token", "value": "x" });
        assert_eq!(
            Redactor::new([]).json_storage(&one),
            json!({ "key": "access_token", "value": "[REDACTED]" })
        );
    }

    // RED-02, RED-03
    #[test]
    fn what_nests_too_deep_is_masked_whole() {
        for wrap in [|inner: Value| json!([inner]), |inner: Value| json!({ "a": inner })] {
            let nested = |levels: usize, inner: &str| {
                (0..levels).fold(Value::from(inner), |inner, _| wrap(inner))
            };
            for hide in [Redactor::json_cookies, Redactor::json_storage] {
                let shown = nested(MAX_DEPTH, "dark");
                assert_eq!(hide(&Redactor::new([]), &shown), shown);
                let hidden = nested(MAX_DEPTH + 1, "[REDACTED]");
                assert_eq!(hide(&Redactor::new([]), &nested(MAX_DEPTH + 9, "dark")), hidden);
            }
        }
    }
}
