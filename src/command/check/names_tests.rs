//! Words that are no command, and the calls that are offered instead.

use super::tests::{argv, next_args, refused};
use super::{Facts, check};
use crate::outcome::FailureCategory;

// DEC-32
#[test]
fn help_and_the_right_button_lead_on() {
    assert_eq!(next_args(&refused(&["help"])), ["--help"]);
    assert_eq!(next_args(&refused(&["help", "click"])), ["click", "--help"]);
    assert_eq!(next_args(&refused(&["help", "me"])), ["--help"]);
    for word in ["rightclick", "contextmenu"] {
        let refusal = refused(&[word, "@e1"]);
        assert!(refusal.next.is_empty());
        assert!(refusal.hints[0].plain().contains("mouse down right, then mouse up right"));
    }
}

// DEC-32, NEXT-23, NEXT-24, DIAG-GET-02
#[test]
fn unknown_commands_are_refused_with_the_nearest_one() {
    let refusal = refused(&["clik", "@e3"]);
    assert_eq!(refusal.category, FailureCategory::ValidationError);
    assert_eq!(
        refusal.message.plain(),
        "unknown command \"clik\"; the nearest known command is click."
    );
    assert_eq!(refusal.next[0].id, "use-nearest-command");
    assert_eq!(next_args(&refusal), ["click", "@e3"]);

    let refusal = refused(&["title"]);
    assert_eq!(refusal.next[0].id, "use-get-title");
    assert_eq!(next_args(&refusal), ["get", "title"]);
    let refusal = refused(&["url"]);
    assert_eq!(refusal.next[0].id, "use-get-url");
    assert_eq!(next_args(&refusal), ["get", "url"]);
    for (word, what) in [("url", "url"), ("title", "title")] {
        let prefix = ["--namespace", "n", "--session", "s"];
        let refusal = refused(&[&prefix[..], &[word]].concat());
        assert_eq!(next_args(&refusal), [&prefix[..], &["get", what]].concat());
    }

    let refusal = refused(&["text", "#a"]);
    assert!(refusal.next.is_empty());
    assert!(refusal.hints[0].plain().contains("get text <selector>"));
}

// DEC-32: what a plugin can do is behind `plugin run`.
#[test]
fn plugins_are_called_by_a_command_of_upstream() {
    assert!(check(&Facts::of(&argv(&["plugin", "run", "captcha", "solve"]))).is_ok());
    assert!(check(&Facts::of(&argv(&["captcha", "solve"]))).is_err());
}

#[test]
fn a_call_without_a_command_is_refused() {
    assert!(refused(&[]).message.plain().contains("no command"));
    assert!(refused(&["--json"]).message.plain().contains("no command"));
}

// DEC-32
#[test]
fn a_whole_line_in_one_word_is_offered_word_by_word() {
    let open = refused(&["open http://127.0.0.1:8603/"]);
    assert_eq!(next_args(&open), ["open", "http://127.0.0.1:8603/"]);
    assert!(open.message.plain().ends_with("each word is an item of its own in args."));
    assert_eq!(next_args(&refused(&["snapshot -i"])), ["snapshot", "-i"]);
    let get = refused(&["--session", "s", "get attr '#a b'", "href"]);
    assert_eq!(next_args(&get), ["--session", "s", "get", "attr", "#a b", "href"]);
    // What is typed is not repeated.
    assert!(refused(&["fill #a secret"]).next.is_empty());
    assert!(!refused(&["frobnicate it"]).message.plain().contains("each word"));
}
