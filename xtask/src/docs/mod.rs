//! `cargo xtask docs check|write`: the generated parts of the Markdown files.
//!
//! A part stands between `<!-- generated: NAME -->` and `<!-- end -->` on lines of their own. NAME
//! is one of `PROVIDERS`. Parts of the playbook have marks of their own:
//! `<!-- agent-browser-playbook:start NAME -->` and `<!-- agent-browser-playbook:end NAME -->`.

mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use agent_browser_native::playbook;

use crate::{COMMANDS, Result, Verdict, root};

/// Who writes a part.
struct Provider {
    name: &'static str,
    write: fn() -> Result<String>,
}

const PROVIDERS: &[Provider] = &[
    Provider { name: "xtask-commands", write: || Ok(xtask_commands()) },
    Provider { name: "commands", write: tables::command_table },
    Provider { name: "global-flags", write: tables::flag_table },
    Provider { name: "classes", write: tables::class_table },
    Provider { name: "ref-commands", write: tables::ref_table },
    Provider { name: "config-keys", write: tables::key_table },
    Provider { name: "variables", write: tables::variable_table },
    Provider { name: "fields", write: tables::field_table },
    Provider { name: "search-fields", write: tables::search_field_table },
    Provider { name: "categories", write: tables::category_table },
    Provider { name: "next-actions", write: tables::next_action_list },
    Provider { name: "baseline", write: tables::baseline },
];

const PLAYBOOK: &str = "<!-- agent-browser-playbook:";

const OPEN: &str = "<!-- generated: ";
const CLOSE: &str = "<!-- end -->";

/// Compares or rewrites every generated part.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let write = match words.as_slice() {
        ["check"] => false,
        ["write"] => true,
        _ => return Err("say `docs check` or `docs write`".into()),
    };
    let stale = stale(&root())?;
    for (path, fresh) in &stale {
        if write {
            fs::write(path, fresh)?;
            println!("wrote {}", path.display());
        } else {
            println!("stale: {} (run `cargo xtask docs write`)", path.display());
        }
    }
    if stale.is_empty() {
        println!("generated parts are fresh");
    }
    Ok(Verdict::of(write || stale.is_empty()))
}

/// Markdown files below `root` whose generated parts are out of date, with their new text.
pub fn stale(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut stale = Vec::new();
    for path in markdown_files(root)? {
        let text = fs::read_to_string(&path)?;
        let fresh = refresh(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        if fresh != text {
            stale.push((path, fresh));
        }
    }
    Ok(stale)
}

/// Markdown files of the root and of `docs/`.
fn markdown_files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in [root.to_path_buf(), root.join("docs")] {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A mark on a line of its own.
enum Mark<'a> {
    Open { close: String, part: Result<String>, name: &'a str },
    None,
}

/// The mark that a line is, with the text of its part.
fn mark(line: &str) -> Mark<'_> {
    let line = line.trim();
    if let Some(name) = line.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(" -->")) {
        let provider = PROVIDERS.iter().find(|provider| provider.name == name);
        let part = match provider {
            Some(provider) => (provider.write)(),
            None => Err(format!("nobody generates \"{name}\"").into()),
        };
        return Mark::Open { close: CLOSE.to_owned(), part, name };
    }
    let start = line.strip_prefix(PLAYBOOK).and_then(|rest| rest.strip_prefix("start "));
    if let Some(name) = start.and_then(|rest| rest.strip_suffix(" -->")) {
        let part = playbook::fragment(name).map(playbook::Fragment::markdown);
        let part = part.ok_or_else(|| format!("the playbook has no \"{name}\"").into());
        return Mark::Open { close: format!("{PLAYBOOK}end {name} -->"), part, name };
    }
    Mark::None
}

/// The text with every generated part made anew.
fn refresh(text: &str) -> Result<String> {
    let mut fresh = String::new();
    let mut inside: Option<String> = None;
    for line in text.split_inclusive('\n') {
        match (mark(line), &inside) {
            (Mark::Open { name, .. }, Some(_)) => {
                return Err(format!("\"{name}\" opens inside another part").into());
            }
            (Mark::Open { close, part, .. }, None) => {
                fresh.push_str(line);
                fresh.push_str(&part?);
                inside = Some(close);
            }
            (Mark::None, Some(close)) if line.trim() == close => {
                fresh.push_str(line);
                inside = None;
            }
            (Mark::None, Some(_)) => {}
            (Mark::None, None) => fresh.push_str(line),
        }
    }
    match inside {
        Some(close) => Err(format!("a generated part has no `{close}`").into()),
        None => Ok(fresh),
    }
}

fn xtask_commands() -> String {
    let mut table = String::from("| command | what it does |\n|---|---|\n");
    for command in COMMANDS {
        let usage = command.usage.replace('|', "\\|");
        table
            .push_str(&format!("| `cargo xtask {} {usage}` | {} |\n", command.name, command.about));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_replaced_and_the_rest_stays() {
        let text = "a\n<!-- generated: xtask-commands -->\nold\n<!-- end -->\nb\n";
        let fresh = refresh(text).unwrap();
        assert!(fresh.starts_with("a\n<!-- generated: xtask-commands -->\n| command |"));
        assert!(fresh.ends_with("|\n<!-- end -->\nb\n"));
        assert!(!fresh.contains("old"));
        assert_eq!(refresh(&fresh).unwrap(), fresh);
    }

    // DOC-01, DOC-02
    #[test]
    fn parts_of_the_playbook_have_marks_of_their_own() {
        let text = "<!-- agent-browser-playbook:start inspection -->\nold\n\
                    <!-- agent-browser-playbook:end inspection -->\n";
        let fresh = refresh(text).unwrap();
        assert!(fresh.contains("plain text") && !fresh.contains("old"), "{fresh}");
        assert!(refresh("<!-- agent-browser-playbook:start other -->\n").is_err());
    }

    // DOC-01, DOC-09
    #[test]
    fn a_changed_part_is_drift() {
        let folder = std::env::temp_dir().join(format!("abn-docs-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = refresh("<!-- generated: classes -->\n<!-- end -->\n").unwrap();
        fs::write(folder.join("a.md"), &text).unwrap();
        assert!(stale(&folder).unwrap().is_empty());
        fs::write(folder.join("a.md"), text.replace("`read`", "`reed`")).unwrap();
        assert_eq!(stale(&folder).unwrap().len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    // DOC-09, DOC-12
    #[test]
    fn every_table_names_every_item_of_its_list() {
        let commands = tables::command_table().unwrap();
        for spec in agent_browser_native::command::commands() {
            assert!(commands.contains(&format!("| `{}`", spec.name)), "{}", spec.name);
        }
        let flags = tables::flag_table().unwrap();
        for flag in agent_browser_native::command::FLAGS {
            assert!(flags.contains(&format!("`{}`", flag.name)), "{}", flag.name);
        }
    }

    #[test]
    fn unknown_and_unfinished_parts_are_errors() {
        let unknown = refresh("<!-- generated: nobody -->\n<!-- end -->\n").unwrap_err();
        assert_eq!(unknown.to_string(), "nobody generates \"nobody\"");
        assert!(refresh("<!-- generated: xtask-commands -->\n").is_err());
    }

    #[test]
    fn the_table_names_every_subcommand() {
        let table = xtask_commands();
        for name in ["test", "trace", "docs"] {
            assert!(table.contains(&format!("`cargo xtask {name} ")), "{name}");
        }
    }
}
