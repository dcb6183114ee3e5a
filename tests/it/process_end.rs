//! How a process ends: by itself, by its deadline, or because the caller gave up.

use std::time::{Duration, Instant};

use agent_browser_native::run::proc::ProcId;
use agent_browser_native::run::ready::Ready;
use agent_browser_native::run::{self, End, Invocation};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::env::{TestEnv, run, soon};

const SHORT: Duration = Duration::from_millis(500);

/// What ending a whole tree may take on a busy machine.
const ENDING: Duration = Duration::from_millis(900);

fn with_deadline(invocation: Invocation, deadline: Duration) -> Invocation {
    Invocation { deadline, ..invocation }
}

fn is_running(pid: u64) -> bool {
    ProcId::of(u32::try_from(pid).unwrap()).is_some()
}

// RUN-08, RUN-09, DEC-02
#[tokio::test]
async fn hung_upstream_is_ended_at_its_deadline() {
    let env = TestEnv::new().script(&json!([{"match": {"argv": ["get"]}, "hang": true}]));
    let done = run(with_deadline(env.fake(&["--json", "get", "title"]), SHORT)).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::TimedOut, 124));
    assert!(done.elapsed >= SHORT && done.elapsed < SHORT + ENDING, "{:?}", done.elapsed);
    assert!(!is_running(env.log()[0]["pid"].as_u64().unwrap()));
}

// RUN-09: an answer of rows is there with its line, and who does not end behind it is ended.
#[tokio::test]
async fn nobody_waits_for_the_end_of_a_process_that_has_answered() {
    let env = TestEnv::new();
    let (ready, cancel) = (Ready::default(), CancellationToken::new());
    let answer = |script: &str| run::run_rows(env.shell(script), &ready, &cancel);
    let done = answer("echo \"[$$]\"; exec sleep 30").await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::Exited, 0));
    assert!(done.elapsed < Duration::from_secs(2), "{:?}", done.elapsed);
    let text = String::from_utf8(done.stdout).unwrap();
    let pid: u64 = text.trim().trim_matches(['[', ']']).parse().unwrap();
    assert!(soon(|| !is_running(pid)).await, "it is ended");

    let done = answer("echo text; sleep 0.2; echo '[1]'; exit 3").await.unwrap();
    assert_eq!((done.stdout.as_slice(), done.exit_code), (&b"text\n[1]\n"[..], 3));
}

// RUN-08
#[tokio::test]
async fn crashed_upstream_has_a_signal_shaped_exit_code() {
    for (signal, code) in [(9, 137), (11, 139)] {
        let env = TestEnv::new().script(&json!([{"crash": signal, "stderr": "last words"}]));
        let done = run(env.fake(&["get", "title"])).await.unwrap();
        assert_eq!((done.end, done.exit_code), (End::Exited, code));
        assert_eq!(done.stderr, "last words");
    }
}

// RUN-08
#[tokio::test]
async fn own_exit_code_wins_over_the_timeout_code() {
    let env = TestEnv::new();
    let script = "trap 'kill $!; exit 7' TERM; sleep 30 & wait";
    let done = run(with_deadline(env.shell(script), SHORT)).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::TimedOut, 7));
}

// RUN-09
#[tokio::test]
async fn whole_tree_is_killed_even_when_it_ignores_being_asked() {
    let env = TestEnv::new();
    let script = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; sleep 30' & wait; sleep 30";
    let done = run(with_deadline(env.shell(script), SHORT)).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::TimedOut, 124));
    assert!(done.elapsed < SHORT + ENDING, "{:?}", done.elapsed);
    let grandchild: u64 = String::from_utf8(done.stdout).unwrap().trim().parse().unwrap();
    assert!(soon(|| !is_running(grandchild)).await);
}

// RUN-09
#[tokio::test]
async fn descendants_that_outlive_an_obedient_child_are_killed_too() {
    let env = TestEnv::new();
    let script = "sh -c 'trap \"\" TERM; echo $$; sleep 30' & sleep 30";
    let done = run(with_deadline(env.shell(script), SHORT)).await.unwrap();
    let grandchild: u64 = String::from_utf8(done.stdout).unwrap().trim().parse().unwrap();
    assert!(soon(|| !is_running(grandchild)).await);
}

// RUN-09, DEC-02
#[tokio::test]
async fn cancelled_call_answers_within_a_second() {
    let env = TestEnv::new().script(&json!([{"hang": true}]));
    let cancel = CancellationToken::new();
    let started = Instant::now();
    let later = async {
        soon(|| !env.log().is_empty()).await;
        cancel.cancel();
        Instant::now()
    };
    let (done, cancelled) = tokio::join!(run::run(env.fake(&["get", "title"]), &cancel), later);
    let done = done.unwrap();
    assert_eq!((done.end, done.exit_code), (End::Cancelled, 143));
    assert!(cancelled.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert!(!is_running(env.log()[0]["pid"].as_u64().unwrap()));
}

// RUN-09
#[tokio::test]
async fn call_cancelled_beforehand_starts_nothing() {
    let env = TestEnv::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let done = run::run(env.fake(&["get", "title"]), &cancel).await.unwrap();
    assert_eq!(done.end, End::Cancelled);
    assert!(env.log().is_empty());
}

// RUN-05, RUN-06, RUN-07
#[tokio::test]
async fn call_ends_with_its_child_although_a_descendant_holds_the_pipes() {
    let env = TestEnv::new().script(&json!([{"holdPipesMs": 5000}]));
    let done = run(env.fake(&["--json", "get", "title"])).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::Exited, 0));
    assert!(String::from_utf8(done.stdout).unwrap().contains("\"success\":true"));
    assert!(done.elapsed < Duration::from_secs(2), "{:?}", done.elapsed);
}

// RUN-06
#[tokio::test]
async fn output_that_arrives_shortly_after_the_exit_is_kept() {
    let env = TestEnv::new();
    let done = run(env.shell("(while kill -0 $$; do :; done 2>/dev/null; echo late) & echo early"))
        .await
        .unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "early\nlate\n");
}

// RUN-08
#[tokio::test]
async fn child_that_ended_by_itself_is_never_called_timed_out() {
    let env = TestEnv::new();
    // The deadline passes while the pipes are still held open.
    let invocation = with_deadline(env.shell("sleep 5 & exit 3"), Duration::from_millis(60));
    let done = run(invocation).await.unwrap();
    assert_eq!((done.end, done.exit_code), (End::Exited, 3));
}

// RUN-09
#[tokio::test]
async fn abandoned_call_leaves_no_process_behind() {
    let env = TestEnv::new().script(&json!([{"hang": true}]));
    let cancel = CancellationToken::new();
    tokio::select! {
        done = run::run(env.fake(&["get", "title"]), &cancel) => panic!("{done:?}"),
        started = soon(|| !env.log().is_empty()) => assert!(started),
    }
    let pid = env.log()[0]["pid"].as_u64().unwrap();
    assert!(soon(|| !is_running(pid)).await);
}
