use proptest::prelude::*;

use super::tokens;
use crate::command::argv::{
    Argv, is_path_like, parse, parse_row, rows_from_json, split_command_string,
};
use crate::command::check::{Facts, check, invoke_function_shape, repair_eval, scroll_shim};
use crate::command::flags::FLAGS;
use crate::command::table::{CommandSpec, commands, nearest};
use crate::command::{in_row, missing_from_tables};

/// A word that means something to the parser, or any text.
fn word() -> impl Strategy<Value = String> {
    let words: Vec<&str> = commands().flat_map(CommandSpec::words).collect();
    let globals: Vec<&str> = FLAGS.iter().map(|spec| spec.name).collect();
    let own: Vec<&str> =
        commands().flat_map(|spec| spec.own_flags).flat_map(|own| own.names).copied().collect();
    let others = [
        "true",
        "false",
        "--",
        "-",
        "",
        "@e1",
        "-h",
        "-V",
        "--restore=",
        "--restore=x",
        "list",
        "set",
        "fill",
        "text",
        "local",
        "nth",
        "start",
        "stop",
        "agent-browser",
        "--session=s",
        "a.png",
        "--password=x",
    ];
    prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_owned),
        4 => proptest::sample::select(globals).prop_map(str::to_owned),
        3 => proptest::sample::select(own).prop_map(str::to_owned),
        3 => proptest::sample::select(others.to_vec()).prop_map(str::to_owned),
        2 => any::<String>(),
    ]
}

/// Asks everything that can be asked.
fn ask_everything(call: &Argv) {
    let _ = (call.traits(), call.classes(), call.name(), call.session(), call.namespace());
    let _ = (
        call.launch_globals(),
        call.daemon_globals(),
        call.explicit_wait_ms(),
        call.batch_strings(),
    );
    let _ = (call.output_path(), call.target(), call.urls());
    let _ = (call.has_own_flag("--stdin"), call.own_value("--timeout"), call.is_close());
    for global in &call.globals {
        let _ = (global.path(), global.takes_effect());
    }
    for has_stdin in [false, true] {
        let _ = repair_eval(call, has_stdin);
        if let Err(refusal) = check(&Facts { has_stdin, ..Facts::of(call) }) {
            assert!(!in_row(refusal, 1).message.plain().is_empty());
        }
    }
    let _ = scroll_shim(call);
    let places = call.secret_indexes().into_iter();
    let places = places.chain(call.ref_operands().into_iter().map(|one| one.index));
    let places = places.chain(call.text_operands().into_iter().map(|one| one.index));
    let places = places.chain(call.input_paths().into_iter().map(|one| one.index));
    for index in places {
        assert!((1..call.words.len()).contains(&index));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_tokens_give_a_call_or_a_sentence(list in proptest::collection::vec(word(), 0..8)) {
        match parse(&list) {
            Ok(call) => ask_everything(&call),
            Err(found) => prop_assert!(!found.refusal().message.plain().is_empty()),
        }
        if let Err(found) = parse_row(&list) {
            prop_assert!(!found.refusal().message.plain().is_empty());
        }
    }

    #[test]
    fn a_call_survives_the_way_through_its_tokens(list in proptest::collection::vec(word(), 0..8)) {
        if let Ok(call) = parse(&list) {
            let tokens = call.to_tokens();
            let again = parse(&tokens);
            // An unknown command word may mean something else behind other tokens; it is refused.
            if call.command().is_some() || call.words.is_empty() {
                prop_assert_eq!(again, Ok(call), "{:?}", tokens);
            }
        }
    }

    // HAZ-04
    #[test]
    fn no_text_of_a_fill_ever_leaves_its_place(text in proptest::collection::vec(word(), 1..5)) {
        let mut list = tokens(&["fill", "#a"]);
        list.extend(text.iter().cloned());
        let call = parse(&list).unwrap();
        prop_assert_eq!(&call.words, &list);
        prop_assert_eq!(call.text_operands().len(), text.len());
        prop_assert!(call.ref_operands().is_empty());
    }

    #[test]
    fn helpers_are_total_on_any_text(text in any::<String>()) {
        let _ = split_command_string(&text);
        let _ = rows_from_json(&text);
        let _ = invoke_function_shape(&text);
        let _ = missing_from_tables(&text);
        let _ = nearest(&text);
        let _ = is_path_like(&text);
    }

    #[test]
    fn code_like_text_never_panics(text in "[(){}=>,;'\"`/*\\\\ a\nasyncfunction]{0,40}") {
        let _ = invoke_function_shape(&text);
    }
}
