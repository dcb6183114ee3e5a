//! The gate: no secret of a call passes, and what has passed once passes unchanged.

use agent_browser_native::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::config;

/// Pieces that make the rules look closer.
const PIECES: &[&str] = &[
    "password=",
    "\"token\": \"",
    "Authorization: Bearer ",
    "Cookie: a=",
    "; Path=/",
    "https://",
    "user:",
    "@shop.test/",
    "?api_key=",
    "&next=%2F",
    "#access_token=",
    "- textbox \"Password\" [ref=e5]: ",
    "- link \"Home\" [ref=e1]",
    "<input type=\"password\" value=\"",
    "\">",
    "-----BEGIN PRIVATE KEY-----",
    "ghp_",
    "eyJhbGciOi.",
    "--password ",
    "\\\"",
    "'",
    "\"",
    "\n",
    " ",
    "=",
    ":",
    "[REDACTED]",
    "é",
    "\u{202e}",
    "{\"secret\":",
    "}",
    "set-cookie:",
    "x-api-key: ",
    "session=",
    "code=1234",
    "%22",
    "\\u0022",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9_.-]{1,24}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A secret as people choose them; no shorter one is looked for as an exact value.
fn secret() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9!$%*+~_-]{8,24}"
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/redaction.txt"))]

    // RED-05, DEC-68
    #[test]
    fn a_secret_of_the_call_never_passes(secret in secret(), before in text(), after in text()) {
        let gate = Redactor::new([secret.clone()]);
        let carrier = format!("{before}{secret}{after}");
        prop_assert!(!gate.text(&carrier).contains(&secret));
        let line = gate.tree_line(&format!("- text: {carrier}"));
        prop_assert!(!line.contains(&secret));
        let url = gate.url(&format!("https://shop.test/{carrier}"));
        prop_assert!(!url.contains(&secret));
        let mut fields = Map::new();
        fields.insert(carrier.clone(), json!([carrier, { "x": carrier }]));
        let masked = gate.json(&Value::Object(fields));
        prop_assert!(!leaves(&masked).iter().any(|leaf| leaf.contains(&secret)), "{}", masked);
        let argv = gate.argv(&["fill".to_owned(), "#a".to_owned(), carrier]);
        prop_assert!(!argv.iter().any(|word| word.contains(&secret)));
    }

    // RED-01
    #[test]
    fn what_has_passed_once_passes_unchanged(text in text()) {
        let gate = Redactor::new([]);
        let once = gate.text(&text);
        prop_assert_eq!(gate.text(&once), once.clone());
        let url = gate.url(&text);
        prop_assert_eq!(gate.url(&url), url.clone());
        let value = gate.json(&json!({ "data": text, "list": [text] }));
        prop_assert_eq!(gate.json(&value), value.clone());
    }

    // RED-01
    #[test]
    fn the_gate_keeps_the_shape_of_json(value in crate::json::value()) {
        let masked = Redactor::new([]).json(&value);
        prop_assert_eq!(shape(&masked), shape(&value));
    }
}

fn leaves(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| [vec![key.clone()], leaves(value)].concat())
            .collect(),
        other => vec![other.to_string()],
    }
}

/// Lists and objects with their sizes; what a mask replaces is a leaf or the value of a sensitive key.
fn shape(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    }
}
