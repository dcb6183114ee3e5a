//! `cargo xtask node [FILE…]`: the tests of `pi/` and `npm/`, with the Node and the pi that
//! `tests/pi/package-lock.json` pins, installed into `target/tools`.

use std::path::PathBuf;

use crate::process::{Line, on_path};
use crate::{Result, Verdict, pack, root, tools, trace};

/// Checks types, packs, and runs the named test files, or all.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    let node = install()?;
    let types = types(&node).stream()?.ok;
    let packed = pack::run(&["--debug".to_owned()])? == Verdict::Clean;
    let tests = if args.is_empty() {
        tests(&node)?.stream()?.ok
    } else {
        test_line(&node, args).stream()?.ok
    };
    Ok(Verdict::of(types && packed && tests))
}

/// The pinned tools, installed where they are missing or out of date; the path of their Node.
pub(crate) fn install() -> Result<PathBuf> {
    let tools = tools::npm_packages("tests/pi")?;
    // Elsewhere than on Linux the one on PATH.
    let cpu = if std::env::consts::ARCH == "aarch64" { "arm64" } else { "x64" };
    let pinned = tools.join(format!("node_modules/node-linux-{cpu}/bin/node"));
    let found = if pinned.is_file() { Some(pinned) } else { on_path("node") };
    found.ok_or_else(|| "Node was not found; the tests of pi/ and npm/ need 22.19 or newer".into())
}

/// The type check of the extension and of its tests.
pub(crate) fn types(node: &PathBuf) -> Line {
    let compiler = "target/tools/tests-pi-npm/node_modules/typescript/bin/tsc";
    Line::new(node, &[compiler, "-p", "pi/tsconfig.json"])
}

/// Every test of `pi/` and `npm/`, one file at a time: they share the cores with a real browser.
pub(crate) fn tests(node: &PathBuf) -> Result<Line> {
    let mut files = Vec::new();
    for folder in ["pi/test", "npm/test"] {
        let found = trace::source_files(&root().join(folder), "ts")?;
        let names = found.iter().map(|path| path.to_string_lossy().into_owned());
        files.extend(names.filter(|name| name.ends_with(".test.ts")));
    }
    Ok(test_line(node, &files))
}

/// What the pi package adds to the start of pi, with the release build.
pub(crate) fn startup(node: &PathBuf) -> Line {
    let program = root().join("target/release/agent-browser-native");
    Line::new(node, &["pi/test/support/startup.ts"]).env("ABN_PROGRAM", program)
}

fn test_line(node: &PathBuf, files: &[String]) -> Line {
    let flags = ["--test", "--test-concurrency=1", "--test-timeout=180000"];
    let words: Vec<&str> = flags.into_iter().chain(files.iter().map(String::as_str)).collect();
    Line::new(node, &words)
}
