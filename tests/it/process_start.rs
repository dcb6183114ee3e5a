//! What it takes to start a process, and what is said when it cannot be started.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use agent_browser_native::run::{Invocation, RunError};

use crate::support::env::{TestEnv, run};

// RUN-02
#[tokio::test]
async fn arguments_arrive_literally_and_never_meet_a_shell() {
    let env = TestEnv::new();
    let words = ["get", "text", "$(touch pwned); `id` \"'\\ * \n é", ""];
    run(env.fake(&words)).await.unwrap();
    assert_eq!(env.asked(), [words]);
    assert!(env.files("work").is_empty());
}

// RUN-02
#[tokio::test]
async fn nul_in_an_argument_is_an_error_and_starts_nothing() {
    let env = TestEnv::new();
    let error = run(env.fake(&["get", "a\0b"])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Argument 2 holds a NUL character, which no process argument can carry"
    );
    assert!(env.log().is_empty());

    let odd = env.fake(&["get", "title"]);
    let odd = Invocation { env: odd.env.clone().and("ODD", "a\0b"), ..odd };
    assert!(run(odd).await.unwrap_err().to_string().contains("ODD"));
}

// RUN-10
#[tokio::test]
async fn executable_that_vanished_is_a_missing_binary() {
    let env = TestEnv::new();
    let gone = Invocation { exe: PathBuf::from("/nonexistent/agent-browser"), ..env.fake(&[]) };
    let error = run(gone).await.unwrap_err();
    assert!(error.is_missing_binary());
    let text = error.to_string();
    for part in [
        "agent-browser is required",
        "does not bundle it",
        "https://",
        "`agent-browser-native setup`",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

// RUN-10
#[tokio::test]
async fn file_without_execute_bit_is_named() {
    let env = TestEnv::new();
    let path = env.tool("agent-browser", "exit 0");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = run(Invocation { exe: path.clone(), ..env.fake(&[]) }).await.unwrap_err();
    assert!(matches!(&error, RunError::NotExecutable { path: named } if *named == path), "{error}");
}

// RUN-02
#[tokio::test]
async fn working_directory_that_is_gone_is_named_and_not_mistaken_for_the_binary() {
    let env = TestEnv::new();
    let error = run(Invocation { cwd: env.path("gone"), ..env.fake(&[]) }).await.unwrap_err();
    assert!(matches!(error, RunError::BadDirectory { .. }), "{error}");
    assert!(!error.is_missing_binary());
}

// PLAN-50
#[tokio::test]
async fn child_sees_exactly_the_environment_it_was_given() {
    let env = TestEnv::new();
    let invocation = env.shell("/usr/bin/env");
    let given: Vec<String> = invocation
        .env
        .iter()
        .map(|(name, value)| format!("{}={}", name.to_str().unwrap(), value.to_str().unwrap()))
        .collect();
    let done = run(invocation).await.unwrap();
    let seen = String::from_utf8(done.stdout).unwrap();
    // The shell adds variables of its own.
    let mut seen: Vec<&str> = seen
        .lines()
        .filter(|line| !["PWD=", "_=", "SHLVL=", "OLDPWD="].iter().any(|own| line.starts_with(own)))
        .collect();
    seen.sort_unstable();
    let mut given: Vec<&str> = given.iter().map(String::as_str).collect();
    given.sort_unstable();
    assert_eq!(seen, given);
}

// RUN-02
#[tokio::test]
async fn child_leads_a_process_group_of_its_own() {
    let env = TestEnv::new();
    let done = run(env.shell("echo $$; ps -o pgid= -p $$")).await.unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let numbers: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(numbers.len(), 2, "{text}");
    assert_eq!(numbers[0], numbers[1]);
}

// RUN-13
#[tokio::test]
async fn exit_code_and_stderr_come_back() {
    let env = TestEnv::new();
    let done = run(env.fake(&["click", "#nope"])).await.unwrap();
    assert_eq!(done.exit_code, 1);
    assert!(done.stderr.starts_with("✗ Element not found: #nope."), "{}", done.stderr);
    assert!(done.stdout.is_empty());
}
