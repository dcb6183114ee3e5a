//! The decoder of calls takes any JSON.

use agent_browser_native::input::{Mode, decode};
use agent_browser_native::outcome::FailureCategory;
use agent_browser_native::present::text::print;
use agent_browser_native::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{config, json};

/// An object with fields that mean something, values that mostly do not.
fn call() -> impl Strategy<Value = Value> {
    let names =
        ["args", "stdin", "sessionMode", "timeoutMs", "outputPath", "job", "qa", "electron"];
    let name = prop_oneof![
        8 => proptest::sample::select(names.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let tokens = proptest::collection::vec(any::<String>(), 0..6);
    let value = prop_oneof![
        3 => tokens.prop_map(Value::from),
        3 => json::value(),
        1 => Just(Value::from("fresh")),
        1 => (0_u64..700_000).prop_map(Value::from),
    ];
    proptest::collection::vec((name, value), 0..5)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
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
            let text = print(&outcome.answer, &Redactor::new([]));
            prop_assert!(!text.is_empty() && text.len() < 1_000, "{}", text);
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
