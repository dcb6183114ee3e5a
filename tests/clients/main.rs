//! MCP clients that others wrote, against the stdio door: the official SDKs and the conformance suite.
//!
//! The packages are installed by lock files below `target/tools`. The stand-in plays upstream, so no
//! browser is needed. `docs/MCP_CLIENTS.md` holds the results; `ABN_WRITE_DOCS=1` writes it anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod conformance;
#[path = "../it/support/env.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the integration tests")]
mod env;
mod page;
mod scenarios;
mod sdk;

use std::path::{Path, PathBuf};
use std::process::Command;

use env::TestEnv;
use serde_json::Value;

/// Where the packages and scripts of these tests are.
const FOLDER: &str = "tests/clients";
const PROGRAM: &str = env!("CARGO_BIN_EXE_agent-browser-native");

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(name)
}

fn node_modules() -> PathBuf {
    xtask::tools::npm_packages(FOLDER).unwrap().join("node_modules")
}

/// A world in which one call takes long and one never ends.
fn slow_world() -> TestEnv {
    let script: Value =
        serde_json::from_str(&std::fs::read_to_string(file("script.json")).unwrap()).unwrap();
    TestEnv::new().script(&script)
}

/// A program in the world of a test.
fn command(program: &Path, world: &TestEnv) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(world.vars()).current_dir(world.path("work"));
    command
}
