//! Programs that tests and measurements need, installed below `target/tools` by committed lock files.
//!
//! The lock files name versions and checksums but no registry, so the user's own npm and pip settings
//! decide where the packages come from. What is installed already is used without the network.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::process::{self, Line};
use crate::{Result, Verdict, economy, root};

/// The oldest Node that every tool of the tests runs on.
const NODE_MAJOR: u32 = 22;
const NODE_LOCK: &str = "xtask/tools/node";

/// Installs everything that the tests need, so that no test waits for a registry.
pub(crate) fn for_tests(_args: &[String]) -> Result<Verdict> {
    node()?;
    npm_packages("tests/clients")?;
    npm_packages("tests/live/real_pages")?;
    python_packages("tests/clients")?;
    economy::apps::install()?;
    Ok(Verdict::Clean)
}

/// Installs the packages of `package.json` and `package-lock.json` in a folder of the repository.
///
/// Answers with the folder that holds `node_modules`.
pub fn npm_packages(lock_folder: &str) -> Result<PathBuf> {
    let files = ["package.json", "package-lock.json"];
    install(lock_folder, "npm", &files, |folder| {
        let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        run(&Line::new("npm", &words).folder(folder.to_path_buf()))
    })
}

/// Installs the packages of `requirements.txt` in a folder of the repository.
///
/// Answers with the Python of their environment.
pub fn python_packages(lock_folder: &str) -> Result<PathBuf> {
    let folder = install(lock_folder, "python", &["requirements.txt"], |folder| {
        let python = system_python()?;
        run(&Line::new(python, &["-m", "venv", "."]).folder(folder.to_path_buf()))?;
        let words = ["-m", "pip", "install", "--quiet", "--no-deps", "-r", "requirements.txt"];
        run(&Line::new(folder.join("bin/python"), &words).folder(folder.to_path_buf()))
    })?;
    Ok(folder.join("bin/python"))
}

/// A Node that is new enough: the one on PATH, or one from the registry.
pub fn node() -> Result<PathBuf> {
    if let Some(found) = process::on_path("node").filter(|node| node_major(node) >= NODE_MAJOR) {
        return Ok(found);
    }
    let modules = npm_packages(NODE_LOCK)?.join("node_modules");
    let mut packages = fs::read_dir(modules)?.flatten().map(|entry| entry.path().join("bin/node"));
    packages.find(|node| node.is_file()).ok_or_else(|| {
        format!("Node {NODE_MAJOR} or newer is needed; the registry has none for this system")
            .into()
    })
}

/// Prepares `target/tools/<name>` unless it holds the same lock files already.
fn install(
    lock_folder: &str,
    kind: &str,
    files: &[&str],
    prepare: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let name = format!("{}-{kind}", lock_folder.replace('/', "-"));
    let tools = root().join("target/tools");
    fs::create_dir_all(&tools)?;
    // Tests run in processes of their own; one installs, the others wait.
    let lock = File::create(tools.join(format!("{name}.lock")))?;
    lock.lock()?;
    let (folder, source) = (tools.join(&name), root().join(lock_folder));
    let stamp = wanted(&source, files)?;
    if fs::read_to_string(folder.join("installed")).is_ok_and(|have| have == stamp) {
        return Ok(folder);
    }
    println!("installing {lock_folder} ({kind}) into target/tools/{name}");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for file in files {
        fs::copy(source.join(file), folder.join(file))?;
    }
    prepare(&folder)?;
    fs::write(folder.join("installed"), stamp)?;
    Ok(folder)
}

/// What an installed folder has to be made from.
fn wanted(source: &Path, files: &[&str]) -> Result<String> {
    let read = |file: &&str| {
        let path = source.join(file);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
    };
    Ok(files.iter().map(read).collect::<Result<Vec<String>>>()?.concat())
}

/// A Python that can make environments; on Debian as root the missing part is installed.
fn system_python() -> Result<PathBuf> {
    let able = |python: &PathBuf| Line::new(python, &["-c", "import venv, ensurepip"]).succeeds();
    if let Some(python) = process::on_path("python3").filter(able) {
        return Ok(python);
    }
    let packages = ["install", "--yes", "--quiet", "python3", "python3-venv"];
    if let Some(apt) = process::on_path("apt-get") {
        // Fails without the rights; the sentence below then says what to do.
        drop(Line::new(apt, &packages).env("DEBIAN_FRONTEND", "noninteractive").stream());
    }
    let python = process::on_path("python3").filter(able);
    python.ok_or_else(|| "python3 with venv is needed: apt-get install python3 python3-venv".into())
}

fn node_major(node: &Path) -> u32 {
    let Ok((_, done)) = Line::new(node, &["--version"]).timed() else { return 0 };
    let digits = done.stdout.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

fn run(line: &Line) -> Result<()> {
    if line.stream()?.ok { Ok(()) } else { Err(format!("{} failed", line.shown()).into()) }
}
