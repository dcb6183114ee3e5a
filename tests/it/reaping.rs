//! What others have left behind: ended at the start of any door, and again from time to time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agent_browser_native::session::key::SessionKey;
use agent_browser_native::session::lease::{Lease, LeaseOwner, Leases};
use agent_browser_native::session::reap::{keep_reaping_every, reap};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::env::{TestEnv, fake_upstream, soon};
use crate::support::host::Host;

/// A session that nobody keeps alive, whose daemon does not answer a close.
pub fn leave_behind(env: &TestEnv, name: &str) {
    let places = env.places();
    // Any living process: the proof that it is a daemon is missing, so it is left alone.
    std::fs::write(places.socket_dir.join(format!("{name}.pid")), std::process::id().to_string())
        .unwrap();
    std::fs::write(places.socket_dir.join(format!("{name}.sock")), "").unwrap();
    let lease = Lease {
        key: SessionKey::named(name),
        socket_dir: places.socket_dir.clone(),
        owner: LeaseOwner::KeptUntil(0),
        exe: fake_upstream().to_owned(),
        daemon_tokens: Vec::new(),
        daemon_vars: BTreeMap::new(),
        daemon: None,
        browsers: Vec::new(),
        profile: None,
        temp: None,
        cdp_url: None,
    };
    Leases::below(&places.state_root).write(&lease).unwrap();
}

fn left(env: &TestEnv) -> usize {
    Leases::below(&env.places().state_root).all().len()
}

// DEC-106, HAZ-15: eight of them must not take eight times as long.
#[tokio::test]
async fn many_leftovers_are_ended_at_once() {
    let hangs = json!([{ "match": { "argv": ["close"] }, "hang": true }]);
    let env = TestEnv::new()
        .script(&hangs)
        .with("PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS", "1000");
    (0..8).for_each(|number| leave_behind(&env, &format!("old-{number}")));
    let started = Instant::now();
    let report = reap(&env.places(), &env.parent(), &env.path("work"), false).await;
    assert_eq!((report.len(), left(&env)), (8, 0), "{report:?}");
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}

// DEC-106
#[tokio::test]
async fn a_server_reaps_again_while_it_runs() {
    let env = TestEnv::new();
    let stop = CancellationToken::new();
    let every = Duration::from_millis(50);
    let reaping =
        keep_reaping_every(every, env.places(), env.parent(), env.path("work"), stop.clone());
    let reaping = tokio::spawn(reaping);
    for name in ["first", "later"] {
        leave_behind(&env, name);
        assert!(soon(|| left(&env) == 0).await, "{name}");
    }
    stop.cancel();
    reaping.await.unwrap();
}

// DEC-106
#[tokio::test]
async fn the_rpc_door_reaps_when_it_starts() {
    let env = TestEnv::new();
    leave_behind(&env, "old");
    let host = Host::rpc(&env).await;
    assert!(soon(|| left(&env) == 0).await);
    host.end().await;
}
