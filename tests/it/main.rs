//! Integration tests: one binary, everything through the library or the built program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "tests"
)]

mod process_end;
mod process_pipes;
mod process_places;
mod process_stand_in;
mod process_start;
mod process_upstream;
mod setup;
mod support;

/// A file that no `mod` line names would silently never run.
#[test]
fn no_forgotten_test_files() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(directory).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.strip_suffix(".rs").unwrap_or(&name);
        assert!(
            module == "main"
                || name.starts_with('.')
                || listed.lines().any(|line| line == format!("mod {module};")),
            "{name} is not listed in main.rs"
        );
    }
}
