#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use super::*;

fn names(wanted: impl Fn(&FlagSpec) -> bool) -> BTreeSet<&'static str> {
    FLAGS
        .iter()
        .filter(|spec| wanted(spec))
        .flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()))
        .collect()
}

// PLAN-09
#[test]
fn every_spelling_occurs_once_and_every_row_says_what_it_does() {
    let all: Vec<&str> = FLAGS
        .iter()
        .flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()))
        .collect();
    assert_eq!(all.len(), names(|_| true).len());
    for spec in FLAGS {
        assert!(spec.name.starts_with("--") && !spec.doc.is_empty(), "{spec:?}");
    }
}

// PLAN-08, DEC-22
#[test]
fn launch_scope_holds_the_documented_spellings_and_those_that_lose_the_page() {
    let documented = [
        "--auto-connect",
        "--cdp",
        "--enable",
        "--executable-path",
        "--init-script",
        "--device",
        "--namespace",
        "--profile",
        "--provider",
        "-p",
        "--restore",
        "--restore-save",
        "--restore-check-url",
        "--restore-check-text",
        "--restore-check-fn",
        "--session-name",
        "--state",
    ];
    let seen = [
        "--user-agent",
        "--args",
        "--proxy",
        "--allow-file-access",
        "--hide-scrollbars",
        "--extension",
        "--engine",
        "--webgpu",
        "--no-webmcp",
        "--allowed-domains",
        "--headed",
    ];
    let expected: BTreeSet<&str> = documented.into_iter().chain(seen).collect();
    assert_eq!(names(|spec| spec.scope == LaunchScope::Browser), expected);
    let daemon = BTreeSet::from([
        "--idle-timeout",
        "--confirm-actions",
        "--action-policy",
        "--no-auto-dialog",
        "--debug",
    ]);
    assert_eq!(names(|spec| spec.scope == LaunchScope::Daemon), daemon);
}

// PLAN-06, PLAN-28
#[test]
fn value_flags_are_those_that_upstream_was_seen_to_consume_a_token_for() {
    let expected = BTreeSet::from([
        "--session",
        "--namespace",
        "--config",
        "--profile",
        "--restore-save",
        "--restore-check-url",
        "--restore-check-text",
        "--restore-check-fn",
        "--session-name",
        "--state",
        "--headers",
        "--executable-path",
        "--extension",
        "--init-script",
        "--enable",
        "--args",
        "--user-agent",
        "--proxy",
        "--proxy-bypass",
        "--ca-cert",
        "-p",
        "--provider",
        "--device",
        "--screenshot-dir",
        "--screenshot-quality",
        "--screenshot-format",
        "--input-mode",
        "--cdp",
        "--color-scheme",
        "--download-path",
        "--max-output",
        "--allowed-domains",
        "--action-policy",
        "--confirm-actions",
        "--idle-timeout",
        "--engine",
        "--model",
    ]);
    assert_eq!(names(|spec| spec.kind == FlagKind::Value), expected);
    assert_eq!(names(|spec| spec.kind == FlagKind::OptionalValue), BTreeSet::from(["--restore"]));
}

// PLAN-15
#[test]
fn a_switch_that_is_turned_to_its_default_asks_for_nothing() {
    let effect = |name: &str, value| flag(name).unwrap().takes_effect(value);
    assert!(effect("--auto-connect", None));
    assert!(effect("--auto-connect", Some("true")));
    assert!(!effect("--auto-connect", Some("false")));
    assert!(!effect("--headed", Some("false")));
    assert!(!effect("--hide-scrollbars", None));
    assert!(!effect("--hide-scrollbars", Some("true")));
    assert!(effect("--hide-scrollbars", Some("false")));
    assert!(effect("--state", Some("false")));
}

// DEC-100
#[test]
fn flags_that_choose_a_program_need_the_process_class() {
    let expected =
        BTreeSet::from(["--executable-path", "--args", "--extension", "--config", "--fix"]);
    assert_eq!(names(|spec| spec.process_class), expected);
}
