//! Sessions behind the rpc door: branches of the transcript, and who keeps the browser.

use std::time::Duration;

use agent_browser_native::session::lease::{Lease, LeaseOwner, Leases};
use serde_json::{Value, json};

use crate::reaping::leave_behind;
use crate::support::env::{TestEnv, soon};
use crate::support::host::{Host, call, session, text, world};

fn args(words: &[&str]) -> Value {
    json!({ "args": words })
}

fn fresh(words: &[&str]) -> Value {
    json!({ "args": words, "sessionMode": "fresh" })
}

fn leases(env: &TestEnv) -> Vec<Lease> {
    Leases::below(&env.places().state_root).all()
}

fn name(result: &Value) -> String {
    result["details"]["sessionName"].as_str().unwrap().to_owned()
}

async fn shutdown(host: &mut Host, reason: &str) -> Value {
    host.result("session/shutdown", json!({ "reason": reason })).await
}

async fn resumed(env: &TestEnv, id: &str, facts: &[Value]) -> Host {
    let mut host = Host::start(env, &["rpc"]);
    let mut hello = session(env, id, facts);
    hello["door"] = json!("pi");
    host.result("initialize", hello).await;
    host
}

// SES-30, DEC-106
#[tokio::test]
async fn quit_and_a_bare_end_close_what_the_process_owns() {
    for say_so in [true, false] {
        let env = world();
        let mut host = Host::rpc(&env).await;
        let opened = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
        let socket = env.path("s").join(format!("{}.sock", name(&opened)));
        assert!(socket.exists());
        assert!(
            matches!(leases(&env)[0].owner, LeaseOwner::Process(owner) if owner.pid == host.pid())
        );
        if say_so {
            assert_eq!(shutdown(&mut host, "quit").await, json!({ "closed": 1, "kept": 0 }));
            assert!(!socket.exists());
        }
        assert_eq!(host.end().await, 0);
        assert!(!socket.exists());
        assert!(leases(&env).is_empty());
    }
}

// SES-31, SES-32, SES-35, DEC-106
#[tokio::test]
async fn a_reload_keeps_the_visible_browser_and_closes_the_others() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let first = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    // The other branch opens a browser of its own, which the first one does not see.
    host.result("session/tree", session(&env, "s1", &[])).await;
    let other = host.call(&env, args(&["open", "http://127.0.0.1/b"])).await;
    assert_ne!(name(&first), name(&other), "numbers of an abandoned branch do not come back");
    host.result("session/tree", session(&env, "s1", &[first["details"].clone()])).await;
    let snapshot = host.call(&env, args(&["snapshot", "-i"])).await;
    assert_eq!(name(&snapshot), name(&first));

    assert_eq!(shutdown(&mut host, "reload").await, json!({ "closed": 1, "kept": 1 }));
    assert_eq!(host.end().await, 0);
    let kept = leases(&env);
    assert_eq!((kept.len(), kept[0].key.name.clone()), (1, name(&first)));
    assert!(matches!(kept[0].owner, LeaseOwner::KeptUntil(_)));

    let facts = [first["details"].clone(), snapshot["details"].clone()];
    let mut host = resumed(&env, "s1", &facts).await;
    assert!(matches!(leases(&env)[0].owner, LeaseOwner::Process(owner) if owner.pid == host.pid()));
    let clicked = host.call(&env, args(&["click", "@e3"])).await;
    assert_eq!(text(&clicked), "Clicked @e3 button \"Save\". Page changed.");
    assert_eq!(name(&clicked), name(&first));
    host.end().await;
    assert!(leases(&env).is_empty());
}

// SES-31, PI-34
#[tokio::test]
async fn a_fork_goes_on_with_the_browser_of_its_past() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let first = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    assert_eq!(shutdown(&mut host, "fork").await, json!({ "closed": 0, "kept": 1 }));
    let facts = [first["details"].clone()];
    let restored = host.result("session/start", session(&env, "s2", &facts)).await;
    assert!(restored["restored"].as_u64().unwrap() > 2 && restored["unreadable"] == 0);
    // In its RPC mode the host says so twice.
    assert_eq!(host.result("session/start", session(&env, "s2", &facts)).await, restored);
    let title = host.result("call", call(&env, "s2", args(&["get", "title"]))).await;
    assert_eq!((text(&title), name(&title)), ("Fake page".to_owned(), name(&first)));
    host.end().await;
    assert!(leases(&env).is_empty());
}

// SES-36, PI-34
#[tokio::test]
async fn a_closed_session_is_not_resurrected() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let first = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    let closed = host.call(&env, args(&["close"])).await;
    shutdown(&mut host, "quit").await;
    host.end().await;
    let mut host =
        resumed(&env, "s1", &[first["details"].clone(), closed["details"].clone()]).await;
    let refused = host.call(&env, args(&["click", "@e3"])).await;
    assert_eq!(refused["details"]["failureCategory"], "stale-ref");
    let again = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    assert!(name(&again).ends_with("-f1"), "{}", name(&again));
}

// SES-42
#[tokio::test]
async fn a_call_from_before_a_branch_switch_does_not_overwrite_the_new_branch() {
    let env = world().script(&json!([
        {"match": {"argv": ["batch"], "ends": "-f1"}, "delayMs": 800},
    ]));
    let mut host = Host::rpc(&env).await;
    let first = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    let late = host.send("call", call(&env, "s1", fresh(&["open", "http://127.0.0.1/b"]))).await;
    assert!(
        soon(|| env.asked().iter().any(|argv| argv.iter().any(|word| word.ends_with("-f1")))).await
    );
    host.result("session/tree", session(&env, "s1", &[first["details"].clone()])).await;
    let late = host.answer(late).await["result"].clone();
    assert_eq!(late["isError"], false);
    let title = host.call(&env, args(&["get", "url"])).await;
    assert_eq!((text(&title), name(&title)), ("http://127.0.0.1/a".to_owned(), name(&first)));
    // It still owns the late browser, and closes it.
    assert_eq!(shutdown(&mut host, "quit").await, json!({ "closed": 2, "kept": 0 }));
    host.end().await;
    assert!(leases(&env).is_empty());
}

// DEC-106, SES-31
#[tokio::test]
async fn a_session_whose_process_died_is_taken_over_by_its_next_one() {
    let env = world();
    let mut host = Host::rpc(&env).await;
    let first = host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    let owner = agent_browser_native::run::proc::ProcId::of(host.pid()).unwrap();
    owner.kill(agent_browser_native::run::proc::Signal::Kill).unwrap();
    drop(host);
    assert!(soon(|| !owner.is_alive()).await);
    // What really is left behind goes: then the next process has looked at this session too.
    leave_behind(&env, "old");
    let mut host = resumed(&env, "s1", &[first["details"].clone()]).await;
    assert!(soon(|| leases(&env).len() == 1).await);
    let title = host.call(&env, args(&["get", "title"])).await;
    assert_eq!((text(&title), name(&title)), ("Fake page".to_owned(), name(&first)));
    let closes = env.asked().into_iter().filter(|argv| argv.last().unwrap() == "close");
    assert_eq!(closes.collect::<Vec<_>>(), [["--json", "--session", "old", "close"]]);
}

// SES-30
#[tokio::test]
async fn a_running_call_does_not_hold_up_the_end() {
    let env = TestEnv::new()
        .with("FAKE_UPSTREAM_DAEMON", "1")
        .script(&json!([{"match": {"contains": "slow"}, "hang": true}]));
    let mut host = Host::rpc(&env).await;
    host.send("call", call(&env, "s1", args(&["--session", "slow", "get", "title"]))).await;
    assert!(soon(|| !env.asked().is_empty()).await);
    let began = std::time::Instant::now();
    assert_eq!(host.end().await, 0);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

// SES-30
#[tokio::test]
async fn keys_of_the_shared_terminal_are_meant_for_the_host() {
    use rustix::process::{Pid, Signal, kill_process};
    let env = world();
    let mut host = Host::rpc(&env).await;
    host.call(&env, args(&["open", "http://127.0.0.1/a"])).await;
    let pid = Pid::from_raw(host.pid().cast_signed()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    kill_process(pid, Signal::HUP).unwrap();
    // An end that a signal has begun may let one more call through.
    for _ in 0..2 {
        assert_eq!(text(&host.call(&env, args(&["get", "title"])).await), "Fake page");
    }
    kill_process(pid, Signal::TERM).unwrap();
    assert!(soon(|| leases(&env).is_empty()).await);
    assert_eq!(host.end().await, 0);
}
