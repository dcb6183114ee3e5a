//! Floods, full pipes and large inputs.

use std::time::Duration;

use agent_browser_native::run::{End, Invocation};
use serde_json::{Value, json};

use crate::support::env::{TestEnv, run};

const MEMORY_AND_FILE: usize = 512 * 1024 + 64 * 1024 * 1024;

// DEC-05
#[tokio::test]
async fn flood_of_200_megabytes_is_drained_cut_and_leaves_no_file() {
    let env = TestEnv::new().script(&json!([{"floodBytes": 200_000_000}]));
    let done = run(env.fake(&["get", "title"])).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::Exited, 0));
    assert!(done.stdout_truncated);
    assert_eq!(done.stdout.len(), MEMORY_AND_FILE);
    assert_eq!(env.files("temp"), Vec::<std::path::PathBuf>::new());
}

// DEC-05
#[tokio::test]
async fn output_beyond_memory_arrives_whole() {
    let env = TestEnv::new().script(&json!([{"floodBytes": 3_000_000, "stdout": "the end"}]));
    let done = run(env.fake(&["get", "title"])).await.unwrap();
    assert!(!done.stdout_truncated);
    assert_eq!(done.stdout.len(), 3_000_007);
    assert!(done.stdout.ends_with(b"xxthe end"));
    assert_eq!(env.files("temp"), Vec::<std::path::PathBuf>::new());
}

// DEC-05, RUN-13
#[tokio::test]
async fn flood_on_stderr_is_cut_and_does_not_block_the_child() {
    let env = TestEnv::new().script(&json!([{"floodStderrBytes": 5_000_000}]));
    let done = run(env.fake(&["--json", "get", "title"])).await.unwrap();
    assert_eq!(done.stderr.chars().count(), 32_000);
    assert!(String::from_utf8(done.stdout).unwrap().contains("\"title\""));
}

// RUN-05
#[tokio::test]
async fn child_that_never_reads_its_input_does_not_hang_the_call() {
    let env = TestEnv::new().script(&json!([{"ignoreStdin": true, "stdout": "[]", "exitCode": 4}]));
    let stdin = vec![b' '; 10_000_000];
    let done = run(Invocation { stdin, ..env.fake(&["batch"]) }).await.unwrap();
    assert_eq!((done.exit_code, done.stdout), (4, b"[]".to_vec()));
    assert!(done.elapsed < Duration::from_secs(2), "{:?}", done.elapsed);
}

// RUN-09
#[tokio::test]
async fn child_that_hangs_with_unread_input_is_ended_at_its_deadline() {
    let env = TestEnv::new().script(&json!([{"ignoreStdin": true, "hang": true}]));
    let stdin = vec![b' '; 10_000_000];
    let deadline = Duration::from_millis(300);
    let done = run(Invocation { stdin, deadline, ..env.fake(&["batch"]) }).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::TimedOut, 124));
    assert!(done.elapsed < Duration::from_secs(1), "{:?}", done.elapsed);
}

// RUN-11
#[tokio::test]
async fn large_input_and_large_answer_pass_at_the_same_time() {
    let env = TestEnv::new();
    let text = "a".repeat(5_000_000);
    let rows = json!([["open", "http://127.0.0.1/"], ["type", "#x", text], ["get", "title"]]);
    let stdin = serde_json::to_vec(&rows).unwrap();
    let expected = stdin.len();
    let done = run(Invocation { stdin, ..env.fake(&["--json", "batch"]) }).await.unwrap();
    let answer: Vec<Value> = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(answer.len(), 3);
    assert_eq!(answer[1]["result"]["typed"].as_str().unwrap().len(), 5_000_000);
    assert_eq!(env.log()[0]["stdinBytes"], expected);
}
