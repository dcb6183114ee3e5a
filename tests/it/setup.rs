//! `setup` with tools of the test's own on `PATH`: nothing is installed on the machine.

use std::fs;
use std::path::PathBuf;

use agent_browser_native::setup::{Machine, SetupError, SetupOptions, SetupReport, setup_on};
use tokio_util::sync::CancellationToken;

use crate::support::env::{TestEnv, fake_upstream};

const ROOT: Machine = Machine { root: true, debian_like: true };
const USER: Machine = Machine { root: false, debian_like: true };
const NOTHING_SPECIAL: SetupOptions =
    SetupOptions { dry_run: false, system: false, download_browser: false };

/// A machine with npm and apt-get that work, and nothing else.
struct Bare {
    env: TestEnv,
}

impl Bare {
    fn new() -> Self {
        let env = TestEnv::without_upstream();
        let bin = env.path("bin");
        let bare = Self { env: env.with("PATH", bin.to_str().unwrap()) };
        bare.npm(&format!(
            "{log}
             echo 'npm warn deprecated something' >&2
             root={home}
             [ \"$2\" = --prefix ] && root=$3
             package=$root/node_modules/agent-browser/bin
             /bin/mkdir -p \"$package\"
             /bin/cp {fake} \"$package/{native}\"
             /bin/chmod 644 \"$package/{native}\"
             [ \"$2\" = --prefix ] && exit 0
             /bin/chmod 755 \"$package/{native}\"
             /bin/ln -sf \"$package/{native}\" {bin}/agent-browser",
            log = bare.logging("npm"),
            home = bare.env.path("home").display(),
            fake = fake_upstream().display(),
            native = native_name(),
            bin = bin.display(),
        ));
        let apt_get = format!(
            "{log}
             [ \"$1\" = install ] || exit 0
             printf '#!/bin/sh\\necho Chromium 156.0\\n' > {bin}/chromium
             /bin/chmod 755 {bin}/chromium",
            log = bare.logging("apt-get"),
            bin = bin.display(),
        );
        bare.env.tool("apt-get", &apt_get);
        bare
    }

    fn npm(&self, body: &str) {
        self.env.tool("npm", body);
    }

    fn with_browser(self) -> Self {
        self.env.tool("google-chrome", "echo Google Chrome 156.0");
        self
    }

    fn logging(&self, name: &str) -> String {
        format!("echo \"{name} $* [$DEBIAN_FRONTEND]\" >> {}", self.env.path("tools.log").display())
    }

    fn ran(&self) -> Vec<String> {
        let log = fs::read_to_string(self.env.path("tools.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    async fn setup(
        &self,
        machine: Machine,
        options: SetupOptions,
    ) -> (Result<SetupReport, SetupError>, String) {
        let mut said = String::new();
        let mut say = |line: &str| {
            said.push_str(line);
            said.push('\n');
        };
        let (env, places) = (self.env.parent(), self.env.places());
        let never = CancellationToken::new();
        let report = setup_on(machine, options, &env, &places, &never, &mut say).await;
        (report, said.replace(self.env.path("").to_str().unwrap(), "<test>/"))
    }

    fn own_copy(&self) -> PathBuf {
        self.env.path("data/upstream/node_modules/agent-browser/bin").join(native_name())
    }
}

fn native_name() -> String {
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    format!("agent-browser-{system}-{arch}")
}

// DEC-110
#[tokio::test]
async fn bare_machine_gets_both_and_a_second_run_changes_nothing() {
    let bare = Bare::new();
    let (report, said) = bare.setup(ROOT, NOTHING_SPECIAL).await;
    let report = report.unwrap();
    assert!(report.changed, "{said}");
    assert_eq!(report.upstream.unwrap().exe, bare.own_copy());
    assert_eq!(report.browser.unwrap().version, "Chromium 156.0");
    let prefix = bare.env.path("data/upstream");
    let ran = [
        format!(
            "npm install --prefix {} --no-audit --no-fund --ignore-scripts agent-browser@0.41.0 []",
            prefix.display()
        ),
        "apt-get update [noninteractive]".to_owned(),
        "apt-get install -y --no-install-recommends chromium [noninteractive]".to_owned(),
    ];
    assert_eq!(bare.ran(), ran);

    let (again, said) = bare.setup(ROOT, NOTHING_SPECIAL).await;
    assert!(!again.unwrap().changed);
    assert!(said.ends_with("Nothing was changed.\n"), "{said}");
    assert_eq!(bare.ran(), ran);
}

// DEC-110
#[tokio::test]
async fn dry_run_says_what_it_would_do_and_changes_nothing() {
    let bare = Bare::new();
    let (report, said) = bare.setup(ROOT, SetupOptions { dry_run: true, ..NOTHING_SPECIAL }).await;
    let report = report.unwrap();
    assert!(!report.changed);
    assert_eq!((report.upstream, report.browser), (None, None));
    insta::assert_snapshot!(said, @r"
    Upstream: agent-browser was not found on PATH.
    Would run: npm install --prefix <test>/data/upstream --no-audit --no-fund --ignore-scripts agent-browser@0.41.0
    Browser: no Chrome or Chromium was found.
    Would run: apt-get update
    Would run: apt-get install -y --no-install-recommends chromium
    Dry run: nothing was changed.
    ");
    assert!(bare.ran().is_empty());
    for directory in ["data", "state", "home", "s"] {
        assert!(bare.env.files(directory).is_empty(), "{directory}");
    }
}

// DEC-110
#[tokio::test]
async fn without_the_rights_the_command_is_printed_and_setup_fails() {
    let bare = Bare::new();
    let (report, said) = bare.setup(USER, NOTHING_SPECIAL).await;
    let error = report.unwrap_err();
    assert!(matches!(error, SetupError::NoRights { .. }));
    let error = error.to_string();
    let command = "Run: sudo apt-get install -y --no-install-recommends chromium";
    assert!(error.contains(command), "{error}");
    assert!(!said.contains(command), "the program prints the error, once: {said}");
    assert!(bare.own_copy().exists(), "what could be done was not done");
    assert!(bare.ran().iter().all(|line| !line.starts_with("apt-get")));
}

// DEC-110
#[tokio::test]
async fn browser_that_is_there_is_kept() {
    let bare = Bare::new().with_browser();
    let (report, said) = bare.setup(USER, NOTHING_SPECIAL).await;
    assert_eq!(report.unwrap().browser.unwrap().path, bare.env.path("bin/google-chrome"));
    assert!(said.contains("Browser: Google Chrome 156.0 at <test>/bin/google-chrome"), "{said}");
}

// DEC-110
#[tokio::test]
async fn script_in_the_place_of_a_browser_is_not_mistaken_for_one() {
    let bare = Bare::new();
    bare.env
        .tool("chromium-browser", "echo 'requires the chromium snap to be installed' >&2; exit 10");
    let (report, _) = bare.setup(USER, NOTHING_SPECIAL).await;
    assert!(matches!(report.unwrap_err(), SetupError::NoRights { .. }));
}

// DEC-110
#[tokio::test]
async fn browser_is_downloaded_by_upstream_only_when_allowed() {
    let bare = Bare::new();
    let options = SetupOptions { download_browser: true, ..NOTHING_SPECIAL };
    let (report, said) = bare.setup(USER, options).await;
    // The stand-in downloads nothing, and that is noticed.
    assert!(matches!(report.unwrap_err(), SetupError::StillNoBrowser { .. }), "{said}");
    assert!(bare.env.asked().contains(&vec!["install".to_owned()]));

    let cached = bare.env.path("home/.agent-browser/browsers/chrome-156.0/chrome-linux64");
    fs::create_dir_all(&cached).unwrap();
    crate::support::env::write_executable(
        &cached.join("chrome"),
        b"#!/bin/sh\necho Google Chrome for Testing 156.0\n",
    );
    let (report, _) = bare.setup(USER, options).await;
    assert_eq!(report.unwrap().browser.unwrap().version, "Google Chrome for Testing 156.0");
}

// DEC-110, DEC-108
#[tokio::test]
async fn system_wide_installation_is_used_from_path() {
    let bare = Bare::new().with_browser();
    let options = SetupOptions { system: true, ..NOTHING_SPECIAL };
    let (report, said) = bare.setup(ROOT, options).await;
    let upstream = report.unwrap().upstream.unwrap();
    assert_eq!(upstream.found_as, bare.env.path("bin/agent-browser"), "{said}");
    assert!(bare.ran()[0].starts_with("npm install --global "), "{:?}", bare.ran());
    assert!(bare.env.files("data").is_empty());
    assert!(!bare.setup(ROOT, options).await.0.unwrap().changed);
}

// DEC-110, DEC-01
#[tokio::test]
async fn older_upstream_on_path_is_left_alone_and_our_copy_takes_over() {
    let bare = Bare::new().with_browser();
    let old = bare.env.tool("agent-browser", "echo agent-browser 0.30.0");
    let before = fs::read(&old).unwrap();
    let (report, said) = bare.setup(USER, NOTHING_SPECIAL).await;
    assert_eq!(report.unwrap().upstream.unwrap().exe, bare.own_copy());
    assert!(
        said.contains("0.30.0") && said.contains("older than the tested version 0.41.0"),
        "{said}"
    );
    assert_eq!(fs::read(&old).unwrap(), before);
}

// DEC-110
#[tokio::test]
async fn failures_of_npm_are_shown_and_the_browser_is_still_looked_after() {
    let bare = Bare::new();
    bare.npm("echo 'npm error code E404' >&2; exit 1");
    let (report, said) = bare.setup(ROOT, NOTHING_SPECIAL).await;
    let error = report.unwrap_err().to_string();
    assert!(error.contains("failed with exit code 1: npm error code E404"), "{error}");
    assert!(said.contains("Installed: Chromium 156.0"), "{said}");

    // An npm that says it worked and did nothing.
    bare.npm("exit 0");
    assert!(matches!(
        bare.setup(ROOT, NOTHING_SPECIAL).await.0.unwrap_err(),
        SetupError::StillUnusable { .. }
    ));

    fs::remove_file(bare.env.path("bin/npm")).unwrap();
    assert!(matches!(bare.setup(ROOT, NOTHING_SPECIAL).await.0.unwrap_err(), SetupError::NoNpm));

    // Where both fail, one is told on the way.
    let bare = Bare::new();
    bare.npm("echo 'npm error code E404' >&2; exit 1");
    let (report, said) = bare.setup(USER, NOTHING_SPECIAL).await;
    assert!(report.unwrap_err().to_string().contains("E404"), "{said}");
    assert!(said.contains("Run: sudo apt-get install") && !said.contains("E404"), "{said}");
}

// DEC-110
#[tokio::test]
async fn what_the_environment_insists_on_is_not_papered_over() {
    let bare = Bare::new();
    let bare = Bare { env: bare.env.with("AGENT_BROWSER_EXECUTABLE_PATH", "/nonexistent/chrome") };
    assert!(matches!(
        bare.setup(ROOT, NOTHING_SPECIAL).await.0.unwrap_err(),
        SetupError::NamedBrowser { .. }
    ));
    let bare = Bare {
        env: bare.env.with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", "/nonexistent/agent-browser"),
    };
    assert!(matches!(
        bare.setup(ROOT, NOTHING_SPECIAL).await.0.unwrap_err(),
        SetupError::NamedUpstream { .. }
    ));
}
