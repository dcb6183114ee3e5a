use super::{argv, values};
use crate::command::Class;
use crate::command::argv::is_path_like;

// DEC-20, PAGE-35, upstream-0.41 §5.2
#[test]
fn refs_count_only_where_a_target_stands() {
    let ids = |words: &[&str]| -> Vec<String> {
        let call = argv(words);
        let found = call.ref_operands();
        assert!(found.iter().all(|one| call.words[one.index].ends_with(one.id)));
        found.iter().map(|one| one.id.to_owned()).collect()
    };
    assert_eq!(ids(&["click", "@e5"]), ["e5"]);
    assert_eq!(ids(&["click", "ref=e5", "--new-tab"]), ["e5"]);
    assert_eq!(ids(&["drag", "@e1", "e2"]), ["e1", "e2"]);
    assert_eq!(ids(&["get", "attr", "@e1", "@e2"]), ["e1"]);
    assert_eq!(ids(&["is", "visible", "@e1"]), ["e1"]);
    assert_eq!(ids(&["scroll", "down", "9", "--selector", "@e4"]), ["e4"]);
    assert_eq!(ids(&["diff", "snapshot", "-s", "@e4"]), ["e4"]);
    assert_eq!(ids(&["upload", "@e4", "@e5"]), ["e4"]);
    assert_eq!(ids(&["wait", "@e4"]), ["e4"]);
    assert_eq!(ids(&["screenshot", "@e4", "a.png"]), ["e4"]);
    assert_eq!(ids(&["screenshot", "@e4"]), ["e4"]);
    assert_eq!(ids(&["fill", "@e1", "@e3"]), ["e1"]);
    for words in [
        &["fill", "#a", "@e3"][..],
        &["eval", "@e3"],
        &["eval", "--stdin", "@e3"],
        &["keyboard", "type", "@e3"],
        &["find", "text", "@e3", "click"],
        &["find", "label", "a", "fill", "@e3"],
        &["batch", "click @e3"],
        &["batch", "@e3"],
        &["snapshot", "-s", "@e3"],
        &["get", "title", "@e3"],
        &["tab", "e3"],
        &["open", "@e3"],
        &["press", "e3"],
    ] {
        assert!(ids(words).is_empty(), "{words:?}");
    }
}

// PLAN-02, RED-07
#[test]
fn secrets_are_known_by_their_place() {
    let secrets = |words: &[&str]| -> Vec<String> {
        let call = argv(words);
        call.secret_indexes().into_iter().map(|at| call.words[at].clone()).collect()
    };
    assert_eq!(secrets(&["cookies", "set", "sid", "S1", "--url", "https://a.test"]), ["S1"]);
    assert_eq!(secrets(&["storage", "local", "set", "token", "S2"]), ["S2"]);
    assert_eq!(secrets(&["set", "credentials", "u", "p"]), ["u", "p"]);
    assert_eq!(secrets(&["set", "auth", "u", "p"]), ["u", "p"]);
    assert_eq!(secrets(&["set", "headers", "{}"]), ["{}"]);
    assert_eq!(secrets(&["network", "route", "**", "--body", "{}"]), ["{}"]);
    assert_eq!(secrets(&["auth", "save", "n", "--password", "S3"]), ["S3"]);
    assert_eq!(secrets(&["auth", "save", "n", "--password=S3"]), ["--password=S3"]);
    let both = argv(&["auth", "save", "n", "--password=S3", "--username", "u"]);
    assert_eq!(both.secret_values(), ["S3"]);
    assert!(secrets(&["cookies", "set", "--curl", "c.txt"]).is_empty());
    assert!(secrets(&["storage", "local", "get", "token"]).is_empty());
    let call = argv(&["--headers", "{}", "--proxy", "http://u:p@h", "--json", "open", "a"]);
    let hidden: Vec<&str> =
        call.globals.iter().filter(|one| one.spec.secret).map(|one| one.spec.name).collect();
    assert_eq!(hidden, ["--headers", "--proxy"]);
}

// DEC-27, PLAN-62
#[test]
fn output_paths_are_found_for_every_command_that_saves() {
    for (words, path) in [
        (&["screenshot", "a.png"][..], "a.png"),
        (&["screenshot", "#a", "b"], "b"),
        (&["pdf", "a.pdf"], "a.pdf"),
        (&["download", "#a", "f.bin"], "f.bin"),
        (&["state", "save", "s.json"], "s.json"),
        (&["wait", "--download", "f.bin", "--timeout", "9"], "f.bin"),
        (&["wait", "-d", "f.bin"], "f.bin"),
        (&["record", "start", "a.webm", "https://a.test"], "a.webm"),
        (&["record", "restart", "a.webm"], "a.webm"),
        (&["trace", "stop", "t.json"], "t.json"),
        (&["profiler", "stop", "p.json"], "p.json"),
        (&["network", "har", "stop", "n.har"], "n.har"),
        (&["diff", "screenshot", "--baseline", "b.png", "-o", "d.png"], "d.png"),
    ] {
        let call = argv(words);
        let found = call.output_path().unwrap();
        assert_eq!(found.value, path, "{words:?}");
        assert_eq!(call.words[found.index], path);
    }
    for words in [
        &["screenshot"][..],
        &["screenshot", "#a"],
        &["wait", "--download"],
        &["wait", "--download", "--timeout", "9"],
        &["trace", "stop"],
        &["state", "load", "s.json"],
        &["network", "har", "start"],
        &["get", "title"],
    ] {
        assert_eq!(argv(words).output_path(), None, "{words:?}");
    }
    let inline = argv(&["diff", "screenshot", "--output=d.png"]);
    let inline = inline.output_path().unwrap();
    assert_eq!((inline.prefix, inline.value), ("--output=", "d.png"));
    let twice = argv(&["diff", "screenshot", "-b", "a.png", "-o", "c.png", "--output=d.png"]);
    let all: Vec<&str> = twice.output_paths().into_iter().map(|path| path.value).collect();
    assert_eq!(all, ["c.png", "d.png"]);
    assert_eq!(twice.output_path().unwrap().value, "d.png");
}

// HAZ-05
#[test]
fn input_paths_are_found_for_every_command_that_reads_a_file() {
    let paths = |words: &[&str]| -> Vec<(String, String)> {
        let call = argv(words);
        let found = call.input_paths();
        found.iter().map(|one| (one.prefix.to_owned(), one.value.to_owned())).collect()
    };
    let plain = |path: &str| (String::new(), path.to_owned());
    assert_eq!(paths(&["upload", "#a", "x.txt", "y.txt"]), [plain("x.txt"), plain("y.txt")]);
    assert_eq!(paths(&["state", "load", "s.json"]), [plain("s.json")]);
    assert_eq!(paths(&["cookies", "set", "--curl", "c.txt"]), [plain("c.txt")]);
    assert_eq!(paths(&["diff", "snapshot", "-b", "b.txt"]), [plain("b.txt")]);
    assert_eq!(paths(&["webmcp", "invoke", "t", "--params", "@p"]), [("@".into(), "p".into())]);
    assert!(paths(&["webmcp", "invoke", "t", "--params", "{}"]).is_empty());
    assert!(paths(&["fill", "#a", "x.txt"]).is_empty());
}

// HAZ-05
#[test]
fn paths_of_global_flags_leave_names_alone() {
    let path = |flag: &str, value: &str| -> Option<String> {
        let call = argv(&[flag, value, "open", "a"]);
        call.globals[0].path().map(str::to_owned)
    };
    assert_eq!(path("--state", "s.json").as_deref(), Some("s.json"));
    assert_eq!(path("--screenshot-dir", "shots").as_deref(), Some("shots"));
    assert_eq!(path("--profile", "Default"), None);
    assert_eq!(path("--profile", "./p").as_deref(), Some("./p"));
    assert_eq!(path("--profile", "~/p"), None);
    assert_eq!(path("--executable-path", "chromium"), None);
    assert_eq!(path("--executable-path", "bin/chromium").as_deref(), Some("bin/chromium"));
    assert_eq!(path("--user-agent", "a/b"), None);
}

// PLAN-63, PLAN-60, upstream-0.41 §9
#[test]
fn one_operand_of_screenshot_is_a_path_or_a_selector_by_its_look() {
    for path in [
        "/abs/x.png",
        "./x.png",
        "x.png",
        "a/b.png",
        "/abs/noext",
        "/abs/x.webp",
        "../x",
        "shots/run 1",
        ".dogfood/run/foo.png",
        "C:\\x.png",
        "~/x.png",
        "x.PNG",
        "x.jpeg",
        "div.png",
    ] {
        let call = argv(&["screenshot", path, "--full"]);
        assert_eq!(call.output_path().map(|one| one.value), Some(path));
        assert_eq!(call.target(), None, "{path}");
    }
    for selector in [
        "#id",
        ".class",
        "button",
        "@e1",
        "foo",
        ".dog.png",
        "img[src='a.png']",
        "img[src=\"/a/b.png\"]",
        "xpath=//img",
        "div > p",
        "#a.png",
        "[data-x='a/b']",
        "a:not(b/c)",
    ] {
        let call = argv(&["screenshot", selector]);
        assert_eq!(call.target().map(|one| one.value), Some(selector));
        assert_eq!(call.output_path(), None, "{selector}");
    }
    let call = argv(&["screenshot", "x.png", "y"]);
    assert_eq!(call.target().unwrap().value, "x.png");
    let path = call.output_path().unwrap();
    assert_eq!((path.index, path.value), (2, "y"));
}

// PLAN-54
#[test]
fn explicit_waits_are_read_from_number_and_timeout() {
    for (words, ms) in [
        (&["wait", "3000"][..], Some(3000)),
        (&["wait", "#a", "--timeout", "800"], Some(800)),
        (&["wait", "--timeout", "800", "--text", "x"], Some(800)),
        (&["wait", "#a"], None),
        (&["wait", "300ms"], None),
        (&["wait", "-5"], None),
        (&["wait", "99999999999999999999999"], Some(u64::MAX)),
        (&["read", "https://a.test", "--timeout", "7"], Some(7)),
        (&["click", "3000"], None),
        (&["fill", "#a", "--timeout", "3000"], None),
    ] {
        assert_eq!(argv(words).explicit_wait_ms(), ms, "{words:?}");
    }
}

// IN-ARGS-05, IN-ARGS-06
#[test]
fn aliases_are_the_same_command() {
    assert!(argv(&["goto", "a"]).is_open_like() && argv(&["navigate", "a"]).is_open_like());
    assert!(argv(&["open"]).is_open_like() && argv(&["open"]).urls().is_empty());
    assert!(argv(&["quit"]).is_close() && argv(&["exit"]).is_close());
    assert!(!argv(&["open", "a"]).is_close() && !argv(&["close"]).is_open_like());
    assert_eq!(argv(&["key", "a"]).name(), "press");
    assert_eq!(argv(&["scrollinto", "#a"]).name(), "scrollintoview");
    assert_eq!(argv(&["plugins"]).name(), "plugin");
    assert_eq!(values(&argv(&["open", "https://a.test"]).urls()), ["https://a.test"]);
}

// PLAN-63, PLAN-60
#[test]
fn a_drive_makes_a_path_and_a_selector_does_not() {
    for path in ["C:\\shots", "C:/shots[1]", "d:/a>b"] {
        assert!(is_path_like(path), "{path}");
    }
    for selector in ["main", "ul/li>a", "a:hover", "a:[x]", "1:/a>b"] {
        assert!(!is_path_like(selector), "{selector}");
    }
}

#[test]
fn the_value_of_an_own_flag_is_found_behind_it_and_in_its_word() {
    let value = |words: &[&str]| {
        let call = argv(words);
        call.own_value("--timeout").map(|found| (found.index, found.value.to_owned()))
    };
    assert_eq!(value(&["wait", "#a", "--timeout", "8"]), Some((3, "8".to_owned())));
    assert_eq!(value(&["wait", "#a", "b", "--timeout=9"]), Some((3, "9".to_owned())));
    assert_eq!(value(&["wait", "--timeout=9", "--timeout", "8"]), Some((3, "8".to_owned())));
    assert_eq!(value(&["wait", "#a"]), None);
}

#[test]
fn a_flag_with_an_equals_sign_is_text_where_text_stands_and_a_switch_has_none() {
    assert_eq!(values(&argv(&["type", "#a", "--delay=5"]).text_operands()), ["--delay=5"]);
    assert!(argv(&["click", "#a", "--new-tab"]).has_own_flag("--new-tab"));
    assert!(!argv(&["click", "#a", "--new-tab=1"]).has_own_flag("--new-tab"));
}

// DEC-100
#[test]
fn only_a_flag_that_chooses_a_program_needs_the_class_process() {
    let needs = |words: &[&str]| argv(words).classes().contains(&Class::Process);
    assert!(needs(&["--executable-path", "/bin/x", "open", "a"]));
    assert!(!needs(&["--headed", "open", "a"]));
}

#[test]
fn what_find_does_stands_behind_its_locator() {
    let action = |words: &[&str]| argv(words).find_action().map(|(at, word)| (at, word.to_owned()));
    assert_eq!(action(&["find", "text", "Save", "click"]), Some((3, "click".to_owned())));
    assert_eq!(action(&["find", "nth", "1", ".row", "click"]), Some((4, "click".to_owned())));
    assert_eq!(action(&["click", "text", "Save", "click"]), None);
}

// DIAG-HINT-01, RES-13
#[test]
fn selectors_are_what_stands_for_an_element_and_no_text() {
    for (words, expected) in [
        (&["fill", "#a", "text=X"][..], &["#a"][..]),
        (&["drag", "#a", "text=X"], &["#a", "text=X"]),
        (&["snapshot", "-i", "--selector=#a"], &["#a"]),
        (&["find", "first", ".row", "click"], &[".row"]),
        (&["find", "text", "text=X", "click"], &[]),
        (&["screenshot", "text=X", "a.png"], &["text=X"]),
        (&["screenshot", "#a"], &["#a"]),
        (&["open", "https://a.test"], &[]),
    ] {
        assert_eq!(values(&argv(words).selectors()), expected, "{words:?}");
    }
}

// DIAG-HINT-01, RES-13
#[test]
fn the_first_selector_of_another_tool_is_told_from_css_and_from_texts() {
    let foreign = |words: &[&str]| argv(words).foreign_selector().map(str::to_owned);
    assert_eq!(foreign(&["click", "text=X"]).as_deref(), Some("text=X"));
    assert_eq!(foreign(&["drag", "#a", "role=row"]).as_deref(), Some("role=row"));
    assert_eq!(foreign(&["drag", "text=X", "role=row"]).as_deref(), Some("text=X"));
    assert_eq!(foreign(&["fill", "#a", "text=X"]), None);
    assert_eq!(foreign(&["get", "title"]), None);
}
