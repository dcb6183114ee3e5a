//! `cargo xtask pack [--debug]`: npm tarballs of the wrapper, this platform's program, and the pi
//! package, in `target/npm`. Those for release are made of a verified commit only.

use std::fs;
use std::path::{Path, PathBuf};

use agent_browser_native::run::version::TESTED_VERSION;
use serde_json::{Value, json};

use crate::gate::{self, Verified};
use crate::process::Line;
use crate::{Result, Verdict, only, root};

const NAME: &str = "agent-browser-native";
const UPSTREAM: &str = "agent-browser";

/// Documents that the pi package carries, so that a model can read them.
const DOCUMENTS: [&str; 3] =
    ["docs/COMMAND_REFERENCE.md", "docs/TOOL_CONTRACT.md", "docs/ELECTRON.md"];

/// Builds the program and packs everything.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    only(args, &["--debug"])?;
    let release = if args.is_empty() { Some(gate::verified()?) } else { None };
    let (profile, folder): (&[&str], _) = match release {
        Some(Verified { .. }) => (&["--release"], "release"),
        None => (&[], "debug"),
    };
    let build = [&["build", "--quiet", "--package", NAME], profile].concat();
    if !Line::new("cargo", &build).stream()?.ok {
        return Err("the build failed".into());
    }
    let target = root().join("target");
    let packed = pack(&target.join(folder).join(NAME), &target.join("npm"))?;
    for path in packed {
        println!("{}", path.display());
    }
    Ok(Verdict::Clean)
}

/// Packs `program` as this platform's; the tarballs: wrapper, platform, pi.
fn pack(program: &Path, out: &Path) -> Result<Vec<PathBuf>> {
    let version = version()?;
    let stage = out.join("stage");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    let platform = format!("{NAME}-{}", platform()?);
    let wrapper = stage.join(NAME);
    copy(&root().join("npm"), &wrapper, &["package.json", "README.md", "index.cjs", "bin"])?;
    platform_package(&stage.join(&platform), &platform, &version, program)?;
    let pi = stage.join(format!("{NAME}-pi"));
    copy(&root().join("pi"), &pi, &["package.json", "README.md", "src"])?;
    copy(&root(), &pi, &DOCUMENTS)?;
    let mut packed = Vec::new();
    for folder in [wrapper, stage.join(&platform), pi] {
        copy(&root(), &folder, &["LICENSE"])?;
        packed.push(npm_pack(&folder, out)?);
    }
    Ok(packed)
}

/// The version that all packages must have; the wrapper brings the upstream that was tested.
fn version() -> Result<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    let version = line.and_then(|rest| rest.strip_suffix('"')).ok_or("Cargo.toml: no version")?;
    for name in ["npm/package.json", "pi/package.json"] {
        let package: Value = serde_json::from_str(&fs::read_to_string(root().join(name))?)?;
        if let Some(other) = other_pin(&package, version) {
            return Err(format!(
                "{name} names {other}, want {version} and {UPSTREAM} {TESTED_VERSION}"
            )
            .into());
        }
    }
    Ok(version.to_owned())
}

/// A version in a package that is not the one wanted.
fn other_pin<'a>(package: &'a Value, version: &str) -> Option<&'a Value> {
    let wanted = |name: &str| match name {
        UPSTREAM => Some(TESTED_VERSION),
        ours if ours.starts_with(NAME) => Some(version),
        _ => None,
    };
    let lists = ["dependencies", "optionalDependencies"]
        .into_iter()
        .filter_map(|key| package.get(key)?.as_object());
    let pinned = lists.flatten().filter_map(|(name, found)| Some((wanted(name)?, found)));
    let own = package.get("version").map(|found| (version, found));
    pinned.chain(own).find(|(wanted, found)| *found != wanted).map(|(_, found)| found)
}

/// Platform and processor as npm spells them.
fn platform() -> Result<String> {
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => return Err(format!("npm has no name for the processor {other}").into()),
    };
    let os = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    Ok(format!("{os}-{cpu}"))
}

fn platform_package(folder: &Path, name: &str, version: &str, program: &Path) -> Result<()> {
    let (os, cpu) = name
        .strip_prefix(NAME)
        .and_then(|rest| rest.trim_start_matches('-').split_once('-'))
        .ok_or("a platform is an OS and a processor")?;
    fs::create_dir_all(folder.join("bin"))?;
    fs::copy(program, folder.join("bin").join(NAME))?;
    let mut package = json!({
        "name": name,
        "version": version,
        "description": format!("The program of {NAME} for {os} on {cpu}"),
        "license": "MIT",
        "os": [os],
        "cpu": [cpu],
        "files": ["bin"],
    });
    if os == "linux" {
        // Built against the GNU C library; others must not get it.
        package["libc"] = json!(["glibc"]);
    }
    Ok(fs::write(folder.join("package.json"), format!("{package:#}\n"))?)
}

/// Copies files and folders that exist.
fn copy(from: &Path, to: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        let (source, goal) = (from.join(name), to.join(name));
        if source.is_dir() {
            for entry in fs::read_dir(&source)? {
                let entry = entry?.file_name();
                copy(&source, &goal, &[entry.to_string_lossy().as_ref()])?;
            }
        } else if source.is_file() {
            fs::create_dir_all(goal.parent().unwrap_or(to))?;
            fs::copy(&source, &goal)?;
        }
    }
    Ok(())
}

fn npm_pack(folder: &Path, out: &Path) -> Result<PathBuf> {
    let words = ["pack", "--silent", "--ignore-scripts", "--pack-destination"];
    let words = words.iter().map(AsRef::as_ref).chain([out.as_os_str()]).collect::<Vec<_>>();
    let (_, printed) = Line::new("npm", &words).folder(folder.to_path_buf()).timed()?;
    let name = printed.stdout.lines().map(str::trim).find(|line| line.ends_with(".tgz"));
    match name.filter(|_| printed.code == Some(0)) {
        Some(name) => Ok(out.join(name)),
        None => Err(format!("npm pack failed in {}: {}", folder.display(), printed.stderr).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-01
    #[test]
    fn a_package_with_another_upstream_than_the_tested_one_is_refused() {
        let package = |upstream: &str, platform: &str| {
            json!({
                "version": "1.2.3",
                "dependencies": { UPSTREAM: upstream, "other": "9.9.9" },
                "optionalDependencies": { (format!("{NAME}-linux-x64")): platform },
            })
        };
        let other = |package: Value| other_pin(&package, "1.2.3").cloned();
        assert_eq!(other(package(TESTED_VERSION, "1.2.3")), None);
        assert_eq!(other(package("0.1.0", "1.2.3")), Some(json!("0.1.0")));
        assert_eq!(other(package(TESTED_VERSION, "1.2.4")), Some(json!("1.2.4")));
        assert!(version().is_ok());
    }
}
