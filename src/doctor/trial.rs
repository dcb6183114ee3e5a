//! One real launch on a session of its own, closed again: what a first call goes through.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::context::World;
use crate::envelope::{Answer, Envelope, parse};
use crate::run::proc::ProcId;
use crate::run::upstream::Upstream;
use crate::run::{Completed, End, Invocation, run};
use crate::session::key::{SessionKey, hex_of};
use crate::session::lease::{Lease, LeaseOwner, Leases, complete, now_seconds};
use crate::session::reap::{Ended, Ending, SESSION_MARK};

/// A browser that has not answered by then is no browser to work with.
const LAUNCH_LIMIT: Duration = Duration::from_secs(13);
const INFO_LIMIT: Duration = Duration::from_secs(2);

/// What the page is called; reading it back proves that a page is there.
pub(super) const TITLE: &str = "doctor page";
/// What the failing row throws.
pub(super) const THROWN: &str = "doctor row";

/// What the trial showed.
pub(super) struct Trial {
    /// The rows that upstream answered, or why there are none.
    pub(super) rows: Result<Vec<Answer>, String>,
    /// The `data` of `session info`.
    pub(super) info: Option<Value>,
    /// From the start to the last row.
    pub(super) elapsed: Duration,
    /// What became of the session afterwards.
    pub(super) ended: Ended,
}

/// Rows in the order in which the checks read them.
fn rows() -> Value {
    // Node by node: blank pages of some browsers refuse HTML from scripts.
    let page = format!(
        "document.title = '{TITLE}';\
         document.body.append(Object.assign(document.createElement('button'), {{ textContent: 'Continue' }}));\
         true"
    );
    json!([
        // Without an address: a list of allowed domains would refuse any that we could name.
        ["open"],
        ["eval", page],
        ["get", "title"],
        ["snapshot", "-i"],
        ["eval", format!("throw new Error('{THROWN}')")],
        ["get", "url"],
    ])
}

pub(super) async fn launch(world: &World, upstream: &Upstream) -> Trial {
    let started = Instant::now();
    let leases = Leases::below(&world.places.state_root);
    let lease = lease(world, upstream, started);
    let written = leases.write(&lease).map_err(|error| {
        format!("no lease can be written below {}: {error}", world.places.state_root.display())
    });
    let rows = match written {
        Ok(()) => answers(world, &lease).await,
        Err(error) => Err(error),
    };
    let elapsed = started.elapsed();
    let info = match rows.is_ok() {
        true => session_info(world, &lease, INFO_LIMIT).await,
        false => None,
    };
    let mut lease = lease;
    complete(&mut lease);
    let ending = Ending { lease, leases, env: world.env.clone(), cwd: world.cwd.clone() };
    let ended = ending.close_and_end().await;
    Trial { rows, info, elapsed, ended }
}

fn lease(world: &World, upstream: &Upstream, started: Instant) -> Lease {
    let unique = format!("{} {started:?}", std::process::id());
    Lease {
        key: SessionKey::named(format!("doctor-{}", hex_of(unique.as_bytes(), 12))),
        socket_dir: world.places.socket_dir.clone(),
        // Whoever finds it after our death may end it at once.
        owner: ProcId::current()
            .map_or_else(|| LeaseOwner::KeptUntil(now_seconds()), LeaseOwner::Process),
        exe: upstream.exe.clone(),
        daemon_tokens: vec!["--idle-timeout".to_owned(), "60s".to_owned()],
        daemon_vars: world.env.daemon_variables(),
        daemon: None,
        browsers: Vec::new(),
        profile: None,
        temp: None,
        cdp_url: None,
    }
}

async fn answers(world: &World, lease: &Lease) -> Result<Vec<Answer>, String> {
    let words = ["batch", "--bail", "--omit-command"];
    let done = ask(world, lease, &words, rows().to_string().into_bytes(), LAUNCH_LIMIT).await?;
    match done.end {
        End::TimedOut => {
            return Err(format!("it did not answer within {} s", LAUNCH_LIMIT.as_secs()));
        }
        End::Cancelled => return Err("it was interrupted".to_owned()),
        End::Exited => {}
    }
    match parse(&done.stdout) {
        Envelope::Rows(rows) => Ok(rows),
        Envelope::One(answer) => Ok(vec![*answer]),
        _ => Err(format!("agent-browser answered without rows (exit code {})", done.exit_code)),
    }
}

/// Asks a session how it is; nothing when it does not answer in time.
pub(super) async fn session_info(world: &World, lease: &Lease, limit: Duration) -> Option<Value> {
    let done = ask(world, lease, &["session", "info"], Vec::new(), limit).await.ok()?;
    let whole: Value = serde_json::from_slice(&done.stdout).ok()?;
    (done.end == End::Exited).then(|| whole.get("data").cloned()).flatten()
}

async fn ask(
    world: &World,
    lease: &Lease,
    words: &[&str],
    stdin: Vec<u8>,
    deadline: Duration,
) -> Result<Completed, String> {
    let launching = words.first() == Some(&"batch");
    let mut argv = vec!["--json".to_owned()];
    argv.extend(lease.key.tokens());
    argv.extend(lease.daemon_tokens.iter().cloned());
    argv.extend(words.iter().map(|&word| word.to_owned()));
    let env = match launching {
        true => world.env.launching(&lease.socket_dir),
        false => world.env.following(&lease.socket_dir),
    };
    // Should this process die, the reaper finds by it what the lease does not name yet.
    let env = env.and(SESSION_MARK, lease.key.name.clone());
    let invocation =
        Invocation { exe: lease.exe.clone(), argv, stdin, env, cwd: world.cwd.clone(), deadline };
    run(invocation, &world.cancel).await.map_err(|error| error.reason())
}
