//! The grammar of upstream's command line takes any tokens.

use agent_browser_native::command::{
    Facts, check, parse, parse_row, rows_from_json, split_command_string,
};
use proptest::prelude::*;

use crate::config;

const WORDS: &[&str] = &[
    "open",
    "click",
    "fill",
    "type",
    "get",
    "eval",
    "batch",
    "wait",
    "find",
    "tab",
    "set",
    "close",
    "snapshot",
    "screenshot",
    "scroll",
    "press",
    "keyboard",
    "network",
    "state",
    "auth",
    "title",
    "text",
    "--stdin",
    "--json",
    "--session",
    "--namespace",
    "--profile",
    "--bail",
    "--restore",
    "--headed",
    "--timeout",
    "--text",
    "--fn",
    "--name",
    "--",
    "-h",
    "--help",
    "--version",
    "@e1",
    "@e0",
    "@",
    "#a",
    "true",
    "",
    "-",
    "a.png",
    "http://127.0.0.1/",
    "--args=--x",
    "list",
    "t1",
];

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/grammar.txt"))]

    // HAZ-14, IN-ARGS-02
    #[test]
    fn any_tokens_are_understood_or_refused(tokens in proptest::collection::vec(token(), 0..9)) {
        match parse(&tokens) {
            Ok(argv) => {
                prop_assert!(argv.words.iter().all(|word| tokens.contains(word)));
                for found in argv.ref_operands() {
                    prop_assert!(argv.words.get(found.index).is_some());
                }
                for index in argv.secret_indexes() {
                    prop_assert!(argv.words.get(index).is_some());
                }
                if argv.command().is_some() {
                    prop_assert_eq!(parse(&argv.to_tokens()), Ok(argv.clone()));
                }
                if let Err(refusal) = check(&Facts::of(&argv)) {
                    prop_assert!(!refusal.message.plain().is_empty());
                }
            }
            Err(error) => prop_assert!(!error.refusal().message.plain().is_empty()),
        }
        if let Err(error) = parse_row(&tokens) {
            prop_assert!(!error.refusal().message.plain().is_empty());
        }
    }

    // DEC-98
    #[test]
    fn any_text_is_rows_or_is_refused(text in any::<String>()) {
        if let Ok(words) = split_command_string(&text) {
            prop_assert!(words.iter().map(String::len).sum::<usize>() <= text.len());
        }
        if let Ok(rows) = rows_from_json(&text) {
            prop_assert!(text.trim_start().starts_with('['), "{:?}", rows);
        }
    }
}
