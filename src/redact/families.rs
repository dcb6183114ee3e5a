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
