#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use super::*;
use crate::command::argv::Argv;
use crate::command::flags::FLAGS;

type Names = BTreeSet<&'static str>;

/// Names of commands that have the capability themselves.
fn with(wanted: impl Fn(&Caps) -> bool) -> Names {
    commands().filter(|spec| wanted(&spec.caps)).map(|spec| spec.name).collect()
}

fn names(list: &str) -> Names {
    let all: Names = list
        .split_whitespace()
        .map(|word| lookup(word).unwrap_or_else(|| unreachable!("{word}")).name)
        .collect();
    all
}

fn traits(line: &str) -> crate::command::Traits {
    Argv::of_words(&line.split(' ').collect::<Vec<_>>()).traits()
}

// IN-ARGS-05
#[test]
fn every_word_occurs_once_and_every_row_is_described() {
    let words: Vec<&str> = commands().flat_map(CommandSpec::words).collect();
    let unique: BTreeSet<&str> = words.iter().copied().collect();
    assert_eq!(words.len(), unique.len());
    for spec in commands() {
        assert!(!spec.doc.is_empty(), "{}", spec.name);
        assert!(spec.doc.len() <= 90 && !spec.doc.ends_with('.'), "{}", spec.name);
    }
}

#[test]
fn own_flags_are_unique_in_their_row_and_well_formed() {
    for spec in commands() {
        let all: Vec<&str> = spec.own_flags.iter().flat_map(|own| own.names).copied().collect();
        let unique: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), unique.len(), "{}", spec.name);
        assert!(all.iter().all(|name| name.starts_with('-')), "{}", spec.name);
        for own in spec.own_flags {
            assert!(own.names[0].starts_with("--"), "{}", spec.name);
        }
    }
}

// HAZ-08, PLAN-27
#[test]
fn only_wait_state_hides_a_global_flag() {
    let hidden: Vec<(&str, &str)> = commands()
        .flat_map(|spec| spec.own_flags.iter().map(move |own| (spec.name, own)))
        .flat_map(|(name, own)| own.names.iter().map(move |flag| (name, *flag)))
        .filter(|(_, flag)| FLAGS.iter().any(|spec| spec.answers_to(flag)))
        .collect();
    assert_eq!(hidden, [("wait", "--state")]);
}

#[test]
fn rows_of_subcommands_name_flags_that_exist() {
    for spec in commands() {
        for row in spec.subcommands {
            let known = row.flag.is_none_or(|flag| spec.own_flag(flag).is_some());
            assert!(known, "{} {:?}", spec.name, row.path);
            assert!(!row.path.is_empty() || row.flag.is_some(), "{}", spec.name);
        }
    }
}

// DEC-20, PAGE-34
#[test]
fn guarded_commands_act_or_read_as_decided() {
    let acting = names(
        "check click dblclick download drag fill focus frame hover keyboard mouse press scroll \
         scrollintoview select tap type uncheck upload",
    );
    assert_eq!(with(|caps| caps.guards_refs && caps.acts), acting);
    let reading = names("diff get highlight is screenshot");
    assert_eq!(with(|caps| caps.guards_refs && !caps.acts), reading);
    assert!(with(|caps| caps.acts && !caps.guards_refs).is_empty());
}

// DEC-20, PAGE-41, PAGE-44
#[test]
fn commands_that_void_refs_of_later_rows_are_those_decided() {
    let always = names(
        "back check click dblclick dialog drag eval forward hover keydown keyboard keyup mouse \
         open press pushstate reload scroll scrollintoview select swipe tap type uncheck upload connect",
    );
    assert_eq!(with(|caps| caps.invalidates_batch_refs), always);
    for line in [
        "tab t2",
        "tab new https://a.test",
        "tab close",
        "window new",
        "state load s.json",
        "auth login work",
        "diff url https://a.test https://b.test",
        "vitals https://a.test",
        "a11y https://a.test",
        "record start a.webm https://a.test",
        "record restart a.webm https://a.test",
    ] {
        assert!(traits(line).caps.invalidates_batch_refs, "{line}");
    }
    for line in [
        "tab",
        "tab list",
        "state save s.json",
        "auth list",
        "diff snapshot",
        "vitals",
        "a11y",
        "record start a.webm",
        "record stop",
        "dialog status",
        // A ref behind it is looked at where its turn comes.
        "find role button click",
        "find text Save",
        "find label Email fill x",
        "find text Save text",
        "fill @e1 x",
        "snapshot -i",
        "get text @e1",
    ] {
        assert!(!traits(line).caps.invalidates_batch_refs, "{line}");
    }
}

// DEC-20, RES-55
#[test]
fn page_change_and_navigation_follow_their_own_lists() {
    let changes = names(
        "back check click dblclick dialog download fill forward hover keydown keyboard keyup open \
         pdf press pushstate reload screenshot scroll scrollintoview select swipe tap type uncheck \
         find",
    );
    assert_eq!(with(|caps| caps.page_change), changes);
    let navigation = names("back click dblclick eval forward reload find");
    assert_eq!(with(|caps| caps.navigation_observable), navigation);
    assert!(!traits("find label Email fill x").caps.navigation_observable);
}

// NEXT-11, PAGE-47
#[test]
fn a_look_at_the_page_is_offered_after_changes_only() {
    for line in ["click @e1", "fill @e1 x", "scroll down", "back", "tab t2", "dialog accept"] {
        assert!(traits(line).caps.post_mutation_snapshot, "{line}");
    }
    for line in ["open https://a.test", "get title", "eval 1", "tab list", "screenshot", "pdf a"] {
        assert!(!traits(line).caps.post_mutation_snapshot, "{line}");
    }
}

// DEC-93
#[test]
fn extra_rows_stand_where_decided() {
    for (line, extra) in [
        ("get title", Extra::None),
        ("get text #a", Extra::None),
        ("get text @e1", Extra::Before),
        ("snapshot -i", Extra::Before),
        ("screenshot @e1 a.png", Extra::Before),
        ("wait @e1", Extra::Before),
        ("frame @e1", Extra::Before),
        ("click #a", Extra::Both),
        ("click @e1", Extra::Both),
        ("fill #a x", Extra::After),
        ("fill @e1 x", Extra::Both),
        ("fill #a @e1", Extra::After),
        ("eval 1", Extra::After),
        ("open https://a.test", Extra::After),
        ("back", Extra::After),
        ("forward", Extra::After),
        ("reload", Extra::After),
        ("press Enter", Extra::Both),
        ("find role button click", Extra::Both),
        ("find role button text", Extra::None),
        ("close", Extra::None),
        ("dialog accept", Extra::None),
        ("confirm r1", Extra::None),
        ("deny r1", Extra::None),
        ("connect 9222", Extra::None),
        ("tab t2", Extra::None),
        ("state load a", Extra::None),
        ("set viewport 1 1", Extra::None),
    ] {
        assert_eq!(traits(line).extra, extra, "{line}");
    }
}

// DEC-93, upstream-0.41 §7
#[test]
fn plain_commands_are_those_that_upstream_does_not_take_in_rows() {
    let never: Names =
        commands().filter(|spec| !spec.in_caller_rows).map(|spec| spec.name).collect();
    let expected =
        names("session skills plugin profiles doctor dashboard mcp chat install upgrade batch");
    assert_eq!(never, expected);
    assert!(!traits("close").in_rows && traits("close").in_caller_rows);
    let vault = traits("auth save n --password-stdin");
    assert!(!vault.in_rows && !vault.in_caller_rows);
    assert!(!traits("state list").in_rows && traits("state list").in_caller_rows);
    assert!(traits("click #a").in_rows && traits("auth login n").in_rows);
}

// PLAN-30, PLAN-32, PLAN-33, PLAN-34, PLAN-35, PLAN-36, PLAN-37, PLAN-38, DEC-29, DEC-99
#[test]
fn sessionless_commands_are_those_decided() {
    for line in [
        "skills",
        "skills list",
        "skills get core",
        "skills path core",
        "profiles",
        "dashboard",
        "dashboard start",
        "dashboard stop",
        "dashboard status",
        "doctor",
        "install",
        "upgrade",
        "session list",
        "session id --scope worktree",
        "session info",
        "mcp",
        "mcp call x",
        "plugin",
        "plugin list",
        "plugin show a",
        "plugin add a",
        "plugin run a b",
        "state list",
        "state show a",
        "state clear --all",
        "state clear -a",
        "state clear work",
        "state clean --older-than 7",
        "state rename a b",
    ] {
        assert_eq!(traits(line).sessionless, Sessionless::Yes, "{line}");
    }
    for line in [
        "auth save n",
        "auth list",
        "auth show n",
        "auth delete n",
        "auth remove n",
        "device list",
        "device",
    ] {
        assert_eq!(traits(line).sessionless, Sessionless::NeedsThrowaway, "{line}");
    }
    for line in [
        "skills refresh",
        "auth login n",
        "session",
        "state clear",
        "state clean",
        "state save a",
        "state load a",
        "open",
        "stream status",
        "close --all",
    ] {
        assert_eq!(traits(line).sessionless, Sessionless::No, "{line}");
    }
}

// DEC-100
#[test]
fn classes_name_every_permission_that_a_call_needs() {
    use Class::{Act, Eval, Files, Navigate, Process, Read, State};
    let classes = |line: &str| Argv::of_words(&line.split(' ').collect::<Vec<_>>()).classes();
    for (line, expected) in [
        ("get title", vec![Read]),
        ("snapshot -i", vec![Read]),
        ("screenshot", vec![Read]),
        ("screenshot #a", vec![Read]),
        ("screenshot a.png", vec![Read, Files]),
        ("open https://a.test", vec![Navigate]),
        ("read", vec![Read]),
        ("read https://a.test", vec![Navigate]),
        ("tab list", vec![Read]),
        ("tab t2", vec![Navigate]),
        ("click #a", vec![Act]),
        ("find role button", vec![Act]),
        ("find role button text", vec![Read]),
        ("upload #a f.txt", vec![Act, Files]),
        ("download #a f.txt", vec![Act, Files]),
        ("eval 1", vec![Eval]),
        ("wait --fn 1", vec![Eval]),
        ("wait -f 1", vec![Eval]),
        ("wait #a", vec![Read]),
        ("wait --download f.txt", vec![Read, Files]),
        ("pdf a.pdf", vec![Files]),
        ("cookies", vec![State]),
        ("cookies set --curl c.txt", vec![Files, State]),
        ("state save s.json", vec![Files, State]),
        ("set credentials u p", vec![State]),
        ("set viewport 1 1", vec![Act]),
        ("network requests", vec![Read]),
        ("network route x --abort", vec![Act]),
        ("network har stop a.har", vec![Read, Files]),
        ("record start a.webm https://a.test", vec![Navigate, Files]),
        ("diff screenshot --baseline a.png", vec![Read, Files]),
        ("plugin list", vec![Read]),
        ("plugin add a", vec![Process]),
        ("plugins run a b", vec![Process]),
        ("install", vec![Process]),
        ("upgrade", vec![Process]),
        ("doctor", vec![Read]),
        ("close", vec![Read]),
        ("webmcp invoke t --params @f.json", vec![Act, Files]),
        ("webmcp invoke t --params {}", vec![Act]),
        ("no-such-word", vec![Process]),
    ] {
        assert_eq!(classes(line), expected, "{line}");
    }
    let parsed = |line: &str| {
        let tokens: Vec<String> = line.split(' ').map(str::to_owned).collect();
        crate::command::parse(&tokens).unwrap().classes()
    };
    assert_eq!(parsed("doctor --fix"), [Read, Process]);
    assert_eq!(parsed("--executable-path /x open a"), [Navigate, Process]);
    assert_eq!(parsed("open --args --no-sandbox a"), [Navigate, Process]);
    assert_eq!(parsed("--extension /x open a"), [Navigate, Process]);
    assert_eq!(parsed("install --help"), [Read]);
}
