//! A session that something still runs in: who says so, who is refused, and when it is ended.

use std::fs;
use std::time::{Duration, Instant};

use agent_browser_native::call::Keep;
use agent_browser_native::run::proc::{ProcId, Signal as ProcSignal};
use agent_browser_native::session::fact::Busy;
use agent_browser_native::session::lease::{Leases, complete, now_seconds};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, soon};

const URL: &str = "http://shop.test/";

/// A host that the next process goes on for.
fn lasting(env: TestEnv) -> TestEngine {
    TestEngine::with(env, |options| options.keep = Keep::IdleTimeout)
}

async fn opened(env: TestEnv) -> TestEngine {
    let tool = lasting(env);
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    tool
}

fn busy(tool: &TestEngine) -> Option<Busy> {
    tool.engine.known().sessions.values().find_map(|session| session.busy)
}

/// The next invocation of the same host, `seconds` after the end of what was cut.
fn later(tool: TestEngine, seconds: u64) -> TestEngine {
    let until = busy(&tool).unwrap().until;
    let env = tool.into_env();
    let journal = env
        .files("state")
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let journal = journal.unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    let old = format!("\"until\":{until}");
    assert!(text.contains(&old), "{text}");
    let new = format!("\"until\":{}", now_seconds() - seconds);
    fs::write(&journal, text.replace(&old, &new)).unwrap();
    let next = lasting(env);
    next.engine.restore_from_journal();
    next
}

fn hanging(rows: &[&[&str]]) -> Vec<Value> {
    rows.iter().map(|row| json!({ "match": { "row": row }, "hang": true })).collect()
}

// HAZ-07, DEC-96: the page behind a click loads on, and every later command waits for it.
#[tokio::test]
async fn a_question_behind_a_click_that_was_cut_leaves_the_session_busy() {
    let behind = json!({ "match": { "row": ["eval"], "contains": "askBehind(" }, "hang": true });
    let tool = opened(TestEnv::new().script(&json!([behind]))).await;
    let said = tool.send(json!({ "args": ["click", "@e3"], "timeoutMs": 2_500 })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(
        said.text.lines().take(2).collect::<Vec<_>>(),
        [
            "Clicked @e3 button \"Save\". The page is still loading (earlier refs are void).",
            "The browser may stay busy for up to 30 s.",
        ]
    );
    assert!(busy(&tool).is_some_and(|busy| busy.navigating), "{:?}", busy(&tool));
}

// HAZ-07 (3): the same for a question of ours behind a failed command.
#[tokio::test]
async fn behind_a_question_of_ours_that_was_cut_a_short_call_is_refused_at_once() {
    let rules = json!([
        { "match": { "row": ["get", "text"] }, "error": "Element not found: #nope" },
        { "match": { "row": ["tab", "list"] }, "hang": true },
    ]);
    let tool = opened(TestEnv::new().script(&rules)).await;
    let cut = tool.send(json!({ "args": ["get", "text", "#nope"], "timeoutMs": 2_500 })).await;
    assert!(cut.text.contains("The browser may stay busy for up to 30 s."), "{}", cut.text);
    let before = tool.asked().len();
    let said = tool.send(json!({ "args": ["get", "title"], "timeoutMs": 2_000 })).await;
    assert!(said.first().contains("an earlier command still runs"), "{}", said.text);
    assert_eq!(tool.asked().len(), before);
}

// HAZ-07: without time for it no question is asked, so that nothing goes on behind the answer.
#[tokio::test]
async fn a_question_that_has_no_time_left_is_not_asked() {
    // With less than 200 ms nothing of ours is asked; on a slow day the command itself is cut.
    for _ in 0..20 {
        let rules =
            json!([{ "match": { "row": ["get", "text"] }, "error": "Element not found: #nope" }]);
        let tool = opened(TestEnv::new().script(&rules)).await;
        let before = tool.asked().len();
        let said = tool.send(json!({ "args": ["get", "text", "#nope"], "timeoutMs": 190 })).await;
        if said.category() == "timeout" {
            continue;
        }
        assert_eq!(said.category(), "selector-not-found", "{}", said.text);
        assert_eq!(tool.asked().len(), before + 1);
        assert_eq!(busy(&tool), None);
        return;
    }
    panic!("no command was answered within 190 ms");
}

// HAZ-07 (4): a cut of long ago says nothing about a daemon that answers.
#[tokio::test]
async fn two_cuts_far_apart_do_not_end_the_browser() {
    let tool = opened(TestEnv::new().script(&json!(hanging(&[&["get", "html"]])))).await;
    let slow = json!({ "args": ["get", "html", "main"], "timeoutMs": 400 });
    tool.send(slow.clone()).await;
    let tool = later(tool, 60);
    let again = tool.send(slow).await;
    assert_eq!(again.category(), "timeout", "{}", again.text);
    assert!(again.text.contains("may stay busy for up to 30 s"), "{}", again.text);
    assert!(busy(&tool).is_some_and(|busy| busy.until > now_seconds() + 20));
    let tool = later(tool, 1);
    assert_eq!(tool.call(&["get", "title"]).await.text, "Fake page");
    assert_eq!(busy(&tool), None);
    let before = tool.asked().len();
    tool.call(&["get", "title"]).await;
    assert_eq!(tool.asked().len(), before + 1, "a free session is not asked about");
}

// HAZ-07 (4), HAZ-23: a daemon that does not answer long behind its time is ended where the call begins.
#[tokio::test]
async fn a_daemon_that_is_silent_beyond_its_limit_is_ended_and_the_next_open_works() {
    let mut rules = hanging(&[&["get", "html"]]);
    rules.push(json!({ "match": { "argv": ["session", "info"] }, "hang": true }));
    let env = TestEnv::new().script(&json!(rules)).with("FAKE_UPSTREAM_DAEMON", "1");
    let tool = opened(env).await;
    tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 400 })).await;
    let tool = later(tool, 3);
    let waits = tool.call(&["get", "title"]).await;
    assert!(waits.first().contains("may stay busy for up to "), "{}", waits.text);
    let tool = later(tool, 11);
    let started = Instant::now();
    let said = tool.send(json!({ "args": ["get", "title"], "timeoutMs": 2_000 })).await;
    assert!(started.elapsed() < Duration::from_millis(2_900), "{:?}", started.elapsed());
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    let ended = "The browser did not answer any more and was ended.";
    assert!(said.text.contains(ended), "{}", said.text);
    assert_eq!(said.next(), vec![json!({ "args": ["open", URL] })]);
    let again = tool.call(&["open", URL]).await;
    assert!(!again.is_error, "{}", again.text);
    assert_eq!(busy(&tool), None);
    tool.engine.shutdown().await;
}

// HAZ-07 (4): a stopped daemon is ended as soon as somebody has waited for it in vain.
#[tokio::test]
async fn a_stopped_daemon_is_ended_and_the_call_goes_on_in_a_new_browser() {
    let mut rule = hanging(&[&["get", "html"]]);
    rule[0]["times"] = json!(1);
    let env = TestEnv::new().script(&json!(rule)).with("FAKE_UPSTREAM_DAEMON", "1");
    let tool = opened(env).await;
    tool.send(json!({ "args": ["get", "html", "main"], "timeoutMs": 400 })).await;
    let daemon = stop_daemon(&tool).await;
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    let ended = "The browser did not answer any more and was ended.";
    assert!(said.text.contains(ended), "{}", said.text);
    assert!(!daemon.is_alive());
    tool.engine.shutdown().await;
}

async fn stop_daemon(tool: &TestEngine) -> ProcId {
    let places = tool.env.places();
    let leases = Leases::below(&places.state_root);
    let key = tool.engine.known().managed_running().unwrap().clone();
    let daemon = leases.read(&places.socket_dir, &key).unwrap().daemon.unwrap();
    let pid = Pid::from_raw(daemon.pid.cast_signed()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    assert!(soon(|| daemon.is_stopped()).await);
    daemon
}

/// Kills the browser below the daemon, as soon as the lease proves one.
async fn kill_browser(tool: &TestEngine) {
    let places = tool.env.places();
    let leases = Leases::below(&places.state_root);
    let key = tool.engine.known().managed_running().unwrap().clone();
    let completed = || {
        let mut lease = leases.read(&places.socket_dir, &key).unwrap();
        complete(&mut lease);
        leases.write(&lease).unwrap();
        lease.browsers
    };
    assert!(soon(|| !completed().is_empty()).await);
    let browsers = completed();
    assert!(browsers.iter().all(|browser| browser.kill(ProcSignal::Kill).unwrap()));
    assert!(soon(|| !browsers.iter().any(ProcId::is_alive)).await);
}

// HAZ-23: what is left of a lost browser is ended within the limit of the call, or behind it.
#[tokio::test]
async fn an_open_behind_a_lost_browser_does_not_wait_for_its_end() {
    let rules = json!([{ "match": { "argv": ["close"] }, "hang": true, "times": 1 }]);
    let env = TestEnv::new().script(&rules).with("FAKE_UPSTREAM_DAEMON", "1");
    let tool = opened(env).await;
    kill_browser(&tool).await;
    let started = Instant::now();
    let said = tool.send(json!({ "args": ["open", URL], "timeoutMs": 500 })).await;
    assert!(started.elapsed() < Duration::from_millis(1_500), "{:?}", started.elapsed());
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(said.first().contains("before the command was sent"), "{}", said.text);
    let again = tool.call(&["open", URL]).await;
    assert!(!again.is_error, "{}", again.text);
    tool.engine.shutdown().await;
}

// HAZ-07 (2): a navigation that cannot be ended from outside is told like any other busy browser.
#[tokio::test]
async fn behind_a_navigation_that_cannot_be_ended_a_short_open_is_told_at_once() {
    let mut rules = hanging(&[&["open"]]);
    rules[0]["match"]["contains"] = json!("/never");
    let tool = opened(TestEnv::new().script(&json!(rules))).await;
    let never = format!("{URL}never");
    tool.send(json!({ "args": ["open", never], "timeoutMs": 300 })).await;
    let before = tool.asked().len();
    let said = tool.send(json!({ "args": ["open", URL], "timeoutMs": 2_000 })).await;
    assert!(said.first().contains("an earlier command still runs"), "{}", said.text);
    assert_eq!(tool.asked().len(), before, "nothing was started");
    // With the time for it the call waits its turn in upstream's queue.
    assert!(!tool.call(&["open", URL]).await.is_error);
}

// HAZ-07: a browser that a cut call has started is known to be busy.
#[tokio::test]
async fn a_first_call_that_was_cut_leaves_the_session_busy() {
    let tool = lasting(TestEnv::new().script(&json!(hanging(&[&["open"]]))));
    let said = tool.send(json!({ "args": ["open", URL], "timeoutMs": 300 })).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(busy(&tool).is_some_and(|busy| busy.navigating), "{:?}", busy(&tool));
}

// HAZ-03: a wait on a browser that upstream has replaced is not met by the blank page.
#[tokio::test]
async fn a_wait_notices_that_its_browser_was_replaced() {
    let replaced = json!({ "launched": true, "effectiveLaunch": { "launchHash": 1 } });
    let rules = json!([{ "match": { "row": ["wait"] }, "times": 1,
        "result": { "waited": true, "lifecycle": replaced } }]);
    let tool = opened(TestEnv::new().script(&rules)).await;
    let said = tool.call(&["wait", "3000"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert_eq!(said.next(), vec![json!({ "args": ["open", URL] })]);
    let slices = tool.asked().iter().filter(|asked| asked.commands() == ["wait"]).count();
    assert_eq!(slices, 1, "nobody waits on for a page that is gone");
    tool.engine.settle().await;
}
