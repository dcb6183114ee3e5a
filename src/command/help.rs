//! Compares upstream's help texts with the tables.

use super::flags::flag;
use super::table::lookup;

/// Commands and flags that a help text of upstream names and the tables do not know. The general
/// text is checked for commands and global flags, the text of a command for that command's flags.
///
/// ```
/// use agent_browser_native::command::missing_from_tables;
/// let text = "Core Commands:\n  open <url>  Go\n  teleport <to>  Go\n\nOptions:\n  --warp  Fast\n";
/// assert_eq!(missing_from_tables(text), ["teleport", "--warp"]);
/// ```
#[must_use]
pub fn missing_from_tables(help_text: &str) -> Vec<String> {
    let mut missing = match command_of(help_text) {
        Some(word) => missing_for_command(word, help_text),
        None => missing_in_general(help_text),
    };
    let mut seen = std::collections::BTreeSet::new();
    missing.retain(|name| seen.insert(name.clone()));
    missing
}

/// The command of a text that begins `agent-browser WORD - …`.
fn command_of(help_text: &str) -> Option<&str> {
    let first = help_text.lines().find(|line| !line.trim().is_empty())?;
    let (word, _) = first.strip_prefix("agent-browser ")?.split_once(" - ")?;
    word.split('/').next()
}

fn missing_for_command(word: &str, help_text: &str) -> Vec<String> {
    let Some(spec) = lookup(word) else {
        return vec![word.to_owned()];
    };
    body(help_text)
        .flat_map(flags_at_start)
        .filter(|name| {
            spec.own_flag(name).is_none() && flag(name).is_none() && !is_inspection(name)
        })
        .map(str::to_owned)
        .collect()
}

fn missing_in_general(help_text: &str) -> Vec<String> {
    let mut missing = Vec::new();
    let mut heading = "";
    for line in body(help_text) {
        if !line.starts_with(' ') {
            heading = line.trim();
            let word = heading.split_once("agent-browser ").and_then(|(_, rest)| first_word(rest));
            missing.extend(word.filter(|word| is_unknown_command(word)));
        } else if heading == "Options:" || heading == "Authentication:" {
            let unknown = |name: &&str| flag(name).is_none() && !is_inspection(name);
            missing.extend(flags_at_start(line).filter(unknown));
        } else if line.starts_with("  ") && !line.starts_with("   ") && lists_commands(heading) {
            missing.extend(first_word(line).filter(|word| is_unknown_command(word)));
        }
    }
    missing.into_iter().map(str::to_owned).collect()
}

/// The text without its examples, environment and prose at the end.
fn body(help_text: &str) -> impl Iterator<Item = &str> {
    const END: [&str; 4] = ["Examples:", "Configuration:", "Environment:", "Notes:"];
    help_text.lines().take_while(|line| !END.contains(&line.trim()))
}

/// Sections of the general text whose lines begin with a command word.
fn lists_commands(heading: &str) -> bool {
    !heading.contains("agent-browser ")
        && !matches!(heading, "" | "Snapshot Options:")
        && heading.ends_with(':')
}

/// The flags that a line of a list begins with: `-i, --interactive`, `--full, -f`.
fn flags_at_start(line: &str) -> impl Iterator<Item = &str> {
    let indented = line.starts_with("  ");
    line.split_whitespace()
        .map(|token| token.trim_end_matches(','))
        .take_while(move |token| indented && token.starts_with('-') && token.len() > 1)
}

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

fn is_unknown_command(word: &str) -> bool {
    let shaped = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    shaped && lookup(word).is_none()
}

fn is_inspection(name: &str) -> bool {
    matches!(name, "--help" | "-h" | "--version" | "-V")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read recorded texts")]

    use std::path::Path;

    use super::*;
    use crate::command::table::commands;

    fn recorded() -> Vec<(String, String)> {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upstream/0.41.0/help");
        let files = std::fs::read_dir(folder).unwrap();
        files
            .map(|file| {
                let path = file.unwrap().path();
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect()
    }

    // PLAN-06, PLAN-41
    #[test]
    fn tables_know_everything_that_the_recorded_help_names() {
        let recorded = recorded();
        assert!(recorded.len() > 60);
        for (name, text) in recorded {
            assert_eq!(missing_from_tables(&text), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn every_documented_command_has_a_recorded_help_text() {
        // Upstream answers `--help` of these with its general text.
        const WITHOUT: [&str; 5] = ["pushstate", "react", "removeinitscript", "vitals", "webmcp"];
        let recorded: Vec<String> = recorded().into_iter().map(|(name, _)| name).collect();
        for spec in commands().filter(|spec| !WITHOUT.contains(&spec.name)) {
            let name = if spec.name == "deny" { "confirm" } else { spec.name };
            assert!(recorded.iter().any(|one| one == name), "{name}");
        }
    }

    #[test]
    fn a_new_flag_of_a_command_is_reported() {
        let text =
            "agent-browser click - Click an element\n\nOptions:\n  -z, --zap   Zap\n  --human\n";
        assert_eq!(missing_from_tables(text), ["-z", "--zap"]);
        let text = "agent-browser teleport - Go\n\nOptions:\n  --far\n";
        assert_eq!(missing_from_tables(text), ["teleport"]);
    }
}
