//! What stays when the host is killed: upstream's own client, and a server of ours. Processes are
//! counted by a mark in their environment, so nothing else is ever counted or ended.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::DemoError;
use super::mcp_client::McpServer;
use super::side::RawCli;
use super::stage::Stage;
use crate::run::proc::{ProcId, Signal, descendants, with_environment};
use crate::run::{Invocation, run};

const MARK: &str = "AGENT_BROWSER_NATIVE_DEMO_MARK";
/// How long a server may take to end when its host has gone.
const END_LIMIT: Duration = Duration::from_secs(10);
/// How long processes may take to go by themselves before they are counted.
const SETTLE: Duration = Duration::from_millis(700);
/// How long a new server may take to clean up behind an old one.
const REAP_LIMIT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);

/// Processes of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftBehind {
    /// Browser and background process while the host lives.
    pub(super) running: usize,
    /// The same after `kill -9` of the host.
    pub(super) after_kill: usize,
    /// The same after the next start of the same host.
    pub(super) after_next_start: usize,
    /// How long the next start took to clean up.
    pub(super) cleaned_in: Option<Duration>,
}

/// Kills upstream's client, starts the next one, and looks at what is there.
pub(super) async fn of_raw(stage: &Stage, url: &str) -> Result<LeftBehind, DemoError> {
    let mark = stage.mark("raw");
    let env = stage.raw_env().and(MARK, &mark);
    let cli = RawCli { env, session: stage.session("left"), ..stage.raw_cli() };
    let measured = raw_measured(&cli, &mark, url).await;
    let close = run(cli.invocation(&["close"]), &CancellationToken::new()).await;
    drop(close);
    end_all(&mark).await;
    stage.forget_sockets_of(&cli.session);
    measured
}

async fn raw_measured(cli: &RawCli, mark: &str, url: &str) -> Result<LeftBehind, DemoError> {
    let never = CancellationToken::new();
    run(cli.invocation(&["open", url]), &never).await?;
    tokio::time::sleep(SETTLE).await;
    let running = marked(mark).len();
    // A client in the middle of its work is killed; the deadline does it.
    let killed =
        Invocation { deadline: Duration::from_millis(300), ..cli.invocation(&["wait", "5000"]) };
    run(killed, &never).await?;
    tokio::time::sleep(SETTLE).await;
    let after_kill = marked(mark).len();
    run(cli.invocation(&["session", "list"]), &never).await?;
    tokio::time::sleep(SETTLE).await;
    let after_next_start = marked(mark).len();
    Ok(LeftBehind { running, after_kill, after_next_start, cleaned_in: None })
}

/// Kills a server of ours, starts the next one, and looks at what is there.
pub(super) async fn of_ours(stage: &Stage, url: &str) -> Result<LeftBehind, DemoError> {
    let mark = stage.mark("ours");
    let measured = ours_measured(stage, &mark, url).await;
    end_all(&mark).await;
    measured
}

async fn ours_measured(stage: &Stage, mark: &str, url: &str) -> Result<LeftBehind, DemoError> {
    let start = || McpServer::start(&stage.own_exe, stage.own_env().and(MARK, mark), &stage.cwd);
    let without = |host: ProcId| marked(mark).into_iter().filter(move |id| *id != host).count();
    let mut server = start().await?;
    let open = json!({ "name": "agent_browser", "arguments": { "args": ["open", url] } });
    let opened = server.request("tools/call", &open).await?;
    if !opened.contains("Opened ") {
        return Err(DemoError::Unexpected { call: open.to_string(), answer: opened });
    }
    let host = server.id()?;
    tokio::time::sleep(SETTLE).await;
    let running = without(host);
    host.kill(Signal::Kill)?;
    server.end(SETTLE).await;
    tokio::time::sleep(SETTLE).await;
    let after_kill = without(host);
    let started = Instant::now();
    let next = start().await?;
    let host = next.id()?;
    while without(host) > 0 && started.elapsed() < REAP_LIMIT {
        tokio::time::sleep(POLL).await;
    }
    let after_next_start = without(host);
    let cleaned_in = (after_next_start == 0).then(|| started.elapsed());
    next.end(END_LIMIT).await;
    Ok(LeftBehind { running, after_kill, after_next_start, cleaned_in })
}

/// Ends what an interrupted measurement has left; usually there is nothing.
pub(super) async fn end_everything(stage: &Stage) {
    for side in ["raw", "ours"] {
        end_all(&stage.mark(side)).await;
    }
}

/// Processes with the mark, and those below them: a browser's children write over their environment.
fn marked(mark: &str) -> HashSet<ProcId> {
    let roots = with_environment(&[format!("{MARK}={mark}")]);
    let below = descendants(&roots);
    roots.into_iter().chain(below).collect()
}

/// Ends what is still there; only what carries the mark.
async fn end_all(mark: &str) {
    for signal in [Signal::Terminate, Signal::Kill] {
        let left = marked(mark);
        if left.is_empty() {
            return;
        }
        for process in left {
            // One that is gone already is what is wanted.
            let _ = process.kill(signal);
        }
        tokio::time::sleep(SETTLE).await;
    }
}
