#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;

use super::*;
use crate::command::parse;
use crate::outcome::FailureCategory;

pub(super) fn argv(words: &[&str]) -> Argv {
    let tokens: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    parse(&tokens).unwrap()
}

pub(super) fn refused(words: &[&str]) -> Box<Refusal> {
    match check(&Facts::of(&argv(words))) {
        Err(refusal) => refusal,
        Ok(()) => panic!("{words:?} passed"),
    }
}

pub(super) fn passes(words: &[&str]) {
    if let Err(refusal) = check(&Facts::of(&argv(words))) {
        panic!("{words:?} refused: {}", refusal.message.plain());
    }
}

pub(super) fn next_args(refusal: &Refusal) -> Vec<String> {
    let params = refusal.next.first().unwrap().params().unwrap();
    params["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap().to_owned()).collect()
}

#[test]
fn ids_are_unique_and_described() {
    let ids: BTreeSet<&str> = CHECKS.iter().map(|check| check.id).collect();
    assert_eq!(ids.len(), CHECKS.len());
    assert!(CHECKS.iter().all(|check| !check.doc.is_empty()));
}

// HAZ-26
#[test]
fn flags_that_find_does_not_know_are_refused() {
    let refusal = refused(&["find", "role", "link", "click", "--name", "A", "--new-tab"]);
    assert!(refusal.message.plain().contains("not \"--new-tab\"; send click with"));
    assert_eq!(next_args(&refusal), ["snapshot", "-i"]);
    passes(&["find", "role", "link", "click", "--name", "--new-tab"]);
    passes(&["find", "label", "Name", "fill", "--new-tab"]);
    passes(&["find", "text", "--new-tab", "click", "--exact"]);
}

// HAZ-26
#[test]
fn options_that_a_command_does_not_have_are_refused() {
    for (words, message) in [
        (
            &["click", "@e1", "--button", "right"][..],
            "unknown option \"--button\"; click takes --new-tab and --human.",
        ),
        (&["back", "--foo"], "unknown option \"--foo\"; back takes none of its own."),
        (
            &["console", "--clera"],
            "unknown option \"--clera\"; did you mean --clear? console takes --clear.",
        ),
        (
            &["screenshot", "--fullpage", "x.png"],
            "unknown option \"--fullpage\"; did you mean --full? screenshot takes --full, \
             --if-changed and --threshold.",
        ),
        (
            &["click", "@e1", "--new-tab=true"],
            "unknown option \"--new-tab=true\"; did you mean --new-tab? click takes --new-tab and \
             --human.",
        ),
    ] {
        let refusal = refused(words);
        assert_eq!(refusal.category, FailureCategory::ValidationError);
        assert_eq!(refusal.message.plain(), message);
    }
    assert_eq!(next_args(&refused(&["screenshot", "--fullpage", "x.png"]))[1], "--full");
    assert!(refused(&["wait", "--txt", "foo"]).message.plain().contains("mean --text?"));
    assert!(
        refused(&["click", "@e1", "--button", "right"]).hints[0].plain().contains("down right")
    );
    for words in [
        &["snapshot", "--foo"][..],
        &["open", "--foo"],
        &["pdf", "--landscape", "a.pdf"],
        &["find", "role", "button", "--nam", "Save"],
        &["find", "--foo"],
        &["batch", "--fast", "get title"],
    ] {
        refused(words);
    }
}

// HAZ-26, DEC-97
#[test]
fn words_that_only_look_like_options_pass() {
    for words in [
        &["fill", "#a", "--foo"][..],
        &["type", "#a", "--foo"],
        &["keyboard", "type", "--foo"],
        &["eval", "--foo"],
        &["press", "-"],
        &["find", "label", "Name", "type", "--foo"],
        &["find", "text", "--foo"],
        &["wait", "--text", "--foo"],
        &["select", "#a", "--none"],
        &["select", "#a", "--none--", "--all"],
        &["storage", "local", "--draft"],
        &["dialog", "accept", "--foo"],
        &["click", "--", "--foo"],
        &["chat", "--foo"],
        &["upload", "#a", "--report.txt"],
        &["mouse", "wheel", "-50", "0"],
        &["click", "text=--x y"],
    ] {
        passes(words);
    }
}

// HAZ-26
#[test]
#[allow(clippy::disallowed_methods, reason = "the test reads recordings")]
fn no_recorded_call_and_no_example_of_the_help_has_an_unknown_option() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upstream");
    let mut calls: Vec<(String, Vec<String>)> = Vec::new();
    let mut open = vec![folder];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let from = path.display().to_string();
        if path.extension().is_some_and(|end| end == "json") {
            let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
            let words = |row: &serde_json::Value| -> Option<Vec<String>> {
                row.as_array()?.iter().map(|word| Some(word.as_str()?.to_owned())).collect()
            };
            calls.extend(words(&recorded["argv"]).map(|argv| (from.clone(), argv)));
            let stdin = recorded["stdin"].as_str().unwrap_or_default();
            if let Ok(serde_json::Value::Array(rows)) = serde_json::from_str(stdin) {
                calls.extend(rows.iter().filter_map(words).map(|row| (from.clone(), row)));
            }
        } else {
            let examples = text.lines().filter_map(|line| line.strip_prefix("  agent-browser "));
            calls.extend(examples.filter_map(|line| {
                let line = line.split(" # ").next()?.trim();
                Some((from.clone(), crate::command::split_command_string(line).ok()?))
            }));
        }
    }
    assert!(calls.len() > 500, "{}", calls.len());
    for (from, tokens) in calls {
        // A recording of what upstream says to a wrong call is no call of ours.
        let Ok(argv) = parse(&tokens) else { continue };
        if let Err(refusal) = options::known_options(&Facts::of(&argv)) {
            panic!("{from}: {tokens:?}: {}", refusal.message.plain());
        }
    }
}

// DEC-42
#[test]
fn a_ready_call_never_repeats_the_users_text() {
    assert!(refused(&["fil", "#password", "hunter2"]).next.is_empty());
    assert!(refused(&["--proxy", "http://u:p@h", "opne", "https://a.test"]).next.is_empty());
}

// DEC-31, PLAN-31
#[test]
fn help_and_version_are_never_refused() {
    for words in
        [&["--help"][..], &["-V"], &["mcp", "--help"], &["nope", "--help"], &["press", "-h"]]
    {
        passes(words);
    }
}

// HAZ-13
#[test]
fn names_that_are_no_safe_part_of_a_path_are_refused() {
    let long = "x".repeat(65);
    for name in ["../x", "a/b", "a b", ".hidden", "", "ü", "a:b", long.as_str()] {
        for flag in ["--session", "--namespace", "--session-name"] {
            let refusal = refused(&[flag, name, "get", "title"]);
            assert!(refusal.message.plain().starts_with(flag), "{name}");
        }
    }
    refused(&["--restore=../../x", "open", "a"]);
    let longest = "x".repeat(64);
    for name in ["a", "A.b_c-9", longest.as_str()] {
        passes(&["--session", name, "--namespace", name, "get", "title"]);
    }
    passes(&["--restore", "open", "a"]);
}

// DEC-29, PLAN-36
#[test]
fn a_protocol_server_is_blocked() {
    for words in [&["mcp"][..], &["mcp", "--tools", "all"]] {
        assert_eq!(refused(words).category, FailureCategory::PolicyBlocked);
    }
    passes(&["mcp", "call", "agent_browser_open", "{}"]);
}

// HAZ-12
#[test]
fn state_calls_that_do_something_else_are_refused() {
    let refusal = refused(&["state", "clear", "work"]);
    assert!(refusal.message.plain().contains("every saved state"));
    assert_eq!(next_args(&refusal), ["state", "list"]);
    refused(&["state", "rename", "a", "b"]);
    passes(&["state", "clear", "--all"]);
    passes(&["state", "clear"]);
    passes(&["state", "list"]);
}

// DEC-23, IN-ARGS-07
#[test]
fn exactly_one_key_is_pressed() {
    for command in ["press", "key", "keydown", "keyup"] {
        let refusal = refused(&[command, "Enter", "Tab"]);
        assert!(refusal.message.plain().contains("exactly one key"));
        assert!(refusal.message.plain().contains("keyboard type"));
        refused(&[command]);
        passes(&[command, "Enter"]);
    }
    refused(&["press", "#field", "Enter"]);
}

// HAZ-26
#[test]
fn keys_that_upstream_does_not_know_are_refused() {
    for key in [
        "Enter",
        "enter",
        "RETURN",
        "Esc",
        "space",
        "up",
        "F1",
        "F24",
        "a",
        "A",
        "+",
        "-",
        "é",
        "你",
        " ",
        "Control+a",
        "ctrl+a",
        "Control+Shift+s",
        "cmd+ENTER",
        "Control++",
        "Shift+Tab",
        "ContextMenu",
        "Control",
        "MediaPlayPause",
        "\n",
    ] {
        passes(&["press", key]);
    }
    for key in [
        "NoSuchKey",
        "Del",
        "f5",
        "F25",
        "F0",
        "control",
        "Ctrl",
        "ab",
        "Control+",
        "Foo+a",
        "Option+b",
        "Control+NoSuch",
        "KeyA",
        "ControlLeft",
        "",
        "ControlOrMeta+a",
        "+a",
    ] {
        refused(&["press", key]);
    }
    for key in ["Shift", "Control", "a", "Enter", "F5", " ", "+"] {
        passes(&["keydown", key]);
        passes(&["keyup", key]);
    }
    for key in ["enter", "control", "Control+a", "up", "Space", "NoSuch"] {
        refused(&["keydown", key]);
    }
    assert!(refused(&["press", "Del"]).message.plain().contains("did you mean Delete?"));
    assert!(refused(&["keydown", "enter"]).message.plain().contains("did you mean Enter?"));
}

// HAZ-08
#[test]
fn wait_with_a_state_is_refused_with_a_ready_script() {
    let refusal = refused(&["wait", "#spin", "--state", "hidden", "--timeout", "900"]);
    assert_eq!(refusal.next[0].id, "use-wait-fn");
    let args = next_args(&refusal);
    assert_eq!(args[..2], ["wait", "--fn"]);
    assert!(args[2].starts_with('!') && args[2].contains("document.querySelector(\"#spin\")"));
    assert_eq!(args[3..], ["--timeout", "900"]);
    passes(&args.iter().map(String::as_str).collect::<Vec<_>>());

    assert_eq!(
        next_args(&refused(&["wait", "#a", "--state", "detached"]))[2],
        "!document.querySelector(\"#a\")"
    );
    assert_eq!(
        next_args(&refused(&["wait", "--text", "Loading \"x\"", "--state", "hidden"]))[2],
        "!document.body.innerText.includes(\"Loading \\\"x\\\"\")"
    );
    for words in [
        &["wait", "@e5", "--state", "detached"][..],
        &["wait", "#a", "--state", "odd"],
        &["wait", "--state"],
    ] {
        let refusal = refused(words);
        assert_eq!(refusal.next[0].id, "refresh-interactive-refs");
        assert_eq!(next_args(&refusal), ["snapshot", "-i"]);
    }
    passes(&["--state", "s.json", "wait", "#a"]);
}

// HAZ-08
#[test]
fn function_shaped_conditions_are_invoked() {
    for (script, call) in [
        ("() => window.ok", "(() => window.ok\n)()"),
        ("() => { return 1 };", "(() => { return 1 }\n)()"),
        ("x => x", "(x => x\n)()"),
        ("(a, b) => [a, b].length", "((a, b) => [a, b].length\n)()"),
        ("function () { return 1 }", "(function () { return 1 }\n)()"),
        ("function named(a) { return ')' }", "(function named(a) { return ')' }\n)()"),
        ("function*g(){}", "(function*g(){}\n)()"),
        ("(() => true)", "(() => true\n)()"),
        ("() => true // done", "(() => true // done\n)()"),
        ("() => ({ a: 1, b: 2 })", "(() => ({ a: 1, b: 2 })\n)()"),
        ("() => `${a}, b` === \"x, y\"", "(() => `${a}, b` === \"x, y\"\n)()"),
    ] {
        assert_eq!(invoke_function_shape(script).as_deref(), Some(call), "{script}");
    }
    for script in [
        "window.ok",
        "(() => true)()",
        "(function () { return 1 })()",
        "a.some(x => x)",
        "functional()",
        "asyncReady",
        "async () => 1",
        "(a, b)",
        "() => 1, other",
        "=> 1",
        "",
        "(",
        ")))",
        "\"() => 1\"",
        "document.querySelector('a') !== null",
    ] {
        assert_eq!(invoke_function_shape(script), None, "{script}");
    }
}

// HAZ-08
#[test]
fn a_condition_in_very_many_brackets_is_judged_at_once() {
    let wrapped = |pairs: usize| format!("{}() => 1{}", "(".repeat(pairs), ")".repeat(pairs));
    assert_eq!(invoke_function_shape(&wrapped(9)).as_deref(), Some("(() => 1\n)()"));
    let started = std::time::Instant::now();
    assert_eq!(invoke_function_shape(&wrapped(100_000)), None);
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}

// HAZ-08
#[test]
fn conditions_that_are_always_a_promise_are_refused() {
    for script in [
        "async () => false",
        "async x => x",
        "(async () => false)",
        "(async () => false)()",
        "(async function () { return false })();",
        "async function f() { return false }",
    ] {
        let refusal = refused(&["wait", "--fn", script]);
        assert!(refusal.message.plain().contains("promise"), "{script}");
    }
    for script in ["() => true", "asyncReady", "async", "(a, b)", "window.async === 1"] {
        passes(&["wait", "--fn", script]);
    }
}

// HAZ-26
#[test]
fn values_that_upstream_ignores_are_refused() {
    refused(&["wait", "--load", "complete"]);
    refused(&["wait", "-l", "Load"]);
    refused(&["set", "media", "print"]);
    refused(&["set", "media", "dark", "sepia"]);
    refused(&["set", "offline", "maybe"]);
    refused(&["upload", "#file"]);
    refused(&["upload"]);
    refused(&["fill", "#a"]);
    refused(&["fill"]);
    for words in [
        &["wait", "--load", "networkidle"][..],
        &["set", "media", "light", "reduced-motion"],
        &["set", "media"],
        &["set", "offline", "off"],
        &["set", "viewport", "1", "2"],
        &["upload", "#file", "a.txt"],
        &["fill", "#a", ""],
        &["fill", "#a", "--headed"],
    ] {
        passes(words);
    }
}

// HAZ-26
#[test]
fn a_tab_is_not_chosen_by_a_number() {
    let refusal = refused(&["tab", "9"]);
    assert!(refusal.message.plain().contains("by id or label, not by number"));
    assert_eq!(next_args(&refusal), ["tab", "t9"]);
    passes(&["tab", "t9"]);
    passes(&["tab"]);
    passes(&["tab", "close", "t2"]);
}

// DEC-25, PLAN-67, PLAN-68
#[test]
fn scroll_forms_that_upstream_ignores_are_told_apart() {
    let shim = |words: &[&str]| scroll_shim(&argv(words)).unwrap();
    let container = |direction, amount| {
        Some(ScrollShim::Container { selector: ".list".to_owned(), direction, amount })
    };
    let down = Direction::Down;
    assert_eq!(shim(&["scroll", ".list", "down"]), container(down, ScrollAmount::Default));
    assert_eq!(
        shim(&["scroll", ".list", "down", "50%"]),
        container(down, ScrollAmount::Percent(50))
    );
    assert_eq!(
        shim(&["scroll", "up", "40", "--selector", ".list"]),
        container(Direction::Up, ScrollAmount::Pixels(40))
    );
    assert_eq!(shim(&["scroll", "-s", ".list"]), container(down, ScrollAmount::Default));
    assert_eq!(shim(&["scroll", "to", "end"]), Some(ScrollShim::Page(Edge::End)));
    assert_eq!(shim(&["scroll", "to", "top"]), Some(ScrollShim::Page(Edge::Top)));
    for words in [
        &["scroll"][..],
        &["scroll", "down"],
        &["scroll", "left", "100"],
        &["scroll", "down", "9", "--selector", "@e3"],
        &["click", "#a"],
    ] {
        assert_eq!(shim(words), None, "{words:?}");
    }
}

// HAZ-26
#[test]
fn scroll_words_that_would_move_nothing_are_refused() {
    for (words, next) in [
        (&["scroll", "sideways"][..], &[][..]),
        (&["scroll", "bottom"], &["scroll", "to", "end"]),
        (&["scroll", "to", "bottom"], &["scroll", "to", "end"]),
        (&["scroll", "DOWN"], &["scroll", "down"]),
        (&["scroll", "100"], &["scroll", "down", "100"]),
        (&["scroll", "down", "50%"], &[]),
        (&["scroll", "down", "10px"], &["scroll", "down", "10"]),
        (&["scroll", "down", "abc"], &[]),
        (&["scroll", "down", "1", "2"], &[]),
        (&["scroll", "@e3", "down", "9"], &["scroll", "down", "9", "--selector", "@e3"]),
        (&["scroll", "down", "50%", "--selector", "@e3"], &[]),
        (&["scroll", ".a", "sideways"], &[]),
    ] {
        let refusal = refused(words);
        if next.is_empty() {
            assert!(refusal.next.is_empty(), "{words:?}");
        } else {
            assert_eq!(next_args(&refusal), next, "{words:?}");
            passes(next);
        }
    }
}

// IN-STDIN-01, IN-STDIN-02, HAZ-04, DEC-98
#[test]
fn stdin_goes_only_where_it_belongs() {
    let run = |words: &[&str], has_stdin| {
        let argv = argv(words);
        check(&Facts { has_stdin, ..Facts::of(&argv) }).is_ok()
    };
    for words in [
        &["eval", "--stdin"][..],
        &["batch"],
        &["batch", "--bail"],
        &["auth", "save", "n", "--password-stdin"],
    ] {
        assert!(run(words, true), "{words:?}");
        assert!(!run(words, false), "{words:?}");
    }
    for words in [
        &["click", "#a"][..],
        &["snapshot"],
        &["open", "https://a.test"],
        &["eval", "1"],
        &["auth", "save", "n", "--password", "x"],
        &["batch", "get title"],
    ] {
        assert!(run(words, false), "{words:?}");
        assert!(!run(words, true), "{words:?}");
    }
    assert!(!run(&["eval"], false));
    assert!(!run(&["eval", "-b"], false));
}

// DEC-24, PLAN-20
#[test]
fn a_misplaced_script_is_moved_to_stdin() {
    let repair = repair_eval(&argv(&["eval", "--stdin", "1 + 1"]), false).unwrap().unwrap();
    assert_eq!(repair.argv.words, ["eval", "--stdin"]);
    assert_eq!(repair.stdin, "1 + 1");
    let flag_like = repair_eval(&argv(&["eval", "--stdin", "--json"]), false).unwrap().unwrap();
    assert_eq!(flag_like.stdin, "--json");
    assert!(repair_eval(&argv(&["eval", "--stdin", "1", "+1"]), false).is_err());
    assert!(repair_eval(&argv(&["eval", "--stdin", "1"]), true).is_err());
    for words in [&["eval", "--stdin"][..], &["eval", "1"], &["click", "--stdin"]] {
        assert_eq!(repair_eval(&argv(words), false).unwrap(), None);
    }
}

// DEC-98
#[test]
fn a_refusal_can_name_its_row() {
    let refusal = in_row(refused(&["clik", "#a"]), 3);
    assert!(refusal.message.plain().starts_with("batch row 3: unknown command"));
    assert_eq!(refusal.details["batchRow"], 3);
}
