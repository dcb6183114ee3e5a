//! The official conformance suite, through a bridge because it speaks HTTP only.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::env::TestEnv;
use crate::scenarios::{Applies, SCENARIOS};
use crate::{PROGRAM, command, file, node_modules};

struct Bridge {
    child: Child,
    url: String,
}

impl Bridge {
    fn start(node: &Path, world: &TestEnv) -> Self {
        let mut bridge = command(node, world);
        bridge.arg(file("stdio_to_http.mjs")).args([PROGRAM, "mcp"]);
        let mut child = bridge.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn suite(node: &Path) -> Command {
    let mut suite = Command::new(node);
    suite.arg(node_modules().join("@modelcontextprotocol/conformance/dist/index.js"));
    suite
}

// DEC-80
#[test]
fn the_conformance_scenarios_that_apply_pass() {
    let node = xtask::tools::node().unwrap();
    let world = TestEnv::new();
    let bridge = Bridge::start(&node, &world);
    for (scenario, _) in SCENARIOS.iter().filter(|(_, applies)| *applies == Applies::Yes) {
        let words = ["server", "--url", &bridge.url, "--scenario", scenario];
        let done = suite(&node).args(words).current_dir(world.path("work")).output().unwrap();
        let printed = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{scenario}:\n{printed}");
        assert!(printed.contains("1/1, 0 failed"), "{scenario} checked nothing:\n{printed}");
    }
}

#[test]
fn every_scenario_of_the_suite_has_a_verdict() {
    let node = xtask::tools::node().unwrap();
    let done = suite(&node).args(["list", "--server"]).output().unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    let listed: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let known: Vec<&str> = SCENARIOS.iter().map(|(scenario, _)| *scenario).collect();
    assert_eq!(listed, known);
}
