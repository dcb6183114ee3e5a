//! The installed upstream is the one that the reference describes.

use std::process::Command;

use agent_browser_native::command::baseline::SAMPLES;
use agent_browser_native::run::version::{TESTED_VERSION, Version};

use crate::support::bed::upstream;

fn ask(words: &[&str]) -> String {
    let output = Command::new(upstream()).args(words).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

// DOC-10, DOC-08
#[test]
fn live_help_of_the_installed_upstream_names_the_whole_baseline() {
    let version = Version::in_answer(&ask(&["--version"])).unwrap();
    assert_eq!(version.to_string(), TESTED_VERSION);
    let mut gaps = Vec::new();
    for sample in SAMPLES {
        let words = [sample.command, "--help"];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        gaps.extend(sample.gaps(&ask(&words)));
    }
    assert_eq!(gaps, Vec::<String>::new());
}
