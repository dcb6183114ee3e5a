//! No text of this repository names a directory of the machine it was written on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use xtask::rust_source::regex;

use crate::{assert_none, root};

/// The one home directory that samples may use.
const SAMPLE_USER: &str = "ann";

/// Endings of files that are text.
const TEXT: &[&str] =
    &["rs", "ts", "js", "mjs", "json", "md", "toml", "html", "txt", "yml", "yaml"];

static ABSOLUTE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?:^|[^A-Za-z0-9_.~/>-])(/(?:root|work)/|/home/([A-Za-z0-9_-]+))"));

fn machine_paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for captures in ABSOLUTE.captures_iter(text) {
        if captures.get(2).is_none_or(|user| user.as_str() != SAMPLE_USER) {
            found.push(captures.get(1).unwrap().as_str().to_owned());
        }
    }
    found
}

fn text_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_text =
            path.extension().is_some_and(|ending| TEXT.iter().any(|text| ending == *text));
        if path.is_dir() {
            let hidden = name.starts_with('.') && ![".ci", ".cargo", ".config"].contains(&&*name);
            if !hidden && !["target", "node_modules", "demo-report"].contains(&&*name) {
                text_files(&path, found);
            }
        } else if is_text {
            found.push(path);
        }
    }
}

#[test]
fn no_file_names_a_directory_of_the_machine() {
    let mut files = Vec::new();
    text_files(&root(), &mut files);
    let mut problems = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        for (at, line) in text.lines().enumerate() {
            for found in machine_paths(line) {
                problems.push(format!("{}:{}: {found}", path.display(), at + 1));
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn machine_paths_are_told_from_samples() {
    let (root, work, home) = (["/ro", "ot/x"].concat(), ["/wo", "rk/x"].concat(), "/home/");
    assert_eq!(machine_paths(&format!("cd {root} {work} \"{home}bob/x\"")).len(), 3);
    assert!(machine_paths(&format!("{home}ann/x src{work} https://a.test{root}")).is_empty());
}
