use super::tokens;
use crate::command::argv::{ArgvError, parse_row, rows_from_json, split_command_string};

// DEC-98
#[test]
fn rows_hold_one_command_and_no_global_flag() {
    let row = |words: &[&str]| parse_row(&tokens(words));
    assert_eq!(row(&["fill", "#x", "--headed"]).unwrap().words, ["fill", "#x", "--headed"]);
    row(&["close"]).unwrap();
    row(&["auth", "list"]).unwrap();
    let annotated = row(&["screenshot", "--annotate", "f.png"]).unwrap();
    assert!(annotated.global("--annotate").is_some());
    assert_eq!(annotated.words, ["screenshot", "f.png"]);
    assert_eq!(row(&[]), Err(ArgvError::EmptyRow));
    for words in [
        &["--json", "get", "title"][..],
        &["open", "--enable", "react-devtools", "a"],
        &["get", "title", "--session", "s"],
        &["click", "#a", "--annotate"],
        &["screenshot", "--annotate", "--screenshot-format", "jpeg"],
    ] {
        let found = row(words).unwrap_err();
        assert!(matches!(found, ArgvError::GlobalInRow { .. }), "{words:?}");
        assert!(found.refusal().message.plain().contains("in front of batch"));
    }
    assert_eq!(row(&["batch"]), Err(ArgvError::NestedBatch));
    for word in "session skills plugin plugins profiles doctor dashboard mcp chat install upgrade"
        .split(' ')
    {
        assert!(matches!(row(&[word]), Err(ArgvError::NotInRows { .. })), "{word}");
    }
    assert!(matches!(
        row(&["auth", "save", "n", "--password-stdin"]),
        Err(ArgvError::NotInRows { .. })
    ));
    assert_eq!(row(&["get", "--help"]), Err(ArgvError::InspectionInRow));
}

// DEC-98
#[test]
fn command_strings_split_as_upstream_splits_them() {
    for (text, expected) in [
        (r#"fill #x "a b""#, &["fill", "#x", "a b"][..]),
        (r#"fill #x 'a "b'"#, &["fill", "#x", r#"a "b"#]),
        (r"fill #x a\ b", &["fill", "#x", "a b"]),
        (r#"fill #x "a\"b""#, &["fill", "#x", r#"a"b"#]),
        (r#"fill #x "a\nb""#, &["fill", "#x", "anb"]),
        (r#"fill #x a"b c"d"#, &["fill", "#x", "ab cd"]),
        (r"fill #x 'a\b'", &["fill", "#x", r"a\b"]),
        (r"fill #x a\\b", &["fill", "#x", r"a\b"]),
        ("   get   title  ", &["get", "title"]),
        ("get\ttitle", &["get\ttitle"]),
        // Upstream drops the empty word and clears the field all the same.
        (r#"fill #x """#, &["fill", "#x", ""]),
    ] {
        assert_eq!(split_command_string(text).unwrap(), expected, "{text}");
    }
    assert_eq!(split_command_string("fill #x \"open"), Err(ArgvError::OpenQuote { quote: '"' }));
    assert_eq!(split_command_string("fill #x it's"), Err(ArgvError::OpenQuote { quote: '\'' }));
    assert_eq!(split_command_string("fill #x a\\"), Err(ArgvError::TrailingBackslash));
    assert_eq!(split_command_string("  "), Err(ArgvError::EmptyRow));
    assert_eq!(split_command_string(r#"["get","title"]"#), Err(ArgvError::JsonAsString));
}

// DEC-97, DEC-98
#[test]
fn any_number_of_program_names_is_one_refusal() {
    let found = parse_row(&vec!["agent-browser".to_owned(); 300_000]);
    assert_eq!(found, Err(ArgvError::ProgramName { repaired: None }));
}

// IN-STDIN-04, DEC-98
#[test]
fn json_rows_that_are_no_strings_name_their_row() {
    let rows = rows_from_json(r#"[["open","a"],["snapshot","-i"]]"#).unwrap();
    assert_eq!(rows, [tokens(&["open", "a"]), tokens(&["snapshot", "-i"])]);
    for (stdin, expected) in [
        ("nope", "JSON array of arrays"),
        ("", "JSON array of arrays"),
        (r#"{"a":1}"#, "JSON array of arrays"),
        (r#"["get title"]"#, "batch row 1: must be an array"),
        (r#"[["get","title"],["get",1]]"#, "batch row 2: item 2 must be a string, but is a number"),
        (r#"[["get","title"],[]]"#, "batch row 2: is empty"),
        (r#"[[{"semanticAction":{}}]]"#, "batch row 1: item 1 must be a string, but is an object"),
    ] {
        let refusal = rows_from_json(stdin).unwrap_err();
        assert!(refusal.message.plain().contains(expected), "{stdin}: {}", refusal.message.plain());
    }
}
