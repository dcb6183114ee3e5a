//! `cargo xtask node [FILE…]`: the tests of `pi/` and `npm/`, with the Node and the pi that
//! `tests/pi/package-lock.json` pins, installed into `target/tools`.

use std::fs;
use std::path::PathBuf;

use crate::process::{Line, on_path};
use crate::{Result, Verdict, pack, root, trace};

/// Files that say what is installed.
const PINS: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

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
    let (pins, tools) = (root().join("tests/pi"), tools());
    let lock = fs::read_to_string(pins.join("package-lock.json"))?;
    let stamp = tools.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return node();
    }
    fs::create_dir_all(&tools)?;
    for name in PINS {
        fs::copy(pins.join(name), tools.join(name))?;
    }
    if on_path("npm").is_none() {
        return Err("npm was not found on PATH; the tests of pi/ and npm/ need it".into());
    }
    let line = Line::new("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    println!("{} in {}", line.shown(), tools.display());
    if !line.folder(tools).stream()?.ok {
        let reason = "npm could not install what tests/pi/package-lock.json names; \
                      is the package registry reachable?";
        return Err(reason.into());
    }
    fs::write(stamp, lock)?;
    node()
}

/// The type check of the extension and of its tests.
pub(crate) fn types(node: &PathBuf) -> Line {
    let compiler = tools().join("node_modules/typescript/bin/tsc");
    let project = root().join("pi/tsconfig.json");
    Line::new(node, &[compiler.as_os_str(), "-p".as_ref(), project.as_os_str()])
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

fn tools() -> PathBuf {
    root().join("target/tools/pi")
}

/// The Node of the tools; elsewhere than on Linux the one on PATH.
fn node() -> Result<PathBuf> {
    let cpu = if std::env::consts::ARCH == "aarch64" { "arm64" } else { "x64" };
    let pinned = tools().join(format!("node_modules/node-linux-{cpu}/bin/node"));
    let found = if pinned.is_file() { Some(pinned) } else { on_path("node") };
    found.ok_or_else(|| "Node was not found; the tests of pi/ and npm/ need 22.19 or newer".into())
}
