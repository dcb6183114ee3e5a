use super::{argv, error, names, parse, tokens, values};
use crate::command::Class;
use crate::command::argv::{ArgvError, Inspection};
use crate::command::table::Sessionless;

// PLAN-03, PLAN-28
#[test]
fn globals_in_front_take_their_values_before_the_command_is_found() {
    let call = argv(&["--confirm-actions", "click", "click", "@danger"]);
    assert_eq!(names(&call), [("--confirm-actions", Some("click"))]);
    assert_eq!(call.words, ["click", "@danger"]);
    let call = argv(&["-p", "ios", "--device", "iPhone 15", "--headed", "open", "a.test"]);
    assert_eq!(
        names(&call),
        [("-p", Some("ios")), ("--device", Some("iPhone 15")), ("--headed", None)]
    );
    assert_eq!(call.globals[0].spec.name, "--provider");
    assert_eq!(call.words, ["open", "a.test"]);
}

// PLAN-07, PLAN-15
#[test]
fn a_switch_takes_true_or_false_and_nothing_else() {
    let call = argv(&["--headed", "false", "--json", "true", "get", "--debug", "title"]);
    assert_eq!(names(&call), [("--json", None), ("--headed", Some("false")), ("--debug", None)]);
    assert_eq!(call.words, ["get", "title"]);
    assert!(call.wants_json());
    assert!(!argv(&["--json", "false", "get", "title"]).wants_json());
}

// PLAN-27, DEC-97
#[test]
fn globals_behind_a_command_without_text_are_recognised() {
    let call = argv(&["open", "--enable", "react-devtools", "https://a.test", "--session", "s"]);
    assert_eq!(names(&call), [("--session", Some("s")), ("--enable", Some("react-devtools"))]);
    assert_eq!(call.words, ["open", "https://a.test"]);
    assert_eq!(call.launch_globals().len(), 1);
    assert_eq!(argv(&["batch", "get title", "--json"]).batch_strings(), ["get title"]);
}

// DEC-97, HAZ-04, PLAN-05
#[test]
fn text_is_never_a_flag() {
    for words in [
        &["fill", "#field", "--password"][..],
        &["fill", "#x", "--json"],
        &["fill", "#x", "a", "--session", "s"],
        &["fill", "#x", "--help"],
        &["fill", "#x", "--session=s"],
        &["type", "#x", "--headed"],
        &["keyboard", "type", "--offline"],
        &["keyboard", "inserttext", "-v", "-h"],
        &["find", "label", "Email", "fill", "--json"],
        &["find", "nth", "1", ".a", "fill", "--debug"],
        &["find", "first", ".a", "fill", "-q"],
        &["find", "text", "-q", "click"],
        &["find", "role", "button", "click", "--name", "--json"],
        &["dialog", "accept", "--json"],
        &["clipboard", "write", "--quick"],
        &["cookies", "set", "--session", "--json"],
        &["storage", "local", "set", "k", "--json"],
        &["storage", "session", "set", "--fix", "v"],
        &["set", "headers", "--json"],
        &["set", "credentials", "--debug", "--json"],
        &["eval", "--json"],
        &["eval", "--stdin", "--json"],
        &["eval", "-b", "--json"],
        &["wait", "--text", "--debug"],
        &["wait", "--fn", "--json"],
        &["wait", "--url", "--help"],
    ] {
        let call = argv(words);
        assert_eq!(call.words, words, "{words:?}");
        assert!(call.globals.is_empty() && call.inspection.is_none(), "{words:?}");
    }
}

// DEC-97
#[test]
fn in_front_of_the_text_flags_are_flags() {
    let call = argv(&["fill", "--session", "s", "#x", "--session"]);
    assert_eq!(call.session(), Some("s"));
    assert_eq!(call.words, ["fill", "#x", "--session"]);
    let call = argv(&["find", "label", "Email", "click", "--json"]);
    assert!(call.wants_json());
    let call = argv(&["keyboard", "--json", "type", "x"]);
    assert!(call.wants_json());
    let call = argv(&["wait", "--text", "x", "--json", "--timeout", "5"]);
    assert!(call.wants_json());
    assert_eq!(call.explicit_wait_ms(), Some(5));
}

// DEC-97
#[test]
fn own_flags_among_text_stay_flags() {
    let call = argv(&["type", "#x", "hello", "--clear", "--delay", "30", "world"]);
    assert_eq!(values(&call.text_operands()), ["hello", "world"]);
    assert_eq!(call.operands(), ["#x", "hello", "world"]);
    assert!(call.has_own_flag("--clear"));
    assert_eq!(call.own_value("--delay").unwrap().value, "30");
    let call = argv(&["find", "role", "textbox", "fill", "a", "--name", "Email", "--exact"]);
    assert_eq!(call.operands(), ["role", "textbox", "fill", "a"]);
    assert_eq!(values(&call.text_operands()), ["textbox", "a", "Email"]);
    let call = argv(&["eval", "1", "--stdin"]);
    assert!(!call.has_own_flag("--stdin"));
    assert!(argv(&["eval", "-b", "MQ=="]).has_own_flag("--base64"));
}

// PLAN-16, DEC-21
#[test]
fn restore_takes_a_value_unless_a_flag_or_a_command_follows() {
    let restore = |words: &[&str]| {
        let call = argv(words);
        (call.global("--restore").unwrap().value.clone(), call.words)
    };
    assert_eq!(restore(&["--restore", "open", "a"]), (None, tokens(&["open", "a"])));
    assert_eq!(restore(&["--restore", "work", "open"]), (Some("work".into()), tokens(&["open"])));
    assert_eq!(restore(&["--restore", "--json", "open"]), (None, tokens(&["open"])));
    assert_eq!(restore(&["--restore=open", "open"]), (Some("open".into()), tokens(&["open"])));
    assert_eq!(restore(&["--restore=", "open"]), (None, tokens(&["open"])));
    assert_eq!(restore(&["open", "--restore"]), (None, tokens(&["open"])));
}

// PLAN-17, DEC-13
#[test]
fn namespace_stands_before_session() {
    let call = argv(&["--session", "s", "--headed", "get", "title", "--namespace", "n", "--json"]);
    assert_eq!(
        call.to_tokens(),
        ["--json", "--namespace", "n", "--session", "s", "--headed", "get", "title"]
    );
    assert_eq!((call.session(), call.namespace()), (Some("s"), Some("n")));
}

// PLAN-08, PLAN-13, PLAN-15, DEC-22
#[test]
fn launch_flags_count_only_when_they_take_effect() {
    let launch = |words: &[&str]| -> Vec<String> {
        let call = argv(words);
        call.launch_globals().iter().map(|global| global.spec.name.to_owned()).collect()
    };
    assert_eq!(launch(&["--state", "s.json", "open", "a"]), ["--state"]);
    assert_eq!(launch(&["--auto-connect", "open", "a"]), ["--auto-connect"]);
    assert_eq!(launch(&["--hide-scrollbars", "false", "open", "a"]), ["--hide-scrollbars"]);
    assert!(launch(&["--auto-connect", "false", "open", "a"]).is_empty());
    assert!(launch(&["--headed", "false", "open", "a"]).is_empty());
    assert!(launch(&["--hide-scrollbars", "true", "open", "a"]).is_empty());
    assert!(launch(&["--pin-tab", "--color-scheme", "dark", "open", "a"]).is_empty());
    let call = argv(&["--idle-timeout", "5s", "--no-auto-dialog", "false", "open", "a"]);
    assert_eq!(call.daemon_globals().len(), 1);
    assert!(call.launch_globals().is_empty());
}

// HAZ-08, PLAN-27
#[test]
fn the_state_of_wait_is_its_own_flag() {
    let call = argv(&["wait", "#a", "--state", "hidden"]);
    assert!(call.globals.is_empty());
    assert_eq!(call.own_value("--state").unwrap().value, "hidden");
}

// HAZ-14, PLAN-04
#[test]
fn a_value_flag_without_a_value_is_refused() {
    for words in [
        &["open", "a", "--session"][..],
        &["--session"],
        &["--session", "--json", "get", "title"],
        &["get", "title", "--headers", "--debug"],
    ] {
        let found = error(words);
        assert!(matches!(found, ArgvError::MissingValue { .. }), "{words:?}");
        assert!(found.refusal().message.plain().contains("needs a value"));
    }
    argv(&["--args", "--hide-scrollbars", "open", "a"]);
}

// HAZ-14
#[test]
fn a_flag_that_swallows_the_command_is_refused() {
    for words in [
        &["--profile", "open"][..],
        &["--json", "--profile", "open", "https://a.test"],
        &["--profile", "open", "--json", "https://a.test"],
    ] {
        let found = error(words);
        let expected =
            ArgvError::SwallowedCommand { flag: "--profile".into(), word: "open".into() };
        assert_eq!(found, expected);
        assert!(found.refusal().message.plain().contains("\"open\""));
    }
    argv(&["--profile", "open", "open", "https://a.test"]);
}

// DEC-97
#[test]
fn the_program_name_is_refused_with_the_call_without_it() {
    let refusal = error(&["agent-browser", "get", "title"]).refusal();
    assert_eq!(
        refusal.message.plain(),
        "Leave out the program name agent-browser: args begin with the command."
    );
    assert_eq!(refusal.next[0].params().unwrap().to_string(), r#"{"args":["get","title"]}"#);
    assert!(error(&["agent-browser", "fill", "#a", "secret"]).refusal().next.is_empty());
    assert!(error(&["agent-browser"]).refusal().next.is_empty());
    argv(&["fill", "#a", "agent-browser"]);
}

// PLAN-03
#[test]
fn foreign_flags_in_front_of_the_command_are_refused() {
    let sentence = |words: &[&str]| error(words).refusal().message.plain();
    assert_eq!(
        sentence(&["--body", "x", "network", "route", "y"]),
        "--body belongs behind the command word network."
    );
    assert_eq!(sentence(&["-i", "snapshot"]), "-i belongs behind the command word snapshot.");
    assert!(sentence(&["--sesion", "s", "open"]).contains("the nearest one is --session"));
    assert!(sentence(&["--bogus", "open"]).contains("no global flag"));
    for words in [&["--session=s", "open"][..], &["open", "a.test", "--session=s"]] {
        assert!(sentence(words).starts_with("Write --session and its value as two tokens"));
    }
    argv(&["open", "a.test", "--bogus"]);
    argv(&["open", "a.test", "--bogus=1"]);
}

// DEC-31, PLAN-31
#[test]
fn help_and_version_are_inspection_unless_they_are_text() {
    for (words, kind) in [
        (&["--help"][..], Inspection::GeneralHelp),
        (&["-h", "fill"], Inspection::GeneralHelp),
        (&["--json", "fill", "--help"], Inspection::CommandHelp),
        (&["get", "title", "-h"], Inspection::CommandHelp),
        (&["eval", "--help"], Inspection::CommandHelp),
        (&["--version"], Inspection::Version),
        (&["get", "-V"], Inspection::Version),
        (&["--version", "--help"], Inspection::GeneralHelp),
    ] {
        let call = argv(words);
        assert_eq!(call.inspection, Some(kind), "{words:?}");
        assert_eq!(call.sessionless(), Sessionless::Yes);
        assert_eq!(call.classes(), [Class::Read]);
    }
    for words in [
        &["get", "title", "--", "--help"][..],
        &["eval", "1", "--help"],
        &["eval", "-h"],
        &["help"],
    ] {
        assert_eq!(argv(words).inspection, None, "{words:?}");
    }
}

#[test]
fn flags_that_neither_choose_the_session_nor_take_part_in_a_launch_are_the_others() {
    let call = argv(&[
        "--json",
        "--session",
        "s",
        "--headed",
        "--webgpu",
        "false",
        "--ignore-https-errors",
        "--debug",
        "open",
        "a",
    ]);
    let others: Vec<&str> = call.other_globals().iter().map(|one| one.spec.name).collect();
    assert_eq!(others, ["--webgpu", "--ignore-https-errors"]);
    let chosen = call.globals.iter().filter(|one| one.is_session_choice());
    let chosen: Vec<&str> = chosen.map(|one| one.spec.name).collect();
    assert_eq!(chosen, ["--json", "--session"]);
}

// DEC-21
#[test]
fn a_flag_is_written_so_that_the_next_word_is_not_its_value() {
    for words in [
        &["--restore=", "plug"][..],
        &["--restore", "open", "a"],
        &["--restore=", "--headed", "open", "a"],
        &["--restore=shop", "open", "a"],
        &["--headed", "true", "true"],
        &["--headed", "false", "open", "a"],
        &["--headed", "open", "a"],
    ] {
        let call = argv(words);
        let written = call.to_tokens();
        assert_eq!(names(&parse(&written).unwrap()), names(&call), "{written:?}");
        assert_eq!(parse(&written).unwrap().words, call.words, "{written:?}");
    }
    assert_eq!(argv(&["--restore", "open", "a"]).to_tokens(), ["--restore", "open", "a"]);
    let flag = |words: &[&str]| argv(words).globals[0].tokens();
    assert_eq!(flag(&["--restore", "shop", "open", "a"]), ["--restore=shop"]);
    assert_eq!(flag(&["--proxy", "http://p.test", "open", "a"]), ["--proxy", "http://p.test"]);
    assert_eq!(flag(&["--headed", "open", "a"]), ["--headed"]);
}

#[test]
fn a_lone_dash_is_a_word_and_no_flag() {
    assert_eq!(argv(&["-"]).words, ["-"]);
}

#[test]
fn a_command_keeps_its_spelling_at_the_start_of_a_sentence() {
    let not_here = ArgvError::NotInRows { command: "dashboard".into() };
    let said = not_here.refusal().message.plain();
    assert!(said.starts_with("dashboard cannot run in a row"), "{said}");
    let said = ArgvError::EmptyRow.refusal().message.plain();
    assert_eq!(said, "The row is empty.");
}
