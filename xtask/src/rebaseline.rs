//! `cargo xtask rebaseline VERSION`: what another release of upstream would change for us.
//!
//! Installs the release into a folder of its own and compares its help with the baseline. Changing
//! the tested version stays a deliberate act: one constant, then new recordings.

use std::path::PathBuf;
use std::time::Duration;

use agent_browser_native::command::baseline::SAMPLES;
use agent_browser_native::run::version::TESTED_VERSION;

use crate::process::Line;
use crate::{Result, Verdict, root};

const HELP_LIMIT: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    let [version] = args else { return Err("say `rebaseline VERSION`".into()) };
    if !version.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')) {
        return Err("a version looks like 0.42.0".into());
    }
    let folder = root().join("target/rebaseline").join(version);
    std::fs::create_dir_all(&folder)?;
    let package = format!("agent-browser@{version}");
    let install =
        ["install", "--no-save", "--ignore-scripts", "--prefix"].map(std::ffi::OsString::from);
    let install: Vec<_> =
        install.into_iter().chain([folder.clone().into(), package.clone().into()]).collect();
    if !Line::new("npm", &install).stream()?.ok {
        return Err(format!("npm cannot install {package}").into());
    }
    let executable = executable(folder)?;
    let mut gaps = Vec::new();
    for sample in SAMPLES {
        let words = [sample.command, "--help"];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let help = Line::new(&executable, &words).exchange("", HELP_LIMIT)?;
        gaps.extend(sample.gaps(&help.stdout));
    }
    gaps.iter().for_each(|gap| println!("{gap}"));
    println!("{version} beside {TESTED_VERSION}: {} differences in the help texts", gaps.len());
    println!(
        "To adopt it: change TESTED_VERSION in src/run/version.rs, `cargo xtask record`, read the \
         differences, `cargo xtask docs write`, add a line to Rebaselines in docs/COMMAND_REFERENCE.md."
    );
    Ok(Verdict::of(gaps.is_empty()))
}

/// The native executable of the installed package.
fn executable(folder: PathBuf) -> Result<PathBuf> {
    let bin = folder.join("node_modules/agent-browser/bin");
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let path = bin.join(format!("agent-browser-{system}-{machine}"));
    if !path.is_file() {
        return Err(format!("{} is not in the package", path.display()).into());
    }
    make_executable(&path)?;
    Ok(path)
}

/// npm leaves this to an install script, which is not run.
fn make_executable(path: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}
