//! `cargo xtask docs check|write`: the generated parts of the Markdown files.
//!
//! A part stands between `<!-- generated: NAME -->` and `<!-- end -->` on lines of their own. NAME
//! is one of `PROVIDERS`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{COMMANDS, Result, Verdict, root};

/// Who writes a part.
struct Provider {
    name: &'static str,
    write: fn() -> String,
}

const PROVIDERS: &[Provider] = &[Provider { name: "xtask-commands", write: xtask_commands }];

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

/// The text with every generated part made anew.
fn refresh(text: &str) -> Result<String> {
    let mut fresh = String::new();
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let opened = line.trim().strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(name) = opened {
            let provider = PROVIDERS.iter().find(|provider| provider.name == name);
            let provider = provider.ok_or_else(|| format!("nobody generates \"{name}\""))?;
            if inside {
                return Err(format!("\"{name}\" opens inside another part").into());
            }
            inside = true;
            fresh.push_str(line);
            fresh.push_str(&(provider.write)());
        } else if line.trim() == CLOSE {
            inside = false;
            fresh.push_str(line);
        } else if !inside {
            fresh.push_str(line);
        }
    }
    if inside { Err(format!("a generated part has no `{CLOSE}`").into()) } else { Ok(fresh) }
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
