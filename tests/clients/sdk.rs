//! The SDK clients of both languages, step by step.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{PROGRAM, command, file, node_modules, slow_world};

/// What every client does, in this order.
pub(crate) const STEPS: &[&str] = &[
    "initialize",
    "list tools",
    "call",
    "failed call",
    "protocol error",
    "ping",
    "image content",
    "progress",
    "cancel",
    "close",
];

/// Runs a client and checks that it took every step.
fn assert_every_step(client: &mut Command) {
    let done = client.output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    let lines: Vec<Value> = String::from_utf8(done.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let failed: Vec<&Value> = lines.iter().filter(|line| line["ok"] != true).collect();
    assert!(failed.is_empty(), "{failed:#?}\n{errors}");
    let steps: Vec<&str> = lines.iter().map(|line| line["step"].as_str().unwrap()).collect();
    assert_eq!(steps, STEPS, "{errors}");
    assert!(done.status.success(), "{errors}");
}

fn run(interpreter: &Path, script: &str, extra: &[(&str, &Path)]) {
    let world = slow_world();
    let mut client = command(interpreter, &world);
    client.arg(file(script)).arg(PROGRAM);
    client.envs(extra.iter().copied());
    assert_every_step(&mut client);
}

// DEC-80
#[test]
fn the_typescript_sdk_gets_through_every_step() {
    let modules = node_modules();
    let node = xtask::tools::node().unwrap();
    run(&node, "sdk_client.mjs", &[("NODE_MODULES", &modules)]);
}

// DEC-80
#[test]
fn the_python_sdk_gets_through_every_step() {
    let python = xtask::tools::python_packages(crate::FOLDER).unwrap();
    run(&python, "sdk_client.py", &[]);
}
