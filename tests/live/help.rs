//! The tables of commands and flags against the help of the installed upstream.

use std::process::Command;

use agent_browser_native::command::{commands, missing_from_tables};

use crate::support::bed::Bed;

fn help(bed: &Bed, args: &[&str]) -> String {
    let output = Command::new(crate::support::bed::upstream())
        .args(args)
        .arg("--help")
        .env_clear()
        .env("HOME", bed.path("home"))
        .env("AGENT_BROWSER_SOCKET_DIR", bed.path("raw"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

// DEC-01, DEC-20
#[test]
fn live_the_tables_know_every_command_and_flag_that_the_installed_help_names() {
    let bed = Bed::new();
    let general = help(&bed, &[]);
    assert_eq!(missing_from_tables(&general), Vec::<String>::new());
    let mut own = 0;
    for command in commands() {
        let text = help(&bed, &[command.name]);
        own += usize::from(text != general);
        assert_eq!(missing_from_tables(&text), Vec::<String>::new(), "{}", command.name);
    }
    assert!(own > 40, "only {own} commands have a help text of their own");
}

/// Commands that upstream runs and its general help does not list.
const UNLISTED: [&str; 10] = [
    "addinitscript",
    "device",
    "dialog",
    "frame",
    "is",
    "keydown",
    "keyup",
    "state",
    "swipe",
    "tap",
];

// DEC-32
#[test]
fn live_the_tables_invent_no_command() {
    let bed = Bed::new();
    let general = help(&bed, &[]);
    let words: std::collections::BTreeSet<&str> =
        general.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    for command in commands() {
        let known = words.contains(command.name) || UNLISTED.contains(&command.name);
        let has_help = help(&bed, &[command.name]) != general;
        assert!(known || has_help, "{} is in no help text", command.name);
    }
}
