//! Which executable is used, and which versions are.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent_browser_native::call::CallContext;
use agent_browser_native::run::upstream::{Source, Support, Upstream, locate, resolve};
use agent_browser_native::run::{Places, RunError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, fake_upstream, soon, write_executable};

const PACKAGE: &str = "node_modules/agent-browser/bin";

/// Lays out what npm installs: a launcher for Node and the native binary beside it.
fn install_package(prefix: &Path) -> PathBuf {
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let bin = prefix.join(PACKAGE);
    write_executable(
        &bin.join("agent-browser.js"),
        b"#!/usr/bin/env node\nthrow new Error('not the launcher')\n",
    );
    let native = bin.join(format!("agent-browser-{system}-{arch}"));
    fs::copy(fake_upstream(), &native).unwrap();
    native
}

/// An upstream that is asked and does not answer.
fn silent_upstream(env: &TestEnv) {
    let log = env.path("asked");
    env.tool("agent-browser", &format!("echo >> {}; exec sleep 30", log.display()));
}

/// How often the silent one was asked.
fn times_asked(env: &TestEnv) -> usize {
    fs::read_to_string(env.path("asked")).map_or(0, |log| log.lines().count())
}

fn take_execute_bit(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

async fn resolved(env: &TestEnv) -> Result<Upstream, RunError> {
    resolve(&env.parent(), &env.places(), &CancellationToken::new()).await
}

fn located(env: &TestEnv) -> Result<PathBuf, RunError> {
    let places: Places = env.places();
    locate(&env.parent(), &places).map(|located| located.exe)
}

// RUN-01, RUN-10
#[tokio::test]
async fn without_upstream_the_text_says_what_is_required_and_how_to_get_it() {
    let env = TestEnv::without_upstream();
    let error = resolved(&env).await.unwrap_err();
    assert!(error.is_missing_binary());
    insta::assert_snapshot!(
        error.to_string(),
        @"agent-browser is required and was not found on PATH. agent-browser-native does not bundle it: run `agent-browser-native setup` to install the tested version 0.41.0, or see https://agent-browser.dev"
    );
}

// RUN-10, DEC-01
#[test]
fn named_executable_that_is_missing_is_not_replaced_by_another() {
    let env =
        TestEnv::new().with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", "/nonexistent/agent-browser");
    env.tool("agent-browser", "exit 0");
    let error = located(&env).unwrap_err();
    assert!(error.to_string().contains("/nonexistent/agent-browser does not exist"), "{error}");
}

// RUN-01
#[test]
fn native_binary_behind_npms_launcher_is_used() {
    let env = TestEnv::without_upstream();
    let native = install_package(&env.path("home"));
    symlink(env.path("home").join(PACKAGE).join("agent-browser.js"), env.path("bin/agent-browser"))
        .unwrap();
    assert_eq!(located(&env).unwrap(), native);

    let named = env.with(
        "AGENT_BROWSER_NATIVE_UPSTREAM_PATH",
        native.with_file_name("agent-browser.js").to_str().unwrap(),
    );
    assert_eq!(located(&named).unwrap(), native);
}

// RUN-01
#[test]
fn native_binary_behind_a_shell_shim_is_used() {
    let env = TestEnv::without_upstream();
    let native = install_package(&env.path("home"));
    let shim = format!(
        "basedir=$(dirname \"$0\")\nexec node  \"$basedir/../home/{PACKAGE}/agent-browser.js\" \"$@\""
    );
    env.tool("agent-browser", &shim);
    assert_eq!(located(&env).unwrap(), native);
}

// RUN-01
#[test]
fn launcher_itself_is_used_when_its_binary_may_not_be_executed() {
    let env = TestEnv::without_upstream();
    let native = install_package(&env.path("home"));
    take_execute_bit(&native);
    let on_path = env.path("bin/agent-browser");
    symlink(native.with_file_name("agent-browser.js"), &on_path).unwrap();
    assert_eq!(located(&env).unwrap(), on_path);
    assert_eq!(
        fs::metadata(&native).unwrap().permissions().mode() & 0o111,
        0,
        "a foreign file was changed"
    );
}

// RUN-01
#[test]
fn execute_bit_of_our_own_copy_is_repaired() {
    let env = TestEnv::without_upstream();
    let native = install_package(&env.path("data/upstream"));
    take_execute_bit(&native);
    assert_eq!(located(&env).unwrap(), native);
    assert_eq!(fs::metadata(&native).unwrap().permissions().mode() & 0o777, 0o755);
}

// RUN-01, RUN-10
#[test]
fn path_is_searched_in_order_past_files_that_cannot_be_executed() {
    let env = TestEnv::without_upstream();
    let first = env.tool("agent-browser", "exit 0");
    take_execute_bit(&first);
    assert!(
        matches!(located(&env).unwrap_err(), RunError::NotExecutable { path } if path == first)
    );

    let second = env.path("work/agent-browser");
    write_executable(&second, b"#!/bin/sh\nexit 0\n");
    let path = format!("relative::{}:{}", env.path("bin").display(), env.path("work").display());
    let env = env.with("PATH", path);
    assert_eq!(located(&env).unwrap(), second);
}

// RUN-01
#[test]
fn link_of_a_version_manager_is_called_by_its_own_name() {
    let env = TestEnv::without_upstream();
    symlink("/usr/bin/env", env.path("bin/agent-browser")).unwrap();
    assert_eq!(located(&env).unwrap(), env.path("bin/agent-browser"));
}

// DEC-01
#[tokio::test]
async fn tested_version_is_asked_once_and_then_known() {
    let env = TestEnv::new();
    for _ in 0..3 {
        let upstream = resolved(&env).await.unwrap();
        assert_eq!((upstream.support.clone(), upstream.source), (Support::Tested, Source::Env));
        assert_eq!((upstream.refusal(), upstream.newer_note()), (None, None));
        assert!(upstream.is_unchanged());
    }
    assert_eq!(env.asked(), [["--version"]]);
}

// DEC-01
#[tokio::test]
async fn replaced_executable_is_asked_again() {
    let env = TestEnv::without_upstream();
    let tool = env.tool("agent-browser", "echo agent-browser 0.41.0");
    let first = resolved(&env).await.unwrap();
    assert_eq!(first.support, Support::Tested);
    fs::remove_file(&tool).unwrap();
    env.tool("agent-browser", "echo agent-browser 0.40.1");
    assert!(!first.is_unchanged());
    assert_eq!(resolved(&env).await.unwrap().support, Support::TooOld);
}

// DEC-01
#[tokio::test]
async fn older_version_is_refused_with_found_tested_and_setup() {
    let env = TestEnv::new().with("FAKE_UPSTREAM_VERSION", "0.31.1");
    let upstream = resolved(&env).await.unwrap();
    assert_eq!(upstream.support, Support::TooOld);
    let text = upstream.refusal().unwrap();
    for part in [
        "agent-browser 0.31.1",
        "older than the tested version 0.41.0",
        "`agent-browser-native setup`",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

// DEC-01
#[tokio::test]
async fn newer_version_is_probed_once_and_says_so() {
    let env = TestEnv::new().with("FAKE_UPSTREAM_VERSION", "0.42.0");
    for _ in 0..2 {
        let upstream = resolved(&env).await.unwrap();
        assert_eq!(upstream.support, Support::Newer);
        assert_eq!(upstream.refusal(), None);
        assert_eq!(
            upstream.newer_note().unwrap(),
            "agent-browser 0.42.0 is newer than the tested version 0.41.0."
        );
    }
    assert_eq!(env.asked(), [["--version"], ["--help"]]);
}

// DEC-01
#[tokio::test]
async fn newer_version_that_lacks_a_capability_is_refused_by_its_name() {
    let script = json!({"version": "1.0.0", "help": "batch session snapshot eval tab screenshot close --json --session --idle-timeout --bail"});
    let env = TestEnv::new().script(&script);
    let upstream = resolved(&env).await.unwrap();
    assert_eq!(
        upstream.support,
        Support::ProbeFailed { missing: vec!["--omit-command".to_owned()] }
    );
    let text = upstream.refusal().unwrap();
    assert!(
        text.contains("capability probe")
            && text.contains("--omit-command")
            && text.contains("setup"),
        "{text}"
    );
}

// DEC-01
#[tokio::test]
async fn exact_switch_demands_the_tested_version() {
    let env = TestEnv::new().with("AGENT_BROWSER_NATIVE_UPSTREAM_EXACT", "1");
    assert_eq!(resolved(&env).await.unwrap().support, Support::Tested);
    let newer = TestEnv::new()
        .with("AGENT_BROWSER_NATIVE_UPSTREAM_EXACT", "1")
        .with("FAKE_UPSTREAM_VERSION", "0.42.0");
    assert_eq!(resolved(&newer).await.unwrap().support, Support::NotExact);
}

// DEC-01
#[tokio::test]
async fn our_own_copy_steps_in_for_a_refused_one_on_path() {
    let env = TestEnv::without_upstream();
    env.tool("agent-browser", "echo agent-browser 0.30.0");
    assert_eq!(resolved(&env).await.unwrap().support, Support::TooOld);
    let native = install_package(&env.path("data/upstream"));
    let upstream = resolved(&env).await.unwrap();
    assert_eq!(
        (upstream.exe, upstream.source, upstream.support),
        (native, Source::Own, Support::Tested)
    );
}

// DEC-01
#[tokio::test]
async fn program_that_is_not_upstream_is_named() {
    let env = TestEnv::without_upstream();
    env.tool("agent-browser", "echo something else");
    let error = resolved(&env).await.unwrap_err();
    assert!(matches!(error, RunError::NoVersion { .. }), "{error}");

    silent_upstream(&env);
    let cancel = CancellationToken::new();
    let places = env.places();
    let parent = env.parent();
    let check = resolve(&parent, &places, &cancel);
    let (checked, ()) = tokio::join!(check, async {
        assert!(soon(|| times_asked(&env) == 1).await);
        cancel.cancel();
    });
    assert!(matches!(checked.unwrap_err(), RunError::Cancelled { .. }));
}

// HAZ-23, RUN-09, DEC-01
#[tokio::test]
async fn a_first_call_keeps_its_limit_while_upstream_is_asked() {
    let env = TestEnv::without_upstream();
    silent_upstream(&env);
    let tool = TestEngine::new(env);
    let open = |ms: u64| json!({ "args": ["open", "http://shop.test/"], "timeoutMs": ms });
    let started = Instant::now();
    let late = tool.send(open(400)).await;
    assert_eq!(late.category(), "timeout", "{}", late.text);
    assert!(late.first().contains("stopped after 400 ms, before the command was sent"));
    let context = CallContext { reports_progress: true, ..CallContext::default() };
    let cancel = context.cancel.clone();
    let before = times_asked(&tool.env);
    let (given_up, ()) = tokio::join!(tool.send_in(open(60_000), context), async {
        assert!(soon(|| times_asked(&tool.env) > before).await);
        cancel.cancel();
    });
    assert_eq!(given_up.category(), "aborted", "{}", given_up.text);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
