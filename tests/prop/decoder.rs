//! The decoder of calls takes any JSON.

use agent_browser_native::input::{Mode, decode};
use agent_browser_native::outcome::{FailureCategory, NextPayload};
use agent_browser_native::present::text::print;
use agent_browser_native::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{config, json};

/// An object with fields that mean something, values that mostly do not.
fn call() -> impl Strategy<Value = Value> {
    let names = [
        "args",
        "stdin",
        "sessionMode",
        "timeoutMs",
        "outputPath",
        "semanticAction",
        "job",
        "qa",
        "sourceLookup",
        "networkSourceLookup",
        "electron",
    ];
    let name = prop_oneof![
        8 => proptest::sample::select(names.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let tokens = proptest::collection::vec(any::<String>(), 0..6);
    let value = prop_oneof![
        3 => tokens.prop_map(Value::from),
        3 => json::value(),
        3 => mode(),
        1 => Just(Value::from("fresh")),
        1 => (0_u64..700_000).prop_map(Value::from),
    ];
    proptest::collection::vec((name, value), 0..5)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
}

/// An object with the fields of the modes, and words that some of them know.
fn mode() -> impl Strategy<Value = Value> {
    let names = [
        "action",
        "locator",
        "value",
        "role",
        "name",
        "selector",
        "text",
        "values",
        "session",
        "namespace",
        "url",
        "attached",
        "expectedText",
        "loadState",
        "checkErrors",
        "requestId",
        "filter",
        "reactFiberId",
        "componentName",
        "maxWorkspaceFiles",
        "failFast",
        "steps",
        "milliseconds",
        "delayMs",
        "press",
        "path",
    ];
    let words =
        ["click", "fill", "select", "open", "type", "wait", "role", "text", "load", "#a", ""];
    let leaf = prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => (0_u64..700_000).prop_map(Value::from),
        1 => Just(Value::from("a\0b")),
        1 => json::value(),
    ];
    let object = |value: BoxedStrategy<Value>| {
        let name = proptest::sample::select(names.to_vec()).prop_map(str::to_owned);
        proptest::collection::vec((name, value), 0..5)
            .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
            .boxed()
    };
    let steps = proptest::collection::vec(object(leaf.clone().boxed()), 0..4);
    let nested = prop_oneof![4 => leaf, 2 => steps.prop_map(Value::from)].boxed();
    object(nested)
}

fn check(params: &Value) -> Result<(), TestCaseError> {
    match decode(params) {
        Ok(input) => {
            #[allow(irrefutable_let_patterns, reason = "there are more modes to come")]
            if let Mode::Args(tokens) = &input.mode {
                prop_assert!(!tokens.is_empty());
                prop_assert!(tokens.iter().all(|token| !token.contains('\0')));
            }
            prop_assert!(input.timeout_ms.is_none_or(|ms| (1..=600_000).contains(&ms)));
        }
        Err(refusal) => {
            prop_assert_eq!(refusal.category, FailureCategory::ValidationError);
            let outcome = refusal.into_outcome();
            let text = print(&outcome.answer, &Redactor::new([])).to_string();
            prop_assert!(!text.is_empty() && text.len() < 1_000, "{}", text);
            // The caller's own call, mended, or an example.
            let call = match outcome.next.first().map(|next| &next.payload) {
                Some(NextPayload::Params(call)) => call.clone(),
                _ => {
                    let example =
                        text.lines().last().and_then(|line| line.strip_prefix("Example: "));
                    serde_json::from_str(example.unwrap_or_default())
                        .map_err(|_| TestCaseError::fail(format!("no call is shown: {text}")))?
                }
            };
            prop_assert!(decode(&call).is_ok(), "{}", call);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/decoder.txt"))]

    // IN-GEN-03, IN-GEN-07
    #[test]
    fn any_json_gives_a_call_or_one_clear_sentence(params in json::value()) {
        check(&params)?;
    }

    // IN-GEN-03, IN-GEN-07
    #[test]
    fn odd_calls_give_a_call_or_one_clear_sentence(params in call()) {
        check(&params)?;
    }
}
