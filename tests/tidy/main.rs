//! House rules that neither rustc nor clippy can see: sizes, import direction, stray text.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod layers;
mod our_lines;
mod paths;

use std::fs;
use std::path::{Path, PathBuf};

use xtask::rust_source::RustSource;
use xtask::trace::source_files;

/// Lines of a file, tests apart.
const FILE_LIMIT: usize = 600;
/// Lines of a file that holds only tests.
const TEST_FILE_LIMIT: usize = 800;
/// Lines of a function, tests apart. Clippy's `too_many_lines` counts code only; this counts all.
const FUNCTION_LIMIT: usize = 120;

/// Allow-list of the size rules: path and reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// One file, read once.
struct File {
    /// Path from the root, with `/`.
    name: String,
    text: String,
    source: RustSource,
}

impl File {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let source = RustSource::parse(&text);
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        Self { name, text, source }
    }

    fn is_test(&self) -> bool {
        self.name.split('/').any(|part| part == "tests" || part.ends_with("tests.rs"))
    }

    /// True for lines that belong to a test.
    fn in_test(&self, line: usize) -> bool {
        self.is_test() || self.source.test_lines().iter().any(|lines| lines.contains(&line))
    }

    /// The code with tests blanked.
    fn product_code(&self) -> String {
        if self.is_test() {
            return String::new();
        }
        let tests = self.source.test_lines();
        let lines = self.source.code.lines().enumerate().map(|(at, line)| {
            let in_test = tests.iter().any(|lines| lines.contains(&(at + 1)));
            if in_test { "" } else { line }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files_of(folders: &[&str]) -> Vec<File> {
    let paths = folders.iter().flat_map(|folder| source_files(&root().join(folder), "rs").unwrap());
    paths.map(|path| File::read(&path)).collect()
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn files_are_short() {
    let mut problems = Vec::new();
    for file in files_of(&["src", "tests", "xtask"]) {
        let (lines, limit) = if file.is_test() {
            (file.text.lines().count(), TEST_FILE_LIMIT)
        } else {
            let all = file.text.lines().count();
            let tests: usize = file.source.test_lines().into_iter().map(Iterator::count).sum();
            (all.saturating_sub(tests), FILE_LIMIT)
        };
        if lines > limit && !LONG_FILES.iter().any(|(name, _)| *name == file.name) {
            problems.push(format!("{}: {lines} lines, at most {limit}", file.name));
        }
    }
    for path in source_files(&root().join("pi"), "ts").unwrap() {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        if lines > FILE_LIMIT {
            problems.push(format!("{}: {lines} lines, at most {FILE_LIMIT}", path.display()));
        }
    }
    assert_none(&problems);
}

#[test]
fn functions_are_short() {
    let mut problems = Vec::new();
    for file in files_of(&["src", "xtask"]) {
        for function in file.source.functions() {
            let length = function.lines.clone().count();
            if length > FUNCTION_LIMIT && !file.in_test(*function.lines.start()) {
                let (name, at) = (function.name, function.lines.start());
                problems.push(format!("{}:{at}: fn {name} has {length} lines", file.name));
            }
        }
    }
    assert_none(&problems);
}

/// Standard output belongs to the doors; everything else answers with values.
#[test]
fn only_doors_print() {
    let print = xtask::rust_source::regex(r"\b(?:e?println|e?print|dbg)!");
    let mut problems = Vec::new();
    for file in files_of(&["src"]) {
        let prints = ["src/main.rs", "src/cli.rs"].contains(&file.name.as_str())
            || file.name.starts_with("src/door/")
            || file.name.starts_with("src/cli/");
        if !prints && print.is_match(&file.product_code()) {
            problems.push(format!("{}: prints", file.name));
        }
    }
    assert_none(&problems);
}

#[test]
fn generated_docs_are_fresh() {
    let stale = xtask::docs::stale(&root()).unwrap();
    let names: Vec<String> = stale
        .into_iter()
        .map(|(path, _)| format!("{}: run `cargo xtask docs write`", path.display()))
        .collect();
    assert_none(&names);
}

/// Relative links of the documents for people.
#[test]
fn links_lead_somewhere() {
    let link = xtask::rust_source::regex(r"\]\(([^)#:\s]+)\)");
    let mut problems = Vec::new();
    for name in ["README.md", "AGENTS.md", "CHANGELOG.md", "docs/ARCHITECTURE.md"] {
        let path = root().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let targets = link.captures_iter(&text).map(|found| found.get(1).unwrap().as_str());
        for target in targets.filter(|target| !path.parent().unwrap().join(target).exists()) {
            problems.push(format!("{name}: {target} does not exist"));
        }
    }
    assert_none(&problems);
}

/// A test file that no `mod` line names compiles never and passes always.
#[test]
fn no_test_file_is_forgotten() {
    let mut problems = Vec::new();
    for entry in fs::read_dir(root().join("tests")).unwrap() {
        let main = entry.unwrap().path().join("main.rs");
        if main.is_file() {
            forgotten(&main, &mut problems);
        }
    }
    assert_none(&problems);
}

/// Looks beside a `main.rs` or `mod.rs`, and into the folders it declares.
fn forgotten(module: &Path, problems: &mut Vec<String>) {
    let code = File::read(module).source.code;
    for entry in fs::read_dir(module.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let inner = path.join("mod.rs");
        let is_module = inner.is_file() || path.extension().is_some_and(|found| found == "rs");
        if path == module || !is_module {
            continue;
        }
        if !code.contains(&format!("mod {stem};")) {
            problems.push(format!("{}: not a module of {}", path.display(), module.display()));
        }
        if inner.is_file() {
            forgotten(&inner, problems);
        }
    }
}

/// A lock file made behind a mirror must not carry the mirror's address.
#[test]
fn locked_packages_come_from_the_public_index() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let index = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let strays = lock.lines().filter(|line| line.starts_with("source =") && *line != index);
    assert_none(&strays.map(str::to_owned).collect::<Vec<_>>());
}
