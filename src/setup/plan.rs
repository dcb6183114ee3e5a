//! What to do, decided from facts alone.

use std::fmt;
use std::path::PathBuf;

use super::{Machine, SetupError};
use crate::run::version::TESTED_VERSION;

/// A command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) program: PathBuf,
    pub(super) argv: Vec<String>,
    /// Package installation asks no questions and may take longer.
    pub(super) is_apt: bool,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy();
        write!(f, "{name} {}", self.argv.join(" "))
    }
}

/// What is known about upstream.
pub(super) struct UpstreamFacts {
    /// Why none, or the one that was found, will not do.
    pub(super) problem: String,
    /// The environment names it, so another one would not be used.
    pub(super) named: bool,
    pub(super) npm: Option<PathBuf>,
    /// Where our own copy goes.
    pub(super) prefix: PathBuf,
}

/// The commands that put upstream in place where it is missing.
pub(super) fn upstream(facts: &UpstreamFacts, system: bool) -> Result<Vec<Task>, SetupError> {
    if facts.named {
        return Err(SetupError::NamedUpstream { problem: facts.problem.clone() });
    }
    let program = facts.npm.clone().ok_or(SetupError::NoNpm)?;
    let place = match system {
        true => vec!["--global".to_owned()],
        false => vec!["--prefix".to_owned(), facts.prefix.to_string_lossy().into_owned()],
    };
    // Without scripts nothing is downloaded but the package; the native binary is part of it.
    let rest = ["--no-audit", "--no-fund", "--ignore-scripts"].map(str::to_owned);
    let package = format!("agent-browser@{TESTED_VERSION}");
    let argv =
        ["install".to_owned()].into_iter().chain(place).chain(rest).chain([package]).collect();
    Ok(vec![Task { program, argv, is_apt: false }])
}

/// What is known about the browser.
pub(super) struct BrowserFacts {
    /// The environment names one that cannot be used, so another one would not be used.
    pub(super) named: Option<PathBuf>,
    pub(super) apt_get: Option<PathBuf>,
    pub(super) machine: Machine,
    /// The executable that could download one.
    pub(super) upstream: Option<PathBuf>,
}

/// The commands that put a browser in place where none is.
pub(super) fn browser(facts: &BrowserFacts, download: bool) -> Result<Vec<Task>, SetupError> {
    if let Some(path) = facts.named.clone() {
        return Err(SetupError::NamedBrowser { path });
    }
    if download {
        let program = facts.upstream.clone().ok_or(SetupError::NoDownloader)?;
        return Ok(vec![Task { program, argv: vec!["install".to_owned()], is_apt: false }]);
    }
    let apt_get = facts.apt_get.as_ref().filter(|_| facts.machine.debian_like);
    let apt_get = apt_get.ok_or(SetupError::NoPackage)?;
    let task = |words: &[&str]| Task {
        program: apt_get.clone(),
        argv: words.iter().map(|&word| word.to_owned()).collect(),
        is_apt: true,
    };
    let install = task(&["install", "-y", "--no-install-recommends", "chromium"]);
    match facts.machine.root {
        true => Ok(vec![task(&["update"]), install]),
        false => Err(SetupError::NoRights { command: install.to_string() }),
    }
}

/// Whether a system calls itself Debian or a relative of it, in the words of `/etc/os-release`.
pub(super) fn is_debian_like(os_release: &str) -> bool {
    let named = os_release.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        matches!(key.trim(), "ID" | "ID_LIKE").then(|| value.trim().trim_matches(['"', '\'']))
    });
    named.flat_map(str::split_whitespace).any(|name| name == "debian")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(planned: Result<Vec<Task>, SetupError>) -> String {
        match planned {
            Ok(tasks) => tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join(" && "),
            Err(error) => format!("{error:?}"),
        }
    }

    fn upstream_facts() -> UpstreamFacts {
        UpstreamFacts {
            problem: "too old".to_owned(),
            named: false,
            npm: Some("/usr/bin/npm".into()),
            prefix: "/data/upstream".into(),
        }
    }

    // DEC-110
    #[test]
    fn upstream_comes_from_npm_without_scripts() {
        assert_eq!(
            described(upstream(&upstream_facts(), false)),
            "npm install --prefix /data/upstream --no-audit --no-fund --ignore-scripts agent-browser@0.41.0"
        );
        assert_eq!(
            described(upstream(&upstream_facts(), true)),
            "npm install --global --no-audit --no-fund --ignore-scripts agent-browser@0.41.0"
        );
    }

    // DEC-110
    #[test]
    fn upstream_that_setup_cannot_help_with_is_said() {
        let no_npm = UpstreamFacts { npm: None, ..upstream_facts() };
        assert_eq!(described(upstream(&no_npm, false)), "NoNpm");
        let named = UpstreamFacts { named: true, ..upstream_facts() };
        assert!(described(upstream(&named, false)).starts_with("NamedUpstream"));
    }

    fn browser_facts() -> BrowserFacts {
        BrowserFacts {
            named: None,
            apt_get: Some("/usr/bin/apt-get".into()),
            machine: Machine { root: true, debian_like: true },
            upstream: Some("/data/agent-browser-linux-x64".into()),
        }
    }

    // DEC-110
    #[test]
    fn browser_comes_from_the_distribution_when_we_may() {
        let package = "apt-get install -y --no-install-recommends chromium";
        assert_eq!(
            described(browser(&browser_facts(), false)),
            format!("apt-get update && {package}")
        );
        let user =
            BrowserFacts { machine: Machine { root: false, debian_like: true }, ..browser_facts() };
        assert_eq!(
            described(browser(&user, false)),
            format!("NoRights {{ command: {package:?} }}")
        );
        let other =
            BrowserFacts { machine: Machine { root: true, debian_like: false }, ..browser_facts() };
        assert_eq!(described(browser(&other, false)), "NoPackage");
    }

    // DEC-110
    #[test]
    fn browser_is_downloaded_only_on_request() {
        let user = BrowserFacts {
            machine: Machine { root: false, debian_like: false },
            ..browser_facts()
        };
        assert_eq!(described(browser(&user, true)), "agent-browser-linux-x64 install");
        let alone = BrowserFacts { upstream: None, ..browser_facts() };
        assert_eq!(described(browser(&alone, true)), "NoDownloader");
    }

    // DEC-110
    #[test]
    fn browser_that_the_environment_names_wrongly_is_not_papered_over() {
        let named = BrowserFacts { named: Some("/x".into()), ..browser_facts() };
        assert_eq!(described(browser(&named, true)), "NamedBrowser { path: \"/x\" }");
    }

    // DEC-110
    #[test]
    fn relatives_of_debian_are_known_by_os_release() {
        assert!(is_debian_like("NAME=\"Debian GNU/Linux\"\nID=debian\n"));
        assert!(is_debian_like("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian_like("ID=fedora\nPRETTY_NAME=\"not debian\"\n"));
        assert!(!is_debian_like(""));
    }
}
